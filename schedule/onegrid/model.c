/* The time of tiles on one grid.  Single rows of three dimensions take it as in hexagons
 * (model/choose_hexagons.inc); what differs is what moves.
 */
#include <math.h>

#include "schedule/onegrid/onegrid.h"
#include "schedule/planes.h"

/* Bytes of a cell of the state. */
static double word_of(const struct scop *scop)
{
	return type_size(scop->prog->stmt[0]->write->field->type);
}

/* .. of all inputs with as many dimensions. */
static double input_words(const struct scop *scop)
{
	double bytes = 0;

	for (int i = 0; i < scop->prog->n_fields; i++) {
		const struct field *f = scop->prog->field[i];

		if (f->kind == FIELD_INPUT && f->n_dims == ONE_GRID_DIMS)
			bytes += type_size(f->type);
	}
	return bytes;
}

static double width_of(const struct one_grid *g, const struct outlook *o, int d)
{
	return fmin(g->width[d], (double) o->grid[d]);
}

/* A step's box and the rows around it. */
double one_grid_kept_bytes(const struct scop *scop, const struct one_grid *g,
	const struct outlook *o)
{
	double cells = (double) o->grid[ONE_GRID_TILED];

	for (int d = 0; d < ONE_GRID_TILED; d++)
		cells *= width_of(g, o, d) + g->skew[d] + g->shift[d];
	return cells * (word_of(scop) + input_words(scop));
}

/* All that a tile touches until the next one along the second dimension does, whose rows it leaves. */
static double left_bytes(const struct scop *scop, const struct one_grid *g,
	const struct outlook *o)
{
	return (double) o->grid[ONE_GRID_TILED] * width_of(g, o, 0) *
		(width_of(g, o, 1) + g->h * (g->skew[1] + g->shift[1])) *
		(word_of(scop) + input_words(scop));
}

/* The rows that a step takes over from the tile before along "d", over its own. */
static double taken_over(const struct one_grid *g, const struct outlook *o, int d)
{
	return fmin((g->skew[d] + g->shift[d]) / width_of(g, o, d), 1);
}

/* The part of what was used before "bytes" of other data that a cache has lost. */
static double lost(double bytes, double cache)
{
	const double x = bytes / (1.5 * cache);

	return x * x * x / (x * x * x + 1);
}

/* What a step moves, for "points" of it. */
struct moved {
	double near, far, memory;
};

/* From memory a band's cells come once: of the caller's array they are read, fetched for writing and
 * written, of the grid fetched; of five ways, with that back, fitted tiles take four.  Strips of tiles leave planes for each other: one of as many
 * as there are threads when it has run through the whole grid.
 */
static void add_memory(struct moved *m, const struct scop *scop,
	const struct one_grid *g, const struct outlook *o, double points)
{
	const double bands = ceil((double) o->steps / g->h) / (double) o->steps;
	const double strips = taken_over(g, o, 0) / (double) o->machine->sm_count;

	m->memory = points * (bands * (4 * word_of(scop) + input_words(scop)) +
		2 * strips * word_of(scop));
}

/* What comes from the cache that cores share, or has gone to memory: rows taken over, and all that a
 * core's own cache has lost since the step before.  Fitted to 24 tiles of laplacian3d on a Zen 5, the
 * part 0.7.
 */
static void add_far(struct moved *m, const struct scop *scop,
	const struct one_grid *g, const struct outlook *o, double points)
{
	const struct machine *machine = o->machine;
	const double share = (double) machine->l2_bytes / machine->sm_count;
	const double gone = lost(left_bytes(scop, g, o), share);
	const double rows = taken_over(g, o, 0) + taken_over(g, o, 1);
	const double bytes = points * (2 * word_of(scop) + input_words(scop)) *
		fmin(rows + lost(one_grid_kept_bytes(scop, g, o),
			(double) machine->shared_bytes_per_sm), 1);

	m->far = 0.7 * bytes * (1 - gone);
	m->memory += bytes * gone;
}

/* Between a core's own caches a step moves each cell once, in and out, with the rows around, and the
 * planes that the first-level cache loses meanwhile.  The factor 1.25 is fitted likewise, as is 0.9.
 */
static void add_near(struct moved *m, const struct scop *scop,
	const struct one_grid *g, const struct outlook *o, double points)
{
	const struct stmt *s = scop->prog->stmt[0];
	const double rows = 1 + taken_over(g, o, 1);
	const double used = planes_in_use(s, width_of(g, o, 1),
		(double) o->grid[ONE_GRID_TILED]);
	const double cache = 0.6 * (double) o->machine->l1_bytes_per_sm;

	m->near = 0.9 * points * ((rows + 1) * word_of(scop) + input_words(scop) +
		1.25 * rows * planes_again_bytes(s) *
		fmin(fmax(used / cache - 1, 0), 1));
}

/* Strips of tiles along the first dimension, of which each thread has as many, or one more; each begins
 * a tile after the one before.
 */
static double imbalance(const struct one_grid *g, const struct outlook *o)
{
	const double threads = o->machine->sm_count;
	const double strips = floor((double) (o->grid[0] - 1 + g->skew[0] * g->h) /
		g->width[0]) + 1;
	const double tiles = floor((double) (o->grid[1] - 1 + g->skew[1] * g->h) /
		g->width[1]) + 1;
	const double turns = ceil(strips / threads);

	return turns * threads / strips * (1 + (fmin(threads, strips) - 1) /
		(turns * tiles));
}

struct cpu_terms one_grid_time(const struct scop *scop, const struct one_grid *g,
	const struct outlook *o)
{
	struct cpu_problem p = outlook_cpu_problem(o, scop->prog);
	struct moved moved = { 0 };

	add_memory(&moved, scop, g, o, p.points);
	add_far(&moved, scop, g, o, p.points);
	add_near(&moved, scop, g, o, p.points);
	p.bytes = moved.memory;
	p.far_bytes = moved.far;
	p.near_bytes = cpu_has_line_registers(o->machine) ? moved.near : 0;
	p.streams = true;
	p.efficiency = 0.9;
	p.barriers = 1.0 / g->h;
	return cpu_overlapped_time(&p, cpu_row_work((double)
		o->grid[ONE_GRID_TILED] * p.word_bytes), imbalance(g, o));
}
