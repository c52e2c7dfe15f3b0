/* What the files that read the printed code share: the tree of codegen, from
 * which printers write, line by line, is turned into sets.
 *
 * Variables are parameters: those of the program p0, p1, .., then one for each
 * thread, iteration of a loop and value that is no quasi-affine function of
 * the others.  A place of the code is reached, and an index has its value,
 * for some of them:
 *
 *	at	{ [] : execution reaches the place }
 *	value	{ [] -> [i] }
 */
#ifndef STENCILC_VERIFY_CODE_H
#define STENCILC_VERIFY_CODE_H

#include "codegen/tree/names.h"
#include "codegen/tree/tree.h"
#include "verify/checker.h"

/* C: the copies of a field that begin where a parameter points to. */
struct array {
	const struct field *field;
	const struct kparam *type;
	int64_t copies;		/* that there is memory for */
};

/* A cell of a field in global memory; NULL: unknown. */
struct cell {
	const struct field *field;
	const struct array *array;	/* C: only the copy is known */
	isl_pw_aff *copy, *x[IR_MAX_DIMS];
};

/* A variable of the code: a number, or a pointer to a cell, or unknown. */
struct variable {
	const char *name;
	isl_pw_aff *number;
	enum { PLAIN, LEAST, GREATEST } kind;	/* of these two numbers */
	isl_pw_aff *of[2];
	const struct cell *cell;
	const struct array *array;
	const struct kx *is;	/* what it was declared to be, if it stays so, or
				 * assigned, if only that; .. */
	const struct variable *scope;	/* .. of these variables */
	bool is_assigned;
	const struct cell *loaded;	/* that it has the value of, once asked */
	bool is_stride;		/* of a type for numbers of cells */
	bool is_lost;		/* a pointer to a cell, not known which */
	struct stride *stride;	/* the last one that it was shown to be */
	const struct local *same;	/* a let that it was shown to be .. */
	const void *same_at;		/* .. of the value at hand there */
	const struct variable *next;
};

/* Where the code was, a variable was the number of cells from one to the next
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
	int width;		/* cells from there on */
	bool stores;
	const struct kx *value;	/* that is stored, or NULL */
};

/* { [T, copy, x] : launch or pass T stores the cell x of the copy }, and what
 * is stored besides at the last place, depending on its parameters.
 */
struct stored {
	isl_set *cells, *here;
	isl_set *at;
	isl_set *before;	/* at other places, depending on common ones */
};

struct code {
	struct checker *c;
	const struct kunit *unit;
	const struct plan *plan;	/* of the kernel; NULL: host code */
	isl_set *at;
	isl_set *ranges;	/* of parameters: what they are in any case */
	bool sure;		/* all that is in "at" does reach it */
	const struct variable *known;
	isl_pw_aff *thread[3], *block[3];	/* indices of a kernel */
	int n_numbers;		/* parameters made so far */
	bool (*touch)(struct code *w, const struct touch *touch);
	bool (*launch)(struct code *w, const struct ks *s);
	/* A function of the file is called; NULL: that is of no interest. */
	bool (*call)(struct code *w, const struct kx *x,
		const struct kfunc *f);
	bool is_quiet;		/* what unit->quiet says in the kernel at hand */
	bool follows_some;	/* only loops over what is followed, and what
				 * is selected by it, narrow "at" */
	const struct followed *followed;
	isl_set *hull_of, *hull;	/* a place, and a polyhedron around it */
	struct stored *stored;	/* by field.index */
	const struct shown *shown;	/* that stay where they may */
	const struct natural *naturals;
};

/* code/values.c ----------------------------------------------------------*/

/* { [] -> [i] }, owned by the checker; of NULL NULL. */
__isl_keep isl_pw_aff *keep_value(struct code *w, __isl_take isl_pw_aff *value);
__isl_give isl_pw_aff *constant(const struct code *w, int64_t i);
/* A parameter of its own. */
__isl_give isl_pw_aff *new_number(struct code *w, const char *name);
/* The name of the parameter that "i" of new_number is, or NULL. */
const char *name_of_number(struct code *w, __isl_keep isl_pw_aff *i);
const struct variable *variable_called(const struct code *w, const char *name);
/* The variable that "x" names, or NULL. */
struct variable *variable_of(const struct code *w, const struct kx *x);
struct variable *declare_variable(struct code *w, const char *name);
/* "x" where the code is, or NULL if it is no quasi-affine expression. */
__isl_give isl_pw_aff *number_of(struct code *w, const struct kx *x);
/* Where "x" may hold, and where it may fail; both if "sure" is false. */
struct condition {
	isl_set *holds, *fails;
	bool sure;
	bool is_loose;		/* it fails not everywhere in "fails" */
};
struct condition condition_of(struct code *w, const struct kx *x);

/* code/cells.c -----------------------------------------------------------*/

/* The cell that "x" points to, or is; NULL: not one of global memory. */
const struct cell *cell_at_pointer(struct code *w, const struct kx *x);
const struct cell *cell_of(struct code *w, const struct kx *x);
/* The size of "f" in dimension "d". */
__isl_give isl_pw_aff *size_of(struct code *w, const struct field *f, int d);
/* The dimension of "f" that the variable "x" is the number of cells for; -1: none. */
int stride_dim(struct code *w, const struct field *f, const struct kx *x);
/* "cell" by "n" times "offset" further. */
const struct cell *cell_beyond(struct code *w, const struct cell *cell,
	const struct kx *offset, __isl_take isl_pw_aff *n);

