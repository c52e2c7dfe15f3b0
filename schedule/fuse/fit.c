/* Blocks for a GPU as wide as their threads, with all that they compute for their neighbours: a
 * column that one warp alone still has to compute takes as long as all others.
 */
#include <math.h>
#include <string.h>

#include "schedule/fuse/fuse.h"

/* Threads along x and y, and rows of points for each of them. */
struct dealing {
	int threads[2], rows;
};

/* For tiles that are not swept, for planes of several rows, and for those of one.  Of equally fast
 * blocks the first is taken, which has more points a thread.  In tiles that are not swept two rows a
 * thread take longer than four on an H200, as nvcc unrolls by four.
 */
static const struct dealing tiles[] = {
	{ { 32, 8 }, 1 }, { { 32, 8 }, 4 }, { { 64, 4 }, 1 }, { { 64, 4 }, 4 },
	{ { 128, 2 }, 4 }, { { 64, 8 }, 1 }, { { 64, 8 }, 4 },
	{ { 128, 4 }, 4 }, { { 0 }, 0 },
}, planes[] = {
	{ { 64, 4 }, 4 }, { { 32, 8 }, 4 }, { { 64, 4 }, 2 }, { { 32, 8 }, 2 },
	{ { 32, 8 }, 1 }, { { 64, 4 }, 1 }, { { 32, 16 }, 1 },
	{ { 64, 8 }, 1 }, { { 0 }, 0 },
}, rows[] = {
	{ { 64, 1 }, 1 }, { { 128, 1 }, 1 }, { { 0 }, 0 },
};

bool fuse_may_fit(const struct fusion *f)
{
	const struct tile_request *r = f->request;

	return !r->for_cpu && f->scop->n_dims >= 2 && r->bx <= 0 &&
		r->by <= 0 && r->bz <= 0 && r->sweep <= 0 && r->slab <= 0 &&
		r->threads[0] <= 0 && r->threads[1] <= 0 &&
		f->outlook->machine->n_levels == 0;
}

/* The blocks of "shape" whose groups compute so much "beyond" their own points; false: little is
 * left of them.
 */
static bool take_shape(const struct dealing *shape, const int64_t *beyond,
	bool is_row, struct tiles *t)
{
	int64_t points = shape->threads[1] * shape->rows;

	t->block[0] = shape->threads[0] - beyond[0];
	if (!is_row)
		t->block[1] = points - beyond[1];
	return 2 * t->block[0] >= shape->threads[0] &&
		(is_row || 3 * t->block[1] >= points);
}

/* The time of all turns of the multiprocessors over that of the blocks, as the last turn is not
 * full.
 */
static double turns(const struct fusion *f, const struct tiles *t,
	bool is_swept, const struct dealing *shape)
{
	enum { THREADS = 1024 };
	int64_t domain[GRAPH_MAX_DIMS];
	double places = (double) f->outlook->machine->sm_count *
		larger(1, THREADS / (shape->threads[0] * shape->threads[1]));
	double n = 1;

	fuse_domain(f, domain);
	for (int i = 0; i < f->scop->n_dims; i++)
		n *= ceil((double) domain[i] / (double) (is_swept &&
			i == f->scop->n_dims - 1 ? t->sweep : t->block[i]));
	return ceil(n / places) * places / n;
}

/* A variant, of which fitting blocks are tried. */
struct fitting {
	const struct fusion *f;
	const struct variant *v;
	bool is_swept, is_row;	/* its groups are; .. by planes of one row */
	struct fuse_tile tile;
	struct sized sized;	/* with the variant, and no sizes */
	struct fastest *fastest;
};

static void try_shape(struct fitting *w, const struct dealing *shape,
	int64_t sweep)
{
	enum { MOST_WORDS = 24 };	/* of planes, in registers */
	static const int64_t any[2] = { 1, 1 };
	struct tiles t = fuse_tiles(w->f, any);
	struct sized sized = w->sized;
	struct graph_machine m;
	struct scored s;

	if (!take_shape(shape, w->tile.beyond, w->is_row, &t) ||
	    (shape->rows > 1 && w->tile.words * shape->rows > MOST_WORDS))
		return;
	t.sweep = sweep;
	m = fuse_machine(w->f, &t);
	s = fuse_score(w->f, &m, w->v);
	if (!s.fits)
		return;
	fuse_set_block(&sized.request, w->f->scop, w->v, &t);
	sized.request.threads[0] = shape->threads[0];
	sized.request.threads[1] = shape->threads[1];
	sized.request.threads[2] = 1;
	sized.predicted_s = s.seconds * (double) w->f->outlook->steps *
		turns(w->f, &t, w->is_swept, shape);
	fastest_try(w->fastest, &sized);
}

static void fit_variant(const struct fusion *f, const struct sized *tried,
	struct fastest *fastest)
{
	enum { LEAST = 32, MOST = 128 };
	struct tile_request asked = *f->request;
	const struct fusion own = { f->mem, f->scop, f->graph, &asked,
		f->outlook };
	struct fitting w = { .f = &own, .sized = *tried, .fastest = fastest };
	const struct dealing *shape;

	asked.variant = tried->request.variant;
	w.v = fuse_asked(&own, fuse_levels(f->outlook->machine, false));
	w.sized.request = asked;
	w.is_swept = fuse_has_groups(w.v, true);
	if (w.is_swept && fuse_has_groups(w.v, false))
		return;
	w.is_row = w.is_swept && f->scop->n_dims == 2;
	if (!fuse_beyond(f->scop, f->outlook->machine, &tried->request,
			&w.tile))
		return;
	shape = w.is_row ? rows : w.is_swept ? planes : tiles;
	for (; shape->threads[0] > 0; shape++)
		for (int64_t sweep = LEAST; sweep <= MOST; sweep *= 2)
			if (w.is_swept || sweep == LEAST)
				try_shape(&w, shape, sweep);
}

bool fuse_fit(const struct fusion *f, struct fastest *fastest)
{
	enum { MOST_VARIANTS = 3, MOST = 64 };
	const struct sized *tried = fastest->all;
	struct fastest fitting;
	int n = 0;

	fastest_start(&fitting, f->mem, MOST, sizeof(struct sized),
		sized_seconds);
	for (int i = 0; i < fastest->n && n < MOST_VARIANTS; i++) {
		bool is_known = tried[i].request.slab > 0;

		for (int j = 0; j < i; j++)
			is_known |= !strcmp(tried[j].request.variant,
				tried[i].request.variant);
		if (is_known)
			continue;
		n++;
		fit_variant(f, &tried[i], &fitting);
	}
	if (fitting.n > 0)
		*fastest = fitting;
	return fitting.n > 0;
}
