/* What a walk over the planes of a grid of three dimensions reads again. */
#ifndef STENCILC_SCHEDULE_PLANES_H
#define STENCILC_SCHEDULE_PLANES_H

#include "schedule/schedule.h"

/* From the least to the greatest offset along "d" at which "s" reads the field and
 * version of its read "read", the first one that has them; 0 if it has no planes, or
 * subscripts are not i, j, ..
 */
int planes_span(const struct stmt *s, int read, int d);
/* What "s" reads again for a point if each plane but the first is lost meanwhile, in bytes. */
double planes_again_bytes(const struct stmt *s);
/* All that a walk over planes, by "rows" rows of "row_points" points in each, touches from
 * its first use of a cell to its last, in bytes.
 */
double planes_in_use(const struct stmt *s, double rows, double row_points);

#endif
