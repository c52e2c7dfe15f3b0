/* Register streaming. */
#ifndef STENCILC_MODEL_STRIPS_H
#define STENCILC_MODEL_STRIPS_H

#include "model/citer.h"
#include "model/machine.h"

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
	int p;			/* iterations that loads are ahead of use */
	int warps, warp;	/* of a block, and lanes of one */
	int strips;		/* of a block: its warps, or 1 */
	double stored[3], halo[3];	/* cells of a strip, or of a block */
	double iterations;	/* of a strip, and of a turn of its loop */
	int turn;
	struct strip_edges {	/* iterations where rows and cells may not exist
				 * are slower: */
		int margin[3];	/* cells at an end of the grid that others
				 * neither compute nor load */
		double before[3];	/* of the halo */
		double first, last;	/* iterations that are near the ends of
					 * dimension 0 */
		double statements;	/* of a step */
		bool has_sides;	/* and other ones at sides, in dimensions 1 and
				 * 2, than at ends, in 0 and in time */
	} edges;
	struct {		/* a cell and launch, of states: */
		double load_bytes, store_bytes;
		double load_sectors, store_sectors;	/* touched for each that
							 * would hold the
							 * values */
		double beyond;		/* rows ahead that nobody takes */
		double input_bytes;	/* of inputs, which caches hold then */
		double input_row_bytes;	/* a cell and step, as they are loaded */
	} traffic;
	struct {		/* what a lane executes, a step: */
		struct instruction_mix mix;	/* of all statements at a point */
		double shuffles;	/* words of a row */
		double input_loads;	/* the same */
		double shared_moves, shared_accesses;	/* words, and
							 * instructions that move
							 * them, in and out */
		double loads, stores;	/* instructions a row, of states */
	} work;
	struct {		/* what a thread keeps: */
		double registers;	/* 0: to be estimated */
		double words;	/* 32-bit words of values in registers .. */
		double beside_words;	/* .. of these, cells beside its own */
		double passing_words;	/* those of other lanes and warps, one
					 * step */
		bool addresses;	/* of copies to shared memory */
	} kept;
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
	struct {
		double share, guards;	/* of iterations that are near an end,
					 * and what each executes more */
		double side_share, side_guards;	/* of those at a side alone */
	} edges;
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

/* The way in which rows come to registers. */
struct strip_copies {
	bool ahead;		/* by copies to shared memory */
	double other_s;		/* what the best sizes of the other way are predicted to
				 * take; 0: it was not tried */
};

/* A candidate and what it is called. */
struct strip_candidate {
	const char *sizes;
	double predicted_s;
};

double strip_registers(const struct strip_shape *s);
/* The share of the iterations of all launches that are at an edge of the grid,
 * or in a launch of fewer steps.
 */
double strip_guarded_share(const struct strip_shape *s);
/* Instructions of a lane that such an iteration has more than others. */
double strip_guards(const struct strip_shape *s);
/* The same of those at a side of the grid, where there is a difference. */
double strip_side_share(const struct strip_shape *s);
double strip_side_guards(const struct strip_shape *s);
struct strip_terms strip_predict(const struct machine *m,
	const struct strip_shape *s);

#endif
