/* The memory of C's copies of fields, and the calls that get it. */
#ifndef STENCILC_VERIFY_MEMORY_H
#define STENCILC_VERIFY_MEMORY_H

#include "verify/code/code.h"

enum { MOST_FACTORS = 2 * IR_MAX_DIMS };

/* number * factor[0] * factor[1] * .. */
struct product {
	int64_t number;		/* 0: too large, or with too many factors */
	int n;
	const struct kx *factor[MOST_FACTORS];
};

void multiply_by(struct product *p, int64_t n);
void multiply(struct product *p, const struct kx *x);
/* How often "one" fits in "all", as far as their factors show; 0: unknown. */
struct product times_in(const struct product *one, struct product all);

/* number + term[0] + term[1] + .. */
struct sum {
	int64_t number;
	int n;
	const struct kx **term;
};

struct sum sum_of(struct checker *c, const struct kx *x);

/* The memory from a pointer up to the next one, or to the end. */
struct part {
	const char *name;
	struct sum bytes;
	bool is_taken;		/* holds a field's copies */
	struct part *next;
};

/* A call of a function with array arguments. */
struct call {
	const struct kfunc *function;
	const struct kx *x;
	struct call *next;
};

/* What the file says about its memory, and the calls of the run and of copying functions. */
struct layout {
	struct checker *c;
	const struct kunit *unit;
	const struct kfunc *entry;	/* the function that calls them */
	struct call *call, **last;	/* in their order */
	struct part *part;	/* the last one is everything outside the others */
	const char *apart;	/* the variable with the distance of rows, or
				 * NULL, */
	int64_t how_far;	/* .. and its value */
	bool has_tiles;		/* a call does what plans say of tiles that
				 * keep cells */
};

enum { MOST_APART = 8 };

/* Note in "may_be" the values by which l->unit moves rows apart, 0 if it never does; false if
 * they cannot be shown.
 */
bool may_be_apart(struct layout *l, bool *may_be);
/* The parts and calls of l->unit, with rows l->how_far apart; false if they cannot be shown.
 * Without memory of its own the entry calls the run.
 */
bool find_layout(struct layout *l);
struct part *part_named(const struct layout *l, const char *name);

#endif
