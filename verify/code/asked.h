/* Questions about a place in the code of a strip, for all sizes, strips, iterations and lanes.
 * Parameters are the program's, the symbols of struct lanes, and
 *
 *	x0, x1, x2	the cell that is computed, loaded or stored, by axis
 *	t, m, u, c	time, step, turn; the column of a vector
 *
 * Each question is asked once for all steps and turns with the same numbers in it.
 */
#ifndef STENCILC_VERIFY_ASKED_H
#define STENCILC_VERIFY_ASKED_H

#include <stdint.h>

#include "verify/code/lanes.h"

enum { MOST_WORDS = 2000 };

/* Everything on which an answer depends. */
struct words {
	int n;
	intptr_t word[MOST_WORDS];
};

/* The axes along which variables are coordinates in a grid without end. */
struct around {
	bool axis[N_AXES];
};

/* seen.c ------------------------------------------------------------------- */

void put_word(struct words *w, intptr_t word);
/* Trees with the same words have the same value at the point. */
void put_tree(const struct lanes *l, struct words *w, const struct kx *x,
	const struct point *p);
/* Do questions about "p" depend on the way? */
bool way_counts(const struct way *way, const struct point *p);
/* "x", the relevant part of its condition; NULL: none. */
const struct kx *part_that_counts(const struct lanes *l, const struct way *way,
	const struct kx *x, const struct point *p);
/* The step of the code, if it is in a loop over steps. */
bool step_in_code(const struct lanes *l, int64_t *step);
/* Begin the words of question "name" about "p". */
void ask(const struct lanes *l, struct words *w, const char *name,
	const struct point *p);
bool was_answered(const struct lanes *l, const struct words *w, int *value);
/* "value"; forgets the names made for the question. */
int note_answer(struct lanes *l, const struct words *w, int value);
__isl_give isl_pw_aff *number_of_line(const struct lanes *l,
	const struct line *line);
/* Let the variables of "x" have their values at "p", for code/values.c. */
void name_variables(struct lanes *l, const struct kx *x,
	const struct point *p, struct around *around);

static inline __isl_give isl_pw_aff *times(__isl_take isl_pw_aff *a,
	int64_t n)
{
	return isl_pw_aff_scale_val(a, isl_val_int_from_si(
		isl_pw_aff_get_ctx(a), n));
}

/* places.c ----------------------------------------------------------------- */

/* { [] : low <= x < end } */
__isl_give isl_set *between(__isl_take isl_pw_aff *low,
	__isl_keep isl_pw_aff *x, __isl_take isl_pw_aff *end);
/* "set" where the condition of "way" holds or fails as it does there. */
__isl_give isl_set *where_way_goes(struct lanes *l, const struct way *way,
	const struct point *p, __isl_take isl_set *set, struct around *around);
/* "set" where all conditions hold or fail as they do at "p". */
__isl_give isl_set *where_ways_go(struct lanes *l, const struct point *p,
	__isl_take isl_set *set, struct around *around);
/* { [] : the code is at its place, and its cell is that of "p", in the grid } */
__isl_give isl_set *place_at(struct lanes *l, const struct point *p);
/* { [] : an instance of "s" at t, x }, { [] : the condition in it holds there } */
__isl_give isl_set *instances_at(const struct lanes *l, const struct stmt *s);
__isl_give isl_set *holds_at(const struct lanes *l, const struct stmt *s,
	const struct expr *condition);
bool is_nowhere(struct lanes *l, __isl_take isl_set *set);
/* Are they equal for all values of the symbols? */
bool is_always(struct lanes *l, __isl_take isl_pw_aff *a,
	__isl_take isl_pw_aff *b);

#endif
