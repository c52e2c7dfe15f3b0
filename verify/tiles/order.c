/* The order of execution respects each dependence.
 *
 * The order: launches one after the other, in each the blocks in parallel, in a
 * block its tiles one after the other, in a tile its rows, in a row its
 * instances in parallel.  A barrier separates any two rows that share a field
 * which one of them writes.  With waves, launch w holds chunk w - 2*phi of
 * phase phi = 2*T + p; a chunk has at least plan->tiles.waves.least_chunk tiles
 * of dimension plan->tiles.waves.dim.
 *
 * Reads lie at bounded distances, so the proof first looks at tiles and
 * distances alone, wherever they are: no instance of a tile comes too early for
 * one at such a distance.  This holds for all sizes and steps.  If it fails,
 * sizes, domains and boundaries are taken into account; what is left is a
 * counterexample.
 */
#include <isl/point.h>

#include "verify/tiles/tiles.h"

/* Pieces: the ways to come too early ------------------------------------- */

enum { MOST_PIECES = 4 + 3 * IR_MAX_DIMS };

/* "condition" on dT, dS0, ..; "part" of it concerns the dimensions "which" only, in which it
 * usually cannot hold either.
 */
struct piece {
	char part[160];
	dims which;
	struct text condition;
};

struct pieces {
	int n;
	struct piece piece[MOST_PIECES];
};

static void add_piece(struct pieces *all, const char *known, dims which,
	const char *fmt, ...) BASE_PRINTF(4, 5);

static void add_piece(struct pieces *all, const char *known, dims which,
	const char *fmt, ...)
{
	struct piece *piece = &all->piece[all->n++];
	va_list args;

	va_start(args, fmt);
	vsnprintf(piece->part, sizeof(piece->part), fmt, args);
	va_end(args);
	piece->which = which;
	text_printf(&piece->condition, "%s%s", known, piece->part);
}

static void free_pieces(struct pieces *p)
{
	for (int i = 0; i < p->n; i++)
		text_free(&p->piece[i].condition);
	p->n = 0;
}

/* Relative to the source's tile, the sink's is (T, S) = (dT, dS..), of phase q where the
 * source's is p.  It lies in another block of the launch, or before it in the same block, or
 * the rows are not in order.
 *
 * For tiles of any width, which are combinations of those of width 1, the sink may lead back
 * along no dimension, wherever it leads along the others.  Then it does not do so in wider
 * tiles either, each of which is several of these, nor to an earlier row of one.
 */
static void pieces_of_launch(struct pieces *all, const struct plan *plan)
{
	struct text same = { 0 };

	text_puts(&same, "");
	for (int d = 0; d < plan->n_dims; d++) {
		if (plan->role[d] != ROLE_BLOCKS)
			continue;
		add_piece(all, "", 1u << d, "dT = 0 and dS%d < 0", d);
		add_piece(all, "", 1u << d, "dT = 0 and dS%d > 0", d);
		text_printf(&same, "dS%d = 0 and ", d);
	}
	for (int d = 0; d < plan->n_dims; d++) {
		if (plan->role[d] == ROLE_BLOCKS)
			continue;
		add_piece(all, same.bytes, 1u << d, "dT = 0 and dS%d < 0", d);
		if (!plan_is_of_any_width(plan))
			text_printf(&same, "dS%d = 0 and ", d);
	}
	add_piece(all, same.bytes, 0, "dT = 0 and b <= a");
	text_free(&same);
}

/* Launch before launch, for the phases "p" and "q" of one plan. */
static void find_pieces(struct pieces *all, const struct plan *plan, int p,
	int q)
{
	all->n = 0;
	add_piece(all, "", plan->tiles.hex_dim < 0 ? 0 :
		1u << plan->tiles.hex_dim,
		"%s", q < p ? "dT <= 0" : "dT < 0");
	if (p == q)
		pieces_of_launch(all, plan);
	if (plan->tiles.waves.dim >= 0)
		add_piece(all, "", 1u << plan->tiles.waves.dim,
			"2*dT + %d >= 1 and "
			"-dS%d >= %d*(2*(2*dT + %d) - 1) + 1", q - p,
			plan->tiles.waves.dim, plan->tiles.waves.least_chunk,
			q - p);
}

/* With sizes and domains ------------------------------------------------- */

