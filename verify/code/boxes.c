/* The function for a tile in time as C:
 *
 *	for (S1 ..) for (step ..) NAME_run_rows(.., i_low, i_high, .., A_old, A_new)
 *
 * calls the functions for rows, see rows.h, once for each row of the plan's shape, of all tiles
 * that may have an instance, with the copies that hold the versions at that step.
 */
#include <string.h>

#include "verify/code/rows.h"

/* The copies of the states --------------------------------------------------- */

static const struct field *field_named(const struct code *w, const char *name,
	bool *is_callers)
{
	const struct program *prog = w->c->prog;

	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = prog->field[i];

		*is_callers = f->kind == FIELD_STATE && !strcmp(name,
			fresh_name(w->c->mem, prog, "%s_user", f->name));
		if (*is_callers || !strcmp(name, f->name))
			return f;
	}
	return NULL;
}

/* How many copies the run gets with the versions before the first step, up to version 0: all, or
 * all but one of its own.
 */
static int versions_before(const struct code *w, const struct field *f)
{
	const struct kfunc *run = unit_function(w->unit, region_printf(w->c->mem,
		w->unit->handles ? "%s_steps" : "%s_run", w->c->prog->name));
	int n = w->plan->scop->field[f->index].buffers;

	if (f->is_hidden)
		return f->depth;
	for (int i = 0; run && i < run->n_params; i++)
		if (!strcmp(run->param[i].name, f->name))
			return n - 1;
	return n;
}

/* The number of the copy "x" of "f": those of the caller are 0, 1, .., our own is the next one.
 * NULL: it is another array.
 */
static __isl_give isl_pw_aff *copy_passed(struct code *w,
	const struct field *f, const struct kx *x)
{
	struct condition c;
	bool is_callers = false;

	if (x->kind == KX_SELECT) {
		isl_pw_aff *held = copy_passed(w, f, x->arg[1]);
		isl_pw_aff *failed = copy_passed(w, f, x->arg[2]);

		c = condition_of(w, x->arg[0]);
		if (!c.sure || c.is_loose)
			held = isl_pw_aff_free(held);
		return isl_pw_aff_union_add(isl_pw_aff_intersect_domain(held,
			c.holds), isl_pw_aff_intersect_domain(failed, c.fails));
	}
	if ((x->kind != KX_NAME && x->kind != KX_INDEX) ||
	    field_named(w, x->name, &is_callers) != f)
		return NULL;
	if (x->kind == KX_INDEX)
		return x->n_args == 1 ? number_of(w, x->arg[0]) : NULL;
	return constant(w, is_callers || f->is_hidden || f->kind != FIELD_STATE ?
		0 : versions_before(w, f));
}

static __isl_give isl_pw_aff *step_of_call(struct code *w,
	const struct kernel_names *n)
{
	const struct variable *t0 = variable_called(w, n->t0);
	const struct variable *step = variable_called(w, n->step);

	return isl_pw_aff_add(isl_pw_aff_copy(t0 ? t0->number : NULL),
		isl_pw_aff_copy(step ? step->number : NULL));
}

/* Version t + v is in copy (t + v + versions - 1) % copies: at the beginning the caller's are
 * those up to version 0.
 */
static bool is_copy(struct code *w, const struct kernel_names *names,
	const struct array *a, const struct kx *x)
{
	isl_pw_aff *is = copy_passed(w, a->field, x), *should;
	bool right;

	if (a->field->kind != FIELD_STATE || a->copies == 1) {
		isl_pw_aff_free(is);
		return is;
	}
	should = isl_pw_aff_mod_val(isl_pw_aff_add_constant_val(step_of_call(w,
		names), isl_val_int_from_si(w->c->ctx, a->first +
		versions_before(w, a->field) - 1)), isl_val_int_from_si(w->c->ctx,
		a->copies));
	right = is && should && comes_to_none(w, isl_pw_aff_ne_set(
		isl_pw_aff_copy(is), isl_pw_aff_copy(should)));
	isl_pw_aff_free(is);
	isl_pw_aff_free(should);
	return right;
}

/* Boxes ---------------------------------------------------------------------- */

/* A call of a function for rows. */
struct call_of_rows {
	const struct rows *rows;
	int number;		/* of the statements, in a step */
};

/* { [a, low0, high0, ..] -> [a, x0, ..] : low <= x <= high } */
static __isl_give isl_map *points_of_boxes(struct code *w)
{
	int n = w->plan->n_dims;
	struct text t = { 0 };
	isl_map *map;

	text_puts(&t, "{ [a");
	for (int d = 0; d < n; d++)
		text_printf(&t, ", l%d, h%d", d, d);
	text_puts(&t, "] -> [a");
	put_dims(&t, "x", n, ALL_DIMS);
	text_puts(&t, "] : 0 = 0");
	for (int d = 0; d < n; d++)
		text_printf(&t, " and l%d <= x%d <= h%d", d, d, d);
	text_puts(&t, " }");
	map = isl_map_read_from_str(w->c->ctx, t.bytes);
	text_free(&t);
	return map;
}

