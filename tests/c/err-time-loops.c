/* Several loops over time, and what does not reach the second one. */
#define N 100

static float A[N], B[N];

void of_data(int steps)
{
#pragma scop
	float first = A[0];

	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			B[i] = A[i - 1] + A[i + 1];
		for (int i = 0; i < N - 1; i++)
			A[i] = B[i];
	}
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			B[i] = first * A[i - 1];
		for (int i = 0; i < N - 1; i++)
			A[i] = B[i];
	}
#pragma endscop
}

void of_both(int steps)
{
#pragma scop
	float to[N];

	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			to[i] = A[i - 1] + A[i + 1];
		for (int i = 1; i < N - 1; i++)
			A[i] = to[i];
	}
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			A[i] = to[i] * B[i];
#pragma endscop
}

void of_steps(int steps)
{
	float last;

#pragma scop
	for (int t = 0; t < steps; t++) {
		last = 0.5f * t;
		for (int i = 1; i < N - 1; i++)
			B[i] = last * A[i];
	}
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			B[i] = last * (A[i - 1] + A[i + 1]);
		for (int i = 1; i < N - 1; i++)
			A[i] = B[i];
	}
#pragma endscop
}
