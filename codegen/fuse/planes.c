/* Tiles swept plane by plane, see schedule/fuse/planes.c: each iteration computes a plane of
 * each stage from planes that the tile keeps.
 *
 *	for (n = k0 + first; n <= k0 + last; n++) {
 *		k = n + lead: the plane k of the stage, kept at k mod planes
 *		..
 *	}
 *
 * With registers, a thread owns the same points of all planes: planes[age][p][q] holds what it
 * keeps of its points; the compiler unrolls all loops over them.  At the start of an iteration
 * all planes age by one, and those that other threads now read go to shared memory.
 */
#include <string.h>

#include "codegen/fuse/fused.h"
#include "codegen/tile.h"

/* Nests over the points of a plane --------------------------------------- */

/* { [k, x] } as { [x] }, k a parameter */
static __isl_give isl_set *in_plane(const struct fused *f,
	__isl_take isl_set *set)
{
	unsigned n = (unsigned) isl_set_dim(set, isl_dim_param);

	set = isl_set_move_dims(isl_set_reset_tuple_id(set), isl_dim_param, n,
		isl_dim_set, 0, 1);
	return isl_set_set_dim_name(set, isl_dim_param, n,
		f->h->names->point[0]);
}

/* { params : an iteration of the tile has the plane }, for a stage that runs
 * "lead" planes ahead
 */
static __isl_give isl_set *planes_of_tile(const struct fused *f, int lead)
{
	const struct planes *p = f->plan->group->planes;
	isl_space *space = isl_space_set_alloc(f->h->scop->ctx, 0,
		(unsigned) f->plan->n_dims);
	isl_set *part = isl_set_universe(space);

	part = set_between(part, 0, p->first + lead, p->last + lead);
	return isl_set_intersect(isl_set_params(in_plane(f,
		fused_around_origin(f, part))), cpu_times(f->h));
}

/* Points of threads -------------------------------------------------------- */

/* Does a thread own the same points of all planes? */
static bool is_dealt(const struct fused *f)
{
	return f->threads &&
		f->plan->group->planes->points[f->plan->n_dims - 1] > 0;
}

static bool in_registers(const struct fused *f, const struct field *field)
{
	return f->threads && f->plan->group->planes->registers[field->index] > 0;
}

/* Does the tile keep planes of "field" where all its threads can read them? */
static bool has_planes(const struct fused *f, const struct field *field)
{
	return f->plan->group->in_shared[field->index] &&
		f->plan->box[field->index].extent[0] > 0;
}

/* The number of the thread's point in dimension "d". */
static const char *turn_name(const struct fused *f, int d)
{
	return fresh_name(f->h->mem, f->h->prog, "p%s", f->h->names->point[d]);
}

static const struct kx *turn_of(const struct fused *f, int d)
{
	return f->plan->group->planes->points[d] == 1 ? integer(f->h, 0) :
		name(f->h, turn_name(f, d));
}

static const char *planes_name(const struct fused *f,
	const struct field *field)
{
	return fresh_name(f->h->mem, f->h->prog, "%s_planes", field->name);
}

/* The thread's value of its point at hand, in the plane of "age". */
static const struct kx *register_of(const struct fused *f,
	const struct field *field, int age)
{
	const struct kx *arg[IR_MAX_DIMS] = { integer(f->h, age) };
	struct kx *x;

	for (int d = 1; d < field->n_dims; d++)
		arg[d] = turn_of(f, d);
	x = kx_of_kind(f->h->mem, KX_INDEX, planes_name(f, field),
		field->n_dims, arg);
	x->type = field->type;
	return x;
}

const struct kx *swept_register(const struct fused *f,
	const struct access *acc)
{
	const struct planes *p = f->plan->group->planes;
	int i = acc->field->index, age;

	if (!in_registers(f, acc->field))
		return NULL;
	for (int d = 1; d < acc->field->n_dims; d++)
		if (acc->offset[d] != 0)
			return NULL;
	age = p->newest[i] - p->lead[f->c->stmt->number] -
		(int) acc->offset[0];
	return age < p->registers[i] ? register_of(f, acc->field, age) : NULL;
}

