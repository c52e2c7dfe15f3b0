/* The time model, [PP] 4. */
#ifndef STENCILC_MODEL_TIME_H
#define STENCILC_MODEL_TIME_H

#include "model/hexagon.h"
#include "model/machine.h"
#include "model/switches.h"
#include "model/waves.h"

/* Little's law: the result of an instruction arrives 4 or more clocks later; to
 * be busy meanwhile, a lane has so many points under way.
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
	double ready;		/* points that a block computes at a time
				 * without waiting; 0: enough */
	double side_s;		/* a tile at a side of the grid, whose threads wait for each copy
				 * and each point; 0: none differs */
	double wait_s;		/* of its threads for inputs, row by row */
	double row_s;		/* a row's instructions, beside its points, where blocks hide each
				 * other's barriers; 0: they do not */
	bool is_serial;		/* a block does not compute while it copies */
	bool no_transfers;	/* no copies, except for a barrier */
	struct wavefronts wavefronts;	/* of skewed rectangles */
	double launches;	/* in waves; 0: N_w of (3) */
	double row_tiles;	/* tiles in a row along the last dimension */
	double restart_bytes;	/* loaded by the first of these only, divided
				 * among them; 0 without waves */
};

double pp3_wavefronts(double steps, double rows, int wavefronts);
double pp4_tile_width(double ts1, double tt);			/* (21) too */
double pp5_tiles_per_phase(double s1, double ts1, double tt);
double pp22_tiles_per_phase(double s1, double ts1, double tt);
double exact_tiles_per_phase(double s1, double pitch);		/* PP-E1 */
/* (7), (18), (24): words; "ts" are the other tile sizes, "n" of them. */
double pp7_words(double ts1, double tt, int n, const double ts[]);
/* M_tile in words: 4.1.1 in 1D, (19) in 2D, by analogy beyond. */
double pp19_shared_words(double ts1, double tt, int n, const double ts[]);
double pp16_tiles_per_prism(double s, double tt, double ts);
double pp23_tiles_per_slab(int n, const double s[], double tt,
	const double ts[], int subslabs);
double pp26_tile_points(double ts1, double tt, int n, const double ts[]);
/* (8), (14), (25): "bytes" in both directions, L in s/byte. */
double pp8_transfer_s(double bytes, double l_s_per_byte, double sync_s);
/* (9), (15), (27) for slopes 1. */
double pp9_compute_s(double ts1, double tt, int n, const double ts[],
	double lanes, double citer_s, double sync_s);
/* The same for any rows, without barriers: tile_counts.compute_s. */
double pp9_rows_s(int rows, const double points[], const double citer_s[],
	double lanes);
double pp10_tile_s(double transfer_s, double compute_s);
double pp12_tiles_s(double transfer_s, double compute_s, double k);
/* (10), (12), (16), (28), (29) and PP-E2: k prisms of n tiles on an SM. */
double pp16_prism_s(double transfer_s, double compute_s, double k, double n,
	int dims, int overlap);
double pp6_total_s(double wavefronts, double prism_s, double rounds,
	double launch_s);
/* A loop of so many instructions, larger than the instruction cache, takes so many times as long,
 * as it waits for instructions: at most 1.8 times.
 */
double fetch_slowdown(double instructions);
/* The time of computing and transfers together.  The blocks of a launch begin at the same time,
 * all load, and compute once everything has arrived: the times nearly add up.  "by" is
 * BESIDE_LOADS (fitted to 109 strips and the columns of 50 programs on an H200), of strips a little more.
 * With copies to shared memory they add up less, joined warps of floats excepted, and in rows of doubles
 * least; but not in one block alone on an SM.  Where planes take longer to move than to compute, some are
 * always on their way.  All these are fitted to 52 strips, timed on an H200.
 */
#define BESIDE_LOADS 1.15
#define BESIDE_ROWS 1.2
#define BESIDE_ROWS_WIDE 1.7
#define BESIDE_COPIES 2.1
#define BESIDE_COPIES_JOINED 1.4
#define BESIDE_COPIES_WIDE 2.2
#define BESIDE_COPIES_JOINED_WIDE 2.0
#define BESIDE_COPIES_ALONE 1.25
#define BESIDE_PLANES 1.8
#define BESIDE_PLANES_WIDE 1.7
#define BESIDE_PLANES_MOVED 2.0
double beside_transfers_s(double compute_s, double transfer_s, double by);
double pp2_rounds(double tiles_per_phase, double k, double sm_count);

/* The terms of a prediction. */
struct time_terms {
	double tiles;		/* over all wavefronts; 0: for hexagons */
	double n_w, w, w_tile, pitch, tiles_per_prism, rounds;
	double m_i_words, m_o_words, m_tile_bytes;
	double l_s_per_byte, m_prime_s, c_s, prism_s;
	double side_s;		/* of tile_counts */
	double citer_s;		/* mean over the rows */
	double utilisation;	/* of the SMs, by tiles */
	double threads_c_s;	/* c with the threads chosen */
	double launch_total_s;
	double k;
	const char *k_limit;	/* what limits k */
	double predicted_s;
	const char *binding;	/* "compute", "memory", "barriers",
				 * "parallelism", "launch" */
};

/* (2)-(30) for "c", "k" blocks sharing an SM. */
struct time_terms time_predict(const struct machine *m,
	const struct switches *s, int dims, const struct tile_counts *c,
	double k);

#endif
