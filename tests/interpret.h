/* What the plain interpreter and the programs that are compared with it share:
 * the values that fields have at first, and the sum of those that they have in
 * the end.
 */
#ifndef TESTS_INTERPRET_H
#define TESTS_INTERPRET_H

#include <math.h>
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

/* "x" as a number of 16 bits, "digits" of them after the point and the rest but the sign an
 * exponent with "bias": the nearest, of two the even one.
 */
static inline uint16_t test_16_bits(double x, int digits, int bias)
{
	const double infinity = ldexp(2 * bias + 1, digits);
	double bits;
	int e;

	frexp(x, &e);
	e = x == 0 || e - 1 < 1 - bias ? 1 - bias : e - 1;
	bits = nearbyint(ldexp(fabs(x), digits - e)) + ldexp(e + bias - 1, digits);
	if (x != x)
		bits = infinity + 1;
	else if (!(bits < infinity))
		bits = infinity;
	return (uint16_t) ((signbit(x) ? 0x8000 : 0) + (int) bits);
}

static inline double test_of_16_bits(uint16_t bits, int digits, int bias)
{
	const int one = 1 << digits, e = (bits & 0x7fff) / one;
	const int rest = bits % one;
	double x = e ? ldexp(one + rest, e - bias - digits) :
		ldexp(rest, 1 - bias - digits);

	if (e == 2 * bias + 1)
		x = rest ? (double) NAN : (double) INFINITY;
	return bits & 0x8000 ? -x : x;
}

static inline uint16_t test_half(double x)
{
	return test_16_bits(x, 10, 15);
}

static inline double test_of_half(uint16_t bits)
{
	return test_of_16_bits(bits, 10, 15);
}

static inline uint16_t test_bfloat(double x)
{
	return test_16_bits(x, 7, 127);
}

static inline double test_of_bfloat(uint16_t bits)
{
	return test_of_16_bits(bits, 7, 127);
}

/* The value of cell "i" of a field of integers that are no ints: 24 bits, so that the short ones
 * have all theirs.
 */
static inline int64_t test_integer(int field, size_t i)
{
	const uint64_t high = (uint64_t) (test_int(field + 3, i) + 7);
	const uint64_t low = (uint64_t) (test_int(field + 5, i) + 7);

	return (int64_t) ((high * 15 + low) * 0x9e3779b97f4a7c15u >> 40);
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