/* "s" at each point of a thread; the points have names if "coordinates". */
static struct ks *at_its_points(const struct fused *f, struct ks *s,
	bool coordinates)
{
	const struct host *h = f->h;
	const struct planes *p = f->plan->group->planes;

	for (int d = f->plan->n_dims - 1; d >= 1; d--) {
		int i = f->plan->n_dims - 1 - d, threads = f->plan->threads[i];
		const struct kx *at = kx_add(h->mem, name(h,
			h->names->origin[d]), p->base[d]);
		struct ks *block = ks_block(h->mem);

		if (threads > 1)
			at = op(h, OP_ADD, at, name(h,
				h->names->lanes.thread[i]));
		if (p->points[d] > 1)
			at = op(h, OP_ADD, at, op(h, OP_MUL, turn_of(f, d),
				integer(h, threads)));
		if (coordinates)
			ks_add(h->mem, block, ks_declare(h->mem,
				ctype_const(CT_INT), h->names->point[d], at));
		ks_add(h->mem, block, s);
		s = block;
		if (p->points[d] == 1)
			continue;
		s = ks_for(h->mem, turn_name(f, d), integer(h, 0), op(h,
			OP_LT, turn_of(f, d), integer(h, p->points[d])),
			integer(h, 1), block);
		s->unroll = true;
	}
	return s;
}

/* { [k, x] : the planes of the iterations of a stage that runs "lead" planes
 * ahead, and the thread's points in them }
 */
static __isl_give isl_set *dealt_points(const struct fused *f, int lead)
{
	const struct planes *p = f->plan->group->planes;
	isl_set *part = isl_set_universe(isl_space_set_alloc(f->h->scop->ctx,
		0, (unsigned) f->plan->n_dims));

	part = set_between(part, 0, p->first + lead, p->last + lead);
	for (int d = 1; d < f->plan->n_dims; d++) {
		int threads = f->plan->threads[f->plan->n_dims - 1 - d];

		part = set_between(part, d, p->base[d], p->base[d] + threads *
			p->points[d] - 1);
	}
	return fused_around_origin(f, part);
}

/* "body" at those of the thread's points that lie in "set". */
static struct ks *dealt_nest(struct fused *f, __isl_take isl_set *set,
	int lead, struct ks *(*body)(void *user))
{
	const char *const *point = f->h->names->point;
	isl_set *known = isl_set_intersect_params(name_dims(dealt_points(f,
		lead), point), isl_set_intersect(cpu_times(f->h),
		isl_set_copy(f->h->scop->context)));
	const struct kx *runs = kx_of_set(f->h->mem, name_dims(set, point),
		known);
	struct ks *s = body(f);

	return at_its_points(f, runs ? ks_if(f->h->mem, runs, s, NULL) : s,
		true);
}

/* "body" at the points of "set", { [k, x] }. */
static void add_nest(struct fused *f, struct ks *block,
	__isl_take isl_set *set, int lead, struct ks *(*body)(void *user))
{
	const struct host *h = f->h;
	const char *first[IR_MAX_DIMS] = { NULL };
	int step[IR_MAX_DIMS];
	struct loop_nest nest = {
		.mem = h->mem, .n_dims = f->plan->n_dims - 1,
		.iterator = h->names->point + 1, .first = first, .step = step,
		.body = body, .user = f,
	};

	if (isl_set_is_empty(set) != isl_bool_false) {
		isl_set_free(set);
		return;
	}
	if (is_dealt(f)) {
		ks_add(h->mem, block, dealt_nest(f, set, lead, body));
		return;
	}
	for (int d = 0; d < nest.n_dims; d++) {
		int i = nest.n_dims - 1 - d;

		step[d] = f->threads ? f->plan->threads[i] : 1;
		if (step[d] > 1)
			first[d] = h->names->lanes.thread[i];
	}
	ks_add(h->mem, block, fused_loops(f, &nest, in_plane(f, set),
		planes_of_tile(f, lead)));
}

