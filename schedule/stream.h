/* What plans of strips have: register streaming. */
#ifndef STENCILC_SCHEDULE_STREAM_H
#define STENCILC_SCHEDULE_STREAM_H

#include "schedule/schedule.h"

/* Strips of register streaming; see strips/strips.c.  Extents count cells around those that a
 * strip stores.
 */
struct stream {
	int b;			/* time steps of a launch */
	int cells;		/* v: cells of a lane in dim.lane */
	int rows;		/* y: rows of a lane, in three dimensions */
	int warp;		/* lanes of a warp */
	int lanes;		/* of a strip: a warp, or all warps of a block */
	int warps;		/* strips of a block; in three dimensions warps,
				 * which have rows of one strip */
	int length;		/* l: positions of dim.stream that are stored .. */
	int first;		/* f: .. and those of the first strip there, as
				 * many, or more by whole periods */
	int width, height;	/* stored cells of dim.lane, of dim.row */
	struct {
		int stream, row, lane;	/* -1: none */
	} dim;
	struct {		/* by statement: lag(m, i) = m*step + of[i] */
		int step, *of;
	} lag;
	int period;		/* kept positions of a version */
	struct {		/* along dim.stream */
		int start;	/* iteration of the first position needed */
		int first, last;	/* a multiple of the period */
		int begin;	/* periods before this iteration store nothing .. */
		int step, of;	/* .. and of these, step m computes nothing that
				 * is needed before iteration m*step + of */
	} walk;
	int before[IR_MAX_DIMS], after[IR_MAX_DIMS];	/* cells loaded */
	struct rim rim[IR_MAX_DIMS];	/* of these, those that strips at a side
					 * of the grid store, too */
	struct {		/* by field, what a lane needs beside its own: */
		int *left, *right;	/* cells */
		int *above, *below;	/* rows */
	} beside;
	struct exchange {	/* what neighbours along "dim" leave for each
				 * other in shared memory in each iteration:
				 * warps leave rows, lanes of joined warps leave
				 * cells */
		int dim;	/* -1: nothing */
		int behind;	/* they are taken so many iterations later */
		int *late;	/* by field: left so many iterations after the
				 * value came, when it is about to be read */
		int parts;	/* of the memory, used in turn */
		bool barrier;	/* ends an iteration */
		int blocks;	/* c: a cluster of so many along dim.row has the
				 * warps of a strip */
		int *newest;	/* by field: the newest version that a step
				 * takes, relative to the step's, .. */
		int *versions;	/* .. and how many are left, from the oldest on;
				 * 0 if none is taken */
		int *last, *first;	/* by field: the first one left for the
					 * next neighbour, for the previous one */
	} exchange;
	int blocks;		/* k: blocks whose registers fit an SM */
	struct {		/* rows are loaded before they are needed: */
		int rows;	/* p: so many iterations earlier, to registers,
				 * or .. */
		bool used;	/* .. a period earlier, to shared memory .. */
		bool bulk;	/* .. one row of a warp at a time, where there
				 * are no guards: rows is 0 */
	} ahead;
	struct strip_reads *reads;	/* see strips/needs.c */
	struct needed {		/* of a version, around those stored */
		int low[IR_MAX_DIMS], high[IR_MAX_DIMS];
	} *needed;		/* [v] is that of version t0 + v */
	struct strip_parts *parts;	/* by statement */
};

/* strips/needs.c: "s" for launches of "b" steps, at least as many as the past
 * steps of a state.
 */
struct stream stream_of_steps(const struct scop *scop, const struct stream *s,
	int b);
/* The least such number. */
int stream_least_steps(const struct scop *scop);

/* The least and greatest offset in dimension "d" at which "acc" may find its
 * cell, whatever boundary stands in for it, except by periods.
 */
void stream_reach(const struct stmt *s, const struct access *acc, int d,
	int *low, int *high);
/* Are there periods that store nothing yet, in which not all steps compute anything that is needed?  In
 * planes, of which a strip has few, and where all that they load lies in the grid.
 */
bool stream_begins_late(const struct stream *s, const struct scop *scop);
/* Are there for some length? */
bool stream_may_begin_late(const struct stream *s, const struct scop *scop);
/* Do pointers to rows live as long as a strip?  In rows of many states, where finding them anew takes a
 * tenth of a period's instructions, if all that it loads is copied ahead.  Others would wait, as compilers
 * load later by such pointers, and doubles would spill.
 */
