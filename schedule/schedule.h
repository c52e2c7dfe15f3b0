/* schedule: when and where each statement instance runs.  The program as sets (scop.h), plans
 * (plan.h), the strategies that make them (strategy.h), and here the questions that others ask
 * about plans.
 */
#ifndef STENCILC_SCHEDULE_H
#define STENCILC_SCHEDULE_H

#include "schedule/scop/passes.h"
#include "schedule/strategy.h"

/* footprint.c: what a tile reads and writes ------------------------------
 *
 * All sets are relative to the tile's origin and hold no parameters.
 */

/* { [m, x] : (k*m + number, x) in shape } */
__isl_give isl_set *tile_instances(const struct plan *plan, int number);
/* Is that not empty? */
bool tile_has(const struct plan *plan, int number);
/* { [v, y] }: the values of "field" that instances of the shape read, or write; v and y are
 * relative to the origin, without v if the field has no time; reads of copy statements are
 * separate.
 */
__isl_give isl_set *tile_reads(const struct plan *plan,
	const struct field *field);
__isl_give isl_set *tile_writes(const struct plan *plan,
	const struct field *field);
/* { [m, x] -> [m + version, stride*x + offset] } of "acc" */
__isl_give isl_map *tile_access(const struct plan *plan,
	const struct access *acc);
/* { [t0, o] : where threads are independent, the one whose first point in the tile is o runs
 * all its instances }
 */
__isl_give isl_set *plan_full_of_thread(const struct plan *plan);
/* stored.c: what a tile leaves in global memory, as { [m, x] } ------------*/

/* "other", of the same field, has an instance in the tile that writes the next
 * version in the same copy of the cell that the instance of "s" writes, if all
 * of them run.
 */
__isl_give isl_set *tile_overwritten(const struct plan *plan,
	const struct scop_stmt *s, const struct scop_stmt *other);
/* The tile computes no later version, in the same copy, of the cell that the
 * instance of "s" writes.  If each statement has the same points at all times,
 * only its own instances matter.
 */
__isl_give isl_set *tile_last(const struct plan *plan,
	const struct scop_stmt *s);
/* The last values that a full tile of straight code stores: other tiles may
 * read them, or they may belong to the result.
 */
__isl_give isl_set *tile_stored(const struct plan *plan,
	const struct scop_stmt *s);
/* Those that straight code does not store if the next tile along the last
 * dimension is full: that tile computes the next version of the cell, and finds
 * this one in shared memory.
 */
__isl_give isl_set *tile_taken(const struct plan *plan,
	const struct scop_stmt *s);

/* The image of "values" under { [v, y] -> [v mod buffers, y] }. */
__isl_give isl_set *tile_cells(const struct plan *plan,
	const struct field *field, __isl_take isl_set *values);

/* Straight code where the hexagonal dimension is the only one: thread x
 * computes the points first + x + p*threads of a row, in parts p, where "first"
 * is where the hexagon's first row begins.
 */
bool plan_deals_hexagon(const struct plan *plan);
/* Hexagons in two dimensions: w1, and whether it can be an argument of kernels.  A thread has
 * each column, so that blocks are as wide as tiles.
 */
int plan_other_width(const struct plan *plan);
bool plan_can_be_of_any_width(const struct plan *plan);
/* The parts of row "a"; the first and the last may be incomplete. */
int plan_first_part(const struct plan *plan, int a);
int plan_last_part(const struct plan *plan, int a);

/* With waves: does a tile take values from the previous one along the dimension
 * that chunks cut?
 */
bool plan_reuses_chunks(const struct plan *plan);
/* The cells of "box" along dimension "dim" in shared memory, where lines may be longer. */
int plan_line(const struct plan *plan, const struct box *box, int dim);
int64_t plan_shared_bytes(const struct plan *plan);
/* Boxes of more bytes lie in dynamic shared memory, each at such a multiple. */
enum { MOST_STATIC_BYTES = 48 * 1024, BOX_ALIGNMENT = 128 };
/* Does a block of the machine have so much?  Otherwise "advice" says what to
 * do.
 */
bool plan_fits_shared_memory(struct diags *d, const struct plan *plan,
	const struct tile_request *request, const struct machine *machine,
	const char *advice);
/* The values of "field" that a tile reads but does not compute. */
__isl_give isl_set *tile_loads(const struct plan *plan,
	const struct field *field);

/* forms.c: questions about plans of any form ----------------------------- */

/* Plans that are executed one after the other. */
void schedule_print(struct text *t, const struct plan *plans, int n);
/* A drawing of the tiles in characters. */
void tiles_print(struct text *t, const struct plan *plan);
/* Does a plan copy ahead while it computes, "in_bulk" if by whole rows? */
bool plan_copies_ahead(const struct plan *plan, bool in_bulk);

/* memory.c: what tiles keep and write ------------------------------------*/

/* Does "plan" keep "field" in shared memory? */
bool plan_is_shared(const struct plan *plan, const struct field *field);
/* The first such field after "f", or of all if that is NULL; NULL: none. */
const struct field *plan_next_shared(const struct plan *plan,
	const struct field *f);
/* Does it keep the value that "acc" of an instance in the tile touches? */
bool plan_holds(const struct plan *plan, const struct access *acc);
/* The copies of "field" that a tile has in shared memory. */
int plan_copies(const struct plan *plan, const struct field *field);
/* The version of a state that has only one copy, relative to the step; 0: there are several. */
int plan_version(const struct plan *plan, const struct field *field);
/* Does a tile write its values of "field" to global memory? */
bool plan_writes(const struct plan *plan, const struct field *field);
/* Are its tiles swept plane by plane? */
bool plan_is_swept(const struct plan *plan);

#endif
