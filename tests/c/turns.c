/* Integers that turn with the steps, and say which copy of an array is which: known at the beginning or not, in any
 * form, and used behind the loop.
 */
#include "data.h"

#define N 23
#define M 19

static double u[2][N][M];

static int one_less(int steps)
{
	int cur = 0;

#pragma scop
	for (int t = 0; t < steps; t++) {
		int next = 1 - cur;

		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				u[next][i][j] = 0.25 * (u[cur][i-1][j] + u[cur][i+1][j] + u[cur][i][j-1] + u[cur][i][j+1]);
		cur = next;
	}
#pragma endscop
	return cur;
}

/* Values that nobody says; both are used later. */
static void exchanged(float *w, int n, int m, int steps, int *at)
{
	int old = at[0], next = at[1];

#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				w[next * n * m + i * m + j] = 0.25f * (w[old * n * m + (i - 1) * m + j] +
					w[old * n * m + (i + 1) * m + j] + w[old * n * m + i * m + j - 1] +
					w[old * n * m + i * m + j + 1]);
		int tmp = old;
		old = next;
		next = tmp;
	}
#pragma endscop
	at[0] = old;
	at[1] = next;
}

static float p[3][N][M];

/* Three copies; the last assignment is of another form. */
static int three(int steps, float dt)
{
	int before = 0, now = 1, after = 2;

#pragma scop
	for (int t = 1; t <= steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				p[after][i][j] = 2 * p[now][i][j] - p[before][i][j] + dt * (p[now][i-1][j] +
					p[now][i+1][j] + p[now][i][j-1] + p[now][i][j+1] - 4 * p[now][i][j]);
		before = now;
		now = after;
		after = (after + 1) % 3;
	}
#pragma endscop
	return 100 * before + 10 * now + after;
}

static int level = 2;

/* A global one, whose copies the step finds at its beginning, every other step of the counter. */
static void global_level(int steps, float dt)
{
#pragma scop
	for (int t = 0; t < steps; t += 2) {
		int older = (level + 2) % 3, newer = (level + 1) % 3;

		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				p[newer][i][j] = p[level][i][j] + dt * (p[level][i][j-1] - p[older][i+1][j]);
		level = newer;
	}
#pragma endscop
}

struct grid {
	int n, m, turn;
	double (*a)[N][M];
};

static void flip(int *which)
{
	*which ^= 1;
}

/* A member, turned by a function; rows of the copies by pointers. */
static void member(struct grid *g, int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		double (*src)[M] = g->a[g->turn], (*dst)[M] = g->a[!g->turn];

		for (int i = 1; i < g->n - 1; i++)
			for (int j = 1; j < g->m - 1; j++)
				dst[i][j] = 0.5 * (src[i-1][j] + src[i][j+1]);
		flip(&g->turn);
	}
#pragma endscop
}

/* The region says what it begins with; the number of steps is known. */
static int given(void)
{
	int side;

#pragma scop
	side = 1;
	for (int t = 0; t < 7; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				u[1 - side][i][j] = 0.25 * (u[side][i-1][j] + u[side][i+1][j]) + 0.1 * u[side][i][j];
		if (side == 0)
			side = 1;
		else
			side = 0;
	}
#pragma endscop
	return side;
}

static float v[N][M];

/* A colour by step, whose value counts: it must be the one assumed, or the loops run. */
static int colours(int steps, int red)
{
	int colour = 0;

	colour += red;
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				if ((i + j + colour) % 2 == 0)
					v[i][j] += 0.2f * (v[i-1][j] + v[i+1][j] + v[i][j-1] + v[i][j+1]);
		colour = 1 - colour;
	}
#pragma endscop
	return colour;
}

/* Cells around a periodic grid: the last steps are the loops', which go on from where the call ends. */
static int around(int steps, const float *a)
{
	static float b[2][N][M];
	int cur = 0, last = 5;

	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++)
			b[0][i][j] = b[1][i][j] = a[i * M + j];
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i <= N - 2; i++) {
			b[cur][i][0] = b[cur][i][M - 2];
			b[cur][i][M - 1] = b[cur][i][1];
		}
		for (int i = 1; i <= N - 2; i++)
			for (int j = 1; j <= M - 2; j++)
				b[!cur][i][j] = 0.25f * (b[cur][i][j - 1] + b[cur][i][j + 1] + 2 * b[cur][i][j]);
		cur = !cur;
		last = 1 - cur;
	}
#pragma endscop
	print_float("around", &b[0][0][0], 2 * N * M);
	return 10 * cur + last;
}

/* Pointers in an array, selected from what the caller says on. */
static int pointers(float *buf[2], int n, int m, int steps, int src)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				buf[!src][i * m + j] = 0.25f * (buf[src][(i - 1) * m + j] + buf[src][i * m + j + 1]);
		src = !src;
	}
#pragma endscop
	return src;
}

static float trace[40][M];

/* Records of cells that the nest computes, not the edge. */
static void recorded(int steps)
{
	int cur = 0;

#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int j = 1; j < M - 1; j++)
			trace[t][j] = u[cur][N / 2][j];
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				u[1 - cur][i][j] = 0.5 * u[cur][i-1][j] + 0.25 * u[cur][i][j+1];
		for (int j = 1; j < M - 1; j++)
			u[1 - cur][0][j] = u[1 - cur][1][j];
		cur = cur == 0;
	}
#pragma endscop
}

int main(void)
{
	static float w[2 * N * M];
	float *buf[2] = { w, w + N * M };
	struct grid g = { N, M, 0, u };
	int at[2] = { 1, 0 };

	fill_double(&u[0][0][0], 2 * N * M);
	fill_float(w, 2 * N * M);
	fill_float(&p[0][0][0], 3 * N * M);
	fill_float(&v[0][0], N * M);
	for (int steps = 0; steps < 6; steps++) {
		printf("%d\n", one_less(steps));
		exchanged(w, N, M, steps, at);
		printf("%d %d\n", at[0], at[1]);
		printf("%d\n", three(steps, 0.0625f));
		global_level(steps, 0.03125f);
		printf("%d\n", level);
		member(&g, steps);
		printf("%d\n", g.turn);
		printf("%d\n", given());
		printf("%d\n", colours(steps, steps == 4));
		printf("%d\n", around(steps, w));
		printf("%d\n", pointers(buf, N, M, steps, steps % 2));
		recorded(steps);
		print_double("u", &u[0][0][0], 2 * N * M);
		print_float("w", w, 2 * N * M);
		print_float("p", &p[0][0][0], 3 * N * M);
		print_float("v", &v[0][0], N * M);
		print_float("trace", &trace[0][0], 40 * M);
	}
	return 0;
}
