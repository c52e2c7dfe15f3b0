// The game of life, whose rule is a function: what it is given is computed once, under a name.
#include "data.h"

#define N 60
#define M 70

static int life[2][N][M];

static int next(int cell, int neighbours)
{
	if (cell == 1 && (neighbours < 2 || neighbours > 3))
		return 0;
	if (cell == 0 && neighbours == 3)
		return 1;
	return cell;
}

static void evolve(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				life[(t + 1) % 2][i][j] = next(life[t % 2][i][j],
					life[t % 2][i - 1][j + 1] + life[t % 2][i - 1][j] + life[t % 2][i - 1][j - 1]
					+ life[t % 2][i][j + 1] + life[t % 2][i][j - 1] + life[t % 2][i + 1][j + 1]
					+ life[t % 2][i + 1][j] + life[t % 2][i + 1][j - 1]);
#pragma endscop
}

int main(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++)
			life[0][i][j] = life[1][i][j] = (i * 7 + j * j * 3 + i * j % 11) % 3 == 0;
	evolve(21);
	sum_bytes("life", life, sizeof(life));
	return 0;
}