/* A statement's read and the same instance's later overwrite are in order. */
static __isl_give isl_map *without_itself(const struct distance *dist,
	__isl_take isl_map *map)
{
	isl_map *same;

	if (dist->source != dist->sink)
		return map;
	same = isl_map_identity(isl_map_get_space(map));
	return isl_map_subtract(map, same);
}

static const char *kind_name(enum dependence kind)
{
	return kind == FLOW ? "flow" : kind == ANTI ? "anti" : "output";
}

static const char *tile_name(struct checker *c, isl_point *p, int phase,
	int pos, int n)
{
	struct text t = { 0 };
	const char *name;

	text_printf(&t, "(phase %d, T = %lld", phase,
		(long long) coordinate_of_point(p, pos));
	for (int d = 0; d < n; d++)
		text_printf(&t, ", S%d = %lld", d, (long long)
			coordinate_of_point(p, pos + 1 + d));
	text_puts(&t, ")");
	name = region_strdup(c->mem, t.bytes);
	text_free(&t);
	return name;
}

static bool refute_order(struct checker *c, const struct distance *dist, int p,
	int q, __isl_take isl_set *set)
{
	isl_point *point = example_of(c, set);
	int n = dist->source->plan->n_dims;

	if (point)
		refute(c, "%s: %s in tile %s must run before %s in tile %s "
			"(%s dependence through '%s'), and does not",
			sizes_of_point(c, point),
			instance_of_point(c, dist->source, point, 0),
			tile_name(c, point, p, 2 + 2 * n, n),
			instance_of_point(c, dist->sink, point, 1 + n),
			tile_name(c, point, q, 3 + 3 * n, n),
			kind_name(dist->kind), dist->field->name);
	isl_point_free(point);
	isl_set_free(set);
	return refute(c, "a %s dependence of %s on %s through '%s' could not "
		"be shown", kind_name(dist->kind), dist->sink->name,
		dist->source->name, dist->field->name);
}

/* One read, or the cell written, with everything known. */
static bool is_in_order_exactly(struct checker *c,
	const struct distance *dist, int p, int q, const char *piece,
	const struct access *acc)
{
	isl_map *map = without_itself(dist, exact_dependence(c, dist, acc));
	isl_set *set = exact_pairs_too_early(c, dist, p, q, piece,
		isl_map_intersect_params(map, isl_set_copy(c->context)));

	if (is_shown_empty(c, isl_set_copy(set))) {
		isl_set_free(set);
		return true;
	}
	return refute_order(c, dist, p, q, set);
}

/* The same for launches of different plans, which follow each other. */
static bool is_launched_in_order(struct checker *c,
	const struct distance *dist, const struct access *acc)
{
	isl_map *map = isl_map_intersect_params(exact_dependence(c, dist, acc),
		isl_set_copy(c->context));

	map = dist->sink->plan > dist->source->plan ?
		isl_map_order_gt(map, isl_dim_in, 0, isl_dim_out, 0) :
		isl_map_order_ge(map, isl_dim_in, 0, isl_dim_out, 0);
	return is_shown_empty(c, isl_map_wrap(map));
}

/* The reads of "dist": the "i"-th in *acc, NULL for the cell written; false if there are no
 * more.
 */
static bool next_read(const struct distance *dist, int *i,
	const struct access **acc)
{
	const struct statement *reader = dist->kind == FLOW ? dist->sink :
		dist->source;

	*acc = NULL;
	if (dist->kind == OUTPUT || reader->is_copy)
		return (*i)++ == 0;
	while (*i < reader->stmt->n_reads) {
		*acc = reader->stmt->read[(*i)++];
		if ((*acc)->field == dist->field &&
		    (*acc)->version == dist->version)
			return true;
	}
	return false;
}

/* All reads of "dist" with sizes and domains; "piece" is NULL for launches of
 * different plans.
 */
static bool all_in_order_exactly(struct checker *c,
	const struct distance *dist, int p, int q, const char *piece)
{
	const struct access *acc;

	for (int i = 0; next_read(dist, &i, &acc);)
		if (!(piece ? is_in_order_exactly(c, dist, p, q, piece, acc) :
		    is_launched_in_order(c, dist, acc)))
			return false;
	return true;
}

