/* The printed code: what its kernels load and store.
 *
 * The host's function is read up to its launches, and each kernel as it is
 * launched; for C, what code/copies.c describes.
 */
#include <string.h>

#include "verify/code/kept.h"
#include "verify/code/lengths.h"
#include "verify/code/rims.h"
#include "verify/code/segments.h"

/* Cells ----------------------------------------------------------------- */

static void refute_place(struct code *w, __isl_take isl_set *beyond,
	const struct touch *t, const char *what)
{
	struct checker *c = w->c;
	isl_point *p;

	beyond = isl_set_intersect(beyond, isl_set_copy(w->at));
	p = example_of(c, beyond);
	isl_set_free(beyond);
	refute(c, "%s: the code %s '%s' %s", sizes_of_point(c, p),
		t->stores ? "stores to" : "loads from", t->cell->field->name,
		what);
	isl_point_free(p);
}

/* "beyond" holds for nothing with which execution comes here. */
static bool stays(struct code *w, __isl_take isl_set *beyond,
	const struct touch *t, const char *what)
{
	bool none = comes_to_none(w, isl_set_copy(beyond));

	if (none)
		isl_set_free(beyond);
	else
		refute_place(w, beyond, t, what);
	return none;
}

/* Indices already shown, at this place, to stay below the size in dimension
 * "d", or below the number of copies: -1.
 */
struct shown {
	const struct field *field;
	int d, width;
	const struct array *array;
	isl_set *at;
	isl_pw_aff *x;
	const struct shown *next;
};

static void note_shown(struct code *w, const struct touch *t, int d,
	int width, __isl_keep isl_pw_aff *x)
{
	struct shown *s = region_new_of(w->c->mem, struct shown);

	*s = (struct shown) { t->cell->field, d, width, t->cell->array,
		keep_in_checker(w->c, isl_set_copy(w->at)), x, w->shown };
	w->shown = s;
}

static bool is_shown(const struct code *w, const struct touch *t, int d,
	int width, __isl_keep isl_pw_aff *x)
{
	for (const struct shown *s = w->shown; s; s = s->next)
		if (s->at == w->at && s->field == t->cell->field &&
		    s->array == t->cell->array && s->d == d &&
		    s->width >= width &&
		    isl_pw_aff_plain_is_equal(s->x, x) == isl_bool_true)
			return true;
	return false;
}

/* { x < 0 or x + width > end } */
static __isl_give isl_set *outside(struct code *w, __isl_keep isl_pw_aff *x,
	int width, __isl_take isl_pw_aff *end)
{
	isl_pw_aff *after = isl_pw_aff_add_constant_val(isl_pw_aff_copy(x),
		isl_val_int_from_si(w->c->ctx, width));

	return isl_set_union(isl_pw_aff_lt_set(isl_pw_aff_copy(x),
		constant(w, 0)), isl_pw_aff_gt_set(after, end));
}

static bool stays_in_grid(struct code *w, const struct touch *t, int d)
{
	const struct field *f = t->cell->field;
	isl_pw_aff *x = t->cell->x[d];
	int width = d == f->n_dims - 1 ? t->width : 1;

	if (!x)
		return refute(w->c, "the code indexes '%s' by what is not "
			"shown", f->name);
	if (is_shown(w, t, d, width, x))
		return true;
	if (!stays(w, outside(w, x, width, size_of(w, f, d)), t,
	    "beyond the grid"))
		return false;
	note_shown(w, t, d, width, x);
	return true;
}

/* How many copies there are of the accessed field. */
static int64_t copies_there(const struct code *w, const struct touch *t)
{
	const struct field *f = t->cell->field;
	int copies;

	if (t->cell->array)
		return t->cell->array->copies;
	copies = w->plan->scop->field[f->index].buffers;
	return copies > 0 ? copies : 1;
}

