/* Rows of hexagonal tiles by columns of vectors: a nest whose loops run over a box
 *
 *	for i: for j: for k: A_new[i][j][k] = ..
 *
 * becomes
 *
 *	for j by rows: for k by lanes: columns(i_first, i_last, j, k)
 *
 * where "columns", a function of its own, has the loop over i.  Columns at the end of a row
 * overlap those before them and compute some cells once more, to the same values; where a
 * statement reads cells in the array that it writes, they skip the cells already done.
 */
#include <string.h>

#include "codegen/hex/columns.h"

enum { CONFLICT_BYTES = 1024 };

/* A nest over a box: low[d] <= x[d] <= high[d]. */
struct loop_box {
	const struct kx *low[IR_MAX_DIMS], *high[IR_MAX_DIMS];
	const struct ks *assign;
};

static bool uses_point(const struct cpu_hex *x, const struct kx *value)
{
	for (int d = 0; d < x->n_dims; d++)
		if (kx_uses(value, x->names->point[d]))
			return true;
	return false;
}

static bool is_loop_over(const struct cpu_hex *x, const struct ks *s, int d)
{
	return s->kind == KS_FOR && !strcmp(s->name, x->names->point[d]) &&
		kx_is_int(s->x[2], 1) && s->x[1]->kind == KX_BINARY &&
		(s->x[1]->op == OP_LE || s->x[1]->op == OP_LT) &&
		s->x[1]->arg[0]->kind == KX_NAME &&
		!uses_point(x, s->x[0]) && !uses_point(x, s->x[1]->arg[1]);
}

static bool find_box(const struct cpu_hex *x, const struct ks *s,
	struct loop_box *box)
{
	for (int d = 0; d < x->n_dims; d++, s = only_child(s->child[0])) {
		if (!is_loop_over(x, s, d))
			return false;
		box->low[d] = s->x[0];
		box->high[d] = kx_add(x->h->mem, s->x[1]->arg[1],
			s->x[1]->op == OP_LT ? -1 : 0);
	}
	box->assign = vector_assignment(x->h->mem, s);
	return box->assign && box->assign->x[0]->kind == KX_INDEX;
}

/* Does the statement read the array that it writes? */
static bool is_in_place(const struct column_plan *p,
	const struct kx *written)
{
	for (int i = 0; i < p->n_loads; i++)
		if (!strcmp(p->load[i].at->name, written->name))
			return true;
	return false;
}

static const char *first_of(const struct cpu_hex *x, int d)
{
	return fresh_name(x->h->mem, x->h->prog, "%s_first",
		x->names->point[d]);
}

static const char *last_of(const struct cpu_hex *x, int d)
{
	return fresh_name(x->h->mem, x->h->prog, "%s_last",
		x->names->point[d]);
}

/* How many of its cells a column leaves to the column before it. */
static const char *done_name(const struct cpu_hex *x)
{
	return fresh_name(x->h->mem, x->h->prog, "done");
}

/* The values, or the cells, of all rows that can be computed together. */
static void each_row(const struct cpu_hex *x, const struct kx *at,
	const struct kx **row)
{
	for (int i = 0; i < COLUMN_ROWS; i++)
		row[i] = column_row(x, at, i);
}

static const char *comment_of_columns(const struct cpu_hex *x,
	const struct column_plan *p)
{
	struct region *r = x->h->mem;
	const char *const *point = x->names->point;

	if (p->rows == 1)
		return region_printf(r, "Vectors of cells along %s.", point[0]);
	if (x->n_dims == 2)
		return region_printf(r, "%d vectors of cells along %s, side by "
			"side.  A name ends with the distance of its value\n"
			"from the current cell: m1_0 is [%s - 1][%s].",
			p->rows, point[0], point[0], point[1]);
	return region_printf(r, "Vectors of cells along %s, for %d rows.  A "
		"name ends with the distance of its value\n"
		"from the current cell: m1_0_1 is [%s - 1][%s][%s + 1].", point[0],
		p->rows, point[0], point[x->n_dims - 2], point[x->n_dims - 1]);
}

