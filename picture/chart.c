/* A rectangle with axes. */
#include "picture/picture.h"

#include <math.h>

static double place(const struct axis *a, double value)
{
	if (a->is_log)
		return log(value / a->from) / log(a->to / a->from);
	return (value - a->from) / (a->to - a->from);
}

double chart_x(const struct chart *c, double value)
{
	return c->left + c->width * place(&c->across, value);
}

double chart_y(const struct chart *c, double value)
{
	return c->top + c->height * (1 - place(&c->up, value));
}

/* 1, 2 or 5 times a power of ten, for about "n" ticks. */
static double step_of(const struct axis *a, int n)
{
	double rough = fabs(a->to - a->from) / n;
	double power = pow(10, floor(log10(rough)));
	double digits = rough / power;
	double step = power * (digits <= 1 ? 1 : digits <= 2 ? 2 :
		digits <= 5 ? 5 : 10);

	return a->counts && step < 1 ? 1 : step;
}

/* Call "each" for about "n" ticks of "a". */
static void each_tick(const struct axis *a, int n,
	void (*each)(struct markup *m, const struct chart *c, double value),
	struct markup *m, const struct chart *c)
{
	static const double digit[] = { 1, 2, 5 };
	double step;

	if (!a->is_log) {
		step = step_of(a, n);
		for (double i = ceil(fmin(a->from, a->to) / step - 1e-9);
		     i * step <= fmax(a->from, a->to) + 1e-9 * step; i++)
			each(m, c, i * step);
		return;
	}
	step = pow(10, floor(log10(a->from)));
	for (; step <= a->to; step *= 10)
		for (int i = 0; i < 3; i++)
			if (digit[i] * step >= a->from * (1 - 1e-9) &&
			    digit[i] * step <= a->to * (1 + 1e-9))
				each(m, c, digit[i] * step);
}

static void tick_across(struct markup *m, const struct chart *c, double value)
{
	double x = chart_x(c, value), y = c->top + c->height;

	svg_line(m, "thin", x, y, x, y + 5);
	svg_label(m, "small middle", x, y + 17, "%.4g", value + 0.0);
}

static void tick_up(struct markup *m, const struct chart *c, double value)
{
	double y = chart_y(c, value);

	svg_line(m, "thin", c->left - 5, y, c->left, y);
	svg_label(m, "small end", c->left - 8, y + 4, "%.4g", value + 0.0);
}

void chart_across(struct markup *m, const struct chart *c)
{
	each_tick(&c->across, c->width > 400 ? 10 : 6, tick_across, m, c);
	svg_label(m, "middle", c->left + c->width / 2,
		c->top + c->height + 36, "%s", c->across.title);
}

void chart_frame(struct markup *m, const struct chart *c)
{
	enum { LEAST = 16 };	/* pixels between numbers above each other */
	int n = c->height > 250 ? 10 : 6;

	svg_rect(m, "thin", c->left, c->top, c->width, c->height);
	chart_across(m, c);
	if (c->height / n < LEAST)
		n = c->height < LEAST ? 1 : (int) (c->height / LEAST);
	each_tick(&c->up, n, tick_up, m, c);
	svg_label_up(m, c->left - 42, c->top + c->height / 2,
		c->up.title);
}
