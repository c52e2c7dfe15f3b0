/* stencilc: options, then the pipeline. */
#include <string.h>
#include <time.h>

#include "base/base.h"
#include "cfront/cfront.h"
#include "driver/driver.h"
#include "frontend/frontend.h"
#include "schedule/schedule.h"
#include "verify/verify.h"

#ifndef PACKAGE_VERSION
#include "config.h"
#endif

/* Show that the plans compute the program, if that is asked for. */
static enum status verify(struct compilation *s, const struct scop *scop,
	const struct plan *plans, int n_plans)
{
	struct text *certificate = s->options.certificate ? &s->certificate :
		NULL;
	enum status status = STATUS_DONE;

	if (!s->options.verify)
		return STATUS_DONE;
	if (s->certificate.length > 0)
		text_puts(certificate, "\n");
	if (!verify_plans(&s->diags, certificate, scop, plans, n_plans))
		status = STATUS_INTERNAL;
	report_stage(s, "verify");
	return status;
}

/* Print "stage" of the plan, or compile. */
static enum status finish(struct compilation *s, const struct scop *scop,
	const struct plan *plans, int n_plans)
{
	struct text t = { 0 };
	struct kunit *unit;

	if (shows_plan(s))
		return print_plan(s, scop, plans, n_plans);
	if (quota_failed(s->isl))
		return STATUS_INTERNAL;
	unit = target_of(s)->unit(s->mem, scop, plans, n_plans,
		s->options.harness);
	report_stage(s, "codegen");
	if (quota_failed(s->isl))
		return STATUS_INTERNAL;
	if (s->options.verify && n_plans > 0 && !verify_code(&s->diags,
	    s->options.certificate ? &s->certificate : NULL, scop, plans,
	    n_plans, unit))
		return STATUS_INTERNAL;
	if (s->options.stage == STAGE_KERNEL) {
		kunit_print(&t, unit);
		return print_text(s, &t);
	}
	return write_output(s, unit);
}

/* Of a program that computes nothing. */
static enum status finish_idle(struct compilation *s, const struct scop *scop)
{
	if (s->options.certificate)
		text_printf(&s->certificate, "With these sizes '%s' computes "
			"nothing.\n", scop->prog->name);
	if (s->options.stage != STAGE_REPORT)
		return finish(s, scop, NULL, 0);
	diag_plain(&s->diags, E_EMPTY, "there is nothing to report: with "
		"these sizes '%s' computes nothing", scop->prog->name);
	return STATUS_INPUT;
}

static enum status compile_program(struct compilation *s,
	const struct program *prog)
{
	struct text t = { 0 };
	struct prediction *choice;
	struct plan *plans;
	struct scop *scop;
	struct deps *deps;
	enum status status;
	int n_plans;

	scop = scop_build(s->mem, s->isl, &s->diags, prog);
	if (!scop)
		return STATUS_INPUT;
	deps = deps_compute(scop);
	report_stage(s, "deps");
	if (s->options.stage == STAGE_DEPS) {
		deps_print(&t, scop, deps);
		return print_text(s, &t);
	}
	if (s->options.stage == STAGE_CONE)
		return print_cone(s, scop, deps);
	if (scop->is_idle)
		return finish_idle(s, scop);
	if (!set_outlook(s, scop))
		return STATUS_COMMAND_LINE;
	choice = choose_strategy(s, scop, deps);
	if (!choice)
		return s->diags.reported[E_STRATEGY] ? STATUS_INPUT :
			STATUS_COMMAND_LINE;
	if (s->options.refine && !refine_by_ptxas(s->mem, &s->diags, scop,
		deps, choice, s->options.quiet ? NULL : stderr))
		return STATUS_COMMAND_LINE;
	report_choice(s, choice);
	if (s->options.stage == STAGE_MODEL) {
		warn_ignored(s, scop, choice->strategy, NULL, 0);
		return print_model(s, scop, deps, choice);
	}
	plans = plan_of(s, scop, deps, &choice, &n_plans);
	report_stage(s, "plan");
	if (!plans)
		return s->diags.reported[E_STRATEGY] ? STATUS_INPUT :
			STATUS_COMMAND_LINE;
	warn_ignored(s, scop, choice->strategy, plans, n_plans);
	if (!can_show(s, plans, n_plans))
		return STATUS_COMMAND_LINE;
	status = verify(s, scop, plans, n_plans);
	if (status != STATUS_DONE)
		return status;
	if (s->options.stage == STAGE_REPORT)
		return print_report(s, &(struct report) { s->source, scop,
			deps, &s->options.tile, choice, plans, n_plans,
			NULL, NULL });
	return finish(s, scop, plans, n_plans);
}

