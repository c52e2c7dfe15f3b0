/* What the files that recognise a stencil in a region share.
 *
 * A region is read as what its memory does: each array, or each copy of one
 * that has copies for odd and even steps, is a state whose step is one round
 * of the time loop: "n_phases" steps of C, after which each copy and pointer
 * is back in its role.  So every array ends up with what C leaves in it.
 */
#ifndef STENCILC_STENCIL_H
#define STENCILC_STENCIL_H

#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/set.h>

#include "frontend/c/ctree.h"

enum { MAX_PHASES = 16, MAX_UNROLL = 64, NO_SLOT = -1000 };

/* begin <= v < end, v = begin or, downwards, end - 1 modulo step. */
struct c_loop {
	const struct c_decl *decl;
	struct poly begin, end;
	int64_t step;
	bool down;
	struct span at;
	const struct c_loop *outer;
	int depth;			/* 1: the outermost */
	const struct c_stmt *stmt;
};

struct c_condition {
	struct c_expr *expr;		/* resolved */
	bool negated;
	const struct c_condition *outer;
	int depth;
};

/* An array, or a copy of one. */
struct c_field {
	struct c_decl *decl;
	int slot;			/* of the first dimension, NO_SLOT:
					 * none; relative to the time if that
					 * is a parameter */
	const char *name;
	int n_dims;
	struct poly size[C_MAX_DIMS];
	bool is_sized[C_MAX_DIMS];
	bool is_positive[C_MAX_DIMS];	/* the size is assumed to be */
	bool is_written, is_used;
	bool is_split;			/* A[i*M + j] in C */
	struct c_field *next;
};

/* Where an expression stands. */
struct c_place {
	const struct c_loop *loop;	/* the innermost around it; or NULL */
	const struct c_condition *condition;
	int order;			/* among all statements */
	int phase;
};

struct c_access {
	struct c_field *field;
	int n_subs;
	struct poly sub[C_MAX_DIMS];
	struct span sub_at[C_MAX_DIMS];
	struct c_place place;
	int version;			/* 1: of this round, */
	const struct c_update *computed_by;	/* by this, among others */
	struct span at;
	struct c_access *next;
};

/* A value given to a scalar. */
struct c_temp {
	const struct c_decl *decl;
	struct c_expr *value;		/* resolved, of the type of "decl" */
};

/* write = value */
struct c_update {
	struct c_access *write;
	struct c_expr *value;		/* resolved */
	struct c_place place;
	struct span at;
	struct c_update *next;
};

struct c_param {
	const struct c_decl *decl;
	const char *name;		/* in the program */
	bool is_used;
	bool is_checked;		/* whether an array is left depends
					 * on it */
	struct c_param *next;
};

/* An access that leaves its array for some parameters. */
struct c_leave {
	const struct c_access *access;
	const char *condition;		/* in C */
	struct c_leave *next;
};

/* An element that is the same at all points and steps, as w[0]: a parameter. */
struct c_element {
	const struct c_access *access;
	const char *name;		/* in the program */
	struct c_element *next;
};

/* Why the value of a scalar cannot be told: the assignment that reaches a use
 * may be one of an iteration before, of a loop that has ended, or one under a
 * condition; or there is none, or one of too many parts.
 */
enum c_loss {
	C_LOST_CARRIED, C_LOST_LOOP, C_LOST_CONDITION, C_NO_VALUE, C_TOO_LONG
};

/* What a variable stands for from here on. */
struct c_binding {
	const struct c_decl *decl;
	struct c_expr *value;		/* of a scalar; NULL: it is lost */
	const struct c_decl *object;	/* of a pointer */
	enum c_loss lost;
	struct span lost_at;		/* the assignment */
	struct c_binding *next;		/* what held before */
};

struct stencil {
	struct region *mem;
	struct diags *diags;
	const struct source *source;
	isl_ctx *isl;
	const struct c_region *region;
	bool no_alias;
	bool is_one_step;		/* there is no time loop in C */

	const struct c_stmt *time_loop;
	const struct c_decl *time;	/* the variable of C */
	struct c_decl *round;		/* of the program: "time" itself, or
					 * a new one that counts rounds */
	int n_phases;
	bool keeps_steps;		/* an array holds all steps: each step
					 * is a call, "time" a parameter; */
	const struct c_expr *of_step;	/* this is an element of it */
	struct c_loop steps;		/* the time loop */
	struct c_place place;
	struct c_binding *bindings;	/* the latest first */
	const struct c_binding *before_loop;	/* what holds where the time
					 * loop begins */
	bool in_condition;		/* "place" is in an 'if', were it one
					 * that is decided */
	struct c_initial {		/* pointers that the loop reads before
					 * it moves them */
		const struct c_decl *decl;
		struct span at;
		struct c_initial *next;
	} *initial;
	struct c_param *params;
	struct c_element *elements;
	struct c_field *fields;
	struct c_access *accesses;
	struct c_update *updates;
	struct c_leave *leaves;
	const char *round_name, *rounds_name;	/* in the program */
	const char *program_name, *call_name;
	struct names *names;
	const struct c_file *file;
};

