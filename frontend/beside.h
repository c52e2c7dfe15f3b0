/* What stands beside the statements of all points: lists of points, outputs by step,
 * reductions.
 */
#ifndef STENCILC_BESIDE_H
#define STENCILC_BESIDE_H

#include "frontend/lower.h"

/* list.c -------------------------------------------------------------------*/

/* Lower what "u" does at the points of the list around it. */
void lower_listed(struct lower *l, const struct update *u);

/* Let each statement in front that computes "grid" list "what", each for the points that it
 * computes; returns how many there are.
 */
int append_listed(struct lower *l, const struct field *grid,
	const struct listed *what);
/* Is the time subscript "e" t+1? */
bool is_next_step(struct context *c, struct ast_expr *e);

/* record.c -----------------------------------------------------------------*/

/* Does "u" write, at all points, an output with the time among its subscripts? */
bool is_record(const struct lower *l, const struct update *u);
/* Is the output "s" written at points of lists, or by step, and so no value of a step? */
bool is_series(const struct lower *l, const struct symbol *s);
void lower_record(struct lower *l, const struct update *u);

/* reduce.c -----------------------------------------------------------------*/

void lower_results(struct lower *l);
/* Reductions, and what ends the loop. */
void lower_reductions(struct lower *l);

#endif
