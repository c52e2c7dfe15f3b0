/* Which records can be outputs by step: those of what one statement of the step computes at the
 * point.  Cells that no step computes keep their values; the call records them itself.
 */
#include "frontend/c/list.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/space.h>

static bool not_served(struct stencil *s, struct span at, const char *why,
	const char *advice)
{
	s->recorded.why = why;
	s->recorded.at = at;
	s->recorded.advice = advice;
	return false;
}

/* The value ----------------------------------------------------------------*/

struct search {
	struct stencil *s;
	struct c_record *record;
};

static bool is_same_cell(const struct c_access *a, const struct c_access *b)
{
	if (a->field != b->field)
		return false;
	for (int d = 0; d < a->n_subs; d++)
		if (!poly_equal(&a->sub[d], &b->sub[d]))
			return false;
	return true;
}

static bool find_own(void *user, struct c_access *a)
{
	struct search *search = user;
	struct c_record *r = search->record;

	if (!a->field->is_written)
		return true;
	if (!r->own)
		r->own = a;
	return is_same_cell(r->own, a) || not_served(search->s, a->at, "this "
		"is another array or point than that which is recorded",
		"record one array, at the point, and inputs; what is made of "
		"others can be computed in an array first");
}

/* Is the subscript "d" of the input "a" the point's, or the same for all points? */
static bool is_at_point(struct stencil *s, const struct c_record *r,
	const struct c_access *a, int d)
{
	if (subscript_is_uniform(s, a, d))
		return true;
	for (int i = 0; i < r->own->n_subs; i++)
		if (poly_equal(&a->sub[d], &r->own->sub[i]))
			return true;
	return false;
}

static bool check_input(void *user, struct c_access *a)
{
	struct search *search = user;
	struct stencil *s = search->s;

	if (!is_affine_access(s, a))
		return not_served(s, a->at, "the subscripts are not affine",
			"read inputs at the point");
	if (a->field->is_written || access_is_fixed(s, a))
		return true;
	for (int d = 0; d < a->n_subs; d++)
		if (!is_at_point(s, search->record, a, d))
			return not_served(s, a->at, "this is not at the point "
				"that is recorded", "read inputs at the point, "
				"or compute what is recorded in an array");
	return true;
}

/* Check that each loop counts one dimension of the recorded array. */
static bool check_loops(struct stencil *s, const struct c_record *r)
{
	const char *why = "its loops do not count the points of what it "
		"records", *advice = "each loop variable is one subscript, as "
		"in 'rec[t][i][j] = A[i][j]'";

	for (const struct c_loop *l = r->place.loop; l; l = l->outer) {
		int n = 0;

		for (int d = 0; d < r->own->n_subs; d++) {
			struct poly rest;
			int64_t c;

			if (!poly_uses(&r->own->sub[d], l->decl))
				continue;
			n++;
			if (!poly_split(&r->own->sub[d], l->decl, &c, &rest) ||
			    (c != 1 && c != -1) || loop_of(r->place.loop,
				&rest))
				return not_served(s, r->at, why, advice);
		}
		if (n != 1)
			return not_served(s, r->at, why, advice);
	}
	return true;
}

/* The statement that computes it ------------------------------------------- */

/* The statement whose values "u", which writes the same array, changes; else "u". */
static const struct c_update *changed_by(const struct stencil *s,
	const struct c_update *u)
{
	const struct c_update *w = s->updates;

	while (u->changes && w && (w->changes || w->write->field !=
	       u->write->field))
		w = w->next;
	return u->changes && w ? w : u;
}

/* Does "u" write what "a" reads in some step? */
static bool touches(struct stencil *s, const struct c_access *a,
	const struct c_update *u)
{
	isl_map *pairs = touch_same(s, a, u->write);
	bool any = isl_map_is_empty(pairs) != isl_bool_true;

	isl_map_free(pairs);
	return any;
}

static bool find_writer(struct stencil *s, struct c_record *r)
{
	struct c_seen seen = see_writes(s, r->own);
	struct c_access *own = (struct c_access *) r->own;

	if (seen.carried || (seen.old && seen.new) ||
	    (!seen.old && !seen.new))
		return not_served(s, own->at, "not all cells of this are "
			"computed before it, nor all of them behind it", "put "
			"it behind the nest that computes what is recorded");
	r->is_old = seen.old;
	r->writer = changed_by(s, r->is_old ? seen.old : seen.new);
	for (const struct c_update *u = s->updates; u; u = u->next)
		if (u->write->field == own->field && u != r->writer &&
		    !u->changes && touches(s, own, u))
			return not_served(s, u->at, "another statement "
				"computes this array, too", "compute what is "
				"recorded by one statement, with '?:' in it");
	own->version = !r->is_old;
	own->computed_by = r->is_old ? NULL : r->writer;
	return true;
}

