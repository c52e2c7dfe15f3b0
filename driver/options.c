/* The options: what each one sets, and their table. */
#include "driver/options.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool tile_part(struct parser *p, const char *s, size_t length)
{
	const char *equals = memchr(s, '=', length);
	size_t named = equals ? (size_t) (equals - s) : length;
	int *size = size_called(&p->o->tile, s, named);

	if (!size)
		return wrong(p, region_strndup(p->mem, s, named),
			region_printf(p->mem, "a tile size: %s; or runtime, "
				"alone", sizes_listed(p->mem)));
	if (!equals || !parse_int(equals + 1, length - named - 1, size))
		return wrong(p, region_strndup(p->mem, s, length),
			"of the form NAME=NUMBER, from 0 to 2147483647");
	return true;
}

static bool problem_part(struct parser *p, const char *s, size_t length)
{
	const char *equals = memchr(s, '=', length);
	size_t named = equals ? (size_t) (equals - s) : length;
	struct problem_size *grown;
	int n = p->o->given.n_sizes, value;

	if (!equals || !named ||
	    !parse_int(equals + 1, length - named - 1, &value))
		return wrong(p, region_strndup(p->mem, s, length),
			"of the form NAME=NUMBER, from 0 to 2147483647");
	grown = region_array(p->mem, struct problem_size, n + 1);
	if (n)
		memcpy(grown, p->o->given.size, sizeof(*grown) * (size_t) n);
	grown[n].name = region_strndup(p->mem, s, named);
	grown[n].value = value;
	p->o->given.size = grown;
	p->o->given.n_sizes++;
	return true;
}

static int threads_given(const struct tile_request *r)
{
	int n = 0;

	while (n < 3 && r->threads[n] > 0)
		n++;
	return n;
}

static bool threads_part(struct parser *p, const char *s, size_t length)
{
	struct tile_request *r = &p->o->tile;
	int n = threads_given(r);

	if (n == 3 || !parse_int(s, length, &r->threads[n]) ||
	    r->threads[n] < 1)
		return wrong(p, region_strndup(p->mem, s, length),
			"one of up to three numbers of threads");
	return true;
}

static bool set_threads(struct parser *p, const char *value)
{
	struct tile_request *r = &p->o->tile;
	int64_t all = 1;

	for (int i = 0; i < 3; i++)
		r->threads[i] = -1;
	if (!each_part(p, value, threads_part))
		return false;
	for (int i = 0; i < threads_given(r); i++)
		all *= r->threads[i];
	if (all > 1024 || r->threads[2] > 64)
		return wrong(p, value, "possible: a block has at most 1024 "
			"threads, 64 of them in z");
	return true;
}

/* Each option sets a member of struct options. */
#define SETS_FLAG(option, member) \
	static bool set_##option(struct parser *p, const char *value) \
	{ \
		(void) value; \
		p->o->member = true; \
		return true; \
	}
#define SETS_WORD(option, member) \
	static bool set_##option(struct parser *p, const char *value) \
	{ \
		p->o->member = value; \
		return true; \
	}

SETS_FLAG(list_archs, show.list_archs)
SETS_FLAG(print_arch, show.print_arch)
SETS_FLAG(no_alias, c.no_alias)
SETS_FLAG(harness, with.harness)
SETS_FLAG(mpi, with.mpi)
SETS_FLAG(handles, with.handles)
SETS_FLAG(reassociate, rounding.reassociate)
SETS_FLAG(verify, proof.asked)
SETS_FLAG(depend_only, depend.only)
SETS_FLAG(depend, depend.asked)
SETS_FLAG(verbose, say.more)
SETS_FLAG(help, show.help)
SETS_FLAG(version, show.version)

SETS_WORD(output, output)
SETS_WORD(arch, arch)
SETS_WORD(strategy, strategy_name)
SETS_WORD(variant, tile.variant)
SETS_WORD(header, header)
SETS_WORD(measured, logs.measured)
SETS_WORD(metrics, logs.metrics)
SETS_WORD(explain, explain)
SETS_WORD(depend_file, depend.file)
SETS_WORD(depend_target, depend.target)

static bool set_target(struct parser *p, const char *value)
{
	struct choice names[N_TARGETS + 1] = { { 0 } };
	int chosen;

	for (int i = 0; i < N_TARGETS; i++)
		names[i] = (struct choice) { targets[i].name, i };
	if (!choose(p, value, names, &chosen))
		return false;
	p->o->target = &targets[chosen];
	return true;
}

