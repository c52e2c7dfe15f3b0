/* The rows of a tile: instances that differ in space only.  The threads of a
 * block execute them in parallel, in loops or as straight code.
 */
#include "codegen/forms.h"
#include "codegen/tile.h"

/* Instances of a statement in local coordinates ------------------------- */

/* { [m, x] -> [m, s'] }: s' = x + floor(skew * (k*m + number)), (17) of [CGO];
 * the hexagonal coordinate stays.
 */
__isl_give isl_map *to_local(const struct place *p, int number)
{
	const struct plan *plan = p->plan;
	isl_ctx *ctx = p->scop->ctx;
	isl_space *space = isl_space_set_alloc(ctx, 0, 1 + plan->n_dims);
	isl_multi_aff *ma = isl_multi_aff_identity(
		isl_space_map_from_set(isl_space_copy(space)));
	isl_local_space *ls = isl_local_space_from_space(space);

	for (int d = 0; d < plan->n_dims; d++) {
		struct rational skew = plan->tiles.skew[d];
		isl_aff *tau;

		if (skew.num == 0)
			continue;
		tau = isl_aff_var_on_domain(isl_local_space_copy(ls),
			isl_dim_set, 0);
		tau = isl_aff_scale_val(tau,
			isl_val_int_from_si(ctx, p->scop->k));
		tau = isl_aff_add_constant_si(tau, number);
		tau = isl_aff_scale_val(tau,
			isl_val_int_from_si(ctx, skew.num));
		tau = isl_aff_floor(isl_aff_scale_down_val(tau,
			isl_val_int_from_si(ctx, skew.den)));
		ma = isl_multi_aff_set_aff(ma, 1 + d, isl_aff_add(
			isl_multi_aff_get_aff(ma, 1 + d), tau));
	}
	isl_local_space_free(ls);
	return isl_map_from_multi_aff(ma);
}

/* "set", of [m, x] of c->stmt, as [m, s'] */
__isl_give isl_set *set_to_local(const struct cursor *c,
	__isl_take isl_set *set)
{
	return set_coalesce(isl_set_apply(set,
		to_local(c->place, c->stmt->number)));
}

static __isl_give isl_set *find_instances(const struct cursor *c)
{
	return set_to_local(c, tile_instances(c->place->plan, c->stmt->number));
}

/* A copy of kept[statement], which find() computes on first use. */
__isl_give isl_set *find_once(const struct cursor *c, isl_set **kept,
	__isl_give isl_set *(*find)(const struct cursor *c))
{
	int i = (int) (c->stmt - c->place->scop->stmt);

	if (!kept[i])
		kept[i] = keep_set(c->place->scop->mem, find(c));
	return isl_set_copy(kept[i]);
}

/* { [m, s'] : the tile has this instance of c->stmt } */
__isl_give isl_set *local_instances(const struct cursor *c)
{
	return find_once(c, c->place->found.instances, find_instances);
}

static __isl_give isl_set *overwritten_by(const struct cursor *c,
	const struct scop_stmt *other)
{
	return set_to_local(c,
		tile_overwritten(c->place->plan, c->stmt, other));
}

static __isl_give isl_set *find_last(const struct cursor *c)
{
	return set_to_local(c, tile_last(c->place->plan, c->stmt));
}

/* The instances whose copy no later instance of the tile overwrites. */
static __isl_give isl_set *last_instances(const struct cursor *c)
{
	return find_once(c, c->place->found.last, find_last);
}

static __isl_give isl_set *find_stored(const struct cursor *c)
{
	return set_to_local(c, tile_stored(c->place->plan, c->stmt));
}

__isl_give isl_set *stored_instances(const struct cursor *c)
{
	return find_once(c, c->place->found.stored, find_stored);
}

/* The part of "set", { [m, s'] }, with the m and the hexagonal coordinate of
 * straight code, or with those of its threads.
 */
