#include "schedule/choice.h"
#include "schedule/forms.h"

/* The multi-affine function { [x] -> [x] } over "n" dimensions. */
static __isl_give isl_multi_aff *identity(isl_ctx *ctx, int n)
{
	isl_space *space = isl_space_set_alloc(ctx, 0, n);

	return isl_multi_aff_identity(isl_space_map_from_set(space));
}

__isl_give isl_set *tile_instances(const struct plan *plan, int number)
{
	isl_multi_aff *ma = identity(plan->scop->ctx, 1 + plan->n_dims);
	isl_aff *tau = isl_multi_aff_get_aff(ma, 0);

	tau = isl_aff_scale_val(tau,
		isl_val_int_from_si(plan->scop->ctx, plan->scop->k));
	tau = isl_aff_add_constant_si(tau, number);
	ma = isl_multi_aff_set_aff(ma, 0, tau);
	return isl_set_preimage_multi_aff(isl_set_copy(plan->shape), ma);
}

bool tile_has(const struct plan *plan, int number)
{
	return set_has_points(tile_instances(plan, number));
}

static int value_dims(const struct field *field)
{
	return has_version(field) + field->n_dims;
}

__isl_give isl_map *tile_access(const struct plan *plan,
	const struct access *acc)
{
	isl_ctx *ctx = plan->scop->ctx;

	return isl_map_from_multi_aff(access_function(isl_space_set_alloc(ctx,
		0, 1 + plan->n_dims), isl_space_set_alloc(ctx, 0,
		value_dims(acc->field)), acc, has_version(acc->field),
		acc->version));
}

/* The values that the accesses "acc" of the instances of "number" touch. */
static __isl_give isl_set *touched(const struct plan *plan, int number,
	const struct access *acc)
{
	return isl_set_apply(tile_instances(plan, number),
		tile_access(plan, acc));
}

static __isl_give isl_set *no_values(const struct plan *plan,
	const struct field *field)
{
	return isl_set_empty(isl_space_set_alloc(plan->scop->ctx, 0,
		value_dims(field)));
}

/* What reads "from" .. "end" - 1 of "s" touch of "field", joined in halves: isl
 * compares all pieces of the sets that it joins.
 */
static __isl_give isl_set *read_by(const struct plan *plan,
	const struct scop_stmt *s, const struct field *field, int from, int end)
{
	int middle = from + (end - from) / 2;

	if (end - from > 1)
		return isl_set_union(read_by(plan, s, field, from, middle),
			read_by(plan, s, field, middle, end));
	return from < end && s->read[from]->field == field &&
		plan_knows(plan, s->read[from]) ?
		touched(plan, s->number, s->read[from]) :
		no_values(plan, field);
}

/* What statements read of "field": copy statements, or the others. */
static __isl_give isl_set *read_by_all(const struct plan *plan,
	const struct field *field, bool copy_statements)
{
	isl_set *values = no_values(plan, field);

	for (int i = 0; i < plan->scop->n_stmts; i++) {
		const struct scop_stmt *s = &plan->scop->stmt[i];

		if (s->is_copy == copy_statements)
			values = isl_set_union(values,
				read_by(plan, s, field, 0, s->n_reads));
	}
	return values;
}

__isl_give isl_set *tile_reads(const struct plan *plan,
	const struct field *field)
{
	isl_set *found = plan->box ? plan->box[field->index].reads : NULL;

	return found ? isl_set_copy(found) :
		set_coalesce(read_by_all(plan, field, false));
}

__isl_give isl_set *tile_writes(const struct plan *plan,
	const struct field *field)
{
	isl_set *values = no_values(plan, field);

	for (int i = 0; i < plan->scop->n_stmts; i++) {
		const struct scop_stmt *s = &plan->scop->stmt[i];

		if (s->stmt->write->field == field &&
		    plan_knows(plan, s->stmt->write))
			values = isl_set_union(values,
				touched(plan, s->number, s->stmt->write));
	}
	return set_coalesce(values);
}

__isl_give isl_set *tile_loads(const struct plan *plan,
	const struct field *field)
{
	return set_coalesce(isl_set_subtract(
		tile_reads(plan, field), tile_writes(plan, field)));
}

/* "values" of version "v" of a field, as cells of a copy: without the parity of
 * v mod copies, which makes isl slow.
 */
