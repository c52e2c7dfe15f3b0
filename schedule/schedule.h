/* schedule: when and where each statement instance runs.  The program as
 * sets, its dependences and their cone, the strategies and their plans.
 * isl in, isl out.
 *
 * Symbols are those of Grosser et al., "Hybrid Hexagonal/Classical Tiling for
 * GPUs" (CGO 2014), called [CGO] in comments, with the corrections that
 * doc/formulas.md lists.
 */
#ifndef STENCILC_SCHEDULE_H
#define STENCILC_SCHEDULE_H

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>

#include "base/base.h"
#include "ir/ir.h"
#include "model/model.h"

/* keep.c: isl objects that live as long as a region ----------------------*/

__isl_keep isl_set *keep_set(struct region *r, __isl_take isl_set *set);
__isl_keep isl_map *keep_map(struct region *r, __isl_take isl_map *map);
__isl_keep isl_union_map *keep_union_map(struct region *r,
	__isl_take isl_union_map *umap);
__isl_keep isl_pw_aff *keep_pw_aff(struct region *r,
	__isl_take isl_pw_aff *value);

/* affine.c: integer expressions of the program as isl objects ------------*/

/* Where the variables of an expression stand: the set dimensions of "space"
 * are [t, x0, .., xn-1] for an instance space, and the parameters of the
 * program are parameters of "space".
 */
__isl_give isl_pw_aff *affine_of_expr(__isl_keep isl_space *space,
	const struct program *prog, const struct expr *e);
/* { x in space : the condition "e" holds } */
__isl_give isl_set *set_of_condition(__isl_keep isl_space *space,
	const struct program *prog, const struct expr *e);

/* scop.c: the program as sets --------------------------------------------
 *
 * An instance S[t, x0, .., xn-1] runs at 0 <= t < steps.  A value is
 * F[v, x0, ..]: version v of a cell of the state F, version 0 being the
 * newest that the caller passes; a field without time is F[x0, ..].
 */
struct scop_stmt {
	const struct stmt *stmt;
	const char *name;	/* of the tuple: "S0"; "S0_carry" */
	bool is_carry;		/* copies A[t] to A[t+1] where stmt does not
				 * write; see carry_domain */
	bool is_brief;		/* a carry that runs in the first steps only,
				 * once for each copy at most */
	int slot;		/* i of L_i[t, s] -> [k*t + i, s] */
	isl_set *domain;	/* { S[t, x] } */
	bool is_mapped;		/* a boundary may stand in for what it reads */
	bool in_full;		/* has instances in full tiles, of which .. */
	bool is_guarded;	/* .. not all run */
	int period[IR_MAX_DIMS];	/* in full tiles it runs at x only if it
				 * does so many points further along the
				 * dimension, and the other way round; 0: that
				 * is not known */
	bool takes_turns;	/* others write its cells at other times */
	isl_set *inside;	/* { S[t, x] : it lies in the grid, and all it
				 * reads }: a polyhedron */
	isl_set *hull;		/* a superset of the domain of simple shape */
	isl_union_map *reads;	/* { S[t, x] -> F[v, y] } */
	isl_map *write;		/* { S[t, x] -> F[v, y] } */
};

struct scop_field {
	const struct field *field;
	int buffers;		/* of a state: copies that the code rotates;
				 * version v lives in copy v mod buffers */
	bool always_carried;	/* carries run at each step */
	isl_set *cells;		/* { F[y] : y in the grid }, no version; of a
				 * temp those that have a value */
};

struct scop {
	struct region *mem;
	isl_ctx *ctx;
	const struct program *prog;
	int k;			/* statements of a step, 3.2 of [CGO] */
	int n_dims;		/* space dimensions of the schedule */
	int n_stmts;		/* carries included */
	struct scop_stmt *stmt;
	struct scop_field *field;	/* by field.index */
	const struct range *range;	/* see program_range */
	isl_set *context;	/* parameters for which there is work */
	bool is_guarded;	/* in a full tile some instance may not run */
	bool is_idle;		/* there is no instance at all */
	bool computes;		/* there is one that does not just carry */
};

/* Of a program of which each read counts, see program_divide_choices.  NULL after
 * a diagnostic.
 */
struct scop *scop_build(struct region *mem, isl_ctx *ctx, struct diags *d,
	const struct program *prog);
/* Is a value of "field" read, be it to stay where no statement computes it? */
bool scop_reads(const struct scop *scop, const struct field *field);
/* { params : each size is at least 1, and what is assumed holds } */
__isl_give isl_set *scop_valid_sizes(const struct scop *scop);
/* { S[t, x] : x lies in the grid, and the conditions of "on" hold } */
__isl_give isl_set *scop_points(const struct scop *scop, const struct stmt *s);
/* Of these the instances that are computed: all reads of "s" have a meaning. */
__isl_give isl_set *scop_domain(const struct scop *scop, const struct stmt *s);
/* { S[t, x] : "acc" reads a cell of the grid, of a temp one that has a value,
 * or what a boundary puts in its place }
 */