__isl_give isl_set *fix_column(const struct cursor *c,
	__isl_take isl_set *set)
{
	const struct place *p = c->place;
	int threads = p->plan->threads[0];
	int first = hexagon_first(&p->plan->tiles.hexagon, 0) +
		c->part[0] * threads;

	set = isl_set_fix_si(set, isl_dim_set, 0, (int) c->m->ivalue);
	if (plan_deals_hexagon(p->plan))
		return set_between(set, 1, first, first + threads - 1);
	return isl_set_fix_si(set, isl_dim_set, 1 + p->plan->tiles.hex_dim,
		(int) c->hex->ivalue);
}

/* Substitute in "set" the variables of straight code: s_d = thread +
 * part*threads.
 */
static __isl_give isl_set *fix_row(const struct cursor *c,
	__isl_take isl_set *set)
{
	const struct plan *plan = c->place->plan;

	set = fix_column(c, set);
	for (int d = 0; d < plan->n_dims; d++) {
		int threads = plan->threads[plan->n_dims - 1 - d];

		if (d == plan->tiles.hex_dim)
			continue;
		set = shift_dim(set, 1 + d, -c->part[d] * threads);
		set = set_between(set, 1 + d, 0, threads - 1);
	}
	return set;
}

/* The condition that the instance is in "set", a part of "all", both { [m, s']
 * }. NULL: it is; 0: it is not.
 */
static const struct kx *membership(const struct cursor *c,
	__isl_take isl_set *set, __isl_take isl_set *all)
{
	const struct place *p = c->place;
	const char *dims[1 + IR_MAX_DIMS] = { p->names->step };

	for (int d = 0; d < p->plan->n_dims; d++)
		dims[1 + d] = c->straight && d != p->plan->tiles.hex_dim ?
			p->names->lanes.thread[p->plan->n_dims - 1 - d] :
			p->names->local[d];
	if (c->straight) {
		set = fix_row(c, set);
		all = fix_row(c, all);
	}
	if (isl_set_is_empty(set) == isl_bool_true) {
		isl_set_free(set);
		isl_set_free(all);
		return kx_int(c->mem, 0);
	}
	return kx_of_set(c->mem, name_dims(set, dims), name_dims(all, dims));
}

/* { t, x : "s" has an instance at (t + later, x) }, as a condition */
static const struct kx *runs_later(const struct place *p,
	const struct scop_stmt *s, int later)
{
	const char *dims[1 + IR_MAX_DIMS] = { p->names->time };
	isl_set *domain = isl_set_reset_tuple_id(isl_set_copy(s->domain));

	for (int d = 0; d < p->plan->n_dims; d++)
		dims[1 + d] = p->names->point[d];
	return kx_of_set(p->mem, name_dims(shift_dim(domain, 0, -later),
		dims), isl_set_copy(p->scop->context));
}

/* The same question where statements of a field take turns at its cells: does
 * none of them write the next version in this tile?
 */
static const struct kx *last_of_turns(const struct cursor *c)
{
	const struct place *p = c->place;
	const struct field *field = c->stmt->stmt->write->field;
	const struct kx *last = NULL;

	for (int i = 0; i < p->scop->n_stmts; i++) {
		const struct scop_stmt *s = &p->scop->stmt[i];
		const struct kx *here, *runs;

		if (s->stmt->write->field != field)
			continue;
		here = membership(c, overwritten_by(c, s),
			local_instances(c));
		if (here && kx_is_int(here, 0))
			continue;
		runs = kx_and(c->mem, here, runs_later(p, s,
			buffers_of(p, field)));
		if (!runs)
			return kx_int(c->mem, 0);
		last = kx_and(c->mem, last, kx_unary(c->mem, OP_NOT, runs));
	}
	return last;
}

/* Is the value of this instance the last one of its cell?  In a tile cut off at
 * the end of time, the values of the last steps are, too.  NULL: yes; 0: no.
 */
