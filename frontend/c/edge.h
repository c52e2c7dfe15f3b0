/* Edges: cells on one line or plane of an array, which a statement sets. */
#ifndef STENCILC_EDGE_H
#define STENCILC_EDGE_H

#include "frontend/c/stencil.h"

/* Does "w" set cells on one line or plane of its array? */
bool is_edge(const struct c_update *w);
/* What "w" gives the cell that "a" reads, where "condition" holds, in this step or in the one before; NULL: this cannot be
 * said.
 */
struct c_expr *value_of_edge(struct stencil *s, const struct c_update *w, const struct c_access *a,
	struct c_expr *condition, bool is_earlier);
/* "e" without terms that always hold at "place"; NULL: there are no others. */
struct c_expr *needed(struct stencil *s, const struct c_place *place, struct c_expr *e);
/* The read "e" where "condition" does not hold. */
struct c_expr *read_again(struct stencil *s, const struct c_expr *e, struct c_expr *condition);
/* For some sizes all of "a" is an edge, as u[n - 2] is u[0] in a grid of two rows: ask for others. */
bool ask_for_others(struct stencil *s, const struct c_access *a, const struct c_expr *condition);

#endif
