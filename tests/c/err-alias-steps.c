void f(int steps, int n, float (*all)[n], float *b)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			all[t + 1][i] = 0.5f * (all[t][i-1] + all[t][i+1]) + b[i];
		for (int i = 1; i < n - 1; i++)
			b[i] = all[t + 1][i];
	}
#pragma endscop
}
