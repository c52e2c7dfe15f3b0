/* Nests without a time loop: horizontal diffusion. */
#include "data.h"

#define N 21
#define M 27

static double in[N][M], lap[N][M], fli[N][M], flj[N][M], out[N][M];

static void run(double weight)
{
	int i, j;

#pragma scop
	for (i = 1; i < N - 1; i++)
		for (j = 1; j < M - 1; j++)
			lap[i][j] = -4.0 * in[i][j] + in[i][j-1] + in[i][j+1] + in[i-1][j] + in[i+1][j];
	for (i = 1; i < N - 2; i++)
		for (j = 1; j < M - 2; j++) {
			fli[i][j] = lap[i][j+1] - lap[i][j];
			flj[i][j] = lap[i+1][j] - lap[i][j];
		}
	for (i = 2; i < N - 2; i++)
		for (j = 2; j < M - 2; j++)
			out[i][j] = weight * (fli[i][j-1] - fli[i][j] + flj[i-1][j] - flj[i][j]);
#pragma endscop
	printf("%d %d\n", i, j);
#pragma scop
	for (i = 0; i < N; i++)
		for (j = 0; j < M; j++)
			in[i][j] = out[i][j] > 0 ? out[i][j] : in[i][j];
#pragma endscop
}

int main(void)
{
	fill_double(&in[0][0], N * M);
	fill_double(&out[0][0], N * M);
	run(0.375);
	print_double("lap", &lap[0][0], N * M);
	print_double("fli", &fli[0][0], N * M);
	print_double("out", &out[0][0], N * M);
	print_double("in", &in[0][0], N * M);
	return 0;
}