/* Pass "option" and "value" to the front end for C. */
static bool add_c_arg(struct parser *p, const char *option, const char *value)
{
	struct options *o = p->o;
	const char **grown = region_array(p->mem, const char *,
		o->c.n_args + 1);

	if (o->c.n_args)
		memcpy(grown, o->c.args,
			sizeof(char *) * (size_t) o->c.n_args);
	grown[o->c.n_args++] = region_printf(p->mem, "%s%s", option, value);
	o->c.args = grown;
	return true;
}

static bool set_include(struct parser *p, const char *value)
{
	return add_c_arg(p, "-I", value);
}

static bool set_undefine(struct parser *p, const char *value)
{
	return add_c_arg(p, "-U", value);
}

static bool set_standard(struct parser *p, const char *value)
{
	return add_c_arg(p, "-std=", value);
}

static bool set_define(struct parser *p, const char *value)
{
	return add_c_arg(p, "-D", value);
}

static bool set_problem(struct parser *p, const char *value)
{
	return each_part(p, value, problem_part);
}

/* Sizes, or "runtime": they become arguments. */
static bool set_tile(struct parser *p, const char *value)
{
	p->o->tile.opt.at_run_time = !strcmp(value, "runtime");
	if (p->o->tile.opt.at_run_time) {
		sizes_leave_open(&p->o->tile);
		return true;
	}
	return each_part(p, value, tile_part);
}

static bool set_math(struct parser *p, const char *value)
{
	static const struct choice choices[] = {
		{ "ieee", 0 }, { "fast", 1 }, { 0 },
	};
	int chosen;

	if (!choose(p, value, choices, &chosen))
		return false;
	p->o->rounding.fast_roots = chosen;
	return true;
}

static bool set_count(struct parser *p, const char *value, int most, int *number)
{
	if (parse_int(value, strlen(value), number) && *number >= 1 &&
	    *number <= most)
		return true;
	return wrong(p, value, region_printf(p->mem, "a number from 1 to %d",
		most));
}

/* A number of ranks or of their steps; either one implies --mpi. */
static bool set_of_mpi(struct parser *p, const char *value, int most, int *number)
{
	p->o->with.mpi = true;
	return set_count(p, value, most, number);
}

static bool set_mpi_steps(struct parser *p, const char *value)
{
	return set_of_mpi(p, value, BLOCKS_MAX_STEPS, &p->o->with.mpi_steps);
}

static bool set_mpi_ranks(struct parser *p, const char *value)
{
	return set_of_mpi(p, value, 1 << 20, &p->o->with.mpi_ranks);
}

static bool set_mpi_overlap(struct parser *p, const char *value)
{
	static const struct choice choices[] = {
		{ "yes", OVERLAP_YES }, { "no", OVERLAP_NO },
		{ "auto", OVERLAP_AUTO }, { "all", OVERLAP_ALL }, { 0 },
	};
	int chosen;

	if (!choose(p, value, choices, &chosen))
		return false;
	p->o->with.mpi = true;
	p->o->with.mpi_overlap = chosen;
	return true;
}

static bool set_check_finite(struct parser *p, const char *value)
{
	return set_count(p, value, 1 << 20, &p->o->with.check_finite);
}

static bool set_emit(struct parser *p, const char *value)
{
	static const struct choice stages[] = {
		{ "ast", STAGE_AST }, { "ir", STAGE_IR },
		{ "deps", STAGE_DEPS }, { "cone", STAGE_CONE },
		{ "schedule", STAGE_SCHEDULE }, { "tiles", STAGE_TILES },
		{ "model", STAGE_MODEL }, { "kernel", STAGE_KERNEL },
		{ "graph", STAGE_GRAPH }, { "report", STAGE_REPORT }, { 0 },
	};
	int chosen;

	if (!choose(p, value, stages, &chosen))
		return false;
	p->o->stage = (enum stage) chosen;
	return true;
}

static bool set_format(struct parser *p, const char *value)
{
	static const struct choice formats[] = {
		{ "text", FORMAT_TEXT }, { "json", FORMAT_JSON },
		{ "svg", FORMAT_SVG }, { "tikz", FORMAT_TIKZ },
		{ "dot", FORMAT_DOT },
		{ "html", FORMAT_HTML }, { 0 },
	};
	int chosen;

	if (!choose(p, value, formats, &chosen))
		return false;
	p->o->format = (enum format) chosen;
	return true;
}

