/* Rows as straight code: the local time step is a constant, and a thread has
 * the instances of whole columns along the hexagon; or, if that is the only
 * dimension, every so many points of a row.  Either each has code of its own and
 * its values are in registers; or they are a loop for the compiler to unroll,
 * which finds the values that neighbours share.  A condition is asked once for
 * all points of a column that are its period apart.
 */
#include "codegen/tile.h"

/* Stores to global memory ----------------------------------------------- */

/* Are the instances of the row related so to those that are to be stored? */
static bool is_of_stored(struct builder *b, isl_bool (*related)(
	__isl_keep isl_set *row, __isl_keep isl_set *stored))
{
	isl_set *stored = fix_column(b, stored_instances(b));
	isl_set *row = fix_column(b, local_instances(b));
	bool is_so = related(row, stored) == isl_bool_true;

	isl_set_free(row);
	isl_set_free(stored);
	return is_so;
}

/* Are all of them?  Those of other rows wait for store_deferred. */
static bool stores_row(struct builder *b)
{
	return is_of_stored(b, isl_set_is_subset);
}

static bool stores_some(struct builder *b)
{
	return !is_of_stored(b, isl_set_is_disjoint);
}

/* The store before, if "when" is its condition, or NULL. */
static struct ks *store_where(const struct builder *b, const struct kx *when)
{
	const struct ks *stores = b->gathered->stores;
	struct ks *last = stores->n_children ?
		stores->child[stores->n_children - 1] : NULL;

	return when && last && last->kind == KS_IF &&
		kx_same(last->x[0], when) ? last : NULL;
}

/* "value" to global memory, after the instances of the class, if no later one of
 * the tile takes its place: whether one does other conditions may tell.
 */
static void store_if_last(struct builder *b, const struct kx *value)
{
	const struct kx *last = last_guard(b);
	struct ks *store = ks_block(b->mem), *same;

	if (last && kx_is_int(last, 0))
		return;
	ks_add(b->mem, store, ks_assign(b->mem, near_written(b), value));
	same = store_where(b, last);
	if (same)
		ks_add(b->mem, same->child[0], store);
	else
		ks_add(b->mem, b->gathered->stores,
			with_coordinates(b, guarded(b, last, store)));
}

/* "value" to global memory at the end of the row. */
static void straight_store(struct builder *b, const struct kx *value)
{
	if (b->scop->is_guarded)
		store_if_last(b, value);
	else if (stores_row(b))
		ks_add(b->mem, b->gathered->stores, ks_assign(b->mem,
			near_written(b), value));
}

static void straight_copy_out(struct builder *b)
{
	if (is_only_stored(b))
		return;
	straight_store(b, cell_of_access(b, b->stmt->stmt->write, true));
}

/* { [copy, c] : c is the cell in its box that an instance of the row writes }
 * for the instances "row", a part of this row in [m, s'].
 */
static __isl_give isl_set *cells_of_row(const struct builder *b,
	__isl_take isl_set *row)
{
	const struct access *write = b->stmt->stmt->write;
	const struct box *box = &b->plan->box[write->field->index];
	int64_t tau = b->m->ivalue * b->scop->k + b->stmt->slot;
	int n = buffers_of(b, write->field);
	int64_t version = b->m->ivalue + write->version;

	row = shift_dim(row, 0, (int) (version % n - b->m->ivalue));
	for (int d = 0; d < b->plan->n_dims; d++) {
		int64_t skew = d == b->plan->tiles.hex_dim ? 0 :
			rational_floor(b->plan->tiles.skew[d], tau);

		row = shift_dim(row, 1 + d, (int) -skew - box->low[d]);
	}
	return row;
}

static __isl_give isl_set *find_taken(const struct builder *b)
{
	return set_to_local(b, tile_taken(b->plan, b->stmt));
}

static __isl_give isl_set *taken_instances(const struct builder *b)
{
	return find_once(b, b->found.taken, find_taken);
}

/* Note the cells of "row", a part of this row, to be stored at the end. */
static void defer_cells(struct builder *b, __isl_take isl_set *row,
	enum deferral kind)
{
	const struct access *write = b->stmt->stmt->write;
	isl_set **cells;

