/* The model against its papers, a file for each subject: every number that they
 * let one reproduce, enumeration where they give formulas for shapes, and
 * properties.
 */
#include "tests/unit/model.h"

int main(void)
{
	static const struct subject *const subjects[] = {
		&traffic_tests, &hexagon_tests, &count_tests, &time_tests,
		&property_tests, &search_tests, &machine_tests, &switch_tests,
		&report_tests, &strip_tests, &skew_tests,
		&network_tests, &core_tests,
	};

	return subjects_run(subjects, COUNT(subjects));
}
