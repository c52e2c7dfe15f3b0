/* stencilc: options, then the pipeline. */
#include <string.h>
#include <time.h>

#include "base/base.h"
#include "frontend/c/cfront.h"
#include "driver/driver.h"
#include "frontend/frontend.h"
#include "ir/components.h"
#include "schedule/choice.h"
#include "schedule/schedule.h"
#include "verify/verify.h"

#ifndef PACKAGE_VERSION
#include "config.h"
#endif

/* Proofs ------------------------------------------------------------------ */

/* Where to write proofs; NULL: nowhere. */
static struct text *certificate_of(struct compilation *s)
{
	return s->options.proof.certificate ? &s->certificate : NULL;
}

static bool prove(struct compilation *s, const struct scop *scop,
	const struct plan *plans, int n_plans)
{
	struct text *certificate = certificate_of(s);

	if (certificate && certificate->length > 0)
		text_puts(certificate, "\n");
	return verify_plans(&s->diags, certificate, scop, plans, n_plans);
}

/* .. for each choice of tile sizes that the code can make as it runs, each with as many
 * operations as one plan has.
 */
static bool prove_choices(struct compilation *s, const struct scop *scop,
	const struct plan *plan)
{
	struct tile_request request;

	for (int n = 0; plan->strategy->choice(plan, n, &request); n++) {
		int n_plans;
		const struct plan *chosen = strategy_plan(&s->diags,
			plan->strategy, scop, s->machine, &request, &n_plans);

		isl_ctx_reset_operations(s->isl);
		if (!chosen || !prove(s, scop, chosen, n_plans))
			return false;
	}
	return true;
}

/* .. for each size for which the code has kernels. */
static bool prove_variants(struct compilation *s, const struct scop *scop,
	const struct tile_variants *variants, int n_plans)
{
	for (int i = 0; i < variants->n_shown; i++)
		if (!prove(s, scop, variants->shown[i], n_plans))
			return false;
	return true;
}

/* If asked for, prove that the plans compute the program: all plans that the code may choose. */
static bool prove_plans(struct compilation *s, const struct scop *scop,
	const struct plan *plans, int n_plans)
{
	bool shown;

	if (!s->options.proof.asked)
		return true;
	if (plans->tiles.choice)
		shown = prove_choices(s, scop, plans);
	else if (plans->tiles.variants)
		shown = prove_variants(s, scop, plans->tiles.variants, n_plans);
	else
		shown = prove(s, scop, plans, n_plans);
	report_stage(s, "verify");
	return shown;
}

/* With --mpi, main() and plans belong to the program of ranks. */
static unsigned what_is_asked(const struct options *o, bool has_ranks)
{
	return (o->with.harness && !has_ranks ? WITH_HARNESS : 0) |
		(o->with.handles && !has_ranks ? WITH_HANDLES : 0) |
		(has_ranks ? WITH_MEMORY : 0);
}

/* Prove that the code of "plan" does what it says, and that "all", which has all variants, does
 * the same with its sizes.
 */
static bool prove_variant(struct compilation *s, const struct scop *scop,
	const struct tile_variants *variants, const struct plan *plan,
	int n_plans, const struct kunit *all)
{
	struct text *certificate = certificate_of(s);
	struct kunit *one = s->options.target->unit(s->mem, scop, plan, n_plans,
		what_is_asked(&s->options, s->mpi.blocks));

	isl_ctx_reset_operations(s->isl);
	return verify_code(&s->diags, certificate, scop, plan, n_plans, one) &&
		(!plan->tiles.widths || verify_width(&s->diags, certificate,
			scop, variants, plan, all, one));
}

/* Prove that the code of these plans does what they say, for each variant
 * separately.
 */
static bool prove_code(struct compilation *s, const struct scop *scop,
	const struct plan *plans, int n_plans, const struct kunit *unit)
{
	struct text *certificate = certificate_of(s);
	const struct tile_variants *variants;

	if (!s->options.proof.asked || n_plans == 0)
		return true;
	variants = plans->tiles.variants;
	if (!variants)
		return verify_code(&s->diags, certificate, scop, plans, n_plans,
			unit);
	for (int i = 0; i < variants->n_shown; i++)
		if (!prove_variant(s, scop, variants, variants->shown[i],
		    n_plans, unit))
			return false;
	if (variants->has_widths && !verify_chosen_widths(&s->diags,
	    certificate, scop, variants, unit))
		return false;
	return plan_given_dim(plans) < 0 || verify_lengths(&s->diags,
		certificate, scop, variants->plans, variants->n, unit);
}

