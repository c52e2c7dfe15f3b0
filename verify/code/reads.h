/* Does the code of a strip read at a point what the program reads there? */
#ifndef STENCILC_VERIFY_READS_H
#define STENCILC_VERIFY_READS_H

#include "verify/code/lanes.h"

/* "acc" reads what lies "by" further than the point, wherever the code is, with its sign turned
 * if "minus".
 */
bool reads_cell_at(struct lanes *l, const struct point *p,
	const struct access *acc, const int *by, bool minus);
/* .. the cell of global memory "x". */
bool reads_cell(struct lanes *l, const struct point *p,
	const struct access *acc, const struct kx *x, bool minus);
/* Is "x" there coordinate "d" of the cell that "acc" reads, as used in the value of its
 * boundary in dimension "own", see struct boundary; in the grid if "is_near"?
 */
bool reads_index(struct lanes *l, const struct point *p,
	const struct access *acc, int own, int d, bool is_near,
	const struct kx *x);
/* Does "acc" read the boundary's value at one of the sides "which", bit SIDES*d + side? */
bool reads_value(struct lanes *l, const struct point *p,
	const struct access *acc, unsigned which);

#endif
