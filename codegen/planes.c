/* Tiles that are swept plane by plane, see schedule/planes.c: each iteration
 * computes a plane of each stage, from planes that the tile keeps.
 *
 *	for (n = k0 + first; n <= k0 + last; n++) {
 *		k = n + lead: the plane k of the stage, kept at k mod planes
 *		..
 *	}
 */
#include <string.h>

#include "codegen/fused.h"

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

/* { params : the plane is one that an iteration of the tile has }, for a stage
 * that is "lead" planes ahead
 */
static __isl_give isl_set *planes_of_tile(const struct fused *f, int lead)
{
	const struct planes *p = f->plan->planes;
	isl_space *space = isl_space_set_alloc(f->h->scop->ctx, 0,
		(unsigned) f->plan->n_dims);
	isl_set *part = isl_set_universe(space);

	part = isl_set_lower_bound_si(part, isl_dim_set, 0, p->first + lead);
	part = isl_set_upper_bound_si(part, isl_dim_set, 0, p->last + lead);
	return isl_set_params(in_plane(f, fused_around_origin(f, part)));
}

/* "body" at the points "set", of [k, x]. */
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
	for (int d = 0; d < nest.n_dims; d++) {
		int i = nest.n_dims - 1 - d;

		step[d] = f->threads ? f->plan->threads[i] : 1;
		if (step[d] > 1)
			first[d] = h->names->thread[i];
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
	scope->braces = true;
	ks_add(f->h->mem, scope, ks_declare(f->h->mem, "const int",
		f->h->names->point[0], kx_add(f->h->mem, name(f->h,
			f->h->names->iteration), lead)));
	ks_add(f->h->mem, scope, body);
	ks_add(f->h->mem, block, scope);
}

/* Stages ---------------------------------------------------------------- */

/* Is the point one of those that the tile stores?  NULL: it is. */
static const struct kx *is_own(const struct fused *f)
{
	const char *const *point = f->h->names->point;

	return kx_of_set(f->h->mem, name_dims(fused_part(f, true), point),
		isl_set_intersect_params(name_dims(fused_part(f, false),
			point), isl_set_copy(f->h->scop->context)));
}

static const struct kx *written(const struct fused *f)
{
	return cell_of_access(&f->cpu->b, f->cpu->b.stmt->stmt->write, false);
}

static struct ks *instance(void *user)
{
	struct fused *f = user;
	const struct host *h = f->h;
	const struct field *field = f->cpu->b.stmt->stmt->write->field;
	struct ks *body = ks_block(h->mem);
	const struct kx *value = fused_value(f, body), *own;
	bool both = f->plan->in_shared[field->index] &&
		f->plan->in_global[field->index];

	if (!both || !f->threads) {
		ks_add(h->mem, body, ks_assign(h->mem, fused_to_tile(f,
			written(f)), value));
		return body;
	}
	ks_add(h->mem, body, ks_declare(h->mem, region_printf(h->mem,
		"const %s", type_name(field->type)), h->names->value, value));
	value = name(h, h->names->value);
	ks_add(h->mem, body, ks_assign(h->mem, fused_to_tile(f, written(f)),
		value));
	own = is_own(f);
	ks_add(h->mem, body, own ? ks_if(h->mem, own, ks_assign(h->mem,
		written(f), value), NULL) : ks_assign(h->mem, written(f),
		value));
	return body;
}

/* What leaves the tile, from its planes to the grid. */
static struct ks *store(void *user)
{
	struct fused *f = user;

	return ks_assign(f->h->mem, written(f), fused_to_tile(f, written(f)));
}

static void add_stage(struct fused *f, struct ks *block,
	const struct scop_stmt *s)
{
	int field = s->stmt->write->field->index;
	int lead = f->plan->planes->lead[s->slot];
	struct ks *body = ks_block(f->h->mem);
	struct builder *b = &f->cpu->b;
	isl_set *points;

	b->stmt = s;
	points = fused_part(f, false);
	if (!f->full || s->is_guarded)
		points = isl_set_intersect(points, fused_points(isl_set_copy(
			s->domain)));
	if (s->is_mapped && !f->full) {
		isl_set *inside = fused_points(isl_set_copy(s->inside));

		b->mapped = true;
		add_nest(f, body, set_coalesce(isl_set_subtract(
			isl_set_copy(points), isl_set_copy(inside))), lead,
			instance);
		b->mapped = false;
		points = isl_set_intersect(points, inside);
		add_nest(f, body, set_coalesce(points), lead, instance);
		points = isl_set_intersect(fused_part(f, false), fused_points(
			isl_set_copy(s->domain)));
	} else {
		add_nest(f, body, isl_set_copy(points), lead, instance);
	}
	if (!f->threads && f->plan->in_shared[field] &&
	    f->plan->in_global[field])
		add_nest(f, body, isl_set_intersect(points, fused_part(f,
			true)), lead, store);
	else
		isl_set_free(points);
	add_plane(f, block, lead, body);
}

/* Copies of inputs ------------------------------------------------------- */

static const struct kx *global_value(const struct fused *f,
	const struct field *field)
{
	const struct kx *at[IR_MAX_DIMS];

	for (int d = 0; d < field->n_dims; d++)
		at[d] = name(f->h, f->h->names->point[d]);
	return global_cell(&f->cpu->b, field, NULL, at);
}

static struct ks *load(void *user)
{
	struct fused *f = user;
	const struct kx *value = global_value(f, f->cpu->b.field);

	return ks_assign(f->h->mem, fused_to_tile(f, value), value);
}