/* "loads" selects what to minimise, other words how to read the formulas. */
static bool set_model(struct parser *p, const char *value)
{
	bool by_loads = !strncmp(value, "loads", 5) &&
		(!value[5] || value[5] == ',');
	const char *rest = !by_loads ? value :
		value[5] ? value + 6 : "recommended";
	const char *why = switches_parse(p->mem, rest, &p->o->outlook.switches);

	p->o->asked[OPTION_MODEL] = value;
	p->o->outlook.by_loads = by_loads;
	if (why)
		diag_plain(p->diags, E_COMMAND_LINE, "--model: %s", why);
	return !why;
}

/* N, N% or all */
static bool set_candidates(struct parser *p, const char *value)
{
	size_t length = strlen(value);
	bool percent = length && value[length - 1] == '%';
	struct outlook *outlook = &p->o->outlook;
	int n;

	outlook->max_candidates = INT_MAX;
	outlook->within = INFINITY;
	if (!strcmp(value, "all"))
		return true;
	if (!parse_int(value, length - percent, &n) || n < 1)
		return wrong(p, value, "a number from 1, a percentage or all");
	outlook->within = 1.1;
	if (!percent)
		outlook->max_candidates = n;
	else if (n > 10)
		outlook->within = 1 + n / 100.0;
	return true;
}

/* N or all */
static bool set_orders(struct parser *p, const char *value)
{
	int *orders = &p->o->outlook.orders;

	*orders = INT_MAX;
	if (!strcmp(value, "all"))
		return true;
	if (!parse_int(value, strlen(value), orders) || *orders < 1)
		return wrong(p, value, "a number from 1, or all");
	return true;
}

static bool set_search(struct parser *p, const char *value)
{
	static const struct choice choices[] = {
		{ "auto", VARIANTS_AUTO },
		{ "exhaustive", VARIANTS_EXHAUSTIVE },
		{ "dp", VARIANTS_DP }, { 0 },
	};
	int chosen;

	if (!choose(p, value, choices, &chosen))
		return false;
	p->o->outlook.search = (enum variant_search) chosen;
	return true;
}

static bool set_refine(struct parser *p, const char *value)
{
	static const struct choice choices[] = {
		{ "none", 0 }, { "ptxas", 1 }, { 0 },
	};
	int chosen;

	if (!choose(p, value, choices, &chosen))
		return false;
	p->o->refine = chosen;
	return true;
}

static bool set_max_ops(struct parser *p, const char *value)
{
	char *end;

	errno = 0;
	p->o->max_ops = strtoul(value, &end, 10);
	if (*value < '0' || *value > '9' || *end || errno)
		return wrong(p, value, "a number of operations, or 0");
	return true;
}

static bool set_host(struct parser *p, const char *value)
{
	p->o->c.host = value;
	return true;
}

static bool set_certificate(struct parser *p, const char *value)
{
	p->o->proof.asked = true;
	p->o->proof.certificate = value;
	return true;
}

static bool set_warning(struct parser *p, const char *value)
{
	bool off = !strncmp(value, "no-", 3);
	enum diag_id id = diag_find(off ? value + 3 : value);

	if (!strcmp(value, "all"))
		return true;
	if (!strcmp(value, "error")) {
		p->diags->warnings_are_errors = true;
		return true;
	}
	if (id == DIAG_COUNT)
		return wrong(p, value, "the name of a warning");
	p->diags->disabled[id] = off;
	return true;
}

static bool set_quiet(struct parser *p, const char *value)
{
	(void) value;
	p->o->say.less = p->diags->quiet = true;
	return true;
}

static bool set_help_all(struct parser *p, const char *value)
{
	p->o->show.help_all = true;
	return set_help(p, value);
}

