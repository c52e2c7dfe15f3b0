/* Arrays that change places at the end of each step. */
#ifndef STENCILC_ROLES_H
#define STENCILC_ROLES_H

#include "frontend/c/stencil.h"

/* Let two arrays that change places, and differ in nothing that a step reads and does not compute, be one:
 *
 *	v[i] = f(u[i-1], u[i+1]);  swap(u, v);
 *
 * becomes u[t+1][i] = f(u[t][i-1], u[t][i+1]) where the edges are choices.  So the program has one statement for each
 * pair, not two, and reads and writes half as much.  It executes an even number of steps, behind which the values
 * lie where C has them; the loops execute those that are left, and so fill the other array.
 */
void join_roles(struct stencil *s);
/* .. behind leave_rounds(). */
void leave_odd_step(struct stencil *s);
/* phases.c: does each step execute "u" at the same points?  Are both one statement of C in two phases, at the same
 * points?
 */
bool is_steady_update(const struct stencil *s, const struct c_update *u);
bool have_one_place(const struct c_update *u, const struct c_update *v);

#endif
