/* Coefficients by material, and those of layers that are numbered from the end. */
#include "data.h"

enum { N = 40, M = 33, MATERIALS = 5, LAYER = 6 };

static float ez[N][M], hx[N][M], hy[N][M];
static unsigned char id[N][M];
static short ids[N][M];

struct material {
	float a, b;
	int kind;
};

/* By bytes, and by two numbers of a table. */
static void step_bytes(const float ca[MATERIALS], const float (*restrict cb)[2], int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				ez[i][j] = ca[id[i][j]] * ez[i][j] + ca[id[i][j] ^ 1] *
					(hy[i][j] - hy[i][j - 1] - hx[i][j] + hx[i - 1][j]);
		for (int i = 0; i < N - 1; i++)
			for (int j = 0; j < M - 1; j++) {
				hx[i][j] -= 0.5f * (ez[i + 1][j] - ez[i][j]) * cb[0][1];
				hy[i][j] += ca[id[i + 1][j + 1]] * (ez[i][j + 1] - ez[i][j]);
			}
	}
#pragma endscop
}

/* By a scalar, from a linear array, of records; where there is no material the number is beyond the table. */
static void step_records(const struct material m[MATERIALS], float *restrict u,
	float *restrict v, const int *restrict mat, int n, int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++) {
				const int k = mat[i * n + j];

				if (mat[i * n + j] >= 0)
					v[i * n + j] = m[k].a * u[i * n + j] + m[k].b *
						(u[(i - 1) * n + j] + u[i * n + j + 1]);
			}
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				u[i * n + j] = v[i * n + j];
	}
#pragma endscop
}

/* Two subscripts are data, in double; columns by one. */
static void step_tables(double a[restrict N][M], double b[restrict N][M],
	const double table[MATERIALS][3], const double columns[M + 3], const int *restrict at,
	int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				b[i][j] = table[ids[i][j]][id[i][j] % 3] * (a[i - 1][j] + a[i + 1][j]) +
					columns[at[j] + 2] * a[i][j - 1];
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				a[i][j] = 0.5 * b[i][j];
	}
#pragma endscop
}

/* Layers at both ends, with one profile; the far one backwards. */
static void step_layers(float u[2][N][M], const float be[LAYER], const float side[M], int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				float s = u[t % 2][i][j - 1] + u[t % 2][i][j + 1] +
					side[M - 1 - j] * u[t % 2][i - 1][j];

				if (i < LAYER)
					s *= be[i];
				else if (i >= N - LAYER)
					s *= be[N - 1 - i];
				u[(t + 1) % 2][i][j] = 0.3f * s;
			}
#pragma endscop
}

static void fill_numbers(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++) {
			id[i][j] = (unsigned char) ((i * 7 + j * 3) % 4);
			ids[i][j] = (short) ((i + 2 * j) % MATERIALS);
		}
}

static struct material material[MATERIALS];
static float u[N * N], v[N * N], waves[2][N][M];
static double a[N][M], b[N][M];

int main(void)
{
	float ca[MATERIALS], cb[1][2], be[LAYER], side[M];
	double table[MATERIALS][3], columns[M + 3];
	int mat[N * N], at[M];

	fill_numbers();
	fill_float(&ez[0][0], N * M);
	fill_float(&hx[0][0], N * M);
	fill_float(&hy[0][0], N * M);
	fill_float(ca, MATERIALS);
	fill_float(&cb[0][0], 2);
	fill_float(be, LAYER);
	fill_float(side, M);
	fill_float(u, N * N);
	fill_float(v, N * N);
	fill_float(&waves[0][0][0], 2 * N * M);
	fill_double(&a[0][0], N * M);
	fill_double(&b[0][0], N * M);
	fill_double(&table[0][0], 3 * MATERIALS);
	fill_double(columns, M + 3);
	for (int i = 0; i < N * N; i++)
		mat[i] = i % 11 ? i % MATERIALS : -1000000;
	for (int j = 0; j < M; j++)
		at[j] = (j * 5) % M;
	for (int k = 0; k < MATERIALS; k++)
		material[k] = (struct material) { 0.25f * (float) k, 0.125f, k };
	step_bytes(ca, (const float (*)[2]) cb, 7);
	step_records(material, u, v, mat, N, 5);
	step_tables(a, b, (const double (*)[3]) table, columns, at, 6);
	step_layers(waves, be, side, 9);
	print_float("ez", &ez[0][0], N * M);
	print_float("hx", &hx[0][0], N * M);
	print_float("hy", &hy[0][0], N * M);
	print_float("u", u, N * N);
	print_float("v", v, N * N);
	print_double("a", &a[0][0], N * M);
	print_double("b", &b[0][0], N * M);
	print_float("waves", &waves[0][0][0], 2 * N * M);
	return 0;
}
