/* Expressions: trees of the program's operations on numbers. */
#ifndef STENCILC_EXPR_H
#define STENCILC_EXPR_H

#include "base/base.h"

struct access;
struct field;
struct local;
struct param;

/* Types of values and fields, see ir/types.def, in the order in which C converts one
 * operand to the type of the other.  Types are C's: a comparison is an int.
 */
enum type {
#define TYPE(id, name, word, size, is_integer, value) id,
#include "ir/types.def"
#undef TYPE
	TYPES
};

const char *type_name(enum type t);	/* "unsigned char" */
const char *type_word(enum type t);	/* as files that are made have it: "uint8_t" */
int type_size(enum type t);		/* bytes */
bool type_is_integer(enum type t);
/* The type with which values are computed that are stored as "t". */
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
	EXPR_ELEMENT,		/* of an input: field[arg[0]][arg[1]].., ints
				 * of the time and of parameters, the same for
				 * all points of a step, or an index with a
				 * factor and an offset; of what is done at the
				 * points of a list also its number */
	EXPR_NUMBER,		/* of the point in its list, see struct listed */
	EXPR_OWN,		/* the value that the point has so far, there */
};

/* Operators and functions, from ops.def.
 *
 * The functions are those of <tgmath.h>: the type of a call is float if all
 * its arguments are float and double otherwise, an int counting as double.
 * sqrt of a float is thus C's sqrtf.
 */
enum op {
#define OP(id, arity, spelling, precedence, cost) id,
#include "ir/ops.def"
#undef OP
	OP_COUNT
};

struct op_info {
	int arity;
	const char *spelling;	/* "+", "sqrt" */
	int precedence;		/* C's, higher binds tighter; 0: a function */
	int cost;		/* floating-point operations it counts for */
};

const struct op_info *op_info(enum op op);

struct expr {
	enum expr_kind kind;
	enum type type;		/* of the value, by C's rules */
	enum op op;		/* EXPR_UNARY, EXPR_BINARY, EXPR_CALL */
	int n_args;
	const struct expr *arg[EXPR_MAX_ARGS];
	int64_t ivalue;		/* EXPR_INT */
	double rvalue;		/* EXPR_REAL, already rounded to .type */
	const char *spelling;	/* of a literal as written, or NULL; the name
				 * of an index or the time */
	int dim;		/* EXPR_INDEX */
	const struct param *param;	/* EXPR_PARAM */
	const struct access *access;	/* EXPR_READ; of an EXPR_ELEMENT the
					 * one of stmt.element, or NULL */
	const struct field *field;	/* EXPR_ELEMENT */
	const struct local *local;	/* EXPR_LOCAL */
	unsigned nodes, depth;	/* of the tree, 1 for a leaf */
	struct span at;
};

/* Literals are not negative: -1 is the negation of 1.  Operands are not
 * converted, C does it; arguments of a call have its type, by a cast where
 * the program has none.
 */

/* New expressions; the type follows from the arguments, "nodes" and "depth"
 * too.
 */
const struct expr *expr_int(struct region *r, int64_t value, struct span at);
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
/* A call whose arguments are converted to "type". */
const struct expr *expr_call(struct region *r, enum op op, enum type type,
	int n_args, const struct expr *const *arg, struct span at);
/* The element of the input "f" at "arg", one subscript for each of its dimensions, of
 * which those with an index lie in it where "inside", or NULL, does.
 */
const struct expr *expr_element(struct region *r, const struct field *f,
	const struct expr *const *arg, const struct access *inside,
	struct span at);
/* The operation "e" of other operands; an element not. */
const struct expr *expr_with_args(struct region *r, const struct expr *e,
	const struct expr *const *arg);
/* "arg" as a value of "type": "arg" itself if it is one. */
const struct expr *expr_cast(struct region *r, enum type type,
	const struct expr *arg, struct span at);
/* "arg", of a type that fields may have, as a value to compute with. */
const struct expr *expr_promoted(struct region *r, const struct expr *arg);
/* "arg", a value to compute with, as what is stored with "type": in steps that each have
 * one result, whatever "arg" is.
 */
const struct expr *expr_stored(struct region *r, enum type type,
	const struct expr *arg, struct span at);
/* A leaf of another kind, for the caller to fill. */
struct expr *expr_leaf(struct region *r, enum expr_kind kind, enum type type,
	struct span at);

/* C's usual arithmetic conversion. */
enum type type_common(enum type a, enum type b);
/* Is it one of two numbers, < to !=?  *value is then 0 or 1. */
bool op_compare(enum op op, int64_t a, int64_t b, int64_t *value);
bool op_is_comparison(enum op op);	/* or logical: yields 0 or 1 */
bool op_is_of_bits(enum op op);		/* of integers alone, shifts among them */
bool op_is_shift(enum op op);
/* Is any node of "e" what "is" asks for?  Lets are not opened. */
bool expr_any(const struct expr *e, bool (*is)(const struct expr *e));
/* Does the first operand of "e", a choice, && or ||, decide which others are computed? */
bool expr_decides(const struct expr *e);
/* Is operand "i" > 0 of such an expression computed where the first one holds, not where
 * it fails?
 */
bool expr_wants(const struct expr *e, int i);
/* Is "e" a coordinate of the point? */
bool expr_is_index(const struct expr *e);
/* Is "e" a read of a field? */
bool expr_is_read(const struct expr *e);

#endif
