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

/* The space of instances [t, x0, .., xn-1]. */
static __isl_give isl_space *instance_space(const struct scop *scop,
	const char *name, const struct stmt *stmt)
{
	return tuple_space(scop, name, 1 + stmt->n_dims);
}

static bool has_version(const struct field *field)
{
	return field->kind == FIELD_STATE;
}

static __isl_give isl_space *value_space(const struct scop *scop,
	const struct field *field)
{
	return tuple_space(scop, field->name,
		has_version(field) + field->n_dims);
}

static __isl_give isl_pw_aff *affine_of_params(const struct scop *scop,
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
		affine_of_params(scop, scop->prog->end),
		affine_of_params(scop, scop->prog->begin)));
}

/* { x in space : 0 <= x[pos] + offset < bound } */
static __isl_give isl_set *within(__isl_keep isl_space *space, int pos,
	int64_t offset, __isl_take isl_pw_aff *bound)
{
	isl_ctx *ctx = isl_space_get_ctx(space);
	isl_local_space *ls = isl_local_space_from_space(isl_space_copy(space));
	isl_aff *x = isl_aff_var_on_domain(isl_local_space_copy(ls),
		isl_dim_set, pos);
	isl_aff *zero = isl_aff_zero_on_domain(ls);
	isl_pw_aff *at;
	isl_set *set;

	x = isl_aff_add_constant_val(x, isl_val_int_from_si(ctx, offset));
	at = isl_pw_aff_from_aff(x);
	set = isl_pw_aff_ge_set(isl_pw_aff_copy(at),
		isl_pw_aff_from_aff(zero));
	return isl_set_intersect(set, isl_pw_aff_lt_set(at, bound));
}

/* { S[t, x] : the cell of "acc" lies in the grid of its field } */
static __isl_give isl_set *access_in_grid(const struct scop *scop,
	__isl_keep isl_space *space, const struct access *acc)
{
	isl_set *set = isl_set_universe(isl_space_copy(space));

	for (int d = 0; d < acc->field->n_dims; d++) {
		isl_pw_aff *size;

		if (acc->dim[d] < 0)
			continue;
		size = affine_of_expr(space, scop->prog, acc->field->size[d]);
		set = isl_set_intersect(set, within(space, 1 + acc->dim[d],
			acc->offset[d], size));
	}
	return set;
}

/* { S[t, x] : 0 <= t < steps } */
static __isl_give isl_set *time_range(const struct scop *scop,
	__isl_keep isl_space *space)
{
	const struct program *prog = scop->prog;
	isl_pw_aff *steps;

	steps = isl_pw_aff_sub(affine_of_expr(space, prog, prog->end),
		affine_of_expr(space, prog, prog->begin));
	return within(space, 0, 0, steps);
}

/* { S[t, x] -> F[t + version, x + offset] } */
static __isl_give isl_map *access_map(const struct scop *scop,
	__isl_keep isl_set *domain, const struct access *acc)
{
	isl_space *from = isl_set_get_space(domain);
	isl_space *to = value_space(scop, acc->field);
	isl_local_space *ls;
	isl_multi_aff *ma;
	isl_map *map;
	int first = has_version(acc->field);

	ls = isl_local_space_from_space(isl_space_copy(from));
	ma = isl_multi_aff_zero(isl_space_map_from_domain_and_range(from, to));
	if (first) {
		isl_aff *aff = isl_aff_var_on_domain(isl_local_space_copy(ls),
			isl_dim_set, 0);

		aff = isl_aff_add_constant_si(aff, acc->version);
		ma = isl_multi_aff_set_aff(ma, 0, aff);
	}
	for (int d = 0; d < acc->field->n_dims; d++) {
		isl_aff *aff;

		if (acc->dim[d] >= 0)
			aff = isl_aff_var_on_domain(isl_local_space_copy(ls),
				isl_dim_set, 1 + acc->dim[d]);
		else
			aff = isl_aff_zero_on_domain(isl_local_space_copy(ls));
		aff = isl_aff_add_constant_si(aff, (int) acc->offset[d]);
		ma = isl_multi_aff_set_aff(ma, first + d, aff);
	}
	isl_local_space_free(ls);
	map = isl_map_from_multi_aff(ma);
	return isl_map_intersect_domain(map, isl_set_copy(domain));
}

