/* Rows as straight code: the local time step is a constant, and a thread has the instances of
 * whole columns along the hexagon, or, if that is the only dimension, every so many points of a
 * row.  Either each instance has code of its own, with values in registers; or they form a loop
 * that the compiler unrolls, finding the values that neighbours share.  A condition is tested
 * once for all points of a column that are its period apart.
 */
#include "codegen/tile.h"

/* Stores to global memory ----------------------------------------------- */

/* Do the row's instances relate in this way to those to be stored? */
static bool is_of_stored(struct cursor *c, isl_bool (*related)(
	__isl_keep isl_set *row, __isl_keep isl_set *stored))
{
	isl_set *stored = fix_column(c, stored_instances(c));
	isl_set *row = fix_column(c, local_instances(c));
	bool is_so = related(row, stored) == isl_bool_true;

	isl_set_free(row);
	isl_set_free(stored);
	return is_so;
}

/* Does that hold for all of them? store_deferred handles those of other rows. */
static bool stores_row(struct cursor *c)
{
	return is_of_stored(c, isl_set_is_subset);
}

static bool stores_some(struct cursor *c)
{
	return !is_of_stored(c, isl_set_is_disjoint);
}

/* The preceding store, if "when" is its condition, or NULL. */
static struct ks *store_where(const struct cursor *c, const struct kx *when)
{
	const struct ks *stores = c->gathered->stores;
	struct ks *last = stores->n_children ?
		stores->child[stores->n_children - 1] : NULL;

	return when && last && last->kind == KS_IF &&
		kx_same(last->x[0], when) ? last : NULL;
}

/* "value" to global memory, after the instances of the class, unless a later one of the tile
 * replaces it, which may depend on other conditions.
 */
static void store_if_last(struct cursor *c, const struct kx *value)
{
	const struct kx *last = last_guard(c);
	struct ks *store = ks_block(c->mem), *same;

	if (last && kx_is_int(last, 0))
		return;
	ks_add(c->mem, store, ks_assign(c->mem, relative_written(c), value));
	same = store_where(c, last);
	if (same)
		ks_add(c->mem, same->child[0], store);
	else
		ks_add(c->mem, c->gathered->stores,
			with_coordinates(c, guarded(c->mem, last, store)));
}

/* "value" to global memory at the end of the row. */
static void straight_store(struct cursor *c, const struct kx *value)
{
	if (c->place->scop->is_guarded)
		store_if_last(c, value);
	else if (stores_row(c))
		ks_add(c->mem, c->gathered->stores, ks_assign(c->mem,
			relative_written(c), value));
}

static void straight_copy_out(struct cursor *c)
{
	if (is_only_stored(c))
		return;
	straight_store(c, cell_of_access(c, c->stmt->stmt->write, true));
}

/* { [copy, c] : an instance of the row writes the cell c of its box }, for the
 * instances "row", a part of this row in [m, s'].
 */
static __isl_give isl_set *cells_of_row(const struct cursor *c,
	__isl_take isl_set *row)
{
	const struct place *p = c->place;
	const struct access *write = c->stmt->stmt->write;
	const struct box *box = &p->plan->box[write->field->index];
	int n = buffers_of(p, write->field);
	int64_t version = c->m->ivalue + write->version;

	row = shift_dim(row, 0, (int) (version % n - c->m->ivalue));
	for (int d = 0; d < p->plan->n_dims; d++) {
		int64_t skew = d == p->plan->tiles.hex_dim ? 0 :
			rational_floor(p->plan->tiles.skew[d],
				number_of_row(c));

		row = shift_dim(row, 1 + d, (int) -skew - box->low[d]);
	}
	return row;
}

static __isl_give isl_set *find_taken(const struct cursor *c)
{
	return set_to_local(c, tile_taken(c->place->plan, c->stmt));
}

static __isl_give isl_set *taken_instances(const struct cursor *c)
{
	return find_once(c, c->place->found.taken, find_taken);
}

