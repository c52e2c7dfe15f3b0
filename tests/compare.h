/* For the functions that tests/interpret prints: fields for emitted functions,
 * and what became of them.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/interpret.h"

template <typename type> static type test_value(int field, size_t i)
{
	return (type) test_real(field, i);
}

template <> int test_value<int>(int field, size_t i)
{
	return test_int(field, i);
}

/* Places from "low" to "high", see test_place(). */
static inline void test_places(int *places, int field, long long cells,
	int low, int high)
{
	for (long long i = 0; i < cells; i++)
		places[i] = test_place(field, i, low, high);
}

template <typename type> static void test_places(type *places, int field,
	long long cells, int low, int high)
{
	for (long long i = 0; i < cells; i++)
		places[i] = (type) test_place_between(field, i, low, high);
}

template <typename type> static void *test_field(int field, long long cells)
{
	type *p = (type *) malloc(cells * sizeof(type));

	for (long long i = 0; i < cells; i++)
		p[i] = test_value<type>(field, i);
	return p;
}

static int test_status(const char *what, const char *args, int got,
	int expected)
{
	if (got == expected)
		return 0;
	printf("%s %s: the result is %d instead of %d\n", what, args, got,
		expected);
	return 1;
}

static int test_same(const char *what, const char *args, const char *field,
	void *p, size_t bytes, uint64_t sum)
{
	int wrong = test_sum(p, bytes) != sum;

	if (wrong)
		printf("%s %s: '%s' differs from what the interpreter "
			"computes\n", what, args, field);
	free(p);
	return wrong;
}
