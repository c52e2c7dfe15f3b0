/* What the files of register streaming share: the strips of a block. */
#ifndef STENCILC_CODEGEN_STRIP_H
#define STENCILC_CODEGEN_STRIP_H

#include "codegen/strips/stream.h"

struct strip {
	const struct place *place;
	struct cursor *cursor;	/* there; NULL: outside code generation */
	const struct kernel_names *names;
	const struct stream *s;
	const struct scop *scop;
	struct region *mem;
	bool separated;		/* some iterations are full, .. */
	bool full;		/* .. as this one: computes all cells as the
				 * statements say, and all steps run .. */
	bool steady;		/* .. or it does, except for cells at an edge in
				 * other dimensions than the streamed one */
	bool begins;		/* a steady one, before the strip stores */
	const struct kx *n, *u, *m, *c;	/* iteration, turn, step, cell */
	const struct kx *r;	/* row, 0 in fewer than three dimensions */
	const struct strip_part *part;	/* being computed, or NULL .. */
	int early;		/* .. by so many iterations before the statement */
	bool interior;		/* no boundary moves a read */
	bool one_grid;		/* all states have the same cells at a position */
	bool stores;		/* coordinates are those of cells to store,
				 * which do not go around the grid */
};

/* A cursor at no iteration, outside code generation. */
static inline struct strip strip_of(const struct place *place)
{
	return (struct strip) {
		.place = place, .names = place->names, .scop = place->scop,
		.s = place->plan->strips, .mem = place->mem, .interior = true,
	};
}

static inline const struct kx *integer(const struct strip *p, int64_t value)
{
	return kx_int(p->mem, value);
}

static inline const struct kx *named(const struct strip *p, const char *name)
{
	return kx_name(p->mem, name);
}

static inline const struct kx *op(const struct strip *p, enum op o,
	const struct kx *a, const struct kx *b)
{
	return kx_binary(p->mem, o, a, b);
}

static inline const struct program *program(const struct strip *p)
{
	return p->scop->prog;
}

static inline bool is_state(const struct field *f)
{
	return f->kind == FIELD_STATE;
}

/* Do strips load and store it?  A temp lives in registers alone. */
static inline bool is_moved(const struct field *f)
{
	return is_state(f) && !f->is_hidden;
}

/* strips.c: the strip -----------------------------------------------------*/


/* strips/interior.c: the interior -----------------------------------------*/

/* Is the strip interior in all but the streamed dimension? */
const struct kx *strip_is_interior(const struct strip *p);
/* [t0, o..] of the period that begins with this iteration. */
const struct kx *const *strip_place_of_period(const struct strip *p);
/* Is the period that begins with this iteration steady? */
const struct kx *strip_period_is_steady(const struct strip *p);
/* If so, is the period that begins "further" iterations from here interior? */
const struct kx *strip_period_is_interior(const struct strip *p, int further);
/* Are all periods steady that come before the first one that stores? */
const struct kx *strip_begins_inside(const struct strip *p);
/* Does step m compute anything in this iteration that is needed? */
const struct kx *strip_step_begins(const struct strip *p);

/* strips/pointers.c: pointers to rows --------------------------------------*/

/* Do pointers live as long as the strip, or a period? */
bool strip_keeps_pointers(const struct strip *p);
/* Declare those that "user" uses, for all periods. */
void strip_declare_kept_pointers(const struct strip *p, struct ks *block,
	const struct ks *user);
/* Find those that the period "user" uses, if it does not go on from one that moved them there. */
void strip_find_pointers(const struct strip *p, struct ks *block,
	const struct ks *user);
/* No period goes on from this one. */
void strip_stop_pointers(const struct strip *p, struct ks *block);

/* strips/cells.c: names, registers, reads ---------------------------------*/

/* The field's name, "_" and "what", or another name if the program has that
 * one.
 */
const char *strip_name(const struct strip *p, const struct field *f,
	const char *what);
const char *strip_row_name(const struct strip *p, const struct field *f);
/* States up to this depth have a pointer for each version. */
const char *strip_pointer_name(const struct strip *p, const struct field *f,
	const char *what, int behind);