/* { const int k = n + lead; body } */
static void add_plane(const struct fused *f, struct ks *block, int lead,
	struct ks *body)
{
	struct ks *scope = ks_scope(f->h->mem);

	if (body->n_children == 0)
		return;
	if (!ks_uses(body, f->h->names->point[0])) {
		ks_add(f->h->mem, block, body);
		return;
	}
	scope->braces = true;
	ks_add(f->h->mem, scope, ks_declare(f->h->mem, ctype_const(CT_INT),
		f->h->names->point[0], kx_add(f->h->mem, name(f->h,
			f->h->names->strips.iteration), lead)));
	ks_add(f->h->mem, scope, body);
	ks_add(f->h->mem, block, scope);
}

/* Stages ---------------------------------------------------------------- */

/* Does the tile store the point?  NULL: always. */
static const struct kx *is_own(const struct fused *f)
{
	const char *const *point = f->h->names->point;

	return kx_of_set(f->h->mem, name_dims(fused_part(f, true), point),
		isl_set_intersect_params(name_dims(fused_part(f, false),
			point), isl_set_copy(f->h->scop->context)));
}

static const struct kx *written(const struct fused *f)
{
	return cell_of_access(f->c, f->c->stmt->stmt->write, false);
}

/* Put "value" of a cell of "field" where the tile keeps it and, if "stored"
 * holds, into the grid.
 */
static struct ks *keep(const struct fused *f, struct ks *body,
	const struct field *field, const struct kx *cell,
	const struct kx *value, bool stored)
{
	const struct host *h = f->h;
	const struct kx *to[2], *own;
	int n = 0;

	if (in_registers(f, field))
		to[n++] = register_of(f, field, 0);
	if (has_planes(f, field) && (!f->threads ||
	    f->plan->group->planes->after[field->index] == 0))
		to[n++] = fused_to_tile(f, cell);
	if (n == 1 && !stored) {
		ks_add(h->mem, body, ks_assign(h->mem, to[0], value));
		return body;
	}
	ks_add(h->mem, body, ks_declare(h->mem,
		ctype_const(scalar_of(field->type)), h->names->value, value));
	value = name(h, h->names->value);
	for (int i = 0; i < n; i++)
		ks_add(h->mem, body, ks_assign(h->mem, to[i], value));
	if (!stored)
		return body;
	own = is_own(f);
	ks_add(h->mem, body, own ? ks_if(h->mem, own, ks_assign(h->mem, cell,
		value), NULL) : ks_assign(h->mem, cell, value));
	return body;
}

/* Threads write values that leave the tile to the grid as soon as they have
 * computed them.
 */
static struct ks *instance(void *user)
{
	struct fused *f = user;
	struct ks *body = ks_block(f->h->mem);
	const struct kx *value = fused_value(f, body);
	const struct access *write = f->c->stmt->stmt->write;

	if (plan_holds(f->plan, write))
		return keep(f, body, write->field, written(f), value,
			f->threads &&
			f->plan->group->in_global[write->field->index]);
	ks_add(f->h->mem, body, ks_assign(f->h->mem, written(f), value));
	return body;
}

/* Copy what leaves the tile from its planes to the grid. */
static struct ks *store(void *user)
{
	struct fused *f = user;

	return ks_assign(f->h->mem, written(f), fused_to_tile(f, written(f)));
}

/* A nest with loop variables of its own. */
static void add_nest_apart(struct fused *f, struct ks *block,
	__isl_take isl_set *points, int lead)
{
	struct ks *scope = ks_scope(f->h->mem);

	add_nest(f, scope, points, lead, instance);
	ks_add(f->h->mem, block, scope);
}

