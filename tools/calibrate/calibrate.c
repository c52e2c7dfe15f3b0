/* Micro-benchmarks of a CPU, a core for an SM; prints the lines of a machine
 * file that stencilc --arch=host cannot know.  Arguments: the bytes of the
 * cache of a core, then "--quick" to measure little.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_max_threads(void)
{
	return 1;
}
#endif

/* Seconds since the first call. */
static double now(void)
{
	static struct timespec first;
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	if (!first.tv_sec)
		first = t;
	return (double) (t.tv_sec - first.tv_sec) +
		1e-9 * (double) (t.tv_nsec - first.tv_nsec);
}

static volatile float sink;

/* Seconds in which all cores copy "n" floats, each its part, "turns" times. */
static double copy(float *to, const float *from, size_t n, int turns)
{
	double start = now();

	for (int turn = 0; turn < turns; turn++) {
#pragma omp parallel for schedule(static)
		for (size_t i = 0; i < n; i++)
			to[i] = from[i] + (float) turn;
		sink = to[n / 2];
	}
	return now() - start;
}

/* Seconds in which each core reads and writes its own "n" floats "turns"
 * times.
 */
static double update(float *all, size_t n, int turns)
{
	double start = now();

#pragma omp parallel for schedule(static)
	for (int core = 0; core < omp_get_max_threads(); core++) {
		float *own = all + (size_t) core * n;

		for (int turn = 0; turn < turns; turn++)
			for (size_t i = 0; i < n; i++)
				own[i] = own[i] * 0.5f + 1;
		sink = own[n / 2];
	}
	return now() - start;
}

/* Seconds of "turns" parallel regions without work. */
static double regions(int turns)
{
	double start = now();

	for (int turn = 0; turn < turns; turn++) {
#pragma omp parallel
		sink = 0;
	}
	return now() - start;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

static void print(const char *name, double value, const char *source)
{
	printf("%s = %.9g\t# measured: %s\n", name, value, source);
}

/* Floats of an array that no cache holds; as many as there may be unless "quick". */
static size_t floats_beyond_caches(int quick)
{
	const size_t most = (size_t) 1 << 27, least = (size_t) 1 << 23;
	size_t n = least;
#ifdef _SC_LEVEL3_CACHE_SIZE
	long last = sysconf(_SC_LEVEL3_CACHE_SIZE);

	while (last > 0 && n < most &&
	       n * sizeof(float) < 2 * (size_t) last)
		n *= 2;
#endif
	return quick ? n : most;
}

int main(int argc, char **argv)
{
	size_t cache = argc > 1 ? (size_t) strtoull(argv[1], NULL, 10) : 0;
	int quick = argc > 2 && !strcmp(argv[2], "--quick");
	size_t n = floats_beyond_caches(quick);
	size_t cores = (size_t) omp_get_max_threads();
	size_t cached = (cache ? cache : 256 * 1024) / 2 / sizeof(float);
	size_t near = 4096;		/* floats of a first-level cache */
	int turns = quick ? 4 : 2000;
	float *from, *to;
	double s, t, l = 1e30;

	if (cores * cached > n)
		cached = n / cores;
	from = malloc(n * sizeof(float));
	to = malloc(n * sizeof(float));
	if (!from || !to) {
		fprintf(stderr, "calibrate: out of memory\n");
		return 1;
	}
#pragma omp parallel for schedule(static)
	for (size_t i = 0; i < n; i++)
		from[i] = to[i] = (float) i;
	s = copy(to, from, n, 1);
	t = update(to, cached, turns);
	for (int i = 0; i < 4; i++) {
		s = smaller(s, copy(to, from, n, 1));
		t = smaller(t, update(to, cached, turns));
	}
	for (int i = 0; i < 4; i++)
		l = smaller(l, regions(turns) / turns);
	print("bandwidth_bytes_per_s", 2.0 * sizeof(float) * (double) n / s,
		"a copy by all cores, bytes both ways");
	print("l2_bandwidth_bytes_per_s", 2.0 * sizeof(float) *
		(double) (cached * cores) * turns / t,
		"updates of half the cache of each core");
	t = update(to, near, 16 * turns);
	for (int i = 0; i < 4; i++)
		t = smaller(t, update(to, near, 16 * turns));
	print("smem_bandwidth_bytes_per_s", 2.0 * sizeof(float) *
		(double) (near * cores) * 16 * turns / t,
		"updates of 16 KiB by each core");
	print("launch_s", l, "a parallel region of all cores");
	free(from);
	free(to);
	return 0;
}