const char *strip_pitch_name(const struct strip *p, const struct field *f);
/* Positions of the streamed dimension that the strip stores, and "more": a number, what the
 * kernel's argument makes of it, or one of two.
 */
const struct kx *strip_length(const struct strip *p, int more);
/* Does the strip store the cell, or row, "at" along "d"? */
const struct kx *strip_is_stored(const struct strip *p, int d,
	const struct kx *at);
/* Where that begins and ends, with its rim at a side of the grid. */
void strip_declare_stored(const struct strip *p, struct ks *block, int d);
/* From one position of the streamed dimension to the next. */
const char *strip_stride_name(const struct strip *p, const struct field *f);
/* The statement that writes "f". */
int strip_writer(const struct strip *p, const struct field *f);
/* The register of cell "cell" of row "row" of version "version", relative to
 * t0, of "f", "age" iterations old.  It has the type with which code computes: a
 * number of 16 bits is rounded once, where it is computed, and kept as a float.
 */
const struct kx *strip_cell(const struct strip *p,
	const struct field *f, const struct kx *version, int age,
	const struct kx *row, const struct kx *cell);
/* The same, with "cell" counted from the lane's own first cell. */
const struct kx *strip_input_cell(const struct strip *p,
	const struct access *acc, const struct kx *row, const struct kx *cell);
/* Does the strip load rows of the input "f", or does each cell read it? */
bool strip_loads_rows(const struct strip *p, const struct access *acc);
/* The offsets in dimension "d" at which "acc" reads in this strip. */
void strip_reach(const struct strip *p, const struct stmt *s,
	const struct access *acc, int d, int *low, int *high);
/* The coordinate of the current cell in dimension "d". */
const struct kx *strip_point(const struct strip *p, int d);
/* How expressions of the current statement find their values. */
struct binding strip_binding(const struct strip *p);
/* (u - age) mod period */
const struct kx *strip_turn_of_age(const struct strip *p, int age);
/* The position of a statement or a load in the streamed dimension. */
void strip_declare_position(const struct strip *p, struct ks *block,
	const struct ks *body, const struct kx *lag);
/* "body" for each row of the lane; in fewer dimensions "body" itself. */
struct ks *strip_over_rows(const struct strip *p, struct ks *body);
struct ks *strip_over_columns(const struct strip *p, struct ks *body);
struct ks *strip_over_cells(const struct strip *p, struct ks *body);
/* "body" for each step of the strip; declares its time if "body" uses it. */
struct ks *strip_over_steps(const struct strip *p, struct ks *body);
/* Do reads go around in dimension "d"?  Then the strip lies in a grid without
 * end, and computes each cell wherever it appears.
 */
bool strip_goes_around(const struct strip *p, int d);
/* { x : the cell lies in the grid } as a condition */
const struct kx *strip_in_grid(const struct strip *p, const struct field *f);
/* { x : the first of a lane's cells in the row lies in the grid, .. */
const struct kx *strip_row_in_grid(const struct strip *p,
	const struct field *f);
/* .. and so does the last one }; NULL: always */
const struct kx *strip_ends_in_grid(const struct strip *p,
	const struct field *f);
/* { lane : all of its cells at a position that the grid has lie in the grid }, and { lane : some
 * may }; of programs with one grid.
 */
const struct kx *strip_lane_is_inside(const struct strip *p);
const struct kx *strip_lane_touches(const struct strip *p);
/* { x : the cell lies in such a row } */
const struct kx *strip_in_row(const struct strip *p, const struct field *f);

/* strips/parts.c: values that iterations share ----------------------------*/

/* Statement "c", as iterations of this kind compute it. */
const struct stmt *strip_statement(const struct strip *p, int c);
/* Does the strip compute it by parts?  Not where a boundary may move reads, or where the point
 * chooses.
 */
bool strip_has_parts(const struct strip *p, int c);
/* Arrays for the parts of all statements. */
void strip_declare_parts(const struct strip *p, struct ks *block);
/* Compute the parts of the statement p->cursor->stmt for all cells of the lane. */
void strip_compute_parts(const struct strip *p, struct ks *block);
/* For binding.known: the part equal to "e". */
const struct kx *strip_known_part(const struct binding *binding,
	const struct expr *e);

