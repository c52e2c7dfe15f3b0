/* Strategies: how others use them, and what they predict. */
#ifndef STENCILC_SCHEDULE_STRATEGY_H
#define STENCILC_SCHEDULE_STRATEGY_H

#include "schedule/plan.h"

/* predict.c: what the models are asked -----------------------------------*/

/* A size for predictions, from --problem. */
struct problem_size {
	const char *name;
	int64_t value;
};

/* How to look for a variant of a stencil graph. */
enum variant_search { VARIANTS_AUTO, VARIANTS_EXHAUSTIVE, VARIANTS_DP };

/* The target of predictions, and how to make them. */
struct outlook {
	const struct machine *machine;
	struct switches switches;
	bool by_loads;		/* choose hexagons by 3.7 of [CGO], not by time */
	int max_candidates;
	double within;		/* within this factor of the best time */
	int orders;		/* stage orders of a graph to try, INT_MAX: all,
				 * 0: some */
	enum variant_search search;
	int64_t registers_per_thread;	/* 0: not known */
	int64_t shared_bytes_per_block;	/* of sweeps; 0: none, or not known */
	int64_t steps;		/* of time, at least 1; of a segment */
	int64_t all_steps;	/* of all segments */
	int64_t (*size)[IR_MAX_DIMS];	/* points of a statement, at least 1 */
	int64_t hull[IR_MAX_DIMS];	/* the most over the statements */
	int64_t grid[IR_MAX_DIMS];	/* the most of the fields written */
	int64_t spread;		/* one of so many cells of a row is in a wave of sweeps; else 1 */
	double wave_part;	/* of all points in a step; 1 without waves */
	const char *problem;	/* "T=512,N=3072": the problem of the sizes */
};

/* The recommended model; machine and problem are still open. */
struct outlook outlook_default(void);
/* Fill in the problem of "o": parameters are fixed, or in "sizes", or get
 * representative values.  False after a diagnostic.
 */
bool outlook_set_problem(struct outlook *o, struct diags *d,
	const struct scop *scop, const struct problem_size *sizes, int n);
/* The value of a parameter in that problem, if it is not fixed. */
int64_t problem_value(const struct scop *scop, const struct param *param,
	const struct problem_size *sizes, int n);
/* The expression "e" of parameters in that problem. */
int64_t problem_number(const struct scop *scop, const struct expr *e,
	const struct problem_size *sizes, int n);
/* segments.c: the segments of all steps in that problem, and the reductions. */
struct segment_terms {
	int64_t most;		/* steps of a segment */
	int64_t segments;	/* of all steps */
	double pass_bytes;	/* read by the reductions behind each, .. */
	double end_bytes;	/* .. and in addition by those behind the last
				 * one */
	double pass_s, end_s;	/* at the speed of memory */
};
/* Can tiles compute what is reduced as they come to a step where it is due, so that no
 * segment ends there?
 */
bool segments_suit_tiles(const struct scop *scop);
struct segment_terms predict_segments(const struct scop *scop,
	const struct machine *machine, const struct problem_size *sizes, int n);
/* The instructions for a point of "s", for Citer. */
struct instruction_mix stmt_mix(const struct program *prog,
	const struct stmt *s);
/* For "e" alone, without its operands. */
struct instruction_mix expr_mix(const struct program *prog,
	const struct expr *e);

/* Options that some strategies support and others do not. */
enum tile_option {
	OPTION_STEPS, OPTION_SHARED, OPTION_SEPARATE, OPTION_COPY_OUT,
	OPTION_ALIGN_LOADS, OPTION_REUSE, OPTION_UNROLL, OPTION_ASYNC,
	OPTION_MAPPING, OPTION_LAUNCH, OPTION_HEX_DIM, OPTION_COMPUTE_ONLY,
	OPTION_MODEL, TILE_OPTIONS,
};

/* A request without a hexagonal dimension: it says nothing, or leaves the
 * choice to the model.
 */
enum hex_dim_choice { HEX_DIM_OPEN = -1, HEX_DIM_AUTO = -2 };

/* Sizes as the user gave them, -1 where not given; a complete request has all
 * that the strategy needs for the program.
 */
struct tile_request {
	int h, w[IR_MAX_DIMS], bx, by, bz, chunk_z;
	int sweep;		/* planes of a swept kernel of fuse; -1: as many
				 * as its block has */
	int slab;		/* of kernels of fuse that run slab by slab, if
				 * any */
	struct {		/* of strips */
		int b, v, y, l, p, k;
		int f;		/* 0: l */
		int c;		/* -1: 1 */
	};
	int rows;		/* of a block of a sweep, for C */
	int threads[3];
	int warp;		/* threads of a warp, where code shuffles */
	int hex_dim;		/* or one of enum hex_dim_choice */
	int64_t shared_bytes;	/* limit per block */
	bool for_cpu;		/* of strategies for C, not for CUDA */
	const char *variant;	/* of the stencil graph: "[[a,b],[c]]" */
	struct optimizations opt;
	enum launches launches;	/* of strips */
	bool async_open;	/* the model decides on opt.async */
};

/* A point in a strategy's space of sizes. */
struct sized {
	struct tile_request request;	/* complete */
	double predicted_s;
	double loads_per_point;	/* if loads are minimised, else 0 */
	int64_t k;		/* blocks of an SM */
	double tile_bytes;	/* that C code keeps of a tile in a cache */
};

