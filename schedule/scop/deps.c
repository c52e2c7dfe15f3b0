#include <string.h>

#include "ir/waves.h"
#include "schedule/scop/sets.h"

/* { S[t, x] -> F[v, y] } */
static __isl_give isl_union_map *read_of(const struct scop *scop,
	const struct scop_stmt *s, const struct access *acc)
{
	isl_map *read = access_relation(scop, s->domain, s->stmt, acc);

	return isl_union_map_from_map(!s->is_mapped ? read :
		isl_map_intersect_params(read, isl_set_copy(scop->context)));
}

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

	for (int i = 0; i < prog->n_fields; i++) {
		const struct scop_field *f = &scop->field[i];
		isl_space *space;
		isl_multi_aff *ma;
		isl_aff *v;

		if (f->field->kind != FIELD_STATE)
			continue;
		space = isl_space_add_dims(isl_set_get_space(f->cells),
			isl_dim_set, 1);
		space = isl_space_set_tuple_name(space, isl_dim_set,
			f->field->name);
		ma = isl_multi_aff_identity(
			isl_space_map_from_set(space));
		v = isl_multi_aff_get_aff(ma, 0);
		v = isl_aff_add_constant_si(v, f->buffers);
		ma = isl_multi_aff_set_aff(ma, 0, v);
		next = isl_union_map_add_map(next,
			isl_map_from_multi_aff(ma));
	}
	return next;
}

