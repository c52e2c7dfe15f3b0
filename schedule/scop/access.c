/* Accesses as sets and relations: the cells that instances read and write,
 * where a read lies outside the grid, and what the boundary puts in its place.
 */
#include "schedule/scop/sets.h"

static __isl_give isl_pw_aff *times(__isl_take isl_pw_aff *value, int factor)
{
	return isl_pw_aff_scale_val(value, isl_val_int_from_si(
		isl_pw_aff_get_ctx(value), factor));
}

/* { [t, x] -> stride*x[..] + offset } of dimension "d" of "acc" */
static __isl_give isl_aff *dividend_on(__isl_take isl_local_space *ls,
	const struct access *acc, int d)
{
	isl_ctx *ctx = isl_local_space_get_ctx(ls);
	isl_aff *x = isl_aff_var_on_domain(ls, isl_dim_set,
		(unsigned) (1 + acc->dim[d]));

	x = isl_aff_scale_val(x, isl_val_int_from_si(ctx, acc->stride[d]));
	return isl_aff_add_constant_val(x, isl_val_int_from_si(ctx,
		acc->offset[d]));
}

/* { [t, x] -> floor((stride*x[..] + offset) / divisor) } */
static __isl_give isl_aff *subscript_on(__isl_take isl_local_space *ls,
	const struct access *acc, int d)
{
	isl_ctx *ctx = isl_local_space_get_ctx(ls);
	isl_aff *x = dividend_on(ls, acc, d);

	return acc->divisor[d] == 1 ? x : isl_aff_floor(
		isl_aff_scale_down_val(x, isl_val_int_from_si(ctx,
			acc->divisor[d])));
}

__isl_give isl_multi_aff *access_function(__isl_take isl_space *from,
	__isl_take isl_space *to, const struct access *acc, bool timed,
	int later)
{
	isl_local_space *ls = isl_local_space_from_space(isl_space_copy(from));
	isl_multi_aff *ma = isl_multi_aff_zero(
		isl_space_map_from_domain_and_range(from, to));

	if (timed)
		ma = isl_multi_aff_set_aff(ma, 0, isl_aff_add_constant_si(
			isl_aff_var_on_domain(isl_local_space_copy(ls),
				isl_dim_set, 0), later));
	for (int d = 0; d < acc->field->n_dims; d++)
		ma = isl_multi_aff_set_aff(ma, timed + d, subscript_on(
			isl_local_space_copy(ls), acc, d));
	isl_local_space_free(ls);
	return ma;
}

/* The subscript "d" of "acc", on the instances "space". */
static __isl_give isl_pw_aff *subscript(__isl_keep isl_space *space,
	const struct access *acc, int d)
{
	return isl_pw_aff_from_aff(subscript_on(isl_local_space_from_space(
		isl_space_copy(space)), acc, d));
}

static __isl_give isl_pw_aff *dividend(__isl_keep isl_space *space,
	const struct access *acc, int d)
{
	return isl_pw_aff_from_aff(dividend_on(isl_local_space_from_space(
		isl_space_copy(space)), acc, d));
}

/* The cells of all earlier dividends lie before the end of dimension "d". */
static __isl_give isl_pw_aff *end_of_dividends(const struct scop *scop,
	__isl_keep isl_space *space, const struct access *acc, int d)
{
	return times(affine_of_expr(space, scop->prog, acc->field->size[d]),
		(int) acc->divisor[d]);
}

/* As a bound on the index itself, without the quotient. */
__isl_give isl_set *access_inside_along(const struct scop *scop,
	__isl_keep isl_space *space, const struct access *acc, int d)
{
	return set_below(dividend(space, acc, d), end_of_dividends(scop, space,
		acc, d));
}

/* { S[t, x] in "space" : the cell does not lie beyond "side" of dimension "d" } */
static __isl_give isl_set *inside_at(const struct scop *scop,
	__isl_keep isl_space *space, const struct access *acc, int d,
	enum side side)
{
	isl_pw_aff *at = dividend(space, acc, d);

	return side == SIDE_LOW ? isl_pw_aff_nonneg_set(at) :
		isl_pw_aff_lt_set(at, end_of_dividends(scop, space, acc, d));
}

__isl_give isl_set *access_meant_along(const struct scop *scop,
	__isl_take isl_set *set, const struct access *acc, int d)
{
	const struct boundary *b = acc->field->boundary[d];
	isl_space *space = isl_set_get_space(set);

	if (b[SIDE_LOW].kind == BOUNDARY_FIXED &&
	    b[SIDE_HIGH].kind == BOUNDARY_FIXED)
		set = isl_set_intersect(set, access_inside_along(scop, space,
			acc, d));
	else
		for (int side = 0; side < SIDES; side++)
			if (b[side].kind == BOUNDARY_FIXED)
				set = isl_set_intersect(set, inside_at(scop,
					space, acc, d, side));
	isl_space_free(space);
	return set;
}

