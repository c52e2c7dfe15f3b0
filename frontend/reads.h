/* What the files about reads of fields share: access.c, order.c, element.c, and
 * boundary.c, of what lies beyond their grids.
 */
#ifndef STENCILC_READS_H
#define STENCILC_READS_H

#include "frontend/lower.h"

/* The boundary of which an expression is the value. */
struct beyond {
	const struct field *field;
	int dim;		/* ALL_DIMS: of all dimensions */
};

enum { ALL_DIMS = IR_MAX_DIMS };

/* order.c ------------------------------------------------------------------*/

/* Has what the read "e" reads, "a" of "s", been computed when it is read? */
bool check_read_order(struct context *c, struct ast_expr *e,
	const struct symbol *s, const struct access *a);
/* A field that is computed is read in the order of its own dimensions: else
 * no tiling has constant distances.
 */
bool check_transposed_read(struct context *c, struct ast_expr *e,
	const struct symbol *s, const struct access *a);
/* An input may be read with its indices in any order; but if their ranges are
 * the sizes of other dimensions, points without a value are left out in
 * silence.
 */
void warn_swapped(struct context *c, struct ast_expr *e,
	const struct symbol *s, const struct access *a);

/* element.c ----------------------------------------------------------------*/

/* Are the subscripts of "e", a read of an input, of which "value" is what they are, such as
 * an element may have, those without an index?  "*n" have none.  False after a
 * diagnostic.
 */
bool check_uniform(struct context *c, struct ast_expr *e,
	const struct expr *const *value, int *n);
/* Leave in "a", the indices of such an element "e", those dimensions in which it may lie
 * beyond the input; are there any?  False after a diagnostic.
 */
bool find_leaving(struct context *c, struct ast_expr *e, struct access *a,
	bool *leaves);
/* Say that the field "s" is not read where "e" stands; false. */
bool refuse_place(struct context *c, struct ast_expr *e,
	const struct symbol *s);

#endif
