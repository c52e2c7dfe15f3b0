/* Graphs as SVG, in layers, so that no edge meets a node on its way.
 *
 * A row holds the fields whose longest path from an input has the same length; inputs stand
 * above the first stage that reads them.  An edge over several rows has a place of its own, a
 * bend, in each row between.  So edges run between rows, where there are no nodes, or straight
 * down through their places.
 */
#include <math.h>
#include <string.h>

#include "model/graph/draw.h"

enum {
	ROW = 110,		/* from a row to the next */
	HALF = 24,		/* of a node's height */
	GAP = 26,		/* between places of a row */
	MARGIN = 16,
	LETTER = 8,		/* of a name */
	SWEEPS = 8,
};

/* A field, or a bend of an edge; from the first field on, by number. */
struct place {
	int row;
	double width, x, wanted;
};

/* An edge: places from the field read to the field computed. */
struct path {
	int n, *place;
	const struct shape *shape;
	struct path *next;
};

struct drawing {
	struct region *mem;
	const struct graph *g;
	int n_rows, n_places, room;
	struct place *place;
	struct row {
		int n, *place;		/* from left to right */
	} *row;
	struct path *paths;
	double width;
};

/* Rows ------------------------------------------------------------------ */

static void find_rows(struct drawing *d)
{
	const struct graph *g = d->g;

	for (int s = 0; s < g->n_stencils; s++)
		for (int i = 0; i < g->stencil[s].n_in; i++) {
			int above = d->place[g->stencil[s].in[i].field].row;
			struct place *out = &d->place[g->stencil[s].out];

			if (out->row <= above)
				out->row = above + 1;
			if (out->row >= d->n_rows)
				d->n_rows = out->row + 1;
		}
}

/* Move inputs down to the row above their first reader. */
static void lower_inputs(struct drawing *d)
{
	const struct graph *g = d->g;

	for (int f = 0; f < g->n_fields; f++) {
		int row = d->n_rows;

		if (g->field[f].producer >= 0)
			continue;
		for (int s = 0; s < g->n_stencils; s++)
			if (graph_reads(g, s, f) &&
			    d->place[g->stencil[s].out].row < row)
				row = d->place[g->stencil[s].out].row;
		d->place[f].row = row > 0 ? row - 1 : 0;
	}
}

static int add_place(struct drawing *d, int row, double width)
{
	if (d->n_places == d->room) {
		struct place *more;

		d->room *= 2;
		more = region_array(d->mem, struct place, d->room);
		memcpy(more, d->place, sizeof(*more) * (size_t) d->n_places);
		d->place = more;
	}
	d->place[d->n_places] = (struct place) { .row = row, .width = width };
	return d->n_places++;
}

static void add_path(struct drawing *d, int s, int f)
{
	struct path *p = region_new_of(d->mem, struct path);
	int out = d->g->stencil[s].out;
	int rows = d->place[out].row - d->place[f].row;

	p->shape = graph_shape_of_reads(d->mem, d->g, s, f);
	p->place = region_array(d->mem, int, rows + 1);
	p->place[p->n++] = f;
	for (int i = 1; i < rows; i++)
		p->place[p->n++] = add_place(d, d->place[f].row + i, 0);
	p->place[p->n++] = out;
	p->next = d->paths;
	d->paths = p;
}

static void fill_rows(struct drawing *d)
{
	d->row = region_array(d->mem, struct row, d->n_rows);
	for (int i = 0; i < d->n_places; i++)
		d->row[d->place[i].row].n++;
	for (int r = 0; r < d->n_rows; r++) {
		d->row[r].place = region_array(d->mem, int, d->row[r].n);
		d->row[r].n = 0;
	}
	for (int i = 0; i < d->n_places; i++) {
		struct row *row = &d->row[d->place[i].row];

		row->place[row->n++] = i;
	}
}

/* Places ---------------------------------------------------------------- */

