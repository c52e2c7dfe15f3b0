/* What the files that build a kernel share. */
#ifndef STENCILC_CODEGEN_TILE_H
#define STENCILC_CODEGEN_TILE_H

#include "codegen/kernel.h"

enum deferral {
	STORE_ALWAYS,
	STORE_UNLESS_TAKEN,	/* unless the next tile is full: it computes the
				 * next version of these cells */
};

/* Sets of a kernel that are found once, by statement; NULL where one is not
 * known yet.
 */
struct found {
	isl_set **instances;	/* local_instances */
	isl_set **last;		/* last_instances */
	isl_set **stored;	/* stored_instances */
	isl_set **read;		/* find_read */
	isl_set **taken;	/* taken_instances */
};

/* What straight code gathers row after row. */
struct gathered {
	struct ks *block;	/* where declarations go */
	struct ks *stores;	/* those to global memory of a row */
	isl_set ***deferred[2];	/* by field, then copy and hexagonal coordinate
				 * in the box: the cells [copy, c] to store at
				 * the end, or NULL; see enum deferral */
	struct names *registers;	/* those declared */
	const char **declared;
	int n_declared, max_declared;
};

struct builder {
	struct region *mem;
	struct kunit *unit;
	const struct plan *plan;	/* NULL: a step of time is a tile */
	const struct scop *scop;
	const struct kernel_names *names;
	bool full;		/* code for tiles whose instances all run */
	bool straight;		/* rows are straight code: m and the hexagonal
				 * coordinate are constants, values are kept in
				 * registers */
	bool copies_out;	/* rows are copied out, not computed */
	bool mapped;		/* reads may lie outside the grid */
	bool arrays;		/* fields in global memory are C's arrays, .. */
	bool versions;		/* .. and each copy of a state one of its own,
				 * see version_name */
	const struct kx *m;	/* local time step of the row being built */
	const struct kx *hex;	/* straight: the hexagonal coordinate */
	int part[IR_MAX_DIMS];	/* straight: which of its points a thread
				 * computes in a dimension that is dealt */
	const struct scop_stmt *stmt;	/* being built */
	struct found found;
	struct gathered *gathered;
};

/* Cells of a field on their way between global and shared memory, or to another
 * place there.
 */
struct transfer {
	struct region *mem;
	const struct builder *b;
	const struct field *field;
	bool full, near;	/* of a tile that is, see is_near */
	int words;		/* of a vector that is copied at once, or 1 */
	const struct kx *at[1 + IR_MAX_DIMS];	/* copy and cell in the box */
	const struct kx *apart[IR_MAX_DIMS];	/* cell, less the thread */
	isl_set **stored;	/* those to store, see struct gathered */
};

/* cells.c: where values live ---------------------------------------------*/

const struct kx *builder_name(const struct builder *b, const char *s);
bool field_is_written(const struct builder *b, const struct field *field);
int buffers_of(const struct builder *b, const struct field *field);
/* The copy of version t0 + local + version in global memory. */
const struct kx *global_copy(const struct builder *b,
	const struct field *field, const struct kx *local, int version);
const struct kx *global_cell(const struct builder *b,
	const struct field *field, const struct kx *copy,
	const struct kx *const *at);
/* The box of "field", or the other one of two. */
const char *box_name(const struct builder *b, const struct field *field,
	bool other);
/* The cell of "field" in shared memory, "at" relative to its box; in that of the
 * "other" tiles, before and after, see plan->steps.async.
 */
const struct kx *shared_cell(const struct builder *b,
	const struct field *field, const struct kx *copy,
	const struct kx *const *at, bool other);
/* The coordinate of the instance being built, relative to the origin. */
const struct kx *relative_point(const struct builder *b, int dim);
/* What "acc" of the instance being built touches. */
const struct kx *cell_of_access(const struct builder *b,
	const struct access *acc, bool in_shared);
/* What the instance being built, in straight code, writes: in global memory,
 * by near_cell.
 */
const struct kx *near_written(const struct builder *b);
/* The value that "acc" reads in global memory. */
const struct kx *global_value(const struct builder *b,
	const struct access *acc);
/* The value read by "acc": a register in straight code. */
const struct kx *read_value(const struct builder *b, const struct access *acc);
/* The register for the value that the instance writes. */
const char *written_register(const struct builder *b);
/* "set" of [t, x0, ..] as one of parameters called "dims"; without a time loop
 * t is 0 and has no name.
 */
__isl_give isl_set *name_coordinates(const struct builder *b,
	__isl_take isl_set *set, const char *const *dims);
const struct kx *size_of_field(const struct builder *b,
	const struct field *field, int d);
void declare_if_used(const struct builder *b, struct ks *block,
	const struct ks *user, const char *var, const struct kx *value);
/* Declare t, the coordinates and the copies that "body" uses, then "body". */
struct ks *with_coordinates(const struct builder *b, struct ks *body);

/* near.c ------------------------------------------------------------------*/

/* The thread's own cell of a box is at its thread coordinates, or 0 in
 * dimensions not dealt to threads.  The cell of "field" in global memory
 * "apart" from that one, of local version "version":
 *
 *	A_copy1[2 * A_di + 3 * A_dj + 5]
 *
 * or the cell that is the first of "words" which the thread copies.
 */
const struct kx *near_cell(const struct builder *b, const struct field *field,
	int version, const struct kx *const *apart, int words);
