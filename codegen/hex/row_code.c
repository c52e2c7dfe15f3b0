/* The functions of rows of vectors. */
#include <string.h>

#include "codegen/hex/rows.h"

static struct region *mem(const struct rows *r)
{
	return r->x->h->mem;
}

/* The functions ------------------------------------------------------ */

static const struct kx *named(const struct rows *r, const char *form)
{
	return kx_name(mem(r), rows_name(r->x, form));
}

static const struct kx *op_of(const struct rows *r, enum op op,
	const struct kx *a, const struct kx *b)
{
	return kx_binary(mem(r), op, a, b);
}

static const char *value_name(const struct rows *r, int row)
{
	return fresh_name(mem(r), r->x->h->prog, "value%d", row);
}

static bool finds_next(const struct rows *r, const struct line *line)
{
	return r->by_lines ? line->high > 0 : line->shifted && line->high > 0;
}

/* The lanes of a turn of the loop. */
static const struct kx *step_of(const struct rows *r)
{
	return !r->by_lines ? rows_lanes(r) : op_of(r, OP_MUL, kx_int(mem(r), 2),
		rows_lanes(r));
}

/* The last place of a vector that finds the next one in all rows of "line", as long as the grid or
 * as the tile: SIZE - 2 * lanes, or k_end - max(lanes - high, 0).  By lines, of the first of two:
 * SIZE - 3 * lanes.
 */
static const struct kx *last_in_line(const struct rows *r, const struct line *line)
{
	const struct kx *lanes = rows_lanes(r), *end = named(r, "%s_end");

	if (rows_go_on(r->x))
		return op_of(r, OP_SUB, cpu_extent(r->x->h, line->at->of->access->field,
			r->x->n_dims - 1, CPU_CALLERS), op_of(r, OP_MUL,
			kx_int(mem(r), r->by_lines ? 3 : 2), lanes));
	if (line->high == 1)
		return op_of(r, OP_SUB, kx_add(mem(r), end, 1), lanes);
	return op_of(r, OP_SUB, end, kx_max(mem(r), kx_add(mem(r), lanes,
		-line->high), kx_int(mem(r), 0)));
}

/* Is it the place of an earlier line? */
static bool is_said(const struct rows *r, int n, const struct kx *last)
{
	for (int i = 0; i < n; i++)
		if (finds_next(r, &r->line[i]) &&
		    kx_same(last_in_line(r, &r->line[i]), last))
			return true;
	return false;
}

/* .. in all rows, but at most k_end; a vector may be shorter than what is read behind it. */
static const struct kx *last_of_vectors(const struct rows *r)
{
	const struct kx *all = named(r, "%s_end"), *last;

	if (r->by_lines)
		all = op_of(r, OP_SUB, all, rows_lanes(r));
	for (int i = 0; i < r->n_lines; i++) {
		if (!finds_next(r, &r->line[i]))
			continue;
		last = last_in_line(r, &r->line[i]);
		if (!is_said(r, i, last))
			all = kx_min(mem(r), all, last);
	}
	return all;
}

/* All loads, then all values, then all stores. */
static void add_together(const struct rows *r, const struct ks *assign,
	struct ks *block)
{
	rows_declare_loads(r, block);
	for (int i = 0; i < r->n; i++) {
		struct rows one = *r;

		one.row = i;
		rows_declare(r, block, true, value_name(r, i), rows_vectors(&one,
			rows_value(r->x, assign->x[1], i)));
	}
	for (int i = 0; i < r->n; i++)
		rows_add_store(r, assign, i, kx_name(mem(r), value_name(r, i)),
			block);
	rows_add_moves(r, block);
}

/* Row after row what it is the first one to read, and its value. */
static void add_one_by_one(const struct rows *r, const struct ks *assign,
	struct ks *block)
{
	for (int i = 0; i < r->n; i++) {
		const struct kx *value = rows_value(r->x, assign->x[1], i);

		rows_declare_kept(r, value, block);
		rows_add_store(r, assign, i, rows_vectors(r, value), block);
	}
}

/* for (k = k_lines; k <= k_whole; k += lanes) the vectors of all rows; by lines k += 2 * lanes */
static struct ks *whole_vectors(struct rows *r, const struct ks *assign)
{
	const struct kx *k = kx_name(mem(r), rows_innermost(r->x));
	const struct kx *whole = kx_name(mem(r), rows_name(r->x, "%s_whole"));
	struct ks *body = ks_scope(mem(r));

	if (r->by_lines)
		rows_add_line(r, assign, body);
	else if (r->by_sums)
		rows_add_sums(r, assign, body);
	else if (r->keeps)
		add_one_by_one(r, assign, body);
	else
		add_together(r, assign, body);
	return ks_for(mem(r), rows_innermost(r->x), kx_name(mem(r), rows_name(r->x,
		"%s_lines")), kx_binary(mem(r), OP_LE, k, whole),
		step_of(r), body);
}