__isl_give isl_set *set_inside(const struct scop *scop,
	__isl_take isl_set *set, const struct access *acc, bool mapped)
{
	isl_space *space = isl_set_get_space(set);

	for (int d = 0; d < acc->field->n_dims; d++)
		if (acc->dim[d] >= 0)
			set = mapped ? isl_set_intersect(set,
				access_inside_along(scop, space, acc, d)) :
				access_meant_along(scop, set, acc, d);
	isl_space_free(space);
	return set;
}

/* Relations -------------------------------------------------------------- */

static __isl_give isl_pw_aff *add_constant(__isl_take isl_pw_aff *value,
	int constant)
{
	return isl_pw_aff_add_constant_val(value, isl_val_int_from_si(
		isl_pw_aff_get_ctx(value), constant));
}

/* What is read in place of the cell "at" beyond "side" of a grid of "size"
 * cells; NULL if it is no cell.
 */
static __isl_give isl_pw_aff *mapped_subscript(enum boundary_kind kind,
	__isl_keep isl_pw_aff *at, __isl_keep isl_pw_aff *size, enum side side)
{
	const struct boundary_info *b = boundary_info(kind);
	isl_pw_aff *x = isl_pw_aff_copy(at), *n = isl_pw_aff_copy(size);

	switch (b->stands) {
	case STANDS_NEAR:
		if (side == SIDE_HIGH)	/* n - 1 - first + step*(n - x) */
			return isl_pw_aff_add(add_constant(n, -1 - b->first),
				times(isl_pw_aff_sub(isl_pw_aff_copy(size), x),
					b->step));
		isl_pw_aff_free(n);
		return add_constant(times(add_constant(x, 1), -b->step),
			b->first);
	case STANDS_OTHER_END:
		return side == SIDE_HIGH ? isl_pw_aff_sub(x, n) :
			isl_pw_aff_add(x, n);
	default:
		isl_pw_aff_free(x);
		isl_pw_aff_free(n);
		return NULL;
	}
}

/* Add to "value" what stands in for cells beyond one side of the grid. */
static __isl_give isl_pw_aff *add_side(__isl_take isl_pw_aff *value,
	enum boundary_kind kind, __isl_keep isl_pw_aff *at,
	__isl_keep isl_pw_aff *size, enum side side)
{
	isl_pw_aff *mapped = mapped_subscript(kind, at, size, side);
	isl_pw_aff *edge = isl_pw_aff_copy(size);
	isl_set *outside;

	if (!mapped) {
		isl_pw_aff_free(edge);
		return value;
	}
	if (side == SIDE_LOW)
		edge = isl_pw_aff_sub(edge, isl_pw_aff_copy(edge));
	outside = side == SIDE_HIGH ? isl_pw_aff_ge_set(isl_pw_aff_copy(at), edge) :
		isl_pw_aff_lt_set(isl_pw_aff_copy(at), edge);
	return isl_pw_aff_union_add(value,
		isl_pw_aff_intersect_domain(mapped, outside));
}

/* The coordinate "d" of the cell that "acc" of the instances "space" touches,
 * if there is one.
 */
static __isl_give isl_pw_aff *coordinate(const struct scop *scop,
	__isl_keep isl_space *space, const struct stmt *s,
	const struct access *acc, int d)
{
	const struct boundary *b = acc->field->boundary[d];
	isl_pw_aff *at = subscript(space, acc, d), *size, *value;

	if (!access_is_mapped(s, acc, d))
		return at;
	size = affine_of_expr(space, scop->prog, acc->field->size[d]);
	value = isl_pw_aff_intersect_domain(isl_pw_aff_copy(at),
		access_inside_along(scop, space, acc, d));
	for (int side = 0; side < SIDES; side++)
		if (access_leaves(s, acc, d, side))
			value = add_side(value, b[side].kind, at, size, side);
	isl_pw_aff_free(at);
	isl_pw_aff_free(size);
	return value;
}

