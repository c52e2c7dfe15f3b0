/* Expressions: trees of the program's operations on numbers. */
#ifndef STENCILC_EXPR_H
#define STENCILC_EXPR_H

#include "base/base.h"

struct access;
struct field;
struct local;
struct param;

/* Types of values and fields, see ir/types.def, in the order in which C converts one operand to
 * the type of the other.  Types follow C: a comparison is an int.
 */
enum type {
#define TYPE(id, name, word, size, is_integer, value) id,
#include "ir/types.def"
#undef TYPE
	TYPES
};

const char *type_name(enum type t);	/* "unsigned char" */
const char *type_word(enum type t);	/* in emitted files: "uint8_t" */
int type_size(enum type t);		/* bytes */
bool type_is_integer(enum type t);
/* The type for computing with values stored as "t". */
enum type type_promoted(enum type t);

enum { EXPR_MAX_ARGS = 8 };	/* of an element: IR_MAX_DIMS */

enum expr_kind {
	EXPR_INT,		/* a literal, of type int */
	EXPR_REAL,		/* a literal, float or double */
	EXPR_PARAM,
	EXPR_INDEX,		/* the point's coordinate in a dimension */
	EXPR_TIME,		/* the user's time variable */
	EXPR_READ,
	EXPR_LOCAL,		/* the value of a let */
	EXPR_UNARY,
	EXPR_BINARY,
	EXPR_SELECT,		/* arg[0] ? arg[1] : arg[2] */
	EXPR_CALL,
	EXPR_CAST,		/* of arg[0] to .type */
	EXPR_ELEMENT,		/* of an input: field[arg[0]][arg[1]].., with
				 * subscripts that are ints of the time and of
				 * parameters, the same for all points of a
				 * step, or an index with a factor and an
				 * offset.  At the points of a list they may use
				 * its number */
	EXPR_NUMBER,		/* of the point in its list, see struct listed */
	EXPR_OWN,		/* the point's value so far, there */
	EXPR_COMPLEX,		/* only while a front end lowers: of the real part
				 * arg[0] and the imaginary one, arg[1], either of
				 * which may be NULL */
};

/* Operators and functions, from ops.def.
 *
 * The functions follow <tgmath.h>: a call has type float if all its arguments
 * are float, and double otherwise; an int counts as double. sqrt of a float is
 * thus C's sqrtf.
 */
enum op {
#define OP(id, arity, spelling, precedence, cost) id,
#define FUNCTION1(id, name, cost, special) id,
#define FUNCTION2(id, name, cost, special) id,
#define FUNCTION3(id, name, cost, special) id,
#include "ir/ops.def"
	OP_COUNT
};

struct op_info {
	int arity;
	const char *spelling;	/* "+", "sqrt" */
	int precedence;		/* C's, higher binds tighter; 0: a function */
	int cost;		/* floating-point operations that it counts for */
	int special;		/* exponentials that a function takes as long as on a GPU */
};

const struct op_info *op_info(enum op op);

/* The names of all functions, each after a space. */
extern const char op_functions[];

/* Is "name" a function, "op", or C's spelling of one for float arguments, "single"? */
bool op_find_function(const char *name, enum op *op, bool *single);

/* Is "op" a function that takes a GPU an instruction or two? */
bool op_is_short_function(enum op op);
/* Is it fmin or fmax? */
bool op_is_extreme(enum op op);

struct expr {
	enum expr_kind kind;
	enum type type;		/* of the value, by C's rules */
	enum op op;		/* EXPR_UNARY, EXPR_BINARY, EXPR_CALL */
	int n_args;
	const struct expr *arg[EXPR_MAX_ARGS];
	int64_t ivalue;		/* EXPR_INT */
	double rvalue;		/* EXPR_REAL, already rounded to .type */
	const char *spelling;	/* the text of a literal, or NULL; the name of
				 * an index or the time */
	int dim;		/* EXPR_INDEX */
	const struct param *param;	/* EXPR_PARAM */
	const struct access *access;	/* EXPR_READ; for an EXPR_ELEMENT its
					 * entry in stmt.element, or NULL */
	const struct field *field;	/* EXPR_ELEMENT */
	const struct local *local;	/* EXPR_LOCAL */
	unsigned nodes, depth;	/* of the tree, 1 for a leaf */
	struct span at;
};