static enum status compile_ast(struct compilation *s, const struct ast *ast)
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
	report_stage(s, "frontend");
	if (!prog)
		return s->diags.reported[E_DEFINE] ? STATUS_COMMAND_LINE :
			STATUS_INPUT;
	prog = program_divide_choices(s->mem, s->isl, &s->diags, prog);
	if (!prog)
		return STATUS_INPUT;
	if (o->reassociate)
		prog = reassociate(s, prog);
	if (o->stage == STAGE_IR) {
		ir_print(&t, prog);
		return print_text(s, &t);
	}
	if (o->stage == STAGE_GRAPH)
		return print_graph(s, prog);
	if (o->depend_only)
		return write_dependencies_only(s);
	return compile_program(s, prog);
}

static bool is_c(const char *name)
{
	size_t n = strlen(name);

	return n > 2 && !strcmp(name + n - 2, ".c");
}

/* Compile each region, then print the file around them. */
static enum status compile_c(struct compilation *s, const struct source *src)
{
	const struct options *o = &s->options;
	struct text t = { 0 };
	struct c_program *programs, *p;
	enum status status = STATUS_DONE;

	programs = cfront_read(s->mem, s->isl, &s->diags, src, o->c_args,
		o->n_c_args, o->no_alias);
	report_stage(s, "cfront");
	if (!programs || quota_failed(s->isl))
		return STATUS_INPUT;
	if (o->depend_only)
		return write_dependencies_only(s);
	if (o->stage == STAGE_NONE && !o->tile.for_cpu)
		cfront_check_cxx(s->mem, &s->diags, src, programs, o->c_args,
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

static enum status compile(struct compilation *s)
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

static enum status explain(struct compilation *s, struct text *t)
{
	const char *name = s->options.explain;
	const char *similar = diag_similar(name);

	if (diag_explain(t, name))
		return print_text(s, t);
	if (similar)
		diag_plain(&s->diags, E_COMMAND_LINE, "--explain: there is no "
			"message '%s'; did you mean '%s'?", name, similar);
	else
		diag_plain(&s->diags, E_COMMAND_LINE, "--explain: there is no "
			"message '%s'; a message ends in its name, in brackets",
			name);
	return STATUS_COMMAND_LINE;
}

/* What needs no input. */
static enum status answer(struct compilation *s)
{
	struct text t = { 0 };

	if (s->options.help) {
		options_help(&t, s->options.help_all);
	} else if (s->options.explain) {
		return explain(s, &t);
	} else if (s->options.version) {
		text_printf(&t, "stencilc %s\n", PACKAGE_VERSION);
	} else {
		for (int i = 0; i < machine_count(); i++)
			text_printf(&t, "%-11s %s\n", machine_name(i),
				machine_title(i));
		text_printf(&t, "%-11s %s\n", "host", "this machine");
	}
	return print_text(s, &t);
}

/* Say what went wrong with sets, if something did. */
static enum status check_quota(struct compilation *s, enum status status)
{
	if (!quota_failed(s->isl))
		return status;
	return quota_report(&s->diags, s->isl) ? STATUS_INPUT :
		STATUS_INTERNAL;
}

static enum status run(struct compilation *s, int argc, char **argv)
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
	struct compilation s = { .mem = region_new() };
	enum status status;

	clock_gettime(CLOCK_MONOTONIC, &s.start);
	diags_init(&s.diags, stderr);
	status = run(&s, argc, argv);
	if (status == STATUS_DONE && s.diags.errors)
		status = STATUS_INPUT;
	text_free(&s.certificate);
	region_free(s.mem);
	isl_ctx_free(s.isl);
	return status;
}
