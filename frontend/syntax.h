/* Messages about text that does not follow the grammar. */
#ifndef STENCILC_SYNTAX_H
#define STENCILC_SYNTAX_H

#include "frontend/parse-context.h"

/* The newest token is not one of those called "expected". */
void syntax_error(struct parse *p, int n_expected,
	const char *const *expected);
/* propose.c: what surely was meant, by those who write other languages or mistype
 * a word of this one.  "expected" is what could stand in the place of the
 * newest token.
 */
/* Report a word mistyped at the start of an item; false if there is none. */
bool syntax_misspelt(struct parse *p, int n_expected,
	const char *const *expected);
/* Is the newest token one that another language has in this place? */
bool syntax_has_habit(const struct parse *p, int n_expected,
	const char *const *expected);
/* The way out, below the message that has just been reported. */
void syntax_propose(struct parse *p, int n_expected,
	const char *const *expected);

void syntax_too_deep(struct parse *p, struct span at);
/* "iterate t {": "name" is the t. */
void syntax_missing_bounds(struct parse *p, struct span name);
/* "iterate t = 0 .. {" */
void syntax_missing_upper(struct parse *p, struct span at);

#endif
