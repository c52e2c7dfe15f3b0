/* The cells that the harness's plain loops read and write, boundaries included. */
#include "codegen/host/harness-plain.h"

static const struct kx *integer(const struct plain *p, int64_t value)
{
	return kx_int(p->mem, value);
}

static const struct kx *name(const struct plain *p, const char *s)
{
	return kx_name(p->mem, s);
}

const char *plain_name(const struct plain *p, const struct field *f)
{
	return fresh_name(p->mem, p->prog, "%s_plain", f->name);
}

bool plain_is_own(const struct field *f)
{
	return f->kind == FIELD_STATE || f->kind == FIELD_TEMP;
}

static const struct kx *no_read(const struct binding *b,
	const struct access *acc)
{
	(void) b;
	(void) acc;
	return NULL;
}

struct binding plain_binding(const struct plain *p)
{
	struct binding b = {
		.mem = p->mem, .prog = p->prog,
		.time = name(p, p->names->time), .read = no_read, .user = p,
		.exact = true, .element = ELEMENT_OF_ROW,
	};

	for (int d = 0; d < IR_MAX_DIMS; d++)
		b.point[d] = name(p, p->names->point[d]);
	return b;
}

const struct kx *plain_size(const struct plain *p,
	const struct expr *e)
{
	struct binding b = plain_binding(p);

	return kx_of_expr(&b, e);
}

/* The subscript of dimension "d" of "acc". */
static const struct kx *plain_subscript(const struct binding *b,
	const struct access *acc, int d)
{
	const struct plain *p = b->user;

	return kx_subscript(p->mem, acc, d, b->point[acc->dim[d]]);
}

/* The cell that stands for "at" under a boundary of this kind. */
static const struct kx *stand_in(const struct plain *p,
	enum boundary_kind kind, const struct kx *at, const struct kx *n)
{
	const struct boundary_info *boundary = boundary_info(kind);

	if (boundary->stands == STANDS_NOTHING ||
	    boundary->stands == STANDS_VALUE)
		return at;
	return kx_builtin(p->mem, B_ANY_STAND_IN + boundary->cells, 2, at, n);
}

static enum boundary_kind kind_of_cell(const struct boundary *b, bool is_near)
{
	return is_near && b->kind == BOUNDARY_VALUE ? BOUNDARY_CLAMP : b->kind;
}

/* Coordinate "d" of the cell that "acc" touches; a read outside the grid goes where the
 * boundary says, or if "is_near" to the nearest cell where the boundary has a value.
 */
static const struct kx *plain_index(const struct binding *b,
	const struct access *acc, int d, bool is_near)
{
	const struct plain *p = b->user;
	const struct boundary *boundary = acc->field->boundary[d];
	const struct kx *at = plain_subscript(b, acc, d);
	const struct kx *n = plain_size(p, acc->field->size[d]);
	const struct kx *low = stand_in(p, kind_of_cell(&boundary[SIDE_LOW],
		is_near), at, n);
	const struct kx *high = stand_in(p, kind_of_cell(&boundary[SIDE_HIGH],
		is_near), at, n);
	struct kx *x;

	if (kx_same(low, high))
		return low;
	x = kx_select(p->mem, kx_binary(p->mem, OP_LT, at, integer(p, 0)),
		low, high);
	x->type = TYPE_INT;
	return x;
}

