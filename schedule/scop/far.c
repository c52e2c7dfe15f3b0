/* Statements far from all edges: most choices by the point tell cells at an edge from others,
 * and far from there have one outcome.
 */
#include "schedule/scop/sets.h"

/* Cells so far from an edge are far from it, whatever a choice says of others. */
enum { EDGE_CELLS = 4 };

/* { [t, x] in "set" : so are all points EDGE_CELLS away along each dimension } */
static __isl_give isl_set *deep_in(__isl_take isl_set *set, int n_dims)
{
	set = isl_set_reset_tuple_id(set);
	for (int d = 0; d < n_dims; d++) {
		isl_set *beside = isl_set_intersect(shift_dim(isl_set_copy(set),
			1 + d, EDGE_CELLS), shift_dim(isl_set_copy(set), 1 + d,
			-EDGE_CELLS));

		set = isl_set_intersect(set, beside);
	}
	return set;
}

/* The points of "s" of which little is to be excluded. */
struct interior {
	const struct scop *scop;
	struct scop_stmt far;		/* so far */
	isl_set *deep;			/* { [t, x] : far from all edges } */
	struct open_choice *open;	/* conditions that even these points do
					 * not make the same way, or whose
					 * others are no polyhedron */
};

static const struct expr *condition_of(const struct expr *choice)
{
	return choice->kind == EXPR_SELECT ? expr_condition_in(choice->arg[0]) :
		NULL;
}

static bool asks(const void *interior, const struct expr *e)
{
	const struct interior *x = interior;
	const struct expr *condition = condition_of(e);

	return condition && !choice_is_open(x->open, condition);
}

/* Has "set" one piece?  Tiles lie in one as a whole. */
static __isl_give isl_set *in_one_piece(__isl_take isl_set *set)
{
	set = isl_set_remove_redundancies(set_coalesce(set));
	if (isl_set_n_basic_set(set) == 1)
		return set;
	isl_set_free(set);
	return NULL;
}

/* The points of x->far.inside at which the condition holds, or fails, if those far from all
 * edges are among them; or NULL.
 */
static __isl_give isl_set *points_where(const struct interior *x,
	__isl_keep isl_set *holds, bool wanted)
{
	isl_set *others = wanted ? isl_set_complement(isl_set_copy(holds)) :
		isl_set_copy(holds);
	isl_set *known = isl_set_reset_tuple_id(isl_set_copy(others));
	bool all = isl_set_is_disjoint(x->deep, known) == isl_bool_true;
	isl_set *points = all ? in_one_piece(isl_set_subtract(isl_set_copy(
		x->far.inside), isl_set_copy(others))) : NULL;

	isl_set_free(known);
	isl_set_free(others);
	return points;
}

static bool decide(struct interior *x, const struct expr *condition)
{
	isl_space *space = isl_set_get_space(x->far.inside);
	isl_set *holds = set_of_condition(space, x->scop->prog, condition);
	isl_set *points = points_where(x, holds, true);
	bool wanted = points;
	const struct stmt *s = x->far.stmt;
	struct stmt *decided;

	if (!points)
		points = points_where(x, holds, false);
	isl_space_free(space);
	isl_set_free(holds);
	if (!points)
		return false;
	decided = stmt_where(x->scop->mem, s, condition, wanted);
	decided->n_conditions = s->n_conditions;
	x->far.stmt = decided;
	x->far.inside = keep_set(x->scop->mem, points);
	return true;
}

struct scop_stmt scop_far(const struct scop *scop, const struct scop_stmt *s)
{
	struct interior x = { .scop = scop, .far = *s };
	const struct expr *choice;

	while (!s->is_copy && (choice = expr_find(x.far.stmt->value, asks, &x))) {
		if (!x.deep)
			x.deep = deep_in(isl_set_intersect_params(isl_set_copy(
				s->inside), isl_set_copy(scop->context)),
				scop->n_dims);
		if (isl_set_is_empty(x.deep) == isl_bool_true || !decide(&x,
		    condition_of(choice)))
			choice_leave_open(scop->mem, &x.open,
				condition_of(choice));
	}
	isl_set_free(x.deep);
	x.far.read = x.far.stmt->read;
	x.far.n_reads = x.far.stmt->n_reads;
	return x.far;
}
