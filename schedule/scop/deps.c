#include <string.h>

#include "ir/waves.h"
#include "schedule/scop/distances.h"

static __isl_give isl_union_map *all_writes(const struct scop *scop)
{
	isl_union_map *writes = isl_union_map_empty(scop_param_space(scop));

	for (int i = 0; i < scop->n_stmts; i++)
		writes = isl_union_map_add_map(writes,
			isl_map_copy(scop->stmt[i].write));
	return writes;
}

/* { F[v, y] -> F[v + buffers, y] }: the value that replaces F[v, y]. */
static __isl_give isl_union_map *replacements(const struct scop *scop)
{
	const struct program *prog = scop->prog;
	isl_union_map *next = isl_union_map_empty(scop_param_space(scop));

	for (int i = 0; i < prog->n_fields; i++)
		if (has_version(prog->field[i]))
			next = isl_union_map_add_map(next, later_versions(
				scop_value_space(scop, prog->field[i]),
				scop->field[i].buffers));
	return next;
}

/* An instance that reads a cell and then overwrites it depends on itself; that
 * order is given.
 */
static __isl_give isl_union_map *without_self(__isl_take isl_union_map *deps)
{
	isl_union_set *instances = isl_union_map_domain(
		isl_union_map_copy(deps));

	instances = isl_union_set_union(instances,
		isl_union_map_range(isl_union_map_copy(deps)));
	return isl_union_map_subtract(deps,
		isl_union_set_identity(instances));
}

/* From the write of a value to "reads" of it. */
static __isl_give isl_union_map *flow_to(const struct scop *scop,
	__isl_keep isl_union_map *reads)
{
	return isl_union_map_apply_range(all_writes(scop),
		isl_union_map_reverse(isl_union_map_copy(reads)));
}

/* From every access to a value to the write that replaces it. */
static __isl_give isl_union_map *to_overwriters(const struct scop *scop,
	__isl_take isl_union_map *touches)
{
	return isl_union_map_apply_range(isl_union_map_apply_range(touches,
		replacements(scop)), isl_union_map_reverse(all_writes(scop)));
}

struct deps_relations deps_relations(const struct scop *scop)
{
	struct deps_relations r;
	isl_union_map *reads = isl_union_map_empty(scop_param_space(scop));

	for (int i = 0; i < scop->n_stmts; i++)
		for (int j = 0; j < scop->stmt[i].n_reads; j++)
			reads = isl_union_map_union(reads,
				isl_union_map_from_map(scop_read_of(scop,
					&scop->stmt[i], scop->stmt[i].read[j])));
	r.flow = keep_union_map(scop->mem, flow_to(scop, reads));
	r.anti = keep_union_map(scop->mem, without_self(
		to_overwriters(scop, reads)));
	r.output = keep_union_map(scop->mem, to_overwriters(scop,
		all_writes(scop)));
	return r;
}

/* Distances ------------------------------------------------------------- */

/* { [dtau, dx] : low <= [dtau, dx] <= high } */
struct distance_box {
	int64_t low[1 + IR_MAX_DIMS], high[1 + IR_MAX_DIMS];
};

/* Most dependences have one distance, known from the accesses; sets only tell
 * whether any two instances are that far apart.  Conditions such as parities
 * can make that costly to write down.
 */
struct gather {
	const struct scop *scop;
	const struct field *through;	/* by what is stored there; NULL: all */
	int n, capacity;
	struct distance_box *found;	/* found so far, each a point */
	int n_spans, most_spans;
	struct span_of *span;		/* those of reads with other distances */
};

static bool is_found(const struct gather *g, const struct distance_box *point)
{
	for (int i = 0; i < g->n; i++)
		if (!memcmp(&g->found[i], point, sizeof(*point)))
			return true;
	return false;
}

static void add_point(struct gather *g, const struct distance_box *point)
{
	if (g->n == g->capacity) {
		int capacity = g->capacity ? 2 * g->capacity : 16;
		struct distance_box *more = region_array(g->scop->mem,
			struct distance_box, capacity);

		if (g->n)
			memcpy(more, g->found, (size_t) g->n * sizeof(*more));
		g->found = more;
		g->capacity = capacity;
	}
	g->found[g->n++] = *point;
}

