/* Predicted and measured times, from the log of a tuning: lines "sizes threads
 * predicted measured status", in seconds, "-" for what was not measured, under
 * a heading "# stencilc-tune FILE ..".  In an experiment, a line ends with its
 * point's set.
 */
#include "picture/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	WIDTH = 640, LEFT = 90, TOP = 90, SIDE = 440, MOST_POINTS = 10000,
};

/* The sets of an experiment; later ones are drawn over earlier ones. */
static const struct set {
	const char *name, *class, *meaning;
} sets[] = {
	{ "", "stored", NULL },
	{ "baseline", "reused", "baseline" },
	{ "candidate", "stored", "candidate" },
	{ "both", "dot shown", "baseline and candidate" },
	{ "choice", "mark", "the default choice" },
};

enum { N_SETS = sizeof(sets) / sizeof(*sets) };

struct timed {
	const char *sizes;
	double predicted, measured;
	int set;
};

struct timings {
	const char *heading;
	int n, n_failed;
	struct timed *at;
};

static bool wrong_line(struct diags *d, const struct source *src, unsigned at)
{
	unsigned line, column;

	source_place(src, at, &line, &column);
	diag_plain(d, E_LOG, "%s:%u: this is not a line of a log of "
		"stencilc-tune: sizes, threads, seconds predicted, seconds "
		"measured, status", src->name, line);
	return false;
}

/* The index of the set "name", NULL if the line has none; N_SETS for an unknown
 * set.
 */
static int find_set(const char *name)
{
	int i = 0;

	while (i < N_SETS && strcmp(name ? name : "", sets[i].name) != 0)
		i++;
	return i;
}

/* One line, without its end. */
static bool parse_line(struct timings *list, struct region *mem, char *line)
{
	char *sizes = strtok(line, " "), *threads = strtok(NULL, " ");
	char *predicted = strtok(NULL, " "), *measured = strtok(NULL, " ");
	char *status = strtok(NULL, " "), *set = strtok(NULL, " "), *end;
	struct timed t = { .set = find_set(set) };

	if (!status || strtok(NULL, " ") || !strchr(sizes, '=') ||
	    t.set == N_SETS)
		return false;
	if (strcmp(status, "ok") != 0) {
		list->n_failed++;
		return true;
	}
	t.predicted = strtod(predicted, &end);
	if (*end || !(t.predicted > 0) || !isfinite(t.predicted))
		return false;
	t.measured = strtod(measured, &end);
	if (*end || !(t.measured > 0) || !isfinite(t.measured))
		return false;
	t.sizes = region_printf(mem, "%s, threads %s", sizes, threads);
	list->at[list->n++] = t;
	return true;
}

static bool parse_log(struct timings *list, struct region *mem,
	struct diags *d, const struct source *src)
{
	unsigned at = 0, length;

	list->at = region_array(mem, struct timed, MOST_POINTS);
	for (; at < src->length; at += length + 1) {
		const char *line = src->text + at;

		length = (unsigned) strcspn(line, "\n");
		if (line[0] == '#') {
			if (!list->heading)
				list->heading = region_strndup(mem, line + 1,
					length - 1);
			continue;
		}
		if (list->n == MOST_POINTS || !parse_line(list, mem,
		    region_strndup(mem, line, length)))
			return wrong_line(d, src, at);
	}
	if (list->n)
		return true;
	diag_plain(d, E_LOG, "%s: no candidate was measured", src->name);
	return false;
}

static double least_measured(const struct timings *list)
{
	double least = INFINITY;

	for (int i = 0; i < list->n; i++)
		least = fmin(least, list->at[i].measured);
	return least;
}

/* Root mean square of the relative errors of points up to "most" seconds. */
static double rmse(const struct timings *list, double most, int *n)
{
	double sum = 0;

	*n = 0;
	for (int i = 0; i < list->n; i++) {
		const struct timed *t = &list->at[i];
		double error = (t->predicted - t->measured) / t->measured;

		if (t->measured > most)
			continue;
		sum += error * error;
		++*n;
	}
	return sqrt(sum / *n);
}

static struct chart chart_of(const struct timings *list)
{
	double low = INFINITY, high = 0;
	bool far;

