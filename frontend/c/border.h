/* Borders: edges of grids that each step sets, and what of a region its loops execute. */
#ifndef STENCILC_BORDER_H
#define STENCILC_BORDER_H

#include "frontend/c/stencil.h"

/* A statement of C, or a nest, that the steps leave out and that is executed once more behind them. */
struct c_again {
	const struct c_stmt *stmt;
	struct c_again *next;
};

bool is_among(const struct c_again *all, const struct c_stmt *stmt);
/* What the loops execute. */
struct c_left {
	int rounds;			/* so many, the last ones */
	bool first;			/* the first one */
	bool odd;			/* one more if the number of others is odd: see roles.h */
	struct c_again *again;
	struct c_update *updates;	/* that read or write more than steps do */
};

/* Let the loops alone execute "u", in the last round. */
void leave_to_loops(struct stencil *s, struct c_update *u);
/* .. the last two, and one more if an odd number is left: so they compute both of two arrays. */
void leave_odd_steps(struct stencil *s);
bool leaves_odd_steps(const struct stencil *s);
/* Let what reads such edges compute what they have, so that no step sets them:
 *
 *	u[0] = u[1];  v[i] = f(u[i-1], u[i], u[i+1]);  swap(u, v);
 *
 * becomes v[i] = f(i == 1 ? u[i] : u[i-1], u[i], u[i+1]).  The loops execute the last round, which sets them as C
 * does.  Where a step sets them behind the reads, for the next one, the loops execute the first round, and those
 * statements are executed again behind the call.
 */
void drop_borders(struct stencil *s);
/* call.c: what is executed again, as often as pointers move before they are back in their roles. */
void print_again(struct text *t, const struct stencil *s);

#endif
