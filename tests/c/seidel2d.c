/* Gauss-Seidel: an iteration reads what the one before has written. */
#define N 100

static double A[N][N];

void kernel_seidel_2d(int tsteps, int n)
{
	int t, i, j;

#pragma scop
	for (t = 0; t <= tsteps - 1; t++)
		for (i = 1; i <= n - 2; i++)
			for (j = 1; j <= n - 2; j++)
				A[i][j] = (A[i-1][j-1] + A[i-1][j] + A[i-1][j+1] + A[i][j-1] + A[i][j]
					+ A[i][j+1] + A[i+1][j-1] + A[i+1][j] + A[i+1][j+1]) / 9.0;
#pragma endscop
}
