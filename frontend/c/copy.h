/* Copies of resolved expressions. */
#ifndef STENCILC_COPY_H
#define STENCILC_COPY_H

#include "frontend/c/stencil.h"

struct c_copied;
struct c_copy {
	struct stencil *s;
	void *user;
	/* Give the reads at "place" their conditions in the copy; NULL: those that they have. */
	void (*place)(struct c_copy *c, struct c_place *place);
	/* The replacement for "e" in the copy; NULL: a copy of it. */
	struct c_expr *(*instead)(struct c_copy *c, struct c_expr *e);
	struct c_copied *copied;	/* so far */
};

struct c_expr *copy_expr(struct c_copy *c, struct c_expr *e);
struct c_access *copy_access(struct c_copy *c, struct c_access *a);

#endif
