/* Scalars: temporaries, sums over a small loop, functions of <math.h>. */
#include <math.h>
#include "data.h"

#define R 2
#define SQUARE(x) ((x) * (x))

static float u[64][48], w[64][48];

static void run(int steps)
{
	float c0 = 0.25f;
	double c1 = 0.125;
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = R; i < 64 - R; i++)
			for (int j = R; j < 48 - R; j++) {
				double s = 0;
				for (int k = -R; k <= R; k++) {
					s += c0 * u[i+k][j];
					s = s - c1 * u[i][j-k];
				}
				w[i][j] = (float) s / (1.0f + sqrtf(SQUARE(u[i][j]) + fabs(u[i][j+1])));
			}
		for (int j = R; j < 48 - R; j++)
			for (int i = R; i < 64 - R; i++)
				u[i][j] = w[i][j];
	}
#pragma endscop
}

int main(void)
{
	fill_float(&u[0][0], 64 * 48);
	fill_float(&w[0][0], 64 * 48);
	run(5);
	print_float("u", &u[0][0], 64 * 48);
	print_float("w", &w[0][0], 64 * 48);
	return 0;
}
