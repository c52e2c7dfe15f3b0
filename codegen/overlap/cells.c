/* Cells of overlapping tiles in two and more dimensions, and values computed from them at a
 * point.
 */
#include "codegen/overlap/overlap.h"

static const struct kx *point(const struct overlap *o, int d)
{
	return name(o->h, o->names->point[d]);
}

int overlap_loaded(const struct overlap *o, const struct field *f)
{
	return o->p->loaded[program_writer(o->h->prog, f)];
}

int overlap_kept(const struct overlap *o, const struct field *f)
{
	return o->p->kept[program_writer(o->h->prog, f)];
}

/* The cell at "index" of a version; rows lie in the ring, other coordinates count from base on. */
static const struct kx *cell_at(const struct overlap *o, const struct field *f,
	const struct kx *version, const struct kx *const *index)
{
	const struct kx *arg[1 + IR_MAX_DIMS];
	struct kx *x;

	arg[0] = kx_add(o->h->mem, version, overlap_loaded(o, f) - 1);
	arg[1] = op(o->h, OP_MOD, index[0], integer(o->h, o->p->ring));
	for (int d = 1; d < o->n_dims; d++)
		arg[1 + d] = index[d];
	x = kx_of_kind(o->h->mem, KX_INDEX, f->name, 1 + o->n_dims, arg);
	x->type = f->type;
	return x;
}

/* x[d] - base + by */
static const struct kx *from_base(const struct overlap *o, int d, int64_t by)
{
	return kx_add(o->h->mem, op(o->h, OP_SUB, point(o, d), name(o->h,
		o->base[d])), by);
}

const struct kx *overlap_cell(const struct overlap *o, const struct field *f,
	const struct kx *version)
{
	const struct kx *index[IR_MAX_DIMS] = { point(o, 0) };

	for (int d = 1; d < o->n_dims; d++)
		index[d] = from_base(o, d, 0);
	return cell_at(o, f, version, index);
}

const struct kx *overlap_global(const struct overlap *o,
	const struct field *f, const char *var, const struct kx *copy)
{
	return cpu_cell(o->h, f, var, f->depth, copy);
}

const struct kx *overlap_new_copy(const struct overlap *o,
	const struct field *f, const struct kx *version)
{
	return op(o->h, OP_SUB, kx_add(o->h->mem, version, overlap_loaded(o,
		f) - 1), name(o->h, o->count));
}

static const struct kx *step(const struct overlap *o)
{
	return name(o->h, o->names->step);
}

static bool is_mapped(const struct overlap *o, const struct access *acc, int d)
{
	return o->beyond && is_mapped_here(o->beyond, acc, d);
}

static const struct kx *index_of(const struct overlap *o,
	const struct access *acc, int d)
{
	if (is_mapped(o, acc, d))
		return mapped_index(o->beyond, acc, d);
	return acc->dim[d] < 0 ? integer(o->h, acc->offset[d]) :
		kx_subscript(o->h->mem, acc, d, point(o, acc->dim[d]));
}

/* The tile's cell that "acc" reads. */
static const struct kx *cell_of_tile(const struct overlap *o,
	const struct access *acc)
{
	const struct kx *index[IR_MAX_DIMS] = { index_of(o, acc, 0) };

	for (int d = 1; d < o->n_dims; d++)
		index[d] = is_mapped(o, acc, d) ? op(o->h, OP_SUB,
			index_of(o, acc, d), name(o->h, o->base[d])) :
			from_base(o, d, acc->offset[d]);
	return cell_at(o, acc->field, kx_add(o->h->mem, step(o),
		acc->version - 1), index);
}

/* .. or the cell of a field that is no state. */
static const struct kx *cell_of_input(const struct overlap *o,
	const struct access *acc)
{
	const struct kx *index[IR_MAX_DIMS + 1];
	struct kx *x;
	int n = acc->field->n_dims;

	for (int d = 0; d < n; d++)
		index[d] = index_of(o, acc, d);
	if (n == 0)
		index[n++] = integer(o->h, 0);
	x = kx_of_kind(o->h->mem, KX_INDEX, acc->field->name, n, index);
	x->type = acc->field->type;
	return x;
}

static const struct kx *read_cell(const struct binding *binding,
	const struct access *acc)
{
	const struct overlap *o = binding->user;
	const struct kx *cell = acc->field->kind == FIELD_STATE ?
		cell_of_tile(o, acc) : cell_of_input(o, acc);

	return o->beyond ? cell_or_value(o->beyond, acc, cell) : cell;
}

struct binding overlap_binding(const struct overlap *o)
{
	struct binding binding = { .mem = o->h->mem, .prog = o->h->prog,
		.read = read_cell, .user = o, .element = ELEMENT_OF_ARRAY,
		.time = name(o->h, o->names->time) };

	for (int d = 0; d < o->n_dims; d++)
		binding.point[d] = point(o, d);
	return binding;
}

struct ks *overlap_instance(const struct overlap *o, const struct stmt *s)
{
	const struct host *h = o->h;
	struct ks *body = ks_block(h->mem);
	const struct binding binding = overlap_binding(o);

	for (const struct local *l = s->locals; l; l = l->next)
		ks_add(h->mem, body, ks_declare(h->mem,
			ctype_const(scalar_of(l->value->type)), l->name,
			kx_of_expr(&binding, l->value)));
	ks_add(h->mem, body, ks_assign(h->mem, overlap_cell(o,
		s->write->field, step(o)), kx_of_expr(&binding, s->value)));
	return body;
}

bool overlap_is_first_writer(const struct overlap *o, const struct stmt *s)
{
	return program_writer(o->h->prog, s->write->field) == s->index;
}

struct ks *overlap_keep(const struct overlap *o)
{
	const struct field *f = o->stmt->write->field;

	return ks_assign(o->h->mem, overlap_cell(o, f, step(o)),
		overlap_cell(o, f, kx_add(o->h->mem, step(o), -1)));
}

/* Left to themselves, compilers make vectors half a line long. */
struct ks *overlap_simd(const struct overlap *o, struct ks *loop)
{
	struct ks *block = ks_block(o->h->mem);

	ks_add(o->h->mem, block, ks_directive(o->h->mem,
		(struct directive) { .kind = OMP_SIMD, .lanes = o->p->line }));
	ks_add(o->h->mem, block, loop);
	return block;
}
