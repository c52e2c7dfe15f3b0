/* Edges: cells on one line or plane of an array, which a statement sets. */
#ifndef STENCILC_EDGE_H
#define STENCILC_EDGE_H

#include "frontend/c/stencil.h"

/* Does "w" set cells on one line or plane of its array? */
bool is_edge(const struct c_update *w);
/* Has "p" a value of its own in each step? */
bool is_of_a_step(const struct stencil *s, const struct poly *p);
/* A statement that sets an edge, in the step that reads it or in the one before; NULL: none. */
struct setter {
	const struct c_update *update;
	bool is_earlier;
};
/* Which reads become choices. */
struct edges {
	struct stencil *s;
	void *user;
	/* The last statement to set a cell that "a" reads, before the one in "behind", if that is one. */
	struct setter (*last)(struct edges *edges, const struct c_access *a, const struct setter *behind);
	bool fails;			/* the value of some edge cannot be said */
};
/* "e", which may read edges that are set before "behind", as a choice; NULL: as it is. */
struct c_expr *chosen_edge(struct edges *edges, struct c_expr *e, const struct setter *behind);

#endif
