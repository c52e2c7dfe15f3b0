/* Rows of vectors: a loop over a row of cells, or over several rows,
 *
 *	for k: A_new[i][j][k] = ..
 *
 * becomes a function that computes vectors side by side.  Cells of one row that lie k + n
 * apart are in two vectors side by side, "here" and the one before or after it; where
 * that takes less time than a load that crosses lines of the cache, they are taken from
 * these.
 */
#include <stdio.h>
#include <string.h>

#include "codegen/hex/vectors.h"

enum {
	MOST_POINTERS = 13,	/* that registers of a processor hold at a time */
	MOST_VECTORS = 28,	/* likewise, of those with vectors of a line */
	LINE_BYTES = 64
};

/* A row of cells that is read. */
struct line {
	const struct kx *at;	/* one of the cells */
	int low, high;		/* cells k + low to k + high are read */
	int reads;		/* how often k is */
	const char *name;	/* of the vector at k, or NULL: is not kept */
};

struct rows {
	const struct cpu_hex *x;
	int n;			/* computed together */
	int n_lines;
	struct line *line;
	int n_beside;
	const struct kx **beside;	/* cells that are read beside the point's */
	bool fits;
	bool alone;		/* for a vector that has none beside it */
};

static struct region *mem(const struct rows *r)
{
	return r->x->h->mem;
}

static const char *innermost(const struct cpu_hex *x)
{
	return x->names->point[x->n_dims - 1];
}

static const char *name_of(const struct cpu_hex *x, const char *form)
{
	return fresh_name(x->h->mem, x->h->prog, form, innermost(x));
}

/* "value" of the row "row" rows on. */
static const struct kx *value_of_row(const struct cpu_hex *x,
	const struct kx *value, int row)
{
	const char *name = x->names->point[x->n_dims - 2];

	return vector_moved(x->h->mem, value, name, kx_name(x->h->mem, name),
		row);
}

/* What is read ---------------------------------------------------------- */

static bool is_same_line(const struct kx *a, const struct kx *b)
{
	if (strcmp(a->name, b->name) != 0 || a->n_args != b->n_args)
		return false;
	for (int d = 0; d < a->n_args - 1; d++)
		if (!kx_same(a->arg[d], b->arg[d]))
			return false;
	return true;
}

static struct line *line_of(const struct rows *r, const struct kx *cell)
{
	for (int i = 0; i < r->n_lines; i++)
		if (is_same_line(r->line[i].at, cell))
			return &r->line[i];
	return NULL;
}

/* How far along its row from the point a cell is. */
static int place_in_row(const struct cpu_hex *x, const struct kx *cell)
{
	int offset;

	vector_is_shifted(cell->arg[x->n_dims - 1],
		kx_name(x->h->mem, innermost(x)), &offset);
	return offset;
}

/* Is it a cell of a field that has all dimensions, at a fixed distance to the point? */
static bool is_in_order(const struct cpu_hex *x, const struct kx *cell)
{
	int offset;

	if (cell->kind != KX_INDEX || cell->n_args != x->n_dims)
		return false;
	for (int d = 0; d < x->n_dims; d++)
		if (!vector_is_shifted(cell->arg[d], kx_name(x->h->mem,
			x->names->point[d]), &offset))
			return false;
	return true;
}

static void read_cell(struct rows *r, const struct kx *cell)
{
	struct line *line = line_of(r, cell);
	int offset = place_in_row(r->x, cell);

	if (!line) {
		line = &r->line[r->n_lines++];
		*line = (struct line) { .at = cell };
	}
	line->low = offset < line->low ? offset : line->low;
	line->high = offset > line->high ? offset : line->high;
	line->reads += offset == 0;
	if (offset != 0)
		r->beside[r->n_beside++] = cell;
}

/* Is each cell beside the point the only one of its column that is read?  Then columns,
 * which load a vector once for all rows, load as many as rows shift.
 */
static bool is_star(const struct rows *r)
{
	for (int i = 0; i < r->n_beside; i++)
		for (int j = 0; j < i; j++) {
			const struct kx *a = r->beside[i], *b = r->beside[j];

			if (!strcmp(a->name, b->name) && place_in_row(r->x, a)
			    == place_in_row(r->x, b) && !is_same_line(a, b))
				return false;
		}
	return true;
}

