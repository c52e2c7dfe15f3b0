/* Arithmetic that many files share. */
#ifndef STENCILC_NUMBER_H
#define STENCILC_NUMBER_H

#include <stdint.h>

#define NUMBERS_OF(type, suffix) \
	static inline type smaller_##suffix(type a, type b) \
	{ return a < b ? a : b; } \
	static inline type larger_##suffix(type a, type b) \
	{ return a > b ? a : b; }

NUMBERS_OF(int, int)
NUMBERS_OF(unsigned, unsigned)
NUMBERS_OF(int64_t, int64)

#undef NUMBERS_OF

/* The smaller and the larger of two numbers, converted as C does. */
#define smaller(a, b) NUMBER_BY_TYPE(smaller, a, b)
#define larger(a, b) NUMBER_BY_TYPE(larger, a, b)
#define NUMBER_BY_TYPE(name, a, b) _Generic((a) + (b), \
	int: name##_int, unsigned: name##_unsigned, \
	int64_t: name##_int64)(a, b)

/* Quotients for b > 0, rounded down and up. */
static inline int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static inline int64_t ceil_div(int64_t a, int64_t b)
{
	return -floor_div(-a, b);
}

static inline int64_t floor_mod(int64_t a, int64_t b)
{
	return a - floor_div(a, b) * b;
}

/* Round "n" >= 0 up to a multiple of "unit". */
static inline int64_t round_up(int64_t n, int64_t unit)
{
	return (n + unit - 1) / unit * unit;
}

/* The greatest d >= 0 that divides both; for 0 and b it is |b|. */
int64_t greatest_common_divisor(int64_t a, int64_t b);
/* The least multiple of both, a and b > 0. */
int64_t least_common_multiple(int64_t a, int64_t b);

#endif