	if (isl_set_is_empty(row) == isl_bool_true) {
		isl_set_free(row);
		return;
	}
	cells = deferred_line(b, write->field, kind,
		(int) b->m->ivalue + write->version,
		plan_deals_hexagon(b->plan) ?
		b->plan->box[write->field->index].low[0] :
		(int) b->hex->ivalue);
	row = cells_of_row(b, row);
	*cells = *cells ? set_coalesce(isl_set_union(*cells, row)) : row;
}

/* Note the values of this row that straight_store has not stored. */
static void defer_row(struct builder *b)
{
	isl_set *last, *taken;

	if (is_only_stored(b) || stores_row(b))
		return;
	last = fix_column(b, stored_instances(b));
	taken = fix_column(b, taken_instances(b));
	defer_cells(b, isl_set_subtract(isl_set_copy(last),
		isl_set_copy(taken)), STORE_ALWAYS);
	defer_cells(b, isl_set_intersect(last, taken), STORE_UNLESS_TAKEN);
}

/* { [m, s'] : a later row of this tile, or the next tile, reads what the
 * instance of b->stmt writes }
 */
static __isl_give isl_set *find_read(const struct builder *b)
{
	const struct access *write = b->stmt->stmt->write;
	isl_set *reads = tile_reads(b->plan, write->field, false);
	isl_map *value_of = isl_map_apply_range(isl_map_reverse(
		to_local(b, b->stmt->slot)), tile_access(b->plan, write));
	int inner = b->plan->n_dims - 1;

	if (b->plan->steps.reuse != REUSE_NONE)
		reads = isl_set_union(reads, shift_dim(isl_set_copy(reads),
			1 + inner, b->plan->pitch[inner]));
	return set_coalesce(isl_set_apply(reads,
		isl_map_reverse(value_of)));
}

/* Is the value of this instance read in shared memory, or stored from there?
 * Only what the last step computes may not be.
 */
static bool is_needed(struct builder *b)
{
	isl_set *row, *read;
	bool needed;

	if (b->scop->is_guarded || !stores_at_once(b->plan) || !stores_row(b) ||
	    b->m->ivalue + 1 < b->plan->rows / b->scop->k)
		return true;
	row = fix_column(b, local_instances(b));
	read = fix_column(b, find_once(b, b->found.read, find_read));
	needed = isl_set_is_disjoint(row, read) != isl_bool_true;
	isl_set_free(row);
	isl_set_free(read);
	return needed;
}

/* Instances with code of their own -------------------------------------- */

/* register = value; the register. */
static const struct kx *value_in_register(struct builder *b)
{
	enum scalar type = scalar_of(b->stmt->stmt->write->field->type);
	struct ks *scope = ks_scope(b->mem);
	const struct kx *value = value_of_instance(b, scope);
	const char *reg = written_register(b);
	const struct kx *result = builder_name(b, reg);

	if (scope->n_children) {
		ks_add(b->mem, b->gathered->block, ks_declare(b->mem,
			ctype(type), reg, NULL));
		ks_add(b->mem, scope, ks_assign(b->mem, result, value));
		ks_add(b->mem, b->gathered->block, scope);
	} else {
		ks_add(b->mem, b->gathered->block, ks_declare(b->mem,
			ctype_const(type), reg, value));
	}
	return result;
}

/* Have "what" done where "when" holds.  What others hold in registers by then
 * it may read, but not the other way round, unless it is always done.
 */
static void only_where(struct builder *b, const struct kx *when,
	void (*what)(struct builder *b))
{
	struct ks *block = b->gathered->block, *stores = b->gathered->stores;
	struct ks *own = ks_block(b->mem), *scope;
	int n_declared = b->gathered->n_declared;

	b->gathered->block = own;
	b->gathered->stores = ks_block(b->mem);
	what(b);
	ks_add(b->mem, own, b->gathered->stores);
	scope = with_coordinates(b, guarded(b, when, own));
	if (own->n_children && !(when && kx_is_int(when, 0)))
		ks_add(b->mem, block, scope);
	if (scope != own)
		b->gathered->n_declared = n_declared;
	b->gathered->block = block;
	b->gathered->stores = stores;
}

static void store_value(struct builder *b)
{
	const struct kx *value = value_in_register(b);

	ks_add(b->mem, b->gathered->block, ks_assign(b->mem, cell_of_access(b,
		b->stmt->stmt->write, false), value));
}

