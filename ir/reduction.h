/* Reductions: what a program computes from all points after some of its steps, and the segments
 * into which this divides the time range.
 */
#ifndef STENCILC_IR_REDUCTION_H
#define STENCILC_IR_REDUCTION_H

#include "ir/ir.h"

/* How many values become one.  The greatest and the least are a NaN if some value is; of no
 * points they are minus and plus infinity, or the least and the greatest int.
 */
enum reduce { REDUCE_MAX, REDUCE_MIN, REDUCE_SUM };

const char *reduce_name(enum reduce how);	/* "max", "min", "sum" */

/* The order of additions for a box of points, row by row along the last dimension: each row is
 * cut into pieces of REDUCE_PIECE points, with a shorter last one.  For a piece, lane l, 0 <= l
 * < REDUCE_LANES, adds points l, l + REDUCE_LANES, .. to 0; then lane l adds the sum of lane l
 * + n, l < n, for n = REDUCE_LANES / 2, .., 2, 1.  The values of all pieces, row after row,
 * form one row for the next round, until one value is left.
 */
enum { REDUCE_LANES = 32, REDUCE_PIECE = 1024, REDUCE_WAYS = REDUCE_SUM + 1 };

/* result = how (over all points) value, after each step whose number, from 1, is a multiple of
 * "every", and after the last one.  The points are those at which each read lies in its grid,
 * whatever the boundaries, and each condition holds.
 */
struct reduction {
	enum reduce how;
	const struct field *result;
	/* Its dimensions, lets, conditions, reads and value, in the type in which values are
	 * compared or added; it writes nothing.
	 */
	const struct stmt *point;
	int64_t every;
	bool is_check;		/* the result is no field of the program: if it
				 * is not 0, the function returns
				 * STATUS_NOT_FINITE */
	struct span at;
};

/* Does the result depend on the order of the points, as a sum of reals does? */
bool reduction_keeps_order(const struct reduction *r);
/* Does anybody see what "r" yields after a step other than the last? */
bool reduction_is_seen(const struct program *p, const struct reduction *r);
/* Does a segment that others follow have at least so many "steps"?  True if there is one segment. */
bool segments_are_at_least(const struct program *p, int64_t steps);
/* Does the end of the loop depend on the result "f"? */
bool result_ends_loop(const struct program *p, const struct field *f);

/* The time range in segments, which end where a reduction is due: begin and end of the program
 * are the parameters "first" and "end" of a segment, which no caller passes; the whole range is
 * this one.
 */
struct segments {
	const struct param *first, *end;
	const struct expr *from, *to;	/* these; a program in waves has its own
					 * begin and end */
	const struct expr *whole_begin, *whole_end;
	int64_t most;		/* steps of a segment; 0: there is one segment */
};

/* The user's time range, in segments or not. */
const struct expr *program_begin(const struct program *p);
const struct expr *program_end(const struct program *p);
/* "p" in segments if it has reductions, else "p". */
const struct program *program_in_segments(struct region *r,
	const struct program *p);
/* "p" as written, with its steps in one segment; it also has the parameters of segments. */
const struct program *program_whole(struct region *r, const struct program *p);
/* "p" with a check of each real state after every so many steps, and after the last one. */
const struct program *program_checked_finite(struct region *r,
	const struct program *p, int64_t every);
bool program_has_checks(const struct program *p);
/* The least index along dimension "dim" at which all reads have a cell at 0 or behind. */
int64_t reduction_first_point(const struct reduction *r, int dim);
/* Is it a parameter that no caller passes? */
bool param_is_of_segments(const struct program *p, const struct param *x);

#endif
