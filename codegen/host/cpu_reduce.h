/* Reductions as C, between the pass over all points and the boxes of tiles. */
#ifndef STENCILC_CPU_REDUCE_H
#define STENCILC_CPU_REDUCE_H

#include "codegen/host/cpu.h"
#include "codegen/host/reductions.h"

/* Variables of a reduction. */
struct pieces {
	struct reduced reduced;
	const char *values, *l, *piece, *from;
	cpu_read *read;
};

/* cpu_reduce.c: pieces of rows, in lanes that are joined at the end of each -- */

struct pieces cpu_pieces_of(const struct host *h, struct reduced reduced,
	cpu_read *read);
/* What lane "l" has so far. */
const struct kx *cpu_lane_at(const struct pieces *p, const struct kx *l);
/* A read in the copy of a tile that has the version. */
const struct kx *cpu_read_version(const struct binding *b,
	const struct access *acc);
/* Join the value at the point of lane "l" to what the lane has. */
struct ks *cpu_joined_lane(const struct pieces *p, const struct kx *l);
/* for (var = first; var < end; ++var) body */
struct ks *cpu_loop_of_pieces(const struct host *h, const char *var,
	const struct kx *first, const struct kx *end, struct ks *body);
/* "s" behind a directive, as one statement. */
struct ks *cpu_with_directive(const struct host *h, enum directive_kind kind,
	struct ks *s);
/* Points from .. from + 31, those of all lanes at once. */
struct ks *cpu_whole_lanes(const struct pieces *p);
/* The first point of the piece, or of the one "behind" it. */
const struct kx *cpu_begin_of_piece(const struct pieces *p, int behind);
void cpu_declare_lanes(const struct pieces *p, struct ks *body);
/* for (l: all lanes) to = value; */
struct ks *cpu_each_lane(const struct pieces *p, const struct kx *to,
	const struct kx *value);

#endif
