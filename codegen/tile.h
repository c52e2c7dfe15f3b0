/* Tiles that the threads of a block execute row by row: what tiles/ shares, and
 * offers to others that make instances.
 */
#ifndef STENCILC_CODEGEN_TILE_H
#define STENCILC_CODEGEN_TILE_H

#include "codegen/place.h"

/* Cells of a field being copied between global and shared memory, or within
 * shared memory.
 */
struct transfer {
	struct region *mem;
	const struct place *p;
	const struct field *field;
	bool full, relative;	/* relative to a tile, see is_relative */
	int words;		/* of a vector copied at once, or 1 */
	const struct kx *at[1 + IR_MAX_DIMS];	/* copy and cell in the box */
	const struct kx *apart[IR_MAX_DIMS];	/* cell, less the thread's */
	isl_set **stored;	/* cells to store, see struct gathered */
};

/* relative.c --------------------------------------------------------------*/

/* Thread coordinates, or 0 in dimensions not dealt to threads, name the
 * thread's own cell of a box. relative_cell() is the cell of "field" in global
 * memory "apart" from that one, in local version "version":
 *
 *	A_copy1[2 * A_di + 3 * A_dj + 5]
 *
 * or the first of "words" cells that the thread copies at once.
 */
const struct kx *relative_cell(const struct place *p, const struct field *field,
	int version, const struct kx *const *apart, int words);
/* Does the tile address global memory in this way? */
bool is_relative(const struct cursor *c);
/* Declare what relative_cell needs in "user". */
void declare_relative(const struct place *p, struct ks *block,
	const struct ks *user);

/* vectors.c --------------------------------------------------------------*/

/* How many words a full tile whose cells are addressed relative to the thread's
 * can copy in at once; 1: alignment is unknown.
 */
int vector_words(const struct place *p);
/* For vectors: the threads along each dimension, and the variable for a
 * thread's coordinate, or NULL.
 */
void vector_threads(const struct place *p, int threads[]);
const char *vector_thread(const struct place *p, int dim);
/* Declare the coordinates that "user" uses. */
void declare_vectors(const struct place *p, struct ks *block,
	const struct ks *user);
/* For deal_cells: copy a vector from global to shared memory. */
struct ks *load_vector(void *user);
/* (tz*TY + ty)*TX/width + tx/width: the thread's row if a row takes "width"
 * threads
 */
const struct kx *row_of_thread(const struct place *p, int width);

/* deal.c: copies of constant sets of cells -------------------------------*/

/* The least or greatest coordinate of "set", which is bounded. */
int set_extreme(__isl_keep isl_set *set, int dim, bool most);
/* Can the code deal cells of t->field to threads? */
bool can_be_dealt(const struct transfer *t);
/* And can it do so where each cell is asked whether it lies in the grid? */
bool can_be_asked(const struct transfer *t);
/* Call "copy" for each of "cells", { [copy, c] } in the box of t->field; it
 * finds them in t->at, and in t->apart for relative_cell.  With t->words > 1
 * once for each vector of these; the lines of "cells" are whole then.
 */
struct ks *deal_cells(struct transfer *t, __isl_take isl_set *cells,
	struct ks *(*copy)(void *user));
/* Deal the last "n" dimensions of "nest" to threads, the innermost to x. */
void map_threads(const struct place *p, struct loop_nest *nest,
	const char **first, int *step, int n);

/* loads.c: loads from global to shared memory ----------------------------*/

/* Does a full tile, or a partial one, start all copies of its cells and wait once?  Of fields whose
 * cells have a size that such copies take.
 */
bool tile_starts_copies(const struct place *p, bool full);
bool field_may_start(const struct field *field);
/* Start to copy t->words cells from "from" on in global memory to "to" in shared memory. */
struct ks *start_copy(const struct transfer *t, const struct kx *to,
	const struct kx *from);
/* The same for a value of this type. */
struct ks *start_copy_of(struct region *r, const struct kx *to,
	const struct kx *from, struct ctype type);
/* copies.c: wait for all copies that the thread has started. */
void finish_copies(struct region *r, struct ks *block);
/* Loops over "cells", { [copy, c] }, which is not empty. */
struct ks *loops_over(struct transfer *t, __isl_take isl_set *cells,
	struct ks *(*body)(void *user));
