/* Conditions of statements, and statements that become part of others. */
#ifndef STENCILC_CONDITIONS_H
#define STENCILC_CONDITIONS_H

#include "frontend/lower.h"

/* affine.c -----------------------------------------------------------------*/

/* What "on" asks: at which points the statement is executed, a condition, and there
 * of the values, any expression; NULL: nothing.
 */
struct on {
	const struct expr *points, *values;
};
/* False after a diagnostic. */
bool lower_on(struct context *c, struct ast_expr *e, struct on *on);

/* amend.c ------------------------------------------------------------------*/

/* Does "u" change what a statement before it computes of "s" in the same step? */
bool is_amendment(const struct lower *l, const struct symbol *s,
	const struct update *u);
void lower_amendment(struct lower *l, const struct update *u);
/* Statements before that of "c" compute its field, too, and conditions on values decide
 * which of them does at a point: do they, where "values" is what its own ask?
 */
bool is_override(const struct context *c, const struct expr *values);
/* Make it part of these, of which it changes what its conditions hold at; true if it still
 * has points, those at which none of them computes anything.
 */
bool lower_override(struct context *c);

/* guard.c ------------------------------------------------------------------*/

/* The conditions of the statement of "c": those on points become its own, "*values" is
 * what the others ask, or NULL.  False after a diagnostic.
 */
bool lower_conditions(struct context *c, const struct expr **values);
/* "value" where "values" holds, else what the point has: its value of the step before, of
 * an output what the caller passed.  NULL after a diagnostic: what is written has none.
 */
const struct expr *guard(struct context *c, const struct expr *values,
	const struct expr *value);
/* Outputs of a program without time that keep what the caller passed are states of a
 * program of one step.
 */
void give_steps(struct lower *l);

#endif
