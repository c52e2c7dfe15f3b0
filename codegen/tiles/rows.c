/* The rows of a tile: instances that differ in space only, executed by the
 * threads of a block in parallel, as loops or as straight code.
 */
#include "codegen/forms.h"

/* Instances of a statement in local coordinates ------------------------- */

/* { [m, x] -> [m, s'] }: s' = x + floor(skew * (k*m + slot)), (17) of [CGO];
 * the hexagonal coordinate stays.
 */
__isl_give isl_map *to_local(const struct builder *b, int slot)
{
	const struct plan *plan = b->plan;
	isl_ctx *ctx = b->scop->ctx;
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
			isl_val_int_from_si(ctx, b->scop->k));
		tau = isl_aff_add_constant_si(tau, slot);
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

/* "set", of [m, x] of b->stmt, as [m, s'] */
__isl_give isl_set *set_to_local(const struct builder *b,
	__isl_take isl_set *set)
{
	return set_coalesce(isl_set_apply(set, to_local(b, b->stmt->slot)));
}

static __isl_give isl_set *find_instances(const struct builder *b)
{
	return set_to_local(b, tile_instances(b->plan, b->stmt->slot));
}

/* A copy of kept[statement], which find() makes the first time. */
__isl_give isl_set *find_once(const struct builder *b, isl_set **kept,
	__isl_give isl_set *(*find)(const struct builder *b))
{
	int i = (int) (b->stmt - b->scop->stmt);

	if (!kept[i])
		kept[i] = keep_set(b->scop->mem, find(b));
	return isl_set_copy(kept[i]);
}

/* { [m, s'] : the tile has this instance of b->stmt } */
__isl_give isl_set *local_instances(const struct builder *b)
{
	return find_once(b, b->found.instances, find_instances);
}

static __isl_give isl_set *overwritten_by(const struct builder *b,
	const struct scop_stmt *other)
{
	return set_to_local(b, tile_overwritten(b->plan, b->stmt, other));
}

static __isl_give isl_set *find_last(const struct builder *b)
{
	return set_to_local(b, tile_last(b->plan, b->stmt));
}

/* Those of which the tile computes no later version in the same copy. */
static __isl_give isl_set *last_instances(const struct builder *b)
{
	return find_once(b, b->found.last, find_last);
}

static __isl_give isl_set *find_stored(const struct builder *b)
{
	return set_to_local(b, tile_stored(b->plan, b->stmt));
}

__isl_give isl_set *stored_instances(const struct builder *b)
{
	return find_once(b, b->found.stored, find_stored);
}

/* The part of "set", of [m, s'], with the m and the hexagonal coordinate of
 * straight code, or those of its threads.
 */
__isl_give isl_set *fix_column(const struct builder *b,
	__isl_take isl_set *set)
{
	int threads = b->plan->threads[0];
	int first = hexagon_first(&b->plan->tiles.hexagon, 0) +
		b->part[0] * threads;

	set = isl_set_fix_si(set, isl_dim_set, 0, (int) b->m->ivalue);
	if (plan_deals_hexagon(b->plan))
		return set_between(set, 1, first, first + threads - 1);
	return isl_set_fix_si(set, isl_dim_set, 1 + b->plan->tiles.hex_dim,
		(int) b->hex->ivalue);
}

/* Bring "set" to the variables of straight code: s_d = thread + part*threads.
 */
static __isl_give isl_set *fix_row(const struct builder *b,
	__isl_take isl_set *set)
{
	const struct plan *plan = b->plan;

	set = fix_column(b, set);
	for (int d = 0; d < plan->n_dims; d++) {
		int threads = plan->threads[plan->n_dims - 1 - d];

		if (d == plan->tiles.hex_dim)
			continue;
		set = shift_dim(set, 1 + d, -b->part[d] * threads);
		set = set_between(set, 1 + d, 0, threads - 1);
	}
	return set;
}