/* { [t, x] -> [t + steps, z] } in "map", for sizes with which the function runs. */
static __isl_give isl_map *steps_later(struct checker *c,
	__isl_take isl_map *map, int64_t steps)
{
	isl_constraint *later = isl_constraint_alloc_equality(
		isl_local_space_from_space(isl_map_get_space(map)));

	later = isl_constraint_set_coefficient_si(later, isl_dim_in, 0, 1);
	later = isl_constraint_set_coefficient_si(later, isl_dim_out, 0, -1);
	later = isl_constraint_set_constant_si(later, (int) steps);
	return isl_map_intersect_params(isl_map_add_constraint(map, later),
		isl_set_copy(c->context));
}

/* Do source and sink, some instances of which conditions exclude, share no cell? */
static bool never_meet(struct checker *c, const struct distance *dist)
{
	const struct access *acc;
	bool empty = dist->source != dist->sink &&
		(dist->source->plan_stmt->is_guarded ||
		 dist->sink->plan_stmt->is_guarded);

	for (int i = 0; empty && next_read(dist, &i, &acc);) {
		isl_map *map = isl_map_intersect_params(exact_dependence(c,
			dist, acc), isl_set_copy(c->context));

		empty = isl_map_is_empty(map) == isl_bool_true;
		isl_map_free(map);
	}
	return empty;
}

static int64_t least_rows(const struct distance *dist)
{
	return dist->dtau + dist->repeat * dist->first;
}

/* .. not with j = first? */
static bool never_meet_at_first(struct checker *c, const struct distance *dist)
{
	const struct access *acc;
	bool empty = true;

	for (int i = 0; empty && next_read(dist, &i, &acc);)
		empty = is_shown_empty(c, isl_map_wrap(steps_later(c,
			without_itself(dist, exact_dependence(c, dist, acc)),
			(least_rows(dist) - dist->sink->number +
				dist->source->number) / c->scop->k)));
	return empty;
}

/* Let "dist" begin where source and sink may share a cell, if at first the sink would not be
 * later; false if that is nowhere.
 */
static bool begins_later(struct checker *c, struct distance *dist)
{
	while (least_rows(dist) < 1 && never_meet_at_first(c, dist)) {
		if (dist->repeat == 0)
			return false;
		dist->first++;
	}
	return true;
}

/* Dependences ------------------------------------------------------------ */

/* Distances and tiles must suffice where dimensions go around: their grid has no ends, and
 * perhaps fewer points than a hexagon.
 */
static bool piece_is_empty(struct checker *c, const struct distance *dist,
	int p, int q, const struct piece *piece)
{
	const char *condition = piece->condition.bytes;

	if (never_too_early(c, dist, p, q, piece->part, piece->which))
		return true;
	if (plan_is_around(dist->source->plan))
		return refute(c, "a %s dependence of %s on %s through '%s' may "
			"come too early, if %s", kind_name(dist->kind),
			dist->sink->name, dist->source->name,
			dist->field->name, condition);
	return never_too_early(c, dist, p, q, condition, ALL_DIMS) ||
		all_in_order_exactly(c, dist, p, q, condition);
}

static bool is_in_order(struct checker *c, const struct distance *dist, int p,
	int q)
{
	struct pieces all = { 0 };
	bool shown = true;

	find_pieces(&all, dist->source->plan, p, q);
	for (int i = 0; i < all.n && shown; i++)
		shown = piece_is_empty(c, dist, p, q, &all.piece[i]);
	free_pieces(&all);
	return shown;
}

/* Launches of different plans follow each other in each step: the sink is later
 * if it belongs to a later step, or to the same one and a later launch.  Or, as
 * above, sizes, domains and boundaries leave no such pair.
 */
static bool launches_in_order(struct checker *c, const struct distance *dist)
{
	const struct plan *a = dist->source->plan, *b = dist->sink->plan;
	int64_t least = dist->dtau + dist->repeat * dist->first;
	int64_t steps = least - dist->sink->number + dist->source->number;

	if (a->time_pitch != 1 || b->time_pitch != 1 || a->time_shift[0] ||
	    b->time_shift[0] || a->n_phases != 1 || b->n_phases != 1)
		return refute(c, "launches of different shape in time");
	if (steps > 0 || (steps == 0 && b > a) ||
	    all_in_order_exactly(c, dist, 0, 0, NULL))
		return true;
	return refute(c, "%s of a step must run before %s of %s step (%s "
		"dependence through '%s'), and is launched after it",
		dist->source->name, dist->sink->name, steps ? "an earlier" :
		"the same", kind_name(dist->kind), dist->field->name);
}

