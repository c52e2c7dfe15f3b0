/* malloc() without a cast is C alone. */
#include "data.h"

int main(void)
{
	int n = 40;
	float *restrict a = malloc(n * sizeof(float));
	float *restrict b = malloc(n * sizeof(float));

	fill_float(a, n);
	fill_float(b, n);
#pragma scop
	for (int t = 0; t < 6; t++) {
		for (int i = 1; i < n - 1; i++)
			b[i] = (a[i-1] + a[i] + a[i+1]) / 3.0f;
		for (int i = 1; i < n - 1; i++)
			a[i] = b[i];
	}
#pragma endscop
	print_float("a", a, n);
	free(a);
	free(b);
	return 0;
}