__isl_give isl_set *scop_read_meaning(const struct scop *scop,
	const struct stmt *s, const struct access *acc);

/* choices.c: values chosen by conditions --------------------------------*/

/* "prog", as the front ends leave it, with more statements: each is computed
 * where all its reads have a meaning.  NULL after a diagnostic.
 */
const struct program *program_divide_choices(struct region *mem, isl_ctx *ctx,
	struct diags *d, const struct program *prog);
/* Warn of points that "s" leaves out though a choice of it may have a value
 * there; is there a warning?
 */
bool stmt_warn_choices(const struct scop *scop, const struct stmt *s,
	struct diags *d);

/* conditions.c: warn of conditions at whose edge no point is computed. */
void scop_warn_edges(const struct scop *scop, struct diags *d);
/* The number of the first statement that writes "field", or -1. */
int program_writer(const struct program *prog, const struct field *field);
/* The statement that computes the temp "field", of which there is one. */
const struct scop_stmt *scop_writer_of_temp(const struct scop *scop,
	const struct field *field);
bool scop_has_instances(const struct scop *scop, const struct scop_stmt *s);
/* Would "s" copy cells to themselves?  A state of one copy carries nothing. */
bool scop_is_idle(const struct scop *scop, const struct scop_stmt *s);
/* Is there an instance of statement "slot", or of its carry? */
bool scop_slot_runs(const struct scop *scop, int slot);
/* Find what runs in a full tile, where "inside" holds for each instance of
 * each statement.
 */
void scop_find_guards(struct scop *scop);
/* The space of parameters of "scop". */
__isl_give isl_space *scop_param_space(const struct scop *scop);
/* steps = end - begin, as a function of the parameters. */
__isl_give isl_pw_aff *scop_steps(const struct scop *scop);
/* { S[t, x] : 0 <= t < steps } */
__isl_give isl_set *scop_time_range(const struct scop *scop,
	__isl_keep isl_space *space);
/* An integer expression of parameters. */
__isl_give isl_pw_aff *scop_affine_of_params(const struct scop *scop,
	const struct expr *e);
/* The space of the instances [t, x0, .., xn-1] of a statement. */
__isl_give isl_space *scop_instance_space(const struct scop *scop,
	const struct stmt *stmt);
/* The space of the values F[v, y0, ..] of a field. */
__isl_give isl_space *scop_value_space(const struct scop *scop,
	const struct field *field);
/* L: { S_i[t, x] -> [k*t + i, x0, .., xn-1] }, missing dimensions 0. */
__isl_give isl_map *scop_canonical(const struct scop *scop,
	const struct scop_stmt *s);

/* copies.c: the copies of a state that the code rotates ------------------*/

/* A state of depth d rotates d copies if no instance then overwrites what
 * another one still has to read and the cone, if it has one, stays as narrow as
 * with d + 1, which always suffice.
 */
void scop_choose_copies(struct scop *scop);
/* Where no statement computes a value a carry does, at the end of the step. */
void scop_add_carries(struct scop *scop);
/* Does each statement of "field" write the same cells at each step?  To be
 * told from the conditions; sets could take very long.
 */
bool program_writes_same_cells(const struct program *prog,
	const struct field *field);
/* "scop" for tiles that compute again what other tiles of a step compute, and
 * store what is their own: no version that a step reads lies in the copy that
 * it writes, and where no statement writes a value that is read in the step
 * that computes it, a carry does.
 */
struct scop *scop_for_overlap(const struct scop *scop);

/* checks.c: programs that are refused, and what is warned of --------------*/

/* Each false after a diagnostic. */
bool program_is_supported(struct region *mem, struct diags *d,
	const struct program *prog);
bool scop_is_sound(const struct scop *scop, struct diags *d);
/* Say so if no statement runs; find out whether anything does. */
void scop_find_idle(struct scop *scop, struct diags *d);

/* access.c: accesses as sets and relations -------------------------------*/

/* "set" in fewer pieces, disjoint ones if need be.  Of pieces that overlap isl
 * 0.25 may make too large a set where there are parities: of 0 <= x <= 1 and
 * x >= 0 even it makes x >= 0.
 */
__isl_give isl_set *set_coalesce(__isl_take isl_set *set);
/* { x in space : 0 <= x[pos] < bound } */
__isl_give isl_set *set_within(__isl_keep isl_space *space, int pos,
	__isl_take isl_pw_aff *bound);
