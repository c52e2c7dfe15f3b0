/* How plans of a form are drawn, and explored in a report. */
#ifndef STENCILC_PICTURE_FORMS_H
#define STENCILC_PICTURE_FORMS_H

#include "picture/report.h"

/* What a report's explorer shows of plans, and how; lists end with an id of NULL. */
struct explorer {
	const char *intro, *too_large, *caption;
	const char *button[3];	/* to the moment before, the next, a later one */
	const char *has_meter;	/* what it shows, or NULL */
	const struct explorer_view {
		const char *id, *title, *label;
	} *views;
	const struct explorer_number {
		const char *id, *class, *meaning;
	} *numbers;
	/* Attributes of the section: what the compiler counts. */
	void (*counts)(struct markup *m, const struct report *r);
	/* Members of the object that the script reads. */
	void (*data)(struct json *j, const struct report *r);
	void (*sliders)(struct markup *m, const struct report *r);
	const char *const *script;
	int script_lines;
};

extern const struct explorer blocks_explorer, waves_explorer;

/* A row of the table of forms.c. */
struct form_picture {
	/* A tile of the plan, and what it does, from "top" on; where it ends. */
	double (*tile)(struct markup *m, const struct plan *plan, double top,
		struct region *mem);
	double (*work)(struct markup *m, const struct plan *plan, double top,
		struct region *mem);
	const char *(*describe)(const struct plan *plan);
	/* NULL: "why" there is none. */
	const struct explorer *(*explorer)(const struct report *r,
		const char **why);
	/* Members for plans whose tiles are swept along dimension 0; NULL:
	 * they are not.
	 */
	void (*walk)(struct json *j, const struct plan *plan);
	bool tile_says_all;	/* that one says what it does, too */
};

/* tiles.c, transfers.c: what tiles of all other forms are drawn as. */
double tiles_draw(struct markup *m, const struct plan *plan, double top,
	struct region *mem);
double tiles_draw_work(struct markup *m, const struct plan *plan, double top,
	struct region *mem);
const char *tiles_describe_picture(const struct plan *plan);

const struct explorer *tiles_explorer(const struct report *r, const char **why);

/* bars.c: the points "first" to "last" of a stage, from the tile's first one on. */
struct bar {
	int first, last;
	const char *label;
};
/* Along "dim", where the tile has "size" points: a bar above the other, blue in
 * the tile and orange around it; where the drawing ends.
 */
double bars_draw(struct markup *m, const char *dim, int size, int n,
	const struct bar *bar, double top);

/* turn.c: what a turn of a stream has of each version. */
struct turn {
	const struct plan *plan;
	int steps;		/* of a launch */
	int computed;		/* positions of a version in a turn */
	int kept;		/* the newest positions, which later steps read */
	int ahead;		/* positions already on their way */
	/* The newest position of version t0 + v of what statement "i" writes. */
	int (*newest)(const struct plan *plan, int v, int i);
	const char *title, *kept_where;
};
/* The lag of step m, "2 m + 1", of "step" turns a step and "of" more. */
const char *turn_lag(struct region *mem, int step, int of);
double turn_draw(struct markup *m, const struct turn *t, double top);

/* inner.c: the tiles of the classical dimension "dim" in a tile. */
double inner_draw(struct markup *m, const struct plan *plan, int dim,
	double top, struct region *mem);

/* cone.c: the distances (dtau, ds) in one dimension, each once. */
struct distances {
	struct region *mem;
	int n;
	struct point *at;	/* x = ds, y = dtau */
};
struct distances picture_distances(struct region *mem,
	const struct scop *scop, int dim);

/* Of the first plan of "r". */
const struct explorer *picture_explorer(const struct report *r,
	const char **why);
void picture_walk(struct json *j, const struct plan *plan);

/* transfers.c: the least or greatest value in dimension "pos" of "set". */
int64_t picture_extreme(__isl_keep isl_set *set, int pos, bool greatest);

extern const struct form_picture strips_picture, groups_picture,
	pipelines_picture, one_grid_picture;

#endif
