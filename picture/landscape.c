/* The time predicted over two sizes: figure 4 of [PP]. */
#include "picture/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	WIDTH = 760, LEFT = 80, TOP = 100, SIDE_X = 540, SIDE_Y = 400,
	MOST = 24,		/* values of a size */
};

/* A size of the request that the picture varies. */
struct knob {
	const char *name;
	int *(*place)(struct tile_request *request, int dim);
	int dim;
	int n, value[MOST];
};

static int *place_h(struct tile_request *r, int dim)
{
	(void) dim;
	return &r->h;
}

static int *place_w(struct tile_request *r, int dim)
{
	return &r->w[dim];
}

static int *place_bx(struct tile_request *r, int dim)
{
	(void) dim;
	return &r->bx;
}

static int *place_by(struct tile_request *r, int dim)
{
	(void) dim;
	return &r->by;
}

static int *place_chunk(struct tile_request *r, int dim)
{
	(void) dim;
	return &r->chunk_z;
}

static int *place_b(struct tile_request *r, int dim)
{
	(void) dim;
	return &r->b;
}

static int *place_v(struct tile_request *r, int dim)
{
	(void) dim;
	return &r->v;
}

static int *place_l(struct tile_request *r, int dim)
{
	(void) dim;
	return &r->l;
}

/* Multiples of "unit" from the first to beyond twice "chosen", which is among
 * them.
 */
static void fill_knob(struct knob *k, int chosen, int first, int unit)
{
	int step = unit;

	while (2 * chosen - first > (MOST - 1) * step)
		step += unit;
	if (chosen > first && (chosen - first) % step != 0)
		first = chosen - (chosen - first) / step * step;
	k->n = 2 * (chosen - first) / step + 8;
	k->n = k->n > MOST ? MOST : k->n;
	for (int i = 0; i < k->n; i++)
		k->value[i] = first + i * step;
}

/* The steps of a strip over its length; in one dimension over the cells of a
 * lane.
 */
static void choose_knobs_of_strips(struct knob knob[2], const struct scop *scop,
	const struct tile_request *r)
{
	static const int cells[] = { 1, 2, 4, 8 };

	knob[1] = (struct knob) { "b", place_b, 0, 0, { 0 } };
	fill_knob(&knob[1], r->b, 1, 1);
	if (scop->n_dims > 1) {
		knob[0] = (struct knob) { "l", place_l, 0, 0, { 0 } };
		fill_knob(&knob[0], r->l, 1, 1);
		return;
	}
	knob[0] = (struct knob) { "v", place_v, 0, 4, { 0 } };
	memcpy(knob[0].value, cells, sizeof(cells));
}

/* The choice, but for what it only takes with its sizes. */
static struct tile_request others_of(const struct prediction *p,
	const struct tile_request *request)
{
	struct tile_request base = p->candidate[0].request;

	memcpy(base.threads, request->threads, sizeof(base.threads));
	base.opt.unroll = request->opt.unroll;
	base.f = 0;
	return base;
}

/* Has "base" a time with this height? */
static bool has_height(const struct scop *scop, const struct prediction *p,
	struct tile_request base, int h)
{
	struct region *tmp = region_new();
	bool has;

	base.h = h;
	has = strategy_predict(tmp, p->strategy, scop, &base,
		p->outlook).n_candidates > 0;
	region_free(tmp);
	return has;
}

/* Some tiles have so many steps, those of others end with the last statement of a step. */
static void fill_heights(struct knob *k, const struct scop *scop,
	const struct prediction *p, const struct tile_request *base)
{
	bool any = scop->k == 1 || has_height(scop, p, *base, base->h + 1) ||
		has_height(scop, p, *base, base->h - 1);

	*k = (struct knob) { "h", place_h, 0, 0, { 0 } };
	if (any)
		fill_knob(k, base->h, !has_height(scop, p, *base, 0), 1);
	else
		fill_knob(k, base->h, scop->k - 1, scop->k);
}

/* The two sizes that matter most: the height and the innermost width; two sizes
 * of a strip; or the shape of a block.  False if the strategy has none.
 */
static bool choose_knobs(struct knob knob[2], const struct scop *scop,
	const struct prediction *p, const struct tile_request *base)
{
	struct tile_request r = *base;
	int last = scop->n_dims - 1;

	if (r.b > 0) {
		choose_knobs_of_strips(knob, scop, &r);
		return true;
	}
	if (r.h >= 0 && r.w[0] >= 0) {
		fill_heights(&knob[1], scop, p, &r);
		knob[0] = (struct knob) { last ? last == 1 ? "w1" : "w2" :
			"w0", place_w, last > 2 ? 2 : last, 0, { 0 } };
		if (last)
			fill_knob(&knob[0], r.w[knob[0].dim], 32, 32);
		else
			fill_knob(&knob[0], r.w[0], 0, 1);
		return true;
	}
	if (r.bx <= 0)
		return false;
	knob[0] = (struct knob) { "bx", place_bx, 0, 0, { 0 } };
	fill_knob(&knob[0], r.bx, 32, 32);
	knob[1] = (struct knob) { "by", place_by, 0, 0, { 0 } };
	if (scop->n_dims == 1 || r.chunk_z > 1)
		knob[1] = (struct knob) { "chunk_z", place_chunk, 0, 0,
			{ 0 } };
	fill_knob(&knob[1], *knob[1].place(&r, 0) < 1 ? 1 :
		*knob[1].place(&r, 0), 1, 1);
	return true;
}

