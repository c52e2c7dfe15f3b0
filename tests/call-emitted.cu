/* Calls an emitted file the way a careful program does, for faults.test, which
 * lets one runtime call after the other fail (STENCILC_FAIL).
 *
 *	EMITTED		the file
 *	NAME		its function
 *	SIZES FIELDS	how many it has; fields are alike
 *	REAL COPIES	the type of a field, and its copies
 *	UNTIMED SCALARS	without a time loop; arguments between sizes and fields
 *
 *	PROGRAM host|device	one call of that entry
 *	PROGRAM agree		both, on arrays that start anywhere
 *	PROGRAM stale		device, after an error of the past
 *	PROGRAM sizes		sizes that are refused, or leave nothing to do
 *	PROGRAM steps		steps without end; ends by itself, with 124
 *	PROGRAM texts		what the codes mean
 *
 * Status 0: all is as promised, 1: it is not, 77: a call of this program
 * failed.
 */
#include EMITTED
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define DEVICE PASTE(NAME, _device)
#define STRERROR PASTE(NAME, _strerror)

#if SIZES == 1
#define AT(n, m, k) n
enum { N0 = 40, M0 = 1, K0 = 1 };
#elif SIZES == 2
#define AT(n, m, k) n, m
enum { N0 = 12, M0 = 40, K0 = 1 };
#else
#define AT(n, m, k) n, m, k
enum { N0 = 12, M0 = 9, K0 = 36 };
#endif
#ifndef SCALARS
#define SCALARS
#endif
#if FIELDS == 1
#define OF(f) f[0]
#elif FIELDS == 2
#define OF(f) f[0], f[1]
#else
#define OF(f) f[0], f[1], f[2]
#endif
#ifdef UNTIMED
#define ARGUMENTS(t, n, m, k, f) AT(n, m, k) SCALARS, OF(f)
#else
#define ARGUMENTS(t, n, m, k, f) t, AT(n, m, k) SCALARS, OF(f)
#endif

enum { STEPS = 5, CELLS = N0 * M0 * K0 * COPIES };

static int wrong;

static void own(cudaError_t e)
{
	if (e) {
		printf("a call of the program itself: %s\n",
			cudaGetErrorString(e));
		exit(77);
	}
}

static void expect(bool good, const char *what)
{
	if (!good) {
		printf("WRONG: %s\n", what);
		wrong = 1;
	}
}

static REAL before[FIELDS][CELLS];
static REAL *host[FIELDS], *dev[FIELDS];

static void fill()
{
	for (int f = 0; f < FIELDS; ++f)
		for (int i = 0; i < CELLS; ++i)
			before[f][i] = (REAL)((i * 37 + f * 11) % 101) / 101;
}

static bool unchanged()
{
	for (int f = 0; f < FIELDS; ++f)
		if (memcmp(host[f], before[f], sizeof before[f]))
			return false;
	return true;
}

static void judge(int status)
{
	const char *text = STRERROR(status);

	printf("status %d: %s\n", status, text ? text : "(null)");
	expect(text && *text, "no text for the status");
	if (status)
		expect(unchanged(), "an error, and the arrays have changed");
	else
		expect(!unchanged(), "no error, and nothing was computed");
}

static void host_entry()
{
	for (int f = 0; f < FIELDS; ++f) {
		host[f] = (REAL *)malloc(sizeof before[f]);
		memcpy(host[f], before[f], sizeof before[f]);
	}
	judge(NAME(ARGUMENTS(STEPS, N0, M0, K0, host)));
	for (int f = 0; f < FIELDS; ++f)
		free(host[f]);
}

static void device_entry(bool stale)
{
	cudaStream_t stream;
	size_t free_before, free_after, total;
	int status;

	own(cudaStreamCreate(&stream));
	for (int f = 0; f < FIELDS; ++f) {
		host[f] = (REAL *)malloc(sizeof before[f]);
		own(cudaMalloc((void **)&dev[f], sizeof before[f]));
		own(cudaMemcpy(dev[f], before[f], sizeof before[f],
			cudaMemcpyDefault));
	}
	own(cudaMemGetInfo(&free_before, &total));
	if (stale) {
		/* An error of the past, which the program knows about. */
		void *p;
		if (cudaMalloc(&p, (size_t)1 << 60) == cudaSuccess)
			exit(77);
	}
	status = DEVICE(ARGUMENTS(STEPS, N0, M0, K0, dev), stream);
	own(cudaStreamSynchronize(stream));
	own(cudaMemGetInfo(&free_after, &total));
	for (int f = 0; f < FIELDS; ++f)
		own(cudaMemcpy(host[f], dev[f], sizeof before[f],
			cudaMemcpyDefault));
	judge(status);
	if (stale)
		expect(status == 0, "fails for an error that is not its own");
	expect(free_before == free_after, "memory is not given back");
	for (int f = 0; f < FIELDS; ++f) {
		own(cudaFree(dev[f]));
		free(host[f]);
	}
	own(cudaStreamDestroy(stream));
}

/* Both entries compute the same, with arrays one cell into an allocation, which
 * no vector of cells is aligned to.
 */
