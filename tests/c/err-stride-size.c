/* How far a loop with a stride reaches is no sum. */
void f(int steps, int n, double *restrict a, double *restrict b)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < n; i += 2)
			b[i] = a[i];
#pragma endscop
}
