/* Graphs of stencils, a file for each subject. */
#include "tests/unit/graph.h"

int main(void)
{
	static const struct subject *const subjects[] = {
		&count_tests, &map_tests, &search_tests, &order_tests,
		&variant_tests,
	};

	return subjects_run(subjects, COUNT(subjects));
}
