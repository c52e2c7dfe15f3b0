/* The kernel of one phase of a plan: loops over the tiles of a block, in each
 * tile copy-in, the rows with a barrier after each, copy-out.
 */
#include "codegen/codegen.h"

struct builder {
	struct region *mem;
	struct kunit *unit;
	const struct plan *plan;
	const struct scop *scop;
	const struct kernel_names *names;
	int phase;
	bool full;		/* code for tiles whose instances all run */
	bool copies_out;	/* rows are copied out, not computed */
	const struct kx *m;	/* local time step of the row being built */
	const struct scop_stmt *stmt;	/* being built */
	const struct field *field;	/* being copied in */
};

static int modulo(int64_t a, int b)
{
	return (int) (((a % b) + b) % b);
}

static int buffers_of(const struct builder *b, const struct field *field)
{
	return b->scop->field[field->index].buffers;
}

static const struct kx *name(const struct builder *b, const char *s)
{
	return kx_name(b->mem, s);
}

/* Copies of a cell ------------------------------------------------------ */

/* The copy of local version m + version in shared memory. */
static const struct kx *shared_copy(const struct builder *b,
	const struct field *field, int version)
{
	int n = buffers_of(b, field);

	return kx_binary(b->mem, OP_MOD,
		kx_add(b->mem, b->m, modulo(version, n)), kx_int(b->mem, n));
}

/* The same, by the name that with_coordinates gives it if it is one of the
 * field being written and no constant.
 */
static const struct kx *named_copy(const struct builder *b,
	const struct field *field, int version)
{
	const struct field *written = b->stmt->stmt->write->field;

	if (b->m->kind == KX_INT || version > 1 || version < -1 ||
	    buffers_of(b, field) == 1 ||
	    buffers_of(b, field) != buffers_of(b, written))
		return shared_copy(b, field, version);
	return name(b, b->names->version[1 + version]);
}

/* The copy of version t0 + local + version in global memory, where
 * t0 = T*time_pitch - time_shift.
 */
static const struct kx *global_copy(const struct builder *b,
	const struct field *field, const struct kx *local, int version)
{
	const struct plan *plan = b->plan;
	int n = buffers_of(b, field);
	int pitch = modulo(plan->time_pitch, n);
	const struct kx *sum = kx_add(b->mem, local,
		modulo(version - plan->time_shift[b->phase], n));

	if (pitch == 0 && local->kind == KX_NAME && sum == local &&
	    local->name == b->names->slot)
		return local;
	if (pitch != 0)
		sum = kx_binary(b->mem, OP_ADD, kx_binary(b->mem, OP_MUL,
			name(b, b->names->tt), kx_int(b->mem, pitch)), sum);
	return kx_binary(b->mem, OP_MOD, sum, kx_int(b->mem, n));
}

/* The cell of "field" in global memory. */
static const struct kx *global_cell(const struct builder *b,
	const struct field *field, const struct kx *copy,
	const struct kx *const *at)
{
	const struct kx *arg[1 + IR_MAX_DIMS];
	struct kx *cell;
	int n = 0;

	if (copy && buffers_of(b, field) > 1)
		arg[n++] = copy;
	for (int d = 0; d < field->n_dims; d++)
		arg[n++] = at[d];
	cell = kx_of_kind(b->mem, KX_CELL, field->name, n, arg);
	cell->field = field;
	cell->type = field->type;
	return cell;
}

/* The cell of "field" in shared memory, "at" relative to its box. */
static const struct kx *shared_cell(const struct builder *b,
	const struct field *field, const struct kx *copy,
	const struct kx *const *at)
{
	const struct kx *arg[1 + IR_MAX_DIMS];
	struct kx *cell;
	int n = 0;

	if (buffers_of(b, field) > 1)
		arg[n++] = copy;
	for (int d = 0; d < field->n_dims; d++)
		arg[n++] = at[d];
	cell = kx_of_kind(b->mem, KX_INDEX,
		shared_name(b->mem, b->unit->prog, field), n, arg);
	cell->type = field->type;
	return cell;
}

/* Instances ------------------------------------------------------------- */

