/* The cone of the dependences, dimension by dimension: figure 3 of [CGO], with
 * time upwards, and the dependences themselves instead of their opposites.
 */
#include "picture/forms.h"

#include <isl/point.h>
#include <math.h>

enum {
	PANEL_WIDTH = 330, PANEL_HEIGHT = 360, PANELS = 3,
	LEFT = 62, TOP = 86, SIDE = 250,
};

const char *picture_rational(struct region *mem, struct rational r)
{
	if (r.den == 1)
		return region_printf(mem, "%lld", (long long) r.num);
	return region_printf(mem, "%lld/%lld", (long long) r.num,
		(long long) r.den);
}

const char *picture_dim(const struct scop *scop, int dim)
{
	for (int i = 0; i < scop->prog->n_stmts; i++)
		if (dim < scop->prog->stmt[i]->n_dims)
			return scop->prog->stmt[i]->iterator[dim];
	return "?";
}

static double value_of(struct rational r)
{
	return (double) r.num / (double) r.den;
}

static isl_stat add_distance(__isl_take isl_point *p, void *user)
{
	struct distances *list = user;
	isl_val *tau = isl_point_get_coordinate_val(p, isl_dim_set, 0);
	isl_val *s = isl_point_get_coordinate_val(p, isl_dim_set, 1);

	list->at[list->n++] = (struct point) {
		(double) isl_val_get_num_si(s),
		(double) isl_val_get_num_si(tau),
	};
	isl_val_free(tau);
	isl_val_free(s);
	isl_point_free(p);
	return isl_stat_ok;
}

static int count_points(__isl_keep isl_set *set)
{
	isl_val *n = isl_set_count_val(set);
	int count = isl_val_is_int(n) == isl_bool_true ?
		(int) isl_val_get_num_si(n) : 0;

	isl_val_free(n);
	return count;
}

struct distances picture_distances(struct region *mem,
	const struct scop *scop, int dim)
{
	isl_set *plane = isl_set_copy(scop->deps->distance);
	struct distances list = { .mem = mem };

	plane = isl_set_project_out(plane, isl_dim_set, 2 + (unsigned) dim,
		(unsigned) (scop->n_dims - 1 - dim));
	plane = isl_set_project_out(plane, isl_dim_set, 1, (unsigned) dim);
	plane = isl_set_coalesce(plane);
	list.at = region_array(mem, struct point, count_points(plane) + 1);
	isl_set_foreach_point(plane, add_distance, &list);
	isl_set_free(plane);
	return list;
}

/* A chart with room for the distances and the cone at height 1. */
static struct chart chart_of(const struct distances *list, double delta0,
	double delta1, struct point at)
{
	double wide = fmax(1, fmax(delta0, delta1)), high = 1;

	for (int i = 0; i < list->n; i++) {
		wide = fmax(wide, fabs(list->at[i].x));
		high = fmax(high, list->at[i].y);
	}
	return (struct chart) {
		.left = at.x + LEFT, .top = at.y + TOP,
		.width = SIDE, .height = SIDE - 30,
		.across = { .from = -wide - 0.5, .to = wide + 0.5,
			.counts = true },
		.up = { .title = "\xce\x94\xcf\x84, rows of the schedule",
			.from = -0.25, .to = high + 0.5, .counts = true },
	};
}

static void draw_cone(struct markup *m, const struct chart *c, double delta0,
	double delta1)
{
	double top = c->up.to;
	struct point corner[] = {
		{ chart_x(c, 0), chart_y(c, 0) },
		{ chart_x(c, delta0 * top), chart_y(c, top) },
		{ chart_x(c, -delta1 * top), chart_y(c, top) },
	};

	svg_polygon(m, "cone", 3, corner);
	svg_line(m, "edge", corner[0].x, corner[0].y, corner[1].x,
		corner[1].y);
	svg_line(m, "edge", corner[0].x, corner[0].y, corner[2].x,
		corner[2].y);
}

static void draw_distances(struct markup *m, const struct chart *c,
	const struct distances *list)
{
	for (int i = 0; i < list->n; i++) {
		double x = chart_x(c, list->at[i].x);
		double y = chart_y(c, list->at[i].y);

		svg_group(m);
		svg_hint(m, "distance: %.0f rows later, %+.0f",
			list->at[i].y, list->at[i].x);
		svg_arrow(m, chart_x(c, 0), chart_y(c, 0), x, y);
		svg_circle(m, "ink", x, y, 4);
		svg_close(m);
	}
	svg_circle(m, "ink", chart_x(c, 0), chart_y(c, 0), 4);
}

/* Of a dimension that is_open. */
static void draw_open(struct markup *m, const struct scop *scop, int dim,
	struct point at)
{
	svg_label(m, "heading", at.x + LEFT, at.y + 48, "%s: no cone",
		picture_dim(scop, dim));
	svg_label(m, "small", at.x + LEFT, at.y + 68, "the distances along "
		"%s are not bounded", picture_dim(scop, dim));
}

static void draw_dim(struct markup *m, struct region *mem,
	const struct scop *scop, const struct cone *cone, int dim,
	struct point at)
{
	struct distances list = picture_distances(mem, scop, dim);
	double delta0 = value_of(cone->delta0[dim]);
	double delta1 = value_of(cone->delta1[dim]);
	struct chart c = chart_of(&list, delta0, delta1, at);

	c.across.title = region_printf(mem, "\xce\x94%s",
		picture_dim(scop, dim));
	svg_label(m, "heading", at.x + LEFT, at.y + 48, "%s: \xce\xb4\xe2\x82\x80 = %s, "
		"\xce\xb4\xe2\x82\x81 = %s", picture_dim(scop, dim),
		picture_rational(mem, cone->delta0[dim]),
		picture_rational(mem, cone->delta1[dim]));
	svg_label(m, "small", at.x + LEFT, at.y + 68,
		"\xe2\x88\x92\xce\xb4\xe2\x82\x81\xc2\xb7\xce\x94\xcf\x84 \xe2\x89\xa4 \xce\x94%s \xe2\x89\xa4 "
		"\xce\xb4\xe2\x82\x80\xc2\xb7\xce\x94\xcf\x84", picture_dim(scop, dim));
	svg_clip(m, region_printf(mem, "cone%d", dim), c.left, c.top, c.width,
		c.height);
	draw_cone(m, &c, delta0, delta1);
	draw_distances(m, &c, &list);
	svg_close(m);
	chart_frame(m, &c);
}

void picture_cone(struct text *t, enum picture_format format,
	const struct scop *scop, const struct cone *cone)
{
	struct region *mem = region_new();
	int across = cone->n_dims < PANELS ? cone->n_dims : PANELS;
	int down = (cone->n_dims + PANELS - 1) / PANELS;
	struct markup m;

	svg_begin(&m, t, format, PANEL_WIDTH * across + 20, PANEL_HEIGHT * down + 20,
		region_printf(mem, "%s: the cone of the dependences",
		scop->prog->name),
		"Arrows lead from a point to those that use its value; the "
		"cone holds all that depend on it");
	svg_label(&m, "heading", 20, 26, "%s", scop->prog->name);
	for (int d = 0; d < cone->n_dims; d++) {
		struct point at = { PANEL_WIDTH * (d % PANELS),
			PANEL_HEIGHT * (d / PANELS) };

		if (cone->is_open[d])
			draw_open(&m, scop, d, at);
		else
			draw_dim(&m, mem, scop, cone, d, at);
	}
	svg_end(&m);
	region_free(mem);
}