/* { x -> stride*x[..] + offset } of dimension "d" of "acc"; the coordinates of
 * the point are those of "ls" from "first" on.
 */
__isl_give isl_aff *access_subscript(__isl_take isl_local_space *ls,
	int first, const struct access *acc, int d);
/* Can the cell that "acc" of a point of the grid touches lie below, or above,
 * the grid in dimension "d"?  Does a boundary then stand in for it, one that
 * goes once around or back?
 */
bool access_leaves_below(const struct access *acc, int d);
bool access_leaves_above(const struct stmt *s, const struct access *acc,
	int d);
bool access_is_mapped(const struct stmt *s, const struct access *acc, int d);
bool access_wraps_once(const struct stmt *s, const struct access *acc, int d);
bool stmt_is_mapped(const struct stmt *s);
/* { S[t, x] in "space" : the cell of "acc" lies in the grid of its field };
 * unless "mapped", in the dimensions with a fixed boundary.
 */
__isl_give isl_set *access_inside(const struct scop *scop,
	__isl_keep isl_space *space, const struct access *acc, bool mapped);
/* The same of dimension "d" alone, whatever its boundary. */
__isl_give isl_set *access_inside_along(const struct scop *scop,
	__isl_keep isl_space *space, const struct access *acc, int d);
/* { S[t, x] -> F[t + version, y] : S[t, x] in domain }, y the subscripts in the
 * grid; beyond it the cell that the boundary puts in its place, if any.
 */
__isl_give isl_map *access_relation(const struct scop *scop,
	__isl_keep isl_set *domain, const struct stmt *s,
	const struct access *acc);
/* Least and greatest y - x of that in dimension "d"; false if unbounded. */
bool access_reach(const struct scop *scop, const struct stmt *s,
	const struct access *acc, int d, int *low, int *high);
/* Do "a" and "b" of "s" see the same cells of global memory from all points, as
 * far as models go?  With a stride, of the rows those on it alone: other rows
 * are like another field.  Along a row all cells come with the sectors.
 */
bool reads_same_values(const struct stmt *s, const struct access *a,
	const struct access *b);
/* The bytes that come with the cell that "acc" reads at a point, if it reads
 * those of all points: a sector at most.
 */
int read_bytes(const struct stmt *s, const struct access *acc);
/* Is there a boundary of which access_wraps_once holds? */
bool scop_wraps(const struct scop *scop);
/* { params : no mirror and no period is needed twice, from any point of the
 * ranges } */
__isl_give isl_set *scop_large_enough(const struct scop *scop);

/* range.c: where statements run, but for their conditions -----------------*/

/* first <= x, and stride*x < size - offset for each end */
struct range {
	int64_t first;
	int n_ends;
	struct range_end {
		const struct expr *size;
		int64_t stride, offset;
	} *end;
};
/* The least x with stride*x >= bound. */
int64_t first_on_stride(int64_t stride, int64_t bound);
/* The ranges of all statements, and of these that of index "dim" of "s". */
const struct range *program_ranges(struct region *r,
	const struct program *prog);
const struct range *program_range(const struct range *all,
	const struct stmt *s, int dim);
/* { params : the ranges of some statement hold a point } */
__isl_give isl_set *scop_has_points(const struct scop *scop);

/* deps.c: dependences and their cone -------------------------------------*/

struct deps {
	isl_set *distance;	/* { [dtau, dx0, ..] } of all, canonical */
};

/* The dependences one by one, to be looked at. */
struct deps_relations {
	isl_union_map *flow;	/* write of a value -> its reads */
	isl_union_map *anti;	/* read of a value -> the write over it */
	isl_union_map *output;	/* write of a value -> the write over it */
};

/* delta0[i] = max dx_i/dtau and delta1[i] = max -dx_i/dtau over all
 * distances, each at least 0 (3.3.1 of [CGO]; the clamp is an erratum).
 */
struct cone {
	int n_dims;
	struct rational delta0[IR_MAX_DIMS], delta1[IR_MAX_DIMS];
	bool is_open[IR_MAX_DIMS];	/* distances along it are not bounded */
};

struct deps *deps_compute(const struct scop *scop);
struct deps_relations deps_relations(const struct scop *scop);
/* Does each distance advance in the canonical time? */
bool deps_advance(const struct deps *deps);
/* False if one does not, or if they are not bounded. */
bool cone_of_deps(const struct deps *deps, int n_dims, struct cone *cone);

void deps_print(struct text *t, const struct scop *scop,
	const struct deps *deps);
void cone_print(struct text *t, const struct scop *scop,
	const struct cone *cone);

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

/* predict.c: what the models are asked -----------------------------------*/

