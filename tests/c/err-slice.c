/* A cell recorded in each step: two subscripts, one mistake. */
#define N 100

static float A[N][N], B[N][N], rec[1000];

void run(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				B[i][j] = A[i][j-1] + A[i][j+1];
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				A[i][j] = B[i][j];
		rec[t] = A[N/2][N/2];
	}
#pragma endscop
}
