/* The strategy stream: register streaming, overlapped in time.
 *
 * A launch advances all states by b steps.  A warp holds 32*v cells of the last
 * dimension, v for each lane, and walks along the first; in three dimensions a
 * lane has y rows of the second.  Of each version t0 .. t0 + b a lane keeps in
 * registers the positions that are still read; neighbours along the warp
 * shuffle.  The computed part shrinks by what a step reads, so that a strip
 * stores only the inner ones of its columns, and rows.
 *
 * In three dimensions the warps of a block lie side by side in the second, and
 * leave their outer rows for each other in shared memory, with one barrier an
 * iteration.  A row of another warp arrives the iteration after it was
 * computed.  In two dimensions warps may be joined to one strip, side by side
 * in the last dimension: all lanes then leave their outer cells for each other
 * in the same way.
 *
 * At iteration n statement i of local step m computes position
 *
 *	n - lag(m, i), lag(m, i) = m*lag.step + lag.of[i]
 *
 * of the streamed dimension; a version v <= t0 of a field that statement p
 * writes is loaded as if p computed it: at position n - lag(v - 1, p).
 */
#include <string.h>

#include "schedule/forms.h"
#include "schedule/strips/strips.h"

/* What it serves -------------------------------------------------------- */

static bool has_same_sizes(const struct field *a, const struct field *b)
{
	for (int d = 0; d < a->n_dims; d++)
		if (!expr_same_size(a->size[d], b->size[d]))
			return false;
	return true;
}

static const char *why_not_field(const struct scop *scop,
	const struct field *f, const struct field *first)
{
	if (f->kind == FIELD_INPUT || f->kind == FIELD_SERIES)
		return NULL;
	if (f->kind != FIELD_STATE)
		return "it has fields without time that statements write";
	if (type_is_integer(f->type))
		return "a state of integers could overflow in the columns of "
			"a strip that are not stored";
	if (program_count_writers(scop->prog, f) != 1)
		return "it needs one statement for each state";
	if (f->n_dims != scop->n_dims)
		return "a state does not have all dimensions";
	if (strip_is_around(scop) && !has_same_sizes(f, first))
		return "its states, of which one goes around, differ in size";
	return NULL;
}

static void note_division(void *user, const struct expr *e)
{
	int64_t value;

	if (e->kind == EXPR_BINARY && type_is_integer(e->type) &&
	    (e->op == OP_DIV || e->op == OP_MOD) &&
	    !(expr_constant(e->arg[1], &value) && value != 0))
		*(bool *) user = true;
}

/* Does a boundary stand for reads of "acc", at another place than for cells of the statement's field? */
static bool ends_elsewhere(const struct stmt *s, const struct access *acc)
{
	for (int d = 0; d < acc->field->n_dims; d++)
		if (access_is_mapped(s, acc, d) && !expr_same_size(
		    acc->field->size[d], s->write->field->size[d]))
			return true;
	return false;
}

static const char *why_not_read(const struct stmt *s, const struct access *acc)
{
	if (acc->field->kind != FIELD_STATE)
		return NULL;
	if (!access_is_in_order(acc))
		return access_strides(acc) ? "a state is read with a stride" :
			"a state is read across its dimensions";
	return ends_elsewhere(s, acc) ? "the boundary of a state is read at "
		"the points of one of another size" : NULL;
}

static const char *why_not_stmt(const struct scop *scop, const struct stmt *s)
{
	bool divides = false;

	if (s->n_dims != scop->n_dims || !access_is_in_order(s->write))
		return "a statement does not have all dimensions";
	for (int i = 0; i < s->n_reads; i++)
		if (why_not_read(s, s->read[i]))
			return why_not_read(s, s->read[i]);
	stmt_each_expr(s, note_division, &divides);
	return divides ? "an integer division could be by zero in the "
		"columns of a strip that are not stored" : NULL;
}

