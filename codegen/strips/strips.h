/* What the files of register streaming share: the strips of a block. */
#ifndef STENCILC_CODEGEN_STRIP_H
#define STENCILC_CODEGEN_STRIP_H

#include "codegen/strips/stream.h"

struct strip {
	const struct place *place;
	struct cursor *cursor;	/* there; NULL: no code is being made */
	const struct kernel_names *names;
	const struct stream *s;
	const struct scop *scop;
	struct region *mem;
	bool separated;		/* some iterations are full, .. */
	bool full;		/* .. as this one: all cells are computed as the
				 * statements say, all steps run .. */
	bool steady;		/* .. or they are, but for cells at an edge in
				 * other dimensions than the streamed one */
	const struct kx *n, *u, *m, *c;	/* iteration, turn, step, cell */
	const struct kx *r;	/* row, 0 in fewer than three dimensions */
	const struct strip_part *part;	/* being computed, or NULL .. */
	int early;		/* .. so many iterations before the statement */
	bool interior;		/* no read has to go where a boundary says */
	bool stores;		/* coordinates are those of cells to store,
				 * which do not go around the grid */
};

/* At no iteration, no code being made. */
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

/* strips.c: the strip -----------------------------------------------------*/


/* strips/interior.c: the interior -----------------------------------------*/

/* Is the strip so all along, in what does not depend on the streamed dimension?
 */
const struct kx *strip_is_interior(const struct strip *p);
/* [t0, o..] of the period that begins at this iteration. */
const struct kx *const *strip_place_of_period(const struct strip *p);
/* Is the period that begins at this iteration steady? */
const struct kx *strip_period_is_steady(const struct strip *p);
/* Is then the period that begins "further" iterations from here interior? */
const struct kx *strip_period_is_interior(const struct strip *p, int further);

/* strips/cells.c: names, registers, reads ---------------------------------*/

/* The field's name, "_" and "what", unless the program has that name. */
const char *strip_name(const struct strip *p, const struct field *f,
	const char *what);
const char *strip_row_name(const struct strip *p, const struct field *f);
/* Versions of a field of some depth have a pointer each. */
const char *strip_pointer_name(const struct strip *p, const struct field *f,
	const char *what, int behind);
const char *strip_pitch_name(const struct strip *p, const struct field *f);
/* Positions of the streamed dimension that the strip stores, and "more": a number, or what
 * the kernel's argument makes of it.
 */
const struct kx *strip_length(const struct strip *p, int more);
/* From one position of the streamed dimension to the next. */
const char *strip_stride_name(const struct strip *p, const struct field *f);
/* The statement that writes "f". */
int strip_writer(const struct strip *p, const struct field *f);
/* The register of cell "cell" of row "row" of version "version", relative to
 * t0, of "f" that is "age" iterations old.
 */
const struct kx *strip_cell(const struct strip *p,
	const struct field *f, const struct kx *version, int age,
	const struct kx *row, const struct kx *cell);
/* "cell" counts from the first of the lane's own. */
const struct kx *strip_input_cell(const struct strip *p,
	const struct access *acc, const struct kx *row, const struct kx *cell);
/* Does the strip load rows of the input "f", or does each cell read it? */
bool strip_loads_rows(const struct strip *p, const struct access *acc);
/* The offsets of "acc" in dimension "d" that its reads in this strip have. */
void strip_reach(const struct strip *p, const struct stmt *s,
	const struct access *acc, int d, int *low, int *high);
/* The coordinate of the cell being computed in dimension "d". */
const struct kx *strip_point(const struct strip *p, int d);
/* How the statement at hand finds what it uses. */
struct binding strip_binding(const struct strip *p);
/* (u - age) mod period */
const struct kx *strip_turn_of_age(const struct strip *p, int age);
/* The position of a statement or a load in the streamed dimension. */
void strip_declare_position(const struct strip *p, struct ks *block,
	const struct ks *body, const struct kx *lag);
/* "body" for each row of the lane; as it is in fewer dimensions. */
struct ks *strip_over_rows(const struct strip *p, struct ks *body);
struct ks *strip_over_columns(const struct strip *p, struct ks *body);
struct ks *strip_over_cells(const struct strip *p, struct ks *body);
/* "body" for each step of the strip, its time declared if it is used. */
struct ks *strip_over_steps(const struct strip *p, struct ks *body);
/* Do reads go around in dimension "d"?  Then the strip lies in a grid that
 * has no end, each cell computed wherever it appears.
 */
