/* Strips of register streaming: what a warp loads, computes and stores in each
 * iteration. schedule/strips/strips.c has the schedule.
 *
 * For a state A of depth d, a lane keeps version t0 + v in A_row[v + d - 1];
 * index [u] is the position reached u iterations into a period.  Its cells lie
 * from column "left" on in the last dimension, with neighbours' cells around
 * them.  In three dimensions a position is a plane, [u][r], with the lane's
 * rows from "above" on.
 */
#include <string.h>

#include "codegen/strips/ahead.h"
#include "codegen/strips/clusters.h"

/* Statements ------------------------------------------------------------ */

static const struct kx *lag_of_step(const struct strip *p, int stmt)
{
	return op(p, OP_ADD, op(p, OP_MUL, p->m, integer(p, p->s->lag.step)),
		integer(p, p->s->lag.of[stmt]));
}

/* The conditions of "set", of instances, that all cells of a step share: on time, and on the
 * position in the streamed dimension.
 */
static __isl_give isl_set *steps_of(const struct strip *p,
	__isl_take isl_set *set)
{
	for (int d = 0; d < p->scop->n_dims; d++)
		if (d != p->s->dim.stream)
			set = isl_set_drop_constraints_involving_dims(set,
				isl_dim_set, 1 + (unsigned) d, 1);
	return set;
}

/* What a statement loads besides cells. */
struct loads {
	const struct scop *scop;
	bool always_runs;	/* where a launch has points */
	bool any;		/* that not each lane and step may load */
};

static void note_load(void *user, const struct expr *e)
{
	struct loads *loads = user;

	if (e->kind == EXPR_ELEMENT)
		loads->any |= expr_any(e, expr_is_index) ||
			(!loads->always_runs && scop_misses_unseen(
				loads->scop, e));
}

/* Does the statement find all its reads in registers, except what is the same for all points and
 * there at each step?
 */
static bool reads_registers(const struct strip *p)
{
	const struct stmt *s = p->cursor->stmt->stmt;
	struct loads loads = { p->scop, p->scop->k == 1 && !s->n_conditions,
		false };

	for (int i = 0; i < s->n_reads; i++)
		if (!is_state(s->read[i]->field))
			return false;
	stmt_each_expr(s, note_load, &loads);
	stmt_each_boundary_expr(s, note_load, &loads);
	return !loads.any;
}

/* Are full periods free of points of lists, so that their code ignores lists? */
static bool are_quiet(const struct strip *p)
{
	for (int i = 0; i < program(p)->n_stmts; i++)
		if (stmt_records_all(program(p)->stmt[i]))
			return false;
	return program(p)->n_lists > 0 && p->s->dim.stream == 0 &&
		!p->s->ahead.bulk;
}

/* The lane's cells take their new values, or keep those of the version before;
 * the code selects values in registers without a branch.
 */
static struct ks *compute_cells(const struct strip *p)
{
	const struct scop_stmt *s = p->cursor->stmt;
	const struct field *f = s->stmt->write->field;
	const struct kx *next = strip_cell(p, f, kx_add(p->mem, p->m, 1), 0,
		p->r, p->c);
	const struct kx *now = strip_cell(p, f, p->m, p->s->lag.step, p->r,
		p->c);
	const struct kx *of_step = NULL, *of_cell = NULL;
	struct binding binding = strip_binding(p);
	struct ks *body = ks_block(p->mem), *keep;
	const struct kx *value;

	if (!p->full) {
		isl_set *steps = steps_of(p, isl_set_copy(s->domain));
		isl_set *known = p->steady ? steps_of(p,
			isl_set_copy(s->inside)) : NULL;

		if (!p->steady || s->is_guarded)
			of_step = instance_condition(p->place, steps, known);
		isl_set_free(known);
		of_cell = instance_condition(p->place, s->domain, steps);
		isl_set_free(steps);
	} else if (s->is_guarded) {
		of_cell = instance_condition(p->place, s->domain, s->inside);
	}
	keep = ks_assign(p->mem, next, now);
	declare_locals(p->cursor, &binding, body);
	value = kx_of_expr(&binding, s->stmt->value);
	if (!p->full || !are_quiet(p))
		value = with_lists(p->place, s->stmt, &binding, value,
			strip_is_own(p, lag_of_step(p, s->stmt->index)));
	value = kx_promoted(p->mem, value);
	if (of_cell && !p->full && reads_registers(p)) {
		ks_add(p->mem, body, ks_declare(p->mem, ctype_const(scalar_of(
			next->type)), p->names->value, value));
		value = kx_select(p->mem, of_cell, named(p,
			p->names->value), now);
		of_cell = NULL;
	}
	ks_add(p->mem, body, ks_assign(p->mem, next, value));
	body = strip_over_cells(p, of_cell ? ks_if(p->mem, of_cell, body,
		keep) : body);
	return of_step ? ks_if(p->mem, of_step, body,
		strip_over_cells(p, keep)) : body;
}