/* A size to have in mind, of --problem. */
struct problem_size {
	const char *name;
	int64_t value;
};

/* What predictions are made for. */
struct outlook {
	const struct machine *machine;
	struct switches switches;
	bool by_loads;		/* hexagons by 3.7 of [CGO], not by time */
	int max_candidates;
	double within;		/* of the best time, as a factor */
	int64_t registers_per_thread;	/* 0: not known */
	int64_t shared_bytes_per_block;	/* of sweeps; 0: none, or not known */
	int64_t steps;		/* of time, at least 1 */
	int64_t (*size)[IR_MAX_DIMS];	/* points of a statement, at least 1 */
	int64_t hull[IR_MAX_DIMS];	/* the most over the statements */
	const char *problem;	/* "T=512,N=3072": what the sizes are of */
};

/* Fill in the problem of "o": parameters are fixed, or in "sizes", or have
 * representative values.  False after a diagnostic.
 */
bool outlook_set_problem(struct outlook *o, struct diags *d,
	const struct scop *scop, const struct problem_size *sizes, int n);
/* The recommended model on an H200, representative sizes. */
const struct outlook *outlook_default(const struct scop *scop);
/* What "request" is predicted for: that, if it does not say. */
struct tile_request;
const struct outlook *outlook_of(const struct scop *scop,
	const struct tile_request *request);
/* What a point of "s" executes, for Citer. */
struct instruction_mix stmt_mix(const struct stmt *s);
/* Of "e" alone, without its operands. */
struct instruction_mix expr_mix(const struct expr *e);

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
 * With waves, the tiles of the sequential dimension "chunk_dim" are cut into
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

/* Strips of register streaming; see stream.c.  Extents are counted in cells
 * around those that a strip stores.
 */
