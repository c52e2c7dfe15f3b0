/* Plans of hexagonal tiles and the points of their shapes. */
#include "tests/unit/schedule.h"

const struct tried tried[] = {
	{ jacobi1d, "T=9 N=31", 0, 2, { 3 } },
	{ jacobi1d, "T=5 N=3", 0, 0, { 0 } },
	{ upwind1d, "T=9 N=31", 0, 1, { 1 } },
	{ skew, "T=11 N=37", 0, 2, { 1 } },
	{ skew, "T=11 N=37", 0, 3, { 4 } },
	{ skew, "T=1 N=6", 0, 1, { 2 } },
	{ wave1d, "T=8 N=23", 0, 2, { 2 } },
	{ decay1d, "T=4 N=5", 0, 1, { 0 } },
	{ third1d, "T=13 N=29", 0, 4, { 2 } },
	{ chain1d, "T=7 N=33", 0, 1, { 3 } },
	{ chain1d, "T=7 N=33", 0, 3, { 2 } },
	{ heat2d, "T=6 N=17 M=13", 0, 2, { 3, 5 } },
	{ heat2d, "T=6 N=13 M=17", 1, 1, { 1, 4 } },
	{ star2d, "T=5 N=14 M=9", 0, 1, { 2, 3 } },
	{ fdtd2d, "T=4 N=16 M=11", 0, 2, { 3, 4 } },
	{ fdtd2d, "T=4 N=9 M=17", 1, 5, { 1, 7 } },
	{ wave2d, "T=5 N=12 M=10", 0, 1, { 1, 5 } },
	{ unread1d, "T=7 N=33", 0, 3, { 2 } },
	{ unread1d, "T=7 N=33", 0, 1, { 3 } },
	{ lag3d, "T=5 N=9 M=8 K=11", 0, 1, { 1, 3, 4 } },
	{ lag3d, "T=4 N=8 M=9 K=10", 2, 1, { 4, 3, 2 } },
	{ NULL, NULL, 0, 0, { 0 } },
};

struct tiling tile_of_request(void **state, const struct built *b,
	const struct tile_request *request)
{
	struct fixture *f = *state;
	struct tiling t = { .b = b };
	int n = 0;

	t.plan = plan_of(state, b, &strategy_hex, request, &n);
	assert_non_null(t.plan);
	assert_int_equal(n, 1);
	t.shape = points_of_set(f->mem, isl_set_copy(t.plan->shape));
	for (int d = 0; d < MOST_DIMS; d++)
		t.low[d] = t.high[d] = t.shape->at[0][d];
	for (int i = 0; i < t.shape->n; i++)
		for (int d = 0; d < MOST_DIMS; d++) {
			t.low[d] = least(t.low[d], t.shape->at[i][d]);
			t.high[d] = most(t.high[d], t.shape->at[i][d]);
		}
	return t;
}

const struct optimizations plain_opt = { .shared = true, .separate = true };

struct tiling tile(void **state, const struct built *b, int hex_dim, int h,
	const int w[3])
{
	struct tile_request request = tile_request_default();

	request.opt = plain_opt;
	request.h = h;
	request.hex_dim = hex_dim;
	for (int d = 0; d < b->scop->n_dims; d++)
		request.w[d] = w[d];
	return tile_of_request(state, b, &request);
}

struct tiling tile_optimized(void **state, const struct built *b,
	const struct tried *tried)
{
	struct tile_request request = tile_request_default();

	request.h = tried->h;
	request.hex_dim = tried->hex_dim;
	for (int d = 0; d < b->scop->n_dims; d++)
		request.w[d] = tried->w[d];
	return tile_of_request(state, b, &request);
}
