/* ir: the program as the compiler sees it, whatever language it came from:
 * fields, statements, their domains and accesses, expression trees.
 *
 * Values are single-assignment: a state A has one value A[t][x] for each time
 * step t and point x, and "access.version" says which step is meant relative
 * to the statement's own: 0 is A[t], 1 is A[t+1], -1 is A[t-1].
 *
 * Time is normalised: instances run over 0 <= t < steps, whatever the bounds
 * in the program; where the user's own t is meant in an expression, it is
 * EXPR_TIME, which is this t plus "begin".
 */
#ifndef STENCILC_IR_H
#define STENCILC_IR_H

#include "ir/boundary.h"
#include "ir/listed.h"


struct reduction;
struct segments;
struct sweep_waves;

/* A parameter given by the caller at run time, or fixed at compile time. */
struct param {
	const char *name;
	enum type type;
	bool fixed;		/* by a default or -D */
	int64_t ivalue;		/* if fixed and an int */
	double rvalue;		/* if fixed and a real */
	struct span at;
};

enum field_kind {
	FIELD_STATE, FIELD_INPUT, FIELD_OUTPUT, FIELD_TEMP,
	FIELD_SERIES,		/* an output with the time among its subscripts:
				 * steps write it as they come, none reads it */
};

struct field {
	const char *name;
	enum field_kind kind;
	enum type type;
	int n_dims;
	const struct expr *size[IR_MAX_DIMS];	/* affine in the int params */
	struct boundary boundary[IR_MAX_DIMS][SIDES];	/* periodic: at both */
	int depth;		/* of a state, at least 1: the steps that are
				 * kept; A[t+1-depth] is the oldest value that
				 * a statement reads, or a reduction when t is
				 * the step after */
	int passed;		/* .. of which the caller passes the newest */
	bool is_result;		/* a series of what reductions give; .. */
	bool is_scalar;		/* .. of one element, its newest value */
	bool is_hidden;		/* a temp of a time loop: a state that the
				 * caller does not see, whose version t+1 is
				 * read in the step that computes it, no other */
	const struct field *whole;	/* NULL, or the argument, none of the
				 * program's fields, of which it is .. */
	int part;		/* .. this component, one grid after the other */
	const struct list *made_of;	/* NULL, or an input that the function
				 * makes of a list before it begins */
	bool is_listed;		/* only lists of points use it: without cells
				 * it keeps no statement from its points */
	int index;		/* position in program.fields */
	struct span at;
};

/* Do reads beyond one end of dimension "d" find their cell at the other one? */
bool field_goes_around(const struct field *f, int d);
/* Is it a temp, of a time loop or not? */
bool field_is_temp(const struct field *f);
/* Copies of its cells that a caller passes: of a state "depth" steps. */
int field_copies(const struct field *f);
/* Is it an argument of the generated function, or a component of one? */
bool field_is_argument(const struct field *f);
/* The argument, if "f" is it or its first component; else NULL. */
const struct field *field_begins(const struct field *f);
/* "p", whose components are arguments, each by itself. */
const struct program *program_apart(struct region *r, const struct program *p);

/* The cell that a statement instance at point x reads or writes:
 * field[version][(stride[0]*x[dim[0]] + offset[0]) / divisor[0]][(stride[1]*x[dim[1]] + ..]..
 * where a quotient is rounded down, also that of a negative number.
 */
struct access {
	const struct field *field;
	int version;			/* 0 unless the field is a state */
	int dim[IR_MAX_DIMS];		/* iteration dimension, -1: none */
	int64_t stride[IR_MAX_DIMS];	/* at least 1; of a write 1 */
	int64_t offset[IR_MAX_DIMS];
	int64_t divisor[IR_MAX_DIMS];	/* likewise */
	const char *const *iterator;	/* the dimensions' names and that of */
	const char *time_name;		/* the time, to print it; or NULL */
	struct span at;
};

/* Does "a" read every stride-th cell along its dimension "d", as A[2*i], or each of
 * them for several points, as A[i/2]?
 */
bool access_strides_along(const struct access *a, int d);
/* Along any? */
bool access_strides(const struct access *a);
/* Is the cell, along each dimension of the field, that of the same index of the
 * point, plus a constant?
 */