struct stream {
	int steps;		/* b: time steps of a launch */
	int cells;		/* v: cells of a lane in lane_dim */
	int rows;		/* y: rows of a lane, in three dimensions */
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
	struct hexagons {	/* of time and row_dim: strip_hexagons.c */
		bool used;
		int half, base;	/* warps that compute the first step; so many
				 * steps later on either side one more, step
				 * by step */
		int loaded;	/* so many warps beside those that compute step
				 * m <= half load version m + 1 */
		int stored;	/* so many, and m - half more, of a side have
				 * rows stored at a step m >= half */
	} hexagons;
	struct strip_reads *reads;	/* see strip_needs.c */
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

struct plan {
	const struct strategy *strategy;
	const struct scop *scop;
	const struct deps *deps;
	struct steps steps;
	int n_phases;
	int rows;		/* extent of the shape in k*m + i */
	int time_pitch, time_shift[2];
	int n_dims;
	enum role role[IR_MAX_DIMS];
	int pitch[IR_MAX_DIMS], shift[IR_MAX_DIMS][2], drift[IR_MAX_DIMS];
	bool diagonal;		/* T - S[hex_dim] counts time, not T */
	int hex_dim;		/* the hexagonal dimension, or -1 */
	struct hexagon hexagon;
	int width[IR_MAX_DIMS];	/* of the classical dimensions */
	struct rational skew[IR_MAX_DIMS];	/* delta1_i, or 0 */
	struct cover cover[IR_MAX_DIMS];
	int threads[3];		/* innermost dimension first */
	bool straight;		/* rows of full tiles are straight code */
	bool rolled;		/* .. as loops that the compiler unrolls */
	int chunk_dim;		/* of waves, see below; -1: no waves */
	int least_chunk;	/* tiles of a chunk, at least */
	int enough_blocks;	/* to keep the machine busy */
	const struct stream *stream;	/* strips in place of tiles, or NULL */
	const struct pipeline *pipeline;	/* of overlap, or NULL */
	const struct planes *planes;	/* of tiles that overlap and are swept
					 * along dimension 0, or NULL */
	bool resident;		/* T is a loop in the kernel, launched once if
				 * all blocks can be resident; else T by T */
	bool waits_for_grid;	/* .. with a barrier of all blocks between T
				 * and T + 1 */
	isl_set *shape;		/* { [tau, x0, ..] }, tau = k*m + i */
	struct box *box;	/* by field.index: the least box around the
				 * cells that a tile touches, copies apart */
	isl_set *full;		/* { [t0, o0, ..] : all instances run, and the
				 * boxes lie in the grid } */
	bool overlaps;		/* tiles compute again what they need of their
				 * neighbours; then, by field.index: */
	bool *in_shared;	/* it has a box in shared memory .. */
	int *version;		/* .. of this version, if it is a state */
	bool *in_global;	/* the plan writes it to global memory, each
				 * tile the cells 0 <= x - o < pitch */
	struct slab slab;	/* .tiles is 0: all tiles of a step at once */
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

/* A tile of overlap.c, "i" a statement, "d" a dimension; sides are low, high.
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

/* The pipeline of overlapping tiles, for --emit=schedule and --emit=tiles. */
struct plan;
void pipeline_print(struct text *t, const struct plan *plan);

/* Options that some strategies go by, and others do not. */
enum tile_option {
	OPTION_STEPS, OPTION_SHARED, OPTION_SEPARATE, OPTION_COPY_OUT,
	OPTION_ALIGN_LOADS, OPTION_REUSE, OPTION_UNROLL, OPTION_ASYNC,
	OPTION_MAPPING, OPTION_LAUNCH, OPTION_HEX_DIM, OPTION_COMPUTE_ONLY,
	OPTION_MODEL, TILE_OPTIONS,
};

/* How to look for a variant of a stencil graph. */
enum variant_search { VARIANTS_AUTO, VARIANTS_EXHAUSTIVE, VARIANTS_DP };

/* What a request says of the hexagonal dimension if it names none: nothing, or
 * that the model chooses it.
 */
enum hex_dim_choice { HEX_DIM_OPEN = -1, HEX_DIM_AUTO = -2 };

/* sizes as the user gave them; -1 where he did not */
struct tile_request {
	int h, w[IR_MAX_DIMS], bx, by, bz, chunk_z;
	int sweep;		/* planes of a kernel of fuse that is swept */
	int slab;		/* of kernels of fuse that run slab by slab */
	int b, v, y, l;		/* of strips */
	int threads[3];
	int hex_dim;		/* or one of enum hex_dim_choice */
	int64_t shared_bytes;	/* limit per block */
	bool for_cpu;		/* of strategies for C, not for CUDA */
	const char *variant;	/* of the stencil graph: "[[a,b],[c]]" */
	int orders;		/* of its stages that are tried, INT_MAX: all,
				 * 0: some */
	enum variant_search search;
	struct steps steps;
	enum launches launches;	/* of strips */
	bool hexagons;		/* for the rows of strips, in place of overlap */
	bool async_open;	/* the model decides on steps.async */
	const char *asked[TILE_OPTIONS];	/* what was given; NULL: was
						 * not */
	const struct outlook *outlook;	/* what open sizes are chosen for */
};

/* One point of a strategy's space. */
struct sized {
	struct tile_request request;	/* complete */
	double predicted_s;
	double loads_per_point;	/* if these are what is minimised, else 0 */
	int64_t k;		/* blocks of an SM */
	double tile_bytes;	/* that C code keeps of a tile in a cache */
};

struct prediction {
	const struct strategy *strategy;
	const char *why;	/* there is no candidate */
	int n_candidates;	/* best first; [0] is the choice */
	struct sized *candidate;
	const char *sizes;	/* of the choice: "h=3 w0=7 w1=64" */
	const char *binding;	/* what its time consists of */
	const char *remark;	/* what else was decided, and why, or NULL */
	int n_dims;		/* hexagons were tried in so many dimensions, of
				 * which one was taken */
	struct hex_dim *dim;	/* in order */
	struct sized **other;	/* the best of those not taken, the fastest
				 * first; ends with NULL, is NULL if n_dims
				 * is 0 */
	void (*report)(struct text *t, const struct prediction *p, bool json);
	const void *detail;	/* what "report" prints */
};

/* A set of options. */
#define WITH(option) (1u << OPTION_##option)

/* Kinds of sizes, see sizes.def; threads are those of --threads. */
enum size_kind {
	SIZES_HEXAGONS = 1, SIZES_BLOCKS = 2, SIZES_COLUMNS = 4,
	SIZES_GROUPS = 8, SIZES_STRIPS = 16, SIZES_THREADS = 32,
};

struct strategy {
	const char *name;
	bool by_name;		/* it is for comparison: nothing but its name
				 * chooses it */
	unsigned options;	/* those that it goes by .. */
	unsigned always;	/* .. and those whose work it does anyway */
	unsigned sizes;		/* that it has, of enum size_kind */
	/* NULL, or why the strategy cannot serve the program. */
	const char *(*applies)(const struct scop *scop,
		const struct deps *deps);
	/* Can it do what "request" says of variants?  False after a diagnostic;
	 * NULL of strategies that have none.
	 */
	bool (*accepts)(struct diags *d, const struct scop *scop,
		const struct tile_request *request);
	/* The best of the sizes that "request" leaves open, for its outlook,
	 * and their time.
	 */
	void (*predict)(struct region *mem, const struct scop *scop,
		const struct deps *deps, const struct tile_request *request,
		struct prediction *prediction);
	/* The plans, launched in this order in each iteration of the host
	 * loop.  NULL after a diagnostic.
	 */
	struct plan *(*plan)(struct region *mem, struct diags *d,
		const struct scop *scop, const struct deps *deps,
		const struct tile_request *request, int *n_plans);
};

extern const struct strategy strategy_hex, strategy_point, strategy_stream,
	strategy_fuse, strategy_zblock, strategy_skew;
extern const struct strategy strategy_cpu_point, strategy_cpu_overlap,
	strategy_cpu_hex, strategy_cpu_fuse;
/* The strategy for CUDA, or for C, called "name"; or NULL. */
const struct strategy *strategy_find(const char *name, bool for_cpu);
/* "auto, hex, ..": what strategy_find knows. */
void strategy_names(struct text *t, bool for_cpu);
/* "hex, stream": those that go by "option"; nothing if there are none. */
void strategies_with(struct text *t, enum tile_option option, bool for_cpu);
/* The predictions of all strategies that may be chosen, apply and have the
 * sizes named in "request", in "mem", the fastest first and those without a time last; one
 * without a strategy ends them.
 */
int strategies_predict(struct region *mem, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	struct prediction **predictions);

/* Why strategies cannot serve the program, a line for each that cannot. */
void strategies_refused(struct text *t, const struct scop *scop,
	const struct deps *deps, bool for_cpu);

struct tile_request tile_request_default(void);

/* sizes.c ----------------------------------------------------------------*/

/* The size in "r" that --tile calls "name", of "length" letters; or NULL. */
int *size_called(struct tile_request *r, const char *name, size_t length);
/* "h, w0, w1, .., bx, ..": their names. */
const char *sizes_listed(struct region *mem);
/* Leave all sizes, and the threads, to the model. */
void sizes_leave_open(struct tile_request *r);
/* Are all sizes of tiles and blocks, and the variant, left to the model? */
bool tile_request_is_open(const struct tile_request *r);
/* NULL, or the name of a size in "r" that "s" does not have. */
const char *strategy_foreign(const struct strategy *s,
	const struct tile_request *r);

/* plan.c -----------------------------------------------------------------*/

/* Fill in the threads of a block that "request" leaves open, for tiles whose
 * parallel extents are "extent", innermost first.
 */
void plan_choose_threads(struct plan *plan, const struct tile_request *request,
	const int *extent);

/* footprint.c: what a tile reads and writes ------------------------------
 *
 * All sets are relative to the tile's origin and hold no parameters.
 */

/* { [m, x] : (k*m + slot, x) in shape } */
__isl_give isl_set *tile_instances(const struct plan *plan, int slot);
/* { [v, y] } values of "field" that instances of the shape read / write,
 * v and y relative to the origin, no v if the field has no time.
 * "carries": those of the carries too.
 */
__isl_give isl_set *tile_reads(const struct plan *plan,
	const struct field *field, bool carries);
__isl_give isl_set *tile_writes(const struct plan *plan,
	const struct field *field);
/* { [m, x] -> [m + version, stride*x + offset] } of "acc" */
__isl_give isl_map *tile_access(const struct plan *plan,
	const struct access *acc);
/* stored.c: what a tile leaves in global memory, as { [m, x] } ------------*/

/* "other", of the same field, has an instance in the tile that writes the next
 * version in the same copy of the cell that the instance of "s" writes, if all
 * of them run.
 */
__isl_give isl_set *tile_overwritten(const struct plan *plan,
	const struct scop_stmt *s, const struct scop_stmt *other);
/* The tile computes no later version of the cell that the instance of "s"
 * writes, in the same copy.  If the points of each statement are the same at
 * all times, they are all its own.
 */
__isl_give isl_set *tile_last(const struct plan *plan,
	const struct scop_stmt *s);
/* Those of the last that a full tile of straight code stores: another tile may
 * read them, or they may be of the result.
 */
__isl_give isl_set *tile_stored(const struct plan *plan,
	const struct scop_stmt *s);
/* Those that straight code does not store if the next tile along the last
 * dimension is full: it computes the next version of the cell, and finds this
 * one in shared memory.
 */
__isl_give isl_set *tile_taken(const struct plan *plan,
	const struct scop_stmt *s);

/* "set" moved by "by" in dimension "pos". */
__isl_give isl_set *shift_dim(__isl_take isl_set *set, int pos, int by);
/* The image of "values" under { [v, y] -> [v mod buffers, y] }. */
__isl_give isl_set *tile_cells(const struct plan *plan,
	const struct field *field, __isl_take isl_set *values);
/* Fill in the boxes.  False if one is unbounded. */
bool plan_find_boxes(struct plan *plan);
/* Fill in the full tiles; needs the boxes as they will be. */
void plan_find_full(struct plan *plan);
/* cover.c: fill in what launches cover; needs the shape. */
void plan_find_cover(struct plan *plan);

/* With waves: does a tile take values from the one before in the dimension
 * that is cut into chunks?
 */
bool plan_reuses_chunks(const struct plan *plan);
/* Let the tiles of "plan", whose group "has" statements with these parts, be
 * swept, with planes in registers if they "may" be; boxes and full tiles are
 * known.
 */
void plan_find_planes(struct plan *plan, const bool *has,
	const struct box *part, bool may);

int64_t plan_shared_bytes(const struct plan *plan);
/* Has a block of the machine so much?  Else "advice" says what to do. */
bool plan_fits_shared_memory(struct diags *d, const struct plan *plan,
	const struct tile_request *request, const char *advice);
/* Is "field" kept in shared memory by "plan"? */
bool plan_is_shared(const struct plan *plan, const struct field *field);
/* Is the value that "acc" of an instance in the tile touches? */
bool plan_holds(const struct plan *plan, const struct access *acc);
/* The copies of "field" that a tile has in shared memory. */
int plan_copies(const struct plan *plan, const struct field *field);
/* The values of "field" that a tile reads but does not compute. */
__isl_give isl_set *tile_loads(const struct plan *plan,
	const struct field *field);

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
/* Complete the request's h and w for hexagons in dimension "hex".  False
 * after a diagnostic.
 */
bool select_hex_sizes(struct diags *d, const struct scop *scop,
	const struct cone *cone, const struct tile_request *request, int hex,
	int *h, int *w);
/* The same for skewed rectangles. */
bool select_skewed_sizes(struct diags *d, const struct scop *scop,
	const struct cone *cone, const struct tile_request *request, int hex,
	int *h, int *w);
/* The "predict" of hexagonal tiling in the dimension that "request" names, and
 * of skewed rectangles.
 */
void select_predict(struct region *mem, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	struct prediction *prediction);
void select_predict_skewed(struct region *mem, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	struct prediction *prediction);

/* Straight code of the only dimension, the hexagonal one: thread x computes the
 * points first + x + p*threads of a row, in parts p, "first" being where the
 * hexagon's first row begins.
 */
bool plan_deals_hexagon(const struct plan *plan);
/* The parts of row "a", of which the first and the last may not be whole. */
int plan_first_part(const struct plan *plan, int a);
int plan_last_part(const struct plan *plan, int a);

/* hex_dims.c: the hexagonal dimension ------------------------------------*/

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
/* The prediction "p" by "predict", which predicts hexagons in the dimension that
 * its request names: in the one that "request" names, or where it is open in that
 * of the best tile.
 */
typedef void hex_predict_in(struct region *mem, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	struct prediction *p);
void hex_predict(struct region *mem, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	hex_predict_in *predict, struct prediction *p);
/* The dimension that hex_predict takes; 0 if no dimension has a tile. */
int hex_choose_dim(struct region *mem, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	hex_predict_in *predict);

/* hex.c: what strategies of hexagons and of skewed rectangles share.
 *
 * The threads for "plan", of which scop, steps, n_dims, hex_dim, the hexagon and
 * the widths are known.
 */
void hex_threads(struct plan *plan, const struct tile_request *request);

/* NULL, or why hexagonal tiles cannot serve the program. */
const char *hex_applies(const struct scop *scop, const struct deps *deps);
/* Has the program the dimensions of the request, and are its sizes not beyond
 * all limits?
 */
bool hex_is_possible(struct diags *d, const struct scop *scop,
	const struct tile_request *r);
/* Is the request possible, with the hexagon in dimension "hex"?  Sizes left
 * open count as possible.
 */
bool hex_is_legal(struct diags *d, const struct scop *scop,
	const struct cone *cone, const struct tile_request *r, int hex);
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
	const struct tile_request *request);

/* sweep.c: kernels that sweep the grid, a step and statement each --------*/

/* Plans with blocks of bx, by, bz threads; if "columns", each thread computes
 * chunk_z points of the outermost dimension.
 */
struct plan *sweep_plan(struct region *mem, struct diags *d,
	const struct strategy *strategy, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	bool columns, int *n_plans);
void sweep_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, bool columns,
	struct prediction *prediction);

