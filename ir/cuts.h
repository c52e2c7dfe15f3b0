/* What blocks.c, cuts.c and reach.c share. */
#ifndef STENCILC_IR_CUTS_H
#define STENCILC_IR_CUTS_H

#include "ir/blocks.h"

#define CUTS_NO_INDEX 0x80000000u

/* A subscript of a read, a write or an element. */
struct subscript {
	const struct field *field;
	const struct access *access;	/* NULL: for an element */
	int d;				/* dimension of the field */
	int dim;			/* the index, or -1 */
	int64_t stride, offset;		/* stride 0: the index in another form */
	struct span at;
};

/* Call "each" for all accesses of the statement, including those in boundary values that its
 * reads may take.
 */
void stmt_each_subscript(const struct stmt *s,
	void (*each)(void *user, const struct subscript *s), void *user);

/* Why a dimension cannot be cut; "what" is NULL if it can. */
struct no_cut {
	struct span at;
	const char *what;
};

struct cut {
	const struct expr *size;
	bool is_around;
	int most;		/* fields have at most so many cells more */
	bool in_pieces;		/* see struct block_dim */
	int first_piece;
};

/* The first dimensions of the grid of "prog" are cut, n_dims of them. */
struct cuts {
	const struct program *prog;
	int n_dims;
	struct cut dim[BLOCKS_MAX_DIMS];
	struct no_cut why;	/* the next dimension cannot be cut */
	/* By field and its dimension: the indices by which it is read, a bit
	 * each; the grid's dimension that cuts it, or -1; its cells beyond the
	 * grid's.
	 */
	unsigned (*seen)[IR_MAX_DIMS];
	int (*cut)[IR_MAX_DIMS];
	int64_t (*more)[IR_MAX_DIMS];
};

/* reach.c: compute the slopes, and what steps need of each field. */
void blocks_find_halos(struct region *r, struct blocks *b);

/* Find which of its dimensions can be cut. */
void cuts_find(struct region *r, const struct program *p, struct cuts *c);

#endif
