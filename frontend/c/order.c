/* Which value each read sees, by the order in which C executes statements; and
 * whether that order is a stencil's: one nest after the other, and all reads of
 * a statement before its writes.
 */
#include "frontend/c/assumed.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"
#include "frontend/c/reach.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/space.h>

/* Order of execution -------------------------------------------------------*/

static const struct c_loop *loop_at(const struct c_place *place, int depth)
{
	const struct c_loop *loop = place->loop;

	while (loop && loop->depth > depth)
		loop = loop->outer;
	return loop && loop->depth == depth ? loop : NULL;
}

/* How many loops surround both? */
static int common_loops(const struct c_place *a, const struct c_place *b)
{
	int n = 0;

	while (loop_at(a, n + 1) && loop_at(a, n + 1) == loop_at(b, n + 1))
		n++;
	return n;
}

/* in[dim] = out[dim] for 0 <= dim < n */
static __isl_give isl_map *equal_dims(__isl_take isl_map *map, int n)
{
	for (int i = 0; i < n; i++)
		map = isl_map_equate(map, isl_dim_in, i, isl_dim_out, i);
	return map;
}

__isl_give isl_map *executed_before(__isl_keep isl_map *pairs,
	const struct c_place *a, const struct c_place *b)
{
	int n = common_loops(a, b);
	isl_map *before = isl_map_empty(isl_map_get_space(pairs));

	for (int i = 1; i <= n; i++) {
		isl_map *carried = equal_dims(isl_map_copy(pairs), i);

		carried = loop_at(a, i)->down ?
			isl_map_order_lt(carried, isl_dim_in, i,
				isl_dim_out, i) :
			isl_map_order_gt(carried, isl_dim_in, i,
				isl_dim_out, i);
		before = isl_map_union(before, carried);
	}
	if (b->order < a->order)
		before = isl_map_union(before,
			equal_dims(isl_map_copy(pairs), n + 1));
	return before;
}

static bool is_constant(const struct stencil *s, const struct c_access *a,
	int d)
{
	return !loop_of(a->place.loop, &a->sub[d]) && !a->around[d] &&
		!a->field->ghosts && !poly_uses(&a->sub[d], s->round);
}

/* Do "a" and "b" differ in a constant subscript, as f[i][0] and f[j][1]? */
static bool never_meet(const struct stencil *s, const struct c_access *a,
	const struct c_access *b)
{
	for (int d = 0; d < a->n_subs; d++) {
		struct poly distance = a->sub[d];
		int64_t apart;

		if (is_constant(s, a, d) && is_constant(s, b, d) &&
		    poly_add(&distance, &b->sub[d], -1) &&
		    poly_is_constant(&distance, &apart) && apart)
			return true;
	}
	return false;
}

__isl_give isl_map *touch_same(struct stencil *s, const struct c_access *a,
	const struct c_access *b)
{
	isl_map *pairs = isl_map_apply_range(access_cells(s, a),
		isl_map_reverse(access_cells(s, b)));

	return equal_dims(pairs, 1);
}

bool holds_some(__isl_take isl_map *map)
{
	bool some = isl_map_is_empty(map) == isl_bool_false;

	isl_map_free(map);
	return some;
}

/* Reads --------------------------------------------------------------------*/

struct reading {
	struct stencil *s;
	struct c_update *update;
};

bool reads_in_sweep(struct stencil *s, const struct c_update *u,
	const struct c_access *a)
{
	isl_map *pairs = touch_same(s, a, u->write);
	isl_map *cells = access_cells(s, u->write);
	bool earlier;

	pairs = isl_map_apply_domain(pairs, isl_map_copy(cells));
	pairs = isl_map_apply_range(pairs, cells);
	earlier = isl_map_is_subset(pairs, isl_map_lex_gt(isl_space_domain(
		isl_map_get_space(pairs)))) == isl_bool_true;
	isl_map_free(pairs);
	return earlier && !u->is_joined;
}

