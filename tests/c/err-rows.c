/* A linear subscript that may leave its row, where each step is a call. */
void f(int steps, int n, int m, int ld, float (*restrict a)[4096])
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				a[t + 1][i * ld + j] = a[t][(i - 1) * ld + j] + a[t][i * ld + j - 1];
#pragma endscop
}
