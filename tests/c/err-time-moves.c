/* Pointers that move in one of two loops over time, and that may point anywhere. */
#define N 100

void moves(int steps, float *x, float *y, float *z)
{
	float *tmp;

#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			y[i] = x[i - 1] + x[i + 1];
		tmp = x;
		x = y;
		y = tmp;
	}
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			z[i] = z[i] + x[i];
#pragma endscop
}