/* static void NAME_run_columns(params, t, i_first, i_last, j, k, A_old, A_new) */
static struct kfunc *columns_function(const struct cpu_hex *x,
	const struct column_plan *p, const struct kx *written)
{
	const char *done = is_in_place(p, written) ? done_name(x) : NULL;
	const struct host *h = x->h;
	const char *first = first_of(x, 0), *last = last_of(x, 0);
	const struct kx *to[COLUMN_ROWS];
	struct kfunc *f = cpu_function(h, region_printf(h->mem, "%s%s%s",
		p->rows > 1 ? region_printf(h->mem, "columns%d", p->rows) :
		"column", h->scop->n_stmts == 1 ? "" : region_printf(h->mem,
			"_of_%s", x->c.stmt->stmt->name), x->part == 0 ? "" :
		region_printf(h->mem, "_%d", x->part)));

	f->comment = comment_of_columns(x, p);
	f->is_inlined = true;
	kfunc_add_int(h->mem, f, x->names->time);
	kfunc_add_int(h->mem, f, first);
	kfunc_add_int(h->mem, f, last);
	for (int d = 1; d < x->n_dims; d++)
		kfunc_add_int(h->mem, f, x->names->point[d]);
	if (done)
		kfunc_add_int(h->mem, f, done);
	cpu_hex_add_arrays(x, f);
	each_row(x, written, to);
	if (x->n_dims == 2 && p->rows > 1)
		host_declare_int(h, f->body, column_lanes(x),
			vector_lanes(x));
	ks_add(h->mem, f->body, column_code(p, first, last, to, done));
	kfunc_drop_unused(f);
	return f;
}

/* The call of a function for columns, with other arguments for some of its
 * parameters.
 */
struct call_of_columns {
	const struct cpu_hex *x;
	const struct kx *row, *column;	/* where these parameters are, or NULL */
	const struct kx *done;
};

static const struct kx *argument_of_columns(const void *user,
	const char *param)
{
	const struct call_of_columns *call = user;
	const struct cpu_hex *x = call->x;

	if (!strcmp(param, done_name(x)))
		return call->done;
	if (call->column && !strcmp(param, x->names->point[x->n_dims - 1]))
		return call->column;
	if (call->row && x->n_dims > 2 &&
	    !strcmp(param, x->names->point[x->n_dims - 2]))
		return call->row;
	return NULL;
}

/* Where the last vector of a row starts, and the first cell that whole vectors leave. */
static const char *end_name(const struct cpu_hex *x)
{
	return fresh_name(x->h->mem, x->h->prog, "%s_end",
		x->names->point[x->n_dims - 1]);
}

static const char *left_name(const struct cpu_hex *x)
{
	return fresh_name(x->h->mem, x->h->prog, "%s_left",
		x->names->point[x->n_dims - 1]);
}

/* How many cells wide columns are. */
static const char *width_name(const struct cpu_hex *x)
{
	return x->n_dims == 2 && x->columns.plan->rows > 1 ?
		fresh_name(x->h->mem, x->h->prog, "width") : column_lanes(x);
}

static struct ks *call_columns(const struct cpu_hex *x, const struct kfunc *f,
	struct call_of_columns call)
{
	return ks_expression(x->h->mem, KS_EXPRESSION, kfunc_call(x->h->mem, f,
		argument_of_columns, &call));
}

/* Vectors of a row, the last one overlapping those before it: for k: columns(.., row, k).  "In
 * place", where no cell may be computed twice, the last one computes only the rest:
 *
 *	for (k = k_first; k <= k_end; k += width) columns(.., row, k, 0)
 *	if (k_left <= k_last) columns(.., row, k_end, k_left - k_end)
 */
static struct ks *for_vectors(const struct cpu_hex *x, const struct kfunc *f,
	bool in_place, const struct kx *row)
{
	const struct host *h = x->h;
	int d = x->n_dims - 1;
	const char *point = x->names->point[d];
	const struct kx *k = name(h, point), *last = name(h, last_of(x, d));
	const struct kx *width = name(h, width_name(x));
	const struct kx *end = name(h, end_name(x)), *left = name(h,
		left_name(x));
	struct ks *block = ks_block(h->mem);

	ks_add(h->mem, block, ks_for(h->mem, point, name(h, first_of(x, d)),
		op(h, OP_LE, k, in_place ? end : last), width, call_columns(x,
			f, (struct call_of_columns) { x, row, in_place ? NULL :
				kx_min(h->mem, k, end), integer(h, 0) })));
	if (in_place)
		ks_add(h->mem, block, ks_if(h->mem, op(h, OP_LE, left, last),
			call_columns(x, f, (struct call_of_columns) { x, row,
				end, op(h, OP_SUB, left, end) }), NULL));
	return block;
}

