/* Variants as brackets. */
#include "tests/unit/graph.h"

static void brackets(int n_levels, const char *given, const char *want)
{
	struct region *mem = region_new();
	struct graph *g = diffusion(mem);
	struct text t = { 0 };
	const char *why;
	struct variant *v = variant_parse(mem, g, n_levels, given, &why);

	if (!v)
		fail_msg("%s: %s", given, why);
	variant_print(&t, g, n_levels, v);
	assert_string_equal(t.bytes, want);
	text_free(&t);
	region_free(mem);
}

static void test_brackets(void **state)
{
	(void) state;
	brackets(2, "[[lap,fli],[flj,out]]", "[[lap,fli],[flj,out]]");
	brackets(2, "[lap, fli, flj, out]", "[lap,fli,flj,out]");
	brackets(4, "[lap,fli,flj,out]", "[lap,fli,flj,out]");
	brackets(4, "[[[lap,fli],[flj,out]]]", "[[[lap,fli],[flj,out]]]");
	brackets(2, " [ [lap] , [flj] , [fli, out] ]",
		"[[lap],[flj],[fli,out]]");
}

static void refused(const char *given, const char *want)
{
	struct region *mem = region_new();
	const char *why = NULL;

	assert_null(variant_parse(mem, diffusion(mem), 2, given, &why));
	assert_string_equal(why, want);
	region_free(mem);
}

static void test_brackets_refused(void **state)
{
	(void) state;
	refused("", "it does not start with '['");
	refused("[", "a name or a bracket is missing");
	refused("[lap", "a ',' or ']' is missing");
	refused("[lap,]", "a name or a bracket is missing");
	refused("[lap]]", "something stands behind the last bracket");
	refused("[x]", "nothing computes 'x'");
	refused("[lap,lap]", "'lap' stands twice");
	refused("[lap,fli,out]", "'flj' is missing");
	refused("[fli,lap,flj,out]",
		"'fli' stands before 'lap', which it reads");
	refused("[[[lap]]]",
		"it nests deeper than the 2 levels of the machine");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_brackets),
	cmocka_unit_test(test_brackets_refused),
};

const struct subject variant_tests = SUBJECT(tests);
