/* Where a statement runs along an index, according to its own grid and those that it reads at a
 * fixed boundary: first <= x, and for each end stride*x < size - offset.  Conditions are
 * ignored.
 */
#include "schedule/scop/sets.h"

/* Does dimension "d" of "acc" use index "dim", with no boundary standing in for
 * reads beyond "side" of the grid?
 */
static bool counts(const struct stmt *s, const struct access *acc, int d,
	enum side side, int dim)
{
	return acc->dim[d] == dim && !access_is_mapped_at(s, acc, d, side);
}

/* Of ends with equal sizes the least counts. */
static void add_end(struct range *r, const struct expr *size, int64_t stride,
	int64_t offset)
{
	for (int i = 0; i < r->n_ends; i++)
		if (r->end[i].stride == stride &&
		    expr_same_size(r->end[i].size, size)) {
			r->end[i].offset = larger(r->end[i].offset, offset);
			return;
		}
	r->end[r->n_ends++] = (struct range_end) { size, stride, offset };
}

/* The range of the statement that computes the temp "f" along "d". */
static const struct range *range_of_temp(const struct program *prog,
	const struct range *all, const struct field *f, int d)
{
	return program_range(all, prog->stmt[program_writer(prog, f)], d);
}

/* "acc" touches a cell of the grid, or behind it; a temp's cell must have been computed. */
static void narrow_low(const struct program *prog, const struct range *all,
	struct range *r, const struct access *acc, int d)
{
	r->first = larger(r->first, access_first(acc, d,
		field_is_temp(acc->field) ? range_of_temp(prog, all,
			acc->field, d)->first : 0));
}

/* .. or before it.  For a temp read as A[i/2] the ends count its cells, see
 * program_is_supported.
 */
static void narrow_high(struct region *mem, const struct program *prog,
	const struct range *all, struct range *r, const struct access *acc,
	int d)
{
	const struct range *of;

	if (!field_is_temp(acc->field)) {
		add_end(r, access_end(mem, acc, d), acc->stride[d],
			acc->offset[d]);
		return;
	}
	of = range_of_temp(prog, all, acc->field, d);
	for (int i = 0; i < of->n_ends; i++)
		add_end(r, expr_times(mem, acc->divisor[d], of->end[i].size),
			of->end[i].stride * acc->stride[d],
			of->end[i].stride * acc->offset[d] +
			acc->divisor[d] * of->end[i].offset);
}

static void narrow_all(struct region *mem, const struct program *prog,
	const struct range *all, struct range *r, const struct stmt *s,
	int dim)
{
	for (int j = 0; j < stmt_n_asked(s); j++) {
		const struct access *acc = stmt_asked(s, j);

		for (int d = 0; d < acc->field->n_dims; d++) {
			if (counts(s, acc, d, SIDE_LOW, dim))
				narrow_low(prog, all, r, acc, d);
			if (counts(s, acc, d, SIDE_HIGH, dim))
				narrow_high(mem, prog, all, r, acc,
					d);
		}
	}
}

const struct range *program_range(const struct range *all,
	const struct stmt *s, int dim)
{
	return &all[s->index * IR_MAX_DIMS + dim];
}

/* Room for the ends of "s" along "dim". */
static int most_ends(const struct program *prog, const struct range *all,
	const struct stmt *s, int dim)
{
	int n = 1;

	for (int j = 0; j < stmt_n_asked(s); j++) {
		const struct access *acc = stmt_asked(s, j);
		const struct field *f = acc->field;

		for (int d = 0; d < f->n_dims; d++)
			if (counts(s, acc, d, SIDE_HIGH, dim))
				n += !field_is_temp(f) ? 1 : range_of_temp(
					prog, all, f, d)->n_ends;
	}
	return n;
}

/* Statements come behind those whose temps they read. */
const struct range *program_ranges(struct region *r,
	const struct program *prog)
{
	struct range *all = region_array(r, struct range,
		prog->n_stmts * IR_MAX_DIMS);

	for (int i = 0; i < prog->n_stmts; i++)
		for (int dim = 0; dim < prog->stmt[i]->n_dims; dim++) {
			const struct stmt *s = prog->stmt[i];
			struct range *range = &all[i * IR_MAX_DIMS + dim];

			range->end = region_array(r, struct range_end,
				most_ends(prog, all, s, dim));
			add_end(range, s->write->field->size[dim], 1, 0);
			narrow_all(r, prog, all, range, s, dim);
		}
	return all;
}

/* { params : first is before each end, in each dimension } */
static __isl_give isl_set *has_points(const struct scop *scop,
	const struct stmt *s)
{
	isl_set *set = isl_set_universe(scop_param_space(scop));

	for (int dim = 0; dim < s->n_dims; dim++) {
		const struct range *r = program_range(scop->range, s, dim);

		for (int i = 0; i < r->n_ends; i++)
			set = isl_set_intersect(set, isl_set_params(
				isl_pw_aff_pos_set(isl_pw_aff_add_constant_val(
					scop_affine_of_params(scop,
						r->end[i].size),
					isl_val_int_from_si(scop->ctx,
						-r->end[i].offset -
						r->end[i].stride *
						r->first)))));
	}
	return set;
}

__isl_give isl_set *scop_has_points(const struct scop *scop)
{
	isl_set *any = isl_set_empty(scop_param_space(scop));

	for (int i = 0; i < scop->prog->n_stmts; i++)
		any = isl_set_union(any, has_points(scop,
			scop->prog->stmt[i]));
	return set_coalesce(any);
}
