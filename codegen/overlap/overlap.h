/* What the code of pipelines for processors shares. */
#ifndef STENCILC_CODEGEN_OVERLAP_H
#define STENCILC_CODEGEN_OVERLAP_H

#include "codegen/host/cpu.h"
#include "schedule/pipeline.h"

struct overlap {
	const struct host *h;
	const struct pipeline *p;
	const struct kernel_names *names;
	int n_dims, last;
	const char *front;	/* the row that the pipeline has reached */
	const char *count;	/* steps of this tile */
	const char *t0;		/* before its first step */
	const char *block, *blocks;	/* of steps */
	const char *next;	/* points from a tile of lanes to the thread's
				 * next one */
	const char *begin[IR_MAX_DIMS], *end[IR_MAX_DIMS];	/* the tile */
	const char *base[IR_MAX_DIMS];	/* where a kept row begins */
	const char *low, *high;	/* the part of a row that a stage computes */
	const struct stmt *stmt;
	const struct cursor *beyond;	/* may reads lie outside the grid? or
					 * NULL */
};

/* The grids that a block of steps reads and writes. */
const char *overlap_old_name(const struct host *h, const struct field *f);
const char *overlap_new_name(const struct host *h, const struct field *f);

/* reach.c --------------------------------------------------------------- */

/* What the stage computes of dimension "d" at step "at": low <= x[d] < high, "round" to lines
 * of the cache.
 */
const struct kx *overlap_low(const struct overlap *o, int d,
	const struct kx *at, bool round);
const struct kx *overlap_high(const struct overlap *o, int d,
	const struct kx *at, bool round);
/* "also", and: the point's first "dims" indices are the tile's own, and at most so many steps
 * remain; NULL: always.
 */
const struct kx *overlap_is_own(const struct overlap *o, int dims, int steps,
	const struct kx *also);
/* first <= x[d] < end: the points of the statement; is the end before the
 * grid's?
 */
int64_t overlap_first_point(const struct overlap *o, const struct stmt *s,
	int d);
const struct kx *overlap_end_point(const struct overlap *o,
	const struct stmt *s, int d);
bool overlap_ends_early(const struct overlap *o, const struct stmt *s, int d);

/* cells.c --------------------------------------------------------------- */

/* The cell of "f" at the point, in a version of the tile. */
const struct kx *overlap_cell(const struct overlap *o, const struct field *f,
	const struct kx *version);
/* The cell of "f" at the point in the array "var", in its copy "copy" if it has several. */
const struct kx *overlap_global(const struct overlap *o,
	const struct field *f, const char *var, const struct kx *copy);
/* The versions of "f" that tiles load; that lanes keep. */
int overlap_loaded(const struct overlap *o, const struct field *f);
int overlap_kept(const struct overlap *o, const struct field *f);
/* How expressions find the current step and point. */
struct binding overlap_binding(const struct overlap *o);
/* The copy that receives "version", among those that come out of the block:
 * version + loaded - 1 - count
 */
const struct kx *overlap_new_copy(const struct overlap *o,
	const struct field *f, const struct kx *version);
/* "s" computes the point; keeps the value of the step before. */
struct ks *overlap_instance(const struct overlap *o, const struct stmt *s);
struct ks *overlap_keep(const struct overlap *o);
/* "loop", in vectors of a whole line of the cache. */
struct ks *overlap_simd(const struct overlap *o, struct ks *loop);

bool overlap_is_first_writer(const struct overlap *o, const struct stmt *s);

/* guarded.c ------------------------------------------------------------- */

const struct scop_stmt *overlap_scop_stmt(const struct overlap *o,
	const struct stmt *stmt);
/* The current row of a statement that computes some of its points. */
struct ks *overlap_guarded_row(const struct overlap *o);
/* The part of it that an output by step records, where the row is the tile's
 * own.
 */
void overlap_record_row(const struct overlap *o, struct ks *block,
	const struct listed *l);
/* { [x] : x in "set", of [t, x0, ..] }, for the current row and step as
 * parameters.
 */
__isl_give isl_set *overlap_points_of_row(const struct overlap *o,
	__isl_take isl_set *set);
/* { [t, x] in "set" : what "s" reads lies in the grid, or no boundary stands in for it }; and
 * the others.
 */
__isl_give isl_set *overlap_points_inside(const struct scop_stmt *s,
	__isl_take isl_set *set);
__isl_give isl_set *overlap_points_beyond(const struct scop_stmt *s,
	__isl_take isl_set *set);
/* { [x] in "set" : low <= x < high } */
__isl_give isl_set *overlap_points_between(__isl_take isl_set *set,
	const char *low, const char *high);
/* { [x] in "set" : first <= x - param < end } */
__isl_give isl_set *overlap_points_after(__isl_take isl_set *set,
	const char *param, int first, int end);

/* listed.c: what lists do at their points in the current plane, all of whose rows the stage has
 * computed.
 */
struct ks *overlap_points_of_list(const struct overlap *o, int listed);

/* lanes.c: the body of the function for a tile of one dimension. */
struct ks *lanes_tile(const struct overlap *o);
const char *lanes_comment(const struct overlap *o);

#endif
