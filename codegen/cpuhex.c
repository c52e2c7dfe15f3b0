/* Hexagonal tiles as C: the rows of a statement, a tile, and the phases of
 * tiles that threads share; in place in the copies that the fields rotate.
 */
#include <string.h>

#include "codegen/cpu.h"

enum { MOST_ROWS = 4 };

struct cpu_hex {
	struct cpu *cpu;
	const struct host *h;
	const struct plan *plan;
	const struct kernel_names *names;
	const char *low[IR_MAX_DIMS], *high[IR_MAX_DIMS];	/* of a row */
	const char *row[MOST_ROWS];	/* places of rows computed at a time;
					 * the first is of those left */
	struct kfunc *function;		/* of the rows at hand */
	int n_dims, line;
};

/* Versions --------------------------------------------------------------- */

static int buffers(const struct host *h, const struct field *f)
{
	return h->scop->field[f->index].buffers;
}

static int modulo(int a, int b)
{
	return (a % b + b) % b;
}

/* The copy where the next version 1 - "back" of a step is; copy i < depth is
 * the caller's i-th version, the other one our own:
 *
 *	(t + depth - back) % n
 */
static const struct kx *slot(const struct host *h, const struct field *f,
	const struct kx *time, int back)
{
	int n = buffers(h, f);

	return op(h, OP_MOD, kx_add(h->mem, time, modulo(f->depth - back, n)),
		integer(h, n));
}

static const struct kx *select_of(const struct host *h, const struct kx *a,
	const struct kx *b, const struct kx *c)
{
	const struct kx *arg[3] = { a, b, c };

	return kx_of_kind(h->mem, KX_SELECT, NULL, 3, arg);
}

/* The array that is copy "at" of "f": A_user[at], or A; of a state that the
 * caller does not see A[at].
 */
static const struct kx *copy_at(const struct host *h, const struct field *f,
	const struct kx *at)
{
	const char *user = cpu_user_name(h, f);
	const struct kx *theirs = f->depth == 1 ? name(h, user) :
		kx_of_kind(h->mem, KX_INDEX, user, 1, &at);

	if (f->is_hidden)
		return buffers(h, f) == 1 ? name(h, f->name) :
			kx_of_kind(h->mem, KX_INDEX, f->name, 1, &at);
	if (buffers(h, f) == 1)
		return name(h, user);
	if (buffers(h, f) == f->depth)
		return theirs;
	if (f->depth == 1)
		return select_of(h, at, name(h, f->name), theirs);
	return select_of(h, op(h, OP_LT, at, integer(h, f->depth)), theirs,
		name(h, f->name));
}

/* Rows ------------------------------------------------------------------- */

/* "sign" * (x[d] - param) >= 0, for a new parameter */
static __isl_give isl_set *bounded(__isl_take isl_set *set, int d,
	const char *param, int sign)
{
	unsigned n = (unsigned) isl_set_dim(set, isl_dim_param);
	isl_constraint *c;

	set = isl_set_add_dims(set, isl_dim_param, 1);
	set = isl_set_set_dim_name(set, isl_dim_param, n, param);
	c = isl_constraint_alloc_inequality(isl_local_space_from_space(
		isl_set_get_space(set)));
	c = isl_constraint_set_coefficient_si(c, isl_dim_set, d, sign);
	c = isl_constraint_set_coefficient_si(c, isl_dim_param, (int) n,
		-sign);
	return isl_set_add_constraint(set, c);
}

/* { [x] in "set" : low <= x <= high } */
static __isl_give isl_set *within_row(const struct cpu_hex *x,
	__isl_take isl_set *set)
{
	for (int d = 0; d < x->n_dims; d++) {
		set = bounded(set, d, x->low[d], 1);
		set = bounded(set, d, x->high[d], -1);
	}
	return set;
}