/* Note the cells of "row", a part of this row, that are stored at the end. */
static void defer_cells(struct cursor *c, __isl_take isl_set *row,
	enum deferral kind)
{
	const struct access *write = c->stmt->stmt->write;
	isl_set **cells;

	if (isl_set_is_empty(row) == isl_bool_true) {
		isl_set_free(row);
		return;
	}
	cells = deferred_line(c, write->field, kind,
		(int) c->m->ivalue + write->version,
		plan_deals_hexagon(c->place->plan) ?
		c->place->plan->box[write->field->index].low[0] :
		(int) c->hex->ivalue);
	row = cells_of_row(c, row);
	*cells = *cells ? set_coalesce(isl_set_union(*cells, row)) : row;
}

/* Note the values of this row that straight_store has left. */
static void defer_row(struct cursor *c)
{
	isl_set *last, *taken;

	if (is_only_stored(c) || stores_row(c))
		return;
	last = fix_column(c, stored_instances(c));
	taken = fix_column(c, taken_instances(c));
	defer_cells(c, isl_set_subtract(isl_set_copy(last),
		isl_set_copy(taken)), STORE_ALWAYS);
	defer_cells(c, isl_set_intersect(last, taken), STORE_UNLESS_TAKEN);
}

/* { [m, s'] : a later row of this tile, or the next tile, reads what the
 * instance of c->stmt writes }
 */
static __isl_give isl_set *find_read(const struct cursor *c)
{
	const struct place *p = c->place;
	const struct access *write = c->stmt->stmt->write;
	isl_set *reads = tile_reads(p->plan, write->field);
	isl_map *value_of = isl_map_apply_range(isl_map_reverse(
		to_local(p, c->stmt->number)), tile_access(p->plan, write));
	int inner = p->plan->n_dims - 1;

	if (p->plan->opt.reuse != REUSE_NONE)
		reads = isl_set_union(reads, shift_dim(isl_set_copy(reads),
			1 + inner, p->plan->pitch[inner]));
	return set_coalesce(isl_set_apply(reads,
		isl_map_reverse(value_of)));
}

/* Does anyone read the instance's value in shared memory, or store it from
 * there?  Only for the last step's values may the answer be no.
 */
static bool is_needed(struct cursor *c)
{
	const struct place *p = c->place;
	isl_set *row, *read;
	bool needed;

	if (p->scop->is_guarded || !stores_at_once(p->plan) || !stores_row(c) ||
	    c->m->ivalue + 1 < p->plan->rows / p->scop->k)
		return true;
	row = fix_column(c, local_instances(c));
	read = fix_column(c, find_once(c, p->found.read, find_read));
	needed = isl_set_is_disjoint(row, read) != isl_bool_true;
	isl_set_free(row);
	isl_set_free(read);
	return needed;
}

/* Instances with code of their own -------------------------------------- */

/* register = value; returns the register. */
static const struct kx *value_in_register(struct cursor *c)
{
	enum scalar type = scalar_of(c->stmt->stmt->write->field->type);
	struct ks *scope = ks_scope(c->mem);
	const struct kx *value = value_of_instance(c, scope);
	const char *reg = written_register(c);
	const struct kx *result = kx_name(c->mem, reg);

	if (scope->n_children) {
		ks_add(c->mem, c->gathered->block, ks_declare(c->mem,
			ctype(type), reg, NULL));
		ks_add(c->mem, scope, ks_assign(c->mem, result, value));
		ks_add(c->mem, c->gathered->block, scope);
	} else {
		ks_add(c->mem, c->gathered->block, ks_declare(c->mem,
			ctype_const(type), reg, value));
	}
	return result;
}

/* Do "what" where "when" holds.  It may read what others hold in registers by
 * then, but not the other way round, unless it is always done.
 */