/* The condition that the instance is in "set", a part of "all", both of
 * [m, s'].  NULL: it is; 0: it is not.
 */
static const struct kx *membership(const struct builder *b,
	__isl_take isl_set *set, __isl_take isl_set *all)
{
	const char *dims[1 + IR_MAX_DIMS] = { b->names->step };

	for (int d = 0; d < b->plan->n_dims; d++)
		dims[1 + d] = b->straight && d != b->plan->tiles.hex_dim ?
			b->names->lanes.thread[b->plan->n_dims - 1 - d] :
			b->names->local[d];
	if (b->straight) {
		set = fix_row(b, set);
		all = fix_row(b, all);
	}
	if (isl_set_is_empty(set) == isl_bool_true) {
		isl_set_free(set);
		isl_set_free(all);
		return kx_int(b->mem, 0);
	}
	return kx_of_set(b->mem, name_dims(set, dims), name_dims(all, dims));
}

/* { t, x : "s" has an instance at (t + later, x) }, as a condition */
static const struct kx *runs_later(const struct builder *b,
	const struct scop_stmt *s, int later)
{
	const char *dims[1 + IR_MAX_DIMS] = { b->names->time };
	isl_set *domain = isl_set_reset_tuple_id(isl_set_copy(s->domain));

	for (int d = 0; d < b->plan->n_dims; d++)
		dims[1 + d] = b->names->point[d];
	return kx_of_set(b->mem, name_dims(shift_dim(domain, 0, -later),
		dims), isl_set_copy(b->scop->context));
}

/* The same question where statements of a field take turns at its cells: does
 * none of them write the next version in this tile?
 */
static const struct kx *last_of_turns(const struct builder *b)
{
	const struct field *field = b->stmt->stmt->write->field;
	const struct kx *last = NULL;

	for (int i = 0; i < b->scop->n_stmts; i++) {
		const struct scop_stmt *s = &b->scop->stmt[i];
		const struct kx *here, *runs;

		if (s->stmt->write->field != field)
			continue;
		here = membership(b, overwritten_by(b, s),
			local_instances(b));
		if (here && kx_is_int(here, 0))
			continue;
		runs = kx_and(b->mem, here, runs_later(b, s,
			buffers_of(b, field)));
		if (!runs)
			return kx_int(b->mem, 0);
		last = kx_and(b->mem, last, kx_unary(b->mem, OP_NOT, runs));
	}
	return last;
}

/* Is the value of this instance the last one of its cell?  In a tile that is
 * cut off at the end of time, those of the last steps are, too.  NULL: yes;
 * 0: no.
 */
const struct kx *last_guard(const struct builder *b)
{
	int buffers = buffers_of(b, b->stmt->stmt->write->field);
	const struct kx *last, *steps;

	if (b->stmt->is_brief)
		return NULL;
	if (b->stmt->takes_turns)
		return last_of_turns(b);
	last = membership(b, last_instances(b), local_instances(b));
	if (!last || b->full)
		return last;
	steps = kx_of_pw_aff(b->mem, scop_steps(b->scop),
		isl_set_copy(b->scop->context));
	return kx_binary(b->mem, OP_OR, last, kx_binary(b->mem, OP_GE,
		kx_add(b->mem, builder_name(b, b->names->time), buffers),
		steps));
}

/* One instance ---------------------------------------------------------- */

const struct kx *instance_condition(const struct builder *b,
	__isl_keep isl_set *set, __isl_keep isl_set *known)
{
	const char *dims[1 + IR_MAX_DIMS] = { b->names->time };
	isl_set *context = isl_set_copy(b->scop->context);

	for (int d = 0; d < b->plan->n_dims; d++)
		dims[1 + d] = b->names->point[d];
	if (known)
		context = isl_set_intersect_params(name_coordinates(b,
			isl_set_copy(known), dims), context);
	return kx_of_set(b->mem, name_coordinates(b, isl_set_copy(set), dims),
		context);
}

