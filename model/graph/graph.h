/* graph: programs as graphs of stencils, the variants in which a tiling
 * hierarchy can execute them, the cost of each, and the search for the best.
 * Numbers in and out.
 *
 * After Gysi, Grosser, Hoefler, "MODESTO: Data-centric Analytic Optimization of
 * Complex Stencil Programs on Heterogeneous Architectures" (ICS 2015), called
 * [MO] in comments, with the corrections that doc/formulas.md lists.
 */
#ifndef STENCILC_GRAPH_H
#define STENCILC_GRAPH_H

#include "base/base.h"
#include "ir/ir.h"
#include "model/graph/shape.h"
#include "model/model.h"

enum { GRAPH_MAX_LEVELS = 6, GRAPH_MAX_STENCILS = 64 };

/* build.c: the graph ------------------------------------------------------*/

/* A named vector of [MO]: the value of "field" at x + offset. */
struct graph_read {
	int field;
	int64_t offset[GRAPH_MAX_DIMS];
};

struct graph_field {
	const char *name;	/* "lap"; "A[t+1]", "A[t]" of a state */
	const struct field *field;	/* of the program, or NULL */
	int producer;		/* the stencil that computes it, or -1 */
	bool is_output;		/* an output for the caller */
	unsigned dims;		/* bit d: it has dimension d */
};

/* (ops, out, in), 2.1 of [MO] */
struct graph_stencil {
	const char *name;	/* the pattern for the value that it computes */
	const struct stmt *stmt;	/* of the program, or NULL */
	int ops;		/* operations of an evaluation */
	int out;		/* a field */
	int n_in;
	struct graph_read *in;
};

struct graph {
	int n_dims;
	int n_fields;
	struct graph_field *field;
	int n_stencils;
	struct graph_stencil *stencil;	/* in a topological order */
	struct stencil_reads *reads;	/* by stencil, see tiles.h; NULL: each counter finds them */
};

/* The graph of the statements of a step; NULL, and why, if they form none. */
struct graph *graph_of_program(struct region *mem, const struct program *prog,
	const char **why);
/* Does stencil "s" read the value of stencil "p"? */
bool graph_depends(const struct graph *graph, int s, int p);

/* Where stencil "s" reads "field". */
struct pattern pattern_of_reads(struct region *mem, const struct graph *graph,
	int s, int field);

/* orders.c: topological orders ---------------------------------------------*/

/* All topological orders of the stencils if there are at most "most", which sets "all"; else
 * "most" of them: the graph's, the one in which producers stand right before their first
 * readers, and random ones.  "orders" is their number.
 */
int graph_orders(struct region *mem, const struct graph *graph, int most,
	int ***orders, bool *all);
/* The number of orders; -1: counting them takes too long. */
double graph_count_orders(const struct graph *graph);

/* build.c: what is needed --------------------------------------------------*/

/* By field: what all outputs at one point need of it, figure 1 of [MO]. */
const struct shape **graph_patterns(struct region *mem,
	const struct graph *graph);
struct pattern pattern_of_shape(struct region *mem, const struct shape *s);

/* machine.c: abstract machines, 2.5 of [MO] --------------------------------*/

enum halo { HALO_OF, HALO_HP, HALO_HS };	/* 2.3 of [MO] */

struct graph_level {
	const char *memory;	/* where a group of this level keeps its values:
				 * "DDR" */
	int64_t tile[GRAPH_MAX_DIMS];	/* innermost dimension first; 0: not
					 * tiled */
	enum halo halo;
	double vertical;	/* V: words a second, parents to children */
	double lateral;		/* L: words a second, to neighbours */
	double capacity;	/* M: words of one memory */
	bool splits;		/* its groups can have several children */
	bool waits;		/* its children compute when they have loaded,
				 * not meanwhile */
	bool fetches;		/* what its children store is loaded first, line
				 * by line */
	double launches;	/* for each of several children, see launch_s;
				 * an only child is launched once */
};

