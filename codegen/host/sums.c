/* Long sums of several rows side by side.  The n additions of a sum wait for
 * each other; those of different rows do not, but a processor looks ahead by a
 * few dozen instructions only.  So the rows take turns to add a few terms:
 *
 *	float sum0 = A[i][j][k - 1] + A[i][j][k] + A[i][j][k + 1];
 *	float sum1 = A[i][j_1][k - 1] + ..;
 *	sum0 = sum0 + A[i][j + 1][k - 1] + ..;
 *	sum1 = ..
 *
 * Each row keeps its additions and their order.
 */
#include "codegen/host/cpu.h"

enum {
	LONG_SUM = 16,		/* terms: shorter sums leave little to wait for */
	TERMS_AT_A_TIME = 3,
	MOST_DEPTH = 64,
};

/* Where a node is: the operand to take at each node from the root down. */
struct path {
	int length, operand[MOST_DEPTH];
};

static bool is_sum(const struct kx *x)
{
	return x->kind == KX_BINARY && (x->op == OP_ADD || x->op == OP_SUB) &&
		!type_is_integer(x->type);
}

/* Of ((a + b) - c) + d: 4 */
static int terms_of(const struct kx *x)
{
	int n = 1;

	for (; is_sum(x); x = x->arg[0])
		n++;
	return n;
}

/* Does evaluating the node always evaluate all its operands? */
static bool always_computes_all(const struct kx *x)
{
	switch (x->kind) {
	case KX_UNARY:
	case KX_MATH:
	case KX_CAST:
		return true;
	case KX_BINARY:
		return x->op != OP_AND && x->op != OP_OR;
	default:
		return false;
	}
}

/* The longest sum at "at" or below, with its number of terms. */
static void find_longest(const struct kx *x, struct path *at,
	struct path *longest, int *terms)
{
	if (terms_of(x) > *terms) {
		*terms = terms_of(x);
		*longest = *at;
	}
	if (!always_computes_all(x) || at->length == MOST_DEPTH)
		return;
	for (int i = 0; i < x->n_args; i++) {
		at->operand[at->length++] = i;
		find_longest(x->arg[i], at, longest, terms);
		at->length--;
	}
}

/* The node at "path", if the tree has one there. */
static const struct kx *node_at(const struct kx *x, const struct path *path)
{
	for (int i = 0; i < path->length; i++) {
		if (path->operand[i] >= x->n_args)
			return NULL;
		x = x->arg[path->operand[i]];
	}
	return x;
}

/* "x" with "node" at "path" from operand "from" on. */
static const struct kx *with_node(struct region *r, const struct kx *x,
	const struct path *path, int from, const struct kx *node)
{
	struct kx *copy;

	if (from == path->length)
		return node;
	copy = region_new_of(r, struct kx);
	*copy = *x;
	copy->arg = region_array(r, const struct kx *, x->n_args);
	for (int i = 0; i < x->n_args; i++)
		copy->arg[i] = i == path->operand[from] ?
			with_node(r, x->arg[i], path, from + 1, node) :
			x->arg[i];
	return copy;
}

/* The nodes that add the terms of the sum "x"; the first is itself a term. */
static const struct kx **nodes_of(struct region *r, const struct kx *x,
	int terms)
{
	const struct kx **node = region_array(r, const struct kx *, terms);

	for (int i = terms - 1; i >= 0; i--) {
		node[i] = x;
		x = i > 0 ? x->arg[0] : NULL;
	}
	return node;
}

/* start + terms "first" to "end" - 1; without the first term only these */
static const struct kx *part_of_sum(struct region *r,
	const struct kx *const *node, const struct kx *start, int first,
	int end)
{
	const struct kx *sum = first == 0 ? node[first++] : start;

	for (; first < end; first++) {
		const struct kx *arg[2] = { sum, node[first]->arg[1] };
		struct kx *more = kx_of_kind(r, KX_BINARY, NULL, 2, arg);

		more->op = node[first]->op;
		more->type = node[first]->type;
		sum = more;
	}
	return sum;
}

static bool are_alike(const struct kx *const *value, int rows,
	const struct path *path, int terms)
{
	for (int i = 0; i < rows; i++) {
		const struct kx *sum = node_at(value[i], path);

		if (!sum || terms_of(sum) != terms)
			return false;
	}
	return true;
}

/* Add a few more terms to each row's sum; the first ones declare the sums. */
static void add_terms(struct region *r, struct ks *block,
	const struct kx *const *const *node, const char *const *name,
	int rows, int first, int end)
{
	for (int i = 0; i < rows; i++) {
		const struct kx *sum = kx_name(r, name[i]);
		const struct kx *more = part_of_sum(r, node[i], sum, first,
			end);

		ks_add(r, block, first > 0 ? ks_assign(r, sum, more) :
			ks_declare(r, ctype_of(node[i][1]->type), name[i],
				more));
	}
}

bool sums_side_by_side(struct region *r, const struct program *prog,
	struct ks *block, const struct kx **value, int rows)
{
	const struct kx *const **node = region_array(r,
		const struct kx *const *, rows);
	const char **name = region_array(r, const char *, rows);
	struct path at = { 0 }, path = { 0 };
	int terms = 0;

	find_longest(value[0], &at, &path, &terms);
	if (terms < LONG_SUM || !are_alike(value, rows, &path, terms))
		return false;
	for (int i = 0; i < rows; i++) {
		name[i] = fresh_name(r, prog, "sum%d", i);
		node[i] = nodes_of(r, node_at(value[i], &path), terms);
		value[i] = with_node(r, value[i], &path, 0, kx_name(r,
			name[i]));
	}
	for (int first = 0; first < terms; first += TERMS_AT_A_TIME) {
		int end = first + TERMS_AT_A_TIME;

		add_terms(r, block, node, name, rows, first,
			end < terms ? end : terms);
	}
	return true;
}
