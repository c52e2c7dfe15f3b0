/* The points of a statement divided by what conditions on the point choose there: as for a
 * source in one cell, or for layers.
 */
#include "schedule/scop/sets.h"

static bool is_of_point(const void *user, const struct expr *e)
{
	(void) user;
	return e->kind == EXPR_INDEX;
}

/* A quotient or remainder of the point gives more than a few pieces. */
static bool is_periodic(const void *user, const struct expr *e)
{
	return e->kind == EXPR_BINARY && (e->op == OP_DIV || e->op == OP_MOD) &&
		expr_find(e, is_of_point, user);
}

bool expr_has_remainder(const struct expr *e)
{
	return expr_find(e, is_periodic, NULL);
}

/* Keep the first condition on the point that decides a choice. */
static void note_condition(void *user, const struct expr *e)
{
	const struct expr **found = user;
	const struct expr *condition = e->kind == EXPR_SELECT && !*found ?
		expr_condition_in(e->arg[0]) : NULL;

	if (condition && expr_find(condition, is_of_point, NULL) &&
	    !expr_has_remainder(condition))
		*found = condition;
}

struct parting {
	const struct scop *scop;
	struct scop_stmt *part;
	int most, n_parts, n_pieces;
};

/* Convex pieces of the points, if they may be few. */
static int count_pieces(const struct parting *p, const struct scop_stmt *s)
{
	int n = (int) isl_set_n_basic_set(s->domain);
	isl_set *set;

	if (n == 1 || n > p->most)
		return n;
	set = isl_set_make_disjoint(set_coalesce(isl_set_copy(s->domain)));
	n = (int) isl_set_n_basic_set(set);
	isl_set_free(set);
	return n;
}

/* The last of the dimensions that "c" bounds, from 1 on; 0: parameters alone. */
static int depth_of(__isl_keep isl_constraint *c)
{
	int d = (int) isl_constraint_dim(c, isl_dim_set);

	while (d > 0 && isl_constraint_involves_dims(c, isl_dim_set,
			(unsigned) d - 1, 1) != isl_bool_true)
		d--;
	return d;
}

static isl_stat append_constraint(__isl_take isl_constraint *c, void *user)
{
	isl_constraint_list **list = user;

	*list = isl_constraint_list_add(*list, c);
	return isl_stat_ok;
}

/* The remainder of the current basic set, and the pieces cut off. */
struct cutting {
	isl_set *rest, *cut;
};

/* Cut off what "c" excludes. */
static void cut_at(struct cutting *x, __isl_take isl_constraint *c)
{
	isl_set *within = isl_set_from_basic_set(
		isl_basic_set_from_constraint(c));

	x->cut = isl_set_union(x->cut, isl_set_subtract(isl_set_copy(x->rest),
		isl_set_copy(within)));
	x->rest = isl_set_intersect(x->rest, within);
}

/* "set" without "hole", in adjacent pieces.  Pieces around a convex hole are cut along the
 * first dimensions before the last ones: planes, then rows, then what lies before and after it
 * in its row.
 */
static __isl_give isl_set *around(__isl_take isl_set *set,
	__isl_take isl_set *hole)
{
	struct cutting x = { set, NULL };
	isl_constraint_list *list;
	isl_basic_set *convex;

	hole = isl_set_remove_redundancies(set_coalesce(hole));
	if (isl_set_n_basic_set(hole) != 1)
		return set_coalesce(isl_set_subtract(set, hole));
	convex = isl_set_simple_hull(hole);
	x.cut = isl_set_empty(isl_set_get_space(set));
	list = isl_constraint_list_alloc(isl_set_get_ctx(set), 0);
	isl_basic_set_foreach_constraint(convex, append_constraint, &list);
	for (int depth = 0; depth <= (int) isl_set_dim(set, isl_dim_set); depth++)
		for (int i = 0; i < (int) isl_constraint_list_size(list); i++) {
			isl_constraint *c =
				isl_constraint_list_get_constraint(list, i);

			if (depth_of(c) == depth)
				cut_at(&x, c);
			else
				isl_constraint_free(c);
		}
	isl_constraint_list_free(list);
	isl_basic_set_free(convex);
	isl_set_free(x.rest);
	return x.cut;
}

/* The points of "s" at which the condition "holds". */
static struct scop_stmt part_where(const struct scop *scop,
	const struct scop_stmt *s, const struct expr *condition, bool holds)
{
	isl_space *space = isl_set_get_space(s->domain);
	isl_set *set = set_of_condition(space, scop->prog, condition);
	struct scop_stmt part = *s;

	part.stmt = stmt_where(scop->mem, s->stmt, condition, holds);
	part.read = part.stmt->read;
	part.n_reads = part.stmt->n_reads;
	part.is_guarded = true;
	part.domain = keep_set(scop->mem, holds ? set_coalesce(
		isl_set_intersect(isl_set_copy(s->domain), set)) :
		around(isl_set_copy(s->domain), set));
	isl_space_free(space);
	return part;
}

/* The condition that should divide "s", or NULL. */
static const struct expr *condition_to_part(const struct scop_stmt *s)
{
	const struct expr *condition = NULL;

	if (!s->is_copy)
		stmt_each_expr(s->stmt, note_condition, &condition);
	return condition;
}

/* Divide "s" as long as all pieces together are few. */
static void part(struct parting *p, const struct scop_stmt *s)
{
	const struct expr *condition = condition_to_part(s);
	struct scop_stmt half[2];
	int more = 0;

	for (int i = 0; i < 2 && condition; i++) {
		half[i] = part_where(p->scop, s, condition, i == 1);
		more += count_pieces(p, &half[i]);
	}
	if (condition)
		more -= count_pieces(p, s);
	if (!condition || p->n_pieces + more > p->most) {
		p->part[p->n_parts++] = *s;
		return;
	}
	p->n_pieces += more;
	for (int i = 0; i < 2; i++)
		if (isl_set_is_empty(half[i].domain) != isl_bool_true)
			part(p, &half[i]);
}

int scop_parts(const struct scop *scop, const struct scop_stmt *s, int most,
	struct scop_stmt *parts)
{
	struct parting p = { .scop = scop, .part = parts, .most = most };

	p.n_pieces = condition_to_part(s) ? count_pieces(&p, s) : 1;
	if (p.n_pieces > most) {
		parts[0] = *s;
		return 1;
	}
	part(&p, s);
	return p.n_parts;
}
