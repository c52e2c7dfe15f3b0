/* What --emit shows. */
#include "driver/driver.h"

#include <inttypes.h>

#include "model/graph/graph.h"

/* Does the user want a picture? */
static bool draws(const struct compilation *s)
{
	return s->options.format == FORMAT_SVG ||
		s->options.format == FORMAT_TIKZ;
}

static enum picture_format picture_format(const struct compilation *s)
{
	return s->options.format == FORMAT_TIKZ ? AS_TIKZ : AS_SVG;
}

/* Does the requested stage show the plan?  For --emit=model, only where there
 * is nothing to predict.
 */
bool shows_plan(const struct compilation *s)
{
	enum stage stage = s->options.stage;

	return stage == STAGE_SCHEDULE || stage == STAGE_TILES ||
		stage == STAGE_MODEL;
}

bool print_plan(struct compilation *s, const struct scop *scop,
	const struct plan *plans, int n_plans)
{
	struct text t = { 0 };

	if (s->options.stage == STAGE_SCHEDULE && draws(s)) {
		picture_schedule(&t, picture_format(s), scop, plans, n_plans);
	} else if (s->options.stage == STAGE_SCHEDULE) {
		schedule_print(&t, plans, n_plans);
	} else if (draws(s)) {
		picture_tiles(&t, picture_format(s), scop, plans, n_plans);
	} else if (n_plans > 0) {
		tiles_print(&t, plans);
	}
	return print_text(s, &t);
}

/* The file that --metrics names; NULL: none. */
static bool read_metrics(struct compilation *s,
	const struct metrics **metrics)
{
	const struct source *file;

	*metrics = NULL;
	if (!s->options.logs.metrics)
		return true;
	file = source_read(s->mem, &s->diags, s->options.logs.metrics);
	if (!file)
		return false;
	*metrics = picture_read_metrics(s->mem, &s->diags, file);
	return *metrics;
}

bool print_report(struct compilation *s, struct report *r)
{
	struct text_marks marks = { .mem = s->mem };
	struct text code = { .marks = &marks }, page = { 0 };

	if (!read_metrics(s, &r->metrics))
		return false;
	target_print(&code, s->options.target, s->options.target->unit(s->mem, r->scop,
		r->plans, r->n_plans, s->options.with.harness));
	report_stage(s, "codegen");
	r->code = &code;
	picture_report(&page, r);
	report_stage(s, "report");
	text_free(&code);
	return print_text(s, &page);
}

/* The times of the tuning log beside predicted ones. */
static bool print_measured(struct compilation *s)
{
	const struct source *log;
	struct text t = { 0 };

	log = source_read(s->mem, &s->diags, s->options.logs.measured);
	if (!log)
		return false;
	if (!picture_measured(&t, s->mem, &s->diags, log))
		return false;
	return print_text(s, &t);
}

static void show_ranks(struct compilation *s, struct text *t, struct json *j,
	const struct prediction *choice)
{
	struct network_terms terms = predict_ranks(s, choice);

	if (!j) {
		network_report_text(t, &terms);
		return;
	}
	json_line(j);
	json_open(j, "mpi", '{');
	network_report_json(j, &terms);
	json_close(j, '}');
}

/* The time of all steps, where the model predicts one segment. */
static void show_segments(struct compilation *s, struct text *t,
	struct json *j, const struct scop *scop,
	const struct prediction *choice)
{
	struct segment_terms terms = predict_segments(scop, s->machine,
		s->options.given.size, s->options.given.n_sizes);
	double own_s = choice->n_candidates ?
		choice->candidate[0].predicted_s : 0;
	double all_s = (double) terms.segments * (own_s + terms.pass_s) +
		terms.end_s;

	if (!j) {
		text_printf(t, "segments of %" PRId64 " steps, %" PRId64 " of "
			"them; what is above is of one\n"
			"  reduction_s      %.4g\tbehind each, through memory\n"
			"  last_s           %.4g\tbehind the last one besides\n"
			"  all_s            %.4g\tall steps, if none ends the "
			"loop\n", terms.most, terms.segments, terms.pass_s,
			terms.end_s, all_s);
		return;
	}
	json_line(j);
	json_open(j, "segments", '{');
	json_int(j, "steps", terms.most);
	json_int(j, "segments", terms.segments);
	json_real(j, "reduction_s", terms.pass_s);
	json_real(j, "last_s", terms.end_s);
	json_real(j, "all_s", all_s);
	json_close(j, '}');
}

/* To "t" or, if "j" is not NULL, as members of the object open there. */
static void show_terms(struct compilation *s, struct text *t, struct json *j,
	const struct scop *scop, const struct prediction *choice)
{
	choice->report(choice, t, j);
	if (s->mpi.ranks)
		show_ranks(s, t, j, choice);
	if (scop->prog->segments)
		show_segments(s, t, j, scop, choice);
}

static void show_terms_json(struct compilation *s, struct text *t,
	const struct scop *scop, const struct prediction *choice)
{
	struct json j = { .text = t };

	json_open(&j, NULL, '{');
	show_terms(s, t, &j, scop, choice);
	json_close(&j, '}');
	text_puts(t, "\n");
}

bool print_model(struct compilation *s, const struct scop *scop,
	const struct prediction *choice)
{
	struct text t = { 0 };

	if (s->options.logs.measured)
		return print_measured(s);
	if (!choice->report) {
		diag_plain(&s->diags, E_TILE, "no tile: %s", choice->why);
		return false;
	}
	if (draws(s))
		picture_landscape(&t, scop, &s->options.tile, choice);
	else if (s->options.format == FORMAT_JSON)
		show_terms_json(s, &t, scop, choice);
	else
		show_terms(s, &t, NULL, scop, choice);
	return print_text(s, &t);
}

bool print_cone(struct compilation *s, const struct scop *scop)
{
	struct text t = { 0 };
	struct cone cone;

	cone_of_deps(scop->deps, scop->n_dims, &cone);
	if (draws(s))
		picture_cone(&t, picture_format(s), scop, &cone);
	else
		cone_print(&t, scop, &cone);
	return print_text(s, &t);
}

/* The graph of the statements, in the format of --format. */
bool print_graph(struct compilation *s, const struct program *prog)
{
	static const char *const format[] = {
		[FORMAT_DEFAULT] = "text", [FORMAT_TEXT] = "text",
		[FORMAT_JSON] = "json", [FORMAT_SVG] = "svg",
		[FORMAT_DOT] = "dot",
	};
	struct text t = { 0 };
	const char *why;
	struct graph *graph = graph_of_program(s->mem, prog, &why);

	if (!graph) {
		diag_plain(&s->diags, E_STRATEGY, "the program has no graph "
			"of stencils: %s", why);
		return false;
	}
	graph_print(&t, graph, format[s->options.format]);
	return print_text(s, &t);
}

bool print_arch(struct compilation *s)
{
	struct text t = { 0 };

	if (!find_machine(s))
		return false;
	machine_print(&t, s->machine);
	return print_text(s, &t);
}
