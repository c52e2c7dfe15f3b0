/* Tiles of groups: what the counts of count.c are made of.  Private to graph/.
 *
 * The tiles of a group are a family of frames: a frame stands for "times" tiles
 * that are equal up to a translation.  The stencils of the group lie in layers,
 * the last at the bottom: a layer has, by frame, what its stencil computes.
 * What that is does not depend on the layers above it, so that families share
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
	const struct shape **shape;	/* NULL: nobody asked yet */
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
				 * the layers below read of it */
};

struct family {
	struct chain chain;
	uint64_t of;		/* stencils of the group that have layers */
	bool at_origin;		/* the tile 0 of each level alone */
	bool is_bare;		/* without tiles, for which nobody asked yet */
	int64_t (*shift)[GRAPH_MAX_DIMS];	/* sigma, by stencil */
	int n;
	const struct frame *frame;
	struct layer *top;
	bool has_storage;	/* "storage" is counted */
	int64_t storage;	/* values that the tile at the origin keeps */
	struct family *next;	/* with the same hash */
};

/* Where a stencil reads a field, all its accesses together. */
struct reads {
	int field;
	struct cuboids offsets;
};

struct stencil_reads {
	int n;
	struct reads *of;
};

enum { BUCKETS = 4096 };

struct counter {
	struct region *mem;
	struct pile *pile;
	const struct graph *graph;
	const struct graph_machine *machine;
	struct counter *swept;	/* of groups that are, or NULL */
	struct stencil_reads *reads;	/* by stencil */
	uint64_t *readers;	/* by field: stencils */
	uint64_t *after;	/* by stencil: it, and all that need it */
	const struct cuboid *whole;	/* by stencil: all that is computed, of
					 * whole tiles; or NULL: what is needed */
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
/* Is the value of "s" needed beyond the group of the stencils "set"? */
bool value_leaves(const struct counter *c, int s, uint64_t set);
enum halo halo_of_level(const struct counter *c, int level);
/* The size of the tiles of "level" in dimension "d"; 0: all is one. */
int64_t tile_size(const struct counter *c, int level, int d);
/* Is all of a tile of the parent one tile, in which each stencil computes what
 * it does there?
 */
bool keeps_frames(const struct counter *c, int level);
/* "chain" without the stencils on which "set", some of its group's, does not
 * depend in these tiles: those that are not after one of "set".
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
/* Put what "s" reads of "field", where it computes "points", on the pile. */
void add_reads(struct counter *c, int s, const struct shape *points,
	int field);
/* The values of "field" that are on the pile; one of fewer dimensions has one
 * for all points of the others.
 */
int64_t count_values_of(struct counter *c, int field);
/* In place of the points "all" of the stencils "set" what they need as a group,
 * of which those whose values leave it keep theirs.
 */
void extend_points(struct counter *c, const struct shape **all, uint64_t set);
/* Put "layer" above the others of the family, its points known. */
void put_layer(struct counter *c, struct family *f, struct layer *layer);
/* A layer for "s", of which tiles have "own". */
void add_layer(struct counter *c, struct family *f, int s,
	const struct shape **own);

/* families.c ----------------------------------------------------------------*/

/* The family of a group with its tiles, as far as the stencils "of" need them, or
 * without them.
 */
const struct family *family_of(struct counter *c, const struct chain *chain,
	uint64_t of, bool at_origin);
struct family *bare_family_of(struct counter *c, const struct chain *chain,
	uint64_t of, bool at_origin);

/* tiles.c -------------------------------------------------------------------*/

/* Tiles of one dimension that are equal: "times" from low, low + tile, .. */
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

/* The runs of tiles of the family's level that have some of "parts" in dimension
 * "d"; between their bounds all is equal.
 */
int find_runs(struct region *mem, const struct counter *c,
	const struct family *f, const struct parts *parts, int d,
	struct run **runs);
/* "from" within "run" of dimension "d". */
struct parts clip_to_run(struct counter *c, struct region *mem,
	const struct family *f, const struct parts *from,
	const struct run *run, int d);
/* Cut the points that the tiles of the parent have into tiles. */
void split_parent(struct counter *c, struct family *f,
	const struct family *parent);

/* cells.c: tiles one point wide ---------------------------------------------*/

/* The tiles of a group as they share out the points of the tiles "around" them,
 * one point wide in the dimensions "across", bit by bit, all of them long in the
 * others.
 */
struct cells {
	struct chain around;
	unsigned across;
	int64_t shift[GRAPH_MAX_STENCILS][GRAPH_MAX_DIMS];	/* sigma */
};

/* Are the tiles of "chain" such cells for the stencils "of"? */
bool find_cells(struct counter *c, const struct chain *chain, uint64_t of,
	struct cells *cells);
/* How many values of "field" the stencils "readers" read in all cells, with those
 * that stencil "own", if not -1, computes there.
 */
int64_t values_in_cells(struct counter *c, const struct cells *cells,
	uint64_t readers, int field, int own);

/* shared.c: tiles that share out points ------------------------------------*/

/* What "s" loads in all tiles of "f" that have some of the "points". */
int64_t loads_of_points(struct counter *c, const struct family *f, int s,
	const struct shape *points);

#endif
