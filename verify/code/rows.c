/* Functions for rows of tiles as C: see rows.h. */
#include <string.h>

#include "verify/code/rows.h"

/* What the function gets -------------------------------------------------- */

const char *name_given(struct code *w, const char *name)
{
	isl_pw_aff *value = new_number(w, name);
	const char *own = name_of_number(w, value);
	isl_set *any = isl_pw_aff_eq_set(isl_pw_aff_copy(value),
		isl_pw_aff_copy(value));

	declare_variable(w, name)->number = keep_value(w, value);
	w->at = isl_set_intersect(w->at, isl_set_align_params(any,
		isl_pw_aff_get_domain_space(value)));
	return own;
}

/* .. for low <= x <= high, the box, in dimension "d". */
static void bind_side(struct code *w, struct rows *r, int d)
{
	const struct kbox *box = r->function->box;
	const struct variable *low;

	r->low[d] = name_given(w, box->low[d]);
	low = w->known;
	r->high[d] = name_given(w, box->high[d]);
	w->at = isl_set_intersect(w->at, isl_pw_aff_le_set(isl_pw_aff_copy(
		low->number), isl_pw_aff_copy(w->known->number)));
}

/* The step, 0 <= t < steps: the pass of the plan. */
static void bind_step(struct code *w, const struct rows *r)
{
	isl_set *steps;
	isl_space *space = space_of_dims(w->c, 1);
	isl_map *step;

	name_given(w, r->names->time);
	declare_variable(w, r->names->tt)->number =
		variable_called(w, r->names->time)->number;
	step = isl_map_from_pw_aff(isl_pw_aff_copy(w->known->number));
	steps = isl_set_apply(points_in_time(w->c, space),
		isl_map_reverse(step));
	isl_space_free(space);
	w->at = isl_set_intersect(w->at, steps);
}

bool array_of_rows(struct code *w, const struct kparam *p, struct array *a)
{
	const struct program *prog = w->c->prog;

	*a = (struct array) { .type = p };
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = prog->field[i];
		int n = w->plan->scop->field[i].buffers;

		a->field = f;
		a->copies = n > 1 ? n : 1;
		if (f->kind != FIELD_STATE && !strcmp(p->name, f->name))
			return true;
		for (int back = 0; f->kind == FIELD_STATE && back < a->copies;
		     back++) {
			a->first = floor_mod(1 - back, a->copies);
			if (!strcmp(p->name, version_name(w->c->mem, prog, f,
			    1 - back)))
				return true;
		}
		a->first = 0;
	}
	return false;
}

/* Has a cell several numbers, one next to the other? */
static bool has_lanes(const struct array *a)
{
	int n = a->type->n_extents;

	return a->field->n_lanes && n >= a->field->n_dims && kx_is_int(
		a->type->extent[n - 1], a->field->n_lanes);
}

static bool bind_array(struct code *w, const struct kparam *p)
{
	struct array *a = region_new_of(w->c->mem, struct array);

	if (!array_of_rows(w, p, a))
		return refute(w->c, "a function gets '%s', and it is not shown "
			"what that is", p->name);
	declare_variable(w, p->name)->array = a;
	return !has_lanes(a) || has_numbers(w, a);
}

static bool bind_parameters(struct code *w, struct rows *r)
{
	const struct kfunc *f = r->function;
	bool right = true;

	for (int d = 0; d < w->plan->n_dims; d++)
		bind_side(w, r, d);
	r->n_given = isl_set_dim(w->at, isl_dim_param);
	bind_step(w, r);
	for (int i = 0; right && i < f->n_params; i++)
		right = !f->param[i].is_array || bind_array(w, &f->param[i]);
	return right;
}

/* What it stores ------------------------------------------------------------ */

static bool writes(const struct code *w, const struct statement *s,
	const struct field *f)
{
	return s->plan == w->plan && s->stmt->write->field == f;
}