/* floor(skew * (k*m + slot)), (14) of [CGO] */
static const struct kx *skew_of_row(const struct builder *b, int dim)
{
	struct rational skew = b->plan->skew[dim];
	const struct kx *tau = kx_binary(b->mem, OP_MUL,
		kx_int(b->mem, b->scop->k), b->m);

	if (skew.num == 0)
		return kx_int(b->mem, 0);
	tau = kx_add(b->mem, tau, b->stmt->slot);
	tau = kx_binary(b->mem, OP_MUL, kx_int(b->mem, skew.num), tau);
	return kx_binary(b->mem, OP_DIV, tau, kx_int(b->mem, skew.den));
}

/* The coordinate of the instance relative to the tile's origin. */
static const struct kx *relative_point(const struct builder *b, int dim)
{
	const struct kx *local = name(b, b->names->local[dim]);

	if (dim == b->plan->hex_dim)
		return local;
	return kx_binary(b->mem, OP_SUB, local, skew_of_row(b, dim));
}

/* The index of the cell x + offset of "field" in its box, by the name that
 * with_coordinates gives to that of x in the box of the field being written.
 */
static const struct kx *box_index(const struct builder *b,
	const struct access *acc, int d)
{
	const struct field *written = b->stmt->stmt->write->field;
	int low = b->plan->box[acc->field->index].low[d];
	int dim = acc->dim[d];

	if (dim < 0)
		return kx_int(b->mem, acc->offset[d] - low);
	return kx_add(b->mem, name(b, b->names->inside[dim]), acc->offset[d] +
		b->plan->box[written->index].low[dim] - low);
}

static const struct kx *cell_of_access(const struct builder *b,
	const struct access *acc, bool in_shared)
{
	const struct field *field = acc->field;
	const struct kx *at[IR_MAX_DIMS];
	bool timed = field->kind == FIELD_STATE;

	for (int d = 0; d < field->n_dims; d++)
		if (in_shared)
			at[d] = box_index(b, acc, d);
		else if (acc->dim[d] < 0)
			at[d] = kx_int(b->mem, acc->offset[d]);
		else
			at[d] = kx_add(b->mem,
				name(b, b->names->point[acc->dim[d]]),
				acc->offset[d]);
	if (in_shared)
		return shared_cell(b, field,
			named_copy(b, field, acc->version), at);
	return global_cell(b, field, timed ?
		global_copy(b, field, b->m, acc->version) : NULL, at);
}

static const struct kx *read_cell(const struct binding *binding,
	const struct access *acc)
{
	const struct builder *b = binding->user;

	return cell_of_access(b, acc, plan_is_shared(b->plan, acc->field));
}

static struct binding binding_of(const struct builder *b)
{
	struct binding binding = {
		.mem = b->mem, .prog = b->unit->prog,
		.time = name(b, b->names->time),
		.read = read_cell, .user = b,
	};

	for (int d = 0; d < b->plan->n_dims; d++)
		binding.point[d] = name(b, b->names->point[d]);
	return binding;
}

/* { t, x : the statement has this instance }, as a condition */
static const struct kx *domain_guard(const struct builder *b)
{
	const char *dims[1 + IR_MAX_DIMS] = { b->names->time };

	for (int d = 0; d < b->plan->n_dims; d++)
		dims[1 + d] = b->names->point[d];
	return kx_of_set(b->mem,
		name_dims(isl_set_copy(b->stmt->domain), dims),
		isl_set_copy(b->scop->context));
}

static void declare_if_used(const struct builder *b, struct ks *block,
	const struct ks *user, const char *var, const struct kx *value)
{
	if (ks_uses(user, var))
		ks_add(b->mem, block,
			ks_declare(b->mem, "const int", var, value));
}

/* Declare t, the coordinates and the copies that "body" uses, then "body". */
static struct ks *with_coordinates(const struct builder *b, struct ks *body)
{
	const struct field *written = b->stmt->stmt->write->field;
	const struct box *box = &b->plan->box[written->index];
	struct ks *block = ks_block(b->mem);

