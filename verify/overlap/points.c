/* Which points the stages of overlapping tiles compute, which ones keep their values, and what
 * they read.
 */
#include <string.h>

#include "verify/overlap/overlap.h"

/* What stages read -------------------------------------------------------- */

/* A state at a nearby point, of this step or an earlier one. */
static bool is_plain(const struct pipe *x, const struct use *use)
{
	const struct stmt *s = stmt_of(x, use->i);

	if (writer_of(x->prog, use->acc->field) < 0 || use->back < 0 ||
	    (use->acc->field->is_hidden && use->back > 0) ||
	    use->acc->field->n_dims != x->n_dims)
		return refute(x->c, "%s reads '%s' as tiles do not keep it",
			name_of(x, use->i), use->acc->field->name);
	for (int d = 0; d < x->n_dims; d++)
		if (use->acc->dim[d] != d ||
		    access_strides_along(use->acc, d) ||
		    (is_mapped_along(s, use->acc, d) &&
		     field_goes_around(use->acc->field, d)))
			return refute(x->c, "%s reads '%s' elsewhere than "
				"near its point", name_of(x, use->i),
				use->acc->field->name);
	return true;
}

/* { [t + 1, x] } for the instances [t, x] of statement "i": the values that it computes. */
static __isl_give isl_set *values_of(const struct pipe *x, int i)
{
	isl_set *points = isl_set_copy(x->points[i]);
	isl_multi_aff *step = isl_multi_aff_identity_on_domain_space(
		isl_set_get_space(points));

	step = isl_multi_aff_set_aff(step, 0, isl_aff_add_constant_si(
		isl_multi_aff_get_aff(step, 0), -1));
	return isl_set_preimage_multi_aff(points, step);
}

/* { [t, x] : an instance of the statement reads a cell that "writer" computes in this step } is
 * empty.
 */
static bool reads_none_of(const struct pipe *x, const struct use *use)
{
	struct statement s = { .stmt = stmt_of(x, use->i),
		.name = name_of(x, use->i), .domain = x->points[use->i] };

	return is_shown_empty(x->c, isl_set_intersect(isl_map_range(
		read_relation(x->c, &s, use->acc)), values_of(x,
		use->writer)));
}

/* Call for "use" at the least and the greatest offsets of "acc" from the point. */
static bool find_offsets(const struct pipe *x, struct use *least,
	struct use *most)
{
	const struct stmt *s = stmt_of(x, least->i);

	*most = *least;
	for (int d = 0; d < x->n_dims; d++) {
		const struct access *acc = least->acc;

		least->offset[d] = most->offset[d] = acc->offset[d];
		if (is_mapped_along(s, acc, d) && reach_along(x->c, s, acc, d,
		    &least->offset[d], &most->offset[d])) {
			if (acc->offset[d] < least->offset[d])
				least->offset[d] = acc->offset[d];
			if (acc->offset[d] > most->offset[d])
				most->offset[d] = acc->offset[d];
		}
	}
	return memcmp(least->offset, most->offset, sizeof(least->offset)) != 0;
}

/* Call for "use" of what each statement writes of "f".  In the same step, those from this one
 * on may not contribute; the first one would be a mistake, as it keeps values.
 */
static bool each_writer(const struct pipe *x, struct use use,
	const struct field *f,
	bool (*check)(const struct pipe *x, const struct use *use))
{
	const int first = writer_of(x->prog, f);

	for (use.writer = first; use.writer < x->prog->n_stmts; use.writer++) {
		bool is_later = use.back == 0 && use.writer >= use.i;

		if (stmt_of(x, use.writer)->write->field != f ||
		    (is_later && !use.acc))
			continue;
		if (is_later && use.writer > first && reads_none_of(x, &use))
			continue;
		if (!check(x, &use))
			return false;
	}
	return true;
}

bool each_use_of_stage(const struct pipe *x, int i,
	bool (*check)(const struct pipe *x, const struct use *use))
{
	const struct stmt *s = stmt_of(x, i);
	const struct field *own = s->write->field;
	struct use use = { .i = i }, most;
	bool differ;

	use.back = writer_of(x->prog, own) == i ? 1 : 0;
	if (!(own->is_hidden && use.back) && !each_writer(x, use, own, check))
		return false;
	for (int j = 0; j < s->n_reads; j++) {
		use.acc = s->read[j];
		if (use.acc->field->kind != FIELD_STATE)
			continue;
		use.back = 1 - (int) use.acc->version;
		if (!is_plain(x, &use))
			return false;
		differ = find_offsets(x, &use, &most);
		if (!each_writer(x, use, use.acc->field, check) || (differ &&
		    !each_writer(x, most, use.acc->field, check)))
			return false;
	}
	return true;
}

/* Which points ----------------------------------------------------------- */

