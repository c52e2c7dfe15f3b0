#include "tests/unit/subjects.h"

#include "base/base.h"

int subjects_run(const struct subject *const subject[], size_t n)
{
	struct region *r = region_new();
	struct CMUnitTest *all;
	size_t n_tests = 0;
	int failed;

	for (size_t i = 0; i < n; i++)
		n_tests += subject[i]->n;
	all = region_array(r, struct CMUnitTest, n_tests);
	n_tests = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < subject[i]->n; j++)
			all[n_tests++] = subject[i]->test[j];
	failed = _cmocka_run_group_tests("tests", all, n_tests, NULL, NULL);
	region_free(r);
	return failed;
}
