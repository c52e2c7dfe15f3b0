/* Several regions, macros and functions with the names of generated code. */
#include "data.h"

#define phase 3
#define chunk(x) ((x) + 1)

static int imin(int a, int b)
{
	return a < b ? a : b;
}

static int floord(int a, int b)
{
	return a / b;
}

static float a[64], b[64];
static double u[2][20][24];

/* Two regions in one function, in a loop. */
static void both(int steps, int outer)
{
	int i;

	for (int n = 0; n < outer; n++) {
#pragma scop
		for (int t = 0; t < steps; t++) {
			for (i = 1; i < 63; i++)
				b[i] = 0.5f * (a[i-1] + a[i+1]);
			for (i = 1; i < 63; i++)
				a[i] = b[i];
		}
#pragma endscop
		printf("%d %d\n", i, imin(i, 7));
#pragma scop
		for (int t = 0; t < 4; t++)
			for (i = 1; i < 63; i++)
				b[i] = a[i] + b[i] * phase;
#pragma endscop
	}
}

static void other(int steps)
{
	/* #pragma scop in a comment is none */
	const char *text = "\
#pragma scop\
";

#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < 19; i++)
			for (int j = 1; j < 23; j++)
				u[(t + 1) % 2][i][j] = chunk(u[t % 2][i-1][j]) + u[t % 2][i][j+1];
#pragma endscop
	printf("%s%d\n", text, floord(7, 2));
}

int main(void)
{
	fill_float(a, 64);
	fill_float(b, 64);
	fill_double(&u[0][0][0], 2 * 20 * 24);
	both(5, 3);
	other(3);
	print_float("a", a, 64);
	print_float("b", b, 64);
	print_double("u", &u[0][0][0], 2 * 20 * 24);
	return 0;
}
