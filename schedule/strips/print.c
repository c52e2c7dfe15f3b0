/* Strips of register streaming, for --emit=schedule and --emit=tiles. */
#include "schedule/forms.h"
#include "schedule/strips/strips.h"

/* Strips along the streamed dimension. */
static void print_stream(struct text *t, const struct stream *s,
	const char *dim)
{
	int d = s->dim.stream;

	if (s->first == s->length)
		text_printf(t, "S%d = floor(%s/%d), over blocks\n", d, dim,
			s->length);
	else
		text_printf(t, "S%d = floor(max(%s - %d, 0)/%d), over blocks: "
			"the first strips, %d long, start before all others\n",
			d, dim, s->first - s->length, s->length, s->first);
}

/* Strips along another dimension, of which each stores so many points. */
static void print_across(struct text *t, const struct plan *plan, int d)
{
	const char *dim = scop_dim_name(plan->scop, d);

	if (plan->tiles.rim[d].low > 0)
		dim = region_printf(plan->scop->mem, "(%s - %d)", dim,
			plan->tiles.rim[d].low);
	text_printf(t, "S%d = floor(%s/%d), over blocks", d, dim,
		plan->pitch[d]);
}

static bool has_rims(const struct plan *plan)
{
	bool any = false;

	for (int d = 0; d < plan->n_dims; d++)
		any |= plan_has_rim(plan, d);
	return any;
}

static void print(struct text *t, const struct plan *plan)
{
	const struct stream *s = plan->strips;
	const struct scop *scop = plan->scop;
	const char *lane = scop_dim_name(scop, s->dim.lane);

	text_printf(t, "strategy %s\n", plan->strategy->name);
	text_printf(t, "T = floor(t/%d), %s\n", s->b, plan->resident ?
		"one launch, a barrier of the grid between two of them" :
		"launched one after the other");
	if (s->dim.stream >= 0)
		print_stream(t, s, scop_dim_name(scop, s->dim.stream));
	if (s->dim.row >= 0) {
		print_across(t, plan, s->dim.row);
		text_printf(t, ": %s%d warps%s of %d rows, %d before those they "
			"store, %d after\n", stream_is_clustered(s) ?
			region_printf(scop->mem, "%d blocks of ",
			s->exchange.blocks) :
			"", s->warps, stream_is_clustered(s) ? ", a cluster," :
			"", s->rows, s->before[s->dim.row],
			s->after[s->dim.row]);
	}
	print_across(t, plan, s->dim.lane);
	if (s->dim.row >= 0)
		text_puts(t, "\n");
	else if (stream_is_joined(s))
		text_printf(t, ": a strip each, of %d warps\n", s->lanes /
			s->warp);
	else
		text_printf(t, ": %d strips of %d, a warp each\n", s->warps,
			s->width);
	text_printf(t, "a strip has %d values of %s, %d to a lane: %d before "
		"those it stores, %d after\n", s->lanes * s->cells, lane, s->cells,
		s->before[s->dim.lane], s->after[s->dim.lane]);
	if (has_rims(plan))
		text_puts(t, "at the sides of the grid strips store those "
			"before, and after, too\n");
	if (s->dim.stream < 0)
		return;
	text_printf(t, "iterations n = %d .. %d of a strip, %d positions of a "
		"version kept\n", s->walk.first, s->walk.last, s->period);
	if (s->ahead.used)
		text_printf(t, "what iteration n loads is copied to shared "
			"memory from iteration n - %d on%s\n", s->period,
			s->ahead.bulk ? ", a row of a warp at a time" : "");
	for (int i = 0; i < scop->k; i++)
		text_printf(t, "%s, step m: %s = %d*S%d + n - lag%s, "
			"lag = %d*m + %d\n", scop->prog->stmt[i]->name,
			scop_dim_name(scop, s->dim.stream), s->length,
			s->dim.stream, s->first == s->length ? "" :
			region_printf(scop->mem, ", and %d behind the first "
				"strip", s->first - s->length), s->lag.step,
			s->lag.of[i]);
	if (stream_is_joined(s))
		text_printf(t, "cells of neighbouring lanes are found in "
			"shared memory, %d iteration after they are left "
			"there\n", s->exchange.behind);
	for (int i = 0; i < scop->k; i++)
		if (s->parts[i].n > 0)
			text_printf(t, s->parts[i].operations ? "%s: parts of "
				"its value that other iterations use, too: %d\n" :
				"%s: sums of earlier iterations, begun in the "
				"place of rows: %d\n",
				scop->prog->stmt[i]->name, s->parts[i].n);
}

enum { DRAWING_WIDTH = 64 };

/* What the lanes have of each version: '#' ends up stored, '+' is read on the
 * way, '.' nobody needs.
 */
static void draw(struct text *t, const struct plan *plan)
{
	const struct stream *s = plan->strips;
	const char *lane = scop_dim_name(plan->scop, s->dim.lane);
	int across = s->lanes * s->cells > DRAWING_WIDTH ?
		s->lanes * s->cells / DRAWING_WIDTH : 1;

	text_printf(t, "a strip: what is needed of its versions along %s, "
		"time upwards\n\n", lane);
	for (int v = s->b; v >= 0; v--) {
		const struct needed *e = &s->needed[v];

		text_printf(t, "t0 + %2d  ", v);
		for (int x = -s->before[s->dim.lane]; x < s->width +
		     s->after[s->dim.lane]; x += across) {
			int end = x + across;
			bool stored = end > 0 && x < s->width;
			bool needed = end > e->low[s->dim.lane] &&
				x < s->width + e->high[s->dim.lane];

			text_puts(t, stored ? "#" : needed ? "+" : ".");
		}
		text_printf(t, "  %s = %d .. %d\n", lane,
			e->low[s->dim.lane],
			s->width - 1 + e->high[s->dim.lane]);
	}
	if (across > 1)
		text_printf(t, "(a character is %d points wide)\n", across);
}

static bool copies_ahead(const struct plan *plan, bool in_bulk)
{
	return in_bulk ? plan->strips->ahead.bulk : plan->strips->ahead.used;
}

const struct form_plans strips_plans = {
	.print = print, .draw = draw, .copies_ahead = copies_ahead,
};