/* What holds of a row in any case: low <= high. */
static __isl_give isl_set *known_of_rows(const struct cpu_hex *x)
{
	return isl_set_params(within_row(x, isl_set_universe(
		isl_space_set_alloc(x->h->scop->ctx, 0,
			(unsigned) x->n_dims))));
}

/* OMP(simd simdlen(line)): left to themselves compilers take vectors of half a
 * line of the cache.
 */
static struct ks *simd(const struct cpu_hex *x, struct ks *loop)
{
	struct ks *block = ks_block(x->h->mem);

	ks_add(x->h->mem, block, cpu_directive(x->h, region_printf(x->h->mem,
		"simd simdlen(%d)", x->line)));
	ks_add(x->h->mem, block, loop);
	return block;
}

static struct ks *only_child(struct ks *s)
{
	while (s->kind == KS_BLOCK && !s->scope && s->n_children == 1)
		s = s->child[0];
	return s;
}

static const char *value_name(const struct host *h, int i)
{
	return fresh_name(h->mem, h->prog, "value%d", i);
}

/* More rows at a time load what they share once, in registers; in three
 * dimensions tiles are few rows wide.
 */
static int rows_at_a_time(const struct cpu_hex *x, const struct kx *value)
{
	return x->n_dims == 2 || has_long_sum(value) ? MOST_ROWS : 2;
}

/* { const TYPE value0 = .., value1 = ..; store them all }: values before stores,
 * so that a compiler sees that what several load is the same.
 */
static struct ks *instances_of_rows(const struct cpu_hex *x, int rows)
{
	const struct host *h = x->h;
	struct builder *b = &x->cpu->b;
	struct ks *body = ks_block(h->mem), *stores = ks_block(h->mem);
	struct kernel_names names = *x->names;
	const struct kx *value[MOST_ROWS];
	const char *type = region_printf(h->mem, "const %s",
		type_name(b->stmt->stmt->write->field->type));

	b->names = &names;
	for (int i = 0; i < rows; i++) {
		const struct ks *assign;

		if (i > 0)
			names.point[x->n_dims - 2] = x->row[i];
		assign = only_child(cpu_instance(b));
		value[i] = assign->x[1];
		ks_add(h->mem, stores, ks_assign(h->mem, assign->x[0],
			name(h, value_name(h, i))));
	}
	b->names = x->names;
	x->function->keeps_order |= sums_side_by_side(h->mem, h->prog, body,
		value, rows);
	for (int i = 0; i < rows; i++)
		ks_add(h->mem, body, ks_declare(h->mem, type,
			value_name(h, i), value[i]));
	ks_add(h->mem, body, stores);
	return body;
}

/* Is it the statement at the names of all dimensions, none of them a number? */
static bool is_anywhere(const struct cpu_hex *x, const struct ks *assign)
{
	return assign->kind == KS_ASSIGN && kx_same(assign->x[0],
		only_child(cpu_instance(&x->cpu->b))->x[0]);
}

/* Can the nest "outer" of loops j and k run several j at a time? */
static bool takes_rows(const struct cpu_hex *x, const struct ks *outer,
	const struct ks *inner)
{
	return inner->kind == KS_FOR && !x->cpu->b.stmt->stmt->locals &&
		outer->x[1]->kind == KX_BINARY &&
		kx_is_int(outer->x[2], 1) &&
		!strcmp(inner->name, x->names->point[x->n_dims - 1]) &&
		is_anywhere(x, only_child(inner->child[0])) &&
		!kx_uses(inner->x[0], outer->name) &&
		!kx_uses(inner->x[1], outer->name);
}

static struct ks *for_row(const struct cpu_hex *x, const struct ks *like,
	struct ks *body)
{
	return simd(x, ks_for(x->h->mem, like->name, like->x[0], like->x[1],
		like->x[2], body));
}