bool access_is_in_order(const struct access *a);
/* Are subscript "d" of "a" and "e" of "b" the same number at each point? */
bool access_same_along(const struct access *a, int d, const struct access *b,
	int e);
/* What stride*x + offset is below where the cell of "a" is below the size of its
 * dimension "d".
 */
const struct expr *access_end(struct region *r, const struct access *a, int d);
/* The least index of which the cell of "a" along its dimension "d" is at least "cell". */
int64_t access_first(const struct access *a, int d, int64_t cell);

/* let name = value;  evaluated at the point, before the statement. */
struct local {
	const char *name;
	const struct expr *value;
	const struct local *next;	/* in order of evaluation */
};

/* write = value, at every point of the field written where each read of a
 * field with a fixed boundary lies in the grid, each element of an input with
 * an index in the input, and each condition holds.  As
 * the front ends leave it, a read does not count at points at which conditions
 * decide that the value is another; see program_divide_choices of schedule.
 */
struct stmt {
	const char *name;		/* "S0", "S1", ... */
	int index;
	const struct access *write;
	const struct local *locals;	/* those that "value" uses */
	const struct expr *value;	/* of the type of the field written */
	const struct expr *written;	/* the value as the program has it, if
					 * ir_reassociate changed it */
	int n_dims;			/* of the iteration space */
	const char *iterator[IR_MAX_DIMS];	/* the user's names */
	int n_conditions;
	const struct expr **condition;	/* on (...): quasi-affine, integer */
	int n_reads;
	const struct access **read;	/* all reads of value and locals,
					 * each once */
	int n_elements;
	const struct access **element;	/* of their elements those that may lie
					 * beyond the input by an index, in
					 * dimensions that have one here; such
					 * points are not computed either */
	bool is_joined;			/* the front end made it of several of
					 * the text; what its points decide, */
	bool is_rest;			/* and whether it has any, where it is
					 * what others leave, schedule finds */
	bool sweeps;			/* its points run one after the other, in
					 * lexicographic order, each reading of
					 * t+1 what those before it have written */
	int n_listed;			/* what follows at points of lists, in
					 * this order */
	const struct listed **listed;
	const struct needed_points *needed;	/* of a block's, see blocks.h, or NULL */
	struct span at;
};

struct program {
	const char *name;
	int n_params;
	struct param **param;
	int n_fields;
	struct field **field;		/* in the order declared */
	int n_stmts;
	struct stmt **stmt;		/* in the order written */
	int n_lists;
	const struct list **list;
	int n_args;			/* of the generated function */
	struct argument {		/* exactly one of the two is set */
		const struct param *param;
		const struct field *field;
	} *arg;				/* in the order declared; no fixed
					 * params, no temps */
	int n_assumes;
	const struct expr **assume;
	bool is_within;			/* its caller sees to what it reads of inputs */
	bool timed;			/* has an iterate; else one step, 0 .. 1 */
	bool reassociated;		/* real arithmetic need not be exact */
	bool fast_roots;		/* nor roots and divisions */
	const char *time_name;		/* "t" */
	const struct expr *begin, *end;	/* of the time range; int, affine */
	struct {
		int n_reductions;
		const struct reduction **reduction;	/* in the order written */
		const struct expr *until;	/* NULL, or what ends the loop
						 * after a step at which all
						 * results in it are computed;
						 * these are elements of theirs */
		const struct field *steps;	/* those done; NULL without it */
	};
	struct {
		const struct segments *segments;	/* NULL: all steps are one */
		const struct sweep_waves *waves;	/* NULL: the time is the
						 * program's own */
	};
	struct span at;
};

/* Is "name" one of the program, of its params, fields, lets and indices, the numbers of
 * lists among them?
 */
bool program_has_name(const struct program *p, const char *name);
/* Is a let or an index of "s" called so? */
bool stmt_has_name(const struct stmt *s, const char *name);
/* .. these aside? */
bool program_declares(const struct program *p, const char *name);
/* Has a field cells of fewer than four bytes? */
bool program_has_short_cells(const struct program *p);
/* The constant value of an integer expression, if it has one.  A division by
 * zero and a value that does not fit 64 bits have none.
 */