/* Statement "i" of step m. */
static struct ks *statement(struct strip *p, int i)
{
	struct ks *scope = ks_scope(p->mem), *body = ks_block(p->mem);
	const struct field *written = p->scop->stmt[i].stmt->write->field;

	p->cursor->stmt = p->full ? &p->s->parts[i].of : &p->scop->stmt[i];
	if (p->scop->k > 1)
		ks_add(p->mem, body, ks_comment(p->mem, "%s", written->name));
	if (p->full)
		strip_load_inputs(p, body);
	if (!stream_is_joined(p->s))
		strip_add_shuffles(p, body);
	strip_compute_parts(p, body);
	ks_add(p->mem, body, compute_cells(p));
	strip_declare_position(p, scope, body, lag_of_step(p, i));
	ks_add(p->mem, scope, body);
	if (!p->full && !p->steady && written->depth > 1)
		strip_store_if_last(p, scope, written, kx_add(p->mem, p->m, 1),
			lag_of_step(p, i));
	return scope;
}

static struct ks *all_steps(struct strip *p)
{
	struct ks *body = ks_block(p->mem);

	if (strip_exchanges(p))
		strip_take_edges(p, body);
	for (int i = 0; i < p->scop->k; i++)
		ks_add(p->mem, body, statement(p, i));
	return strip_over_steps(p, p->begins ? ks_if(p->mem,
		strip_step_begins(p), body, NULL) : body);
}

/* Blocks of a cluster wait for what others leave only when they take it, and leave it before they store,
 * as what they store should not keep the others waiting.
 */
static void compute_and_leave(struct strip *p, struct ks *block)
{
	strip_wait_for_edges(p, block);
	ks_add(p->mem, block, all_steps(p));
	if (stream_is_clustered(p->s))
		strip_leave_edges(p, block);
}

static struct ks *iteration(struct strip *p)
{
	struct ks *block = ks_block(p->mem);

	strip_load_states(p, block);
	if (p->full || p->steady) {
		compute_and_leave(p, block);
		if (!p->begins)
			strip_store_versions(p, block);
	} else {
		strip_store_loaded(p, block);
		compute_and_leave(p, block);
		strip_store_last(p, block);
	}
	if (strip_exchanges(p) && !stream_is_clustered(p->s))
		strip_leave_edges(p, block);
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];
		const char *from = strip_name(p, f, "from");

		if (!is_state(f) && p->s->dim.stream >= 0 &&
		    ks_uses(block, from))
			ks_add(p->mem, block, strip_advance(p, f, from));
	}
	return block;
}

/* The strip ------------------------------------------------------------- */

/* The iterations of a period: full or steady ones, or others. */
static struct ks *period(struct strip *p, bool full, bool steady)
{
	struct ks *block = ks_scope(p->mem), *body = ks_block(p->mem), *turn;

	p->full = full;
	p->steady = steady;
	p->interior = full;
	p->cursor->mapped = !full;
	if (full && p->s->ahead.bulk)
		strip_copy_first_rows(p, body);
	turn = iteration(p);
	ks_add(p->mem, body, p->s->dim.stream < 0 ? turn :
		strip_over_turns(p, turn));
	if (full && p->s->ahead.bulk)
		ks_add(p->mem, body, strip_end_phase(p));
	p->cursor->mapped = false;
	ks_add(p->mem, block, ks_comment(p->mem, full ? "Far from all edges: "
		"cells are computed as the statements say." : p->begins ?
		"Before the first plane that the strip stores: what it needs." :
		steady ? "At a side of the grid: cells that exist." : "At an "
		"end of the grid, or the last steps: rows and cells that "
		"exist."));
	strip_find_pointers(p, block, body);
	p->steady = false;
	ks_add(p->mem, block, body);
	return block;
}

/* Do steady periods differ from others? */
static bool has_steady_periods(const struct strip *p)
{
	for (int d = 0; d < p->scop->n_dims; d++)
		if (strip_goes_around(p, d))
			return false;
	return p->s->dim.stream >= 0;
}

/* Full periods where they are "interior", others with guards. */
static struct ks *full_or_not(struct strip *p, const struct kx *interior)
{
	struct ks *full = p->separated ? period(p, true, false) : NULL;
	struct ks *other = ks_block(p->mem), *either;