	declare_if_used(b, block, body, b->names->time, kx_binary(b->mem,
		OP_ADD, name(b, b->names->t0), b->m));
	for (int d = 0; d < b->plan->n_dims; d++)
		declare_if_used(b, block, body, b->names->point[d],
			kx_binary(b->mem, OP_ADD,
				name(b, b->names->origin[d]),
				relative_point(b, d)));
	for (int d = 0; d < b->plan->n_dims; d++)
		declare_if_used(b, block, body, b->names->inside[d],
			kx_add(b->mem, relative_point(b, d), -box->low[d]));
	for (int v = -1; v <= 1; v++)
		declare_if_used(b, block, body, b->names->version[1 + v],
			shared_copy(b, written, v));
	ks_add(b->mem, block, body);
	return block;
}

static const struct kx *value_of_instance(const struct builder *b,
	struct ks *body)
{
	struct binding binding = binding_of(b);
	const struct stmt *stmt = b->stmt->stmt;
	struct access carried = *stmt->write;

	if (b->stmt->is_carry) {
		carried.version = 0;
		return read_cell(&binding, &carried);
	}
	for (const struct local *l = stmt->locals; l; l = l->next)
		ks_add(b->mem, body, ks_declare(b->mem,
			region_printf(b->mem, "const %s",
				type_name(l->value->type)), l->name,
			kx_of_expr(&binding, l->value)));
	return kx_of_expr(&binding, stmt->value);
}

/* { [m, x] -> [m, s'] }: s' = x + floor(skew * (k*m + slot)), (17) of [CGO];
 * the hexagonal coordinate stays.
 */
