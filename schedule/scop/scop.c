/* The program as sets. */
#include <isl/constraint.h>
#include <isl/id.h>

#include "schedule/scop/scop.h"

__isl_give isl_space *scop_param_space(const struct scop *scop)
{
	const struct program *prog = scop->prog;
	isl_space *space = isl_space_params_alloc(scop->ctx, 0);

	for (int i = 0; i < prog->n_params; i++) {
		struct param *p = prog->param[i];
		int pos = isl_space_dim(space, isl_dim_param);

		if (p->type != TYPE_INT || p->fixed)
			continue;
		space = isl_space_add_dims(space, isl_dim_param, 1);
		space = isl_space_set_dim_name(space, isl_dim_param, pos,
			p->name);
	}
	return space;
}

/* The space of a tuple name[.., n dimensions]. */
static __isl_give isl_space *tuple_space(const struct scop *scop,
	const char *name, int n)
{
	isl_space *space = isl_space_set_from_params(scop_param_space(scop));

	space = isl_space_add_dims(space, isl_dim_set, n);
	return isl_space_set_tuple_name(space, isl_dim_set, name);
}

__isl_give isl_space *scop_instance_space(const struct scop *scop,
	const struct stmt *stmt)
{
	return tuple_space(scop, stmt->name, 1 + stmt->n_dims);
}

static bool has_version(const struct field *field)
{
	return field->kind == FIELD_STATE;
}

__isl_give isl_space *scop_value_space(const struct scop *scop,
	const struct field *field)
{
	return tuple_space(scop, field->name,
		has_version(field) + field->n_dims);
}

__isl_give isl_pw_aff *scop_affine_of_params(const struct scop *scop,
	const struct expr *e)
{
	isl_space *space;
	isl_pw_aff *value;

	space = isl_space_set_from_params(scop_param_space(scop));
	value = affine_of_expr(space, scop->prog, e);
	isl_space_free(space);
	return value;
}

__isl_give isl_pw_aff *scop_steps(const struct scop *scop)
{
	return isl_pw_aff_project_domain_on_params(isl_pw_aff_sub(
		scop_affine_of_params(scop, scop->prog->end),
		scop_affine_of_params(scop, scop->prog->begin)));
}

__isl_give isl_set *scop_time_range(const struct scop *scop,
	__isl_keep isl_space *space)
{
	const struct program *prog = scop->prog;
	isl_pw_aff *steps;

	steps = isl_pw_aff_sub(affine_of_expr(space, prog, prog->end),
		affine_of_expr(space, prog, prog->begin));
	return set_within(space, 0, steps);
}

int program_writer(const struct program *prog, const struct field *field)
{
	for (int i = 0; i < prog->n_stmts; i++)
		if (prog->stmt[i]->write->field == field)
			return i;
	return -1;
}

const struct scop_stmt *scop_writer_of_temp(const struct scop *scop,
	const struct field *field)
{
	int i = 0;

	while (scop->stmt[i].stmt->write->field != field)
		i++;
	return &scop->stmt[i];
}

/* { S[t, x] in "space" -> W[t, y] : "acc" of x touches the cell of y } */
static __isl_give isl_multi_aff *to_writer(__isl_keep isl_space *space,
	const struct scop_stmt *writer, const struct access *acc)
{
	isl_local_space *ls = isl_local_space_from_space(isl_space_copy(space));
	isl_multi_aff *ma = isl_multi_aff_zero(
		isl_space_map_from_domain_and_range(isl_space_copy(space),
			isl_set_get_space(writer->domain)));

	ma = isl_multi_aff_set_aff(ma, 0, isl_aff_var_on_domain(
		isl_local_space_copy(ls), isl_dim_set, 0));
	for (int d = 0; d < acc->field->n_dims; d++)
		ma = isl_multi_aff_set_aff(ma, 1 + d, access_subscript(
			isl_local_space_copy(ls), 1, acc, d));
	isl_local_space_free(ls);
	return ma;
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
	return isl_set_preimage_multi_aff(values,
		to_writer(space, writer, acc));
}

__isl_give isl_set *scop_read_meaning(const struct scop *scop,
	const struct stmt *s, const struct access *acc)
{
	isl_space *space = scop_instance_space(scop, s);
	isl_set *set = access_inside(scop, space, acc, false);

	if (field_is_temp(acc->field))
		set = isl_set_intersect(set,
			access_computed(scop, space, s, acc));
	isl_space_free(space);
	return set;
}

/* Does a read before read "i" ask the same of the points along "d"?  A box of
 * reads has few offsets along each dimension.
 */
