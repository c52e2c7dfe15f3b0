/* Tiles of groups, from which count.c makes its counts.  Private to graph/.
 *
 * The tiles of a group form a family of frames: a frame stands for "times"
 * tiles that are equal up to a translation.  The stencils of the group lie in
 * layers, the last one at the bottom; by frame, a layer has what its stencil
 * computes.  That does not depend on the layers above, so families share
 * layers.
 */
#ifndef STENCILC_GRAPH_TILES_H
#define STENCILC_GRAPH_TILES_H

#include "model/graph/graph.h"

struct frame {
	int64_t times;
	bool is_origin;		/* the tile 0 of each level */
};

/* By frame, and how many in all tiles. */
struct values {
	const struct shape **shape;	/* NULL: not computed yet */
	int64_t n;
};

struct layer {
	int stencil;
	struct layer *below;
	int n;			/* frames */
	const struct frame *frame;
	/* By frame: B_s, what a tile has of a stencil whose value leaves the
	 * group; NULL if it does not.
	 */
	const struct shape **own;
	const struct shape **points;	/* Y_s */
	int64_t n_points;	/* in all tiles */
	struct values *values;	/* by field that the stencil reads: what it and
				 * the layers below read */
};

struct family {
	struct chain chain;
	uint64_t of;		/* stencils of the group that have layers */
	bool at_origin;		/* the tile 0 of each level alone */
	bool is_bare;		/* without tiles, which nobody has needed yet */
	int64_t (*shift)[GRAPH_MAX_DIMS];	/* sigma, by stencil */
	int n;
	const struct frame *frame;
	struct layer *top;
	bool has_storage;	/* "storage" is counted */
	int64_t storage;	/* values that the tile at the origin keeps */
	struct family *next;	/* with the same hash */
};

/* A stencil's reads of one field, all accesses together. */
struct reads {
	int field;
	struct cuboids offsets;
};

struct stencil_reads {
	int n;
	struct reads *of;
};

/* build.c: what the stencils of "graph" read. */
struct stencil_reads *graph_find_reads(struct region *mem, const struct graph *graph);

enum { BUCKETS = 4096 };

struct counter {
	struct region *mem;
	struct pile *pile;
	const struct graph *graph;
	const struct graph_machine *machine;
	struct counter *swept;	/* for swept groups, or NULL */
	const struct stencil_reads *reads;	/* by stencil */
	uint64_t *readers;	/* by field: stencils */
	uint64_t *after;	/* by stencil: it, and all that need it */
	const struct cuboid *whole;	/* by stencil: all its computed points,
					 * in whole tiles; or NULL: the points
					 * needed */
	struct family *family[BUCKETS];
	struct child *child[BUCKETS];
	struct counted *counted[BUCKETS];
	struct loaded *loaded[BUCKETS];
};

static const int64_t FAR = (int64_t) 1 << 40;

/* layers.c ------------------------------------------------------------------*/

static inline uint64_t only_stencil(int s)
{
	return (uint64_t) 1 << s;
}

static inline bool has_stencil(uint64_t set, int s)
{
	return set >> s & 1;
}

/* Those of the group. */
static inline uint64_t stencils_of(const struct family *f)
{
	return f->chain.set[f->chain.n - 1];
}

int first_stencil(uint64_t set);
/* Is the value of "s" needed outside the group of the stencils "set"? */
bool value_leaves(const struct counter *c, int s, uint64_t set);
enum halo halo_of_level(const struct counter *c, int level);
/* The size of the tiles of "level" in dimension "d"; 0: one tile covers all. */
int64_t tile_size(const struct counter *c, int level, int d);
/* Is each tile of the parent a single tile, in which each stencil computes what
 * it does in the parent?
 */
bool keeps_frames(const struct counter *c, int level);
/* "chain" without the stencils of its group on which "set" does not depend in
 * these tiles: those that do not precede one of "set".
 */
struct chain chain_needed(const struct counter *c, const struct chain *chain,
	uint64_t set);
uint64_t hash_of_chain(const struct chain *chain);
bool same_chain(const struct chain *a, const struct chain *b);
struct layer *layer_of(const struct family *f, int s);
/* The highest layer, "layer" or below, that reads "field"; NULL if none does. */
struct layer *layer_that_reads(const struct counter *c, struct layer *layer,
	int field);
/* What "layer" and those below it read of "field". */
const struct values *values_read(struct counter *c, struct layer *layer,
	int field);
/* Put on the pile what "s" reads of "field" to compute "points". */
void add_reads(struct counter *c, int s, const struct shape *points,
	int field);
/* The values of "field" on the pile; a field of fewer dimensions has one value
 * for all points along the others.
 */
int64_t count_values_of(struct counter *c, int field);
/* Replace the points "all" of the stencils "set" by what they need as a group;
 * those whose values leave it keep theirs.
 */
void extend_points(struct counter *c, const struct shape **all, uint64_t set);
/* Put "layer" above the others of the family, once its points are known. */
void put_layer(struct counter *c, struct family *f, struct layer *layer);
/* A layer for "s"; tiles have "own" of it. */
void add_layer(struct counter *c, struct family *f, int s,
	const struct shape **own);

/* families.c ----------------------------------------------------------------*/

/* The family of a group with its tiles, as far as the stencils "of" need them, or without
 * tiles.
 */
const struct family *family_of(struct counter *c, const struct chain *chain,
	uint64_t of, bool at_origin);
struct family *bare_family_of(struct counter *c, const struct chain *chain,
	uint64_t of, bool at_origin);

/* tiles.c -------------------------------------------------------------------*/

/* Equal tiles in one dimension: "times" from low, low + tile, .. */
struct run {
	int64_t low, end, times;
	bool has_origin;
};

/* Points of some stencils. */
struct parts {
	int n;
	int *stencil;
	const struct shape **shape;
};

/* The runs of tiles of the family's level that have some of "parts" in dimension "d"; between
 * their bounds all tiles are equal.
 */
int find_runs(struct region *mem, const struct counter *c,
	const struct family *f, const struct parts *parts, int d,
	struct run **runs);
/* "from" within "run" of dimension "d". */
struct parts clip_to_run(struct counter *c, struct region *mem,
	const struct family *f, const struct parts *from,
	const struct run *run, int d);
/* Cut the points in the parent's tiles into tiles. */
void split_parent(struct counter *c, struct family *f,
	const struct family *parent);

/* cells.c: tiles one point wide ---------------------------------------------*/

/* The tiles of a group that partition the points of the tiles "around" them: one point wide in
 * the dimensions "across", a bit set, and full length in the others.
 */
struct cells {
	struct chain around;
	unsigned across;
	int64_t shift[GRAPH_MAX_STENCILS][GRAPH_MAX_DIMS];	/* sigma */
};

/* Are the tiles of "chain" such cells for the stencils "of"? */
bool find_cells(struct counter *c, const struct chain *chain, uint64_t of,
	struct cells *cells);
/* How many values of "field" the stencils "readers" read in all cells, with those that stencil
 * "own", if not -1, computes there.
 */
int64_t values_in_cells(struct counter *c, const struct cells *cells,
	uint64_t readers, int field, int own);

/* shared.c: tiles that partition points ------------------------------------ */

/* What "s" loads in all tiles of "f" that have some of the "points". */
int64_t loads_of_points(struct counter *c, const struct family *f, int s,
	const struct shape *points);

#endif