/* A loop that runs downwards from what "w" writes to what "a" reads of it; NULL: there is none. */
static const struct c_loop *loop_down(const struct c_access *a,
	const struct c_access *w)
{
	for (const struct c_loop *l = a->place.loop; l; l = l->outer)
		for (int d = 0; d < a->n_subs && l->down; d++) {
			struct poly distance = a->sub[d];
			int64_t n;

			if (poly_uses(&a->sub[d], l->decl) &&
			    poly_add(&distance, &w->sub[d], -1) &&
			    poly_is_constant(&distance, &n) && n > 0)
				return l;
		}
	return NULL;
}

static void advise_carried(struct stencil *s, const struct c_access *a,
	const struct c_access *w)
{
	const struct c_loop *down = loop_down(a, w);

	if (down)
		diag_advice(s->diags, "the loop over '%s' is a recurrence that "
			"runs downwards, as the second half of a tridiagonal "
			"solver is; the emitted file stores this dimension the "
			"other way round where there is a loop over time, no "
			"sweep of the step runs upwards in it, and nothing is "
			"recorded: else keep the loop out of the region", down->decl->name);
	else
		diag_advice(s->diags, "write to another array and copy it "
			"back, or to the other copy of two: then it is "
			"another method, as Jacobi's is another than Gauss "
			"and Seidel's, and computes other values; a sweep in "
			"place goes upwards, in the order of the subscripts");
}

static bool refuse_carried(struct stencil *s, const struct c_update *u,
	const struct c_access *a, const struct c_update *w)
{
	if (u == w) {
		refuse(s, E_GAUSS_SEIDEL, a->at, "'%s' may be what an "
			"iteration before has just written here: such a loop "
			"cannot run in parallel", c_quote(s, a->at));
		diag_note(s->diags, w->at, "it is written here");
		advise_carried(s, a, w->write);
		return false;
	}
	refuse(s, E_C_CARRIED, a->at, "'%s' is what an iteration before "
		"computes in a later statement: such a loop cannot run in "
		"parallel", c_quote(s, a->at));
	diag_note(s->diags, w->at, "it is written here");
	return false;
}

/* { [round, v1, ..] } where the step has written what "a" reads, whatever data say */
static __isl_give isl_set *where_written(struct stencil *s,
	const struct c_access *a)
{
	isl_map *cells = access_cells(s, a);
	isl_set *all = isl_set_empty(isl_space_domain(isl_map_get_space(
		cells)));

	isl_map_free(cells);
	for (const struct c_update *w = s->updates; w; w = w->next) {
		isl_map *pairs;

		if (w->write->field != a->field || w->asked)
			continue;
		pairs = touch_same(s, a, w->write);
		all = isl_set_union(all, isl_map_domain(executed_before(pairs,
			&a->place, &w->place)));
		isl_map_free(pairs);
	}
	return all;
}

/* The statement that writes what "a" reads where it does so, and the step has not written that, for "params"; NULL:
 * there is none.
 */
static const struct c_update *see_old(struct stencil *s,
	const struct c_access *a, isl_set **params)
{
	isl_set *written = where_written(s, a);
	const struct c_update *old = NULL;

	*params = isl_set_params(isl_set_empty(isl_set_get_space(written)));

	for (const struct c_update *w = s->updates; w; w = w->next) {
		isl_map *pairs;

		if (w->write->field != a->field || never_meet(s, a, w->write))
			continue;
		pairs = touch_same(s, a, w->write);
		pairs = isl_map_subtract(pairs, executed_before(pairs,
			&a->place, &w->place));
		pairs = isl_map_subtract_domain(pairs, isl_set_copy(written));
		if (isl_map_is_empty(pairs) == isl_bool_false)
			old = w;
		*params = isl_set_union(*params, isl_map_params(pairs));
	}
	isl_set_free(written);
	return old;
}

