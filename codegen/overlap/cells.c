/* Cells of overlapping tiles in two dimensions and more, and what is computed from
 * them at a point.
 */
#include "codegen/overlap/overlap.h"

static const struct kx *point(const struct overlap *o, int d)
{
	return name(o->h, o->names->point[d]);
}

/* A temp has no statement if nothing reads it. */
static int first_writer(const struct overlap *o, const struct field *f)
{
	return program_writer(o->h->prog, f);
}

int overlap_loaded(const struct overlap *o, const struct field *f)
{
	return o->p->loaded[first_writer(o, f)];
}

int overlap_kept(const struct overlap *o, const struct field *f)
{
	return o->p->kept[first_writer(o, f)];
}

const struct kx *overlap_cell(const struct overlap *o, const struct field *f,
	const struct kx *version, const int64_t *offset)
{
	static const int64_t here[IR_MAX_DIMS];
	const int64_t *by = offset ? offset : here;
	const struct kx *arg[1 + IR_MAX_DIMS];
	struct kx *x;

	arg[0] = kx_add(o->h->mem, version, overlap_loaded(o, f) - 1);
	arg[1] = op(o->h, OP_MOD, kx_add(o->h->mem, point(o, 0), by[0]),
		integer(o->h, o->p->ring));
	for (int d = 1; d < o->n_dims; d++)
		arg[1 + d] = kx_add(o->h->mem, op(o->h, OP_SUB, point(o, d),
			name(o->h, o->base[d])), by[d]);
	x = kx_of_kind(o->h->mem, KX_INDEX, f->name, 1 + o->n_dims, arg);
	x->type = f->type;
	return x;
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

static const struct kx *read_cell(const struct binding *binding,
	const struct access *acc)
{
	const struct overlap *o = binding->user;
	const struct kx *arg[IR_MAX_DIMS + 1];
	struct kx *x;
	int n = acc->field->n_dims;

	if (acc->field->kind == FIELD_STATE)
		return overlap_cell(o, acc->field, kx_add(o->h->mem, step(o),
			acc->version - 1), acc->offset);
	for (int d = 0; d < n; d++)
		arg[d] = acc->dim[d] < 0 ? integer(o->h, acc->offset[d]) :
			kx_subscript(o->h->mem, acc, d, point(o,
				acc->dim[d]));
	if (n == 0)
		arg[n++] = integer(o->h, 0);
	x = kx_of_kind(o->h->mem, KX_INDEX, acc->field->name, n, arg);
	x->type = acc->field->type;
	return x;
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
		s->write->field, step(o), NULL), kx_of_expr(&binding,
			s->value)));
	return body;
}

bool overlap_is_first_writer(const struct overlap *o, const struct stmt *s)
{
	return program_writer(o->h->prog, s->write->field) == s->index;
}

struct ks *overlap_keep(const struct overlap *o)
{
	const struct field *f = o->stmt->write->field;

	return ks_assign(o->h->mem, overlap_cell(o, f, step(o), NULL),
		overlap_cell(o, f, kx_add(o->h->mem, step(o), -1), NULL));
}

/* Compilers left to themselves make vectors half a line long. */
struct ks *overlap_simd(const struct overlap *o, struct ks *loop)
{
	struct ks *block = ks_block(o->h->mem);

	ks_add(o->h->mem, block, ks_directive(o->h->mem,
		(struct directive) { .kind = OMP_SIMD, .lanes = o->p->line }));
	ks_add(o->h->mem, block, loop);
	return block;
}
