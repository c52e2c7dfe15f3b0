/* How much a region does, for calls to be worth it. */
#ifndef STENCILC_WORK_H
#define STENCILC_WORK_H

#include "frontend/c/stencil.h"

/* Statements that a call must execute, as a macro of the emitted file says for others. */
int least_work(void);
/* How many it executes: 1.0 * steps * (n - 2) */
void print_work(struct text *t, const struct stencil *s);
/* Those of "e", without its parts. */
int operations_of(const struct c_expr *e);
/* repeats.c: does a call compute so much again that the file must ask for threads?  The question, in C; and
 * the macros that it uses.
 */
bool asks_about_repeats(const struct c_program *p);
void print_repeats(struct text *t, const struct c_program *p);
void print_repeats_macros(struct text *t);
/* Does it take less time than the copies to the device and back that a call makes? */
bool copies_for_nothing(const struct stencil *s);
/* .. if it is known that the loops run as they are. */
void warn_of_loops(const struct stencil *s);

#endif
