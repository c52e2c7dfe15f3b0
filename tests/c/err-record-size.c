/* The size of an array in memory that has every other step is not one sum of variables. */
#define N 100

static float A[2][N][N];

void run(int steps, float (*restrict all)[N][N])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				A[(t+1)%2][i][j] = A[t%2][i][j-1] + A[t%2][i][j+1];
		if (t % 3 == 0)
			for (int i = 1; i < N - 1; i++)
				for (int j = 1; j < N - 1; j++)
					all[t/3][i][j] = A[(t+1)%2][i][j];
	}
#pragma endscop
}
