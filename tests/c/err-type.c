void f(int steps, int n, double ***a, double (*b)[20][3])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 0; j < 20; j++)
				b[i][j][0] = a[i-1][j][0];
		for (int i = 1; i < n - 1; i++)
			for (int j = 0; j < 20; j++)
				a[i][j][0] = b[i][j][0];
	}
#pragma endscop
}
