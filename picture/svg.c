/* SVG: shapes, and the style that all pictures share.
 *
 * The colours are Okabe and Ito's, which people with any kind of colour vision
 * can tell apart; adjacent ones differ in lightness, too, so that they survive
 * a print without colours.  A dark screen has its own.
 */
#include "picture/tikz.h"

#include <math.h>
#include <string.h>

static const char style[] =
	"svg.picture{font:13px 'DejaVu Sans',Verdana,sans-serif}\n"
	".picture .paper{fill:#fff}\n"
	".picture text{fill:#1a1a1a}\n"
	".picture .heading{font-size:15px;font-weight:bold}\n"
	".picture .small{font-size:11px}\n"
	".picture .middle{text-anchor:middle}\n"
	".picture .end{text-anchor:end}\n"
	".picture .line{fill:none;stroke:#1a1a1a;stroke-width:1.5}\n"
	".picture .thin{fill:none;stroke:#767676;stroke-width:1}\n"
	".picture .faint{fill:none;stroke:#d0d0d0;stroke-width:1}\n"
	".picture .dashed{stroke-dasharray:6 4}\n"
	".picture .dotted{stroke-dasharray:2 3}\n"
	".picture .ink{fill:#1a1a1a;stroke:none}\n"
	".picture .cone{fill:#d55e00;fill-opacity:.16;stroke:#d55e00}\n"
	".picture .edge{fill:none;stroke:#d55e00;stroke-width:2}\n"
	".picture .mark{fill:#d55e00;stroke:none}\n"
	".picture .phase0{fill:#0072b2;stroke:#fff}\n"
	".picture .phase1{fill:#f2b94b;stroke:#fff}\n"
	".picture text.on0{fill:#fff}\n"
	".picture text.on1{fill:#1a1a1a}\n"
	".picture .kept{fill:#c4c4c4;stroke:none}\n"
	".picture .stored{fill:#0072b2;stroke:none}\n"
	".picture .loaded{fill:#d55e00;stroke:none}\n"
	".picture .reused{fill:#f2b94b;stroke:none}\n"
	".picture .void{fill:#ececec;stroke:none}\n"
	".picture .halo{fill:none;stroke:#fff;stroke-width:5}\n"
	".picture .ring{fill:none;stroke:#1a1a1a;stroke-width:2}\n"
	".picture .first{fill:#9fcbe6;stroke:#fff}\n"
	".picture .second{fill:#d9ebf6;stroke:#fff}\n"
	".picture .gap{stroke:#fff;stroke-width:1}\n"
	".picture .none{fill:none}\n"
	".picture .dot{fill:#1a1a1a;stroke:none}\n"
	".picture .band{fill:#56b4e9;fill-opacity:.2;stroke:none}\n"
	"@media screen and (prefers-color-scheme:dark){\n"
	".picture .paper{fill:#15171a}\n"
	".picture text{fill:#e8e8e8}\n"
	".picture .line{stroke:#e8e8e8}\n"
	".picture .thin{stroke:#9a9a9a}\n"
	".picture .faint{stroke:#3a3d42}\n"
	".picture .ink{fill:#e8e8e8}\n"
	".picture .cone{fill:#ff9a4d;stroke:#ff9a4d}\n"
	".picture .edge{stroke:#ff9a4d}\n"
	".picture .mark{fill:#ff9a4d}\n"
	".picture .phase0{fill:#2f7fb8;stroke:#15171a}\n"
	".picture .phase1{fill:#e9b44c;stroke:#15171a}\n"
	".picture .kept{fill:#6b6f76}\n"
	".picture .stored{fill:#56b4e9}\n"
	".picture .loaded{fill:#ff8533}\n"
	".picture .reused{fill:#f2d491}\n"
	".picture .void{fill:#2a2d31}\n"
	".picture .shown{fill:#e8e8e8}\n"
	".picture .first{fill:#2c6287;stroke:#15171a}\n"
	".picture .second{fill:#1d3d54;stroke:#15171a}\n"
	".picture .gap{stroke:#15171a}\n"
	"}\n";

