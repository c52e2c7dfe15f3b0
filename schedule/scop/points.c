/* The points at which statements run. */
#include <isl/constraint.h>

#include "schedule/scop/sets.h"

const struct scop_stmt *scop_writer_of_temp(const struct scop *scop,
	const struct field *field)
{
	int i = 0;

	while (scop->stmt[i].stmt->write->field != field)
		i++;
	return &scop->stmt[i];
}

/* { S[t, x] in "space" : the cell of a temp that "acc" reads has a value }; in
 * dimensions where a boundary stands in for cells all have one, see
 * boundaries_have_values.
 */
static __isl_give isl_set *access_computed(const struct scop *scop,
	__isl_keep isl_space *space, const struct stmt *stmt,
	const struct access *acc)
{
	const struct scop_stmt *writer = scop_writer_of_temp(scop, acc->field);
	isl_set *values = isl_set_copy(writer->domain);

	for (int d = 0; d < acc->field->n_dims; d++)
		if (access_is_mapped(stmt, acc, d))
			values = isl_set_eliminate(values, isl_dim_set,
				(unsigned) (1 + d), 1);
	return isl_set_preimage_multi_aff(values, access_function(
		isl_space_copy(space), isl_set_get_space(writer->domain), acc,
		true, 0));
}

__isl_give isl_set *scop_read_meaning(const struct scop *scop,
	const struct stmt *s, const struct access *acc)
{
	isl_space *space = scop_instance_space(scop, s);
	isl_set *set = set_inside(scop,
		isl_set_universe(isl_space_copy(space)), acc, false);

	if (field_is_temp(acc->field))
		set = isl_set_intersect(set,
			access_computed(scop, space, s, acc));
	isl_space_free(space);
	return set;
}

/* Do both fields have the same cells along "d", and fixed boundaries at the same sides? */
static bool ends_alike(const struct field *a, const struct field *b, int d)
{
	for (int side = 0; side < SIDES; side++)
		if ((a->boundary[d][side].kind == BOUNDARY_FIXED) !=
		    (b->boundary[d][side].kind == BOUNDARY_FIXED))
			return false;
	return a == b || expr_same_size(a->size[d], b->size[d]);
}

/* Does a read before read "i" require the same of the points along "d"?  The
 * reads of a box have few different offsets along each dimension.
 */
static bool is_asked(const struct stmt *s, int i, int d)
{
	const struct access *a = stmt_asked(s, i);

	for (int j = 0; j < i; j++) {
		const struct access *b = stmt_asked(s, j);

		if (d < b->field->n_dims && ends_alike(a->field, b->field, d) &&
		    access_same_along(a, d, b, d))
			return true;
	}
	return false;
}

/* The points of "set" at which read "i", or an element with an index, lies in
 * the grid: at sides with a fixed boundary, or if "mapped" at all sides.
 */
static __isl_give isl_set *with_read_inside(const struct scop *scop,
	__isl_take isl_set *set, const struct stmt *stmt, int i, bool mapped)
{
	const struct access *acc = stmt_asked(stmt, i);
	isl_space *space = isl_set_get_space(set);

	for (int d = 0; d < acc->field->n_dims; d++) {
		if (acc->dim[d] < 0 || is_asked(stmt, i, d))
			continue;
		set = mapped ? isl_set_intersect(set, access_inside_along(
			scop, space, acc, d)) : access_meant_along(scop, set,
			acc, d);
	}
	isl_space_free(space);
	return set;
}

__isl_give isl_set *scop_points_inside(const struct scop *scop,
	const struct stmt *stmt)
{
	isl_set *set = scop_points(scop, stmt);

	for (int i = 0; i < stmt_n_asked(stmt); i++)
		set = with_read_inside(scop, set, stmt, i, false);
	return set_coalesce(set);
}

__isl_give isl_set *scop_grid_domain(const struct scop *scop,
	const struct stmt *stmt, bool mapped)
{
	isl_space *space = scop_instance_space(scop, stmt);
	isl_set *set = set_inside(scop, scop_time_range(scop, space),
		stmt->write, true);

	for (int i = 0; i < stmt_n_asked(stmt); i++) {
		const struct access *acc = stmt_asked(stmt, i);

		set = with_read_inside(scop, set, stmt, i, mapped);
		if (field_is_temp(acc->field))
			set = isl_set_intersect(set, access_computed(scop,
				space, stmt, acc));
	}
	isl_space_free(space);
	return set_coalesce(set);
}

static __isl_give isl_set *condition_set(const struct scop *scop,
	const struct stmt *stmt, int i)
{
	isl_space *space = scop_instance_space(scop, stmt);
	isl_set *set = set_of_condition(space, scop->prog,
		stmt->condition[i]);

	isl_space_free(space);
	return set_coalesce(set);
}

__isl_give isl_set *scop_points(const struct scop *scop,
	const struct stmt *stmt)
{
	isl_space *space = scop_instance_space(scop, stmt);
	isl_set *set = set_inside(scop, scop_time_range(scop, space),
		stmt->write, true);

	for (int i = 0; i < stmt->n_conditions; i++)
		set = isl_set_intersect(set, condition_set(scop, stmt, i));
	isl_space_free(space);
	return set;
}

