/* Arrays that the region declares: separate scalars, or grids that nobody outside sees. */
#ifndef STENCILC_LOCAL_H
#define STENCILC_LOCAL_H

#include "frontend/c/stencil.h"

/* Find the arrays that are scalars: unrolled loops over their elements make their subscripts
 * numbers.
 */
void find_scalar_arrays(struct stencil *s);
/* The array "d", if it is declared in the region. */
const struct c_local *find_local(const struct stencil *s,
	const struct c_decl *d);
/* Is "e" an element of an array of scalars? */
bool is_scalar_element(const struct stencil *s, const struct c_expr *e);
/* Such an element, with subscripts "sub", as a variable; NULL after a diagnostic. */
struct c_expr *local_scalar(struct stencil *s, const struct c_expr *e,
	const struct poly *sub);
/* Call "each" for all of them, with the value from the declaration, or NULL. */
bool each_scalar(struct stencil *s, const struct c_local *local,
	const struct c_expr *values, bool (*each)(struct stencil *s,
		const struct c_decl *d, struct c_expr *value));
/* ctree.c: does "body" read a constant array at "counter", so that the loop around it is unrolled? */
bool reads_table(const struct c_stmt *body, const struct c_decl *counter);
/* Does it write elements that "counter" selects from an array in a struct, as in cell[i].f[k]? */
bool counts_members(const struct c_stmt *body, const struct c_decl *counter);
/* "stmt" declares a grid. */
bool declare_grid(struct stencil *s, const struct c_stmt *stmt);
/* The dimensions that loops around its declaration give it. */
int local_depth(const struct c_local *local);
/* "a", an element of a grid, with the loops around it as first subscripts. */
bool add_loops_around(struct stencil *s, struct c_access *a,
	const struct c_local *local);

#endif
