/* Pointers that ways through the code of a strip, and its iterations, move. */
#ifndef STENCILC_VERIFY_CARRIED_H
#define STENCILC_VERIFY_CARRIED_H

#include "verify/code/lanes.h"

/* Where all pointers are. */
struct spots;
struct spots *spots_now(const struct lanes *l);
void spots_again(const struct lanes *l, const struct spots *spots);
/* Two ways meet: each pointer is where it was at the end of the other one. */
bool spots_agree(const struct lanes *l, const struct spots *other);

/* Before the iterations "loop": pointers that these move are at the first one.  In what follows they are
 * at the iteration that is meant.
 */
void carry_spots(struct lanes *l, const struct ks *loop);
/* An iteration, which began with "head", moved those a period further, and no others; they are at its
 * head again.
 */
bool spots_go_on(const struct lanes *l, const struct spots *head);

#endif
