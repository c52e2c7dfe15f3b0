// How far it goes depends on the steps.
void f(int steps, int n, int m, float *restrict a, float *restrict b)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			b[i] = a[t];
		for (int i = 1; i < m - 1; i++)
			a[i] = b[i] * 0.5f;
	}
#pragma endscop
}
