/* Arrays that each step fills and then reads, as the lines that absorbing boundaries keep. */
#ifndef STENCILC_FORWARD_H
#define STENCILC_FORWARD_H

#include "frontend/c/stencil.h"

/* Let what reads such an array read what fills it instead:
 *
 *	old[j] = u[1][j];  u = f(u);  u[0][j] = old[j] + c * (u[1][j] - u[0][j]);
 *
 * The loops execute the last step as they are, which leaves in the array what C does.
 */
void forward_arrays(struct stencil *s);
/* The loops "l", as others: what reads in them comes wholly before, or behind, the loops of the reader. */
const struct c_loop *loops_of_their_own(const struct stencil *s, const struct c_loop *l);

#endif
