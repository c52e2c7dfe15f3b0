/* What the proof for several ranks shares: each rank finds in its block everything on which its
 * own cells depend.
 *
 * Every question concerns one cut dimension, since the cells needed and the cells received are
 * boxes.  The parameters, beside the program's sizes, are:
 *
 *	origin, extent	the block's
 *	first, end	the rank's own cells are first <= x < end
 *	steps		from one exchange to the next; halos suffice for these
 *	left		steps until the next exchange
 *	least		cells that each rank has at least
 *	done		steps computed before
 */
#ifndef STENCILC_VERIFY_RANKS_H
#define STENCILC_VERIFY_RANKS_H

#include "codegen/tree/tree.h"
#include "verify/checker.h"

/* What emitted code tells stencilc_add_field() about a field. */
struct shared_field {
	const struct field *field;
	enum { ALL_HAVE_IT, ALL_WRITE_IT, ALL_WRITE_ALIKE, STAYS, CHANGES } role;
	const struct kx *size[IR_MAX_DIMS];
	int cut[IR_MAX_DIMS];
	int (*need)[BLOCKS_MAX_DIMS][SIDES];	/* by copy */
};

/* .. and stencilc_share_out() about the grid. */
struct exchange {
	int n_dims;
	struct shared_dim {
		const struct kx *size;
		int is_around, slope[SIDES], more[SIDES];
		bool in_pieces;		/* is it cut between those? */
		int first_piece;
	} dim[BLOCKS_MAX_DIMS];
	int order[BLOCKS_MAX_DIMS], carried[BLOCKS_MAX_DIMS];
	int late;			/* zones lie along the dimensions of this
					 * many of the last turns; 0: none */
	int n_fields;			/* in the order of their places */
	struct shared_field *field;
	const struct shared_field **of;	/* by index of the program's field */
};

enum number { ORIGIN, EXTENT, FIRST, END, STEPS, LEFT, LEAST, DONE, N_NUMBERS };

struct ranks {
	struct checker *c;		/* for the whole program */
	const struct blocks *blocks;
	const struct kunit *unit;
	struct exchange exchange;
	int n_sizes;			/* parameters of the program */
	struct param number[N_NUMBERS];
	/* For the current dimension: */
	int k;
	isl_set *context;		/* { params : there is such a rank } */
};

/* tree.c: what the emitted code says --------------------------------------- */

bool read_exchange(struct ranks *r);
/* The variable "which" in the sets of "space"; the value of a size of the code. */
__isl_give isl_pw_aff *number_for(const struct ranks *r,
	__isl_keep isl_space *space, enum number which);
__isl_give isl_pw_aff *value_of_code(const struct ranks *r,
	__isl_keep isl_space *space, const struct kx *x);
/* Are they equal where "context", which may be NULL, holds? */
bool are_equal(struct ranks *r, __isl_take isl_pw_aff *a,
	__isl_take isl_pw_aff *b, __isl_keep isl_set *context);
/* The first call of "name" in "s", or NULL. */
const struct kx *call_in(const struct ks *s, const char *name);
const struct kx *call_in_value(const struct kx *x, const char *name);
bool int_of(const struct kx *x, int *value);

/* rounds.c: all steps are computed in rounds that begin with an exchange. */
bool check_rounds(struct ranks *r);
/* zones.c: a rank's zones are ranks.  Do they lie along dimension k? */
bool check_zones(struct ranks *r);
bool has_zones_along(const struct ranks *r, int k);
/* Is "s" a loop over zones, one after the "next"?  The body of the one in "s" that computes, or NULL. */
bool is_loop_of_zones(const struct ks *s, const char *next);
const struct ks *zones_in(const struct ks *s);
/* Does "x" pass "block" the variable of the parameter's name; or, where zones have streams, a zone's own,
 * or its memory?
 */
bool is_of_zone(const struct ranks *r, const struct kx *x, const struct kfunc *block,
	const struct kparam *param);
/* order.c: messages along all dimensions fill all halos, including corners. */
bool messages_bring_all(struct ranks *r);
/* same.c: the block's statements are the program's, with indices moved. */
bool check_block(struct ranks *r);

/* Trees of the program and the block. */
struct pair {
	const struct ranks *r;
	struct memo **seen;		/* pairs found equal so far */
	const struct stmt *a, *b;	/* the program's, the block's; or NULL */
	/* By index: the grid's dimension that cuts it, or -1. */
	int cut[IR_MAX_DIMS];
	bool is_own;			/* at the rank's own cells alone, where
					 * nothing goes around */
};

bool same_expr(struct pair *p, const struct expr *a, const struct expr *b);
/* lists.c: do points of lists, and records, act in the same way, at the same places? */
bool same_listed(const struct ranks *r, struct pair *p, const struct listed *a,
	const struct listed *b);

/* boxes.c: cells along the current dimension --------------------------------- */

/* { params : a rank, its block, and halos that fit its neighbours } */
__isl_give isl_set *ranks_along(struct ranks *r);
/* The grid's dimension that cuts dimension "d" of "f", or -1. */
int cut_of(const struct ranks *r, const struct field *f, int d);
/* { [y] } along dimension "d" of "f": the rank's own cells; the cells of copy "copy" that,
 * according to the code, "steps" steps need; the grid's cells, any of one without ends.
 */
__isl_give isl_set *own_cells(struct ranks *r, const struct field *f, int d);
__isl_give isl_set *needed_cells(struct ranks *r, const struct field *f,
	int copy, int d, __isl_take isl_pw_aff *steps);
__isl_give isl_set *cells_of_grid(struct ranks *r, const struct field *f, int d);
/* .. those that reductions read at "offset" from the rank's points. */
__isl_give isl_set *reduced_cells(struct ranks *r, const struct field *f, int d,
	int offset);
/* Are all of "cells", which this takes, among "others"? */
bool lie_in(struct ranks *r, __isl_take isl_set *cells,
	__isl_keep isl_set *others);
/* After an exchange, all needed cells of each copy exist. */
bool check_halos(struct ranks *r);

/* narrow.c: does a step, with "left" - 1 to follow, compute all of "points", { [x] } of "s" on
 * which the rank's own cells depend?
 */
bool computes_all(struct ranks *r, const struct stmt *s,
	__isl_keep isl_set *points);

/* steps.c: steps read only what, according to the code, they need. */
bool check_steps(struct ranks *r);

/* reduced.c: behind a round a rank has what it reduces. */
bool check_reduced(struct ranks *r);

#endif