/* With --mpi, prove that ranks get what they need from each other. */
static bool prove_exchange(struct compilation *s, const struct kunit *unit)
{
	bool shown;

	if (!s->options.proof.asked || !s->mpi.blocks)
		return true;
	shown = verify_ranks(&s->diags, certificate_of(s), s->mpi.whole,
		s->mpi.blocks, unit);
	report_stage(s, "verify");
	return shown;
}

/* The pipeline ------------------------------------------------------------ */

/* False after a diagnostic. */
static bool has_all_widths(struct compilation *s, const struct kunit *unit)
{
	if (!codegen_lacks_widths(unit))
		return true;
	diag_plain(&s->diags, E_INTERNAL, "the code of tiles of some width is "
		"another one; please report this with the input");
	return false;
}

/* Print "stage" of the plan, or compile. */
static bool finish(struct compilation *s, const struct scop *scop,
	const struct plan *plans, int n_plans)
{
	struct text t = { 0 };
	struct kunit *unit;

	if (shows_plan(s))
		return print_plan(s, scop, plans, n_plans);
	if (quota_failed(s->isl))
		return false;
	unit = s->options.target->unit(s->mem, scop, plans, n_plans,
		what_is_asked(&s->options, s->mpi.blocks));
	report_stage(s, "codegen");
	s->shares = codegen_shares(unit);
	if (quota_failed(s->isl) || !has_all_widths(s, unit))
		return false;
	if (!prove_code(s, scop, plans, n_plans, unit))
		return false;
	if (s->mpi.blocks)
		codegen_add_mpi(unit, s->mpi.whole, s->mpi.blocks,
			steps_of_exchange(s, plans, n_plans),
			what_is_asked(&s->options, false));
	if (!prove_exchange(s, unit))
		return false;
	if (s->options.stage == STAGE_KERNEL) {
		target_dump(&t, s->options.target, unit);
		return print_text(s, &t);
	}
	return write_output(s, unit);
}

/* For a program that computes nothing. */
static bool finish_idle(struct compilation *s, const struct scop *scop)
{
	if (scop->prog->n_reductions > 0) {
		diag(&s->diags, E_TOO_SMALL, scop->prog->reduction[0]->at,
			"with these sizes '%s' computes nothing between two "
			"reductions", scop->prog->name);
		return false;
	}
	if (s->options.proof.certificate)
		text_printf(&s->certificate, "With these sizes '%s' computes "
			"nothing.\n", scop->prog->name);
	if (s->options.stage != STAGE_REPORT)
		return finish(s, scop, NULL, 0);
	diag_plain(&s->diags, E_EMPTY, "there is nothing to report: with "
		"these sizes '%s' computes nothing", scop->prog->name);
	return false;
}

/* The whole program has already produced the warnings of a block. */
static struct scop *scop_of(struct compilation *s, const struct program *prog)
{
	bool quiet = s->diags.quiet;
	struct scop *scop;

	s->diags.quiet = quiet || s->mpi.blocks;
	scop = scop_build(s->mem, s->isl, &s->diags, prog);
	s->diags.quiet = quiet;
	return scop;
}

static bool compile_program(struct compilation *s,
	const struct program *prog)
{
	struct text t = { 0 };
	struct prediction *choice;
	struct plan *plans;
	struct scop *scop;
	int n_plans;

	scop = scop_of(s, prog);
	if (!scop)
		return false;
	report_stage(s, "deps");
	if (s->options.stage == STAGE_DEPS) {
		deps_print(&t, scop);
		return print_text(s, &t);
	}
	if (s->options.stage == STAGE_CONE)
		return print_cone(s, scop);
	if (scop->is_idle)
		return finish_idle(s, scop);
	if (s->mpi.blocks && s->options.with.mpi_ranks && !choose_ranks(s, scop))
		return false;
	if (s->mpi.blocks && !s->options.with.mpi_ranks)
		choose_block(s, scop);
	if (s->mpi.blocks)
		blocks_make_alike(s->mpi.blocks, turns_of_zones(s));
	if (!set_outlook(s, scop))
		return false;
	choice = choose_strategy(s, scop);
	if (!choice)
		return false;
	if (s->options.refine && !refine_by_ptxas(s->mem, &s->diags, scop,
		choice, s->options.say.less ? NULL : stderr))
		return false;
	report_choice(s, scop, choice);
	if (s->options.stage == STAGE_MODEL) {
		warn_ignored(s, scop, choice->strategy, NULL, 0);
		return print_model(s, scop, choice);
	}
	plans = plan_of(s, scop, &choice, &n_plans);
	report_stage(s, "plan");
	if (!plans)
		return false;
	warn_ignored(s, scop, choice->strategy, plans, n_plans);
	if (s->options.tile.opt.at_run_time && !s->options.tile.for_cpu &&
	    !find_variants(s, scop, choice, plans, n_plans))
		return false;
	if (!prove_plans(s, scop, plans, n_plans))
		return false;
	if (s->options.stage == STAGE_REPORT)
		return print_report(s, &(struct report) { s->source, scop,
			&s->options.tile, choice, plans, n_plans, NULL, NULL });
	return finish(s, scop, plans, n_plans);
}