/* Does the code store to the copy of the version that statements write? */
static bool stores_right_copy(struct code *w, const struct touch *t)
{
	for (int i = 0; i < w->c->n_stmts; i++) {
		const struct statement *s = &w->c->stmt[i];
		isl_pw_aff *copy;

		if (!writes(w, s, t->cell->field))
			continue;
		copy = copy_of_version(w, t->cell->field, NULL,
			s->stmt->write->version);
		if (!comes_to_none(w, isl_pw_aff_ne_set(copy, isl_pw_aff_copy(
		    t->cell->copy))))
			return refute(w->c, "the code stores another version "
				"of '%s' than %s", t->cell->field->name,
				s->name);
	}
	return true;
}

/* { [t, x] } of the current place */
static __isl_give isl_set *cells_here(struct code *w, const struct touch *t)
{
	isl_map *map = isl_map_from_pw_aff(pass_of(w));

	for (int d = 0; d < t->cell->field->n_dims; d++)
		map = isl_map_flat_range_product(map, isl_map_from_pw_aff(
			isl_pw_aff_copy(t->cell->x[d])));
	return without_variables(w, isl_map_range(isl_map_intersect_domain(map,
		isl_set_intersect(isl_set_copy(w->at),
			isl_set_copy(w->ranges)))));
}

static bool note_cells(struct code *w, const struct touch *t)
{
	struct rows *r = w->nests->rows;
	isl_set **cells = &r->cells[t->cell->field->index];

	if (!w->sure)
		return refute(w->c, "the code stores to '%s' under a condition "
			"that is not shown", t->cell->field->name);
	*cells = isl_set_union(*cells ? *cells : isl_set_empty(space_of_dims(
		w->c, 1 + t->cell->field->n_dims)), cells_here(w, t));
	return true;
}

static bool touch_of_rows(struct code *w, const struct touch *t)
{
	if (!lies_in_memory(w, t))
		return false;
	return !t->stores || (stores_right_copy(w, t) && note_cells(w, t) &&
		(t->value ? stores_value(w, t->cell, t->value) : refute(w->c,
			"the code stores to '%s', and it is not shown what",
			t->cell->field->name)));
}

/* What it must store -------------------------------------------------------- */

__isl_give isl_set *within_side(__isl_take isl_set *set, int pos,
	const char *param, bool last)
{
	isl_space *space = isl_set_get_space(set);
	isl_pw_aff *x = coordinate(space, pos);
	isl_local_space *ls = isl_local_space_from_space(space);
	isl_pw_aff *side = isl_pw_aff_var_on_domain(ls, isl_dim_param,
		(unsigned) isl_set_find_dim_by_name(set, isl_dim_param,
			param));

	return isl_set_intersect(set, last ? isl_pw_aff_le_set(x, side) :
		isl_pw_aff_ge_set(x, side));
}

/* { [t, x] : an instance of "s" in the box } */
static __isl_give isl_set *instances_in_box(struct code *w,
	const struct rows *r, const struct statement *s)
{
	isl_set *set = isl_set_align_params(isl_set_copy(s->domain),
		isl_set_get_space(w->at));

	for (int d = 0; d < s->stmt->n_dims; d++) {
		set = within_side(set, 1 + d, r->low[d], false);
		set = within_side(set, 1 + d, r->high[d], true);
	}
	return set;
}

/* .. that read what they write, { [t, x] : "e" is the value of its cell in the copy that it is
 * stored to }
 */
static __isl_give isl_set *keeps(struct code *w, const struct statement *s,
	__isl_keep isl_space *space, const struct expr *e)
{
	const struct access *to = s->stmt->write, *acc = e->access;
	int copies = w->plan->scop->field[to->field->index].buffers;
	isl_set *set, *other;
	bool same;

	if (e->kind == EXPR_LOCAL)
		return keeps(w, s, space, e->local->value);
	if (e->kind == EXPR_SELECT && expr_is_condition(e->arg[0])) {
		set = where(w->c, space, e->arg[0]);
		other = isl_set_subtract(keeps(w, s, space, e->arg[2]),
			isl_set_copy(set));
		return isl_set_union(other, isl_set_intersect(set, keeps(w, s,
			space, e->arg[1])));
	}
	same = e->kind == EXPR_READ && acc->field == to->field && (copies <= 1 ||
		floor_mod(acc->version - to->version, copies) == 0);
	for (int d = 0; same && d < to->field->n_dims; d++)
		same = acc->dim[d] == to->dim[d] && acc->offset[d] ==
			to->offset[d];
	return same ? isl_set_universe(isl_space_copy(space)) :
		isl_set_empty(isl_space_copy(space));
}