static __isl_give isl_map *to_local(const struct builder *b, int slot)
{
	const struct plan *plan = b->plan;
	isl_ctx *ctx = b->scop->ctx;
	isl_space *space = isl_space_set_alloc(ctx, 0, 1 + plan->n_dims);
	isl_multi_aff *ma = isl_multi_aff_identity(
		isl_space_map_from_set(isl_space_copy(space)));
	isl_local_space *ls = isl_local_space_from_space(space);

	for (int d = 0; d < plan->n_dims; d++) {
		struct rational skew = plan->skew[d];
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

/* { [m, s'] : the tile has this instance of statement "slot" } */
static __isl_give isl_set *local_instances(const struct builder *b, int slot)
{
	return isl_set_coalesce(isl_set_apply(tile_instances(b->plan, slot),
		to_local(b, slot)));
}

/* { [m, s'] : the tile computes no later version of the cell that the
 * instance of b->stmt writes, in the same copy }
 */
static __isl_give isl_set *last_instances(const struct builder *b)
{
	const struct access *write = b->stmt->stmt->write;
	isl_set *values = tile_writes(b->plan, write->field);
	isl_map *value_of = isl_map_apply_range(isl_map_reverse(
		to_local(b, b->stmt->slot)), tile_access(b->plan, write));
	isl_set *next = isl_set_copy(values);

	next = shift_versions(next, -buffers_of(b, write->field));
	values = isl_set_subtract(values, next);
	values = isl_set_apply(values, isl_map_reverse(value_of));
	return isl_set_coalesce(isl_set_intersect(values,
		local_instances(b, b->stmt->slot)));
}

/* Is the value of this instance the last one of its cell?  In a tile that is
 * cut off at the end of time, those of the last steps are, too.
 */
static const struct kx *last_guard(const struct builder *b)
{
	const char *dims[1 + IR_MAX_DIMS] = { b->names->step };
	int buffers = buffers_of(b, b->stmt->stmt->write->field);
	const struct kx *last, *steps;

	if (b->stmt->is_brief)
		return NULL;
	for (int d = 0; d < b->plan->n_dims; d++)
		dims[1 + d] = b->names->local[d];
	last = kx_of_set(b->mem, name_dims(last_instances(b), dims),
		name_dims(local_instances(b, b->stmt->slot), dims));
	if (!last || b->full)
		return last;
	steps = kx_of_pw_aff(b->mem, scop_steps(b->scop),
		isl_set_copy(b->scop->context));
	return kx_binary(b->mem, OP_OR, last, kx_binary(b->mem, OP_GE,
		kx_add(b->mem, name(b, b->names->time), buffers), steps));
}

static struct ks *guarded(const struct builder *b, const struct kx *guard,
	struct ks *body)
{
	return guard ? ks_if(b->mem, guard, body, NULL) : body;
}

/* The instance computes its value. */
static struct ks *compute(const struct builder *b)
{
	const struct access *write = b->stmt->stmt->write;
	struct ks *body = ks_block(b->mem);
	const struct kx *value = value_of_instance(b, body);

	ks_add(b->mem, body, ks_assign(b->mem, cell_of_access(b, write,
		plan_is_shared(b->plan, write->field)), value));
	return guarded(b, b->full ? NULL : domain_guard(b), body);
}

/* The value that the instance computed goes to global memory, if no later
 * instance of the tile takes its place.
 */
static struct ks *copy_out(const struct builder *b)
{
	const struct access *write = b->stmt->stmt->write;
	struct ks *body = ks_assign(b->mem, cell_of_access(b, write, false),
		cell_of_access(b, write, true));

	return guarded(b, kx_and(b->mem, b->full ? NULL : domain_guard(b),
		last_guard(b)), body);
}

static struct ks *instance(void *user)
{
	const struct builder *b = user;

	return with_coordinates(b, b->copies_out ? copy_out(b) : compute(b));
}

/* Rows ------------------------------------------------------------------ */

/* Deal dimension d of "n" to the threads, the innermost to x. */
static void map_threads(const struct builder *b, struct loop_nest *nest,
	const char **first, int *step, int n, int offset)
{
	for (int d = 0; d < nest->n_dims; d++) {
		int i = n - 1 - (d - offset);

		first[d] = d >= offset && i < 3 ? b->names->thread[i] : NULL;
		step[d] = first[d] ? b->plan->threads[i] : 1;
	}
	nest->first = first;
	nest->step = step;
}

/* The instances of a row, the local time step a parameter. */
static __isl_give isl_set *row_of_slot(const struct builder *b, int slot)
{
	isl_set *row = local_instances(b, slot);
	int first = isl_set_dim(row, isl_dim_param);

	row = isl_set_move_dims(row, isl_dim_param, first, isl_dim_set, 0, 1);
	return isl_set_coalesce(isl_set_set_dim_name(row, isl_dim_param,
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

	map_threads(b, &nest, first, step, nest.n_dims, 0);
	return loops_of_set(&nest, row_of_slot(b, b->stmt->slot));
}

static bool is_in_shape(const struct builder *b, int slot)
{
	isl_set *instances = tile_instances(b->plan, slot);
	bool any = isl_set_is_empty(instances) == isl_bool_false;

	isl_set_free(instances);
	return any;
}

static struct ks *barrier(const struct builder *b)
{
	return ks_simple(b->mem, KS_BARRIER);
}

static bool has_barriers(const struct plan *plan)
{
	return plan->rows > plan->scop->k || plan->steps.shared;
}

/* The rows of one time step, one after the other. */
static struct ks *rows_of_step(struct builder *b)
{
	struct ks *block = ks_block(b->mem);

	for (int slot = 0; slot < b->scop->k; slot++) {
		if (!is_in_shape(b, slot))
			continue;
		for (int i = 0; i < b->scop->n_stmts; i++) {
			struct ks *scope;

			b->stmt = &b->scop->stmt[i];
			if (b->stmt->slot != slot ||
			    (b->stmt->is_carry && b->full))
				continue;
			scope = b->scop->n_stmts > 1 ? ks_scope(b->mem) :
				ks_block(b->mem);
			ks_add(b->mem, scope, row_of_stmt(b));
			ks_add(b->mem, block, scope);
		}
		if (has_barriers(b->plan) && !b->copies_out)
			ks_add(b->mem, block, barrier(b));
	}
	return block;
}

static struct ks *all_rows(struct builder *b)
{
	int steps = b->plan->rows / b->scop->k;
	struct ks *loop;

	if (steps == 1) {
		b->m = kx_int(b->mem, 0);
		return rows_of_step(b);
	}
	b->m = name(b, b->names->step);
	loop = ks_for(b->mem, b->names->step, kx_int(b->mem, 0),
		kx_binary(b->mem, OP_LT, b->m, kx_int(b->mem, steps)),
		kx_int(b->mem, 1), rows_of_step(b));
	loop->keep_rolled = true;
	return loop;
}

/* Copy-in --------------------------------------------------------------- */

/* { [c] : the cell of b->field at c is in the grid } */
static const struct kx *grid_guard(const struct builder *b)
{
	isl_set *cells = b->scop->field[b->field->index].cells;

	return kx_of_set(b->mem, name_dims(isl_set_copy(cells),
		b->names->point), isl_set_copy(b->scop->context));
}

static struct ks *load_cell(void *user)
{
	const struct builder *b = user;
	const struct field *field = b->field;
	const struct kx *local[IR_MAX_DIMS], *global[IR_MAX_DIMS];
	const struct kx *copy = kx_int(b->mem, 0);
	const struct box *box = &b->plan->box[field->index];
	struct ks *body, *block = ks_block(b->mem);

	if (buffers_of(b, field) > 1)
		copy = name(b, b->names->slot);
	for (int d = 0; d < field->n_dims; d++) {
		local[d] = name(b, b->names->cell[d]);
		global[d] = name(b, b->names->point[d]);
	}
	body = ks_assign(b->mem, shared_cell(b, field, copy, local),
		global_cell(b, field, global_copy(b, field, copy, 0),
			global));
	if (!b->full || !b->plan->box_in_grid[field->index])
		body = guarded(b, grid_guard(b), body);
	for (int d = 0; d < field->n_dims; d++)
		declare_if_used(b, block, body, b->names->point[d],
			kx_binary(b->mem, OP_ADD,
				name(b, b->names->origin[d]),
				kx_add(b->mem, local[d], box->low[d])));
	ks_add(b->mem, block, body);
	return block;
}

/* { [copy, c] : 0 <= copy < buffers, 0 <= c < extent of the box } */
static __isl_give isl_set *box_cells(const struct builder *b)
{
	isl_set *cells = isl_set_universe(isl_space_set_alloc(b->scop->ctx, 0,
		1 + b->field->n_dims));
	const struct box *box = &b->plan->box[b->field->index];

	cells = isl_set_lower_bound_si(cells, isl_dim_set, 0, 0);
	cells = isl_set_upper_bound_si(cells, isl_dim_set, 0,
		buffers_of(b, b->field) - 1);
	for (int d = 0; d < box->n_dims; d++) {
		cells = isl_set_lower_bound_si(cells, isl_dim_set, 1 + d, 0);
		cells = isl_set_upper_bound_si(cells, isl_dim_set, 1 + d,
			box->extent[d] - 1);
	}
	return cells;
}

/* The whole box of b->field: no other tile of the launch writes to it, see
 * copies_are_safe.
 */
static struct ks *load_field(struct builder *b)
{
	int n = b->field->n_dims;
	const char *iterator[1 + IR_MAX_DIMS] = { b->names->slot };
	const char *first[1 + IR_MAX_DIMS];
	int step[1 + IR_MAX_DIMS];
	struct loop_nest nest = {
		.mem = b->mem, .n_dims = 1 + n, .iterator = iterator,
		.body = load_cell, .user = b,
	};

	for (int d = 0; d < n; d++)
		iterator[1 + d] = b->names->cell[d];
	map_threads(b, &nest, first, step, n, 1);
	return loops_of_set(&nest, box_cells(b));
}

static void copy_in(struct builder *b, struct ks *block)
{
	const struct program *prog = b->unit->prog;

	ks_add(b->mem, block, ks_comment(b->mem,
		"Copy in the box around all cells that this tile touches."));
	for (int i = 0; i < prog->n_fields; i++) {
		struct ks *scope = ks_scope(b->mem);

		b->field = prog->field[i];
		if (!plan_is_shared(b->plan, b->field))
			continue;
		ks_add(b->mem, scope, load_field(b));
		ks_add(b->mem, block, scope);
	}
	ks_add(b->mem, block, barrier(b));
}

static bool is_written(const struct builder *b, const struct field *field)
{
	for (int i = 0; i < b->scop->n_stmts; i++)
		if (b->scop->stmt[i].stmt->write->field == field)
			return true;
	return false;
}

/* Tiles ----------------------------------------------------------------- */

static struct ks *tile_body(struct builder *b, bool full)
{
	struct ks *block = ks_block(b->mem);

	b->full = full;
	if (full)
		ks_add(b->mem, block, ks_comment(b->mem,
			"A full tile: all its instances run."));
	if (b->plan->steps.shared) {
		copy_in(b, block);
		ks_add(b->mem, block, ks_simple(b->mem, KS_BLANK));
	}
	ks_add(b->mem, block, all_rows(b));
	if (b->plan->steps.shared) {
		ks_add(b->mem, block, ks_simple(b->mem, KS_BLANK));
		ks_add(b->mem, block, ks_comment(b->mem, "Copy out what this "
			"tile computed last in each cell."));
		b->copies_out = true;
		ks_add(b->mem, block, all_rows(b));
		ks_add(b->mem, block, barrier(b));
		b->copies_out = false;
	}
	return block;
}

/* Is each instance of the tile in its domain?  As a condition on the origin;
 * NULL if no tile is known to be full.
 */
static const struct kx *full_condition(const struct builder *b)
{
	const char *dims[1 + IR_MAX_DIMS] = { b->names->t0 };
	isl_set *full = isl_set_copy(b->plan->full);

	if (isl_set_is_empty(full) != isl_bool_false) {
		isl_set_free(full);
		return NULL;
	}
	for (int d = 0; d < b->plan->n_dims; d++)
		dims[1 + d] = b->names->origin[d];
	return kx_of_set(b->mem, name_dims(full, dims),
		isl_set_copy(b->scop->context));
}

static struct ks *tile(struct builder *b)
{
	const struct kx *full = b->plan->steps.separate ? full_condition(b) :
		NULL;

	if (!full)
		return tile_body(b, false);
	return ks_if(b->mem, full, tile_body(b, true), tile_body(b, false));
}

/* The origin in dimension "dim": S*pitch - shift - T*drift. */
static const struct kx *origin(const struct builder *b, int dim)
{
	const struct plan *plan = b->plan;
	const struct kx *o = kx_binary(b->mem, OP_MUL,
		name(b, b->names->tile[dim]),
		kx_int(b->mem, plan->pitch[dim]));
	int drift = plan->drift[dim];

	if (drift != 0)
		o = kx_binary(b->mem, drift > 0 ? OP_SUB : OP_ADD, o,
			kx_binary(b->mem, OP_MUL, name(b, b->names->tt),
				kx_int(b->mem, drift > 0 ? drift : -drift)));
	return kx_add(b->mem, o, -plan->shift[dim][b->phase]);
}

__isl_give isl_pw_aff *plan_hull(const struct plan *plan, int dim, bool last)
{
	const struct scop *scop = plan->scop;
	isl_set *all = NULL;

	for (int i = 0; i < scop->n_stmts; i++) {
		const struct scop_stmt *s = &scop->stmt[i];
		isl_set *instances = tile_instances(plan, s->slot);
		bool any = isl_set_is_empty(instances) == isl_bool_false;
		isl_set *domain;

		isl_set_free(instances);
		if (!any)
			continue;
		domain = isl_set_reset_tuple_id(isl_set_copy(s->domain));
		all = all ? isl_set_union(all, domain) : domain;
	}
	return last ? isl_set_dim_max(all, 1 + dim) :
		isl_set_dim_min(all, 1 + dim);
}

const struct kx *tile_of_edge(struct region *r, const struct plan *plan,
	const struct kernel_names *names, int dim, int phase, bool last)
{
	isl_pw_aff *hull = plan_hull(plan, dim, last);
	isl_set *context = isl_pw_aff_domain(isl_pw_aff_copy(hull));
	const struct kx *edge = kx_of_pw_aff(r, hull, context);
	int drift = plan->drift[dim];
	int64_t shift = plan->shift[dim][phase];

	if (last)
		shift += rational_floor(plan->skew[dim], plan->rows - 1);
	if (drift != 0)
		edge = kx_binary(r, drift > 0 ? OP_ADD : OP_SUB, edge,
			kx_binary(r, OP_MUL, kx_name(r, names->tt),
				kx_int(r, drift > 0 ? drift : -drift)));
	edge = kx_add(r, edge, shift);
	if (edge->kind == KX_INT)
		return kx_int(r, floor_div(edge->ivalue, plan->pitch[dim]));
	if (plan->pitch[dim] == 1)
		return edge;
	return kx_call(r, "floord", 2, edge, kx_int(r, plan->pitch[dim]));
}

/* A loop over the tiles of a dimension that this block executes. */
static struct ks *tile_loop(const struct builder *b, int dim, int block_dim,
	struct ks *body)
{
	struct region *r = b->mem;
	const char *var = b->names->tile[dim];
	const struct kx *first, *last, *step;

	if (b->plan->role[dim] == ROLE_BLOCKS) {
		char axis = "xyz"[block_dim];

		first = kx_binary(r, OP_ADD, name(b, b->names->first[dim]),
			kx_cast(r, "int", kx_namef(r, "blockIdx.%c", axis)));
		last = name(b, b->names->last[dim]);
		step = kx_cast(r, "int", kx_namef(r, "gridDim.%c", axis));
	} else {
		first = tile_of_edge(r, b->plan, b->names, dim, b->phase,
			false);
		last = tile_of_edge(r, b->plan, b->names, dim, b->phase, true);
		step = kx_int(r, 1);
	}
	return ks_for(r, var, first,
		kx_binary(r, OP_LE, name(b, var), last), step, body);
}

/* Loops S0, S1, .. around the tile, origins declared as soon as they are
 * known.
 */
static struct ks *loops_over_tiles(struct builder *b)
{
	const struct plan *plan = b->plan;
	struct ks *body = ks_block(b->mem);
	int block_dims = 0;

	ks_add(b->mem, body, tile(b));
	for (int d = plan->n_dims - 1; d >= 0; d--) {
		struct ks *outer = ks_block(b->mem);
		int block_dim = plan->role[d] == ROLE_BLOCKS ? block_dims++ :
			0;

		declare_if_used(b, outer, body, b->names->origin[d],
			origin(b, d));
		ks_add(b->mem, outer, body);
		body = ks_block(b->mem);
		ks_add(b->mem, body, tile_loop(b, d, block_dim, outer));
	}
	return body;
}

static const struct kx *time_origin(const struct builder *b)
{
	const struct kx *t = kx_binary(b->mem, OP_MUL,
		name(b, b->names->tt), kx_int(b->mem, b->plan->time_pitch));

	return kx_add(b->mem, t, -b->plan->time_shift[b->phase]);
}

static void declare_shared(struct builder *b, struct ks *block)
{
	const struct program *prog = b->unit->prog;

	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *field = prog->field[i];
		const struct box *box = &b->plan->box[i];
		int extent[1 + IR_MAX_DIMS], n = 0;

		if (!plan_is_shared(b->plan, field))
			continue;
		if (buffers_of(b, field) > 1)
			extent[n++] = buffers_of(b, field);
		for (int d = 0; d < box->n_dims; d++)
			extent[n++] = box->extent[d];
		ks_add(b->mem, block, ks_array(b->mem,
			type_name(field->type),
			shared_name(b->mem, prog, field), n, extent, true));
	}
}

static struct ks *kernel_body(struct builder *b)
{
	struct ks *block = ks_block(b->mem);
	struct ks *loops = loops_over_tiles(b);
	static const char axis[] = "xyz";

	declare_shared(b, block);
	for (int i = 0; i < 3; i++)
		declare_if_used(b, block, loops, b->names->thread[i],
			kx_namef(b->mem, "threadIdx.%c", axis[i]));
	declare_if_used(b, block, loops, b->names->t0, time_origin(b));
	if (block->n_children)
		ks_add(b->mem, block, ks_simple(b->mem, KS_BLANK));
	ks_add(b->mem, block, loops);
	return block;
}

/* Parameters ------------------------------------------------------------ */

bool field_is_constant(const struct field *field)
{
	int64_t size;

	for (int d = 0; d < field->n_dims; d++)
		if (!expr_constant(field->size[d], &size))
			return false;
	return true;
}

static bool expr_uses(const struct expr *e, const struct param *param)
{
	if (e->kind == EXPR_PARAM && e->param == param)
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (expr_uses(e->arg[i], param))
			return true;
	return false;
}

/* Does "body" need "param", itself or to find the cells of a field? */
static bool needs_param(const struct program *prog, const struct ks *body,
	const struct param *param)
{
	if (ks_uses(body, param->name))
		return true;
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = prog->field[i];

		if (field_is_constant(f) || !ks_uses(body, f->name))
			continue;
		for (int d = 0; d < f->n_dims; d++)
			if (expr_uses(f->size[d], param))
				return true;
	}
	return false;
}

static void add_param(struct kfunc *f, struct kparam param)
{
	f->param[f->n_params++] = param;
}

static void add_params(struct builder *b, struct kfunc *f)
{
	const struct program *prog = b->unit->prog;

	f->param = region_array(b->mem, struct kparam,
		prog->n_params + prog->n_fields + 1 + 2 * b->plan->n_dims);
	for (int i = 0; i < prog->n_params; i++)
		if (!prog->param[i]->fixed &&
		    needs_param(prog, f->body, prog->param[i]))
			add_param(f, (struct kparam) {
				.c_type = type_name(prog->param[i]->type),
				.name = prog->param[i]->name });
	for (int i = 0; i < prog->n_fields; i++)
		if (ks_uses(f->body, prog->field[i]->name))
			add_param(f, (struct kparam) {
				.c_type = type_name(prog->field[i]->type),
				.name = prog->field[i]->name,
				.cells = prog->field[i],
				.is_const = !is_written(b, prog->field[i]) });
	if (ks_uses(f->body, b->names->tt))
		add_param(f, (struct kparam) { .c_type = "int",
			.name = b->names->tt });
	for (int d = 0; d < b->plan->n_dims; d++) {
		if (b->plan->role[d] != ROLE_BLOCKS)
			continue;
		add_param(f, (struct kparam) { .c_type = "int",
			.name = b->names->first[d] });
		add_param(f, (struct kparam) { .c_type = "int",
			.name = b->names->last[d] });
	}
}

const char *kernel_name(struct region *r, const struct plan *plan, int index,
	int phase)
{
	const char *program = plan->scop->prog->name;

	if (plan->n_phases > 1)
		return region_printf(r, "%s_phase%d", program, phase);
	return region_printf(r, "%s_%s%d", program, plan->strategy->name,
		index);
}

static const char *kernel_comment(const struct builder *b, int index)
{
	const struct plan *plan = b->plan;
	struct text t = { 0 };
	const char *comment;

	if (plan->hex_dim < 0) {
		text_printf(&t, "One step of statement %d: a thread a point.",
			index);
	} else {
		text_printf(&t, "Phase %d: block S0 executes hexagon (%s, S0) "
			"in (%s, %s),\n", b->phase, b->names->tt,
			b->names->time, b->names->point[plan->hex_dim]);
		text_printf(&t, "h = %d, w0 = %d, delta0 = %lld/%lld, "
			"delta1 = %lld/%lld:\n\n", plan->hexagon.h,
			plan->hexagon.w0,
			(long long) plan->hexagon.delta0.num,
			(long long) plan->hexagon.delta0.den,
			(long long) plan->hexagon.delta1.num,
			(long long) plan->hexagon.delta1.den);
		hexagon_draw(&t, &plan->hexagon, "");
	}
	comment = region_strdup(b->mem, t.bytes);
	text_free(&t);
	return comment;
}

struct kfunc *kernel_of_plan(struct kunit *unit, const struct plan *plan,
	int index, int phase)
{
	struct builder b = {
		.mem = unit->mem, .unit = unit, .plan = plan,
		.scop = plan->scop, .phase = phase,
		.names = kernel_names_new(unit->mem, unit->prog),
	};
	struct kfunc *f = region_new_of(unit->mem, struct kfunc);

	f->name = kernel_name(unit->mem, plan, index, phase);
	f->c_type = "void";
	f->is_kernel = f->is_static = true;
	f->max_threads = plan->threads[0] * plan->threads[1] *
		plan->threads[2];
	f->comment = kernel_comment(&b, index);
	f->body = kernel_body(&b);
	add_params(&b, f);
	return f;
}
