/* Tiled programs compute what they compute as written. */
#include "tests/unit/schedule.h"

#include <string.h>

static void test_execution(void **state)
{
	for (int i = 0; tried[i].text; i++) {
		struct built b = build(state, tried[i].text, tried[i].sizes);
		struct tiling t = tile(state, &b, tried[i].hex_dim, tried[i].h,
			tried[i].w);

		if (!execution_is_right(&b, NULL, false, NULL))
			fail_msg("as written: %s", tried[i].text);
		if (!execution_is_right(&b, &t, false, NULL))
			fail_msg("tiled: %s", tried[i].text);
		if (!execution_is_right(&b, &t, true, NULL))
			fail_msg("tiled, backwards: %s", tried[i].text);
		t = tile_optimized(state, &b, &tried[i]);
		if (!execution_is_right(&b, &t, true, NULL))
			fail_msg("tiled and optimized: %s", tried[i].text);
	}
}

/* Without a copy statement, a cell is left with an older value. */
static void test_copy_statements_are_needed(void **state)
{
	int dropped = 0;

	for (int i = 0; tried[i].text; i++) {
		struct built b = build(state, tried[i].text, tried[i].sizes);

		for (int j = 0; j < b.scop->n_stmts; j++) {
			const struct scop_stmt *s = &b.scop->stmt[j];

			if (!s->is_copy)
				continue;
			dropped++;
			if (execution_is_right(&b, NULL, false, s))
				fail_msg("%s of %s is not needed", s->name,
					tried[i].text);
		}
	}
	assert_true(dropped >= 6);
}

static int random_between(unsigned *seed, int low, int high)
{
	return low + (int) next_random(seed, (unsigned) (high - low + 1));
}

/* A program of "k" statements over "dims" dimensions: statement i writes F_i
 * and reads up to three values at random, none not computed yet.
 */
static const char *random_program(struct region *mem, unsigned *seed, int k,
	int dims)
{
	static const char *const fields[] = { "A", "B", "C" };
	const char *size = dims == 1 ? "[N]" : "[N][M]";
	const char *text = region_printf(mem, "stencil p { param int T, N%s;",
		dims == 1 ? "" : ", M");

	for (int i = 0; i < k; i++)
		text = region_printf(mem, "%s state float %s%s;", text,
			fields[i], size);
	text = region_printf(mem, "%s iterate t = 0 .. T {", text);
	for (int i = 0; i < k; i++) {
		text = region_printf(mem, "%s %s[t+1][i]%s = 1", text,
			fields[i], dims == 1 ? "" : "[j]");
		for (int n = random_between(seed, 1, 3); n > 0; n--) {
			int j = random_between(seed, 0, k - 1);
			int v = random_between(seed, -1, j < i ? 1 : 0);

			text = region_printf(mem, "%s + %s[t%+d][i%+d]", text,
				fields[j], v, random_between(seed, -2, 2));
			if (dims == 2)
				text = region_printf(mem, "%s[j%+d]", text,
					random_between(seed, -2, 2));
		}
		text = region_printf(mem, "%s;", text);
	}
	return region_printf(mem, "%s } }", text);
}

static void check_random_program(void **state, unsigned *seed)
{
	struct fixture *f = *state;
	int k = random_between(seed, 1, 3), dims = random_between(seed, 1, 2);
	const char *text = random_program(f->mem, seed, k, dims);
	char *sizes = region_printf(f->mem, "T=%d N=%d M=%d",
		random_between(seed, 1, 7), random_between(seed, 5, 24),
		random_between(seed, 5, 14));
	struct tile_request request = tile_request_default();
	struct built b;
	struct tiling t;
	struct cone cone;

	if (dims == 1)
		*strchr(sizes, 'M') = '\0';
	b = build(state, text, sizes);
	if (!cone_of_deps(b.scop->deps, dims, &cone))
		fail_msg("no cone: %s with %s", text, sizes);
	request.hex_dim = random_between(seed, 0, dims - 1);
	request.h = k * random_between(seed, 1, 2) - 1;
	request.w[0] = random_between(seed, 0, 2) + hexagon_least_width(
		cone.delta0[request.hex_dim], cone.delta1[request.hex_dim],
		request.h);
	request.w[1] = random_between(seed, 1, 5);
	request.w[1] = dims == 1 ? -1 : request.w[1];
	request.opt.shared = false;
	t = tile_of_request(state, &b, &request);
	if (!execution_is_right(&b, NULL, false, NULL) ||
	    !execution_is_right(&b, &t, false, NULL) ||
	    !execution_is_right(&b, &t, true, NULL))
		fail_msg("%s with %s, h = %d, w0 = %d", text, sizes, request.h,
			request.w[0]);
}

enum { RANDOM_PROGRAMS = 60 };

static void test_random_programs(void **state)
{
	unsigned seed = 2017;

	for (int i = 0; i < RANDOM_PROGRAMS; i++)
		check_random_program(state, &seed);
}

static const struct CMUnitTest tests[] = {
	ISL_TEST(test_execution),
	ISL_TEST(test_copy_statements_are_needed),
	ISL_TEST(test_random_programs),
};

const struct subject execution_tests = SUBJECT(tests);
