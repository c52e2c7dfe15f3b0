/* Plans: which tile runs each statement instance, where and when. */
#ifndef STENCILC_SCHEDULE_PLAN_H
#define STENCILC_SCHEDULE_PLAN_H

#include "schedule/tiles.h"

/* plan.c: what runs, in which order --------------------------------------
 *
 * A plan cuts the instances into tiles, all of one shape up to clipping by the domain.  Tile
 * (p, T, S0, .., Sn-1) has its origin at
 *
 *	t0 = T*time_pitch - time_shift[p]	(time steps)
 *	o_d = S_d*pitch[d] - shift[d][p] - T*drift[d]
 *
 * but if it is diagonal, T numbers wavefronts, on which a tile that lies further along the
 * dimension e = hex_dim begins earlier:
 *
 *	t0 = (T - S_e)*time_pitch - time_shift[p]
 *
 * and holds, of statement i, the instances (t0 + m, o + x) with (k*m + i, x) in "shape".  T and
 * then p are a loop of the host, each (T, p) a launch.  The dimensions of role ROLE_BLOCKS are
 * spread over blocks, those of role ROLE_SEQUENTIAL are loops in a block; rows of equal k*m + i
 * are executed by the threads of a block in parallel, separated by barriers.
 *
 * A tile of a dimension with a rim has its origin at o_d = S_d*pitch[d] + low.  Nothing lies before
 * the first such tile or behind the last one, which need no values from there: so the first one
 * has the "low" points before its origin, too, and the last one "high" more than its pitch.
 *
 * A dimension d that goes around has around[d].size = N points, and coordinates that differ by
 * N are one point.  There are n = max(floor(N/pitch), 1) hexagons S_e = 0 .. n - 1 around
 * dimension e: their origins are all rest = N mod pitch further right.  Tile 0 of phase 0 has,
 * in each row, so many points more at its left; if N < pitch it has all of them, and there is
 * no tile of phase 1.  Of a sequential dimension, row a of the tiles together is N points of
 * them,
 *
 *	floor(lead*a) <= x < N + floor(lead*a),
 *
 * so that where the dimension begins nothing depends on what comes last; or 0 <= x < N if one
 * tile has all that.
 *
 * With waves, the tiles of the sequential dimension "waves.dim" are cut into chunks c = 0, 1,
 * .. of equal numbers of tiles, and launch w = 0, 1, .. holds chunk c of phase phi = 2*T + p
 * for all c + 2*phi = w.  A dependence from (phi, c) leads to (phi, c + ..) in the same block
 * or a later launch, or to (phi + m, c - 1 + ..), m >= 1, in a later launch, if a chunk is
 * wider than what a tile's skew and the dependence may lead back; see chunk_width.
 */
enum role { ROLE_BLOCKS, ROLE_SEQUENTIAL };

enum copy_out { COPY_OUT_SEPARATE, COPY_OUT_INTERLEAVED };

/* Optimizations, the steps of table 4 of [CGO]. */
struct optimizations {
	bool shared;		/* tiles are computed in shared memory */
	enum copy_out copy_out;
	bool align_loads;
	enum reuse { REUSE_NONE, REUSE_STATIC, REUSE_DYNAMIC } reuse;
	bool unroll, separate;
	bool waves;		/* inner tiles of several phases in a launch */
	bool async;		/* copy in what is new to the next tile while
				 * this one is computed: two boxes */
	bool bulk;		/* .. and by whole rows, where they are */
	bool starts;		/* partial tiles start to copy all their cells
				 * in, and wait once */
	bool at_run_time;	/* no step of that table: tile sizes are
				 * arguments of the code */
	bool compute_only;	/* no transfers, to measure the computation
				 * alone */
};

struct box {
	int n_dims;
	int low[IR_MAX_DIMS], extent[IR_MAX_DIMS];
	isl_set *reads;		/* tile_reads() of the field, once computed */
};

/* The points of a dimension that tiles cover: from the least of the "first" to
 * the greatest of the "last", n functions of the parameters.  Where one is
 * undefined, more points may be covered, not fewer.  The tiles (p, T, S) that run have
 *
 *	S >= floor((first + shift[d][p] + T*drift[d]) / pitch[d])
 *	S <= floor((last + beyond + shift[d][p] + T*drift[d]) / pitch[d])
 */
struct cover {
	int n;
	isl_pw_aff **first, **last;
	int beyond;		/* a tile may begin so far behind its points */
};

/* Plans that follow each other and run slab by slab, each slab in the order of the plans: in
 * slab n a plan runs its tiles
 *
 *	n*tiles - behind <= S_0 < (n + 1)*tiles - behind
 *
 * A plan that reads, ahead of its tiles, what another one stores is so far behind that one.
 */
struct slab {
	int group;		/* equal for plans that share slabs */
	int tiles;		/* tiles of a slab along dimension 0 */
	int behind;
};

/* How tiles are executed; the plan's members beside "tiles" are in stream.h,
 * groups.h, pipeline.h, onegrid.h, which only the files of that form include.
 */
enum form {
	FORM_TILES,		/* row by row, by the threads of a block */
	FORM_STRIPS,		/* streamed through registers: .strips */
	FORM_GROUPS,		/* stage by stage, tiles overlap: .group */
	FORM_PIPELINE,		/* of C: stages follow each other, row by row,
				 * through tiles that overlap: .pipeline */
	FORM_ONE_GRID,		/* of C: tiles that lean back in two dimensions,
				 * where values replace each other: .one_grid */
};

