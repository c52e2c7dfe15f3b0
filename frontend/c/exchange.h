/* Arrays that change places at the end of a step, in time loops that end early. */
#ifndef STENCILC_EXCHANGE_H
#define STENCILC_EXCHANGE_H

#include "frontend/c/stencil.h"

/* In the next step "to" has the role of "from"; if both are one array, its copies 0 and 1 change places. */
struct c_exchange {
	const struct c_decl *from, *to;
	struct c_exchange *next;
};

/* exchange.c: note that; for pointers whose values a step uses before it moves them. */
void note_exchange(struct stencil *s, const struct c_decl *from,
	const struct c_decl *to);
/* Likewise for copies that integers select. */
void note_turned(struct stencil *s);
/* Do those noted change places in pairs, of which a step writes one array each?  False after a diagnostic. */
bool check_exchanges(struct stencil *s);
/* The field that has the role of "f" in the next step; NULL: "f" itself. */
struct c_field *exchanged_for(const struct stencil *s, const struct c_field *f);
/* Both arrays of a pair are written if one is. */
void share_written(struct stencil *s);
/* False, after a diagnostic, about the array "d" and "why" its loop must not end early. */
bool refuse_exchange(struct stencil *s, const struct c_decl *d,
	const char *why);
/* exchange_roles.c: once it is known which values reads see, let each field be a role: what a step writes to an
 * array is what the other one has in the next step.  False after a diagnostic.
 */
bool exchange_roles(struct stencil *s);
/* What the function does when the loop has ended after an odd number of steps: contents change places. */
void print_exchanges(struct text *t, const struct stencil *s);

#endif
