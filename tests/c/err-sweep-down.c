/* A sweep that goes downwards. */
static double A[100][100];

void down(int steps, int n)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = n - 2; i >= 1; i--)
			for (int j = 1; j < n - 1; j++)
				A[i][j] = 0.5 * (A[i+1][j] + A[i][j-1]);
#pragma endscop
}
