/* What passes on trees make of expressions, each once: one that stands at two places
 * still does.
 */
#ifndef STENCILC_IR_MEMO_H
#define STENCILC_IR_MEMO_H

#include "ir/ir.h"

struct memo {
	const struct expr *from, *to;	/* to: NULL while it is not known */
	struct memo *next;
};

/* Empty; its memory is of "r". */
struct memo **memo_new(struct region *r);
/* The entry of "e", made if there is none. */
struct memo *memo_of(struct region *r, struct memo **memo,
	const struct expr *e);

#endif