/* The rows left at the end, fewer than are taken at a time, one by one. */
static struct ks *rows_left(const struct cpu_hex *x, const struct ks *outer,
	const struct ks *inner)
{
	const struct host *h = x->h;
	struct builder *b = &x->cpu->b;
	struct kernel_names names = *x->names;
	const struct kx *row = name(h, x->row[0]);
	struct ks *body;

	names.point[x->n_dims - 2] = x->row[0];
	b->names = &names;
	body = cpu_instance(b);
	b->names = x->names;
	return ks_for(h->mem, x->row[0], name(h, outer->name),
		op(h, outer->x[1]->op, row, outer->x[1]->arg[1]),
		integer(h, 1), for_row(x, inner, body));
}

/* for j: for k: body    =>
 * for j by rows: if j + rows - 1 <= last: for k: all rows, else those left
 *
 * where the loop over k does not depend on j.
 */
static struct ks *in_rows(const struct cpu_hex *x, struct ks *outer)
{
	const struct host *h = x->h;
	struct ks *inner = only_child(outer->child[0]), *body;
	const struct kx *condition = outer->x[1], *runs;
	int rows;

	if (!takes_rows(x, outer, inner))
		return NULL;
	rows = rows_at_a_time(x, only_child(inner->child[0])->x[1]);
	body = ks_block(h->mem);
	for (int i = 1; i < rows; i++)
		ks_add(h->mem, body, ks_declare(h->mem, "const int",
			x->row[i], kx_add(h->mem, name(h, outer->name), i)));
	runs = op(h, condition->op, name(h, x->row[rows - 1]),
		condition->arg[1]);
	ks_add(h->mem, body, ks_if(h->mem, runs, for_row(x, inner,
		instances_of_rows(x, rows)), rows == 2 ? simd(x, inner) :
		rows_left(x, outer, inner)));
	return ks_for(h->mem, outer->name, outer->x[0], condition,
		integer(h, rows), body);
}

/* "s", its innermost loops for vectors, and of two rows where that goes. */
static struct ks *vectorised(const struct cpu_hex *x, struct ks *s)
{
	struct ks *rows = NULL;

	if (s->kind == KS_FOR && x->n_dims > 1 &&
	    !strcmp(s->name, x->names->point[x->n_dims - 2]))
		rows = in_rows(x, s);
	if (rows)
		return rows;
	for (int i = 0; i < s->n_children; i++)
		s->child[i] = vectorised(x, s->child[i]);
	return s->kind == KS_FOR && !strcmp(s->name,
		x->names->point[x->n_dims - 1]) ? simd(x, s) : s;
}

static struct ks *instance(void *user)
{
	return cpu_instance(user);
}

/* { params : "set" may have a point }, of simple shape: in a row within the
 * hull of the statement
 */
static __isl_give isl_set *where_rows_run(const struct cpu_hex *x)
{
	const struct host *h = x->h;
	isl_set *hull = cpu_at_time(x->cpu, isl_set_copy(
		x->cpu->b.stmt->hull));

	hull = isl_set_intersect_params(hull, isl_set_copy(h->scop->context));
	return isl_set_params(within_row(x, isl_set_from_basic_set(
		isl_set_simple_hull(hull))));
}

static void add_nests(struct cpu_hex *x, struct ks *block,
	__isl_take isl_set *set, bool mapped)
{
	const struct host *h = x->h;
	const char *first[IR_MAX_DIMS] = { NULL };
	struct loop_nest nest = {
		.mem = h->mem, .n_dims = x->n_dims,
		.iterator = x->names->point, .first = first,
		.body = instance, .user = &x->cpu->b,
	};
	struct ks *nests;

	if (isl_set_is_empty(set) != isl_bool_false) {
		isl_set_free(set);
		return;
	}
	x->cpu->b.mapped = mapped;
	nest.context = where_rows_run(x);
	set = isl_set_intersect_params(cpu_at_time(x->cpu, set),
		isl_set_copy(h->scop->context));
	nests = vectorised(x, loops_of_set(&nest, within_row(x, set)));
	isl_set_free(nest.context);
	if (mapped)
		ks_add(h->mem, block, ks_comment(h->mem,
			"Points that read across the boundary."));
	ks_add(h->mem, block, nests);
}

