/* The kernel tree: what a target's words make of it, and passes on it. */
#include "codegen/tree/lower.h"
#include "codegen/tree/print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state)
{
	*state = region_new();
	return 0;
}

static int tear_down(void **state)
{
	region_free(*state);
	return 0;
}

static void is_printed(const struct spelling *say, const struct kx *x,
	const char *expected)
{
	struct text t = { 0 };

	print_kx(&t, say, x);
	assert_string_equal(t.bytes, expected);
	text_free(&t);
}

/* CUDA has a word for all that kernels and their hosts do. */
/* A boundary has words of its own; HIP copies nothing ahead, and has no clusters. */
static void test_all_have_words(void **state)
{
	(void) state;
	for (int b = B_NONE + 1; b < N_BUILTINS; b++) {
		if (b >= B_STAND_IN && b < B_IS_INSIDE)
			continue;
		assert_non_null(builtin_word(&spelling_cuda,
			(enum builtin) b));
		if ((b < B_COPY_AHEAD || b > B_BULK_FENCE) &&
		    (b < B_CLUSTER_BARRIER || b > B_CLUSTER_SHARED) &&
		    b != B_WARP_BARRIER)
			assert_non_null(builtin_word(&spelling_hip,
				(enum builtin) b));
	}
}

static void test_expressions(void **state)
{
	struct region *r = *state;
	const struct kx *a = kx_name(r, "a"), *b = kx_name(r, "b");
	const struct kx *extent[] = { a, kx_int(r, 4) };
	const struct spelling *cuda = &spelling_cuda;

	is_printed(&spelling_c, kx_min(r, a, kx_add(r, b, 1)),
		"imin(a, b + 1)");
	is_printed(cuda, kx_axis(r, B_THREAD, 0), "threadIdx.x");
	is_printed(cuda, kx_axis(r, B_BLOCKS, 2), "gridDim.z");
	is_printed(cuda, kx_extents(r, 2, extent), "dim3(a, 4)");
	is_printed(cuda, kx_builtin(r, B_ALL_LANES, 1, a),
		"__all_sync(0xffffffffu, a)");
	is_printed(cuda, kx_builtin(r, B_DEREFERENCE, 1, kx_add(r, a, 1)),
		"*(a + 1)");
	is_printed(cuda, kx_move(r, B_LOAD, TYPE_FLOAT, 4, a, b),
		"stencilc_load_float4(a, b)");
	is_printed(cuda, kx_builtin(r, W_SUCCESS, 0), "cudaSuccess");
	is_printed(cuda, kx_builtin(r, RT_LAST_ERROR, 0),
		"cudaGetLastError()");
	is_printed(cuda, kx_sizeof(r, ctype_of(TYPE_DOUBLE)),
		"sizeof(double)");
}

static void is_declared(struct ctype type, const char *expected)
{
	struct text t = { 0 };

	print_declarator(&t, &spelling_cuda, type, "x");
	assert_string_equal(t.bytes, expected);
	text_free(&t);
}

static void test_types(void **state)
{
	struct ctype restricted = ctype_pointer(CT_FLOAT, true);

	(void) state;
	restricted.is_restrict = true;
	is_declared(ctype(CT_LONG), "long long x");
	is_declared(ctype_const(CT_INT), "const int x");
	is_declared(ctype_pointer(CT_DOUBLE, true), "const double *x");
	is_declared(ctype_fixed(CT_VOID, false), "void *const x");
	is_declared(restricted, "const float *__restrict__ x");
	is_declared((struct ctype) { .scalar = CT_FLOAT, .lanes = 4 },
		"float4 x");
	is_declared(ctype(CT_STREAM), "cudaStream_t x");
	assert_int_equal(ctype_bytes((struct ctype) { .scalar = CT_DOUBLE,
		.lanes = 2 }), 16);
	assert_int_equal(ctype_bytes(restricted), 0);
	assert_true(ctype_is_constant(ctype_fixed(CT_VOID, false)));
	assert_false(ctype_is_constant(restricted));
}

static void test_same(void **state)
{
	struct region *r = *state;
	const struct kx *a = kx_name(r, "a"), *b = kx_name(r, "b");

	assert_true(kx_same(kx_min(r, a, b), kx_min(r, a, b)));
	assert_false(kx_same(kx_min(r, a, b), kx_max(r, a, b)));
	assert_false(kx_same(kx_axis(r, B_BLOCK, 0), kx_axis(r, B_BLOCK, 1)));
	assert_false(kx_same(kx_cast(r, ctype(CT_INT), a),
		kx_cast(r, ctype(CT_LONG), a)));
}

static void is_directive(struct directive d, const char *expected)
{
	struct text t = { 0 };

	print_directive(&t, &d);
	assert_string_equal(t.bytes, expected);
	text_free(&t);
}

static void test_directives(void **state)
{
	(void) state;
	is_directive((struct directive) { .kind = OMP_SIMD, .lanes = 8 },
		"simd simdlen(8)");
	is_directive((struct directive) { .kind = OMP_FOR_SIMD,
		.schedule = OMP_STATIC, .nowait = true },
		"for simd schedule(static) nowait");
	is_directive((struct directive) { .kind = OMP_FOR, .collapse = 2,
		.schedule = OMP_RUNTIME },
		"for collapse(2) schedule(runtime)");
}

/* A number in place of a name decides conditions. */
static void test_values_in_place(void **state)
{
	struct region *r = *state;
	const struct kx *a = kx_name(r, "a"), *b = kx_name(r, "b");
	struct ks *then = ks_assign(r, b, kx_max(r, a, kx_int(r, 3)));
	struct ks *s = ks_if(r, kx_binary(r, OP_LT, a, kx_int(r, 5)), then,
		ks_assign(r, b, a));

	s = ks_with(r, s, "a", kx_int(r, 4));
	assert_int_equal(s->kind, KS_ASSIGN);
	is_printed(&spelling_c, s->x[1], "4");
	assert_false(ks_uses(s, "a"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_all_have_words),
		TEST(test_expressions),
		TEST(test_types),
		TEST(test_same),
		TEST(test_directives),
		TEST(test_values_in_place),
	};

	return cmocka_run_group_tests_name("codegen", tests, NULL, NULL);
}
