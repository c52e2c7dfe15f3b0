/* OpenMP directives of C. */
#ifndef STENCILC_DIRECTIVE_H
#define STENCILC_DIRECTIVE_H

#include <stdbool.h>

enum directive_kind { OMP_PARALLEL, OMP_FOR, OMP_SIMD, OMP_FOR_SIMD, OMP_SINGLE,
	OMP_BARRIER, OMP_ATOMIC_WRITE,
	OMP_SIMD_LINE,		/* vectors of a line of the cache, of "lanes"
				 * cells, where registers hold a line */
	OMP_AFTER,		/* in two ordered loops: wait for the iteration
				 * (after[0] - 1, after[1]) .. */
	OMP_DONE };		/* .. which has come to this */

struct directive {
	enum directive_kind kind;
	enum { OMP_AS_IT_LIKES, OMP_STATIC, OMP_RUNTIME,
		OMP_IN_TURN	/* one iteration for each thread after the other */
	} schedule;
	int collapse;		/* number of loops, if more than one */
	int ordered;		/* likewise, of those whose iterations wait for
				 * each other */
	const char *after[2];	/* their variables, for OMP_AFTER */
	int lanes;		/* of its vectors, or 0 */
	bool nowait;
};

#endif