/* "prog" after a pass, or NULL. */
static const struct program *checked(struct compilation *s,
	const struct program *prog)
{
	const char *wrong = prog ? ir_verify(s->mem, prog) : NULL;

	if (!wrong)
		return prog;
	diag_plain(&s->diags, E_INTERNAL, "the program is inconsistent: %s; "
		"please report this with the input", wrong);
	return NULL;
}

/* Compile the program of a block as any other program. */
static bool compile_blocks(struct compilation *s, const struct program *prog)
{
	struct blocks *blocks;

	s->mpi.whole = scop_build(s->mem, s->isl, &s->diags, prog);
	if (!s->mpi.whole)
		return false;
	blocks = blocks_new(s->mem, &s->diags, prog);
	if (!blocks || !checked(s, blocks->block))
		return false;
	s->mpi.blocks = blocks;
	if (!s->options.with.mpi_ranks)
		drop_sizes_of_whole(s);
	return compile_program(s, blocks->block);
}

/* --check-finite, if there is something to check. */
static const struct program *check_finite(struct compilation *s,
	const struct program *prog)
{
	const struct program *checked = program_checked_finite(s->mem, prog,
		s->options.with.check_finite);

	if (!program_has_checks(checked))
		diag_plain(&s->diags, W_IGNORED, "--check-finite changes nothing "
			"for '%s': no time loop computes states of reals",
			prog->name);
	return checked;
}

/* Statements as they are fast: for C of whole rows, for a GPU one for each state. */
static const struct program *with_whole_statements(struct compilation *s,
	const struct program *prog)
{
	const struct options *o = &s->options;

	if (!o->tile.for_cpu)
		return program_join_statements(s->mem, s->isl, prog);
	if (!o->with.mpi && !o->with.check_finite)
		prog = program_by_colours(s->mem, s->isl, prog);
	return program_fill_rows(s->mem, s->isl, prog);
}

static bool compile_ast(struct compilation *s, const struct ast *ast)
{
	const struct options *o = &s->options;
	const struct program *prog;
	struct text t = { 0 };

	if (o->stage == STAGE_AST) {
		frontend_print(&t, ast);
		return print_text(s, &t);
	}
	prog = checked(s, frontend_lower(s->mem, &s->diags, ast,
		o->given.define, o->given.n_defines));
	report_stage(s, "frontend");
	if (!prog)
		return false;
	prog = checked(s, program_divide_choices(s->mem, s->isl, &s->diags,
		prog));
	if (prog && o->rounding.reassociate)
		prog = checked(s, reassociate(s, prog));
	if (prog && o->rounding.fast_roots)
		prog = fast_roots(s, prog);
	if (!prog)
		return false;
	if (o->stage == STAGE_IR) {
		ir_print(&t, prog);
		return print_text(s, &t);
	}
	if (o->stage == STAGE_GRAPH)
		return print_graph(s, prog);
	if (o->depend.only)
		return write_dependencies_only(s);
	prog = checked(s, with_whole_statements(s, prog));
	if (prog && o->with.mpi)
		prog = program_apart(s->mem, prog);
	if (prog && o->with.check_finite)
		prog = checked(s, check_finite(s, prog));
	if (!prog)
		return false;
	prog = checked(s, program_in_segments(s->mem, prog));
	prog = prog ? checked(s, program_by_waves(s->mem, s->isl, &s->diags,
		prog)) :
		NULL;
	if (!prog)
		return false;
	return o->with.mpi ? compile_blocks(s, prog) :
		compile_program(s, prog);
}

static bool is_c(const char *name)
{
	size_t n = strlen(name);

	return n > 2 && !strcmp(name + n - 2, ".c");
}

