/* Series of what lies between cells: during the steps, the cells around each point are
 * recorded; afterwards they are summed, each with its weight.
 */
#include "codegen/host/lists.h"

/* The current series: its names, and how to find its cells. */
struct sums {
	const struct host *h;
	const struct listed *l;
	const char *corner, *weight, *sum;
	bool on_device;
	struct places places;
	struct binding binding;	/* the binding of the places, at a step and
				 * point */
};

static struct sums sums_of(const struct host *h, const struct listed *l,
	bool on_device)
{
	struct sums s = { .h = h, .l = l, .on_device = on_device,
		.places = places_of(h, l->list, on_device ? ELEMENT_OF_CELLS :
			ELEMENT_OF_ARRAY),
		.corner = fresh_name(h->mem, h->prog, "corner"),
		.weight = fresh_name(h->mem, h->prog, "weight"),
		.sum = fresh_name(h->mem, h->prog, "sum"),
	};

	s.binding = s.places.binding;
	s.binding.time = name(h, h->names->time);
	s.binding.own = name(h, s.sum);
	for (int d = 0; d < l->list->grid->n_dims; d++)
		s.binding.point[d] = name(h, h->names->point[d]);
	return s;
}

/* f[subscript[0]].., for recorded cells with [corner] behind */
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

	place_declare(&s->places, body, name(h, s->corner));
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

/* for (t: steps) { sum over the cells around; series[..] = the value made of it } */
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

/* Call "add" for each series of what lies between cells. */
static void each_series(const struct host *h, struct ks *block,
	void (*add)(const struct host *h, struct ks *block,
		const struct listed *l))
{
	for (int i = 0; i < h->prog->n_stmts; i++)
		for (int j = 0; j < h->prog->stmt[i]->n_listed; j++)
			if (h->prog->stmt[i]->listed[j]->corners &&
			    !program_lists_later(h->prog, i,
				h->prog->stmt[i]->listed[j]))
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
	const struct kx *number = s.places.binding.number;
	const struct kx *own = place_is_own(&s.places);
	struct ks *sums = sum_of_steps(&s);

	ks_add(h->mem, block, ks_comment(h->mem, "%s, between cells",
		l->series->name));
	ks_add(h->mem, block, ks_for(h->mem, number->name, host_param(h,
		l->list->begin, ctype(CT_NONE)), op(h, OP_LT, number,
		host_param(h, l->list->end, ctype(CT_NONE))), integer(h, 1),
		own ? ks_if(h->mem, own, sums, NULL) : sums));
}

struct ks *lists_sums(const struct host *h)
{
	struct ks *block = ks_block(h->mem);

	each_series(h, block, add_sums);
	return block;
}

static void add_sums_of_threads(const struct host *h, struct ks *block,
	const struct listed *l)
{
	struct sums s = sums_of(h, l, true);
	const struct kx *own = place_is_own(&s.places);
	struct ks *sums = sum_of_steps(&s);

	ks_add(h->mem, block, gpu_loop_over_list(h, l->list, own ? ks_if(h->mem,
		own, sums, NULL) : sums));
}

struct kfunc *gpu_sums(const struct host *h)
{
	struct kfunc *f = host_function(h, "%s_sums", ctype(CT_VOID));
	const struct place place = list_place(h);

	f->comment = "Series of what lies between cells: each has what the cells "
		"around it had.";
	f->is_kernel = f->is_static = f->is_of_lists = true;
	f->max_threads = LIST_THREADS;
	each_series(h, f->body, add_sums_of_threads);
	kernel_add_arguments(&place, f);
	kfunc_add_int(h->mem, f, h->names->steps);
	return f;
}
