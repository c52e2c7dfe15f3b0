/* Complex values: pairs of real expressions until statements, lets and arguments take them apart. */
#ifndef STENCILC_COMPLEX_H
#define STENCILC_COMPLEX_H

#include "frontend/lower.h"

enum { PARTS = 2 };	/* real and imaginary */

/* expr.c: the value of "e" in "c", real or complex; NULL after a diagnostic. */
const struct expr *lower_any(struct context *c, struct ast_expr *e);

/* complex.c ----------------------------------------------------------------*/

bool is_complex(const struct expr *e);
/* Part "i" of "e"; NULL: it has none, as a real number, or none that "c" wants. */
const struct expr *complex_part(const struct expr *e, int i);
/* The same, 0 for a part that it lacks. */
const struct expr *part_or_zero(struct context *c, const struct expr *e, int i);
/* Does "c" want part "i"? */
bool wants_part(const struct context *c, int i);
/* The complex number of these parts, either of which may be NULL. */
const struct expr *complex_of(struct context *c, const struct expr *const *part,
	struct span at);
/* What "c" wants of an operand for that of 1i times it. */
enum wanted wanted_turned(enum wanted wanted);
/* Could "e" be complex, as far as its text tells? */
bool may_be_complex(const struct context *c, const struct ast_expr *e);
/* Is it a number times i, or such a number times a real one? */
bool is_imaginary(const struct context *c, const struct ast_expr *e);
/* Report that "e" is complex where a real number is needed; NULL. */
const struct expr *refuse_complex(struct context *c, struct ast_expr *e,
	const struct expr *value);

/* The language's functions of complex numbers. */
enum complex_function {
	FUNCTION_REAL, FUNCTION_IMAG, FUNCTION_CONJ, FUNCTION_ABS,
	FUNCTION_NORM, FUNCTION_COMPLEX, FUNCTION_EXP, NO_FUNCTION
};

/* The one called "name", as here or in C. */
enum complex_function find_complex_function(const char *name);

/* arithmetic.c -------------------------------------------------------------*/

/* a op b of real numbers; NULL after a diagnostic. */
typedef const struct expr *real_operation(struct context *c, struct ast_expr *e,
	enum op op, const struct expr *a, const struct expr *b);

/* a op b, one of them complex, by operations of their parts. */
const struct expr *complex_binary(struct context *c, struct ast_expr *e,
	enum op op, const struct expr *a, const struct expr *b,
	real_operation *real);
const struct expr *complex_unary(struct context *c, struct ast_expr *e,
	const struct expr *a);
const struct expr *complex_select(struct context *c, struct ast_expr *e,
	const struct expr *condition, const struct expr *a,
	const struct expr *b);
/* "a" with parts of "type". */
const struct expr *complex_cast(struct context *c, struct ast_expr *e,
	enum type type, const struct expr *a);
/* The function "op" of "a", which is complex. */
const struct expr *complex_call(struct context *c, struct ast_expr *e,
	enum op op, const struct expr *a, real_operation *real);
const struct expr *complex_conjugate(struct context *c, struct ast_expr *e,
	const struct expr *a);
/* |a|, the "root", or its square */
const struct expr *complex_magnitude(struct context *c, struct ast_expr *e,
	const struct expr *a, bool root, real_operation *real);

/* expr.c: the operation of the program's text. */
real_operation real_binary;

/* functions.c: is "e" a call of a function of complex numbers, or at points around?  Its value
 * then; NULL after a diagnostic.
 */
bool lower_known_call(struct context *c, struct ast_expr *e,
	const struct expr **value);

/* divide.c -----------------------------------------------------------------*/

/* "item" for part "i": its value is that part of the program's. */
struct ast_item *part_of_item(struct lower *l, const struct ast_item *item,
	int i);
/* Make two parameters or constants of each complex one. */
void divide_numbers(struct lower *l);
/* Make two fields of each complex one, and two statements of what writes it. */
void divide_fields(struct lower *l);
/* Drop lets and reads of "s" that only parts of complex values had that nothing uses. */
void drop_unused(struct lower *l, struct stmt *s);

/* ends.c: compute both parts of a complex number at the same points; .. of all that are written. */
void join_ends(struct lower *l, struct stmt *a, struct stmt *b);
void join_all_ends(struct lower *l);

/* other.c: the value, so far, of the part that "s" does not compute, where "u" changes both; NULL:
 * it has none, after a diagnostic.
 */
const struct expr *other_so_far(struct lower *l, struct statement *s,
	const struct update *u);

/* before.c: in a program with sweeps, keep real parts for the imaginary ones computed after them. */
void keep_real_parts(struct lower *l);

#endif