bool stays_in_copies(struct code *w, const struct touch *t)
{
	const struct field *f = t->cell->field;
	isl_pw_aff *copy = t->cell->copy;

	if (!copy)
		return refute(w->c, "the code takes a copy of '%s' and it is "
			"not shown which", f->name);
	if (is_shown(w, t, -1, 1, copy))
		return true;
	if (!stays(w, outside(w, copy, 1, constant(w, copies_there(w, t))), t,
	    "in a copy that there is not"))
		return false;
	note_shown(w, t, -1, 1, copy);
	return true;
}

bool lies_in_memory(struct code *w, const struct touch *t)
{
	for (int d = 0; d < t->cell->field->n_dims; d++)
		if (!stays_in_grid(w, t, d))
			return false;
	return stays_in_copies(w, t);
}

/* lanes.c follows values of strips. */
static bool is_right_value(struct code *w, const struct touch *t)
{
	if (w->c->form->find_strip)
		return true;
	if (moves_cell(w, t))
		return true;
	return t->value ? stores_value(w, t->cell, t->value) : refute(w->c,
		"the code stores to '%s', and it is not shown what",
		t->cell->field->name);
}

bool touch_in_memory(struct code *w, const struct touch *t)
{
	if (t->cell->kept)
		return touch_kept(w, t);
	return lies_in_memory(w, t) && (!t->stores || (note_store(w, t) &&
		is_right_value(w, t)));
}

/* Launches --------------------------------------------------------------- */

/* Extent "i" of x, y, z. */
static const struct kx *extent_of(const struct kx *x, int i)
{
	if (x->kind != KX_BUILTIN || x->builtin != B_EXTENTS)
		return i == 0 ? x : NULL;
	return i < x->n_args ? x->arg[i] : NULL;
}

/* The index of a block.  All blocks together take each iteration of a loop over
 * tiles once, however many there are.
 */
static __isl_keep isl_pw_aff *block_index(struct code *w,
	const struct kx *blocks)
{
	isl_pw_aff *i;

	if (!blocks || kx_is_int(blocks, 1))
		return keep_value(w, constant(w, 0));
	i = new_number(w, "block");
	w->at = isl_set_intersect(w->at, isl_pw_aff_ge_set(isl_pw_aff_copy(i),
		constant(w, 0)));
	return keep_value(w, i);
}

/* 0 <= i < threads of a block */
static __isl_keep isl_pw_aff *thread_index(struct code *w, const char *name,
	const struct kx *threads)
{
	isl_pw_aff *i, *end;

	if (!threads || kx_is_int(threads, 1))
		return keep_value(w, constant(w, 0));
	end = number_of(w, threads);
	i = new_number(w, name);
	w->at = isl_set_intersect(w->at, isl_set_intersect(isl_pw_aff_ge_set(
		isl_pw_aff_copy(i), constant(w, 0)), isl_pw_aff_lt_set(
		isl_pw_aff_copy(i), end)));
	return keep_value(w, i);
}

/* The kernel's names for parameters, blocks and threads. */
static void bind_launch(struct code *w, const struct ks *s,
	const struct kfunc *f)
{
	static const char *const thread[] = { "tx", "ty", "tz" };
	const struct variable *host = w->known, *own;
	const struct variable *pass = variable_called(w, kernel_names_new(
		w->c->mem, w->c->prog)->tt);

	w->known = NULL;
	if (pass)
		declare_variable(w, pass->name)->number = pass->number;
	own = w->known;
	for (int i = 0; i < f->n_params; i++) {
		struct variable bound = { .name = f->param[i].name };
		struct variable *v;
		isl_pw_aff *value;

		w->known = host;
		value = is_number_of_passes(w, bound.name) ? constant(w, 0) :
			number_of(w, s->x[3 + i]);
		if (!value && ctype_is(f->param[i].c_type, CT_INT))
			value = new_number(w, bound.name);
		set_number(w, &bound, s->x[3 + i], keep_value(w, value));
		w->known = own;
		v = declare_variable(w, bound.name);
		bound.next = v->next;
		*v = bound;
		own = w->known;
	}
	for (int i = 0; i < 3; i++) {
		w->block[i] = block_index(w, extent_of(s->x[0], i));
		w->thread[i] = thread_index(w, thread[i],
			extent_of(s->x[1], i));
	}
}

