/* Calls emitted C the way a careful program does, for faults.test:
 *
 *	EMITTED		the file
 *	NAME		its function
 *	FIELDS		how many it has; all have two dimensions, and are alike
 *	UNTIMED SCALARS	without a time loop; arguments between sizes and fields
 *	SPARSE		instead: the program of faults.test whose grid has more
 *			than 2^31 cells, of which it touches a few
 *
 * Each allocation of the function fails once; sizes are senseless; arrays start
 * anywhere.  Status 0: all is as promised, 1: it is not.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static int calls, failing, live;

/* The n-th allocation fails, n = "failing". */
static void *count(void *p)
{
	int call, fails;

	__atomic_add_fetch(&live, p != NULL, __ATOMIC_SEQ_CST);
	call = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
	fails = call == failing;
	if (!fails || !p)
		return p;
	__atomic_sub_fetch(&live, 1, __ATOMIC_SEQ_CST);
	free(p);
	return NULL;
}

static void uncount(void *p)
{
	__atomic_sub_fetch(&live, p != NULL, __ATOMIC_SEQ_CST);
	free(p);
}

#define malloc(n) count(malloc(n))
#define aligned_alloc(a, n) count(aligned_alloc(a, n))
#define free(p) uncount(p)
#include EMITTED
#undef malloc
#undef aligned_alloc
#undef free

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define STRERROR PASTE(NAME, _strerror)

static int wrong;

static void expect(bool good, const char *what, int n)
{
	if (good)
		return;
	printf("WRONG: %s (%d)\n", what, n);
	wrong = 1;
}

#ifdef SPARSE
/* 70000 * 40000 cells: only pages that are touched are there. */
static float *sparse(size_t cells)
{
	void *p = mmap(NULL, cells * sizeof(float), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		exit(77);
	return p;
}

int main(void)
{
	enum { N = 70000, M = 40000 };
	const size_t last = (size_t)(N - 1) * M;
	float *a = sparse((size_t)N * M), *b = sparse((size_t)N * M);

	for (int j = 0; j < M; ++j)
		a[last + j] = (float)(j % 1000);
	expect(NAME(N, M, a, b) == 0, "the call fails", 0);
	for (int j = 1; j < M - 1; ++j)
		expect(b[last + j] == a[last + j - 1] + a[last + j + 1],
			"the value of a column", j);
	return wrong;
}
#else

#ifndef SCALARS
#define SCALARS
#endif
#if FIELDS == 1
#define OF(f) f[0]
#else
#define OF(f) f[0], f[1], f[2]
#endif
#ifdef UNTIMED
#define CALL(t, n, m, f) NAME(n, m SCALARS, OF(f))
#else
#define CALL(t, n, m, f) NAME(t, n, m SCALARS, OF(f))
#endif

enum { N = 33, M = 70, STEPS = 5, CELLS = N * M };

static float before[FIELDS][CELLS], after[FIELDS][CELLS + 1];
static float *field[FIELDS];

/* One call, on arrays that start "offset" cells into their memory. */
static int call_with(int offset)
{
	for (int f = 0; f < FIELDS; ++f) {
		field[f] = after[f] + offset;
		memcpy(field[f], before[f], sizeof before[f]);
	}
	calls = live = 0;
	return CALL(STEPS, N, M, field);
}

static bool unchanged(void)
{
	for (int f = 0; f < FIELDS; ++f)
		if (memcmp(field[f], before[f], sizeof before[f]))
			return false;
	return true;
}

static void each_allocation(void)
{
	for (failing = 1; ; ++failing) {
		int status = call_with(0);

		expect(live == 0, "memory is not given back", failing);
		if (calls < failing) {
			expect(status == 0, "it fails without a reason",
				failing);
			break;
		}
		expect(status == -3, "status when memory is out", status);
		expect(STRERROR(status) && *STRERROR(status), "no text",
			status);
		expect(unchanged(), "an error, and the arrays have changed",
			failing);
	}
	printf("%d allocations\n", failing - 1);
	failing = 0;
}

static void anywhere(void)
{
	static float result[FIELDS][CELLS];

	expect(call_with(0) == 0 && !unchanged(), "it computes nothing", 0);
	for (int f = 0; f < FIELDS; ++f)
		memcpy(result[f], field[f], sizeof result[f]);
	expect(call_with(1) == 0, "it fails", 1);
	for (int f = 0; f < FIELDS; ++f)
		expect(!memcmp(result[f], field[f], sizeof result[f]),
			"another result one cell on", f);
}

static void size(int want, int t, int n, int m)
{
	float *none[FIELDS] = { NULL };
	int status = CALL(t, n, m, none);

	(void)t;
	expect(status == want && STRERROR(status) && *STRERROR(status),
		"status for sizes", status);
}

int main(void)
{
	const int most = 2147483647;

	for (int f = 0; f < FIELDS; ++f)
		for (int i = 0; i < CELLS; ++i)
			before[f][i] = (float)((i * 37 + f * 11) % 101) / 101;
	each_allocation();
	anywhere();
	size(0, 5, 0, 0);
	size(0, 5, 8, 0);
	size(0, 5, 0, most / 2);
	size(-1, 5, -1, 8);
	size(-1, 0, 8, -most - 1);
	size(-2, 5, most, most);
#ifndef UNTIMED
	size(0, 0, 8, 8);
	size(0, -most - 1, 8, 8);
	size(-2, most, 8, 8);
#endif
	return wrong;
}
#endif