static void open_shape(struct markup *m, const char *element,
	const char *class)
{
	markup_text(m, "\n");
	markup_open(m, element);
	if (class)
		markup_attribute(m, "class", "%s", class);
}

void svg_begin(struct markup *m, struct text *out, enum picture_format format,
	double width, double height, const char *title,
	const char *description)
{
	*m = (struct markup) { .out = out, .is_tikz = format == AS_TIKZ };
	if (m->is_tikz) {
		tikz_begin(out, title, description);
		return;
	}
	markup_open(m, "svg");
	markup_attribute(m, "xmlns", "http://www.w3.org/2000/svg");
	markup_attribute(m, "class", "picture");
	markup_number(m, "width", ceil(width));
	markup_number(m, "height", ceil(height));
	markup_attribute(m, "viewBox", "0 0 %.0f %.0f", ceil(width),
		ceil(height));
	markup_attribute(m, "role", "img");
	markup_attribute(m, "aria-label", "%s. %s", title, description);
	open_shape(m, "title", NULL);
	markup_text(m, "%s", title);
	markup_close(m);
	open_shape(m, "desc", NULL);
	markup_text(m, "%s", description);
	markup_close(m);
	open_shape(m, "style", NULL);
	markup_raw(m, style);
	markup_close(m);
	svg_rect(m, "paper", 0, 0, width, height);
}

void svg_end(struct markup *m)
{
	if (m->is_tikz) {
		tikz_end(m->out);
		return;
	}
	markup_text(m, "\n");
	markup_close(m);
	markup_text(m, "\n");
}

void picture_finish(struct text *t, struct text *body,
	enum picture_format format, double width, double height,
	const char *title, const char *description)
{
	struct markup m;

	svg_begin(&m, t, format, width, height, title, description);
	svg_label(&m, "heading", 20, 26, "%s", title);
	markup_raw(&m, body->bytes ? body->bytes : "");
	svg_end(&m);
	text_free(body);
}

void svg_group(struct markup *m)
{
	if (m->is_tikz)
		tikz_open(m->out);
	else
		open_shape(m, "g", NULL);
}

void svg_hint(struct markup *m, const char *fmt, ...)
{
	struct text t = { 0 };
	va_list args;

	if (m->is_tikz)
		return;
	va_start(args, fmt);
	text_vprintf(&t, fmt, args);
	va_end(args);
	markup_open(m, "title");
	markup_text(m, "%s", t.bytes ? t.bytes : "");
	markup_close(m);
	text_free(&t);
}

void svg_close(struct markup *m)
{
	if (m->is_tikz)
		tikz_close(m->out);
	else
		markup_close(m);
}

void svg_rect(struct markup *m, const char *class, double x, double y,
	double width, double height)
{
	if (m->is_tikz) {
		tikz_rect(m->out, class, x, y, width, height);
		return;
	}
	open_shape(m, "rect", class);
	markup_number(m, "x", x);
	markup_number(m, "y", y);
	markup_number(m, "width", width);
	markup_number(m, "height", height);
	markup_close(m);
}

void svg_line(struct markup *m, const char *class, double x1, double y1,
	double x2, double y2)
{
	if (m->is_tikz) {
		tikz_line(m->out, class, x1, y1, x2, y2);
		return;
	}
	open_shape(m, "line", class);
	markup_number(m, "x1", x1);
	markup_number(m, "y1", y1);
	markup_number(m, "x2", x2);
	markup_number(m, "y2", y2);
	markup_close(m);
}

