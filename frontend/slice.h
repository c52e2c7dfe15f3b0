/* Statements of a row, a plane or a point: A[t+1][N/2][j] = .. */
#ifndef STENCILC_SLICE_H
#define STENCILC_SLICE_H

#include "frontend/lower.h"

/* Is the subscript "e" made of parameters and numbers alone? */
bool is_slice(const struct lower *l, const struct ast_expr *e);
/* Is one on the left of "u"? */
bool has_slices(const struct lower *l, const struct update *u);
/* Do the texts of two slices mean the same? */
bool is_same_slice(const struct ast_expr *a, const struct ast_expr *b);
/* What code calls the index "dim" that has no name in "element". */
const char *slice_index(struct lower *l, const struct ast_expr *element,
	int dim);
/* Is the index "dim", called "name", "at"? */
const struct expr *on_slice(struct lower *l, const char *name, int dim,
	const struct expr *at);
/* Do all indices of "s" that are slices have their values?  NULL: none is. */
const struct expr *on_slices(struct lower *l, const struct statement *s);
/* Is "value", a subscript without an index, "*offset" cells from where the statement of "c"
 * has its slice of dimension "dim"?
 */
bool find_offset(const struct context *c, const struct expr *value, int dim,
	int64_t *offset);

#endif
