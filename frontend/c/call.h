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
/* Set the pointers, and integers that turn, as the steps leave them. */
void print_moves(struct text *t, const struct stencil *s);
/* counters.c: set the counters as the loops leave them. */
void print_counters(struct text *t, const struct stencil *s);
/* Does the code behind the region use the value of "d"? */
bool is_live_behind(const struct stencil *s, const struct c_decl *d);
/* The text at "at", on one line. */
void print_quoted(struct text *t, const struct stencil *s, struct span at);
/* Does one declaration declare "a" and "b", as in double *a = x, *b = y? */
bool share_declaration(const struct c_stmt *a, const struct c_stmt *b);

#endif
