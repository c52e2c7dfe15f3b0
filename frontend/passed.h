/* Fields passed to definitions: by name, a state also at a step, "lap(u[t])", a component by its
 * number, "lap(v[t][X])".  The definition adds the subscripts that are missing.
 */
#ifndef STENCILC_PASSED_H
#define STENCILC_PASSED_H

#include "frontend/lower.h"

/* The field that "e", a name or element, names itself or by the argument "*b" of a definition; or
 * NULL.
 */
struct symbol *field_named(const struct context *c, const struct ast_expr *e,
	struct binding **b);
/* Does "e" name the field "s", of whose subscripts "n_given" are given already, by the first of the
 * others: its step, components?
 */
bool lacks_place(const struct context *c, const struct ast_expr *e,
	const struct symbol *s, int n_given);
/* Put copies of "e" and what is linked to it behind "list". */
void append_copies(struct lower *l, struct ast_exprs *list,
	const struct ast_expr *e);
/* How many subscripts say which component of "s" is meant? */
int components_of(const struct symbol *s);
/* "e" with the subscripts that the field is passed with before its own. */
struct ast_expr *element_of_field(struct context *c, const struct ast_expr *e,
	const struct binding *b);
void note_passed(struct context *c, const struct binding *b);
/* Report that a definition uses as a number what it got as a field; NULL. */
const struct expr *refuse_field(struct context *c, struct ast_expr *e,
	struct binding *b);
/* Report the time as a subscript of a state that is passed at a step; NULL. */
const struct expr *refuse_second_time(struct context *c, struct ast_expr *e,
	const struct binding *b);
/* names.c: the time plus a constant, an AST_STEP. */
const struct expr *lower_step(struct context *c, const struct ast_expr *e);

#endif