/* copy * size0 * size1 + at0 * size1 + at1, in size_t */
static const struct kx *plain_cell(const struct binding *b,
	const struct access *acc)
{
	const struct plain *p = b->user;
	const struct field *f = acc->field;
	const struct kx *index = NULL, *arg[1];
	struct kx *cell;
	int n = f->depth + 1;

	if (f->kind == FIELD_STATE)
		index = kx_cast(p->mem, ctype(CT_SIZE), kx_binary(p->mem,
			OP_MOD, kx_add(p->mem, b->time, floor_mod(acc->version,
			n)), integer(p, n)));
	for (int d = 0; d < f->n_dims; d++) {
		const struct kx *at = plain_index(b, acc, d, false);

		if (!index)
			index = kx_cast(p->mem, ctype(CT_SIZE), at);
		else
			index = kx_binary(p->mem, OP_ADD, kx_binary(p->mem,
				OP_MUL, index, plain_size(p, f->size[d])), at);
	}
	arg[0] = index ? index : integer(p, 0);
	cell = kx_of_kind(p->mem, KX_INDEX, plain_is_own(f) ?
		plain_name(p, f) : f->name, 1, arg);
	cell->type = f->type;
	return cell;
}

const struct kx *plain_written(const struct binding *b,
	const struct access *acc)
{
	struct access own = *acc;
	struct field field = *acc->field;

	for (int d = 0; d < field.n_dims; d++)
		for (int side = 0; side < SIDES; side++)
			field.boundary[d][side].kind = BOUNDARY_FIXED;
	own.field = &field;
	return plain_cell(b, &own);
}

/* "inside", or "beyond" where "acc" reads a cell beyond "side" of dimension "d", or if "both"
 * beyond any side.
 */
static const struct kx *plain_choice(const struct binding *b,
	const struct access *acc, int d, enum side side, bool both,
	const struct kx *inside, const struct kx *beyond)
{
	const struct plain *p = b->user;
	const struct kx *at = plain_subscript(b, acc, d);
	const struct kx *n = plain_size(p, acc->field->size[d]);
	const struct kx *lies = both ?
		kx_builtin(p->mem, B_IS_INSIDE, 2, at, n) :
		side == SIDE_LOW ?
		kx_binary(p->mem, OP_GE, at, integer(p, 0)) :
		kx_binary(p->mem, OP_LT, at, n);
	struct kx *x = kx_select(p->mem, lies, inside, beyond);

	x->type = acc->field->type;
	return x;
}

/* The value of "boundary" of dimension "d" for the cell that "acc" reads. */
static const struct kx *plain_value(const struct binding *b,
	const struct access *acc, const struct boundary *boundary, int d)
{
	const struct plain *p = b->user;
	bool is_near = boundary_reads_at_index(boundary);
	struct binding own = plain_binding(p);

	if (expr_any(boundary->value, expr_is_index))
		for (int e = 0; e < acc->field->n_dims; e++)
			own.point[e] = e == d ? plain_subscript(b, acc, e) :
				plain_index(b, acc, e, is_near);
	return kx_of_expr(&own, boundary->value);
}

/* "value", or the value of a boundary of dimension "d" that has one; or, as
 * "signs" says, "value" with its sign turned where the boundary is odd.
 */
static const struct kx *plain_beyond(const struct binding *b,
	const struct access *acc, int d, bool signs, const struct kx *value)
{
	const struct plain *p = b->user;
	const struct boundary *boundary = acc->field->boundary[d];
	bool both = boundary[SIDE_LOW].kind == boundary[SIDE_HIGH].kind &&
		boundary[SIDE_LOW].value == boundary[SIDE_HIGH].value;

	for (int side = 0; side < (both ? 1 : SIDES); side++) {
		const struct boundary *at = &boundary[side];

		if (signs ? boundary_is_odd(at) : at->kind == BOUNDARY_VALUE)
			value = plain_choice(b, acc, d, side, both, value,
				signs ? kx_stored(p->mem, value->type, kx_unary(
					p->mem, OP_NEG, kx_promoted(p->mem,
					value))) :
				plain_value(b, acc, at, d));
	}
	return value;
}

const struct kx *plain_read(const struct binding *b,
	const struct access *acc)
{
	const struct kx *value = plain_cell(b, acc);

	for (int signs = 1; signs >= 0; signs--)
		for (int d = acc->field->n_dims - 1; d >= 0; d--)
			value = plain_beyond(b, acc, d, signs, value);
	return value;
}
