/* What the files that read the printed code share: they turn codegen's tree,
 * which printers write line by line, into sets.
 *
 * Variables are parameters: those of the program p0, p1, .., then one for each
 * thread, each iteration of a loop, and each value that is no quasi-affine
 * function of the others.  Execution reaches a place, and an index has its
 * value, for some of them:
 *
 *	at	{ [] : execution reaches the place }
 *	value	{ [] -> [i] }
 */
#ifndef STENCILC_VERIFY_CODE_H
#define STENCILC_VERIFY_CODE_H

#include "codegen/tree/names.h"
#include "codegen/tree/tree.h"
#include "verify/checker.h"

/* C: copies of a field, starting where a parameter points. */
struct array {
	const struct field *field;
	const struct kparam *type;	/* of cells, whatever they have */
	bool is_complex;	/* a cell has several numbers, of which the
				 * pointer is at the one that is meant */
	int64_t copies;		/* for which there is memory */
	int64_t first;		/* the copy where the pointer is */
};

/* A cell of a field, in global memory or in an array that a tile keeps; NULL: unknown. */
struct cell {
	const struct field *field;
	const struct array *array;	/* C; if !code.nests only the copy is
					 * known */
	struct kept *kept;		/* the tile's array, or NULL */
	isl_pw_aff **index;		/* .. and where the cell is in it */
	isl_pw_aff *copy, *x[IR_MAX_DIMS];
};

/* A variable of the code: a number, a pointer to a cell, or unknown. */
struct variable {
	const char *name;
	isl_pw_aff *number;
	enum {
		PLAIN,
		LEAST, GREATEST,	/* one of these two numbers */
		LENGTHS,	/* so many whole lengths of tiles are in of[0] */
		TILE,		/* the number of any tile: see lengths.h */
	} kind;
	isl_pw_aff *of[2];
	const struct cell *cell;
	const struct array *array;
	struct kept *kept;	/* an array that a tile keeps */
	const struct kx *is;	/* its declared value, its only assigned one,
				 * or what came of it by additions; .. */
	const struct variable *scope;	/* .. of these variables */
	bool is_assigned;
	const struct cell *loaded;	/* the cell whose value it has, if any */
	bool is_stride;		/* has a type for numbers of cells */
	bool is_lost;		/* a pointer to an unknown cell */
	struct stride *stride;	/* the last one that it was shown to be */
	const struct local *same;	/* the let that it was shown to be .. */
	const void *same_at;		/* .. with the value at that place */
	const struct variable *next;
};

/* At this place, a variable is the number of cells from one index to the next
 * of "f" in dimension "d"; -1: of none.
 */
struct stride {
	const struct field *f;
	isl_set *at;
	int d;
};

/* A load or a store. */
struct touch {
	const struct cell *cell;
	int width;		/* number of cells from there on */
	bool stores;
	const struct kx *value;	/* the stored value, or NULL */
};

/* { [T, copy, x] : launch or pass T stores the cell x of the copy }, and what
 * the last place stores, depending on its parameters.
 */
struct stored {
	isl_set *cells, *here;
	isl_set *at;
	isl_set *before;	/* from other places, by common parameters */
};

struct code {
	struct checker *c;
	const struct kunit *unit;
	const struct plan *plan;	/* of the kernel; NULL: host code */
	isl_set *at;
	isl_set *ranges;	/* constraints on parameters that always hold */
	bool sure;		/* everything in "at" does reach it */
	const struct variable *known;
	isl_pw_aff *thread[3], *block[3 + 1];	/* indices of a kernel; block[3]:
						 * of one in its cluster */
	int n_numbers;		/* number of parameters made so far */
	struct {
		const struct any_tile *tile;	/* NULL: lengths are numbers */
		const struct any_strip *strip;	/* NULL: there are no rims */
		isl_set *left_out;	/* iterations that the loop may leave
					 * out; NULL: none */
	} any;
	bool (*touch)(struct code *w, const struct touch *touch);
	bool (*launch)(struct code *w, const struct ks *s);
	/* The code calls a function of the file; NULL: ignore calls. */
	bool (*call)(struct code *w, const struct kx *x,
		const struct kfunc *f);
	bool is_quiet;		/* unit->quiet's value in this kernel */
	bool follows_some;	/* only loops over followed variables, and
				 * choices by these, narrow "at" */
	const struct followed *followed;
	isl_set *hull_of, *hull;	/* a place, and a polyhedron around it */
	struct stored *stored;	/* by field.index */
	const struct shown *shown;	/* indices that stay in range */
	const struct natural *naturals;
	struct tiles *tiles;	/* whose arrays keep cells, see kept.h; or
				 * NULL */
	struct nests *nests;	/* C: the loops over tiles; NULL: not read */
};

