/* Pointers that are swapped in every other step. */
void f(int steps, float *restrict a, float *restrict b)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < 39; i++)
			b[i] = a[i];
		if (t % 2) {
			float *tmp = a;
			a = b;
			b = tmp;
		}
	}
#pragma endscop
}
