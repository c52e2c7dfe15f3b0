/* Results of passes over trees, one for each expression: one that stands at two places stays
 * one.
 */
#ifndef STENCILC_IR_MEMO_H
#define STENCILC_IR_MEMO_H

#include "ir/ir.h"

struct memo {
	const struct expr *from, *to;	/* to: NULL while it is unknown */
	struct memo *next;
};

/* An empty memo, with memory from "r". */
struct memo **memo_new(struct region *r);
/* The entry of "e", made if there is none. */
struct memo *memo_of(struct region *r, struct memo **memo,
	const struct expr *e);

/* Copies of the lets "from" of a statement, in their order, in "copy", which has room for all;
 * "value" makes each one's value, which may name earlier lets.  Returns the first of them, or
 * NULL.
 */
const struct local *locals_copied(struct region *r, const struct local *from,
	const struct local **copy, const struct expr *(*value)(void *user,
		const struct expr *e), void *user);
int locals_count(const struct local *l);
/* "e", a let of "from", replaced by its copy. */
const struct expr *local_copied(struct region *r, const struct local *from,
	const struct local *const *copy, const struct expr *e);

#endif
