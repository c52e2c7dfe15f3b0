/* What the files inline*.c share: a call, and what replaces the function's
 * variables in the copy of its body.
 */
#ifndef STENCILC_INLINE_H
#define STENCILC_INLINE_H

#include "frontend/c/ctree.h"

/* Statements, one behind the other. */
struct c_stmts {
	struct c_stmt *first, *last;
};

void list_add(struct c_stmts *list, struct c_stmt *s);
void list_append(struct c_stmts *list, struct c_stmts more);

/* What replaces a variable of the function: for an array or a pointer, what
 * points to its first element.
 */
struct actual {
	const struct c_decl *decl;
	struct c_expr *value;
	struct actual *next;
};

/* A call of a function; the region itself is the outermost one. */
struct frame {
	struct region *mem;
	const struct c_function *function;	/* NULL: the region */
	const struct c_stmt *body;
	const struct c_expr *call;
	struct actual *actuals;
	struct c_decl *result;		/* where a "return" assigns its value */
	const char *why;		/* why it cannot be inlined; NULL: it
					 * can */
	bool has_effects;		/* has effects on more than its own
					 * variables */
	int n_copied;
	const struct frame *outer;
};

/* inline_copy.c */
/* Copy the function's statements with replacements for its variables; a
 * "return" becomes an assignment, and nothing behind it is executed.
 */
struct c_stmts frame_body(struct frame *f);
struct c_expr *frame_expr(struct frame *f, const struct c_expr *e);
/* Give the parameters the call's values; what is evaluated first goes to
 * "before".
 */
void frame_bind(struct frame *f, struct c_stmts *before);
struct c_stmt *frame_stmt(struct frame *f, enum c_stmt_kind kind,
	struct span at);
/* Let "value" replace the pointer "d", if it always points to the same place. */
bool frame_follows(struct frame *f, const struct c_decl *d,
	const struct c_expr *value);

#endif