static void note_reads(struct rows *r, const struct kx *value, enum type type)
{
	if (!vector_varies(r->x, value))
		return;
	if (is_in_order(r->x, value)) {
		r->fits &= value->of && value->of->type == type;
		if (r->fits)
			read_cell(r, value);
		return;
	}
	r->fits &= vector_is_arithmetic(value) && value->type == type;
	for (int i = 0; i < value->n_args && r->fits; i++)
		note_reads(r, value->arg[i], type);
}

/* Do its neighbours come from vectors side by side?  They have to reach so far. */
static bool is_shifted(const struct rows *r, const struct line *line)
{
	int lanes = LINE_BYTES / type_size(
		r->x->c.stmt->stmt->write->field->type);

	return (line->low < 0 || line->high > 0) && line->low >= -lanes &&
		line->high <= lanes;
}

/* Pointers and vectors that all rows take at a time. */
static bool has_registers(const struct rows *r)
{
	int vectors = r->n;

	for (int i = 0; i < r->n_lines; i++) {
		const struct line *line = &r->line[i];

		vectors += 1 + (line->low < 0) + (line->high > 0);
	}
	return r->n_lines + r->n <= MOST_POINTERS && vectors <= MOST_VECTORS;
}

/* A_old_m1: the row of A_old[i - 1][j]; A_old_m1_2, of A_old[i - 1][j + 2][k] */
static const char *name_of_line(const struct cpu_hex *x, const struct line *line)
{
	char text[16 * (IR_MAX_DIMS + 1)] = "";
	int offset;

	for (int d = 0; d < x->n_dims - 1; d++) {
		vector_is_shifted(line->at->arg[d], kx_name(x->h->mem,
			x->names->point[d]), &offset);
		snprintf(text + strlen(text), 16, "_%s%d", offset < 0 ? "m" :
			"", offset < 0 ? -offset : offset);
	}
	return fresh_name(x->h->mem, x->h->prog, "%s%s", line->at->name, text);
}

/* "n" rows of "assign"; false: vectors do not compute it, or it takes more
 * registers than there are.
 */
static bool find_rows(const struct cpu_hex *x, const struct ks *assign, int n,
	struct rows *r)
{
	const struct kx *value = assign->x[1];
	enum type type = x->c.stmt->stmt->write->field->type;

	if (type == TYPE_INT || vector_nodes(value) > MOST_VECTOR_NODES)
		return false;
	*r = (struct rows) { .x = x, .n = n, .fits = true, .line =
		region_array(x->h->mem, struct line, n * vector_nodes(value)),
		.beside = region_array(x->h->mem, const struct kx *, n *
			vector_nodes(value)) };
	for (int i = 0; i < n; i++)
		note_reads(r, value_of_row(x, value, i), type);
	for (int i = 0; i < r->n_lines; i++)
		if (is_shifted(r, &r->line[i]) || r->line[i].reads > 1)
			r->line[i].name = name_of_line(x, &r->line[i]);
	return r->fits && r->n_lines > 0 && (n == 1 || has_registers(r));
}

/* Values ---------------------------------------------------------------- */

static const char *beside(const struct rows *r, const struct line *line,
	const char *side)
{
	return fresh_name(mem(r), r->x->h->prog, "%s_%s", line->name, side);
}

/* &A_old[i][j][k + ..] where k is "k", "by" cells on */
static const struct kx *address(const struct rows *r, const struct line *line,
	const struct kx *k, int by)
{
	const struct cpu_hex *x = r->x;

	return kx_address(mem(r), vector_moved(mem(r), line->at, innermost(x),
		k, by - place_in_row(x, line->at)));
}

static struct kx *lanes_builtin(const struct rows *r, struct kx *builtin)
{
	builtin->c_type = vector_type_of(r->x);
	return builtin;
}

/* The cells "by" cells beside those at k. */
static const struct kx *lanes_beside(const struct rows *r,
	const struct line *line, int by)
{
	const struct kx *at = address(r, line, kx_name(mem(r),
		innermost(r->x)), by);
	const struct kx *here = kx_name(mem(r), line->name);

	return by < 0 ? lanes_builtin(r, kx_builtin(mem(r), B_LEFT_LANES, 4,
			kx_int(mem(r), -by), kx_name(mem(r), beside(r, line,
				"before")), here, at)) :
		lanes_builtin(r, kx_builtin(mem(r), B_RIGHT_LANES, 4,
			kx_int(mem(r), by), here, kx_name(mem(r), beside(r,
				line, "after")), at));
}

