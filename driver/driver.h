/* driver: everything around the pipeline of main.c: the command line, the
 * limits of a compile, the choice of a plan, and the files written.
 */
#ifndef STENCILC_DRIVER_H
#define STENCILC_DRIVER_H

#include <time.h>

#include <isl/ctx.h>

#include "base/base.h"
#include "codegen/codegen.h"
#include "frontend/frontend.h"
#include "ir/ir.h"
#include "model/model.h"
#include "picture/picture.h"
#include "schedule/schedule.h"

/* parse.c, help.c: the command line, one table for both --------------------*/

enum stage {
	STAGE_NONE,		/* compile */
	STAGE_AST, STAGE_IR, STAGE_DEPS, STAGE_CONE, STAGE_SCHEDULE,
	STAGE_TILES, STAGE_MODEL, STAGE_KERNEL, STAGE_GRAPH, STAGE_REPORT,
};

/* The default is text; for a report, HTML. */
enum format { FORMAT_DEFAULT, FORMAT_TEXT, FORMAT_JSON, FORMAT_SVG,
	FORMAT_TIKZ, FORMAT_DOT, FORMAT_HTML };

struct options {
	const char *input, *output;
	const struct target *target;	/* from --target, or from the suffix of
					 * -o */
	const char *arch;
	struct outlook outlook;		/* --model, --candidates, --orders,
					 * --search; without machine or problem */
	bool refine;			/* --refine=ptxas */
	enum format format;
	struct {			/* output of an emitted file: */
		const char *measured, *metrics;	/* --measured=LOG, --metrics=FILE */
	} logs;
	const char *header;		/* --header=FILE */
	const char *explain;
	struct {
		bool asked, only;	/* -MD, -M */
		const char *file, *target;	/* -MF, -MT */
	} depend;
	const char *strategy_name;
	const struct strategy *strategy;	/* NULL: auto */
	enum stage stage;
	struct tile_request tile;
	const char *asked[TILE_OPTIONS];	/* the ones given; NULL: none */
	struct {
		int n_defines, n_sizes;
		struct define *define;	/* -D */
		struct problem_size *size;	/* --problem */
	} given;
	struct {			/* for C programs: */
		int n_args;
		const char **args;	/* options for the C compiler's front
					 * end */
		bool no_alias;
		const char *host;	/* --host=FILE */
	} c;
	unsigned long max_ops;	/* --max-ops; 0: any number */
	struct {
		bool asked;		/* --verify */
		const char *certificate;	/* --certificate=FILE */
	} proof;
	struct {
		bool less, more;	/* -q, -v */
	} say;
	struct {			/* beside the function: */
		bool harness, mpi, handles;
		int mpi_steps;		/* 0: open */
		int mpi_ranks;		/* 0: unknown */
		enum { OVERLAP_OPEN, OVERLAP_YES, OVERLAP_NO, OVERLAP_AUTO,
			OVERLAP_ALL } mpi_overlap;
		int check_finite;	/* steps; 0: never */
	} with;
	struct {
		bool reassociate, fast_roots;	/* --math=fast */
	} rounding;
	struct {			/* and do nothing else: */
		bool list_archs, print_arch, help, help_all, version;
	} show;
};

/* Fill "o" from the command line; -W options go to "d".  False after a
 * diagnostic.
 */
bool options_parse(struct region *r, struct diags *d, int argc,
	char **argv, struct options *o);
/* One screen of help; or "all" of it. */
void options_help(struct text *t, bool all);

/* compilation.c: all that the stages share --------------------------------*/

struct compilation {
	struct region *mem;
	struct diags diags;
	struct options options;
	const struct machine *machine;
	const struct outlook *outlook;	/* for the program at hand */
	isl_ctx *isl;
	struct timespec start;		/* of the current stage */
	const struct source *source;
	const char *const *used;	/* the files that it uses */
	int n_used;
	struct text *c_code;	/* of a C program: collects code; .. */
	double shares;		/* .. see struct c_program */
	struct {			/* with --mpi */
		struct blocks *blocks;
		const struct scop *whole;
		const struct ranks *ranks;	/* with --mpi-ranks */
	} mpi;
	struct text certificate;	/* so far, of all programs */
};