static void only_where(struct cursor *c, const struct kx *when,
	void (*what)(struct cursor *c))
{
	struct ks *block = c->gathered->block, *stores = c->gathered->stores;
	struct ks *own = ks_block(c->mem), *scope;
	int n_declared = c->gathered->n_declared;

	c->gathered->block = own;
	c->gathered->stores = ks_block(c->mem);
	what(c);
	ks_add(c->mem, own, c->gathered->stores);
	scope = with_coordinates(c, guarded(c->mem, when, own));
	if (own->n_children && !(when && kx_is_int(when, 0)))
		ks_add(c->mem, block, scope);
	if (scope != own)
		c->gathered->n_declared = n_declared;
	c->gathered->block = block;
	c->gathered->stores = stores;
}

static void store_value(struct cursor *c)
{
	const struct kx *value = value_in_register(c);

	ks_add(c->mem, c->gathered->block, ks_assign(c->mem, cell_of_access(c,
		c->stmt->stmt->write, false), value));
}

/* global = value, at the end of the row.  Of a row some of whose values a later
 * row replaces, all are stored, in the order of the rows.
 */
static void store_of_row(struct cursor *c, const struct kx *value)
{
	ks_add(c->mem, c->gathered->stores, ks_assign(c->mem,
		cell_of_access(c, c->stmt->stmt->write, false), value));
}

static void store_register(struct cursor *c)
{
	ks_add(c->mem, c->gathered->block, ks_assign(c->mem, cell_of_access(c,
		c->stmt->stmt->write, false), kx_name(c->mem,
			written_register(c))));
}

/* register = value, with its records; global = register, if it is the last. */
static void record_and_store(struct cursor *c)
{
	const struct kx *value = value_in_register(c);

	if (c->place->scop->is_guarded)
		only_where(c, last_guard(c), store_register);
	else if (stores_some(c))
		store_of_row(c, value);
}

/* Do not compute what is not the last value of its cell, unless it is recorded. */
static void only_store(struct cursor *c)
{
	if (stmt_records(c->stmt->stmt))
		record_and_store(c);
	else if (c->place->scop->is_guarded)
		only_where(c, last_guard(c), store_value);
	else if (stores_some(c))
		store_of_row(c, value_in_register(c));
}

/* The points of a row that a thread computes. */
static int points_of_thread(const struct plan *plan)
{
	int points = 1;

	for (int d = 0; d < plan->n_dims; d++)
		points *= plan->tiles.width[d] /
			plan->threads[plan->n_dims - 1 - d];
	return points;
}

/* Should values go to global memory at the end of the row?  A compiler moves no load before a
 * store, and all loads of a row should be on their way at once; the values wait in registers.
 */
static bool stores_late(const struct cursor *c)
{
	enum { MOST_WAITING = 16 };
	const struct plan *plan = c->place->plan;

	return !plan_has_hexagons(plan) && !plan->opt.shared &&
		!c->place->scop->is_guarded &&
		points_of_thread(plan) <= MOST_WAITING;
}

/* register = value; shared = register, unless nobody reads it there; global =
 * register if it is the last one
 */
static void straight_instance(struct cursor *c)
{
	const struct access *write = c->stmt->stmt->write;
	bool in_shared = plan_is_shared(c->place->plan, write->field);
	const struct kx *result;

	if (is_only_stored(c)) {
		only_store(c);
		return;
	}
	result = value_in_register(c);
	if (is_needed(c))
		ks_add(c->mem, stores_late(c) ? c->gathered->stores :
			c->gathered->block, ks_assign(c->mem,
			cell_of_access(c, write, in_shared), result));
	if (stores_at_once(c->place->plan))
		straight_store(c, result);
}

/* Instances in a loop for the compiler to unroll ------------------------ */

static bool holds(struct cursor *c, int at, bool (*is)(struct cursor *c))
{
	const struct kx *hex = c->hex;
	bool result;

	c->hex = kx_int(c->mem, at);
	result = is(c);
	c->hex = hex;
	return result;
}

/* The loop's variable: a coordinate in the box of the field written. */
static const struct kx *loop_variable(const struct place *p)
{
	return kx_name(p->mem, p->names->cell[p->plan->tiles.hex_dim]);
}

