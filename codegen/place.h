/* Where the values of a tile live, and for which place in the tile code is
 * being made.
 */
#ifndef STENCILC_CODEGEN_PLACE_H
#define STENCILC_CODEGEN_PLACE_H

#include "codegen/kernel.h"

enum deferral {
	STORE_ALWAYS,
	STORE_UNLESS_TAKEN,	/* unless the next tile is full: it computes the
				 * next version of these cells */
};

/* Sets of a kernel that are computed once, by statement; NULL until then. */
struct found {
	isl_set **instances;	/* local_instances */
	isl_set **last;		/* last_instances */
	isl_set **stored;	/* stored_instances */
	isl_set **read;		/* find_read */
	isl_set **taken;	/* taken_instances */
};

/* What straight code collects row after row. */
struct gathered {
	struct ks *block;	/* where declarations go */
	struct ks *stores;	/* declarations of pointers to global memory of
				 * a row */
	isl_set ***deferred[2];	/* by field, then copy and hexagonal coordinate
				 * in the box: the cells [copy, c] to store at
				 * the end, or NULL; see enum deferral */
	struct names *registers;	/* those declared already */
	const char **declared;
	int n_declared, max_declared;
};

/* Where values live, and how code reads and writes them. */
struct place {
	struct region *mem;
	struct kunit *unit;
	const struct plan *plan;	/* NULL: a step of time is a tile */
	const struct scop *scop;
	const struct kernel_names *names;
	bool arrays;		/* fields in global memory are C's arrays, .. */
	bool versions;		/* .. and each copy of a state an array of its
				 * own, see version_name */
	struct found found;
};

/* For which statement, time and point code is made, and for what kind of tile. */
struct cursor {
	struct region *mem;
	const struct place *place;
	bool full;		/* code for tiles whose instances all run */
	bool straight;		/* rows are straight code: m and the hexagonal
				 * coordinate are constants, values are kept in
				 * registers */
	bool copies_out;	/* copies rows out instead of computing them */
	bool mapped;		/* reads may lie outside the grid .. */
	int inside;		/* .. but not in the dimension inside - 1 */
	const struct kx *m;	/* local time step of the row */
	const struct kx *hex;	/* straight code: the hexagonal coordinate */
	int part[IR_MAX_DIMS];	/* straight code: which of its points a thread
				 * computes in a dimension that is dealt */
	const struct scop_stmt *stmt;
	struct gathered *gathered;
};

/* cells.c ----------------------------------------------------------------*/

bool field_is_written(const struct place *p, const struct field *field);
int buffers_of(const struct place *p, const struct field *field);
/* A segment begins with the copies with which the one before it ends: how many passes precede it,
 * each of which moves versions on by form_code's copies_of_pass().  NULL: the field has one copy,
 * or there are no segments.
 */
const struct kx *passes_before(const struct place *p, const struct field *field);
/* The copy of version t0 + local + version in global memory. */
const struct kx *global_copy(const struct place *p,
	const struct field *field, const struct kx *local, int version);
const struct kx *global_cell(const struct place *p,
	const struct field *field, const struct kx *copy,
	const struct kx *const *at);
/* The box of "field", or the other one of two. */
const char *box_name(const struct place *p, const struct field *field,
	bool other);
/* The cell of "field" in shared memory, "at" relative to its box; in the box of the "other"
 * tiles, before and after, see plan->opt.async.
 */
const struct kx *shared_cell(const struct place *p,
	const struct field *field, const struct kx *copy,
	const struct kx *const *at, bool other);
/* The cell that "acc" of the current instance touches. */
const struct kx *cell_of_access(const struct cursor *c,
	const struct access *acc, bool in_shared);
/* The cell that the current instance, in straight code, writes: in global
 * memory, by relative_cell.
 */
const struct kx *relative_written(const struct cursor *c);
/* The value in global memory that "acc" reads. */
const struct kx *global_value(const struct cursor *c,
	const struct access *acc);