/* Blocks that take a tile together. */
static int blocks_of_tile(const struct plan *plan)
{
	int blocks = 1;

	for (int d = 0; d < plan->n_dims; d++)
		blocks *= plan_cluster(plan, d);
	return blocks;
}

/* Blocks of "f" along "axis" that form a cluster. */
static int cluster_along(const struct kfunc *f, int axis)
{
	return f->cluster[axis] > 0 ? f->cluster[axis] : 1;
}

/* Do loops over blocks, or over clusters of them, step by their number? */
static bool steps_by_clusters(const struct ks *s, const struct kfunc *f)
{
	int axis = s->kind == KS_FOR ? axis_of_blocks(s->x[2]) : -1;
	int by = axis >= 0 && s->x[2]->kind == KX_BINARY ?
		(int) s->x[2]->arg[1]->ivalue : 1;
	bool all = axis < 0 || by == cluster_along(f, axis);

	for (int i = 0; all && i < s->n_children; i++)
		all = steps_by_clusters(s->child[i], f);
	return all;
}

/* x*n */
static bool is_multiple(const struct kx *x, int n)
{
	return n == 1 || (x && x->kind == KX_BINARY && x->op == OP_MUL &&
		kx_is_int(x->arg[1], n));
}

/* Blocks of a cluster take an iteration together, and know their number in it. */
static bool bind_cluster(struct code *w, const struct ks *s,
	const struct kfunc *f)
{
	int blocks = 1;

	for (int i = 0; i < 3; i++) {
		blocks *= cluster_along(f, i);
		if (!is_multiple(extent_of(s->x[0], i), cluster_along(f, i)))
			return refute(w->c, "it is not shown that whole clusters "
				"of blocks are launched");
	}
	if (blocks != blocks_of_tile(w->plan) || !steps_by_clusters(f->body, f))
		return refute(w->c, "a kernel has other clusters of blocks than "
			"its plan");
	w->block[3] = blocks == 1 ? NULL : keep_value(w, new_number(w, "rank"));
	if (w->block[3])
		w->at = isl_set_intersect(w->at, isl_set_intersect(
			isl_pw_aff_ge_set(isl_pw_aff_copy(w->block[3]),
				constant(w, 0)), isl_pw_aff_lt_set(
				isl_pw_aff_copy(w->block[3]), constant(w,
					blocks))));
	return true;
}

static bool is_read(const struct checker *c, const struct plan *plan)
{
	return c->form->is_read && c->form->is_read(plan);
}

/* The code that "plan" describes, up to end_plan. */
static struct code begin_plan(const struct code *w, const struct plan *plan)
{
	struct code inner = *w;

	inner.plan = plan;
	inner.at = isl_set_copy(w->at);
	inner.ranges = isl_set_copy(w->ranges);
	inner.stored = region_array(w->c->mem, struct stored,
		w->c->prog->n_fields);
	return inner;
}

static void end_plan(struct code *w, struct code *inner)
{
	forget_stores(inner);
	forget_tiles(inner);
	w->n_numbers = inner->n_numbers;
	isl_set_free(inner->at);
	isl_set_free(inner->ranges);
}

static bool is_right(struct code *w, const struct ks *body)
{
	static const struct tile_reader reader = {
		.array = array_kept, .cell = cell_kept, .ages = ages_planes,
		.enter = enter_loop_of_tile, .leave = leave_loop,
		.barrier = note_barrier, .copies = note_copies,
		.full = read_full_or_any,
	};

	begin_tiles(w, &reader);
	return read_statement(w, body) && stores_are_those_of_plan(w) &&
		tiles_are_right(w);
}

bool read_tiles(struct code *w, const struct ks *body, const struct plan *plan,
	void (*bind)(struct code *w))
{
	struct code inner = begin_plan(w, plan);
	bool right;

	bind(&inner);
	right = is_right(&inner, body);
	end_plan(w, &inner);
	return right;
}

