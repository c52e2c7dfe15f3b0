void f(int steps, int n, int m, float a[n][m], float b[n][m])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 0; j < m; j++)
				b[i][j] = 0.5f * (a[i-1][j] + a[i+1][j]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 0; j < m; j++)
				a[i][j] = b[i][j];
	}
#pragma endscop
}