static void add_stage(struct fused *f, struct ks *block,
	const struct scop_stmt *s)
{
	const struct access *write = s->stmt->write;
	int lead = f->plan->group->planes->lead[s->number];
	struct ks *body = ks_block(f->h->mem);
	struct cursor *c = f->c;
	isl_set *points;

	c->stmt = s;
	points = fused_part(f, false);
	if (!f->full || s->is_guarded)
		points = isl_set_intersect(points, cpu_at_time(f->h,
			isl_set_copy(s->domain)));
	if (s->is_mapped && !f->full) {
		isl_set *inside = cpu_at_time(f->h, isl_set_copy(s->inside));

		c->mapped = true;
		add_nest_apart(f, body, set_coalesce(isl_set_subtract(
			isl_set_copy(points), isl_set_copy(inside))), lead);
		c->mapped = false;
		points = isl_set_intersect(points, inside);
		add_nest_apart(f, body, set_coalesce(points), lead);
		points = isl_set_intersect(fused_part(f, false),
			cpu_at_time(f->h, isl_set_copy(s->domain)));
	} else {
		add_nest(f, body, isl_set_copy(points), lead, instance);
	}
	if (!f->threads && plan_holds(f->plan, write) &&
	    f->plan->group->in_global[write->field->index])
		add_nest(f, body, isl_set_intersect(points, fused_part(f,
			true)), lead, store);
	else
		isl_set_free(points);
	add_plane(f, block, lead, body);
}

/* Copies of inputs ------------------------------------------------------- */

static const struct kx *value_in_grid(const struct fused *f,
	const struct field *field)
{
	const struct cursor *c = f->c;
	const struct kx *at[IR_MAX_DIMS];

	for (int d = 0; d < field->n_dims; d++)
		at[d] = name(f->h, f->h->names->point[d]);
	return global_cell(c->place, field, global_copy(c->place, field, c->m,
		f->plan->group->version[field->index]), at);
}

/* Are planes of "field" copied while the threads go on? */
static bool starts_copies(const struct fused *f, const struct field *field)
{
	return f->threads && f->plan->opt.starts && !in_registers(f, field) &&
		field_may_start(field);
}

static struct ks *load(void *user)
{
	struct fused *f = user;
	const struct kx *value = value_in_grid(f, f->copied);

	if (starts_copies(f, f->copied))
		return start_copy_of(f->h->mem, fused_to_tile(f, value), value,
			ctype_of(f->copied->type));
	return keep(f, ks_block(f->h->mem), f->copied, value, value,
		false);
}

/* { [x] : the tile keeps the cell x of "field" }, over the planes of iterations up to the last,
 * "lead" planes ahead
 */
static __isl_give isl_set *cells_of_planes(struct fused *f,
	const struct field *field, int lead)
{
	const struct planes *p = f->plan->group->planes;
	const struct box *box = &f->plan->box[field->index];
	isl_set *cells = isl_set_universe(isl_space_set_alloc(
		f->h->scop->ctx, 0, (unsigned) field->n_dims));

	cells = set_between(cells, 0, p->oldest[field->index], p->last + lead);
	for (int d = 1; d < field->n_dims; d++)
		cells = set_between(cells, d, box->low[d], box->low[d] +
			box->extent[d] - 1);
	cells = fused_around_origin(f, cells);
	if (!f->full)
		cells = isl_set_intersect(cells, isl_set_reset_tuple_id(
			isl_set_copy(f->h->scop->field[field->index].cells)));
	f->copied = field;
	return cells;
}

/* Load the next plane of a field that the tile reads but does not compute. */
static void add_load(struct fused *f, struct ks *block,
	const struct field *field)
{
	int lead = f->plan->group->planes->newest[field->index];
	struct ks *body = ks_block(f->h->mem);

	add_nest(f, body, cells_of_planes(f, field, lead), lead, load);
	add_plane(f, block, lead, body);
}

/* Turns ------------------------------------------------------------------- */

/* Copy to shared memory the plane that other threads start to read now. */
static struct ks *stage_plane(void *user)
{
	struct fused *f = user;
	const struct field *field = f->copied;