/* The value that "acc" reads; in straight code, a register. */
const struct kx *read_value(const struct cursor *c, const struct access *acc);
/* The register for the value that the instance writes. */
const char *written_register(const struct cursor *c);
/* "set" of [t, x0, ..] with parameters called "dims"; without a time loop t is
 * 0 and has no name.
 */
__isl_give isl_set *name_coordinates(const struct place *p,
	__isl_take isl_set *set, const char *const *dims);
void declare_if_used(struct region *r, struct ks *block,
	const struct ks *user, const char *var, const struct kx *value);
/* What a copy statement reads: the version before the one it writes. */
struct access copied(const struct cursor *c);
/* const TYPE name = value; for the lets of c->stmt */
void declare_locals(const struct cursor *c, const struct binding *binding,
	struct ks *block);
/* Declare t, the coordinates and the copies that "body" uses, then "body". */
struct ks *with_coordinates(const struct cursor *c, struct ks *body);

/* near.c ------------------------------------------------------------------*/

/* Let statements of the kernel "f" that touch several nearby cells of a field reach them by one
 * pointer.
 */
void reach_near_cells(const struct place *p, struct kfunc *f);

/* points.c ---------------------------------------------------------------*/

/* k*m + number, where m is a constant. */
int number_of_row(const struct cursor *c);
/* The coordinate of the current instance, relative to the origin. */
const struct kx *relative_point(const struct cursor *c, int dim);
/* Does each thread have one point of its own along "dim"? */
bool has_own_point(const struct place *p, int dim);
/* Does a thread of straight code have all points along "dim"? */
bool has_column(const struct place *p, int dim);
/* The index, in its box, of the cell that "acc" touches, without strides, by
 * the name that with_coordinates gives to x in the box of the field being
 * written.
 */
const struct kx *box_index(const struct cursor *c, const struct access *acc,
	int d);
/* The same, less the thread's share of the coordinate. */
int64_t constant_index(const struct cursor *c, const struct access *acc,
	int d);
/* The coordinate "d", in the grid, of what "acc" of the current instance touches. */
const struct kx *grid_index(const struct cursor *c, const struct access *acc,
	int d);
const struct kx *size_of_field(const struct place *p,
	const struct field *field, int d);
/* Cells of a row of "field" in memory, padding included. */
const struct kx *pitch_of_field(const struct place *p, const struct field *field);
/* Cells from one index to the next of "field" along "d", which is not the last dimension. */
const char *stride_name(const struct place *p, const struct field *field, int d);
/* Declare these distances along "first" and all further dimensions. */
void declare_strides(const struct place *p, struct ks *block,
	const struct field *field, int first, enum scalar type);
/* How expressions find the time and the point, by name, and reads, by "read". */
struct binding binding_by_name(const struct cursor *c, const struct kx *(*read)(
	const struct binding *binding, const struct access *acc),
	const void *user);

/* beyond.c ---------------------------------------------------------------*/

/* In the current code, may a boundary stand in for what "acc" touches beyond the grid along
 * dimension "d"?
 */
bool is_mapped_here(const struct cursor *c, const struct access *acc, int d);
/* What the boundary reads for the cell that "acc" touches in dimension "d"; where that is a
 * value, any cell, which nobody reads.
 */
const struct kx *mapped_index(const struct cursor *c,
	const struct access *acc, int d);
/* The cell that a boundary of this kind reads for the cell "at", which may lie beyond this side
 * of "n" cells.
 */
const struct kx *cell_standing_in(struct region *mem, enum boundary_kind kind,
	enum side side, const struct kx *at, const struct kx *n);
/* "cell", or what a boundary puts in its place: the value of the first dimension in which it
 * lies outside, or the cell with its sign turned where the boundary is odd.
 */
const struct kx *cell_or_value(const struct cursor *c,
	const struct access *acc, const struct kx *cell);

/* kernel.c: the tiles of a block ----------------------------------------- */

bool first_is_partial(const struct place *p);
/* T, or for diagonal tiles T - S_e, the number of the tile in time */
const struct kx *time_tile(const struct place *p);

#endif
