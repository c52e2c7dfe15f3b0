/* A function for several values of a size, out of one for each value. */
#ifndef STENCILC_WIDTHS_H
#define STENCILC_WIDTHS_H

#include "codegen/tree/tree.h"

/* The values of a size "name", and the functions made for them. */
struct made_for {
	struct region *mem;
	const char *name;
	int n;
	const int *value;	/* increasing */
	struct kfunc **of;
};

/* What all of "m" do, each for its value, which is a parameter called "name": they differ in
 * numbers alone, which become a + b*name or a + name/b.  NULL: they differ otherwise.
 */
struct kfunc *kfunc_of_any(const struct made_for *m);

#endif
