/* Plans: which tile runs each statement instance, where and when. */
#ifndef STENCILC_SCHEDULE_PLAN_H
#define STENCILC_SCHEDULE_PLAN_H

#include "schedule/scop/scop.h"

/* hexagon.c: a tile in time and the dimension of blocks, pure arithmetic --
 *
 * A hexagon; or, of the strategy skew, a skewed rectangle: "height" rows of w0
 * points, row a floor(delta1*a) before the first one.
 */
struct hexagon {
	bool is_skewed;
	struct rational delta0, delta1;
	int h, w0;		/* skewed: time steps, points of a row */
	int f0, f1;		/* floor(delta0*h), floor(delta1*h); skewed: 0,
				 * floor(delta1*(height - 1)) */
	int height;		/* H = 2h + 2; skewed: k*h */
	int pitch;		/* W = 2*w0 + 2 + f0 + f1; skewed: w0 + drift */
	int drift;		/* skewed: the tile h steps later begins so far
				 * before this one, at least delta1*height */
};

int64_t rational_floor(struct rational r, int64_t times);
int64_t rational_ceil(struct rational r, int64_t times);
/* The least w0 that bound (1) of [CGO] allows for this h. */
int hexagon_least_width(struct rational delta0, struct rational delta1, int h);
struct hexagon hexagon_make(struct rational delta0, struct rational delta1,
	int h, int w0);
/* The skewed rectangle of h time steps of k rows, with the least drift. */
struct hexagon skewed_make(struct rational delta1, int h, int k, int w0);
/* First and last b of local time a, 0 <= a < height: (6), (8), (10), (12). */
int hexagon_first(const struct hexagon *x, int a);
int hexagon_last(const struct hexagon *x, int a);
/* All points have 0 <= b < extent. */
int hexagon_extent(const struct hexagon *x);
int64_t hexagon_points(const struct hexagon *x);
/* The tile's origin: its local (a, b) = (0, 0) is the point (tau, s0).
 * tau = T*H - hexagon_tau_shift, s0 = S0*W - hexagon_s_shift - T*(f1 - f0).
 */
int hexagon_tau_shift(const struct hexagon *x, int phase);
int hexagon_s_shift(const struct hexagon *x, int phase);

/* plan.c: what runs, in which order --------------------------------------
 *
 * A plan cuts the instances into tiles, all of one shape up to clipping by
 * the domain.  Tile (p, T, S0, .., Sn-1) has its origin at
 *
 *	t0 = T*time_pitch - time_shift[p]	(time steps)
 *	o_d = S_d*pitch[d] - shift[d][p] - T*drift[d]
 *
 * but if it is diagonal, T numbers wavefronts, on which a tile that lies further
 * along the dimension e = hex_dim begins earlier:
 *
 *	t0 = (T - S_e)*time_pitch - time_shift[p]
 *
 * and holds, of statement i, the instances (t0 + m, o + x) with (k*m + i, x)
 * in "shape".  T and then p are a loop of the host, each (T, p) a launch; the
 * dimensions of role ROLE_BLOCKS are spread over blocks, those of role
 * ROLE_SEQUENTIAL are loops in a block; rows of equal k*m + i are executed
 * by the threads of a block in parallel, separated by barriers.
 *
 * With waves, the tiles of the sequential dimension "waves.dim" are cut into
 * chunks c = 0, 1, .. of equal numbers of tiles, and launch w = 0, 1, .. holds
 * chunk c of phase phi = 2*T + p for all c + 2*phi = w.  A dependence from
 * (phi, c) leads to (phi, c + ..) in the same block or a later launch, or to
 * (phi + m, c - 1 + ..), m >= 1, in a later launch, if a chunk is wider than
 * what a tile's skew and the dependence may lead back; see chunk_width.
 */
enum role { ROLE_BLOCKS, ROLE_SEQUENTIAL };

enum copy_out { COPY_OUT_SEPARATE, COPY_OUT_INTERLEAVED };

/* The optimization steps; table 4 of [CGO]. */
struct steps {
	bool shared;		/* tiles are computed in shared memory */
	enum copy_out copy_out;
	bool align_loads;
	enum reuse { REUSE_NONE, REUSE_STATIC, REUSE_DYNAMIC } reuse;
	bool unroll, separate;
	bool waves;		/* inner tiles of several phases in a launch */
	bool async;		/* what is new in the next tile is copied in
				 * while this one is computed: two boxes */
	bool bulk;		/* .. and by whole rows, where they are */
	bool compute_only;	/* no transfers, to measure the computation */
};

struct box {
	int n_dims;
	int low[IR_MAX_DIMS], extent[IR_MAX_DIMS];
};

/* Strips of register streaming; see strips/strips.c.  Extents are counted in cells
 * around those that a strip stores.
 */