/* Make "a" the union of both if that is a box, longer along "dim". */
static bool join(struct distance_box *a, const struct distance_box *b, int dim,
	int n_dims)
{
	for (int d = 0; d < n_dims; d++)
		if (d != dim && (a->low[d] != b->low[d] ||
		    a->high[d] != b->high[d]))
			return false;
	if (b->low[dim] == a->high[dim] + 1)
		a->high[dim] = b->high[dim];
	else if (a->low[dim] == b->high[dim] + 1)
		a->low[dim] = b->low[dim];
	else
		return false;
	return true;
}

/* Points become rows, rows planes, ..: as sets, hundreds of points would be
 * compared pairwise.
 */
static void join_points(struct gather *g)
{
	int n_dims = 1 + g->scop->n_dims;

	for (int dim = n_dims - 1; dim >= 0; dim--)
		for (int i = 0; i < g->n; i++)
			for (int j = i + 1; j < g->n; j++)
				if (join(&g->found[i], &g->found[j], dim,
				    n_dims)) {
					g->found[j] = g->found[--g->n];
					j = i;
				}
}

static __isl_give isl_set *set_of_box(const struct scop *scop,
	const struct distance_box *box)
{
	isl_set *set = isl_set_universe(isl_space_set_alloc(scop->ctx, 0,
		1 + scop->n_dims));

	for (int d = 0; d < 1 + scop->n_dims; d++)
		set = set_between(set, d, (int) box->low[d],
			(int) box->high[d]);
	return set;
}

/* { [dtau, dx] } found so far. */
static __isl_give isl_set *set_of_found(struct gather *g)
{
	isl_set *set = isl_set_empty(isl_space_set_alloc(g->scop->ctx, 0,
		1 + g->scop->n_dims));

	join_points(g);
	for (int i = 0; i < g->n; i++)
		set = isl_set_union(set, set_of_box(g->scop, &g->found[i]));
	return set;
}

/* Instances of "to" depend on those of "from", dt steps before and dx away. */
static void add_distance(struct gather *g, const struct scop_stmt *from,
	const struct scop_stmt *to, int64_t dt, const int64_t *dx)
{
	struct distance_box point = { 0 };

	point.low[0] = g->scop->k * dt + to->number - from->number;
	for (int d = 0; d < g->scop->n_dims; d++)
		point.low[1 + d] = dx[d];
	memcpy(point.high, point.low, sizeof(point.high));
	if (!is_found(g, &point) && scop_any_apart(g->scop, from, to, dt, dx))
		add_point(g, &point);
}

/* In waves no boundary stands in by cells, and a cell holds the value written last: the nearest
 * instance, in the order of rows, comes to it next, and all others are as far away and later.
 */
static void add_nearest(struct gather *g, const struct scop_stmt *from,
	const struct scop_stmt *to, const int64_t *dx)
{
	int64_t most = 2 * g->scop->prog->waves->step + 1;
	int64_t dt = to->number > from->number ? 0 : 1;

	while (dt <= most && !scop_any_apart(g->scop, from, to,
	    dt, dx))
		dt++;
	if (dt <= most)
		add_distance(g, from, to, dt, dx);
}

static void gather_in_waves(struct gather *g, const struct scop_stmt *writer,
	const struct scop_stmt *reader, const struct access *acc)
{
	int64_t dx[IR_MAX_DIMS] = { 0 }, back[IR_MAX_DIMS] = { 0 };

	for (int d = 0; d < acc->field->n_dims; d++) {
		dx[d] = acc->offset[d];
		back[d] = -dx[d];
	}
	add_nearest(g, writer, reader, back);
	add_nearest(g, reader, writer, dx);
}

/* The dependences between "writer" and the read "acc" of "reader". */
static void gather_uniform(struct gather *g, const struct scop_stmt *writer,
	const struct scop_stmt *reader, const struct access *acc)
{
	int buffers = g->scop->field[acc->field->index].buffers;
	int64_t dx[IR_MAX_DIMS] = { 0 }, back[IR_MAX_DIMS] = { 0 };
	int64_t replaced = acc->version + buffers - 1;
	bool is_self = writer == reader && replaced == 0;

	for (int d = 0; d < acc->field->n_dims; d++) {
		dx[d] = acc->offset[d];
		back[d] = -dx[d];
		is_self = is_self && dx[d] == 0;
	}
	add_distance(g, writer, reader,
		has_version(acc->field) ? 1 - acc->version : 0, back);
	if (has_version(acc->field) && !is_self)
		add_distance(g, reader, writer, replaced, dx);
}

