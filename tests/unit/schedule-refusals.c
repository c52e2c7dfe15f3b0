/* Sizes and programs that a strategy refuses, and what it says. */
#include "tests/unit/schedule.h"

#include <string.h>

/* All messages so far. */
static const char *messages(struct fixture *f)
{
	long length = ftell(f->out);
	char *text = region_alloc(f->mem, (size_t) length + 1);

	rewind(f->out);
	assert_int_equal(fread(text, 1, (size_t) length, f->out), length);
	return text;
}

/* One error, which says "message". */
static void check_refusal(void **state, const struct strategy *strategy,
	const char *text, const struct tile_request *request,
	const char *message)
{
	struct fixture *f = *state;
	struct built b = build(state, text, "");
	unsigned errors = f->diags.errors;
	int n;

	rewind(f->out);
	assert_null(plan_of(state, &b, strategy, request, &n));
	assert_int_equal(f->diags.errors, errors + 1);
	if (!strstr(messages(f), message))
		fail_msg("%s", messages(f));
}

static void test_refusals(void **state)
{
	static const char far1d[] =
		"stencil p { param int T, N; state float A[N];"
		" iterate t = 0 .. T { A[t+1][i] = A[t-1][i-4] + A[t-1][i+4]"
		" + A[t-2][i]; } }";
	static const struct {
		const char *text;
		int h, w[3];
		const char *message;
	} table[] = {
		{ skew, 2, { 0, -1, -1 }, "w0 = 0: with delta0 = 1" },
		{ skew, 2, { 0, -1, -1 }, "the base must be w0 >= 1, or two "
		  "tiles of one phase depend on each other [tile]" },
		{ fdtd2d, 3, { 3, 8, -1 }, "h = 3: h + 1 must be a multiple "
		  "of the 3 statements of a step; the next is h = 5 [tile]" },
		{ heat2d, 2, { 3, 0, -1 }, "w1 = 0: a width is at least 1 "
		  "[tile]" },
		{ heat2d, 2, { 3, 8, 8 }, "w2: the program has 2 space "
		  "dimensions [tile]" },
		/* (w0 + 2h + 3) * (w1 + 2h + 3) * 2 * 4 */
		{ heat2d, 7, { 9, 512, -1 }, "the tile needs 110032 bytes of "
		  "shared memory, a block of h200 has 49152; take smaller sizes or "
		  "'--shared=none' [tile]" },
		{ far1d, 0, { 2, -1, -1 }, "w0 = 2: 'A' is read so far away "
		  "that the copies of neighbouring tiles overlap; take a "
		  "greater w0 or '--shared=none' [tile]" },
	};

	for (size_t i = 0; i < COUNT(table); i++) {
		struct tile_request request = tile_request_default();

		request.opt = plain_opt;
		request.shared_bytes = 48 * 1024;
		request.h = table[i].h;
		memcpy(request.w, table[i].w, sizeof(table[i].w));
		check_refusal(state, &strategy_hex, table[i].text, &request,
			table[i].message);
	}
}

static void test_rows_ahead_refused(void **state)
{
	static const struct {
		const char *text;
		int p;
		bool async;
		const char *message;
	} table[] = {
		{ heat2d, 2, false, "2 rows ahead are not in turn with the 3 of "
		  "a version that are kept; p is 0 or divides these [tile]" },
		{ heat2d, 3, true, "p = 3: --async copies rows ahead; p is 0 "
		  "[tile]" },
		{ jacobi1d, 1, false, "p = 1: in one dimension there are no rows "
		  "to load ahead [tile]" },
		{ heat2d, 33, false, "p = 33: it is at least 0 and at most 32 "
		  "[tile]" },
	};

	for (size_t i = 0; i < COUNT(table); i++) {
		struct tile_request request = tile_request_default();

		request.b = 2;
		request.p = table[i].p;
		request.opt.async = table[i].async;
		check_refusal(state, &strategy_stream, table[i].text, &request,
			table[i].message);
	}
}

static void test_strips_refused(void **state)
{
	static const struct {
		const char *text, *why;
	} table[] = {
		{ "stencil p { param int T, N; state int A[N];"
		  " iterate t = 0 .. T { A[t+1][i] = A[t][i-1]; } }",
		  "integers" },
		{ "stencil p { param int T, N; state float A[N], B[N+1];"
		  " boundary A = periodic;"
		  " iterate t = 0 .. T { A[t+1][i] = A[t][i-1];"
		  " B[t+1][i] = B[t][i-1]; } }", "differ in size" },
		{ "stencil p { param int T, N; state float A[N], B[N+1];"
		  " boundary A = clamp;"
		  " iterate t = 0 .. T { A[t+1][i] = A[t][i-1];"
		  " B[t+1][i] = A[t][i+1]; } }", "another size" },
		{ "stencil p { param int T, N; state float A[N], B[N][N];"
		  " iterate t = 0 .. T { A[t+1][i] = A[t][i-1];"
		  " B[t+1][i][j] = B[t][i-1][j]; } }", "all dimensions" },
		{ "stencil p { param int T, N; state float A[N];"
		  " iterate t = 0 .. T { on (i % 2 == 0) A[t+1][i] = A[t][i];"
		  " on (i % 2 == 1) A[t+1][i] = A[t][i-1]; } }",
		  "one statement for each state" },
	};

	for (size_t i = 0; i < COUNT(table); i++) {
		struct built b = build(state, table[i].text, "");
		const char *why = strategy_stream.applies(b.scop);

		assert_non_null(why);
		assert_non_null(strstr(why, table[i].why));
	}
}

static const struct CMUnitTest tests[] = {
	ISL_TEST(test_refusals),
	ISL_TEST(test_rows_ahead_refused),
	ISL_TEST(test_strips_refused),
};

const struct subject refusal_tests = SUBJECT(tests);
