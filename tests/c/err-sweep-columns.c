/* A sweep by columns that looks across. */
static double B[100][100];

void columns(int steps, int n)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int j = 1; j < n - 1; j++)
			for (int i = 1; i < n - 1; i++)
				B[i][j] = 0.5 * (B[i-1][j] + B[i-1][j+1]);
#pragma endscop
}