	if (full && strip_keeps_pointers(p))
		strip_stop_pointers(p, other);
	ks_add(p->mem, other, full && has_steady_periods(p) ?
		ks_if(p->mem, strip_period_is_steady(p),
			period(p, false, true), period(p, false, false)) :
		period(p, false, false));
	if (!full)
		return other;
	either = ks_if(p->mem, interior, full, other);
	either->full_at = strip_place_of_period(p);
	return either;
}

/* How many iterations later the last statement comes that lists follow. */
static int largest_lag_of_lists(const struct strip *p)
{
	const struct program *prog = program(p);
	int largest = 0;

	for (int i = 0; i < prog->n_stmts; i++) {
		const int lag = stream_lag(p->s, p->s->b - 1, i);

		if (prog->stmt[i]->n_listed > 0 && lag > largest)
			largest = lag;
	}
	return largest;
}

/* "condition", and: no point of a list lies in what the period computes. */
static const struct kx *and_is_quiet(const struct strip *p,
	const struct kx *condition)
{
	const struct stream *s = p->s;
	const struct kx *i = op(p, OP_ADD, named(p,
		p->names->origin[s->dim.stream]), p->n);
	const struct kx *j = kx_add(p->mem, named(p,
		p->names->origin[s->dim.lane]), -s->before[s->dim.lane]);
	const struct kx *lane = op(p, OP_MOD, named(p,
		p->names->lanes.thread[0]), integer(p, s->warp));
	const struct kx *const box[] = {
		kx_add(p->mem, i, -largest_lag_of_lists(p)),
		kx_add(p->mem, i, s->period - 1), j,
		kx_add(p->mem, j, s->lanes * s->cells - 1), lane };

	return kx_and(p->mem, condition, has_no_points(p->place, s->warp, box));
}

/* The last iteration that stores a position of a grid. */
static const struct kx *last_iteration(const struct strip *p)
{
	const struct stream *s = p->s;
	const struct kx *size = kx_add(p->mem, edge_of_plan(p->mem,
		p->place->plan, s->dim.stream, true), 1);

	return kx_min(p->mem, strip_length(p, s->walk.last - s->length), kx_add(p->mem,
		op(p, OP_SUB, size, named(p, p->names->origin[s->dim.stream])),
		s->walk.last - s->length));
}

/* "body" for the iterations from "first" on for which "goes_on" holds, in periods. */
static struct ks *over_iterations(const struct strip *p, const struct kx *first,
	const struct kx *goes_on, struct ks *body)
{
	struct ks *loop = ks_for(p->mem, p->names->strips.iteration, first,
		goes_on, integer(p, p->s->period), body);

	loop->unroll_by = 1;
	return loop;
}

/* The periods that store nothing, where all positions are there: steps whose values nobody needs are
 * left out, so that such periods take half as long as others.
 */
static void add_first_periods(struct strip *p, struct ks *block)
{
	const struct stream *s = p->s;
	struct ks *body = ks_block(p->mem);

	p->begins = true;
	strip_compute_of_period(p, body);
	ks_add(p->mem, body, period(p, false, true));
	p->begins = false;
	ks_add(p->mem, block, ks_declare(p->mem, ctype_const(CT_BOOL),
		p->names->strips.begins_inside, strip_begins_inside(p)));
	ks_add(p->mem, block, ks_if(p->mem, named(p,
		p->names->strips.begins_inside), over_iterations(p, integer(p,
			s->walk.first), op(p, OP_LT, p->n, integer(p,
				s->walk.begin)), body), NULL));
}

static struct ks *all_iterations(struct strip *p)
{
	const struct kernel_names *names = p->names;
	const struct stream *s = p->s;
	struct ks *body = ks_block(p->mem), *block = ks_block(p->mem);
	const struct kx *interior = named(p, names->strips.interior), *now;
	const struct kx *first = integer(p, s->walk.first);

	if (s->dim.stream < 0)
		return full_or_not(p, interior);
	if (p->separated && stream_begins_late(s, p->scop)) {
		add_first_periods(p, block);
		first = kx_select(p->mem, named(p,
			names->strips.begins_inside), integer(p,
				s->walk.begin), first);
	}
	now = p->separated ? strip_period_is_interior(p, 0) : NULL;
	now = kx_and(p->mem, interior, now);
	strip_compute_of_period(p, body);
	ks_add(p->mem, body, full_or_not(p, now && are_quiet(p) ?
		and_is_quiet(p, now) : now));
	if (strip_keeps_pointers(p))
		strip_declare_kept_pointers(p, block, body);
	ks_add(p->mem, block, over_iterations(p, first, op(p, OP_LE, p->n,
		named(p, names->strips.last_iteration)), body));
	return block;
}

