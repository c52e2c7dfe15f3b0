/* What is shown of tiles that are executed row by row. */
#ifndef STENCILC_VERIFY_TILES_H
#define STENCILC_VERIFY_TILES_H

#include "verify/checker.h"

/* order.c, memory.c ------------------------------------------------------*/

bool check_order(struct checker *c);
bool check_memory(struct checker *c);

/* stores.c ---------------------------------------------------------------*/

/* What tiles of shared memory leave in global memory of "s". */
bool check_copy_out(struct checker *c, const struct statement *s);

#endif