/* The condition that the statement has this instance; NULL: it has. */
static const struct kx *domain_guard(const struct builder *b)
{
	const struct scop_stmt *s = b->stmt;

	if (!b->full) {
		isl_set *known = known_of_tile(b);
		const struct kx *guard = instance_condition(b, s->domain,
			known);

		isl_set_free(known);
		return guard;
	}
	return s->is_guarded ? instance_condition(b, s->domain, s->inside) :
		NULL;
}

static const struct kx *read_cell(const struct binding *binding,
	const struct access *acc)
{
	return read_value(binding->user, acc);
}

static struct binding binding_of(struct builder *b)
{
	struct binding binding = {
		.mem = b->mem, .prog = b->unit->prog,
		.time = builder_name(b, b->names->time),
		.read = read_cell, .user = b,
	};

	if (b->straight)
		binding.time = kx_binary(b->mem, OP_ADD,
			builder_name(b, b->names->t0), b->m);
	for (int d = 0; d < b->plan->n_dims; d++)
		binding.point[d] = b->straight ? kx_binary(b->mem, OP_ADD,
			builder_name(b, b->names->origin[d]),
			relative_point(b, d)) :
			builder_name(b, b->names->point[d]);
	return binding;
}

void declare_locals(struct builder *b, struct binding *binding,
	struct ks *block)
{
	for (const struct local *l = b->stmt->stmt->locals; l; l = l->next)
		ks_add(b->mem, block, ks_declare(b->mem,
			ctype_const(scalar_of(l->value->type)), l->name,
			kx_of_expr(binding, l->value)));
}

const struct kx *value_of_instance(struct builder *b,
	struct ks *block)
{
	struct binding binding = binding_of(b);
	struct access carried = *b->stmt->stmt->write;

	if (b->stmt->is_carry) {
		carried.version = 0;
		return b->unit->form->overlaps ?
			cell_of_access(b, &carried, false) :
			read_value(b, &carried);
	}
	declare_locals(b, &binding, block);
	return kx_of_expr(&binding, b->stmt->stmt->value);
}

struct ks *guarded(const struct builder *b, const struct kx *guard,
	struct ks *body)
{
	return guard ? ks_if(b->mem, guard, body, NULL) : body;
}

/* "value" to global memory, if no later instance of the tile takes its place.
 */
static void store_last(const struct builder *b, struct ks *block,
	const struct kx *value)
{
	const struct kx *last = last_guard(b);

	if (last && kx_is_int(last, 0))
		return;
	ks_add(b->mem, block, guarded(b, last, ks_assign(b->mem,
		cell_of_access(b, b->stmt->stmt->write, false), value)));
}

bool stores_at_once(const struct plan *plan)
{
	return plan->steps.shared &&
		plan->steps.copy_out == COPY_OUT_INTERLEAVED;
}

/* The cell is one of those that the tile writes to global memory; NULL: all
 * that it computes are.
 */
static const struct kx *own_guard(const struct builder *b)
{
	isl_set *all = local_instances(b), *own = isl_set_copy(all);

	for (int d = 0; d < b->plan->n_dims; d++)
		own = set_between(own, 1 + d, 0, b->plan->pitch[d] - 1);
	return membership(b, own, all);
}

/* Where tiles overlap: to shared memory for other rows, to global memory what
 * leaves the tile.
 */
static struct ks *compute_overlapping(struct builder *b)
{
	const struct access *write = b->stmt->stmt->write;
	bool in_shared = plan_holds(b->plan, write);
	bool in_global = plan_writes(b->plan, write->field);
	struct ks *body = ks_block(b->mem);
	const struct kx *value = value_of_instance(b, body);