/* The cells of a row that is too short for a vector. */
static struct ks *short_row(const struct rows *r, const struct ks *assign)
{
	const struct kx *k = kx_name(mem(r), rows_innermost(r->x));

	return ks_for(mem(r), rows_innermost(r->x), kx_name(mem(r), rows_name(r->x,
		"%s_first")), kx_binary(mem(r), OP_LE, k, kx_name(mem(r),
			rows_name(r->x, "%s_last"))), kx_int(mem(r), 1),
		(struct ks *) assign);
}

/* static void NAME_run_WHAT(params, t, i, j, ..), and then further integers */
static struct kfunc *new_function(const struct rows *r, const char *what)
{
	const struct cpu_hex *x = r->x;
	const struct host *h = x->h;
	struct kfunc *f = cpu_function(h, region_printf(h->mem, "%s%s%s", what,
		h->scop->n_stmts == 1 ? "" : region_printf(h->mem, "_of_%s",
			x->c.stmt->stmt->name), x->part == 0 ? "" :
		region_printf(h->mem, "_%d", x->part)));

	f->is_inlined = true;
	kfunc_add_int(h->mem, f, x->names->time);
	for (int d = 0; d < x->n_dims - 1; d++)
		kfunc_add_int(h->mem, f, x->names->point[d]);
	return f;
}

static struct ks *store_alone(struct rows *r, const struct ks *assign,
	bool in_place)
{
	const struct kx *to = kx_address(mem(r), assign->x[0]), *value;
	const struct program *prog = r->x->h->prog;

	r->alone = true;
	value = rows_vectors(r, assign->x[1]);
	r->alone = false;
	return ks_expression(mem(r), KS_EXPRESSION, rows_builtin(r, in_place ?
		kx_builtin(mem(r), B_STORE_PART_LANES, 4, to, value, kx_name(
			mem(r), fresh_name(mem(r), prog, "first")), kx_name(
			mem(r), fresh_name(mem(r), prog, "count"))) :
		kx_builtin(mem(r), B_STORE_LANES, 2, to, value)));
}

/* A vector anywhere in a row; in place, its lanes from "first" on, "count" of them. */
static struct kfunc *part_function(struct rows *r, const struct ks *assign)
{
	const struct cpu_hex *x = r->x;
	bool in_place = rows_are_in_place(r, assign);
	struct kfunc *f = new_function(r, in_place ? "part" : "vector");
	const char *first = fresh_name(mem(r), x->h->prog, "first");
	const char *count = fresh_name(mem(r), x->h->prog, "count");

	f->comment = in_place ? region_printf(mem(r), "Part of a vector along "
		"%s: \"%s\" lanes from \"%s\" on.", rows_innermost(x), count,
		first) : region_printf(mem(r), "A vector along %s.",
		rows_innermost(x));
	kfunc_add_int(mem(r), f, rows_innermost(x));
	if (in_place) {
		kfunc_add_int(mem(r), f, first);
		kfunc_add_int(mem(r), f, count);
	}
	cpu_hex_add_arrays(x, f);
	ks_add(mem(r), f->body, store_alone(r, assign, in_place));
	kfunc_drop_unused(f);
	return f;
}

/* Arguments of a call of the function for parts. */
struct call_of_part {
	const struct rows *r;
	int row;
	const struct kx *k, *first, *count;
};

static const struct kx *argument_of_part(const void *user, const char *param)
{
	const struct call_of_part *call = user;
	const struct cpu_hex *x = call->r->x;
	const char *row = x->names->point[x->n_dims - 2];

	if (!strcmp(param, rows_innermost(x)))
		return call->k;
	if (!strcmp(param, fresh_name(x->h->mem, x->h->prog, "first")))
		return call->first;
	if (!strcmp(param, fresh_name(x->h->mem, x->h->prog, "count")))
		return call->count;
	return call->row && !strcmp(param, row) ? kx_add(x->h->mem, kx_name(
		x->h->mem, row), call->row) : NULL;
}

/* part(.., k, first, count) or vector(.., k) of all rows */
static struct ks *part_of_rows(const struct rows *r, struct call_of_part call)
{
	struct ks *calls = ks_scope(mem(r));

	call.r = r;
	for (call.row = 0; call.row < r->n; call.row++)
		ks_add(mem(r), calls, ks_expression(mem(r), KS_EXPRESSION,
			kfunc_call(mem(r), r->x->vectors.part,
				argument_of_part, &call)));
	return calls;
}