bool stream_keeps_pointers(const struct stream *s, const struct scop *scop);
/* Does each lane copy its own cells ahead, even at edges? */
static inline bool stream_copies_cells(const struct stream *s)
{
	return s->ahead.used && !s->ahead.bulk;
}

/* Does it so before it loads, to the place of the iteration before? */
static inline bool stream_copies_first(const struct stream *s)
{
	return stream_copies_cells(s) && s->ahead.rows < s->period;
}

/* How many iterations before it is loaded a row is copied, or loaded to other registers. */
static inline int stream_copied_before(const struct stream *s)
{
	return s->ahead.bulk ? s->period : s->ahead.rows;
}

/* The extents of a lane's array for rows of the state "f": versions, positions, rows where
 * there are some, cells.  Returns how many.
 */
int stream_rows_extents(const struct stream *s, const struct field *f,
	int extent[4]);
/* lag(step, stmt) */
int stream_lag(const struct stream *s, int step, int stmt);
/* How many iterations ago was the position "offset" away from that of "stmt",
 * in the version that "acc" reads, computed or loaded?
 */
int stream_age(const struct stream *s, const struct scop *scop,
	const struct stmt *stmt, const struct access *acc, int offset);

/* strips/parts.c: what a statement far from all edges shares with other
 * iterations: the first iteration that has all their inputs computes these
 * values.
 */
struct strip_parts {
	struct scop_stmt of;	/* the statement there: scop_far() */
	bool differs;		/* from others: the point chooses there, or a
				 * boundary stands in for reads */
	int n;
	struct strip_part {		/* parts that others need come first */
		const struct expr *value;	/* at one of its uses .. */
		int early;	/* .. where it is so many iterations old */
		int oldest;	/* iterations at most that it is kept */
		int like;
	} *part;
	int n_places;
	struct strip_place {		/* where the statement uses a part */
		const struct expr *expr;
		int part, early;
	} *place;
	int n_reads;
	struct strip_read {		/* read directly, so many .. */
		const struct access *acc;
		int early;	/* .. iterations before the statement */
	} *read;
	struct strip_operations *operations;	/* of a reassociated one */
	struct instruction_mix written;	/* else a cell's instructions */
};

/* How many reads "stmt" has, by "parts" or, if these are NULL, as written; and number "i". */
static inline int strip_n_reads(const struct stmt *stmt,
	const struct strip_parts *parts)
{
	return parts ? parts->n_reads : stmt->n_reads;
}

static inline struct strip_read strip_read_of(const struct stmt *stmt,
	const struct strip_parts *parts, int i)
{
	return parts ? parts->read[i] : (struct strip_read) { stmt->read[i], 0 };
}

/* The use of a part that "e" is, or NULL. */
const struct strip_place *stream_find_place(const struct strip_parts *parts,
	const struct expr *e);

/* Can lanes load the rows that "acc" reads, each its own cells?  Of an input. */
bool stream_loads_rows(const struct scop *scop, const struct access *acc);
/* Do both read the same rows, in three dimensions, of the same field? */
bool stream_same_rows(const struct stream *s, const struct access *a,
	const struct access *b);
/* Is read number "read" of "stmt" the first of its rows? */
bool stream_is_first_row(const struct stream *s, const struct stmt *stmt,
	int read);
/* The cells of "field" at any position of the streamed dimension. */
__isl_give isl_set *stream_cells_across(const struct stream *s,
	const struct scop *scop, const struct field *field);
/* Are these the same for all states? */
bool stream_has_one_grid(const struct stream *s, const struct scop *scop);
/* Do the warps of a block form one strip? */
bool stream_is_joined(const struct stream *s);
/* Do those of several blocks, which leave rows in the shared memory of each other? */
static inline bool stream_is_clustered(const struct stream *s)
{
	return s->exchange.blocks > 1;
}

/* Warps side by side along dim.row that have rows of one strip. */
static inline int stream_warps_of_rows(const struct stream *s)
{
	return s->exchange.blocks * s->warps;
}

/* How many rows, or cells, of "field" come from the previous neighbour, and
 * from the next one.
 */
int stream_taken_before(const struct stream *s, const struct field *field);
int stream_taken_after(const struct stream *s, const struct field *field);
/* Bytes of shared memory for rows of "field" copied ahead. */
int64_t stream_ahead_bytes(const struct stream *s, const struct field *field);
/* Bytes of a warp's row of "field". */
int stream_row_bytes(const struct stream *s, const struct field *field);
/* Bytes of shared memory for all these rows, and for exchanges. */
int64_t stream_shared_bytes(const struct stream *s, const struct scop *scop);

#endif
