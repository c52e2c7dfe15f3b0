/* model: predicted times, the sizes that minimise them, and what bounds a
 * kernel.  Numbers in, numbers out: nothing here knows a program or a set.
 *
 * Sources, cited at each formula:
 *	[CGO] Grosser, Cohen, Holewinski, Sadayappan, Verdoolaege: Hybrid
 *	      Hexagonal/Classical Tiling for GPUs, CGO 2014.
 *	[PP]  Prajapati, Ranasinghe, Rajopadhye, Andonov, Djidjev, Grosser:
 *	      Simple, Accurate, Analytical Time Modeling and Optimal Tile Size
 *	      Selection for GPGPU Stencils, PPoPP 2017.
 *	[SU]  Su, Cai, Wen, Zhang: An analytical GPU performance model for 3D
 *	      stencil computations from the angle of data traffic, 2015.
 *
 * Counts that may be products of sizes are doubles: exact below 2^53 and
 * never an overflow.  Words are the elements of the array meant.
 * doc/model.md is the reader's version of this file.
 */
#ifndef STENCILC_MODEL_H
#define STENCILC_MODEL_H

#include "base/base.h"

enum {
	MODEL_MAX_DIMS = 8,
	MODEL_MAX_STATEMENTS = 64,
	MODEL_MAX_ARRAYS = 64,
	MODEL_MAX_READS = 512,
	MODEL_COLUMN_THREADS = 256,
	MODEL_MAX_H = 4096,	/* a taller hexagon is never considered */
};

/* Another way to write the code is taken, or recommended, if it is predicted to
 * take no more than this part of the time: the model is not better than that.
 */
#define MODEL_WORTH 0.95

/* machine.c, machines.def, values.def ------------------------------------*/

/* The time of one iteration of a loop body on all lanes of an SM. */
struct machine_citer {
	const char *stencil;
	double seconds;
};

/* One constant per numeric value of a machine, in the order of values.def. */
enum machine_value {
#define INTEGER_VALUE(name, need, meaning) MACHINE_##name,
#define REAL_VALUE(name, need, meaning) MACHINE_##name,
#include "model/values.def"
#undef INTEGER_VALUE
#undef REAL_VALUE
	MACHINE_VALUE_COUNT
};

/* A level of an abstract machine, 2.5 of Gysi et al., "MODESTO" (ICS 2015): what
 * a group of stencils is executed on tile by tile.  A value of 0 is infinite.
 */
struct machine_level {
	const char *memory;	/* where its groups keep values: "L2" */
	const char *halo;	/* how their tiles get halos: "of", "hp", "hs" */
	int64_t tile[3];	/* innermost dimension first; 0: not tiled */
	double vertical_bytes_per_s, lateral_bytes_per_s, bytes;
	bool splits;		/* a group may have several children */
};

enum { MACHINE_MAX_LEVELS = 6 };

struct machine {
	const char *name;	/* "gtx980" */
	const char *title;	/* "NVIDIA GeForce GTX 980" */
#define INTEGER_VALUE(name, need, meaning) int64_t name;
#define REAL_VALUE(name, need, meaning) double name;
#include "model/values.def"
#undef INTEGER_VALUE
#undef REAL_VALUE
	int n_citers;
	const struct machine_citer *citers;
	int n_levels;		/* 0: graphs have those of their target */
	struct machine_level level[MACHINE_MAX_LEVELS];
	uint64_t given;		/* bit v: value v comes from a document, a
				 * measurement or a file; else an estimate */
};

/* The machines built in, in a fixed order; "host" is not among them. */
int machine_count(void);
const char *machine_name(int i);
const char *machine_title(int i);
/* The built-in machine called "name", in "r", or NULL. */
const struct machine *machine_find(struct region *r, const char *name);
/* What --arch=NAME|FILE means: a built-in machine, "host", or a file.
 * NULL after a diagnostic.
 */
const struct machine *machine_lookup(struct region *r, struct diags *d,
	const char *name);
/* Give each value of "m" that "given" lacks an estimate, from the others. */
void machine_estimate(struct machine *m);
/* The same of barriers by threads: each is taken to be as any, sync_s. */
void machine_estimate_barriers(struct machine *m);
/* The constants of [SU] where none was fitted: the paper's, and 0 for eta. */
void machine_estimate_traffic(struct machine *m);
/* The name of value "v", as it stands in a machine file, and its meaning. */
const char *machine_value_name(enum machine_value v);
const char *machine_value_meaning(enum machine_value v);
double machine_value_of(const struct machine *m, enum machine_value v);
bool machine_is_estimate(const struct machine *m, enum machine_value v);
/* Is "v" one of the constants of the traffic model, which may be 0? */
bool machine_is_fitted(enum machine_value v);
/* tau_sync of a block of "threads" threads; 0: of any. */
double machine_sync_s(const struct machine *m, double threads);
/* "m" as a machine file, estimates marked; parses to the same machine. */
void machine_print(struct text *t, const struct machine *m);

