/* tikz.c: the shapes of svg.c as TikZ, a picture to \input in LaTeX. */
#ifndef STENCILC_PICTURE_TIKZ_H
#define STENCILC_PICTURE_TIKZ_H

#include "picture/picture.h"

/* The styles of the classes, for the preamble, and the beginning of the
 * picture.
 */
void tikz_begin(struct text *t, const char *title, const char *description);
void tikz_end(struct text *t);

void tikz_open(struct text *t);		/* a group; up to tikz_close() */
void tikz_close(struct text *t);
void tikz_clip(struct text *t, double x, double y, double width,
	double height);
void tikz_rect(struct text *t, const char *class, double x, double y,
	double width, double height);
void tikz_line(struct text *t, const char *class, double x1, double y1,
	double x2, double y2);
void tikz_circle(struct text *t, const char *class, double x, double y,
	double r);
void tikz_polygon(struct text *t, const char *class, int n,
	const struct point *p);
/* "turn" is in degrees. */
void tikz_label(struct text *t, const char *class, double x, double y,
	double turn, const char *label);

#endif
