/* Programs with other statements: several as one. */
#ifndef STENCILC_IR_JOIN_H
#define STENCILC_IR_JOIN_H

#include "ir/ir.h"

/* "a" where its conditions hold, else "b" where those of "b" hold, which computes the same cell;
 * both have conditions, and no lists.
 */
struct stmt *stmt_join(struct region *r, const struct stmt *a,
	const struct stmt *b);
/* Add "s" to the statements of "p", which has room for it, with the next number. */
void program_append(struct region *r, struct program *p, const struct stmt *s);

#endif
