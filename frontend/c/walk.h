/* What the files that walk a region share: walk.c and steps.c. */
#ifndef STENCILC_WALK_H
#define STENCILC_WALK_H

#include "frontend/c/passes.h"

/* A statement; those from "body" on.  False after a diagnostic. */
bool walk_one(struct stencil *s, const struct c_stmt *stmt);
bool walk(struct stencil *s, const struct c_stmt *body);
/* The range of the loop "stmt"; from here on its body may have assigned scalars. */
bool walk_range(struct stencil *s, const struct c_stmt *stmt,
	struct c_loop *loop);
/* steps.c */
/* Scalars and declarations may stand before the time loop. */
bool may_stand_before(const struct stencil *s, const struct c_stmt *stmt);
/* The time loop of the region; NULL: it is one step. */
const struct c_stmt *time_loop_of(struct stencil *s);
/* Is "loop" the time loop?  Checks the candidate. */
bool is_time_loop(struct stencil *s, const struct c_stmt *loop);
/* prescan.c: the first statement of "body" that moves a pointer; NULL: there is none. */
const struct c_stmt *pointer_move(const struct c_stmt *body);
/* walk.c */
bool refuse_statement(struct stencil *s, const struct c_stmt *stmt);

/* Does "body" assign "d", but as the counter of a loop, or where it declares that? */
bool c_assigns(const struct c_stmt *body, const struct c_decl *d);

#endif
