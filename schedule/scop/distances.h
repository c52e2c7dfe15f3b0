/* Distances of dependences, found once for all statements of one kind: distances.c, deps.c. */
#ifndef STENCILC_SCHEDULE_SCOP_DISTANCES_H
#define STENCILC_SCHEDULE_SCOP_DISTANCES_H

#include "schedule/scop/sets.h"

/* { R[t, x] -> F[v, y] : "reader" reads it by "acc" } */
__isl_give isl_map *scop_read_of(const struct scop *scop,
	const struct scop_stmt *reader, const struct access *acc);
/* { F[v, y] -> F[v + by, y] }, F[v, y] in "values" */
__isl_give isl_map *later_versions(__isl_take isl_space *values, int by);

/* The hull of those with this dt. */
struct slice {
	int64_t dt, least[IR_MAX_DIMS], most[IR_MAX_DIMS];
	bool is_open[IR_MAX_DIMS];	/* without an end along it */
	bool is_zero;			/* x = x' alone */
	const struct slice *next;
};

/* How far instances are apart in time and space, whatever their statements' numbers. */
struct instants {
	const struct area *writer, *reader;
	const struct access *write, *read;
	int buffers;		/* from the read of a value to the write that
				 * replaces it, so many versions later; 0: from
				 * the write of a value to its read */
	bool in_context;	/* for the sizes of scop->context */
	isl_set *distance;	/* { [dt, dx] } */
	bool is_empty, is_bounded;	/* .. in time */
	const struct slice *slices;	/* if bounded */
	const struct instants *next;
};

const struct instants *scop_instants(const struct scop *scop,
	const struct scop_stmt *writer, const struct scop_stmt *reader,
	const struct access *acc, int buffers);

/* { [k*dt + i, dx] : [dt, dx] in "instants", low <= i <= high }, with i the differences of the
 * statements' numbers
 */
struct span_of {
	const struct instants *instants;
	int low, high;
};

/* Join those of the same instants that meet; how many are left. */
int spans_join(struct span_of *span, int n);
/* { [dtau, dx] } of the span, but for that of an instance on itself. */
__isl_give isl_set *span_distances(const struct scop *scop,
	const struct span_of *span);

#endif