/* machine_file.c ---------------------------------------------------------*/

/* The machine that "src" describes, in "r".  NULL, after a diagnostic at each
 * mistake, if it describes none.
 */
const struct machine *machine_parse(struct region *r, struct diags *d,
	const struct source *src);

/* levels.c ---------------------------------------------------------------*/

/* "level2.tile_x = 64": set this of "m" to the word "value"; NULL, or what is
 * wrong with it.
 */
const char *machine_set_level(struct region *r, struct machine *m,
	const char *name, const char *value);
/* Is "name" one of a level? */
bool machine_is_level(const char *name);
/* NULL, or what a level lacks. */
const char *machine_check_levels(struct region *r, const struct machine *m);
void machine_print_levels(struct text *t, const struct machine *m);

/* cores.c ----------------------------------------------------------------*/

/* What Linux tells of CPUs. */
#define CPU_FOLDER "/sys/devices/system/cpu"

/* The cores that this process may run on, whatever hardware threads they have,
 * as hwloc tells, or the system; "first_cpu" is one of their CPUs.
 */
int64_t cores_allowed(struct region *r, int *first_cpu);
/* The cores that those of "n" CPUs belong to which are "allowed", by the files
 * in "folder"; one each where these do not tell.
 */
int64_t cores_of_cpus(const char *folder, const bool *allowed, int n);

/* host.c -----------------------------------------------------------------*/

/* The machine that this runs on: a core counts as an SM. */
const struct machine *machine_host(struct region *r);

/* cpu.c: code for the cores of a CPU -------------------------------------*/

struct cpu_problem {
	const struct machine *machine;
	double steps;
	double bytes, operations, barriers;	/* of a step */
	double cache_bytes;	/* of a step, from and to the core's cache */
	double far_bytes;	/* of a step, from the cache that cores share */
	double points;		/* of a step, of all statements */
	double citer_s;		/* measured in the cache; 0: not known */
	int word_bytes;
	double efficiency;	/* of tiles: the part of full speed */
};

struct cpu_terms {
	const struct machine *machine;
	const char *sizes;	/* "h=8 w0=500", or NULL */
	const char *json_sizes;	/* the same as members of an object */
	double memory_s, cache_s, compute_s, barrier_s, predicted_s;
	double citer_s;		/* compute_s is by it, cache_s is 0 */
	const char *binding;
};

/* Sweeps of the grid, nothing kept in caches between them. */
struct cpu_terms cpu_point_time(const struct cpu_problem *p);
/* Tiles of "tile_bytes" that stay in a core's second-level cache for several
 * steps, and compute "redundancy" points for each of the result.
 */
struct cpu_terms cpu_tile_time(const struct cpu_problem *p, double redundancy,
	double tile_bytes);
void cpu_report_text(struct text *t, const char *strategy,
	const struct cpu_terms *terms);
/* Without the bracket that closes the object. */
void cpu_report_json(struct text *t, const char *strategy,
	const struct cpu_terms *terms);

/* citer.c: Citer of [PP] -------------------------------------------------*/

/* What one point of a statement executes. */
struct instruction_mix {
	double arithmetic;	/* additions, multiplications; a fused one
				 * counts once */
	double special;		/* divisions, roots, transcendentals */
	double integer;		/* index arithmetic */
	double loads, stores;	/* of shared memory */
	int word_bytes;		/* 4 or 8 */
};

struct citer {
	double seconds;
	bool estimated;		/* from a mix, not from a measurement */
};

/* Seconds for a point on each lane of an SM, from the busiest of its units. */
double citer_estimate_s(const struct machine *m,
	const struct instruction_mix *mix);
/* citer_s.STENCIL of the machine; 0: it has none. */
double citer_measured_s(const struct machine *m, const char *stencil);
/* citer_s.STENCIL.PRESET of the machine, as models that read the formulas
 * differently take different Citers from one time; else citer_s.STENCIL, else
 * the estimate.
 */
struct citer citer_of(const struct machine *m, const char *stencil,
	const char *preset, const struct instruction_mix *mix);

/* switches.c, switches.def: the readings of the formulas -----------------*/

enum {
#define SWITCH(name, printed, recommended, values, meaning) SWITCH_##name,
#define NUMBER(name, printed, recommended, meaning)
#include "model/switches.def"
#undef SWITCH
#undef NUMBER
	SWITCH_COUNT
};