const struct kx *last_guard(const struct cursor *c)
{
	const struct place *p = c->place;
	int buffers = buffers_of(p, c->stmt->stmt->write->field);
	const struct kx *last, *steps;

	if (c->stmt->is_brief)
		return NULL;
	if (c->stmt->takes_turns)
		return last_of_turns(c);
	last = membership(c, last_instances(c), local_instances(c));
	if (!last || c->full)
		return last;
	steps = kx_of_pw_aff(c->mem, scop_steps(p->scop),
		isl_set_copy(p->scop->context));
	return kx_binary(c->mem, OP_OR, last, kx_binary(c->mem, OP_GE,
		kx_add(c->mem, kx_name(c->mem, p->names->time), buffers),
		steps));
}

/* One instance ---------------------------------------------------------- */

/* The condition that the statement has this instance; NULL: always. */
static const struct kx *domain_guard(const struct cursor *c)
{
	const struct scop_stmt *s = c->stmt;

	if (!c->full) {
		isl_set *known = known_of_tile(c);
		const struct kx *guard = instance_condition(c->place, s->domain,
			known);

		isl_set_free(known);
		return guard;
	}
	return s->is_guarded ?
		instance_condition(c->place, s->domain, s->inside) : NULL;
}

static const struct kx *read_cell(const struct binding *binding,
	const struct access *acc)
{
	return read_value(binding->user, acc);
}

static struct binding binding_of(const struct cursor *c)
{
	const struct place *p = c->place;
	struct binding binding = binding_by_name(c, read_cell, c);

	if (!c->straight)
		return binding;
	for (int d = 0; d < p->plan->n_dims; d++)
		binding.point[d] = kx_binary(c->mem, OP_ADD,
			kx_name(c->mem, p->names->origin[d]),
			relative_point(c, d));
	return binding;
}

const struct kx *value_of_instance(struct cursor *c, struct ks *block)
{
	struct binding binding = binding_of(c);
	const struct access before = copied(c);

	if (c->stmt->is_copy)
		return c->place->unit->form->overlaps ?
			cell_of_access(c, &before, false) :
			read_value(c, &before);
	declare_locals(c, &binding, block);
	return with_lists(c->place, c->stmt->stmt, &binding, kx_of_expr(
		&binding, c->stmt->stmt->value), NULL);
}

/* "value" to global memory, unless a later instance of the tile replaces it. */
static void store_last(const struct cursor *c, struct ks *block,
	const struct kx *value)
{
	const struct kx *last = last_guard(c);

	if (last && kx_is_int(last, 0))
		return;
	ks_add(c->mem, block, guarded(c->mem, last, ks_assign(c->mem,
		cell_of_access(c, c->stmt->stmt->write, false), value)));
}

bool stores_at_once(const struct plan *plan)
{
	return plan->opt.shared &&
		plan->opt.copy_out == COPY_OUT_INTERLEAVED;
}

/* Does the tile write the cell to global memory?  NULL: it writes all that it
 * computes.
 */
static const struct kx *own_guard(const struct cursor *c)
{
	isl_set *all = local_instances(c), *own = isl_set_copy(all);

	for (int d = 0; d < c->place->plan->n_dims; d++)
		own = set_between(own, 1 + d, 0, c->place->plan->pitch[d] - 1);
	return membership(c, own, all);
}

/* Where tiles overlap: to shared memory for other rows, and to global memory
 * what leaves the tile.
 */
static struct ks *compute_overlapping(struct cursor *c)
{
	const struct place *p = c->place;
	const struct access *write = c->stmt->stmt->write;
	bool in_shared = plan_holds(p->plan, write);
	bool in_global = plan_writes(p->plan, write->field);
	struct ks *body = ks_block(c->mem);
	const struct kx *value = value_of_instance(c, body);

	if (in_shared && in_global) {
		ks_add(c->mem, body, ks_declare(c->mem,
			ctype_const(scalar_of(write->field->type)),
			p->names->value, value));
		value = kx_name(c->mem, p->names->value);
	}
	if (in_shared)
		ks_add(c->mem, body, ks_assign(c->mem,
			cell_of_access(c, write, true), value));
	if (in_global)
		ks_add(c->mem, body, guarded(c->mem, own_guard(c),
			ks_assign(c->mem, cell_of_access(c, write, false),
				value)));
	return body;
}

