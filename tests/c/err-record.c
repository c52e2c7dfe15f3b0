/* Records beside arrays that take turns: of ten steps in one element, and of two arrays. */
#define N 100

static float A[2][N][N], rec[1000][N], all[1000][N][N];

void last(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				A[(t+1)%2][i][j] = A[t%2][i][j-1] + A[t%2][i][j+1];
		for (int j = 1; j < N - 1; j++)
			rec[t/10][j] = A[(t+1)%2][N/2][j];
	}
#pragma endscop
}

void swap(int steps, float (*restrict a)[N], float (*restrict b)[N])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				b[i][j] = a[i][j-1] + a[i][j+1];
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				all[t][i][j] = b[i][j] - a[i][j];
		float (*swapped)[N] = a;
		a = b;
		b = swapped;
	}
#pragma endscop
}
