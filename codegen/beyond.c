/* Reads beyond the grid, as boundaries define them. */
#include "codegen/tile.h"

bool is_mapped_here(const struct cursor *c, const struct access *acc, int d)
{
	return c->mapped && acc->dim[d] != c->inside - 1 &&
		access_is_mapped(c->stmt->stmt, acc, d);
}

static const struct kx *size_of(const struct place *p,
	const struct access *acc, int d)
{
	return size_of_field(p, acc->field, d);
}

/* Does the cell at the edge stand for all cells beyond it? */
static bool is_clamped(const struct boundary_info *b)
{
	return b->stands == STANDS_NEAR && b->step == 0 && b->first == 0;
}

/* "at", clamped to the "n" cells of dimension "d" at the sides that "asks" names. */
static const struct kx *cell_near(struct region *mem, const bool *asks,
	const struct kx *at, const struct kx *n)
{
	if (asks[SIDE_LOW])
		at = kx_max(mem, at, kx_int(mem, 0));
	return asks[SIDE_HIGH] ? kx_min(mem, at, kx_add(mem, n, -1)) : at;
}

const struct kx *cell_standing_in(struct region *mem, enum boundary_kind kind,
	enum side side, const struct kx *at, const struct kx *n)
{
	const struct boundary_info *b = boundary_info(kind);
	const bool asks[SIDES] = { side == SIDE_LOW, side == SIDE_HIGH };

	return is_clamped(b) ? cell_near(mem, asks, at, n) :
		kx_builtin(mem, B_STAND_IN + b->cells, 2, at, n);
}

/* The boundary kind whose function maps both ends of dimension "d" of "acc"; reads beyond other
 * ends there are clamped or have values.  NULL: no end needs one.
 */
static const struct boundary *mapped_by_function(const struct cursor *c,
	const struct access *acc, int d)
{
	for (int side = 0; side < SIDES; side++) {
		const struct boundary *b = &acc->field->boundary[d][side];
		const struct boundary_info *info = boundary_info(b->kind);

		if (access_leaves(c->stmt->stmt, acc, d, side) &&
		    info->stands >= STANDS_NEAR && !is_clamped(info))
			return b;
	}
	return NULL;
}

/* The cell that stands for the one at "at" in dimension "d" of "acc"; where a value stands in,
 * the cell itself.
 */
static const struct kx *stands_for(const struct cursor *c,
	const struct access *acc, int d, const struct kx *at)
{
	const struct boundary *b = acc->field->boundary[d];
	const struct boundary *mapped = mapped_by_function(c, acc, d);
	const struct kx *n = size_of(c->place, acc, d);
	bool clamped[SIDES];

	for (int side = 0; side < SIDES; side++)
		clamped[side] = is_clamped(boundary_info(b[side].kind)) &&
			access_leaves(c->stmt->stmt, acc, d, side);
	at = cell_near(c->mem, clamped, at, n);
	return mapped ? kx_builtin(c->mem, B_STAND_IN +
		boundary_info(mapped->kind)->cells, 2, at, n) : at;
}

const struct kx *mapped_index(const struct cursor *c,
	const struct access *acc, int d)
{
	return stands_for(c, acc, d, grid_index(c, acc, d));
}

/* Does the cell lie within "side" of dimension "d"? */
static const struct kx *lies_inside(const struct cursor *c,
	const struct access *acc, int d, enum side side)
{
	const struct kx *at = grid_index(c, acc, d);

	return side == SIDE_LOW ?
		kx_binary(c->mem, OP_GE, at, kx_int(c->mem, 0)) :
		kx_binary(c->mem, OP_LT, at, size_of(c->place, acc, d));
}

/* "value" if the cell lies within the sides that "asks" names, else "other". */
static struct kx *inside_or(const struct cursor *c, const struct access *acc,
	int d, const bool *asks, const struct kx *value,
	const struct kx *other)
{
	const struct kx *inside = NULL;
	struct kx *x;

	for (int side = 0; side < SIDES; side++)
		if (asks[side])
			inside = kx_and(c->mem, inside, lies_inside(c, acc, d,
				side));
	x = kx_select(c->mem, inside, value, other);
	x->type = value->type;
	return x;
}