/* { S[t, x] : 0 <= t < steps, x and its reads lie in the grid, "on" holds } */
static __isl_give isl_set *stmt_domain(const struct scop *scop,
	const struct stmt *stmt)
{
	isl_space *space = instance_space(scop, stmt->name, stmt);
	isl_set *set = time_range(scop, space);

	set = isl_set_intersect(set, access_in_grid(scop, space, stmt->write));
	for (int i = 0; i < stmt->n_reads; i++)
		set = isl_set_intersect(set,
			access_in_grid(scop, space, stmt->read[i]));
	for (int i = 0; i < stmt->n_conditions; i++)
		set = isl_set_intersect(set, set_of_condition(space,
			scop->prog, stmt->condition[i]));
	isl_space_free(space);
	return isl_set_coalesce(set);
}

static void add_stmt(struct scop *scop, const struct stmt *stmt)
{
	struct scop_stmt *s = &scop->stmt[scop->n_stmts++];
	isl_union_map *reads;

	s->stmt = stmt;
	s->name = stmt->name;
	s->slot = stmt->index;
	s->domain = keep_set(scop->mem, stmt_domain(scop, stmt));
	s->write = keep_map(scop->mem,
		access_map(scop, s->domain, stmt->write));
	reads = isl_union_map_empty(scop_param_space(scop));
	for (int i = 0; i < stmt->n_reads; i++)
		reads = isl_union_map_add_map(reads,
			access_map(scop, s->domain, stmt->read[i]));
	s->reads = keep_union_map(scop->mem, reads);
}

/* Carries --------------------------------------------------------------- */

/* Does "set" hold the same points at each t of the time range? */
static bool is_time_invariant(const struct scop *scop,
	__isl_keep isl_set *set)
{
	isl_space *space = isl_set_get_space(set);
	isl_set *range = time_range(scop, space);
	isl_set *all_times = isl_set_copy(set);
	bool equal;

	all_times = isl_set_eliminate(all_times, isl_dim_set, 0, 1);
	all_times = isl_set_intersect(all_times, range);
	equal = isl_set_is_equal(set, all_times) == isl_bool_true;
	isl_set_free(all_times);
	isl_space_free(space);
	return equal;
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

	rest = isl_set_intersect(rest, access_in_grid(scop, space, write));
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

	*is_brief = is_time_invariant(scop, domain);
	if (*is_brief)
		domain = between_times(domain, first, buffers - 2);
	return isl_set_coalesce(domain);
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
	s->domain = keep_set(scop->mem,
		isl_set_set_tuple_name(domain, s->name));
	s->write = keep_map(scop->mem,
		access_map(scop, s->domain, writer->stmt->write));
	*read = *writer->stmt->write;
	read->version = 0;
	s->reads = keep_union_map(scop->mem, isl_union_map_from_map(
		access_map(scop, s->domain, read)));
}

