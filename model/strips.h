/* Register streaming. */
#ifndef STENCILC_MODEL_STRIPS_H
#define STENCILC_MODEL_STRIPS_H

#include "model/citer.h"
#include "model/machine.h"

/* How all steps run: by a launch for each "b" of them, or by one with a barrier
 * of the whole grid after each "b", which needs all blocks to be resident.
 */
enum launches { LAUNCHES_AUTO, LAUNCHES_DIRECT, LAUNCHES_RESIDENT };

/* A launch of strips.  Index 0 is the streamed dimension, 1 the one of rows, 2
 * the one of lanes; "stored" is 0 where there is none.
 */
struct strip_shape {
	int64_t n[3], steps;	/* points of the grid, steps of the program */
	int b, v, y;		/* y: 0 where a lane has no rows */
	int p;			/* iterations between load and use */
	int warps, warp;	/* of a block, and lanes of one */
	int strips;		/* of a block: its warps, or 1 */
	double stored[3], halo[3];	/* cells of a strip, of a block, or of a
					 * cluster */
	double rim[3][2];	/* of the halo, low and high: what the first and
				 * the last strip of a dimension store, too */
	struct {		/* iterations: */
		double iterations;	/* of a strip .. */
		double longer;	/* .. and those that the first one along
				 * dimension 0 has besides; 0: none */
		double idle;	/* of others: so many times all steps are left
				 * out before the first plane is stored */
		int turn;	/* of a turn of the loop */
		bool begins_late;	/* some are left out so */
	} walk;
	struct strip_edges {	/* slower iterations, where rows and cells may
				 * not exist: */
		int margin[3];	/* cells at an end of the grid that others
				 * neither compute nor load */
		double before[3];	/* of the halo */
		double first, last;	/* iterations near the ends of dimension
					 * 0 */
		double statements;	/* of a step */
		bool one_grid;	/* of all states */
		bool has_sides;	/* and at sides, in dimensions 1 and 2, where
				 * they differ from those at ends, in 0 and in
				 * time */
	} edges;
	struct {		/* for a cell and launch, of states: */
		double load_bytes, store_bytes;
		double load_sectors, store_sectors;	/* sectors touched for each
							 * one that would hold the
							 * values */
		double beyond;		/* rows ahead that nobody takes */
		double input_bytes;	/* of inputs, which then lie in caches */
		double input_row_bytes;	/* for a cell and step, when loaded */
	} traffic;
	struct {		/* for a lane and step: */
		struct instruction_mix mix;	/* of all statements at a point */
		double shuffles;	/* words of a row */
		double shuffles_beside;	/* words of rows of other warps */
		double input_loads;	/* the same */
		double shared_moves, shared_accesses;	/* words, and
							 * instructions that move
							 * them, in and out */
		double loads, stores;	/* instructions a row, of states */
		int cluster;	/* blocks that move these to each other; 0 or 1:
				 * each has its own */
	} work;
	struct {		/* in a thread: */
		double registers;	/* 0: estimate it */
		double words;	/* 32-bit words of values in registers .. */
		double beside_words;	/* .. of these, cells beside its own */
		double passing_words;	/* values of other lanes and warps, in
					 * one step */
		bool addresses;	/* of copies to shared memory */
		bool pointers;	/* to rows, from period to period */
		bool conditions;	/* of cells far from edges, too */
	} kept;
	int states, inputs;	/* fields */
	bool has_input_rows;	/* inputs of all dimensions, loaded when used */
	bool has_boundaries;	/* boundaries that stand in for reads */
	bool has_parts;		/* values shared by iterations */
	double shared_bytes;	/* of a block */
	enum launches launches;	/* forced, or LAUNCHES_AUTO */
};

/* Possible bottlenecks of a launch of strips. */
enum strip_bound { BOUND_ISSUE, BOUND_ARITHMETIC, BOUND_SPECIAL,
	BOUND_SHUFFLES, BOUND_BARRIERS, BOUND_L2, BOUND_GM, BOUND_LAUNCH,
	STRIP_BOUNDS };

struct strip_terms {
	double registers, k, blocks, waves, warps_per_sm, efficiency, overlap;
	double instructions, arithmetic, special, moves;	/* for a lane and
							 * iteration */
	double instructions_per_update;
	struct {
		double share, guards;	/* of iterations near an end, and the
					 * extra instructions of each */
		double side_share, side_guards;	/* of those at a side only */
	} edges;
	double v_l2_bytes, v_gm_bytes, bytes_per_update;
	double bound_s[STRIP_BOUNDS];	/* of a launch, with all SMs always busy
					 * and nothing else to do */
	double compute_s;	/* of a launch: with latencies, and with SMs
				 * that wait for others */
	double pass_s;		/* of a launch, without launching */
	double direct_s;	/* all steps, with a launch for each pass */
	double resident_s;	/* with one; 0: impossible, as blocks would wait
				 * for others to end */
	enum launches launches;	/* the chosen one of the two .. */
	double predicted_s;	/* .. and its time; 0: impossible */
	const char *binding;
};

/* How rows get to registers. */
struct strip_copies {
	bool ahead;		/* by copies to shared memory */
	double other_s;		/* the predicted time of the best sizes with the
				 * other way; 0: not tried */
};

/* A candidate and its name. */
struct strip_candidate {
	const char *sizes;
	double predicted_s;
};

/* strips_launch.c: Blocks of a launch, iterations of one, on average, and times of a strip far from
 * all edges until all are done.  Blocks at sides, which take longer, start first: a place on an SM
 * takes so many of them, or one more, and then others until none is left.
 */
double strip_blocks(const struct strip_shape *s);
/* Strips along dimension "d": whole ones. */
double strips_along(const struct strip_shape *s, int d);
double strip_iterations(const struct strip_shape *s);
/* Blocks that the SMs hold, "k" on each. */
double strip_places(const struct machine *m, const struct strip_shape *s,
	double k);
double strip_turns(const struct machine *m, const struct strip_shape *s,
	const struct strip_terms *t);
/* Where strip "i" begins along dimension 0, and how many positions one stores, on average. */
double strip_start(const struct strip_shape *s, int i);
double strip_average(const struct strip_shape *s);

double strip_registers(const struct strip_shape *s);
/* The share of iterations, over all launches, at an edge of the grid or in a
 * launch of fewer steps.
 */
double strip_guarded_share(const struct strip_shape *s);
/* Extra instructions of a lane in such an iteration. */
double strip_guards(const struct strip_shape *s);
/* The same for those at a side of the grid, if there is a difference. */
double strip_side_share(const struct strip_shape *s);
double strip_side_guards(const struct strip_shape *s);
struct strip_terms strip_predict(const struct machine *m,
	const struct strip_shape *s);
/* The same in part, with the least that any length of strips takes: SMs that are always full, and compute no
 * row twice.  Given the longest strips.
 */
struct strip_terms strip_least(const struct machine *m,
	const struct strip_shape *longest);

#endif