static const struct kx *value_of_cell(const struct rows *r,
	const struct kx *cell)
{
	const struct line *line = line_of(r, cell);
	int by = place_in_row(r->x, cell);

	if (line->name && by == 0 && !r->alone)
		return kx_name(mem(r), line->name);
	if (by != 0 && !r->alone && is_shifted(r, line))
		return lanes_beside(r, line, by);
	return lanes_builtin(r, kx_builtin(mem(r), B_LOAD_LANES, 1, address(r,
		line, kx_name(mem(r), innermost(r->x)), by)));
}

/* "value" of vectors at k. */
static const struct kx *of_vectors(const struct rows *r, const struct kx *value)
{
	struct kx *x;

	if (!vector_varies(r->x, value))
		return vector_number(r->x, value);
	if (value->kind == KX_INDEX) {
		x = region_new_of(mem(r), struct kx);
		*x = *value_of_cell(r, value);
		x->of = value->of;
		return x;
	}
	x = region_new_of(mem(r), struct kx);
	*x = *value;
	x->arg = region_array(mem(r), const struct kx *, x->n_args);
	for (int i = 0; i < x->n_args; i++)
		x->arg[i] = of_vectors(r, value->arg[i]);
	return x;
}

/* The functions ------------------------------------------------------ */

static const struct kx *lanes_name(const struct rows *r)
{
	return kx_name(mem(r), fresh_name(mem(r), r->x->h->prog, "lanes"));
}

/* a + b */
static const struct kx *plus(const struct rows *r, const struct kx *a,
	const struct kx *b)
{
	return kx_binary(mem(r), OP_ADD, a, b);
}

/* The cells from k = "k" on, as far as the row is read. */
static const struct kx *lanes_from(const struct rows *r,
	const struct line *line, const struct kx *k)
{
	const struct kx *end = kx_add(mem(r), kx_name(mem(r), name_of(r->x,
		"%s_last")), line->high + 1);

	return lanes_builtin(r, kx_builtin(mem(r), B_FIRST_LANES, 2,
		address(r, line, k, 0), kx_binary(mem(r), OP_SUB, end, k)));
}

static void declare(const struct rows *r, struct ks *block, bool is_const,
	const char *name, const struct kx *value)
{
	struct ctype type = vector_type_of(r->x);

	type.is_const = is_const;
	ks_add(mem(r), block, ks_declare(mem(r), type, name, value));
}

/* What the first vector finds: those before it and those at hand. */
static void declare_first(const struct rows *r, struct ks *block)
{
	const struct kx *first = kx_name(mem(r), name_of(r->x, "%s_lines"));

	for (int i = 0; i < r->n_lines; i++) {
		const struct line *line = &r->line[i];

		if (!is_shifted(r, line))
			continue;
		if (line->low < 0)
			declare(r, block, false, beside(r, line, "before"),
				lanes_builtin(r, kx_builtin(mem(r),
					B_LAST_LANES, 2, address(r, line,
						first, 0), kx_int(mem(r),
						-line->low))));
		if (line->high > 0)
			declare(r, block, false, line->name, lanes_from(r,
				line, first));
	}
}

/* What is loaded for a vector. */
static void declare_loads(const struct rows *r, struct ks *block)
{
	const struct kx *k = kx_name(mem(r), innermost(r->x));

	for (int i = 0; i < r->n_lines; i++) {
		const struct line *line = &r->line[i];

		if (is_shifted(r, line) && line->high > 0)
			declare(r, block, true, beside(r, line, "after"),
				lanes_from(r, line, plus(r, k, lanes_name(r))));
		else if (line->name)
			declare(r, block, true, line->name, lanes_builtin(r,
				kx_builtin(mem(r), B_KEEP_LANES, 1, address(r,
					line, k, 0))));
	}
}

static void add_moves(const struct rows *r, struct ks *block)
{
	for (int i = 0; i < r->n_lines; i++) {
		const struct line *line = &r->line[i];
		const struct kx *here = line->name ? kx_name(mem(r),
			line->name) : NULL;

		if (!is_shifted(r, line))
			continue;
		if (line->low < 0)
			ks_add(mem(r), block, ks_assign(mem(r), kx_name(
				mem(r), beside(r, line, "before")), here));
		if (line->high > 0)
			ks_add(mem(r), block, ks_assign(mem(r), here,
				kx_name(mem(r), beside(r, line, "after"))));
	}
}

static const char *value_name(const struct rows *r, int row)
{
	return fresh_name(mem(r), r->x->h->prog, "value%d", row);
}