static const char *stream_applies(const struct scop *scop)
{
	struct stream s = { 0 };
	const char *why = NULL;

	if (scop->n_dims < 1 || scop->n_dims > 3)
		return "strips have one to three dimensions";
	if (!scop->prog->timed)
		return "the program has no time loop";
	if (scop->prog->waves)
		return "it has sweeps, of which each wave computes few points "
			"of a row";
	for (int i = 0; i < scop->prog->n_fields && !why; i++)
		why = why_not_field(scop, scop->prog->field[i],
			scop->prog->stmt[0]->write->field);
	for (int i = 0; i < scop->k && !why; i++)
		why = why_not_stmt(scop, scop->prog->stmt[i]);
	if (why)
		return why;
	if (!deps_advance(scop->deps))
		return "its dependences do not advance in time";
	return strip_find_lags(scop, &s) ? NULL :
		"no lag of a row behind the one before it serves all reads";
}

/* Plans ----------------------------------------------------------------- */

/* { [m, x] } with "low" <= x[dim] + m*lag.step <= "high" in the streamed
 * dimension, without m in others
 */
static __isl_give isl_set *bound_dim(__isl_take isl_set *set, int dim,
	int lag, int low, int high)
{
	for (int side = 0; side < 2; side++) {
		isl_constraint *c = isl_constraint_alloc_inequality(
			isl_local_space_from_space(isl_set_get_space(set)));
		int sign = side ? -1 : 1;

		c = isl_constraint_set_coefficient_si(c, isl_dim_set,
			1 + dim, sign);
		c = isl_constraint_set_coefficient_si(c, isl_dim_set, 0,
			sign * lag);
		c = isl_constraint_set_constant_si(c, side ? high : -low);
		set = isl_set_add_constraint(set, c);
	}
	return set;
}

/* { [m, x] : the warps of a block compute x of statement "i" of step m in the
 * iterations of a period that begins at the origin }
 */
static __isl_give isl_set *computed(const struct plan *plan, int i)
{
	const struct stream *s = plan->strips;
	isl_set *set = isl_set_universe(isl_space_set_alloc(plan->scop->ctx,
		0, 1 + plan->n_dims));

	set = set_between(set, 0, 0, s->b - 1);
	for (int d = 0; d < plan->n_dims; d++)
		if (d == s->dim.stream)
			set = bound_dim(set, d, s->lag.step, -s->lag.of[i],
				s->period - 1 - s->lag.of[i]);
		else
			set = bound_dim(set, d, 0, -s->before[d],
				strip_stored(s, d) + s->after[d] - 1);
	return set;
}

/* { [m, x] -> [k*m + i, x] } */
static __isl_give isl_map *to_row(const struct plan *plan, int i)
{
	isl_space *space = isl_space_set_alloc(plan->scop->ctx, 0,
		1 + plan->n_dims);
	isl_multi_aff *ma = isl_multi_aff_identity(
		isl_space_map_from_set(space));
	isl_aff *tau = isl_multi_aff_get_aff(ma, 0);

	tau = isl_aff_scale_val(tau,
		isl_val_int_from_si(plan->scop->ctx, plan->scop->k));
	tau = isl_aff_add_constant_si(tau, i);
	return isl_map_from_multi_aff(isl_multi_aff_set_aff(ma, 0, tau));
}

static __isl_give isl_set *shape_of(const struct plan *plan)
{
	isl_set *shape = NULL;

	for (int i = 0; i < plan->scop->k; i++) {
		isl_set *rows = isl_set_apply(computed(plan, i),
			to_row(plan, i));

		shape = shape ? isl_set_union(shape, rows) : rows;
	}
	return shape;
}

/* The columns of "field" that the lanes of a strip load: whole vectors, each at its own cells. */
static void take_lanes(struct box *box, const struct stream *s, int d)
{
	box->low[d] = -s->before[d];
	box->extent[d] = strip_stored(s, d) + s->before[d] + s->after[d];
}

/* The box of cells of a state that a strip loads in these iterations. */
static struct box loaded(const struct plan *plan, const struct field *field)
{
	const struct stream *s = plan->strips;
	struct box box = { .n_dims = plan->n_dims };
	int writer = program_writer(plan->scop->prog, field);

