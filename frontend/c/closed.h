/* Variables that a region advances, as p++, in closed form. */
#ifndef STENCILC_CLOSED_H
#define STENCILC_CLOSED_H

#include "frontend/c/ctree.h"

/* Replace the uses of such variables, pointers that walk among them, where all can be told. */
void close_advances(struct region *mem, struct c_region *region);
/* The same for the body of a function, whose variables nobody sees behind it. */
struct c_stmt *close_function(struct region *mem, struct c_stmt *body);

#endif
