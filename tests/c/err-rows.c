/* A linear subscript that may leave its row, with a length of rows that is not asked for. */
struct grid {
	int pitch;
	float *a, *b;
};

void f(const struct grid *g, int n, int m)
{
	float *restrict a = g->a, *restrict b = g->b;

#pragma scop
	for (int i = 1; i < n - 1; i++)
		for (int j = 1; j < m - 1; j++)
			b[i * g->pitch + j] = a[(i - 1) * g->pitch + j] + a[i * g->pitch + j - 1];
#pragma endscop
}