	if (in_shared && in_global) {
		ks_add(b->mem, body, ks_declare(b->mem,
			ctype_const(scalar_of(write->field->type)),
			b->names->value, value));
		value = builder_name(b, b->names->value);
	}
	if (in_shared)
		ks_add(b->mem, body, ks_assign(b->mem,
			cell_of_access(b, write, true), value));
	if (in_global)
		ks_add(b->mem, body, guarded(b, own_guard(b), ks_assign(b->mem,
			cell_of_access(b, write, false), value)));
	return body;
}

bool is_only_stored(const struct builder *b)
{
	return b->plan->steps.shared &&
		!plan_is_shared(b->plan, b->stmt->stmt->write->field);
}

/* Only what no later instance of the tile replaces is computed. */
static struct ks *compute_last(struct builder *b)
{
	const struct access *write = b->stmt->stmt->write;
	const struct kx *last = last_guard(b);
	struct ks *body = ks_block(b->mem);

	if (last && kx_is_int(last, 0))
		return body;
	ks_add(b->mem, body, ks_assign(b->mem, cell_of_access(b, write, false),
		value_of_instance(b, body)));
	return guarded(b, last, body);
}

/* The instance computes its value and puts it where it belongs. */
static struct ks *compute_value(struct builder *b)
{
	const struct access *write = b->stmt->stmt->write;
	bool in_shared = plan_is_shared(b->plan, write->field);
	struct ks *body;
	const struct kx *value, *to;

	if (is_only_stored(b))
		return compute_last(b);
	body = ks_block(b->mem);
	value = value_of_instance(b, body);
	to = cell_of_access(b, write, in_shared);
	if (stores_at_once(b->plan)) {
		const struct ctype type =
			ctype_const(scalar_of(write->field->type));

		ks_add(b->mem, body, ks_declare(b->mem, type,
			b->names->value, value));
		value = builder_name(b, b->names->value);
		ks_add(b->mem, body, ks_assign(b->mem, to, value));
		store_last(b, body, value);
	} else {
		ks_add(b->mem, body, ks_assign(b->mem, to, value));
	}
	return body;
}

/* Near the boundary reads need care, elsewhere they are as in full tiles. */
static struct ks *compute(struct builder *b)
{
	struct ks *(*compute_it)(struct builder *b) = b->unit->form->overlaps ?
		compute_overlapping : compute_value;
	struct ks *body = compute_it(b);

	if (!b->full && b->stmt->is_mapped) {
		const struct kx *inside = instance_condition(b,
			b->stmt->inside, b->stmt->domain);

		b->mapped = true;
		if (inside)
			body = ks_if(b->mem, inside, body, compute_it(b));
		b->mapped = false;
	}
	return guarded(b, domain_guard(b), body);
}

/* What the instance computed goes to global memory. */
static struct ks *copy_out(struct builder *b)
{
	struct ks *body = ks_block(b->mem);

	if (is_only_stored(b))
		return body;
	store_last(b, body, cell_of_access(b, b->stmt->stmt->write, true));
	return guarded(b, domain_guard(b), body);
}

static struct ks *instance(void *user)
{
	struct builder *b = user;

	return with_coordinates(b, b->copies_out ? copy_out(b) : compute(b));
}

/* Rows as loops --------------------------------------------------------- */

void map_threads(const struct builder *b, struct loop_nest *nest,
	const char **first, int *step, int n)
{
	int offset = nest->n_dims - n;

	for (int d = 0; d < nest->n_dims; d++) {
		int i = nest->n_dims - 1 - d;

		bool dealt = d >= offset && i < 3 && b->plan->threads[i] > 1;

		first[d] = dealt ? b->names->lanes.thread[i] : NULL;
		step[d] = dealt ? b->plan->threads[i] : 1;
	}
	nest->first = first;
	nest->step = step;
}

/* The instances of a row, the local time step a parameter. */
static __isl_give isl_set *row_of_stmt_set(const struct builder *b)
{
	isl_set *row = local_instances(b);
	int first = isl_set_dim(row, isl_dim_param);

	row = isl_set_move_dims(row, isl_dim_param, first, isl_dim_set, 0, 1);
	return set_coalesce(isl_set_set_dim_name(row, isl_dim_param,
		first, b->names->step));
}