static const struct kx *argument_called(const struct kx *call,
	const struct kfunc *f, const char *name)
{
	for (int i = 0; i < f->n_params; i++)
		if (!strcmp(f->param[i].name, name))
			return call->arg[i];
	return NULL;
}

/* The side of the box behind the origin of the tile; NULL: unknown. */
static __isl_give isl_pw_aff *side_of_call(struct code *w,
	const struct kernel_names *names, int d, const struct kx *x)
{
	const struct variable *origin = variable_called(w, names->origin[d]);

	return origin && x ? isl_pw_aff_sub(number_of(w, x),
		isl_pw_aff_copy(origin->number)) : NULL;
}

/* { [a, low0, high0, ..] } of the call, wherever the tile is; NULL: unknown. */
static __isl_give isl_set *box_of_call(struct code *w,
	const struct kernel_names *names, const struct call_of_rows *call,
	const struct kx *x)
{
	const struct kfunc *f = call->rows->function;
	const struct variable *step = variable_called(w, names->step);
	isl_pw_aff *a = isl_pw_aff_copy(step ? step->number : NULL);
	isl_map *map;
	isl_set *box;

	a = isl_pw_aff_scale_val(a, isl_val_int_from_si(w->c->ctx,
		w->c->scop->k));
	map = isl_map_from_pw_aff(plus(a, call->number));
	for (int d = 0; d < w->plan->n_dims; d++) {
		map = isl_map_flat_range_product(map, isl_map_from_pw_aff(
			side_of_call(w, names, d, argument_called(x, f,
				f->box->low[d]))));
		map = isl_map_flat_range_product(map, isl_map_from_pw_aff(
			side_of_call(w, names, d, argument_called(x, f,
				f->box->high[d]))));
	}
	box = isl_map_range(isl_map_intersect_domain(map, isl_set_intersect(
		isl_set_copy(w->at), isl_set_copy(w->ranges))));
	return box ? isl_set_project_out(box, isl_dim_param, 0, (unsigned)
		isl_set_dim(box, isl_dim_param)) : NULL;
}

/* Does a row have one box, whatever else the tile is? */
static bool is_of_row(__isl_keep isl_set *box)
{
	isl_map *sides = isl_map_from_range(isl_set_copy(box));
	bool is;

	sides = isl_map_move_dims(sides, isl_dim_in, 0, isl_dim_out, 0, 1);
	is = isl_map_is_single_valued(sides) == isl_bool_true;
	isl_map_free(sides);
	return is;
}

static bool is_box_of_row(struct code *w, const struct kernel_names *names,
	const struct call_of_rows *call, const struct kx *x)
{
	isl_set *box = box_of_call(w, names, call, x);
	isl_set *rows = isl_set_reset_tuple_id(rows_of(w->c, w->plan,
		call->number));
	bool is = box && is_of_row(box);

	box = isl_set_apply(box, points_of_boxes(w));
	is = is && isl_set_is_equal(box, rows) == isl_bool_true;
	w->c->n_sets += is;
	isl_set_free(box);
	isl_set_free(rows);
	return is;
}

/* Calls ---------------------------------------------------------------------- */

/* What has been called so far in the tile. */
struct calls {
	const struct kernel_names *names;
	const struct rows *all;
	int number;		/* of the row at hand, in a step */
	const struct rows **called;
	int n_called;
};

static bool is_argument(struct code *w, const struct calls *calls,
	const struct rows *r, int i, const struct kx *x)
{
	const struct kparam *p = &r->function->param[i];
	struct array a;

	if (p->is_array)
		return array_of_rows(w, p, &a) && is_copy(w, calls->names, &a,
			x);
	if (!strcmp(p->name, calls->names->time)) {
		isl_pw_aff *is = number_of(w, x);
		isl_pw_aff *should = step_of_call(w, calls->names);
		bool right = is && should && comes_to_none(w,
			isl_pw_aff_ne_set(isl_pw_aff_copy(is),
				isl_pw_aff_copy(should)));

		isl_pw_aff_free(is);
		isl_pw_aff_free(should);
		return right;
	}
	for (int d = 0; d < w->plan->n_dims; d++)
		if (!strcmp(p->name, r->function->box->low[d]) ||
		    !strcmp(p->name, r->function->box->high[d]))
			return true;
	return x->kind == KX_NAME && !strcmp(x->name, p->name);
}

/* The number of the statements of "r", if it is the same; -1. */
static int number_of_rows(const struct code *w, const struct rows *r)
{
	int number = -1;

	for (int i = 0; i < w->c->n_stmts; i++) {
		if (!r->has[i])
			continue;
		if (number >= 0 && number != w->c->stmt[i].number)
			return -1;
		number = w->c->stmt[i].number;
	}
	return number;
}

