/* How many points a thread may compute in straight code. */
#include "schedule/strategies.h"

/* Lines of straight code for a tile; rows of larger ones are loops.  The copies
 * of a field take so many.
 */
enum { MOST_STRAIGHT_LINES = 950, LINES_OF_FIELD = 90 };

/* Up to three states go into the rest of a file of less than 1500 lines. */
static int lines_of_more_fields(const struct scop *scop)
{
	int states = 0;

	for (int i = 0; i < scop->prog->n_fields; i++)
		states += scop->prog->field[i]->kind == FIELD_STATE;
	return states > 3 ? (states - 3) * LINES_OF_FIELD : 0;
}

/* Without shared memory nvcc keeps the address of each value that a thread reads in its
 * columns: in three dimensions 72 points spilled, 60 did not.
 */
enum { MOST_POINTS_UNSHARED = 64 };

/* Are conditions, if there are any, the same every few points along "hex"? */
static bool has_classes(const struct scop *scop, int hex)
{
	bool has = !scop->is_guarded || (hex >= 0 && scop->n_dims > 1);

	for (int i = 0; i < scop->n_stmts; i++)
		if (has && scop->stmt[i].is_guarded)
			has = scop->stmt[i].period[hex] > 0;
	return has;
}

double select_column_points(const struct scop *scop, int hex,
	const struct optimizations *opt)
{
	enum { LINES_OF_COPY = 5 };
	double lines = 0, points;

	if (!has_classes(scop, hex))
		return 0;
	if (!opt->unroll || scop->n_dims < 1 || scop->n_dims > 3)
		return 0;
	for (int i = 0; i < scop->prog->n_stmts; i++)
		lines += 4 + 0.45 * scop->prog->stmt[i]->n_reads +
			0.3 * stmt_flops(scop->prog->stmt[i]);
	for (int i = 0; i < scop->n_stmts; i++)
		if (scop->stmt[i].is_copy && scop->stmt[i].in_full)
			lines += LINES_OF_COPY;
	points = (MOST_STRAIGHT_LINES - lines_of_more_fields(scop)) * scop->k /
		lines;
	return !opt->shared && scop->n_dims == 3 &&
		points > MOST_POINTS_UNSHARED ? MOST_POINTS_UNSHARED : points;
}

/* Instructions of a thread for the points of a tile, roughly; with more,
 * compiling takes long.
 */
enum { MOST_UNROLLED = 8000 };

double select_rolled_points(const struct scop *scop, int hex,
	const struct optimizations *opt)
{
	double least = select_column_points(scop, hex, opt), n = 0;

	if (least == 0 || !opt->shared || scop->n_dims == 1 ||
	    scop->is_guarded)
		return least;
	for (int i = 0; i < scop->prog->n_stmts; i++)
		n += 4 + scop->prog->stmt[i]->n_reads +
			stmt_flops(scop->prog->stmt[i]);
	return MOST_UNROLLED * scop->k / n > least ?
		MOST_UNROLLED * scop->k / n : least;
}
