/* stencilc: options, then the pipeline. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/base.h"
#include "cfront/cfront.h"
#include "codegen/codegen.h"
#include "frontend/frontend.h"
#include "graph/graph.h"
#include "ir/ir.h"
#include "model/model.h"
#include "options.h"
#include "picture/picture.h"
#include "quota.h"
#include "refine.h"
#include "schedule/schedule.h"
#include "verify/verify.h"

#ifndef PACKAGE_VERSION
#include "config.h"
#endif

enum status {
	STATUS_DONE, STATUS_INPUT, STATUS_COMMAND_LINE, STATUS_INTERNAL,
	STATUS_FILES,
};

/* All that the stages share. */
struct session {
	struct region *mem;
	struct diags diags;
	struct options options;
	const struct machine *machine;
	isl_ctx *isl;
	struct timespec start;
	const struct source *source;
	struct text *c_code;	/* of a C program: where code is collected */
};

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double) (now.tv_sec - start->tv_sec) +
		1e-9 * (double) (now.tv_nsec - start->tv_nsec);
}

/* -v: "stage" took the time since the last call. */
static void report(struct session *s, const char *stage)
{
	if (s->options.verbose)
		fprintf(stderr, "stencilc: %-10s %8.3f ms\n", stage,
			1e3 * seconds_since(&s->start));
	clock_gettime(CLOCK_MONOTONIC, &s->start);
}

/* Write "t", unless it was made of sets that could not be computed. */
static bool write_text(struct session *s, const char *path,
	const struct text *t)
{
	return !quota_failed(s->isl) && file_write(&s->diags, path,
		t->bytes ? t->bytes : "", t->length);
}

/* Print what "t" holds, where -o says, and free it. */
static enum status print_text(struct session *s, struct text *t)
{
	bool done = write_text(s, s->options.output ? s->options.output : "-",
		t);

	text_free(t);
	return done ? STATUS_DONE : STATUS_FILES;
}

/* The input's name without folder and suffix, with "suffix". */
static const char *default_output(struct session *s, const char *suffix)
{
	const char *input = s->options.input;
	const char *name = strrchr(input, '/');
	const char *dot;

	if (!strcmp(input, "-"))
		return "-";
	name = name ? name + 1 : input;
	dot = strrchr(name, '.');
	return region_printf(s->mem, "%.*s%s",
		(int) (dot ? dot - name : (int) strlen(name)), name, suffix);
}

static enum status write_dependencies(struct session *s, const char *output)
{
	const struct options *o = &s->options;
	const char *target = o->depend_target ? o->depend_target : output;
	struct text t = { 0 };
	bool done;

	text_printf(&t, "%s: %s\n", target, o->input);
	done = write_text(s, o->depend_file ? o->depend_file :
		o->depend_only ? "-" : region_printf(s->mem, "%s.d", output),
		&t);
	text_free(&t);
	return done ? STATUS_DONE : STATUS_FILES;
}

static const struct target *target_of(const struct session *s)
{
	return s->options.tile.for_cpu ? &target_c : &target_cuda;
}

/* Write the file, whose text is freed. */
static enum status write_file(struct session *s, struct text *t)
{
	const struct options *o = &s->options;
	const char *output = o->output ? o->output :
		default_output(s, target_of(s)->suffix);
	bool done = write_text(s, output, t);

	text_free(t);
	if (done && o->depend)
		return write_dependencies(s, output);
	return done ? STATUS_DONE : STATUS_FILES;
}

static enum status write_header(struct session *s, const struct kunit *unit)
{
	struct text t = { 0 };
	bool done;

	print_binding(&t, unit, s->options.header);
	done = write_text(s, s->options.header, &t);
	text_free(&t);
	return done ? STATUS_DONE : STATUS_FILES;
}

static enum status write_output(struct session *s, const struct kunit *unit)
{
	struct text t = { 0 };
	enum status status;

	if (s->c_code) {
		target_of(s)->print(s->c_code, unit);
		return STATUS_DONE;
	}
	target_of(s)->print(&t, unit);
	status = write_file(s, &t);
	return status == STATUS_DONE && s->options.header ?
		write_header(s, unit) : status;
}

