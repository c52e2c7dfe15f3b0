/* Conditions of statements, and statements merged into others. */
#ifndef STENCILC_CONDITIONS_H
#define STENCILC_CONDITIONS_H

#include "frontend/lower.h"

/* affine.c -----------------------------------------------------------------*/

/* What "on" requires: a condition on points, for executing the statement, and any expression on
 * the values there; NULL: nothing.
 */
struct on {
	const struct expr *points, *values;
};
/* False after a diagnostic. */
bool lower_on(struct context *c, struct ast_expr *e, struct on *on);

/* amend.c ------------------------------------------------------------------*/

/* Does "u" change what an earlier statement computes of "s" in the same step? */
bool is_amendment(const struct lower *l, const struct symbol *s,
	const struct update *u);
void lower_amendment(struct lower *l, const struct update *u);
/* A new let of "s", called "name" or similarly. */
const struct local *add_local(struct lower *l, struct statement *s,
	const char *name, const struct expr *value);
/* The value of "s" as it is now, as a let. */
const struct expr *value_so_far(struct lower *l, struct statement *s);
/* The statements before that of "c", one of slices, leave its points to it; false after a
 * diagnostic.
 */
bool take_points(struct context *c);
/* Earlier statements than that of "c" compute its field, too, and conditions on values decide
 * which of them does at a point: is this the case, "values" being its own condition on values?
 */
bool is_override(const struct context *c, const struct expr *values);
/* Merge it into these: it changes their values where its conditions hold; true if it still has
 * points, at which none of them computes anything.
 */
bool lower_override(struct context *c);

/* guard.c ------------------------------------------------------------------*/

/* Divide the conditions of the statement of "c": those on points become its own, "*values" the
 * conjunction of the others, or NULL.  False after a diagnostic.
 */
bool lower_conditions(struct context *c, const struct expr **values);
/* "value" where "values" holds, else the point's own value: a state's of the step before, an
 * output's from the caller.  NULL after a diagnostic: the field written has none.
 */
const struct expr *guard(struct context *c, const struct expr *values,
	const struct expr *value);
/* In a program without time, outputs that keep the caller's values become states of a program
 * of one step.
 */
void give_steps(struct lower *l);

#endif
