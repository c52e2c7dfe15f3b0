/* What the files of register streaming share: stream.c, strip_model.c. */
#ifndef STENCILC_SCHEDULE_STRIP_H
#define STENCILC_SCHEDULE_STRIP_H

#include "schedule/schedule.h"

enum { WARP = 32 };

/* The sizes that "request" names, others by default. */
struct stream strip_of_request(const struct scop *scop,
	const struct tile_request *request);
/* Fill in what follows from s->steps; s->parts unless they are there. */
void strip_find_schedule(const struct scop *scop, struct stream *s);
/* The same for all other sizes. */
void strip_find_place(const struct scop *scop, struct stream *s);
/* Fill in the iterations again after s->length changed. */
void strip_find_iterations(const struct scop *scop, struct stream *s);
/* The parts of "stmt", given the lags. */
void strip_find_parts(const struct scop *scop, const struct stream *s,
	const struct stmt *stmt, struct strip_parts *parts);
/* The operations that cells, and iterations, may share. */
struct strip_operations *strip_find_operations(const struct scop *scop,
	const struct stream *s, const struct stmt *stmt,
	const struct strip_parts *parts);
/* What a cell executes of them, given the rows and cells of a lane. */
struct instruction_mix strip_mix(const struct stream *s,
	const struct strip_operations *all);
/* What a cell executes of "s" as it is written. */
struct instruction_mix strip_mix_as_written(const struct stmt *s);
/* Instructions beside that of the special unit of a division, a root, .. */
double strip_special_operations(enum type type);
/* What a strip, or the strips of a block in three dimensions, store. */
int strip_stored(const struct stream *s, int d);
/* How many rows away the farthest is that a statement reads, or 1. */
int strip_rows_read(const struct scop *scop, const struct stream *s);

/* The predict of the strategy. */
void strip_predict_sizes(struct region *mem, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	struct prediction *p);

#endif
