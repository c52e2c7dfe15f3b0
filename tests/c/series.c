/* Elements of arrays that all points of a step read, of a pointer in a parameter as well;
 * steps are computed by twos.
 */
// args: --no-alias
#include <stdio.h>

enum { N = 40, T = 9 };
static float A[2][N], src[T + 1];

static void kernel(int tmax, const float *f)
{
#pragma scop
	for (int t = 0; t < tmax; t++)
		for (int i = 1; i < N - 1; i++)
			A[(t + 1) % 2][i] = 0.4f * (A[t % 2][i - 1] + A[t % 2][i + 1]) + f[t + 1] * src[T - 1 - t];
#pragma endscop
}

int main(void)
{
	double sum = 0;

	for (int i = 0; i < N; i++)
		A[0][i] = A[1][i] = (float)i;
	for (int t = 0; t <= T; t++)
		src[t] = (float)t;
	for (int n = 0; n <= T; n++)
		kernel(n, src);
	for (int i = 0; i < N; i++)
		sum += A[0][i] * (float)(i % 3) + A[1][i];
	printf("%.17g\n", sum);
	return 0;
}