/* region.c: what all files ask of a region. */
/* False, after a diagnostic: for "return refuse(..)". */
bool refuse(struct stencil *s, enum diag_id id, struct span at,
	const char *fmt, ...) BASE_PRINTF(4, 5);
/* The text of "at", on one line. */
const char *c_quote(const struct stencil *s, struct span at);
/* What the region holds, without blocks around all of it. */
const struct c_stmt *region_statements(const struct stencil *s);
/* The value of "time" in "phase". */
bool time_value(const struct stencil *s, int phase, struct poly *value);
/* Call "each" for the accesses that "e" reads, until it returns false. */
bool each_read(const struct c_expr *e, bool (*each)(void *user,
	struct c_access *a), void *user);
/* Is what "a" reads the same at all points and steps, as w[0]? */
bool access_is_fixed(const struct stencil *s, const struct c_access *a);
/* The scalar "d" with "value". */
struct c_expr *temp_value(struct stencil *s, const struct c_decl *d,
	struct c_expr *value);

/* prescan.c: what the text of the loop says before it is run through. */
/* Is "decl" assigned in "body"?  Loop counters are. */
bool is_assigned(const struct c_stmt *body, const struct c_decl *decl);
/* Does "body" assign a variable of "e"? */
bool assigns_any(const struct c_stmt *body, const struct c_expr *e);
bool has_writes(const struct c_stmt *body);
/* Steps of C after which all copies and pointers are back in their roles; 0
 * after a diagnostic.
 */
int count_phases(struct stencil *s);
/* An element of an array that is written whose first subscript is the time
 * itself, not modulo something; or of one that is read and has a value for
 * each step.  NULL: there is none.
 */
const struct c_expr *element_of_step(const struct stencil *s);
/* Where the time modulo something or a swap of pointers says that copies take
 * turns.
 */
struct span place_of_turns(const struct stencil *s);
/* Does the time loop hand values on, though it counts points of an array, as
 * in rec[t][j] = .. beside A[(t+1)%2][i] = ..?
 */
bool hands_on(const struct stencil *s);
/* Is the first subscript of "e", which is written, a step "d" of a time loop?
 * It is if it is taken modulo something, or if other steps are read.
 */
bool counts_steps(const struct stencil *s, const struct c_expr *e,
	const struct c_decl *d);
/* Is the first dimension of "decl" the time? */
bool has_time_dimension(const struct stencil *s, const struct c_decl *decl);

/* resolve.c: expressions, each variable by what it stands for. */
struct c_expr *resolve(struct stencil *s, const struct c_expr *e);
/* Is "value", to which "e" is resolved, the value that it has in C where it is
 * unsigned?
 */
bool check_wraps(struct stencil *s, const struct c_expr *e,
	const struct c_expr *value);
/* The value of the integer "e", which is resolved. */
bool poly_of(const struct stencil *s, const struct c_expr *e,
	struct poly *value);
/* Is "e" true or false whatever the variables? */
bool is_decided(const struct stencil *s, const struct c_expr *e, bool *value);
struct c_access *resolve_access(struct stencil *s, const struct c_expr *e,
	bool is_write);
void note_param(struct stencil *s, const struct c_decl *d);

/* copy.c: copies of resolved expressions. */
struct c_copied;
struct c_copy {
	struct stencil *s;
	void *user;
	/* Give what is read at "place" the condition that it has in the
	 * copy.
	 */
	void (*place)(struct c_copy *c, struct c_place *place);
	/* What stands for "e" in the copy; NULL: a copy of it. */
	struct c_expr *(*instead)(struct c_copy *c, struct c_expr *e);
	struct c_copied *copied;	/* so far */
};

struct c_expr *copy_expr(struct c_copy *c, struct c_expr *e);
struct c_access *copy_access(struct c_copy *c, struct c_access *a);

/* bindings.c: what each variable stands for, statement by statement. */
/* Has "e" too many parts to be walked over? */
bool is_too_long(const struct c_expr *e);
/* For "return refuse_too_long(..)": the value of "d". */
bool refuse_too_long(struct stencil *s, const struct c_decl *d,
	struct span at);