/* Of a number of the switches: the machine's. */
#define OF_MACHINE (-1)
enum { PITCH_PRINTED, PITCH_EXACT };
enum { BANDWIDTH_DEVICE, BANDWIDTH_SM };
enum { OVERLAP_PRINTED, OVERLAP_REPAIRED };
enum { SUBSLABS_PRODUCT, SUBSLABS_EACH };
enum { K_MAX, K_FILL };
enum { COUNTS_PRINTED, COUNTS_PLANAR, COUNTS_EXACT };
enum { WAVEFRONTS_EVEN, WAVEFRONTS_EPSILON };
enum { THREADS_LANES, THREADS_PASSES };
enum { CODE_PAPER, CODE_EMITTED };
enum { CLAMP_NO, CLAMP_YES };
enum { IMBALANCE_NO, IMBALANCE_YES };
enum { LAUNCH_NO, LAUNCH_YES };

struct switches {
	const char *preset;	/* "printed", "recommended" or "custom" */
#define SWITCH(name, printed, recommended, values, meaning) int name;
#define NUMBER(name, printed, recommended, meaning) double name;
#include "model/switches.def"
#undef SWITCH
#undef NUMBER
};

struct switches switches_printed(void);
struct switches switches_recommended(void);
/* Read "printed", "recommended" and "switch=value", separated by commas, into
 * "s", over the recommended ones.  NULL, or what is wrong, in "r".
 */
const char *switches_parse(struct region *r, const char *text,
	struct switches *s);
/* The settings as switches_parse reads them. */
void switches_print(struct text *t, const struct switches *s);

/* hexagon.c: the shape of a hybrid tile, [CGO] 3 and 4 --------------------
 *
 * Dimension 0 is tiled hexagonally, the others classically.  Time is the
 * schedule's: with k statements, statement i of step t is row k*t + i, and
 * row a of a tile (0 <= a <= 2h+1) belongs to statement a mod k.
 */

struct rational {
	int64_t num, den;	/* den > 0; magnitudes below 2^20 */
};

/* The values of "array" that an instance of "statement" reads: those at
 * distance "lo" to "hi" (a box hull), written "age" rows earlier.
 */
struct hex_read {
	int array, statement;
	int64_t age;		/* at least 1; unused if never written */
	int64_t lo[MODEL_MAX_DIMS], hi[MODEL_MAX_DIMS];
};

struct hex_array {
	int word_bytes;
	int buffers;		/* time planes that a tile keeps in shared
				 * memory */
	int writer;		/* the statement that writes it, -1: none */
	bool unread;		/* has no place in shared memory */
};

struct hex_shape {
	int dims;		/* of space, at least 1 */
	int statements;		/* k; h + 1 must be a multiple of it */
	bool is_skewed;		/* no hexagons but skewed rectangles, h time
				 * steps of w0 points; see skew.c */
	struct rational delta0;	/* max ds0/dt over the dependences, >= 0 */
	struct rational delta1[MODEL_MAX_DIMS];	/* max -dsi/dt, >= 0 */
	int n_arrays;
	struct hex_array array[MODEL_MAX_ARRAYS];
	int n_reads;
	struct hex_read *read;
	int inner_multiple;	/* boxes have the same columns in the last
				 * dimension, a multiple of these; 0: each its
				 * own */
};

struct hex_tile {
	int64_t h;
	int64_t w[MODEL_MAX_DIMS];	/* w[0]: the hexagon's top less 1,
					 * or a row of a skewed rectangle */
};

/* How a tile gets its values: [CGO] 3.7, 4.2. */
enum hex_loads {
	HEX_LOADS_EXACT,	/* read and not computed in the tile */
	HEX_LOADS_EXACT_REUSE,	/* and not in the tile before it */
	HEX_LOADS_BOX,		/* the rectangle of shared memory */
	HEX_LOADS_BOX_REUSE,	/* less what the tile before it holds */
};

/* What a tile writes to global memory. */
enum hex_stores {
	HEX_STORES_LIVE,	/* what another block's tile may read */
	HEX_STORES_ALL,		/* each value as it is computed */
};

/* The part of a tile's shape that depends on h alone; the sizes w enter as
 * "from .. w + to" ranges.
 */
struct hex_range {
	int64_t from, to;	/* cells from .. w + to */
};

struct hex_row {
	int statement;
	struct hex_range dim[MODEL_MAX_DIMS];
};

struct hex_plane {		/* values of one array written at one time */
	int array;
	bool computed;		/* by a row of the tile */
	struct hex_range read[MODEL_MAX_DIMS];	/* hull of the reads */
	struct hex_range own[MODEL_MAX_DIMS];	/* the row, if computed */
};

struct hex_kept {		/* values of one row used in the tile only */
	bool any;
	struct hex_range dim[MODEL_MAX_DIMS];
	struct hex_range own[MODEL_MAX_DIMS];
};