__isl_give isl_set *scop_domain(const struct scop *scop,
	const struct stmt *stmt)
{
	isl_set *set = scop_grid_domain(scop, stmt, false);

	for (int i = 0; i < stmt->n_conditions; i++)
		set = isl_set_intersect(set, condition_set(scop, stmt, i));
	return set_coalesce(set);
}

static isl_stat note_equality(__isl_take isl_constraint *c, void *user)
{
	if (isl_constraint_is_equality(c))
		*(bool *) user = true;
	isl_constraint_free(c);
	return isl_stat_ok;
}

/* Do inequalities alone define "set"? */
static bool is_polyhedron(__isl_keep isl_set *set)
{
	isl_basic_set_list *pieces = isl_set_get_basic_set_list(set);
	bool plain = isl_basic_set_list_n_basic_set(pieces) == 1;

	if (plain) {
		isl_basic_set *piece =
			isl_basic_set_list_get_basic_set(pieces, 0);
		bool equality = false;

		isl_basic_set_foreach_constraint(piece, note_equality,
			&equality);
		plain = !equality &&
			isl_basic_set_dim(piece, isl_dim_div) == 0;
		isl_basic_set_free(piece);
	}
	isl_basic_set_list_free(pieces);
	return plain;
}

/* A polyhedron in the grid, as close to the domain as possible; a condition
 * excludes the rest.  If statements share the points of a field, this
 * polyhedron holds all their points: a part might contain no tile of the
 * others.
 */
__isl_give isl_set *scop_inside(const struct scop *scop,
	const struct stmt *stmt)
{
	isl_set *inside = scop_grid_domain(scop, stmt, true);

	if (program_count_writers(scop->prog, stmt->write->field) > 1)
		return inside;
	for (int i = 0; i < stmt->n_conditions; i++) {
		isl_set *condition = condition_set(scop, stmt, i);

		if (is_polyhedron(condition))
			inside = isl_set_intersect(inside, condition);
		else
			isl_set_free(condition);
	}
	return inside;
}

/* { params : the program's assumptions hold } */
static __isl_give isl_set *assumptions(const struct scop *scop)
{
	isl_space *space = isl_space_set_from_params(scop_param_space(scop));
	isl_set *set = isl_set_universe(isl_space_copy(space));
	const struct program *prog = scop->prog;

	for (int i = 0; i < prog->n_assumes; i++)
		set = isl_set_intersect(set, set_of_condition(space, prog,
			prog->assume[i]));
	isl_space_free(space);
	return set_coalesce(isl_set_params(set));
}

/* { params : each size of a grid is at least 1 } */
static __isl_give isl_set *positive_sizes(const struct scop *scop)
{
	isl_set *set = isl_set_universe(scop_param_space(scop));
	const struct program *prog = scop->prog;

	for (int i = 0; i < prog->n_fields; i++)
		for (int d = 0; !prog->field[i]->is_listed &&
		     d < prog->field[i]->n_dims; d++)
			set = isl_set_intersect(set, isl_set_params(
				isl_pw_aff_pos_set(scop_affine_of_params(scop,
					prog->field[i]->size[d]))));
	return set;
}

/* { params : "holds" of the whole begin and the segment's, and of its end and the whole one } */
static __isl_give isl_set *segments_where(const struct scop *scop,
	isl_set *(*holds)(isl_pw_aff *a, isl_pw_aff *b))
{
	const struct segments *s = scop->prog->segments;
	isl_space *space = isl_space_set_from_params(scop_param_space(scop));
	isl_set *set = isl_set_universe(isl_space_copy(space));

	if (s) {
		set = isl_set_intersect(set, holds(affine_of_expr(space,
			scop->prog, s->whole_begin), affine_of_expr(space,
				scop->prog, s->from)));
		set = isl_set_intersect(set, holds(affine_of_expr(space,
			scop->prog, s->to), affine_of_expr(space, scop->prog,
				s->whole_end)));
	}
	isl_space_free(space);
	return isl_set_params(set);
}

__isl_give isl_set *scop_segment_bounds(const struct scop *scop)
{
	return segments_where(scop, isl_pw_aff_le_set);
}

__isl_give isl_set *scop_one_segment(const struct scop *scop)
{
	return segments_where(scop, isl_pw_aff_eq_set);
}

__isl_give isl_set *scop_valid_sizes(const struct scop *scop)
{
	return isl_set_intersect(scop_segment_bounds(scop), isl_set_intersect(
		positive_sizes(scop), assumptions(scop)));
}

bool scop_has_instances(const struct scop *scop, const struct scop_stmt *s)
{
	return set_has_points(isl_set_intersect_params(
		isl_set_copy(s->domain), isl_set_copy(scop->context)));
}

bool scop_is_idle(const struct scop *scop, const struct scop_stmt *s)
{
	return s->is_copy &&
		scop->field[s->stmt->write->field->index].buffers == 1;
}

bool scop_statement_runs(const struct scop *scop, int number)
{
	for (int i = 0; i < scop->n_stmts; i++)
		if (scop->stmt[i].number == number &&
		    scop_has_instances(scop, &scop->stmt[i]))
			return true;
	return false;
}
