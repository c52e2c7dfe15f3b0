/* A sweep forwards and one back in each step. */
static double A[100][100];

void both(int steps, int n)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				A[i][j] = 0.5 * (A[i-1][j] + A[i][j-1]);
		for (int i = n - 2; i >= 1; i--)
			for (int j = n - 2; j >= 1; j--)
				A[i][j] = 0.5 * (A[i+1][j] + A[i][j+1]);
	}
#pragma endscop
}