/* { [round, v1, ..] -> [round, cell] } of "a" */
static __isl_give isl_map *cells_in_rounds(struct stencil *s,
	const struct c_access *a)
{
	isl_map *cells = access_cells(s, a);
	unsigned n = (unsigned) isl_map_dim(cells, isl_dim_in);
	isl_map *round = isl_map_identity(isl_space_map_from_set(
		isl_space_domain(isl_map_get_space(cells))));

	round = isl_map_project_out(round, isl_dim_out, 1, n - 1);
	return isl_map_flat_range_product(round, cells);
}

/* "set" in fewer pieces. */
static __isl_give isl_set *set_simple(__isl_take isl_set *set)
{
	return isl_set_coalesce(isl_set_detect_equalities(set));
}

/* { [round + 1, cell] } of { [round, cell] } */
static __isl_give isl_set *a_round_later(__isl_take isl_set *cells)
{
	isl_space *space = isl_space_map_from_set(isl_set_get_space(cells));
	isl_multi_aff *later = isl_multi_aff_identity(space);
	isl_aff *round = isl_aff_add_constant_si(isl_multi_aff_get_aff(later,
		0), 1);

	later = isl_multi_aff_set_aff(later, 0, round);
	return isl_set_apply(cells, isl_map_from_multi_aff(later));
}

/* { [round, cell] } that the writer has computed, and that a record in the round can use */
static __isl_give isl_set *computed_cells(struct stencil *s,
	const struct c_record *r)
{
	isl_set *cells = isl_map_range(cells_in_rounds(s, r->writer->write));

	return r->is_old ? a_round_later(cells) : cells;
}

__isl_give isl_set *beside_steps(struct stencil *s, const struct c_record *r)
{
	isl_map *cells = cells_in_rounds(s, r->own);

	return set_simple(isl_map_domain(isl_map_subtract_range(cells,
		computed_cells(s, r))));
}

/* "set" in rounds that are the first step. */
static __isl_give isl_set *in_first_step(struct stencil *s,
	__isl_take isl_set *set, const struct c_record *r)
{
	struct poly end = s->time_range.begin;
	const struct poly one = poly_constant(1);
	struct c_expr *round = c_variable(s->mem, s->round, C_INT, r->at);

	poly_add(&end, &one, 1);
	return isl_set_intersect(set, value_below(s, &r->place, round, &end));
}

/* The part of it that has no values from before the loop only because the round is the first
 * one.
 */
static __isl_give isl_set *beside_later(struct stencil *s,
	const struct c_record *r)
{
	isl_set *beside = beside_steps(s, r), *first;

	if (!r->is_old)
		return beside;
	first = isl_set_copy(beside);
	first = s->round == s->time ? in_first_step(s, first, r) :
		isl_set_fix_si(first, isl_dim_set, 0, 0);
	return isl_set_subtract(beside, first);
}

/* { [cell] } of { [round, cell] } */
static __isl_give isl_set *in_any_round(__isl_take isl_set *cells)
{
	return isl_set_project_out(cells, isl_dim_set, 0, 1);
}

/* Is a cell that one step does not compute never computed? */
static bool check_constant(struct stencil *s, const struct c_record *r)
{
	isl_map *read = cells_in_rounds(s, r->own);
	isl_set *computed = in_any_round(computed_cells(s, r));
	isl_set *beside = in_any_round(isl_set_apply(beside_later(s, r), read));
	bool constant = isl_set_is_disjoint(computed, beside) == isl_bool_true;

	isl_set_free(computed);
	isl_set_free(beside);
	return constant || not_served(s, r->writer->at, "some steps only "
		"compute a cell here", "compute in all steps what is "
		"recorded");
}

/* { [round, cell] : the cell lies where "own" has no loop variable, as in A[n/2][j] } */
static __isl_give isl_set *with_pins(struct stencil *s,
	__isl_take isl_set *cells, const struct c_record *r,
	const struct c_place *steps)
{
	for (int d = 0; d < r->own->n_subs; d++) {
		struct c_access pin = { .n_subs = 1, .sub = { r->own->sub[d] },
			.place = *steps };
		isl_set *at;

		if (loop_of(r->place.loop, &r->own->sub[d]))
			continue;
		at = isl_map_range(cells_in_rounds(s, &pin));
		at = isl_set_insert_dims(at, isl_dim_set, 1, (unsigned) d);
		cells = isl_set_intersect(cells, isl_set_add_dims(at,
			isl_dim_set, (unsigned) (r->own->n_subs - d - 1)));
	}
	return cells;
}