static int box_low(const struct cursor *c)
{
	const struct field *field = c->stmt->stmt->write->field;
	const struct plan *plan = c->place->plan;

	return plan->box[field->index].low[plan->tiles.hex_dim];
}

/* The condition on the loop's variable for its instance to be in "is", for
 * instances from "first" to "last".  NULL: always; 0: never.
 */
static const struct kx *where(struct cursor *c, int first, int last,
	bool (*is)(struct cursor *c))
{
	const struct kx *when = NULL, *var = loop_variable(c->place);

	for (int at = first, end; at <= last; at = end + 1) {
		bool in = holds(c, at, is);
		const struct kx *run = NULL;

		for (end = at; end < last && holds(c, end + 1, is) == in;)
			end++;
		if (!in)
			continue;
		if (at > first)
			run = kx_binary(c->mem, OP_GE, var,
				kx_int(c->mem, at - box_low(c)));
		if (end < last)
			run = kx_and(c->mem, run, kx_binary(c->mem, OP_LE, var,
				kx_int(c->mem, end - box_low(c))));
		if (!run)
			return NULL;
		when = when ? kx_binary(c->mem, OP_OR, when, run) : run;
	}
	return when ? when : kx_int(c->mem, 0);
}

static void add_where(struct region *r, struct ks *body,
	const struct kx *when, struct ks *what)
{
	if (!when || !kx_is_int(when, 0))
		ks_add(r, body, guarded(r, when, what));
}

/* value = ..; global = value "when" it is to be stored */
static void rolled_recorded(struct cursor *c, struct ks *body,
	const struct kx *when)
{
	const struct kx *value = value_of_instance(c, body);
	const struct kx *name = kx_name(c->mem, c->place->names->value);

	ks_add(c->mem, body, ks_declare(c->mem, ctype_const(scalar_of(
		c->stmt->stmt->write->field->type)), name->name, value));
	add_where(c->mem, body, when, ks_assign(c->mem, cell_of_access(c,
		c->stmt->stmt->write, false), name));
}

/* global = value */
static void rolled_only_store(struct cursor *c, struct ks *body, int first,
	int last)
{
	const struct kx *when = where(c, first, last, stores_some);
	struct ks *store = ks_block(c->mem);

	if (stmt_records(c->stmt->stmt)) {
		rolled_recorded(c, body, when);
		return;
	}
	if (when && kx_is_int(when, 0))
		return;
	ks_add(c->mem, store, ks_assign(c->mem,
		cell_of_access(c, c->stmt->stmt->write, false),
		value_of_instance(c, store)));
	ks_add(c->mem, body, guarded(c->mem, when, store));
}

/* value = ..; shared = value; global = value */
static void rolled_value(struct cursor *c, struct ks *body, int first,
	int last)
{
	const struct place *p = c->place;
	const struct access *write = c->stmt->stmt->write;
	const struct kx *value = value_of_instance(c, body);
	const struct kx *name = kx_name(c->mem, p->names->value);

	ks_add(c->mem, body, ks_declare(c->mem,
		ctype_const(scalar_of(write->field->type)), p->names->value,
		value));
	add_where(c->mem, body, where(c, first, last, is_needed),
		ks_assign(c->mem, cell_of_access(c, write, true), name));
	if (stores_at_once(p->plan))
		add_where(c->mem, body, where(c, first, last, stores_row),
			ks_assign(c->mem, relative_written(c), name));
}

static void rolled_copy_out(struct cursor *c, struct ks *body, int first,
	int last)
{
	if (is_only_stored(c))
		return;
	add_where(c->mem, body, where(c, first, last, stores_row),
		ks_assign(c->mem, relative_written(c), cell_of_access(c,
			c->stmt->stmt->write, true)));
}

