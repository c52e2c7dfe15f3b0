/* What two steps write in one element, without copies that take turns. */
#define N 100

static float A[N][N], B[N][N], snap[100][N][N];

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
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++)
				snap[t/10][i][j] = A[i][j];
	}
#pragma endscop
}
