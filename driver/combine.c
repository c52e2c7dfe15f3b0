/* Which options combine. */
#include "driver/options.h"

#include <string.h>

static bool has_suffix(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n > m && !strcmp(s + n - m, suffix);
}

/* --target, else the suffix of -o, decides what is written; strategies and the
 * model's machine follow from it.
 */
static const struct target *target_wanted(const struct options *o)
{
	if (o->target)
		return o->target;
	for (int i = 1; o->output && i < N_TARGETS; i++)
		if (has_suffix(o->output, targets[i].suffix))
			return &targets[i];
	return &targets[0];
}

/* The name of a file for another language, or for people. */
static bool misleads(const char *output)
{
	static const char *const suffixes[] = {
		".cpp", ".cc", ".cxx", ".C", ".h", ".hh", ".hpp", ".hip",
		".cl", ".f", ".f90", ".py", ".txt", ".stn",
	};

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++)
		if (has_suffix(output, suffixes[i]))
			return true;
	return false;
}

static void warn_of_name(struct parser *p)
{
	const struct options *o = p->o;

	if (o->stage == STAGE_NONE && !o->target && o->output &&
	    target_wanted(o) == &targets[0] && misleads(o->output))
		diag_plain(p->diags, W_NAME, "-o %s: the name is not one of "
			"%s, which is written; there are%s any with --target",
			o->output, targets[0].language, target_suffixes);
}

/* --async: copies to shared memory that threads do not wait for. */
static bool can_copy_ahead(struct parser *p)
{
	struct options *o = p->o;

	if (o->target->copies_ahead || o->target->for_cpu)
		return true;
	o->tile.async_open = o->tile.opt.starts = false;
	if (!o->tile.opt.async)
		return true;
	diag_plain(p->diags, E_COMMAND_LINE, "--async=%s: %s has no copies to "
		"shared memory that threads do not wait for; without it they "
		"load what they need themselves",
		o->asked[OPTION_ASYNC], o->target->language);
	return false;
}

/* --tile=c=N: clusters of blocks. */
static bool can_have_clusters(struct parser *p)
{
	const struct options *o = p->o;

	if (o->target->has_clusters || o->target->for_cpu || o->tile.c <= 1)
		return true;
	diag_plain(p->diags, E_TILE, "c = %d: %s has no clusters of blocks; "
		"c is 1", o->tile.c, o->target->language);
	return false;
}

/* A given option that only the strategy fuse supports, or NULL. */
static const char *option_of_fuse(const struct options *o)
{
	return o->outlook.orders ? "--orders" :
		o->outlook.search != VARIANTS_AUTO ? "--search" :
		o->tile.variant ? "--variant" : NULL;
}

static bool find_strategy(struct parser *p)
{
	struct options *o = p->o;
	const char *of_fuse = option_of_fuse(o);
	struct text all = { 0 };

	if (of_fuse && (!o->strategy_name ||
			!strcmp(o->strategy_name, "auto")))
		o->strategy_name = "fuse";
	if (!o->strategy_name || !strcmp(o->strategy_name, "auto"))
		return true;
	if (of_fuse && strcmp(o->strategy_name, "fuse") != 0) {
		diag_plain(p->diags, E_COMMAND_LINE, "%s is for "
			"--strategy=fuse, not for %s", of_fuse,
			o->strategy_name);
		return false;
	}
	if (o->tile.variant && strcmp(of_fuse, "--variant") != 0) {
		diag_plain(p->diags, E_COMMAND_LINE, "%s looks for a variant, "
			"and --variant names one", of_fuse);
		return false;
	}
	o->strategy = strategy_find(o->strategy_name, o->tile.for_cpu);
	if (o->strategy)
		return true;
	strategy_names(&all, o->tile.for_cpu);
	diag_plain(p->diags, E_COMMAND_LINE, "--strategy: '%s' is not one "
		"of those for %s: %s", o->strategy_name, o->target->language,
		all.bytes);
	text_free(&all);
	return false;
}

