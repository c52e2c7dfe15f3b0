/* Accesses as sets and relations, and questions about them.  scop.h includes it. */
#ifndef STENCILC_SCHEDULE_SCOP_ACCESS_H
#define STENCILC_SCHEDULE_SCOP_ACCESS_H

#include <isl/aff.h>
#include <isl/set.h>

#include "ir/ir.h"

struct scop;

/* { x in space : 0 <= x[pos] < bound } */
__isl_give isl_set *set_within(__isl_keep isl_space *space, int pos,
	__isl_take isl_pw_aff *bound);
/* { [t, x] -> [t + later, y] }, or if not "timed" y alone: the subscripts of "acc" */
__isl_give isl_multi_aff *access_function(__isl_take isl_space *from,
	__isl_take isl_space *to, const struct access *acc, bool timed,
	int later);
/* Can "acc", at a point of the grid, touch a cell beyond the grid at "side" of
 * dimension "d"?  If so, does a boundary stand in for it, one that goes around
 * or back once?
 */
bool access_leaves(const struct stmt *s, const struct access *acc, int d,
	enum side side);
bool access_is_mapped_at(const struct stmt *s, const struct access *acc,
	int d, enum side side);
bool access_wraps_once(const struct stmt *s, const struct access *acc, int d,
	enum side side);
/* At any side? */
bool access_is_mapped(const struct stmt *s, const struct access *acc, int d);
/* Does it read cells from the other end of the grid there? */
bool access_goes_around(const struct stmt *s, const struct access *acc, int d);
/* Is the cell x + offset in all dimensions, whatever the point x? */
bool access_is_plain(const struct stmt *s, const struct access *acc);
bool stmt_is_mapped(const struct stmt *s);
/* Least and greatest y - x of it in dimension "d"; false if unbounded. */
bool access_reach(const struct scop *scop, const struct stmt *s,
	const struct access *acc, int d, int *low, int *high);
/* Least and greatest offset at which it may find its cell, its own one included; a boundary
 * that may stand anywhere is ignored.
 */
void access_offsets(const struct scop *scop, const struct stmt *s,
	const struct access *acc, int d, int *low, int *high);
/* Do "a" and "b" of "s" see the same cells of global memory from all points,
 * for the models' purposes?  With a stride, only the rows on it count: other
 * rows are like another field.  Along a row all cells come with their sectors.
 */
bool reads_same_values(const struct stmt *s, const struct access *a,
	const struct access *b);
/* Is read "i" of "s" the first one of these values? */
bool read_is_first(const struct stmt *s, int i);
/* The bytes that arrive with the cell that "acc" reads at a point, if it reads
 * the cells of all points: at most a sector.
 */
int read_bytes(const struct stmt *s, const struct access *acc);
/* Does access_wraps_once hold for some boundary? */
bool scop_wraps(const struct scop *scop);

#endif