struct hex_profile {
	const struct hex_shape *shape;
	int64_t h;
	int64_t f0, f1;		/* floor(delta0 h), floor(delta1[0] h) */
	int64_t min_w0;		/* (1) */
	int64_t drift;		/* skewed: see struct wavefronts */
	int n_rows;		/* 2h + 2; skewed: k*h */
	struct hex_row *row;
	int n_planes;
	struct hex_plane *plane;
	int n_kept;		/* one per row and array written */
	struct hex_kept *kept;
	bool used[MODEL_MAX_ARRAYS];	/* read or written by a row */
	bool loaded[MODEL_MAX_ARRAYS];	/* read by a row */
	struct hex_range box[MODEL_MAX_ARRAYS][MODEL_MAX_DIMS];
};

int64_t floor_div(int64_t a, int64_t b);	/* b > 0 */
int64_t ceil_div(int64_t a, int64_t b);		/* b > 0 */
int64_t floor_mod(int64_t a, int64_t b);	/* b > 0 */

/* Add "read" to "s", growing the hull of one of the same kind. */
void hex_add_read(struct hex_shape *s, const struct hex_read *read);
/* NULL, or why "s" is not a shape. */
const char *hex_verify(const struct hex_shape *s);
/* The radius-1 shape of the paper's benchmarks: one array of "word_bytes" in
 * two buffers, all slopes 1, reads -1 .. 1 everywhere.
 */
struct hex_shape hex_radius_1(struct region *r, int dims, int word_bytes);
/* Whether the printed formulas of [PP] apply: hex_radius_1, any word. */
bool hex_is_radius_1(const struct hex_shape *s);

int64_t hex_cgo1_min_w0(const struct hex_shape *s, int64_t h);
int64_t hex_height(int64_t h);				/* 2h + 2 */
int64_t hex_rows(const struct hex_shape *s, int64_t h);	/* skewed: k*h */
int64_t hex_width(const struct hex_shape *s, const struct hex_tile *t);
/* The points lo .. hi of row "a", b of (6)-(13). */
void hex_row_bounds(const struct hex_shape *s, const struct hex_tile *t,
	int64_t a, int64_t *lo, int64_t *hi);
/* (h+1) * W * w1 .. wn; skewed: k*h * w0 * w1 .. wn. */
double hex_points(const struct hex_shape *s, const struct hex_tile *t);
/* From one tile of a launch to the next. */
int64_t hex_pitch(const struct hex_profile *p, const struct hex_tile *t);
/* All of "s" at height "h", in "r".  h + 1 must be a multiple of k. */
const struct hex_profile *hex_profile_new(struct region *r,
	const struct hex_shape *s, int64_t h);
/* The points of the narrowest row of the hexagon, or skewed rectangle, of "t". */
int64_t hex_narrowest_row(const struct hex_shape *s, const struct hex_tile *t);
/* Threads that compute whole columns of the hexagon: one along it, and along
 * the other dimensions of "t" the greatest divisors of their widths that
 * leave a block "MODEL_COLUMN_THREADS" threads.  In one dimension so many warps
 * as its narrowest row has points for, each thread with every so many points.
 * Innermost first; those above 0 in "forced" are taken as they are.
 */
void hex_column_threads(const struct hex_tile *t, int dims, int64_t narrowest,
	const int64_t forced[3], int64_t threads[3]);
/* The threads of a block for rows that are loops over "extent" points in "dims"
 * dimensions: 256, 128 at most along the innermost, in whole warps.  Innermost
 * first; those above 0 in "forced" are taken as they are.
 */
void model_loop_threads(int dims, const int64_t extent[],
	const int64_t forced[3], int64_t threads[3]);
double hex_row_points(const struct hex_profile *p, const struct hex_tile *t,
	int a);
int64_t hex_row_length(const struct hex_profile *p, const struct hex_tile *t,
	int a);
/* Extents of the shared box of "array" in each dimension; 4.2. */
void hex_box(const struct hex_profile *p, const struct hex_tile *t, int array,
	double extent[]);
double hex_shared_bytes(const struct hex_profile *p, const struct hex_tile *t);
double hex_load_words(const struct hex_profile *p, const struct hex_tile *t,
	enum hex_loads loads);
double hex_load_bytes(const struct hex_profile *p, const struct hex_tile *t,
	enum hex_loads loads);
double hex_store_words(const struct hex_profile *p, const struct hex_tile *t,
	enum hex_loads loads, enum hex_stores stores);
double hex_store_bytes(const struct hex_profile *p, const struct hex_tile *t,
	enum hex_loads loads, enum hex_stores stores);

/* waves.c: chunks of several phases in a launch ----------------------------*/

struct wave_grid {
	double hexagons;	/* of a phase */
	double phases;
	double tiles;		/* of the dimension that is cut into chunks */
	double least_chunk;	/* tiles of a chunk, at least */
	double enough;		/* blocks of a launch that are wanted */
	bool is_reused;		/* tiles take values from the one before in this
				 * dimension: not too many chunks */
};

