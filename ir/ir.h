/* ir: the program as the compiler sees it, whatever language it came from:
 * fields, statements, their domains and accesses, expression trees.
 *
 * Values are single-assignment: a state A has one value A[t][x] for each time
 * step t and point x, and "access.version" gives the step relative to the
 * statement's own: 0 is A[t], 1 is A[t+1], -1 is A[t-1].
 *
 * Time is normalised: instances run over 0 <= t < steps, whatever the bounds in
 * the program; where an expression means the user's own t, it is EXPR_TIME,
 * which is this t plus "begin".
 */
#ifndef STENCILC_IR_H
#define STENCILC_IR_H

#include "ir/boundary.h"
#include "ir/listed.h"


struct reduction;
struct segments;
struct sweep_waves;

/* A parameter that the caller passes at run time, or one fixed at compile time. */
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
				 * steps write it, none reads it */
};

struct field {
	const char *name;
	enum field_kind kind;
	enum type type;
	int n_dims;
	const struct expr *size[IR_MAX_DIMS];	/* affine in the int params */
	struct boundary boundary[IR_MAX_DIMS][SIDES];	/* periodic: at both */
	int depth;		/* of a state, at least 1: the steps kept;
				 * A[t+1-depth] is the oldest value read by a
				 * statement, or by a reduction when t is the
				 * step after */
	int passed;		/* .. of which the caller passes the newest */
	bool is_result;		/* a series of results of reductions; .. */
	bool is_scalar;		/* .. of one element, its newest value */
	bool is_of_ranks;	/* .. in the program of a block, which has none */
	bool is_hidden;		/* a temp of a time loop: a state that the
				 * caller does not see; only the step that
				 * computes version t+1 reads it */
	const struct field *whole;	/* NULL, or the argument, no field of
					 * the program, of which it is .. */
	int part;		/* .. this component: a grid behind the other, .. */
	int lane, n_lanes;	/* .. and this number of its cells, which have so
				 * many; 0: one.  A complex one has 2 */
	const struct list *made_of;	/* NULL, or what this input is made of */
	bool is_listed;		/* only lists of points use it: even if it has
				 * no cells, its statement has points */
	int index;		/* position in program.fields */
	struct span at;
};

/* Do reads beyond one end of dimension "d" find their cell at the other end? */
bool field_goes_around(const struct field *f, int d);
/* Is it a temp, of a time loop or not? */
bool field_is_temp(const struct field *f);
/* How many copies of its cells a caller passes: "depth" steps of a state. */
int field_copies(const struct field *f);
/* Is it an argument of the generated function, or a component of one? */
bool field_is_argument(const struct field *f);

/* The cell that a statement instance at point x reads or writes:
 * field[version][(stride[0]*x[dim[0]] + offset[0]) / divisor[0]][(stride[1]*x[dim[1]] + ..]..
 * where quotients are rounded down, even negative ones.
 */
struct access {
	const struct field *field;
	int version;			/* 0 unless the field is a state */
	int dim[IR_MAX_DIMS];		/* iteration dimension, -1: none */
	int64_t stride[IR_MAX_DIMS];	/* at least 1; of a write 1 */
	int64_t offset[IR_MAX_DIMS];
	int64_t divisor[IR_MAX_DIMS];	/* likewise */
	const char *const *iterator;	/* the names of the dimensions and .. */
	const char *time_name;		/* .. of the time, to print it; or NULL */
	struct span at;
};

/* Does "a" skip cells along its dimension "d", as A[2*i], or read each for several points, as
 * A[i/2]?
 */
bool access_strides_along(const struct access *a, int d);
/* Along any? */
bool access_strides(const struct access *a);
/* Does each dimension of the field have the point's index of the same number,
 * plus a constant?
 */
bool access_is_in_order(const struct access *a);
/* Is it the cell of the point itself, at each point of "n_dims" coordinates? */
bool access_is_at_point(const struct access *a, int n_dims);
/* Are subscript "d" of "a" and "e" of "b" the same number at each point? */
bool access_same_along(const struct access *a, int d, const struct access *b,
	int e);
/* The bound that stride*x + offset stays below where the cell of "a" is below the size of its
 * dimension "d".
 */
const struct expr *access_end(struct region *r, const struct access *a, int d);
/* The least index at which the cell of "a" along its dimension "d" is at least "cell". */
int64_t access_first(const struct access *a, int d, int64_t cell);

/* let name = value; evaluated at the point, before the statement. */
struct local {
	const char *name;
	const struct expr *value;
	const struct local *next;	/* in order of evaluation */
};

