/* The function for a hexagonal tile: where its rows lie, and which copies of
 * the states hold the versions that they read and write.
 */
#include <string.h>

#include "codegen/hex/hex.h"
#include "ir/blocks.h"

/* The copy that holds version 1 - "back" of a step; copy i < versions is the
 * caller's i-th version, the other one ours:
 *
 *	(t + versions - back) % n
 */
static const struct kx *copy_of_version(const struct host *h,
	const struct field *f, const struct kx *time, int back)
{
	int n = cpu_hex_copies(h, f);

	return op(h, OP_MOD, kx_add(h->mem, time, floor_mod(
		cpu_versions(h, f) - back, n)), integer(h, n));
}

/* The array that is copy "at" of "f": A_user[at], or A; for a state that the
 * caller does not see, A[at].
 */
static const struct kx *copy_at(const struct host *h, const struct field *f,
	const struct kx *at)
{
	const char *user = cpu_user_name(h, f);
	int versions = cpu_versions(h, f);
	const struct kx *theirs = versions == 1 ? name(h, user) :
		kx_of_kind(h->mem, KX_INDEX, user, 1, &at);

	if (f->is_hidden)
		return cpu_hex_copies(h, f) == 1 ? name(h, f->name) :
			kx_of_kind(h->mem, KX_INDEX, f->name, 1, &at);
	if (cpu_hex_copies(h, f) == 1)
		return name(h, user);
	if (cpu_hex_copies(h, f) == versions)
		return theirs;
	if (versions == 1)
		return kx_select(h->mem, at, name(h, f->name), theirs);
	return kx_select(h->mem, op(h, OP_LT, at, integer(h, versions)), theirs,
		name(h, f->name));
}

const struct kx *cpu_hex_array(const struct cpu_hex *x, const struct field *f,
	int back)
{
	return copy_at(x->h, f, copy_of_version(x->h, f, name(x->h,
		x->names->time), back));
}

static const struct kx *minus(const struct cpu_hex *x, const struct kx *a,
	const struct kx *b)
{
	return op(x->h, OP_SUB, a, b);
}

static struct rational negative(struct rational r)
{
	return (struct rational) { -r.num, r.den };
}

/* "by" times "a" */
static const struct kx *times(const struct cpu_hex *x, int64_t by,
	const struct kx *a)
{
	return op(x->h, OP_MUL, integer(x->h, by), a);
}

/* hexagon_last of "a" */
static const struct kx *last_of_hexagon(const struct cpu_hex *x,
	const struct kx *a, const struct kx *top)
{
	const struct hexagon *hex = &x->plan->tiles.hexagon;
	struct rational d0 = hex->delta0, d1 = hex->delta1;
	const struct kx *base = plus(x, x->size.f[0],
		x->size.width[x->plan->tiles.hex_dim]);
	struct offset_of_row upper = { times(x, d1.num, top), NULL, base };
	struct offset_of_row lower = { integer(x->h, d0.den - 1), times(x,
		d0.num, x->size.h), plus(x, base, x->size.f[1]) };

	return kx_min(x->h->mem, cpu_hex_scaled(x, negative(d1), a, upper),
		cpu_hex_scaled(x, d0, a, lower));
}

/* hexagon_first of "a" */
static const struct kx *first_of_hexagon(const struct cpu_hex *x,
	const struct kx *a, const struct kx *top)
{
	const struct hexagon *hex = &x->plan->tiles.hexagon;
	struct rational d0 = hex->delta0, d1 = hex->delta1;
	struct offset_of_row upper = { integer(x->h, d0.den - 1), times(x,
		d0.num, top), x->size.f[0] };
	struct offset_of_row lower = { times(x, d1.num, x->size.h), NULL,
		integer(x->h, 0) };

	return kx_max(x->h->mem, cpu_hex_scaled(x, d0, a, upper),
		cpu_hex_scaled(x, negative(d1), a, lower));
}

const struct kx *cpu_hex_side_of_row(const struct cpu_hex *x, int d,
	const struct kx *a, bool last)
{
	const struct kx *origin = name(x->h, x->names->origin[d]);
	const struct kx *top = kx_add(x->h->mem, times(x, 2, x->size.h), 1);

	if (d == x->plan->tiles.hex_dim)
		return plus(x, origin, (last ? last_of_hexagon :
			first_of_hexagon)(x, a, top));
	return minus(x, last ? kx_add(x->h->mem, plus(x, origin,
		x->size.width[d]), -1) : origin, cpu_hex_floor(x,
		x->plan->tiles.skew[d], a));
}

