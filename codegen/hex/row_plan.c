/* What rows of vectors read. */
#include <stdio.h>
#include <string.h>

#include "codegen/hex/rows.h"

enum {
	MOST_POINTERS = 13,	/* values that a processor's registers hold at a
				 * time */
	MOST_VECTORS = 28,	/* the same for processors whose vectors fill a
				 * line */
	LEAST_TERMS = 5,	/* of sums that go on side by side */
};

const char *rows_innermost(const struct cpu_hex *x)
{
	return x->names->point[x->n_dims - 1];
}

const char *rows_name(const struct cpu_hex *x, const char *form)
{
	return fresh_name(x->h->mem, x->h->prog, form, rows_innermost(x));
}

const struct kx *rows_value(const struct cpu_hex *x,
	const struct kx *value, int row)
{
	const char *name = x->names->point[x->n_dims - 2];

	return vector_moved(x->h->mem, value, name, kx_name(x->h->mem, name),
		row);
}

bool rows_go_on(const struct cpu_hex *x)
{
	return x->plan->tiles.hex_dim != x->n_dims - 1;
}

static int count_terms(const struct kx *sum)
{
	int n = 1;

	for (; sum->kind == KX_BINARY && (sum->op == OP_ADD ||
		sum->op == OP_SUB); sum = sum->arg[0])
		n++;
	return n;
}