struct prediction {
	const struct strategy *strategy;
	const struct outlook *outlook;	/* the strategy it is for */
	const char *why;	/* no candidate exists */
	int n_candidates;	/* best first; [0] is the choice */
	struct sized *candidate;
	const char *sizes;	/* of the choice: "h=3 w0=7 w1=64" */
	const char *binding;	/* what its time consists of */
	const char *remark;	/* another decision, and its reason, or NULL */
	double doubt;		/* the strategy's data for the program */
	int n_dims;		/* number of dimensions in which hexagons were
				 * tried; one was taken */
	struct hex_dim *dim;	/* in order */
	int n_others;		/* the best of those not taken, the fastest
				 * first */
	struct sized *other;
	/* To "t" or, if "j" is not NULL, as members of the object open there. */
	void (*report)(const struct prediction *p, struct text *t,
		struct json *j);
	const void *detail;	/* what "report" prints */
};

/* A set of options. */
#define WITH(option) (1u << OPTION_##option)

/* Kinds of sizes, see sizes.def; threads are those of --threads. */
enum size_kind {
	SIZES_HEXAGONS = 1, SIZES_BLOCKS = 2, SIZES_COLUMNS = 4,
	SIZES_GROUPS = 8, SIZES_STRIPS = 16, SIZES_THREADS = 32,
	SIZES_ROWS = 64, SIZES_CLUSTERS = 128,
};

/* The same for all programs. */
#define DOUBT(part) { (part), (part), (part), (part) }

struct strategy {
	const char *name;
	bool by_name;		/* for comparison: only its name selects it */
	bool narrows;		/* for a rank's block, its code computes only
				 * what the steps before the next exchange need */
	/* What its model may omit, as a part of the predicted time, when strategies compete:
	 * for programs without a time loop, and with one of one, two, and more dimensions.
	 */
	double doubt[4];
	unsigned options;	/* those that it supports .. */
	unsigned always;	/* .. and those that ask for what it does anyway */
	unsigned sizes;		/* that it has, of enum size_kind */
	/* NULL, or why the strategy cannot serve the program. */
	const char *(*applies)(const struct scop *scop);
	/* Does it support the variants in "request"?  False after a diagnostic;
	 * NULL if the strategy has none.
	 */
	bool (*accepts)(struct diags *d, const struct scop *scop,
		const struct tile_request *request,
		const struct outlook *outlook);
	/* The best values for sizes that "request" leaves open, and their time:
	 * each candidate has all sizes.
	 */
	void (*predict)(struct region *mem, const struct scop *scop,
		const struct tile_request *request,
		const struct outlook *outlook, struct prediction *prediction);
	/* Fill in the sizes that "request" leaves open; given sizes stay, even
	 * if the model has no candidate with them.  False after a diagnostic;
	 * NULL if the strategy has no sizes.
	 */
	bool (*complete)(struct diags *d, const struct scop *scop,
		const struct outlook *outlook, struct tile_request *request);
	/* The plans, launched in this order in each iteration of the host loop,
	 * for a complete request within the limits of "machine".  NULL after a
	 * diagnostic.
	 */
	struct plan *(*plan)(struct diags *d, const struct strategy *strategy,
		const struct scop *scop, const struct machine *machine,
		const struct tile_request *request, int *n_plans);
	/* Where tile sizes may be arguments: the "n"-th request, from 0 on,
	 * among those whose plans stand for all sizes that can be chosen for
	 * "plan"; false if there are no more.
	 */
	bool (*choice)(const struct plan *plan, int n,
		struct tile_request *request);
};

#define GPU_STRATEGY(name) extern const struct strategy strategy_##name;
#define CPU_STRATEGY(name) extern const struct strategy strategy_cpu_##name;
#include "schedule/strategies.def"
#undef GPU_STRATEGY
#undef CPU_STRATEGY
/* The strategy for CUDA, or for C, called "name"; or NULL. */
const struct strategy *strategy_find(const char *name, bool for_cpu);
/* "auto, hex, ..": the names that strategy_find knows. */
void strategy_names(struct text *t, bool for_cpu);
/* "hex, stream": the strategies that support "option"; empty if none does. */
void strategies_with(struct text *t, enum tile_option option, bool for_cpu);
/* The prediction of "strategy" for "request". */
struct prediction strategy_predict(struct region *mem,
	const struct strategy *strategy, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook);
/* The predictions of all strategies that may be chosen, apply and have the sizes named in
 * "request", in "mem", the fastest first and those without a time last; one without a strategy
 * ends them.
 */
int strategies_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction **predictions);

/* The plans of "strategy" for the complete "request"; NULL after a diagnostic. */
struct plan *strategy_plan(struct diags *d, const struct strategy *strategy,
	const struct scop *scop, const struct machine *machine,
	const struct tile_request *request, int *n_plans);
/* .. after completing it for "outlook". */
struct plan *strategy_complete_plan(struct diags *d,
	const struct strategy *strategy, const struct scop *scop,
	const struct outlook *outlook, const struct tile_request *request,
	int *n_plans);

/* Why strategies cannot serve the program, a line for each. */
void strategies_refused(struct text *t, const struct scop *scop, bool for_cpu);

struct tile_request tile_request_default(void);

/* sizes.c ----------------------------------------------------------------*/

/* The size in "r" that --tile calls "name", of "length" letters; or NULL. */
int *size_called(struct tile_request *r, const char *name, size_t length);
/* "h, w0, w1, .., bx, ..": the names of sizes. */
const char *sizes_listed(struct region *mem);
/* Leave all sizes, and the threads, to the model. */
void sizes_leave_open(struct tile_request *r);
/* Does it leave all sizes of tiles and blocks, and the variant, to the model? */
bool tile_request_is_open(const struct tile_request *r);
/* NULL, or the name of a size in "r" that "s" does not have. */
const char *strategy_foreign(const struct strategy *s,
	const struct tile_request *r);
/* Does "r" settle all that "s" needs for programs of "n_dims"? */
bool strategy_has_all(const struct strategy *s, const struct tile_request *r,
	int n_dims);

#endif
