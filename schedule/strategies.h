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

/* select.c: sizes of hexagonal tiles, by the time model or 3.7 of [CGO] --*/

/* What the model needs to know of "scop" for hexagons in dimension "hex". */
struct hex_shape hex_shape_of_scop(const struct scop *scop,
	const struct cone *cone, int hex);
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
/* Complete "request", legal so far, for hexagons in the dimension that it names.
 * False after a diagnostic.
 */
bool select_complete(struct diags *d, const struct scop *scop,
	const struct cone *cone, const struct outlook *outlook,
	struct tile_request *request);
/* The same for skewed rectangles. */
bool select_complete_skewed(struct diags *d, const struct scop *scop,
	const struct cone *cone, const struct outlook *outlook,
	struct tile_request *request);
/* The "predict" of hexagonal tiling in the dimension that "request" names, and
 * of skewed rectangles.
 */
void select_predict(struct region *mem, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	const struct outlook *outlook, struct prediction *prediction);
void select_predict_skewed(struct region *mem, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	const struct outlook *outlook, struct prediction *prediction);

/* hex/dims.c: the hexagonal dimension ------------------------------------*/

/* The number i of the size w_i of tiles that "dim" has, and the dimension that
 * w_i is a size of: w0 is that of the hexagons, in dimension "hex", those of
 * the other dimensions follow in order.
 */
int hex_index_of(int dim, int hex);
int hex_dim_of(int index, int hex);
/* The dimension that "request" names, 0 if it names none. */
int hex_named_dim(const struct tile_request *request);
/* Has the program the dimension that "request" names, if it names one?  False
 * after a diagnostic.
 */
bool hex_has_dim(struct diags *d, const struct scop *scop,
	const struct tile_request *request);
/* The same, as strategies have it. */
bool hex_accepts(struct diags *d, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook);
/* The prediction "p" by "predict", which predicts hexagons in the dimension that
 * its request names: in the one that "request" names, or where it is open in that
 * of the best tile.
 */
typedef void hex_predict_in(struct region *mem, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	const struct outlook *outlook, struct prediction *p);
void hex_predict(struct region *mem, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	const struct outlook *outlook, hex_predict_in *predict,
	struct prediction *p);
/* Let "request" name the dimension that hex_predict takes; 0 if none has a tile.
 * False after a diagnostic: the program has no such dimension.
 */
bool hex_choose_dim(struct diags *d, const struct scop *scop,
	const struct deps *deps, const struct outlook *outlook,
	hex_predict_in *predict, struct tile_request *request);

/* hex.c: what strategies of hexagons and of skewed rectangles share.
 *
 * The threads for "plan", of which scop, steps, n_dims, hex_dim, the hexagon and
 * the widths are known: those of "request", and where it leaves them open those
 * that suit the code.
 */
void hex_threads(struct plan *plan, const struct tile_request *request);

/* NULL, or why hexagonal tiles cannot serve the program. */
const char *hex_applies(const struct scop *scop, const struct deps *deps);
/* Has the program the dimensions of the request, and are its sizes not beyond
 * all limits?
 */
bool hex_is_possible(struct diags *d, const struct scop *scop,
	const struct tile_request *r);
/* Is the request possible, with the hexagon in the dimension that it names?  Sizes
 * left open count as possible.
 */
bool hex_is_legal(struct diags *d, const struct scop *scop,
	const struct cone *cone, const struct tile_request *r);
/* A plan that has no tiles yet. */
struct plan *hex_begin(struct region *mem, const struct strategy *strategy,
	const struct scop *scop, const struct deps *deps,
	const struct tile_request *request);
/* The tiles of "plan", and their shape: "x" in dimension "hex", w[1] .. are the
 * widths in the other dimensions, "skew" is by dimension.
 */
void hex_place(struct region *mem, struct plan *plan,
	const struct hexagon *x, int hex, const int *w,
	const struct rational *skew);
/* The boxes of "plan", once its threads are known. */
void hex_boxes(struct plan *plan);
/* Of skewed rectangles the tiles of a wavefront lie so far apart that none
 * copies what another one writes.
 */
void hex_widen_drift(struct plan *plan);
/* What is full and what is covered; false after a diagnostic. */
bool hex_finish(struct plan *plan, struct diags *d,
	const struct tile_request *request, const struct machine *machine);

/* sweep.c: kernels that sweep the grid, a step and statement each --------*/

/* Fill in usual sizes; if "columns", of blocks whose threads compute chunk_z
 * points of the outermost dimension each.  False after a diagnostic.
 */
bool sweep_complete(struct diags *d, const struct scop *scop,
	struct tile_request *request, bool columns);
/* Plans with blocks of bx, by, bz threads. */
struct plan *sweep_plan(struct region *mem, struct diags *d,
	const struct strategy *strategy, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	bool columns, int *n_plans);
/* The predict of strategies that have them. */
void sweep_predict(struct region *mem, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	const struct outlook *outlook, struct prediction *prediction);

/* cpu.c: strategies of the C target --------------------------------------*/

/* Sizes, report and the binding term of "p" whose candidates are tiles given
 * by h and w0 .. of "n_dims", the first with the time "terms".
 */
void tiles_describe(struct region *mem, struct prediction *p, int n_dims,
	const struct cpu_terms *terms);

/* fuse/slab_order.c ----------------------------------------------------------------*/

/* Let the "n" plans run in slabs of "points"; writer[i] is the plan that stores
 * what statement i computes, or NULL.  False after a diagnostic.
 */
bool slab_place(struct diags *d, struct plan *plans, int n, int points,
	const struct plan *const *writer);

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
