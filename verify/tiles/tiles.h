/* What the proof shows of tiles that are executed row by row. */
#ifndef STENCILC_VERIFY_TILES_H
#define STENCILC_VERIFY_TILES_H

#include "verify/checker.h"

/* distance.c -------------------------------------------------------------*/

enum dependence { FLOW, ANTI, OUTPUT };

/* Source at (tau, x), sink at (tau + dtau + repeat*j, x + dx), j >= first. */
struct distance {
	enum dependence kind;
	const struct statement *source, *sink;
	const struct field *field;
	int version;		/* by what is read */
	int64_t dtau;
	int64_t repeat;		/* 0: only j = 0 */
	int64_t first;
	bool bounded[IR_MAX_DIMS];
	int64_t low[IR_MAX_DIMS], high[IR_MAX_DIMS];
	bool is_endless[IR_MAX_DIMS];	/* .. but above: low and more */
};

/* Does no row b of tile (q, dT, dS) lie at distance "dist" from row a of (p, 0, 0) in "piece",
 * in the dimensions "which"?
 */
bool never_too_early(struct checker *c, const struct distance *dist, int p,
	int q, const char *piece, dims which);
/* { [t, x] -> [u, z] } of the dependence "dist" whose read is "acc" (NULL:
 * the cell written, of a copy statement version 0), exactly.
 */
__isl_give isl_map *exact_dependence(struct checker *c,
	const struct distance *dist, const struct access *acc);
/* { [t, x.., u, z.., T, S.., V, R..] : (t, x) -> (u, z) in "map", the source
 * in tile (p, T, S), the sink in (q, V, R), piece }
 */
__isl_give isl_set *exact_pairs_too_early(struct checker *c,
	const struct distance *dist, int p, int q, const char *piece,
	__isl_take isl_map *map);

/* around.c ---------------------------------------------------------------*/

/* Are the tiles of "plan" those of a grid without ends, in the dimensions in which it goes
 * around?
 */
bool check_around(struct checker *c, const struct plan *plan);
/* Does a read of "acc" continue at the other end of the grid there? */
bool read_goes_around(const struct statement *s, const struct access *acc,
	int d);
/* Change "dist" for these tiles; false if rows of tiles do not move on as far as it leads. */
bool go_around(struct checker *c, struct distance *dist);

/* order.c, memory.c ------------------------------------------------------*/

bool check_order(struct checker *c);
bool check_memory(struct checker *c);

/* stores.c ---------------------------------------------------------------*/

/* What tiles in shared memory leave in global memory of "s". */
bool check_copy_out(struct checker *c, const struct statement *s);

#endif