void bind_value(struct stencil *s, const struct c_decl *d,
	struct c_expr *value);
void forget_value(struct stencil *s, const struct c_decl *d, enum c_loss why,
	struct span at);
/* The values of scalars that "body" assigns cannot be told any more. */
void forget_assigned(struct stencil *s, const struct c_stmt *body,
	enum c_loss why);
/* Two ways, by "condition", that come together: what held at their ends. */
struct c_join {
	struct c_expr *condition;	/* resolved */
	const struct c_binding *then, *otherwise;
	struct c_copy copy;
};

void join_begin(struct stencil *s, struct c_join *join,
	struct c_expr *condition);

/* What "body", a part of one of the ways, assigns is chosen by the condition
 * from here on.
 */
void join_assigned(struct stencil *s, const struct c_stmt *body,
	struct c_join *join);
/* The value that reaches the scalar "e"; NULL: the one from before the region.
 * False, after a diagnostic, if it cannot be told.
 */
bool find_value(struct stencil *s, const struct c_expr *e,
	struct c_expr **value);
void bind_object(struct stencil *s, const struct c_decl *d,
	const struct c_decl *object);
/* The array that "d" is, or points to here, where it is used at "at". */
const struct c_decl *object_of(struct stencil *s, const struct c_decl *d,
	struct span at);
/* Does "d" point at the end of a round to what it points to at its begin? */
bool comes_back(const struct stencil *s, const struct c_decl *d);
/* All pointers whose first values of a round are used come back. */
bool check_pointers(struct stencil *s);

/* walk.c: run through the loop once, phase by phase. */
bool walk_region(struct stencil *s);

/* shape.c: dimensions and sizes of the fields. */
bool find_shapes(struct stencil *s);

/* sets.c: iterations and cells. */
/* { [round, v1, .., vn] } where "place" is executed. */
__isl_give isl_set *place_domain(struct stencil *s,
	const struct c_place *place);
/* { [round, v1, .., vn] : the phase of "place" is executed } */
__isl_give isl_set *place_rounds(struct stencil *s,
	const struct c_place *place);
/* { [round, v1, .., vn] -> [cell] } */
__isl_give isl_map *access_cells(struct stencil *s,
	const struct c_access *a);
/* { [round, v1, .., vn] } where "a" is in its array. */
__isl_give isl_set *cells_inside(struct stencil *s,
	const struct c_access *a);
/* The iterations of "place" that are in "set", of some of the loops around
 * "place", from the outermost on.
 */
__isl_give isl_set *within_loops(__isl_take isl_set *set,
	const struct c_place *place);
/* { [round, v1, .., vn] : the sizes of the array are as assumed } */
__isl_give isl_set *sizes_assumed(struct stencil *s,
	const struct c_access *a);
/* The sizes that no declaration has. */
bool find_sizes(struct stencil *s);
/* All conditions and bounds are such that there are sets of them. */
bool check_affine(struct stencil *s);

/* Is the integer "e" never negative where "place" is executed? */
bool is_never_negative(struct stencil *s, const struct c_place *place,
	const struct c_expr *e);

/* Can there be a set of the iterations of "place" where "e" holds? */
bool is_affine_condition(struct stencil *s, const struct c_place *place,
	const struct c_expr *e);

/* choice.c: statements whose reads are all in their arrays, where C chooses
 * between values by conditions on indices.
 */
bool split_choices(struct stencil *s);
/* Leave out the statements that are executed for no value of the parameters;
 * false if that is all of them.
 */
bool drop_idle(struct stencil *s);

/* order.c: which value each read sees; what is no stencil. */
bool find_versions(struct stencil *s);
/* No statement leaves an array whatever the parameters. */
bool check_inside(struct stencil *s);
/* Is the statement executed exactly where all that it touches is in its array,
 * and does it touch the same there at all points?
 */
bool covers_interior(struct stencil *s, const struct c_update *u);

/* leaves.c: what leaves an array for some parameters. */
/* "a" does for "params", { params }. */
void note_leave(struct stencil *s, const struct c_access *a,
	__isl_take isl_set *params);
/* The function that tells, if there is such an access; and its call. */
void print_leaves(struct text *t, const struct stencil *s);
void print_leaves_call(struct text *t, const struct stencil *s);

/* build.c: the tree of the .stn language. */
const struct ast *build_program(struct stencil *s, const char *name);

/* call.c: can what the region leaves in scalars be left there? */
bool check_counters(struct stencil *s);
/* What "restrict" is in "file" as C++, which takes no qualifier in brackets. */
const char *restrict_in_cxx(const struct c_file *file);

#endif
