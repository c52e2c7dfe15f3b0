void f(int steps, int n, float *a, float *b)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			b[i] = 0.5f * (a[i-1] + a[i+1]);
		for (int i = 1; i < n - 1; i++)
			a[i] = b[i];
	}
#pragma endscop
}