static __isl_give isl_set *cells_of_version(__isl_keep isl_set *values,
	int v, int copy)
{
	values = isl_set_fix_si(isl_set_copy(values), isl_dim_set, 0, v);
	values = isl_set_project_out(values, isl_dim_set, 0, 1);
	values = isl_set_insert_dims(values, isl_dim_set, 0, 1);
	return isl_set_fix_si(values, isl_dim_set, 0, copy);
}

__isl_give isl_set *tile_cells(const struct plan *plan,
	const struct field *field, __isl_take isl_set *values)
{
	int buffers = plan->scop->field[field->index].buffers;
	int64_t low, high;
	isl_set *cells;

	if (!has_version(field) || isl_set_is_empty(values) != isl_bool_false ||
	    !set_edges(values, 0, &low, &high))
		return set_coalesce(values);
	cells = isl_set_empty(isl_set_get_space(values));
	for (int64_t v = low; v <= high; v++)
		cells = isl_set_union(cells, cells_of_version(values, (int) v,
			(int) floor_mod((int) v, buffers)));
	isl_set_free(values);
	return set_coalesce(cells);
}

/* { x -> y in "map" : low <= y[out] - x[in] <= high } */
static __isl_give isl_map *between(__isl_take isl_map *map, int in, int out,
	int low, int high)
{
	for (int side = 0; side < 2; side++) {
		isl_constraint *c = isl_constraint_alloc_inequality(
			isl_local_space_from_space(isl_map_get_space(map)));
		int sign = side ? -1 : 1;

		c = isl_constraint_set_coefficient_si(c, isl_dim_out, out,
			sign);
		c = isl_constraint_set_coefficient_si(c, isl_dim_in, in,
			-sign);
		c = isl_constraint_set_constant_si(c, side ? high : -low);
		map = isl_map_add_constraint(map, c);
	}
	return map;
}

/* { [m, x] -> [m + version, y] : "acc" of "s" reads cell y at the boundary };
 * unbounded where nothing bounds it.
 */
static __isl_give isl_map *mapped_access(const struct plan *plan,
	const struct stmt *s, const struct access *acc)
{
	isl_map *map = tile_access(plan, acc);
	int first = has_version(acc->field);

	for (int d = 0; d < acc->field->n_dims; d++) {
		int low, high, out = first + d, in = 1 + acc->dim[d];
		isl_map *within;

		if (!access_is_mapped(s, acc, d))
			continue;
		within = isl_map_universe(isl_map_get_space(map));
		map = isl_map_project_out(map, isl_dim_out, out, 1);
		map = isl_map_insert_dims(map, isl_dim_out, out, 1);
		if (access_reach(plan->scop, s, acc, d, &low, &high)) {
			within = between(within, in, out, low, high);
			map = isl_map_intersect(map, within);
		} else {
			isl_map_free(within);
		}
	}
	return map;
}

/* The values of "field" that instances at the boundary may read. */
static __isl_give isl_set *tile_mapped_reads(const struct plan *plan,
	const struct field *field)
{
	isl_set *values = no_values(plan, field);

	for (int i = 0; i < plan->scop->n_stmts; i++) {
		const struct scop_stmt *s = &plan->scop->stmt[i];

		for (int j = 0; s->is_mapped && j < s->stmt->n_reads; j++)
			if (s->stmt->read[j]->field == field &&
			    plan_knows(plan, s->stmt->read[j]))
				values = isl_set_union(values, isl_set_apply(
					tile_instances(plan, s->number),
					mapped_access(plan, s->stmt,
						s->stmt->read[j])));
	}
	return values;
}

static bool tile_box(const struct plan *plan, const struct field *field,
	struct box *box)
{
	isl_set *values = isl_set_union(isl_set_union(tile_reads(plan, field),
		read_by_all(plan, field, true)), isl_set_union(
		tile_writes(plan, field), tile_mapped_reads(plan, field)));
	bool bounded = true;

	box->n_dims = field->n_dims;
	for (int d = 0; d < field->n_dims && bounded; d++) {
		int64_t low = 0, high = 0;

		bounded = set_edges(values, has_version(field) + d, &low,
			&high);
		box->low[d] = (int) low;
		box->extent[d] = (int) (high - low + 1);
	}
	isl_set_free(values);
	return bounded;
}

