/* Messages about text that breaks the grammar. */
#ifndef STENCILC_SYNTAX_H
#define STENCILC_SYNTAX_H

#include "frontend/parse-context.h"

/* Report that the newest token is none of those called "expected". */
void syntax_error(struct parse *p, int n_expected,
	const char *const *expected);
/* propose.c: what the user surely meant, coming from another language or mistyping a word.
 * "expected" is what could stand in place of the newest token.
 */
/* Report a mistyped word at the start of an item; false if there is none. */
bool syntax_misspelt(struct parse *p, int n_expected,
	const char *const *expected);
/* Report a comma in place of a decimal point; false if there is none. */
bool syntax_has_comma(struct parse *p);
/* Is the newest token one that another language has in this place? */
bool syntax_has_habit(const struct parse *p, int n_expected,
	const char *const *expected);
/* Print the fix below the message just reported. */
void syntax_propose(struct parse *p, int n_expected,
	const char *const *expected);

/* brackets.c: open brackets. */
/* Note the bracket at "at"; false if there are too many. */
bool brackets_open(struct parse *p, struct span at);
void brackets_close(struct parse *p, char bracket);
/* Before the next token: forget the brackets that the newest one closes. */
void brackets_settle(struct parse *p);
/* Report brackets that should have been closed before the newest token; false if there are
 * none.
 */
bool syntax_misses_bracket(struct parse *p, int n_expected,
	const char *const *expected);

/* syntax.c: words of messages. */
bool syntax_is_expected(int n, const char *const *expected, const char *name);
/* The newest token, quoted. */
const char *syntax_found(const struct parse *p);
/* Report that "text" is missing before the newest token; propose it if that is
 * certain.
 */
void syntax_report_missing(struct parse *p, const char *text,
	bool is_certain);

void syntax_too_deep(struct parse *p, struct span at);
/* "iterate t {": "name" is the t. */
void syntax_missing_bounds(struct parse *p, struct span name);
/* "iterate t = 0 .. {" */
void syntax_missing_upper(struct parse *p, struct span at);

#endif
