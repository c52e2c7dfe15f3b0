/* Registers of lanes and what shared memory holds, also where blocks of a cluster leave values for
 * each other.
 */
#ifndef STENCILC_VERIFY_REGISTERS_H
#define STENCILC_VERIFY_REGISTERS_H

#include "verify/code/lanes.h"

struct registers {
	const char *name;
	const struct field *state;	/* the strip's field in it, or NULL */
	bool is_shared, has_turns;	/* its halves take turns */
	unsigned threads;	/* indices that are a thread's */
	bool is_of_others;	/* neighbours store what threads take from
				 * their own part */
	const struct registers *of;	/* NULL, or another block's part of
					 * that array: .. */
	int by;			/* .. the block with the warp so much further */
	int n, extent[8], size;
	struct held *held;
	const struct registers *next;
};

/* Which element of an array, and whose: the thread's own, or its neighbour's. */
struct place_in_array {
	const struct registers *array;
	int first;		/* number of the content */
	int whose;		/* -1, 0, 1 */
	bool by_warp;		/* of warps, not of lanes */
	unsigned threads;	/* number of indices that are threads', .. */
	bool of_lane, of_warp;	/* .. lanes', warps' */
};

/* registers.c: what registers hold ----------------------------------------- */

const struct registers *array_called(const struct lanes *l, const char *name);
void declare_array(struct lanes *l, const struct ks *s);
/* "x" is NAME[..].., in registers or shared memory, a thread's own. */
bool place_of(struct lanes *l, const struct kx *x, struct place_in_array *p);
/* All registers, and shared memory, that "x" names lie within their arrays. */
bool has_places(struct lanes *l, const struct kx *x);
void hold(struct lanes *l, struct held *of, struct held is);
bool same_held(const struct held *a, const struct held *b);
/* The cell as seen by the lane, or warp, "by" further. */
struct held as_seen_from(const struct lanes *l, struct held h, int by,
	bool by_warp);
/* Move all positions "by" further. */
void move_iteration(struct lanes *l, int64_t by);
/* Undo all changes since there were "n". */
void undo_changes(struct lanes *l, int n);
int count_held(const struct lanes *l);
void pass_barrier(struct lanes *l);
struct held cell_held(const struct field *f, int version, int along, int row,
	int column);
/* The cell that element "i" of a state's array is for, now or at its last visit. */
bool cell_meant(const struct lanes *l, const struct registers *a, int i,
	struct held *cell);
/* Does the strip contain the cell "h", which the statement at "p" reads? */
bool is_in_strip(const struct lanes *l, const struct held *h,
	const struct point *p);
/* Does nothing stored depend on "h" where it names a register when iteration l->loop.now begins? */
bool is_early(const struct lanes *l, const struct held *h);

/* clusters.c: blocks that leave values for each other ------------------------*/

static inline bool is_clustered(const struct lanes *l)
{
	return l->s.row >= 0 && plan_cluster(l->w->plan, l->s.row) > 1;
}

/* Warps of a block. */
static inline int warps_of_block(const struct lanes *l)
{
	return l->w->plan->threads[1];
}

/* warp = "x": is it the number in the cluster, block after block?  Then it is the symbol. */
bool is_warp_of_cluster(const struct lanes *l, const char *name,
	const struct kx *x);
/* "x" is the place, in "a", of the warp to whose part it leads; so much further. */
bool is_place_of_warp(const struct lanes *l, const struct registers *a,
	const struct kx *x, int *by);
/* "a" is where "at" leads: to the part of another block of an array in shared memory. */
void lead_to_other_block(struct lanes *l, struct registers *a,
	const struct kx *at);
/* May threads now leave what others of the cluster take, or take it? */
bool may_leave_or_take(struct lanes *l);
/* A barrier of the block; of the cluster, or half of one. */
bool run_barrier(struct lanes *l);
bool run_cluster_barrier(struct lanes *l, enum builtin builtin);
/* Code that threads may pass or not, or repeat, leaves barriers as it finds them. */
bool keeps_barrier(struct lanes *l, bool arrived);

#endif