/* What predictions are made for; false after a diagnostic. */
static bool set_outlook(struct session *s, const struct scop *scop)
{
	struct options *o = &s->options;
	struct outlook *outlook = region_new_of(s->mem, struct outlook);

	outlook->machine = s->machine;
	outlook->switches = o->switches;
	outlook->by_loads = o->by_loads;
	outlook->max_candidates = o->candidates;
	outlook->within = o->within;
	o->tile.outlook = outlook;
	return outlook_set_problem(outlook, &s->diags, scop, o->problem,
		o->n_problem);
}

/* The prediction of the strategy asked for; NULL if it cannot serve. */
static struct prediction *predict_one(struct session *s,
	const struct scop *scop, const struct deps *deps)
{
	struct prediction *p = region_new_of(s->mem, struct prediction);
	const struct tile_request *request = &s->options.tile;
	const char *why;

	p->strategy = s->options.strategy;
	why = p->strategy->applies(scop, deps);
	if (why) {
		diag_plain(&s->diags, E_STRATEGY, "strategy '%s' does not "
			"apply: %s", p->strategy->name, why);
		return NULL;
	}
	why = p->strategy->foreign(request);
	if (why) {
		diag_plain(&s->diags, E_TILE, "strategy '%s' has no tile size "
			"'%s'", p->strategy->name, why);
		return NULL;
	}
	p->strategy->predict(s->mem, scop, deps, request, p);
	return p;
}

static void print_refused(const struct scop *scop, const struct deps *deps,
	bool for_cpu)
{
	struct text t = { 0 };

	strategies_refused(&t, scop, deps, for_cpu);
	fputs(t.bytes ? t.bytes : "", stderr);
	text_free(&t);
}

static void print_choice(const struct session *s, const struct prediction *p,
	int n)
{
	const struct prediction *best = &p[0];
	bool other = false;

	if (!best->n_candidates) {
		fprintf(stderr, "stencilc: strategy %s: no prediction: %s\n",
			best->strategy->name, best->why);
		return;
	}
	fprintf(stderr, "stencilc: problem %s\n",
		s->options.tile.outlook->problem);
	fprintf(stderr, "stencilc: strategy %s: predicted %.4g s",
		best->strategy->name, best->candidate[0].predicted_s);
	for (int i = 1; i < n; i++) {
		if (!p[i].n_candidates)
			continue;
		fprintf(stderr, "%s%s %.4g s", other ? ", " : " (",
			p[i].strategy->name, p[i].candidate[0].predicted_s);
		other = true;
	}
	fprintf(stderr, "%s on %s; %s, %s binds\n", other ? ")" : "",
		s->machine->name, best->sizes, best->binding);
}

/* The strategy asked for, or the one with the least predicted time. */
static struct prediction *choose_strategy(struct session *s,
	const struct scop *scop, const struct deps *deps)
{
	struct prediction *p;
	int n = 1;

	if (s->options.strategy)
		p = predict_one(s, scop, deps);
	else
		n = strategies_predict(s->mem, scop, deps, &s->options.tile,
			&p);
	if (n == 0) {
		diag_plain(&s->diags, E_STRATEGY, "no strategy applies to "
			"the program and has all sizes of --tile");
		return NULL;
	}
	report(s, "model");
	if (s->options.verbose && !s->options.strategy)
		print_refused(scop, deps, s->options.tile.for_cpu);
	if (p && s->options.verbose)
		print_choice(s, p, n);
	return p;
}

/* The plan of the first candidate that has one; else of what was asked for,
 * with its diagnostics.
 */
static struct plan *plan_of(struct session *s, const struct scop *scop,
	const struct deps *deps, struct prediction *p, int *n_plans)
{
	FILE *nowhere = fopen("/dev/null", "w");
	struct plan *plans = NULL;
	struct diags unseen;

	diags_init(&unseen, nowhere ? nowhere : stderr);
	for (int i = 0; i < p->n_candidates && !plans; i++)
		plans = p->strategy->plan(s->mem, &unseen, scop, deps,
			&p->candidate[i].request, n_plans);
	if (nowhere)
		fclose(nowhere);
	return plans ? plans : p->strategy->plan(s->mem, &s->diags, scop,
		deps, &s->options.tile, n_plans);
}

