/* Series of what lies between cells: while the steps ran, the cells around each point noted what
 * they had; now these are summed, each with its weight.
 */
#include <string.h>

#include "codegen/host/lists.h"

enum { SUM_THREADS = 128, SUM_BLOCKS = 32 };

/* The series at hand: its names, and how cells are found. */
struct sums {
	const struct host *h;
	const struct listed *l;
	const char *number, *corner, *weight, *sum;
	bool on_device;
	struct binding binding;
};

static const struct kx *never_read(const struct binding *b,
	const struct access *acc)
{
	(void) b;
	(void) acc;
	return NULL;
}

static const char *beside_number(const struct sums *s, const char *want)
{
	const char *name = fresh_name(s->h->mem, s->h->prog, "%s", want);

	return strcmp(name, s->number) ? name : fresh_name(s->h->mem,
		s->h->prog, "%s_", want);
}

static struct sums sums_of(const struct host *h, const struct listed *l,
	bool on_device)
{
	struct sums s = { .h = h, .l = l, .on_device = on_device,
		.number = fresh_name(h->mem, h->prog, "%s", l->list->index) };

	s.corner = beside_number(&s, "corner");
	s.weight = beside_number(&s, "weight");
	s.sum = beside_number(&s, "sum");
	s.binding = (struct binding) {
		.mem = h->mem, .prog = h->prog, .read = never_read,
		.time = name(h, h->names->time), .number = name(h, s.number),
		.own = name(h, s.sum), .element = on_device ?
			ELEMENT_OF_CELLS : ELEMENT_OF_ARRAY,
	};
	for (int d = 0; d < l->list->grid->n_dims; d++)
		s.binding.point[d] = name(h, h->names->point[d]);
	return s;
}

/* f[subscript[0]].., of the noted cells with [corner] behind */
static const struct kx *element(const struct sums *s, const struct field *f)
{
	const struct kx *at[IR_MAX_DIMS];
	struct kx *x;

	for (int d = 0; d < s->l->series->n_dims; d++)
		at[d] = kx_of_expr(&s->binding, s->l->subscript[d]);
	if (f == s->l->corners)
		at[f->n_dims - 1] = name(s->h, s->corner);
	x = kx_of_kind(s->h->mem, s->on_device ? KX_CELL : KX_INDEX, f->name,
		f->n_dims, at);
	x->field = f;
	x->type = f->type;
	return x;
}

static void declare(const struct sums *s, struct ks *block, enum type type,
	bool is_const, const char *var, const struct kx *value)
{
	ks_add(s->h->mem, block, ks_declare(s->h->mem, is_const ? ctype_const(
		scalar_of(type)) : ctype_of(type), var, value));
}

/* const int i = (int)x[p] + corner % 2; ..; if it has a weight, add */
static struct ks *add_corner(const struct sums *s)
{
	const struct host *h = s->h;
	struct ks *body = ks_block(h->mem);
	const struct kx *weight = name(h, s->weight), *sum = name(h, s->sum);

	for (int d = 0; d < s->l->list->grid->n_dims; d++)
		host_declare_int(h, body, h->names->point[d], op(h, OP_ADD,
			kx_cast(h->mem, ctype(CT_INT), kx_of_expr(&s->binding,
				s->l->list->place[d])), op(h, OP_MOD, op(h,
			OP_DIV, name(h, s->corner), integer(h, 1 << d)),
				integer(h, 2))));
	declare(s, body, s->l->weight->type, true, s->weight, kx_of_expr(
		&s->binding, s->l->weight));
	ks_add(h->mem, body, ks_if(h->mem, op(h, OP_GT, weight, integer(h, 0)),
		ks_assign(h->mem, sum, op(h, OP_ADD, sum, op(h, OP_MUL, weight,
			element(s, s->l->corners)))), NULL));
	return body;
}

static struct ks *loop_to(const struct host *h, const char *var,
	const struct kx *end, struct ks *body)
{
	return ks_for(h->mem, var, integer(h, 0), op(h, OP_LT, name(h, var),
		end), integer(h, 1), body);
}

/* for (t: steps) { sum over the cells around; series[..] = what is made of it } */
static struct ks *sum_of_steps(const struct sums *s)
{
	const struct host *h = s->h;
	struct ks *body = ks_block(h->mem);