struct graph_machine {
	const char *name;
	int n_levels;
	struct graph_level level[GRAPH_MAX_LEVELS];
	double flops;		/* C: operations a second */
	double issue;		/* instructions a second; 0: operations alone
				 * take time */
	double issue_of_op;	/* instructions for whose time one keeps others
				 * from being issued */
	double launch_s;	/* a launch of what a child executes */
	/* The levels of a child of the last level that splits groups if it is
	 * swept, which each child may be or not; NULL: there is no choice.
	 * Without a choice a search splits groups on the first level alone.
	 */
	const struct graph_machine *swept;
};

const char *halo_name(enum halo halo);	/* "of" */
/* "m" with tiles of the lowest level swept plane by plane along the outermost
 * of "n_dims" dimensions; values that stencils pass on stay between planes.
 */
struct graph_machine graph_machine_swept(const struct graph_machine *m,
	int n_dims);
/* "m", with its target's levels and one more, the second: groups whose children run one after
 * the other on slabs of "points" along the outermost of "n_dims" dimensions.  Values passed
 * between children stay in half of the second-level cache of "machine".  (In C that is the last
 * level.)
 */
struct graph_machine graph_machine_slabs(const struct graph_machine *m,
	const struct machine *machine, int bytes, bool is_cpu, int n_dims,
	int64_t points);
/* The abstract machine of "m" for words of "bytes": its own levels if it has some, or its
 * target's with these tiles.
 */
struct graph_machine graph_machine_of(const struct machine *m, int bytes,
	bool is_cpu, const int64_t *domain, const int64_t *block);

/* variant.c: bracket expressions, 2.4 of [MO] ------------------------------*/

/* Neighbours i and i+1 of the order share a group on the levels 1 ..
 * together[i], and none beyond.
 */
struct variant {
	int n;
	int *order;		/* stencils in their order */
	int *together;		/* n - 1 of them */
	bool *swept;		/* n of them: "hs" stands before a bracket
				 * around the stencil; NULL: before none */
};

/* Parse "[[lap,fli],hs[flj,out]]" for a machine of "n_levels"; NULL, and why. */
struct variant *variant_parse(struct region *mem, const struct graph *graph,
	int n_levels, const char *text, const char **why);
void variant_print(struct text *t, const struct graph *graph, int n_levels,
	const struct variant *v);

/* count.c: what a variant does, 2.6 of [MO] --------------------------------*/

/* A group of the level chain->n: chain->set[l] is the bit set of the stencils
 * in the group of level l that holds it, l = 0 being the root.
 */
struct chain {
	int n;
	uint64_t set[GRAPH_MAX_LEVELS];
};

/* What a child of a group moves, in values, on the origin tile of the lowest
 * level.
 */
struct traffic_of_child {
	int64_t loads, stores;
	int64_t lateral[GRAPH_MAX_LEVELS];	/* lateral values of each level */
};

struct counter;

/* Counts for "graph"; it keeps pieces for further questions.  If groups may be swept it has a
 * second counter for those.
 */
struct counter *counter_new(struct region *mem, const struct graph *graph,
	const struct graph_machine *machine);
/* Lower bounds for the counts of "c", found quickly: from whole tiles alone.  What crosses
 * sides of tiles is that within them.
 */
struct counter *counter_of_whole_tiles(struct region *mem, struct counter *c);
/* The counter for groups of the second level that are "swept", or for others. */
struct counter *counter_for(struct counter *c, bool swept);
/* How many cuboids it has cut, with the counter of swept groups. */
int64_t counter_work(const struct counter *c);
const struct graph *counter_graph(const struct counter *c);
const struct graph_machine *counter_machine(const struct counter *c);
/* Evaluations of stencil "s" in the group's tiles; on the highest level, in
 * all.
 */