bool plan_reuses_chunks(const struct plan *plan)
{
	return plan_has_chunks(plan, plan->n_dims - 1) &&
		plan->opt.shared && plan->opt.reuse != REUSE_NONE;
}

int plan_line(const struct plan *plan, const struct box *box, int dim)
{
	const struct tile_widths *w = plan->tiles.widths;

	return box->extent[dim] + (w && dim == plan->n_dims - 1 ?
		tile_most_width(w) - plan->tiles.width[dim] : 0);
}

/* The bytes of all boxes, each of a multiple of "unit". */
static int64_t boxes_bytes(const struct plan *plan, int64_t unit)
{
	int64_t total = 0;

	for (const struct field *f = plan_next_shared(plan, NULL); f;
	     f = plan_next_shared(plan, f)) {
		int64_t bytes = type_size(f->type) * plan_copies(plan, f);

		for (int d = 0; d < f->n_dims; d++)
			bytes *= plan_line(plan, &plan->box[f->index], d);
		total += round_up(bytes, unit);
	}
	return plan->opt.async ? 2 * total : total;
}

int64_t plan_shared_bytes(const struct plan *plan)
{
	return boxes_bytes(plan, 1);
}

bool plan_fits_shared_memory(struct diags *d, const struct plan *plan,
	const struct tile_request *request, const struct machine *machine,
	const char *advice)
{
	int64_t bytes = plan_shared_bytes(plan);
	int64_t limit = request_shared_bytes(request, machine);

	if (smaller(bytes, limit) > MOST_STATIC_BYTES)
		bytes = boxes_bytes(plan, BOX_ALIGNMENT);
	if (bytes <= limit)
		return true;
	diag_plain(d, E_TILE, "the tile needs %lld bytes of shared memory, "
		"a block of %s has %lld; %s", (long long) bytes, machine->name,
		(long long) limit, advice);
	return false;
}

/* Full tiles ------------------------------------------------------------ */

/* min { a . p : p in "instances" }, with a the coefficients of "c" on [t, x].
 * NULL if "c" has integer divisions or the minimum is no integer.
 */
static __isl_give isl_val *least_of(__isl_keep isl_aff *c,
	__isl_keep isl_set *instances)
{
	isl_space *space = isl_set_get_space(instances);
	isl_aff *linear = isl_aff_zero_on_domain(
		isl_local_space_from_space(space));
	isl_val *least;

	for (int d = 0; d < isl_aff_dim(c, isl_dim_in); d++)
		linear = isl_aff_set_coefficient_val(linear, isl_dim_in, d,
			isl_aff_get_coefficient_val(c, isl_dim_in, d));
	least = isl_set_min_val(instances, linear);
	isl_aff_free(linear);
	if (isl_aff_dim(c, isl_dim_div) > 0 ||
	    isl_val_is_int(least) != isl_bool_true)
		least = isl_val_free(least);
	return least;
}

struct erosion {
	isl_set *instances;	/* { [m, x] } */
	isl_set *full;		/* { [t0, o] } found so far */
};

/* "c", of a domain, holds at origin + p for each instance p. */
static isl_stat erode_by(__isl_take isl_constraint *c, void *user)
{
	struct erosion *e = user;
	isl_aff *aff = isl_constraint_get_aff(c);
	isl_val *least = least_of(aff, e->instances);

	if (!least || isl_constraint_is_equality(c)) {
		isl_set *none = isl_set_empty(isl_set_get_space(e->full));

		isl_set_free(e->full);
		e->full = none;
		isl_val_free(least);
		isl_aff_free(aff);
	} else {
		aff = isl_aff_add_constant_val(aff, least);
		e->full = isl_set_add_constraint(e->full,
			isl_inequality_from_aff(aff));
	}
	isl_constraint_free(c);
	return isl_stat_ok;
}

/* { [t0, o] in "full" : origin + p is in "domain" for all p }. Of a domain of
 * several pieces, one piece must hold all instances.
 */