static bool is_asked(const struct stmt *s, int i, int d)
{
	const struct access *a = s->read[i];

	for (int j = 0; j < i; j++) {
		const struct access *b = s->read[j];

		if (a->field == b->field && a->dim[d] == b->dim[d] &&
		    a->stride[d] == b->stride[d] &&
		    a->offset[d] == b->offset[d])
			return true;
	}
	return false;
}

/* The points of "set" at which read "i" lies in the grid, in dimensions with a
 * fixed boundary or if "mapped" in all.
 */
static __isl_give isl_set *with_read_inside(const struct scop *scop,
	__isl_take isl_set *set, const struct stmt *stmt, int i, bool mapped)
{
	const struct access *acc = stmt->read[i];
	isl_space *space = isl_set_get_space(set);

	for (int d = 0; d < acc->field->n_dims; d++)
		if ((mapped || acc->field->boundary[d].kind ==
		     BOUNDARY_FIXED) && !is_asked(stmt, i, d))
			set = isl_set_intersect(set, access_inside_along(scop,
				space, acc, d));
	isl_space_free(space);
	return set;
}

/* { S[t, x] : 0 <= t < steps, x and its reads lie in the grid, and the temps
 * that it reads have values }; of the reads those in dimensions with a fixed
 * boundary, or if "mapped" all.
 */
