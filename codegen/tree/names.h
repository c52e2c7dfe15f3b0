/* Names that do not clash with the user's. */
#ifndef STENCILC_NAMES_H
#define STENCILC_NAMES_H

#include "base/base.h"
#include "ir/ir.h"

/* Boxes of shared memory. */
struct names_of_memory {
	const char *inside[IR_MAX_DIMS];	/* x in the box */
	const char *box;		/* which of the two boxes belongs to the
					 * tile */
	const char *place;		/* of a tile's columns, with static
					 * placement */
	const char *copy;		/* copy of a cell */
	const char *passes;		/* of segments before, see passes_before() */
	const char *moved, *from;	/* cells to move */
};

/* Threads, and a thread's part of a strip, or of copies by vectors. */
struct names_of_lanes {
	const char *width;	/* of tiles, along the last dimension */
	const char *thread[3];		/* in the block, along x, y, z */
	const char *column;		/* c: cell of a lane */
	const char *first_column;	/* of a lane, of a vector */
	const char *row, *first_row;	/* the same, in three dimensions; for
					 * threads that copy vectors */
	const char *line;		/* along the hexagon, of these */
	const char *warp;		/* in its cluster */
	const char *warp_above, *warp_below, *lane_before, *lane_after;
	const char *stores;		/* does the lane store? */
	const char *stored_row, *stored_column;	/* the first that the block
						 * stores, .. */
	const char *row_end, *column_end;	/* .. behind the last one */
	const char *inside, *touches;	/* do all, or some, of the lane's cells lie in the grid? */
	const char *own[IR_MAX_DIMS];	/* the coordinates of a thread's first point */
};

/* Chunks of several phases in one launch. */
struct names_of_waves {
	const char *wave, *number, *phi, *phi_first, *phi_last, *phis;
	const char *chunk, *chunk_first, *chunks, *chunks_wanted, *chunk_tiles;
	const char *hexagons;
};

struct names_of_strips {
	const char *iteration, *turn;	/* n, and its place in the period */
	const char *arrived, *parity;	/* for rows copied in bulk */
	const char *last_version;	/* of a launch, relative to t0 */
	const char *behind;		/* versions before t0 */
	const char *last_iteration;	/* of a strip */
	const char *length, *warps;	/* that are arguments */
	const char *interior;	/* are columns, rows and steps of a strip far
				 * from all edges? */
	const char *begins_inside;	/* are there all planes that it loads
					 * before it stores one? */
	const char *goes_on;		/* do pointers lead to where this period
					 * begins, far from all edges? */
	const char *copied;		/* has what comes next arrived in shared
					 * memory? */
};

struct kernel_names {
	struct region *mem;
	const struct program *prog;
	const char *tt;			/* T of a tile */
	const char *tt_first, *tt_last;	/* first and last T of a resident kernel */
	const char *tile[IR_MAX_DIMS];	/* S0.. of a tile */
	const char *first[IR_MAX_DIMS];	/* first and last S0 of a launch */
	const char *last[IR_MAX_DIMS];
	const char *phase;		/* p of the launch */
	const char *t0;			/* origin of a tile */
	const char *origin[IR_MAX_DIMS];
	const char *step;		/* m: local time step */
	const char *steps;		/* time steps of the program */
	const char *time;		/* t of an instance, normalised */
	const char *point[IR_MAX_DIMS];	/* x of an instance */
	const char *value;		/* of an instance */
	const char *local[IR_MAX_DIMS];	/* s0', s1', ..: loops of a row */
	const char *cell[IR_MAX_DIMS];	/* loops of a copy */
	const char *version[3];		/* copies of versions t-1, t, t+1 */
	struct names_of_memory memory;
	struct names_of_lanes lanes;
	struct names_of_waves waves;
	struct names_of_strips strips;
	struct {
		const char *slab, *number;	/* of kernels that share slabs */
	} slabs;
};

const struct kernel_names *kernel_names_new(struct region *r,
	const struct program *prog);
/* "name", with underscores appended until the program does not use it. */
const char *fresh_name(struct region *r, const struct program *prog,
	const char *fmt, ...) BASE_PRINTF(3, 4);
/* What names of values of the array "name" begin with: "name", or more if a field's name looks
 * like that of such a value, as phi0 does beside phi0_1, phi at step 0, one cell further.
 */
const char *value_stem(struct region *r, const struct program *prog,
	const char *name);
/* The user's name for the number of a point of "list", if nothing else has it; no fresh name
 * equals it.
 */
const char *number_name(struct region *r, const struct program *prog,
	const struct list *list);
/* The copy that holds version t + "version" of "field", version <= 1. */
const char *version_name(struct region *r, const struct program *prog,
	const struct field *field, int version);
const char *shared_name(struct region *r, const struct program *prog,
	const struct field *field);

#endif
