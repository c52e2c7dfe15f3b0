/* Which statements hexagonal tiles as C compute by columns of vectors. */
#include "schedule/columns.h"
#include "schedule/hex/hex.h"

/* Do "a", in row "r" of those computed together, and "b", in row "s", lie in the same column of
 * cells along the first dimension?
 */
static bool is_same_column(const struct scop *scop, const struct access *a,
	int r, const struct access *b, int s)
{
	if (a->field != b->field || a->version != b->version)
		return false;
	for (int d = 1; d < a->field->n_dims; d++) {
		bool rows = d == scop->n_dims - 2;

		if (a->offset[d] + (rows ? r : 0) !=
		    b->offset[d] + (rows ? s : 0))
			return false;
	}
	return true;
}

/* Is it the first read of its column, row by row? */
static bool is_first_of_column(const struct scop *scop, const struct stmt *s,
	int read, int row)
{
	for (int r = 0; r <= row; r++)
		for (int i = 0; i < (r < row ? s->n_reads : read); i++)
			if (is_same_column(scop, s->read[i], r, s->read[read],
			    row))
				return false;
	return true;
}

static int rows_together(const struct scop *scop)
{
	return scop->n_dims > 2 ? COLUMN_ROWS : 1;
}

/* Columns of cells that the rows of an iteration read. */
static int columns_of(const struct scop *scop, const struct stmt *s)
{
	int columns = 0;

	for (int row = 0; row < rows_together(scop); row++)
		for (int i = 0; i < s->n_reads; i++)
			columns += is_first_of_column(scop, s, i, row);
	return columns;
}

double columns_load_cost(const struct scop *scop, const struct stmt *s)
{
	int rows = rows_together(scop);
	double cost = 0;

	for (int row = 0; row < rows; row++)
		for (int i = 0; i < s->n_reads; i++)
			if (is_first_of_column(scop, s, i, row))
				cost += cpu_load_cost(s, i);
	return cost / rows;
}

/* Rows of distant planes come from memory more slowly by columns, as nothing tells the
 * processor what is next.  Boxes, which load a fifth of the cells in this way and add up what
 * their rows share, still gain; stars, which load half of them, do not (doc/attempts.md).
 * Cells of planes beyond the adjacent ones take more registers than there are.
 */
static bool saves_most_loads(const struct scop *scop, const struct stmt *s)
{
	for (int i = 0; i < s->n_reads; i++)
		if (s->read[i]->offset[0] < -1 || s->read[i]->offset[0] > 1)
			return false;
	return 3 * columns_of(scop, s) <= rows_together(scop) * s->n_reads;
}

bool columns_pay(const struct scop *scop, int hex, const struct stmt *s)
{
	enum type type = s->write->field->type;

	/* Vectors are of floats or doubles. */
	if (hex != 0 || scop->n_dims < 2 || (type != TYPE_FLOAT &&
	    type != TYPE_DOUBLE))
		return false;
	for (int i = 0; i < s->n_reads; i++)
		if (!access_is_in_order(s->read[i]))
			return false;
	return scop->n_dims == 2 || saves_most_loads(scop, s);
}
