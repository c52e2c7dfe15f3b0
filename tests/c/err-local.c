/* Arrays that a region declares, and what is not done with them. */
#define N 100

static float A[N][N], B[N][N];

void read_before(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		float half[N][N];

		for (int i = 2; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				half[i][j] = 0.5f * A[i][j];
		for (int i = 2; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				A[i][j] = half[i - 1][j];
	}
#pragma endscop
}

void with_values(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		float sum[N][N] = { 0 };

		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				sum[i][j] += A[i][j];
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				A[i][j] = sum[i][j];
	}
#pragma endscop
}

void by_data(int n)
{
#pragma scop
	for (int i = 1; i < n - 1; i++)
		for (int j = 1; j < n - 1; j++) {
			float w[2] = { 0.5f, 0.25f };
			int k = A[i][j] > 0;

			B[i][j] = w[k] * A[i][j];
		}
#pragma endscop
}

void carried(int n)
{
#pragma scop
	float last[2] = { 0 };

	for (int i = 1; i < n - 1; i++)
		for (int j = 1; j < n - 1; j++) {
			B[i][j] = last[0];
			last[0] = A[i][j];
		}
#pragma endscop
}

void beyond(int n)
{
#pragma scop
	for (int i = 1; i < n - 1; i++)
		for (int j = 1; j < n - 1; j++) {
			float w[2] = { 0.5f, 0.25f };
			float s = 0;

			for (int k = 0; k <= 2; k++)
				s += w[k];
			B[i][j] = s * A[i][j];
		}
#pragma endscop
}

void no_value(int n)
{
#pragma scop
	for (int i = 1; i < n - 1; i++)
		for (int j = 1; j < n - 1; j++) {
			float w[2];

			w[0] = 0.5f;
			B[i][j] = w[1] * A[i][j];
		}
#pragma endscop
}
