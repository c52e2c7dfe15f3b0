/* What the plain interpreter and the programs that are compared with it share:
 * the values that fields have at first, and the sum of those that they have in
 * the end.
 */
#ifndef TESTS_INTERPRET_H
#define TESTS_INTERPRET_H

#include <stddef.h>
#include <stdint.h>

/* Of reals that were given no value. */
#define TEST_REAL 0.375

/* The value of cell "i" of all copies of field "field". */
static inline int test_int(int field, size_t i)
{
	uint32_t h = (uint32_t) i * 2654435761u ^
		(uint32_t) (field + 1) * 40503u;

	h ^= h >> 15;
	h *= 2246822519u;
	h ^= h >> 13;
	return (int) (h % 15) - 7;
}

static inline double test_real(int field, size_t i)
{
	return test_int(field, i) / 8.0 + test_int(field + 7, i) / 1024.0;
}

/* The value of cell "i" of a field of places from "low" to "high": the first two points
 * coincide, the third has the ends.
 */
static inline int test_place(int field, size_t i, int low, int high)
{
	unsigned h = (unsigned) (test_int(i < 2 ? 0 : field, i < 2 ? 0 : i) + 7);

	h = h * 15 + (unsigned) (test_int(i < 2 ? 1 : field, i < 2 ? 0 :
		i + 1000) + 7);
	if (i % 16 == 2)
		return field % 2 ? high : low;
	return low + (int) (h % (unsigned) (high - low + 1));
}

/* Likewise between cells, some of them on one. */
static inline double test_place_between(int field, size_t i, int low, int high)
{
	int x = test_place(field, i, low, high);

	return x < high && i % 5 ? x + (test_int(field, i / 2 * 2) + 7) / 16.0 :
		x;
}

/* FNV-1a */
static inline uint64_t test_sum(const void *p, size_t bytes)
{
	const unsigned char *byte = (const unsigned char *) p;
	uint64_t sum = 14695981039346656037u;

	for (size_t i = 0; i < bytes; i++)
		sum = (sum ^ byte[i]) * 1099511628211u;
	return sum;
}

#endif