static void add_span(struct gather *g, const struct instants *instants,
	int number)
{
	if (instants->is_empty)
		return;
	if (g->n_spans == g->most_spans) {
		int most = g->most_spans ? 2 * g->most_spans : 16;
		struct span_of *more = region_array(g->scop->mem,
			struct span_of, most);

		if (g->n_spans)
			memcpy(more, g->span, (size_t) g->n_spans *
				sizeof(*more));
		g->span = more;
		g->most_spans = most;
	}
	g->span[g->n_spans++] = (struct span_of) { instants, number, number };
}

/* The same, where the accesses do not tell how far apart the instances are. */
static void gather_others(struct gather *g, const struct scop_stmt *writer,
	const struct scop_stmt *reader, const struct access *acc)
{
	int number = reader->number - writer->number;

	add_span(g, scop_instants(g->scop, writer, reader, acc, 0), number);
	if (has_version(acc->field))
		add_span(g, scop_instants(g->scop, writer, reader, acc,
			g->scop->field[acc->field->index].buffers), -number);
}

/* The dependences of a read. */
static void gather_read(struct gather *g, const struct scop_stmt *reader,
	const struct access *acc)
{
	void (*gather)(struct gather *, const struct scop_stmt *,
		const struct scop_stmt *, const struct access *) =
		g->scop->prog->waves ? gather_in_waves :
		access_is_plain(reader->stmt, acc) ? gather_uniform :
		gather_others;

	for (int i = 0; i < g->scop->n_stmts; i++)
		if (g->scop->stmt[i].stmt->write->field == acc->field)
			gather(g, &g->scop->stmt[i], reader, acc);
}

/* The statements that overwrite what "writer" writes. */
static void gather_write(struct gather *g, const struct scop_stmt *writer)
{
	const struct field *field = writer->stmt->write->field;
	static const int64_t here[IR_MAX_DIMS];

	for (int i = 0; i < g->scop->n_stmts && has_version(field); i++)
		if (g->scop->stmt[i].stmt->write->field != field)
			continue;
		else if (g->scop->prog->waves)
			add_nearest(g, writer, &g->scop->stmt[i], here);
		else
			add_distance(g, writer, &g->scop->stmt[i],
				g->scop->field[field->index].buffers, here);
}

static bool is_through(const struct gather *g, const struct field *f)
{
	return !g->through || g->through == f;
}

/* All dependences, or those through the values of "through". */
static struct gather gather_all(const struct scop *scop,
	const struct field *through)
{
	struct gather g = { .scop = scop, .through = through };

	for (int i = 0; i < scop->n_stmts; i++) {
		const struct scop_stmt *s = &scop->stmt[i];

		if (is_through(&g, s->stmt->write->field))
			gather_write(&g, s);
		for (int j = 0; j < s->n_reads; j++)
			if (is_through(&g, s->read[j]->field))
				gather_read(&g, s, s->read[j]);
	}
	g.n_spans = spans_join(g.span, g.n_spans);
	return g;
}

struct deps *deps_compute(const struct scop *scop)
{
	struct deps *deps = region_new_of(scop->mem, struct deps);
	struct gather g = gather_all(scop, NULL);
	isl_set *all = set_of_found(&g);

	for (int i = 0; i < g.n_spans; i++)
		all = isl_set_union(all, span_distances(scop, &g.span[i]));
	deps->distance = keep_set(scop->mem, set_coalesce(all));
	return deps;
}

static struct rational rational_make(int64_t num, int64_t den)
{
	int64_t common = greatest_common_divisor(num, den);

	return (struct rational) { num / common, den / common };
}

bool rational_is_greater(struct rational a, struct rational b)
{
	return a.num * b.den > b.num * a.den;
}

/* Widen "cone" along "d" by distances from "least" to "most" at "dtau". */
static void widen_along(struct cone *cone, int d, int64_t least, int64_t most,
	int64_t dtau)
{
	struct rational up = rational_make(most, dtau);
	struct rational down = rational_make(-least, dtau);

	if (rational_is_greater(up, cone->delta0[d]))
		cone->delta0[d] = up;
	if (rational_is_greater(down, cone->delta1[d]))
		cone->delta1[d] = down;
}

bool deps_advance(const struct deps *deps)
{
	int64_t least;

	return isl_set_is_empty(deps->distance) == isl_bool_true ||
		(set_edge(deps->distance, 0, false, &least) && least >= 1);
}

