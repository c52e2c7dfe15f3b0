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

/* { [m, x] : (k*m + number, x) in shape } */
__isl_give isl_set *tile_instances(const struct plan *plan, int number);
/* Are there some? */
bool tile_has(const struct plan *plan, int number);
/* { [v, y] } values of "field" that instances of the shape read / write,
 * v and y relative to the origin, no v if the field has no time; what statements
 * that copy read apart.
 */
__isl_give isl_set *tile_reads(const struct plan *plan,
	const struct field *field);
__isl_give isl_set *tile_writes(const struct plan *plan,
	const struct field *field);
/* { [m, x] -> [m + version, stride*x + offset] } of "acc" */
__isl_give isl_map *tile_access(const struct plan *plan,
	const struct access *acc);
/* { [t0, o] : of threads that are apart the one whose first point in the tile is o runs all
 * instances }
 */
__isl_give isl_set *plan_full_of_thread(const struct plan *plan);
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
int64_t plan_shared_bytes(const struct plan *plan);
/* Has a block of the machine so much?  Else "advice" says what to do. */
bool plan_fits_shared_memory(struct diags *d, const struct plan *plan,
	const struct tile_request *request, const struct machine *machine,
	const char *advice);
/* The values of "field" that a tile reads but does not compute. */
__isl_give isl_set *tile_loads(const struct plan *plan,
	const struct field *field);

/* forms.c: what may be asked of plans of any form ------------------------*/

/* Plans that are executed one after the other. */
void schedule_print(struct text *t, const struct plan *plans, int n);
/* A drawing of the tiles in characters. */
void tiles_print(struct text *t, const struct plan *plan);
/* Does a plan copy what it will need while it computes, "in_bulk" by whole rows? */
bool plan_copies_ahead(const struct plan *plan, bool in_bulk);

/* memory.c: what tiles keep and write ------------------------------------*/

/* Is "field" kept in shared memory by "plan"? */
bool plan_is_shared(const struct plan *plan, const struct field *field);
/* The first field after "f", or of all if that is NULL, that is; NULL: none. */
const struct field *plan_next_shared(const struct plan *plan,
	const struct field *f);
/* Is the value that "acc" of an instance in the tile touches? */
bool plan_holds(const struct plan *plan, const struct access *acc);
/* The copies of "field" that a tile has in shared memory. */
int plan_copies(const struct plan *plan, const struct field *field);
/* The version of a state of which there is one copy, relative to the step; 0: there
 * is more than one.
 */
int plan_version(const struct plan *plan, const struct field *field);
/* Does a tile write what it computes of "field" to global memory? */
bool plan_writes(const struct plan *plan, const struct field *field);
/* Are its tiles swept, plane after plane? */
bool plan_is_swept(const struct plan *plan);

#endif
