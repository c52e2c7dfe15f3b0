/* How much of the weights a step uses is one sum or another, and each step is a call, which cannot ask. */
void f(int steps, int n, int m, const float *restrict w, float (*restrict a)[1000], float (*restrict b)[1000])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			a[t + 1][i] = w[i] * a[t][i];
		for (int i = 1; i < m - 1; i++)
			b[t + 1][i] = w[i] * b[t][i];
	}
#pragma endscop
}
