/* Tiles that keep cells of fields in arrays of their own: fused stages.
 *
 * At each element that the code names, the plan's numbers tell the cell.  Then such an array is
 * like a field: what is stored is what the program computes in the cell, or what another place
 * has of it, and what is read has been stored in the same tile.
 */
#ifndef STENCILC_VERIFY_KEPT_H
#define STENCILC_VERIFY_KEPT_H

#include "verify/code/code.h"

/* So far from the cell that a place does something to first. */
struct offset {
	int64_t by[IR_MAX_DIMS];
	const struct offset *next;
};

/* { [T, S, x] : in pass T the tile S has done it to the cell x }; what the last place does
 * depends on its parameters.
 */
struct done {
	isl_set *cells;
	isl_set *at, *here;
	const struct cell *first;
	const struct offset *offsets;
};

/* An array that a tile keeps. */
struct kept {
	const struct field *field;
	const struct kept_field *numbers;
	const struct ks *array;
	bool is_of_thread;	/* [age][point].. in registers */
	struct done moved, computed, read;	/* stored as another place has
						 * it, or computed */
	struct use *stores, *reads;	/* state of barriers.c; .. */
	struct use *stores_if_full, *reads_if_full;	/* .. of full tiles */
	const struct index_shown *shown;	/* state of kept.c */
	struct kept *next;
	struct kept *before;	/* its state before a full tile */
};

/* What those that go through the code ask about arrays of tiles: kept.c, full.c. */
struct tile_reader {
	/* The array that "s" declares, if it keeps cells of a field. */
	struct kept *(*array)(struct code *w, const struct ks *s);
	/* The cell of the element "x" of "kept". */
	const struct cell *(*cell)(struct code *w, struct kept *kept,
		const struct kx *x);
	/* Does "s" make planes in registers one iteration older? */
	bool (*ages)(const struct code *w, const struct ks *s);
	/* The loop "s" begins: if it is the innermost over tiles, note them. */
	void (*enter)(struct code *w, const struct ks *s);
	void (*leave)(struct code *w, const struct ks *s);
	bool (*barrier)(struct code *w);
	/* "x" starts copies to shared memory, ends a group of them, or waits. */
	void (*copies)(struct code *w, const struct kx *x);
	/* Read "s", which asks whether the tile is full. */
	bool (*full)(struct code *w, const struct ks *s);
};

struct tiles {
	const struct tile_reader *reader;
	const struct kernel_names *names;
	struct kept_numbers numbers;
	isl_pw_aff *pass;
	struct kept *kept;	/* the arrays so far */
	struct turns *turns;	/* state of barriers.c */
	isl_set *launched;	/* { [T, S] } that the loops reach */
};

/* C: the function of all steps has loops over the tiles of one plan after the other. */
struct nests {
	const struct kernel_names *names;
	bool (*read)(struct code *w, const struct ks *s);
	int n;			/* that have been read */
	struct calls *calls;	/* state of boxes.c; or NULL */
	struct rows *rows;	/* the function for rows that is read instead, or NULL; then
				 * copy c has version t + c, modulo all copies */
};

/* kept.c ------------------------------------------------------------------*/

/* Begin with tiles of w->plan. */
void begin_tiles(struct code *w, const struct tile_reader *reader);
struct kept *array_kept(struct code *w, const struct ks *s);
const struct cell *cell_kept(struct code *w, struct kept *kept,
	const struct kx *x);
bool ages_planes(const struct code *w, const struct ks *s);
/* The element lies in its array; note that it is stored, or read. */
bool touch_kept(struct code *w, const struct touch *t);
/* Is what "t" stores the value that another place has of the cell? */
bool moves_cell(struct code *w, const struct touch *t);
/* What is read has been stored, and is computed where a statement has an instance. */
bool tiles_are_right(struct code *w);
void forget_tiles(struct code *w);
/* { [T, S, x] } of a cell at the current place. */
__isl_give isl_set *cells_of_place(struct code *w, const struct cell *cell);
/* a - b, if that is one number. */
bool is_apart(__isl_keep isl_pw_aff *a, __isl_keep isl_pw_aff *b, int64_t *by);

/* barriers.c ---------------------------------------------------------------*/

/* Begin with the code of tiles, or of full ones. */
void begin_turns(struct code *w);
void enter_loop(struct code *w, const struct ks *s);
void leave_loop(struct code *w, const struct ks *s);
bool note_barrier(struct code *w);
void note_copies(struct code *w, const struct kx *x);
/* Note when the code stores to, or reads, the array. */
bool note_use(struct code *w, const struct touch *t);
/* What is read from "kept" was stored before, and stays until then, for all threads. */
bool uses_are_in_turn(struct code *w, const struct kept *kept);

/* own.c -------------------------------------------------------------------*/

/* { [] -> [y] } as { [] -> [y, S] } */
__isl_give isl_map *with_tile(struct code *w, __isl_take isl_map *map);
/* { [T, copy, x, S] : 0 <= x - S*pitch < pitch, (T, S) in "tiles" } of "f" */
__isl_give isl_set *cells_of_tiles(struct code *w, const struct field *f,
	__isl_take isl_set *tiles);
/* What "t" stores belongs to the tile: its cells 0 <= x - S*pitch < pitch. */
bool is_own_cell(struct code *w, const struct touch *t);

/* stores.c ----------------------------------------------------------------*/

/* Of what the plan lets them store, the "tiles" { [T, S] } have stored all their own cells; if
 * they are "all" tiles, these are the cells of the plan.
 */
bool tiles_store_all(struct code *w, __isl_keep isl_set *tiles, bool all);

/* full.c ------------------------------------------------------------------*/

void enter_loop_of_tile(struct code *w, const struct ks *s);
/* "s" asks whether the tile is full: then the first branch does what the second one does for any
 * tile.
 */
bool read_full_or_any(struct code *w, const struct ks *s);
/* code.c -------------------------------------------------------------------*/

/* "body" does what "plan" says; "bind" names the values that it begins with. */
bool read_tiles(struct code *w, const struct ks *body, const struct plan *plan,
	void (*bind)(struct code *w));

/* nests.c -----------------------------------------------------------------*/

/* C: what the loops over tiles in "run" do, whose arrays are known; are there "any"? */
bool check_nests(struct code *w, const struct kfunc *run, bool *any);

#endif