static void claim_order(struct checker *c, const struct distance *dist)
{
	struct text t = { 0 };

	text_printf(&t, "%s dependence of %s on %s through '%s': %lld row%s "
		"later", kind_name(dist->kind), dist->sink->name,
		dist->source->name, dist->field->name, (long long)
		(dist->dtau + dist->repeat * dist->first),
		dist->dtau + dist->repeat * dist->first == 1 ? "" : "s");
	if (dist->repeat)
		text_printf(&t, ", and any multiple of %lld more",
			(long long) dist->repeat);
	for (int d = 0; d < dist->field->n_dims; d++)
		if (dist->bounded[d])
			text_printf(&t, "%s%lld .. %lld along %s",
				d ? ", " : ", at ", (long long) dist->low[d],
				(long long) dist->high[d],
				dist->sink->stmt->iterator[d]);
	claim(c, "%s", t.bytes);
	text_free(&t);
}

static bool check_distance(struct checker *c, struct distance *dist)
{
	const struct plan *plan = dist->source->plan;

	if (never_meet(c, dist) || ((plan_is_around(plan) || c->prog->waves) &&
	    !begins_later(c, dist))) {
		claim(c, "no %s dependence of %s on %s through '%s': none "
			"of the cells are the same", kind_name(dist->kind),
			dist->sink->name, dist->source->name,
			dist->field->name);
		return true;
	}
	if (plan != dist->sink->plan) {
		if (!launches_in_order(c, dist))
			return false;
	} else if (!go_around(c, dist)) {
		return false;
	} else {
		for (int p = 0; p < plan->n_phases; p++)
			for (int q = 0; q < plan->n_phases; q++)
				if (!is_in_order(c, dist, p, q))
					return false;
	}
	claim_order(c, dist);
	return true;
}

/* Are source and sink of j = first the same instance? */
static bool is_itself(const struct distance *dist)
{
	if (dist->source != dist->sink ||
	    dist->dtau + dist->repeat * dist->first != 0)
		return false;
	for (int d = 0; d < dist->source->stmt->n_dims; d++)
		if (!dist->bounded[d] || dist->low[d] || dist->high[d])
			return false;
	return true;
}

/* The positions y - x of all reads of a version of "f" by "s", dimension by
 * dimension; "bounded" is false where there is no bound.
 */
static void find_reach(struct checker *c, const struct statement *s,
	struct distance *dist)
{
	for (int d = 0; d < dist->field->n_dims; d++) {
		bool first = true;

		dist->bounded[d] = true;
		dist->low[d] = dist->high[d] = 0;
		for (int i = 0; !s->is_copy && i < s->stmt->n_reads; i++) {
			const struct access *acc = s->stmt->read[i];
			int64_t low, high;

			if (acc->field != dist->field ||
			    acc->version != dist->version)
				continue;
			if (read_goes_around(s, acc, d))
				low = high = acc->offset[d];
			else if (acc->dim[d] != d || !reach_along(c, s->stmt,
			    acc, d, &low, &high)) {
				dist->bounded[d] = false;
				break;
			}
			if (first || low < dist->low[d])
				dist->low[d] = low;
			if (first || high > dist->high[d])
				dist->high[d] = high;
			first = false;
		}
	}
}

static void negate_reach(struct distance *dist)
{
	for (int d = 0; d < dist->field->n_dims; d++) {
		int64_t low = dist->low[d];

		dist->low[d] = -dist->high[d];
		dist->high[d] = -low;
	}
}

/* "writer" computes version t + 1; "reader" reads version t + version at y = x + reach.  What a
 * brief copy statement writes stands for all later versions in the same copy; in waves each
 * value stays until the next one.
 */
static bool check_flow(struct checker *c, const struct statement *writer,
	const struct statement *reader, struct distance dist)
{
	int k = c->scop->k;
	int buffers = c->scop->field[dist.field->index].buffers;

	dist.kind = FLOW;
	dist.source = writer;
	dist.sink = reader;
	dist.dtau = (int64_t) k * (writer->stmt->write->version -
		dist.version) + reader->number - writer->number;
	dist.repeat = writer->is_brief || c->prog->waves ?
		(int64_t) k * buffers : 0;
	dist.first = c->prog->waves && dist.dtau > k ? -1 : 0;
	negate_reach(&dist);
	return check_distance(c, &dist);
}

