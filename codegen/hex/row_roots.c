/* Roots of rows computed together, one vector behind what they are of:
 *
 *	{ radicand0 = .. at k_lines }
 *	for (k = k_lines + lanes; k <= k_whole; k += lanes) {
 *		radicand0_after = .. at k
 *		root0 = root(radicand0)			of all rows, then
 *		value0 = .. / root0			at k - lanes
 *		radicand0 = radicand0_after
 *	}
 *	{ the roots of the last vector }
 *
 * So a divider has work while sums wait for each other.  Its roots come before all divisions, as it
 * takes longer for both in turns.
 */
#include "codegen/hex/rows.h"

static struct region *mem(const struct rows *r)
{
	return r->x->h->mem;
}

/* A row whose value has one root. */
struct row_of_root {
	struct rows rows;	/* with this row at hand, the vector before */
	const struct kx *value, *root;
	bool by_steps;		/* is 1 / root computed without the divider? */
};

/* The root in "value", or one of "n". */
static const struct kx *root_in(const struct kx *value, int *n)
{
	const struct kx *root = value->kind == KX_MATH ? value : NULL;

	*n += value->kind == KX_MATH;
	for (int i = 0; i < value->n_args; i++) {
		const struct kx *found = root_in(value->arg[i], n);

		root = found ? found : root;
	}
	return root;
}

/* NULL: there is none, or several. */
static const struct kx *only_root(const struct kx *value)
{
	int n = 0;
	const struct kx *root = root_in(value, &n);

	return n == 1 ? root : NULL;
}

/* Note which lines "value" reads at k, but for what its root is of. */
static void note_behind(struct rows *r, const struct kx *value)
{
	struct line *line;

	if (value->kind == KX_MATH || !vector_varies(r->x, value))
		return;
	for (int i = 0; i < value->n_args && value->kind != KX_INDEX; i++)
		note_behind(r, value->arg[i]);
	if (value->kind != KX_INDEX || rows_place(r->x, value) != 0)
		return;
	line = rows_line_of(r, value);
	line->behind = line->shifted && line->high > 0;
}

void rows_by_roots(struct rows *r, const struct ks *assign)
{
	const struct kx *root = only_root(assign->x[1]);

	r->by_roots = r->n > 1 && root && !rows_are_in_place(r, assign) &&
		root->arg[0]->kind != KX_INDEX &&
		vector_varies(r->x, root->arg[0]);
	if (!r->by_roots)
		return;
	rows_keep_only(r, assign, root->arg[0]);
	rows_join_squares(r, root->arg[0]);
	for (int i = 0; i < r->n; i++)
		note_behind(r, rows_value(r->x, assign->x[1], i));
}

static bool is_over_root(const struct kx *value, const struct kx *root)
{
	if (vector_is_over_root(value) && value->arg[1] == root)
		return true;
	for (int i = 0; i < value->n_args; i++)
		if (is_over_root(value->arg[i], root))
			return true;
	return false;
}

/* Beside a fast divider one row of four has the inverse of its root by Newton's steps: of floats, of
 * which the divider takes three rows' roots, the last one, of doubles the second one.
 */
static bool goes_by_steps(const struct rows *r, int row)
{
	return r->n == CPU_HEX_ROWS && row == (rows_are_of_floats(r) ? 3 : 1);
}

static struct row_of_root *rows_of_roots(const struct rows *r,
	const struct ks *assign)
{
	struct row_of_root *all = region_array(mem(r), struct row_of_root, r->n);

	for (int i = 0; i < r->n; i++) {
		struct row_of_root *one = &all[i];

		one->rows = *r;
		one->rows.row = i;
		one->rows.behind = one->rows.alone = true;
		one->value = rows_value(r->x, assign->x[1], i);
		one->root = only_root(one->value);
		one->by_steps = goes_by_steps(r, i) && is_over_root(one->value,
			one->root);
	}
	return all;
}

