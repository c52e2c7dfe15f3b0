/* Messages about text that does not follow the grammar. */
#ifndef STENCILC_SYNTAX_H
#define STENCILC_SYNTAX_H

#include "frontend/parse-context.h"

/* The newest token is not one of those called "expected". */
void syntax_error(struct parse *p, int n_expected,
	const char *const *expected);
void syntax_too_deep(struct parse *p, struct span at);
/* "iterate t {": "name" is the t. */
void syntax_missing_bounds(struct parse *p, struct span name);
/* "iterate t = 0 .. {" */
void syntax_missing_upper(struct parse *p, struct span at);

#endif