/* Versions t + version + j*buffers, j >= 1, replace what is read. */
static bool check_anti(struct checker *c, const struct statement *reader,
	const struct statement *writer, struct distance dist)
{
	int k = c->scop->k;
	int buffers = c->scop->field[dist.field->index].buffers;

	dist.kind = ANTI;
	dist.source = reader;
	dist.sink = writer;
	dist.dtau = (int64_t) k * (dist.version - 1) + writer->number -
		reader->number;
	dist.repeat = (int64_t) k * buffers;
	dist.first = c->prog->waves && writer->number < reader->number ? 2 : 1;
	if (is_itself(&dist))
		dist.first = 2;
	return check_distance(c, &dist);
}

static bool check_output(struct checker *c, const struct statement *first,
	const struct statement *second)
{
	struct distance dist = {
		.kind = OUTPUT, .source = first, .sink = second,
		.field = first->stmt->write->field,
		.dtau = second->number - first->number, .first = 1,
	};

	dist.repeat = (int64_t) c->scop->k *
		c->scop->field[dist.field->index].buffers;
	for (int d = 0; d < dist.field->n_dims; d++)
		dist.bounded[d] = true;
	return check_distance(c, &dist);
}

/* All dependences through the version "version" of "f" that "reader" reads. */
static bool check_read(struct checker *c, const struct statement *reader,
	const struct field *f, int version)
{
	struct distance dist = { .field = f, .version = version };

	find_reach(c, reader, &dist);
	for (int i = 0; i < c->n_stmts; i++) {
		const struct statement *writer = &c->stmt[i];

		if (writer->stmt->write->field != f)
			continue;
		if (!check_flow(c, writer, reader, dist) ||
		    (f->kind == FIELD_STATE &&
		    !check_anti(c, reader, writer, dist)))
			return false;
	}
	return true;
}

static bool is_first_of_version(const struct stmt *s, int read)
{
	for (int i = 0; i < read; i++)
		if (s->read[i]->field == s->read[read]->field &&
		    s->read[i]->version == s->read[read]->version)
			return false;
	return true;
}

static bool check_reads(struct checker *c, const struct statement *s)
{
	if (s->is_copy)
		return check_read(c, s, s->stmt->write->field, 0);
	for (int i = 0; i < s->stmt->n_reads; i++) {
		const struct access *acc = s->stmt->read[i];

		if (acc->field->kind == FIELD_INPUT ||
		    !is_first_of_version(s->stmt, i))
			continue;
		if (acc->field->kind == FIELD_STATE &&
		    acc->version < 1 - acc->field->depth)
			return refute(c, "%s reads a step of '%s' that the "
				"caller does not pass", s->name,
				acc->field->name);
		if (!check_read(c, s, acc->field, acc->version))
			return false;
	}
	return true;
}

static bool check_writes(struct checker *c, const struct statement *s)
{
	const struct field *f = s->stmt->write->field;

	if (f->kind != FIELD_STATE)
		return true;
	if (c->scop->field[f->index].buffers < f->depth)
		return refute(c, "'%s' has %d copies, the caller wants %d",
			f->name, c->scop->field[f->index].buffers, f->depth);
	for (int i = 0; i < c->n_stmts; i++)
		if (c->stmt[i].stmt->write->field == f &&
		    !check_output(c, s, &c->stmt[i]))
			return false;
	return true;
}

/* With waves, the chunks of all phases have the same numbers. */
static bool chunks_are_alike(struct checker *c, const struct plan *plan)
{
	int d = plan->tiles.waves.dim;

	if (d < 0)
		return true;
	if (plan->n_phases != 2 || plan->drift[d] != 0 ||
	    plan->shift[d][0] != plan->shift[d][1])
		return refute(c, "the chunks of the two phases do not start "
			"at the same tile");
	if (plan->tiles.waves.least_chunk < 1 || plan->role[d] !=
	    ROLE_SEQUENTIAL)
		return refute(c, "chunks without tiles");
	for (int e = 0; e < d; e++)
		if (plan->role[e] == ROLE_SEQUENTIAL)
			return refute(c, "chunks in an inner dimension");
	return true;
}

bool check_order(struct checker *c)
{
	section(c, "Each dependence is respected by the order");
	for (int q = 0; q < c->n_plans; q++)
		if (!chunks_are_alike(c, &c->plan[q]) ||
		    !check_around(c, &c->plan[q]))
			return false;
	for (int i = 0; i < c->n_stmts; i++)
		if (!check_reads(c, &c->stmt[i]) ||
		    !check_writes(c, &c->stmt[i]))
			return false;
	return true;
}
