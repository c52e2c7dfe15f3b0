/* Where an instance is, and what it touches: coordinates in the grid and in boxes. */
#include "codegen/tile.h"

/* floor(skew * (k*m + number)), (14) of [CGO] */
static const struct kx *skew_of_row(const struct cursor *c, int dim)
{
	struct rational skew = c->place->plan->tiles.skew[dim];
	const struct kx *tau = kx_binary(c->mem, OP_MUL,
		kx_int(c->mem, c->place->scop->k), c->m);

	if (skew.num == 0)
		return kx_int(c->mem, 0);
	tau = kx_add(c->mem, tau, c->stmt->number);
	if (tau->kind == KX_INT)
		return kx_int(c->mem, rational_floor(skew, tau->ivalue));
	tau = kx_binary(c->mem, OP_MUL, kx_int(c->mem, skew.num), tau);
	return kx_binary(c->mem, OP_DIV, tau, kx_int(c->mem, skew.den));
}

int number_of_row(const struct cursor *c)
{
	return (int) c->m->ivalue * c->place->scop->k + c->stmt->number;
}

/* The start of the part of a dimension that straight code computes. */
static int64_t first_of_part(const struct cursor *c, int dim)
{
	const struct place *p = c->place;
	int threads = p->plan->threads[p->plan->n_dims - 1 - dim];
	int first = dim == p->plan->tiles.hex_dim ?
		hexagon_first(&p->plan->tiles.hexagon, 0) : 0;

	return first + (int64_t) c->part[dim] * threads;
}

/* The thread's coordinate in a dimension that straight code deals to threads. */
static const struct kx *straight_local(const struct cursor *c, int dim)
{
	const struct place *p = c->place;
	int i = p->plan->n_dims - 1 - dim;

	if (p->plan->threads[i] == 1)
		return kx_int(c->mem, first_of_part(c, dim));
	return kx_add(c->mem, kx_name(c->mem, p->names->lanes.thread[i]),
		first_of_part(c, dim));
}

bool has_own_point(const struct place *p, int dim)
{
	return p->plan->threads[p->plan->n_dims - 1 - dim] > 1;
}

bool has_column(const struct place *p, int dim)
{
	return dim == p->plan->tiles.hex_dim && !plan_deals_hexagon(p->plan);
}

/* The coordinate, less the thread's. */
static int64_t constant_point(const struct cursor *c, int dim)
{
	const struct place *p = c->place;

	if (has_column(p, dim))
		return c->hex->ivalue;
	return first_of_part(c, dim) -
		rational_floor(p->plan->tiles.skew[dim], number_of_row(c));
}

const struct kx *relative_point(const struct cursor *c, int dim)
{
	const struct place *p = c->place;
	const struct kx *local = kx_name(c->mem, p->names->local[dim]);

	if (c->straight)
		local = has_column(p, dim) ? c->hex : straight_local(c, dim);
	if (dim == p->plan->tiles.hex_dim)
		return local;
	return kx_binary(c->mem, OP_SUB, local, skew_of_row(c, dim));
}

const struct kx *box_index(const struct cursor *c,
	const struct access *acc, int d)
{
	const struct place *p = c->place;
	const struct field *written = c->stmt->stmt->write->field;
	int low = p->plan->box[acc->field->index].low[d];
	int dim = acc->dim[d];

	if (dim < 0)
		return kx_int(c->mem, acc->offset[d] - low);
	if (c->straight)
		return kx_add(c->mem, relative_point(c, dim),
			acc->offset[d] - low);
	return kx_add(c->mem, kx_name(c->mem, p->names->memory.inside[dim]),
		acc->offset[d] + p->plan->box[written->index].low[dim] - low);
}

int64_t constant_index(const struct cursor *c,
	const struct access *acc, int d)
{
	const struct box *box = &c->place->plan->box[acc->field->index];
	int64_t at = acc->offset[d] - box->low[d];

	return acc->dim[d] < 0 ? at : at + acc->stride[d] *
		constant_point(c, acc->dim[d]);
}

const struct kx *grid_index(const struct cursor *c,
	const struct access *acc, int d)
{
	int dim = acc->dim[d];

	if (dim < 0)
		return kx_int(c->mem, acc->offset[d]);
	if (c->straight)
		return kx_subscript(c->mem, acc, d, kx_binary(c->mem, OP_ADD,
			kx_name(c->mem, c->place->names->origin[dim]),
			relative_point(c, dim)));
	return kx_subscript(c->mem, acc, d, kx_name(c->mem,
		c->place->names->point[dim]));
}

const struct kx *size_of_field(const struct place *p,
	const struct field *field, int d)
{
	struct binding binding = { .mem = p->mem, .prog = p->unit->prog };

	return kx_of_expr(&binding, field->size[d]);
}

struct binding binding_by_name(const struct cursor *c, const struct kx *(*read)(
	const struct binding *binding, const struct access *acc),
	const void *user)
{
	const struct place *p = c->place;
	struct binding binding = {
		.mem = c->mem, .prog = p->unit->prog, .read = read,
		.time = kx_name(c->mem, p->names->time), .user = user,
		.element = p->arrays ? ELEMENT_OF_ARRAY : ELEMENT_OF_CELLS,
	};

	if (c->straight)
		binding.time = kx_binary(c->mem, OP_ADD,
			kx_name(c->mem, p->names->t0), c->m);
	for (int d = 0; d < c->stmt->stmt->n_dims; d++)
		binding.point[d] = kx_name(c->mem, p->names->point[d]);
	return binding;
}

const struct kx *pitch_of_field(const struct place *p, const struct field *field)
{
	const struct kx *size = size_of_field(p, field, field->n_dims - 1);
	int multiple = field_row_multiple(p->unit, field);

	return kx_binary(p->mem, OP_MUL, kx_binary(p->mem, OP_DIV,
		kx_add(p->mem, size, multiple - 1), kx_int(p->mem, multiple)),
		kx_int(p->mem, multiple));
}

const char *stride_name(const struct place *p, const struct field *field, int d)
{
	return fresh_name(p->mem, p->unit->prog, "%s_d%s", field->name,
		p->names->point[d]);
}

void declare_strides(const struct place *p, struct ks *block,
	const struct field *field, int first, enum scalar type)
{
	const struct kx *stride = pitch_of_field(p, field);

	for (int d = field->n_dims - 2; d >= first; d--) {
		const char *name = stride_name(p, field, d);

		ks_add(p->mem, block, ks_declare(p->mem, ctype_const(type),
			name, stride));
		stride = kx_binary(p->mem, OP_MUL, size_of_field(p, field, d),
			kx_name(p->mem, name));
	}
}