/* for (k = k_lines; k <= k_end; k += lanes) the vectors of all rows */
static struct ks *whole_vectors(const struct rows *r, const struct ks *assign)
{
	const struct kx *k = kx_name(mem(r), innermost(r->x));
	const struct kx *end = kx_name(mem(r), name_of(r->x, "%s_end"));
	struct ks *body = ks_scope(mem(r));

	declare_loads(r, body);
	for (int i = 0; i < r->n; i++)
		declare(r, body, true, value_name(r, i), of_vectors(r,
			value_of_row(r->x, assign->x[1], i)));
	for (int i = 0; i < r->n; i++)
		ks_add(mem(r), body, ks_expression(mem(r), KS_EXPRESSION,
			lanes_builtin(r, kx_builtin(mem(r), B_STORE_LANES, 2,
				kx_address(mem(r), value_of_row(r->x,
					assign->x[0], i)), kx_name(mem(r),
					value_name(r, i))))));
	add_moves(r, body);
	return ks_for(mem(r), innermost(r->x), kx_name(mem(r), name_of(r->x,
		"%s_lines")), kx_binary(mem(r), OP_LE, k, end), lanes_name(r),
		body);
}

/* The cells of a row that has no room for a vector. */
static struct ks *short_row(const struct rows *r, const struct ks *assign)
{
	const struct kx *k = kx_name(mem(r), innermost(r->x));

	return ks_for(mem(r), innermost(r->x), kx_name(mem(r), name_of(r->x,
		"%s_first")), kx_binary(mem(r), OP_LE, k, kx_name(mem(r),
			name_of(r->x, "%s_last"))), kx_int(mem(r), 1),
		(struct ks *) assign);
}

/* static void NAME_run_WHAT(params, t, i, j, ..), and then integers of its own */
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

/* Of a vector that lies across two lines: its lanes from "first" on, "count" of them. */
static struct kfunc *part_function(struct rows *r, const struct ks *assign)
{
	const struct cpu_hex *x = r->x;
	struct kfunc *f = new_function(r, "part");
	const char *first = fresh_name(mem(r), x->h->prog, "first");
	const char *count = fresh_name(mem(r), x->h->prog, "count");

	f->comment = region_printf(mem(r), "Lanes of a vector along %s, \"%s\" "
		"of them from \"%s\" on.", innermost(x), count, first);
	kfunc_add_int(mem(r), f, innermost(x));
	kfunc_add_int(mem(r), f, first);
	kfunc_add_int(mem(r), f, count);
	cpu_hex_add_arrays(x, f);
	r->alone = true;
	ks_add(mem(r), f->body, ks_expression(mem(r), KS_EXPRESSION,
		lanes_builtin(r, kx_builtin(mem(r), B_STORE_PART_LANES, 4,
			kx_address(mem(r), assign->x[0]), of_vectors(r,
				assign->x[1]), kx_name(mem(r), first),
			kx_name(mem(r), count)))));
	r->alone = false;
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

	if (!strcmp(param, innermost(x)))
		return call->k;
	if (!strcmp(param, fresh_name(x->h->mem, x->h->prog, "first")))
		return call->first;
	if (!strcmp(param, fresh_name(x->h->mem, x->h->prog, "count")))
		return call->count;
	return call->row && !strcmp(param, row) ? kx_add(x->h->mem, kx_name(
		x->h->mem, row), call->row) : NULL;
}

/* if ("condition") part(.., k, first, count) of all rows */
static struct ks *part_of_rows(const struct rows *r, const struct kx *condition,
	struct call_of_part call)
{
	struct ks *calls = ks_scope(mem(r));

	call.r = r;
	for (call.row = 0; call.row < r->n; call.row++)
		ks_add(mem(r), calls, ks_expression(mem(r), KS_EXPRESSION,
			kfunc_call(mem(r), r->x->vectors.part,
				argument_of_part, &call)));
	return ks_if(mem(r), condition, calls, NULL);
}

static const struct kx *op_of(const struct rows *r, enum op op,
	const struct kx *a, const struct kx *b)
{
	return kx_binary(mem(r), op, a, b);
}

static const struct kx *named(const struct rows *r, const char *form)
{
	return kx_name(mem(r), name_of(r->x, form));
}

/* The row in vectors: a part up to where vectors start in memory, these, and what is
 * left.
 */
static void add_vectors(const struct rows *r, const struct ks *assign,
	struct ks *block)
{
	const struct host *h = r->x->h;
	const struct kx *first = named(r, "%s_first");
	const struct kx *last = named(r, "%s_last"), *end = named(r, "%s_end");
	const struct kx *lines = named(r, "%s_lines");
	const struct kx *left = named(r, "%s_left"), *lanes = lanes_name(r);
	const struct kx *to = kx_address(mem(r), vector_moved(mem(r),
		assign->x[0], innermost(r->x), first, 0));