static __isl_give isl_set *grid_domain(const struct scop *scop,
	const struct stmt *stmt, bool mapped)
{
	isl_space *space = scop_instance_space(scop, stmt);
	isl_set *set = scop_time_range(scop, space);

	set = isl_set_intersect(set, access_inside(scop, space, stmt->write,
		true));
	for (int i = 0; i < stmt->n_reads; i++) {
		set = with_read_inside(scop, set, stmt, i, mapped);
		if (field_is_temp(stmt->read[i]->field))
			set = isl_set_intersect(set, access_computed(scop,
				space, stmt, stmt->read[i]));
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
	isl_set *set = scop_time_range(scop, space);

	set = isl_set_intersect(set, access_inside(scop, space, stmt->write,
		true));
	for (int i = 0; i < stmt->n_conditions; i++)
		set = isl_set_intersect(set, condition_set(scop, stmt, i));
	isl_space_free(space);
	return set;
}

__isl_give isl_set *scop_domain(const struct scop *scop,
	const struct stmt *stmt)
{
	isl_set *set = grid_domain(scop, stmt, false);

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

/* Is "set" cut out by inequalities alone? */
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

static int count_writers(const struct program *prog,
	const struct field *field)
{
	int n = 0;

	for (int i = 0; i < prog->n_stmts; i++)
		n += prog->stmt[i]->write->field == field;
	return n;
}

/* A polyhedron in the grid, as near to the domain as can be known; what it has
 * beyond the domain is left to a condition.  The statements of a field divide
 * the points among them: a part would hold no tile of the others.
 */
static __isl_give isl_set *stmt_inside(const struct scop *scop,
	const struct stmt *stmt)
{
	isl_set *inside = grid_domain(scop, stmt, true);

	if (count_writers(scop->prog, stmt->write->field) > 1)
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

static void add_stmt(struct scop *scop, const struct stmt *stmt)
{
	struct scop_stmt *s = &scop->stmt[scop->n_stmts++];

	s->stmt = stmt;
	s->name = stmt->name;
	s->slot = stmt->index;
	s->is_mapped = stmt_is_mapped(stmt);
	s->domain = keep_set(scop->mem, scop_domain(scop, stmt));
	s->inside = keep_set(scop->mem, stmt_inside(scop, stmt));
	s->hull = keep_set(scop->mem, grid_domain(scop, stmt, false));
	s->write = keep_map(scop->mem,
		access_relation(scop, s->domain, stmt, stmt->write));
}

bool scop_reads(const struct scop *scop, const struct field *field)
{
	for (int i = 0; i < scop->n_stmts; i++) {
		const struct scop_stmt *s = &scop->stmt[i];

		if (s->is_carry && s->stmt->write->field == field)
			return true;
		for (int j = 0; !s->is_carry && j < s->stmt->n_reads; j++)
			if (s->stmt->read[j]->field == field)
				return true;
	}
	return false;
}

/* Full tiles ------------------------------------------------------------ */

/* Does what "runs", of "known" instances, do so the same "by" points further
 * along dimension "d"?
 */
static bool recurs(__isl_keep isl_set *known, __isl_keep isl_set *runs, int d,
	int by)
{
	isl_set *both = isl_set_intersect(isl_set_copy(known),
		shift_dim(isl_set_copy(known), 1 + d, -by));
	isl_set *here = isl_set_intersect(isl_set_copy(runs),
		isl_set_copy(both));
	isl_set *there = isl_set_intersect(both,
		shift_dim(isl_set_copy(runs), 1 + d, -by));
	bool equal = isl_set_is_equal(here, there) == isl_bool_true;

	isl_set_free(here);
	isl_set_free(there);
	return equal;
}

/* Find the least period of the condition of "s" in each dimension; conditions of
 * many parts are not looked at.
 */
static void find_periods(const struct scop *scop, struct scop_stmt *s,
	__isl_keep isl_set *known, __isl_keep isl_set *runs)
{
	enum { MOST_PERIOD = 4, MOST_PARTS = 4 };
	isl_set *all, *some;

	if (isl_set_n_basic_set(runs) > MOST_PARTS)
		return;
	all = isl_set_reset_tuple_id(isl_set_copy(known));
	some = isl_set_reset_tuple_id(isl_set_copy(runs));
	for (int d = 0; d < scop->n_dims && d < s->stmt->n_dims; d++)
		for (int by = MOST_PERIOD; by > 0; by--)
			if (recurs(all, some, d, by))
				s->period[d] = by;
	isl_set_free(all);
	isl_set_free(some);
}

void scop_find_guards(struct scop *scop)
{
	for (int i = 0; i < scop->n_stmts; i++) {
		struct scop_stmt *s = &scop->stmt[i];
		isl_set *known = isl_set_intersect_params(
			isl_set_copy(s->inside), isl_set_copy(scop->context));
		isl_set *runs = isl_set_intersect(isl_set_copy(known),
			isl_set_copy(s->domain));

		s->in_full = !s->is_carry ||
			isl_set_is_empty(runs) != isl_bool_true;
		s->is_guarded = s->in_full && (s->is_carry ||
			isl_set_is_subset(known, runs) != isl_bool_true);
		if (s->is_guarded || (s->in_full &&
		    count_writers(scop->prog, s->stmt->write->field) > 1))
			scop->is_guarded = true;
		if (s->is_guarded)
			find_periods(scop, s, known, runs);
		isl_set_free(known);
		isl_set_free(runs);
		s->takes_turns = count_writers(scop->prog,
			s->stmt->write->field) > 1 &&
			!program_writes_same_cells(scop->prog,
				s->stmt->write->field);
	}
}

static __isl_give isl_set *field_cells(const struct scop *scop,
	const struct field *field)
{
	isl_space *space = tuple_space(scop, field->name, field->n_dims);
	isl_set *cells = isl_set_universe(isl_space_copy(space));

	for (int d = 0; d < field->n_dims; d++)
		cells = isl_set_intersect(cells, set_within(space, d,
			affine_of_expr(space, scop->prog, field->size[d])));
	isl_space_free(space);
	return cells;
}

/* { params : what the program assumes holds } */
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

/* { params : each size is at least 1 } */
static __isl_give isl_set *positive_sizes(const struct scop *scop)
{
	isl_set *set = isl_set_universe(scop_param_space(scop));
	const struct program *prog = scop->prog;

	for (int i = 0; i < prog->n_fields; i++)
		for (int d = 0; d < prog->field[i]->n_dims; d++)
			set = isl_set_intersect(set, isl_set_params(
				isl_pw_aff_pos_set(scop_affine_of_params(scop,
					prog->field[i]->size[d]))));
	return set;
}

__isl_give isl_set *scop_valid_sizes(const struct scop *scop)
{
	return isl_set_intersect(positive_sizes(scop), assumptions(scop));
}

/* The parameters for which there is work and the generated function runs.
 * NULL after a diagnostic if it would run for none.
 */
static __isl_give isl_set *work_context(const struct scop *scop,
	struct diags *d)
{
	const struct program *prog = scop->prog;
	isl_set *set = scop_valid_sizes(scop);
	isl_set *steps, *runs;

	if (isl_set_is_empty(set) == isl_bool_true) {
		diag(d, E_ASSUME, prog->n_assumes ? prog->assume[0]->at :
			prog->at, "what is assumed holds for no sizes");
		isl_set_free(set);
		return NULL;
	}
	steps = isl_set_params(isl_pw_aff_pos_set(scop_steps(scop)));
	runs = isl_set_intersect(isl_set_intersect(isl_set_copy(set),
		isl_set_copy(steps)), scop_has_points(scop));
	set = isl_set_intersect(set, scop_large_enough(scop));
	if (isl_set_is_empty(set) == isl_bool_true &&
	    isl_set_is_empty(runs) == isl_bool_false) {
		diag(d, E_TOO_SMALL, prog->at, "a boundary reaches farther "
			"than the grid is large");
		set = isl_set_free(set);
	}
	isl_set_free(runs);
	return set_coalesce(isl_set_intersect(set, steps));
}

__isl_give isl_map *scop_canonical(const struct scop *scop,
	const struct scop_stmt *s)
{
	isl_space *from = isl_set_get_space(s->domain);
	isl_space *to = isl_space_set_from_params(scop_param_space(scop));
	isl_local_space *ls = isl_local_space_from_space(isl_space_copy(from));
	isl_multi_aff *ma;
	isl_aff *tau;

	to = isl_space_add_dims(to, isl_dim_set, 1 + scop->n_dims);
	ma = isl_multi_aff_zero(isl_space_map_from_domain_and_range(from, to));
	tau = isl_aff_var_on_domain(isl_local_space_copy(ls), isl_dim_set, 0);
	tau = isl_aff_scale_val(tau, isl_val_int_from_si(scop->ctx, scop->k));
	tau = isl_aff_add_constant_si(tau, s->slot);
	ma = isl_multi_aff_set_aff(ma, 0, tau);
	for (int d = 0; d < s->stmt->n_dims; d++)
		ma = isl_multi_aff_set_aff(ma, 1 + d, isl_aff_var_on_domain(
			isl_local_space_copy(ls), isl_dim_set, 1 + d));
	isl_local_space_free(ls);
	return isl_map_intersect_domain(isl_map_from_multi_aff(ma),
		isl_set_copy(s->domain));
}

bool scop_has_instances(const struct scop *scop, const struct scop_stmt *s)
{
	isl_set *runs = isl_set_intersect_params(isl_set_copy(s->domain),
		isl_set_copy(scop->context));
	bool has = isl_set_is_empty(runs) == isl_bool_false;

	isl_set_free(runs);
	return has;
}

bool scop_is_idle(const struct scop *scop, const struct scop_stmt *s)
{
	return s->is_carry &&
		scop->field[s->stmt->write->field->index].buffers == 1;
}

bool scop_slot_runs(const struct scop *scop, int slot)
{
	for (int i = 0; i < scop->n_stmts; i++)
		if (scop->stmt[i].slot == slot &&
		    scop_has_instances(scop, &scop->stmt[i]))
			return true;
	return false;
}

/* Of a temp only cells that are computed have a value. */
static void find_values_of_temps(struct scop *scop)
{
	for (int i = 0; i < scop->n_stmts; i++) {
		const struct field *f = scop->stmt[i].stmt->write->field;
		isl_set *cells;

		if (!field_is_temp(f))
			continue;
		cells = isl_map_range(isl_map_copy(scop->stmt[i].write));
		if (has_version(f))
			cells = isl_set_set_tuple_name(isl_set_project_out(
				cells, isl_dim_set, 0, 1), f->name);
		scop->field[f->index].cells = keep_set(scop->mem,
			set_coalesce(cells));
	}
}

struct scop *scop_build(struct region *mem, isl_ctx *ctx, struct diags *d,
	const struct program *prog)
{
	struct scop *scop = region_new_of(mem, struct scop);
	isl_set *context;

	if (!program_is_supported(mem, d, prog))
		return NULL;
	scop->mem = mem;
	scop->ctx = ctx;
	scop->prog = prog;
	scop->k = prog->n_stmts;
	scop->stmt = region_array(mem, struct scop_stmt, 2 * prog->n_stmts);
	scop->field = region_array(mem, struct scop_field, prog->n_fields);
	for (int i = 0; i < prog->n_fields; i++) {
		scop->field[i].field = prog->field[i];
		scop->field[i].cells = keep_set(mem,
			field_cells(scop, prog->field[i]));
	}
	scop->range = program_ranges(mem, prog);
	context = work_context(scop, d);
	if (!context)
		return NULL;
	scop->context = keep_set(mem, context);
	for (int i = 0; i < prog->n_stmts; i++) {
		if (prog->stmt[i]->n_dims > scop->n_dims)
			scop->n_dims = prog->stmt[i]->n_dims;
		add_stmt(scop, prog->stmt[i]);
	}
	if (!scop_is_sound(scop, d))
		return NULL;
	find_values_of_temps(scop);
	scop_choose_copies(scop);
	scop_add_carries(scop);
	scop_find_guards(scop);
	scop_find_idle(scop, d);
	return scop;
}