	return ks_assign(f->h->mem, fused_to_tile(f, value_in_grid(f, field)),
		register_of(f, field,
		f->plan->group->planes->after[field->index]));
}

static bool is_staged(const struct fused *f, const struct field *field)
{
	return in_registers(f, field) && has_planes(f, field) &&
		f->plan->group->planes->after[field->index] > 0;
}

static void add_stage_of_plane(struct fused *f, struct ks *block,
	const struct field *field)
{
	const struct planes *p = f->plan->group->planes;
	int lead = p->newest[field->index] - p->after[field->index];
	struct ks *body = ks_block(f->h->mem);

	add_nest(f, body, cells_of_planes(f, field, lead), lead, stage_plane);
	add_plane(f, block, lead, body);
}

/* Age all planes in registers by one iteration. */
static void add_turns(struct fused *f, struct ks *block)
{
	const struct program *prog = f->h->prog;
	struct ks *turns = ks_block(f->h->mem);

	for (int i = 0; i < prog->n_fields; i++)
		for (int age = f->plan->group->planes->registers[i] -
		    1; age > 0;
		     age--)
			ks_add(f->h->mem, turns, ks_assign(f->h->mem,
				register_of(f, prog->field[i], age),
				register_of(f, prog->field[i], age - 1)));
	if (turns->n_children > 0)
		ks_add(f->h->mem, block, at_its_points(f, turns, false));
	for (int i = 0; i < prog->n_fields; i++)
		if (is_staged(f, prog->field[i]))
			add_stage_of_plane(f, block, prog->field[i]);
}

/* Declare the planes that a thread keeps, none computed yet. */
static void declare_registers(const struct fused *f, struct ks *block)
{
	const struct program *prog = f->h->prog;
	const struct planes *p = f->plan->group->planes;

	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *field = prog->field[i];
		int extent[IR_MAX_DIMS] = { p->registers[i] };
		struct ks *array;

		if (!in_registers(f, field))
			continue;
		for (int d = 1; d < field->n_dims; d++)
			extent[d] = p->points[d];
		array = ks_array(f->h->mem, ctype_of(field->type),
			planes_name(f, field), field->n_dims, extent, false,
			-1);
		array->is_zeroed = true;
		ks_add(f->h->mem, block, array);
	}
}

/* Barriers --------------------------------------------------------------- */

/* What threads have done to the planes of each field since the last barrier; whether they have
 * started copies.
 */
struct since {
	bool *read, *written;
	bool starts;
};

static void add_barrier(const struct fused *f, struct ks *block,
	struct since *since)
{
	size_t n = (size_t) f->h->prog->n_fields;

	if (since->starts)
		finish_copies(f->h->mem, block);
	since->starts = false;
	ks_add(f->h->mem, block, ks_simple(f->h->mem, KS_BARRIER));
	memset(since->read, 0, n);
	memset(since->written, 0, n);
}

/* Does the statement at hand read "acc" from a plane of the tile? */
static bool reads_plane(const struct fused *f, const struct access *acc)
{
	return plan_holds(f->plan, acc) && has_planes(f, acc->field) &&
		!swept_register(f, acc);
}

/* A barrier, if stage "s" needs one before it. */
static void before_stage(const struct fused *f, struct ks *block,
	const struct scop_stmt *s, struct since *since)
{
	const struct stmt *stmt = s->stmt;
	int to = stmt->write->field->index;
	bool writes = plan_holds(f->plan, stmt->write) &&
		has_planes(f, stmt->write->field) &&
		f->plan->group->planes->after[to] == 0;
	bool waits = writes && (since->read[to] || since->written[to]);

	f->c->stmt = s;
	for (int i = 0; i < stmt->n_reads; i++)
		waits |= reads_plane(f, stmt->read[i]) &&
			since->written[stmt->read[i]->field->index];
	if (waits)
		add_barrier(f, block, since);
	since->written[to] |= writes;
	for (int i = 0; i < stmt->n_reads; i++)
		since->read[stmt->read[i]->field->index] |=
			reads_plane(f, stmt->read[i]);
}