/* Is the first index of "v" that of a copy, P[copy][i][j]? */
static inline bool has_copies(const struct variable *v)
{
	return v && v->array && v->array->type->n_extents ==
		v->array->field->n_dims;
}

/* code/memory.c ----------------------------------------------------------*/

enum { MOST_FACTORS = 2 * IR_MAX_DIMS };

/* number * factor[0] * factor[1] * .. */
struct product {
	int64_t number;		/* 0: too large, or of too many factors */
	int n;
	const struct kx *factor[MOST_FACTORS];
};

void multiply_by(struct product *p, int64_t n);
void multiply(struct product *p, const struct kx *x);
/* How often "one" goes into "all", as far as their factors show; 0: they do not. */
struct product times_in(const struct product *one, struct product all);

/* number + term[0] + term[1] + .. */
struct sum {
	int64_t number;
	int n;
	const struct kx **term;
};

struct sum sum_of(struct checker *c, const struct kx *x);

/* What lies from a pointer on up to the next one, or to the end. */
struct part {
	const char *name;
	struct sum bytes;
	bool is_taken;		/* a field has its copies there */
	struct part *next;
};

/* A call of a function that gets arrays. */
struct call {
	const struct kfunc *function;
	const struct kx *x;
	struct call *next;
};

/* What the file says of its memory, and the calls of the run and what copies. */
struct layout {
	struct checker *c;
	const struct kunit *unit;
	const struct kfunc *entry;	/* that calls them */
	struct call *call, **last;	/* in their order */
	struct part *part;	/* the last one is all that is not of another */
	const char *apart;	/* the variable with how far rows are apart, or NULL, */
	int64_t how_far;	/* .. and what it is */
};

enum { MOST_APART = 8 };

/* Note in "may_be" how far l->unit moves rows apart, 0 if it never does; false if that
 * is not shown.
 */
bool may_be_apart(struct layout *l, bool *may_be);
/* The parts and calls of l->unit, rows l->how_far apart; false if they are not shown.
 * Without memory of its own the entry calls the run.
 */
bool find_layout(struct layout *l);
struct part *part_named(const struct layout *l, const char *name);

/* code/copies.c ----------------------------------------------------------*/

/* Names of which the index of a copy is computed. */
struct followed {
	const char *name;
	const struct followed *next;
};

bool is_followed(const struct code *w, const char *name);
/* Does "x" depend on what is followed? */
bool depends_on_followed(const struct code *w, const struct kx *x);
/* Of the C target: each copy that "unit" touches lies in the memory that it
 * asks for, or is the caller's.
 */
bool check_copies(struct checker *c, const struct kunit *unit);

/* code/iterations.c ------------------------------------------------------*/

/* The axis of blocks that a loop steps by the number of, or -1. */
int axis_of_blocks(const struct kx *step);
/* first + step*n, n = 0, 1, .. in "n", of the loop "s", which the code comes to; NULL where
 * that is not known.
 */
__isl_give isl_pw_aff *iterate(struct code *w, const struct ks *s,
	__isl_give isl_pw_aff **n);

/* code/walk.c ------------------------------------------------------------*/

/* Call "touch" for each load and store that "s" may come to. */
bool read_statement(struct code *w, const struct ks *s);

/* code.c -----------------------------------------------------------------*/

/* What is loaded or stored lies in a copy of the field that there is. */
bool stays_in_copies(struct code *w, const struct touch *t);
/* What is simple around the place where the code is; of that most can be shown. */
__isl_keep isl_set *around_place(struct code *w);
/* The code is where it is and in "set", until "before" is where it is again. */
struct place_of_code {
	isl_set *at, *hull_of, *hull;
};
struct place_of_code narrow_place(struct code *w, __isl_take isl_set *set);
void widen_place(struct code *w, struct place_of_code before);
/* The code, where it is, comes to nothing of "set". */
bool comes_to_none(struct code *w, __isl_take isl_set *set);
/* Where "holds" the plan says that what is at [t0, o..] = "at" is full. */
bool is_full_at(struct code *w, const struct kx *const *at,
	__isl_take isl_set *holds);

/* code/lanes.c -----------------------------------------------------------*/

/* All that the kernel "body", of strips, stores are the values that the program has
 * there.
 */
bool check_lanes(struct code *w, const struct ks *body);

/* code/points.c ----------------------------------------------------------*/

/* "x", stored to "cell", is what a statement computes there. */
bool stores_value(struct code *w, const struct cell *cell, const struct kx *x);

/* code/recorded.c --------------------------------------------------------*/

/* The functions that get values of statements store those that outputs by step have, where they
 * have them, by lanes that store.
 */
bool records_are_stored(struct code *w);

/* code/stores.c ----------------------------------------------------------*/

/* The pass, or step, that the code is in. */
__isl_give isl_pw_aff *pass_of(struct code *w);
/* The copy of version "t" + "version" of "f". */
__isl_give isl_pw_aff *copy_of_version(struct code *w, const struct field *f,
	__isl_keep isl_pw_aff *t, int version);
/* Note the cells that "t" stores; at the end, compare all with the plan. */
bool note_store(struct code *w, const struct touch *t);
bool stores_are_those_of_plan(struct code *w);
void forget_stores(struct code *w);

/* code/twice.c -----------------------------------------------------------*/

/* No cell of "f" in "here", of what the parameters are that are not the program's, is
 * stored twice, or at another place in "s", to which it is added.
 */
bool are_stored_once(struct code *w, const struct field *f,
	struct stored *s, __isl_keep isl_set *here);

#endif
