/* Which options go together. */
#include "driver/options.h"

#include <string.h>

static bool has_suffix(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n > m && !strcmp(s + n - m, suffix);
}

/* --target, else the suffix of -o, decides what is written, and with it which
 * strategies there are and which machine the model computes for.
 */
static bool is_for_c(const struct options *o)
{
	return o->target ? !strcmp(o->target, "c") :
		o->output && has_suffix(o->output, ".c");
}

static bool find_strategy(struct parser *p)
{
	struct options *o = p->o;
	struct text all = { 0 };

	if (o->tile.variant && (!o->strategy_name ||
			!strcmp(o->strategy_name, "auto")))
		o->strategy_name = "fuse";
	if (!o->strategy_name || !strcmp(o->strategy_name, "auto"))
		return true;
	if (o->tile.variant && strcmp(o->strategy_name, "fuse") != 0) {
		diag_plain(p->diags, E_COMMAND_LINE, "--variant is for "
			"--strategy=fuse, not for %s", o->strategy_name);
		return false;
	}
	o->strategy = strategy_find(o->strategy_name, o->tile.for_cpu);
	if (o->strategy)
		return true;
	strategy_names(&all, o->tile.for_cpu);
	diag_plain(p->diags, E_COMMAND_LINE, "--strategy: '%s' is not one "
		"of those for %s: %s", o->strategy_name, o->tile.for_cpu ?
		"C" : "CUDA", all.bytes);
	text_free(&all);
	return false;
}

bool set_up_target(struct parser *p)
{
	struct options *o = p->o;

	o->tile.for_cpu = is_for_c(o);
	if (!o->arch)
		o->arch = o->tile.for_cpu ? "host" : "h200";
	if (o->tile.for_cpu && o->refine) {
		diag_plain(p->diags, E_COMMAND_LINE, "--refine=ptxas is for "
			"CUDA; the target is C");
		return false;
	}
	return find_strategy(p);
}

/* Which stages can be had as "format"? */
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
	case FORMAT_HTML:
		return stage == STAGE_REPORT;
	case FORMAT_TEXT:
		return stage != STAGE_REPORT;
	default:
		return true;
	}
}

/* Do --emit, --format, --measured and --metrics go together? */
static bool can_be_shown(struct parser *p)
{
	const struct options *o = p->o;

	if (!has_format(o->stage, o->format)) {
		diag_plain(p->diags, E_COMMAND_LINE, o->format == FORMAT_JSON ?
			"--format=json is for --emit=model and graph" :
			o->format == FORMAT_DOT ?
			"--format=dot is for --emit=graph" :
			o->format == FORMAT_HTML ?
			"--format=html is for --emit=report" :
			o->format == FORMAT_TEXT ?
			"--emit=report is --format=html" :
			"--format=svg is for --emit=cone, tiles, schedule, "
			"model and graph");
		return false;
	}
	if (o->measured && (o->stage != STAGE_MODEL ||
	    o->format != FORMAT_SVG)) {
		diag_plain(p->diags, E_COMMAND_LINE, "--measured is for "
			"--emit=model --format=svg");
		return false;
	}
	if (o->metrics && o->stage != STAGE_REPORT) {
		diag_plain(p->diags, E_COMMAND_LINE, "--metrics is for "
			"--emit=report");
		return false;
	}
	return true;
}

/* A C program has its own main and headers, and must not be written over. */
static bool suits_c(struct parser *p)
{
	const struct options *o = p->o;

	if (o->stage == STAGE_REPORT) {
		diag_plain(p->diags, E_COMMAND_LINE, "--emit=report is for "
			".stn programs");
		return false;
	}
	if (o->harness || o->header) {
		diag_plain(p->diags, E_COMMAND_LINE, "%s is for .stn programs; "
			"'%s' is a C program", o->harness ? "--harness" :
			"--header", o->input);
		return false;
	}
	if (o->output ? strcmp(o->output, o->input) != 0 || !strcmp(
	    o->output, "-") : !o->tile.for_cpu || o->stage != STAGE_NONE)
		return true;
	diag_plain(p->diags, E_COMMAND_LINE, "%s would be written over; name "
		"another file with -o", o->input);
	return false;
}

/* Without a C program -D fixes parameters, and its other options are wrong. */
static bool fix_params(struct parser *p)
{
	struct options *o = p->o;

	p->spelling = "-D";
	for (int i = 0; i < o->n_c_args; i++) {
		const char *arg = o->c_args[i];

		if (strncmp(arg, "-D", 2) != 0) {
			diag_plain(p->diags, E_COMMAND_LINE, "%s is for C "
				"programs; '%s' is none", arg, o->input);
			return false;
		}
		if (!add_define(p, &o->define, &o->n_defines, arg + 2,
				strlen(arg + 2)))
			return false;
	}
	if (!o->no_alias)
		return true;
	diag_plain(p->diags, E_COMMAND_LINE, "--no-alias is for C programs; "
		"'%s' is none", o->input);
	return false;
}

bool is_complete(struct parser *p)
{
	const struct options *o = p->o;

	if (o->help || o->version || o->list_archs || o->explain ||
	    o->print_arch)
		return true;
	if (!o->input) {
		diag_plain(p->diags, E_COMMAND_LINE,
			"no input; usage: stencilc [options] FILE.stn | FILE.c");
		return false;
	}
	if (has_suffix(o->input, ".c"))
		return suits_c(p) && can_be_shown(p);
	if (strcmp(o->input, "-") != 0 && !has_suffix(o->input, ".stn")) {
		diag_plain(p->diags, E_COMMAND_LINE,
			"%s: the input must be a .stn or .c file", o->input);
		return false;
	}
	return fix_params(p) && can_be_shown(p);
}