/* Where C that is no C++ goes.  As --host does, if the warning of it is not off. */
static void find_host(struct compilation *s, const struct source *src,
	const struct c_program *programs)
{
	struct options *o = &s->options;
	const char *host = host_beside(s), *name = host;

	if (o->c.host)
		return;
	if (host && strrchr(host, '/'))
		name = strrchr(host, '/') + 1;
	if (!cfront_check_cxx(s->mem, &s->diags, src, programs, o->c.args,
	      o->c.n_args, name) && !s->diags.disabled[W_C_NOT_CXX])
		o->c.host = host;
}

/* The rest of the program, which stays C. */
static bool write_host(struct compilation *s, const struct source *src,
	const struct c_program *programs)
{
	struct text t = { 0 };

	cfront_print_host(&t, src, programs);
	return write_beside(s, s->options.c.host, &t);
}

/* Compile each region, then print the file around them. */
static bool compile_c(struct compilation *s, const struct source *src)
{
	const struct options *o = &s->options;
	struct text t = { 0 };
	struct c_program *programs, *p;
	bool done = true;

	programs = cfront_read(s->mem, s->isl, &s->diags, src, o->c.args,
		o->c.n_args, o->c.no_alias, !o->tile.for_cpu);
	report_stage(s, "cfront");
	if (!programs || quota_failed(s->isl))
		return false;
	if (o->depend.only)
		return write_dependencies_only(s);
	if (o->stage == STAGE_NONE && !o->tile.for_cpu)
		find_host(s, src, programs);
	for (p = programs; p && done; p = p->next) {
		struct text code = { 0 };

		s->c_code = &code;
		s->shares = 1;
		done = compile_ast(s, p->ast);
		p->shares = s->shares;
		p->code = code.bytes ? region_strdup(s->mem, code.bytes) : "";
		text_free(&code);
	}
	if (!done || o->stage != STAGE_NONE)
		return done;
	if (o->c.host && !write_host(s, src, programs))
		return false;
	if (o->c.host)
		cfront_print_apart(&t, src, programs);
	else
		cfront_print(&t, src, programs);
	return write_file(s, &t);
}

static bool compile(struct compilation *s)
{
	const struct options *o = &s->options;
	const struct source *src;
	const struct ast *ast;

	if (!find_machine(s))
		return false;
	src = source_read(s->mem, &s->diags, o->input);
	if (!src)
		return false;
	s->source = src;
	if (is_c(o->input))
		return compile_c(s, src);
	ast = frontend_parse(s->mem, &s->diags, src);
	if (!ast)
		return false;
	s->used = frontend_used(s->mem, ast, &s->n_used);
	return spares_used_files(s) && compile_ast(s, ast);
}

static bool explain(struct compilation *s, struct text *t)
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
	return false;
}

/* What needs no input. */
static bool answer(struct compilation *s)
{
	struct text t = { 0 };

	if (s->options.show.help) {
		options_help(&t, s->options.show.help_all);
	} else if (s->options.explain) {
		return explain(s, &t);
	} else if (s->options.show.version) {
		text_printf(&t, "stencilc %s\n", PACKAGE_VERSION);
	} else {
		for (int i = 0; i < machine_count(); i++)
			text_printf(&t, "%-11s %s\n", machine_name(i),
				machine_title(i));
		text_printf(&t, "%-11s %s\n", "host", "this machine");
	}
	return print_text(s, &t);
}

/* False after a diagnostic. */
static bool run(struct compilation *s, int argc, char **argv)
{
	const struct options *o = &s->options;
	bool done;

	if (!options_parse(s->mem, &s->diags, argc, argv, &s->options))
		return false;
	if (o->show.help || o->show.version || o->explain || o->show.list_archs)
		return answer(s);
	if (o->show.print_arch)
		return print_arch(s);
	s->isl = quota_begin(&s->diags, o->max_ops);
	done = compile(s);
	if (!quota_failed(s->isl))
		return done;
	quota_report(&s->diags, s->isl);
	return false;
}

int main(int argc, char **argv)
{
	struct compilation s = { .mem = region_new() };

	clock_gettime(CLOCK_MONOTONIC, &s.start);
	diags_init(&s.diags, stderr);
	if (!run(&s, argc, argv) && !s.diags.errors)
		diag_plain(&s.diags, E_INTERNAL, "no reason is known why "
			"nothing was written; please report this with the "
			"input");
	text_free(&s.certificate);
	region_free(s.mem);
	isl_ctx_free(s.isl);
	return s.diags.status;
}