/* global = value, at the end of the row.  Of a row some instances of which a
 * later one replaces all are stored, in the order of the rows.
 */
static void only_store(struct builder *b)
{
	if (b->scop->is_guarded)
		only_where(b, last_guard(b), store_value);
	else if (stores_some(b))
		ks_add(b->mem, b->gathered->stores, ks_assign(b->mem,
			cell_of_access(b, b->stmt->stmt->write, false),
			value_in_register(b)));
}

/* register = value; shared = register, unless nobody reads it there; global =
 * register if it is the last
 */
static void straight_instance(struct builder *b)
{
	const struct access *write = b->stmt->stmt->write;
	bool in_shared = plan_is_shared(b->plan, write->field);
	const struct kx *result;

	if (is_only_stored(b)) {
		only_store(b);
		return;
	}
	result = value_in_register(b);
	if (is_needed(b))
		ks_add(b->mem, b->gathered->block, ks_assign(b->mem,
			cell_of_access(b, write, in_shared), result));
	if (stores_at_once(b->plan))
		straight_store(b, result);
}

/* Instances in a loop for the compiler to unroll ------------------------ */

static bool holds(struct builder *b, int at, bool (*is)(struct builder *b))
{
	const struct kx *hex = b->hex;
	bool result;

	b->hex = kx_int(b->mem, at);
	result = is(b);
	b->hex = hex;
	return result;
}

/* The loop's variable, a coordinate in the box of what is written. */
static const struct kx *loop_variable(const struct builder *b)
{
	return builder_name(b, b->names->cell[b->plan->tiles.hex_dim]);
}

static int box_low(const struct builder *b)
{
	const struct field *field = b->stmt->stmt->write->field;

	return b->plan->box[field->index].low[b->plan->tiles.hex_dim];
}

/* The condition on the loop's variable that "is" holds for its instance, of
 * those from "first" to "last".  NULL: always; 0: never.
 */
static const struct kx *where(struct builder *b, int first, int last,
	bool (*is)(struct builder *b))
{
	const struct kx *when = NULL, *c = loop_variable(b);

	for (int at = first, end; at <= last; at = end + 1) {
		bool in = holds(b, at, is);
		const struct kx *run = NULL;

		for (end = at; end < last && holds(b, end + 1, is) == in;)
			end++;
		if (!in)
			continue;
		if (at > first)
			run = kx_binary(b->mem, OP_GE, c,
				kx_int(b->mem, at - box_low(b)));
		if (end < last)
			run = kx_and(b->mem, run, kx_binary(b->mem, OP_LE, c,
				kx_int(b->mem, end - box_low(b))));
		if (!run)
			return NULL;
		when = when ? kx_binary(b->mem, OP_OR, when, run) : run;
	}
	return when ? when : kx_int(b->mem, 0);
}

static void add_where(struct builder *b, struct ks *body,
	const struct kx *when, struct ks *what)
{
	if (!when || !kx_is_int(when, 0))
		ks_add(b->mem, body, guarded(b, when, what));
}

/* global = value */
static void rolled_only_store(struct builder *b, struct ks *body, int first,
	int last)
{
	const struct kx *when = where(b, first, last, stores_some);
	struct ks *store = ks_block(b->mem);

	if (when && kx_is_int(when, 0))
		return;
	ks_add(b->mem, store, ks_assign(b->mem,
		cell_of_access(b, b->stmt->stmt->write, false),
		value_of_instance(b, store)));
	ks_add(b->mem, body, guarded(b, when, store));
}

/* value = ..; shared = value; global = value */
static void rolled_value(struct builder *b, struct ks *body, int first,
	int last)
{
	const struct access *write = b->stmt->stmt->write;
	const struct kx *value = value_of_instance(b, body);
	const struct kx *name = builder_name(b, b->names->value);

	ks_add(b->mem, body, ks_declare(b->mem,
		ctype_const(scalar_of(write->field->type)), b->names->value,
		value));
	add_where(b, body, where(b, first, last, is_needed),
		ks_assign(b->mem, cell_of_access(b, write, true), name));
	if (stores_at_once(b->plan))
		add_where(b, body, where(b, first, last, stores_row),
			ks_assign(b->mem, near_written(b), name));
}

