/* What plans of one grid have. */
#ifndef STENCILC_SCHEDULE_ONEGRID_H
#define STENCILC_SCHEDULE_ONEGRID_H

#include "schedule/plan.h"

enum { ONE_GRID_DIMS = 3, ONE_GRID_TILED = 2 };

/* The tiles of onegrid/onegrid.c.  A band has n <= h steps.  Its tile (S_0, S_1) has rows
 * a = 0 .. n, each a box: whole rows along the last dimension, and along d = 0, 1
 *
 *	S_d*width[d] <= x_d + skew[d]*a < (S_d + 1)*width[d]
 *
 * In row 0 it takes the caller's cells, version 0 of the band, into the grid; in row a >= 1 step
 * a - 1 computes version a from version a - 1; what row n computes it gives back to the caller.
 * Version v of cell x lies in
 *
 *	grid[x_0 + (h - v)*shift[0]][x_1 + (h - v)*shift[1]][lead + x_2]
 *
 * and takes the place of version v - 1 of the cell x - shift.  A tile runs when (S_0 - 1, S_1) and
 * (S_0, S_1 - 1) have run; in a row, points run in lexicographic order.
 */
struct one_grid {
	int h;			/* steps of a band, at most */
	int width[ONE_GRID_TILED], skew[ONE_GRID_TILED], shift[ONE_GRID_TILED];
	int lead;		/* so that the first cell computed starts a line of the cache */
};

#endif