int64_t count_evaluations(struct counter *c, const struct chain *chain, int s);
/* Kinds of traffic of a child: loads and stores; lateral traffic of level l is TRAFFIC_LATERAL
 * << l.
 */
enum { TRAFFIC_MOVED = 1, TRAFFIC_LATERAL = 2,
	TRAFFIC_ALL = (TRAFFIC_LATERAL << GRAPH_MAX_LEVELS) - 1 };

/* The traffic of the stencils "child", some or all of the group's. */
struct traffic_of_child count_traffic(struct counter *c,
	const struct chain *chain, uint64_t child, unsigned wanted);
/* The values that a tile of the group keeps: those that it reads.  For tiles that follow each
 * other along one dimension, also those still to be read, and those that the group computes
 * there for its own use.
 */
int64_t count_storage(struct counter *c, const struct chain *chain);

/* times.c: the time of a variant, 2.5 of [MO] --------------------------------*/

/* The time of a variant; does each group fit its level's capacity? */
double variant_time(struct counter *c, const struct variant *v, bool *fits);

/* What a child contributes to its group's time: the greatest of its terms
 * counts.
 */
struct term {
	struct chain chain;	/* the group */
	uint64_t child;
	double compute_s, vertical_s, lateral_s;
	bool waits;		/* the first two count, not the greatest */
	double launch_s;	/* in addition to these */
	struct traffic_of_child traffic;
};

/* Is the group of the i-th stencil in order swept? */
bool variant_is_swept(const struct variant *v, int i);
/* The children of all groups of "v", in order. */
int variant_terms(struct region *mem, struct counter *c,
	const struct variant *v, struct term **terms);
/* What takes most of their time: "issue" of instructions, "its traffic", "launches". */
const char *terms_binding(const struct term *term, int n);

/* search.c: the best variants, 3.2 of [MO] -----------------------------------*/

struct scored {
	const struct variant *variant;
	double seconds;
	bool fits;		/* the capacity of each level */
};

struct found {
	int n;			/* best first */
	struct scored *best;
	int n_orders, n_scored;
	bool all_orders;	/* there are no other orders */
	double orders_there;	/* how many there are; -1: unknown */
	bool exhaustive;	/* all variants of these orders were scored */
	int longest;		/* groups whose time was computed completely, as
				 * a part of all groups */
	int64_t n_cuboids;	/* cut while counting: a measure of the work */
	int64_t steps;		/* steps of the time loop; times are for one */
};

/* The method: try all variants, the dynamic programme, or the one that suits. */
enum search { SEARCH_AUTO, SEARCH_ALL, SEARCH_DYNAMIC };

/* A limit in cuboids: a million take a fifth of a second. */
enum { GRAPH_EFFORT = 3000000 };

/* Limits on orders, and on variants, that users ask for. */
enum { GRAPH_MOST_ORDERS = 100000, GRAPH_MOST_VARIANTS = 2000000 };

struct graph_query {
	enum search how;
	int orders;		/* at most so many orders; 0: a sample */
	int most;		/* number of variants to find */
	int64_t effort;		/* in cuboids: beyond it large groups are left
				 * out; if there are more orders than the
				 * sample, it is larger */
};

/* The best variants. */
struct found graph_search(struct region *mem, const struct graph *graph,
	const struct graph_machine *machine, const struct graph_query *q);
/* How many variants a complete search would try, over the orders it tries. */
double graph_count_variants(const struct graph *graph,
	const struct graph_machine *machine, const struct graph_query *q);

/* print.c ------------------------------------------------------------------*/

/* "graph" as "text", "dot", "svg" or "json"; false for other formats. */
bool graph_print(struct text *t, const struct graph *graph,
	const char *format);
/* The best variants with the terms of their times. */
void graph_report_text(struct text *t, const struct graph *graph,
	const struct graph_machine *machine, const struct found *found);
/* Print members of the open object. */
void graph_report_json(struct json *j, const struct graph *graph,
	const struct graph_machine *machine, const struct found *found);

#endif
