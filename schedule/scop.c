#include <isl/constraint.h>
#include <isl/id.h>

#include "schedule/schedule.h"

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

/* { S[t, x] : 0 <= t < steps } */
static __isl_give isl_set *time_range(const struct scop *scop,
	__isl_keep isl_space *space)
{
	const struct program *prog = scop->prog;
	isl_pw_aff *steps;

	steps = isl_pw_aff_sub(affine_of_expr(space, prog, prog->end),
		affine_of_expr(space, prog, prog->begin));
	return set_within(space, 0, 0, steps);
}

int program_writer(const struct program *prog, const struct field *field)
{
	for (int i = 0; i < prog->n_stmts; i++)
		if (prog->stmt[i]->write->field == field)
			return i;
	return -1;
}

/* The statement that computes the temp "field", of which there is one. */
static const struct scop_stmt *writer_of(const struct scop *scop,
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
	for (int d = 0; d < acc->field->n_dims; d++) {
		isl_aff *x = isl_aff_var_on_domain(isl_local_space_copy(ls),
			isl_dim_set, 1 + acc->dim[d]);

		ma = isl_multi_aff_set_aff(ma, 1 + d,
			isl_aff_add_constant_si(x, (int) acc->offset[d]));
	}
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
	const struct scop_stmt *writer = writer_of(scop, acc->field);
	isl_set *values = isl_set_copy(writer->domain);

	for (int d = 0; d < acc->field->n_dims; d++)
		if (access_is_mapped(stmt, acc, d))
			values = isl_set_eliminate(values, isl_dim_set,
				(unsigned) (1 + d), 1);
	return isl_set_preimage_multi_aff(values,
		to_writer(space, writer, acc));
}

/* { S[t, x] : 0 <= t < steps, x and its reads lie in the grid, and the temps
 * that it reads have values }; of the reads those in dimensions with a fixed
 * boundary, or if "mapped" all.
 */
