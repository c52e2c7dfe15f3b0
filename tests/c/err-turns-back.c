/* Subscripts that turn back elsewhere than at the ends of the array. */
#define N 20

void before_the_end(int steps, float a[restrict 2][N])
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 0; i < N; i++)
			a[(t + 1) % 2][i] = 0.5f * a[t % 2][i == 0 ? N - 2 : i - 1];
#pragma endscop
}

void of_a_part(int steps, float a[restrict 2][N])
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 0; i < N / 2; i++)
			a[(t + 1) % 2][i] = 0.5f * a[t % 2][(i + 1) % (N / 2)];
#pragma endscop
}

void written(int steps, float a[restrict 2][N])
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 0; i < N; i++)
			a[(t + 1) % 2][(i + 1) % N] = 0.5f * a[t % 2][i];
#pragma endscop
}

void recorded(int steps, float a[restrict 2][N], float rec[restrict 100][N])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			a[(t + 1) % 2][i] = 0.5f * a[t % 2][i + 1];
		for (int i = 0; i < N; i++)
			rec[t][i] = a[(t + 1) % 2][(i + 1) % N];
	}
#pragma endscop
}

void of_data(int steps, const int *restrict w, float a[restrict 2][N])
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 0; i < N; i++)
			a[(t + 1) % 2][i] = 0.5f * a[t % 2][w[i] ? 0 : i];
#pragma endscop
}