static void rolled_column(struct cursor *c, int first, int last)
{
	const struct kx *var = loop_variable(c->place);
	int low = box_low(c);
	struct ks *body = ks_block(c->mem), *loop;

	c->hex = kx_add(c->mem, var, low);
	if (c->copies_out)
		rolled_copy_out(c, body, first, last);
	else if (is_only_stored(c))
		rolled_only_store(c, body, first, last);
	else
		rolled_value(c, body, first, last);
	if (!body->n_children)
		return;
	loop = ks_for(c->mem, var->name, kx_int(c->mem, first - low),
		kx_binary(c->mem, OP_LE, var, kx_int(c->mem, last - low)),
		kx_int(c->mem, 1), body);
	loop->unroll = true;
	ks_add(c->mem, c->gathered->block, loop);
}

/* Rows ------------------------------------------------------------------ */

static bool is_first_part(const struct cursor *c)
{
	for (int d = 0; d < c->place->plan->n_dims; d++)
		if (c->part[d] != 0)
			return false;
	return true;
}

static void defer_column(struct cursor *c, int first, int last)
{
	for (int at = first; at <= last; at++) {
		c->hex = kx_int(c->mem, at);
		defer_row(c);
	}
}

static void instance_of_part(struct cursor *c)
{
	if (c->copies_out)
		straight_copy_out(c);
	else
		straight_instance(c);
}

/* The points c->hex, one period further, and so on to the end of the column. */
static void instances_of_class(struct cursor *c)
{
	const struct place *p = c->place;
	int a = number_of_row(c);
	int hex = p->plan->tiles.hex_dim, by = c->stmt->period[hex];
	const struct kx *first = c->hex;

	for (int at = (int) first->ivalue;
	     at <= hexagon_last(&p->plan->tiles.hexagon, a); at += by) {
		c->hex = kx_int(c->mem, at);
		instance_of_part(c);
	}
	c->hex = first;
}

/* "i = i0 + 3, i0 + 5, ..": if one of the class runs, all do. */
static void comment_class(struct cursor *c, int last)
{
	const struct place *p = c->place;
	int hex = p->plan->tiles.hex_dim, by = c->stmt->period[hex];
	int at = (int) c->hex->ivalue;
	const char *origin = p->names->origin[hex];

	if (by == 1 || at + by > last)
		return;
	ks_add(c->mem, c->gathered->block, ks_comment(c->mem,
		"%s = %s + %d, %s + %d%s: all or none.", p->names->point[hex],
		origin, at, origin, at + by, at + 2 * by > last ? "" : ", .."));
}

/* The instances of a column with a condition: test it once for each residue
 * class of points.
 */
static void column_of_classes(struct cursor *c, int first, int last)
{
	int by = c->stmt->period[c->place->plan->tiles.hex_dim];

	for (int at = first; at < first + by && at <= last; at++) {
		c->hex = kx_int(c->mem, at);
		comment_class(c, last);
		only_where(c, instance_condition(c->place, c->stmt->domain,
			c->stmt->inside), instances_of_class);
	}
}

/* The instances of a thread's column in the hexagonal dimension, or, at its
 * parts of the other dimensions, the one instance.
 */
static void straight_column(struct cursor *c)
{
	const struct place *p = c->place;
	int a = number_of_row(c);
	bool hex = p->plan->tiles.hex_dim >= 0;
	int first = hex ? hexagon_first(&p->plan->tiles.hexagon, a) : 0;
	int last = hex ? hexagon_last(&p->plan->tiles.hexagon, a) : 0;

	if (c->stmt->is_guarded) {
		column_of_classes(c, first, last);
		return;
	}
	if (is_first_part(c) && !p->scop->is_guarded &&
	    (c->copies_out || stores_at_once(p->plan)))
		defer_column(c, first, last);
	if (p->plan->tiles.rolled) {
		rolled_column(c, first, last);
		return;
	}
	for (int at = first; at <= last; at++) {
		c->hex = kx_int(c->mem, at);
		instance_of_part(c);
	}
}

