/* Targets for libFuzzer, one for each TARGET that this is compiled with:
 *
 *	TARGET_STN	text to program
 *	TARGET_MACHINE	a machine file
 *	TARGET_OPTIONS	a command line, arguments between newlines
 *	TARGET_COMPILE	text to CUDA, checked by the verifier; a first line
 *			"//OPTIONS" gives options
 *
 * What is wrong is a crash, a report of a sanitizer, a program that breaks the
 * invariants of ir.h, or a plan that the verifier refuses.
 */
#include <stdlib.h>
#include <string.h>

#include "codegen/codegen.h"
#include "frontend/frontend.h"
#include "ir/ir.h"
#include "model/model.h"
#include "driver/driver.h"
#include "schedule/schedule.h"
#include "verify/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Where messages go. */
static FILE *nowhere;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void) argc;
	(void) argv;
	nowhere = fopen("/dev/null", "w");
	return nowhere ? 0 : 1;
}

#if defined(TARGET_STN) || defined(TARGET_COMPILE)
static const struct program *program_of(struct region *mem, struct diags *d,
	const char *text, const struct define *defines, int n)
{
	const struct source *src = source_of_text(mem, "fuzz.stn", text);
	const struct program *prog = frontend_stn(mem, d, src, defines, n);

	if (prog && ir_verify(mem, prog))
		abort();
	return prog;
}
#endif

#ifdef TARGET_OPTIONS
static int split(struct region *mem, char *text, char **arg, int most)
{
	int n = 0;

	arg[n++] = region_strdup(mem, "stencilc");
	for (char *s = strtok(text, "\n"); s && n < most; s = strtok(NULL, "\n"))
		arg[n++] = s;
	return n;
}
#endif

#ifdef TARGET_COMPILE
/* The smallest things of the pipeline: no quota is used up, none is NULL. */
static void compile(struct region *mem, struct diags *d,
	const struct program *prog, const struct tile_request *asked)
{
	isl_ctx *ctx = quota_begin(d, 300000);
	struct scop *scop = scop_build(mem, ctx, d, prog);
	const struct deps *deps = scop ? deps_compute(scop) : NULL;
	struct tile_request request = *asked;
	struct prediction *p = NULL;
	struct plan *plans = NULL;
	struct text t = { 0 };
	int n = scop && !quota_failed(ctx) && !scop->is_idle ?
		strategies_predict(mem, scop, deps, &request, &p) : 0;
	int n_plans = 0;

	if (n > 0 && p[0].n_candidates > 0)
		plans = p[0].strategy->plan(mem, d, scop, deps,
			&p[0].candidate[0].request, &n_plans);
	if (plans && !quota_failed(ctx) &&
	    !verify_plans(d, NULL, scop, plans, n_plans) &&
	    !quota_failed(ctx))
		abort();
	if (plans && !quota_failed(ctx)) {
		struct kunit *unit = codegen_unit(mem, scop, plans, n_plans,
			true);

		if (!quota_failed(ctx))
			target_cuda.print(&t, unit);
	}
	text_free(&t);
	region_free(mem);
	isl_ctx_free(ctx);
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct region *mem = region_new();
	char *text = region_strndup(mem, (const char *) data, size);
	struct diags d;

	diags_init(&d, nowhere);
#if defined(TARGET_STN)
	program_of(mem, &d, text, NULL, 0);
#elif defined(TARGET_MACHINE)
	d.source = source_of_text(mem, "fuzz.arch", text);
	machine_parse(mem, &d, d.source);
#elif defined(TARGET_OPTIONS)
	char *arg[32];
	struct options o;
	int n = split(mem, text, arg, 32);

	options_parse(mem, &d, n, arg, &o);
#elif defined(TARGET_COMPILE)
	struct tile_request request = tile_request_default();
	const struct program *prog;

	if (size > 0 && data[0] == 'h')
		request.h = data[0] % 4;
	prog = program_of(mem, &d, text, NULL, 0);
	if (prog) {
		compile(mem, &d, prog, &request);
		return 0;
	}
#endif
	region_free(mem);
	return 0;
}