const struct kx *rows_longest_sum(const struct kx *value, int *n)
{
	const struct kx *best = value;

	*n = count_terms(value);
	for (int i = 0; i < value->n_args && value->kind != KX_INDEX; i++) {
		int terms;
		const struct kx *sum = rows_longest_sum(value->arg[i], &terms);

		if (terms > *n) {
			best = sum;
			*n = terms;
		}
	}
	return best;
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

struct line *rows_line_of(const struct rows *r, const struct kx *cell)
{
	for (int i = 0; i < r->n_lines; i++)
		if (is_same_line(r->line[i].at, cell))
			return &r->line[i];
	return NULL;
}

int rows_place(const struct cpu_hex *x, const struct kx *cell)
{
	int offset;

	vector_is_shifted(cell->arg[x->n_dims - 1],
		kx_name(x->h->mem, rows_innermost(x)), &offset);
	return offset;
}

/* Does it read a cell of a field with all dimensions, at a fixed distance from the point? */
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
	struct line *line = rows_line_of(r, cell);
	int offset = rows_place(r->x, cell);

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

/* Is each cell beside the point the only one read in its column?  Then columns, which load a
 * vector once for all rows, save no loads over shifts in rows.
 */
static bool is_star(const struct rows *r)
{
	for (int i = 0; i < r->n_beside; i++)
		for (int j = 0; j < i; j++) {
			const struct kx *a = r->beside[i], *b = r->beside[j];

			if (!strcmp(a->name, b->name) && rows_place(r->x, a)
			    == rows_place(r->x, b) && !is_same_line(a, b))
				return false;
		}
	return true;
}

/* Is no cell farther along the row than a neighbour? */
static bool reaches_one(const struct rows *r)
{
	for (int i = 0; i < r->n_lines; i++)
		if (r->line[i].low < -1 || r->line[i].high > 1)
			return false;
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

/* Do vectors side by side give access to its neighbours? */
static bool is_near(const struct rows *r, const struct line *line)
{
	int lanes = LINE_BYTES / type_size(
		r->x->c.stmt->stmt->write->field->type);

	return (line->low < 0 || line->high > 0) && line->low >= -lanes &&
		line->high <= lanes;
}

/* Pointers and vectors that all rows need at a time. */
static bool has_registers(const struct rows *r)
{
	int vectors = r->n;

	for (int i = 0; i < r->n_lines; i++) {
		const struct line *line = &r->line[i];

		vectors += 1 + (line->low < 0) + (line->high > 0);
	}
	return r->n_lines + r->n <= MOST_POINTERS && vectors <= MOST_VECTORS;
}

/* A_old_m1: the row of A_old[i - 1][j]; A_old_m1_2: the row of A_old[i - 1][j + 2][k] */
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
	return fresh_name(x->h->mem, x->h->prog, "%s%s", value_stem(x->h->mem,
		x->h->prog, line->at->name), text);
}

bool rows_have_root(const struct kx *value)
{
	for (int i = 0; i < value->n_args; i++)
		if (rows_have_root(value->arg[i]))
			return true;
	return value->kind == KX_MATH;
}

/* Do loads across lines of the cache fetch the neighbours to the right?  Several rows of a box use
 * each of them, and shifts take turns with sums and with the steps of roots.
 */
static bool loads_right(const struct cpu_hex *x, const struct kx *value)
{
	return x->n_dims == 2 && (!x->vectors.is_star || rows_have_root(value));
}

/* Say where neighbours come from, and name what is kept. */
static void name_lines(struct rows *r, const struct kx *value)
{
	for (int i = 0; i < r->n_lines; i++) {
		struct line *line = &r->line[i];

		line->loads_right = is_near(r, line) && loads_right(r->x, value);
		line->shifted = is_near(r, line) && !(line->loads_right &&
			line->low == 0 && line->reads == 0);
		if (line->shifted || line->loads_right || line->reads > 1)
			line->name = name_of_line(r->x, line);
	}
}

bool rows_find(const struct cpu_hex *x, const struct ks *assign, int n,
	struct rows *r)
{
	const struct kx *value = assign->x[1];
	enum type type = x->c.stmt->stmt->write->field->type;

	if ((type != TYPE_FLOAT && type != TYPE_DOUBLE) ||
	    vector_nodes(value) > MOST_VECTOR_NODES)
		return false;
	*r = (struct rows) { .x = x, .n = n, .fits = true, .line =
		region_array(x->h->mem, struct line, n * vector_nodes(value)),
		.beside = region_array(x->h->mem, const struct kx *, n *
			vector_nodes(value)) };
	for (int i = 0; i < n; i++)
		note_reads(r, rows_value(x, value, i), type);
	name_lines(r, value);
	return r->fits && r->n_lines > 0 && (n == 1 || has_registers(r));
}

void rows_keep_only(struct rows *r, const struct ks *assign, const struct kx *part)
{
	enum type type = r->x->c.stmt->stmt->write->field->type;

	r->n_beside = 0;
	for (int i = 0; i < r->n_lines; i++)
		r->line[i] = (struct line) { .at = r->line[i].at };
	for (int i = 0; i < r->n; i++)
		note_reads(r, rows_value(r->x, part, i), type);
	name_lines(r, assign->x[1]);
}

/* Nothing is shifted out of adjacent vectors, and all lines have names. */
static void name_all(struct rows *r)
{
	for (int i = 0; i < r->n_lines; i++) {
		struct line *line = &r->line[i];

		line->shifted = line->loads_right = false;
		line->name = name_of_line(r->x, line);
	}
}

void rows_keep(struct rows *r)
{
	r->keeps = true;
	name_all(r);
}

void rows_by_sums(struct rows *r)
{
	r->by_sums = true;
	name_all(r);
}

void rows_by_lines(struct rows *r)
{
	r->by_lines = true;
	name_all(r);
}

bool rows_are_in_place(const struct rows *r, const struct ks *assign)
{
	for (int i = 0; i < r->n_lines; i++)
		if (!strcmp(r->line[i].at->name, assign->x[0]->name))
			return true;
	return false;
}

/* May rows of a box of two dimensions keep what they load, "one" row of it?  All that a row reads
 * takes registers at a time.
 */
static bool may_keep(const struct rows *one, const struct ks *assign)
{
	int cells = one->n_beside;

	for (int i = 0; i < one->n_lines; i++)
		cells += one->line[i].reads;
	return one->x->n_dims == 2 && cells <= MOST_KEPT && reaches_one(one) &&
		!rows_have_root(assign->x[1]) && !rows_are_in_place(one, assign);
}

/* Do several rows of a star gain by lines?  Loads across lines bind those of two dimensions that read
 * both neighbours; rows that reach farther are bound by what they compute.
 */
static bool goes_by_lines(const struct cpu_hex *x, const struct ks *assign)
{
	struct rows r;
	bool both = false;

	rows_find(x, assign, 1, &r);
	for (int i = 0; i < r.n_lines; i++)
		both |= r.line[i].low < 0 && r.line[i].high > 0;
	return x->n_dims == 2 && both && reaches_one(&r) &&
		!rows_have_root(assign->x[1]) && rows_go_on(x);
}

/* Do several rows of a star of two dimensions, which reads too much for them, share by sums? */
static bool goes_by_sums(const struct cpu_hex *x, const struct ks *assign)
{
	struct rows one, all;
	int terms;

	rows_longest_sum(assign->x[1], &terms);
	rows_find(x, assign, 1, &one);
	rows_find(x, assign, CPU_HEX_ROWS, &all);
	return x->n_dims == 2 && all.fits && all.n_lines < CPU_HEX_ROWS *
		one.n_lines && !rows_have_root(assign->x[1]) &&
		terms >= LEAST_TERMS;
}

/* Are rows of floats in three dimensions faster one by one than two at a time?  Two load less, from
 * places in more planes than a processor foresees: on a Zen 5 laplacian3d has 1.05 times the rate by
 * single rows, in doubles 0.96.
 */
static bool are_foreseen_alone(const struct rows *r, const struct ks *assign, int n)
{
	return r->x->n_dims == 3 && n == 2 && !rows_have_root(assign->x[1]) &&
		rows_are_of_floats(r);
}

bool rows_plan(struct cpu_hex *x, const struct ks *assign)
{
	struct vectors_of_stmt *v = &x->vectors;
	struct rows r;
	int lines, n = CPU_HEX_ROWS;
	bool share;

	*v = (struct vectors_of_stmt) { .stmt = x->c.stmt };
	if (!rows_find(x, assign, 1, &r))
		return false;
	lines = r.n_lines;
	v->is_star = is_star(&r);
	v->keep = !v->is_star && may_keep(&r, assign);
	rows_find(x, assign, 2, &r);
	share = r.n_lines < 2 * lines;
	while (n > 1 && !(rows_find(x, assign, n, &r) && r.n_lines < n * lines))
		n /= 2;
	if (x->in_one_grid || are_foreseen_alone(&r, assign, n)) {
		n = 1;
		share = false;
	}
	v->assign = assign;
	v->n_rows = n;
	v->alone = !share;
	v->pay = (v->is_star || reaches_one(&r)) && (n > 1 || !share);
	v->keep = v->keep && n > 1;
	v->sums = v->is_star && n == 1 && goes_by_sums(x, assign);
	v->lines = v->is_star && n > 1 && goes_by_lines(x, assign);
	return true;
}