/* for (k = first; condition; k += lanes) the parts at min(k, k_end), in place up to "end". */
static struct ks *parts_up_to(const struct rows *r, const struct kx *first,
	const struct kx *condition, const struct kx *end)
{
	const struct kx *k = kx_name(mem(r), rows_innermost(r->x));
	const struct kx *lanes = rows_lanes(r), *at = kx_min(mem(r), k,
		named(r, "%s_end"));

	return ks_for(mem(r), rows_innermost(r->x), first, condition, lanes,
		part_of_rows(r, (struct call_of_part) { .k = at,
			.first = op_of(r, OP_SUB, k, at), .count = kx_min(
				mem(r), lanes, op_of(r, OP_SUB, end, k)) }));
}

/* What lies before the place where vectors are aligned in memory.  A whole vector reaches beyond
 * it and computes some cells that the next one computes again.  Before a line it is several vectors:
 *
 *	for (k = k_first; k < k_lines; k += lanes)
 *		vector(min(k, k_end))
 */
static struct ks *part_before(const struct rows *r)
{
	const struct kx *first = named(r, "%s_first");
	const struct kx *lines = named(r, "%s_lines");

	if (r->by_lines)
		return parts_up_to(r, first, op_of(r, OP_LT, kx_name(mem(r),
			rows_innermost(r->x)), lines), lines);
	return ks_if(mem(r), op_of(r, OP_LT, first, lines), part_of_rows(r,
		(struct call_of_part) { .k = first, .first = kx_int(mem(r), 0),
			.count = op_of(r, OP_SUB, lines, first) }), NULL);
}

/* What whole vectors leave, by vectors that end with the row at the latest:
 *
 *	for (k = k_left; k <= k_last; k += lanes)
 *		vector(min(k, k_end))
 *
 * or, in place, part(min(k, k_end), k - min(k, k_end), min(lanes, k_last + 1 - k))
 */
static struct ks *parts_after(const struct rows *r)
{
	const struct kx *last = named(r, "%s_last");

	return parts_up_to(r, named(r, "%s_left"), op_of(r, OP_LE, kx_name(mem(r),
		rows_innermost(r->x)), last), kx_add(mem(r), last, 1));
}

/* The first place that whole vectors leave:
 *
 *	k_lines > k_whole ? k_lines : k_lines + ((k_whole - k_lines) / step + 1) * step
 */
static const struct kx *left_by_vectors(const struct rows *r)
{
	const struct kx *lines = named(r, "%s_lines");
	const struct kx *whole = named(r, "%s_whole"), *lanes = step_of(r);

	return kx_select(mem(r), op_of(r, OP_GT, lines, whole), lines, op_of(r,
		OP_ADD, lines, op_of(r, OP_MUL, kx_add(mem(r), op_of(r, OP_DIV,
			op_of(r, OP_SUB, whole, lines), lanes), 1), lanes)));
}

/* The first aligned place: k_first + cells_to(&A_new[..][k_first]), or, by lines, the first line
 * that has a vector before it, in the row:
 *
 *	min(k_last + 1, max(k_first, lanes) + cells_to_line(&A_new[..][max(k_first, lanes)]))
 */
static const struct kx *first_aligned(const struct rows *r, const struct ks *assign)
{
	const struct kx *from = named(r, "%s_first"), *to, *lines;

	if (r->by_lines)
		from = kx_max(mem(r), from, rows_lanes(r));
	to = kx_address(mem(r), vector_moved(mem(r), assign->x[0],
		rows_innermost(r->x), from, 0));
	lines = op_of(r, OP_ADD, from, rows_builtin(r, kx_builtin(mem(r),
		r->by_lines ? B_CELLS_TO_LINE_LANES : B_CELLS_TO_LANES, 1, to)));
	return !r->by_lines ? lines : kx_min(mem(r), kx_add(mem(r), named(r,
		"%s_last"), 1), lines);
}

/* The vectors that are aligned in memory. */
static struct ks *aligned_vectors(const struct rows *r, const struct ks *assign)
{
	struct ks *whole = ks_scope(mem(r)), *loop;
	struct vector_units units = { 0 };
	struct rows shared = *r;

	if (r->by_roots) {
		rows_add_roots(r, assign, whole);
		return whole;
	}
	if (!rows_have_root(assign->x[1]))
		shared.units = &units;
	loop = whole_vectors(&shared, assign);
	vector_declare_one(r->x, &units, whole);
	if (r->by_lines)
		rows_declare_joints(r, whole);
	else
		rows_declare_first(r, whole);
	ks_add(mem(r), whole, loop);
	return whole;
}

/* The row in vectors: one up to where vectors are aligned in memory, aligned ones, and the rest. */
static void add_vectors(const struct rows *r, const struct ks *assign,
	struct ks *block)
{
	const struct host *h = r->x->h;
	struct ks *whole;