/* The instances of b->stmt in row k*m + slot. */
static struct ks *row_of_stmt(struct builder *b)
{
	const char *first[IR_MAX_DIMS];
	int step[IR_MAX_DIMS];
	struct loop_nest nest = {
		.mem = b->mem, .n_dims = b->plan->n_dims,
		.iterator = b->names->local, .body = instance, .user = b,
	};

	map_threads(b, &nest, first, step, nest.n_dims);
	return loops_of_set(&nest, row_of_stmt_set(b));
}

struct ks *barrier(const struct builder *b)
{
	return ks_simple(b->mem, KS_BARRIER);
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

/* May rows of the statements of two slots run at the same time?  Neither writes
 * a field that the other touches.
 */
static bool are_independent(const struct builder *b, int one, int other)
{
	for (int i = 0; i < b->scop->n_stmts; i++)
		for (int j = 0; j < b->scop->n_stmts; j++) {
			const struct scop_stmt *s = &b->scop->stmt[i];
			const struct scop_stmt *t = &b->scop->stmt[j];

			if (s->slot == one && t->slot == other &&
			    (touches(s, t->stmt->write->field) ||
			     touches(t, s->stmt->write->field)))
				return false;
		}
	return true;
}

/* Does the next slot after "slot" of the step that has rows go on without a
 * barrier?  It must not depend on any slot since "first", where the last
 * barrier was.
 */
bool goes_on(const struct builder *b, int first, int slot)
{
	int next = slot + 1;

	while (next < b->scop->k && !tile_has(b->plan, next))
		next++;
	for (int i = first; next < b->scop->k && i <= slot; i++)
		if (!are_independent(b, i, next))
			return false;
	return next < b->scop->k;
}

bool has_barriers(const struct builder *b)
{
	return !b->copies_out && (b->plan->rows > b->scop->k ||
		b->plan->steps.shared);
}

/* The rows of one time step, one after the other. */
static struct ks *rows_of_step(struct builder *b)
{
	struct ks *block = ks_block(b->mem);
	int first = 0;

	for (int slot = 0; slot < b->scop->k; slot++) {
		if (!tile_has(b->plan, slot))
			continue;
		for (int i = 0; i < b->scop->n_stmts; i++) {
			struct ks *scope;

			b->stmt = &b->scop->stmt[i];
			if (b->stmt->slot != slot ||
			    (b->full && !b->stmt->in_full) ||
			    (!b->plan->steps.shared &&
			     scop_is_idle(b->scop, b->stmt)))
				continue;
			scope = b->scop->n_stmts > 1 ? ks_scope(b->mem) :
				ks_block(b->mem);
			ks_add(b->mem, scope, row_of_stmt(b));
			ks_add(b->mem, block, scope);
		}
		if (goes_on(b, first, slot))
			continue;
		first = slot + 1;
		if (has_barriers(b))
			ks_add(b->mem, block, barrier(b));
	}
	return block;
}

static struct ks *rows_as_loops(struct builder *b)
{
	int steps = b->plan->rows / b->scop->k;
	struct ks *loop;

	if (steps == 1) {
		b->m = kx_int(b->mem, 0);
		return rows_of_step(b);
	}
	b->m = builder_name(b, b->names->step);
	loop = ks_for(b->mem, b->names->step, kx_int(b->mem, 0),
		kx_binary(b->mem, OP_LT, b->m, kx_int(b->mem, steps)),
		kx_int(b->mem, 1), rows_of_step(b));
	loop->keep_rolled = true;
	return loop;
}

struct ks *all_rows(struct builder *b)
{
	struct ks *rows;

	b->straight = b->full && b->plan->tiles.straight;
	if (!b->straight)
		return rows_as_loops(b);
	rows = straight_rows(b);
	b->straight = false;
	return rows;
}
