/* Elements that several statements of a step write. */
#ifndef STENCILC_OVERWRITE_H
#define STENCILC_OVERWRITE_H

#include "frontend/c/stencil.h"

/* Let each element be written by the last statement that C executes for it, where none reads what those
 * before wrote; a statement that changes it, as by +=, changes what the one before has written.  What
 * remains is refused where versions are found.
 */
void settle_writes(struct stencil *s);
/* later.c: put statements that others change behind what the change reads. */
void put_changed_later(struct stencil *s);
/* edge.c: let reads of cells that a step has set, as edges before a nest, and of others that it has not, be
 * choices between values from before.
 */
void choose_edges(struct stencil *s);
/* Does "w" write the element that "a" touches?  NULL: a condition cannot tell. */
struct c_expr *writes_element(struct stencil *s, const struct c_update *w,
	const struct c_access *a);
/* The outermost loop around "loop", or itself; NULL of NULL. */
const struct c_loop *outermost(const struct c_loop *loop);
/* recorded.c: does "body" declare "d"? */
bool declares_variable(const struct c_stmt *body, const struct c_decl *d);
/* .. write an element of it? */
bool writes_array(const struct c_stmt *body, const struct c_decl *d);
/* order.c: { a -> b : both touch the same cell, in the same round }, and those of them in which b is
 * executed first.
 */
__isl_give isl_map *touch_same(struct stencil *s, const struct c_access *a,
	const struct c_access *b);
__isl_give isl_map *executed_before(__isl_keep isl_map *pairs,
	const struct c_place *a, const struct c_place *b);
/* Does "u" write before what "a" reads of its own, in the order of its subscripts, so that the language
 * calls it a sweep?
 */
bool reads_in_sweep(struct stencil *s, const struct c_update *u,
	const struct c_access *a);
/* poly.c: has "p" no products of variables? */
bool poly_is_linear(const struct poly *p);
/* .. "p" as an expression. */
struct c_expr *expr_of_poly(struct stencil *s, const struct poly *p,
	struct span at);
/* A symbol as C has it at the region: n, or (n / 2), which lies in the region of memory "mem". */
const char *name_in_c(const void *mem, const struct c_decl *symbol);
/* Do "a" and "b" have the same field and subscripts, which do not turn back? */
bool same_element(const struct c_access *a, const struct c_access *b);
bool holds_some(__isl_take isl_map *map);
/* between.c: reads of what a statement has computed and another one writes again read the value itself; false after
 * a diagnostic for those that cannot.
 */
bool check_complete(struct stencil *s);
/* Does "u" change what "a", an element that it reads and writes, has from a statement before? */
bool changes_element(const struct c_update *u, const struct c_access *a);

#endif