struct c_seen see_writes(struct stencil *s, const struct c_access *a)
{
	struct c_seen seen = { 0 };

	for (const struct c_update *w = s->updates; w; w = w->next) {
		isl_map *pairs, *before;
		bool is_new;

		if (w->write->field != a->field || never_meet(s, a, w->write))
			continue;
		pairs = touch_same(s, a, w->write);
		before = executed_before(pairs, &a->place, &w->place);
		is_new = isl_map_is_empty(before) == isl_bool_false;
		if (holds_some(isl_map_subtract(pairs, before)))
			seen.old = w;
		if (!is_new)
			continue;
		seen.new = w;
		if (!seen.carried && w->place.order >= a->place.order)
			seen.carried = w;
	}
	if (seen.old && seen.new) {
		isl_set *params;

		seen.old = see_old(s, a, &params);
		isl_set_free(params);
	}
	return seen;
}

/* Does "a" see cells that are computed and cells that are not in small grids alone, as u[1] beside a later u[n-1]?
 * The emitted file asks for others.
 */
static bool sees_both_in_small_grids(struct stencil *s, const struct c_access *a)
{
	isl_set *params;
	bool has = see_old(s, a, &params) != NULL;

	if (has)
		return assume_beyond(s, params);
	isl_set_free(params);
	return false;
}

/* For an array that each step declares anew: does "a" read only what the step has written? */
static bool check_given(struct stencil *s, const struct c_access *a)
{
	isl_set *left = isl_map_domain(access_cells(s, a));
	bool given;

	for (const struct c_update *w = s->updates; w; w = w->next) {
		isl_map *pairs;

		if (w->write->field != a->field || w->asked)
			continue;
		pairs = touch_same(s, a, w->write);
		left = isl_set_subtract(left, isl_map_domain(executed_before(
			pairs, &a->place, &w->place)));
		isl_map_free(pairs);
	}
	given = isl_set_is_empty(left) == isl_bool_true;
	isl_set_free(left);
	if (given)
		return true;
	refuse(s, E_C_CONSTRUCT, a->at, "'%s' may be read before it has a "
		"value", c_quote(s, a->at));
	diag_note(s->diags, a->field->decl->at, "'%s' is declared here, "
		"without values", a->field->decl->name);
	diag_advice(s->diags, "let loops that no data decides about write all "
		"that is read, before it is read");
	return false;
}

/* Which value of the cells of "a" does "u" read? */
static bool find_version(void *user, struct c_access *a)
{
	struct reading *r = user;
	struct stencil *s = r->s;
	struct c_seen seen;

	if (a->is_seen)
		return true;
	seen = see_writes(s, a);
	a->is_seen = true;
	if (seen.old == r->update && changes_element(r->update, a))
		seen.old = NULL;
	if (seen.carried == r->update && !seen.old &&
	    reads_in_sweep(s, r->update, a))
		r->update->sweeps = true;
	else if (seen.carried)
		return refuse_carried(s, r->update, a, seen.carried);
	a->version = seen.new != NULL;
	a->computed_by = seen.new;
	if (a->field->local && a->field->local->phase >= 0 &&
	    !check_given(s, a))
		return false;
	if (!seen.old || !seen.new || sees_both_in_small_grids(s, a))
		return true;
	refuse(s, E_C_CARRIED, a->at, "'%s' reads cells that are computed "
		"already and cells that are not", c_quote(s, a->at));
	diag_note(s->diags, seen.new->at, "some are computed here");
	diag_note(s->diags, seen.old->at, "others here, later");
	diag_advice(s->diags, "an edge may be set before the nest if what it is "
		"made of stays until then; else set it behind the nest, or "
		"compute one array from another");
	return false;
}

/* A sweep's read of its array at earlier points that nothing writes also finds this step's
 * value.
 */
