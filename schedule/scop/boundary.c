/* Which accesses may leave the grid. */
#include "schedule/scop/sets.h"

bool access_leaves(const struct stmt *s, const struct access *acc, int d,
	enum side side)
{
	const struct expr *size = s->write->field->size[acc->dim[d]];

	if (side == SIDE_LOW)
		return acc->offset[d] < 0;
	return acc->offset[d] > 0 || access_strides_along(acc, d) ||
		!expr_same_size(size, acc->field->size[d]);
}

bool access_is_mapped_at(const struct stmt *s, const struct access *acc,
	int d, enum side side)
{
	return acc->field->boundary[d][side].kind != BOUNDARY_FIXED &&
		access_leaves(s, acc, d, side);
}

bool access_is_mapped(const struct stmt *s, const struct access *acc, int d)
{
	return access_is_mapped_at(s, acc, d, SIDE_LOW) ||
		access_is_mapped_at(s, acc, d, SIDE_HIGH);
}

bool access_goes_around(const struct stmt *s, const struct access *acc, int d)
{
	return field_goes_around(acc->field, d) && access_is_mapped(s, acc, d);
}

bool access_wraps_once(const struct stmt *s, const struct access *acc, int d,
	enum side side)
{
	const struct boundary_info *b =
		boundary_info(acc->field->boundary[d][side].kind);

	return access_is_mapped_at(s, acc, d, side) &&
		(b->stands == STANDS_OTHER_END || b->step != 0);
}

bool access_is_plain(const struct stmt *s, const struct access *acc)
{
	for (int d = 0; d < acc->field->n_dims; d++)
		if (access_is_mapped(s, acc, d))
			return false;
	return acc->field->n_dims == s->n_dims && access_is_in_order(acc);
}

static bool any_wraps_once(const struct stmt *s, const struct access *acc)
{
	for (int d = 0; d < acc->field->n_dims; d++)
		if (access_wraps_once(s, acc, d, SIDE_LOW) ||
		    access_wraps_once(s, acc, d, SIDE_HIGH))
			return true;
	return false;
}

bool scop_wraps(const struct scop *scop)
{
	for (int i = 0; i < scop->prog->n_stmts; i++) {
		const struct stmt *s = scop->prog->stmt[i];

		for (int j = 0; j < s->n_reads; j++)
			if (any_wraps_once(s, s->read[j]))
				return true;
	}
	return false;
}

bool stmt_is_mapped(const struct stmt *s)
{
	for (int i = 0; i < s->n_reads; i++)
		for (int d = 0; d < s->read[i]->field->n_dims; d++)
			if (access_is_mapped(s, s->read[i], d))
				return true;
	return false;
}