bool is_only_stored(const struct cursor *c)
{
	return c->place->plan->opt.shared &&
		!plan_is_shared(c->place->plan, c->stmt->stmt->write->field);
}

/* value = ..; to global memory, if it is the last one. */
static void compute_and_store_last(struct cursor *c, struct ks *body)
{
	const struct kx *value = value_of_instance(c, body);
	const char *name = c->place->names->value;

	ks_add(c->mem, body, ks_declare(c->mem, ctype_const(scalar_of(
		c->stmt->stmt->write->field->type)), name, value));
	store_last(c, body, kx_name(c->mem, name));
}

/* Compute only what no later instance of the tile replaces, unless other values are recorded. */
static struct ks *compute_last(struct cursor *c)
{
	const struct access *write = c->stmt->stmt->write;
	const struct kx *last = last_guard(c);
	struct ks *body = ks_block(c->mem);

	if (stmt_records(c->stmt->stmt)) {
		compute_and_store_last(c, body);
		return body;
	}
	if (last && kx_is_int(last, 0))
		return body;
	ks_add(c->mem, body, ks_assign(c->mem, cell_of_access(c, write, false),
		value_of_instance(c, body)));
	return guarded(c->mem, last, body);
}

/* Compute the instance's value and put it where it belongs. */
static struct ks *compute_value(struct cursor *c)
{
	const struct place *p = c->place;
	const struct access *write = c->stmt->stmt->write;
	bool in_shared = plan_is_shared(p->plan, write->field);
	struct ks *body;
	const struct kx *value, *to;

	if (is_only_stored(c))
		return compute_last(c);
	body = ks_block(c->mem);
	value = value_of_instance(c, body);
	to = cell_of_access(c, write, in_shared);
	if (stores_at_once(p->plan)) {
		const struct ctype type =
			ctype_const(scalar_of(write->field->type));

		ks_add(c->mem, body, ks_declare(c->mem, type,
			p->names->value, value));
		value = kx_name(c->mem, p->names->value);
		ks_add(c->mem, body, ks_assign(c->mem, to, value));
		store_last(c, body, value);
	} else {
		ks_add(c->mem, body, ks_assign(c->mem, to, value));
	}
	return body;
}

/* Guard reads near the boundary; elsewhere they are as in full tiles. */
static struct ks *compute(struct cursor *c)
{
	struct ks *(*compute_it)(struct cursor *c) =
		c->place->unit->form->overlaps ? compute_overlapping :
		compute_value;
	struct ks *body = compute_it(c);

	if (!c->full && c->stmt->is_mapped) {
		const struct kx *inside = instance_condition(c->place,
			c->stmt->inside, c->stmt->domain);

		c->mapped = true;
		if (inside)
			body = ks_if(c->mem, inside, body, compute_it(c));
		c->mapped = false;
	}
	return guarded(c->mem, domain_guard(c), body);
}

/* Copy the instance's value to global memory. */
static struct ks *copy_out(struct cursor *c)
{
	struct ks *body = ks_block(c->mem);

	if (is_only_stored(c))
		return body;
	store_last(c, body, cell_of_access(c, c->stmt->stmt->write, true));
	return guarded(c->mem, domain_guard(c), body);
}

static struct ks *instance(void *user)
{
	struct cursor *c = user;

	return with_coordinates(c, c->copies_out ? copy_out(c) : compute(c));
}

/* Rows as loops --------------------------------------------------------- */

/* The instances of a row, with the local time step as a parameter. */
static __isl_give isl_set *row_of_stmt_set(const struct cursor *c)
{
	isl_set *row = local_instances(c);
	int first = isl_set_dim(row, isl_dim_param);

	row = isl_set_move_dims(row, isl_dim_param, first, isl_dim_set, 0, 1);
	return set_coalesce(isl_set_set_dim_name(row, isl_dim_param,
		first, c->place->names->step));
}