/* cpu.c: strategies of the C target --------------------------------------*/

/* Sizes, report and the binding term of "p" whose candidates are tiles given
 * by h and w0 .. of "n_dims", the first with the time "terms".
 */
void tiles_describe(struct region *mem, struct prediction *p, int n_dims,
	const struct cpu_terms *terms);

/* fuse_model.c -----------------------------------------------------------*/

struct variant;

/* Levels of the variants that are written: the program, the groups of kernels that
 * run slab by slab, and a kernel for each group.
 */
enum { FUSE_SLABS = 2, FUSE_LEVELS = 3 };
extern const char fuse_too_deep[];

void fuse_predict(struct region *mem, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	struct prediction *p);
bool fuse_accepts(struct diags *d, const struct scop *scop,
	const struct tile_request *request);
/* The variant "text" of at most "n_levels" levels, with what the levels of the
 * machine say of sweeps; NULL, and why.
 */
struct variant *fuse_variant(const struct scop *scop, const struct machine *m,
	int n_levels, const char *text, const char **why);

/* slabs.c ----------------------------------------------------------------*/

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

/* stream.c: register streaming -------------------------------------------*/

/* The least and greatest offset at which "acc" may find its cell in dimension
 * "d", whatever boundary stands in for it; a period is none.
 */
