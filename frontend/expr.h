/* What the files that lower expressions share. */
#ifndef STENCILC_EXPR_H
#define STENCILC_EXPR_H

#include "frontend/lower.h"

/* expr.c -------------------------------------------------------------------*/

/* Nothing is expanded any more: "what" has a limit. */
const struct expr *too_large(struct context *c, struct ast_expr *e,
	const char *what, int limit);
/* "value", unless it is too large for those who walk it. */
const struct expr *limited(struct context *c, struct ast_expr *e,
	const struct expr *value);
/* NULL after a diagnostic. */
const struct expr *new_binary(struct context *c, struct ast_expr *e,
	enum op op, const struct expr *a, const struct expr *b);

/* division.c ---------------------------------------------------------------*/

/* The int "e" becomes a value of the real "type": warn if the user's 1/8 is a
 * 0.
 */
void check_division(struct context *c, enum type type, const struct expr *e);
/* The operands of different types: C converts the int to a real. */
void check_mixed(struct context *c, const struct expr *a,
	const struct expr *b);

/* names.c ------------------------------------------------------------------*/

/* What "name" stands for in this part of the expression; NULL: nothing that
 * only this part knows.
 */
struct binding *find_binding(const struct context *c, const char *name);
/* Say that "s" is of another kind than "e" needs, for the "reason"; NULL. */
const struct expr *refuse_kind(struct context *c, struct ast_expr *e,
	const struct symbol *s, const char *reason);
const struct expr *lower_name(struct context *c, struct ast_expr *e);
/* With subscripts. */
const struct expr *lower_element(struct context *c, struct ast_expr *e);

/* expand.c -----------------------------------------------------------------*/

const struct expr *lower_call(struct context *c, struct ast_expr *e);
const struct expr *lower_sum(struct context *c, struct ast_expr *e);

#endif
