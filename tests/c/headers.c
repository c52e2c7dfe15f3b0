/* Headers that come with a compiler.
 *
 * needs: omp.h
 */
#include <float.h>
#include <iso646.h>
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>
#include <tgmath.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif
#include "data.h"

static float a[50], b[50];

static void run(size_t steps, omp_sched_t schedule)
{
	bool done = false;

#pragma scop
	for (size_t t = 0; t < steps; t++) {
		for (int i = 1; i < 49; i++)
			b[i] = fabsf(a[i-1]) + a[i+1];
		for (int i = 1; i < 49; i++)
			a[i] = b[i];
	}
#pragma endscop
	printf("%d %d\n", done, schedule == omp_sched_static);
}

int main(void)
{
	fill_float(a, 50);
	run(4, omp_sched_static);
	print_float("a", a, 50);
	print_float("b", b, 50);
	return 0;
}