/* code/values.c ----------------------------------------------------------*/

/* { [] -> [i] }, owned by the checker; NULL for NULL. */
__isl_keep isl_pw_aff *keep_value(struct code *w, __isl_take isl_pw_aff *value);
__isl_give isl_pw_aff *constant(const struct code *w, int64_t i);
/* A new parameter for it. */
__isl_give isl_pw_aff *new_number(struct code *w, const char *name);
/* The name of the parameter that new_number made for "i", or NULL. */
const char *name_of_number(struct code *w, __isl_keep isl_pw_aff *i);
const struct variable *variable_called(const struct code *w, const char *name);
/* The variable that "x" names, or NULL. */
struct variable *variable_of(const struct code *w, const struct kx *x);
struct variable *declare_variable(struct code *w, const char *name);
/* code/added.c: what "v" is once "x" is assigned to it; NULL: unknown */
const struct kx *value_assigned(struct code *w, const struct variable *v,
	const struct kx *x);
/* The value of "x" at the current place, or NULL if it is not quasi-affine. */
__isl_give isl_pw_aff *number_of(struct code *w, const struct kx *x);
/* Where "x" may hold, and where it may fail; if "sure" is false, both
 * overestimate.
 */
struct condition {
	isl_set *holds, *fails;
	bool sure;
	bool is_loose;		/* in places within "fails" it does not fail */
};
struct condition condition_of(struct code *w, const struct kx *x);

/* code/cells.c -----------------------------------------------------------*/

/* The cell that "x" points to, or is; NULL: no cell of global memory. */
const struct cell *cell_at_pointer(struct code *w, const struct kx *x);
const struct cell *cell_of(struct code *w, const struct kx *x);
/* The size of "f" in dimension "d". */
__isl_give isl_pw_aff *size_of(struct code *w, const struct field *f, int d);
/* The dimension of "f" whose number of cells the variable "x" is; -1: none. */
int stride_dim(struct code *w, const struct field *f, const struct kx *x);
/* "cell" moved by "n" times "offset". */
const struct cell *cell_beyond(struct code *w, const struct cell *cell,
	const struct kx *offset, __isl_take isl_pw_aff *n);

/* Does the first index of "v" select a copy, P[copy][i][j]? */
static inline bool has_copies(const struct variable *v)
{
	return v && v->array && v->array->type->n_extents ==
		v->array->field->n_dims;
}

/* code/calls.c -----------------------------------------------------------*/

/* How many cells the call "x" moves, "cell" being the first; 0: unknown. */
int cells_of_call(const struct kx *x, const struct cell *cell);
/* Of "width" cells that the call copies: the one, as a value; NULL: several. */
const struct kx *value_of_copy(const struct kx *x, int width);

/* code/copies.c ----------------------------------------------------------*/

/* The names from which the index of a copy is computed. */
struct followed {
	const char *name;
	const struct followed *next;
};

bool is_followed(const struct code *w, const char *name);
/* Does "x" depend on what is followed? */
bool depends_on_followed(const struct code *w, const struct kx *x);
/* Let the array have the type of its field's cells, which have one number or several. */
bool has_numbers(struct code *w, struct array *a);
/* For the C target: each copy that "unit" touches lies in the memory that it
 * requests, or is the caller's.
 */
