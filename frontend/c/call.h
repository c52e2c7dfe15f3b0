/* Calls that replace regions, and the functions that they call. */
#ifndef STENCILC_CALL_H
#define STENCILC_CALL_H

#include "frontend/c/passes.h"

/* void f_region(int n, float *A) */
void print_region_prototype(struct text *t, const struct stencil *s);
void print_definition(struct text *t, const struct stencil *s);
void print_call(struct text *t, const struct stencil *s);
/* The call as a condition, which fails where the loops must run as they are. */
void ask_by_call(const struct stencil *s, struct c_question *q);
/* file.c: has it arrays of long and others of long long, which C tells apart? */
bool mixes_longs(const struct stencil *s);
/* Does the time loop move pointers? */
bool moves_pointers(const struct stencil *s);
/* Set the pointers, and integers that turn, as the steps leave them; the counters in "body" as the loops
 * do.
 */
void print_moves(struct text *t, const struct stencil *s);
void print_counters(struct text *t, const struct stencil *s,
	const struct c_stmt *body);

#endif
