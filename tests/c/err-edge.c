/* An edge whose values change before the nest reads it, and one made of itself. */
#define N 24
#define M 19

static float u[N][M], v[N][M], z[M];

void changes(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int j = 0; j < M; j++)
			u[0][j] = z[j] + u[1][j];
		for (int j = 0; j < M; j++)
			z[j] = 0.5f * z[j];
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				v[i][j] = u[i - 1][j] + u[i + 1][j];
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				u[i][j] = v[i][j];
	}
#pragma endscop
}

void itself(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int j = 1; j < M - 1; j++)
			u[0][j] = 0.5f * u[0][j - 1];
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				v[i][j] = u[i - 1][j] + u[i + 1][j];
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				u[i][j] = v[i][j];
	}
#pragma endscop
}
