/* What plans of strips have: register streaming. */
#ifndef STENCILC_SCHEDULE_STREAM_H
#define STENCILC_SCHEDULE_STREAM_H

#include "schedule/schedule.h"

/* Strips of register streaming; see strips/strips.c.  Extents are counted in cells
 * around those that a strip stores.
 */
struct stream {
	int b;			/* time steps of a launch */
	int cells;		/* v: cells of a lane in dim.lane */
	int rows;		/* y: rows of a lane, in three dimensions */
	int warp;		/* lanes of a warp */
	int lanes;		/* of a strip: a warp, or all warps of a block */
	int warps;		/* strips of a block; in three dimensions warps,
				 * which have rows of one */
	int length;		/* l: positions of dim.stream that are stored */
	int width, height;	/* cells of dim.lane, of dim.row, stored */
	struct {
		int stream, row, lane;	/* -1: none */
	} dim;
	struct {		/* by statement: lag(m, i) = m*step + of[i] */
		int step, *of;
	} lag;
	int period;		/* positions of a version that are kept */
	struct {		/* along dim.stream */
		int start;	/* iteration of the first position needed */
		int first, last;	/* a multiple of the period */
	} walk;
	int before[IR_MAX_DIMS], after[IR_MAX_DIMS];	/* loaded */
	struct {		/* by field, what a lane needs beside its own: */
		int *left, *right;	/* cells */
		int *above, *below;	/* rows */
	} beside;
	struct exchange {	/* what neighbours along "dim" leave in shared
				 * memory for each other each iteration: warps
				 * rows, lanes of joined warps cells */
		int dim;	/* -1: nothing */
		int behind;	/* it is taken so many iterations later */
		int *late;	/* by field: it is left so many iterations after
				 * it came, when it is about to be read */
		int halves;	/* of the memory, left in by turns */
		bool barrier;	/* ends an iteration */
		int *newest;	/* by field: the newest version, relative to
				 * that of a step, that the step takes .. */
		int *versions;	/* .. and how many are left, from the oldest on:
				 * 0 if none is taken */
		int *last, *first;	/* by field: the first that is left for
					 * the next one, the one before */
	} exchange;
	int blocks;		/* k: that an SM has registers for */
	struct {		/* rows are loaded before they are needed: */
		int rows;	/* p: so many iterations, to registers, or .. */
		bool used;	/* .. a period, to shared memory .. */
		bool bulk;	/* .. a row of a warp at a time, where no guards
				 * are: rows is 0 */
	} ahead;
	struct strip_reads *reads;	/* see strips/needs.c */
	struct needed {		/* of a version, around those stored */
		int low[IR_MAX_DIMS], high[IR_MAX_DIMS];
	} *needed;		/* [v] is that of version t0 + v */
	struct strip_parts *parts;	/* by statement */
};

/* strips/needs.c: what "s" is if a launch takes "b" steps, at least as many as
 * the past ones that a state has.
 */
struct stream stream_of_steps(const struct scop *scop, const struct stream *s,
	int b);
/* The least of these. */
int stream_least_steps(const struct scop *scop);

/* The least and greatest offset at which "acc" may find its cell in dimension
 * "d", whatever boundary stands in for it; a period is none.
 */
void stream_reach(const struct stmt *s, const struct access *acc, int d,
	int *low, int *high);
/* Does each lane copy its own cells ahead, at edges too? */
static inline bool stream_copies_cells(const struct stream *s)
{
	return s->ahead.used && !s->ahead.bulk;
}

/* The extents of the array for the rows of the state "f" that a lane keeps: versions,
 * positions, rows where there are some, cells.  Returns how many.
 */
int stream_rows_extents(const struct stream *s, const struct field *f,
	int extent[4]);
/* lag(step, stmt) */
int stream_lag(const struct stream *s, int step, int stmt);
/* How many iterations ago was the position "offset" away from that of "stmt",
 * of the version that "acc" reads, computed or loaded?
 */
int stream_age(const struct stream *s, const struct scop *scop,
	const struct stmt *stmt, const struct access *acc, int offset);

/* strips/parts.c: what a statement far from all edges shares with other
 * iterations: values that are computed by the first one that has all they read.
 */
struct strip_parts {
	int n;
	struct strip_part {		/* those that others need come first */
		const struct expr *value;	/* at one of its places .. */
		int early;	/* .. where it is so many iterations old */
		int oldest;	/* iterations at most that it is kept */
		int like;
	} *part;
	int n_places;
	struct strip_place {		/* where the statement has a part */
		const struct expr *expr;
		int part, early;
	} *place;
	int n_reads;
	struct strip_read {		/* what is read by itself, so many .. */
		const struct access *acc;
		int early;	/* .. iterations before the statement */
	} *read;
	struct strip_operations *operations;	/* if it is reassociated */
	struct instruction_mix written;	/* what a cell executes if it is not */
};

/* The place of a part that "e" is, or NULL. */
const struct strip_place *stream_find_place(const struct strip_parts *parts,
	const struct expr *e);

/* Do both read the same rows, in three dimensions, of the same field? */
bool stream_same_rows(const struct stream *s, const struct access *a,
	const struct access *b);
/* Is read number "read" of "stmt" the first of its rows? */
bool stream_is_first_row(const struct stream *s, const struct stmt *stmt,
	int read);
/* Are the warps of a block one strip? */
bool stream_is_joined(const struct stream *s);
/* How many rows, or cells, of "field" are taken from the neighbour before, and
 * from the one after.
 */
int stream_taken_before(const struct stream *s, const struct field *field);
int stream_taken_after(const struct stream *s, const struct field *field);
/* Bytes of shared memory for the rows of "field" that are copied ahead. */
int64_t stream_ahead_bytes(const struct stream *s, const struct field *field);
/* Bytes of a row that a warp has of "field". */
int stream_row_bytes(const struct stream *s, const struct field *field);
/* Bytes of shared memory for all these and what is exchanged. */
int64_t stream_shared_bytes(const struct stream *s, const struct scop *scop);

#endif