	host_declare_int(h, block, rows_name(r->x, "%s_lines"), first_aligned(r,
		assign));
	host_declare_int(h, block, rows_name(r->x, "%s_whole"),
		last_of_vectors(r));
	host_declare_int(h, block, rows_name(r->x, "%s_left"),
		left_by_vectors(r));
	whole = aligned_vectors(r, assign);
	ks_add(mem(r), block, ks_simple(mem(r), KS_BLANK));
	ks_add(mem(r), block, part_before(r));
	ks_add(mem(r), block, whole->n_children == 1 ? whole : ks_if(mem(r),
		op_of(r, OP_LE, named(r, "%s_lines"), named(r, "%s_whole")),
		whole, NULL));
	ks_add(mem(r), block, parts_after(r));
}

/* lanes; k_end = k_last - lanes + 1, where the last vector starts */
static void declare_end(const struct rows *r, struct ks *block)
{
	const struct host *h = r->x->h;

	host_declare_int(h, block, rows_lanes(r)->name, vector_lanes(r->x));
	host_declare_int(h, block, rows_name(r->x, "%s_end"), kx_add(mem(r),
		op_of(r, OP_SUB, named(r, "%s_last"), rows_lanes(r)), 1));
}

static void add_sides(const struct rows *r, struct kfunc *f)
{
	kfunc_add_int(mem(r), f, rows_name(r->x, "%s_first"));
	kfunc_add_int(mem(r), f, rows_name(r->x, "%s_last"));
	cpu_hex_add_arrays(r->x, f);
}

/* static void NAME_run_vectors(params, t, i, j, k_first, k_last, A_old, A_new) */
static struct kfunc *row_function(const struct rows *r, const struct ks *assign)
{
	struct kfunc *f = new_function(r, "vectors");
	struct ks *vectors = ks_scope(mem(r));

	f->comment = region_printf(mem(r), "A row along %s by vectors.",
		rows_innermost(r->x));
	add_sides(r, f);
	declare_end(r, f->body);
	ks_add(mem(r), f->body, ks_simple(mem(r), KS_BLANK));
	add_vectors(r, assign, vectors);
	ks_add(mem(r), f->body, ks_if(mem(r), op_of(r, OP_LE, named(r,
		"%s_first"), named(r, "%s_end")), vectors, short_row(r,
			assign)));
	kfunc_drop_unused(f);
	return f;
}

/* The same for several rows that are long enough for a vector. */
static struct kfunc *several_function(const struct rows *r,
	const struct ks *assign)
{
	const struct cpu_hex *x = r->x;
	struct kfunc *f = new_function(r, region_printf(mem(r), "%s%d",
		r->by_lines ? "lines" : r->by_sums ? "sums" : "vectors", r->n));

	f->comment = region_printf(mem(r), "%d rows, from %s on, each with room "
		"for a vector.%s", r->n, x->names->point[x->n_dims - 2],
		r->by_lines ? "  They go by lines of two vectors." : r->by_roots ?
		"  Roots go a vector behind." : r->keeps ?
		"  Cells are loaded once for all." : r->by_sums ?
		"  Their sums go on side by side." : "");
	add_sides(r, f);
	declare_end(r, f->body);
	add_vectors(r, assign, f->body);
	kfunc_drop_unused(f);
	return f;
}

/* The function for "r", made on first use. */
static struct kfunc *made(struct cpu_hex *x, const struct rows *r, struct kfunc **f)
{
	struct vectors_of_stmt *v = &x->vectors;
	struct rows one;

	if (*f)
		return *f;
	if (!v->part && rows_find(x, v->assign, 1, &one))
		cpu_hex_append(x, v->part = part_function(&one, v->assign));
	cpu_hex_append(x, *f = r->n == 1 ? row_function(r, v->assign) :
		several_function(r, v->assign));
	return *f;
}

struct kfunc *rows_function(struct cpu_hex *x, int n)
{
	struct vectors_of_stmt *v = &x->vectors;
	struct rows r;

	rows_find(x, v->assign, n, &r);
	rows_by_roots(&r, v->assign);
	return made(x, &r, n == 1 ? &v->one : &v->rows);
}

/* That of "n" rows which "go" says how to compute. */
static struct kfunc *made_of_kind(struct cpu_hex *x, int n,
	void (*go)(struct rows *r), struct kfunc **f)
{
	struct rows r;

	rows_find(x, x->vectors.assign, n, &r);
	go(&r);
	return made(x, &r, f);
}

struct kfunc *rows_that_keep(struct cpu_hex *x)
{
	return made_of_kind(x, ROWS_THAT_KEEP, rows_keep, &x->vectors.keeping);
}

struct kfunc *rows_of_lines(struct cpu_hex *x)
{
	return made_of_kind(x, x->vectors.n_rows, rows_by_lines,
		&x->vectors.by_lines);
}

struct kfunc *rows_of_sums(struct cpu_hex *x)
{
	return made_of_kind(x, CPU_HEX_ROWS, rows_by_sums,
		&x->vectors.by_sums);
}
