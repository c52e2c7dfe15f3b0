/* Strategies, what is asked of them, and what they predict. */
#ifndef STENCILC_SCHEDULE_STRATEGY_H
#define STENCILC_SCHEDULE_STRATEGY_H

#include "schedule/plan.h"

/* predict.c: what the models are asked -----------------------------------*/

/* A size to have in mind, of --problem. */
struct problem_size {
	const char *name;
	int64_t value;
};

/* How to look for a variant of a stencil graph. */
enum variant_search { VARIANTS_AUTO, VARIANTS_EXHAUSTIVE, VARIANTS_DP };

/* What predictions are made for, and how. */
struct outlook {
	const struct machine *machine;
	struct switches switches;
	bool by_loads;		/* hexagons by 3.7 of [CGO], not by time */
	int max_candidates;
	double within;		/* of the best time, as a factor */
	int orders;		/* of the stages of a graph that are tried,
				 * INT_MAX: all, 0: some */
	enum variant_search search;
	int64_t registers_per_thread;	/* 0: not known */
	int64_t shared_bytes_per_block;	/* of sweeps; 0: none, or not known */
	int64_t steps;		/* of time, at least 1; of a segment */
	int64_t all_steps;	/* of all segments */
	int64_t (*size)[IR_MAX_DIMS];	/* points of a statement, at least 1 */
	int64_t hull[IR_MAX_DIMS];	/* the most over the statements */
	int64_t grid[IR_MAX_DIMS];	/* the most of the fields written */
	const char *problem;	/* "T=512,N=3072": what the sizes are of */
};

/* The recommended model; machine and problem are to be filled in. */
struct outlook outlook_default(void);
/* Fill in the problem of "o": parameters are fixed, or in "sizes", or have
 * representative values.  False after a diagnostic.
 */
bool outlook_set_problem(struct outlook *o, struct diags *d,
	const struct scop *scop, const struct problem_size *sizes, int n);
/* What a parameter is in that problem, if it is not fixed. */
int64_t problem_value(const struct scop *scop, const struct param *param,
	const struct problem_size *sizes, int n);
/* The expression "e" of parameters in that problem. */
int64_t problem_number(const struct scop *scop, const struct expr *e,
	const struct problem_size *sizes, int n);
/* segments.c: the segments of all steps in that problem, and what is reduced. */
struct segment_terms {
	int64_t most;		/* steps of a segment */
	int64_t segments;	/* of all steps */
	double pass_bytes;	/* read by what is reduced behind each, .. */
	double end_bytes;	/* .. and behind the last one besides */
	double pass_s, end_s;	/* at the rate of memory */
};
/* Can tiles compute what is reduced as they come to a step where it is due, so that no
 * segment ends there?
 */
bool segments_suit_tiles(const struct scop *scop);
struct segment_terms predict_segments(const struct scop *scop,
	const struct machine *machine, const struct problem_size *sizes, int n);
/* What a point of "s" executes, for Citer. */
struct instruction_mix stmt_mix(const struct program *prog,
	const struct stmt *s);
/* Of "e" alone, without its operands. */
struct instruction_mix expr_mix(const struct program *prog,
	const struct expr *e);

/* Options that some strategies go by, and others do not. */
enum tile_option {
	OPTION_STEPS, OPTION_SHARED, OPTION_SEPARATE, OPTION_COPY_OUT,
	OPTION_ALIGN_LOADS, OPTION_REUSE, OPTION_UNROLL, OPTION_ASYNC,
	OPTION_MAPPING, OPTION_LAUNCH, OPTION_HEX_DIM, OPTION_COMPUTE_ONLY,
	OPTION_MODEL, TILE_OPTIONS,
};

/* What a request says of the hexagonal dimension if it names none: nothing, or
 * that the model chooses it.
 */
enum hex_dim_choice { HEX_DIM_OPEN = -1, HEX_DIM_AUTO = -2 };

/* Sizes as the user gave them, -1 where he did not; if it is complete, all that
 * the strategy has for the program.
 */
