/* Quotients and rests of numbers below 0 round towards 0, in C and here. */
#include "data.h"

#define N 20

static float a[N][N], b[N][N];

static void run(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++) {
				if ((i - j) % 3 == 1)
					b[i][j] = a[i - 1][j];
				if ((i - j) % 3 == -1)
					b[i][j] = a[i + 1][j];
				if ((i - j) % 3 == 0)
					b[i][j] = a[i][j + 1];
			}
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				if ((i - 9) / 4 == 0)
					a[i][j] = 0.5f * b[i][j];
	}
#pragma endscop
}

int main(void)
{
	fill_float(a[0], N * N);
	fill_float(b[0], N * N);
	run(3);
	print_float("a", a[0], N * N);
	print_float("b", b[0], N * N);
	return 0;
}