/* "nests" where the row at hand may have a point of the statement. */
static struct ks *where_it_runs(const struct cpu_hex *x, struct ks *nests)
{
	const struct host *h = x->h;
	isl_set *known = isl_set_intersect_params(isl_set_params(cpu_at_time(
		x->cpu, cpu_all_steps(x->cpu))),
		isl_set_copy(h->scop->context));
	isl_set *runs = where_rows_run(x);
	const struct kx *guard;

	known = isl_set_intersect(known, known_of_rows(x));
	guard = kx_of_set(h->mem, runs, known);
	return guard ? ks_if(h->mem, guard, nests, NULL) : nests;
}

/* static void NAME_run_rows(params, t, i_low, i_high, .., A_old, A_new): the
 * instances of "s" at t and low <= x <= high.
 */
static struct kfunc *rows_function(struct cpu_hex *x,
	const struct scop_stmt *s, int i)
{
	const struct host *h = x->h;
	const struct program *prog = h->prog;
	struct kfunc *f = cpu_function(h, h->scop->n_stmts == 1 ? "rows" :
		region_printf(h->mem, "rows%d", i));
	isl_set *domain = isl_set_copy(s->domain);
	struct ks *nests = ks_block(h->mem);

	f->comment = region_printf(h->mem, s->is_carry ? "The cells of %s in "
		"a box that no statement writes." : "%s in a box, a step on.",
		s->stmt->write->field->name);
	kfunc_add_int(h->mem, f, x->names->time);
	for (int d = 0; d < x->n_dims; d++) {
		kfunc_add_int(h->mem, f, x->low[d]);
		kfunc_add_int(h->mem, f, x->high[d]);
	}
	for (int k = 0; k < prog->n_fields; k++) {
		const struct field *field = prog->field[k];

		if (field->kind != FIELD_STATE) {
			cpu_add_array(h, f, field, field->name, 1,
				field->kind == FIELD_TEMP);
			continue;
		}
		for (int back = buffers(h, field) - 1; back >= 0; back--)
			cpu_add_array(h, f, field, version_name(h->mem, prog,
				field, 1 - back), 1, false);
	}
	x->cpu->b.stmt = s;
	x->function = f;
	add_nests(x, nests, s->is_mapped ? isl_set_coalesce(
		isl_set_intersect(isl_set_copy(domain),
			isl_set_copy(s->inside))) : isl_set_copy(domain),
		false);
	if (s->is_mapped)
		add_nests(x, nests, isl_set_coalesce(isl_set_subtract(
			isl_set_copy(domain), isl_set_copy(s->inside))), true);
	isl_set_free(domain);
	if (nests->n_children)
		ks_add(h->mem, f->body, where_it_runs(x, nests));
	kfunc_drop_unused(f);
	return f;
}

/* Tiles ------------------------------------------------------------------ */