struct waves {
	double chunk_tiles, chunks, launches;
	double blocks;		/* of a launch, on average */
};

struct waves waves_of(const struct wave_grid *g);

/* skew.c: wavefronts of skewed rectangles ---------------------------------
 *
 * Tile (T, S) holds the rows T*rows .. of the points s = x + floor(delta1*tau)
 * that w0 and a drift of at least delta1*rows leave it:
 *
 *	S*w0 <= x + floor(delta1*a) + T*drift < (S + 1)*w0
 *
 * Wavefront i has those with T + S = i and 0 <= x < points.
 */
struct wavefronts {
	int64_t times;		/* 0 <= T < times; 0: no wavefronts */
	int64_t points;
	int64_t w0, drift, f1;	/* f1: floor(delta1*(rows - 1)) */
};

/* All wavefronts from the first tile to the last, N_w. */
int64_t wavefronts_count(const struct wavefronts *w);
/* w(i) of (2): the tiles of wavefront "i". */
int64_t wavefronts_tiles(const struct wavefronts *w, int64_t i);
/* The most that a wavefront may have, and all tiles together. */
int64_t wavefronts_most(const struct wavefronts *w);
double wavefronts_sum(const struct wavefronts *w);
/* The wavefronts with at least "tiles", which may differ by one where the grid
 * is full of tiles.
 */
int64_t wavefronts_with(const struct wavefronts *w, int64_t tiles);

/* time.c: the time model, [PP] 4 -----------------------------------------*/

/* Little's law: the result of an instruction is there 4 clocks later and more;
 * a lane that is to be busy meanwhile has so many points under way.
 */
enum { MODEL_POINTS_OF_LANE = 4 };

/* A tiling as the formulas see it, wherever the numbers come from. */
struct tile_counts {
	double steps;		/* T, rows of the schedule: k per time step */
	double rows;		/* tT */
	double tiles_per_phase;	/* w */
	double tiles_per_prism;	/* n */
	double load_words, store_words;	/* m_i, m_o */
	double load_bytes, store_bytes;
	double shared_bytes;	/* M_tile */
	double compute_s;	/* pp9_rows_s */
	double threads;		/* of a block; 0: not known */
	double ready;		/* points that a block computes at a time, as
				 * none waits for another; 0: enough */
	bool is_serial;		/* a block does not compute while it copies */
	bool no_transfers;	/* copies are left out, but for a barrier */
	struct wavefronts wavefronts;	/* of skewed rectangles */
	double launches;	/* in waves; 0: N_w of (3) */
	double row_tiles;	/* that follow each other in the last dimension */
	double restart_bytes;	/* loaded by the first of these only, divided
				 * among them; 0 if w/o waves */
};

double pp3_wavefronts(double steps, double rows, int wavefronts);
double pp4_tile_width(double ts1, double tt);			/* (21) too */
double pp5_tiles_per_phase(double s1, double ts1, double tt);
double pp22_tiles_per_phase(double s1, double ts1, double tt);
double exact_tiles_per_phase(double s1, double pitch);		/* PP-E1 */
/* (7), (18), (24): words, "ts" the other tile sizes, "n" of them. */
double pp7_words(double ts1, double tt, int n, const double ts[]);
/* M_tile in words: 4.1.1 in 1D, (19) in 2D, by analogy beyond. */
double pp19_shared_words(double ts1, double tt, int n, const double ts[]);
double pp16_tiles_per_prism(double s, double tt, double ts);
double pp23_tiles_per_slab(int n, const double s[], double tt,
	const double ts[], int subslabs);
double pp26_tile_points(double ts1, double tt, int n, const double ts[]);
/* (8), (14), (25): "bytes" both ways, L in s/byte. */
double pp8_transfer_s(double bytes, double l_s_per_byte, double sync_s);
/* (9), (15), (27) for slopes 1. */
double pp9_compute_s(double ts1, double tt, int n, const double ts[],
	double lanes, double citer_s, double sync_s);
/* The same of any rows, without barriers: tile_counts.compute_s. */
double pp9_rows_s(int rows, const double points[], const double citer_s[],
	double lanes);
double pp10_tile_s(double transfer_s, double compute_s);
double pp12_tiles_s(double transfer_s, double compute_s, double k);
/* (10), (12), (16), (28), (29) and PP-E2: k prisms of n tiles on an SM. */
double pp16_prism_s(double transfer_s, double compute_s, double k, double n,
	int dims, int overlap);
double pp6_total_s(double wavefronts, double prism_s, double rounds,
	double launch_s);
double pp2_rounds(double tiles_per_phase, double k, double sm_count);

