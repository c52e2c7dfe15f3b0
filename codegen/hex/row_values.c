/* The values of rows as vectors. */
#include "codegen/hex/rows.h"

static struct region *mem(const struct rows *r)
{
	return r->x->h->mem;
}

/* From which speed of a divider on the row at hand takes its roots, so that the divider and what
 * adds and multiplies are busy alike; 0: never.  Speeds are those of STENCILC_DIVIDER: a Zen 4's
 * has each other row, a Zen 5's three of four rows of floats.  Alone, roots of doubles would wait.
 */
static int divider_of_row(const struct rows *r)
{
	if (r->row % 2 == 0)
		return rows_are_of_floats(r) || r->n > 1 ? 1 : 0;
	return rows_are_of_floats(r) && r->row % 4 == 1 ? 2 : 0;
}

static const struct kx *root_of_vectors(const struct rows *r, const struct kx *value)
{
	const bool is_large = vector_is_large_root(value);
	const struct kx *x = rows_vectors(r, value->arg[0]);
	int divider = divider_of_row(r);

	return rows_builtin(r, divider == 0 ? kx_builtin(mem(r), is_large ?
			B_LARGE_ROOT_LANES : B_ROOT_LANES, 1, x) :
		kx_builtin(mem(r), is_large ? B_DIVIDER_LARGE_ROOT_LANES :
			B_DIVIDER_ROOT_LANES, 2, kx_int(mem(r), divider), x));
}

static const struct kx *operation_of_vectors(const struct rows *r,
	const struct kx *value)
{
	struct kx *x;

	if (r->by_steps && vector_is_over_root(value))
		return rows_builtin(r, kx_builtin(mem(r), B_OVER_ROOT_LANES, 1,
			rows_vectors(r, value->arg[1]->arg[0])));
	if (value->kind == KX_MATH)
		return root_of_vectors(r, value);
	x = vector_operation(r->x, value);
	for (int i = 0; i < x->n_args; i++)
		x->arg[i] = rows_vectors(r, value->arg[i]);
	return vector_shared_out(r->x, value, x, r->units);
}

const struct kx *rows_vectors(const struct rows *r, const struct kx *value)
{
	const struct kx *square;
	struct kx *x;

	if (value == r->known)
		return kx_name(mem(r), r->known_name);
	if (!vector_varies(r->x, value))
		return vector_number(r->x, value);
	if (value->kind == KX_INDEX) {
		x = region_new_of(mem(r), struct kx);
		*x = *rows_cell(r, value);
		x->of = value->of;
		return x;
	}
	square = rows_joined_square(r, value);
	if (square)
		return square;
	square = rows_square_in_order(r, value);
	return operation_of_vectors(r, square ? square : value);
}

void rows_add_store(const struct rows *r, const struct ks *assign, int row,
	const struct kx *value, struct ks *block)
{
	const struct kx *to = vector_moved(mem(r), rows_value(r->x, assign->x[0],
		row), rows_innermost(r->x), rows_place_at_hand(r), 0);

	ks_add(mem(r), block, ks_expression(mem(r), KS_EXPRESSION,
		rows_builtin(r, kx_builtin(mem(r), B_STORE_LANES, 2,
			kx_address(mem(r), to), value))));
}
