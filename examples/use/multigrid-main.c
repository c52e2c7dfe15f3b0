/* Poisson's equation by multigrid: cycles over grids of half as many points each, of three programs.
 *
 *	for p in mgrelax mgcoarse mgfine; do
 *		stencilc examples/$p.stn --target=c -o $p.c --header=$p.h
 *	done
 *	gcc -O3 -march=native -fopenmp -I. examples/use/multigrid-main.c mgrelax.c mgcoarse.c mgfine.c \
 *		-o multigrid -lm
 *	./multigrid 1025
 *
 * -laplace(u) = f on the unit square, u = 0 at its edges, where f is that of u = sin(pi*x) * sin(2*pi*y).  Prints
 * the points along a side, the cycles until the residual has fallen to 1e-10 of the first one, the greatest
 * factor by which a cycle has reduced it, and the greatest error.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mgcoarse.h"
#include "mgfine.h"
#include "mgrelax.h"

enum { MOST_CYCLES = 30, BEFORE = 2, BEHIND = 1, ON_COARSEST = 8 };

static void check(const char *what, int status)
{
	if (status == 0)
		return;
	fprintf(stderr, "multigrid: %s returns %d\n", what, status);
	exit(1);
}

static double *new_grid(int n)
{
	double *grid = (double *) calloc((size_t) n * (size_t) n, sizeof(*grid));

	if (!grid)
		check("calloc", -3);
	return grid;
}

/* Improve "u" on n x n points, "f" times the square of their distance; returns the residual
 * that is left.
 */
static double cycle(int n, double *u, const double *f)
{
	int half = n / 2 + 1;
	double residual, *error, *coarse;

	if (n <= 3) {
		check("mgrelax", mgrelax(ON_COARSEST, n, n, u, f, &residual));
		return residual;
	}
	error = new_grid(half);
	coarse = new_grid(half);
	check("mgrelax", mgrelax(BEFORE, n, n, u, f, &residual));
	check("mgcoarse", mgcoarse(n, n, u, f, coarse));
	cycle(half, error, coarse);
	check("mgfine", mgfine(n, n, u, error));
	check("mgrelax", mgrelax(BEHIND, n, n, u, f, &residual));
	free(error);
	free(coarse);
	return residual;
}

static double solution(int n, int i, int j)
{
	const double pi = 3.14159265358979323846;

	return sin(pi * i / (n - 1)) * sin(2 * pi * j / (n - 1));
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 513, cycles = 0;
	const double pi = 3.14159265358979323846, h = 1.0 / (n - 1);
	double *u, *f, first = 0, residual, worst = 0, error = 0;

	if (n < 3 || ((n - 1) & (n - 2))) {
		fprintf(stderr, "multigrid: %d is no power of 2, and 1\n", n);
		return 2;
	}
	u = new_grid(n);
	f = new_grid(n);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			f[i * n + j] = 5 * pi * pi * h * h * solution(n, i, j);
			first = fmax(first, fabs(f[i * n + j]));
		}
	for (double before = first; cycles < MOST_CYCLES; before = residual) {
		residual = cycle(n, u, f);
		cycles++;
		worst = fmax(worst, residual / before);
		if (residual <= 1e-10 * first)
			break;
	}
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			error = fmax(error, fabs(u[i * n + j] -
				solution(n, i, j)));
	printf("%d points, %d cycles, factor %.3f, error %.3e\n", n, cycles,
		worst, error);
	free(u);
	free(f);
	return residual <= 1e-10 * first ? 0 : 1;
}
