/* Weights of finite differences, exact. */
#ifndef STENCILC_WEIGHTS_H
#define STENCILC_WEIGHTS_H

#include "ir/ir.h"

enum { WEIGHTS_MOST = 32 };	/* points */

__extension__ typedef __int128 weights_int;

/* A number as a quotient in lowest terms; "below" is positive, or 0 if the terms do not fit. */
struct weight {
	weights_int above, below;
};

/* The weights w[0] .. w[end - begin] of the values at begin, .. end, in cells, in the
 * derivative of order "n" half / 2 cells away from 0: that of the polynomial through them.
 * False if a number does not fit.
 */
bool weights_find(int n, int begin, int end, int half, struct weight *w);
/* "w" times "factor"; the same rounded once, to the nearest value of "type", a real type. */
struct weight weights_times(struct weight w, int factor);
double weights_round(struct weight w, enum type type);

#endif