/* Each term of a prediction. */
struct time_terms {
	double tiles;		/* on all wavefronts; 0: of hexagons */
	double n_w, w, w_tile, pitch, tiles_per_prism, rounds;
	double m_i_words, m_o_words, m_tile_bytes;
	double l_s_per_byte, m_prime_s, c_s, prism_s;
	double citer_s;		/* mean over the rows */
	double utilisation;	/* of the SMs, by tiles */
	double threads_c_s;	/* c with the threads chosen */
	double launch_total_s;
	double k;
	const char *k_limit;	/* what keeps k from growing */
	double predicted_s;
	const char *binding;	/* "compute", "memory", "barriers",
				 * "parallelism", "launch" */
};

/* (2)-(30) for "c", "k" blocks sharing an SM. */
struct time_terms time_predict(const struct machine *m,
	const struct switches *s, int dims, const struct tile_counts *c,
	double k);

/* search.c: the optimisation problem (31) and [CGO] 3.7 ------------------*/

struct hex_query {
	const struct machine *machine;
	const struct switches *switches;
	const struct hex_shape *shape;
	int64_t steps;		/* T, time steps */
	int64_t size[MODEL_MAX_DIMS];	/* points computed */
	double citer_s[MODEL_MAX_STATEMENTS];
	double citer_row_s[MODEL_MAX_STATEMENTS];	/* where each lane has
				 * a row of the hexagon: what its points share */
	double loop_citer_s[MODEL_MAX_STATEMENTS];	/* where rows are loops
				 * though others are not */
	bool citer_estimated;
	bool across;		/* the hexagons' dimension is the grid's last:
				 * lanes lie across its rows, each has its own */
	double moves_s[MODEL_MAX_STATEMENTS];	/* of citer_s and citer_row_s .. */
	double moves_row_s[MODEL_MAX_STATEMENTS];	/* .. loads and stores */
	bool counts_copies;	/* their instructions, too */
	bool no_transfers;	/* tiles are computed, but not copied */
	enum hex_loads loads;
	enum hex_stores stores;
	bool shared;		/* tiles live in shared memory */
	bool waves;		/* launches hold chunks of several phases */
	bool async;		/* two boxes: transfers while a tile is
				 * computed */
	int64_t registers_per_thread;	/* 0: not known, no limit */
	int64_t h;		/* forced, or -1 */
	int64_t w[MODEL_MAX_DIMS];	/* forced, or -1 */
	int64_t threads[3];	/* forced, innermost first, or 0 */
	double column_points;	/* 0, or: a thread computes whole columns of
				 * the hexagon, at most so many points a tile,
				 * and the other widths are multiples of their
				 * threads */
	bool takes_loops;	/* rows of tiles without such columns are loops;
				 * else they are left out */
	double shared_limit_bytes;	/* per block; 0: the machine's */
	int max_candidates;	/* to keep, at least 1 */
	double within;		/* candidates take no more than this factor of
				 * the best; at least 1.1 */
};

struct hex_candidate {
	struct hex_tile tile;
	int64_t threads[3];	/* innermost dimension first */
	int64_t k;
	double predicted_s;
	double shared_bytes;
	double loads_per_point;
	bool loops;		/* its rows, though those of others are columns
				 * of threads */
};

/* Why the threads of a tile have no columns, where those of others do. */
enum hex_columnless {
	HEX_MANY_POINTS,	/* a thread would have more than column_points */
	HEX_OTHER_THREADS,	/* forced ones are several along the hexagon, or
				 * do not divide a width */
	HEX_COLUMNLESS
};

struct hex_dim;

struct hex_result {
	bool found;
	bool by_loads;		/* the fewest loads of a point are best */
	double feasible;	/* points of the space */
	double columnless[HEX_COLUMNLESS];	/* tiles: of the feasible ones
				 * if the query takes loops, else left out */
	double within_10_percent;
	int n_candidates;	/* best first; [0] is the choice */
	struct hex_candidate *candidate;
	struct time_terms terms;	/* of the choice */
	double other_s;		/* the least time with the other kind of
				 * copies, asynchronous or not; 0: not known */
	const char *constraint;	/* the limit that the choice sits at */
	const char *why;	/* not found: which limit leaves nothing */
	int n_dims;		/* its hexagons' dimension is one of these */
	const struct hex_dim *dim;
};

/* A query for "shape" on "m" with nothing forced and the defaults of the
 * generated code.
 */
struct hex_query hex_query_of(const struct machine *m,
	const struct switches *s, const struct hex_shape *shape);
/* The same for rows that are loops. */
struct hex_query hex_query_of_loops(const struct hex_query *q);
/* (31): the least predicted time.  Candidates in "r". */
struct hex_result hex_search(struct region *r, const struct hex_query *q);
/* [CGO] 3.7: the fewest loads a point under the shared-memory limit. */
struct hex_result hex_select(struct region *r, const struct hex_query *q);
/* Counts and terms of one tile, feasible or not; h + 1 a multiple of k. */
struct tile_counts hex_counts(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t);

