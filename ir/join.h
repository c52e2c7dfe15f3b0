/* Programs with other statements: several as one. */
#ifndef STENCILC_IR_JOIN_H
#define STENCILC_IR_JOIN_H

#include "ir/ir.h"

/* How many statements compute "field"? */
int program_count_writers(const struct program *p, const struct field *field);
/* "a" where its conditions hold, else "b" where those of "b" hold, which computes the same cell;
 * both have conditions, and list the same.
 */
struct stmt *stmt_join(struct region *r, const struct stmt *a,
	const struct stmt *b);
/* Add "s" to the statements of "p", which has room for it, with the next number. */
void program_append(struct region *r, struct program *p, const struct stmt *s);

#endif
