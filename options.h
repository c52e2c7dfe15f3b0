/* The command line: one table for parsing and --help. */
#ifndef STENCILC_OPTIONS_H
#define STENCILC_OPTIONS_H

#include "base/base.h"
#include "frontend/frontend.h"
#include "schedule/schedule.h"

enum stage {
	STAGE_NONE,		/* compile */
	STAGE_AST, STAGE_IR, STAGE_DEPS, STAGE_CONE, STAGE_SCHEDULE,
	STAGE_TILES, STAGE_MODEL, STAGE_KERNEL, STAGE_GRAPH, STAGE_REPORT,
};

/* The default is text, of a report HTML. */
enum format { FORMAT_DEFAULT, FORMAT_TEXT, FORMAT_JSON, FORMAT_SVG,
	FORMAT_DOT, FORMAT_HTML };

struct options {
	const char *input, *output;
	const char *target;		/* "cuda", "c" or NULL */
	const char *arch;
	struct switches switches;	/* --model */
	bool by_loads;			/* --model=loads */
	int candidates;			/* --candidates */
	double within;
	bool refine;			/* --refine=ptxas */
	enum format format;
	const char *measured;		/* --measured=LOG */
	const char *header;		/* --header=FILE */
	const char *explain;
	const char *depend_file, *depend_target;	/* -MF, -MT */
	bool depend_only, depend;	/* -M, -MD */
	const char *strategy_name;
	const struct strategy *strategy;	/* NULL: auto */
	enum stage stage;
	struct tile_request tile;
	int n_defines, n_problem, n_c_args;
	const char **c_args;		/* for the C compiler's front end */
	bool no_alias;
	struct define *define;
	struct problem_size *problem;
	unsigned long max_ops;	/* --max-ops; 0: any number */
	bool verify;
	const char *certificate;	/* --certificate=FILE */
	bool harness, quiet, verbose;
	bool list_archs, print_arch, help, help_all, version;
};

enum parse_result { PARSE_DONE, PARSE_WRONG };

/* Fill "o" from the command line; what -W says goes to "d".
 * PARSE_WRONG after a diagnostic.
 */
enum parse_result options_parse(struct region *r, struct diags *d, int argc,
	char **argv, struct options *o);
/* One screen; or "all" that there is to say. */
void options_help(struct text *t, bool all);

#endif
