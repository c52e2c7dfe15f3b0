/* What the proof of the code requires of segments. */
#ifndef STENCILC_VERIFY_SEGMENTS_H
#define STENCILC_VERIFY_SEGMENTS_H

#include "verify/code/code.h"

/* The segments are the steps, one behind the other, and the reductions behind them are the
 * program's; "w" is where the file of such a program begins.
 */
bool segments_are_right(struct code *w);

/* passes.c: copies of states, of GPUs. */

/* Is it the number of passes before the segment? */
bool is_number_of_passes(const struct code *w, const char *name);
/* "x" where there are none. */
const struct kx *in_first_segment(const struct code *w, const struct kx *x);
/* A segment begins with the copies with which the one before it ends, and so do reductions and
 * results: kernels all take that number into account, the host counts it in "body", in the "loop"
 * over segments, or NULL.
 */
bool passes_are_counted(struct code *w, const struct ks *body,
	const struct ks *loop);

/* The program's expression "e" of parameters. */
__isl_give isl_pw_aff *value_in_code(struct code *w, const struct expr *e);
/* The current place reaches nothing of "wrong". */
bool never(struct code *w, __isl_take isl_set *wrong);
/* The call that "s" makes, an expression, an assignment or a declaration, without casts; or NULL. */
const struct kx *call_made(const struct ks *s);
/* Of the arguments "arg" for "function" that for its parameter "param", or NULL. */
const struct kx *argument_for(const struct code *w, const char *function,
	const struct kx *const *arg, const char *param);

/* tiles.c: what tiles reduce as they come to a step where it is due. */

/* Is it reduction "i", and is nothing else due within a segment? */
bool reduction_in_tiles(const struct code *w, int i);
/* The function that adds the points of a box of a tile. */
const char *tile_reduction_name(const struct code *w, int i);
/* Each box of the last row of a step is added where the reduction is due, and its values
 * go where they belong when the steps of all tiles are done.
 */
bool reductions_of_tiles_are_right(struct code *w);

#endif
