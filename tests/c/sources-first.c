/* Sources at the beginning of a step, before the nests that read what they change: the steps of the program begin behind
 * them.
 */
// apart
#include "data.h"

enum { N = 14, M = 17, STEPS = 9 };

#define ADD(a, i, j, x) (a)[(i) * m + (j)] += (x)

static void waves(int steps, int n, int m, int si, int sj, const float *restrict w, float *restrict u,
	float *restrict v)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		u[si * m + sj] += w[t];
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				v[i * m + j] = 2 * u[i * m + j] - v[i * m + j] + 0.1f * (u[(i - 1) * m + j] +
					u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1] - 4 * u[i * m + j]);
		float *p = u;
		u = v;
		v = p;
	}
#pragma endscop
}

static void insert(const float *src, int it, int at, float *p, float *q)
{
	float amount = 0.5f * src[it];

	p[at] += amount;
	q[at] += amount;
}

/* By a function that is inlined, into two fields; what counts is declared before, and lives on. */
static int two(int steps, int n, int m, int source, const float *restrict src, float *restrict pp,
	float *restrict pc, float *restrict qp, float *restrict qc)
{
	int it;

#pragma scop
	for (it = 1; it <= steps; it++) {
		insert(src, it - 1, source, pc, qc);
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++) {
				const int at = i * m + j;

				pp[at] = 2 * pc[at] - pp[at] + 0.1f * (qc[at - 1] + pc[at + 1] + pc[at - m] + qc[at + m]);
				qp[at] = 2 * qc[at] - qp[at] + 0.1f * (pc[at - 1] + qc[at + 1] + pc[at - m] + qc[at + m]);
			}
		float *p = pp;
		pp = pc;
		pc = p;
		p = qp;
		qp = qc;
		qc = p;
	}
#pragma endscop
	return it;
}

/* In place, two sources by a macro, an amount that a scalar has. */
static void maxwell(int steps, int n, int m, const double *restrict pulse, double *restrict ez, double *restrict hx,
	double *restrict hy)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		double amount = pulse[t] / 3;
		ADD(ez, n / 2, 3, amount);
		ADD(ez, 4, 5, -amount);
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m - 1; j++)
				hx[i * m + j] -= 0.5 * (ez[i * m + j + 1] - ez[i * m + j]);
		for (int i = 0; i < n - 1; i++)
			for (int j = 0; j < m; j++)
				hy[i * m + j] += 0.5 * (ez[(i + 1) * m + j] - ez[i * m + j]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				ez[i * m + j] += 0.5 * (hy[i * m + j] - hy[(i - 1) * m + j] - hx[i * m + j] +
					hx[i * m + j - 1]);
	}
#pragma endscop
}

/* Copies that take turns, in a loop of the function. */
static void shots(int shots, int steps, float u[3][N][M], float c[N][M], const float *restrict w)
{
	for (int s = 0; s < shots; s++) {
#pragma scop
		for (int t = 0; t < steps; t++) {
			u[(t + 1) % 3][3 + s][4] = u[(t + 1) % 3][3 + s][4] + w[t];
			for (int i = 1; i < N - 1; i++)
				for (int j = 1; j < M - 1; j++)
					u[(t + 2) % 3][i][j] = 2 * u[(t + 1) % 3][i][j] - u[t % 3][i][j] + c[i][j] *
						(u[(t + 1) % 3][i - 1][j] + u[(t + 1) % 3][i + 1][j] +
						u[(t + 1) % 3][i][j - 1] + u[(t + 1) % 3][i][j + 1]);
		}
#pragma endscop
	}
}

/* Receivers, which no source reaches in the step that they record. */
static void listen(int steps, float u[2][N][M], float heard[STEPS][M], const float *restrict w)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		/* one of them; */
		u[t % 2][6][4] += w[t];   // the other;
		u[t % 2][7][5] -= w[t];
		/* and all points; */
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				u[(t + 1) % 2][i][j] = u[t % 2][i - 1][j] + u[t % 2][i + 1][j] - u[(t + 1) % 2][i][j];
		for (int j = 1; j < M - 1; j++)
			heard[t][j] = u[(t + 1) % 2][2][j];
	}
#pragma endscop
}

int main(void)
{
	static float u[3][N][M], c[N][M], heard[STEPS][M], w[STEPS], v[4][N * M];
	static double e[3][N * M], pulse[STEPS];

	fill_float(w, STEPS);
	fill_double(pulse, STEPS);
	for (int steps = 0; steps < STEPS; steps += 1 + steps / 3) {
		for (int k = 0; k < 4; k++)
			fill_float(v[k], N * M);
		waves(steps, N, M, 3, 5, w, v[0], v[1]);
		print_float("waves", v[0], 2 * N * M);
		waves(steps, N, M, 0, 5, w, v[0], v[1]);
		print_float("waves at an edge", v[0], 2 * N * M);
		printf("%d steps\n", two(steps, N, M, 5 * M + 4, w, v[0], v[1], v[2], v[3]));
		print_float("two", v[0], 4 * N * M);
		for (int k = 0; k < 3; k++)
			fill_double(e[k], N * M);
		maxwell(steps, N, M, pulse, e[0], e[1], e[2]);
		print_double("maxwell", e[0], 3 * N * M);
		fill_float(u[0][0], 3 * N * M);
		fill_float(c[0], N * M);
		shots(3, steps, u, c, w);
		print_float("shots", u[0][0], 3 * N * M);
		fill_float(heard[0], STEPS * M);
		listen(steps, u, heard, w);
		print_float("listen", u[0][0], 2 * N * M);
		print_float("heard", heard[0], STEPS * M);
	}
	return 0;
}
