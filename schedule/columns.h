/* Columns of vectors: hexagonal tiles as C compute along the first dimension, so that cells
 * loaded by one iteration serve later ones (doc/openmp.md).
 */
#ifndef STENCILC_SCHEDULE_COLUMNS_H
#define STENCILC_SCHEDULE_COLUMNS_H

#include "schedule/schedule.h"

enum { COLUMN_ROWS = 4 };	/* in three dimensions, so many side by side */

/* Do columns compute statement "s" where the hexagons are in dimension "hex", if its operations
 * allow it?
 */
bool columns_pay(const struct scop *scop, int hex, const struct stmt *s);
/* The cost of loading a point's cells then, in aligned loads. */
double columns_load_cost(const struct scop *scop, const struct stmt *s);

#endif
