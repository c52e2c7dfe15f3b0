/* Statements that are executed for no index, alone and as halves of a choice. */
#include "data.h"

#define N 30

static float a[N], b[N];

static void run(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++) {
			if (i < 0)
				b[i] = 5;
			else
				b[i] = 0.5f * (a[i - 1] + a[i + 1]);
		}
		for (int i = 1; i < N - 1; i++) {
			if (i / 2 < 2)
				a[i] = (i - 5) % 3 == 1 ? 0.5f : b[i - 1];
			else
				a[i] = b[i];
		}
	}
#pragma endscop
}

int main(void)
{
	fill_float(a, N);
	fill_float(b, N);
	run(5);
	print_float("a", a, N);
	print_float("b", b, N);
	return 0;
}