const struct option option_table[] = {
	{ NULL, NULL, NULL, "What to write" },
	{ "-o", "FILE", set_output, "write to FILE; '-' is standard output" },
	{ "--target", target_names + 1, set_target,
	  "the language to write; default: by the suffix of -o" },
	{ "--harness", NULL, set_harness,
	  "add a main that checks and times the code" },
	{ "--mpi", NULL, set_mpi,
	  "with MPI: each rank has a box of the grid" },
	{ "--header", "FILE", set_header, "also write a C header; .f90, .py: a module\n"
	  "a Fortran module with iso_c_binding, a Python module\n"
	  "with ctypes and NumPy; .json: the functions' arguments" },
	{ "-D", "NAME=VALUE", set_define, "fix a parameter, for specialised code" },
	{ "--reassociate", NULL, set_reassociate,
	  "share sums between neighbours; last bits differ\n"
	  "from those of the program as written; see\n"
	  "doc/reassociate.md" },
	{ "--math", "ieee|fast", set_math,
	  "fast: roots and divisions by a GPU's approximations\n"
	  "each within 4 units in the last place, not correctly\n"
	  "rounded; see doc/roots.md" },

	{ NULL, NULL, NULL, "For which machine and sizes" },
	{ "--arch", "NAME|FILE", set_arch, target_machines },
	{ "--list-archs", NULL, set_list_archs, "list the known machines" },
	{ "--print-arch", NULL, set_print_arch,
	  "print the machine of --arch as a machine file" },
	{ "--problem", "NAME=VALUE,..", set_problem,
	  "representative sizes; the code works for all" },
	{ "--strategy", "NAME", set_strategy,
	  "auto"
#define GPU_STRATEGY(name) ", " #name
#define CPU_STRATEGY(name)
#include "schedule/strategies.def"
#undef GPU_STRATEGY
#undef CPU_STRATEGY
	  "\nfor C: auto"
#define GPU_STRATEGY(name)
#define CPU_STRATEGY(name) ", " #name
#include "schedule/strategies.def"
#undef GPU_STRATEGY
#undef CPU_STRATEGY
	},
	{ "--tile", "NAME=N,..|runtime", set_tile,
	  "sizes of tiles; the model chooses the others"
#define SIZE(name, member, kind, help) help
#include "schedule/sizes.def"
#undef SIZE
	},
	{ "--threads", "X[,Y[,Z]]", set_threads,
	  "threads of a block, innermost dimension first" },
	{ "--model", "PRESET,..", set_model,
	  "recommended, printed, loads; or switch=value\n"
	  "loads: fewest loads for a point, not the least time\n"
	  "doc/model.md lists the switches" },
	{ "--refine", "none|ptxas", set_refine,
	  "correct registers by what nvcc reports" },

	{ NULL, "names", NULL, "For C programs; -D goes to the preprocessor" },
	{ "-I", "DIR", set_include, "where headers are" },
	{ "-U", "NAME", set_undefine, "undefine a macro" },
	{ "-std=", "NAME", set_standard, "the C standard, such as c99" },
	{ "--no-alias", NULL, set_no_alias,
	  "assume that pointers point to different arrays" },
	{ "--host", "FILE", set_host,
	  "write kernels alone to -o, the rest as C to FILE" },

	{ NULL, "names", NULL, "For --strategy=fuse and --mpi" },
	{ "--variant", "BRACKETS", set_variant,
	  "what a kernel fuses: [[lap,fli],hs[flj,out]]\n"
	  "and what shares slabs: [[[lap,fli],[flj,out]]]" },
	{ "--orders", "N|all", set_orders,
	  "how many orders of stages to try; default: a sample" },
	{ "--search", "KIND", set_search,
	  "how to find what to fuse: auto, exhaustive, dp\n"
	  "dp: the best of each order by dynamic programming" },
	{ "--mpi-steps", "N", set_mpi_steps,
	  "most steps between two exchanges of halos" },
	{ "--mpi-ranks", "P", set_mpi_ranks,
	  "choose shape and steps for P ranks\n"
	  "for the sizes of --problem and the network of --arch" },

	{ NULL, NULL, NULL, "What the compiler thinks" },
	{ "--emit", "STAGE", set_emit,
	  "ast ir deps graph cone schedule tiles model kernel\n"
	  "report: print one of these, instead of compiling; the\n"
	  "report is a page of HTML with all of them" },
	{ "--format", "KIND", set_format,
	  "how --emit prints: text, json, svg, tikz, dot, html\n"
	  "cone, tiles, schedule, model and graph have pictures,\n"
	  "the first three as TikZ for LaTeX, too; model and graph\n"
	  "have json, a graph dot, a report is html; by default the\n"
	  "suffix of -o decides" },
	{ "--max-ops", "N", set_max_ops, "give up after N operations on sets\n"
	  "default 30 million, 0: never" },
	{ "--verify", NULL, set_verify,
	  "prove, for all sizes, that the plan is right\n"
	  "it computes what the program says; else exit 3 with a\n"
	  "counterexample" },
	{ "--certificate", "FILE", set_certificate,
	  "also write the proof to FILE" },
	{ "--explain", "ID", set_explain, "explain a message" },
	{ "-v", NULL, set_verbose, "report each stage and its time" },

	{ NULL, NULL, NULL, "Messages" },
	{ "-W", "NAME", set_warning,
	  "-Wall, -Wno-NAME, -Werror: select warnings" },
	{ "-q", NULL, set_quiet, "no warnings" },
	{ "--help", NULL, set_help, "print this; --help=all: more of each" },
	{ "--help=all", NULL, set_help_all, "print all of this" },
	{ "--version", NULL, set_version, "print the version" },

	{ NULL, "names", NULL, "For --emit=model and --emit=report" },
	{ "--measured", "LOG", set_measured,
	  "draw the times of a tuning log beside the model's\n"
	  "for --emit=model --format=svg" },
	{ "--metrics", "FILE", set_metrics,
	  "show the emulator's counts in the report" },
	{ "--candidates", "N|N%|all", set_candidates,
	  "how many tiles --emit=model prints\n"
	  "N, those within N% of the best, or all" },

	{ NULL, "names", NULL, "Make dependencies; plans for repeated runs; checks; ranks" },
	{ "-MD", NULL, set_depend, "also write make dependencies" },
	{ "-MF", "FILE", set_depend_file, "where to write them" },
	{ "-MT", "NAME", set_depend_target, "the target they name" },
	{ "-M", NULL, set_depend_only, "print make dependencies only" },
	{ "--handles", NULL, set_handles,
	  "functions that use the caller's memory, and plans\n"
	  "NAME_memory(), NAME_device_with_memory() for a GPU, and\n"
	  "NAME_create(), NAME_run(), NAME_destroy()" },
	{ "--check-finite", "K", set_check_finite,
	  "stop where a state is infinite or NaN: code -13\n"
	  "checks every K steps and at the end; the caller's\n"
	  "arrays keep what they held" },
	{ "--mpi-overlap", "KIND", set_mpi_overlap,
	  "yes, no or auto: do ranks compute while halos travel?\n"
	  "all: in C along all dimensions, not the first alone" },

	{ NULL, "names", NULL, "Steps of optimization, all on by default" },
	{ "--steps", "a..f", set_steps,
	  "all of these at once: a (no shared memory) to f (all)" },
	{ "--shared", "none|box", set_shared, "compute in shared memory" },
	{ "--separate", "no|yes", set_separate,
	  "separate code for full tiles" },
	{ "--copy-out", "KIND", set_copy_out,
	  "from shared memory: separate or interleaved" },
	{ "--align-loads", "no|yes", set_align_loads,
	  "start rows on lines of 128 bytes" },
	{ "--reuse", "KIND", set_reuse,
	  "of the previous tile's values: none, static, dynamic" },
	{ "--unroll", "no|yes", set_unroll,
	  "straight code for full tiles, values in registers" },
	{ "--async", "no|yes|bulk|auto", set_async,
	  "copy in the next values while computing these\n"
	  "bulk: whole rows of strips, on sm_90 and newer; auto:\n"
	  "yes where the model predicts that it pays" },
	{ "--mapping", "KIND", set_mapping,
	  "launch each phase, or waves of tiles of several" },
	{ "--launch", "KIND", set_launch,
	  "of strips: direct, resident or auto\n"
	  "direct: a launch for each b steps; resident: one for\n"
	  "all, if the blocks of the grid can run at once; auto:\n"
	  "what the model predicts to be 5 % faster" },
	{ "--hex-dim", "N|auto", set_hex_dim,
	  "the dimension that hexagons, or skew, tile; from 0\n"
	  "auto, if no w0, w1, .. is given: for hexagons the one\n"
	  "that the model finds fastest; else 0" },
	{ "--compute-only", NULL, set_compute_only,
	  "leave out transfers, to time the rest: wrong results" },
	{ NULL, NULL, NULL, NULL },
};
