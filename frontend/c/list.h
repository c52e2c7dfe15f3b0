/* Loops over places that data give: for (p = 0; p < n; p++) u[si[p]][sj[p]] += w[t][p]; */
#ifndef STENCILC_LIST_H
#define STENCILC_LIST_H

#include "frontend/c/stencil.h"

/* One after the other, in the order of places, behind the statement that computes "state". */
struct c_list {
	const struct c_loop *loop;
	struct c_place place;
	struct c_field *state;		/* whose cells are changed and recorded */
	const struct c_update *writer;	/* what computes it */
	struct c_listed {
		struct c_access *write;	/* of the state; NULL: it records in .. */
		struct c_field *record;
		struct c_expr *sub[C_MAX_DIMS];	/* .. this element */
		struct c_expr *value;
		struct span at;
		struct c_listed *next;
	} *first;
	struct c_list *next;
};

/* Does "body" write or read at places that are data for each value of "counter"? */
bool lists_places(const struct c_stmt *body, const struct c_decl *counter);
/* Does "stmt" loop over places? */
bool is_list(const struct stencil *s, const struct c_stmt *stmt,
	const struct c_loop *loop);
bool walk_list(struct stencil *s, const struct c_stmt *stmt,
	struct c_loop *loop);
/* An assignment to an element in a list. */
bool assign_listed(struct stencil *s, const struct c_stmt *stmt,
	struct c_expr *value);
/* quotient.c: are "a" and "b", which are resolved, the same? */
bool c_same_value(const struct c_expr *a, const struct c_expr *b);
/* Once all statements are known: what computes the cells of each list?  False after a diagnostic. */
bool find_list_writers(struct stencil *s);
/* The sizes of arrays that only lists have. */
bool add_listed_cells(const struct stencil *s, const struct c_field *f,
	bool (*each)(void *user, struct c_access *a), void *user);
/* Does a list read elements of "f" at its places, so that nothing tells how many there are? */
bool is_read_at_places(const struct stencil *s, const struct c_field *f);
void find_record_sizes(struct stencil *s);
/* Mark what lists write. */
void note_listed_writes(const struct stencil *s);
/* Does "u" compute what a list changes? */
bool is_list_writer(const struct stencil *s, const struct c_update *u);
/* Rounds of several steps are all complete: the loops run what is left. */
bool leaves_rest(const struct stencil *s);

#endif