/* Does the tile address global memory so? */
bool is_near(const struct builder *b);
/* Declare what near_cell used in "user". */
void declare_near(const struct builder *b, struct ks *block,
	const struct ks *user);

/* vectors.c --------------------------------------------------------------*/

/* The words that can be copied in at once of what is new to a full tile whose
 * cells are addressed relative to the thread's; 1: it is not known that their
 * addresses are aligned.
 */
int vector_words(const struct builder *b);
/* For vectors: the threads along each dimension, and the variable
 * that holds a thread's coordinate, or NULL.
 */
void vector_threads(const struct builder *b, int threads[]);
const char *vector_thread(const struct builder *b, int dim);
/* Declare the coordinates that "user" uses. */
void declare_vectors(const struct builder *b, struct ks *block,
	const struct ks *user);
/* As deal_cells calls it: a vector from global to shared memory. */
struct ks *load_vector(void *user);
/* (tz*TY + ty)*TX/width + tx/width: the thread's row if a row has "width" */
const struct kx *row_of_thread(const struct builder *b, int width);

/* deal.c: copies of constant sets of cells -------------------------------*/

/* The least or greatest coordinate of "set", which is bounded. */
int set_extreme(__isl_keep isl_set *set, int dim, bool most);
/* Can cells of t->field be dealt to the threads? */
bool can_be_dealt(const struct transfer *t);
/* "copy" for each of "cells", { [copy, c] } in the box of t->field; it finds
 * them in t->at, and in t->apart for near_cell.  With t->words > 1 for vectors
 * of these; the lines of "cells" are whole ones then.
 */
struct ks *deal_cells(struct transfer *t, __isl_take isl_set *cells,
	struct ks *(*copy)(void *user));

/* kernel.c: the tiles of a block -----------------------------------------*/

bool first_is_partial(const struct builder *b);
/* T, or of diagonal tiles T - S_e, the number of the tile in time */
const struct kx *time_tile(const struct builder *b);

/* known.c ----------------------------------------------------------------*/

/* { [t, x] } that hold all instances of the statement being built that a tile
 * may have; NULL: nothing is known.
 */
__isl_give isl_set *known_of_tile(const struct builder *b);

/* rows.c: the instances of a tile ----------------------------------------*/

/* Deal the last "n" dimensions of "nest" to threads, the innermost to x. */
void map_threads(const struct builder *b, struct loop_nest *nest,
	const char **first, int *step, int n);
/* "set" of [t, x] as a condition on the time and the point; "known", or
 * nothing, holds already.
 */
const struct kx *instance_condition(const struct builder *b,
	__isl_keep isl_set *set, __isl_keep isl_set *known);
/* const TYPE name = value; for the lets of b->stmt */
void declare_locals(struct builder *b, struct binding *binding,
	struct ks *block);
struct ks *guarded(const struct builder *b, const struct kx *guard,
	struct ks *body);
/* Row after row, a barrier after each; or what they computed, copied out. */
struct ks *all_rows(struct builder *b);
struct ks *barrier(const struct builder *b);
/* { [m, x] -> [m, s'] }: s' = x + floor(skew * (k*m + slot)), (17) of [CGO];
 * the hexagonal coordinate stays.
 */
__isl_give isl_map *to_local(const struct builder *b, int slot);
/* "set", of [m, x] of b->stmt, as [m, s'] */
__isl_give isl_set *set_to_local(const struct builder *b,
	__isl_take isl_set *set);
/* { [m, s'] : the tile has this instance of b->stmt } */
__isl_give isl_set *local_instances(const struct builder *b);
/* Those of them that something outside the tile, which is full, may need. */
__isl_give isl_set *stored_instances(const struct builder *b);
/* A copy of kept[statement], which find() makes the first time. */
__isl_give isl_set *find_once(const struct builder *b, isl_set **kept,
	__isl_give isl_set *(*find)(const struct builder *b));
/* The part of "set", of [m, s'], with the m and the hexagonal coordinate of
 * straight code, or those of its threads.
 */
__isl_give isl_set *fix_column(const struct builder *b,
	__isl_take isl_set *set);
/* Is the value of this instance the last one of its cell?  NULL: yes; 0: no. */
const struct kx *last_guard(const struct builder *b);
const struct kx *value_of_instance(struct builder *b, struct ks *block);
/* Are last values stored in global memory as soon as they are known? */
bool stores_at_once(const struct plan *plan);
/* Does what b->stmt computes go to global memory alone, though others have boxes
 * in shared memory?  No statement reads it.
 */
bool is_only_stored(const struct builder *b);
/* Does the next slot after "slot" of the step that has rows go on without a
 * barrier?  It must not depend on any slot since "first", where the last
 * barrier was.
 */
bool goes_on(const struct builder *b, int first, int slot);
bool has_barriers(const struct builder *b);

/* straight.c: rows as straight code --------------------------------------*/

struct ks *straight_rows(struct builder *b);

/* copies.c: from global to shared memory, and back -----------------------*/

/* Where to note cells of "field", of a local version and a hexagonal
 * coordinate, that are stored at the end of the tile.
 */
isl_set **deferred_line(struct builder *b, const struct field *field,
	enum deferral kind, int version, int at);
struct ks *store_deferred(struct builder *b);

void copy_in(struct builder *b, struct ks *block);
/* The offset of a tile's cells in shared memory under static placement. */
void declare_places(struct builder *b, struct ks *block);

#endif