/* Programs in C can run on ranks; the model predicts others, too. */
static bool suits_mpi(struct parser *p)
{
	const struct options *o = p->o;

	if (!o->with.mpi || o->stage == STAGE_MODEL)
		return true;
	if (o->with.handles && !o->tile.for_cpu) {
		diag_plain(p->diags, E_COMMAND_LINE, "--handles with --mpi are for "
			"--target=c; leave one of the two away");
		return false;
	}
	if (!o->header || has_suffix(o->header, ".h"))
		return true;
	diag_plain(p->diags, E_COMMAND_LINE, "--header=%s: with --mpi there are "
		"headers for C only, FILE.h", o->header);
	return false;
}

/* --tile=runtime: tile sizes as arguments. */
static bool suits_run_time(struct parser *p)
{
	const struct options *o = p->o;

	if (!o->tile.opt.at_run_time)
		return true;
	if (!o->tile.for_cpu && o->refine)
		diag_plain(p->diags, E_COMMAND_LINE, "--refine is for one size "
			"of tiles, of %s; leave it or --tile=runtime away",
			o->target->language);
	else if (o->with.mpi)
		diag_plain(p->diags, E_COMMAND_LINE, "--tile=runtime is not for "
			"--mpi; leave one of the two away");
	else if (o->tile.for_cpu && o->strategy && !o->strategy->choice)
		diag_plain(p->diags, E_COMMAND_LINE, "--tile=runtime: the code "
			"of strategy '%s' has its sizes as constants; "
			"--strategy=hex takes them as arguments",
			o->strategy->name);
	else
		return true;
	return false;
}

bool set_up_target(struct parser *p)
{
	struct options *o = p->o;

	warn_of_name(p);
	o->target = target_wanted(o);
	o->tile.for_cpu = o->target->for_cpu;
	if (!o->arch)
		o->arch = o->target->arch;
	if (o->target != &targets[TARGET_CUDA] && o->refine) {
		diag_plain(p->diags, E_COMMAND_LINE, "--refine=ptxas is for "
			"CUDA; the target is %s", o->target->language);
		return false;
	}
	return suits_mpi(p) && can_copy_ahead(p) && can_have_clusters(p) &&
		find_strategy(p) &&
		suits_run_time(p);
}

/* Which stages "format" supports. */
static bool has_format(enum stage stage, enum format format)
{
	switch (format) {
	case FORMAT_JSON:
		return stage == STAGE_MODEL || stage == STAGE_GRAPH;
	case FORMAT_DOT:
		return stage == STAGE_GRAPH;
	case FORMAT_SVG:
		return stage == STAGE_GRAPH || stage == STAGE_CONE || stage == STAGE_TILES ||
			stage == STAGE_SCHEDULE || stage == STAGE_MODEL;
	case FORMAT_TIKZ:
		return stage == STAGE_CONE || stage == STAGE_TILES ||
			stage == STAGE_SCHEDULE;
	case FORMAT_HTML:
		return stage == STAGE_REPORT;
	case FORMAT_TEXT:
		return stage != STAGE_REPORT;
	default:
		return true;
	}
}

/* Without --format the suffix of -o selects the form of a stage, if the stage
 * has it.
 */
static void find_format(struct options *o)
{
	static const struct {
		const char *suffix;
		enum format format;
	} known[] = {
		{ ".json", FORMAT_JSON }, { ".svg", FORMAT_SVG },
		{ ".dot", FORMAT_DOT }, { ".tikz", FORMAT_TIKZ },
	};

	if (o->format != FORMAT_DEFAULT || !o->output)
		return;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (has_suffix(o->output, known[i].suffix) &&
		    has_format(o->stage, known[i].format))
			o->format = known[i].format;
}

/* Do --emit, --format, --measured and --metrics combine? */
static bool can_be_shown(struct parser *p)
{
	const struct options *o = p->o;

	find_format(p->o);
	if (!has_format(o->stage, o->format)) {
		diag_plain(p->diags, E_COMMAND_LINE, o->format == FORMAT_JSON ?
			"--format=json is for --emit=model and graph" :
			o->format == FORMAT_DOT ?
			"--format=dot is for --emit=graph" :
			o->format == FORMAT_TIKZ ?
			"--format=tikz is for --emit=cone, tiles and schedule" :
			o->format == FORMAT_HTML ?
			"--format=html is for --emit=report" :
			o->format == FORMAT_TEXT ?
			"--emit=report is --format=html" :
			"--format=svg is for --emit=cone, tiles, schedule, "
			"model and graph");
		return false;
	}
	if (o->logs.measured && (o->stage != STAGE_MODEL ||
	    o->format != FORMAT_SVG)) {
		diag_plain(p->diags, E_COMMAND_LINE, "--measured is for "
			"--emit=model --format=svg");
		return false;
	}
	if (o->logs.metrics && o->stage != STAGE_REPORT) {
		diag_plain(p->diags, E_COMMAND_LINE, "--metrics is for "
			"--emit=report");
		return false;
	}
	return true;
}

