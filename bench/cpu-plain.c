/* The plain nests that bench/cpu compares with: two arrays, all steps in one
 * parallel region, shared out by rows.  -DSTENCIL_jacobi2d -DREAL=double ..;
 * also a triad, for the bandwidth, and a loop of arithmetic in registers.
 * -DNESTS='"file"': the nests of that file.
 *
 *	plain STEPS SIZE [REPEAT [FILE]]
 *
 * FILE gets the last version of the cells after all runs.
 */
#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#include <time.h>

typedef REAL real;

#define C(x) ((real) x)
#define FOR(i, n) for (int i = 1; i < (n) - 1; i++)
#define PARALLEL _Pragma("omp for schedule(static)")
#define SIMD _Pragma("omp simd")

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

#define ROOT(x) _Generic((real) 0, float: sqrtf, default: sqrt)(x)

#if defined NESTS
#define floord(n, d) ((n) < 0 ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
#define ceild(n, d) ((n) < 0 ? -(-(n) / (d)) : ((n) + (d) - 1) / (d))
#define max(x, y) ((x) > (y) ? (x) : (y))
#define min(x, y) ((x) < (y) ? (x) : (y))
#include NESTS
#elif defined STENCIL_jacobi1d
#define CELLS(n) ((size_t) (n))
#define FIELDS 2
static void run(int steps, int n, real *a)
{
	real (*A)[n] = (void *) a;

#pragma omp parallel
	for (int t = 0; t < steps; t++) {
		const real *restrict o = A[t % 2];
		real *restrict w = A[(t + 1) % 2];

#pragma omp for simd schedule(static)
		FOR(i, n)
			w[i] = C(0.333333) * (o[i - 1] + o[i] + o[i + 1]);
	}
}
#elif defined STENCIL_fdtd2d
#define CELLS(n) ((size_t) (n) * (n))
#define FIELDS 3
static void run(int steps, int n, real *a)
{
	real (*ex)[n] = (void *) a;
	real (*ey)[n] = (void *) (a + CELLS(n));
	real (*hz)[n] = (void *) (a + 2 * CELLS(n));

#pragma omp parallel
	for (int t = 0; t < steps; t++) {
		PARALLEL
		for (int i = 1; i < n; i++)
			SIMD
			for (int j = 0; j < n; j++)
				ey[i][j] = ey[i][j] - C(0.5) *
					(hz[i][j] - hz[i - 1][j]);
		PARALLEL
		for (int i = 0; i < n; i++)
			SIMD
			for (int j = 1; j < n; j++)
				ex[i][j] = ex[i][j] - C(0.5) *
					(hz[i][j] - hz[i][j - 1]);
		PARALLEL
		for (int i = 0; i < n - 1; i++)
			SIMD
			for (int j = 0; j < n - 1; j++)
				hz[i][j] = hz[i][j] - C(0.7) *
					(ex[i][j + 1] - ex[i][j] +
					 ey[i + 1][j] - ey[i][j]);
	}
}
#elif defined STENCIL_jacobi2d || defined STENCIL_heat2d || \
	defined STENCIL_gradient2d
#define CELLS(n) ((size_t) (n) * (n))
#define FIELDS 2
#if defined STENCIL_jacobi2d
#define VALUE C(0.2) * (o[i][j] + o[i - 1][j] + o[i + 1][j] + o[i][j - 1] + \
	o[i][j + 1])
#elif defined STENCIL_heat2d
#define VALUE C(0.125) * (o[i - 1][j - 1] + o[i - 1][j] + o[i - 1][j + 1] + \
	o[i][j - 1] + o[i][j + 1] + o[i + 1][j - 1] + o[i + 1][j] + \
	o[i + 1][j + 1])
#else
#define SQ(x) ((x) * (x))
#define VALUE o[i][j] + C(1) / ROOT(C(0.0001) + SQ(o[i][j] - o[i - 1][j]) + \
	SQ(o[i][j] - o[i + 1][j]) + SQ(o[i][j] - o[i][j - 1]) + \
	SQ(o[i][j] - o[i][j + 1]))
#endif
static void run(int steps, int n, real *a)
{
#pragma omp parallel
	for (int t = 0; t < steps; t++) {
		real (*restrict o)[n] = (void *) (a + t % 2 * CELLS(n));
		real (*restrict w)[n] = (void *) (a + (t + 1) % 2 * CELLS(n));

		PARALLEL
		FOR(i, n)
			SIMD
			FOR(j, n)
				w[i][j] = VALUE;
	}
}
#elif defined STENCIL_laplacian3d || defined STENCIL_heat3d
#define CELLS(n) ((size_t) (n) * (n) * (n))
#define FIELDS 2
#if defined STENCIL_laplacian3d
#define VALUE C(0.4) * o[i][j][k] + C(0.1) * (o[i - 1][j][k] + \
	o[i + 1][j][k] + o[i][j - 1][k] + o[i][j + 1][k] + o[i][j][k - 1] + \
	o[i][j][k + 1])
