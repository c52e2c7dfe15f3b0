#define N 100

static float a[50][N];

void f(int steps)
{
#pragma scop
	for (int t = 1; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			a[t][i] = a[t-1][i-1] + a[0][i];
#pragma endscop
}