/* Does "name", the file that "option" writes, differ from all before it? */
static bool is_spared(struct parser *p, const char *const *before, int n,
	const char *name, const char *option)
{
	for (int i = 0; i < n; i++) {
		if (!before[i] || !file_is(before[i], name))
			continue;
		diag_plain(p->diags, E_COMMAND_LINE, "%s would be written "
			"over; name another file with %s", before[i], option);
		return false;
	}
	return true;
}

/* Does the command line write no file that it reads, and no file twice? */
static bool spares_files(struct parser *p)
{
	enum { N_READ = 3 };
	const struct options *o = p->o;
	const char *const file[] = { o->input, o->logs.measured, o->logs.metrics,
		o->output, o->header, o->proof.certificate, o->depend.file,
		o->c.host };
	static const char *const option[] = { "-o", "--header",
		"--certificate", "-MF", "--host" };

	for (int i = N_READ; i < (int) (sizeof(file) / sizeof(*file)); i++)
		if (file[i] && !is_spared(p, file, i, file[i],
				option[i - N_READ]))
			return false;
	return true;
}

/* A C program has its own main() and headers, and gives its name to the result
 * if -o does not.
 */
static bool suits_c(struct parser *p)
{
	const struct options *o = p->o;
	const char *of_stn = o->with.harness ? "--harness" :
		o->header ? "--header" : o->with.mpi ? "--mpi" :
		o->with.handles ? "--handles" :
		o->with.check_finite ? "--check-finite" :
		o->tile.opt.at_run_time ? "--tile=runtime" : NULL;

	if (o->stage == STAGE_REPORT) {
		diag_plain(p->diags, E_COMMAND_LINE, "--emit=report is for "
			".stn programs");
		return false;
	}
	if (of_stn) {
		diag_plain(p->diags, E_COMMAND_LINE, "%s is for .stn programs; "
			"'%s' is a C program", of_stn, o->input);
		return false;
	}
	if (o->output || !o->tile.for_cpu || o->stage != STAGE_NONE)
		return true;
	diag_plain(p->diags, E_COMMAND_LINE, "%s would be written over; name "
		"another file with -o", o->input);
	return false;
}

/* Without a C program, -D fixes parameters, and options for C are errors. */
static bool fix_params(struct parser *p)
{
	struct options *o = p->o;

	p->spelling = "-D";
	for (int i = 0; i < o->c.n_args; i++) {
		const char *arg = o->c.args[i];

		if (strncmp(arg, "-D", 2) != 0) {
			diag_plain(p->diags, E_COMMAND_LINE, "%s is for C "
				"programs; '%s' is none", arg, o->input);
			return false;
		}
		if (!add_define(p, &o->given.define, &o->given.n_defines,
			    arg + 2, strlen(arg + 2)))
			return false;
	}
	if (!o->c.no_alias && !o->c.host)
		return true;
	diag_plain(p->diags, E_COMMAND_LINE, "%s is for C programs; '%s' is "
		"none", o->c.host ? "--host" : "--no-alias", o->input);
	return false;
}

bool is_complete(struct parser *p)
{
	const struct options *o = p->o;

	if (o->show.help || o->show.version || o->show.list_archs ||
		o->explain || o->show.print_arch)
		return true;
	if (!o->input) {
		diag_plain(p->diags, E_COMMAND_LINE,
			"no input; usage: stencilc [options] FILE.stn | FILE.c");
		return false;
	}
	if (has_suffix(o->input, ".c"))
		return spares_files(p) && suits_c(p) && can_be_shown(p);
	if (strcmp(o->input, "-") != 0 && !has_suffix(o->input, ".stn")) {
		diag_plain(p->diags, E_COMMAND_LINE,
			"%s: the input must be a .stn or .c file", o->input);
		return false;
	}
	return spares_files(p) && fix_params(p) && can_be_shown(p);
}
