/* What blocks.c, cuts.c and reach.c share. */
#ifndef STENCILC_IR_CUTS_H
#define STENCILC_IR_CUTS_H

#include "ir/blocks.h"

#define CUTS_NO_INDEX 0x80000000u

/* A subscript of a read, a write or an element. */
struct subscript {
	const struct field *field;
	const struct access *access;	/* NULL: of an element */
	int d;				/* of the field's dimensions */
	int dim;			/* the index, or -1 */
	int64_t stride, offset;		/* stride 0: an index in another form */
	struct span at;
};

/* Call "each" for all of the statement, those in the values of boundaries that its reads
 * have included.
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
	int most;		/* at most so many cells fields have more */
};

/* The first dimensions of the grid of "prog" are cut, n_dims of them. */
struct cuts {
	const struct program *prog;
	int n_dims;
	struct cut dim[BLOCKS_MAX_DIMS];
	struct no_cut why;			/* not the next one */
	/* By field and its dimension: the indices that it is read by, a bit each; that
	 * of the grid which cuts it, or -1; its cells more than the grid has.
	 */
	unsigned (*seen)[IR_MAX_DIMS];
	int (*cut)[IR_MAX_DIMS];
	int64_t (*more)[IR_MAX_DIMS];
};

/* reach.c: set the slopes and what is needed of each field. */
void blocks_find_halos(struct region *r, struct blocks *b);

/* Find which of its dimensions can be cut. */
void cuts_find(struct region *r, const struct program *p, struct cuts *c);

#endif
