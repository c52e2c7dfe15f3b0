/* Scalars that each step changes, as the time in t += dt. */
#ifndef STENCILC_CARRIED_H
#define STENCILC_CARRIED_H

#include "frontend/c/question.h"
#include "frontend/c/stencil.h"

/* The emitted file executes "stmt" for all steps before the call, and keeps the values in an array. */
struct c_carried {
	const struct c_decl *decl;
	const struct c_stmt *first;	/* gives it a value before the loop; NULL: none in the region does */
	const struct c_stmt *stmt;
	const struct c_stmt *choice;	/* that it stands in, if (n > 1) .. else ..; NULL: in none */
	bool is_otherwise;		/* behind 'else' there */
	struct c_decl *array;		/* [t]: the value at the beginning of step t */
	struct c_carried *next;
};

/* The region with elements of arrays in place of such scalars; NULL: it has none. */
const struct c_region *without_carried(struct stencil *s);
/* "body" with "by" in place of "loop", and without the first values of "carried", or NULL */
struct c_stmt *with_loop(struct stencil *s, const struct c_stmt *body, const struct c_stmt *loop,
	struct c_stmt *by, const struct c_carried *carried);
/* Has "loop" as many iterations as something holds of such a scalar, t < end?  The emitted file counts them. */
static inline bool counts_carried(const struct stencil *s, const struct c_stmt *loop)
{
	return loop->holds && !loop->condition && s->region->carried && loop == s->time_loop;
}
/* Does the region declare one, before the loop? */
bool declares_carried(const struct stencil *s);
/* carried_text.c: has the emitted file to fill arrays, or to count steps? */
bool has_carried(const struct stencil *s);
/* Fill the arrays; ask whether there is memory for them; set the scalars to what they are behind the steps that
 * the call executes; free the arrays.
 */
void print_carried(struct text *t, const struct stencil *s);
void ask_for_carried(const struct stencil *s, struct c_question *q);
void print_carried_set(struct text *t, const struct stencil *s);
void print_carried_freed(struct text *t, const struct stencil *s);
/* The loop from step "first" on, whose scalars have the values of that step: for (; t < end; t += dt) .. */
void print_loop_on(struct text *t, const struct stencil *s, const char *first);
/* The step behind all complete rounds. */
void print_end_of_rounds(struct text *t, const struct stencil *s);

#endif