/* -v: report the time since the last call as that of "stage". */
void report_stage(struct compilation *s, const char *stage);
/* Set the machine that --arch names; false after a diagnostic. */
bool find_machine(struct compilation *s);

/* reassociate.c: --reassociate ---------------------------------------------*/

/* "prog" in an order in which neighbours share more; warns where that changes
 * nothing.
 */
const struct program *reassociate(struct compilation *s,
	const struct program *prog);

/* roots.c: --math=fast ------------------------------------------------------*/

/* "prog" with inexact roots and divisions; warns if it has none, or if the target is C. */
const struct program *fast_roots(struct compilation *s,
	const struct program *prog);

/* memory.c: memory for the numbers of sets, before there are any ------------ */

void numbers_begin(void);

/* quota.c: limits of a compile, and the message when it exceeds them --------- */

/* More set arithmetic than any sensible program needs: the examples need up to
 * 4 million operations with --verify, which take two seconds.
 */
#define QUOTA_MAX_OPERATIONS 30000000

/* A context for sets that fails after "max" operations (0: never).  After its
 * first failure, of whatever kind, "d" drops messages: they would rest on
 * missing sets.
 */
isl_ctx *quota_begin(struct diags *d, unsigned long max);
/* Did a set operation fail? */
bool quota_failed(const isl_ctx *ctx);
/* Report the failure: either the program is too large, or the compiler has a
 * bug.
 */
void quota_report(struct diags *d, isl_ctx *ctx);

/* choice.c: the strategy, its sizes and the plan --------------------------*/

/* Set up predictions; false after a diagnostic. */
bool set_outlook(struct compilation *s, const struct scop *scop);
/* The strategy asked for, or all that apply, fastest prediction first; one
 * without a strategy ends the list.  NULL after a diagnostic.
 */
struct prediction *choose_strategy(struct compilation *s,
	const struct scop *scop);
/* With -v: report the first of these, its sizes and the reasons, and the times
 * of others.
 */
void report_choice(const struct compilation *s, const struct scop *scop,
	const struct prediction *p);
/* The "n_plans" plans, one after the other, of the first strategy of "choice" that has some,
 * which becomes the choice: the plans of its first candidate that has some, else those of the
 * sizes asked for.  NULL after a diagnostic.
 */
struct plan *plan_of(struct compilation *s, const struct scop *scop,
	struct prediction **choice, int *n_plans);

/* variants.c: sizes among which a file for a GPU chooses ------------------------- */

/* Give "plans", of the first of "choice", their variants; false after a diagnostic. */
bool find_variants(struct compilation *s, const struct scop *scop,
	const struct prediction *choice, struct plan *plans, int n_plans);

/* widths.c: --tile=runtime ---------------------------------------------------- */

/* The request "of" for tiles, and blocks, of another width. */
struct tile_request request_of_width(const struct tile_request *of, int width);
/* The plan of the widest of several widths of which kernels can have any, if "plan", of
 * "request", is one of tiles that have; else "plan".
 */
const struct plan *plan_of_widths(struct compilation *s, struct diags *unseen,
	const struct scop *scop, const struct plan *plan, int n_plans,
	const struct tile_request *request);

/* ranks.c: with --mpi-ranks, how ranks share a grid -------------------------- */

/* Where nothing else is known, halos on a side hold at most this part of a rank's cells,
 * divided among the dimensions that are cut.
 */
enum { EXCHANGE_PART = 8, OVERLAP_PART = 8 };

struct ranks {
	struct network_grid grid;
	struct network_shape shape;
	double cell_s;		/* predicted for a cell and step */
};