static bool settle_kept(void *user, struct c_access *a)
{
	const struct reading *r = user;
	struct c_seen seen;
	isl_map *cells;

	if (a->field != r->update->write->field || a->version != 0)
		return true;
	seen = see_writes(r->s, a);
	cells = isl_map_apply_range(isl_map_reverse(access_cells(r->s,
		r->update->write)), access_cells(r->s, a));
	if (!seen.old && !seen.new && isl_map_is_subset(cells, isl_map_lex_gt(
	    isl_space_domain(isl_map_get_space(cells)))) == isl_bool_true)
		a->version = 1;
	isl_map_free(cells);
	return true;
}

static bool refuse_in_each_phase(struct stencil *s, const struct c_update *u)
{
	const char *name = u->write->field->decl->name;

	refuse(s, E_NOT_YET, u->at, "'%s' is written in more than one of the "
		"%d steps after which all arrays are back in their roles: "
		"that is not implemented", c_quote(s, u->at), s->n_phases);
	diag_advice(s->diags, "give '%s' a copy for each of these steps, as "
		"in '%s[%s %% %d]', or compute it in a region of its own",
		name, name, s->time->name, s->n_phases);
	return false;
}

/* Where data decides about "w" or "u", or u changes what w computes, does u come last in each cell that
 * both write?  Then its value counts.
 */
static bool overrides(struct stencil *s, const struct c_update *u,
	const struct c_update *w)
{
	isl_map *pairs, *before;
	bool last;

	if (!u->asked && !w->asked && !u->changes)
		return false;
	pairs = touch_same(s, u->write, w->write);
	before = executed_before(pairs, &u->place, &w->place);
	last = isl_map_is_subset(pairs, before) == isl_bool_true;
	isl_map_free(pairs);
	isl_map_free(before);
	return last;
}

/* Does "u" go through the array the other way than "w" does? */
static bool runs_back(const struct c_update *w, const struct c_update *u)
{
	for (int d = 0; d < u->write->n_subs; d++) {
		const struct c_loop *a = loop_of(w->place.loop, &w->write->sub[d]);
		const struct c_loop *b = loop_of(u->place.loop, &u->write->sub[d]);

		if (a && b && a->down != b->down)
			return true;
	}
	return false;
}

/* Two statements write the same elements for some parameters, as layers at two ends of a small grid: can the
 * emitted file ask for others?
 */
static bool ask_for_apart(struct stencil *s, const struct c_update *u,
	const struct c_update *w)
{
	isl_set *both = isl_set_intersect(isl_set_params(place_domain(s,
		&u->place)), isl_set_params(place_domain(s, &w->place)));
	isl_set *meet = isl_set_params(isl_map_domain(touch_same(s, u->write,
		w->write)));
	isl_set *apart = isl_set_subtract(isl_set_copy(both), meet);

	if (isl_set_is_empty(apart) != isl_bool_false) {
		isl_set_free(apart);
		isl_set_free(both);
		return false;
	}
	return ask_and_assume(s, apart, both);
}

static bool check_written_once(struct stencil *s, struct c_update *u)
{
	for (struct c_update *w = s->updates; w != u; w = w->next) {
		if (w->write->field != u->write->field ||
		    never_meet(s, u->write, w->write) || !holds_some(touch_same(s, u->write, w->write)))
			continue;
		if (w->place.phase != u->place.phase)
			return refuse_in_each_phase(s, w);
		if (overrides(s, u, w)) {
			u->is_joined |= !u->changes;
			w->is_joined |= !u->changes;
			continue;
		}
		if (ask_for_apart(s, u, w))
			continue;
		refuse(s, E_WRITTEN_TWICE, u->at, "'%s' is written twice in a "
			"step", c_quote(s, u->at));
		diag_note(s->diags, w->at, "it is first written here");
		diag_advice(s->diags, runs_back(w, u) ? "a step sweeps an "
			"array in one direction, upwards or downwards: make "
			"each of the two sweeps a region of its own, or keep "
			"them out of it" : "write to another array first, or "
			"a scalar");
		return false;
	}
	return true;
}