/* write = value, at every point of the field written where each condition
 * holds, each read of a field with a fixed boundary lies in the grid, and each
 * element with an index in its input.  As the front ends produce it, a read
 * does not count at points where conditions decide that the value is another
 * one; see program_divide_choices of schedule.
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
	int n_ends;			/* as the front ends produce it: how
					 * many of them, the last ones, say
					 * where reads of another part of a
					 * complex number lie in the grid */
	int n_reads;
	const struct access **read;	/* all reads in value and locals, each
					 * once */
	int n_elements;
	const struct access **element;	/* the elements among them that may lie
					 * beyond their input by an index, in
					 * dimensions that have one here; such
					 * points are not computed either */
	bool is_joined;			/* the front end made it of several
					 * statements; what its points decide,
					 * and .. */
	bool is_rest;			/* .. whether it has any, where others
					 * leave points to it, schedule finds
					 * out */
	bool sweeps;			/* its points run one after the other,
					 * in lexicographic order; each reads
					 * the t+1 values written before it */
	int n_listed;			/* what follows at points of lists, in
					 * this order */
	const struct listed **listed;
	const struct needed_points *needed;	/* for a block's statement, see
						 * blocks.h, or NULL */
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
	int n_args;			/* arguments of the generated function */
	struct argument {		/* exactly one of the two is set */
		const struct param *param;
		const struct field *field;
	} *arg;				/* in the order declared; without fixed
					 * params and temps */
	int n_assumes;
	const struct expr **assume;
	bool is_within;			/* callers keep reads in inputs */
	bool timed;			/* has an iterate; else one step, 0 .. 1 */
	bool reassociated;		/* real arithmetic may be inexact */
	bool fast_roots;		/* and so may roots and divisions */
	const char *time_name;		/* "t" */
	const struct expr *begin, *end;	/* of the time range; int, affine */
	struct {
		int n_reductions;
		const struct reduction **reduction;	/* in the order written */
		const struct expr *until;	/* NULL, or the condition that
						 * ends the loop after a step
						 * with all its results; their
						 * elements */
		const struct field *steps;	/* done; NULL: no "until" */
	};
	struct {
		const struct segments *segments;	/* NULL: one */
		const struct sweep_waves *waves;	/* NULL: the time is the
						 * program's own */
	};
	struct span at;
};

/* Does the program use "name" for a param, field, let or index, or a number of a list? */
bool program_has_name(const struct program *p, const char *name);
/* Does a let or an index of "s" have this name? */
bool stmt_has_name(const struct stmt *s, const char *name);
/* .. apart from these? */
bool program_declares(const struct program *p, const char *name);
/* Does a field have cells of fewer than four bytes? */
bool program_has_short_cells(const struct program *p);
/* The constant value of an integer expression, if it has one.  A division by
 * zero, and a value that does not fit 64 bits, have none.
 */
bool expr_constant(const struct expr *e, int64_t *value);
bool expr_uses(const struct expr *e, const struct param *param);
/* NULL, or the part of the number "e" that is not a sum of indices, time and
 * int parameters with constant factors; "quasi" allows a quotient and a
 * remainder of such a sum by a positive constant.
 */
const struct expr *expr_not_affine(const struct expr *e, bool quasi);
/* Could "e", with lets replaced by their values, be the condition of an "on"? */
bool expr_is_condition(const struct expr *e);
/* Are two sizes the same constant, or the same operations on the same params? */
bool expr_same_size(const struct expr *a, const struct expr *b);
/* Do "a" and "b" have the same root, whatever they apply to or read? */
bool expr_same_node(const struct expr *a, const struct expr *b);
/* Are the trees equal, whatever their reads are? */
bool expr_same(const struct expr *a, const struct expr *b);
/* Is "e" a real x / sqrt(y)? */
bool expr_is_over_root(const struct expr *e);
/* Is "e" a 1? */
bool expr_is_one(const struct expr *e);

/* Operations that GPUs approximate, without an exact instruction. */
enum root {
	ROOT_NONE,
	ROOT_SQUARE,		/* sqrt(x) */
	ROOT_OVER,		/* x / sqrt(y) */
	ROOT_QUOTIENT,		/* x / y */
	ROOT_BY_NUMBER,		/* x / 3 */
	N_ROOTS
};

/* Which of these operations "e" is; for reals only. */
enum root expr_root(const struct expr *e);
/* For a ROOT_BY_NUMBER: 1 / number, rounded to the type of "e". */
double expr_by_number(const struct expr *e);
/* Call "each" for the expressions that compute "s": once for one that stands at
 * two places of the tree, but for leaves at each place.
 */
void stmt_each_expr(const struct stmt *s,
	void (*each)(void *user, const struct expr *e), void *user);
/* Likewise for boundary values of the fields that it reads. */
void stmt_each_boundary_expr(const struct stmt *s,
	void (*each)(void *user, const struct expr *e), void *user);
/* Call "each" for the expressions of what "s" does at points of lists: values, subscripts and
 * places.
 */
void stmt_each_listed_expr(const struct stmt *s,
	void (*each)(void *user, const struct expr *e), void *user);
/* Does it read elements of inputs with some subscript that has no index? */
bool stmt_reads_elements(const struct stmt *s);
/* Access "j" that decides where "s" is computed: its reads, then its elements that may lie
 * beyond their input; "dim" is -1 where an element's dimension does not matter.
 */
int stmt_n_asked(const struct stmt *s);
const struct access *stmt_asked(const struct stmt *s, int i);
/* Floating-point operations for computing "s" at a point; a let, and an
 * expression that stands at two places of the tree, count once.
 */
int stmt_flops(const struct stmt *s);
/* The shortest literal of "type" with the exact value, as 0.1f. */
void ir_print_real(struct text *t, enum type type, double value);
/* Print as .stn text that parses to the same program. */
void ir_print_expr(struct text *t, const struct expr *e);
void ir_print(struct text *t, const struct program *p);
/* "s" where "condition", a part of its value that satisfies expr_is_condition,
 * "holds": with the condition added, and what it decides decided.
 */
struct stmt *stmt_where(struct region *r, const struct stmt *s,
	const struct expr *condition, bool holds);
/* "p" with values that share more with those of neighbouring points: equal in
 * exact arithmetic, different in their last bits.  Integers stay as they are.
 */
const struct program *ir_reassociate(struct region *r,
	const struct program *p);
/* NULL, or which invariant of this header "p" breaks. */
const char *ir_verify(struct region *r, const struct program *p);

#endif