static void rolled_copy_out(struct builder *b, struct ks *body, int first,
	int last)
{
	if (is_only_stored(b))
		return;
	add_where(b, body, where(b, first, last, stores_row), ks_assign(b->mem,
		near_written(b), cell_of_access(b, b->stmt->stmt->write,
			true)));
}

static void rolled_column(struct builder *b, int first, int last)
{
	const struct kx *c = loop_variable(b);
	int low = box_low(b);
	struct ks *body = ks_block(b->mem), *loop;

	b->hex = kx_add(b->mem, c, low);
	if (b->copies_out)
		rolled_copy_out(b, body, first, last);
	else if (is_only_stored(b))
		rolled_only_store(b, body, first, last);
	else
		rolled_value(b, body, first, last);
	if (!body->n_children)
		return;
	loop = ks_for(b->mem, c->name, kx_int(b->mem, first - low),
		kx_binary(b->mem, OP_LE, c, kx_int(b->mem, last - low)),
		kx_int(b->mem, 1), body);
	loop->unroll = true;
	ks_add(b->mem, b->gathered->block, loop);
}

/* Rows ------------------------------------------------------------------ */

static bool is_first_part(const struct builder *b)
{
	for (int d = 0; d < b->plan->n_dims; d++)
		if (b->part[d] != 0)
			return false;
	return true;
}

static void defer_column(struct builder *b, int first, int last)
{
	for (int at = first; at <= last; at++) {
		b->hex = kx_int(b->mem, at);
		defer_row(b);
	}
}

static void instance_of_part(struct builder *b)
{
	if (b->copies_out)
		straight_copy_out(b);
	else
		straight_instance(b);
}

/* The points of b->hex and every period further, up to the end of the column. */
static void instances_of_class(struct builder *b)
{
	int a = (int) b->m->ivalue * b->scop->k + b->stmt->slot;
	int hex = b->plan->tiles.hex_dim, by = b->stmt->period[hex];
	const struct kx *first = b->hex;

	for (int at = (int) first->ivalue;
	     at <= hexagon_last(&b->plan->tiles.hexagon, a); at += by) {
		b->hex = kx_int(b->mem, at);
		instance_of_part(b);
	}
	b->hex = first;
}

/* "i = i0 + 3, i0 + 5, ..": whether one of the class runs, all do. */
static void comment_class(struct builder *b, int last)
{
	int hex = b->plan->tiles.hex_dim, by = b->stmt->period[hex];
	int at = (int) b->hex->ivalue;
	const char *origin = b->names->origin[hex];

	if (by == 1 || at + by > last)
		return;
	ks_add(b->mem, b->gathered->block, ks_comment(b->mem,
		"%s = %s + %d, %s + %d%s: all or none.", b->names->point[hex], origin, at, origin,
		at + by, at + 2 * by > last ? "" : ", .."));
}

/* The instances of a column that has a condition: it is asked once for each
 * residue class of points.
 */
static void column_of_classes(struct builder *b, int first, int last)
{
	int by = b->stmt->period[b->plan->tiles.hex_dim];

	for (int at = first; at < first + by && at <= last; at++) {
		b->hex = kx_int(b->mem, at);
		comment_class(b, last);
		only_where(b, instance_condition(b, b->stmt->domain,
			b->stmt->inside), instances_of_class);
	}
}

/* The instances of a thread's column in the hexagonal dimension, or the one at
 * its parts of the others.
 */
static void straight_column(struct builder *b)
{
	int a = (int) b->m->ivalue * b->scop->k + b->stmt->slot;
	bool hex = b->plan->tiles.hex_dim >= 0;
	int first = hex ? hexagon_first(&b->plan->tiles.hexagon, a) : 0;
	int last = hex ? hexagon_last(&b->plan->tiles.hexagon, a) : 0;

	if (b->stmt->is_guarded) {
		column_of_classes(b, first, last);
		return;
	}
	if (is_first_part(b) && !b->scop->is_guarded &&
	    (b->copies_out || stores_at_once(b->plan)))
		defer_column(b, first, last);
	if (b->plan->tiles.rolled) {
		rolled_column(b, first, last);
		return;
	}
	for (int at = first; at <= last; at++) {
		b->hex = kx_int(b->mem, at);
		instance_of_part(b);
	}
}

