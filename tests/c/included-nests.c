/* Nests and statements that other files have, in a region, before and behind it. */
#include "data.h"

enum { N = 40 };

static float a[N], b[N], c[N];

static void nests(int n)
{
#define SCALE 0.5f
#include "included-nest.h"
#undef SCALE
#define SCALE 0.25f
	;
#pragma scop
	for (int i = 0; i < n; i++)
		a[i] = a[i] + 1;
#include "included-nest.h"
#pragma endscop
	;
#undef SCALE
#define SCALE 2
#include "included-nest.h"
}

static void steps(int n, int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
#include "included-nest.h"
		for (int i = 1; i < n - 1; i++) {
#include "included-body.h"
		}
		for (int i = 1; i < n - 1; i++)
			a[i] = b[i];
	}
#pragma endscop
}

int main(void)
{
	fill_float(a, N);
	fill_float(c, N);
	nests(N);
	print_float("b", b, N);
	steps(N, 5);
	print_float("a", a, N);
	print_float("b", b, N);
	return 0;
}
