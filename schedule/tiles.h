/* The shape of the tiles of a plan. */
#ifndef STENCILC_SCHEDULE_TILES_H
#define STENCILC_SCHEDULE_TILES_H

#include "schedule/hexagon.h"
#include "schedule/scop/scop.h"

/* Points that the first tile of a dimension has before its origin, and the last one behind its
 * pitch: a tile reads so many around its own.
 */
struct rim {
	int low, high;
	int cells;		/* multiples of a lane's cells along it */
};

/* The shape of the rows of tiles. */
struct tile_shape {
	int hex_dim;		/* the hexagonal dimension, or -1 */
	bool diagonal;		/* T - S[hex_dim] counts time, not T */
	struct hexagon hexagon;
	int width[IR_MAX_DIMS];	/* for the classical dimensions */
	struct {
		int least, step;	/* the pitch is an argument of kernels:
				 * least, least + step, ..; 0: it is not */
	} given[IR_MAX_DIMS];
	int longer[IR_MAX_DIMS];	/* so much longer is the first tile */
	struct rim rim[IR_MAX_DIMS];	/* or both 0: first and last tiles are
					 * as others */
	struct {
		int least;	/* the warps of a block are an argument of
				 * kernels: from so many to those of the plan;
				 * 0: they are not */
		int axis, lanes;	/* threads[axis] = lanes * warps, .. */
		int dim, each, less;	/* .. pitch[dim] = each * warps - less */
		int64_t shared_bytes;	/* of a block, however many it has */
	} warps;
	int cluster[IR_MAX_DIMS];	/* so many blocks side by side take a tile
					 * together; 0: one does */
	struct rational skew[IR_MAX_DIMS];	/* delta1_i, or 0 */
	struct {
		const struct expr *size;	/* of a dimension that goes
						 * around; or NULL */
		struct rational lead;	/* for a classical one: how far a row
					 * begins behind the one before it */
	} around[IR_MAX_DIMS];
	bool straight;		/* rows of full tiles are straight code */
	bool rolled;		/* .. as loops that the compiler unrolls */
	bool reduces;		/* reductions that somebody sees are computed
				 * as a tile comes to a step where they are due */
	struct {
		int dim;	/* dimension cut into chunks; -1: no waves */
		int least_chunk;	/* tiles of a chunk, at least */
		int enough_blocks;	/* enough to keep the machine busy */
	} waves;
	const struct tile_choice *choice;	/* sizes are arguments; their
						 * values for a problem; or NULL */
	const struct tile_widths *widths;	/* so is the last width of
						 * kernels; or NULL */
	const struct tile_variants *variants;	/* there are further sizes;
						 * NULL: none */
};

/* Tiles without a hexagon and without waves. */
static inline struct tile_shape tiles_upright(void)
{
	return (struct tile_shape) { .hex_dim = -1, .waves.dim = -1 };
}

#endif
