/* What the unit tests of the model share. */
#ifndef STENCILC_TESTS_UNIT_MODEL_H
#define STENCILC_TESTS_UNIT_MODEL_H

#include "model/model.h"
#include "tests/unit/subjects.h"

extern const struct subject traffic_tests, hexagon_tests, count_tests,
	time_tests, property_tests, search_tests, machine_tests, switch_tests,
	report_tests, strip_tests, skew_tests, network_tests, core_tests;

/* model-helpers.c -------------------------------------------------------- */

void near(double got, double want, double relative);
void same(double got, double want);
/* "got" printed with "fmt" is "want": the paper's digits. */
void digits(const char *fmt, double got, const char *want);
struct switches switches_of(struct region *r, const char *text);
double citer_named(const struct machine *m, const char *name);
/* A query for a cube (square) of "size", radius 1, floats. */
struct hex_query query_of(struct region *r, const char *machine,
	const struct switches *s, int dims, int64_t steps, int64_t size,
	double citer_s);

static inline unsigned next_random(unsigned *seed)
{
	*seed = (unsigned) (*seed * UINT64_C(1664525) + 1013904223);
	return *seed >> 8;
}

#endif
