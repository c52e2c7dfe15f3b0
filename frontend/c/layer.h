/* Arrays of layers at the ends of a grid, which have rows for these layers alone. */
#ifndef STENCILC_LAYER_H
#define STENCILC_LAYER_H

#include "frontend/c/stencil.h"

enum { MAX_LAYERS = 2 };

/* The program has the field on all of the grid: cell k of the array is its cell k + shift. */
struct c_layers {
	int along;			/* this dimension */
	struct poly all;		/* the size of the array */
	int n;
	struct c_layer {
		struct poly first, end;	/* of the array */
		struct poly place, shift;	/* see layer.c; the shift with its number */
	} of[MAX_LAYERS];
};

/* Let arrays whose cells lie at a distance that variables decide be such fields:
 *
 *	psi[i - n + w] = b[i - n + w] * psi[i - n + w] + .. u[i + 1] - u[i]
 */
void find_layers(struct stencil *s);

#endif