/* The instances of c->stmt in row k*m + number, which has some at each step. */
static struct ks *row_of_stmt(struct cursor *c)
{
	const struct place *p = c->place;
	const char *first[IR_MAX_DIMS];
	int step[IR_MAX_DIMS];
	struct loop_nest nest = {
		.mem = c->mem, .n_dims = p->plan->n_dims,
		.iterator = p->names->local, .body = instance, .user = c,
	};

	isl_set *row = row_of_stmt_set(c);

	map_threads(p, &nest, first, step, nest.n_dims);
	return loops_of_set(&nest, row, isl_set_params(isl_set_copy(row)));
}

static bool touches(const struct scop_stmt *s, const struct field *field)
{
	if (s->stmt->write->field == field)
		return true;
	for (int i = 0; i < s->stmt->n_reads; i++)
		if (s->stmt->read[i]->field == field)
			return true;
	return false;
}

/* Can rows of statements "one" and "other" run at the same time?  Neither may write a field
 * that the other touches.
 */
static bool are_independent(const struct place *p, int one, int other)
{
	for (int i = 0; i < p->scop->n_stmts; i++)
		for (int j = 0; j < p->scop->n_stmts; j++) {
			const struct scop_stmt *s = &p->scop->stmt[i];
			const struct scop_stmt *t = &p->scop->stmt[j];

			if (s->number == one && t->number == other &&
			    (touches(s, t->stmt->write->field) ||
			     touches(t, s->stmt->write->field)))
				return false;
		}
	return true;
}

/* Can the next statement of the step that has rows, after "number", follow without a barrier?
 * It must not depend on any statement since "first", where the last barrier was.
 */
bool goes_on(const struct place *p, int first, int number)
{
	int next = number + 1;

	while (next < p->scop->k && !tile_has(p->plan, next))
		next++;
	for (int i = first; next < p->scop->k && i <= number; i++)
		if (!are_independent(p, i, next))
			return false;
	return next < p->scop->k;
}

bool has_barriers(const struct cursor *c)
{
	const struct place *p = c->place;
	return !c->copies_out && (p->plan->rows > p->scop->k ||
		p->plan->opt.shared);
}

/* The rows of one time step, one after the other. */
static struct ks *rows_of_step(struct cursor *c)
{
	const struct place *p = c->place;
	struct ks *block = ks_block(c->mem);
	int first = 0;

	for (int number = 0; number < p->scop->k; number++) {
		if (!tile_has(p->plan, number))
			continue;
		for (int i = 0; i < p->scop->n_stmts; i++) {
			struct ks *scope;

			c->stmt = &p->scop->stmt[i];
			if (c->stmt->number != number ||
			    (c->full && !c->stmt->in_full) ||
			    (!p->plan->opt.shared &&
			     scop_is_idle(p->scop, c->stmt)))
				continue;
			scope = p->scop->n_stmts > 1 ? ks_scope(c->mem) :
				ks_block(c->mem);
			ks_add(c->mem, scope, row_of_stmt(c));
			ks_add(c->mem, block, scope);
		}
		if (goes_on(p, first, number))
			continue;
		first = number + 1;
		if (has_barriers(c))
			ks_add(c->mem, block, ks_simple(c->mem, KS_BARRIER));
	}
	return block;
}

static struct ks *rows_as_loops(struct cursor *c)
{
	const struct place *p = c->place;
	int steps = p->plan->rows / p->scop->k;
	struct ks *loop;

	if (steps == 1) {
		c->m = kx_int(c->mem, 0);
		return rows_of_step(c);
	}
	c->m = kx_name(c->mem, p->names->step);
	loop = ks_for(c->mem, p->names->step, kx_int(c->mem, 0),
		kx_binary(c->mem, OP_LT, c->m, kx_int(c->mem, steps)),
		kx_int(c->mem, 1), rows_of_step(c));
	loop->unroll_by = 1;
	return loop;
}

struct ks *all_rows(struct cursor *c)
{
	struct ks *rows;

	c->straight = c->full && c->place->plan->tiles.straight;
	if (!c->straight)
		return rows_as_loops(c);
	rows = straight_rows(c);
	c->straight = false;
	return rows;
}
