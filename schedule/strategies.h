/* What strategies share; nobody outside of the folder calls it. */
#ifndef STENCILC_SCHEDULE_STRATEGIES_H
#define STENCILC_SCHEDULE_STRATEGIES_H

#include "schedule/schedule.h"

/* plan.c -----------------------------------------------------------------*/

/* Choose those of the threads of a block that are open, for tiles of "n_dims"
 * dimensions whose parallel extents are "extent", innermost first.
 */
void threads_choose(int n_dims, const int *extent, int threads[3]);
/* The plan's threads are those of "request" in the dimensions that it has. */
void plan_take_threads(struct plan *plan, const struct tile_request *request);

/* Fill in the boxes.  False if one is unbounded. */
bool plan_find_boxes(struct plan *plan);
/* Fill in the full tiles; needs the boxes as they will be. */
void plan_find_full(struct plan *plan);
/* cover.c: fill in what launches cover; needs the shape. */
void plan_find_cover(struct plan *plan);

/* columns.c ---------------------------------------------------------------*/

/* Points of a tile, hexagonal in dimension "hex", that a thread may compute in
 * straight code, each with lines of its own; 0: none.
 */
double select_column_points(const struct scop *scop, int hex,
	const struct steps *steps);
/* The same for rows that are loops, which the compiler unrolls; in one dimension
 * and with conditions there are none.
 */
double select_rolled_points(const struct scop *scop, int hex,
	const struct steps *steps);

/* blocks.c: kernels of a step and statement each --------------------------*/

/* Fill in usual sizes; if "columns", of blocks whose threads compute chunk_z
 * points of the outermost dimension each.  False after a diagnostic.
 */
bool blocks_complete(struct diags *d, const struct scop *scop,
	struct tile_request *request, bool columns);
/* Plans with blocks of bx, by, bz threads; with columns, if the strategy has their
 * size.
 */
struct plan *blocks_plan(struct diags *d, const struct strategy *strategy,
	const struct scop *scop, const struct machine *machine,
	const struct tile_request *request, int *n_plans);
/* Blocks of one thread and point: nothing is cut. */
struct plan *blocks_plan_points(struct diags *d,
	const struct strategy *strategy, const struct scop *scop,
	const struct machine *machine, const struct tile_request *request,
	int *n_plans);

/* report.c ---------------------------------------------------------------*/

/* Sizes, report and the binding term of "p" whose candidates are tiles given
 * by h and w0 .. of "n_dims", the first with the time "terms".
 */
void tiles_describe(struct region *mem, struct prediction *p, int n_dims,
	const struct cpu_terms *terms);

/* fastest.c --------------------------------------------------------------*/

/* Of the candidates tried, each of "size" bytes, those of the least "seconds",
 * the fastest first; of two that are equally fast the one tried first.
 */
struct fastest {
	void *all;
	int n, most;
	size_t size;
	double (*seconds)(const void *candidate);
};

/* As many as "o" asks for are kept, but at most "limit". */
void fastest_start(struct fastest *f, struct region *mem,
	const struct outlook *o, int limit, size_t size,
	double (*seconds)(const void *candidate));
void fastest_try(struct fastest *f, const void *candidate);
/* How many take at most "within" times as long as the first. */
int fastest_within(const struct fastest *f, double within);

#endif
