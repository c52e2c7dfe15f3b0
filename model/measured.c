/* What the system does not tell about this machine, the rates of its cores and the bandwidth of
 * its memory, is measured on first use and kept in a file.  From then on the same program gives
 * the same code.
 */
#define _DEFAULT_SOURCE
#include "model/model.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* The bandwidth ------------------------------------------------------------*/

/* APART: otherwise a processor may take a load for one that a recent store to the same place of
 * another page wrote.  Windows are so short that all cores copy throughout some of them even if
 * other work shares the machine.  With five other processes on two cores, the best of 160
 * windows reaches nine tenths of the undisturbed value, the best of 8 windows of 40 ms a
 * fourth.
 */
enum { WINDOWS = 160, MAX_CORES = 1024, CHUNK = 1 << 14, APART = 512 };
static const double window_s = 0.002;

/* A core copies its own "n" floats again and again, until all windows are over. */
struct copier {
	pthread_t thread;
	bool is_started;
	double start;			/* of the first window, as of CLOCK_MONOTONIC */
	size_t n;			/* a multiple of CHUNK */
	float *from, *to;		/* "to" from APART */
	double chunks[WINDOWS];		/* copied in each */
};

/* Write the floats for the first time, which may take longer than all windows. */
static void *touch(void *argument)
{
	struct copier *c = (struct copier *) argument;

	for (size_t i = 0; i < c->n; i++)
		c->from[i] = c->to[i + APART] = (float) i;
	return NULL;
}

/* A core that moves a cell at a time takes longer than memory may. */
#ifdef __GNUC__
typedef float cells __attribute__((vector_size(4 * sizeof(float)),
	aligned(sizeof(float)), may_alias));
#else
typedef float cells;
#endif

static void copy_chunk(float *to, const float *from)
{
	for (size_t i = 0; i < CHUNK; i += sizeof(cells) / sizeof(float))
		*(cells *) (to + i) = *(const cells *) (from + i) + 1;
}

static void *copy(void *argument)
{
	struct copier *c = (struct copier *) argument;
	size_t at = 0;
	int w;

	for (;;) {
		double since = now() - c->start;

		w = since < 0 ? 0 : (int) (since / window_s);
		if (w >= WINDOWS)
			return NULL;
		copy_chunk(c->to + APART + at, c->from + at);
		c->chunks[w]++;
		at = (at + CHUNK) % c->n;
	}
}

/* "n" floats in large pages, if available, as in emitted code; or NULL. */
static float *large_floats(size_t n)
{
	const size_t page = (size_t) 2 << 20;
	size_t bytes = n * sizeof(float);
	void *p = NULL;

	if (posix_memalign(&p, page, bytes))
		return NULL;
#ifdef MADV_HUGEPAGE
	madvise(p, bytes, MADV_HUGEPAGE);
#endif
	return (float *) p;
}

/* Let all copiers with memory do "work" to its end. */
static void run_copiers(struct copier *c, int n, void *(*work)(void *copier))
{
	double start = now();

	for (int i = 0; i < n; i++) {
		c[i].start = start;
		c[i].is_started = c[i].from && c[i].to &&
			!pthread_create(&c[i].thread, NULL, work, &c[i]);
	}
	for (int i = 0; i < n; i++)
		if (c[i].is_started)
			pthread_join(c[i].thread, NULL);
}

/* Bytes that all cores read and wrote in their best window. */
static double most_bytes(const struct copier *c, int n)
{
	double most = 0;

	for (int w = 0; w < WINDOWS; w++) {
		double chunks = 0;

		for (int i = 0; i < n; i++)
			chunks += c[i].chunks[w];
		most = chunks > most ? chunks : most;
	}
	return most * CHUNK * 2 * (double) sizeof(float);
}

/* Bytes for an array of all cores that exceeds the caches so far that these hold a twelfth of it and
 * its copy, or what memory can hold of them, if that is less.
 */
static double bytes_beyond(int64_t cache_bytes)
{
	const double least = 32 << 20, most = 512 << 20;
	double bytes = 6 * (double) cache_bytes;
#ifdef _SC_AVPHYS_PAGES
	double have = (double) sysconf(_SC_AVPHYS_PAGES) *
		(double) sysconf(_SC_PAGESIZE);

	if (have > 0 && bytes > have / 4)
		return have / 4;
#endif
	return bytes < least ? least : bytes > most ? most : bytes;
}

/* Bytes a second, read and written, for a copy by "cores" of an array beyond a last cache of
 * "cache_bytes"; 0 if there is no memory for that.
 */
static double measured_bandwidth(struct region *r, int64_t cores,
	int64_t cache_bytes)
{
	int n = (int) (cores < MAX_CORES ? cores : MAX_CORES);
	struct copier *c = region_array(r, struct copier, n);
	size_t floats = (size_t) (bytes_beyond(cache_bytes) /
		(double) sizeof(float) / n) / CHUNK * CHUNK;

	if (floats == 0)
		return 0;
	for (int i = 0; i < n; i++) {
		c[i].n = floats;
		c[i].from = large_floats(floats);
		c[i].to = large_floats(floats + APART);
	}
	run_copiers(c, n, touch);
	run_copiers(c, n, copy);
	for (int i = 0; i < n; i++) {
		free(c[i].from);
		free(c[i].to);
	}
	return most_bytes(c, n) / window_s;
}

/* What is kept -------------------------------------------------------------*/