/* The next plane of a field that the tile reads and does not compute. */
static void add_load(struct fused *f, struct ks *block,
	const struct field *field)
{
	const struct planes *p = f->plan->planes;
	const struct box *box = &f->plan->box[field->index];
	int lead = p->newest[field->index];
	struct ks *body = ks_block(f->h->mem);
	isl_set *cells = isl_set_universe(isl_space_set_alloc(
		f->h->scop->ctx, 0, (unsigned) field->n_dims));

	cells = isl_set_lower_bound_si(cells, isl_dim_set, 0,
		p->oldest[field->index]);
	cells = isl_set_upper_bound_si(cells, isl_dim_set, 0, p->last + lead);
	for (int d = 1; d < field->n_dims; d++) {
		cells = isl_set_lower_bound_si(cells, isl_dim_set,
			(unsigned) d, box->low[d]);
		cells = isl_set_upper_bound_si(cells, isl_dim_set,
			(unsigned) d, box->low[d] + box->extent[d] - 1);
	}
	cells = fused_around_origin(f, cells);
	if (!f->full)
		cells = isl_set_intersect(cells, isl_set_reset_tuple_id(
			isl_set_copy(f->h->scop->field[field->index].cells)));
	f->cpu->b.field = field;
	add_nest(f, body, cells, lead, load);
	add_plane(f, block, lead, body);
}

/* Barriers --------------------------------------------------------------- */

/* What threads have done to the planes since the last barrier, by field. */
struct since {
	bool *read, *written;
};

static void add_barrier(const struct fused *f, struct ks *block,
	struct since *since)
{
	size_t n = (size_t) f->h->prog->n_fields;

	ks_add(f->h->mem, block, ks_simple(f->h->mem, KS_BARRIER));
	memset(since->read, 0, n);
	memset(since->written, 0, n);
}

/* A barrier, if the stage "s" needs one before it. */
static void before_stage(const struct fused *f, struct ks *block,
	const struct stmt *s, struct since *since)
{
	int to = s->write->field->index;
	bool waits = since->read[to] || since->written[to];

	for (int i = 0; i < s->n_reads; i++)
		waits |= since->written[s->read[i]->field->index];
	if (waits)
		add_barrier(f, block, since);
	since->written[to] = f->plan->in_shared[to];
	for (int i = 0; i < s->n_reads; i++)
		if (f->plan->in_shared[s->read[i]->field->index])
			since->read[s->read[i]->field->index] = true;
}

/* The sweep -------------------------------------------------------------- */

static bool is_computed(const struct fused *f, const struct field *field)
{
	for (int i = 0; i < f->h->scop->n_stmts; i++) {
		const struct scop_stmt *s = &f->h->scop->stmt[i];
		isl_set *part;
		bool runs;

		if (s->stmt->write->field != field)
			continue;
		part = tile_instances(f->plan, s->slot);
		runs = isl_set_is_empty(part) == isl_bool_false;
		isl_set_free(part);
		return runs;
	}
	return false;
}

static void add_iteration(struct fused *f, struct ks *body)
{
	const struct program *prog = f->h->prog;
	struct since since = {
		region_array(f->h->mem, bool, prog->n_fields),
		region_array(f->h->mem, bool, prog->n_fields),
	};

	for (int i = 0; i < prog->n_fields; i++)
		if (f->plan->in_shared[i] && !is_computed(f, prog->field[i])) {
			add_load(f, body, prog->field[i]);
			since.written[i] = true;
		}
	for (int i = 0; i < f->h->scop->n_stmts; i++) {
		const struct scop_stmt *s = &f->h->scop->stmt[i];

		if (!is_computed(f, s->stmt->write->field))
			continue;
		if (f->threads)
			before_stage(f, body, s->stmt, &since);
		add_stage(f, body, s);
	}
	if (f->threads && f->plan->steps.shared)
		add_barrier(f, body, &since);
}

struct ks *swept_tile(struct fused *f)
{
	const struct host *h = f->h;
	const struct planes *p = f->plan->planes;
	const struct kx *origin = name(h, h->names->origin[0]);
	struct ks *body = ks_block(h->mem);

	add_iteration(f, body);
	return ks_for(h->mem, h->names->iteration, kx_add(h->mem, origin,
		p->first), op(h, OP_LE, name(h, h->names->iteration),
		kx_add(h->mem, origin, p->last)), integer(h, 1), body);
}

struct ks *swept_tile_of_block(struct builder *b, const struct kx *full)
{
	struct plan plain = *b->plan;
	struct cpu cpu = {
		.h = { .mem = b->mem, .unit = b->unit, .prog = b->unit->prog,
			.scop = b->scop, .plan = b->plan, .n_plans = 1,
			.names = b->names },
		.b = *b, .sweeps = plain,
	};
	struct fused f = { .cpu = &cpu, .h = &cpu.h, .plan = b->plan,
		.threads = true };
	struct ks *careful = ks_block(b->mem), *fast;

	cpu.sweeps.in_shared = region_array(b->mem, bool,
		b->unit->prog->n_fields);
	cpu.b.plan = &cpu.sweeps;
	cpu.b.m = kx_int(b->mem, 0);
	ks_add(b->mem, careful, swept_tile(&f));
	if (!full)
		return careful;
	fast = ks_block(b->mem);
	f.full = true;
	ks_add(b->mem, fast, ks_comment(b->mem,
		"A full tile: all its instances run."));
	ks_add(b->mem, fast, swept_tile(&f));
	return ks_if(b->mem, full, fast, careful);
}