void stream_reach(const struct stmt *s, const struct access *acc, int d,
	int *low, int *high);
/* lag(step, stmt) */
int stream_lag(const struct stream *s, int step, int stmt);
/* How many iterations ago was the position "offset" away from that of "stmt",
 * of the version that "acc" reads, computed or loaded?
 */
int stream_age(const struct stream *s, const struct scop *scop,
	const struct stmt *stmt, const struct access *acc, int offset);

/* strip_parts.c: what a statement far from all edges shares with other
 * iterations: values that are computed by the first one that has all they read.
 */
struct strip_parts {
	int n;
	struct strip_part {		/* those that others need come first */
		const struct expr *value;	/* at one of its places .. */
		int early;	/* .. where it is so many iterations old */
		int oldest;	/* iterations at most that it is kept */
		int like;
	} *part;
	int n_places;
	struct strip_place {		/* where the statement has a part */
		const struct expr *expr;
		int part, early;
	} *place;
	int n_reads;
	struct strip_read {		/* what is read by itself, so many .. */
		const struct access *acc;
		int early;	/* .. iterations before the statement */
	} *read;
	struct strip_operations *operations;	/* if it is reassociated */
	struct instruction_mix written;	/* what a cell executes if it is not */
};

/* The place of a part that "e" is, or NULL. */
const struct strip_place *stream_find_place(const struct strip_parts *parts,
	const struct expr *e);

