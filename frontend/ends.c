/* Both parts of a complex number are computed at the same points: where all cells that either part
 * reads lie in the grid.
 */
#include "frontend/complex.h"

/* An end of what an access reads: stride*x + offset reaches from 0 to where its cells end. */
struct end {
	const struct access *access;
	int d;			/* dimension of its field */
	enum side side;
};

/* Is the statement "s" not computed beyond this end, and may its points lie there? */
static bool counts(const struct stmt *s, const struct end *end, bool is_element)
{
	const struct access *a = end->access;
	int dim = a->dim[end->d];

	if (dim < 0 || !s->write)
		return dim >= 0;
	if (!is_element && a->field->boundary[end->d][end->side]
	    .kind != BOUNDARY_FIXED)
		return false;
	if (end->side == SIDE_LOW)
		return a->offset[end->d] < 0;
	return a->offset[end->d] > 0 || access_strides_along(a, end->d) ||
		!expr_same_size(a->field->size[end->d],
			s->write->field->size[dim]);
}

/* Does "a" leave no more points than "b"? */
static bool implies(const struct end *a, const struct end *b)
{
	const struct access *x = a->access, *y = b->access;
	int64_t more = x->offset[a->d] - y->offset[b->d];

	return a->side == b->side && x->dim[a->d] == y->dim[b->d] &&
		x->stride[a->d] == y->stride[b->d] && x->divisor[a->d] ==
		y->divisor[b->d] && (a->side == SIDE_LOW ? more <= 0 : more >=
		0 && expr_same_size(x->field->size[a->d], y->field->size[b->d]));
}

/* Call "each" for the ends that count for "s", until it returns true. */
static bool any_end(struct lower *l, struct stmt *s, const void *user,
	bool (*each)(struct lower *l, const struct end *end, const void *user))
{
	int n = s->n_reads + s->n_elements;

	for (int i = 0; i < n; i++) {
		bool is_element = i >= s->n_reads;
		struct end end = { .access = is_element ?
			s->element[i - s->n_reads] : s->read[i] };

		for (int k = 0; k < SIDES * end.access->field->n_dims; k++) {
			end.d = k / SIDES;
			end.side = (enum side) (k % SIDES);
			if (counts(s, &end, is_element) && each(l, &end, user))
				return true;
		}
	}
	return false;
}

static bool is_nearer(struct lower *l, const struct end *end, const void *other)
{
	(void) l;
	return implies(end, other);
}

/* stride*x + offset >= 0, or < what bounds it */
static const struct expr *within(struct lower *l, const struct end *end)
{
	const struct access *a = end->access;
	struct region *r = l->mem;
	struct expr *x = expr_leaf(r, EXPR_INDEX, TYPE_INT, a->at);
	const struct expr *at;
	int64_t offset = a->offset[end->d];

	x->dim = a->dim[end->d];
	x->spelling = a->iterator[x->dim];
	at = expr_times(r, a->stride[end->d], x);
	if (end->side == SIDE_LOW)
		return expr_binary(r, OP_GE, at, expr_int(r, -offset, a->at),
			a->at);
	if (offset)
		at = expr_binary(r, offset > 0 ? OP_ADD : OP_SUB, at, expr_int(r,
			offset > 0 ? offset : -offset, a->at), a->at);
	return expr_binary(r, OP_LT, at, access_end(r, a, end->d), a->at);
}

/* Let the statement "to" end where "end" says, unless it does. */
static bool add_end(struct lower *l, const struct end *end, const void *to)
{
	struct stmt *s = (struct stmt *) to;
	const struct expr **condition;

	if (any_end(l, s, end, is_nearer))
		return false;
	condition = region_array(l->mem, const struct expr *,
		s->n_conditions + 1);
	for (int i = 0; i < s->n_conditions; i++)
		condition[i] = s->condition[i];
	condition[s->n_conditions++] = within(l, end);
	s->n_ends++;
	s->condition = condition;
	return false;
}

void join_ends(struct lower *l, struct stmt *a, struct stmt *b)
{
	any_end(l, a, b, add_end);
	any_end(l, b, a, add_end);
}

void join_all_ends(struct lower *l)
{
	for (int i = 1; l->ast->has_complex && i < l->program->n_stmts; i++) {
		const struct statement *a = l->statement[i - 1];
		const struct statement *b = l->statement[i];

		if (b->update->is_second && a->update->next == b->update &&
		    a->ir->write && b->ir->write)
			join_ends(l, a->ir, b->ir);
	}
}
