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

double wavefronts_sum(const struct wavefronts *w)
{
	double sum = 0;

	for (int64_t time = 0; time < w->times; time++)
		sum += (double) (floor_div(w->points - 1 + w->f1 +
			time * w->drift, w->w0) - floor_div(time * w->drift,
			w->w0) + 1);
	return sum;
}

/* The first i of "from" .. "to" for which "holds" does, as then of all that
 * follow; else to + 1.
 */
static int64_t first_that(bool (*holds)(const struct wavefronts *w, int64_t i,
	int64_t tiles), const struct wavefronts *w, int64_t tiles,
	int64_t from, int64_t to)
{
	while (from <= to) {
		int64_t middle = from + (to - from) / 2;

		if (holds(w, middle, tiles))
			to = middle - 1;
		else
			from = middle + 1;
	}
	return from;
}

/* From the beginning of time to wavefront i the grid has so many. */
static bool has_begun(const struct wavefronts *w, int64_t i, int64_t tiles)
{
	return i - first_of(w, i) + 1 >= tiles;
}

/* .. and from there to the end of time no more. */
static bool has_ended(const struct wavefronts *w, int64_t i, int64_t tiles)
{
	return last_of(w, i) - i + w->times < tiles;
}

int64_t wavefronts_with(const struct wavefronts *w, int64_t tiles)
{
	int64_t n = wavefronts_count(w), begin;

	if (tiles > wavefronts_most(w))
		return 0;
	begin = first_that(has_begun, w, tiles, 0, n - 1);
	return first_that(has_ended, w, tiles, begin, n - 1) - begin;
}