struct stream {
	int steps;		/* b: time steps of a launch */
	int cells;		/* v: cells of a lane in lane_dim */
	int rows;		/* y: rows of a lane, in three dimensions */
	int warp;		/* lanes of a warp */
	int lanes;		/* of a strip: a warp, or all warps of a block */
	int warps;		/* strips of a block; in three dimensions warps,
				 * which have rows of one */
	int length;		/* l: positions of stream_dim that are stored */
	int width, height;	/* cells of lane_dim, of row_dim, stored */
	int stream_dim, row_dim, lane_dim;	/* -1: none */
	int depth;		/* of the deepest state */
	int lag_step, *lag;	/* by statement */
	int period;		/* positions of a version that are kept */
	int start;		/* iteration of the first position needed */
	int first, last;	/* iterations: a multiple of the period */
	int before[IR_MAX_DIMS], after[IR_MAX_DIMS];	/* loaded */
	int *left, *right;	/* by field: cells beside those of a lane */
	int *above, *below;	/* rows, likewise */
	struct exchange {	/* what neighbours along "dim" leave in shared
				 * memory for each other each iteration: warps
				 * rows, lanes of joined warps cells */
		int dim;	/* -1: nothing */
		int behind;	/* it is taken so many iterations later */
		int *late;	/* by field: it is left so many iterations after
				 * it came, when it is about to be read */
		int halves;	/* of the memory, left in by turns */
		bool barrier;	/* ends an iteration */
		int *newest;	/* by field: the newest version, relative to
				 * that of a step, that the step takes .. */
		int *versions;	/* .. and how many are left, from the oldest on:
				 * 0 if none is taken */
		int *last, *first;	/* by field: the first that is left for
					 * the next one, the one before */
	} exchange;
	bool ahead;		/* rows are copied to shared memory a period
				 * before they are loaded from there .. */
	bool bulk;		/* .. a row of a warp at a time */
	struct hexagons {	/* of time and row_dim: strips/hexagons.c */
		bool used;
		int half, base;	/* warps that compute the first step; so many
				 * steps later on either side one more, step
				 * by step */
		int loaded;	/* so many warps beside those that compute step
				 * m <= half load version m + 1 */
		int stored;	/* so many, and m - half more, of a side have
				 * rows stored at a step m >= half */
	} hexagons;
	struct strip_reads *reads;	/* see strips/needs.c */
	struct needed {		/* of a version, around those stored */
		int low[IR_MAX_DIMS], high[IR_MAX_DIMS];
	} *needed;		/* [v] is that of version t0 + v */
	struct strip_parts *parts;	/* by statement */
	struct live_rows {	/* of a block, counted from the first it has:
				 * local step m computes, at least, those from
				 * low + m*low_step to high - m*high_step */
		int low, low_step, high, high_step;
	} live;
};

/* The points of a dimension that tiles cover: from the least of the "first" to
 * the greatest of the "last", n functions of the parameters.  Where one is not
 * defined it may make this more, not less.  The tiles (p, T, S) that run have
 *
 *	S >= floor((first + shift[d][p] + T*drift[d]) / pitch[d])
 *	S <= floor((last + beyond + shift[d][p] + T*drift[d]) / pitch[d])
 */
struct cover {
	int n;
	isl_pw_aff **first, **last;
	int beyond;		/* so far after its points a tile may begin */
};

/* Plans that follow each other and run slab after slab, each slab in the order of
 * the plans: in slab n a plan runs its tiles
 *
 *	n*tiles - behind <= S_0 < (n + 1)*tiles - behind
 *
 * A plan that reads ahead of its tiles what another one stores is so far behind
 * that one.
 */
struct slab {
	int group;		/* equal for plans that share slabs */
	int tiles;		/* of a slab along dimension 0 */
	int behind;
};

/* What the rows of tiles are like. */
struct tile_shape {
	int hex_dim;		/* the hexagonal dimension, or -1 */
	bool diagonal;		/* T - S[hex_dim] counts time, not T */
	struct hexagon hexagon;
	int width[IR_MAX_DIMS];	/* of the classical dimensions */
	struct rational skew[IR_MAX_DIMS];	/* delta1_i, or 0 */
	bool straight;		/* rows of full tiles are straight code */
	bool rolled;		/* .. as loops that the compiler unrolls */
	struct {
		int dim;	/* that is cut into chunks; -1: no waves */
		int least_chunk;	/* tiles of a chunk, at least */
		int enough_blocks;	/* to keep the machine busy */
	} waves;
};

/* Tiles without a hexagon and without waves. */
static inline struct tile_shape tiles_upright(void)
{
	return (struct tile_shape) { .hex_dim = -1, .waves.dim = -1 };
}

/* A group of stages, whose tiles compute again what they need of their neighbours;
 * by field.index:
 */
