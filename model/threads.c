/* The shape of the blocks of a hexagonal tile. */
#include "model/search.h"

#include <math.h>
#include <string.h>

enum { MAX_THREADS_Z = 64 };

/* The size of row "a" along thread dimension "i": 0 is the innermost. */
static double along(const struct hex_profile *p, const struct hex_tile *t,
	int a, int i)
{
	int d = p->shape->dims - 1 - i;

	if (d < 0)
		return 1;
	return d ? (double) t->w[d] : (double) hex_row_length(p, t, a);
}

/* Passes over the dimensions that threads do not cover. */
static double outer_passes(const struct hex_profile *p,
	const struct hex_tile *t, int a)
{
	double n = 1;

	for (int i = 3; i < p->shape->dims; ++i)
		n *= along(p, t, a, i);
	return n;
}

/* c with the row's points dealt to "threads" cyclically. */
static double hex_threads_compute_s(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t,
	const int64_t threads[3])
{
	double all = (double) threads[0] * (double) threads[1] *
		(double) threads[2];
	double turns = ceil(all / (double) q->machine->lanes_per_sm);
	double sum = 0;

	for (int a = 0; a < p->n_rows; ++a) {
		double passes = outer_passes(p, t, a), rows;

		for (int i = 0; i < 3; ++i)
			passes *= ceil(along(p, t, a, i) /
				(double) threads[i]);
		rows = passes / (double) hex_row_length(p, t, a);
		sum += turns * (passes * q->work.citer_s[p->row[a].statement] +
			rows * q->work.citer_row_s[p->row[a].statement]);
	}
	return sum;
}

/* Do k blocks of "threads" fit an SM? */
static bool threads_fit(const struct shape_choice *c, const int64_t threads[3])
{
	const struct machine *m = c->q->machine;
	double all = (double) threads[0] * (double) threads[1] *
		(double) threads[2];
	double registers = (double) c->q->registers_per_thread;

	return all <= (double) m->max_threads_per_block &&
		all * c->k <= (double) m->max_threads_per_sm &&
		all * c->k * registers <= (double) m->registers_per_sm;
}

/* Take "threads" if they hide latencies better, up to what suffices; waste
 * fewer turns; or are more.  The first of equals stays.
 */
static void try_threads(struct shape_choice *c, int64_t x, int64_t y,
	int64_t z)
{
	int64_t threads[3] = { x, y, z };
	double enough = (double) c->q->machine->lanes_per_sm *
		MODEL_POINTS_OF_LANE;
	double busy, compute_s;

	if (!threads_fit(c, threads))
		return;
	busy = fmin((double) (x * y * z) * c->k, enough);
	compute_s = hex_threads_compute_s(c->q, c->p, c->t, threads);
	if (c->found && busy < c->busy)
		return;
	if (c->found && !(busy > c->busy) && !(compute_s < c->compute_s) &&
	    (compute_s > c->compute_s ||
	     x * y * z <= c->threads[0] * c->threads[1] * c->threads[2]))
		return;
	c->found = true;
	c->busy = busy;
	c->compute_s = compute_s;
	memcpy(c->threads, threads, sizeof(threads));
}

/* The most useful number of threads in dimension "i": the widest row's points. */
static int64_t most_threads(const struct shape_choice *c, int i)
{
	double n = 1;

	for (int a = 0; a < c->p->n_rows; ++a)
		n = fmax(n, along(c->p, c->t, a, i));
	n = fmin(n, (double) c->q->machine->max_threads_per_block);
	return i == 2 && n > MAX_THREADS_Z ? MAX_THREADS_Z : (int64_t) n;
}

static void try_column(struct shape_choice *c, int64_t x, int64_t y)
{
	int64_t forced = c->q->forced.threads[2];
	int64_t last = forced > 0 ? forced : most_threads(c, 2);

	for (int64_t z = forced > 0 ? forced : 1; z <= last; ++z) {
		if (x * y * z > c->q->machine->max_threads_per_block)
			return;
		try_threads(c, x, y, z);
	}
}

static void try_row(struct shape_choice *c, int64_t x)
{
	int64_t forced = c->q->forced.threads[1];
	int64_t last = forced > 0 ? forced : most_threads(c, 1);

	for (int64_t y = forced > 0 ? forced : 1; y <= last; ++y) {
		if (x * y > c->q->machine->max_threads_per_block)
			return;
		try_column(c, x, y);
	}
}

static int64_t from_one_to(int64_t most, int64_t value)
{
	return value < 1 ? 1 : value > most ? most : value;
}

void model_loop_threads(int dims, const int64_t extent[],
	const int64_t forced[3], int64_t threads[3])
{
	enum { BLOCK = 256, WARP = 32, MOST_X = 128 };
	int64_t left = BLOCK;

	for (int i = 0; i < 3; ++i) {
		int64_t n = i < dims ? from_one_to(extent[i], left) : 1;

		if (i == 0 && dims > 1)
			n = from_one_to(MOST_X, n);
		if (i == 0 && n > WARP)
			n -= n % WARP;
		if (i == 2)
			n = from_one_to(MAX_THREADS_Z, n);
		if (forced[i] > 0 && i < dims)
			n = forced[i];
		threads[i] = n;
		left = from_one_to(BLOCK, left / n);
	}
}

void hex_loop_threads(const struct hex_query *q, const struct hex_profile *p,
	const struct hex_tile *t, int64_t threads[3])
{
	int dims = q->shape->dims;
	int64_t extent[3] = { 1, 1, 1 };

	for (int i = 0; i < 3 && i < dims; ++i)
		extent[i] = larger(i < dims - 1 ? t->w[dims - 1 - i] :
			hex_widest_row(p, t), 1);
	model_loop_threads(dims, extent, q->forced.threads, threads);
}

struct shape_choice hex_choose_threads(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t, double k)
{
	struct shape_choice c = { .q = q, .p = p, .t = t, .k = k };
	int64_t warp = q->machine->warp_size;
	int64_t most = most_threads(&c, 0);

	if (q->column_points > 0) {
		int64_t columns[3];

		hex_column_threads(t, q->shape->dims,
			hex_narrowest_row(q->shape, t), q->forced.threads,
			columns);
		try_threads(&c, columns[0], columns[1], columns[2]);
		return c;
	}
	if (q->forced.threads[0] > 0) {
		try_row(&c, q->forced.threads[0]);
		return c;
	}
	for (int64_t x = warp; ; x *= 2) {
		try_row(&c, x);
		if (x >= most)
			return c;
	}
}

