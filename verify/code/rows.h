/* Tiles in time as C: the functions that compute a step of statements in a box of any size,
 *
 *	NAME_run_rows(params, t, i_low, i_high, .., A_old, A_new)
 */
#ifndef STENCILC_VERIFY_ROWS_H
#define STENCILC_VERIFY_ROWS_H

#include "verify/code/kept.h"

/* Such a function, and what it does. */
struct rows {
	const struct kfunc *function;
	const struct kernel_names *names;
	int n_given;		/* parameters of "at": the program's, and the box, .. */
	const char *low[IR_MAX_DIMS], *high[IR_MAX_DIMS];	/* .. which are called so */
	isl_set **cells;	/* { [t, x] : stored }, by field.index; or NULL */
	bool *has;		/* by statement: it is computed here */
	const struct rows *next;
};

/* The field whose cells the parameter of such a function has, and which copy: 0 is that of version
 * t, counted modulo all copies.
 */
bool array_of_rows(struct code *w, const struct kparam *p, struct array *a);

/* A parameter of the program's sets for the int "name" of a function. */
const char *name_given(struct code *w, const char *name);
/* { [.., x at "pos", ..] in the space of "set" : x >= (or, if "last", <=) the parameter } */
__isl_give isl_set *within_side(__isl_take isl_set *set, int pos, const char *param, bool last);

/* grid.c: does the code of tiles on one grid take, keep and give back cells, and run tiles, as the plan
 * says?
 */
bool grid_is_right(struct checker *c, const struct kunit *unit);

/* boxes.c ------------------------------------------------------------------ */

/* Does the function "tile" call "all", each once for a row, with the box and the copies that the plan
 * says?
 */
bool calls_rows(struct code *w, const struct kfunc *tile,
	const struct rows *all);

#endif