/* Its statements may have no instance in the grid. */
static bool computes_nothing(const struct code *w, const struct rows *r)
{
	bool some = false;

	for (int i = 0; i < w->c->n_stmts; i++)
		some = some || r->has[i];
	return !some;
}

static bool read_call_of_rows(struct code *w, const struct kx *x,
	const struct kfunc *f)
{
	struct calls *calls = w->nests->calls;
	const struct rows *r = calls->all;
	struct call_of_rows call;

	while (r && r->function != f)
		r = r->next;
	if (!r)
		return true;
	call = (struct call_of_rows) { r, number_of_rows(w, r) };
	for (int i = 0; i < calls->n_called; i++)
		if (calls->called[i] == r)
			return refute(w->c, "a tile computes rows twice by %s()",
				f->name);
	calls->called[calls->n_called++] = r;
	if (computes_nothing(w, r))
		return true;
	if (call.number < calls->number)
		return refute(w->c, "a tile computes rows of a step in another "
			"order");
	calls->number = call.number;
	for (int i = 0; i < f->n_params; i++)
		if (!is_argument(w, calls, r, i, x->arg[i]))
			return refute(w->c, "a tile passes %s() another '%s' "
				"than that of its step", f->name,
				f->param[i].name);
	return is_box_of_row(w, calls->names, &call, x) || refute(w->c,
		"the box of %s() is not the row of the tile", f->name);
}

/* The tile ------------------------------------------------------------------- */

/* "s" without blocks around it, and behind declarations. */
static const struct ks *only_loop(const struct ks *s)
{
	const struct ks *loop = NULL;

	if (s->kind == KS_FOR)
		return s;
	for (int i = 0; s->kind == KS_BLOCK && i < s->n_children; i++) {
		const struct ks *child = s->child[i];

		if (child->kind == KS_DECLARE || child->kind == KS_BLANK)
			continue;
		if (loop || !(loop = only_loop(child)))
			return NULL;
	}
	return loop;
}

/* The loops over tiles, over those of a dimension inside those of the ones before, and in these
 * the one over steps.
 */
static bool has_loops_in_order(const struct code *w,
	const struct kernel_names *names, const struct ks *body)
{
	const struct ks *s = only_loop(body);

	for (int d = 0; d < w->plan->n_dims; d++) {
		if (d == w->plan->tiles.hex_dim)
			continue;
		if (!s || strcmp(s->name, names->tile[d]) ||
		    !kx_is_int(s->x[2], 1))
			return false;
		s = only_loop(s->child[0]);
	}
	return s && !strcmp(s->name, names->step) && kx_is_int(s->x[2], 1);
}

/* The origin of the tile in time and along the hexagon: any; steps are those of the program. */
static void bind_tile(struct code *w, const struct kernel_names *names)
{
	isl_space *space = isl_set_get_space(w->at);
	const char *any[] = { names->t0,
		names->origin[w->plan->tiles.hex_dim] };
	isl_pw_aff *end = value_of(w->c, space, w->c->prog->end);
	isl_pw_aff *begin = value_of(w->c, space, w->c->prog->begin);

	isl_space_free(space);
	declare_variable(w, names->steps)->number = keep_value(w,
		isl_pw_aff_sub(end, begin));
	for (int i = 0; i < 2; i++) {
		struct variable *v = declare_variable(w, any[i]);

		v->number = keep_value(w, new_number(w, any[i]));
		w->at = isl_set_intersect(w->at, isl_pw_aff_eq_set(
			isl_pw_aff_copy(v->number),
			isl_pw_aff_copy(v->number)));
	}
}

static bool calls_all(struct code *w, const struct calls *calls)
{
	for (const struct rows *r = calls->all; r; r = r->next) {
		bool is = false;

		for (int i = 0; i < calls->n_called; i++)
			is = is || calls->called[i] == r;
		if (!is)
			return refute(w->c, "a tile does not call %s()",
				r->function->name);
	}
	return true;
}

bool calls_rows(struct code *w, const struct kfunc *tile,
	const struct rows *all)
{
	struct calls calls = {
		.names = kernel_names_new(w->c->mem, w->c->prog), .all = all,
	};
	struct nests nests = { .names = calls.names, .calls = &calls };

	for (const struct rows *r = all; r; r = r->next)
		calls.n_called++;
	calls.called = region_array(w->c->mem, const struct rows *,
		calls.n_called);
	calls.n_called = 0;
	w->plan = w->c->plan;
	w->nests = &nests;
	w->call = read_call_of_rows;
	bind_tile(w, calls.names);
	return (has_loops_in_order(w, calls.names, tile->body) || refute(w->c,
		"the loops of a tile are not those of the plan")) &&
		read_statement(w, tile->body) && calls_all(w, &calls);
}