/* for j by rows: if all rows of the group run: for k: columns, else one row after the other */
static struct ks *for_rows(const struct cpu_hex *x, bool in_place)
{
	const struct host *h = x->h;
	int d = x->n_dims - 2;
	const char *point = x->names->point[d], *left = x->row[0];
	const struct kx *j = name(h, point), *last = name(h, last_of(x, d));
	struct ks *body = for_vectors(x, x->columns.rows, in_place, NULL);
	int rows = x->columns.plan->rows;

	if (rows > 1)
		body = ks_if(h->mem, op(h, OP_LE, kx_add(h->mem, j, rows - 1),
			last), body, ks_for(h->mem, left, j,
			op(h, OP_LE, name(h, left), last), integer(h, 1),
			for_vectors(x, x->columns.one, in_place, name(h,
				left))));
	return ks_for(h->mem, point, name(h, first_of(x, d)),
		op(h, OP_LE, j, last), integer(h, rows), body);
}

/* "body" for the dimensions between the first and the last two. */
static struct ks *in_outer_loops(const struct cpu_hex *x, struct ks *body)
{
	const struct host *h = x->h;

	for (int d = x->n_dims - 3; d > 0; d--) {
		const char *point = x->names->point[d];

		body = ks_for(h->mem, point, name(h, first_of(x, d)),
			op(h, OP_LE, name(h, point), name(h, last_of(x, d))),
			integer(h, 1), body);
	}
	return body;
}

/* The sides of the box, and the width of columns. */
static void declare_box(const struct cpu_hex *x, struct ks *block,
	const struct loop_box *box, bool in_place)
{
	const struct host *h = x->h;
	int d_last = x->n_dims - 1;
	const struct kx *first = name(h, first_of(x, d_last));
	const struct kx *last = name(h, last_of(x, d_last));
	int vectors = x->n_dims == 2 ? x->columns.plan->rows : 1;

	for (int d = 0; d < x->n_dims; d++) {
		host_declare_int(h, block, first_of(x, d), box->low[d]);
		host_declare_int(h, block, last_of(x, d), box->high[d]);
	}
	host_declare_int(h, block, width_name(x), op(h, OP_MUL, integer(h,
		vectors), vector_lanes(x)));
	host_declare_int(h, block, end_name(x), kx_add(h->mem, op(h, OP_SUB,
		last, name(h, width_name(x))), 1));
	if (in_place)
		host_declare_int(h, block, left_name(x), op(h, OP_ADD, first,
			op(h, OP_MUL, op(h, OP_DIV, kx_add(h->mem, op(h,
				OP_SUB, last, first), 1), name(h, width_name(x))),
				name(h, width_name(x)))));
	ks_add(h->mem, block, ks_simple(h->mem, KS_BLANK));
}

/* (size_t) (M + apart) * (K + 16 * apart) * sizeof(cell): from one cell of a column to
 * the next
 */
static const struct kx *bytes_of_plane(const struct cpu_hex *x)
{
	const struct host *h = x->h;
	const struct field *f = x->c.stmt->stmt->write->field;
	const struct kx *bytes = NULL;

	for (int d = 1; d < f->n_dims; d++) {
		const struct kx *size = cpu_extent(h, f, d,
			cpu_layout_of_user(h, f));

		bytes = bytes ? op(h, OP_MUL, bytes, size) : size->kind ==
			KX_INT ? size : kx_cast(h->mem, ctype(CT_SIZE), size);
	}
	return op(h, OP_MUL, bytes, kx_sizeof(h->mem, ctype_of(f->type)));
}

