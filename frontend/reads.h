/* What the files about elements of fields share: access.c, order.c, element.c, names.c, list.c,
 * record.c, and, for reads beyond grids, boundary.c.
 */
#ifndef STENCILC_READS_H
#define STENCILC_READS_H

#include "frontend/lower.h"

/* The boundary whose value an expression is. */
struct beyond {
	const struct field *field;
	int dim;		/* ALL_DIMS: of all dimensions */
};

enum { ALL_DIMS = IR_MAX_DIMS };

/* access.c: "a", or an equal access that the statement has already; .. an equal element that may lie
 * beyond its input.
 */
const struct access *shared_access(struct lower *l, struct statement *s,
	const struct access *a);
const struct access *shared_element(struct lower *l, struct stmt *s,
	const struct access *a);

/* .. is the time subscript "e" of "s" the time plus a constant, "*distance"?  False after a
 * diagnostic.
 */
bool lower_time_subscript(struct context *c, struct ast_expr *e,
	const struct symbol *s, int64_t *distance);

/* symbols.c ----------------------------------------------------------------*/

/* Does the subscript "e" mention the time? */
bool is_step(const struct lower *l, const struct ast_expr *e);
/* Has the field "s" the time as its first subscript? */
bool is_state(const struct symbol *s);
/* Do the steps compute "s", a state or a temp? */
bool is_of_step(const struct symbol *s);
/* The subscripts of "e", an element of "s", behind the time. */
struct ast_expr *indices_in(const struct ast_expr *e, const struct symbol *s);

/* order.c ------------------------------------------------------------------*/

/* Has the value that "e" reads, "a" of "s", been computed by then? */
bool check_read_order(struct context *c, struct ast_expr *e,
	const struct symbol *s, const struct access *a);
/* Computed fields must be read in the order of their own dimensions: otherwise
 * no tiling has constant distances.
 */
bool check_transposed_read(struct context *c, struct ast_expr *e,
	const struct symbol *s, const struct access *a);
/* An input may be read with its indices in any order; but if their ranges are
 * the sizes of other dimensions, points without a value are silently left out:
 * warn.
 */
void warn_swapped(struct context *c, struct ast_expr *e,
	const struct symbol *s, const struct access *a);

/* element.c ----------------------------------------------------------------*/

/* Do the subscripts of "e", a read of an input, with the forms "value", have what an element
 * allows? "*n" of them have no index.  False after a diagnostic.
 */
bool check_uniform(struct context *c, struct ast_expr *e,
	const struct expr *const *value, int *n);
/* Keep in "a", the indices of such an element "e", the dimensions in which it may lie beyond
 * the input; are there any?  False after a diagnostic.
 */
bool find_leaving(struct context *c, struct ast_expr *e, struct access *a,
	bool *leaves);
/* Report that the field "s" may not be read where "e" stands; false. */
bool refuse_place(struct context *c, struct ast_expr *e,
	const struct symbol *s);

#endif
