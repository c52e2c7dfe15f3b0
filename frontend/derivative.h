/* Values at other points than the statement's, and derivatives, which are sums of such values:
 * the functions on which the library's fd.stn builds.
 */
#ifndef STENCILC_DERIVATIVE_H
#define STENCILC_DERIVATIVE_H

#include "frontend/lower.h"

/* The definitions being expanded around an expression. */
struct expansion {
	const struct symbol *def;
	struct span at;			/* the call */
	const struct expansion *outer;
};

/* symbols.c: does the call "e" have "n" arguments?  False after a diagnostic. */
bool check_count(struct context *c, struct ast_expr *e, int n);
/* names.c: the index of dimension "dim", by the program's name. */
const struct expr *lower_index(struct context *c, int dim, const char *name,
	struct span at);

/* moved.c ------------------------------------------------------------------*/

/* Does the function "name" evaluate its first argument at other points? */
bool reads_at_points(const char *name);
bool is_expanding(const struct context *c, const struct symbol *def);
/* Which parameters does the text of definition "s" evaluate at other points?  Their arguments
 * are lowered where they are used.
 */
void find_moved(struct lower *l, struct symbol *s);
/* Is the point meant another one than the statement's? */
bool is_moved(const struct context *c);
/* The index "e", there. */
const struct expr *moved_index(const struct context *c, int dim,
	const struct expr *e);
/* The read "e" of "s" with all its subscripts: a field's name alone, or with the time alone,
 * means its value at the point.  NULL after a diagnostic.
 */
struct ast_expr *at_point(struct context *c, struct ast_expr *e,
	const struct symbol *s);

/* once.c -------------------------------------------------------------------*/

/* The real "value" as a let called "name", or similarly, in a statement. */
const struct expr *add_name(struct context *c, const struct expr *value,
	const char *name);
/* The real "value" as a let called "name", or similarly; as it is where no let can be.  The let of
 * an equal value serves again.
 */
const struct expr *name_once(struct context *c, const struct expr *value,
	const char *name);

/* derivative.c -------------------------------------------------------------*/

/* Is the call "e" to one of these functions? "*value" is NULL after a diagnostic. */
bool lower_at_points(struct context *c, struct ast_expr *e,
	const struct expr **value);

#endif