/* traffic.c: the data-traffic model, [SU] 3 ------------------------------*/

/* The rows along x that reads of a block touch: those of its points, "y" and
 * "z" rows more across and above, both sides together, and "corners" more
 * where reads differ in both.
 */
struct traffic_rows {
	bool any;
	int64_t y, z, corners;
};

/* The reads and writes of one array by one point of a sweep.  A column is
 * the set of offsets that differ in z only; aligned means x offset 0.  Where a
 * thread computes several points in z, each loads one value of a column, and
 * the first "extra" more; where they lie apart (Bz above 1), what they share
 * is a column.
 */
struct traffic_array {
	int word_bytes;
	int64_t aligned_points, misaligned_points;
	int64_t aligned_columns, misaligned_columns;
	int64_t aligned_extra, misaligned_extra;	/* sum over columns of
							 * z's extent less 1 */
	int64_t halo[3];	/* x, y, z: both sides together */
	struct traffic_rows rows;	/* of all reads */
	struct {
		int64_t reach;		/* words beyond the block */
		struct traffic_rows rows;	/* of the reads beyond it */
	} side[2];		/* before it in x, and after it */
	int64_t stores;		/* per point */
};

struct traffic_kernel {
	int64_t n[3];		/* Nx, Ny, Nz: points, innermost first */
	int64_t sweeps;		/* kernel runs: time steps * statements */
	int n_arrays;
	struct traffic_array array[MODEL_MAX_ARRAYS];
	int64_t registers_per_thread;	/* 0: not known */
	int64_t shared_bytes_per_block;	/* 0: none */
	const struct traffic_kernel *next;	/* runs in turn with this, in
						 * blocks of the same shape */
};

struct traffic_config {
	int64_t block[3];	/* Bx, By, Bz */
	int64_t chunk_z;	/* 1: one point a thread */
};

struct traffic_terms {
	double threads, threads_per_block, blocks;
	double blocks_per_sm, blocks_per_group, groups, occupancy;
	double loads_thread, stores_thread;	/* words, all arrays */
	double net_b, miss_smx, loads_b, stores_b;
	double width_y, height_z, net_g, miss_l2, loads_g, stores_g;
	double v_smx_bytes, v_l2_bytes, v_gm_bytes;
	double smx_s, l2_s, gm_s;	/* a sweep */
	double sweep_s;		/* (2) */
	double adjusted_s;	/* (18) */
	double predicted_s;	/* all sweeps */
	const char *binding;	/* "smx", "l2", "gm" or "launch" */
};

struct traffic_result {
	bool found;
	double feasible, within_10_percent;
	int n_candidates;
	struct traffic_candidate {
		struct traffic_config config;
		double k;	/* blocks of an SM */
		double predicted_s;
	} *candidate;
	struct traffic_terms terms;
	const char *why;
};

double su4_loads_per_thread(double aligned, double misaligned);
double su6_net_block(const struct traffic_array *a,
	const struct traffic_config *c, double line_bytes);
double su8_miss_smx(double blocks_per_sm, double net_bytes,
	double storage_bytes, double delta);
double su17_miss_smx(double su8, double halo, double chunk_z, double warps,
	double warps_per_turn, double eta);
double su13_width_y(double by, double blocks, double bx, double nx,
	double halo);
double su14_height_z(double bz, double blocks, double nx, double ny,
	double bx, double by, double halo);
double su15_miss_l2(double net_bytes, double l2_bytes, double epsilon);
double su18_adjusted_s(double s, double groups, double occupancy);

/* 7PT-1 of the paper, its one stencil whose formulas survive, "n" cubed. */
struct traffic_kernel traffic_7pt1(int64_t n);
struct traffic_terms traffic_predict(const struct machine *m,
	const struct switches *s, const struct traffic_kernel *k,
	const struct traffic_config *c);
/* The best block and chunk; 0 in "forced" (NULL: all 0) is free.  Only
 * chunk_z 1 unless "zblock".  Volumes and times of the kernels that run in
 * turn add up.
 */
struct traffic_result traffic_search(struct region *r,
	const struct machine *m, const struct switches *s,
	const struct traffic_kernel *k, const struct traffic_config *forced,
	bool zblock, int max_candidates);

/* strips.c: register streaming ----------------------------------------------*/

/* What runs all steps: a launch for each "b" of them, or one with a barrier of
 * the whole grid after each "b", which needs all blocks to be resident.
 */
enum launches { LAUNCHES_AUTO, LAUNCHES_DIRECT, LAUNCHES_RESIDENT };

/* A launch of strips.  Index 0 is the dimension that is streamed, 1 that of
 * rows, 2 that of lanes; "stored" is 0 where there is none.
 */