/* Which threads have a point of the part, given the row's ends; NULL: all. */
static const struct kx *threads_of_part(const struct builder *b, int first,
	int last)
{
	const struct kx *x = builder_name(b, b->names->lanes.thread[0]);
	int threads = b->plan->threads[0];
	int at = hexagon_first(&b->plan->tiles.hexagon, 0) +
		b->part[0] * threads;
	const struct kx *when = NULL;

	if (at < first)
		when = kx_binary(b->mem, OP_GE, x, kx_int(b->mem, first - at));
	if (at + threads - 1 > last)
		when = kx_and(b->mem, when, kx_binary(b->mem, OP_LE, x,
			kx_int(b->mem, last - at)));
	return when;
}

/* The only dimension: thread x has point x of each part of the row. */
static void dealt_row(struct builder *b)
{
	const struct plan *plan = b->plan;
	int a = (int) b->m->ivalue * b->scop->k + b->stmt->slot;

	for (b->part[0] = plan_first_part(plan, a);
	     b->part[0] <= plan_last_part(plan, a); b->part[0]++) {
		const struct kx *when = threads_of_part(b,
			hexagon_first(&plan->tiles.hexagon, a),
			hexagon_last(&plan->tiles.hexagon, a));

		if (b->copies_out || stores_at_once(plan))
			defer_row(b);
		if (when)
			only_where(b, when, instance_of_part);
		else
			instance_of_part(b);
	}
}

/* All columns of a thread: each part of the classical dimensions from "dim".
 */
static void straight_parts(struct builder *b, int dim)
{
	const struct plan *plan = b->plan;
	int parts;

	if (dim == plan->n_dims) {
		straight_column(b);
		return;
	}
	parts = dim == plan->tiles.hex_dim ? 1 : plan->tiles.width[dim] /
		plan->threads[plan->n_dims - 1 - dim];
	for (int i = 0; i < parts; i++) {
		b->part[dim] = i;
		straight_parts(b, dim + 1);
	}
}

static struct ks *straight_row(struct builder *b)
{
	struct ks *row = ks_block(b->mem);

	b->gathered->block = row;
	b->gathered->stores = ks_block(b->mem);
	ks_add(b->mem, row, ks_comment(b->mem, "a = %lld",
		(long long) (b->m->ivalue * b->scop->k + b->stmt->slot)));
	if (plan_deals_hexagon(b->plan))
		dealt_row(b);
	else
		straight_parts(b, 0);
	ks_add(b->mem, row, b->gathered->stores);
	return row;
}

/* Does statement "s" have rows of straight code in slot "slot"?  A carry that
 * would copy cells to themselves has none.
 */
static bool has_rows(const struct builder *b, const struct scop_stmt *s,
	int slot)
{
	return s->slot == slot && s->in_full &&
		(b->plan->steps.shared || !scop_is_idle(b->scop, s));
}

/* The rows of a slot in local step "m": of a statement, and where that has a
 * condition of what carries values on.
 */
static void rows_of_slot(struct builder *b, struct ks *block, int m, int slot)
{
	b->m = kx_int(b->mem, m);
	for (int i = 0; i < b->scop->n_stmts; i++)
		if (has_rows(b, &b->scop->stmt[i], slot)) {
			b->stmt = &b->scop->stmt[i];
			ks_add(b->mem, block, straight_row(b));
		}
}

struct ks *straight_rows(struct builder *b)
{
	struct ks *block = ks_scope(b->mem);
	int steps = b->plan->rows / b->scop->k;
	bool stores = b->copies_out || stores_at_once(b->plan);

	if (!b->gathered->registers)
		b->gathered->registers = names_new(b->mem);
	b->gathered->n_declared = 0;
	for (int m = 0; m < steps; m++)
		for (int slot = 0, first = 0; slot < b->scop->k; slot++) {
			if (!tile_has(b->plan, slot))
				continue;
			rows_of_slot(b, block, m, slot);
			if (stores && m == steps - 1 && slot == b->scop->k - 1)
				ks_add(b->mem, block, store_deferred(b));
			if (goes_on(b, first, slot))
				continue;
			first = slot + 1;
			if (has_barriers(b))
				ks_add(b->mem, block, barrier(b));
		}
	return block;
}
