/* Structs: of arrays and scalars, behind pointers, nested; arrays of structs;
 * structs of the loops; in functions.
 */
// apart
#include "data.h"

#define N 37
#define M 41

struct box { float by, *field; };
struct grid { double u[N][M], v[N][M]; int n, m; struct box in; };
struct cell { int kind; float re, im; double weight; };

static struct grid g;
static struct cell cells[N][M], next[N][M];

static void heat(struct grid *grid, int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < grid->n - 1; i++)
			for (int j = 1; j < grid->m - 1; j++)
				grid->v[i][j] = 0.25 * (grid->u[i - 1][j] + grid->u[i + 1][j]
					+ grid->u[i][j - 1] + (*grid).u[i][j + 1]);
		for (int i = 1; i < grid->n - 1; i++)
			for (int j = 1; j < grid->m - 1; j++)
				grid->u[i][j] = grid->v[i][j] * grid->in.by;
	}
#pragma endscop
}

static float turned(const struct cell *c, float by)
{
	struct { float a, b; } sum;

	sum.a = c->re * by;
	sum.b = c->im;
	if (c->kind == 2)
		sum.b = -sum.b;
	return sum.a + sum.b;
}

static void update(struct cell *to, const struct cell *from, double weight)
{
	to->re = turned(from, 0.5f) - from->im;
	to->im = (float) (weight * from->re);
	to->kind = from->kind;
}

static void waves(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				update(&next[i][j], &cells[i][j - 1],
					cells[i + 1][j].weight);
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				cells[i][j].re = next[i][j].re;
				cells[i][j].im = next[i][j].im;
				cells[i][j].kind = next[i][j].kind;
			}
	}
#pragma endscop
}

int main(void)
{
	fill_double(&g.u[0][0], N * M);
	fill_double(&g.v[0][0], N * M);
	g.n = N;
	g.m = M;
	g.in.by = 0.75f;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++) {
			cells[i][j].kind = (i + 2 * j) % 3;
			cells[i][j].re = data_next();
			cells[i][j].im = data_next();
			cells[i][j].weight = data_next();
			next[i][j] = cells[i][j];
		}
	heat(&g, 6);
	waves(5);
	print_double("u", &g.u[0][0], N * M);
	print_double("v", &g.v[0][0], N * M);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++)
			printf("%d %a %a %a\n", cells[i][j].kind, cells[i][j].re,
				cells[i][j].im, next[i][j].re);
	return 0;
}