/* The array that parameter "param" of a function for rows stands for. */
static const struct kx *array_of(const struct cpu_hex *x, const char *param)
{
	const struct host *h = x->h;

	for (int k = 0; k < h->prog->n_fields; k++) {
		const struct field *f = h->prog->field[k];

		if (f->kind != FIELD_STATE)
			continue;
		for (int back = 0; back < cpu_hex_copies(h, f); back++)
			if (!strcmp(param, version_name(h->mem, h->prog, f,
			    1 - back)))
				return cpu_hex_array(x, f, back);
	}
	return NULL;
}

/* For a rank's block: how many steps follow the current one before the next exchange. */
static const char *left_name(const struct cpu_hex *x)
{
	return fresh_name(x->h->mem, x->h->prog, "left");
}

/* The least or greatest x[d] that the current step needs. */
static const struct kx *edge_of_needed(const struct cpu_hex *x,
	const struct needed_points *needed, int d, bool last)
{
	const struct host *h = x->h;
	const struct block_dim *dim = &needed->dim[d];
	int side = last ? SIDE_HIGH : SIDE_LOW;
	const struct kx *steps = op(h, OP_MUL, integer(h, dim->slope[side]),
		name(h, left_name(x)));
	int more = needed->more[d][side];

	return last ? kx_add(h->mem, op(h, OP_ADD, name(h, dim->own_end->name),
		steps), more - 1) : kx_add(h->mem, minus(x, name(h,
		dim->own->name), steps), -more);
}

/* .. in the grid, where the dimension goes around; for a rank's block at most "needed". */
static const struct kx *side_of_call(const struct cpu_hex *x,
	const struct needed_points *needed, int d, const struct kx *a,
	bool last)
{
	const struct kx *side = plan_goes_around(x->plan, d) ?
		cpu_hex_side_of_turn(x, d, last) : cpu_hex_side_of_row(x, d, a, last);

	if (!needed || d >= needed->n_dims)
		return side;
	return last ? kx_min(x->h->mem, side, edge_of_needed(x, needed, d,
		last)) : kx_max(x->h->mem, side, edge_of_needed(x, needed, d,
		last));
}

struct call_of_rows {
	const struct cpu_hex *x;
	const struct needed_points *needed;	/* or NULL: all */
	const struct kx *a;
	int reduction;			/* or -1 */
};

static const struct kx *argument_of_rows(const void *user, const char *param)
{
	const struct call_of_rows *call = user;
	const struct cpu_hex *x = call->x;
	const struct kx *own;

	if (call->reduction >= 0 && (own = cpu_hex_argument_of_reduction(x,
	    call->reduction, param)))
		return own;
	for (int d = 0; d < x->n_dims; d++) {
		if (!strcmp(param, x->low[d]))
			return side_of_call(x, call->needed, d, call->a,
				false);
		if (!strcmp(param, x->high[d]))
			return side_of_call(x, call->needed, d, call->a,
				true);
	}
	return array_of(x, param);
}

static struct ks *call_rows(const struct cpu_hex *x, const struct kfunc *rows,
	const struct scop_stmt *s)
{
	const struct host *h = x->h;
	struct call_of_rows call = { x, s->is_copy ? NULL : s->stmt->needed,
		kx_add(h->mem, op(h, OP_MUL, integer(h, h->scop->k), name(h,
			x->names->step)), s->number), -1 };
	struct row_of_tile row;

	for (int d = 0; d < x->n_dims; d++) {
		row.low[d] = cpu_hex_side_of_row(x, d, call.a, false);
		row.high[d] = cpu_hex_side_of_row(x, d, call.a, true);
		row.lead[d] = plan_has_lead(x->plan, d) ? cpu_hex_floor(x,
			x->plan->tiles.around[d].lead, call.a) : NULL;
	}
	return cpu_hex_each_turn(x, &row, ks_expression(h->mem, KS_EXPRESSION,
		kfunc_call(h->mem, rows, argument_of_rows, &call)));
}

/* What is due of the step at hand, in the box of its last row. */
static void add_reductions(const struct cpu_hex *x, struct ks *calls,
	struct kfunc **reduce)
{
	const struct host *h = x->h;

	for (int i = 0; i < h->prog->n_reductions; i++) {
		struct call_of_rows call = { x, NULL, kx_add(h->mem, op(h,
			OP_MUL, integer(h, h->scop->k), name(h,
				x->names->step)), h->scop->k - 1), i };
		const struct kx *due = cpu_hex_reduction_due(x, i);
		struct ks *s;

		if (!reduce[i])
			continue;
		s = ks_expression(h->mem, KS_EXPRESSION, kfunc_call(h->mem,
			reduce[i], argument_of_rows, &call));
		ks_add(h->mem, calls, due ? ks_if(h->mem, due, s, NULL) : s);
	}
}