/* "cell", which stands for one beyond the grid in dimension "d", with its sign
 * turned at odd sides.
 */
static const struct kx *with_sign(const struct cursor *c,
	const struct access *acc, int d, const struct kx *cell)
{
	struct kx *signed_cell;
	bool odd[SIDES];

	for (int side = 0; side < SIDES; side++)
		odd[side] = boundary_is_odd(&acc->field->boundary[d][side]) &&
			access_leaves(c->stmt->stmt, acc, d, side);
	if (!odd[SIDE_LOW] && !odd[SIDE_HIGH])
		return cell;
	signed_cell = kx_of_kind(c->mem, KX_BINARY, NULL, 2, (const struct kx
		*[]) { inside_or(c, acc, d, odd, kx_int(c->mem, 1),
			kx_int(c->mem, -1)), kx_promoted(c->mem, cell) });
	signed_cell->op = OP_MUL;
	signed_cell->type = type_promoted(cell->type);
	return kx_stored(c->mem, cell->type, signed_cell);
}

/* Coordinate "e" of the cell whose value boundary "b" of dimension "d" gives. */
static const struct kx *index_in_value(const struct cursor *c,
	const struct access *acc, const struct boundary *b, int d, int e)
{
	const struct kx *at = grid_index(c, acc, e);
	bool has_value[SIDES];

	if (e == d || !is_mapped_here(c, acc, e))
		return at;
	for (int side = 0; side < SIDES; side++)
		has_value[side] = access_leaves(c->stmt->stmt, acc, e, side) &&
			acc->field->boundary[e][side].kind == BOUNDARY_VALUE;
	if (boundary_reads_at_index(b))
		return stands_for(c, acc, e, cell_near(c->mem, has_value, at,
			size_of(c->place, acc, e)));
	if (!mapped_by_function(c, acc, e))
		return mapped_index(c, acc, e);
	return !has_value[SIDE_LOW] && !has_value[SIDE_HIGH] ?
		mapped_index(c, acc, e) : inside_or(c, acc, e, has_value,
			mapped_index(c, acc, e), at);
}

/* The value that "b" of dimension "d" gives for the cell that "acc" touches. */
static const struct kx *value_beyond(const struct cursor *c,
	const struct access *acc, const struct boundary *b, int d)
{
	struct binding binding = binding_by_name(c, NULL, NULL);

	if (expr_any(b->value, expr_is_index))
		for (int e = 0; e < acc->field->n_dims; e++)
			binding.point[e] = index_in_value(c, acc, b, d, e);
	return kx_of_expr(&binding, b->value);
}

/* "cell", or the value that replaces it beyond dimension "d". */
static const struct kx *or_value(const struct cursor *c,
	const struct access *acc, int d, const struct kx *cell)
{
	const struct boundary *b = acc->field->boundary[d];
	bool same = b[SIDE_LOW].value == b[SIDE_HIGH].value;

	for (int side = SIDES - 1; side >= 0; side--) {
		bool asks[SIDES] = { false, false };

		asks[side] = access_leaves(c->stmt->stmt, acc, d, side);
		if (side == SIDE_HIGH && same && asks[side])
			asks[SIDE_LOW] = access_leaves(c->stmt->stmt, acc, d,
				SIDE_LOW);
		if (b[side].kind != BOUNDARY_VALUE || !asks[side])
			continue;
		cell = inside_or(c, acc, d, asks, cell, value_beyond(c, acc,
			&b[side], d));
		if (asks[SIDE_LOW])
			break;
	}
	return cell;
}

const struct kx *cell_or_value(const struct cursor *c,
	const struct access *acc, const struct kx *cell)
{
	for (int d = acc->field->n_dims - 1; d >= 0; d--)
		if (is_mapped_here(c, acc, d))
			cell = with_sign(c, acc, d, cell);
	for (int d = acc->field->n_dims - 1; d >= 0; d--)
		if (is_mapped_here(c, acc, d))
			cell = or_value(c, acc, d, cell);
	return cell;
}