void svg_arrow(struct markup *m, double x1, double y1, double x2, double y2)
{
	double length = hypot(x2 - x1, y2 - y1);
	double dx = length > 0 ? (x2 - x1) / length : 0;
	double dy = length > 0 ? (y2 - y1) / length : 0;
	struct point head[] = {
		{ x2, y2 },
		{ x2 - 9 * dx - 4 * dy, y2 - 9 * dy + 4 * dx },
		{ x2 - 9 * dx + 4 * dy, y2 - 9 * dy - 4 * dx },
	};

	svg_line(m, "line", x1, y1, x2 - 6 * dx, y2 - 6 * dy);
	svg_polygon(m, "ink", 3, head);
}

void svg_circle(struct markup *m, const char *class, double x, double y,
	double r)
{
	if (m->is_tikz) {
		tikz_circle(m->out, class, x, y, r);
		return;
	}
	open_shape(m, "circle", class);
	markup_number(m, "cx", x);
	markup_number(m, "cy", y);
	markup_number(m, "r", r);
	markup_close(m);
}

void svg_polygon(struct markup *m, const char *class, int n,
	const struct point *p)
{
	struct text t = { 0 };

	if (m->is_tikz) {
		tikz_polygon(m->out, class, n, p);
		return;
	}
	for (int i = 0; i < n; i++)
		text_printf(&t, "%s%.1f,%.1f", i ? " " : "", p[i].x, p[i].y);
	open_shape(m, "polygon", class);
	markup_attribute(m, "points", "%s", t.bytes ? t.bytes : "");
	markup_close(m);
	text_free(&t);
}

static void print_label(struct markup *m, const char *class, double x,
	double y, const char *label)
{
	if (m->is_tikz) {
		tikz_label(m->out, class, x, y, 0, label);
		return;
	}
	open_shape(m, "text", class);
	markup_number(m, "x", x);
	markup_number(m, "y", y);
	markup_text(m, "%s", label);
	markup_close(m);
}

void svg_label(struct markup *m, const char *class, double x, double y,
	const char *fmt, ...)
{
	struct text t = { 0 };
	va_list args;

	va_start(args, fmt);
	text_vprintf(&t, fmt, args);
	va_end(args);
	print_label(m, class, x, y, t.bytes ? t.bytes : "");
	text_free(&t);
}

void svg_label_up(struct markup *m, double x, double y, const char *text)
{
	if (m->is_tikz) {
		tikz_label(m->out, "middle", x, y, 90, text);
		return;
	}
	open_shape(m, "text", "middle");
	markup_attribute(m, "transform", "translate(%.1f %.1f) rotate(-90)", x,
		y);
	markup_text(m, "%s", text);
	markup_close(m);
}

void svg_clip(struct markup *m, const char *id, double x, double y,
	double width, double height)
{
	if (m->is_tikz) {
		tikz_clip(m->out, x, y, width, height);
		return;
	}
	open_shape(m, "clipPath", NULL);
	markup_attribute(m, "id", "%s", id);
	svg_rect(m, NULL, x, y, width, height);
	markup_close(m);
	open_shape(m, "g", NULL);
	markup_attribute(m, "clip-path", "url(#%s)", id);
}

/* Cividis, by Nunez, Anderton and Renslow (2018), at eighths. */
void svg_shade(double part, char colour[8])
{
	static const unsigned char stop[][3] = {
		{ 0, 34, 78 }, { 33, 59, 110 }, { 76, 85, 108 },
		{ 108, 110, 114 }, { 126, 124, 120 }, { 154, 148, 119 },
		{ 188, 174, 108 }, { 223, 203, 88 }, { 254, 232, 56 },
	};
	double at = 8 * fmin(fmax(part, 0), 1);
	int i = at < 8 ? (int) at : 7;
	double f = at - i;

	snprintf(colour, 8, "#%02x%02x%02x",
		(unsigned char) (stop[i][0] + f * (stop[i + 1][0] - stop[i][0])),
		(unsigned char) (stop[i][1] + f * (stop[i + 1][1] - stop[i][1])),
		(unsigned char) (stop[i][2] + f * (stop[i + 1][2] - stop[i][2])));
}