static bool refute_cells(struct code *w, const struct field *f,
	__isl_take isl_set *set, const char *what)
{
	isl_point *p = example_of(w->c, set);

	refute(w->c, "%s: %s a cell of '%s' at step %lld", sizes_of_point(w->c,
		p), what, f->name, (long long) coordinate_of_point(p, 0));
	isl_point_free(p);
	isl_set_free(set);
	return false;
}

/* "more" is in "less"; this takes both. */
static bool has_all(struct code *w, const struct field *f,
	__isl_take isl_set *less, __isl_take isl_set *more, const char *what)
{
	more = isl_set_intersect_params(more, isl_set_params(isl_set_copy(
		w->at)));
	if (isl_set_is_subset(more, less) == isl_bool_true) {
		w->c->n_sets++;
		isl_set_free(more);
		isl_set_free(less);
		return true;
	}
	return refute_cells(w, f, isl_set_subtract(more, less), what);
}

/* The instances of the statements that store to "f" here, and those of them that must. */
static void find_instances(struct code *w, struct rows *r,
	const struct field *f, isl_set **may, isl_set **must)
{
	isl_space *space = space_of_dims(w->c, 1 + f->n_dims);

	*may = isl_set_empty(isl_space_copy(space));
	*must = isl_set_empty(isl_space_copy(space));
	for (int i = 0; i < w->c->n_stmts; i++) {
		const struct statement *s = &w->c->stmt[i];
		isl_set *here;

		if (!writes(w, s, f))
			continue;
		here = instances_in_box(w, r, s);
		if (isl_set_is_disjoint(here, r->cells[f->index]) ==
		    isl_bool_true) {
			isl_set_free(here);
			continue;
		}
		r->has[i] = true;
		*may = isl_set_union(*may, isl_set_copy(here));
		if (!s->is_copy)
			here = isl_set_subtract(here, keeps(w, s, space,
				s->stmt->value));
		*must = isl_set_union(*must, here);
	}
	isl_space_free(space);
}

static bool stores_instances(struct code *w, struct rows *r,
	const struct field *f)
{
	isl_set *cells = r->cells[f->index], *may, *must;
	bool all, no_more;

	if (!cells)
		return true;
	find_instances(w, r, f, &may, &must);
	all = has_all(w, f, isl_set_copy(cells), must, "the code does not "
		"store");
	no_more = has_all(w, f, may, isl_set_copy(cells),
		"no statement stores, but the code does,");
	return all && no_more;
}

/* Functions ----------------------------------------------------------------- */

static bool calls_others(const struct kunit *unit, const struct kx *x)
{
	bool any = x->kind == KX_CALL && unit_function(unit, x->name);

	for (int i = 0; !any && i < x->n_args; i++)
		any = calls_others(unit, x->arg[i]);
	return any;
}

static bool has_calls(const struct kunit *unit, const struct ks *s)
{
	bool any = false;

	for (int i = 0; !any && i < s->n_x; i++)
		any = s->x[i] && calls_others(unit, s->x[i]);
	for (int i = 0; !any && i < s->n_children; i++)
		any = has_calls(unit, s->child[i]);
	return any;
}

static bool stores_all(struct code *w, struct rows *r)
{
	for (int i = 0; i < w->c->prog->n_fields; i++)
		if (!stores_instances(w, r, w->c->prog->field[i]))
			return false;
	return true;
}

static void forget_cells(const struct code *w, struct rows *r)
{
	for (int i = 0; i < w->c->prog->n_fields; i++)
		isl_set_free(r->cells[i]);
}

static bool read_rows(struct code *w, struct rows *r)
{
	struct nests nests = { .names = r->names, .rows = r };
	bool right;

	w->nests = &nests;
	w->plan = w->c->plan;
	w->touch = touch_of_rows;
	r->cells = region_array(w->c->mem, isl_set *, w->c->prog->n_fields);
	r->has = region_array(w->c->mem, bool, w->c->n_stmts);
	right = bind_parameters(w, r) && read_statement(w, r->function->body) &&
		stores_all(w, r);
	forget_cells(w, r);
	return right;
}