struct fused_group {
	bool *in_shared;	/* it has a box in shared memory .. */
	int *version;		/* .. of this version, if it is a state */
	bool *in_global;	/* the plan writes it to global memory, each
				 * tile the cells 0 <= x - o < pitch */
	const struct planes *planes;	/* of tiles that are swept along
					 * dimension 0, or NULL */
};

/* How tiles are executed, and what a plan has for that besides "tiles". */
enum form {
	FORM_TILES,		/* row by row, by the threads of a block */
	FORM_STRIPS,		/* streamed through registers: .strips */
	FORM_GROUPS,		/* stage by stage, tiles overlap: .group */
	FORM_PIPELINE,		/* of C: stages follow each other, row by row,
				 * through tiles that overlap: .pipeline */
};

struct plan {
	const struct strategy *strategy;
	const struct scop *scop;
	const struct deps *deps;
	enum form form;
	struct steps steps;
	int n_phases;
	int rows;		/* extent of the shape in k*m + i */
	int time_pitch, time_shift[2];
	int n_dims;
	enum role role[IR_MAX_DIMS];
	int pitch[IR_MAX_DIMS], shift[IR_MAX_DIMS][2], drift[IR_MAX_DIMS];
	struct cover cover[IR_MAX_DIMS];
	int threads[3];		/* innermost dimension first */
	bool resident;		/* T is a loop in the kernel, launched once if
				 * all blocks can be resident; else T by T */
	bool waits_for_grid;	/* .. with a barrier of all blocks between T
				 * and T + 1 */
	isl_set *shape;		/* { [tau, x0, ..] }, tau = k*m + i */
	struct box *box;	/* by field.index: the least box around the
				 * cells that a tile touches, copies apart */
	isl_set *full;		/* { [t0, o0, ..] : all instances run, and the
				 * boxes lie in the grid } */
	struct slab slab;	/* .tiles is 0: all tiles of a step at once */
	struct tile_shape tiles;
	union {
		const struct stream *strips;
		struct fused_group *group;
		const struct pipeline *pipeline;
	};
};

/* A sweep of planes.c: iteration first <= n <= last of a tile, relative to its
 * origin, computes the plane n + lead[i] of statement i.  A field in shared
 * memory has the plane x at x mod box.extent[0]; at iteration n those up to
 * n + newest[field] are there, from oldest[field] on, relative to the origin.
 *
 * The plane n + newest[field] - a is of age a.  Where points[..] > 0, a thread
 * has the points base + thread + threads*i, i < points, of each plane, and keeps
 * the values of planes of age 0 .. registers[field] - 1 at these points in
 * registers; shared memory then has those of age after[field] and more, as many
 * as are read across: at other points than one's own.
 */
struct planes {
	int first, last;
	int *lead, *newest, *oldest;
	int *registers, *after;
	int base[IR_MAX_DIMS], points[IR_MAX_DIMS];
};

/* The points x >= first, stride*x < size - less, of a statement along a
 * dimension, for all of the ends; the first size is that of the grid that it writes.
 */
struct edges {
	int64_t first;
	int n_ends;
	struct edge {
		const struct expr *size;
		int64_t stride, less;
	} *end;
};

/* The edges of statement "i" along "d". */
struct edges edges_of(struct region *mem, const struct program *prog, int i,
	int d);

/* A tile of overlap/overlap.c, "i" a statement, "d" a dimension; sides are low, high.
 */
struct pipeline {
	int steps;		/* of a tile, at most */
	struct edges edges[16][IR_MAX_DIMS];
	int width[IR_MAX_DIMS];	/* points of a tile */
	int rows;		/* that a stage computes at a time */
	struct {
		int count, slope;
	} front[2];		/* of n steps: it goes from begin - (count +
				 * n*slope) to end + (count + n*slope) */
	int ring;		/* rows of a version kept, a power of 2 */
	int extent[IR_MAX_DIMS];	/* of a row kept, d >= 1; in one
				 * dimension the rows of a part and its ghosts */
	int base[IR_MAX_DIMS];	/* cells of it before the tile */
	int period, lag[16];	/* lag(m, i) = m*period + lag[i] */
	int around[16][IR_MAX_DIMS][2];	/* points beyond the tile that stage */
	int slope[IR_MAX_DIMS][2];	/* (m, i) of n computes: around[i] +
					 * (n - m)*slope */
	int line;		/* cells of a line of the cache */
	int margin;		/* cells before and after what is computed */
	int lanes, part, before;	/* of one dimension: a tile with what it
				 * is computed from, from "before" points in
				 * front on, is "lanes" parts of "part" points */
	int ghosts[2];		/* rows before and after a part, of the lanes
				 * beside */
	bool is_clipped;	/* only points of the grid are computed */
};

/* Of one dimension, parts are multiples of so many points. */
enum { LANE_ROWS = 4 };

#endif
