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

/* Of other integers all bits, see test_integer(). */
#define TEST_INTEGER(type)                                                    \
	template <> type test_value<type>(int field, size_t i)                \
	{                                                                     \
		return (type) test_integer(field, i);                         \
	}
TEST_INTEGER(int8_t)
TEST_INTEGER(uint8_t)
TEST_INTEGER(int16_t)
TEST_INTEGER(uint16_t)
TEST_INTEGER(uint32_t)
TEST_INTEGER(int64_t)
TEST_INTEGER(uint64_t)
#undef TEST_INTEGER

struct test_half_bits {
	uint16_t bits;

	explicit test_half_bits(double x) : bits(test_half((float) x)) {}
};

struct test_bfloat_bits {
	uint16_t bits;

	explicit test_bfloat_bits(double x) : bits(test_bfloat((float) x)) {}
};

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
