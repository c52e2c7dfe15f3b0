/* Is a tree of the code an expression of the program?  The two are compared node by node;
 * callers tell what stands at the code's leaves, and where the code is.
 */
#ifndef STENCILC_VERIFY_TREES_H
#define STENCILC_VERIFY_TREES_H

#include "verify/code/code.h"

struct trees;

enum same { DIFFERENT, SAME, NO_LEAF };

struct leaves {
	/* Is "x", for example the name of a computed value, the expression? */
	enum same (*is_computed)(struct trees *t, const struct kx *x,
		const struct expr *e);
	/* .. the parameter, which is not fixed; coordinate "d" of the point; the
	 * program's time there?
	 */
	bool (*is_parameter)(struct trees *t, const struct kx *x,
		const struct param *p);
	bool (*is_index)(struct trees *t, const struct kx *x, int d);
	bool (*is_time)(struct trees *t, const struct kx *x);
	/* .. the step, which is time without "begin"? */
	bool (*is_step)(struct trees *t, const struct kx *x);
	/* .. the affine "e" a number that is known there? */
	bool (*is_known_number)(struct trees *t, const struct expr *e,
		int64_t *n);
	/* Does the condition hold, or fail, at all points there? */
	bool (*is_decided)(struct trees *t, const struct expr *condition,
		bool *holds);
	/* Is "x", a cell, what is read, with its sign turned if t->minus? */
	enum same (*is_read)(struct trees *t, const struct kx *x,
		const struct access *acc);
	/* Is what is read the boundary's value at one of the sides "which", bit
	 * SIDES*d + side?
	 */
	bool (*reads_value)(struct trees *t, const struct access *acc,
		unsigned which);
	/* Does "x" read this where the condition holds, or fails? */
	bool (*reads_where)(struct trees *t, const struct kx *condition,
		bool holds, const struct kx *x, const struct access *acc);
};

/* The first member of what leaves need. */
struct trees {
	const struct leaves *leaves;
	const struct program *prog;
	bool minus;			/* what is read has its sign turned */
	const struct access *beyond;	/* the current comparison is with a
					 * boundary's value; or NULL */
	int dim;			/* .. of this dimension */
	bool is_near;			/* .. and reads an input at an index */
};

bool is_same(struct trees *t, const struct kx *x, const struct expr *e);
/* "x", or what it converts from the type "stored" to that with which code computes: the same
 * number.
 */
const struct kx *as_stored(const struct kx *x, enum type stored);
/* Is "x" what "acc" reads? */
bool reads_same(struct trees *t, const struct kx *x, const struct access *acc);

/* Does "x" pass the value so far, which goes to "value", the step and the point to the function
 * for the lists of "s"?  "stores" then gets the argument that says whether it records, if there
 * is one.
 */
bool calls_lists(struct trees *t, const struct kunit *unit,
	const struct stmt *s, const struct kx *x, const struct kx **value,
	const struct kx **stores);

#endif