static bool read_kernel(struct code *w, const struct ks *s,
	const struct kfunc *f, const struct plan *plan, bool is_quiet)
{
	struct code inner = begin_plan(w, plan);
	bool right;

	inner.is_quiet = is_quiet;
	inner.sure = true;
	bind_launch(&inner, s, f);
	right = bind_cluster(&inner, s, f) && is_right(&inner, f->body) &&
		(!w->c->form->find_strip || check_lanes(&inner, f->body));
	end_plan(w, &inner);
	return right;
}

/* Where a kernel tests whether lists have points, it does the right thing for each answer. */
static bool read_launch(struct code *w, const struct ks *s)
{
	int number;
	const struct kfunc *f = kernel_called(w, s->name, &number);

	if (!f)
		return true;
	if (number >= w->c->n_plans)
		return refute(w->c, "a kernel is launched that no plan has");
	if (!is_read(w->c, &w->c->plan[number]))
		return true;
	return read_kernel(w, s, f, &w->c->plan[number], true) &&
		(!w->unit->quiet || read_kernel(w, s, f, &w->c->plan[number],
			false));
}

/* Functions -------------------------------------------------------------- */

static bool launches(const struct ks *s)
{
	bool any = s->kind == KS_LAUNCH;

	for (int i = 0; !any && i < s->n_children; i++)
		any = launches(s->child[i]);
	return any;
}

/* The beginning of the file's function. */
struct code begin_code(struct checker *c, const struct kunit *unit)
{
	isl_space *space = space_of_dims(c, 0);
	struct code w = {
		.c = c, .unit = unit, .sure = true, .touch = touch_in_memory,
		.launch = read_launch,
		.at = isl_set_intersect_params(isl_set_universe(
			isl_space_copy(space)), isl_set_copy(c->context)),
		.ranges = isl_set_universe(isl_space_copy(space)),
	};

	for (int i = 0; i < c->n_params; i++)
		declare_variable(&w, c->param[i]->name)->number = keep_value(
			&w, isl_pw_aff_var_on_domain(isl_local_space_from_space(
			isl_space_copy(space)), isl_dim_param, (unsigned) i));
	isl_space_free(space);
	return w;
}

static bool read_host(struct checker *c, const struct kunit *unit,
	const struct kfunc *f)
{
	struct code w = begin_code(c, unit);
	bool right;

	w.any.tile = declare_any_tile(&w, c->plan);
	w.any.strip = declare_any_strip(&w, c->plan);
	right = read_statement(&w, f->body);
	isl_set_free(w.at);
	isl_set_free(w.ranges);
	return right;
}

/* The question "is_right" about the file. */
static bool read_aside(struct checker *c, const struct kunit *unit,
	bool (*is_right)(struct code *w))
{
	struct code w = begin_code(c, unit);
	bool right = is_right(&w);

	isl_set_free(w.at);
	isl_set_free(w.ranges);
	return right;
}

bool check_segments(struct checker *c, const struct kunit *unit)
{
	return !c->prog->segments || read_aside(c, unit, segments_are_right);
}

static void claim_read(struct checker *c)
{
	for (int q = 0; q < c->n_plans; q++) {
		if (!is_read(c, &c->plan[q]))
			continue;
		if (c->claims.length == 0)
			section(c, "Code");
		claim(c, "launch %d: the kernel stores each cell that the "
			"plan gives it and no other; all it loads and stores "
			"lies in the fields", q);
		if (!c->form->find_strip)
			claim(c, "launch %d: what is stored in a cell is the "
				"value of the program there; no two threads "
				"store one", q);
		else
			claim(c, "launch %d: each value that a lane computes "
				"is that of the program at its cell, and is "
				"computed where there is an instance; what is "
				"stored is the value of its cell", q);
	}
}

bool check_code(struct checker *c, const struct kunit *unit)
{
	bool any = false;

	for (const struct kfunc *f = unit->first; f; f = f->next) {
		if (f->is_kernel || !launches(f->body))
			continue;
		if (!read_host(c, unit, f))
			return false;
		any = true;
	}
	if (unit->lists && !read_aside(c, unit, records_are_stored))
		return false;
	if (any)
		claim_read(c);
	return check_copies(c, unit) && check_segments(c, unit);
}