static const struct kx *name_of_row(const struct rows *r, const char *form, int row)
{
	return kx_name(mem(r), fresh_name(mem(r), r->x->h->prog, form, row));
}

/* What the roots are of, at the vector at hand: first, or after that of the roots. */
static void add_radicands(const struct rows *r, const struct row_of_root *all,
	bool first, struct ks *block)
{
	rows_declare_loads(r, block);
	rows_declare_squares(r, block);
	for (int i = 0; i < r->n; i++) {
		const struct kx *x = rows_vectors(r, all[i].root->arg[0]);

		if (first)
			ks_add(mem(r), block, ks_assign(mem(r), name_of_row(r,
				"radicand%d", i), x));
		else
			rows_declare(r, block, true, name_of_row(r,
				"radicand%d_after", i)->name, x);
	}
}

/* What is at hand for a vector is before the next one; "first": but radicands. */
static void add_moves(const struct rows *r, bool first, struct ks *block)
{
	rows_add_moves(r, block);
	rows_move_squares(r, block);
	for (int i = 0; i < r->n && !first; i++)
		ks_add(mem(r), block, ks_assign(mem(r), name_of_row(r,
			"radicand%d", i), name_of_row(r, "radicand%d_after", i)));
}

/* The roots of the vector before that at hand, and its values. */
static void add_values(const struct rows *r, const struct row_of_root *all,
	const struct ks *assign, struct ks *block)
{
	for (int i = 0; i < r->n; i++) {
		struct rows one = all[i].rows;

		one.known = all[i].root->arg[0];
		one.known_name = name_of_row(r, "radicand%d", i)->name;
		if (!all[i].by_steps)
			rows_declare(r, block, true, name_of_row(r, "root%d",
				i)->name, rows_vectors(&one, all[i].root));
	}
	for (int i = 0; i < r->n; i++) {
		struct rows one = all[i].rows;

		one.by_steps = all[i].by_steps;
		one.known = one.by_steps ? all[i].root->arg[0] : all[i].root;
		one.known_name = name_of_row(r, one.by_steps ? "radicand%d" :
			"root%d", i)->name;
		rows_declare(r, block, true, name_of_row(r, "value%d", i)->name,
			rows_vectors(&one, all[i].value));
	}
	for (int i = 0; i < r->n; i++)
		rows_add_store(&all[i].rows, assign, i, name_of_row(r,
			"value%d", i), block);
}

static struct ks *scope_at(const struct rows *r, const struct kx *k)
{
	struct ks *scope = ks_scope(mem(r));

	host_declare_int(r->x->h, scope, rows_innermost(r->x), k);
	return scope;
}

static const struct kx *place(const struct rows *r, const char *form)
{
	return kx_name(mem(r), rows_name(r->x, form));
}

void rows_add_roots(const struct rows *r, const struct ks *assign,
	struct ks *block)
{
	const struct row_of_root *all = rows_of_roots(r, assign);
	const struct kx *k = kx_name(mem(r), rows_innermost(r->x));
	struct ks *first = scope_at(r, place(r, "%s_lines"));
	struct ks *last = scope_at(r, place(r, "%s_left"));
	struct ks *body = ks_scope(mem(r));

	rows_declare_first(r, block);
	rows_declare_first_squares(r, block);
	for (int i = 0; i < r->n; i++)
		rows_declare(r, block, false, name_of_row(r, "radicand%d",
			i)->name, NULL);
	add_radicands(r, all, true, first);
	add_moves(r, true, first);
	add_radicands(r, all, false, body);
	add_values(r, all, assign, body);
	add_moves(r, false, body);
	add_values(r, all, assign, last);
	ks_add(mem(r), block, first);
	ks_add(mem(r), block, ks_for(mem(r), rows_innermost(r->x),
		kx_binary(mem(r), OP_ADD, place(r, "%s_lines"), rows_lanes(r)),
		kx_binary(mem(r), OP_LE, k, place(r, "%s_whole")), rows_lanes(r),
		body));
	ks_add(mem(r), block, last);
}
