/* The shape of a hybrid tile, [CGO] 3 and 4.
 *
 * Dimension 0 is tiled hexagonally, the others classically.  Time is the
 * schedule's: with k statements, statement i of step t is row k*t + i, and row
 * a of a tile (0 <= a <= 2h+1) belongs to statement a mod k.
 */
#ifndef STENCILC_MODEL_HEXAGON_H
#define STENCILC_MODEL_HEXAGON_H

#include "base/base.h"

enum {
	MODEL_MAX_DIMS = 8,
	MODEL_MAX_STATEMENTS = 64,
	MODEL_MAX_ARRAYS = 64,
	MODEL_MAX_READS = 512,
	MODEL_COLUMN_THREADS = 256,
	MODEL_MAX_H = 4096,	/* taller hexagons are never considered */
};

struct rational {
	int64_t num, den;	/* den > 0; magnitudes below 2^20 */
};

/* The values of "array" that an instance of "statement" reads: at distances
 * "lo" to "hi" (a box hull), written "age" rows earlier.
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
	bool is_skewed;		/* skewed rectangles instead of hexagons, h time
				 * steps of w0 points; see skew.c */
	struct rational delta0;	/* max ds0/dt over the dependences, >= 0 */
	struct rational delta1[MODEL_MAX_DIMS];	/* max -dsi/dt, >= 0 */
	int n_arrays;
	struct hex_array array[MODEL_MAX_ARRAYS];
	int n_reads;
	struct hex_read *read;
	int inner_multiple;	/* boxes have the same columns in the last
				 * dimension, a multiple of this; 0: each box
				 * has its own */
};

struct hex_tile {
	int64_t h;
	int64_t w[MODEL_MAX_DIMS];	/* w[0]: the hexagon's top less 1,
					 * or a row of a skewed rectangle */
};

/* How a tile gets its values: [CGO] 3.7, 4.2. */
enum hex_loads {
	HEX_LOADS_EXACT,	/* read but not computed in the tile */
	HEX_LOADS_EXACT_REUSE,	/* nor in the tile before it */
	HEX_LOADS_BOX,		/* the whole rectangle of shared memory */
	HEX_LOADS_BOX_REUSE,	/* without what the tile before it holds */
};

/* What a tile writes to global memory. */
enum hex_stores {
	HEX_STORES_LIVE,	/* what another block's tile may read */
	HEX_STORES_ALL,		/* each value once computed */
};

/* The part of a tile's shape that depends on h alone; the sizes w enter as
 * ranges "from .. w + to".
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

struct hex_kept {		/* values of one row that only the tile uses */
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
	int64_t widest;		/* the widest row's cells, less w[0] */
	struct {		/* by statement: */
		int rows;
		int64_t cells;	/* of all rows, less w[0] each */
	} of[MODEL_MAX_STATEMENTS];
	int n_planes;
	struct hex_plane *plane;
	int n_kept;		/* one per row and array written */
	struct hex_kept *kept;
	bool used[MODEL_MAX_ARRAYS];	/* read or written by a row */
	bool loaded[MODEL_MAX_ARRAYS];	/* read by a row */
	struct hex_range box[MODEL_MAX_ARRAYS][MODEL_MAX_DIMS];
};

/* Add "read" to "s"; one of the same kind grows its hull. */
void hex_add_read(struct hex_shape *s, const struct hex_read *read);
/* NULL, or why "s" is no shape. */
const char *hex_verify(const struct hex_shape *s);
/* The radius-1 shape of the paper's benchmarks: one array of "word_bytes" in
 * two buffers, all slopes 1, reads -1 .. 1 everywhere.
 */
struct hex_shape hex_radius_1(struct region *r, int dims, int word_bytes);
/* Do the printed formulas of [PP] apply (hex_radius_1, any word)? */
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
/* Profiles made by searches, in "r", for reuse: tile by tile, the candidates
 * have few heights.
 */
struct hex_profiles *hex_profiles_new(struct region *r);
/* hex_profile_new(), once for each shape and height. */
const struct hex_profile *hex_profile_of(struct hex_profiles *made,
	const struct hex_shape *s, int64_t h);
/* The points in the narrowest row of the hexagon, or skewed rectangle, of "t". */
int64_t hex_narrowest_row(const struct hex_shape *s, const struct hex_tile *t);
/* Threads that compute whole columns of the hexagon: one along it, and along
 * the other dimensions of "t" the greatest divisors of their widths that leave
 * a block "MODEL_COLUMN_THREADS" threads.  In one dimension, as many warps as
 * the points of its narrowest row fill, each thread with every so many points.
 * Innermost first; values above 0 in "forced" stay.
 */
void hex_column_threads(const struct hex_tile *t, int dims, int64_t narrowest,
	const int64_t forced[3], int64_t threads[3]);
/* The threads of a block for rows that are loops over "extent" points in "dims"
 * dimensions: 256, with at most 128 along the innermost, in whole warps.
 * Innermost first; values above 0 in "forced" stay.
 */
void model_loop_threads(int dims, const int64_t extent[],
	const int64_t forced[3], int64_t threads[3]);
double hex_row_points(const struct hex_profile *p, const struct hex_tile *t,
	int a);
static inline int64_t hex_row_length(const struct hex_profile *p,
	const struct hex_tile *t, int a)
{
	const struct hex_range r = p->row[a].dim[0];

	return larger(t->w[0] + r.to - r.from + 1, 0);
}
int64_t hex_widest_row(const struct hex_profile *p, const struct hex_tile *t);
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

#endif
