/* schedule: the tiling against enumeration, a file for each subject. */
#include "tests/unit/schedule.h"

int main(void)
{
	static const struct subject *const subjects[] = {
		&hexagon_tests, &deps_tests, &order_tests, &execution_tests,
		&footprint_tests, &full_tests, &strip_tests, &refusal_tests,
		&dim_tests, &size_tests,
	};

	return subjects_run(subjects, COUNT(subjects));
}