struct widening {
	struct cone *cone;
	bool advances;		/* each distance has a dtau of at least 1 */
};

/* Widen along "d" by the edges of "set", whose distances have this dtau; false if all distances
 * of "whole" are as wide, so that those of a later dtau are no wider in proportion.
 */
static bool widen_by_edges(struct cone *cone, int d, __isl_keep isl_set *set,
	__isl_keep isl_set *whole, int64_t dtau)
{
	int64_t least, most, first, last;

	if (!set_edges(set, 1 + d, &least, &most)) {
		cone->is_open[d] = true;
		return false;
	}
	widen_along(cone, d, least, most, dtau);
	return !set_edges(whole, 1 + d, &first, &last) || first != least ||
		last != most;
}

/* .. along all dimensions by the distances of "whole" that have this dtau; false likewise. */
static bool widen_by_slice(struct cone *cone, __isl_keep isl_set *whole,
	int64_t dtau)
{
	isl_set *slice = isl_set_fix_si(isl_set_copy(whole), isl_dim_set, 0,
		(int) dtau);
	bool empty = isl_set_is_empty(slice) == isl_bool_true;
	bool grows = empty;

	for (int d = 0; !empty && d < cone->n_dims; d++)
		grows |= widen_by_edges(cone, d, slice, whole, dtau);
	isl_set_free(slice);
	return grows;
}

static isl_stat widen_by_piece(__isl_take isl_basic_set *piece, void *user)
{
	struct widening *w = user;
	isl_set *all = isl_set_from_basic_set(piece);
	int64_t dtau = 1, last = 0;

	if (isl_set_is_empty(all) != isl_bool_true)
		w->advances = w->advances && set_edges(all, 0, &dtau, &last) &&
			dtau >= 1;
	while (w->advances && dtau <= last && widen_by_slice(w->cone, all,
	    dtau))
		dtau++;
	isl_set_free(all);
	return isl_stat_ok;
}

static struct cone no_cone(int n_dims)
{
	struct cone cone = { .n_dims = n_dims };

	for (int d = 0; d < n_dims; d++)
		cone.delta0[d] = cone.delta1[d] = (struct rational) { 0, 1 };
	return cone;
}

static bool is_bounded(const struct cone *cone)
{
	for (int d = 0; d < cone->n_dims; d++)
		if (cone->is_open[d])
			return false;
	return true;
}

bool cone_of_deps(const struct deps *deps, int n_dims, struct cone *cone)
{
	struct widening w = { cone, true };

	*cone = no_cone(n_dims);
	if (isl_set_is_empty(deps->distance) == isl_bool_true)
		return true;
	isl_set_foreach_basic_set(deps->distance, widen_by_piece, &w);
	return w.advances && is_bounded(cone);
}

/* Widen the cone by a distance, or a hull of several, of the least dtau that these have. */
static void widen_by_hull(struct widening *w, int64_t dtau,
	const int64_t *least, const int64_t *most, const bool *is_open)
{
	w->advances = w->advances && dtau >= 1;
	for (int d = 0; w->advances && d < w->cone->n_dims; d++)
		if (is_open && is_open[d])
			w->cone->is_open[d] = true;
		else
			widen_along(w->cone, d, least[d], most[d], dtau);
}

static void widen_by_span(const struct scop *scop, struct widening *w,
	const struct span_of *span)
{
	w->advances = w->advances && span->instants->is_bounded;
	for (const struct slice *s = span->instants->slices; s; s = s->next) {
		int64_t dtau = s->dt * scop->k + span->low;

		/* An instance does not wait for itself. */
		if (span->instants->buffers && s->is_zero && !dtau) {
			if (span->low == span->high)
				continue;
			dtau++;
		}
		widen_by_hull(w, dtau, s->least, s->most, s->is_open);
	}
}

struct outcome outcome_through(const struct scop *scop,
	const struct field *field)
{
	struct gather g = gather_all(scop, field);
	struct cone cone = no_cone(scop->n_dims);
	struct widening w = { &cone, true };

	for (int i = 0; i < g.n; i++)
		widen_by_hull(&w, g.found[i].low[0], &g.found[i].low[1],
			&g.found[i].low[1], NULL);
	for (int i = 0; i < g.n_spans; i++)
		widen_by_span(scop, &w, &g.span[i]);
	return (struct outcome) { .advances = w.advances,
		.bounded = w.advances && is_bounded(&cone), .cone = cone };
}
