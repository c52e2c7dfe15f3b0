/* Several ranks: that each finds in its block what its own cells depend on.  What the
 * files of this wing share.
 *
 * All is asked of one cut dimension at a time, since the cells that are needed and those
 * that come are boxes.  Beside the sizes of the program these are parameters:
 *
 *	origin, extent	the block's
 *	first, end	the rank's own cells are first <= x < end
 *	steps		from an exchange to the next; halos are as deep as these need
 *	left		steps until the next exchange
 *	least		cells that each rank has at least
 *	done		steps that were computed before
 */
#ifndef STENCILC_VERIFY_RANKS_H
#define STENCILC_VERIFY_RANKS_H

#include "codegen/tree/tree.h"
#include "verify/checker.h"

/* What emitted code says of a field to stencilc_add_field(). */
struct shared_field {
	const struct field *field;
	enum { ALL_HAVE_IT, ALL_WRITE_IT, ALL_WRITE_ALIKE, STAYS, CHANGES } role;
	const struct kx *size[IR_MAX_DIMS];
	int cut[IR_MAX_DIMS];
	int (*need)[BLOCKS_MAX_DIMS][SIDES];	/* by copy */
};

/* .. and of the grid to stencilc_share_out(). */
struct exchange {
	int n_dims;
	struct shared_dim {
		const struct kx *size;
		int is_around, slope[SIDES], more[SIDES];
	} dim[BLOCKS_MAX_DIMS];
	int order[BLOCKS_MAX_DIMS], carried[BLOCKS_MAX_DIMS];
	int n_fields;			/* in the order of their places */
	struct shared_field *field;
	const struct shared_field **of;	/* by index of the program's field */
};

enum number { ORIGIN, EXTENT, FIRST, END, STEPS, LEFT, LEAST, DONE, N_NUMBERS };

struct ranks {
	struct checker *c;		/* of the whole program */
	const struct blocks *blocks;
	const struct kunit *unit;
	struct exchange exchange;
	int n_sizes;			/* parameters of the program */
	struct param number[N_NUMBERS];
	/* Of the dimension at hand: */
	int k;
	isl_set *context;		/* { params : there is such a rank } */
};

/* tree.c: what the emitted code says -----------------------------------------*/

bool read_exchange(struct ranks *r);
/* The variable "which", of the sets of "space"; the value of a size of the code. */
__isl_give isl_pw_aff *number_for(const struct ranks *r,
	__isl_keep isl_space *space, enum number which);
__isl_give isl_pw_aff *value_of_code(const struct ranks *r,
	__isl_keep isl_space *space, const struct kx *x);
/* Are they equal where "context", which may be NULL, holds? */
bool are_equal(struct ranks *r, __isl_take isl_pw_aff *a,
	__isl_take isl_pw_aff *b, __isl_keep isl_set *context);
/* The first call of "name" in "s", or NULL. */
const struct kx *call_in(const struct ks *s, const char *name);
bool int_of(const struct kx *x, int *value);

/* rounds.c: all steps are computed in rounds that begin with an exchange. */
bool check_rounds(struct ranks *r);
/* order.c: messages along all dimensions bring all halos, corners too. */
bool messages_bring_all(struct ranks *r);
/* same.c: the block's statements are those of the program, where indices are moved. */
bool check_block(struct ranks *r);

/* Trees of the program and the block. */
struct pair {
	const struct ranks *r;
	struct memo **seen;		/* what was found to be the same as what */
	const struct stmt *a, *b;	/* the program's, the block's; or NULL */
	/* By index: the dimension of the grid that cuts it, or -1. */
	int cut[IR_MAX_DIMS];
	bool is_own;			/* at own cells alone: none that goes around */
};

bool same_expr(struct pair *p, const struct expr *a, const struct expr *b);
/* lists.c: are what is done at points of a list, or recorded, and where, the same? */
bool same_listed(const struct ranks *r, struct pair *p, const struct listed *a,
	const struct listed *b);

/* boxes.c: cells along the dimension at hand --------------------------------- */

/* { params : a rank, its block, and halos that fit its neighbours } */
__isl_give isl_set *ranks_along(struct ranks *r);
/* The dimension of the grid along which dimension "d" of "f" is cut, or -1. */
int cut_of(const struct ranks *r, const struct field *f, int d);
/* { [y] } along dimension "d" of "f": the rank's own cells; those of copy "copy" that steps
 * "steps" of them are said to need; those of the grid, any of one that has no ends.
 */
__isl_give isl_set *own_cells(struct ranks *r, const struct field *f, int d);
__isl_give isl_set *needed_cells(struct ranks *r, const struct field *f,
	int copy, int d, __isl_take isl_pw_aff *steps);
__isl_give isl_set *cells_of_grid(struct ranks *r, const struct field *f, int d);
/* All that is needed of each copy is there after an exchange. */
bool check_halos(struct ranks *r);

/* narrow.c: are all of "points", { [x] } of "s" that own cells depend on, computed by a step
 * after which "left" - 1 follow?
 */
bool computes_all(struct ranks *r, const struct stmt *s,
	__isl_keep isl_set *points);

/* steps.c: what is said to be needed is all that steps read. */
bool check_steps(struct ranks *r);

#endif
