/* Values of a row beside choices by the column, and chosen themselves: they are
 * read before the column is known.
 */
#include "data.h"
#define N 12
#define M 15
static float a[N][M], b[N][M], r[N], a0[N];
static void run(int steps, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < N; i++)
			r[i] = 0.5f * a0[i] + 1;
		for (int i = 0; i < N; i++) {
			float p = i > 0 ? r[i - 1] : 3;
			for (int j = 0; j < m; j++)
				b[i][j] = j > 0 ? 0.5f * a[i][j - 1] + p : p;
		}
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M; j++)
				a[i][j] = 0.5f * b[i][j];
	}
#pragma endscop
}
int main(void)
{
	fill_float(a[0], N * M);
	fill_float(r, N);
	fill_float(a0, N);
	run(5, M);
	print_float("a", a[0], N * M);
	print_float("r", r, N);
	return 0;
}
