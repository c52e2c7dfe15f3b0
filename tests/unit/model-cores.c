/* The time of tiles on the cores of a CPU: when the last of them ends a phase of hexagons. */
#include "tests/unit/model.h"

#include <math.h>

#include "model/terms.h"

#include "model/choose_hexagons.inc"

enum { MOST_CORES = 9, MOST_TILES = 12, EIGHTHS = 8 };

/* Give the next hexagon, which takes so long, to the core that is free first. */
static void take(double *free_at, int cores, double time)
{
	int first = 0;

	for (int i = 1; i < cores; ++i)
		if (free_at[i] < free_at[first])
			first = i;
	free_at[first] += time;
}

static double last(const double *free_at, int cores)
{
	double latest = 0;

	for (int i = 0; i < cores; ++i)
		latest = fmax(latest, free_at[i]);
	return latest;
}

/* A phase as it is: "first" and "end" parts of a hexagon, "whole" ones between them. */
static double executed(int cores, double first, int whole, double end)
{
	double free_at[MOST_CORES] = { 0 };

	if (first > 0)
		take(free_at, cores, first);
	for (int i = 0; i < whole; ++i)
		take(free_at, cores, 1);
	take(free_at, cores, end);
	return last(free_at, cores);
}

static void phases_end_as_executed(void **state)
{
	(void) state;
	for (int cores = 1; cores <= MOST_CORES; ++cores)
		for (int whole = 0; whole <= MOST_TILES; ++whole)
			for (int end = 0; end < EIGHTHS; ++end)
				for (int half = 0; half < 2; ++half)
					near(stencilc_phase(cores, 0.5 * half,
						whole, end / (double) EIGHTHS),
						executed(cores, 0.5 * half,
							whole, end /
							(double) EIGHTHS), 1e-12);
}

/* 300 planes on two cores: six hexagons of 50 are shared out evenly, 4.3 of 70 are not. */
static void even_numbers_are_balanced(void **state)
{
	struct stencilc_hexagons x = { .dims = 3 };

	(void) state;
	near(stencilc_imbalance(&x, 2, 50, 300), 1, 1e-12);
	near(stencilc_imbalance(&x, 1, 70, 300), 1, 1e-12);
	near(stencilc_imbalance(&x, 2, 70, 300), 2 * 70 / (2 * 300.0) *
		(2 + 20 / 70.0 + 0.5 + 1 + (300 - 245) / 70.0), 1e-12);
	near(stencilc_imbalance(&x, 8, 700, 300), 8, 1e-12);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(phases_end_as_executed),
	cmocka_unit_test(even_numbers_are_balanced),
};

const struct subject core_tests = SUBJECT(tests);