	declare(s, body, s->l->corners->type, false, s->sum, integer(h, 0));
	ks_add(h->mem, body, loop_to(h, s->corner, integer(h, list_corners(
		s->l->list)), add_corner(s)));
	ks_add(h->mem, body, ks_assign(h->mem, element(s, s->l->series),
		kx_of_expr(&s->binding, s->l->value)));
	return loop_to(h, h->names->time, name(h, h->names->steps), body);
}

/* "add" for each series of what lies between cells. */
static void each_series(const struct host *h, struct ks *block,
	void (*add)(const struct host *h, struct ks *block,
		const struct listed *l))
{
	for (int i = 0; i < h->prog->n_stmts; i++)
		for (int j = 0; j < h->prog->stmt[i]->n_listed; j++)
			if (h->prog->stmt[i]->listed[j]->corners)
				add(h, block, h->prog->stmt[i]->listed[j]);
}

bool lists_have_sums(const struct program *prog)
{
	for (int i = 0; i < prog->n_stmts; i++)
		for (int j = 0; j < prog->stmt[i]->n_listed; j++)
			if (prog->stmt[i]->listed[j]->corners)
				return true;
	return false;
}

static void add_sums(const struct host *h, struct ks *block,
	const struct listed *l)
{
	struct sums s = sums_of(h, l, false);
	const struct kx *number = name(h, s.number);

	ks_add(h->mem, block, ks_comment(h->mem, "%s, between cells",
		l->series->name));
	ks_add(h->mem, block, ks_for(h->mem, s.number, host_param(h,
		l->list->begin, ctype(CT_NONE)), op(h, OP_LT, number,
		host_param(h, l->list->end, ctype(CT_NONE))), integer(h, 1),
		sum_of_steps(&s)));
}

struct ks *lists_sums(const struct host *h)
{
	struct ks *block = ks_block(h->mem);

	each_series(h, block, add_sums);
	return block;
}

/* The numbers of the list are dealt to threads. */
static void add_sums_of_threads(const struct host *h, struct ks *block,
	const struct listed *l)
{
	struct sums s = sums_of(h, l, true);
	const struct kx *threads = integer(h, SUM_THREADS);
	const struct kx *first = op(h, OP_ADD, host_param(h, l->list->begin,
		ctype(CT_NONE)), op(h, OP_ADD, op(h, OP_MUL, kx_cast(h->mem,
			ctype(CT_INT), kx_axis(h->mem, B_BLOCK, 0)), threads),
			kx_cast(h->mem, ctype(CT_INT), kx_axis(h->mem,
				B_THREAD, 0))));

	ks_add(h->mem, block, ks_for(h->mem, s.number, first, op(h, OP_LT,
		name(h, s.number), host_param(h, l->list->end,
			ctype(CT_NONE))), op(h, OP_MUL, kx_cast(h->mem,
			ctype(CT_INT), kx_axis(h->mem, B_BLOCKS, 0)), threads),
		sum_of_steps(&s)));
}

struct kfunc *gpu_sums(const struct host *h)
{
	struct kfunc *f = host_function(h, "%s_sums", ctype(CT_VOID));
	const struct place place = { .mem = h->mem, .unit = h->unit,
		.plan = h->plan, .scop = h->scop, .names = h->names };

	f->comment = "Series of what lies between cells: each has what the cells "
		"around it had.";
	f->is_kernel = f->is_static = f->is_of_lists = true;
	f->max_threads = SUM_THREADS;
	each_series(h, f->body, add_sums_of_threads);
	kernel_add_arguments(&place, f);
	kfunc_add_int(h->mem, f, h->names->steps);
	return f;
}

struct ks *gpu_launch_sums(const struct host *h, const struct kfunc *sums)
{
	struct ks *block = ks_block(h->mem);
	struct ks *s = ks_add(h->mem, block, ks_simple(h->mem, KS_LAUNCH));

	s->name = sums->name;
	s->n_x = 3 + sums->n_params;
	s->x = region_array(h->mem, const struct kx *, s->n_x);
	s->x[0] = integer(h, SUM_BLOCKS);
	s->x[1] = integer(h, SUM_THREADS);
	s->x[2] = integer(h, 0);
	for (int i = 0; i < sums->n_params; i++) {
		struct kx *arg = kx_name(h->mem, sums->param[i].name);

		arg->field = sums->param[i].cells;
		s->x[3 + i] = arg;
	}
	ks_add(h->mem, block, host_checked(h, kx_builtin(h->mem, RT_LAST_ERROR,
		0)));
	return block;
}