	for (int d = 0; d < plan->n_dims; d++) {
		take_lanes(&box, s, d);
		if (d != s->dim.stream)
			continue;
		box.low[d] = -stream_lag(s, -1, writer);
		box.extent[d] = s->period + s->ahead.rows - stream_lag(s,
			-field->depth, writer) - box.low[d];
	}
	return box;
}

/* Widen "box" by the cells that the instances of "s" read by "acc". */
static void widen_by_read(const struct plan *plan,
	const struct scop_stmt *s, const struct access *acc, struct box *box)
{
	isl_set *instances = tile_instances(plan, s->number);
	bool first = box->n_dims == 0;

	box->n_dims = plan->n_dims;
	for (int d = 0; d < plan->n_dims; d++) {
		int64_t low, high;

		if (!set_edges(instances, 1 + d, &low, &high))
			continue;
		low += acc->offset[d];
		high += acc->offset[d] + 1;
		if (!first) {
			low = smaller(low, box->low[d]);
			high = larger(high, box->low[d] + box->extent[d]);
		}
		box->low[d] = (int) low;
		box->extent[d] = (int) (high - low);
	}
	isl_set_free(instances);
}

/* The box of cells of an input that strips load: the rows that statements read, of which each
 * lane loads its own cells and takes others from its neighbours.  Empty where no row is loaded.
 */
static struct box loaded_of_input(const struct plan *plan,
	const struct field *field)
{
	const struct scop *scop = plan->scop;
	struct box box = { .n_dims = 0 };

	for (int i = 0; i < scop->n_stmts; i++) {
		const struct scop_stmt *s = &scop->stmt[i];

		for (int j = 0; !s->is_copy && j < s->n_reads; j++)
			if (s->read[j]->field == field &&
			    stream_loads_rows(scop, s->read[j]))
				widen_by_read(plan, s, s->read[j], &box);
	}
	if (box.n_dims > 0)
		take_lanes(&box, plan->strips, plan->strips->dim.lane);
	return box;
}

static void find_boxes(struct plan *plan)
{
	const struct program *prog = plan->scop->prog;

	plan->box = region_array(plan->scop->mem, struct box, prog->n_fields);
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = prog->field[i];

		if (f->kind == FIELD_STATE)
			plan->box[i] = loaded(plan, f);
		else if (f->kind == FIELD_INPUT)
			plan->box[i] = loaded_of_input(plan, f);
	}
}

/* States have two sets of copies: a launch reads one and writes the other, and
 * they take turns.
 */
static struct scop *with_two_sets(const struct scop *scop)
{
	struct scop *copy = region_new_of(scop->mem, struct scop);
	int n = scop->prog->n_fields;

	*copy = *scop;
	copy->field = region_array(scop->mem, struct scop_field, n);
	for (int i = 0; i < n; i++) {
		copy->field[i] = scop->field[i];
		if (scop->prog->field[i]->kind == FIELD_STATE)
			copy->field[i].buffers = 2 *
				scop->prog->field[i]->depth;
	}
	return copy;
}

/* Lengths that are arguments differ by whole periods, so that all begin with the same
 * iteration.  Where warps are an argument, too, strips at sides are as others.
 */
static void leave_length_open(const struct scop *scop, struct plan *plan,
	struct stream *s)
{
	const int d = s->dim.stream;

	s->length += s->walk.start - s->walk.first;
	s->first = s->length;
	memset(s->rim, 0, sizeof(s->rim));
	strip_find_iterations(scop, s);
	plan->tiles.given[d].step = s->period;
	plan->tiles.given[d].least = STRIP_SHORTEST + (s->length + s->period -
		STRIP_SHORTEST % s->period) % s->period;
}

/* Warps of a block lie side by side, as strips of their own or as parts of one; kernels may have
 * fewer of them than they have registers and shared memory for.
 */
