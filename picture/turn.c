/* A turn of a stream: how far each version has come along the streamed dimension,
 * and which of its positions wait to be read.
 */
#include "picture/forms.h"

enum { WIDTH = 760, LEFT = 90, RIGHT = 130, HIGHEST = 16, SPACE = 320 };

/* The drawing: positions "first" to "last", cells "cell" wide, lines "row" high. */
struct frame {
	int first, last;
	double cell, row, bottom;
};

static void draw_position(struct markup *m, const struct frame *f,
	const char *class, int line, int from, int to)
{
	from = larger(from, f->first);
	to = smaller(to, f->last);
	if (from > to)
		return;
	svg_rect(m, class, LEFT + (from - f->first) * f->cell + 0.5,
		f->bottom - (line + 1) * f->row, (to - from + 1) * f->cell - 1,
		f->row - 2);
}

/* Version t0 + v of what statement "i" writes. */
static void draw_version(struct markup *m, const struct turn *t,
	const struct frame *f, int v, int i)
{
	const struct program *prog = t->plan->scop->prog;
	int line = v * prog->n_stmts + i, now = t->newest(t->plan, v, i);

	if (v == 0 && t->ahead)
		draw_position(m, f, "reused", line, now + 1, now + t->ahead);
	if (v == t->steps)
		draw_position(m, f, "stored", line, f->first, now);
	else
		draw_position(m, f, v ? "kept" : "loaded", line,
			now - t->kept + 1, now);
	draw_position(m, f, "ring", line, now - t->computed + 1, now);
	if (f->row >= 11 || i == 0)
		svg_label(m, "small end", LEFT - 8, f->bottom - (line + 0.5) *
			f->row + 3, "%s, t0 + %d",
			prog->stmt[i]->write->field->name, v);
}

static double draw_legend(struct markup *m, const struct turn *t, double top)
{
	const char *const entry[][2] = {
		{ "loaded", "loaded" }, { "kept", t->kept_where },
		{ "stored", "stored" }, { "reused", "on its way" },
	};

	for (int i = 0; i < (t->ahead ? 4 : 3); i++) {
		svg_rect(m, entry[i][0], LEFT + i * 140, top - 11, 14, 14);
		svg_label(m, NULL, LEFT + 22 + i * 140, top, "%s",
			entry[i][1]);
	}
	return top + 26;
}

const char *turn_lag(struct region *mem, int step, int of)
{
	const char *steps = step == 1 ? "m" : region_printf(mem, "%d m", step);

	return of ? region_printf(mem, "%s + %d", steps, of) : steps;
}

double turn_draw(struct markup *m, const struct turn *t, double top)
{
	int k = t->plan->scop->prog->n_stmts, lines = (t->steps + 1) * k;
	struct frame f = {
		.first = t->newest(t->plan, t->steps, k - 1) - t->kept - 2,
		.last = t->newest(t->plan, 0, 0) + t->ahead + 2,
		.row = lines * HIGHEST < SPACE ? HIGHEST :
			(double) SPACE / lines,
	};
	struct chart c = {
		.left = LEFT, .width = WIDTH - LEFT - RIGHT, .height = 1,
		.across = { .title = t->title, .from = f.first - 0.5,
			.to = f.last + 0.5, .counts = true },
	};

	f.cell = c.width / (f.last - f.first + 1);
	f.bottom = top + lines * f.row;
	for (int v = 0; v <= t->steps; v++)
		for (int i = 0; i < k; i++)
			draw_version(m, t, &f, v, i);
	c.top = f.bottom - 1;
	chart_across(m, &c);
	return draw_legend(m, t, f.bottom + 60);
}
