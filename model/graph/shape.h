/* Unions of cuboids of integer points. */
#ifndef STENCILC_SHAPE_H
#define STENCILC_SHAPE_H

#include "base/base.h"

enum { GRAPH_MAX_DIMS = 4 };

/* A set of offsets, sorted. */
struct pattern {
	int n;
	int64_t (*at)[GRAPH_MAX_DIMS];
};

struct cuboid {
	int64_t low[GRAPH_MAX_DIMS], end[GRAPH_MAX_DIMS];	/* [low, end) */
};

/* A set of points; equal sets have equal cuboids. */
struct shape {
	int n_dims, n;
	struct cuboid *cuboid;	/* disjoint, in order */
	struct cuboid hull;	/* the box around all of them */
	int64_t points;
	uint64_t hash;		/* of the set, wherever it lies */
};

/* Cuboids that may overlap: a pattern has few. */
struct cuboids {
	int n;
	struct cuboid *cuboid;
};

/* Pieces to be united, and room for that. */
struct pile;

struct pile *pile_new(struct region *mem, int n_dims);
void pile_add(struct pile *p, const struct cuboid *c);
void pile_add_shape(struct pile *p, const struct shape *s);
/* Add the Minkowski sum { x + offset : x in "s" }. */
void pile_add_sum(struct pile *p, const struct shape *s,
	const struct cuboids *offsets);
/* Project the pieces on the dimensions "dims", bit by bit. */
void pile_flatten(struct pile *p, unsigned dims);
/* The union of all pieces, and its number of points; empties the pile. */
const struct shape *pile_take(struct pile *p, struct region *mem);
int64_t pile_count(struct pile *p);
/* The number of points from the first to the last of "s" on the lines along dimension "d"; uses
 * an empty pile.
 */
int64_t pile_count_lines(struct pile *p, const struct shape *s, int d);
/* How many pieces there have been. */
int64_t pile_work(const struct pile *p);
/* Does it contain all of "c"? */
bool shape_has_all(const struct shape *s, const struct cuboid *c);
/* "s" within "c"; uses an empty pile. */
const struct shape *shape_clip(struct pile *p, struct region *mem,
	const struct shape *s, const struct cuboid *c);
const struct shape *shape_copy(struct region *mem, const struct shape *s);
/* Are they equal up to a translation? */
bool shapes_are_alike(const struct shape *a, const struct shape *b);
/* The points of "p", as few large cuboids. */
struct cuboids cuboids_of_pattern(struct region *mem, int n_dims,
	const struct pattern *p);
/* "hash" extended by "x". */
uint64_t hash_number(uint64_t hash, int64_t x);

#endif
