/* Names that start as none of the language do. */
#include <stdio.h>

#define SIZE 30

static void run(int _steps, int cuda_N, int N, float _A[restrict SIZE], float __b[restrict SIZE], float _2[restrict 2])
{
#pragma scop
	for (int _t = 0; _t < _steps; _t++) {
		for (int _ = 1; _ < cuda_N; _++)
			__b[_] = _2[0] * _A[_-1] + _2[1] * _A[_+1] + N;
		for (int __i = 1; __i < cuda_N; __i++)
			_A[__i] = __b[__i];
	}
#pragma endscop
}

int main(void)
{
	float a[SIZE], b[SIZE], weights[2] = { 0.25f, 0.5f };

	for (int i = 0; i < SIZE; i++)
		a[i] = b[i] = (float) (i % 7);
	run(6, SIZE - 1, 3, a, b, weights);
	for (int i = 0; i < SIZE; i++)
		printf("%g %g\n", a[i], b[i]);
	return 0;
}