/* Does the writer alone compute cells of what is recorded? */
static bool is_only_writer(const struct stencil *s, const struct c_record *r)
{
	const struct c_update *u = s->updates;

	while (u && (u == r->writer || u->changes || u->write->field != r->own->field))
		u = u->next;
	return !u;
}

/* Does the record have all points that steps compute, where it is executed? */
static bool is_whole(struct stencil *s, const struct c_record *r)
{
	struct c_place steps = r->place;
	isl_set *all, *recorded;
	bool whole;

	steps.loop = NULL;
	if (!is_only_writer(s, r) || !is_affine_place(s, &steps))
		return false;
	all = isl_set_add_dims(place_domain(s, &steps), isl_dim_set,
		(unsigned) r->own->n_subs);
	all = with_pins(s, isl_set_intersect(all, computed_cells(s, r)), r,
		&steps);
	recorded = isl_map_range(cells_in_rounds(s, r->own));
	whole = isl_set_is_subset(all, recorded) == isl_bool_true;
	isl_set_free(all);
	isl_set_free(recorded);
	return whole;
}

/* The elements -------------------------------------------------------------*/

/* { [round, v1, ..] -> [element] }; NULL if a subscript is not quasi-affine. */
static __isl_give isl_map *elements_of(struct stencil *s,
	const struct c_record *r)
{
	isl_map *all = isl_map_from_domain(place_domain(s, &r->place));

	for (int d = 0; d < r->field->n_dims; d++) {
		isl_pw_aff *at = place_value(s, &r->place, r->sub[d]);

		if (!at) {
			isl_map_free(all);
			return NULL;
		}
		all = isl_map_flat_range_product(all, isl_map_from_pw_aff(at));
	}
	return all;
}

/* Does each element belong to one step and point, among those of "field"? */
static bool check_once(struct stencil *s, const struct c_record *r)
{
	isl_map *mine = elements_of(s, r);
	isl_set *elements = isl_map_range(isl_map_copy(mine));
	bool once = isl_map_is_injective(mine) == isl_bool_true;

	for (const struct c_record *o = s->recorded.first; o != r && once; o = o->next)
		if (o->field == r->field) {
			isl_set *others = isl_map_range(elements_of(s, o));

			once = isl_set_is_disjoint(elements, others) ==
				isl_bool_true;
			isl_set_free(others);
		}
	isl_set_free(elements);
	isl_map_free(mine);
	return once || not_served(s, r->at, "two steps, points or statements "
		"write one element of it", "write each element once, as 'if "
		"(t % 10 == 0)' does for 'snap[t/10]'");
}

/* The size of dimension "d", from what steps write, if no declaration gives it. */
static bool has_size(struct stencil *s, const struct c_record *r, int d)
{
	isl_set *all = NULL;

	if (r->field->is_sized[d])
		return true;
	for (const struct c_record *o = s->recorded.first; o; o = o->next)
		if (o->field == r->field && is_affine_place(s, &o->place)) {
			isl_map *elements = elements_of(s, o);
			isl_set *more = elements ? isl_map_range(elements) :
				NULL;

			if (!more)
				continue;
			all = all ? isl_set_union(all, more) : more;
		}
	return all && find_size(s, r->field, d, all);
}

static bool check_elements(struct stencil *s, const struct c_record *r)
{
	isl_map *elements = elements_of(s, r);

	if (!elements)
		return not_served(s, r->at, "its subscripts are not affine",
			"subscripts are made of loop variables, the time and "
			"quotients of it by constants");
	isl_map_free(elements);
	for (int d = 0; d < r->field->n_dims; d++)
		if (!has_size(s, r, d))
			return not_served(s, r->field->decl->at, "how much "
				"of it steps write is not one sum of "
				"variables", "declare all its sizes, as in "
				"'float rec[restrict T][N][M]'");
	return check_once(s, r);
}

/* Where 0 <= e < size. */
static __isl_give isl_set *value_within(struct stencil *s,
	const struct c_place *place, const struct c_expr *e,
	const struct poly *size)
{
	return isl_set_intersect(isl_pw_aff_nonneg_set(place_value(s, place, e)),
		value_below(s, place, e, size));
}

/* { params } for which some subscript of the record, from dimension "first" to before "end", leaves its array. */
static __isl_give isl_set *leaves(struct stencil *s, const struct c_record *r,
	int first, int end)
{
	isl_set *domain = place_domain(s, &r->place);
	isl_set *inside = isl_set_copy(domain);

	for (int d = first; d < end; d++)
		inside = isl_set_intersect(inside, value_within(s, &r->place,
			r->sub[d], &r->field->size[d]));
	return isl_set_params(isl_set_subtract(domain, inside));
}

