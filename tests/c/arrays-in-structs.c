/* Elements that are structs with arrays, cell[i].f[k], as lattice Boltzmann methods have them, and structs that functions
 * take by value.
 */
#include "data.h"

enum { SPEEDS = 9, N = 12, M = 15 };

struct params { int nx, ny, steps; float omega; struct { float density; } inner; };
struct cell { float speeds[SPEEDS]; };
struct mixed { int kind; double q[3]; short count; float flux[2]; };

static struct cell cells[N * M], moved[N * M];
static int walls[N * M];
static struct mixed grid[N][M], next[N][M];

static void propagate(const struct params p, const struct cell *from, struct cell *to)
{
	for (int j = 0; j < p.ny; j++)
		for (int i = 0; i < p.nx; i++) {
			int north = (j + 1) % p.ny, east = (i + 1) % p.nx;
			int south = j == 0 ? p.ny - 1 : j - 1, west = i == 0 ? p.nx - 1 : i - 1;

			to[i + j * p.nx].speeds[0] = from[i + j * p.nx].speeds[0];
			to[i + j * p.nx].speeds[1] = from[west + j * p.nx].speeds[1];
			to[i + j * p.nx].speeds[2] = from[i + south * p.nx].speeds[2];
			to[i + j * p.nx].speeds[3] = from[east + j * p.nx].speeds[3];
			to[i + j * p.nx].speeds[4] = from[i + north * p.nx].speeds[4];
			to[i + j * p.nx].speeds[5] = from[west + south * p.nx].speeds[5];
			to[i + j * p.nx].speeds[6] = from[east + south * p.nx].speeds[6];
			to[i + j * p.nx].speeds[7] = from[east + north * p.nx].speeds[7];
			to[i + j * p.nx].speeds[8] = from[west + north * p.nx].speeds[8];
		}
}

static void collide(struct params p, struct cell *to, const struct cell *from, const int *wall)
{
	static const int opposite[SPEEDS] = { 0, 3, 4, 1, 2, 7, 8, 5, 6 };

	for (int j = 0; j < p.ny; j++)
		for (int i = 0; i < p.nx; i++) {
			if (wall[i + j * p.nx]) {
				for (int k = 1; k < SPEEDS; k++)
					to[i + j * p.nx].speeds[k] = from[i + j * p.nx].speeds[opposite[k]];
			} else {
				float rho = 0, even[SPEEDS];

				for (int k = 0; k < SPEEDS; k++)
					rho += from[i + j * p.nx].speeds[k];
				for (int k = 0; k < SPEEDS; k++)
					even[k] = rho * (k ? k < 5 ? 1.0f / 9 : 1.0f / 36 : 4.0f / 9);
				for (int k = 0; k < SPEEDS; k++)
					to[i + j * p.nx].speeds[k] = from[i + j * p.nx].speeds[k] + p.omega *
						(even[k] - from[i + j * p.nx].speeds[k]);
			}
		}
}

static void lattice(const struct params p)
{
#pragma scop
	for (int t = 0; t < p.steps; t++) {
		propagate(p, cells, moved);
		collide(p, cells, moved, walls);
	}
#pragma endscop
}

static void gas(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				for (int k = 0; k < 3; k++)
					next[i][j].q[k] = 0.25 * (grid[i - 1][j].q[k] + grid[i + 1][j].q[k] +
						grid[i][j - 1].q[k] + grid[i][j + 1].q[k]);
				next[i][j].flux[1] = grid[i][j].flux[0] + grid[i][j].kind;
				next[i][j].count = grid[i][j].count + 1;
			}
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				for (int k = 0; k < 3; k++)
					grid[i][j].q[k] = next[i][j].q[k];
				grid[i][j].flux[0] = next[i][j].flux[1] / 2;
				grid[i][j].count = next[i][j].count;
			}
	}
#pragma endscop
}

int main(void)
{
	struct params p = { M, N, 7, 1.7f, { 0.1f } };

	for (int i = 0; i < N * M; i++)
		walls[i] = i % 13 == 5;
	fill_float(cells[0].speeds, N * M * SPEEDS);
	lattice(p);
	p.nx = 5;
	p.ny = 4;
	lattice(p);
	print_float("cells", cells[0].speeds, N * M * SPEEDS);
	print_float("moved", moved[0].speeds, N * M * SPEEDS);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++) {
			fill_double(grid[i][j].q, 3);
			fill_float(grid[i][j].flux, 2);
			grid[i][j].kind = i - j;
			grid[i][j].count = (short) (i + j);
			next[i][j] = grid[i][j];
		}
	gas(5);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++) {
			print_double("q", grid[i][j].q, 3);
			print_float("flux", grid[i][j].flux, 2);
			print_float("next", next[i][j].flux, 2);
			printf("%d %d\n", grid[i][j].kind, grid[i][j].count);
		}
	return 0;
}
