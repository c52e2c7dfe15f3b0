/* TikZ: the same shapes and classes as SVG, in the colours of a bright page.
 *
 * A pixel is 0.75pt and y grows downwards, as there.
 */
#include "picture/tikz.h"

#include <string.h>

/* Styles by class; the order is that of svg.c. */
static const struct {
	const char *class, *style;
} styles[] = {
	{ "heading", "font=\\sffamily\\bfseries\\fontsize{11}{13}\\selectfont" },
	{ "small", "font=\\sffamily\\fontsize{8}{10}\\selectfont" },
	{ "middle", "anchor=base" },
	{ "end", "anchor=base east" },
	{ "line", "draw=black,line width=1.1pt" },
	{ "thin", "draw=black!55,line width=0.75pt" },
	{ "faint", "draw=black!20,line width=0.75pt" },
	{ "dashed", "dash pattern=on 4.5pt off 3pt" },
	{ "dotted", "dash pattern=on 1.5pt off 2pt" },
	{ "ink", "fill=black" },
	{ "cone", "fill=stencilcOrange,fill opacity=0.16,draw=stencilcOrange" },
	{ "edge", "draw=stencilcOrange,line width=1.5pt" },
	{ "mark", "fill=stencilcOrange" },
	{ "phase0", "fill=stencilcBlue,draw=white" },
	{ "phase1", "fill=stencilcYellow,draw=white" },
	{ "on0", "text=white" },
	{ "on1", "text=black" },
	{ "kept", "fill=black!23" },
	{ "stored", "fill=stencilcBlue" },
	{ "loaded", "fill=stencilcOrange" },
	{ "reused", "fill=stencilcYellow" },
	{ "ring", "draw=black,line width=1.5pt" },
	{ "first", "fill=stencilcSky!75,draw=white" },
	{ "second", "fill=stencilcSky!30,draw=white" },
	{ "gap", "draw=white,line width=0.75pt" },
	{ "none", "fill=none" },
	{ "paper", "fill=white" },
};

enum { N_STYLES = sizeof(styles) / sizeof(*styles) };

static const char colours[] =
	"\\definecolor{stencilcBlue}{HTML}{0072B2}%\n"
	"\\definecolor{stencilcOrange}{HTML}{D55E00}%\n"
	"\\definecolor{stencilcYellow}{HTML}{F2B94B}%\n"
	"\\definecolor{stencilcSky}{HTML}{80BCDF}%\n";

/* Characters ---------------------------------------------------------------*/

/* Characters that LaTeX reads differently, or not at all. */
static const struct {
	const char *bytes, *tex;
} characters[] = {
	{ "\\", "\\textbackslash{}" }, { "{", "\\{" }, { "}", "\\}" },
	{ "$", "\\$" }, { "%", "\\%" }, { "&", "\\&" }, { "#", "\\#" },
	{ "_", "\\_" }, { "^", "\\^{}" }, { "~", "\\~{}" },
	{ "<", "$<$" }, { ">", "$>$" }, { "*", "$*$" },
	{ "\xce\x94", "$\\Delta$" },
	{ "\xce\xb4", "$\\delta$" },
	{ "\xcf\x84", "$\\tau$" },
	{ "\xe2\x82\x80", "$_0$" },
	{ "\xe2\x82\x81", "$_1$" },
	{ "\xe2\x88\x92", "$-$" },
	{ "\xe2\x89\xa4", "$\\le$" },
	{ "\xc2\xb7", "$\\cdot$" },
	{ "\xc3\x97", "$\\times$" },
};

enum { N_CHARACTERS = sizeof(characters) / sizeof(*characters) };

static const char *tex_of(const char *s, size_t *length)
{
	for (int i = 0; i < N_CHARACTERS; i++) {
		*length = strlen(characters[i].bytes);
		if (!strncmp(s, characters[i].bytes, *length))
			return characters[i].tex;
	}
	*length = 1;
	return NULL;
}

/* "s" as TeX; a question mark for what TeX cannot express. */
static void print_tex(struct text *t, const char *s)
{
	while (*s) {
		size_t length;
		const char *tex = tex_of(s, &length);

		if (tex)
			text_puts(t, tex);
		else if ((unsigned char) *s < 0x80)
			text_append(t, s, 1);
		else if ((unsigned char) *s >= 0xc0)
			text_puts(t, "?");
		s += length;
	}
}

/* Shapes -------------------------------------------------------------------*/

/* "cone dashed" as styles: "stencilc cone,stencilc dashed". */
static void print_styles(struct text *t, const char *class)
{
	const char *comma = "";

	for (; class && *class; class += strspn(class, " ")) {
		size_t length = strcspn(class, " ");

		text_printf(t, "%sstencilc %.*s", comma, (int) length, class);
		class += length;
		comma = ",";
	}
}

static void open_path(struct text *t, const char *class)
{
	text_puts(t, "\\path[");
	print_styles(t, class);
	text_puts(t, "] ");
}

void tikz_begin(struct text *t, const char *title, const char *description)
{
	text_printf(t, "%% %s. %s\n%% \\usepackage{tikz}, then \\input this "
		"file.\n", title, description);
	text_puts(t, colours);
	text_puts(t, "\\begin{tikzpicture}[x=0.75pt,y=-0.75pt,"
		"inner sep=0pt,outer sep=0pt,\n");
	text_puts(t, "every node/.style={anchor=base west,"
		"font=\\sffamily\\fontsize{9}{11}\\selectfont}");
	for (int i = 0; i < N_STYLES; i++)
		text_printf(t, ",\nstencilc %s/.style={%s}", styles[i].class,
			styles[i].style);
	text_puts(t, "]\n");
}

void tikz_end(struct text *t)
{
	text_puts(t, "\\end{tikzpicture}%\n");
}

void tikz_open(struct text *t)
{
	text_puts(t, "\\begin{scope}\n");
}

void tikz_close(struct text *t)
{
	text_puts(t, "\\end{scope}\n");
}

void tikz_clip(struct text *t, double x, double y, double width, double height)
{
	tikz_open(t);
	text_printf(t, "\\clip (%.2f,%.2f) rectangle (%.2f,%.2f);\n", x, y,
		x + width, y + height);
}

void tikz_rect(struct text *t, const char *class, double x, double y,
	double width, double height)
{
	open_path(t, class);
	text_printf(t, "(%.2f,%.2f) rectangle (%.2f,%.2f);\n", x, y,
		x + width, y + height);
}

void tikz_line(struct text *t, const char *class, double x1, double y1,
	double x2, double y2)
{
	open_path(t, class);
	text_printf(t, "(%.2f,%.2f) -- (%.2f,%.2f);\n", x1, y1, x2, y2);
}

void tikz_circle(struct text *t, const char *class, double x, double y,
	double r)
{
	open_path(t, class);
	text_printf(t, "(%.2f,%.2f) circle[radius=%.2f];\n", x, y, r);
}

void tikz_polygon(struct text *t, const char *class, int n,
	const struct point *p)
{
	open_path(t, class);
	for (int i = 0; i < n; i++)
		text_printf(t, "(%.2f,%.2f) -- ", p[i].x, p[i].y);
	text_puts(t, "cycle;\n");
}

void tikz_label(struct text *t, const char *class, double x, double y,
	double turn, const char *label)
{
	text_puts(t, "\\node[");
	print_styles(t, class);
	if (turn != 0)
		text_printf(t, "%srotate=%.0f", class ? "," : "", turn);
	text_printf(t, "] at (%.2f,%.2f) {", x, y);
	print_tex(t, label);
	text_puts(t, "};\n");
}