/* Literals are not negative: -1 is the negation of 1.  Operands are not
 * converted, C does that; arguments of a call have its type, by a cast if the
 * program has none.
 */

/* Constructors; they derive the type, "nodes" and "depth" from the arguments. */
const struct expr *expr_int(struct region *r, int64_t value, struct span at);
const struct expr *expr_param(struct region *r, const struct param *param,
	struct span at);
const struct expr *expr_real(struct region *r, enum type type, double value,
	struct span at);
const struct expr *expr_unary(struct region *r, enum op op,
	const struct expr *arg, struct span at);
const struct expr *expr_binary(struct region *r, enum op op,
	const struct expr *left, const struct expr *right, struct span at);
/* "factor" > 0 times "e". */
const struct expr *expr_times(struct region *r, int64_t factor,
	const struct expr *e);
const struct expr *expr_select(struct region *r, const struct expr *condition,
	const struct expr *then, const struct expr *otherwise, struct span at);
/* A call with its arguments converted to "type". */
const struct expr *expr_call(struct region *r, enum op op, enum type type,
	int n_args, const struct expr *const *arg, struct span at);
/* The element of the input "f" at "arg", a subscript for each of its dimensions; subscripts
 * with an index lie in it where "inside", or NULL, holds.
 */
const struct expr *expr_element(struct region *r, const struct field *f,
	const struct expr *const *arg, const struct access *inside,
	struct span at);
/* The operation "e" with other operands; not for elements. */
const struct expr *expr_with_args(struct region *r, const struct expr *e,
	const struct expr *const *arg);
/* "arg" as a value of "type": "arg" itself if it is one. */
const struct expr *expr_cast(struct region *r, enum type type,
	const struct expr *arg, struct span at);
/* "arg", of a type that fields may have, as a value to compute with. */
const struct expr *expr_promoted(struct region *r, const struct expr *arg);
/* "arg", a value to compute with, as a value stored with "type": in conversions with one
 * defined result each, whatever "arg" is.
 */
const struct expr *expr_stored(struct region *r, enum type type,
	const struct expr *arg, struct span at);
/* A leaf of another kind, for the caller to fill in. */
struct expr *expr_leaf(struct region *r, enum expr_kind kind, enum type type,
	struct span at);

/* C's usual arithmetic conversion. */
enum type type_common(enum type a, enum type b);
/* a op b as C computes it, with all bits of the result; false: there is no value. */
bool op_on_integers(enum op op, int64_t a, int64_t b, int64_t *value);
/* Do both operands have known values, of < to !=? Then *value is 0 or 1. */
bool op_compare(enum op op, int64_t a, int64_t b, int64_t *value);
bool op_is_comparison(enum op op);	/* or logical: yields 0 or 1 */
bool op_is_of_bits(enum op op);		/* for integers only, such as shifts */
bool op_is_shift(enum op op);
/* Does "is" hold for any node of "e"?  Lets are not opened. */
bool expr_any(const struct expr *e, bool (*is)(const struct expr *e));
/* Does the first operand of "e", a choice, && or ||, decide which others are evaluated? */
bool expr_decides(const struct expr *e);
/* Does such an expression evaluate operand "i" > 0 if the first one holds, not if it fails? */
bool expr_wants(const struct expr *e, int i);
/* Is "e" a coordinate of the point? */
bool expr_is_index(const struct expr *e);
/* Is it the time? */
bool expr_is_time(const struct expr *e);
/* Is "e" a read of a field? */
bool expr_is_read(const struct expr *e);

#endif