struct plan {
	const struct strategy *strategy;
	const struct scop *scop;
	enum form form;
	struct optimizations opt;
	int n_phases;
	int rows;		/* extent of the shape in k*m + i */
	int time_pitch, time_shift[2];
	int n_dims;
	enum role role[IR_MAX_DIMS];
	int pitch[IR_MAX_DIMS], shift[IR_MAX_DIMS][2], drift[IR_MAX_DIMS];
	struct cover cover[IR_MAX_DIMS];
	int threads[3];		/* innermost dimension first */
	bool resident;		/* T is a loop in the kernel, launched once if
				 * all blocks can be resident; else a launch for
				 * each T */
	bool waits_for_grid;	/* .. with a barrier of all blocks between T
				 * and T + 1 */
	isl_set *shape;		/* { [tau, x0, ..] }, tau = k*m + i */
	struct box *box;	/* by field.index: the least box around the
				 * cells that a tile touches, copies apart */
	isl_set *full;		/* { [t0, o0, ..] : all instances run, and the
				 * boxes lie in the grid } */
	int block_rows;		/* a sweep for C takes so many rows of all
				 * planes at a time; 0: all */
	struct slab slab;	/* if .tiles is 0: all tiles of a step at once */
	struct tile_shape tiles;
	union {
		const struct stream *strips;
		struct fused_group *group;
		const struct pipeline *pipeline;
		const struct one_grid *one_grid;
	};
};

/* Is the pitch an argument of the kernels? */
static inline bool plan_is_given(const struct plan *plan, int dim)
{
	return plan->tiles.given[dim].step > 0;
}

/* Does the pitch follow from arguments of the kernels? */
static inline bool plan_is_open(const struct plan *plan, int dim)
{
	return plan_is_given(plan, dim) || (plan->tiles.warps.least > 0 &&
		plan->tiles.warps.dim == dim);
}

/* The most warps of a block. */
static inline int plan_most_warps(const struct plan *plan)
{
	return plan->threads[plan->tiles.warps.axis] / plan->tiles.warps.lanes;
}

/* The dimension whose pitch is an argument of the kernels; -1: none. */
static inline int plan_given_dim(const struct plan *plan)
{
	for (int d = 0; d < plan->n_dims; d++)
		if (plan_is_given(plan, d))
			return d;
	return -1;
}

/* Blocks side by side along "d" that take a tile together. */
static inline int plan_cluster(const struct plan *plan, int d)
{
	return plan->tiles.cluster[d] > 0 ? plan->tiles.cluster[d] : 1;
}

/* Do the first and the last tile along "d" have more points than others? */
static inline bool plan_has_rim(const struct plan *plan, int d)
{
	return plan->tiles.rim[d].low + plan->tiles.rim[d].high > 0;
}

/* Do tiles have more than one step, as hexagons or skewed rectangles? */
static inline bool plan_has_hexagons(const struct plan *plan)
{
	return plan->tiles.hex_dim >= 0;
}

/* Does each thread of a block have points of its own, and share nothing? */
static inline bool plan_threads_are_apart(const struct plan *plan)
{
	bool apart = plan->form == FORM_TILES && !plan->opt.shared &&
		!plan_has_hexagons(plan) && plan->tiles.straight;

	for (int d = 0; apart && d < plan->n_dims; d++) {
		int threads = plan->threads[plan->n_dims - 1 - d];

		apart = threads == 1 || threads == plan->tiles.width[d];
	}
	return apart;
}

/* Does T number wavefronts, on which the time of a tile depends on its place? */
static inline bool plan_is_diagonal(const struct plan *plan)
{
	return plan->tiles.diagonal;
}

/* .. along "d"? */
static inline bool plan_is_diagonal_in(const struct plan *plan, int d)
{
	return plan->tiles.diagonal && d == plan->tiles.hex_dim;
}

/* Do coordinates along "d" that differ by its size mean one point? */
static inline bool plan_goes_around(const struct plan *plan, int d)
{
	return plan->tiles.around[d].size != NULL;
}

/* .. along any dimension? */
static inline bool plan_is_around(const struct plan *plan)
{
	bool any = false;

	for (int d = 0; d < plan->n_dims; d++)
		any = any || plan_goes_around(plan, d);
	return any;
}

/* .. along "d", with rows of tiles that move along it with time? */
static inline bool plan_has_lead(const struct plan *plan, int d)
{
	return plan_goes_around(plan, d) && plan->tiles.around[d].lead.num != 0;
}

/* Do its tiles combine to tiles of any width? */
static inline bool plan_is_of_any_width(const struct plan *plan)
{
	bool any = plan->tiles.choice != NULL;

	for (int d = 0; any && d < plan->n_dims; d++)
		any = d == plan->tiles.hex_dim || plan->tiles.width[d] == 1;
	return any;
}

/* Is each launch a wave, with chunks of several phases? */
static inline bool plan_has_waves(const struct plan *plan)
{
	return plan->tiles.waves.dim >= 0;
}

/* The axis of a grid of blocks, 0 for x, for the blocks along dimension "dim". */
int plan_block_axis(const struct plan *plan, int dim, bool outermost_first);

/* Do chunks cut the tiles along "d"? */
static inline bool plan_has_chunks(const struct plan *plan, int d)
{
	return d == plan->tiles.waves.dim;
}

#endif