static __isl_give isl_set *grid_domain(const struct scop *scop,
	const struct stmt *stmt, bool mapped)
{
	isl_space *space = scop_instance_space(scop, stmt);
	isl_set *set = time_range(scop, space);

	set = isl_set_intersect(set, access_inside(scop, space, stmt->write,
		true));
	for (int i = 0; i < stmt->n_reads; i++) {
		const struct access *acc = stmt->read[i];

		set = isl_set_intersect(set, access_inside(scop, space, acc,
			mapped));
		if (field_is_temp(acc->field))
			set = isl_set_intersect(set,
				access_computed(scop, space, stmt, acc));
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

/* The instances: those of the grid for which "on" holds. */
static __isl_give isl_set *stmt_domain(const struct scop *scop,
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

static __isl_give isl_union_map *stmt_reads(const struct scop *scop,
	const struct scop_stmt *s)
{
	isl_union_map *reads = isl_union_map_empty(scop_param_space(scop));

	for (int i = 0; i < s->stmt->n_reads; i++)
		reads = isl_union_map_add_map(reads, access_relation(scop,
			s->domain, s->stmt, s->stmt->read[i]));
	return s->is_mapped ? isl_union_map_intersect_params(reads,
		isl_set_copy(scop->context)) : reads;
}

static void add_stmt(struct scop *scop, const struct stmt *stmt)
{
	struct scop_stmt *s = &scop->stmt[scop->n_stmts++];

	s->stmt = stmt;
	s->name = stmt->name;
	s->slot = stmt->index;
	s->is_mapped = stmt_is_mapped(stmt);
	s->domain = keep_set(scop->mem, stmt_domain(scop, stmt));
	s->inside = keep_set(scop->mem, stmt_inside(scop, stmt));
	s->hull = keep_set(scop->mem, grid_domain(scop, stmt, false));
	s->write = keep_map(scop->mem,
		access_relation(scop, s->domain, stmt, stmt->write));
	s->reads = keep_union_map(scop->mem, stmt_reads(scop, s));
}

/* Carries --------------------------------------------------------------- */

static bool mentions_time(const struct expr *e)
{
	if (e->kind == EXPR_TIME)
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (mentions_time(e->arg[i]))
			return true;
	return false;
}

/* Does each statement of "field" write the same cells at each step?  To be
 * told from the conditions; sets could take very long.
 */
static bool writes_same_cells(const struct program *prog,
	const struct field *field)
{
	for (int i = 0; i < prog->n_stmts; i++)
		for (int j = 0; j < prog->stmt[i]->n_conditions; j++)
			if (prog->stmt[i]->write->field == field &&
			    mentions_time(prog->stmt[i]->condition[j]))
				return false;
	return true;
}

/* { S[t, x] : no statement writes version t+1 of the cell x of the field }
 * in the space of "like", the last statement that writes the field.
 */
static __isl_give isl_set *unwritten(const struct scop *scop,
	const struct scop_stmt *like)
{
	const struct access *write = like->stmt->write;
	isl_space *space = isl_set_get_space(like->domain);
	isl_set *rest = time_range(scop, space);

	rest = isl_set_intersect(rest, access_inside(scop, space, write,
		true));
	for (int i = 0; i < scop->n_stmts; i++) {
		const struct scop_stmt *s = &scop->stmt[i];
		isl_set *domain;

		if (s->is_carry || s->stmt->write->field != write->field)
			continue;
		domain = isl_set_set_tuple_name(isl_set_copy(s->domain),
			like->name);
		rest = isl_set_subtract(rest, domain);
	}
	isl_space_free(space);
	return rest;
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

/* The last statement that writes "field", or NULL. */
static const struct scop_stmt *last_writer(const struct scop *scop,
	const struct field *field)
{
	for (int i = scop->n_stmts - 1; i >= 0; i--)
		if (!scop->stmt[i].is_carry &&
		    scop->stmt[i].stmt->write->field == field)
			return &scop->stmt[i];
	return NULL;
}

/* { [t, ..] in the space of "set" : first <= t <= last } */
static __isl_give isl_set *between_times(__isl_take isl_set *set, int first,
	int last)
{
	set = isl_set_lower_bound_si(set, isl_dim_set, 0, first);
	return isl_set_upper_bound_si(set, isl_dim_set, 0, last);
}

/* Where no statement writes a cell its value carries over to the next step.
 * If those cells are the same at each step, all copies of them hold one value
 * once each copy has been written, so only the first steps need the copy:
 * t <= buffers - 2, and not t = 0 if the copy of version 1 is scratch, which
 * the generated code fills with version 0 at the start.
 */
static __isl_give isl_set *carry_domain(const struct scop *scop,
	const struct scop_stmt *writer, bool *is_brief)
{
	const struct field *field = writer->stmt->write->field;
	int buffers = scop->field[field->index].buffers;
	int first = buffers > field->depth ? 1 : 0;
	isl_set *domain = unwritten(scop, writer);

	*is_brief = writes_same_cells(scop->prog, field) &&
		!scop->field[field->index].always_carried;
	if (*is_brief)
		domain = between_times(domain, first, buffers - 2);
	return set_coalesce(domain);
}

/* { S[t, x] : x in the grid of the field, at each step } */
static __isl_give isl_set *carry_hull(const struct scop *scop,
	const struct scop_stmt *writer)
{
	isl_space *space = isl_set_get_space(writer->domain);
	isl_set *hull = isl_set_intersect(time_range(scop, space),
		access_inside(scop, space, writer->stmt->write, true));

	isl_space_free(space);
	return hull;
}

static void add_carry(struct scop *scop, const struct scop_stmt *writer)
{
	struct scop_stmt *s = &scop->stmt[scop->n_stmts];
	struct access *read = region_new_of(scop->mem, struct access);
	bool is_brief;
	isl_set *domain = carry_domain(scop, writer, &is_brief);

	if (isl_set_is_empty(domain) != isl_bool_false) {
		isl_set_free(domain);
		return;
	}
	scop->n_stmts++;
	*s = *writer;
	s->name = region_printf(scop->mem, "%s_carry", writer->name);
	s->is_carry = true;
	s->is_brief = is_brief;
	s->is_mapped = false;
	s->domain = keep_set(scop->mem,
		isl_set_set_tuple_name(domain, s->name));
	s->inside = keep_set(scop->mem, isl_set_set_tuple_name(
		isl_set_copy(writer->inside), s->name));
	s->hull = keep_set(scop->mem, isl_set_set_tuple_name(
		carry_hull(scop, writer), s->name));
	s->write = keep_map(scop->mem, access_relation(scop, s->domain,
		writer->stmt, writer->stmt->write));
	*read = *writer->stmt->write;
	read->version = 0;
	s->reads = keep_union_map(scop->mem, isl_union_map_from_map(
		access_relation(scop, s->domain, writer->stmt, read)));
}

static void add_carries(struct scop *scop)
{
	const struct program *prog = scop->prog;

	for (int i = 0; i < prog->n_fields; i++) {
		const struct scop_stmt *writer;

		if (prog->field[i]->kind != FIELD_STATE ||
		    prog->field[i]->is_hidden)
			continue;
		writer = last_writer(scop, prog->field[i]);
		if (writer)
			add_carry(scop, writer);
	}
}

/* Buffers --------------------------------------------------------------- */

/* Is each distance of "cone" within "limit"? */
static bool is_within(const struct cone *cone, const struct cone *limit)
{
	for (int i = 0; i < cone->n_dims; i++) {
		const struct rational *a = &cone->delta0[i];
		const struct rational *b = &limit->delta0[i];

		if (a->num * b->den > b->num * a->den)
			return false;
		a = &cone->delta1[i];
		b = &limit->delta1[i];
		if (a->num * b->den > b->num * a->den)
			return false;
	}
	return true;
}

/* What the copies chosen so far lead to. */
struct outcome {
	bool advances;		/* each dependence leads on in time */
	bool bounded;
	struct cone cone;	/* if bounded */
};

static struct outcome outcome_with_buffers(struct scop *scop)
{
	struct deps *deps = deps_compute(scop);
	struct outcome o = { .advances = deps_advance(deps) };

	o.bounded = cone_of_deps(deps, scop->n_dims, &o.cone);
	return o;
}

/* With the carry of "field" that goes with its copies, too: it overwrites what
 * others may still have to read.
 */
static struct outcome outcome_with_carry(struct scop *scop,
	const struct field *field)
{
	const struct scop_stmt *writer = last_writer(scop, field);
	int n = scop->n_stmts;
	struct outcome o;

	if (writer && !field->is_hidden)
		add_carry(scop, writer);
	o = outcome_with_buffers(scop);
	scop->n_stmts = n;
	return o;
}

/* A state of depth d rotates d copies if no instance then overwrites what
 * another one still has to read and the cone, if it has one, stays as narrow as
 * with d + 1, which always suffice.
 */
static void choose_buffers(struct scop *scop)
{
	const struct program *prog = scop->prog;
	struct outcome wide, narrow;

	for (int i = 0; i < prog->n_fields; i++)
		scop->field[i].buffers = prog->field[i]->kind == FIELD_STATE ?
			prog->field[i]->depth + 1 : 1;
	wide = outcome_with_buffers(scop);
	for (int i = 0; i < prog->n_fields; i++) {
		if (prog->field[i]->kind != FIELD_STATE)
			continue;
		scop->field[i].buffers = prog->field[i]->depth;
		narrow = outcome_with_carry(scop, prog->field[i]);
		if (!narrow.advances || (wide.bounded && !(narrow.bounded &&
		    is_within(&narrow.cone, &wide.cone))))
			scop->field[i].buffers++;
	}
}

/* Full tiles ------------------------------------------------------------ */

/* Find what runs in a full tile, where "inside" holds for each instance of
 * each statement.
 */
static void find_guards(struct scop *scop)
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
		isl_set_free(known);
		isl_set_free(runs);
		s->takes_turns = count_writers(scop->prog,
			s->stmt->write->field) > 1 &&
			!writes_same_cells(scop->prog, s->stmt->write->field);
	}
}

/* What is not implemented yet, and what needs sets to be seen ----------- */

/* A temp has one statement, which computes all of it. */
static void check_temp(struct diags *d, const struct program *prog,
	const struct field *field)
{
	const struct stmt *first = NULL;

	for (int i = 0; i < prog->n_stmts; i++) {
		const struct stmt *s = prog->stmt[i];

		if (s->write->field != field)
			continue;
		if (first || s->n_conditions > 0)
			diag(d, E_NOT_YET, s->at, first ?
				"a temp that two statements compute ('%s') is "
				"not implemented yet" :
				"a temp that is computed at some points only "
				"('%s', by 'on') is not implemented yet",
				field->name);
		if (d->errors)
			return;
		first = s;
	}
}

static bool is_supported(struct diags *d, const struct program *prog)
{
	enum { MOST_STATEMENTS = 512 };
	unsigned errors = d->errors;

	if (prog->n_stmts > MOST_STATEMENTS) {
		diag(d, E_TOO_LARGE, prog->stmt[MOST_STATEMENTS]->at,
			"a program of %d statements is too large: the limit "
			"is %d", prog->n_stmts, MOST_STATEMENTS);
		return false;
	}

	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *field = prog->field[i];

		if (field_is_temp(field))
			check_temp(d, prog, field);
	}
	return d->errors == errors;
}

/* Does "acc" of "s" read no cell without a value where a boundary stands in
 * for those beyond the grid?
 */
static bool boundary_has_values(const struct scop *scop, struct diags *d,
	const struct stmt *s, const struct access *acc)
{
	const struct scop_stmt *writer = writer_of(scop, acc->field);
	isl_space *space = isl_set_get_space(writer->domain);
	isl_set *all = isl_set_copy(writer->domain);
	bool has;

	for (int i = 0; i < acc->field->n_dims; i++)
		if (access_is_mapped(s, acc, i))
			all = isl_set_eliminate(all, isl_dim_set,
				(unsigned) (1 + i), 1);
	all = isl_set_intersect(all, access_inside(scop, space,
		writer->stmt->write, true));
	isl_space_free(space);
	has = isl_set_is_subset(all, writer->domain) == isl_bool_true;
	isl_set_free(all);
	if (has)
		return true;
	diag(d, E_BOUNDARY, acc->at, "a boundary of '%s' stands in for cells "
		"beyond the grid, but not all cells of the grid are computed",
		acc->field->name);
	diag_note(d, writer->stmt->at, "it is computed here, where all reads "
		"lie in the grid");
	diag_advice(d, "give the fields read there boundaries, too");
	return false;
}

static bool boundaries_have_values(const struct scop *scop, struct diags *d)
{
	for (int i = 0; i < scop->n_stmts; i++) {
		const struct stmt *s = scop->stmt[i].stmt;

		for (int j = 0; j < s->n_reads; j++)
			if (field_is_temp(s->read[j]->field) &&
			    !boundary_has_values(scop, d, s, s->read[j]))
				return false;
	}
	return true;
}

/* No two statements write the same value. */
static bool writes_are_disjoint(const struct scop *scop, struct diags *d)
{
	for (int i = 0; i < scop->n_stmts; i++)
		for (int j = 0; j < i; j++) {
			const struct scop_stmt *a = &scop->stmt[j];
			const struct scop_stmt *b = &scop->stmt[i];
			isl_set *both;
			bool empty;

			if (a->stmt->write->field != b->stmt->write->field)
				continue;
			both = isl_set_intersect(
				isl_map_range(isl_map_copy(a->write)),
				isl_map_range(isl_map_copy(b->write)));
			both = isl_set_intersect_params(both,
				isl_set_copy(scop->context));
			empty = isl_set_is_empty(both) == isl_bool_true;
			isl_set_free(both);
			if (empty)
				continue;
			diag(d, E_WRITTEN_TWICE, b->stmt->at,
				"'%s' is written by two statements at the "
				"same points", b->stmt->write->field->name);
			diag_note(d, a->stmt->at, "the first one is here");
			return false;
		}
	return true;
}

static __isl_give isl_set *field_cells(const struct scop *scop,
	const struct field *field)
{
	isl_space *space = tuple_space(scop, field->name, field->n_dims);
	isl_set *cells = isl_set_universe(isl_space_copy(space));

	for (int d = 0; d < field->n_dims; d++)
		cells = isl_set_intersect(cells, set_within(space, d, 0,
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

/* The parameters for which there is work and the generated function runs.
 * NULL after a diagnostic if there are none.
 */
static __isl_give isl_set *work_context(const struct scop *scop,
	struct diags *d)
{
	const struct program *prog = scop->prog;
	isl_set *set = isl_set_intersect(positive_sizes(scop),
		assumptions(scop));

	if (isl_set_is_empty(set) == isl_bool_true) {
		diag(d, E_ASSUME, prog->n_assumes ? prog->assume[0]->at :
			prog->at, "what is assumed holds for no sizes");
		isl_set_free(set);
		return NULL;
	}
	set = isl_set_intersect(set, scop_large_enough(scop));
	if (isl_set_is_empty(set) == isl_bool_true) {
		diag(d, E_TOO_SMALL, prog->at, "a boundary reaches farther "
			"than the grid is large");
		isl_set_free(set);
		return NULL;
	}
	return set_coalesce(isl_set_intersect(set,
		isl_set_params(isl_pw_aff_pos_set(scop_steps(scop)))));
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

static bool has_instances(const struct scop *scop, const struct scop_stmt *s)
{
	isl_set *runs = isl_set_intersect_params(isl_set_copy(s->domain),
		isl_set_copy(scop->context));
	bool has = isl_set_is_empty(runs) == isl_bool_false;

	isl_set_free(runs);
	return has;
}

bool scop_slot_runs(const struct scop *scop, int slot)
{
	for (int i = 0; i < scop->n_stmts; i++)
		if (scop->stmt[i].slot == slot &&
		    has_instances(scop, &scop->stmt[i]))
			return true;
	return false;
}

static bool has_fixed_size(const struct program *prog)
{
	for (int i = 0; i < prog->n_params; i++)
		if (prog->param[i]->type == TYPE_INT && prog->param[i]->fixed)
			return true;
	return false;
}

/* Statements that never run; for sizes that are fixed they may be meant. */
static void warn_never(const struct scop *scop, struct diags *d)
{
	for (int i = 0; i < scop->n_stmts; i++) {
		const struct scop_stmt *s = &scop->stmt[i];

		if (s->is_carry || has_instances(scop, s) ||
		    has_fixed_size(scop->prog))
			continue;
		diag(d, W_NEVER, s->stmt->at, "this computes nothing: its "
			"conditions hold at no point of the grid");
	}
}

/* Say so if no statement runs; find out whether anything does. */
static void find_idle(struct scop *scop, struct diags *d)
{
	bool computes = false;

	scop->is_idle = true;
	for (int i = 0; i < scop->n_stmts; i++)
		if (has_instances(scop, &scop->stmt[i])) {
			scop->is_idle = false;
			computes = computes || !scop->stmt[i].is_carry;
		}
	if (!computes)
		diag(d, W_NOTHING, scop->prog->at, "nothing is ever computed: "
			"with these sizes no statement has a step and a point "
			"in the grid");
	else
		warn_never(scop, d);
	scop_warn_edges(scop, d);
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

	if (!is_supported(d, prog))
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
	context = work_context(scop, d);
	if (!context)
		return NULL;
	scop->context = keep_set(mem, context);
	for (int i = 0; i < prog->n_stmts; i++) {
		if (prog->stmt[i]->n_dims > scop->n_dims)
			scop->n_dims = prog->stmt[i]->n_dims;
		add_stmt(scop, prog->stmt[i]);
	}
	if (!boundaries_have_values(scop, d))
		return NULL;
	if (!writes_are_disjoint(scop, d))
		return NULL;
	find_values_of_temps(scop);
	choose_buffers(scop);
	add_carries(scop);
	find_guards(scop);
	find_idle(scop, d);
	return scop;
}

/* Tiles that overlap ---------------------------------------------------- */

/* Is version t+1 of "field" read in the step that computes it? */
static bool is_read_at_once(const struct program *prog,
	const struct field *field)
{
	for (int i = 0; i < prog->n_stmts; i++)
		for (int j = 0; j < prog->stmt[i]->n_reads; j++)
			if (prog->stmt[i]->read[j]->field == field &&
			    prog->stmt[i]->read[j]->version == 1)
				return true;
	return false;
}

struct scop *scop_for_overlap(const struct scop *scop)
{
	struct scop *copy = region_new_of(scop->mem, struct scop);
	const struct program *prog = scop->prog;

	*copy = *scop;
	copy->stmt = region_array(scop->mem, struct scop_stmt, 2 * scop->k);
	copy->field = region_array(scop->mem, struct scop_field,
		prog->n_fields);
	for (int i = 0; i < prog->n_fields; i++) {
		struct scop_field *f = &copy->field[i];

		*f = scop->field[i];
		if (prog->field[i]->kind == FIELD_STATE)
			f->buffers = prog->field[i]->is_hidden ? 1 :
				prog->field[i]->depth + 1;
		f->always_carried = is_read_at_once(prog, prog->field[i]);
	}
	copy->n_stmts = 0;
	for (int i = 0; i < scop->n_stmts; i++)
		if (!scop->stmt[i].is_carry)
			copy->stmt[copy->n_stmts++] = scop->stmt[i];
	add_carries(copy);
	find_guards(copy);
	return copy;
}