/* { [t, x] : first <= x, stride*x < size - less } */
static __isl_give isl_set *points_between_edges(const struct pipe *x, int i)
{
	isl_space *space = space_of_dims(x->c, 1 + x->n_dims);
	isl_set *set = points_in_time(x->c, space);

	for (int d = 0; d < x->n_dims; d++) {
		const struct edges *e = &x->p->edges[i][d];

		set = isl_set_lower_bound_si(set, isl_dim_set,
			(unsigned) (1 + d), (int) e->first);
		for (int k = 0; k < e->n_ends; k++) {
			isl_pw_aff *at = coordinate(space, 1 + d);

			at = isl_pw_aff_scale_val(at,
				isl_val_int_from_si(x->c->ctx,
					e->end[k].stride));
			at = plus(at, e->end[k].less);
			set = isl_set_intersect(set, isl_pw_aff_lt_set(at,
				value_of(x->c, space, e->end[k].size)));
		}
	}
	isl_space_free(space);
	return isl_set_intersect_params(set, isl_set_copy(x->c->context));
}

/* Do the grids of "a" and "b" have the same size along "d"? */
static bool same_size(const struct pipe *x, const struct field *a,
	const struct field *b, int d)
{
	isl_space *space = space_of_dims(x->c, 1);
	isl_set *differ = isl_pw_aff_ne_set(value_of(x->c, space, a->size[d]),
		value_of(x->c, space, b->size[d]));

	isl_space_free(space);
	return is_shown_empty(x->c, isl_set_intersect_params(differ,
		isl_set_copy(x->c->context)));
}

/* No other statement computes a value that this one does. */
static bool is_alone(const struct pipe *x, int i)
{
	for (int j = 0; j < i; j++)
		if (stmt_of(x, j)->write->field ==
		    stmt_of(x, i)->write->field &&
		    !is_shown_empty(x->c, isl_set_intersect(
			isl_set_copy(x->points[i]),
			isl_set_copy(x->points[j]))))
			return refute(x->c, "%s and %s compute the same value",
				name_of(x, j), name_of(x, i));
	return true;
}

static bool has_its_grid(const struct pipe *x, int i)
{
	const struct field *f = stmt_of(x, i)->write->field;
	const struct field *first = stmt_of(x, 0)->write->field;

	if (f->n_dims != x->n_dims)
		return refute(x->c, "'%s' has other dimensions than the tiles",
			f->name);
	for (int d = 0; d < x->n_dims; d++)
		if (!same_size(x, f, first, d))
			return refute(x->c, "the grids of '%s' and '%s' have "
				"different sizes", f->name, first->name);
	return true;
}

/* { [t, x] : no statement computes the cell x of "f" for step t + 1 } */
static __isl_give isl_set *unwritten(const struct pipe *x,
	const struct field *f, __isl_take isl_set *grid)
{
	for (int i = 0; i < x->prog->n_stmts; i++)
		if (stmt_of(x, i)->write->field == f)
			grid = isl_set_subtract(grid,
				isl_set_copy(x->points[i]));
	return fewer_pieces(grid);
}

/* A field's first statement keeps everything that none computes, within the grid; the others
 * keep nothing, which would overwrite existing values.
 */
static bool keeps_what_it_should(const struct pipe *x, int i,
	const struct statement *s)
{
	const struct field *f = s->stmt->write->field;
	isl_set *kept = x->p->points[i].kept, *grid;
	isl_space *space;
	bool right;

	if (f->is_hidden || writer_of(x->prog, f) != i)
		return !kept || refute(x->c, "%s keeps values of '%s', which "
			"is not for it to do", s->name, f->name);
	if (!kept)
		return refute(x->c, "%s keeps no values of '%s'", s->name,
			f->name);
	space = isl_set_get_space(x->points[i]);
	grid = isl_set_intersect_params(grid_points(x->c, space, s->stmt),
		isl_set_copy(x->c->context));
	isl_space_free(space);
	kept = adopt(x->c, kept);
	right = has_no_more(x->c, s, isl_set_copy(kept), grid,
		"keeps its value beyond the grid") &&
		has_no_more(x->c, s, unwritten(x, f, isl_set_copy(grid)),
			kept, "does not keep its value");
	isl_set_free(kept);
	isl_set_free(grid);
	return right;
}

/* A stage of points between edges copies others that are in its rows, and may write beyond: no
 * other statement may have its field.
 */
static bool may_have_rows(const struct pipe *x, int i)
{
	for (int j = 0; j < x->prog->n_stmts; j++)
		if (j != i && stmt_of(x, j)->write->field ==
		    stmt_of(x, i)->write->field)
			return refute(x->c, "two statements write whole rows "
				"of '%s'", stmt_of(x, i)->write->field->name);
	return true;
}

bool points_are_right(const struct pipe *x, int i)
{
	struct statement s = { .stmt = stmt_of(x, i), .name = name_of(x, i),
		.domain = x->points[i] };
	isl_set *computed = x->p->points[i].computed;
	bool same;

	if (!has_its_grid(x, i) || !is_alone(x, i) ||
	    !(computed ? keeps_what_it_should(x, i, &s) : may_have_rows(x, i)))
		return false;
	computed = computed ? adopt(x->c, computed) :
		points_between_edges(x, i);
	same = has_no_more(x->c, &s, isl_set_copy(computed), s.domain,
		"runs, but is no instance of the program") &&
		has_no_more(x->c, &s, isl_set_copy(s.domain), computed,
		"of the program does not run");
	isl_set_free(computed);
	if (same)
		claim(x->c, "%s: the points of a tile's stage at which it is "
			"computed are the instances of the program, all of "
			"them, for all sizes", s.name);
	return same;
}
