/* What a walk over the planes of a three-dimensional grid reads again. */
#ifndef STENCILC_SCHEDULE_PLANES_H
#define STENCILC_SCHEDULE_PLANES_H

#include "schedule/schedule.h"

/* The span of offsets along "d" at which "s" reads the field and version of its read "read", if
 * that is the first such read; 0 if the field has no planes, or subscripts are not i, j, ..
 */
int planes_span(const struct stmt *s, int read, int d);
/* Bytes that "s" reads again for a point if a cache loses each plane but the first meanwhile. */
double planes_again_bytes(const struct stmt *s);
/* Bytes that a walk over planes, by "rows" rows of "row_points" points in each, touches from
 * its first use of a cell to its last.
 */
double planes_in_use(const struct stmt *s, double rows, double row_points);

#endif