struct tile_request {
	int h, w[IR_MAX_DIMS], bx, by, bz, chunk_z;
	int sweep;		/* planes of a kernel of fuse that is swept; -1:
				 * as many as its block has */
	int slab;		/* of kernels of fuse that run slab by slab, if
				 * there are some */
	int b, v, y, l, p, k;	/* of strips */
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

/* One point of a strategy's space. */
struct sized {
	struct tile_request request;	/* complete */
	double predicted_s;
	double loads_per_point;	/* if these are what is minimised, else 0 */
	int64_t k;		/* blocks of an SM */
	double tile_bytes;	/* that C code keeps of a tile in a cache */
};

struct prediction {
	const struct strategy *strategy;
	const struct outlook *outlook;	/* what it is made for */
	const char *why;	/* there is no candidate */
	int n_candidates;	/* best first; [0] is the choice */
	struct sized *candidate;
	const char *sizes;	/* of the choice: "h=3 w0=7 w1=64" */
	const char *binding;	/* what its time consists of */
	const char *remark;	/* what else was decided, and why, or NULL */
	double doubt;		/* of the strategy, for the program */
	int n_dims;		/* hexagons were tried in so many dimensions, of
				 * which one was taken */
	struct hex_dim *dim;	/* in order */
	int n_others;		/* the best of those not taken, the fastest
				 * first */
	struct sized *other;
	/* To "t" or, if "j" is not NULL, as members of the object that is open there. */
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
	SIZES_ROWS = 64,
};

/* The same for all programs. */
#define DOUBT(part) { (part), (part), (part), (part) }

struct strategy {
	const char *name;
	bool by_name;		/* it is for comparison: nothing but its name
				 * chooses it */
	bool narrows;		/* of a rank's block its code computes no more than
				 * the steps up to the next exchange need */
	/* What its model may leave out, as a part of the predicted time, when
	 * strategies compete: of programs without a time loop, and of one, two, and
	 * more dimensions with one.
	 */
	double doubt[4];
	unsigned options;	/* those that it goes by .. */
	unsigned always;	/* .. and those whose work it does anyway */
	unsigned sizes;		/* that it has, of enum size_kind */
	/* NULL, or why the strategy cannot serve the program. */
	const char *(*applies)(const struct scop *scop);
	/* Can it do what "request" says of variants?  False after a diagnostic;
	 * NULL of strategies that have none.
	 */
	bool (*accepts)(struct diags *d, const struct scop *scop,
		const struct tile_request *request,
		const struct outlook *outlook);
	/* The best of the sizes that "request" leaves open, and their time: of
	 * each candidate all sizes.
	 */
	void (*predict)(struct region *mem, const struct scop *scop,
		const struct tile_request *request,
		const struct outlook *outlook, struct prediction *prediction);
	/* Fill in the sizes that "request" leaves open, those that are given
	 * being taken even if the model has no candidate with them.  False
	 * after a diagnostic; NULL of strategies that have no sizes.
	 */
	bool (*complete)(struct diags *d, const struct scop *scop,
		const struct outlook *outlook, struct tile_request *request);
	/* The plans, launched in this order in each iteration of the host
	 * loop, for a request that leaves no size open, within the limits of
	 * "machine".  NULL after a diagnostic.
	 */
	struct plan *(*plan)(struct diags *d, const struct strategy *strategy,
		const struct scop *scop, const struct machine *machine,
		const struct tile_request *request, int *n_plans);
	/* Where sizes of tiles may be arguments: the "n"-th request, from 0 on, of
	 * those whose plans stand for all sizes that may be chosen for "plan";
	 * false if there are no more.
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
/* "auto, hex, ..": what strategy_find knows. */
void strategy_names(struct text *t, bool for_cpu);
/* "hex, stream": those that go by "option"; nothing if there are none. */
void strategies_with(struct text *t, enum tile_option option, bool for_cpu);
/* What "strategy" predicts for "request". */
struct prediction strategy_predict(struct region *mem,
	const struct strategy *strategy, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook);
/* The predictions of all strategies that may be chosen, apply and have the
 * sizes named in "request", in "mem", the fastest first and those without a time last; one
 * without a strategy ends them.
 */
int strategies_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction **predictions);

/* The plans of "strategy" for "request", complete; NULL after a diagnostic. */
struct plan *strategy_plan(struct diags *d, const struct strategy *strategy,
	const struct scop *scop, const struct machine *machine,
	const struct tile_request *request, int *n_plans);
/* .. once it is completed for "outlook". */
struct plan *strategy_complete_plan(struct diags *d,
	const struct strategy *strategy, const struct scop *scop,
	const struct outlook *outlook, const struct tile_request *request,
	int *n_plans);

/* Why strategies cannot serve the program, a line for each that cannot. */
void strategies_refused(struct text *t, const struct scop *scop, bool for_cpu);

struct tile_request tile_request_default(void);

/* sizes.c ----------------------------------------------------------------*/

/* The size in "r" that --tile calls "name", of "length" letters; or NULL. */
int *size_called(struct tile_request *r, const char *name, size_t length);
/* "h, w0, w1, .., bx, ..": their names. */
const char *sizes_listed(struct region *mem);
/* Leave all sizes, and the threads, to the model. */
void sizes_leave_open(struct tile_request *r);
/* Are all sizes of tiles and blocks, and the variant, left to the model? */
bool tile_request_is_open(const struct tile_request *r);
/* NULL, or the name of a size in "r" that "s" does not have. */
const char *strategy_foreign(const struct strategy *s,
	const struct tile_request *r);
/* Does "r" leave nothing open that "s" has for programs of "n_dims"? */
bool strategy_has_all(const struct strategy *s, const struct tile_request *r,
	int n_dims);

#endif