static void leave_warps_open(struct plan *plan, const struct stream *s)
{
	const bool joined = stream_is_joined(s);
	const int dim = s->dim.row >= 0 ? s->dim.row : s->dim.lane;
	const int each = joined ? s->warp * s->cells : s->dim.row >= 0 ?
		s->rows : s->width;
	const int less = joined || s->dim.row >= 0 ? s->before[dim] +
		s->after[dim] : 0;
	const int least = less / each + 1;

	plan->tiles.warps.axis = joined ? 0 : 1;
	plan->tiles.warps.lanes = joined ? s->warp : 1;
	plan->tiles.warps.dim = dim;
	plan->tiles.warps.each = each;
	plan->tiles.warps.less = less;
	plan->tiles.warps.least = joined && least < 2 ? 2 : least;
	plan->tiles.warps.shared_bytes = stream_shared_bytes(s, plan->scop);
}

static struct plan *stream_plan(struct diags *d,
	const struct strategy *strategy, const struct scop *scop,
	const struct machine *machine, const struct tile_request *request,
	int *n_plans)
{
	struct stream *s = region_new_of(scop->mem, struct stream);
	struct plan *plan = region_new_of(scop->mem, struct plan);
	struct refusal refusal;

	if (!strip_request_is_possible(d, scop, request))
		return NULL;
	*s = strip_of_request(scop, request);
	strip_find_schedule(scop, s);
	strip_find_place(scop, s);
	refusal = strip_refuse(scop, s, machine);
	if (refusal.by) {
		diag_plain(d, E_TILE, "%s", strip_why(scop, s, machine,
			refusal.by));
		return NULL;
	}
	plan->strategy = strategy;
	plan->scop = with_two_sets(scop);
	plan->form = FORM_STRIPS;
	plan->strips = s;
	plan->tiles = tiles_upright();
	if (request->opt.at_run_time && s->dim.stream >= 0)
		leave_length_open(scop, plan, s);
	plan->resident = plan->waits_for_grid = request->launches ==
		LAUNCHES_RESIDENT;
	plan->opt.align_loads = true;
	plan->opt.separate = request->opt.separate;
	plan->n_phases = 1;
	plan->rows = scop->k * s->b;
	plan->time_pitch = s->b;
	plan->n_dims = scop->n_dims;
	for (int dim = 0; dim < plan->n_dims; dim++) {
		plan->role[dim] = ROLE_BLOCKS;
		plan->tiles.skew[dim] = (struct rational) { 0, 1 };
		plan->pitch[dim] = strip_stored(s, dim);
		if (dim == s->dim.lane && s->dim.row < 0)
			plan->pitch[dim] *= s->warps;
		plan->tiles.width[dim] = plan->pitch[dim];
		plan->tiles.rim[dim] = s->rim[dim];
	}
	if (s->dim.stream >= 0)
		plan->tiles.longer[s->dim.stream] = s->first - s->length;
	if (stream_is_clustered(s))
		plan->tiles.cluster[s->dim.row] = s->exchange.blocks;
	plan->threads[0] = s->lanes;
	plan->threads[1] = s->warps;
	plan->threads[2] = 1;
	if (plan_given_dim(plan) >= 0)
		leave_warps_open(plan, s);
	plan->shape = keep_set(scop->mem, shape_of(plan));
	find_boxes(plan);
	plan_find_full(plan);
	plan_find_cover(plan);
	*n_plans = 1;
	return plan;
}

static const struct scop_stmt *far_of_plan(const struct plan *plan, int i)
{
	return i < plan->scop->k ? &plan->strips->parts[i].of :
		&plan->scop->stmt[i];
}

const struct form_memory strips_memory = {
	.far = far_of_plan, .boxes_in_grid = true, .stores_all = true,
};

const struct strategy strategy_stream = {
	.name = "stream", .options = WITH(SEPARATE) | WITH(ASYNC) |
		WITH(LAUNCH),
	.always = WITH(ALIGN_LOADS) | WITH(UNROLL), .applies = stream_applies,
	.sizes = SIZES_STRIPS | SIZES_CLUSTERS | SIZES_THREADS,
	.predict = strip_predict_sizes, .complete = strip_complete,
	.plan = stream_plan,
};