/* Load "cells", { [copy, c] }, from global memory. */
struct ks *load_cells(struct transfer *t, __isl_take isl_set *cells);
/* For these, and for deal_cells: load the cell at t->at, by its coordinates or relative to the
 * thread's; or those of all copies.
 */
struct ks *load_cell(void *user);
struct ks *load_relative(void *user);
struct ks *load_all_copies(void *user);

/* known.c ----------------------------------------------------------------*/

/* { [t, x] } containing all instances that a tile may have of the current
 * statement; NULL: unknown.
 */
__isl_give isl_set *known_of_tile(const struct cursor *c);
/* "set" of [t, x] as a condition on the time and the point; "known", or
 * nothing, is assumed.
 */
const struct kx *instance_condition(const struct place *p,
	__isl_keep isl_set *set, __isl_keep isl_set *known);
/* Where is a point of "list" one that "s" computes?  NULL: wherever a statement does. */
const struct kx *list_condition(const struct place *p,
	const struct scop_stmt *s, const struct list *list);
/* "body" where "guard" holds; NULL: always. */
struct ks *guarded(struct region *r, const struct kx *guard,
	struct ks *body);

/* rows.c: the instances of a tile ----------------------------------------*/

/* Row after row, with a barrier after each; or copy out what they computed. */
struct ks *all_rows(struct cursor *c);
/* { [m, x] -> [m, s'] }: s' = x + floor(skew * (k*m + number)), (17) of [CGO];
 * the hexagonal coordinate stays.
 */
__isl_give isl_map *to_local(const struct place *p, int number);
/* "set", of [m, x] of c->stmt, as [m, s'] */
__isl_give isl_set *set_to_local(const struct cursor *c,
	__isl_take isl_set *set);
/* { [m, s'] : the tile has this instance of c->stmt } */
__isl_give isl_set *local_instances(const struct cursor *c);
/* The part of them that something outside the tile, which is full, may need. */
__isl_give isl_set *stored_instances(const struct cursor *c);
/* A copy of kept[statement], which find() computes on first use. */
__isl_give isl_set *find_once(const struct cursor *c, isl_set **kept,
	__isl_give isl_set *(*find)(const struct cursor *c));
/* The part of "set", { [m, s'] }, with the m and the hexagonal coordinate of
 * straight code, or with those of its threads.
 */
__isl_give isl_set *fix_column(const struct cursor *c,
	__isl_take isl_set *set);
/* Is the value of this instance the last one of its cell?  NULL: yes; 0: no. */
const struct kx *last_guard(const struct cursor *c);
const struct kx *value_of_instance(struct cursor *c, struct ks *block);
/* Are last values stored in global memory as soon as they are computed? */
bool stores_at_once(const struct plan *plan);
/* Does what c->stmt computes go to global memory alone, though others have
 * boxes in shared memory?  Then no statement reads it.
 */
bool is_only_stored(const struct cursor *c);
/* Can the next statement of the step that has rows, after "number", follow without a barrier?
 * It must not depend on any statement since "first", where the last barrier was.
 */
bool goes_on(const struct place *p, int first, int number);
bool has_barriers(const struct cursor *c);

/* lists.c: lists of points ------------------------------------------------*/

/* The functions in "unit" for statements that lists follow. */
void add_list_functions(struct kunit *unit);
/* "value", which "s" computes at the time and point of "b", after the lists have acted there.
 * Series are written where "stores" holds; NULL: always.
 */
const struct kx *with_lists(const struct place *p, const struct stmt *s,
	const struct binding *b, const struct kx *value,
	const struct kx *stores);

/* Do lists have no point in the box of these arguments: first plane, last plane, first and last
 * place in the last dimension, and the lane of the thread?  All "warp" lanes of a warp ask
 * together.
 */
const struct kx *has_no_points(const struct place *p, int warp,
	const struct kx *const *box);

/* straight.c: rows as straight code --------------------------------------*/

struct ks *straight_rows(struct cursor *c);

/* copies.c: from global to shared memory, and back -----------------------*/

/* Where to note the cells of "field", of a local version and hexagonal
 * coordinate, that the tile stores at its end.
 */
isl_set **deferred_line(struct cursor *c, const struct field *field,
	enum deferral kind, int version, int at);
struct ks *store_deferred(struct cursor *c);

void copy_in(struct cursor *c, struct ks *block);
/* The offset of a tile's cells in shared memory under static placement. */
void declare_places(const struct place *p, struct ks *block);

#endif
