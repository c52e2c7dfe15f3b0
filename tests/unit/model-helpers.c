/* Numbers compared, and queries made. */
#include "tests/unit/model.h"

#include <math.h>
#include <stdio.h>

void near(double got, double want, double relative)
{
	if (fabs(got - want) > relative * fabs(want))
		fail_msg("%.17g is not %.17g", got, want);
}

void same(double got, double want)
{
	near(got, want, 1e-12);
}

void digits(const char *fmt, double got, const char *want)
{
	char text[64];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(text, sizeof(text), fmt, got);
#pragma GCC diagnostic pop
	assert_string_equal(text, want);
}

struct switches switches_of(struct region *r, const char *text)
{
	struct switches s;
	const char *wrong = switches_parse(r, text, &s);

	if (wrong)
		fail_msg("%s", wrong);
	return s;
}

double citer_named(const struct machine *m, const char *name)
{
	struct instruction_mix none = { 0 };
	struct citer c = citer_of(m, name, "recommended", &none);

	assert_false(c.estimated);
	return c.seconds;
}

struct hex_query query_of(struct region *r, const char *machine,
	const struct switches *s, int dims, int64_t steps, int64_t size,
	double citer_s)
{
	struct hex_shape *shape = region_new_of(r, struct hex_shape);
	struct hex_query q;

	*shape = hex_radius_1(r, dims, 4);
	q = hex_query_of(machine_find(r, machine), s, shape);
	q.steps = steps;
	for (int d = 0; d < dims; ++d)
		q.size[d] = size;
	for (int i = 0; i < MODEL_MAX_STATEMENTS; ++i)
		q.work.citer_s[i] = citer_s;
	return q;
}
