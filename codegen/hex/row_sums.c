/* Rows whose long sums go on side by side.  A star that reaches far reads more rows than there are
 * registers for.  But each row of cells is a term of one sum after the other:
 *
 *	floats A_old_m2 = A_old[i - 2][k]	row i - 2 of cells
 *	sum0 = sum0 + .. A_old_m2 ..		for the row i
 *	sum1 = .. A_old_m2 ..			for the row i + 1
 *	floats A_old_m1 = A_old[i - 1][k]
 *	..
 *
 * So a row of cells is loaded once for all sums, and then forgotten.
 */
#include <limits.h>

#include "codegen/hex/rows.h"

static struct region *mem(const struct rows *r)
{
	return r->x->h->mem;
}

/* The first "n" + 1 terms of a sum of "all". */
static const struct kx *part_of_sum(const struct kx *sum, int all, int n)
{
	for (int i = all - 1; i > n; i--)
		sum = sum->arg[0];
	return sum;
}

static const struct kx *term_of(const struct kx *part, int n)
{
	return n == 0 ? part : part->arg[1];
}

/* Which row a cell is in, counted from the first one that is computed. */
static int row_of(const struct rows *r, const struct kx *cell)
{
	const struct cpu_hex *x = r->x;
	int offset;

	vector_is_shifted(cell->arg[x->n_dims - 2], kx_name(mem(r),
		x->names->point[x->n_dims - 2]), &offset);
	return offset;
}

/* The last row that "term" reads at k; INT_MIN: none. */
static int last_row(const struct rows *r, const struct kx *term)
{
	int last = INT_MIN;

	if (term->kind == KX_INDEX)
		return vector_varies(r->x, term) && rows_place(r->x, term) == 0 ?
			row_of(r, term) : last;
	for (int i = 0; i < term->n_args; i++) {
		int row = last_row(r, term->arg[i]);

		last = row > last ? row : last;
	}
	return last;
}

/* Declare the cells at k of "term" that other terms read, too. */
static void declare_cells(const struct rows *r, const struct kx *term,
	struct ks *block)
{
	struct line *line;

	for (int i = 0; i < term->n_args && term->kind != KX_INDEX; i++)
		declare_cells(r, term->arg[i], block);
	if (term->kind != KX_INDEX || !vector_varies(r->x, term) ||
	    rows_place(r->x, term) != 0)
		return;
	line = rows_line_of(r, term);
	if (line->reads < 2 || line->is_past)
		return;
	line->is_past = line->kept[1] = true;
	rows_declare(r, block, true, line->name, rows_builtin(r, kx_builtin(mem(r),
		B_KEEP_LANES, 1, rows_address(r, line, rows_place_at_hand(r),
			0))));
}

/* One of the rows that are computed together. */
struct row_of_sum {
	const struct kx *value, *sum;
	int n, terms;		/* how many terms are added, of how many */
};

static const char *sum_name(const struct rows *r, int row)
{
	return fresh_name(mem(r), r->x->h->prog, "sum%d", row);
}

static void add_term(const struct rows *r, const struct row_of_sum *at, int row,
	struct ks *block)
{
	const struct kx *part = part_of_sum(at->sum, at->terms, at->n);
	const struct kx *name = kx_name(mem(r), sum_name(r, row)), *term;
	struct kx *sum;

	declare_cells(r, term_of(part, at->n), block);
	term = rows_vectors(r, term_of(part, at->n));
	if (at->n == 0) {
		rows_declare(r, block, false, name->name, term);
		return;
	}
	sum = vector_operation(r->x, part);
	sum->arg[0] = name;
	sum->arg[1] = term;
	ks_add(mem(r), block, ks_assign(mem(r), name, vector_shared_out(r->x,
		part, sum, r->units)));
}

/* Add the terms of "row" whose cells are at hand, and store the value behind the last one. */
static void add_terms(const struct rows *r, const struct ks *assign,
	struct row_of_sum *at, int row, int cells, struct ks *block)
{
	while (at->n < at->terms && last_row(r, term_of(part_of_sum(at->sum,
		at->terms, at->n), at->n)) <= cells) {
		add_term(r, at, row, block);
		if (++at->n == at->terms) {
			struct rows behind = *r;

			behind.known = at->sum;
			behind.known_name = sum_name(r, row);
			rows_add_store(r, assign, row, rows_vectors(&behind,
				at->value), block);
		}
	}
}

/* The rows of cells, one after the other, each for all sums. */
void rows_add_sums(const struct rows *r, const struct ks *assign, struct ks *block)
{
	struct row_of_sum *at = region_array(mem(r), struct row_of_sum, r->n);
	int first = INT_MAX, last = 0;

	for (int i = 0; i < r->n; i++) {
		at[i].value = rows_value(r->x, assign->x[1], i);
		at[i].sum = rows_longest_sum(at[i].value, &at[i].terms);
	}
	for (int i = 0; i < r->n_lines; i++) {
		int row = row_of(r, r->line[i].at);

		first = row < first ? row : first;
		last = row > last ? row : last;
	}
	for (int cells = first; cells <= last; cells++) {
		for (int i = 0; i < r->n; i++)
			add_terms(r, assign, &at[i], i, cells, block);
		for (int i = 0; i < r->n_lines; i++)
			r->line[i].kept[1] = false;
	}
}
