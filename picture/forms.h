/* How plans of a form are drawn. */
#ifndef STENCILC_PICTURE_FORMS_H
#define STENCILC_PICTURE_FORMS_H

#include "picture/picture.h"

/* A row of the table of forms.c. */
struct form_picture {
	/* A tile of the plan, and what it does, from "top" on; where it ends. */
	double (*tile)(struct markup *m, const struct plan *plan, double top,
		struct region *mem);
	double (*work)(struct markup *m, const struct plan *plan, double top,
		struct region *mem);
	const char *(*describe)(const struct plan *plan);
	bool tile_says_all;	/* that one says what it does, too */
	bool is_rough;		/* for reports only: it is not all that tiles
				 * are */
};

/* tiles.c, transfers.c: what tiles of all other forms are drawn as. */
double tiles_draw(struct markup *m, const struct plan *plan, double top,
	struct region *mem);
double tiles_draw_work(struct markup *m, const struct plan *plan, double top,
	struct region *mem);
const char *tiles_describe_picture(const struct plan *plan);

extern const struct form_picture strips_picture;

#endif
