/* Clusters of blocks: what these leave for each other in shared memory. */
#ifndef STENCILC_CODEGEN_STRIPS_CLUSTERS_H
#define STENCILC_CODEGEN_STRIPS_CLUSTERS_H

#include "codegen/strips/strips.h"

/* strips/edges.c ----------------------------------------------------------*/

/* Does any field leave rows, or cells, for neighbours? */
bool strip_leaves_edges(const struct strip *p);
/* In a cluster: declare the arrays of other blocks in which this warp leaves rows. */
void strip_declare_far_edges(const struct strip *p, struct ks *block);

/* strips/clusters.c: blocks that leave rows for each other -----------------*/

/* What a block knows of its place in its cluster: where it finds the shared memory of the blocks
 * with the warps above and below its own.
 */
void strip_declare_cluster(const struct strip *p, struct ks *block);
/* The array "name" of the block that takes what this warp leaves for the warp after it, or for the
 * one before; where it is, and the place of that warp there.
 */
const char *strip_taken_by(const struct strip *p, const char *name, bool after);
const struct kx *strip_shared_of(const struct strip *p, const char *name,
	bool after);
const struct kx *strip_place_of(const struct strip *p, bool after);
/* All that this block has left is there when the others wait; in a cluster, wait for what they left. */
struct ks *strip_arrive(const struct strip *p);
void strip_wait_for_edges(const struct strip *p, struct ks *block);
void strip_describe_cluster(struct text *t, const struct place *place);

#endif
