/* Statements that share a row of tiles, see scop_together(), and that have the same points: one
 * function computes them all, in one nest of loops, and what they have in common once.
 */
#include "codegen/hex/hex.h"
#include "codegen/tree/common.h"

static bool same_points(__isl_keep isl_set *a, __isl_keep isl_set *b)
{
	isl_set *x = isl_set_reset_tuple_id(isl_set_copy(a));
	isl_set *y = isl_set_reset_tuple_id(isl_set_copy(b));
	bool same = isl_set_is_equal(x, y) == isl_bool_true;

	isl_set_free(x);
	isl_set_free(y);
	return same;
}

static int parts_of(const struct cpu_hex *x, const struct scop_stmt *s,
	int most, struct scop_stmt **parts)
{
	*parts = region_array(x->h->mem, struct scop_stmt, most);
	return scop_parts(x->h->scop, s, most, *parts);
}

/* The one of "parts" that has the points of "like"; or NULL. */
static const struct scop_stmt *part_like(const struct scop_stmt *like,
	const struct scop_stmt *parts, int n)
{
	for (int i = 0; i < n; i++)
		if (same_points(like->domain, parts[i].domain))
			return &parts[i];
	return NULL;
}

/* Add "whole" with its "parts", if they are at the points of those of "all". */
static void join_parts(const struct cpu_hex *x, struct together *all,
	const struct scop_stmt *whole, const struct scop_stmt *parts, int n)
{
	struct scop_stmt *own = region_array(x->h->mem, struct scop_stmt, n);

	for (int i = 0; i < all->n_parts; i++) {
		const struct scop_stmt *part = part_like(&all->parts[0][i],
			parts, n);

		if (n != all->n_parts || !part)
			return;
		own[i] = *part;
	}
	all->whole[all->n] = whole;
	all->parts[all->n++] = own;
}

static bool may_join(const struct scop_stmt *first, const struct scop_stmt *s)
{
	return s->number == first->number && !s->is_copy && !first->is_copy &&
		!s->stmt->n_listed && !first->stmt->n_listed &&
		s->stmt->n_dims == first->stmt->n_dims &&
		s->is_mapped == first->is_mapped &&
		s->is_guarded == first->is_guarded &&
		same_points(first->domain, s->domain) && (!s->is_mapped ||
		same_points(first->inside, s->inside));
}

/* The next statement behind "s" that may join "first"; or NULL. */
static const struct scop_stmt *next_alike(const struct cpu_hex *x,
	const struct scop_stmt *first, const struct scop_stmt *s)
{
	const struct scop *scop = x->h->scop;

	do
		s++;
	while (s < scop->stmt + scop->n_stmts && !may_join(first, s));
	return s < scop->stmt + scop->n_stmts ? s : NULL;
}

struct together cpu_hex_together(const struct cpu_hex *x,
	const struct scop_stmt *s)
{
	const struct scop_stmt *other = next_alike(x, s, s);
	const int most = other ? SCOP_MOST_SHARED : SCOP_MOST_PARTS;
	struct together all = { .n = 1 };

	all.parts = region_array(x->h->mem, struct scop_stmt *,
		x->h->scop->n_stmts);
	all.whole = region_array(x->h->mem, const struct scop_stmt *,
		x->h->scop->n_stmts);
	all.whole[0] = s;
	all.n_parts = parts_of(x, s, most, &all.parts[0]);
	for (; other; other = next_alike(x, s, other)) {
		struct scop_stmt *parts;
		int n = parts_of(x, other, most, &parts);

		join_parts(x, &all, other, parts, n);
	}
	return all;
}

void cpu_hex_mark_joined(const struct cpu_hex *x, bool *joined)
{
	const struct scop *scop = x->h->scop;

	for (int i = 1; i < x->together.n; i++)
		for (int j = 0; j < scop->n_stmts; j++)
			joined[j] = joined[j] || (!scop->stmt[j].is_copy &&
				scop->stmt[j].stmt->index ==
				x->together.parts[i]->stmt->index);
}

/* Statement "i" of x->together: its part at hand, or, beside the parts, as a whole. */
static const struct scop_stmt *stmt_at_hand(const struct cpu_hex *x, int i)
{
	return x->c.stmt == x->together.whole[0] ? x->together.whole[i] :
		&x->together.parts[i][x->part];
}

struct ks *cpu_hex_instances(const struct cpu_hex *x)
{
	struct kbox *box = x->function->box;
	struct cursor c = x->c;
	struct ks *all;

	for (int i = 0; i < x->together.n && !c.stmt->is_copy; i++)
		box->alone += stmt_flops(stmt_at_hand(x, i)->stmt);
	if (x->together.n == 1) {
		box->shared += c.stmt->is_copy ? 0 : stmt_flops(c.stmt->stmt);
		return cpu_instance(&c);
	}
	all = ks_block(x->h->mem);
	for (int i = 0; i < x->together.n; i++) {
		c.stmt = stmt_at_hand(x, i);
		ks_add(x->h->mem, all, cpu_instance(&c));
	}
	return ks_with_common(x->h->mem, x->h->prog, all, x->c.mapped,
		&box->shared);
}
