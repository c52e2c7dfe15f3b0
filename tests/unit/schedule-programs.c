/* The programs that are tiled, and isl for a test. */
#include "tests/unit/schedule.h"

#include <isl/options.h>

int set_up(void **state)
{
	struct region *r = region_new();
	struct fixture *f = region_new_of(r, struct fixture);

	f->mem = r;
	f->out = tmpfile();
	diags_init(&f->diags, f->out);
	f->isl = isl_ctx_alloc();
	isl_options_set_on_error(f->isl, ISL_ON_ERROR_ABORT);
	*state = f;
	return 0;
}

/* isl aborts if an object is left that no region owns. */
int tear_down(void **state)
{
	struct fixture *f = *state;
	isl_ctx *isl = f->isl;

	fclose(f->out);
	region_free(f->mem);
	isl_ctx_free(isl);
	return 0;
}

static struct outlook *outlook_of(const struct scop *scop)
{
	struct outlook *o = region_new_of(scop->mem, struct outlook);

	*o = outlook_default();
	o->machine = machine_find(scop->mem, "h200");
	assert_true(outlook_set_problem(o, NULL, scop, NULL, 0));
	return o;
}

struct built build(void **state, const char *text, const char *sizes)
{
	struct fixture *f = *state;
	struct built b = { .mem = f->mem };
	struct define define[4];
	char name[4][8], value[4][8];
	int n = 0, length;

	while (n < 4 && sscanf(sizes, " %7[A-Z]=%7[0-9]%n", name[n], value[n],
		&length) == 2) {
		define[n] = (struct define) { name[n], value[n] };
		sizes += length;
		n++;
	}
	b.prog = frontend_stn(f->mem, &f->diags,
		source_of_text(f->mem, "test.stn", text), define, n);
	assert_non_null(b.prog);
	b.scop = scop_build(f->mem, f->isl, &f->diags, b.prog);
	assert_non_null(b.scop);
	b.outlook = outlook_of(b.scop);
	return b;
}

struct plan *plan_of(void **state, const struct built *b,
	const struct strategy *strategy, const struct tile_request *request,
	int *n_plans)
{
	struct fixture *f = *state;

	return strategy_complete_plan(&f->diags, strategy, b->scop, b->outlook,
		request, n_plans);
}

struct points *distances(const struct built *b)
{
	return points_of_set(b->mem, isl_set_copy(b->scop->deps->distance));
}

void forge_distances(struct built *b, const char *distance)
{
	b->scop->deps = region_new_of(b->mem, struct deps);
	b->scop->deps->distance = keep_set(b->mem, isl_set_read_from_str(
		b->scop->ctx, distance));
}

const char jacobi1d[] =
	"stencil p { param int T, N; state float A[N]; iterate t = 0 .. T {"
	" A[t+1][i] = A[t][i-1] + A[t][i] + A[t][i+1]; } }";
const char upwind1d[] =
	"stencil p { param int T, N; state double A[N]; iterate t = 0 .. T {"
	" A[t+1][i] = A[t][i] - A[t][i-1]; } }";
const char skew[] =
	"stencil p { param int T, N; state double A[N]; iterate t = 0 .. T {"
	" A[t+1][i] = A[t-1][i-2] + A[t][i+2]; } }";
const char wave1d[] =
	"stencil p { param int T, N; state float A[N]; iterate t = 0 .. T {"
	" A[t+1][i] = 2 * A[t][i] - A[t-1][i] + (A[t][i-1] - 2 * A[t][i]"
	" + A[t][i+1]); } }";
const char decay1d[] =
	"stencil p { param int T, N; state float A[N]; iterate t = 0 .. T {"
	" A[t+1][i] = 0.5f * A[t][i]; } }";
const char third1d[] =
	"stencil p { param int T, N; state float A[N]; iterate t = 0 .. T {"
	" A[t+1][i] = A[t-2][i-1] + A[t][i]; } }";
const char chain1d[] =
	"stencil p { param int T, N; state float A[N], B[N];"
	" iterate t = 0 .. T {"
	" A[t+1][i] = A[t][i] + B[t][i-2];"
	" B[t+1][i] = B[t][i] + A[t+1][i+1]; } }";
const char unread1d[] =		/* B is computed, never read */
	"stencil p { param int T, N; state float A[N], B[N];"
	" iterate t = 0 .. T {"
	" A[t+1][i] = 0.5f * (A[t][i-1] + A[t][i+1]);"
	" B[t+1][i] = A[t+1][i] - A[t][i]; } }";
const char heat2d[] =
	"stencil p { param int T, N, M; state float A[N][M];"
	" iterate t = 0 .. T { A[t+1][i][j] ="
	" sum (d = -1 .. 1, e = -1 .. 1) A[t][i+d][j+e]; } }";
const char star2d[] =
	"stencil p { param int T, N, M; state double A[N][M];"
	" input float c[M]; iterate t = 0 .. T { A[t+1][i][j] = c[j]"
	" * (A[t][i-1][j] + A[t][i+1][j] + A[t][i][j-1] + A[t][i][j+1]); } }";
const char fdtd2d[] =
	"stencil p { param int T, N, M; state float ex[N][M], ey[N][M],"
	" hz[N][M]; iterate t = 0 .. T {"
	" ey[t+1][i][j] = ey[t][i][j] - hz[t][i][j] + hz[t][i-1][j];"
	" ex[t+1][i][j] = ex[t][i][j] - hz[t][i][j] + hz[t][i][j-1];"
	" hz[t+1][i][j] = hz[t][i][j] - ex[t+1][i][j+1] + ex[t+1][i][j]"
	"  - ey[t+1][i+1][j] + ey[t+1][i][j]; } }";
const char wave2d[] =
	"stencil p { param int T, N, M; state float A[N][M];"
	" iterate t = 0 .. T { A[t+1][i][j] = 2 * A[t][i][j] - A[t-1][i][j]"
	" + A[t][i-1][j] + A[t][i+1][j] + A[t][i][j-1] + A[t][i][j+1]; } }";
const char lag3d[] =
	"stencil p { param int T, N, M, K; state float A[N][M][K];"
	" iterate t = 0 .. T { A[t+1][i][j][k] = A[t][i+1][j][k]"
	" + A[t-1][i-1][j+1][k] + A[t-1][i][j][k+3] + A[t][i][j-1][k]; } }";

const char star3d[] =
	"stencil p { param int T, N, M, K; state float A[N][M][K];"
	" iterate t = 0 .. T { A[t+1][i][j][k] = A[t][i+1][j][k]"
	" + A[t][i-1][j][k] + A[t][i][j-1][k] + A[t][i][j+1][k]"
	" + A[t][i][j][k-1] + A[t][i][j][k+1]; } }";