bool check_copies(struct checker *c, const struct kunit *unit);

/* code/iterations.c ------------------------------------------------------*/

/* The axis of blocks by whose number a loop steps, or -1. */
int axis_of_blocks(const struct kx *step);
/* first + step*n, n = 0, 1, .. in "n", for the loop "s" at the current place; NULL if unknown. */
__isl_give isl_pw_aff *iterate(struct code *w, const struct ks *s,
	__isl_give isl_pw_aff **n);
/* Is "s" the loop over all tiles whose length is an argument?  Then the place has any one of them
 * from its first one on.
 */
bool takes_any_tile(struct code *w, const struct ks *s);

/* code/walk.c ------------------------------------------------------------*/

/* Call "touch" for each load and store that "s" may reach. */
bool read_statement(struct code *w, const struct ks *s);

/* code/around.c -----------------------------------------------------------*/

/* A simple set around the current place, from which most can be shown. */
__isl_keep isl_set *around_place(struct code *w);
/* The place and "set" hold, until "before" restores the previous place. */
struct place_of_code {
	isl_set *at, *hull_of, *hull;
};
struct place_of_code narrow_place(struct code *w, __isl_take isl_set *set);
void widen_place(struct code *w, struct place_of_code before);
/* Execution at the current place reaches nothing in "set". */
bool comes_to_none(struct code *w, __isl_take isl_set *set);

/* Where "holds" is true, the plan says that the tile at [t0, o..] = "at" is
 * full.
 */
bool is_full_at(struct code *w, const struct kx *const *at,
	__isl_take isl_set *holds);

/* code.c -----------------------------------------------------------------*/

/* The beginning of a function of the file, which knows the program's parameters. */
struct code begin_code(struct checker *c, const struct kunit *unit);
/* What is loaded or stored lies in a copy of the field that there is. */
bool stays_in_copies(struct code *w, const struct touch *t);

/* code/lanes.c -----------------------------------------------------------*/

/* All values that the kernel "body", of strips, stores are the program's. */
bool check_lanes(struct code *w, const struct ks *body);

/* code/points.c ----------------------------------------------------------*/

/* "x", stored to "cell", is what a statement computes there. */
bool stores_value(struct code *w, const struct cell *cell, const struct kx *x);

/* code/recorded.c --------------------------------------------------------*/

/* Functions that get values of statements store what outputs by step record, where they record
 * it, by lanes that store.
 */
bool records_are_stored(struct code *w);

/* Everything loaded or stored lies in the grid, and in an existing copy of the field. */
bool lies_in_memory(struct code *w, const struct touch *t);
/* .. or in a tile's array, and what is stored is the program's value. */
bool touch_in_memory(struct code *w, const struct touch *t);

/* code/calls.c: the kernel called so, if it is one of a plan, and the plan's number; or NULL. */
const struct kfunc *kernel_called(const struct code *w, const char *name, int *number);

/* code/stores.c ----------------------------------------------------------*/

/* "set" for the program's parameters, whatever the others are. */
__isl_give isl_set *without_variables(struct code *w,
	__isl_take isl_set *set);

/* The current pass, or step, of the code. */
__isl_give isl_pw_aff *pass_of(struct code *w);
/* The copy of version "t" + "version" of "f". */
__isl_give isl_pw_aff *copy_of_version(struct code *w, const struct field *f,
	__isl_keep isl_pw_aff *t, int version);
/* Record the cells that "t" stores; at the end, compare all with the plan. */
bool note_store(struct code *w, const struct touch *t);
bool stores_are_those_of_plan(struct code *w);
void forget_stores(struct code *w);

/* code/twice.c -----------------------------------------------------------*/

/* No cell of "f" in "here", for the program's parameters, is stored twice, or also at another
 * place in "s", to which it is added.  "cells" is "here" without variables.
 */
bool are_stored_once(struct code *w, const struct field *f,
	struct stored *s, __isl_keep isl_set *here, __isl_keep isl_set *cells);

#endif