__isl_give isl_map *access_relation(const struct scop *scop,
	__isl_keep isl_set *domain, const struct stmt *s,
	const struct access *acc)
{
	isl_space *from = isl_set_get_space(domain);
	isl_space *to = scop_value_space(scop, acc->field);
	int first = acc->field->kind == FIELD_STATE;
	isl_multi_pw_aff *mpa;
	isl_map *map;

	mpa = isl_multi_pw_aff_zero(isl_space_map_from_domain_and_range(
		isl_space_copy(from), to));
	if (first) {
		isl_aff *aff = isl_aff_var_on_domain(
			isl_local_space_from_space(isl_space_copy(from)),
			isl_dim_set, 0);

		aff = isl_aff_add_constant_si(aff, acc->version);
		mpa = isl_multi_pw_aff_set_pw_aff(mpa, 0,
			isl_pw_aff_from_aff(aff));
	}
	for (int d = 0; d < acc->field->n_dims; d++)
		mpa = isl_multi_pw_aff_set_pw_aff(mpa, first + d,
			coordinate(scop, from, s, acc, d));
	isl_space_free(from);
	map = isl_map_from_multi_pw_aff(mpa);
	return isl_map_coalesce(isl_map_intersect_domain(map,
		isl_set_copy(domain)));
}

/* Traffic ---------------------------------------------------------------- */

bool reads_same_values(const struct stmt *s, const struct access *a,
	const struct access *b)
{
	if (a->field != b->field || a->version != b->version)
		return false;
	for (int d = 0; d < a->field->n_dims; d++)
		if (a->stride[d] != b->stride[d] ||
		    a->divisor[d] != b->divisor[d] ||
		    (a->dim[d] != s->n_dims - 1 &&
		     (a->offset[d] - b->offset[d]) % a->stride[d] != 0))
			return false;
	return true;
}

bool read_is_first(const struct stmt *s, int i)
{
	int j = 0;

	while (!reads_same_values(s, s->read[j], s->read[i]))
		j++;
	return j == i;
}

int read_bytes(const struct stmt *s, const struct access *acc)
{
	enum { SECTOR = 32 };
	int64_t bytes = type_size(acc->field->type);

	for (int d = 0; d < acc->field->n_dims; d++)
		if (acc->dim[d] == s->n_dims - 1)
			bytes = ceil_div(bytes * acc->stride[d],
				acc->divisor[d]);
	return bytes < SECTOR ? (int) bytes : SECTOR;
}

/* Distances -------------------------------------------------------------- */

/* What access_reach() found: of plan after plan it is asked again. */
struct reach {
	const struct stmt *stmt;
	const struct field *field;
	int d, dim;
	int64_t offset, stride, divisor;
	bool bounded;
	int low, high;
	const struct reach *next;
};

static struct reach reach_of(const struct stmt *s, const struct access *acc,
	int d)
{
	return (struct reach) { .stmt = s, .field = acc->field, .d = d,
		.dim = acc->dim[d], .offset = acc->offset[d],
		.stride = acc->stride[d], .divisor = acc->divisor[d] };
}

static bool is_of_same(const struct reach *a, const struct reach *b)
{
	return a->stmt == b->stmt && a->field == b->field && a->d == b->d &&
		a->dim == b->dim && a->offset == b->offset &&
		a->stride == b->stride && a->divisor == b->divisor;
}

static bool find_reach(const struct scop *scop, const struct stmt *s,
	const struct access *acc, int d, int *low, int *high)
{
	isl_space *space = scop_instance_space(scop, s);
	isl_set *all = isl_set_intersect_params(set_inside(scop,
		isl_set_universe(isl_space_copy(space)), s->write, true),
		isl_set_copy(scop->context));
	isl_pw_aff *there = coordinate(scop, space, s, acc, d);
	isl_local_space *ls = isl_local_space_from_space(space);
	isl_pw_aff *here = isl_pw_aff_from_aff(isl_aff_var_on_domain(ls,
		isl_dim_set, 1 + acc->dim[d]));
	isl_map *map;
	isl_set *distance;
	int64_t least = 0, most = 0;
	bool bounded;

	map = isl_map_from_pw_aff(isl_pw_aff_sub(there, here));
	distance = isl_map_range(isl_map_intersect_domain(map, all));
	distance = isl_set_project_out(distance, isl_dim_param, 0,
		isl_set_dim(distance, isl_dim_param));
	bounded = isl_set_is_empty(distance) == isl_bool_true ||
		set_edges(distance, 0, &least, &most);
	isl_set_free(distance);
	if (bounded) {
		*low = (int) least;
		*high = (int) most;
	}
	return bounded;
}

bool access_reach(const struct scop *scop, const struct stmt *s,
	const struct access *acc, int d, int *low, int *high)
{
	struct reach asked = reach_of(s, acc, d), *r;
	const struct reach *known = scop->known->reaches;

	while (known && !is_of_same(known, &asked))
		known = known->next;
	if (!known) {
		r = region_new_of(scop->known->mem, struct reach);
		*r = asked;
		r->bounded = find_reach(scop, s, acc, d, &r->low, &r->high);
		r->next = scop->known->reaches;
		known = scop->known->reaches = r;
	}
	if (known->bounded) {
		*low = known->low;
		*high = known->high;
	}
	return known->bounded;
}

