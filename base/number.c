#include "base/number.h"

int64_t greatest_common_divisor(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a < 0 ? -a : a;
}

int64_t least_common_multiple(int64_t a, int64_t b)
{
	return a / greatest_common_divisor(a, b) * b;
}