/* Which threads have a point of the part, given the row's ends; NULL: all. */
static const struct kx *threads_of_part(const struct cursor *c, int first,
	int last)
{
	const struct place *p = c->place;
	const struct kx *x = kx_name(c->mem, p->names->lanes.thread[0]);
	int threads = p->plan->threads[0];
	int at = hexagon_first(&p->plan->tiles.hexagon, 0) +
		c->part[0] * threads;
	const struct kx *when = NULL;

	if (at < first)
		when = kx_binary(c->mem, OP_GE, x, kx_int(c->mem, first - at));
	if (at + threads - 1 > last)
		when = kx_and(c->mem, when, kx_binary(c->mem, OP_LE, x,
			kx_int(c->mem, last - at)));
	return when;
}

/* In the only dimension, thread x has point x of each part of the row. */
static void dealt_row(struct cursor *c)
{
	const struct plan *plan = c->place->plan;
	int a = number_of_row(c);

	for (c->part[0] = plan_first_part(plan, a);
	     c->part[0] <= plan_last_part(plan, a); c->part[0]++) {
		const struct kx *when = threads_of_part(c,
			hexagon_first(&plan->tiles.hexagon, a),
			hexagon_last(&plan->tiles.hexagon, a));

		if (c->copies_out || stores_at_once(plan))
			defer_row(c);
		if (when)
			only_where(c, when, instance_of_part);
		else
			instance_of_part(c);
	}
}

/* All columns of a thread: each part of the classical dimensions from "dim" on. */
static void straight_parts(struct cursor *c, int dim)
{
	const struct plan *plan = c->place->plan;
	int parts;

	if (dim == plan->n_dims) {
		straight_column(c);
		return;
	}
	parts = dim == plan->tiles.hex_dim ? 1 : plan->tiles.width[dim] /
		plan->threads[plan->n_dims - 1 - dim];
	for (int i = 0; i < parts; i++) {
		c->part[dim] = i;
		straight_parts(c, dim + 1);
	}
}

static struct ks *straight_row(struct cursor *c)
{
	struct ks *row = ks_block(c->mem);

	c->gathered->block = row;
	c->gathered->stores = ks_block(c->mem);
	ks_add(c->mem, row, ks_comment(c->mem, "a = %d", number_of_row(c)));
	if (plan_deals_hexagon(c->place->plan))
		dealt_row(c);
	else
		straight_parts(c, 0);
	ks_add(c->mem, row, c->gathered->stores);
	return row;
}

/* Is statement "s" number "number", with rows of straight code?  A copy
 * statement that would copy cells to themselves has none.
 */
static bool has_rows(const struct place *p, const struct scop_stmt *s,
	int number)
{
	return s->number == number && s->in_full &&
		(p->plan->opt.shared || !scop_is_idle(p->scop, s));
}

/* The rows of statement "number" in local step "m", and, where it has a
 * condition, those of the statement that copies values.
 */
static void rows_of_statement(struct cursor *c, struct ks *block, int m,
	int number)
{
	const struct place *p = c->place;
	c->m = kx_int(c->mem, m);
	for (int i = 0; i < p->scop->n_stmts; i++)
		if (has_rows(p, &p->scop->stmt[i], number)) {
			c->stmt = &p->scop->stmt[i];
			ks_add(c->mem, block, straight_row(c));
		}
}

struct ks *straight_rows(struct cursor *c)
{
	const struct place *p = c->place;
	struct ks *block = ks_scope(c->mem);
	int steps = p->plan->rows / p->scop->k;
	bool stores = c->copies_out || stores_at_once(p->plan);

	if (!c->gathered->registers)
		c->gathered->registers = names_new(c->mem);
	c->gathered->n_declared = 0;
	for (int m = 0; m < steps; m++)
		for (int number = 0, first = 0; number < p->scop->k; number++) {
			if (!tile_has(p->plan, number))
				continue;
			rows_of_statement(c, block, m, number);
			if (stores && m == steps - 1 &&
			    number == p->scop->k - 1)
				ks_add(c->mem, block, store_deferred(c));
			if (goes_on(p, first, number))
				continue;
			first = number + 1;
			if (has_barriers(c))
				ks_add(c->mem, block,
					ks_simple(c->mem, KS_BARRIER));
		}
	return block;
}