	for (int i = 0; i < list->n; i++) {
		const struct timed *t = &list->at[i];

		low = fmin(low, fmin(t->predicted, t->measured));
		high = fmax(high, fmax(t->predicted, t->measured));
	}
	low *= 0.8;
	high *= 1.25;
	far = high > 5 * low;
	return (struct chart) {
		.left = LEFT, .top = TOP, .width = SIDE, .height = SIDE,
		.across = { "predicted, s", low, high, far, false },
		.up = { "measured, s", low, high, far, false },
	};
}

/* Where the prediction is within 20 % of the measurement. */
static void draw_band(struct markup *m, const struct chart *c)
{
	double low = c->across.from, high = c->across.to;
	struct point p[] = {
		{ chart_x(c, low), chart_y(c, low * 1.25) },
		{ chart_x(c, high), chart_y(c, high * 1.25) },
		{ chart_x(c, high), chart_y(c, high / 1.2) },
		{ chart_x(c, low), chart_y(c, low / 1.2) },
	};

	svg_polygon(m, "band", 4, p);
	svg_line(m, "thin dashed", chart_x(c, low), chart_y(c, low),
		chart_x(c, high), chart_y(c, high));
}

static void draw_point(struct markup *m, const struct timed *t,
	const struct chart *c, bool is_ringed)
{
	double x = chart_x(c, t->predicted);
	double y = chart_y(c, t->measured);

	svg_group(m);
	svg_hint(m, "%s: predicted %.4g s, measured %.4g s", t->sizes,
		t->predicted, t->measured);
	svg_circle(m, sets[t->set].class, x, y, 4);
	if (is_ringed)
		svg_circle(m, "line", x, y, 8);
	svg_close(m);
}

/* The points of the set, and the legend of their colour: in the corner that few
 * points reach, as predictions are optimistic.  Returns how many rows the
 * legend takes above the first "row".
 */
static int draw_set(struct markup *m, const struct timings *list,
	const struct chart *c, int set, int row)
{
	double least = least_measured(list), x = LEFT + SIDE - 150;
	double y = TOP + SIDE - 12 - 16 * row;
	int n = 0;

	for (int i = 0; i < list->n; i++)
		if (list->at[i].set == set) {
			draw_point(m, &list->at[i], c,
				list->at[i].measured <= least);
			n++;
		}
	if (n == 0 || !sets[set].meaning)
		return 0;
	svg_circle(m, sets[set].class, x, y - 4, 4);
	svg_label(m, "small", x + 10, y, "%s", sets[set].meaning);
	return 1;
}

static void draw_points(struct markup *m, const struct timings *list,
	const struct chart *c)
{
	int row = 0;

	for (int set = 0; set < N_SETS; set++)
		row += draw_set(m, list, c, set, row);
}

bool picture_measured(struct text *t, struct region *mem, struct diags *d,
	const struct source *src)
{
	struct timings list = { 0 };
	struct markup m;
	struct chart c;
	int n_all, n_best;
	double all, best;

	if (!parse_log(&list, mem, d, src))
		return false;
	c = chart_of(&list);
	all = rmse(&list, INFINITY, &n_all);
	best = rmse(&list, 1.2 * least_measured(&list), &n_best);
	svg_begin(&m, t, AS_SVG, WIDTH, 600, "Predicted and measured times",
		"Each point is a candidate of a tuning; on the dashed line "
		"the prediction is exact");
	svg_label(&m, "heading", 20, 26, "Predicted and measured");
	svg_label(&m, "small", 20, 46, "%s", list.heading ? list.heading : "");
	svg_label(&m, NULL, 20, 70, "RMSE %.1f %% over %d points, %.1f %% "
		"over the %d within 20 %% of the best (ringed)", 100 * all,
		n_all, 100 * best, n_best);
	svg_clip(&m, "points", c.left, c.top, c.width, c.height);
	draw_band(&m, &c);
	svg_close(&m);
	draw_points(&m, &list, &c);
	chart_frame(&m, &c);
	svg_label(&m, "small", LEFT + 8, TOP + 18, "band: within 20 %% of "
		"the measurement");
	svg_end(&m);
	return true;
}
