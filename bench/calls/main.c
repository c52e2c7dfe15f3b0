/* CALLS runs of STEPS steps by a plan, and one of all of them, by turns. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "jacobi2d.h"

enum { TURNS = 5 };

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

static float *new_field(void)
{
	float *a = malloc(sizeof(float) * SIDE * SIDE);

	for (int i = 0; a && i < SIDE * SIDE; i++)
		a[i] = (float) (i % 97);
	return a;
}

int main(void)
{
	float *one = new_field(), *many = new_field();
	double least_one = 1e9, least_many = 1e9;
	jacobi2d_plan *plan;

	if (!one || !many || jacobi2d_create(&plan, SIDE, SIDE))
		return 1;
	for (int turn = 0; turn < TURNS; turn++) {
		const double start = seconds();

		if (jacobi2d(STEPS * CALLS, SIDE, SIDE, one))
			return 1;
		const double middle = seconds();

		for (int i = 0; i < CALLS; i++)
			if (jacobi2d_run(plan, STEPS, many))
				return 1;
		const double end = seconds();

		if (middle - start < least_one)
			least_one = middle - start;
		if (end - middle < least_many)
			least_many = end - middle;
	}
	printf("one run of %d steps: %.2f us a step\n%d runs of %d steps by a "
		"plan: %.2f us a step, %.3f times\n%s\n", STEPS * CALLS,
		least_one * 1e6 / STEPS / CALLS, CALLS, STEPS, least_many * 1e6
		/ STEPS / CALLS, least_many / least_one, memcmp(one, many,
			sizeof(float) * SIDE * SIDE) ? "not the same" :
		"the same, bit for bit");
	jacobi2d_destroy(plan);
	free(one);
	free(many);
	return 0;
}