/* Do both read the same rows, in three dimensions, of the same field? */
bool stream_same_rows(const struct stream *s, const struct access *a,
	const struct access *b);
/* Is read number "read" of "stmt" the first of its rows? */
bool stream_is_first_row(const struct stream *s, const struct stmt *stmt,
	int read);
/* Does local step "m" compute a row of "warp" that a later step reads or
 * stores?  A warp that does not skips the step.
 */
bool stream_warp_is_live(const struct stream *s, int warp, int m);
/* Is there a step that a warp skips? */
bool stream_skips_steps(const struct stream *s);
/* strip_hexagons.c: are rows cut into hexagons?  Then the warps from stream_edge
 * to the one so far from the last compute step "m".
 */
bool stream_is_hexagonal(const struct stream *s);
int stream_edge(const struct stream *s, int m);
/* Rows from one hexagon of a phase to the next. */
int stream_hexagon_pitch(const struct stream *s);
/* Are the warps of a block one strip? */
bool stream_is_joined(const struct stream *s);
/* How many rows, or cells, of "field" are taken from the neighbour before, and
 * from the one after.
 */
int stream_taken_before(const struct stream *s, const struct field *field);
int stream_taken_after(const struct stream *s, const struct field *field);
/* Bytes of shared memory for the rows of "field" that are copied ahead. */
int64_t stream_ahead_bytes(const struct stream *s, const struct field *field);
/* Bytes of a row that a warp has of "field". */
int stream_row_bytes(const struct stream *s, const struct field *field);
/* Bytes of shared memory for all these and what is exchanged, of "field", or of
 * all fields if that is NULL.
 */
int64_t stream_shared_bytes(const struct stream *s, const struct scop *scop,
	const struct field *field);
void stream_print(struct text *t, const struct plan *plan);
/* What its warps do of a hexagon, each line starting with "prefix". */
void stream_draw_hexagon(struct text *t, const struct stream *s,
	const char *prefix);
/* A drawing of a strip. */
void stream_draw(struct text *t, const struct plan *plan);

/* print.c ----------------------------------------------------------------*/

/* The user's name of a dimension. */
const char *schedule_dim_name(const struct scop *scop, int dim);

void schedule_print(struct text *t, const struct plan *plan);
/* A drawing of the tiles in characters. */
void tiles_print(struct text *t, const struct plan *plan);
/* The hexagon alone, each line starting with "prefix". */
void hexagon_draw(struct text *t, const struct hexagon *x,
	const char *prefix);

#endif