void access_offsets(const struct scop *scop, const struct stmt *s,
	const struct access *acc, int d, int *low, int *high)
{
	int own = (int) acc->offset[d];

	*low = *high = own;
	if (access_is_mapped(s, acc, d) &&
	    access_reach(scop, s, acc, d, low, high)) {
		*low = smaller(*low, own);
		*high = larger(*high, own);
	}
}

/* Sizes that a boundary requires -------------------------------------------- */

/* { params : the cell "offset" behind what "acc" reads along "d" from the last
 * point of the range, as "end" gives it, exists, mirrored or wrapped once }
 */
static __isl_give isl_set *reaches_from_end(const struct scop *scop,
	const struct range_end *end, const struct access *acc, int d,
	int offset, __isl_keep isl_pw_aff *size)
{
	isl_pw_aff *last = add_constant(scop_affine_of_params(scop, end->size),
		(int) -end->offset - 1);

	last = isl_pw_aff_floor(isl_pw_aff_scale_down_val(last,
		isl_val_int_from_si(scop->ctx, end->stride)));
	last = isl_pw_aff_scale_val(last, isl_val_int_from_si(scop->ctx,
		acc->stride[d]));
	last = add_constant(last, (int) acc->offset[d]);
	if (acc->divisor[d] != 1)
		last = isl_pw_aff_floor(isl_pw_aff_scale_down_val(last,
			isl_val_int_from_si(scop->ctx, acc->divisor[d])));
	last = add_constant(last, offset + 1);
	return isl_set_params(isl_pw_aff_le_set(last, isl_pw_aff_add(
		isl_pw_aff_copy(size), isl_pw_aff_copy(size))));
}

/* { params : mirrored or wrapped once, each cell that "acc" reads beyond the low
 * side of dimension "d" lies in the grid }: the first point reads at "first", which
 * -first must have in the grid.
 */
static __isl_give isl_set *reaches_from_first(const struct scop *scop,
	const struct range *r, const struct access *acc, int d, int more)
{
	isl_pw_aff *size = scop_affine_of_params(scop,
		acc->field->size[d]);
	isl_pw_aff *zero = isl_pw_aff_sub(isl_pw_aff_copy(size),
		isl_pw_aff_copy(size));
	int first = (int) floor_div(acc->stride[d] * r->first + acc->offset[d],
		acc->divisor[d]);

	return isl_set_params(isl_pw_aff_ge_set(size, add_constant(zero,
		(first < 0 ? -first : 0) + more)));
}

/* .. the high side; the range ends where its first end is. */
static __isl_give isl_set *reaches_from_last(const struct scop *scop,
	const struct range *r, const struct access *acc, int d, int more)
{
	isl_pw_aff *size = scop_affine_of_params(scop,
		acc->field->size[d]);
	isl_set *any = isl_set_empty(scop_param_space(scop));

	for (int i = 0; i < r->n_ends; i++)
		any = isl_set_union(any, reaches_from_end(scop, &r->end[i],
			acc, d, more, size));
	isl_pw_aff_free(size);
	return set_coalesce(any);
}

static __isl_give isl_set *large_enough(const struct scop *scop,
	const struct stmt *s, const struct access *acc, int d, enum side side)
{
	const struct range *r = program_range(scop->range, s, acc->dim[d]);
	int more = boundary_info(acc->field->boundary[d][side].kind)->first;

	return side == SIDE_LOW ?
		reaches_from_first(scop, r, acc, d, more) :
		reaches_from_last(scop, r, acc, d, more);
}

static __isl_give isl_set *read_reaches(const struct scop *scop,
	__isl_take isl_set *set, const struct stmt *s,
	const struct access *acc)
{
	for (int d = 0; d < acc->field->n_dims; d++)
		for (int side = 0; side < SIDES; side++)
			if (access_wraps_once(s, acc, d, side))
				set = isl_set_intersect(set, large_enough(scop,
					s, acc, d, side));
	return set;
}

__isl_give isl_set *scop_large_enough(const struct scop *scop)
{
	const struct program *prog = scop->prog;
	isl_set *set = isl_set_universe(scop_param_space(scop));

	for (int i = 0; i < prog->n_stmts; i++)
		for (int j = 0; j < prog->stmt[i]->n_reads; j++)
			set = read_reaches(scop, set, prog->stmt[i],
				prog->stmt[i]->read[j]);
	return set_coalesce(set);
}