bool find_versions(struct stencil *s)
{
	for (struct c_update *u = s->updates; u; u = u->next)
		if (!check_written_once(s, u))
			return false;
	for (struct c_update *u = s->updates; u; u = u->next) {
		struct reading r = { s, u };

		if (!update_reads(u, find_version, &r) || (u->sweeps &&
		    !update_reads(u, settle_kept, &r)))
			return false;
	}
	return check_complete(s);
}

/* Bounds -------------------------------------------------------------------*/

struct bounds {
	struct stencil *s;
	isl_set *left;		/* { params : an access so far leaves its
				 * array } */
	isl_set *stays;		/* NULL, or { params : all stay in their rows of
				 * linear arrays }, .. */
	const struct c_access *asks;	/* .. this one among others */
	struct c_reach *reach;		/* of the accesses so far */
};

/* Let the call decide, which knows the parameters, unless it already does so
 * for another access, for all of "fails".
 */
static void leave_to_call(struct bounds *b, const struct c_access *a,
	__isl_keep isl_set *fails)
{
	if (b->left && isl_set_is_subset(fails, b->left) == isl_bool_true)
		return;
	note_leave(b->s, a, isl_set_copy(fails));
	b->left = b->left ? isl_set_union(b->left, isl_set_copy(fails)) :
		isl_set_copy(fails);
}

/* Let the emitted file test whether "a" stays in its row where it is executed, in "runs". */
static void ask_for_row(struct bounds *b, const struct c_access *a,
	__isl_keep isl_set *fails, __isl_keep isl_set *runs)
{
	isl_set *stays = isl_set_gist(isl_set_complement(isl_set_copy(fails)),
		isl_set_copy(runs));

	if (!b->asks)
		b->asks = a;
	b->stays = b->stays ? isl_set_intersect(b->stays, stays) : stays;
}

static bool refuse_row(struct stencil *s, const struct c_access *a)
{
	refuse(s, E_C_OUTSIDE, a->at, "'%s' may leave its row of '%s'",
		c_quote(s, a->at), a->field->decl->name);
	diag_advice(s->diags, "the bounds of the loops must keep each part of "
		"the subscript within its factor, or all of them must be "
		"variables, which the emitted file can ask for");
	return false;
}

/* Does "a" leave its array whenever it is executed?  A split access would reach the next row
 * for some parameters: test for these.
 */
static bool check_access(void *user, struct c_access *a)
{
	struct bounds *b = user;
	struct stencil *s = b->s;
	isl_set *domain, *runs, *fails;
	bool always, ever;

	if (a->is_checked || (access_is_fixed(s, a) && !a->field->is_sized[0]))
		return true;
	a->is_checked = true;
	if (is_within_reach(s, &b->reach, a))
		return true;
	domain = isl_set_intersect(place_domain(s, &a->place),
		sizes_assumed(s, a));
	fails = isl_set_params(isl_set_subtract(isl_set_copy(domain),
		cells_inside(s, a)));
	runs = isl_set_params(domain);
	always = isl_set_is_subset(runs, fails) == isl_bool_true &&
		isl_set_is_empty(runs) == isl_bool_false;
	ever = isl_set_is_empty(fails) == isl_bool_false;
	if (!always && ever && a->field->is_split)
		ask_for_row(b, a, fails, runs);
	else if (!always && ever)
		leave_to_call(b, a, fails);
	isl_set_free(runs);
	isl_set_free(fails);
	return !always || refuse(s, E_C_OUTSIDE, a->at, "'%s' leaves the "
		"array '%s'", c_quote(s, a->at), a->field->decl->name);
}

bool check_inside(struct stencil *s)
{
	struct bounds b = { .s = s };
	bool inside = true;

	for (const struct c_update *u = s->updates; u && inside; u = u->next)
		inside = update_reads(u, check_access, &b) &&
			check_access(&b, u->write);
	isl_set_free(b.left);
	if (inside && b.asks)
		return ask_for_rows(s, b.stays) || refuse_row(s, b.asks);
	isl_set_free(b.stays);
	return inside;
}