bool expr_constant(const struct expr *e, int64_t *value);
bool expr_uses(const struct expr *e, const struct param *param);
/* NULL, or the part of the number "e" that is not a sum of indices, time and
 * int parameters with constant factors; "quasi" allows a quotient and a
 * remainder of such a sum by a positive constant.
 */
const struct expr *expr_not_affine(const struct expr *e, bool quasi);
/* Could "e", a let standing for its value, be the condition of an "on"? */
bool expr_is_condition(const struct expr *e);
/* Are two sizes constants of one value, or the same operations on the same params? */
bool expr_same_size(const struct expr *a, const struct expr *b);
/* Are the roots of "a" and "b" the same, whatever they are applied to or read? */
bool expr_same_node(const struct expr *a, const struct expr *b);
/* Are they the same trees, whatever reads in them read? */
bool expr_same(const struct expr *a, const struct expr *b);
/* Is "e" a real x / sqrt(y)? */
bool expr_is_over_root(const struct expr *e);
/* Is "e" a 1? */
bool expr_is_one(const struct expr *e);

/* Operations for which GPUs have no exact instruction, but approximations. */
enum root {
	ROOT_NONE,
	ROOT_SQUARE,		/* sqrt(x) */
	ROOT_OVER,		/* x / sqrt(y) */
	ROOT_QUOTIENT,		/* x / y */
	ROOT_BY_NUMBER,		/* x / 3 */
	N_ROOTS
};

/* Which of them "e" is; of reals only. */
enum root expr_root(const struct expr *e);
/* Of a ROOT_BY_NUMBER: 1 / number, rounded to the type of "e". */
double expr_by_number(const struct expr *e);
/* Call "each" for the expressions of computing "s", one that stands at two
 * places of the tree once; leaves at each place.
 */
void stmt_each_expr(const struct stmt *s,
	void (*each)(void *user, const struct expr *e), void *user);
/* Likewise for the values of boundaries of the fields that it reads. */
void stmt_each_boundary_expr(const struct stmt *s,
	void (*each)(void *user, const struct expr *e), void *user);
/* Call "each" for the expressions of what is done at the points of lists of "s": values,
 * subscripts and places.
 */
void stmt_each_listed_expr(const struct stmt *s,
	void (*each)(void *user, const struct expr *e), void *user);
/* Does "s" record all that it computes, of some steps? */
bool stmt_records_all(const struct stmt *s);
/* .. or at the points of a list? */
bool stmt_records(const struct stmt *s);
/* The program's list "l" has so many cells around a point; on the grid 1. */
int list_corners(const struct list *l);
/* Does it read elements of inputs, some subscript without an index? */
bool stmt_reads_elements(const struct stmt *s);
/* What decides where "s" is computed: its reads, then those of its elements that may lie
 * beyond their input; of these "dim" is -1 where nothing is asked.
 */
int stmt_n_asked(const struct stmt *s);
const struct access *stmt_asked(const struct stmt *s, int i);
/* Floating-point operations of computing "s" at a point; a let and an
 * expression that stands at two places of the tree count once.
 */
int stmt_flops(const struct stmt *s);
/* The shortest literal of "type" with the exact value, as 0.1f. */
void ir_print_real(struct text *t, enum type type, double value);
/* Print as .stn text that parses to the same program. */
void ir_print_expr(struct text *t, const struct expr *e);
void ir_print(struct text *t, const struct program *p);
/* "s" where "condition", a part of its value of which expr_is_condition holds,
 * is "holds": a condition more, and what it decides is decided.
 */
struct stmt *stmt_where(struct region *r, const struct stmt *s,
	const struct expr *condition, bool holds);
/* "p" with values that share more with those of neighbouring points: the same
 * in exact arithmetic, other in their last bits.  Integers are left as they
 * are.
 */
const struct program *ir_reassociate(struct region *r,
	const struct program *p);
/* NULL, or what is wrong with "p": a broken invariant of this header. */
const char *ir_verify(struct region *r, const struct program *p);

#endif
