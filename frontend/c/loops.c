/* Loops and the polynomials in their variables. */
#include "frontend/c/passes.h"

const struct c_loop *loop_of(const struct c_loop *loop, const struct poly *p)
{
	while (loop && !poly_uses(p, loop->decl))
		loop = loop->outer;
	return loop;
}

bool loop_extent(const struct c_loop *loop, struct poly *extent)
{
	*extent = loop->end;
	return poly_add(extent, &loop->begin, -1);
}