/* Columns pay if there is room for them, and if their cells spread over many sets of the
 * caches: cells a multiple of 1024 bytes apart share 4 of 64 sets.
 */
static const struct kx *planes_allow(const struct cpu_hex *x)
{
	const struct host *h = x->h;
	int d = x->n_dims - 1;
	const struct kx *planes = op(h, OP_LE, name(h, first_of(x, 0)),
		name(h, last_of(x, 0)));
	const struct kx *room = op(h, OP_LE, name(h, first_of(x, d)),
		name(h, end_name(x)));
	const struct kx *apart = op(h, OP_MOD, bytes_of_plane(x),
		integer(h, CONFLICT_BYTES));

	return kx_and(h->mem, kx_and(h->mem, planes, room),
		op(h, OP_NE, apart, integer(h, 0)));
}

/* Rows in two dimensions go through the caches in order, and processors see what comes next.
 * Columns load less, but take a third more time from the second-level cache, and for boxes a
 * tenth more.
 */
static bool rows_pay(struct cpu_hex *x, const struct ks *s)
{
	const struct ks *row = s;

	for (int d = 0; d < x->n_dims - 1; d++)
		row = only_child(row->child[0]);
	return x->n_dims == 2 && cpu_hex_takes_vectors(x, row) &&
		x->vectors.pay && (x->vectors.is_star || x->vectors.keep);
}

/* Where rows get neighbouring cells by shifts, columns must save loads by sharing them between
 * rows.  Rows by sums, which are for other processors, share more than columns.
 */
static const struct kx *where_columns_pay(const struct cpu_hex *x)
{
	const struct host *h = x->h;

	if (x->n_dims > 2 || x->vectors.stmt != x->c.stmt)
		return planes_allow(x);
	if (x->vectors.sums)
		return kx_and(h->mem, kx_builtin(h->mem, W_SHIFTS, 0),
			planes_allow(x));
	if (!x->vectors.pay)
		return planes_allow(x);
	return kx_and(h->mem, kx_unary(h->mem, OP_NOT, kx_builtin(h->mem,
		W_SHIFTS, 0)), planes_allow(x));
}

/* The functions for columns of x->c.stmt, "assign"; false: the statement has
 * none.
 */
static bool add_functions(struct cpu_hex *x, const struct ks *assign)
{
	const struct kx *value[COLUMN_ROWS], *written = assign->x[0];
	const struct column_plan *p;
	struct kfunc *rows, *one;

	each_row(x, assign->x[1], value);
	p = column_plan_new(x, value, x->n_dims > 2 ? COLUMN_ROWS :
		COLUMN_VECTORS);
	if (!p)
		return false;
	rows = one = columns_function(x, p, written);
	cpu_hex_append(x, rows);
	if (p->rows > 1 && x->n_dims > 2) {
		one = columns_function(x, column_plan_new(x, value, 1),
			written);
		cpu_hex_append(x, one);
	}
	x->walks_planes = true;
	x->columns = (struct columns_of_stmt) { x->c.stmt, p, rows, one };
	return true;
}

struct ks *cpu_hex_columns(struct cpu_hex *x, struct ks *s)
{
	const struct host *h = x->h;
	struct loop_box box;
	struct ks *block, *vectors, *rows;
	bool in_place;

	if (x->c.mapped || x->c.stmt->is_copy ||
	    !columns_pay(h->scop, x->plan->tiles.hex_dim, x->c.stmt->stmt) ||
	    !find_box(x, s, &box))
		return NULL;
	if (rows_pay(x, s)) {
		x->walks_planes = true;
		return NULL;
	}
	if (x->columns.stmt != x->c.stmt && !add_functions(x, box.assign))
		return NULL;
	in_place = is_in_place(x->columns.plan, box.assign->x[0]);
	block = ks_scope(h->mem);
	block->braces = true;
	declare_box(x, block, &box, in_place);
	vectors = x->n_dims > 2 ? in_outer_loops(x, for_rows(x, in_place)) :
		for_vectors(x, x->columns.one, in_place, NULL);
	rows = cpu_hex_vectorise_rows(x, s);
	ks_add(h->mem, block, ks_if(h->mem, where_columns_pay(x), vectors,
		rows));
	return block;
}
