/* Does a rank have what it reduces between two rounds, also beyond its own cells? */
#include "ir/reduction.h"
#include "verify/ranks/ranks.h"

/* The cells of what "a" reads which are right when a round ends, one step or more after an exchange:
 * the rank's own, and those that no further step needs.  One step needs those of an input, which
 * came for at least one, and of a step of a state before all that callers pass, which had one more
 * to go.
 */
static __isl_give isl_set *cells_that_are_right(struct ranks *r,
	const struct access *a, int d)
{
	const struct field *f = a->field;
	int before = f->kind == FIELD_STATE ? 1 - a->version : 1;
	int copies = f->kind == FIELD_STATE ? field_copies(f) : 1;
	int steps = before < copies ? 0 : 1;
	isl_set *cells = own_cells(r, f, d);
	isl_space *line;
	isl_pw_aff *left;

	/* zones give back no other cells */
	if (has_zones_along(r, r->k))
		return cells;
	line = space_of_dims(r->c, 1);
	left = isl_pw_aff_val_on_domain(isl_set_universe(
		isl_space_copy(line)), isl_val_int_from_si(r->c->ctx, steps));

	isl_space_free(line);
	if (before - steps < copies)
		return isl_set_union(cells, needed_cells(r, f, copies - 1 -
			(before - steps), d, left));
	isl_pw_aff_free(left);
	return cells;
}

static bool check_read(struct ranks *r, const struct reduction *reduction,
	const struct access *a, int d)
{
	isl_set *right = cells_that_are_right(r, a, d);
	bool good = lie_in(r, reduced_cells(r, a->field, d, (int) a->offset[d]),
		right);

	isl_set_free(right);
	return good || refute(r->c, "a rank does not have all cells of '%s' that it "
		"reduces to '%s'", a->field->name, reduction->result->name);
}

/* The first point along the last dimension of "point" at which all reads lie in the grid. */
static int64_t first_of_row(const struct stmt *point)
{
	int64_t first = INT64_MIN;

	for (int i = 0; i < point->n_reads; i++)
		for (int d = 0; d < point->read[i]->field->n_dims; d++) {
			const struct access *a = point->read[i];

			if (a->dim[d] == point->n_dims - 1 && -a->offset[d] > first)
				first = -a->offset[d];
		}
	return first;
}

/* Where reals are added along a row that is cut, cuts lie between pieces of the row. */
static bool check_pieces(struct ranks *r, const struct reduction *reduction)
{
	const struct stmt *point = reduction->point;
	const struct exchange *x = &r->exchange;

	if (!reduction_keeps_order(reduction) || r->k != point->n_dims - 1)
		return true;
	return (x->dim[r->k].in_pieces && x->dim[r->k].first_piece ==
		first_of_row(point)) || refute(r->c, "a rank does not have whole "
			"pieces of the rows that it adds to '%s'",
			reduction->result->name);
}

bool check_reduced(struct ranks *r)
{
	const struct program *p = r->c->prog;

	for (int i = 0; i < p->n_reductions; i++) {
		const struct stmt *point = p->reduction[i]->point;

		if (!check_pieces(r, p->reduction[i]))
			return false;
		for (int j = 0; j < point->n_reads; j++)
			for (int d = 0; d < point->read[j]->field->n_dims; d++)
				if (cut_of(r, point->read[j]->field, d) == r->k &&
				    !check_read(r, p->reduction[i],
					point->read[j], d))
					return false;
	}
	return true;
}