static void agree()
{
	REAL *block[FIELDS], *result = (REAL *)malloc(sizeof before[0]);

	for (int f = 0; f < FIELDS; ++f) {
		own(cudaMalloc((void **)&block[f],
			sizeof before[f] + sizeof(REAL)));
		dev[f] = block[f] + 1;
		own(cudaMemcpy(dev[f], before[f], sizeof before[f],
			cudaMemcpyDefault));
		host[f] = (REAL *)malloc(sizeof before[f] + sizeof(REAL)) + 1;
		memcpy(host[f], before[f], sizeof before[f]);
	}
	judge(NAME(ARGUMENTS(STEPS, N0, M0, K0, host)));
	expect(!DEVICE(ARGUMENTS(STEPS, N0, M0, K0, dev), 0),
		"the device entry fails");
	for (int f = 0; f < FIELDS; ++f) {
		own(cudaMemcpy(result, dev[f], sizeof before[f],
			cudaMemcpyDefault));
		expect(!memcmp(result, host[f], sizeof before[f]),
			"the entries do not agree");
		own(cudaFree(block[f]));
		free(host[f] - 1);
	}
	free(result);
}

/* Sizes with which nothing can be computed; no array is touched, so none is
 * needed.  Without a time loop the device entry uses arrays where they are: it
 * needs no memory that could lack.
 */
static void size(int want, int t, int n, int m, int k)
{
	REAL *none[FIELDS] = {};
#ifdef UNTIMED
	const bool in_place = want == 1;
#else
	const bool in_place = false;
#endif
	const int statuses[] = { NAME(ARGUMENTS(t, n, m, k, none)),
		in_place ? want : DEVICE(ARGUMENTS(t, n, m, k, none), 0) };

	for (int i = 0; i < 2; ++i) {
		const bool good = want == 1 ? statuses[i] != 0
			: statuses[i] == want;
		const char *text = STRERROR(statuses[i]);

		if (!good || !text || !*text) {
			printf("WRONG: %s T=%d sizes %d %d %d: status %d, %s\n",
				i ? "device" : "host", t, n, m, k, statuses[i],
				text);
			wrong = 1;
		}
	}
	(void)t;
	(void)m;
	(void)k;
}

static void sizes()
{
	const int most = 2147483647, least = -most - 1;

	size(0, 0, 0, 0, 0);
	size(0, 5, 0, 0, 0);
	size(-1, 5, -1, 8, 8);
	size(-1, 5, least, 8, 8);
	size(-1, 0, -1, 8, 8);
	size(-1, -1, -1, 8, 8);
	size(-2, 5, most, most, most);
#ifndef UNTIMED
	size(0, 0, 8, 8, 8);
	size(0, -1, 8, 8, 8);
	size(0, least, 8, 8, 8);
	size(-2, most, 8, 8, 8);
#endif
#if SIZES >= 2
	size(-1, 5, 8, -1, 8);
	size(-1, 5, -8, -8, 8);
	size(-1, 5, 0, -1, 8);
	size(0, 5, 8, 0, 8);
	size(0, 5, most / 2, 0, 8);
	/* Bytes that fit into 64 bits, and that nobody has. */
	size(1, 5, 500000000, 500000000, 1);
	size(1, 5, 2000000000, 70000, 1000);
	size(1, 5, 70000, 2000000000, 1000);
#endif
#if SIZES == 3
	size(-1, 5, 8, 8, -1);
	size(0, 5, 8, 8, 0);
	size(-2, 5, most, 2, most);
	size(1, 5, 1000000, 1000000, 1000000);
	/* 2^64 cells, or a few more: products must not wrap. */
	size(1, 5, 1 << 22, 1 << 21, 1 << 21);
	size(1, 5, 65536, 65536, 1073741825);
#endif
}

static void still_counting(int)
{
	_exit(124);
}

/* Many steps on next to nothing: all of them are counted.  Nobody waits for the
 * end of it: 0.05 s of a processor are enough.
 */
static void many_steps()
{
	const struct itimerval limit = { { 0, 0 }, { 0, 50000 } };
	cudaStream_t stream = 0;

	signal(SIGPROF, still_counting);
	setitimer(ITIMER_PROF, &limit, NULL);
	for (int f = 0; f < FIELDS; ++f) {
		host[f] = (REAL *)malloc(sizeof before[f]);
		own(cudaMalloc((void **)&dev[f], sizeof before[f]));
		own(cudaMemcpy(dev[f], before[f], sizeof before[f],
			cudaMemcpyDefault));
	}
	const int status = DEVICE(ARGUMENTS(2100000000, N0, M0, K0, dev), stream);
	for (int f = 0; f < FIELDS; ++f)
		own(cudaMemcpy(host[f], dev[f], sizeof before[f],
			cudaMemcpyDefault));
	judge(status);
	for (int f = 0; f < FIELDS; ++f) {
		own(cudaFree(dev[f]));
		free(host[f]);
	}
}

static void texts()
{
	const int codes[] = { 0, -1, -2, -3, 1, 2, 9, 700, -4, -1000, 12345 };

	for (size_t i = 0; i < sizeof codes / sizeof *codes; ++i) {
		const char *text = STRERROR(codes[i]);

		printf("%d: %s\n", codes[i], text ? text : "(null)");
		expect(text && *text, "no text");
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "host";

	fill();
	if (!strcmp(mode, "host"))
		host_entry();
	else if (!strcmp(mode, "device"))
		device_entry(false);
	else if (!strcmp(mode, "stale"))
		device_entry(true);
	else if (!strcmp(mode, "agree"))
		agree();
	else if (!strcmp(mode, "sizes"))
		sizes();
	else if (!strcmp(mode, "steps"))
		many_steps();
	else
		texts();
	return wrong;
}