/* Is a picture asked for? */
static bool draws(const struct session *s)
{
	return s->options.format == FORMAT_SVG;
}

/* Is a stage asked for that shows the plan?  The model has no other where
 * there is nothing to predict.
 */
static bool shows_plan(const struct session *s)
{
	enum stage stage = s->options.stage;

	return stage == STAGE_SCHEDULE || stage == STAGE_TILES ||
		stage == STAGE_MODEL;
}

static void print_plan(const struct session *s, struct text *t,
	const struct scop *scop, const struct plan *plans, int n_plans)
{
	if (n_plans > 0 && plans->pipeline) {
		pipeline_print(t, plans);
	} else if (s->options.stage == STAGE_SCHEDULE && draws(s)) {
		picture_schedule(t, scop, plans, n_plans);
	} else if (s->options.stage == STAGE_SCHEDULE) {
		for (int i = 0; i < n_plans; i++)
			schedule_print(t, &plans[i]);
	} else if (draws(s)) {
		picture_tiles(t, scop, plans, n_plans);
	} else if (n_plans > 0) {
		tiles_print(t, plans);
	}
}

/* Overlapping tiles have neither a proof nor a picture. */
static bool can_show(struct session *s, const struct plan *plans, int n_plans)
{
	const char *what = s->options.verify ? "--verify" :
		shows_plan(s) && draws(s) ? "--format=svg" : NULL;

	if (!what || n_plans == 0 || !plans->pipeline)
		return true;
	diag_plain(&s->diags, E_COMMAND_LINE, "%s: not for strategy '%s'; "
		"--strategy=point has it", what, plans->strategy->name);
	return false;
}

/* Show that the plans compute the program, if that is asked for. */
static enum status verify(struct session *s, const struct scop *scop,
	const struct plan *plans, int n_plans)
{
	const char *path = s->options.certificate;
	struct text t = { 0 };
	enum status status = STATUS_DONE;

	if (!s->options.verify)
		return STATUS_DONE;
	if (!verify_plans(&s->diags, path ? &t : NULL, scop, plans, n_plans))
		status = STATUS_INTERNAL;
	else if (path && !write_text(s, path, &t))
		status = STATUS_FILES;
	text_free(&t);
	report(s, "verify");
	return status;
}

/* Print "stage" of the plan, or compile. */
static enum status finish(struct session *s, const struct scop *scop,
	const struct plan *plans, int n_plans)
{
	struct text t = { 0 };
	struct kunit *unit;

	if (shows_plan(s)) {
		print_plan(s, &t, scop, plans, n_plans);
		return print_text(s, &t);
	}
	if (quota_failed(s->isl))
		return STATUS_INTERNAL;
	unit = target_of(s)->unit(s->mem, scop, plans, n_plans,
		s->options.harness);
	report(s, "codegen");
	if (quota_failed(s->isl))
		return STATUS_INTERNAL;
	if (s->options.stage == STAGE_KERNEL) {
		kunit_print(&t, unit);
		return print_text(s, &t);
	}
	return write_output(s, unit);
}

/* Of a program that computes nothing. */
static enum status finish_idle(struct session *s, const struct scop *scop)
{
	if (s->options.stage != STAGE_REPORT)
		return finish(s, scop, NULL, 0);
	diag_plain(&s->diags, E_EMPTY, "there is nothing to report: with "
		"these sizes '%s' computes nothing", scop->prog->name);
	return STATUS_INPUT;
}

/* The page of "r", with the code that is emitted. */
static enum status print_report(struct session *s, struct report *r)
{
	struct text_marks marks = { .mem = s->mem };
	struct text code = { .marks = &marks }, page = { 0 };

	target_of(s)->print(&code, target_of(s)->unit(s->mem, r->scop,
		r->plans, r->n_plans, s->options.harness));
	report(s, "codegen");
	r->code = &code;
	picture_report(&page, r);
	report(s, "report");
	text_free(&code);
	return print_text(s, &page);
}

/* The times of the tuning log beside those predicted. */
static enum status print_measured(struct session *s)
{
	const struct source *log;
	struct text t = { 0 };