/* strips/once.c: values that do not change from cell to cell --------------*/

/* The place of the value of "e" for the current step and, if "cells", the current cell, if the
 * strip keeps it; or NULL.
 */
const struct kx *strip_value_kept(const struct strip *p,
	const struct expr *e, bool cells);
/* Compute such values before the iterations .. */
void strip_compute_once(const struct strip *p, struct ks *block);
/* .. and at the start of each period. */
void strip_compute_of_period(const struct strip *p, struct ks *block);
void strip_describe_kept(struct text *t, const struct place *place);
void strip_describe_parts(struct text *t, const struct place *place);

/* strips/shuffles.c: cells of other lanes ---------------------------------*/

/* The mask of a whole warp. */
/* to = from of the lane that is "lanes" away */
struct ks *strip_shuffle(const struct strip *p, const struct kx *to,
	const struct kx *from, int lanes);
/* Distance, in lanes, to the lane that has cell "at". */
int strip_lanes_to(const struct strip *p, int at);
/* Fetch from other lanes what the current statement needs first. */
void strip_add_shuffles(const struct strip *p, struct ks *block);

/* strips/memory.c: loads and stores ---------------------------------------*/

/* Does the lane store the cell's last version, "lag" iterations after the first? */
const struct kx *strip_is_own(const struct strip *p, const struct kx *lag);

/* "n" cells from "cell" on = those at "from", of the same type; those at "to" = "n" from "cell"
 * on
 */
struct ks *strip_take(const struct strip *p, int n, const struct kx *cell,
	const struct kx *from);
struct ks *strip_leave(const struct strip *p, int n, const struct kx *to,
	const struct kx *cell);
/* The lane's cells from "cell" on = those at "from", as memory has them. */
struct ks *strip_load(const struct strip *p, const struct field *f,
	const struct kx *cell, const struct kx *from);
/* The copy for the version "behind" versions before the first one, or before
 * the last one, of this launch.
 */
const struct kx *strip_copy(const struct strip *p, const struct field *f,
	bool last, const struct kx *behind);
/* Move "pointer" to the next position. */
struct ks *strip_advance(const struct strip *p, const struct field *f,
	const char *pointer);
/* Load the next positions of all versions that a launch starts with. */
void strip_load_states(const struct strip *p, struct ks *block);
/* Load what these iterations load. */
void strip_load_rows(const struct strip *p, struct ks *block);
/* Store the last versions, in a strip that runs all steps. */
void strip_store_versions(const struct strip *p, struct ks *block);
/* Store version "version", whose position comes with "lag", if it is one of the
 * last that this launch computes.
 */
void strip_store_if_last(const struct strip *p, struct ks *block,
	const struct field *f, const struct kx *version, const struct kx *lag);
/* For a state of depth 1 the last version is the one after all steps: beyond
 * the program's last step nothing runs, and values stay.
 */
void strip_store_last(const struct strip *p, struct ks *block);
/* Loaded versions may be among the last, too. */
void strip_store_loaded(const struct strip *p, struct ks *block);
/* Load the rows of inputs that the statement reads. */
void strip_load_inputs(const struct strip *p, struct ks *block);

/* "pointer" to the lane's first row, moved to the row of the loop. */
const struct kx *strip_at_row(const struct strip *p, const struct field *f,
	const char *pointer);


/* strips/edges.c: what neighbours leave for each other --------------------*/

/* Do neighbours leave anything for each other? */
static inline bool strip_exchanges(const struct strip *p)
{
	return p->s->exchange.dim >= 0;
}

/* Before step m: take the version that step m reads first; before the first
 * step the older ones, too.
 */
void strip_take_edges(const struct strip *p, struct ks *block);
/* Leave all versions that others read, in this iteration. */
void strip_leave_edges(const struct strip *p, struct ks *block);
/* Clear shared memory: what the iteration before the first would have left is
 * 0, and nobody stores anything computed from it.
 */
void strip_leave_first_edges(struct strip *p, struct ks *block);
void strip_describe_edges(struct text *t, const struct place *place);

#endif
