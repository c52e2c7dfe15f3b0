/* What strategies share; nobody outside the folder calls it. */
#ifndef STENCILC_SCHEDULE_STRATEGIES_H
#define STENCILC_SCHEDULE_STRATEGIES_H

#include "schedule/schedule.h"

/* predict.c --------------------------------------------------------------*/

/* The points of "s" in a step, of waves on the average. */
double outlook_points(const struct outlook *o, const struct stmt *s);
/* .. and the cells between which these lie, which move as lines do. */
double outlook_cells(const struct outlook *o, const struct stmt *s);
/* How many aligned vectors take as long as one of which each cell is loaded or stored by itself, as in
 * waves: a scalar each, and to insert it.  1 without waves.
 */
double outlook_apart(const struct outlook *o, int word_bytes);
/* The problem for the models of C, with sweeps that write each value once and
 * read none: its bytes are those written.
 */
struct cpu_problem outlook_cpu_problem(const struct outlook *o,
	const struct program *prog);
/* The copies of arrays that a segment of the program makes as C where stages are fused; 0: it is no segment's. */
double outlook_copies_s(const struct outlook *o, const struct program *prog);
/* Operations for a point, and the sums, roots and the like among them. */
struct stencilc_statement;
void stmt_work(const struct program *prog, const struct stmt *s,
	struct stencilc_statement *work);
/* The cost of loading read "read" of "s" on a core, in aligned loads. */
double cpu_load_cost(const struct stmt *s, int read);
/* .. and the cost of loading all. */
double cpu_loads_cost(const struct stmt *s);

/* sizes.c ----------------------------------------------------------------*/

/* The most shared memory that a block can have. */
static inline int64_t request_shared_bytes(const struct tile_request *r,
	const struct machine *m)
{
	return smaller(r->shared_bytes, m->shared_bytes_per_block);
}
/* Is "size" open, or between these bounds? */
static inline bool size_is_between(int size, int least, int most)
{
	return size < 0 || (size >= least && size <= most);
}
/* .. false after a diagnostic. */
bool size_is_possible(struct diags *d, const char *name, int size, int least,
	int most);
static inline int size_or(int size, int usual)
{
	return size > 0 ? size : usual;
}

/* plan.c -----------------------------------------------------------------*/

/* Choose open threads of a block, for tiles of "n_dims" dimensions with the
 * parallel extents "extent", innermost first.
 */
void threads_choose(int n_dims, const int *extent, int threads[3]);
/* .. the threads of "r", with blocks of bx, by, bz points. */
void threads_of_blocks(int n_dims, struct tile_request *r);
/* The plan's threads are those of "request", in the request's dimensions. */
void plan_take_threads(struct plan *plan, const struct tile_request *request);
/* Its tiles are blocks of so many points, innermost dimension first.  A grid of
 * blocks has three dimensions: a block walks along any others.
 */
void plan_take_blocks(struct plan *plan, const int block[3]);

/* Fill in the boxes.  False if one is unbounded. */
bool plan_find_boxes(struct plan *plan);
/* Fill in full tiles; the boxes must be final. */
void plan_find_full(struct plan *plan);
/* cover.c: fill in what launches cover; needs the shape. */
void plan_find_cover(struct plan *plan);

/* columns.c ---------------------------------------------------------------*/

/* Points of a tile, hexagonal in dimension "hex", that a thread may compute in
 * straight code, each with lines of its own; 0: none.
 */
double select_column_points(const struct scop *scop, int hex,
	const struct optimizations *opt);
/* The same for rows as loops, which the compiler unrolls; none in one dimension, or with
 * conditions.
 */
double select_rolled_points(const struct scop *scop, int hex,
	const struct optimizations *opt);

/* blocks.c: kernels for each step and statement --------------------------- */

/* Fill in the usual sizes; if "columns", for blocks whose threads compute
 * chunk_z points each along the outermost dimension.  False after a diagnostic.
 */
bool blocks_complete(struct diags *d, const struct scop *scop,
	struct tile_request *request, bool columns);
/* Plans with blocks of bx, by, bz threads; with columns, if the strategy has such a size. */
struct plan *blocks_plan(struct diags *d, const struct strategy *strategy,
	const struct scop *scop, const struct machine *machine,
	const struct tile_request *request, int *n_plans);
/* Blocks of one thread and point: nothing is cut. */
struct plan *blocks_plan_points(struct diags *d,
	const struct strategy *strategy, const struct scop *scop,
	const struct machine *machine, const struct tile_request *request,
	int *n_plans);

/* fastest.c --------------------------------------------------------------*/

/* The fastest of the candidates tried, each of "size" bytes, by "seconds"; of
 * equally fast ones the one tried first comes first.
 */
struct fastest {
	void *all;
	int n, most;
	size_t size;
	double (*seconds)(const void *candidate);
};

/* keep "most", or 1; 0 follows the last one */
void fastest_start(struct fastest *f, struct region *mem, int most,
	size_t size, double (*seconds)(const void *candidate));
/* .. for candidates that are struct sized */
double sized_seconds(const void *sized);
void fastest_try(struct fastest *f, const void *candidate);
/* How many take at most "within" times as long as the first. */
int fastest_within(const struct fastest *f, double within);

/* report.c ---------------------------------------------------------------*/

/* "h=3 w0=7 w1=64" */
const char *tiles_sizes(struct region *mem, const struct tile_request *r,
	int n_dims);

/* For tiles of the C target, given by h and w0, w1, .., and for blocks given by rows. */
struct tile_search {
	const struct scop *scop;
	const struct tile_request *request;
	const struct outlook *outlook;
	struct cpu_tile {
		struct sized sized;
		struct cpu_terms terms;
	} at;			/* the current one */
	struct fastest fastest;	/* of these */
};

void tile_search_start(struct tile_search *s, struct region *mem,
	const struct scop *scop, const struct tile_request *request,
	const struct outlook *outlook);
/* The sizes of s->at.sized.request take so long, and a tile has so many bytes. */
void tile_search_try(struct tile_search *s, const struct cpu_terms *terms,
	double bytes);
/* The fastest of those tried; there must be some. */
const struct tile_request *tile_search_choice(const struct tile_search *s);
void tile_search_predict(struct region *mem, const struct tile_search *s,
	struct prediction *p);

#endif