static void add_carries(struct scop *scop)
{
	const struct program *prog = scop->prog;

	for (int i = 0; i < prog->n_fields; i++) {
		const struct scop_stmt *writer;

		if (prog->field[i]->kind != FIELD_STATE)
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

static bool cone_with_buffers(struct scop *scop, struct cone *cone)
{
	struct deps *deps = deps_compute(scop);

	return cone_of_deps(deps, scop->n_dims, cone);
}

/* The cone with the copies chosen so far and the carry of "field" that goes
 * with them; it too overwrites what others may still have to read.
 */
static bool cone_with_carry(struct scop *scop, const struct field *field,
	struct cone *cone)
{
	const struct scop_stmt *writer = last_writer(scop, field);
	int n = scop->n_stmts;
	bool ok;

	if (writer)
		add_carry(scop, writer);
	ok = cone_with_buffers(scop, cone);
	scop->n_stmts = n;
	return ok;
}

/* A state of depth d rotates d copies if no instance then overwrites what
 * another one still has to read and the cone stays as narrow as with d + 1,
 * which always suffice.
 */
static void choose_buffers(struct scop *scop)
{
	const struct program *prog = scop->prog;
	struct cone wide, narrow;

	for (int i = 0; i < prog->n_fields; i++)
		scop->field[i].buffers = prog->field[i]->kind == FIELD_STATE ?
			prog->field[i]->depth + 1 : 1;
	if (!cone_with_buffers(scop, &wide))
		return;
	for (int i = 0; i < prog->n_fields; i++) {
		if (prog->field[i]->kind != FIELD_STATE)
			continue;
		scop->field[i].buffers = prog->field[i]->depth;
		if (!cone_with_carry(scop, prog->field[i], &narrow) ||
		    !is_within(&narrow, &wide))
			scop->field[i].buffers++;
	}
}

/* What is not implemented yet, and what needs sets to be seen ----------- */

static bool is_supported(struct diags *d, const struct program *prog)
{
	unsigned errors = d->errors;

	if (!prog->timed)
		diag(d, E_NOT_YET, prog->at,
			"programs without a time loop ('iterate') are not "
			"implemented yet");
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *field = prog->field[i];

		if (field->kind == FIELD_TEMP || field->kind == FIELD_OUTPUT)
			diag(d, E_NOT_YET, field->at,
				"'%s' fields are not implemented yet",
				field->kind == FIELD_TEMP ? "temp" : "output");
		for (int j = 0; j < field->n_dims; j++)
			if (field->boundary[j].kind != BOUNDARY_FIXED) {
				diag(d, E_NOT_YET, field->boundary[j].at,
					"boundaries of '%s' other than 'fixed' "
					"are not implemented yet", field->name);
				break;
			}
	}
	for (int i = 0; i < prog->n_stmts; i++)
		if (prog->stmt[i]->n_conditions > 0)
			diag(d, E_NOT_YET, prog->stmt[i]->condition[0]->at,
				"'on' conditions are not implemented yet");
	if (prog->n_assumes > 0)
		diag(d, E_NOT_YET, prog->assume[0]->at,
			"'assume' is not implemented yet");
	return d->errors == errors;
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
		cells = isl_set_intersect(cells, within(space, d, 0,
			affine_of_expr(space, scop->prog, field->size[d])));
	isl_space_free(space);
	return cells;
}

/* { params : each size is at least 1 and there is a step } */
static __isl_give isl_set *work_context(const struct scop *scop)
{
	isl_set *context = isl_set_universe(scop_param_space(scop));
	const struct program *prog = scop->prog;

	for (int i = 0; i < prog->n_fields; i++)
		for (int d = 0; d < prog->field[i]->n_dims; d++)
			context = isl_set_intersect(context,
				isl_set_params(isl_pw_aff_pos_set(
				affine_of_params(scop,
					prog->field[i]->size[d]))));
	return isl_set_intersect(context,
		isl_set_params(isl_pw_aff_pos_set(scop_steps(scop))));
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

/* Is there an instance for some values of the parameters? */
static bool has_instances(const struct scop *scop, struct diags *d)
{
	for (int i = 0; i < scop->n_stmts; i++)
		if (isl_set_is_empty(scop->stmt[i].domain) == isl_bool_false)
			return true;
	diag(d, E_SIZE, scop->prog->at, "nothing is ever computed: with "
		"these sizes no statement has a step and a point in the grid");
	return false;
}

struct scop *scop_build(struct region *mem, isl_ctx *ctx, struct diags *d,
	const struct program *prog)
{
	struct scop *scop = region_new_of(mem, struct scop);

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
	scop->context = keep_set(mem, work_context(scop));
	for (int i = 0; i < prog->n_stmts; i++) {
		if (prog->stmt[i]->n_dims > scop->n_dims)
			scop->n_dims = prog->stmt[i]->n_dims;
		add_stmt(scop, prog->stmt[i]);
	}
	if (!has_instances(scop, d))
		return NULL;
	if (!writes_are_disjoint(scop, d))
		return NULL;
	choose_buffers(scop);
	add_carries(scop);
	return scop;
}