bool check_results(struct stencil *s)
{
	for (struct c_result *r = s->until.results; r; r = r->next) {
		struct reading reading = { s, r->of };
		struct bounds b = { .s = s };
		bool fine;

		if (!is_affine_place(s, &r->of->place))
			return refuse(s, E_C_CONSTRUCT, r->of->at, "whether "
				"this counts depends on data");
		fine = update_reads(r->of, find_version, &reading) &&
			update_reads(r->of, check_access, &b);
		isl_set_free(b.left);
		if (fine && b.asks)
			return refuse_row(s, b.asks);
		isl_set_free(b.stays);
		if (!fine)
			return false;
	}
	return true;
}

/* Is "e" a condition that indices decide in part? */
static bool is_decisive(struct stencil *s, const struct c_place *place,
	const struct c_expr *e)
{
	bool joins = (e->kind == CX_BINARY && (e->op == OP_AND ||
		e->op == OP_OR)) || (e->kind == CX_UNARY && e->op == OP_NOT);

	if (is_affine_condition(s, place, e))
		return true;
	for (int i = 0; joins && i < e->n_args; i++)
		if (is_decisive(s, place, e->arg[i]))
			return true;
	return false;
}

/* Do indices decide what "e" reads? */
static bool chooses_reads(struct stencil *s, const struct c_place *place,
	const struct c_expr *e)
{
	if (e->kind == CX_TEMP)
		return chooses_reads(s, place, e->temp->value);
	if (e->kind == CX_SELECT && is_decisive(s, place, e->arg[0]))
		return true;
	if (e->kind == CX_BINARY && (e->op == OP_AND || e->op == OP_OR) &&
	    is_decisive(s, place, e))
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (chooses_reads(s, place, e->arg[i]))
			return true;
	return false;
}

struct interior {
	struct stencil *s;
	const struct c_update *update;
	isl_set *set;
};

static bool narrow(void *user, struct c_access *a)
{
	struct interior *i = user;

	if (access_is_fixed(i->s, a))
		return true;
	i->set = isl_set_intersect(i->set, within_loops(
		cells_meant(i->s, a), &i->update->place));
	return true;
}

/* Where what "u" touches is in its array; "always": that reads whatever values choose. */
static isl_set *interior_of(struct stencil *s, const struct c_update *u,
	bool always)
{
	struct interior i = { s, u, cells_inside(s, u->write) };

	if (always)
		update_reads_always(u, narrow, &i);
	else
		update_reads(u, narrow, &i);
	return isl_set_intersect(isl_set_intersect(i.set,
		place_rounds(s, &u->place)), ends_assumed(s, &u->place));
}

static bool count_read(void *user, struct c_access *a)
{
	int *n = user;

	(void) a;
	++*n;
	return true;
}

/* Do values choose what "u" reads? */
static bool values_choose(const struct c_update *u)
{
	int all = 0, always = 0;

	update_reads(u, count_read, &all);
	update_reads_always(u, count_read, &always);
	return always < all;
}

bool covers_interior(struct stencil *s, const struct c_update *u)
{
	const int n_kinds = values_choose(u) ? 2 : 1;
	isl_set *domain;
	bool equal = true;

	if (u->is_joined || chooses_reads(s, &u->place, u->value) ||
	    (u->asked && chooses_reads(s, &u->place, u->asked)))
		return false;
	domain = isl_set_intersect(place_domain(s, &u->place),
		ends_assumed(s, &u->place));
	for (int always = 0; always < n_kinds && equal; always++) {
		isl_set *interior = interior_of(s, u, always);

		equal = isl_set_is_equal(domain, interior) == isl_bool_true;
		isl_set_free(interior);
	}
	isl_set_free(domain);
	return equal;
}
