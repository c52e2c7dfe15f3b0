/* A program of bench/wave as --target=c makes it, run from the cells that all of
 * its peers start from:
 *
 *	cc -DCODE='"wave2d2.c"' -DNAME=wave2d2 -DDIMS=2 -DRADIUS=1 -DVERSIONS=2 ..
 *	main STEPS SIZE REPEAT FILE
 *
 * -DMEMORY: there is NAME_with_memory().  -DRECEIVERS=100: a source and so many
 * receivers, between the cells (case.py).  FILE gets the newest cells and what
 * receivers heard, unless it is "-".
 */
#include CODE

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#include <time.h>

#define GLUE(a, b) a ## b
#define WITH(name, suffix) GLUE(name, suffix)
#if DIMS == 2
#define GRID n, n
#define EACH(name) shot.name[0], shot.name[1]
#else
#define GRID n, n, n
#define EACH(name) shot.name[0], shot.name[1], shot.name[2]
#endif
#ifdef RECEIVERS
#define SIZES GRID, 1, RECEIVERS
#define FIELDS p, c, EACH(source), shot.wavelet, EACH(receiver), shot.heard
#else
#define RECEIVERS 0
#define SIZES GRID
#if VERSIONS == 2
#define FIELDS p, c
#else
#define FIELDS p
#endif
#endif

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

/* Cleared, in large pages where there are any. */
static void *allocate(size_t bytes)
{
	const size_t page = (size_t) 1 << 21;
	void *a = aligned_alloc(page, (bytes + page) / page * page);

	if (!a)
		exit(1);
#ifdef MADV_HUGEPAGE
	(void) madvise(a, (bytes + page) / page * page, MADV_HUGEPAGE);
#endif
	return memset(a, 0, bytes);
}

/* Whether cell "at" is one of the outer ones, which are 0 and stay. */
static int outer(size_t at, size_t n)
{
	for (int d = 0; d < DIMS; d++, at /= n)
		if (at % n < RADIUS || at % n >= n - RADIUS)
			return 1;
	return 0;
}

static float *start(size_t cells, size_t n)
{
	float *p = allocate(VERSIONS * cells * sizeof(*p));

	for (size_t i = 0; i < VERSIONS * cells; i++)
		p[i] = outer(i % cells, n) ? 0 : (float) (i % 1013) / 1013;
	return p;
}

static float *velocity(size_t cells)
{
	float *c = allocate(cells * sizeof(*c));

	for (size_t i = 0; i < cells; i++)
		c[i] = 0.05f * (1 + (float) (i % 101) / 101);
	return c;
}

static struct {
	float source[DIMS][1], receiver[DIMS][RECEIVERS + 1];
	float *wavelet, *heard;
} shot;

/* The wavelet and the places of case.py. */
static void place_shot(int steps, int n)
{
	shot.wavelet = allocate((size_t) steps * sizeof(float));
	shot.heard = allocate((size_t) steps * (RECEIVERS + 1) * sizeof(float));
	for (int t = 0; t < steps; t++) {
		double square = 0.01 * (t - 20) * (t - 20);

		shot.wavelet[t] = (float) ((1 - 2 * square) * exp(-square));
	}
	for (int d = 0; d < DIMS; d++)
		shot.source[d][0] = (float) (n / 2 + 0.25);
	for (int r = 0; r < RECEIVERS; r++)
		for (int d = 0; d < DIMS; d++)
			shot.receiver[d][r] = (float) (d > 0 ? n / 3 + 0.5 :
				RADIUS + 1.25 + (double) (n - 2 * RADIUS - 4) *
				r / (RECEIVERS + 0.));
}

static int write_values(FILE *file, const float *from, size_t count)
{
	return fwrite(from, sizeof(*from), count, file) == count;
}

static int step(int steps, int n, float *p, const float *c, void *memory)
{
	(void) c;
#ifdef MEMORY
	return WITH(NAME, _with_memory)(steps, SIZES, FIELDS, memory);
#else
	(void) memory;
	return NAME(steps, SIZES, FIELDS);
#endif
}

int main(int argc, char **argv)
{
	const int steps = argc == 5 ? atoi(argv[1]) : 0;
	const int n = argc == 5 ? atoi(argv[2]) : 0;
	const size_t cells = DIMS == 2 ? (size_t) n * n : (size_t) n * n * n;
	void *memory = NULL;
	double best = 0;

	if (argc != 5)
		return 2;
	float *p = start(cells, (size_t) n), *c = velocity(cells);
	place_shot(steps, n);
#ifdef MEMORY
	memory = allocate(WITH(NAME, _memory)(steps, SIZES));
#endif
	for (int k = 0; k < atoi(argv[3]); k++) {
		double s = seconds();

		if (step(steps, n, p, c, memory))
			return 1;
		s = seconds() - s;
		if (k == 0 || s < best)
			best = s;
	}
	printf("%.6g s, %.4g GStencils/s\n", best, 1e-9 * (double) cells * steps / best);
	if (strcmp(argv[4], "-") == 0)
		return 0;
	FILE *file = fopen(argv[4], "wb");
	return !file || !write_values(file, p + (VERSIONS - 1) * cells, cells) ||
		!write_values(file, shot.heard, (size_t) steps * RECEIVERS) || fclose(file);
}