/* for the tiles of the other dimensions: for m: rows of each statement */
static struct ks *tile_body(const struct cpu_hex *x,
	const struct boxes_of_tile *boxes)
{
	const struct host *h = x->h;
	const struct kernel_names *n = x->names;
	struct ks *body = ks_block(h->mem), *calls = ks_block(h->mem), *s;
	const struct kx *t0 = name(h, n->t0);

	cpu_hex_add_fetches(x, boxes, calls);
	for (int number = 0; number < h->scop->k; number++) {
		for (int i = h->scop->n_stmts - 1; i >= 0; i--)
			if (boxes->rows[i] && h->scop->stmt[i].number == number)
				ks_add(h->mem, calls, call_rows(x, boxes->rows[i],
					&h->scop->stmt[i]));
		for (int i = 0; i < h->scop->n_stmts; i++)
			if (boxes->lists[i] && h->scop->stmt[i].number == number)
				ks_add(h->mem, calls, call_rows(x, boxes->lists[i],
					&h->scop->stmt[i]));
	}
	add_reductions(x, calls, boxes->reduce);
	if (ks_uses(calls, n->time) || ks_uses(calls, left_name(x)))
		host_declare_int(h, body, n->time, op(h, OP_ADD, t0,
			name(h, n->step)));
	if (ks_uses(calls, left_name(x)))
		host_declare_int(h, body, left_name(x), kx_add(h->mem, minus(x,
			name(h, n->steps), name(h, n->time)), -1));
	ks_add(h->mem, body, calls);
	s = ks_for(h->mem, n->step, kx_max(h->mem,
		kx_unary(h->mem, OP_NEG, t0), integer(h, 0)), op(h, OP_LT,
		name(h, n->step), kx_min(h->mem, minus(x,
		name(h, n->steps), t0), x->size.time_pitch)),
		integer(h, 1), body);
	for (int d = x->n_dims - 1; d >= 0; d--) {
		struct ks *block = ks_block(h->mem);
		const struct kx *at = name(h, n->tile[d]);

		if (d == x->plan->tiles.hex_dim)
			continue;
		host_declare_int(h, block, n->origin[d], op(h, OP_MUL, at,
			x->size.pitch[d]));
		ks_add(h->mem, block, s);
		s = ks_for(h->mem, n->tile[d], cpu_hex_edge(x, d, false),
			op(h, OP_LE, at, cpu_hex_edge(x, d, true)),
			integer(h, 1), block);
		s = cpu_hex_with_moves(x, d, s);
	}
	return s;
}

/* The fields as the run stores them. */
static void add_fields(const struct cpu_hex *x, struct kfunc *f)
{
	for (int k = 0; k < x->h->prog->n_fields; k++) {
		const struct field *field = x->h->prog->field[k];

		cpu_add_array(x->h, f, field, field->name, cpu_copies(x->h,
			field), cpu_layout_of_copies(x->h, field));
		if (field->kind == FIELD_STATE && !field->is_hidden)
			cpu_add_array(x->h, f, field, cpu_user_name(x->h,
				field), cpu_versions(x->h, field),
				cpu_layout_of_user(x->h, field));
	}
}

static const char *ordinal(int dim)
{
	static const char *const names[IR_MAX_DIMS] = { "first", "second",
		"third", "fourth", "fifth", "sixth", "seventh", "eighth" };

	return names[dim];
}

struct kfunc *cpu_hex_tile(const struct cpu_hex *x,
	const struct boxes_of_tile *boxes)
{
	struct region *r = x->h->mem;
	struct kfunc *f = cpu_function(x->h, "tile");
	struct ks *body;

	f->comment = region_printf(r, "A hexagon in time and the %s dimension: "
		"the tiles of the other dimensions, which\nlean back in time, "
		"in order.", ordinal(x->plan->tiles.hex_dim));
	kfunc_add_int(r, f, x->names->steps);
	kfunc_add_int(r, f, x->names->t0);
	kfunc_add_int(r, f, x->names->origin[x->plan->tiles.hex_dim]);
	kfunc_add_int(r, f, cpu_hex_more_name(x));
	cpu_add_sizes(x->h, f);
	add_fields(x, f);
	cpu_hex_add_values(x->h, f);
	body = tile_body(x, boxes);
	cpu_hex_declare_sizes(x, f->body, body);
	ks_add(r, f->body, body);
	kfunc_drop_unused(f);
	return f;
}
