/* Strips of register streaming in three dimensions whose rows do not overlap:
 * time and the second dimension are cut into hexagons of b = 2*half + 2 steps,
 * as hexagon.c has them, which two phases compute, a launch each.  The first
 * dimension is streamed within a hexagon, and strips overlap in it, and in the
 * last, as they do without hexagons.
 *
 * A warp's y rows, which no read reaches beyond, are the unit: the slopes are y
 * rows a step.  Of W warps those from "edge" to W - 1 - edge compute step m,
 *
 *	edge(m) = half + 1 - m, m <= half
 *	          m - half,     m > half
 *
 * the others load what hexagons of launches before left there of version m + 1
 * if a step to come reads it.  With half = 1 and base = 2, that is b = 4, W = 6:
 *
 *	step 3	. . # # . .	#: computes
 *	step 2	. # # # # .	L: loads what the step computes elsewhere
 *	step 1	L # # # # L	.: has nothing
 *	step 0	L L # # L L
 *	loaded	. L L L L .	version t0
 *
 * What hexagons of later launches read, two versions of rows near the sides
 * and the last one of all rows, goes to global memory.  No block may read there
 * what another one of its launch replaces, as strips overlap, so there are two
 * sets of two copies: version v is in copy v mod 2 of its set.  Launch (T, p)
 * reads and writes, of the warps
 *
 *	0, W - 1			reads set (T + p) mod 2
 *	1 .. half and W - 1 - half .. W - 2
 *					reads set p, writes set 1 - p
 *	half + 1 .. W - 2 - half	reads set T mod 2, writes the other
 *
 * Rows of the second kind are computed by both phases, those of the third by
 * p alone, those of the first by 1 - p alone.  The first launch reads version 0
 * in copy 0 of set 0.  After an even number of T all rows were written to set
 * 0 last.
 */
#include "schedule/strips/strips.h"

bool stream_is_hexagonal(const struct stream *s)
{
	return s->hexagons.used;
}

int stream_edge(const struct stream *s, int m)
{
	int half = s->hexagons.half;

	return m <= half ? half + 1 - m : m - half;
}

int stream_hexagon_pitch(const struct stream *s)
{
	return 2 * (s->hexagons.base + s->hexagons.half) * s->rows;
}

const char *strip_why_no_hexagons(const struct scop *scop)
{
	if (scop->n_dims != 3)
		return "hexagons of strips need three dimensions";
	for (int i = 0; i < scop->prog->n_fields; i++)
		if (scop->prog->field[i]->kind == FIELD_STATE &&
		    scop->prog->field[i]->depth > 1)
			return "a state has more than one past step, and "
				"hexagons of strips leave two versions of a "
				"row";
	for (int c = 0; c < scop->k; c++) {
		const struct stmt *s = scop->prog->stmt[c];

		for (int i = 0; i < s->n_reads; i++) {
			const struct access *acc = s->read[i];

			if (acc->field->kind != FIELD_STATE)
				continue;
			if (acc->version > 0)
				return "a statement reads what its own step "
					"computes, which is not there at the "
					"sides of a hexagon";
			if (access_goes_around(s, acc, 1))
				return "rows go around the grid, where "
					"hexagons of other steps lie";
		}
	}
	return NULL;
}

bool strip_has_hexagons(struct diags *d, const struct scop *scop,
	const struct tile_request *r)
{
	const char *why = strip_why_no_hexagons(scop);

	if (!r->hexagons)
		return true;
	if (!why && r->steps.async)
		why = "rows are not copied ahead for hexagons";
	if (!why && r->launches == LAUNCHES_RESIDENT)
		why = "hexagons of strips are not one launch: --launch=direct";
	if (why)
		diag_plain(d, E_TILE, "--shape=hex: %s", why);
	return !why;
}

void strip_place_hexagons(struct stream *s)
{
	s->hexagons.half = s->steps / 2 - 1;
	s->hexagons.base = s->warps - s->steps;
	s->hexagons.loaded = 2;
	s->hexagons.stored = 1;
	s->before[s->dim.row] = s->after[s->dim.row] = s->rows;
	s->height = (s->warps - 2) * s->rows;
}

/* Of version t0 the base and a warp on either side, of the versions after it
 * up to t0 + half two on either side, then one.
 */
double strip_loaded_warps(const struct stream *s)
{
	const struct hexagons *x = &s->hexagons;

	return x->base + 4 * x->half + 4;
}

/* At step half a warp of either side, at those after it two, at the last one
 * the base.
 */
double strip_stored_warps(const struct stream *s)
{
	const struct hexagons *x = &s->hexagons;

	return x->base + 4 * x->half + 2;
}

/* { [m, x] in "set" : a warp that computes step m has row x } */
__isl_give isl_set *strip_cut_hexagon(const struct stream *s,
	__isl_take isl_set *set)
{
	isl_set *all = isl_set_empty(isl_set_get_space(set));

	for (int m = 0; m < s->steps; m++) {
		int edge = stream_edge(s, m);
		isl_set *step = isl_set_fix_si(isl_set_copy(set), isl_dim_set,
			0, m);

		all = isl_set_union(all, set_between(step, 1 + s->dim.row,
			(edge - 1) * s->rows,
			(s->warps - 1 - edge) * s->rows - 1));
	}
	isl_set_free(set);
	return all;
}

/* Two phases, half a hexagon apart in time and in the rows; the second begins
 * with the first step.
 */
void strip_place_phases(struct plan *plan)
{
	const struct stream *s = plan->strips;
	const struct hexagons *x = &s->hexagons;
	int row = s->dim.row;

	plan->n_phases = 2;
	plan->time_shift[0] = x->half + 1;
	plan->pitch[row] = plan->tiles.width[row] = stream_hexagon_pitch(s);
	plan->shift[row][0] = (x->half + x->base) * s->rows;
}

bool stream_is_joined(const struct stream *s)
{
	return s->lanes > s->warp;
}
