#include "schedule/schedule.h"

static __isl_give isl_union_map *all_reads(const struct scop *scop)
{
	isl_union_map *reads = isl_union_map_empty(scop_param_space(scop));

	for (int i = 0; i < scop->n_stmts; i++)
		reads = isl_union_map_union(reads,
			isl_union_map_copy(scop->stmt[i].reads));
	return reads;
}

static __isl_give isl_union_map *all_writes(const struct scop *scop)
{
	isl_union_map *writes = isl_union_map_empty(scop_param_space(scop));

	for (int i = 0; i < scop->n_stmts; i++)
		writes = isl_union_map_add_map(writes,
			isl_map_copy(scop->stmt[i].write));
	return writes;
}

/* { F[v, y] -> F[v + buffers, y] }: the value that takes the place of F[v, y].
 */
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

/* { [dtau, dx] } of "deps" under "schedule". */
static __isl_give isl_set *distances(const struct scop *scop,
	__isl_keep isl_union_map *schedule, __isl_take isl_union_map *deps)
{
	isl_space *space = isl_space_set_from_params(scop_param_space(scop));
	isl_union_set *delta;
	isl_set *set;

	deps = isl_union_map_apply_domain(deps,
		isl_union_map_copy(schedule));
	deps = isl_union_map_apply_range(deps, isl_union_map_copy(schedule));
	delta = isl_union_map_deltas(deps);
	space = isl_space_add_dims(space, isl_dim_set, 1 + scop->n_dims);
	set = isl_union_set_extract_set(delta, space);
	isl_union_set_free(delta);
	set = isl_set_project_out(set, isl_dim_param, 0,
		isl_set_dim(set, isl_dim_param));
	return isl_set_coalesce(set);
}

/* An instance that reads a cell and then overwrites it depends on itself;
 * that order is given.
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

struct deps *deps_compute(const struct scop *scop)
{
	struct deps *deps = region_new_of(scop->mem, struct deps);
	isl_union_map *reads = all_reads(scop);
	isl_union_map *writes = all_writes(scop);
	isl_union_map *writer = isl_union_map_reverse(
		isl_union_map_copy(writes));
	isl_union_map *overwriter = isl_union_map_apply_range(
		replacements(scop), isl_union_map_copy(writer));
	isl_union_map *schedule = canonical(scop);
	isl_union_map *all;

	deps->flow = keep_union_map(scop->mem, isl_union_map_apply_range(
		isl_union_map_copy(writes),
		isl_union_map_reverse(isl_union_map_copy(reads))));
	deps->anti = keep_union_map(scop->mem, without_self(
		isl_union_map_apply_range(reads,
			isl_union_map_copy(overwriter))));
	deps->output = keep_union_map(scop->mem,
		isl_union_map_apply_range(writes, overwriter));
	isl_union_map_free(writer);

	all = isl_union_map_union(isl_union_map_copy(deps->flow),
		isl_union_map_copy(deps->anti));
	all = isl_union_map_union(all, isl_union_map_copy(deps->output));
	deps->distance = keep_set(scop->mem,
		distances(scop, schedule, all));
	isl_union_map_free(schedule);
	return deps;
}

static struct rational rational_make(int64_t num, int64_t den)
{
	int64_t a = num < 0 ? -num : num, b = den;

	while (b) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	if (a == 0)
		return (struct rational) { 0, 1 };
	return (struct rational) { num / a, den / a };
}

static bool is_greater(struct rational a, struct rational b)
{
	return a.num * b.den > b.num * a.den;
}

/* The integer "v" holds, -1 << 62 if there is none (unbounded, empty). */
static int64_t take_int(__isl_take isl_val *v)
{
	int64_t value = INT64_MIN;

	if (v && isl_val_is_int(v) == isl_bool_true)
		value = isl_val_get_num_si(v);
	isl_val_free(v);
	return value;
}

/* Widen "cone" by the distances of "slice", which all have this dtau. */
static bool widen(struct cone *cone, __isl_keep isl_set *slice, int64_t dtau)
{
	for (int d = 0; d < cone->n_dims; d++) {
		int64_t most = take_int(
			isl_set_dim_max_val(isl_set_copy(slice), 1 + d));
		int64_t least = take_int(
			isl_set_dim_min_val(isl_set_copy(slice), 1 + d));
		struct rational up, down;

		if (most == INT64_MIN || least == INT64_MIN)
			return false;
		up = rational_make(most, dtau);
		down = rational_make(-least, dtau);
		if (is_greater(up, cone->delta0[d]))
			cone->delta0[d] = up;
		if (is_greater(down, cone->delta1[d]))
			cone->delta1[d] = down;
	}
	return true;
}

bool deps_advance(const struct deps *deps)
{
	if (isl_set_is_empty(deps->distance) == isl_bool_true)
		return true;
	return take_int(isl_set_dim_min_val(isl_set_copy(deps->distance),
		0)) >= 1;
}

bool cone_of_deps(const struct deps *deps, int n_dims, struct cone *cone)
{
	isl_set *all = deps->distance;
	int64_t first, last;

	*cone = (struct cone) { .n_dims = n_dims };
	for (int d = 0; d < n_dims; d++)
		cone->delta0[d] = cone->delta1[d] = (struct rational) { 0, 1 };
	if (isl_set_is_empty(all) == isl_bool_true)
		return true;
	first = take_int(isl_set_dim_min_val(isl_set_copy(all), 0));
	last = take_int(isl_set_dim_max_val(isl_set_copy(all), 0));
	if (first < 1 || last == INT64_MIN)
		return false;
	for (int64_t dtau = first; dtau <= last; dtau++) {
		isl_set *slice = isl_set_fix_si(isl_set_copy(all), isl_dim_set,
			0, (int) dtau);
		bool ok = isl_set_is_empty(slice) == isl_bool_true ||
			widen(cone, slice, dtau);

		isl_set_free(slice);
		if (!ok)
			return false;
	}
	return true;
}