/* floor((r.num * a + plus) / r.den) + add */
static const struct kx *scaled(const struct cpu_hex *x, struct rational r,
	const struct kx *a, int64_t plus, int64_t add)
{
	const struct host *h = x->h;
	const struct kx *scale = integer(h, r.num < 0 ? -r.num : r.num);
	const struct kx *product = op(h, OP_MUL, scale, a);

	if (r.num == 0)
		return integer(h, floor_div(plus, r.den) + add);
	if (r.den == 1)
		plus += add;
	product = r.num < 0 ? op(h, OP_SUB, integer(h, plus), product) :
		kx_add(h->mem, product, plus);
	return r.den == 1 ? product : kx_add(h->mem, kx_call(h->mem, "floord",
		2, product, integer(h, r.den)), add);
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

/* hexagon_first and hexagon_last of "a" */
static const struct kx *hexagon_side(const struct cpu_hex *x,
	const struct kx *a, bool last)
{
	const struct hexagon *hex = &x->plan->hexagon;
	struct rational d0 = hex->delta0, d1 = hex->delta1;
	int64_t top = 2 * hex->h + 1;
	struct region *r = x->h->mem;

	if (last)
		return kx_call(r, "imin", 2, scaled(x, negative(d1), a,
			d1.num * top, hex->f0 + hex->w0), scaled(x, d0, a,
			d0.den - 1 - d0.num * hex->h,
			hex->f0 + hex->w0 + hex->f1));
	return kx_call(r, "imax", 2, scaled(x, d0, a,
		d0.den - 1 - d0.num * top, hex->f0), scaled(x, negative(d1),
		a, d1.num * hex->h, 0));
}

/* The least or greatest x[d] of row "a" of the tile. */
static const struct kx *side_of_row(const struct cpu_hex *x, int d,
	const struct kx *a, bool last)
{
	const struct kx *origin = name(x->h, x->names->origin[d]);

	if (d == x->plan->hex_dim)
		return op(x->h, OP_ADD, origin, hexagon_side(x, a, last));
	return minus(x, last ? kx_add(x->h->mem, origin,
		x->plan->width[d] - 1) : origin, scaled(x, x->plan->skew[d],
		a, 0, 0));
}

/* The array that the parameter "param" of a function for rows stands for. */
static const struct kx *array_of(const struct cpu_hex *x, const char *param)
{
	const struct host *h = x->h;

	for (int k = 0; k < h->prog->n_fields; k++) {
		const struct field *f = h->prog->field[k];

		if (f->kind != FIELD_STATE)
			continue;
		for (int back = 0; back < buffers(h, f); back++)
			if (!strcmp(param, version_name(h->mem, h->prog, f,
			    1 - back)))
				return copy_at(h, f, slot(h, f, name(h,
					x->names->time), back));
	}
	return NULL;
}

struct row_of_tile {
	const struct cpu_hex *x;
	const struct kx *a;
};

static const struct kx *argument_of_rows(const void *user, const char *param)
{
	const struct row_of_tile *row = user;
	const struct cpu_hex *x = row->x;

	for (int d = 0; d < x->n_dims; d++) {
		if (!strcmp(param, x->low[d]))
			return side_of_row(x, d, row->a, false);
		if (!strcmp(param, x->high[d]))
			return side_of_row(x, d, row->a, true);
	}
	return array_of(x, param);
}

static struct ks *call_rows(const struct cpu_hex *x, const struct kfunc *rows,
	int slot_of_stmt)
{
	const struct host *h = x->h;
	struct row_of_tile row = { x, kx_add(h->mem, op(h, OP_MUL, integer(h,
		h->scop->k), name(h, x->names->step)), slot_of_stmt) };

	return ks_expression(h->mem, KS_EXPRESSION, kfunc_call(h->mem, rows,
		argument_of_rows, &row));
}

static void declare_int(const struct host *h, struct ks *block,
	const char *var, const struct kx *value)
{
	ks_add(h->mem, block, ks_declare(h->mem, "const int", var, value));
}

/* for the tiles of the other dimensions: for m: rows of each statement */
static struct ks *tile_body(const struct cpu_hex *x, struct kfunc **rows)
{
	const struct host *h = x->h;
	const struct kernel_names *n = x->names;
	struct ks *body = ks_block(h->mem), *calls = ks_block(h->mem), *s;
	const struct kx *t0 = name(h, n->t0);

	for (int slot_at = 0; slot_at < h->scop->k; slot_at++)
		for (int i = h->scop->n_stmts - 1; i >= 0; i--)
			if (rows[i] && h->scop->stmt[i].slot == slot_at)
				ks_add(h->mem, calls, call_rows(x, rows[i],
					slot_at));
	if (ks_uses(calls, n->time))
		declare_int(h, body, n->time, op(h, OP_ADD, t0,
			name(h, n->step)));
	ks_add(h->mem, body, calls);
	s = ks_for(h->mem, n->step, kx_call(h->mem, "imax", 2,
		kx_unary(h->mem, OP_NEG, t0), integer(h, 0)), op(h, OP_LT,
		name(h, n->step), kx_call(h->mem, "imin", 2, minus(x,
		name(h, n->steps), t0), integer(h, x->plan->time_pitch))),
		integer(h, 1), body);
	for (int d = x->n_dims - 1; d >= 0; d--) {
		struct ks *block = ks_block(h->mem);
		const struct kx *at = name(h, n->tile[d]);

		if (d == x->plan->hex_dim)
			continue;
		declare_int(h, block, n->origin[d], op(h, OP_MUL, at,
			integer(h, x->plan->pitch[d])));
		ks_add(h->mem, block, s);
		s = ks_for(h->mem, n->tile[d], tile_of_edge(h->mem, x->plan,
			n, integer(h, 0), d, false), op(h, OP_LE, at,
			tile_of_edge(h->mem, x->plan, n, integer(h, 0), d,
				true)), integer(h, 1), block);
	}
	return s;
}

/* The fields as the run has them. */
static void add_fields(const struct cpu_hex *x, struct kfunc *f)
{
	for (int k = 0; k < x->h->prog->n_fields; k++) {
		const struct field *field = x->h->prog->field[k];

		cpu_add_array(x->h, f, field, field->name,
			field->is_hidden ? buffers(x->h, field) : 1,
			field->kind == FIELD_TEMP);
		if (field->kind == FIELD_STATE && !field->is_hidden)
			cpu_add_array(x->h, f, field, cpu_user_name(x->h,
				field), field->depth, false);
	}
}

static struct kfunc *tile_function(const struct cpu_hex *x,
	struct kfunc **rows)
{
	struct region *r = x->h->mem;
	struct kfunc *f = cpu_function(x->h, "tile");

	f->comment = "A hexagon in time and the first dimension: the tiles of "
		"the other dimensions, which\nlean back in time, one after "
		"the other.";
	kfunc_add_int(r, f, x->names->steps);
	kfunc_add_int(r, f, x->names->t0);
	kfunc_add_int(r, f, x->names->origin[x->plan->hex_dim]);
	add_fields(x, f);
	ks_add(r, f->body, tile_body(x, rows));
	kfunc_drop_unused(f);
	return f;
}

/* The run ---------------------------------------------------------------- */

static const struct kx *of_phase(const struct cpu_hex *x, const int *value)
{
	const struct host *h = x->h;

	return value[0] == value[1] ? integer(h, value[0]) : select_of(h,
		op(h, OP_EQ, name(h, x->names->phase), integer(h, 0)),
		integer(h, value[0]), integer(h, value[1]));
}

/* for T: for phase: for all hexagons, shared out: tile */
static struct ks *all_phases(const struct cpu_hex *x,
	const struct kfunc *tile)
{
	const struct host *h = x->h;
	const struct plan *plan = x->plan;
	const struct kernel_names *n = x->names;
	int hex = plan->hex_dim, drift = plan->drift[hex];
	const struct kx *tt = name(h, n->tt), *phase = name(h, n->phase);
	const struct kx *start = op(h, OP_MUL, tt, integer(h,
		plan->time_pitch));
	struct ks *body = ks_block(h->mem), *tiles = ks_block(h->mem);

	declare_int(h, tiles, n->origin[hex], minus(x, minus(x, op(h, OP_MUL,
		name(h, n->tile[hex]), integer(h, plan->pitch[hex])),
		of_phase(x, plan->shift[hex])), op(h, OP_MUL,
		integer(h, drift), tt)));
	ks_add(h->mem, tiles, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, tiles, ks_expression(h->mem, KS_EXPRESSION,
		kfunc_call(h->mem, tile, NULL, NULL)));
	declare_int(h, body, n->t0, minus(x, start, of_phase(x,
		plan->time_shift)));
	declare_int(h, body, n->first[hex], tile_of_edge(h->mem, plan, n,
		phase, hex, false));
	declare_int(h, body, n->last[hex], tile_of_edge(h->mem, plan, n,
		phase, hex, true));
	ks_add(h->mem, body, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, body, cpu_directive(h, "for schedule(dynamic)"));
	ks_add(h->mem, body, ks_for(h->mem, n->tile[hex], name(h,
		n->first[hex]), op(h, OP_LE, name(h, n->tile[hex]), name(h,
		n->last[hex])), integer(h, 1), tiles));
	return ks_for(h->mem, n->tt, integer(h, 0), op(h, OP_LT, start,
		kx_add(h->mem, name(h, n->steps), plan->time_shift[0])),
		integer(h, 1), ks_for(h->mem, n->phase, integer(h, 0),
		op(h, OP_LT, phase, integer(h, 2)), integer(h, 1), body));
}

/* Our own copy gets the cells that the first step does not write, or more. */
static struct ks *kept_cells(void *user)
{
	const struct cpu_hex *x = user;
	const struct host *h = x->h;
	const struct field *f = x->cpu->b.field;

	return ks_assign(h->mem, cpu_cell(h, f, f->name, 1, NULL),
		cpu_cell(h, f, cpu_user_name(h, f), f->depth,
			integer(h, f->depth - 1)));
}

struct adding {
	const struct cpu_hex *x;
	struct ks *block;
};

static isl_stat add_kept_part(__isl_take isl_basic_set *part, void *user)
{
	const struct adding *adding = user;
	const struct cpu_hex *x = adding->x;
	const char *first[IR_MAX_DIMS] = { NULL };
	struct loop_nest nest = {
		.mem = x->h->mem, .n_dims = x->cpu->b.field->n_dims,
		.iterator = x->names->point, .first = first,
		.body = kept_cells, .user = (void *) x,
	};

	ks_add(x->h->mem, adding->block, cpu_share_out(x->h, loops_of_set(
		&nest, isl_set_from_basic_set(part))));
	return isl_stat_ok;
}

static void add_kept_cells(const struct cpu_hex *x, struct ks *block,
	const struct field *f)
{
	const struct host *h = x->h;
	struct adding adding = { x, block };
	isl_set *kept;

	if (buffers(h, f) == f->depth)
		return;
	kept = isl_set_reset_tuple_id(isl_set_copy(
		h->scop->field[f->index].cells));
	for (int i = 0; i < h->scop->n_stmts; i++) {
		const struct scop_stmt *s = &h->scop->stmt[i];
		isl_set *domain = isl_set_copy(s->domain);

		if (s->is_carry || s->is_guarded ||
		    s->stmt->write->field != f) {
			isl_set_free(domain);
			continue;
		}
		domain = isl_set_fix_si(domain, isl_dim_set, 0, 0);
		domain = isl_set_project_out(isl_set_reset_tuple_id(domain),
			isl_dim_set, 0, 1);
		kept = isl_set_subtract(kept, domain);
	}
	kept = isl_set_make_disjoint(isl_set_coalesce(
		isl_set_intersect_params(kept,
			isl_set_copy(h->scop->context))));
	if (isl_set_is_empty(kept) != isl_bool_false) {
		isl_set_free(kept);
		return;
	}
	x->cpu->b.field = f;
	isl_set_foreach_basic_set(kept, add_kept_part, &adding);
	x->cpu->b.field = NULL;
	isl_set_free(kept);
}

/* The caller's versions from the copies where the last steps left them. */
static void add_results(const struct cpu_hex *x, struct ks *block,
	const struct field *f)
{
	const struct host *h = x->h;
	const char *user = cpu_user_name(h, f);
	struct ks *body = ks_block(h->mem), *stores = ks_block(h->mem);
	struct ks *copies = ks_block(h->mem);
	int n = buffers(h, f);
	const struct kx *last = op(h, OP_MOD, name(h, x->names->steps),
		integer(h, n));

	for (int i = 0; i < f->depth; i++) {
		const char *value = fresh_name(h->mem, h->prog, "value%d", i);
		const struct kx *at = op(h, OP_MOD, kx_add(h->mem, name(h,
			x->names->steps), i), integer(h, n));
		const struct kx *theirs = cpu_cell(h, f, user, f->depth, at);
		const struct kx *own = cpu_cell(h, f, f->name, 1, NULL);

		ks_add(h->mem, body, ks_declare(h->mem, region_printf(h->mem,
			"const %s", type_name(f->type)), value,
			n == f->depth ? theirs : f->depth == 1 ? own :
			select_of(h, op(h, OP_LT, at, integer(h, f->depth)),
				theirs, own)));
		ks_add(h->mem, stores, ks_assign(h->mem, cpu_cell(h, f, user,
			f->depth, integer(h, i)), name(h, value)));
	}
	ks_add(h->mem, body, stores);
	cpu_add_copies(h, copies, f, body);
	ks_add(h->mem, block, ks_if(h->mem, last, copies, NULL));
}

/* "add" for each state of the caller's that has several copies. */
static void each_visible(const struct cpu_hex *x, struct ks *block,
	void (*add)(const struct cpu_hex *x, struct ks *block,
		const struct field *f))
{
	for (int k = 0; k < x->h->prog->n_fields; k++) {
		const struct field *f = x->h->prog->field[k];

		if (f->kind == FIELD_STATE && !f->is_hidden &&
		    buffers(x->h, f) > 1)
			add(x, block, f);
	}
}

static void name_rows(struct cpu_hex *x)
{
	const struct host *h = x->h;
	const char *point = h->names->point[x->n_dims > 1 ? x->n_dims - 2 : 0];

	for (int i = 0; i < MOST_ROWS; i++)
		x->row[i] = i == 0 ? fresh_name(h->mem, h->prog, "%s_left",
			point) : fresh_name(h->mem, h->prog, "%s_%d", point, i);
}

void cpu_hex_add_run(struct cpu *cpu, struct ks *region,
	struct kfunc ***functions)
{
	const struct host *h = &cpu->h;
	struct kfunc **all = region_array(h->mem, struct kfunc *,
		h->scop->n_stmts + 2);
	struct kfunc **rows = region_array(h->mem, struct kfunc *,
		h->scop->n_stmts);
	struct cpu_hex x = {
		.cpu = cpu, .h = h, .plan = h->plan, .names = h->names,
		.n_dims = h->scop->n_dims,
		.line = 64 / type_size(h->prog->stmt[0]->write->field->type),
	};
	struct kfunc *tile;
	int n = 0;

	for (int d = 0; d < x.n_dims; d++) {
		const char *point = h->names->point[d];

		x.low[d] = fresh_name(h->mem, h->prog, "%s_low", point);
		x.high[d] = fresh_name(h->mem, h->prog, "%s_high", point);
	}
	name_rows(&x);
	cpu->b.versions = true;
	for (int i = 0; i < h->scop->n_stmts; i++) {
		if (cpu_is_idle(h, &h->scop->stmt[i]))
			continue;
		rows[i] = rows_function(&x, &h->scop->stmt[i], i);
		if (rows[i]->body->n_children)
			all[n++] = rows[i];
		else
			rows[i] = NULL;
	}
	tile = all[n++] = tile_function(&x, rows);
	*functions = all;
	each_visible(&x, region, add_kept_cells);
	ks_add(h->mem, region, cpu_directive(h, "barrier"));
	ks_add(h->mem, region, all_phases(&x, tile));
	each_visible(&x, region, add_results);
}