struct spot {
	double seconds;		/* 0: infeasible */
	const char *why;	/* why it is infeasible */
};

static struct spot predict_at(struct region *mem, const struct scop *scop,
	const struct prediction *choice, const struct tile_request *base,
	const struct knob knob[2], int x, int y)
{
	struct tile_request request = *base;
	struct prediction p;
	struct region *tmp = region_new();
	struct spot spot = { 0 };

	*knob[0].place(&request, knob[0].dim) = knob[0].value[x];
	*knob[1].place(&request, knob[1].dim) = knob[1].value[y];
	p = strategy_predict(tmp, choice->strategy, scop, &request,
		choice->outlook);
	if (p.n_candidates)
		spot.seconds = p.candidate[0].predicted_s;
	else
		spot.why = region_strdup(mem, p.why ? p.why : "");
	region_free(tmp);
	return spot;
}

struct landscape {
	struct knob knob[2];
	int chosen[2];
	struct spot spot[MOST][MOST];
	double least, most;	/* the ends of the scale; slower times count as
				 * "most" */
	int n_infeasible;
};

static void fill_landscape(struct landscape *l, struct region *mem,
	const struct scop *scop, const struct tile_request *base,
	const struct prediction *p)
{
	struct tile_request at = p->candidate[0].request;

	for (int i = 0; i < 2; i++)
		for (int v = 0; v < l->knob[i].n; v++)
			if (*l->knob[i].place(&at, l->knob[i].dim) ==
			    l->knob[i].value[v])
				l->chosen[i] = v;
	l->least = p->candidate[0].predicted_s;
	for (int y = 0; y < l->knob[1].n; y++)
		for (int x = 0; x < l->knob[0].n; x++) {
			struct spot s = x == l->chosen[0] && y ==
				l->chosen[1] ?
				(struct spot) { l->least, NULL } :
				predict_at(mem, scop, p, base, l->knob, x, y);

			l->spot[y][x] = s;
			l->n_infeasible += !(s.seconds > 0);
			if (s.seconds > 0)
				l->least = fmin(l->least, s.seconds);
		}
	l->most = 4 * l->least;
}

static double shade_of(const struct landscape *l, double seconds)
{
	return 1 - fmin(1, log(seconds / l->least) / log(l->most / l->least));
}

static void draw_spot(struct markup *m, const struct landscape *l, int x,
	int y, double cell_x, double cell_y)
{
	const struct spot *s = &l->spot[y][x];
	double left = LEFT + x * cell_x;
	double top = TOP + SIDE_Y - (y + 1) * cell_y;
	char colour[8];

	svg_group(m);
	if (s->seconds > 0) {
		svg_shade(shade_of(l, s->seconds), colour);
		markup_attribute(m, "fill", "%s", colour);
		svg_hint(m, "%s = %d, %s = %d: %.4g s predicted, %.2f times "
			"the least here", l->knob[0].name,
			l->knob[0].value[x], l->knob[1].name,
			l->knob[1].value[y], s->seconds,
			s->seconds / l->least);
		svg_rect(m, NULL, left, top, cell_x + 0.3, cell_y + 0.3);
		if (s->seconds <= 1.1 * l->least)
			svg_circle(m, "dot", left + cell_x / 2,
				top + cell_y / 2, 3);
	} else {
		svg_hint(m, "%s = %d, %s = %d: %s", l->knob[0].name,
			l->knob[0].value[x], l->knob[1].name,
			l->knob[1].value[y], s->why);
		svg_rect(m, "void", left, top, cell_x + 0.3, cell_y + 0.3);
		svg_line(m, "thin", left + 2, top + cell_y - 2,
			left + cell_x - 2, top + 2);
	}
	svg_close(m);
}

static void draw_numbers(struct markup *m, const struct landscape *l,
	double cell_x, double cell_y)
{
	const struct knob *k = l->knob;
	int each = k[0].n > 14 ? 2 : 1;

	for (int x = 0; x < k[0].n; x += each)
		svg_label(m, "small middle", LEFT + (x + 0.5) * cell_x,
			TOP + SIDE_Y + 16, "%d", k[0].value[x]);
	for (int y = 0; y < k[1].n; y++)
		svg_label(m, "small end", LEFT - 8,
			TOP + SIDE_Y - (y + 0.5) * cell_y + 4, "%d",
			k[1].value[y]);
	svg_label(m, "middle", LEFT + SIDE_X / 2.0, TOP + SIDE_Y + 38, "%s",
		k[0].name);
	svg_label_up(m, LEFT - 46, TOP + SIDE_Y / 2.0, k[1].name);
}