	log = source_read(s->mem, &s->diags, s->options.measured);
	if (!log)
		return STATUS_FILES;
	if (!picture_measured(&t, s->mem, &s->diags, log))
		return STATUS_INPUT;
	return print_text(s, &t);
}

static enum status print_model(struct session *s, const struct scop *scop,
	const struct deps *deps, const struct prediction *choice)
{
	struct text t = { 0 };

	if (s->options.measured)
		return print_measured(s);
	if (draws(s))
		picture_landscape(&t, scop, deps, &s->options.tile, choice);
	else
		choice->report(&t, choice, s->options.format == FORMAT_JSON);
	return print_text(s, &t);
}

static enum status compile_program(struct session *s,
	const struct program *prog)
{
	struct text t = { 0 };
	struct prediction *choice;
	struct plan *plans;
	struct scop *scop;
	struct deps *deps;
	struct cone cone;
	enum status status;
	int n_plans;

	scop = scop_build(s->mem, s->isl, &s->diags, prog);
	if (!scop)
		return STATUS_INPUT;
	deps = deps_compute(scop);
	report(s, "deps");
	if (s->options.stage == STAGE_DEPS) {
		deps_print(&t, scop, deps);
		return print_text(s, &t);
	}
	if (s->options.stage == STAGE_CONE) {
		cone_of_deps(deps, scop->n_dims, &cone);
		if (draws(s))
			picture_cone(&t, scop, deps, &cone);
		else
			cone_print(&t, scop, &cone);
		return print_text(s, &t);
	}
	if (scop->is_idle)
		return finish_idle(s, scop);
	if (!set_outlook(s, scop))
		return STATUS_COMMAND_LINE;
	choice = choose_strategy(s, scop, deps);
	if (!choice)
		return s->diags.reported[E_TILE] ? STATUS_COMMAND_LINE :
			STATUS_INPUT;
	if (s->options.refine && !refine_by_ptxas(s->mem, &s->diags, scop,
		deps, choice, s->options.quiet ? NULL : stderr))
		return STATUS_COMMAND_LINE;
	if (s->options.stage == STAGE_MODEL)
		return print_model(s, scop, deps, choice);
	plans = plan_of(s, scop, deps, choice, &n_plans);
	report(s, "plan");
	if (!plans)
		return STATUS_COMMAND_LINE;
	if (!can_show(s, plans, n_plans))
		return STATUS_COMMAND_LINE;
	status = verify(s, scop, plans, n_plans);
	if (status != STATUS_DONE)
		return status;
	if (s->options.stage == STAGE_REPORT)
		return print_report(s, &(struct report) { s->source, scop,
			deps, &s->options.tile, choice, plans, n_plans,
			NULL });
	return finish(s, scop, plans, n_plans);
}

static enum status find_machine(struct session *s)
{
	s->machine = machine_lookup(s->mem, &s->diags, s->options.arch);
	if (s->machine)
		return STATUS_DONE;
	return s->diags.reported[E_COMMAND_LINE] ? STATUS_COMMAND_LINE :
		s->diags.reported[E_READ] ? STATUS_FILES : STATUS_INPUT;
}

static enum status print_arch(struct session *s)
{
	enum status status = find_machine(s);
	struct text t = { 0 };

	if (status != STATUS_DONE)
		return status;
	machine_print(&t, s->machine);
	return print_text(s, &t);
}

/* The graph of the statements, as --format says. */
static enum status print_graph(struct session *s, const struct program *prog)
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
		return STATUS_INPUT;
	}
	graph_print(&t, graph, format[s->options.format]);
	return print_text(s, &t);
}

static enum status compile_ast(struct session *s, const struct ast *ast)
{
	const struct options *o = &s->options;
	const struct program *prog;
	struct text t = { 0 };

	if (o->stage == STAGE_AST) {
		frontend_print(&t, ast);
		return print_text(s, &t);
	}
	prog = frontend_lower(s->mem, &s->diags, ast, o->define,
		o->n_defines);
	report(s, "frontend");
	if (!prog)
		return s->diags.reported[E_DEFINE] ? STATUS_COMMAND_LINE :
			STATUS_INPUT;
	if (o->stage == STAGE_IR) {
		ir_print(&t, prog);
		return print_text(s, &t);
	}
	if (o->stage == STAGE_GRAPH)
		return print_graph(s, prog);
	if (o->depend_only)
		return write_dependencies(s, default_output(s,
			target_of(s)->suffix));
	return compile_program(s, prog);
}