	host_declare_int(h, block, lines->name, op_of(r, OP_ADD, first,
		lanes_builtin(r, kx_builtin(mem(r), B_CELLS_TO_LANES, 1,
			to))));
	host_declare_int(h, block, left->name, op_of(r, OP_ADD, lines,
		op_of(r, OP_MUL, op_of(r, OP_DIV, kx_add(mem(r), op_of(r,
			OP_SUB, last, lines), 1), lanes), lanes)));
	ks_add(mem(r), block, ks_simple(mem(r), KS_BLANK));
	ks_add(mem(r), block, part_of_rows(r, op_of(r, OP_LT, first, lines),
		(struct call_of_part) { .k = first, .first = kx_int(mem(r), 0),
			.count = op_of(r, OP_SUB, lines, first) }));
	declare_first(r, block);
	ks_add(mem(r), block, whole_vectors(r, assign));
	ks_add(mem(r), block, part_of_rows(r, op_of(r, OP_LE, left, last),
		(struct call_of_part) { .k = end, .first = op_of(r, OP_SUB,
			left, end), .count = kx_add(mem(r), op_of(r, OP_SUB,
				last, left), 1) }));
}

/* lanes; k_end = k_last - lanes + 1, where the last vector starts */
static void declare_end(const struct rows *r, struct ks *block)
{
	const struct host *h = r->x->h;

	host_declare_int(h, block, lanes_name(r)->name, vector_lanes(r->x));
	host_declare_int(h, block, name_of(r->x, "%s_end"), kx_add(mem(r),
		op_of(r, OP_SUB, named(r, "%s_last"), lanes_name(r)), 1));
}

static void add_sides(const struct rows *r, struct kfunc *f)
{
	kfunc_add_int(mem(r), f, name_of(r->x, "%s_first"));
	kfunc_add_int(mem(r), f, name_of(r->x, "%s_last"));
	cpu_hex_add_arrays(r->x, f);
}

/* static void NAME_run_vectors(params, t, i, j, k_first, k_last, A_old, A_new) */
static struct kfunc *row_function(const struct rows *r, const struct ks *assign)
{
	struct kfunc *f = new_function(r, "vectors");
	struct ks *vectors = ks_scope(mem(r));

	f->comment = region_printf(mem(r), "A row along %s by vectors.",
		innermost(r->x));
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

/* Likewise of several rows that have room for a vector. */
static struct kfunc *rows_function(const struct rows *r, const struct ks *assign)
{
	const struct cpu_hex *x = r->x;
	struct kfunc *f = new_function(r, region_printf(mem(r), "vectors%d",
		r->n));

	f->comment = region_printf(mem(r), "%d rows, from %s on, each with room "
		"for a vector.", r->n, x->names->point[x->n_dims - 2]);
	add_sides(r, f);
	declare_end(r, f->body);
	add_vectors(r, assign, f->body);
	kfunc_drop_unused(f);
	return f;
}

/* As many as registers allow, if rows share any lines; "r" has one row, and then so
 * many.
 */
static int rows_at_a_time(struct cpu_hex *x, const struct ks *assign,
	struct rows *r)
{
	int lines = r->n_lines, n = CPU_HEX_ROWS;
	bool star = is_star(r), share;

	find_rows(x, assign, 2, r);
	share = r->n_lines < 2 * lines;

