/* Arrays of which the program has another view: grids without the cells around them, and dimensions that are
 * stored the other way round.
 */
#ifndef STENCILC_GHOST_H
#define STENCILC_GHOST_H

#include "frontend/c/stencil.h"

struct c_question;

/* The grid in an array with cells around it that have copies of those at the other end. */
struct c_ghosts {
	bool turns[C_MAX_DIMS];		/* is stored the other way round */
	bool has_rows;			/* behind pointers; .. */
	struct poly first[C_MAX_DIMS];	/* .. these are the first cells that the region uses */
	bool wraps[C_MAX_DIMS];
	struct poly low[C_MAX_DIMS], period[C_MAX_DIMS];	/* it begins there, and is so large */
	struct poly all[C_MAX_DIMS];	/* the size of the array */
	const struct c_layers *layers;	/* NULL, or see layer.h */
	int rounds;			/* after which these cells are as C leaves them */
	bool comes_last;		/* each step copies them for the next one; .. */
	struct c_update *copies;	/* .. so, with subscripts in the grid */
	bool leaves_first;		/* the first round reads what no step has copied: it is left to the loops */
	bool is_asked;			/* they are copies before the first step, or the loops run as they are */
	bool fills;			/* others must become such grids, which get all cells of the array */
};

/* Arrays with such cells become grids with boundaries; false after a diagnostic. */
bool find_ghosts(struct stencil *s);
/* So many rounds at the end of the time loop, for which the loops run as they are; may they? */
int last_rounds(const struct stencil *s);
bool may_leave_rounds(const struct stencil *s);
/* .. the first round, too?  May they?  What stands before them is then executed once more. */
bool may_leave_first_round(const struct stencil *s);
bool leaves_first_round(const struct stencil *s);
/* Let the range of the time loop end before the last ones, and begin behind the first one if rounds are its steps; else
 * the program begins with round 1.
 */
void leave_rounds(struct stencil *s);
/* The step behind the first round of the time loop as it is. */
struct poly behind_first_round(const struct stencil *s);
/* first.c: the region whose steps begin with sources, u[k] += w[t], so that they begin behind them and end with those of
 * the next one; the last step is left to the loops, without its sources.  NULL: they do not, or cannot.
 */
const struct c_region *begun_behind_sources(struct stencil *s);
/* .. the range of the time loop without that step. */
void end_a_step_early(struct stencil *s);
/* .. are steps left to the loops, for one of these reasons? */
bool leaves_steps(const struct stencil *s);
/* .. the text of the sources, if there are some; and what executes the first ones. */
struct span text_of_sources(const struct stencil *s);
void print_first_sources(struct text *t, const struct stencil *s);
/* The subscript of "a" along "d" in the array, whether it is an access to that or to the grid in it. */
struct poly sub_in_array(const struct c_access *a, int d);
/* The size of the array along "d". */
const struct poly *size_of_array(const struct c_field *f, int d);
/* Does no subscript of "a" turn back? */
static inline bool is_straight(const struct c_access *a)
{
	for (int d = 0; d < a->n_subs; d++)
		if (a->around[d])
			return false;
	return true;
}
/* around.c: does the emitted file ask whether cells around grids are copies?  What finds out, and the question. */
bool asks_around(const struct stencil *s);
void print_around(struct text *t, const struct stencil *s);
void ask_around(const struct stencil *s, struct c_question *q);
/* layer.c: is "f" an array by itself, which no list, record or other view has? */
bool stands_alone(const struct stencil *s, const struct c_field *f);
/* mirror.c: arrays that sweeps go through downwards are stored the other way round; are there any? */
void find_mirrors(struct stencil *s);
bool has_mirrors(const struct stencil *s);
/* rows.c: arrays whose rows are behind pointers are copied; are there such arrays, or those above? */
void find_rows(struct stencil *s);
bool copies_arrays(const struct stencil *s);
/* What the emitted file asks about them, with a function; the address and the bytes from the first row to the end of
 * the last one, as rows follow each other.
 */
void print_rows_question(struct text *t, const struct c_field *f);
void print_rows_range(struct text *t, const struct c_field *f);
void print_rows_function(struct text *t, const struct c_program *programs);

#endif
