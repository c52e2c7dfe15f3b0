/* Functions: of one expression, with several returns, that write what pointers
 * point to, that hold nests; under conditions, nested, of a header.
 */
// apart
#include "data.h"
#include "inlined.h"

#define N 40
#define M 48
#define COPY(to, from) do { (to) = (from); } while (0)

static float u[2][N][M], v[N][M], w[N][M];
static int cells[2][N][M];
static double f[2][N][M][3];
static double omega = 0.75;

static int lives(int cell, int neighbours)
{
	if (cell == 1 && (neighbours < 2 || neighbours > 3)) {
		return 0;
	}
	if (cell == 0 && neighbours == 3)
		return 1;
	return cell;
}

static float square(float x)
{
	return x * x;
}

/* The sum is that of double, what is returned is a float. */
static float precise(float a[N][M], int i, int j, double by)
{
	double sum = 0;

	for (int k = -1; k <= 1; k++)
		sum += by * a[i + k][j] + a[i][j - k];
	return sum;
}

static float left_of(float *row, int j)
{
	return row[j - 1];
}

/* At a wall it all comes back. */
static void collide(double c, double e, double w, double *out_c,
	double *restrict out_e, double *restrict out_w, int i, int j)
{
	double rho;

	if (i == 1 || i == N - 2) {
		*out_c = c, *out_e = w, *out_w = e;
		return;
	}
	rho = c + e + w;
	if (j == 1)
		rho *= 0.5;
	*out_c = (1 - omega) * c + omega * rho / 3;
	*out_e = (1 - omega) * e + omega * rho / 2;
	*out_w = (1 - omega) * w + omega * rho / 6;
}

static void smooth(float to[N][M], float from[N][M], int begin, int end)
{
	for (int i = begin; i < end; i++)
		for (int j = 1; j < M - 1; j++)
			to[i][j] = mean(from[i][j - 1], from[i][j + 1]) +
				larger_of(from[i - 1][j], 0.25f * from[i + 1][j]);
}

static void life(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				cells[(t + 1) % 2][i][j] = lives(cells[t % 2][i][j],
					cells[t % 2][i - 1][j] + cells[t % 2][i + 1][j] +
					cells[t % 2][i][j - 1] + cells[t % 2][i][j + 1]);
#pragma endscop
}

static void heat(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M; j++) {
				float s = i > 0 && i < N - 1 && j > 0 && j < M - 1 ?
					precise(u[t % 2], i, j, 0.1) :
					square(u[t % 2][i][j]);

				COPY(u[(t + 1) % 2][i][j], mean(square(square(s)), 1) +
					(j > 0 ? left_of(u[t % 2][i], j) : 0));
			}
#pragma endscop
}

static void lattice(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				collide(f[t % 2][i][j][0], f[t % 2][i - 1][j][1],
					f[t % 2][i + 1][j][2], &f[(t + 1) % 2][i][j][0],
					&f[(t + 1) % 2][i][j][1],
					&f[(t + 1) % 2][i][j][2], i, j);
#pragma endscop
}

static void nests(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		smooth(w, v, 1, N - 1);
		smooth(v, w, 2, N - 2);
	}
#pragma endscop
}

static void rows(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++) {
			float *to = &w[i][0], *from = v[i];
			const float *up = v[i - 1] + 1;

			for (int j = 1; j < M - 1; j++)
				to[j] = 0.5f * from[j] + 0.25f * (up[j] + from[j - 1]);
		}
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				v[i][j] = w[i][j];
	}
#pragma endscop
}

int main(void)
{
	fill_float(&u[0][0][0], 2 * N * M);
	fill_float(&v[0][0], N * M);
	fill_float(&w[0][0], N * M);
	fill_double(&f[0][0][0][0], 2 * N * M * 3);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++)
			cells[0][i][j] = (i * 7 + j * 5) % 3 == 0;
	life(9);
	heat(3);
	lattice(6);
	nests(4);
	rows(5);
	print_float("u", &u[0][0][0], 2 * N * M);
	print_float("v", &v[0][0], N * M);
	print_float("w", &w[0][0], N * M);
	print_double("f", &f[0][0][0][0], 2 * N * M * 3);
	sum_bytes("cells", cells, sizeof(cells));
	return 0;
}