/* The first "model name" of /proc/cpuinfo, or uname's name for the machine. */
static const char *processor(struct region *r)
{
	FILE *in = fopen("/proc/cpuinfo", "r");
	char line[256], *name = NULL;
	struct utsname system;

	while (in && !name && fgets(line, sizeof(line), in))
		if (!strncmp(line, "model name", 10) && strchr(line, ':'))
			name = strchr(line, ':') + 1;
	if (in)
		fclose(in);
	if (!name)
		name = uname(&system) < 0 ? line : system.machine;
	return region_strdup(r, name);
}

/* "host-AMD-EPYC-7B13-2": different machines may share a home. */
static const char *name_of_file(struct region *r, int64_t cores)
{
	const char *from = processor(r);
	char name[128], *to = name;

	for (; *from && to < name + sizeof(name) - 1; from++)
		if (isalnum((unsigned char) *from))
			*to++ = *from;
		else if (to > name && to[-1] != '-')
			*to++ = '-';
	while (to > name && to[-1] == '-')
		to--;
	*to = '\0';
	return region_printf(r, "host-%s-%lld", name, (long long) cores);
}

/* $STENCILC_HOST, or a file in the folder of the user's caches; NULL: neither measure nor keep. */
static const char *path_of_file(struct region *r, int64_t cores)
{
	const char *named = getenv("STENCILC_HOST");
	const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (named)
		return *named ? named : NULL;
	if (caches && *caches == '/')
		return region_printf(r, "%s/stencilc/%s", caches,
			name_of_file(r, cores));
	if (home && *home == '/')
		return region_printf(r, "%s/.cache/stencilc/%s", home,
			name_of_file(r, cores));
	return NULL;
}

static bool is_between(double x, double least, double most)
{
	return x >= least && x <= most;
}

/* Are the values possible for a machine? */
static bool is_likely(const struct host_measured *h)
{
	return is_between(h->rates.clock_hz, 0, 1e10) &&
		is_between(h->rates.sums_per_clock, 0, 16) &&
		is_between(h->rates.loads_per_clock, 0, 16) &&
		is_between(h->rates.operations_per_clock, 0, 16) &&
		is_between(h->rates.roots_per_clock, 0, 64) &&
		is_between(h->bandwidth_bytes_per_s, 1e6, 1e16);
}

/* The values in the file "path"; false if it lacks one.  Files with bandwidth_bytes_per_s are of a version
 * that moved a float at a time.
 */
static bool read_kept(const char *path, struct host_measured *h)
{
	FILE *in = fopen(path, "r");
	char line[256];

	*h = (struct host_measured) { .path = path,
		.rates = { -1, -1, -1, -1, -1 } };
	while (in && fgets(line, sizeof(line), in)) {
		sscanf(line, "clock_hz = %lf", &h->rates.clock_hz);
		sscanf(line, "sums_per_clock = %lf", &h->rates.sums_per_clock);
		sscanf(line, "loads_per_clock = %lf",
			&h->rates.loads_per_clock);
		sscanf(line, "operations_per_clock = %lf",
			&h->rates.operations_per_clock);
		sscanf(line, "roots_per_clock = %lf",
			&h->rates.roots_per_clock);
		sscanf(line, "memory_bytes_per_s = %lf",
			&h->bandwidth_bytes_per_s);
	}
	if (in)
		fclose(in);
	return is_likely(h);
}

/* Make the folders around "path", at most the last two. */
static void make_folders(struct region *r, const char *path)
{
	char *folder = region_strdup(r, path), *last, *before;

	last = strrchr(folder, '/');
	if (!last || last == folder)
		return;
	*last = '\0';
	before = strrchr(folder, '/');
	if (before && before > folder) {
		*before = '\0';
		mkdir(folder, 0777);
		*before = '/';
	}
	mkdir(folder, 0777);
}

static bool write_kept(int file, const struct host_measured *h)
{
	FILE *out = fdopen(file, "w");

	if (!out)
		return close(file), false;
	fprintf(out, "# measured by stencilc at its first use for this machine; "
		"without this file it measures again\n"
		"clock_hz = %.4g\t# additions in a row\n"
		"sums_per_clock = %g\t# of vectors, by a core\n"
		"loads_per_clock = %g\t# of vectors, by a core from its "
		"first-level cache\n"
		"operations_per_clock = %g\t# of vectors, sums and products\n"
		"roots_per_clock = %.3g\t# of floats, in turns with divisions\n"
		"memory_bytes_per_s = %.3g\t"
		"# a copy by all cores, bytes both ways\n",
		h->rates.clock_hz, h->rates.sums_per_clock,
		h->rates.loads_per_clock, h->rates.operations_per_clock,
		h->rates.roots_per_clock, h->bandwidth_bytes_per_s);
	return fclose(out) == 0;
}

/* Measure and keep; if another process has kept values meanwhile, those stay. */
static void measure(struct region *r, const char *path, int64_t cores,
	int64_t lanes, int64_t cache_bytes)
{
	struct host_measured h = { .path = path };
	int file;

	make_folders(r, path);
	file = temporary_create(path);
	if (file < 0)
		return;
	core_measure_rates(lanes, &h.rates);
	h.bandwidth_bytes_per_s = measured_bandwidth(r, cores, cache_bytes);
	if (write_kept(file, &h) && h.bandwidth_bytes_per_s > 0 &&
	    !temporary_is_also(path) && !read_kept(path, &h))
		temporary_becomes(path);
	temporary_remove();
}

bool host_measured(struct region *r, int64_t cores, int64_t lanes,
	int64_t cache_bytes, struct host_measured *h)
{
	const char *path = path_of_file(r, cores);

	if (!path)
		return false;
	if (read_kept(path, h))
		return true;
	measure(r, path, cores, lanes, cache_bytes);
	return read_kept(path, h);
}
