/* Launches that hold tiles of several phases: waves, and wavefronts. */
#ifndef STENCILC_MODEL_WAVES_H
#define STENCILC_MODEL_WAVES_H

#include "base/base.h"

/* waves.c: chunks of several phases in a launch ----------------------------*/

struct wave_grid {
	double hexagons;	/* of a phase */
	double phases;
	double tiles;		/* of the dimension that is cut into chunks */
	double least_chunk;	/* least number of tiles in a chunk */
	double enough;		/* wanted blocks of a launch */
	bool is_reused;		/* tiles take values from the one before in this
				 * dimension: avoid too many chunks */
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
/* The number of wavefronts with at least "tiles"; it may be off by one where
 * the grid is full of tiles.
 */
int64_t wavefronts_with(const struct wavefronts *w, int64_t tiles);

#endif
