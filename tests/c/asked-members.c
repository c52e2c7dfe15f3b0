/* Sizes are members of a struct, which the emitted file asks about: may a subscript leave its row, do a
 * source and a receiver lie in the grid?  Pointers take turns, so the last of an odd number of steps is half a round.
 */
#include "data.h"

struct model {
	int nx, ny, nz, pitch;
	float dt, *speed;
};

#define AT(p, i, j, k) p[((long) (i) * m->ny + (j)) * m->nz + (k)]

static void shot(const struct model *m, float *p0, float *p1, const float *w, int steps, int sx, int sy, int sz,
	int rx, int ry, int rz, float *trace)
{
	const float c0 = -2.5f, c1 = 4.0f / 3, c2 = -1.0f / 12;

#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 2; i < m->nx - 2; i++)
			for (int j = 2; j < m->ny - 2; j++)
				for (int k = 2; k < m->nz - 2; k++)
					AT(p0, i, j, k) = 2 * AT(p1, i, j, k) - AT(p0, i, j, k) + m->dt * AT(m->speed, i, j, k)
						* (3 * c0 * AT(p1, i, j, k)
						+ c1 * (AT(p1, i - 1, j, k) + AT(p1, i + 1, j, k) + AT(p1, i, j - 1, k)
							+ AT(p1, i, j + 1, k) + AT(p1, i, j, k - 1) + AT(p1, i, j, k + 1))
						+ c2 * (AT(p1, i - 2, j, k) + AT(p1, i + 2, j, k) + AT(p1, i, j - 2, k)
							+ AT(p1, i, j + 2, k) + AT(p1, i, j, k - 2) + AT(p1, i, j, k + 2)));
		AT(p0, sx, sy, sz) += w[t];
		trace[t] = AT(p0, rx, ry, rz);
		float *swap = p0;
		p0 = p1;
		p1 = swap;
	}
#pragma endscop
}

static void blur(const struct model *m, int cells, const float *restrict a, float *restrict b)
{
#pragma scop
	for (int i = 1; i < m->nx - 1; i++)
		for (int j = 1; j < cells - 1; j++)
			b[i * m->pitch + j] = a[(i - 1) * m->pitch + j] + a[i * m->pitch + j - 1];
#pragma endscop
}

int main(void)
{
	static float p[2][11 * 9 * 13], speed[11 * 9 * 13], w[9], trace[9], b[11 * 40];
	struct model m = { 11, 9, 13, 40, 0.01f, speed };

	fill_float(speed, 11 * 9 * 13);
	fill_float(w, 9);
	for (int steps = 0; steps <= 9; steps += 3) {
		fill_float(p[0], 2 * 11 * 9 * 13);
		shot(&m, p[0], p[1], w, steps, 5, 4, 6, 7, 4, 6, trace);
		print_float("trace", trace, steps);
		print_float("field", p[0], 2 * 11 * 9 * 13);
	}
	shot(&m, p[0], p[1], w, 5, 10, 8, 12, 0, 8, 12, trace);	/* beside the nest */
	print_float("corner", trace, 5);
	blur(&m, 40, p[0], b);
	print_float("rows", b, 11 * 40);
	m.pitch = 30;
	blur(&m, 34, p[0], b);					/* over their ends */
	print_float("beyond", b, 11 * 30);
	return 0;
}