/* The distance between the middles of adjacent places. */
static double apart(const struct drawing *d, int left, int right)
{
	return d->place[left].width / 2 + GAP + d->place[right].width / 2;
}

/* Each place of row "r" wants to stand amid its neighbours above and below; one
 * without neighbours wants to stay.
 */
static void want_middle(struct drawing *d, int r)
{
	const struct row *row = &d->row[r];

	for (int i = 0; i < row->n; i++) {
		struct place *p = &d->place[row->place[i]];
		double sum = 0;
		int n = 0;

		for (const struct path *e = d->paths; e; e = e->next)
			for (int k = 0; k < e->n; k++) {
				if (e->place[k] != row->place[i])
					continue;
				if (k > 0)
					sum += d->place[e->place[k - 1]].x;
				if (k + 1 < e->n)
					sum += d->place[e->place[k + 1]].x;
				n += (k > 0) + (k + 1 < e->n);
			}
		p->wanted = n ? sum / n : p->x;
	}
}

/* Sort by what they want; equals keep their order. */
static void sort_row(const struct drawing *d, struct row *row)
{
	for (int i = 1; i < row->n; i++)
		for (int k = i; k > 0 && d->place[row->place[k]].wanted <
		     d->place[row->place[k - 1]].wanted; k--) {
			int swapped = row->place[k];

			row->place[k] = row->place[k - 1];
			row->place[k - 1] = swapped;
		}
}

/* Put each place as near as possible to where it wants to be, between the
 * leftmost and the rightmost positions that keep the distances.
 */
static void place_row(struct drawing *d, const struct row *row)
{
	for (int i = 0; i < row->n; i++) {
		struct place *p = &d->place[row->place[i]];

		p->x = p->wanted;
		if (i > 0)
			p->x = fmax(p->x, d->place[row->place[i - 1]].x +
				apart(d, row->place[i - 1], row->place[i]));
	}
	for (int i = row->n - 1; i >= 0; i--) {
		struct place *p = &d->place[row->place[i]];

		if (i + 1 < row->n) {
			const struct place *q = &d->place[row->place[i + 1]];
			double most = q->wanted - apart(d, row->place[i],
				row->place[i + 1]);

			p->wanted = fmin(p->wanted, most);
		}
	}
	for (int i = 0; i < row->n; i++) {
		struct place *p = &d->place[row->place[i]];

		p->x = (p->x + p->wanted) / 2;
	}
}

static void place_all(struct drawing *d)
{
	for (int r = 0; r < d->n_rows; r++) {
		for (int i = 0; i < d->row[r].n; i++)
			d->place[d->row[r].place[i]].wanted = 0;
		place_row(d, &d->row[r]);
	}
	for (int sweep = 0; sweep < SWEEPS; sweep++)
		for (int i = 0; i < d->n_rows; i++) {
			int r = sweep % 2 ? d->n_rows - 1 - i : i;

			want_middle(d, r);
			sort_row(d, &d->row[r]);
			place_row(d, &d->row[r]);
		}
}

/* Bring the leftmost edge to the margin. */
static void bring_inside(struct drawing *d)
{
	double left = 0, right = 0;

	for (int i = 0; i < d->n_places; i++) {
		const struct place *p = &d->place[i];

		if (i == 0 || p->x - p->width / 2 < left)
			left = p->x - p->width / 2;
		right = i == 0 ? p->x + p->width / 2 :
			fmax(right, p->x + p->width / 2);
	}
	for (int i = 0; i < d->n_places; i++)
		d->place[i].x += MARGIN - left;
	d->width = right - left + 2 * MARGIN;
}

static struct drawing lay_out(struct region *mem, const struct graph *g)
{
	struct drawing d = { .mem = mem, .g = g, .n_rows = 1,
		.room = g->n_fields + 16 };

