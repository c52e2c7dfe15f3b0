/* Values at other points than that of the statement, and derivatives, which are sums of
 * such values: the functions that the library's fd.stn is written with.
 */
#ifndef STENCILC_DERIVATIVE_H
#define STENCILC_DERIVATIVE_H

#include "frontend/lower.h"

/* Definitions that are being expanded around an expression. */
struct expansion {
	const struct symbol *def;
	struct span at;			/* the call */
	const struct expansion *outer;
};

/* expr.c: has the call "e" "n" arguments?  False after a diagnostic. */
bool check_count(struct context *c, struct ast_expr *e, int n);
/* names.c: the index of dimension "dim", which the program calls "name". */
const struct expr *lower_index(struct context *c, int dim, const char *name,
	struct span at);

/* moved.c ------------------------------------------------------------------*/

/* Does the function "name" ask for its first argument at other points? */
bool reads_at_points(const char *name);
bool is_expanding(const struct context *c, const struct symbol *def);
/* Which parameters of the definition "s" does its text ask for at other points?  Their
 * arguments are lowered where they are used.
 */
void find_moved(struct lower *l, struct symbol *s);
/* Is another point meant than that of the statement? */
bool is_moved(const struct context *c);
/* The index "e", there. */
const struct expr *moved_index(const struct context *c, int dim,
	const struct expr *e);
/* The read "e" of "s" with all its subscripts: a field's name alone, or with the time alone, means
 * its value at the point.  NULL after a diagnostic.
 */
struct ast_expr *at_point(struct context *c, struct ast_expr *e,
	const struct symbol *s);

/* derivative.c -------------------------------------------------------------*/

/* Is the call "e" one of those functions?  "*value" is NULL after a diagnostic. */
bool lower_at_points(struct context *c, struct ast_expr *e,
	const struct expr **value);

#endif