#else
#define ROW(i, j) + o[i][j][k - 1] + o[i][j][k] + o[i][j][k + 1]
#define VALUE C(0.037) * (o[i - 1][j - 1][k - 1] + o[i - 1][j - 1][k] + \
	o[i - 1][j - 1][k + 1] ROW(i - 1, j) ROW(i - 1, j + 1) \
	ROW(i, j - 1) ROW(i, j) ROW(i, j + 1) \
	ROW(i + 1, j - 1) ROW(i + 1, j) ROW(i + 1, j + 1))
#endif
static void run(int steps, int n, real *a)
{
#pragma omp parallel
	for (int t = 0; t < steps; t++) {
		real (*restrict o)[n][n] = (void *) (a + t % 2 * CELLS(n));
		real (*restrict w)[n][n] =
			(void *) (a + (t + 1) % 2 * CELLS(n));

		PARALLEL
		FOR(i, n)
			FOR(j, n)
				SIMD
				FOR(k, n)
					w[i][j][k] = VALUE;
	}
}
#elif defined STENCIL_triad
#define CELLS(n) ((size_t) (n))
#define FIELDS 3
static void run(int steps, int n, real *a)
{
	real *restrict b = a + n, *restrict c = a + 2 * (size_t) n;

#pragma omp parallel
	for (int t = 0; t < steps; t++)
#pragma omp for simd schedule(static)
		for (int i = 0; i < n; i++)
			a[i] = b[i] + C(0.5) * c[i];
}
#elif defined STENCIL_flops
/* Chains of multiplications and additions, twelve in the widest registers that
 * there are (wider vectors would live in memory): 32 operations for each of n
 * cells.
 */
#define CELLS(n) ((size_t) 1536)
#define FIELDS 1
#if defined __AVX512F__
#define WIDTH 64
#elif defined __AVX__
#define WIDTH 32
#else
#define WIDTH 16
#endif
typedef real line __attribute__((vector_size(WIDTH)));
static void run(int steps, int n, real *a)
{
	enum {
		CHAINS = 12, LANES = WIDTH / sizeof(real),
		ROUNDS = 1536 * 16 / (CHAINS * LANES),
	};

#pragma omp parallel
	{
		const line scale = (line) { 0 } + C(0.999);
		const line shift = (line) { 0 } + C(0.001);
		line x[CHAINS];

		memcpy(x, a, sizeof(x));
		for (int t = 0; t < steps; t++)
#pragma omp for schedule(static)
			for (int i = 0; i < n / 1536; i++)
				for (int k = 0; k < ROUNDS; k++)
					for (int c = 0; c < CHAINS; c++)
						x[c] = x[c] * scale + shift;
#pragma omp critical
		memcpy(a, x, sizeof(x));
	}
}
#endif

/* Cells in large pages where there are any. */
static real *allocate(size_t cells)
{
	const size_t page = (size_t) 1 << 21;
	const size_t bytes = (cells * sizeof(real) + page - 1) / page * page;
	real *a = aligned_alloc(page, bytes);

#ifdef MADV_HUGEPAGE
	if (a)
		(void) madvise(a, bytes, MADV_HUGEPAGE);
#endif
	return a;
}

/* Of two fields, which take turns, the one that was written last. */
static int save(const char *path, const real *a, size_t cells, int steps)
{
	FILE *file = fopen(path, "wb");
	const size_t count = FIELDS == 2 ? cells : FIELDS * cells;
	int written;

	if (!file)
		return 0;
	if (FIELDS == 2)
		a += steps % 2 * cells;
	written = fwrite(a, sizeof(real), count, file) == count;
	return !fclose(file) && written;
}

int main(int argc, char **argv)
{
	const int steps = argc > 1 ? atoi(argv[1]) : 10;
	const int n = argc > 2 ? atoi(argv[2]) : 1000;
	const int repeat = argc > 3 ? atoi(argv[3]) : 1;
	const size_t cells = FIELDS * CELLS(n);
	real *a = allocate(cells);
	double best = 0;

	if (!a)
		return 1;
#pragma omp parallel for schedule(static)
	for (size_t i = 0; i < cells; i++)
		a[i] = (real) (i % 1013) / 1013;
	for (int k = 0; k < repeat; k++) {
		double s = seconds();

		run(steps, n, a);
		s = seconds() - s;
		if (k == 0 || s < best)
			best = s;
	}
	printf("%.6g s, %.4g GStencils/s\n", best, 1e-9 * (double) CELLS(n) *
		steps / best);
	if (argc > 4 && !save(argv[4], a, CELLS(n), steps))
		return 1;
	free(a);
	return 0;
}