	while (n > 1 && !(find_rows(x, assign, n, r) && r->n_lines < n * lines))
		n /= 2;
	x->vectors.pay = star && (n > 1 || !share);
	return n;
}

/* The functions of the statement at hand; false: vectors do not compute it. */
static bool make_functions(struct cpu_hex *x, const struct ks *assign)
{
	struct rows r;

	x->vectors = (struct vectors_of_stmt) { .stmt = x->c.stmt };
	if (!find_rows(x, assign, 1, &r))
		return false;
	cpu_hex_append(x, x->vectors.part = part_function(&r, assign));
	cpu_hex_append(x, x->vectors.one = row_function(&r, assign));
	x->vectors.n_rows = rows_at_a_time(x, assign, &r);
	if (x->vectors.n_rows > 1)
		cpu_hex_append(x, x->vectors.rows = rows_function(&r, assign));
	return true;
}

/* Nests ----------------------------------------------------------------- */

/* The call of a function of vectors for cells first .. last of a row. */
struct call_of_vectors {
	const struct cpu_hex *x;
	const struct kx *row, *first, *last;	/* "row": where it is, or NULL */
};

static const struct kx *argument_of_vectors(const void *user, const char *param)
{
	const struct call_of_vectors *call = user;
	const struct cpu_hex *x = call->x;

	if (!strcmp(param, name_of(x, "%s_first")))
		return call->first;
	if (!strcmp(param, name_of(x, "%s_last")))
		return call->last;
	return !strcmp(param, x->names->point[x->n_dims - 2]) ? call->row :
		NULL;
}

static const struct kx *last_of_loop(const struct cpu_hex *x,
	const struct ks *loop)
{
	return kx_add(x->h->mem, loop->x[1]->arg[1], loop->x[1]->op == OP_LT ?
		-1 : 0);
}

/* "f" for the row "row", or NULL: that at hand, of the loop "inner" over its cells. */
static struct ks *call_vectors(const struct cpu_hex *x, const struct kfunc *f,
	const struct ks *inner, const struct kx *row)
{
	struct call_of_vectors call = { x, row, inner->x[0],
		last_of_loop(x, inner) };

	return ks_expression(x->h->mem, KS_EXPRESSION, kfunc_call(x->h->mem, f,
		argument_of_vectors, &call));
}

static bool is_loop(const struct ks *s)
{
	return s->kind == KS_FOR && kx_is_int(s->x[2], 1) &&
		s->x[1]->kind == KX_BINARY && (s->x[1]->op == OP_LE ||
			s->x[1]->op == OP_LT) &&
		s->x[1]->arg[0]->kind == KX_NAME;
}

/* Is what is assigned the cell at the names of all dimensions? */
static bool is_at_point(const struct cpu_hex *x, const struct kx *cell)
{
	if (cell->kind != KX_INDEX || cell->n_args != x->n_dims)
		return false;
	for (int d = 0; d < x->n_dims; d++)
		if (cell->arg[d]->kind != KX_NAME || strcmp(cell->arg[d]->name,
			x->names->point[d]) != 0)
			return false;
	return true;
}

bool cpu_hex_takes_vectors(struct cpu_hex *x, const struct ks *row)
{
	const struct ks *assign;

	if (x->n_dims < 2 || x->c.mapped || x->c.stmt->is_copy ||
	    !is_loop(row) || strcmp(row->name, innermost(x)) != 0)
		return false;
	assign = vector_assignment(x->h->mem, only_child(row->child[0]));
	if (!assign || !is_at_point(x, assign->x[0]))
		return false;
	return x->vectors.stmt == x->c.stmt ? x->vectors.one != NULL :
		make_functions(x, assign);
}

struct ks *cpu_hex_vector_row(const struct cpu_hex *x, const struct ks *row)
{
	return call_vectors(x, x->vectors.one, row, NULL);
}

/* The rows that are not computed together, up to "n" of them, one by one. */
static struct ks *rows_left(const struct cpu_hex *x, const struct ks *outer,
	const struct ks *inner)
{
	const struct host *h = x->h;
	const struct kx *row = name(h, x->row[0]), *last = kx_min(h->mem,
		kx_add(h->mem, name(h, outer->name), x->vectors.n_rows - 1),
		last_of_loop(x, outer));

	return ks_for(h->mem, x->row[0], name(h, outer->name), op(h, OP_LE,
		row, last), integer(h, 1), call_vectors(x, x->vectors.one,
			inner, row));
}

struct ks *cpu_hex_vector_rows(const struct cpu_hex *x, const struct ks *outer)
{
	const struct host *h = x->h;
	const struct ks *inner = only_child(outer->child[0]);
	const struct kx *row = name(h, outer->name), *last = outer->x[1];
	const struct kx *all, *room;
	int n = x->vectors.n_rows;

	if (n < 2 || !is_loop(outer) || kx_uses(inner->x[0], outer->name) ||
	    kx_uses(inner->x[1], outer->name))
		return NULL;
	all = op(h, last->op, kx_add(h->mem, row, n - 1), last->arg[1]);
	room = op(h, OP_GE, kx_add(h->mem, op(h, OP_SUB, last_of_loop(x,
		inner), inner->x[0]), 1), vector_lanes(x));
	return ks_for(h->mem, outer->name, outer->x[0], last, integer(h, n),
		ks_if(h->mem, kx_and(h->mem, all, room), call_vectors(x,
			x->vectors.rows, inner, NULL), rows_left(x, outer,
			inner)));
}