/* Let the call fail where the record would leave its array. */
static void note_outside(struct stencil *s, const struct c_record *r)
{
	struct c_access *a = region_new_of(s->mem, struct c_access);
	isl_set *fails = leaves(s, r, 0, r->field->is_split ? 1 :
		r->field->n_dims);

	a->field = r->field;
	a->at = r->at;
	if (isl_set_is_empty(fails) == isl_bool_false)
		note_leave(s, a, fails);
	else
		isl_set_free(fails);
}

/* Does the record stay in its row of a linear array, or can the emitted file ask whether it does? */
static bool check_rows(struct stencil *s, const struct c_record *r)
{
	isl_set *fails;
	bool stays;

	if (!r->field->is_split)
		return true;
	fails = leaves(s, r, 1, r->field->n_dims);
	stays = isl_set_is_empty(fails) == isl_bool_true || ask_for_rows(s,
		isl_set_complement(isl_set_copy(fails)));
	isl_set_free(fails);
	return stays || not_served(s, r->at, "it may leave its row of a "
		"linear array", "the bounds of the loops must keep each part "
		"of the subscript within its factor, or all of them must be "
		"variables, which the emitted file can ask for");
}

/* Likewise where its read, "a", leaves an array. */
static bool note_read(void *user, struct c_access *a)
{
	struct search *search = user;
	struct stencil *s = search->s;
	isl_set *fails;

	if (access_is_fixed(s, a) && !a->field->is_sized[0])
		return true;
	fails = isl_set_params(isl_set_subtract(isl_set_intersect(place_domain(s,
		&a->place), sizes_assumed(s, a)), cells_inside(s, a)));
	if (isl_set_is_empty(fails) == isl_bool_false)
		note_leave(s, a, fails);
	else
		isl_set_free(fails);
	return true;
}

/* All ----------------------------------------------------------------------*/

static void note_variables(struct stencil *s, const struct c_expr *e)
{
	for (struct c_param *p = s->params; p; p = p->next)
		if (e->kind == CX_VAR && p->decl == e->decl)
			p->is_beside = true;
	if (e->kind == CX_TEMP)
		note_variables(s, e->temp->value);
	for (int i = 0; i < e->n_args; i++)
		note_variables(s, e->arg[i]);
}

/* The call needs the parameters of what it records itself, and all sizes. */
static void note_beside(struct stencil *s, const struct c_record *r)
{
	isl_set *beside = beside_steps(s, r);

	if (isl_set_is_empty(beside) == isl_bool_false) {
		note_variables(s, r->value);
		for (int d = 0; d < r->field->n_dims; d++)
			note_variables(s, r->sub[d]);
		for (struct c_param *p = s->params; p; p = p->next)
			p->is_beside |= is_integer(p->decl->type);
	}
	isl_set_free(beside);
}

static bool serve(struct stencil *s, struct c_record *r)
{
	struct search search = { s, r };

	if (!is_affine_place(s, &r->place))
		return not_served(s, r->at, "whether it is recorded depends on "
			"data", "record in all cases, and choose the value by "
			"'?:'");
	if (!each_read(r->value, find_own, &search))
		return false;
	if (!r->own)
		return not_served(s, r->at, "its value is none that the loop "
			"computes", "compute it in a region of its own");
	if (!each_read(r->value, check_input, &search) ||
	    !check_loops(s, r) || !find_writer(s, r) || !check_constant(s, r) ||
	    !check_elements(s, r) || !check_rows(s, r))
		return false;
	r->is_whole = is_whole(s, r);
	each_read(r->value, note_read, &search);
	note_outside(s, r);
	note_beside(s, r);
	return true;
}

/* Drop records that are never made. */
static void drop_never(struct stencil *s)
{
	struct c_record **link = &s->recorded.first;

	while (*link) {
		isl_set *domain = is_affine_place(s, &(*link)->place) ?
			place_domain(s, &(*link)->place) : NULL;

		if (domain && isl_set_is_empty(domain) == isl_bool_true)
			*link = (*link)->next;
		else
			link = &(*link)->next;
		isl_set_free(domain);
	}
	for (struct c_field *f = s->fields; f; f = f->next)
		f->is_written &= !f->is_record;
	for (struct c_record *r = s->recorded.first; r; r = r->next)
		r->field->is_written = true;
	note_listed_writes(s);
}

bool serve_records(struct stencil *s)
{
	drop_never(s);
	for (struct c_record *r = s->recorded.first; r; r = r->next)
		if (!serve(s, r))
			return false;
	return true;
}
