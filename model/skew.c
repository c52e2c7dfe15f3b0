/* Wavefronts of skewed rectangles, for (2) and (6) of [PP].
 *
 * With P = w0 + drift the tiles S of wavefront i that hold points are those with
 *
 *	floor((i + 1)*drift/P) <= S <= floor((points - 1 + f1 + i*drift)/P)
 *
 * of which T = i - S must be a time: i - times < S <= i.
 */
#include "model/model.h"

static int64_t first_of(const struct wavefronts *w, int64_t i)
{
	return floor_div((i + 1) * w->drift, w->w0 + w->drift);
}

static int64_t last_of(const struct wavefronts *w, int64_t i)
{
	return floor_div(w->points - 1 + w->f1 + i * w->drift,
		w->w0 + w->drift);
}

int64_t wavefronts_count(const struct wavefronts *w)
{
	int64_t last = w->times - 1;

	return last + floor_div(w->points - 1 + w->f1 + last * w->drift,
		w->w0) + 1;
}

int64_t wavefronts_tiles(const struct wavefronts *w, int64_t i)
{
	int64_t n = smaller(i, last_of(w, i)) -
		larger(i - w->times + 1, first_of(w, i)) + 1;

	return larger(n, 0);
}

/* As many as fit between the sides of the grid, or as there are times. */
int64_t wavefronts_most(const struct wavefronts *w)
{
	return smaller(w->times, ceil_div(w->points - 1 + w->f1 + w->w0,
		w->w0 + w->drift));
}

/* Those of the first "times" times. */
static double tiles_of_times(const struct wavefronts *w, int64_t times)
{
	double sum = 0;

	for (int64_t time = 0; time < times; time++)
		sum += (double) (floor_div(w->points - 1 + w->f1 +
			time * w->drift, w->w0) - floor_div(time * w->drift,
			w->w0) + 1);
	return sum;
}

/* A time has as many as the time w0 earlier: both quotients grow by drift. */
double wavefronts_sum(const struct wavefronts *w)
{
	int64_t rounds = w->times / w->w0;

	return (rounds == 0 ? 0 : (double) rounds *
		tiles_of_times(w, w->w0)) +
		tiles_of_times(w, w->times % w->w0);
}

/* From the beginning of time to wavefront i the grid has so many from
 *
 *	i + 1 - floor((i + 1)*drift/P) = ceil((i + 1)*w0/P) >= tiles
 *
 * on, and from there to the end of time no more from
 *
 *	times + floor((points - 1 + f1 - i*w0)/P) < tiles.
 */
int64_t wavefronts_with(const struct wavefronts *w, int64_t tiles)
{
	int64_t pitch = w->w0 + w->drift, n = wavefronts_count(w);
	int64_t begin = floor_div((tiles - 1) * pitch, w->w0);
	int64_t end = floor_div(w->points - 1 + w->f1 -
		(tiles - w->times) * pitch, w->w0) + 1;

	if (tiles > wavefronts_most(w))
		return 0;
	return larger(smaller(end, n) - begin, 0);
}