/* The sweep -------------------------------------------------------------- */

static bool runs(const struct fused *f, const struct scop_stmt *s)
{
	return tile_has(f->plan, s->number) && (!f->full || s->in_full);
}

/* Does the tile compute what it keeps of "field"? */
static bool is_computed(const struct fused *f, const struct field *field)
{
	for (int i = 0; i < f->h->scop->n_stmts; i++) {
		const struct scop_stmt *s = &f->h->scop->stmt[i];

		if (s->stmt->write->field == field && runs(f, s) &&
		    plan_holds(f->plan, s->stmt->write))
			return true;
	}
	return false;
}

/* A statement, and the copy statement that fills in the other points. */
static void add_statement(struct fused *f, struct ks *body, int number,
	struct since *since)
{
	for (int i = 0; i < f->h->scop->n_stmts; i++) {
		const struct scop_stmt *s = &f->h->scop->stmt[i];

		if (s->number != number || !runs(f, s))
			continue;
		if (f->threads && !s->is_copy)
			before_stage(f, body, s, since);
		add_stage(f, body, s);
	}
}

static void add_iteration(struct fused *f, struct ks *body)
{
	const struct program *prog = f->h->prog;
	struct since since = {
		region_array(f->h->mem, bool, prog->n_fields),
		region_array(f->h->mem, bool, prog->n_fields), false,
	};

	if (is_dealt(f))
		add_turns(f, body);
	for (int i = 0; i < prog->n_fields; i++) {
		if (f->plan->group->in_shared[i] &&
		    !is_computed(f, prog->field[i])) {
			add_load(f, body, prog->field[i]);
			since.written[i] = has_planes(f, prog->field[i]);
			since.starts |= starts_copies(f, prog->field[i]);
		}
		since.written[i] |= is_staged(f, prog->field[i]);
	}
	for (int number = 0; number < f->h->scop->k; number++)
		add_statement(f, body, number, &since);
	if (f->threads && plan_shared_bytes(f->plan) > 0)
		add_barrier(f, body, &since);
}

struct ks *swept_tile(struct fused *f)
{
	const struct host *h = f->h;
	const struct planes *p = f->plan->group->planes;
	const struct kx *origin = name(h, h->names->origin[0]);
	struct ks *body = ks_block(h->mem), *tile = ks_scope(h->mem);

	add_iteration(f, body);
	declare_registers(f, tile);
	ks_add(h->mem, tile, ks_for(h->mem, h->names->strips.iteration,
		kx_add(h->mem, origin, p->first), op(h, OP_LE, name(h,
		h->names->strips.iteration), kx_add(h->mem, origin, p->last)),
		integer(h, 1), body));
	return tile;
}

static struct ks *at_its_time(const struct place *p, struct ks *tile)
{
	struct ks *block = ks_block(p->mem);

	declare_if_used(p->mem, block, tile, p->names->time,
		kx_name(p->mem, p->names->t0));
	ks_add(p->mem, block, tile);
	return block;
}

struct ks *swept_tile_of_block(struct cursor *c, const struct kx *full)
{
	const struct place *p = c->place;
	struct host h = {
		.mem = c->mem, .unit = p->unit, .prog = p->unit->prog,
		.scop = p->scop, .plan = p->plan, .n_plans = 1,
		.names = p->names,
	};
	struct fused f = { .h = &h, .c = c, .plan = p->plan, .threads = true };
	struct ks *guarded = ks_block(c->mem), *fast;

	c->m = kx_int(c->mem, 0);
	ks_add(c->mem, guarded, swept_tile(&f));
	if (!full)
		return at_its_time(p, guarded);
	fast = ks_block(c->mem);
	f.full = true;
	ks_add(c->mem, fast, ks_comment(c->mem,
		"A full tile: all its instances run."));
	ks_add(c->mem, fast, swept_tile(&f));
	return at_its_time(p, ks_if(c->mem, full, fast, guarded));
}
