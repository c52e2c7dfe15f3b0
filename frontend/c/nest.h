/* Loops of C over the elements of sets. */
#ifndef STENCILC_NEST_H
#define STENCILC_NEST_H

#include "frontend/c/stencil.h"

struct c_nest {
	struct stencil *s;
	int n;					/* dimensions of the sets */
	const char *iterator[C_MAX_DIMS + 1];	/* the loops' variables */
	const char *type;			/* theirs; NULL: int */
	int indent;				/* tabs before the outermost loop */
	/* The text for a parameter. */
	const char *(*name)(const void *s, const struct c_decl *d);
	/* Print the statement for an element, of which "value" has the coordinates. */
	void (*print)(struct text *t, void *user, const char *const *value);
	void *user;
};

/* The loops over "set", { [v1, .., vn] }, in the order of its elements within each convex piece. */
void print_nest(struct text *t, const struct c_nest *nest, __isl_take isl_set *set);
/* Define, or undefine, what the loops in "a" and "b", either of which may be NULL, call. */
void print_nest_macros(struct text *t, const char *a, const char *b, bool defines);

#endif