	d.place = region_array(mem, struct place, d.room);
	for (int f = 0; f < g->n_fields; f++)
		add_place(&d, 0, fmax(2 * HALF, 20 + LETTER *
			(double) strlen(g->field[f].name)));
	find_rows(&d);
	lower_inputs(&d);
	for (int s = 0; s < g->n_stencils; s++)
		for (int f = 0; f < g->n_fields; f++)
			if (graph_reads(g, s, f))
				add_path(&d, s, f);
	fill_rows(&d);
	place_all(&d);
	bring_inside(&d);
	return d;
}

/* Shapes ---------------------------------------------------------------- */

static double middle_of_row(int row)
{
	return MARGIN + HALF + row * ROW;
}

/* Down from place to place: below a node, above the next, through bends. */
static void draw_path(struct text *t, const struct drawing *d,
	const struct path *p)
{
	const struct place *last = &d->place[p->place[p->n - 1]];
	const struct place *before = &d->place[p->place[p->n - 2]];

	text_puts(t, "<polyline fill=\"none\" stroke=\"black\" "
		"marker-end=\"url(#tip)\" points=\"");
	for (int i = 0; i < p->n; i++) {
		const struct place *at = &d->place[p->place[i]];
		double y = middle_of_row(at->row);

		if (i > 0)
			text_printf(t, " %.1f,%.1f", at->x, y - HALF);
		if (i + 1 < p->n)
			text_printf(t, "%s%.1f,%.1f", i ? " " : "", at->x,
				y + HALF);
	}
	text_puts(t, "\"><title>");
	graph_print_shape(t, d->mem, p->shape);
	text_printf(t, "</title></polyline>\n<text x=\"%.1f\" y=\"%.1f\" "
		"font-size=\"11\" fill=\"#555\" stroke=\"white\" "
		"stroke-width=\"3\" paint-order=\"stroke\">%lld</text>\n",
		before->x + (last->x - before->x) * 0.6 + 8,
		middle_of_row(before->row) + HALF + (ROW - 2 * HALF) * 0.6,
		(long long) p->shape->points);
}

static void draw_field(struct text *t, const struct drawing *d, int f,
	const struct shape *needed)
{
	const struct graph_field *field = &d->g->field[f];
	const struct place *p = &d->place[f];
	bool is_input = field->producer < 0;
	double y = middle_of_row(p->row);

	text_printf(t, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
		"height=\"%d\" rx=\"%d\" fill=\"%s\" stroke=\"black\" "
		"stroke-width=\"%d\"><title>", p->x - p->width / 2, y - HALF,
		p->width, 2 * HALF, HALF, is_input ? "black" : "white",
		field->is_output ? 3 : 1);
	graph_print_shape(t, d->mem, needed);
	text_printf(t, "</title></rect>\n<text x=\"%.1f\" y=\"%.1f\" "
		"font-size=\"12\" fill=\"%s\">%s</text>\n", p->x, y + 4,
		is_input ? "white" : "black", field->name);
}

void graph_draw(struct text *t, struct region *mem, const struct graph *g)
{
	struct drawing d = lay_out(mem, g);
	const struct shape **all = graph_patterns(mem, g);

	text_printf(t, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		"width=\"%.0f\" height=\"%.0f\" font-family=\"sans-serif\" "
		"text-anchor=\"middle\">\n<defs><marker id=\"tip\" "
		"markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"3\" "
		"orient=\"auto\"><path d=\"M0,0 L7,3 L0,6 z\"/></marker>"
		"</defs>\n<rect width=\"100%%\" height=\"100%%\" "
		"fill=\"white\"/>\n", d.width,
		middle_of_row(d.n_rows - 1) + HALF + MARGIN);
	for (const struct path *p = d.paths; p; p = p->next)
		draw_path(t, &d, p);
	for (int f = 0; f < g->n_fields; f++)
		draw_field(t, &d, f, all[f]);
	text_puts(t, "</svg>\n");
}