static bool is_c(const char *name)
{
	size_t n = strlen(name);

	return n > 2 && !strcmp(name + n - 2, ".c");
}

/* Compile each region, then print the file around them. */
static enum status compile_c(struct session *s, const struct source *src)
{
	const struct options *o = &s->options;
	struct text t = { 0 };
	struct c_program *programs, *p;
	enum status status = STATUS_DONE;

	programs = cfront_read(s->mem, s->isl, &s->diags, src, o->c_args,
		o->n_c_args, o->no_alias);
	report(s, "cfront");
	if (!programs)
		return STATUS_INPUT;
	if (o->depend_only)
		return write_dependencies(s, default_output(s,
			target_of(s)->suffix));
	if (o->stage == STAGE_NONE && !o->tile.for_cpu)
		cfront_check_cxx(s->mem, &s->diags, src, o->c_args,
			o->n_c_args);
	for (p = programs; p && status == STATUS_DONE; p = p->next) {
		struct text code = { 0 };

		s->c_code = &code;
		status = compile_ast(s, p->ast);
		p->code = code.bytes ? region_strdup(s->mem, code.bytes) : "";
		text_free(&code);
	}
	if (status == STATUS_DONE && o->stage == STAGE_NONE) {
		cfront_print(&t, src, programs);
		status = write_file(s, &t);
	}
	return status;
}

static enum status compile(struct session *s)
{
	const struct options *o = &s->options;
	const struct source *src;
	const struct ast *ast;
	enum status status;

	status = find_machine(s);
	if (status != STATUS_DONE)
		return status;
	src = source_read(s->mem, &s->diags, o->input);
	if (!src)
		return STATUS_FILES;
	s->source = src;
	if (is_c(o->input))
		return compile_c(s, src);
	ast = frontend_parse(s->mem, &s->diags, src);
	return ast ? compile_ast(s, ast) : STATUS_INPUT;
}

/* What needs no input. */
static enum status answer(struct session *s)
{
	struct text t = { 0 };

	if (s->options.help) {
		options_help(&t, s->options.help_all);
	} else if (s->options.explain) {
		if (!diag_explain(&t, s->options.explain)) {
			diag_plain(&s->diags, E_COMMAND_LINE, "--explain: "
				"there is no message '%s'; a message ends in "
				"its name, in brackets", s->options.explain);
			return STATUS_COMMAND_LINE;
		}
	} else if (s->options.version) {
		text_printf(&t, "stencilc %s\n", PACKAGE_VERSION);
	} else {
		for (int i = 0; i < machine_count(); i++)
			text_printf(&t, "%-10s %s\n", machine_name(i),
				machine_title(i));
		text_printf(&t, "%-10s %s\n", "host", "this machine");
	}
	return print_text(s, &t);
}

/* Say what went wrong with sets, if something did. */
static enum status check_quota(struct session *s, enum status status)
{
	if (!quota_failed(s->isl))
		return status;
	return quota_report(&s->diags, s->isl) ? STATUS_INPUT :
		STATUS_INTERNAL;
}

static enum status run(struct session *s, int argc, char **argv)
{
	const struct options *o = &s->options;

	if (options_parse(s->mem, &s->diags, argc, argv, &s->options) !=
	    PARSE_DONE)
		return STATUS_COMMAND_LINE;
	if (o->help || o->version || o->explain || o->list_archs)
		return answer(s);
	if (o->print_arch)
		return print_arch(s);
	s->isl = quota_begin(&s->diags, o->max_ops);
	return check_quota(s, compile(s));
}

int main(int argc, char **argv)
{
	struct session s = { .mem = region_new() };
	enum status status;

	clock_gettime(CLOCK_MONOTONIC, &s.start);
	diags_init(&s.diags, stderr);
	status = run(&s, argc, argv);
	if (status == STATUS_DONE && s.diags.errors)
		status = STATUS_INPUT;
	region_free(s.mem);
	isl_ctx_free(s.isl);
	return status;
}