bool strip_goes_around(const struct strip *p, int d);
/* { x : the cell lies in the grid } as a condition */
const struct kx *strip_in_grid(const struct strip *p, const struct field *f);
/* { x : the first of a lane's cells in the row does, .. */
const struct kx *strip_row_in_grid(const struct strip *p,
	const struct field *f);
/* .. and then the last one, too }; NULL: always */
const struct kx *strip_ends_in_grid(const struct strip *p,
	const struct field *f);
/* { x : the cell lies in such a row } */
const struct kx *strip_in_row(const struct strip *p, const struct field *f);

/* strips/parts.c: values that iterations share ----------------------------*/

/* Does the strip compute "stmt" by parts?  Not where reads may have to go
 * where a boundary says.
 */
bool strip_has_parts(const struct strip *p, const struct stmt *stmt);
/* Arrays for the parts of all statements. */
void strip_declare_parts(const struct strip *p, struct ks *block);
/* Compute those of the statement p->cursor->stmt for all cells of the lane. */
void strip_compute_parts(const struct strip *p, struct ks *block);
/* For binding.known: the part that "e" is. */
const struct kx *strip_known_part(const struct binding *binding,
	const struct expr *e);

/* strips/once.c: values that do not change from cell to cell --------------*/

/* Where the value of "e" at the step, and if "cells" at the cell, at hand is if it is
 * kept; or NULL.
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
/* The lanes from here to the one that has cell "at". */
int strip_lanes_to(const struct strip *p, int at);
/* Get from other lanes what the statement at hand is the first to need. */
void strip_add_shuffles(const struct strip *p, struct ks *block);

/* strips/memory.c: loads and stores ---------------------------------------*/

/* Is the cell, "lag" iterations after the first, one of those whose last version the lane
 * stores?
 */
const struct kx *strip_is_own(const struct strip *p, const struct kx *lag);

/* "n" cells from "cell" on = those at "from" */
struct ks *strip_load(const struct strip *p, const struct field *f, int n,
	const struct kx *cell, const struct kx *from);
/* The cells at "to" = "n" from "cell" on */
struct ks *strip_store(const struct strip *p, const struct field *f, int n,
	const struct kx *to, const struct kx *cell);
/* The copy of the version that is "behind" versions before the first, or the
 * last, of this launch.
 */
const struct kx *strip_copy(const struct strip *p, const struct field *f,
	bool last, const struct kx *behind);
/* "pointer" to the next position. */
struct ks *strip_advance(const struct strip *p, const struct field *f,
	const char *pointer);
/* The next positions of all versions that a launch starts with. */
void strip_load_states(const struct strip *p, struct ks *block);
/* Load those that these iterations load. */
void strip_load_rows(const struct strip *p, struct ks *block);
/* The last versions, of a strip that runs all steps. */
void strip_store_versions(const struct strip *p, struct ks *block);
/* Store version "version", whose position comes with "lag", if it is one of
 * the last that this launch is to reach.
 */
void strip_store_if_last(const struct strip *p, struct ks *block,
	const struct field *f, const struct kx *version, const struct kx *lag);
/* Of a state of depth 1 the last version is that after all steps: beyond the
 * last step of the program nothing runs and values stay.
 */
void strip_store_last(const struct strip *p, struct ks *block);
/* Versions that are loaded may be among the last, too. */
void strip_store_loaded(const struct strip *p, struct ks *block);
/* The rows of inputs that the statement reads. */
void strip_load_inputs(const struct strip *p, struct ks *block);

/* "pointer" to the lane's first row, at the row of the loop. */
const struct kx *strip_at_row(const struct strip *p, const struct field *f,
	const char *pointer);


/* strips/edges.c: what neighbours leave for each other --------------------*/

/* Is there anything that neighbours leave for each other? */
static inline bool strip_exchanges(const struct strip *p)
{
	return p->s->exchange.dim >= 0;
}

/* Before step m: the version that it is the first to read; before the first
 * step those that are older, too.
 */
void strip_take_edges(const struct strip *p, struct ks *block);
/* All versions that are read, those of this iteration. */
void strip_leave_edges(const struct strip *p, struct ks *block);
/* Shared memory starts with what is left in the iteration before the first, all
 * zero, which nobody stores anything of.
 */
void strip_leave_first_edges(struct strip *p, struct ks *block);
void strip_describe_edges(struct text *t, const struct place *place);

#endif
