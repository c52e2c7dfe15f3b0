/* picture: what the compiler thinks, drawn.  Each picture is one SVG document
 * that fetches nothing: readable on paper, on a dark screen and without
 * colour vision; see svg.c for how.
 *
 * Symbols are those of schedule/schedule.h.
 */
#ifndef STENCILC_PICTURE_H
#define STENCILC_PICTURE_H

#include "base/base.h"
#include "ir/ir.h"
#include "model/model.h"
#include "schedule/schedule.h"

/* markup.c: elements, attributes and text; XML or HTML -------------------*/

enum { MARKUP_DEPTH = 32 };

/* A document being written to "out". */
struct markup {
	struct text *out;
	const char *open[MARKUP_DEPTH];	/* elements not yet closed */
	int depth;
	bool in_tag;		/* the last start tag still takes attributes */
	bool is_tikz;		/* shapes become TikZ: svg.c asks */
	bool is_html;		/* an element without content is <a></a>, or
				 * <br> where HTML says so */
};

void markup_open(struct markup *m, const char *element);
/* Of the element just opened, before it has content. */
void markup_attribute(struct markup *m, const char *name, const char *fmt,
	...) BASE_PRINTF(3, 4);
/* The same for a number, rounded to hundredths. */
void markup_number(struct markup *m, const char *name, double value);
void markup_text(struct markup *m, const char *fmt, ...) BASE_PRINTF(2, 3);
/* What is markup already: a style sheet, a script. */
void markup_raw(struct markup *m, const char *s);
void markup_close(struct markup *m);
/* Open "element" with one attribute, none where "name" is NULL. */
void markup_open_with(struct markup *m, const char *element, const char *name,
	const char *value);
/* An element that holds just "text". */
void markup_element(struct markup *m, const char *element, const char *text);

/* svg.c: shapes ----------------------------------------------------------
 *
 * Lengths are pixels, y grows downwards.  "class" is one or more names of the
 * style sheet in svg.c.
 */
struct point {
	double x, y;
};

enum picture_format { AS_SVG, AS_TIKZ };

/* Start a picture called "title"; a text reader says "description". */
void svg_begin(struct markup *m, struct text *out, enum picture_format format,
	double width, double height, const char *title,
	const char *description);
void svg_end(struct markup *m);

/* Shapes up to svg_close() belong together; svg_hint() shows over them. */
void svg_group(struct markup *m);
void svg_hint(struct markup *m, const char *fmt, ...) BASE_PRINTF(2, 3);
void svg_close(struct markup *m);

void svg_rect(struct markup *m, const char *class, double x, double y,
	double width, double height);
void svg_line(struct markup *m, const char *class, double x1, double y1,
	double x2, double y2);
/* A line with an arrow's head at its end. */
void svg_arrow(struct markup *m, double x1, double y1, double x2, double y2);
void svg_circle(struct markup *m, const char *class, double x, double y,
	double r);
void svg_polygon(struct markup *m, const char *class, int n,
	const struct point *p);
void svg_label(struct markup *m, const char *class, double x, double y,
	const char *fmt, ...) BASE_PRINTF(5, 6);
/* A label that reads upwards. */
void svg_label_up(struct markup *m, double x, double y, const char *text);
/* Let what follows, up to svg_close(), show inside the rectangle only. */
void svg_clip(struct markup *m, const char *id, double x, double y,
	double width, double height);
/* The colour of "part" of a scale from dark (0) to light (1): "#rrggbb". */
void svg_shade(double part, char colour[8]);

/* chart.c: a rectangle with axes -----------------------------------------*/

struct axis {
	const char *title;
	double from, to;	/* either may be the greater one */
	bool is_log;
	bool counts;		/* ticks at integers only */
};

struct chart {
	double left, top, width, height;
	struct axis across, up;	/* "up" grows upwards */
};

double chart_x(const struct chart *c, double value);
double chart_y(const struct chart *c, double value);
/* Axes, ticks, their numbers and the titles; the frame needs 50 pixels to the
 * left and 40 below.
 */
void chart_frame(struct markup *m, const struct chart *c);
/* Ticks, numbers and title below it alone. */
void chart_across(struct markup *m, const struct chart *c);

/* The pictures ------------------------------------------------------------
 *
 * Each appends one document to "t".
 */

/* cone.c: the distances of the dependences and the cone around them, one
 * chart for each dimension; figure 3 of [CGO].
 */
void picture_cone(struct text *t, enum picture_format format,
	const struct scop *scop, const struct cone *cone);

/* forms.c: pictures of plans.
 *
 * Does picture_tiles show what picture_schedule would? */
bool picture_of_tiles_says_all(const struct plan *plans, int n);
/* A hexagon with the truncated cones that cut it out, figure 4 of
 * [CGO], and the pattern of its copies, figure 5, of the first plan.  One
 * without hexagons shows its blocks; no plans: there is nothing to compute.
 */
void picture_tiles(struct text *t, enum picture_format format,
	const struct scop *scop,
	const struct plan *plans, int n_plans);

/* The tiles of the classical dimensions within a hexagon, and
 * what a tile loads and stores, figure 1 of [PP].
 */
void picture_schedule(struct text *t, enum picture_format format,
	const struct scop *scop,
	const struct plan *plans, int n_plans);

/* transfers.c: how many points a tile computes. */
double picture_points(const struct plan *plan);
/* .. and how many values of states it loads, finds left by the tile before,
 * computes for other blocks, computes for its own only.  Takes time in
 * proportion.
 */
struct transfers {
	double points, loaded, reused, stored, kept;
};
struct transfers picture_transfers(const struct plan *plan);

/* landscape.c: the time predicted over two sizes, the others as chosen in
 * "p"; figure 4 of [PP].
 */
void picture_landscape(struct text *t, const struct scop *scop,
	const struct tile_request *request, const struct prediction *p);

/* measured.c: times predicted and measured, from the log "src" of a tuning;
 * figures 3 and 5 of [PP].  False after a diagnostic if it is no such log.
 */
bool picture_measured(struct text *t, struct region *mem, struct diags *d,
	const struct source *src);

/* metrics.c: what the emulator counted -----------------------------------*/

struct metrics;

/* The file "src" that a program of stencilc-emu --metrics wrote; NULL after a
 * diagnostic if it is none.
 */
const struct metrics *picture_read_metrics(struct region *mem,
	struct diags *d, const struct source *src);
/* A table, a column for each kernel. */
void picture_metrics(struct markup *m, const struct metrics *list);

/* report.c: one page of HTML with all of it ------------------------------*/

struct report {
	const struct source *source;
	const struct scop *scop;
	const struct tile_request *request;
	const struct prediction *choice;
	const struct plan *plans;
	int n_plans;
	const struct text *code;	/* what was emitted, with marks of the
					 * expressions of statements */
	const struct metrics *metrics;	/* or NULL */
};

/* The page fetches nothing.  It needs a browser with scripts to move, and
 * shows all but the explorer without.
 */
void picture_report(struct text *t, const struct report *r);

/* Parts ------------------------------------------------------------------*/

/* A document whose shapes are in "body", which is freed. */
void picture_finish(struct text *t, struct text *body,
	enum picture_format format, double width, double height,
	const char *title, const char *description);
/* How a rational is written: "1/2". */
const char *picture_rational(struct region *mem, struct rational r);
/* The user's name of dimension "dim". */
const char *picture_dim(const struct scop *scop, int dim);

#endif
