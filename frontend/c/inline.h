/* What the files inline*.c share: a call, and what stands for the variables of
 * the function in its copy.
 */
#ifndef STENCILC_INLINE_H
#define STENCILC_INLINE_H

#include "frontend/c/ctree.h"

/* Statements, one behind the other. */
struct c_list {
	struct c_stmt *first, *last;
};

void list_add(struct c_list *list, struct c_stmt *s);
void list_append(struct c_list *list, struct c_list more);

/* What stands for a variable of the function: of an array or a pointer what
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
	struct c_decl *result;		/* where a "return" assigns it */
	const char *why;		/* it cannot be inlined; NULL: it can */
	bool has_effects;		/* on more than its own variables */
	int n_copied;
	const struct frame *outer;
};

/* inline_copy.c */
/* The statements of the function with what stands for its variables; each
 * "return" is an assignment, and nothing behind it is executed.
 */
struct c_list frame_body(struct frame *f);
struct c_expr *frame_expr(struct frame *f, const struct c_expr *e);
/* Give the parameters the values of the call; what is evaluated before goes to
 * "before".
 */
void frame_bind(struct frame *f, struct c_list *before);
struct c_stmt *frame_stmt(struct frame *f, enum c_stmt_kind kind,
	struct span at);
/* Let "value" stand for the pointer "d", if that stays where it points. */
bool frame_follows(struct frame *f, const struct c_decl *d,
	const struct c_expr *value);

#endif