static __isl_give isl_set *erode(__isl_take isl_set *full,
	__isl_take isl_set *domain, __isl_take isl_set *instances)
{
	isl_set *result = isl_set_empty(isl_set_get_space(full));
	isl_basic_set_list *pieces;

	domain = isl_set_remove_redundancies(set_coalesce(
		isl_set_reset_tuple_id(domain)));
	pieces = isl_set_get_basic_set_list(domain);
	for (int i = 0; i < isl_basic_set_list_n_basic_set(pieces); i++) {
		isl_basic_set *piece =
			isl_basic_set_list_get_basic_set(pieces, i);
		struct erosion e = { instances, isl_set_copy(full) };

		isl_basic_set_foreach_constraint(piece, erode_by, &e);
		isl_basic_set_free(piece);
		result = isl_set_union(result, e.full);
	}
	isl_basic_set_list_free(pieces);
	isl_set_free(domain);
	isl_set_free(instances);
	isl_set_free(full);
	return set_coalesce(result);
}

/* The instances of the thread with the first point of each dimension in which each thread has
 * one.
 */
static __isl_give isl_set *instances_of_thread(const struct plan *plan,
	__isl_take isl_set *instances)
{
	for (int d = 0; d < plan->n_dims; d++)
		if (plan->threads[plan->n_dims - 1 - d] > 1)
			instances = isl_set_fix_si(instances, isl_dim_set,
				1 + d, 0);
	return instances;
}

/* { [t0, o] : all instances run of the tile at o, or, with "of_thread", of the thread whose
 * first points are at o }
 */
static __isl_give isl_set *find_full(const struct plan *plan, bool of_thread)
{
	const struct scop_stmt *(*far)(const struct plan *plan, int i) =
		form_memory(plan)->far;
	const struct scop *scop = plan->scop;
	isl_space *space = isl_space_set_from_params(scop_param_space(scop));
	isl_set *full;

	space = isl_space_add_dims(space, isl_dim_set, 1 + plan->n_dims);
	full = isl_set_universe(space);
	for (int i = 0; i < scop->n_stmts; i++) {
		const struct scop_stmt *s = far ? far(plan, i) : &scop->stmt[i];
		isl_set *instances = tile_instances(plan, s->number);
		isl_set *inside;

		if (s->is_copy || isl_set_is_empty(instances)) {
			isl_set_free(instances);
			continue;
		}
		if (of_thread)
			instances = instances_of_thread(plan, instances);
		inside = isl_set_copy(s->inside);
		if (!scop->prog->timed)
			inside = isl_set_eliminate(inside, isl_dim_set, 0, 1);
		full = erode(full, inside, instances);
	}
	return full;
}

/* { [t0, o] : the box of "field" at o lies in the grid } */
static __isl_give isl_set *box_in_grid(const struct plan *plan,
	const struct field *field)
{
	const struct box *box = &plan->box[field->index];
	isl_set *grid, *cells;

	cells = isl_set_universe(isl_space_set_alloc(plan->scop->ctx, 0,
		field->n_dims));
	for (int d = 0; d < box->n_dims; d++)
		cells = set_between(cells, d, box->low[d],
			box->low[d] + box->extent[d] - 1);
	grid = isl_set_universe(isl_space_add_dims(isl_space_set_from_params(
		scop_param_space(plan->scop)), isl_dim_set, plan->n_dims));
	grid = erode(grid,
		isl_set_copy(plan->scop->field[field->index].cells), cells);
	return isl_set_insert_dims(grid, isl_dim_set, 0, 1);
}

bool plan_find_boxes(struct plan *plan)
{
	struct region *mem = plan->scop->mem;

	plan->box = region_array(mem, struct box, plan->scop->prog->n_fields);
	for (const struct field *f = plan_next_shared(plan, NULL); f;
	     f = plan_next_shared(plan, f)) {
		struct box *box = &plan->box[f->index];

		box->reads = keep_set(mem, tile_reads(plan, f));
		if (!tile_box(plan, f, box))
			return false;
	}
	return true;
}

void plan_find_full(struct plan *plan)
{
	const struct program *prog = plan->scop->prog;
	isl_set *full = find_full(plan, false);

	for (int i = 0; i < prog->n_fields; i++)
		if (plan_is_shared(plan, prog->field[i]) ||
		    (form_memory(plan)->boxes_in_grid &&
		     plan->box[i].n_dims > 0))
			full = isl_set_intersect(full,
				box_in_grid(plan, prog->field[i]));
	plan->full = keep_set(plan->scop->mem, set_coalesce(full));
}

__isl_give isl_set *plan_full_of_thread(const struct plan *plan)
{
	return set_coalesce(find_full(plan, true));
}