struct strip_shape {
	int64_t n[3], steps;	/* points of the grid, steps of the program */
	int b, v, y;		/* y: 0 where a lane has no rows */
	int warps, warp;	/* of a block, and lanes of one */
	int strips;		/* of a block: its warps, or 1 */
	double stored[3], halo[3];	/* cells of a strip, or of a block */
	double iterations;	/* of a strip */
	double live;		/* part of the steps that warps do not skip */
	double phases;		/* launches of a pass where rows are cut into
				 * hexagons, each of which then loads and
				 * stores row_loads, row_stores of the rows;
				 * else 0 */
	double row_loads, row_stores;
	double load_bytes, store_bytes;	/* a cell and launch, of states */
	double load_sectors, store_sectors;	/* touched for each that would
						 * hold the values */
	double input_bytes;	/* the same of inputs, which caches hold then */
	double input_row_bytes;	/* a cell and step, as they are loaded */
	struct instruction_mix mix;	/* of all statements at a point */
	double shuffles;	/* words of a row of a lane and step */
	double input_loads;	/* the same */
	double shared_moves, shared_accesses;	/* words, and instructions that
						 * move them, of a lane and
						 * step, in and out */
	double loads, stores;	/* instructions a row of a lane, of states */
	double registers;	/* of a thread; 0: to be estimated */
	double kept_words;	/* 32-bit words of values in registers .. */
	double beside_words;	/* .. of these, cells beside a lane's own */
	double passing_words;	/* those of other lanes and warps, one step */
	int states, inputs;	/* fields */
	bool has_boundaries;	/* that stand in for what is read */
	bool has_parts;		/* values that iterations share */
	double shared_bytes;	/* of a block */
	enum launches launches;	/* forced, or LAUNCHES_AUTO */
};

/* What may bind a launch of strips. */
enum strip_bound { BOUND_ISSUE, BOUND_ARITHMETIC, BOUND_SPECIAL,
	BOUND_SHUFFLES, BOUND_BARRIERS, BOUND_L2, BOUND_GM, BOUND_LAUNCH,
	STRIP_BOUNDS };

struct strip_terms {
	double registers, k, blocks, waves, warps_per_sm, efficiency, overlap;
	double instructions, arithmetic, special, moves;	/* a lane and
							 * iteration */
	double instructions_per_update;
	double v_l2_bytes, v_gm_bytes, bytes_per_update;
	double bound_s[STRIP_BOUNDS];	/* of a launch, were there nothing else,
					 * and all SMs always busy */
	double compute_s;	/* of a launch: with latencies, and SMs that
				 * wait for others */
	double pass_s;		/* of a launch, launching aside */
	double direct_s;	/* all steps, with a launch for each pass */
	double resident_s;	/* with one; 0: blocks wait for others to end */
	enum launches launches;	/* which of the two was taken .. */
	double predicted_s;	/* .. and its time; 0: not possible */
	const char *binding;
};


/* A candidate and what it is called. */
struct strip_candidate {
	const char *sizes;
	double predicted_s;
};

double strip_registers(const struct strip_shape *s);
struct strip_terms strip_predict(const struct machine *m,
	const struct strip_shape *s);

/* report.c ---------------------------------------------------------------*/

/* The best tile with its hexagons in one of the dimensions. */
struct hex_dim {
	int dim;
	const char *name;
	bool is_taken;
	const char *sizes;		/* "h=3 w0=7 w1=64", or NULL .. */
	const char *why;		/* .. as there is none */
	double predicted_s;
	double loads_per_point;		/* if these are minimised, else 0 */
};

/* "hexagons in i: h=3 w0=7 w1=64, 1.2 ms, taken", without a line's end */
void hex_dim_print(struct text *t, const struct hex_dim *dim);
/* What was found in each of "n" dimensions; as a member of an object, with a
 * comma before it.  Nothing if "n" is 0.
 */
void hex_dims_text(struct text *t, const struct hex_dim *dim, int n);
void hex_dims_json(struct text *t, const struct hex_dim *dim, int n);
void hex_report_text(struct text *t, const struct hex_query *q,
	const struct hex_result *result);
void hex_report_json(struct text *t, const struct hex_query *q,
	const struct hex_result *result);
void strip_report_text(struct text *t, const struct machine *m,
	const struct switches *s, const struct strip_terms *terms,
	const struct strip_candidate *candidate, int n);
void strip_report_json(struct text *t, const struct machine *m,
	const struct switches *s, const struct strip_terms *terms,
	const struct strip_candidate *candidate, int n);
void traffic_report_text(struct text *t, const char *strategy,
	const struct machine *m, const struct switches *s, int dims,
	const struct traffic_result *result);
void traffic_report_json(struct text *t, const char *strategy,
	const struct machine *m, const struct switches *s, int dims,
	const struct traffic_result *result);

#endif
