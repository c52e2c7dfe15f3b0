/* A pointer that the first step uses, and no other. */
void f(int steps, float *restrict a, float *restrict b, float *restrict c)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < 39; i++)
			b[i] = a[i];
		a = c;
	}
#pragma endscop
}