/* Choose the ranks' shape and the steps between exchanges, and make the problem the one of a
 * rank's block; "block" is its program.  False after a diagnostic.
 */
bool choose_ranks(struct compilation *s, const struct scop *block);
/* Without ranks known: let the block have more than the grid's last cell, and waves with points. */
void choose_block(struct compilation *s, const struct scop *block);
/* Those steps and that shape; for other ranks and grids halos keep to their part, unless the
 * model wants more steps, or an odd number, here.
 */
struct exchange_steps steps_of_ranks(const struct ranks *r);
/* In how many of the last turns, see blocks_is_late(), do halos travel while cells are computed?  "e" with
 * that, of ranks that choose it when they run.
 */
int turns_of_zones(const struct compilation *s);
/* .. at most.  GPUs have streams for two zones beside the first, and wait where they reduce. */
int most_turns_of_zones(const struct compilation *s);
struct exchange_steps with_zones(const struct compilation *s, struct exchange_steps e);
/* What the model says about them, where the block takes what "choice" predicts. */
struct network_terms predict_ranks(const struct compilation *s,
	const struct prediction *choice);

/* choice.c, continued -------------------------------------------------------*/

/* Forget the --problem values of sizes that a block does not have: its own are smaller. */
void drop_sizes_of_whole(struct compilation *s);
/* With --mpi, the steps between exchanges of halos: those asked for, else at most the steps of
 * a tile of the plans.
 */
struct exchange_steps steps_of_exchange(const struct compilation *s,
	const struct plan *plans, int n_plans);

/* ignored.c: options without effect ----------------------------------------- */

/* Warn of requests that "strategy", or its "n" plans if they are known, does not fulfil. */
void warn_ignored(struct compilation *s, const struct scop *scop,
	const struct strategy *strategy, const struct plan *plans, int n);

/* refine.c: sizes corrected by registers that the CUDA compiler reports
 * (--refine) ----
 */

/* Compile the candidates of "p" with nvcc and predict each again with the
 * registers that it reports; drop those that spill, unless all do.  "p" becomes
 * the prediction of the best one.  Write a line per candidate to "progress"
 * unless it is NULL.  False after a diagnostic.
 */
bool refine_by_ptxas(struct region *mem, struct diags *d,
	const struct scop *scop, struct prediction *p, FILE *progress);

/* output.c: files; false after a diagnostic ---------------------------------*/

/* Write "t" where -o says, and free it. */
bool print_text(struct compilation *s, struct text *t);
/* Write the emitted file, and the rule for make; free "t". */
bool write_file(struct compilation *s, struct text *t);
/* The file for what stays C: x-host.c for x.cu; NULL: the output has no name, or another file has
 * that one.
 */
const char *host_beside(struct compilation *s);
/* Likewise a file beside the output. */
bool write_beside(struct compilation *s, const char *path, struct text *t);
/* Does the output spare all files that the program uses?  False after a
 * diagnostic.
 */
bool spares_used_files(struct compilation *s);
/* Write the code of "unit" and its header, or collect it for a C program. */
bool write_output(struct compilation *s, const struct kunit *unit);
/* Write what -M asks for instead of compiling. */
bool write_dependencies_only(struct compilation *s);

/* show.c: --emit=STAGE as text or picture; false after a diagnostic
 * ------------
 */

/* Does the requested stage show the plan? */
bool shows_plan(const struct compilation *s);
bool print_arch(struct compilation *s);
bool print_graph(struct compilation *s, const struct program *prog);
bool print_cone(struct compilation *s, const struct scop *scop);
bool print_model(struct compilation *s, const struct scop *scop,
	const struct prediction *choice);
bool print_plan(struct compilation *s, const struct scop *scop,
	const struct plan *plans, int n_plans);
/* The page of "r", with the emitted code. */
bool print_report(struct compilation *s, struct report *r);
#endif