static __isl_give isl_union_map *canonical(const struct scop *scop)
{
	isl_union_map *schedule = isl_union_map_empty(scop_param_space(scop));

	for (int i = 0; i < scop->n_stmts; i++)
		schedule = isl_union_map_add_map(schedule,
			scop_canonical(scop, &scop->stmt[i]));
	return schedule;
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

/* { [dtau, dx] } of "deps". */
static __isl_give isl_set *deltas_of(const struct scop *scop,
	__isl_take isl_union_map *deps)
{
	isl_space *space = isl_space_set_from_params(scop_param_space(scop));
	isl_union_map *schedule = canonical(scop);
	isl_union_set *delta;
	isl_set *set;

	deps = isl_union_map_apply_domain(deps, isl_union_map_copy(schedule));
	delta = isl_union_map_deltas(isl_union_map_apply_range(deps, schedule));
	space = isl_space_add_dims(space, isl_dim_set, 1 + scop->n_dims);
	set = isl_union_set_extract_set(delta, space);
	isl_union_set_free(delta);
	return isl_set_project_out(set, isl_dim_param, 0,
		isl_set_dim(set, isl_dim_param));
}

/* { [0, 0, ..] }: of an instance on itself only. */
static __isl_give isl_set *no_distance(const struct scop *scop)
{
	isl_set *zero = isl_set_universe(isl_space_set_alloc(scop->ctx, 0,
		1 + scop->n_dims));

	for (int d = 0; d < 1 + scop->n_dims; d++)
		zero = isl_set_fix_si(zero, isl_dim_set, d, 0);
	return zero;
}

/* { [dtau, dx] } of what depends on "reads", and they on. */
static __isl_give isl_set *distances(const struct scop *scop,
	__isl_take isl_union_map *reads)
{
	isl_set *flow = deltas_of(scop, flow_to(scop, reads));
	isl_set *anti = deltas_of(scop, to_overwriters(scop, reads));

	return set_coalesce(isl_set_union(flow, isl_set_subtract(anti,
		no_distance(scop))));
}

struct deps_relations deps_relations(const struct scop *scop)
{
	struct deps_relations r;
	isl_union_map *reads = isl_union_map_empty(scop_param_space(scop));

	for (int i = 0; i < scop->n_stmts; i++)
		for (int j = 0; j < scop->stmt[i].n_reads; j++)
			reads = isl_union_map_union(reads, read_of(scop,
				&scop->stmt[i], scop->stmt[i].read[j]));
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
	isl_union_map *reads;	/* those with other distances */
};

/* Is there a point in both?  Pieces are tested one by one: usually the first
 * two share one.
 */
static bool meet(__isl_take isl_set *a, __isl_take isl_set *b)
{
	isl_basic_set_list *of_a = isl_set_get_basic_set_list(a);
	isl_basic_set_list *of_b = isl_set_get_basic_set_list(b);
	int n_a = isl_basic_set_list_n_basic_set(of_a);
	int n_b = isl_basic_set_list_n_basic_set(of_b);
	bool any = false;

	for (int i = 0; i < n_a; i++)
		for (int j = 0; j < n_b && !any; j++) {
			isl_basic_set *both = isl_basic_set_intersect(
				isl_basic_set_list_get_basic_set(of_a, i),
				isl_basic_set_list_get_basic_set(of_b, j));

			any = isl_basic_set_is_empty(both) != isl_bool_true;
			isl_basic_set_free(both);
		}
	isl_basic_set_list_free(of_a);
	isl_basic_set_list_free(of_b);
	isl_set_free(a);
	isl_set_free(b);
	return any;
}

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

/* { [t, x] : [t + dt, x + dx] in the domain of "s" } */
static __isl_give isl_set *shifted_back(const struct scop_stmt *s, int64_t dt,
	const int64_t *dx)
{
	isl_set *domain = isl_set_reset_tuple_id(isl_set_copy(s->domain));
	isl_multi_aff *ma = isl_multi_aff_identity(isl_space_map_from_set(
		isl_set_get_space(domain)));

	for (int i = 0; i < 1 + s->stmt->n_dims; i++) {
		isl_aff *x = isl_multi_aff_get_aff(ma, i);

		x = isl_aff_add_constant_si(x, (int) (i ? dx[i - 1] : dt));
		ma = isl_multi_aff_set_aff(ma, i, x);
	}
	return isl_set_preimage_multi_aff(domain, ma);
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
	if (!is_found(g, &point) &&
	    meet(isl_set_reset_tuple_id(isl_set_copy(from->domain)),
		    shifted_back(to, dt, dx)))
		add_point(g, &point);
}

/* Is there an instance of "to" dt steps after one of "from" and dx away? */
static bool any_apart(const struct scop_stmt *from, const struct scop_stmt *to,
	int64_t dt, const int64_t *dx)
{
	return meet(isl_set_reset_tuple_id(isl_set_copy(from->domain)),
		shifted_back(to, dt, dx));
}

/* In waves no boundary stands in by cells, and a cell holds the value written last: the nearest
 * instance, in the order of rows, comes to it next, and all others are as far away and later.
 */
static void add_nearest(struct gather *g, const struct scop_stmt *from,
	const struct scop_stmt *to, const int64_t *dx)
{
	int64_t most = 2 * g->scop->prog->waves->step + 1;
	int64_t dt = to->number > from->number ? 0 : 1;

	while (dt <= most && !any_apart(from, to, dt, dx))
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

/* The dependences of a read; a read with unknown distances is recorded. */
static void gather_read(struct gather *g, const struct scop_stmt *reader,
	const struct access *acc)
{
	if (!g->scop->prog->waves && !access_is_plain(reader->stmt, acc)) {
		g->reads = isl_union_map_union(g->reads,
			read_of(g->scop, reader, acc));
		return;
	}
	for (int i = 0; i < g->scop->n_stmts; i++) {
		if (g->scop->stmt[i].stmt->write->field != acc->field)
			continue;
		if (g->scop->prog->waves)
			gather_in_waves(g, &g->scop->stmt[i], reader, acc);
		else
			gather_uniform(g, &g->scop->stmt[i], reader, acc);
	}
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

struct deps *deps_compute(const struct scop *scop, const struct field *through)
{
	struct deps *deps = region_new_of(scop->mem, struct deps);
	struct gather g = { .scop = scop, .through = through,
		.reads = isl_union_map_empty(scop_param_space(scop)) };
	isl_set *all;

	for (int i = 0; i < scop->n_stmts; i++) {
		const struct scop_stmt *s = &scop->stmt[i];

		if (is_through(&g, s->stmt->write->field))
			gather_write(&g, s);
		for (int j = 0; j < s->n_reads; j++)
			if (is_through(&g, s->read[j]->field))
				gather_read(&g, s, s->read[j]);
	}
	all = set_of_found(&g);
	if (isl_union_map_is_empty(g.reads) == isl_bool_true)
		isl_union_map_free(g.reads);
	else
		all = isl_set_union(all, distances(scop, g.reads));
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

/* Widen "cone" by the distances of "slice", which all have this dtau. */
static void widen(struct cone *cone, __isl_keep isl_set *slice, int64_t dtau)
{
	for (int d = 0; d < cone->n_dims; d++) {
		struct rational up, down;
		int64_t least, most;

		if (!set_edges(slice, 1 + d, &least, &most)) {
			cone->is_open[d] = true;
			continue;
		}
		up = rational_make(most, dtau);
		down = rational_make(-least, dtau);
		if (rational_is_greater(up, cone->delta0[d]))
			cone->delta0[d] = up;
		if (rational_is_greater(down, cone->delta1[d]))
			cone->delta1[d] = down;
	}
}

bool deps_advance(const struct deps *deps)
{
	int64_t least;

	return isl_set_is_empty(deps->distance) == isl_bool_true ||
		(set_edge(deps->distance, 0, false, &least) && least >= 1);
}

bool cone_of_deps(const struct deps *deps, int n_dims, struct cone *cone)
{
	isl_set *all = deps->distance;
	bool bounded = true;
	int64_t first, last;

	*cone = (struct cone) { .n_dims = n_dims };
	for (int d = 0; d < n_dims; d++)
		cone->delta0[d] = cone->delta1[d] = (struct rational) { 0, 1 };
	if (isl_set_is_empty(all) == isl_bool_true)
		return true;
	if (!set_edges(all, 0, &first, &last) || first < 1)
		return false;
	for (int64_t dtau = first; dtau <= last; dtau++) {
		isl_set *slice = isl_set_fix_si(isl_set_copy(all), isl_dim_set,
			0, (int) dtau);

		if (isl_set_is_empty(slice) != isl_bool_true)
			widen(cone, slice, dtau);
		isl_set_free(slice);
	}
	for (int d = 0; d < n_dims; d++)
		bounded = bounded && !cone->is_open[d];
	return bounded;
}