/* The scale of times, with the best one at its bright end. */
static void draw_scale(struct markup *m, const struct landscape *l)
{
	enum { STEPS = 40 };
	static const double tick[] = { 1, 1.1, 1.5, 2, 3, 4 };
	double x = LEFT + SIDE_X + 24, high = SIDE_Y - 110;
	char colour[8];

	for (int i = 0; i < STEPS; i++) {
		svg_shade(1 - (i + 0.5) / STEPS, colour);
		svg_group(m);
		markup_attribute(m, "fill", "%s", colour);
		svg_rect(m, NULL, x, TOP + high * (STEPS - 1 - i) / STEPS,
			18, high / STEPS + 0.5);
		svg_close(m);
	}
	for (int i = 0; i < 6; i++) {
		double y = TOP + high * (1 - log(tick[i]) / log(4));

		svg_line(m, "thin", x + 18, y, x + 23, y);
		svg_label(m, "small", x + 27, y + 4, "%s%g \xc3\x97", i == 5 ?
			"\xe2\x89\xa5 " : "", tick[i]);
	}
	svg_label(m, "small", x, TOP + high + 18, "of %.3g s", l->least);
	svg_rect(m, "void", x, TOP + high + 32, 18, 16);
	svg_line(m, "thin", x + 2, TOP + high + 46, x + 16, TOP + high + 34);
	svg_label(m, "small", x + 25, TOP + high + 44, "infeasible");
	svg_circle(m, "dot shown", x + 9, TOP + high + 64, 3);
	svg_label(m, "small", x + 25, TOP + high + 68, "within 10 %%");
	svg_circle(m, "halo", x + 9, TOP + high + 90, 7);
	svg_circle(m, "ring", x + 9, TOP + high + 90, 7);
	svg_label(m, "small", x + 25, TOP + high + 94, "the choice");
}

static void draw_landscape(struct markup *m, const struct landscape *l)
{
	double cell_x = SIDE_X / (double) l->knob[0].n;
	double cell_y = SIDE_Y / (double) l->knob[1].n;
	double x = LEFT + (l->chosen[0] + 0.5) * cell_x;
	double y = TOP + SIDE_Y - (l->chosen[1] + 0.5) * cell_y;
	double r = fmin(9, fmin(cell_x, cell_y) / 2);

	for (int i = 0; i < l->knob[1].n; i++)
		for (int k = 0; k < l->knob[0].n; k++)
			draw_spot(m, l, k, i, cell_x, cell_y);
	svg_circle(m, "halo", x, y, r);
	svg_circle(m, "ring", x, y, r);
	svg_rect(m, "thin", LEFT, TOP, SIDE_X, SIDE_Y);
	draw_numbers(m, l, cell_x, cell_y);
	draw_scale(m, l);
}

/* What distinguishes the choice, and the picture of its neighbours. */
static void draw_choice(struct markup *m, struct region *mem,
	const struct scop *scop, const struct tile_request *request,
	const struct prediction *p)
{
	struct landscape *l = region_new_of(mem, struct landscape);
	struct tile_request base = others_of(p, request);

	svg_label(m, NULL, 20, 50, "strategy %s, %s: %.4g s predicted, bound "
		"by %s", p->strategy->name, p->sizes,
		p->candidate[0].predicted_s, p->binding);
	if (!choose_knobs(l->knob, scop, p, &base)) {
		svg_label(m, "small", 20, 70, "it has no sizes to vary");
		return;
	}
	fill_landscape(l, mem, scop, &base, p);
	svg_label(m, "small", 20, 70, "the other sizes as chosen; %d of the "
		"%d points shown are infeasible", l->n_infeasible,
		l->knob[0].n * l->knob[1].n);
	draw_landscape(m, l);
}

void picture_landscape(struct text *t, const struct scop *scop,
	const struct tile_request *request, const struct prediction *p)
{
	struct region *mem = region_new();
	const struct outlook *o = p->outlook;
	struct markup m;

	svg_begin(&m, t, AS_SVG, WIDTH, p->n_candidates ? 560 : 110,
		region_printf(mem, "%s: the model's landscape",
			scop->prog->name),
		"The predicted time over two tile sizes; bright is fast");
	svg_label(&m, "heading", 20, 26, "%s on %s: %s", scop->prog->name,
		o->machine->name, o->problem);
	if (!p->n_candidates) {
		svg_label(&m, NULL, 20, 60, "no sizes for strategy %s: %s",
			p->strategy->name, p->why);
	} else {
		draw_choice(&m, mem, scop, request, p);
	}
	svg_end(&m);
	region_free(mem);
}
