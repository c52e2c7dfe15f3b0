/* schedule: when and where each statement instance runs.  The program as sets
 * (scop.h), plans (plan.h), the strategies that make them (strategy.h), and here
 * what others ask of plans.
 */
#ifndef STENCILC_SCHEDULE_H
#define STENCILC_SCHEDULE_H

#include "schedule/strategy.h"

/* footprint.c: what a tile reads and writes ------------------------------
 *
 * All sets are relative to the tile's origin and hold no parameters.
 */

/* { [m, x] : (k*m + slot, x) in shape } */
__isl_give isl_set *tile_instances(const struct plan *plan, int slot);
/* { [v, y] } values of "field" that instances of the shape read / write,
 * v and y relative to the origin, no v if the field has no time.
 * "carries": those of the carries too.
 */
__isl_give isl_set *tile_reads(const struct plan *plan,
	const struct field *field, bool carries);
__isl_give isl_set *tile_writes(const struct plan *plan,
	const struct field *field);
/* { [m, x] -> [m + version, stride*x + offset] } of "acc" */
__isl_give isl_map *tile_access(const struct plan *plan,
	const struct access *acc);
/* stored.c: what a tile leaves in global memory, as { [m, x] } ------------*/

/* "other", of the same field, has an instance in the tile that writes the next
 * version in the same copy of the cell that the instance of "s" writes, if all
 * of them run.
 */
__isl_give isl_set *tile_overwritten(const struct plan *plan,
	const struct scop_stmt *s, const struct scop_stmt *other);
/* The tile computes no later version of the cell that the instance of "s"
 * writes, in the same copy.  If the points of each statement are the same at
 * all times, they are all its own.
 */
__isl_give isl_set *tile_last(const struct plan *plan,
	const struct scop_stmt *s);
/* Those of the last that a full tile of straight code stores: another tile may
 * read them, or they may be of the result.
 */
__isl_give isl_set *tile_stored(const struct plan *plan,
	const struct scop_stmt *s);
/* Those that straight code does not store if the next tile along the last
 * dimension is full: it computes the next version of the cell, and finds this
 * one in shared memory.
 */
__isl_give isl_set *tile_taken(const struct plan *plan,
	const struct scop_stmt *s);

/* The image of "values" under { [v, y] -> [v mod buffers, y] }. */
__isl_give isl_set *tile_cells(const struct plan *plan,
	const struct field *field, __isl_take isl_set *values);

/* Straight code of the only dimension, the hexagonal one: thread x computes the
 * points first + x + p*threads of a row, in parts p, "first" being where the
 * hexagon's first row begins.
 */
bool plan_deals_hexagon(const struct plan *plan);
/* The parts of row "a", of which the first and the last may not be whole. */
int plan_first_part(const struct plan *plan, int a);
int plan_last_part(const struct plan *plan, int a);

/* With waves: does a tile take values from the one before in the dimension
 * that is cut into chunks?
 */
bool plan_reuses_chunks(const struct plan *plan);
/* Let the tiles of "plan", whose group "has" statements with these parts, be
 * swept, with planes in registers if they "may" be; boxes and full tiles are
 * known.
 */
void plan_find_planes(struct plan *plan, const bool *has,
	const struct box *part, bool may);

int64_t plan_shared_bytes(const struct plan *plan);
/* Has a block of the machine so much?  Else "advice" says what to do. */
bool plan_fits_shared_memory(struct diags *d, const struct plan *plan,
	const struct tile_request *request, const struct machine *machine,
	const char *advice);
/* Is "field" kept in shared memory by "plan"? */
bool plan_is_shared(const struct plan *plan, const struct field *field);
/* Is the value that "acc" of an instance in the tile touches? */
bool plan_holds(const struct plan *plan, const struct access *acc);
/* The copies of "field" that a tile has in shared memory. */
int plan_copies(const struct plan *plan, const struct field *field);
/* The values of "field" that a tile reads but does not compute. */
__isl_give isl_set *tile_loads(const struct plan *plan,
	const struct field *field);

/* strips/: register streaming -------------------------------------------*/

/* The least and greatest offset at which "acc" may find its cell in dimension
 * "d", whatever boundary stands in for it; a period is none.
 */
void stream_reach(const struct stmt *s, const struct access *acc, int d,
	int *low, int *high);
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
/* Does local step "m" compute a row of "warp" that a later step reads or
 * stores?  A warp that does not skips the step.
 */
bool stream_warp_is_live(const struct stream *s, int warp, int m);
/* Is there a step that a warp skips? */
bool stream_skips_steps(const struct stream *s);
/* strips/hexagons.c: are rows cut into hexagons?  Then the warps from stream_edge
 * to the one so far from the last compute step "m".
 */
bool stream_is_hexagonal(const struct stream *s);
int stream_edge(const struct stream *s, int m);
/* Rows from one hexagon of a phase to the next. */
int stream_hexagon_pitch(const struct stream *s);
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
/* Bytes of shared memory for all these and what is exchanged, of "field", or of
 * all fields if that is NULL.
 */
int64_t stream_shared_bytes(const struct stream *s, const struct scop *scop,
	const struct field *field);
/* What its warps do of a hexagon, each line starting with "prefix". */
void stream_draw_hexagon(struct text *t, const struct stream *s,
	const char *prefix);

/* forms.c: what may be asked of plans of any form ------------------------*/

/* Plans that are executed one after the other. */
void schedule_print(struct text *t, const struct plan *plans, int n);
/* A drawing of the tiles in characters. */
void tiles_print(struct text *t, const struct plan *plan);
/* Does a plan copy what it will need while it computes, "in_bulk" by whole rows? */
bool plan_copies_ahead(const struct plan *plan, bool in_bulk);
/* Are its tiles swept, plane after plane? */
bool plan_is_swept(const struct plan *plan);

/* print.c ----------------------------------------------------------------*/

/* The hexagon alone, each line starting with "prefix". */
void hexagon_draw(struct text *t, const struct hexagon *x,
	const char *prefix);

#endif
