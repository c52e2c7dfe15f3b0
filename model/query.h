/* The sizes of hexagonal tiles: the optimisation problem (31) of [PP], and 3.7 of
 * [CGO].
 */
#ifndef STENCILC_MODEL_QUERY_H
#define STENCILC_MODEL_QUERY_H

#include "model/time.h"

struct hex_query {
	const struct machine *machine;
	const struct switches *switches;
	const struct hex_shape *shape;
	int64_t steps;		/* T, time steps */
	int64_t size[MODEL_MAX_DIMS];	/* points computed */
	struct {		/* for a point, by statement: */
		double citer_s[MODEL_MAX_STATEMENTS];
		double citer_row_s[MODEL_MAX_STATEMENTS];	/* where each lane has a
								 * row of the hexagon: what
								 * its points share */
		double loop_citer_s[MODEL_MAX_STATEMENTS];	/* where rows are loops
								 * though other tiles' are
								 * not */
		double moves_s[MODEL_MAX_STATEMENTS];	/* contained in citer_s and
							 * citer_row_s .. */
		double moves_row_s[MODEL_MAX_STATEMENTS];	/* .. loads and
								 * stores */
		bool waits[MODEL_MAX_STATEMENTS];	/* for inputs, from global memory */
		double input_bytes;	/* of all inputs, a cell of the grid */
		bool is_estimated;	/* citer_s */
		bool counts_copies;	/* their instructions, too */
	} work;
	bool across;		/* the hexagons' dimension is the grid's last:
				 * lanes lie across its rows, a row each */
	bool no_transfers;	/* compute tiles, but do not copy */
	enum hex_loads loads;
	enum hex_stores stores;
	bool shared;		/* tiles live in shared memory */
	bool waves;		/* launches hold chunks of several phases */
	bool async;		/* two boxes: transfers overlap with computation */
	bool starts;		/* tiles at sides start to copy all their cells, and wait once */
	int64_t registers_per_thread;	/* 0: unknown, no limit */
	struct {		/* given by the user; */
		int64_t h, w[MODEL_MAX_DIMS];	/* or -1 */
		int64_t threads[3];	/* innermost first, or 0 */
	} forced;
	double column_points;	/* 0, or: a thread computes whole columns of the
				 * hexagon, at most so many points a tile, and
				 * the other widths are multiples of their
				 * threads */
	bool takes_loops;	/* rows of tiles without such columns are loops;
				 * else these tiles are left out */
	double shared_limit_bytes;	/* per block; 0: the machine's */
	int max_candidates;	/* candidates to keep, at least 1 */
	double within;		/* candidates take at most this factor of the
				 * best time; at least 1.1 */
	struct hex_profiles *profiles;	/* from other searches for this shape,
					 * or NULL */
};

struct hex_candidate {
	struct hex_tile tile;
	int64_t threads[3];	/* innermost dimension first */
	int64_t k;
	double predicted_s;
	double shared_bytes;
	double loads_per_point;
	bool loops;		/* its rows are loops, though those of others
				 * are columns of threads */
};

/* Why the threads of a tile have no columns, where others' have. */
enum hex_columnless {
	HEX_MANY_POINTS,	/* a thread would have more than column_points */
	HEX_OTHER_THREADS,	/* forced ones are several along the hexagon, or
				 * do not divide a width */
	HEX_COLUMNLESS
};

struct hex_dim;

struct hex_result {
	bool found;
	bool by_loads;		/* minimise loads a point instead of time */
	double feasible;	/* points in the search space */
	double columnless[HEX_COLUMNLESS];	/* feasible tiles without
						 * columns, which become loops
						 * if the query allows it, or
						 * are left out */
	double within_10_percent;
	int n_candidates;	/* best first; [0] is the choice */
	struct hex_candidate *candidate;
	struct time_terms terms;	/* of the choice */
	double other_s;		/* the least time with the other kind of copies,
				 * asynchronous or not; 0: unknown */
	const char *constraint;	/* the limit that stops the choice */
	const char *why;	/* nothing found: the limit that leaves nothing */
	int n_dims;		/* dimensions in which hexagons are possible */
	const struct hex_dim *dim;
};

/* A query for "shape" on "m" with nothing forced and the generated code's
 * defaults.
 */
struct hex_query hex_query_of(const struct machine *m,
	const struct switches *s, const struct hex_shape *shape);
/* The same for rows as loops. */
struct hex_query hex_query_of_loops(const struct hex_query *q);
/* (31): minimise the predicted time.  Candidates in "r". */
struct hex_result hex_search(struct region *r, const struct hex_query *q);
/* [CGO] 3.7: the fewest loads a point within the shared-memory limit. */
struct hex_result hex_select(struct region *r, const struct hex_query *q);
/* Counts and terms of one tile, feasible or not; h + 1 a multiple of k. */
struct tile_counts hex_counts(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t);

#endif