static void declare_rows(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];
		int extent[4], n;
		struct ks *array;

		if (!is_state(f))
			continue;
		n = stream_rows_extents(p->s, f, extent);
		array = ks_add(p->mem, block, ks_array(p->mem,
			ctype_of(type_promoted(f->type)), strip_row_name(p, f),
			n, extent, false, -1));
		array->is_zeroed = true;
		strip_declare_next(p, block, f);
	}
}

/* { lane : the strip stores its cells } */
static const struct kx *lane_stores(const struct strip *p)
{
	const struct stream *s = p->s;
	const int d = s->dim.lane;
	const struct kx *lane = named(p, p->names->lanes.thread[0]);
	const struct kx *n = threads_along(p->mem, p->place->plan, p->names, 0);

	if (plan_has_rim(p->place->plan, d))
		return strip_is_stored(p, d, named(p,
			p->names->lanes.first_column));
	return kx_and(p->mem, op(p, OP_GE, lane, integer(p, s->before[d] /
		s->cells)), op(p, OP_LT, lane, kx_add(p->mem, n,
			-s->after[d] / s->cells)));
}

static void declare_lane(const struct strip *p, struct ks *block,
	const struct ks *user)
{
	const struct kernel_names *names = p->names;
	const struct stream *s = p->s;
	const struct kx *lane = named(p, names->lanes.thread[0]);

	declare_if_used(p->mem, block, user, names->lanes.first_column,
		kx_add(p->mem, op(p, OP_ADD, named(p,
		names->origin[s->dim.lane]), op(p, OP_MUL, integer(p, s->cells),
		lane)), -s->before[s->dim.lane]));
	if (s->dim.row >= 0)
		declare_if_used(p->mem, block, user, names->lanes.first_row,
			kx_add(p->mem, op(p, OP_ADD,
				named(p, names->origin[s->dim.row]),
				op(p, OP_MUL, integer(p, s->rows),
					named(p, stream_is_clustered(s) ?
						names->lanes.warp :
						names->lanes.thread[1]))),
				-s->before[s->dim.row]));
	if (ks_uses(user, names->lanes.inside)) {
		ks_add(p->mem, block, ks_declare(p->mem, ctype_const(CT_BOOL),
			names->lanes.inside, strip_lane_is_inside(p)));
		ks_add(p->mem, block, ks_declare(p->mem, ctype_const(CT_BOOL),
			names->lanes.touches, strip_lane_touches(p)));
	}
	for (int d = 0; d < p->place->plan->n_dims; d++)
		if (plan_has_rim(p->place->plan, d))
			strip_declare_stored(p, block, d);
	ks_add(p->mem, block, ks_declare(p->mem, ctype_const(CT_BOOL),
		names->lanes.stores, lane_stores(p)));
}

/* The warps, or lanes, to take from; the first and last have no neighbour, and
 * the strip does not store what they then compute.
 */
static void declare_neighbours(const struct strip *p, struct ks *block,
	const struct ks *user, int axis, const char *before, const char *after)
{
	const struct kx *me = named(p, p->names->lanes.thread[axis]);
	const struct kx *n = threads_along(p->mem, p->place->plan, p->names,
		axis);

	declare_if_used(p->mem, block, user, before, kx_max(p->mem,
		kx_add(p->mem, me, -1), integer(p, 0)));
	declare_if_used(p->mem, block, user, after, kx_min(p->mem,
		kx_add(p->mem, me, 1), kx_add(p->mem, n, -1)));
}

static void declare_all_neighbours(const struct strip *p, struct ks *block,
	const struct ks *user)
{
	const struct kernel_names *names = p->names;

	if (!stream_is_clustered(p->s))
		declare_neighbours(p, block, user, 1, names->lanes.warp_above,
			names->lanes.warp_below);
	declare_neighbours(p, block, user, 0, names->lanes.lane_before,
		names->lanes.lane_after);
}

/* "condition", the same for all lanes and known to be so: registers that one
 * way needs are then free along the other.
 */
static const struct kx *of_all_lanes(const struct strip *p,
	const struct kx *condition)
{
	return kx_builtin(p->mem, B_ALL_LANES, 1, condition);
}

static struct ks *strip_body(struct strip *p)
{
	struct ks *block = ks_block(p->mem), *first = ks_block(p->mem), *loop;
	const struct names_of_strips *names = &p->names->strips;

