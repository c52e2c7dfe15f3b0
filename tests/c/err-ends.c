/* A counter whose last value depends on what changes in the region. */
#define N 100

static double u[N][N], v[N][N];

void run(int steps, int *last)
{
	int j = 0;

#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < N; i++)
			for (j = 0; j <= i; j++)
				v[i][j] = u[i][j];
		for (int i = 1; i < N - 1; i++)
			for (int k = 1; k < N - 1; k++)
				u[i][k] = 0.5 * (v[i - 1][k] + v[i + 1][k]);
	}
#pragma endscop
	*last = j;
}