/* NAME_run_rows, or that and a number. */
static bool is_for_rows(const struct checker *c, const struct kunit *unit,
	const struct kfunc *f)
{
	const char *name = region_printf(c->mem, unit->handles ?
		"%s_steps_rows" : "%s_run_rows", c->prog->name);
	size_t n = strlen(name);

	return f->box && !strncmp(f->name, name, n) && !f->name[n + strspn(
		f->name + n, "0123456789")];
}

static bool is_right(struct checker *c, const struct kunit *unit,
	struct rows *r)
{
	struct code w = begin_code(c, unit);
	bool right;

	r->names = kernel_names_new(c->mem, c->prog);
	right = read_rows(&w, r);
	isl_set_free(w.at);
	isl_set_free(w.ranges);
	return right;
}

/* .. as far as that takes no more operations on sets than most do: conditions of waves may take
 * thousands of times as many.
 */
static bool is_right_if_simple(struct checker *c, const struct kunit *unit,
	struct rows *r, bool *is_shown)
{
	enum { MOST_OPERATIONS = 1000000 };
	unsigned long max = isl_ctx_get_max_operations(c->ctx);
	bool right;

	isl_ctx_reset_operations(c->ctx);
	if (!max || max > MOST_OPERATIONS)
		isl_ctx_set_max_operations(c->ctx, MOST_OPERATIONS);
	right = is_right(c, unit, r);
	*is_shown = right;
	if (!right && max != isl_ctx_get_max_operations(c->ctx) &&
	    isl_ctx_last_error(c->ctx) == isl_error_quota) {
		isl_ctx_reset_error(c->ctx);
		text_free(&c->failure);
		right = true;
	}
	isl_ctx_set_max_operations(c->ctx, max);
	isl_ctx_reset_operations(c->ctx);
	return right;
}

/* .. of all functions for rows, "shown" of them */
static bool are_right(struct checker *c, const struct kunit *unit,
	struct rows **all, int *shown, int *n)
{
	bool is_shown;

	for (const struct kfunc *f = unit->first; f; f = f->next) {
		struct rows *r;

		if (!is_for_rows(c, unit, f))
			continue;
		*n += 1;
		r = region_new_of(c->mem, struct rows);
		*r = (struct rows) { .function = f };
		if (has_calls(unit, f->body))
			continue;
		if (!is_right_if_simple(c, unit, r, &is_shown))
			return false;
		*shown += is_shown;
		if (!is_shown)
			continue;
		r->next = *all;
		*all = r;
	}
	return true;
}

/* Does the plan alone say which rows a tile has, and with which numbers? */
static bool has_plain_tiles(const struct checker *c, const struct kunit *unit)
{
	for (int i = 0; i < c->n_stmts; i++)
		if (c->stmt[i].stmt->needed)
			return false;
	return !c->prog->is_within && !unit->blocks &&
		!plan_is_around(c->plan) && !plan_is_diagonal(c->plan) &&
		!c->plan->tiles.choice;
}

static bool tile_is_right(struct checker *c, const struct kunit *unit,
	const struct rows *all)
{
	const struct kfunc *tile = unit_function(unit, region_printf(c->mem,
		unit->handles ? "%s_steps_tile" : "%s_run_tile",
		c->prog->name));
	struct code w;
	bool right;

	if (!tile || !all || !has_plain_tiles(c, unit))
		return true;
	w = begin_code(c, unit);
	right = calls_rows(&w, tile, all);
	isl_set_free(w.at);
	isl_set_free(w.ranges);
	if (right)
		claim(c, "a tile calls each of these once for a row of the "
			"plan, with its box and with the copies that have the "
			"versions of its step");
	return right;
}

bool check_rows(struct checker *c, const struct kunit *unit)
{
	struct rows *all = NULL;
	int shown = 0, n = 0;

	const bool on_grid = c->n_plans > 0 && c->form->find_grid;

	if (c->n_plans != 1 || !(plan_has_hexagons(c->plan) || on_grid))
		return true;
	if (!are_right(c, unit, &all, &shown, &n))
		return false;
	if (n)
		claim(c, "%d of %d functions for rows store what the program "
			"computes at the points of their box", shown, n);
	return on_grid ? grid_is_right(c, unit) : tile_is_right(c, unit, all);
}