	strip_leave_first_edges(p, first);
	loop = all_iterations(p);
	if (p->separated)
		ks_add(p->mem, block, ks_declare(p->mem, ctype_const(CT_BOOL),
			names->interior,
			of_all_lanes(p, strip_is_interior(p))));
	declare_rows(p, block);
	strip_declare_parts(p, block);
	strip_compute_once(p, block);
	declare_if_used(p->mem, block, loop, names->last_version,
		kx_min(p->mem, integer(p, p->s->b), op(p,
			OP_SUB, kx_of_pw_aff(p->mem, scop_steps(p->scop),
			isl_set_copy(p->scop->context)),
			named(p, p->names->t0))));
	if (p->s->dim.stream >= 0)
		ks_add(p->mem, block, ks_declare(p->mem, ctype_const(CT_INT),
			names->last_iteration, last_iteration(p)));
	if (ks_uses(loop, names->copied))
		ks_add(p->mem, block, ks_declare(p->mem, ctype(CT_BOOL),
			names->copied, named(p, "false")));
	ks_add(p->mem, block, ks_simple(p->mem, KS_BLANK));
	ks_add(p->mem, block, first);
	if (p->s->ahead.rows > 0)
		ks_add(p->mem, block, strip_load_first_rows(p));
	ks_add(p->mem, block, loop);
	strip_wait_for_edges(p, block);
	if (stream_copies_cells(p->s))
		ks_add(p->mem, block, strip_end_copies(p));
	return block;
}

struct ks *stream_strip(struct cursor *c, const struct kx *full)
{
	struct strip p = strip_of(c->place);
	struct ks *block = ks_block(c->mem), *body;

	p.cursor = c;
	p.separated = full;
	p.one_grid = stream_has_one_grid(p.s, p.scop);
	p.n = named(&p, p.names->strips.iteration);
	p.u = p.s->dim.stream < 0 ? integer(&p, 0) :
		named(&p, p.names->strips.turn);
	p.m = c->m = named(&p, p.names->step);
	p.c = named(&p, p.names->lanes.column);
	p.r = p.s->dim.row < 0 ? integer(&p, 0) :
		named(&p, p.names->lanes.row);
	body = strip_body(&p);
	if (p.s->first > p.s->length)
		ks_add(c->mem, block, ks_declare(c->mem,
			ctype_const(CT_INT), p.names->strips.length,
			kx_select(c->mem, stream_is_behind(c->place),
				integer(&p, p.s->length),
				integer(&p, p.s->first))));
	declare_lane(&p, block, body);
	declare_all_neighbours(&p, block, body);
	ks_add(c->mem, block, body);
	return block;
}

void stream_begin(const struct place *place, struct ks *block,
	const struct ks *strips)
{
	struct strip p = strip_of(place);

	strip_begin_arrivals(&p, block, strips);
	strip_declare_cluster(&p, block);
}

static void describe_rims(struct text *t, const struct stream *s)
{
	const struct rim *rows, *columns = &s->rim[s->dim.lane];

	if (s->dim.row < 0)
		return;
	rows = &s->rim[s->dim.row];
	if (rows->low + rows->high + columns->low + columns->high > 0)
		text_printf(t, "At a side of the grid it stores what others "
			"only read, too: %d and %d columns, %d and %d rows.\n",
			columns->low, columns->high, rows->low, rows->high);
}

void stream_describe(struct text *t, const struct place *place, int index)
{
	const struct stream *s = place->plan->strips;

	(void) index;
	text_printf(t, "%s a strip %d steps on: %d columns, %d to a lane, of "
		"which %d are stored.\n", stream_is_joined(s) ?
		"The warps of a block take" : "A warp takes", s->b,
		s->lanes * s->cells, s->cells, s->width);
	describe_rims(t, s);
	for (int i = 0; i < place->scop->prog->n_fields; i++) {
		const struct field *f = place->scop->prog->field[i];

		if (f->kind != FIELD_STATE)
			continue;
		text_printf(t, "%s_row[v]%s[c] is version %s + v", f->name,
			s->dim.stream < 0 ? "[0]" : "[u]", place->names->t0);
		if (f->depth > 1)
			text_printf(t, " - %d", f->depth - 1);
		text_printf(t, " of %s", f->name);
		if (s->dim.stream >= 0)
			text_printf(t, " in the row that iteration n + u came "
				"to");
		text_puts(t, ", column c");
		if (s->beside.left[i] > 0)
			text_printf(t, " - %d", s->beside.left[i]);
		text_puts(t, " of the lane.\n");
	}
	strip_describe_cluster(t, place);
	strip_describe_edges(t, place);
	strip_describe_parts(t, place);
	strip_describe_kept(t, place);
	if (s->ahead.used)
		strip_describe_ahead(t, place);
	else if (s->ahead.rows > 0)
		strip_describe_next(t, place);
}
