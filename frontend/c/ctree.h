/* A region of a C file as a small tree, without libclang's types.  What the
 * tree has no node for is a "bad" one that says what it is: whether it matters
 * is for its reader to say.
 */
#ifndef STENCILC_CTREE_H
#define STENCILC_CTREE_H

#include "frontend/c/cfront.h"
#include "ir/ir.h"

enum { C_MAX_DIMS = IR_MAX_DIMS + 1 };		/* the time is one */

/* Types of values: C_LONG is any signed one larger than int; those from C_CHAR to C_BOOL are int
 * in expressions; pointers and structs are C_OTHER.
 */
enum c_type {
	C_INT, C_FLOAT, C_DOUBLE, C_LONG, C_UINT, C_ULONG,
	C_CHAR, C_UCHAR, C_SHORT, C_USHORT, C_BOOL, C_OTHER
};

static inline bool is_narrow(enum c_type type)
{
	return type >= C_CHAR && type <= C_BOOL;
}

/* Has the type values that wrap? */
static inline bool is_unsigned(enum c_type type)
{
	return type == C_UINT || type == C_ULONG;
}

/* Has it values that int does not have? */
static inline bool is_beyond_int(enum c_type type)
{
	return type == C_LONG || is_unsigned(type);
}

static inline bool is_integer(enum c_type type)
{
	return type == C_INT || is_beyond_int(type) || is_narrow(type);
}

/* Operators: those of ir.h, and others of C. */
enum {
	C_OP_ADDRESS = OP_COUNT,	/* of an element or a variable */
	C_OP_NONE
};

struct c_expr;

/* A variable, an array or what a pointer points to. */
struct c_decl {
	const char *name;
	struct span at;		/* of its name; empty if in a header */
	enum c_type type;	/* of the variable, or of an element */
	const char *type_name;	/* as declared, of an element */
	int n_dims;		/* subscripts that it takes */
	struct c_expr *size[C_MAX_DIMS];	/* NULL: not declared */
	bool is_pointer;	/* its first dimension is behind a pointer */
	bool is_decayed;	/* a parameter written as an array: a pointer */
	bool has_rows;		/* further pointers: no array of C */
	bool is_restrict, is_volatile, is_global;
	bool is_const;		/* an element cannot be written */
	bool is_allocated;	/* initialised by malloc or calloc */
	bool is_inside;		/* declared in a region */
	bool is_known;		/* a constant: */
	int64_t value;
	double real;
	const struct c_expr *quotient;	/* no variable of C: n / 2, resolved */
	unsigned first, last;	/* offsets of its uses in the function, those
				 * in regions apart; last is 0: none */
	const struct c_member *member;	/* of a struct; NULL: it is none */
	struct c_decl *members;		/* of it, so far */
	struct c_decl *next;		/* another member of one */
};

/* Where a member of a struct is: "s.n", "p->n", or n of each element of an array,
 * "a[i].n".
 */
struct c_member {
	struct c_decl *of;
	const char *field;
	const char *spelling;	/* in C, as a name; of an array that of it */
	bool is_behind;		/* of what a pointer points to */
	bool is_each;		/* of each element */
	int at, size;		/* bytes, in a struct of so many */
	const struct c_decl *like;	/* a variable of its type */
};

/* Is "d" an array whose elements are its own? */
static inline bool c_is_own_array(const struct c_decl *d)
{
	return d->n_dims && !d->is_pointer && !d->is_decayed && !d->member;
}

/* The name of "d" in C. */
static inline const char *c_name(const struct c_decl *d)
{
	return d->member ? d->member->spelling : d->name;
}

enum c_kind {
	CX_INT, CX_REAL, CX_VAR, CX_ELEMENT, CX_UNARY, CX_BINARY, CX_SELECT,
	CX_CALL, CX_CAST, CX_BAD,
	CX_LIST,		/* { a, b }, what an array begins with */
	CX_TEMP,		/* the value of a scalar, once resolved */
};

struct c_expr {
	enum c_kind kind;
	enum c_type type;	/* of the value; CX_CAST: converted to */
	int op;			/* enum op or C_OP_.. */
	int64_t value;
	double real;
	struct c_decl *decl;	/* CX_VAR, CX_ELEMENT */
	const char *name;	/* CX_CALL; CX_BAD: what it is */
	const struct c_function *function;	/* CX_CALL, of these files */
	const char *why;	/* CX_CALL: .. it has not been inlined */
	int n_args;		/* subscripts of CX_ELEMENT */
	struct c_access *access;	/* CX_ELEMENT, once resolved */
	struct c_temp *temp;		/* CX_TEMP */
	struct c_expr **arg;
	struct span at;
};

/* ctree.c: new nodes, without an operator unless one is named */

struct c_expr *c_leaf(struct region *mem, enum c_kind kind, enum c_type type,
	struct span at);
struct c_expr *c_variable(struct region *mem, const struct c_decl *d,
	enum c_type type, struct span at);
struct c_expr *c_node(struct region *mem, enum c_kind kind, enum c_type type,
	int n_args, struct c_expr *const *arg, struct span at);
struct c_expr *c_binary(struct region *mem, int op, enum c_type type,
	struct c_expr *a, struct c_expr *b, struct span at);
/* "value" as it is once it is in a variable of "type". */
struct c_expr *c_converted(struct region *mem, struct c_expr *value,
	enum c_type type);
/* A member like "m" of "base" itself, of what it points to or of each element. */
struct c_decl *c_member_of(struct region *mem, struct c_decl *base,
	const struct c_member *m, bool is_behind, bool is_each);
/* Is "d" a member of what is used as one struct and as an array of these? */
bool c_mixes_members(const struct c_decl *d);
/* Are "a" and "b" written alike? */
bool c_same(const struct c_expr *a, const struct c_expr *b);
/* The type of the language; C_OTHER is none. */
enum type c_stored_type(enum c_type type);
/* As a cast has it. */
const char *c_type_word(enum c_type type);
/* The type of cells of a field as C has them. */
const char *c_type_of_field(const struct c_decl *d);
/* The type of both operands once they are converted for an operator. */
enum c_type c_common_type(enum c_type a, enum c_type b);
/* Is "op" one of < <= > >= == !=? */
bool c_op_compares(int op);

enum c_stmt_kind {
	CS_FOR, CS_IF, CS_BLOCK, CS_ASSIGN, CS_DECLARE, CS_EMPTY, CS_BAD,
	CS_CALL, CS_RETURN,	/* of "value"; CS_RETURN: or of none */
	CS_BREAK,
	CS_PAST,		/* "past" was executed by another part */
};

struct c_stmt {
	enum c_stmt_kind kind;
	struct span at;
	/* CS_FOR: for (var = value; var RELATION bound; var += step) body;
	 *	it ends after an iteration at whose end "condition" holds, if any
	 * CS_DECLARE: decl = value, or no value
	 */
	struct c_decl *decl;
	struct c_expr *target, *value, *bound;
	int op;			/* CS_FOR: the relation; CS_ASSIGN: of "+=",
				 * C_OP_NONE: "=" */
	int64_t step;
	struct c_expr *condition;
	struct c_stmt *body, *otherwise;
	struct span whole;	/* CS_DECLARE: with others in one declaration;
				 * CS_FOR: that of its counter, if in it */
	const char *what;	/* CS_BAD */
	struct c_stmt *past;
	struct c_stmt *next;
};

/* Is it none that a stencil has, whatever surrounds it? */
static inline bool is_no_stencil(const struct c_stmt *s)
{
	return s->kind == CS_BAD || s->kind == CS_CALL ||
		s->kind == CS_RETURN || s->kind == CS_BREAK;
}

/* A function with its body, of the file itself or a header. */
struct c_function {
	const char *name;
	enum c_type type;	/* of what it returns */
	const char *type_name;
	bool is_elsewhere;	/* in a header: places in it mean nothing */
	bool is_block;		/* ({ .. }): it sees the variables around it */
	int n_params;
	struct c_decl **param;
	const struct c_stmt *body;
};

/* From #pragma scop to #pragma endscop. */
struct c_region {
	struct span at;		/* both lines included, without the last \n */
	struct span inside;	/* between them */
	struct span pragma;
	const char *function;	/* around it; NULL: none */
	bool is_looped;		/* in a loop of the function */
	const struct c_region *whole;	/* of which it is a part; NULL: it is none */
	struct c_stmt *body;
	struct c_region *next;
};

/* The regions of "src", without bodies; NULL after a diagnostic. */
struct c_region *regions_find(struct region *mem, struct diags *d,
	const struct source *src);
struct c_macro {
	const char *name;
	struct c_macro *next;
};

/* What matters of a file, the system's headers apart, beside its regions. */
struct c_file {
	struct c_macro *macros;		/* that it defines */
	struct c_macro *given;		/* that options define */
	bool has_restrict_arrays;	/* a parameter "A[restrict n]" */
	bool no_alias;			/* no two pointers point into one array */
	bool on_device;			/* calls copy arrays to one and back */
};

/* Read the translation unit "src" into "regions" and "file".  False after a
 * diagnostic.
 */
bool clang_read(struct region *mem, struct diags *d, const struct source *src,
	const char *const *args, int n_args, struct c_region *regions,
	struct c_file *file);
/* inline.c: put the bodies of functions in place of their calls in "body".  A
 * call that stays says why.
 */
struct c_stmt *inline_calls(struct region *mem, struct c_stmt *body);
/* Warn of the first error that "src" has as C++, "restrict" being a macro for
 * "restrict_as".
 */
void clang_check_cxx(struct region *mem, struct diags *d,
	const struct source *src, const char *const *args, int n_args,
	const char *restrict_as);

/* Polynomials --------------------------------------------------------------
 *
 * Sum of coefficient * product of symbols; a symbol is a variable.
 */
enum { POLY_TERMS = 16, POLY_DEGREE = 4 };

struct poly {
	int n;
	struct poly_term {
		int64_t coefficient;
		int degree;
		const struct c_decl *symbol[POLY_DEGREE];	/* sorted */
	} term[POLY_TERMS];
};

struct poly poly_constant(int64_t value);
struct poly poly_symbol(const struct c_decl *symbol);
/* False if it becomes too large. */
bool poly_add(struct poly *p, const struct poly *q, int64_t factor);
bool poly_multiply(struct poly *p, const struct poly *q);
bool poly_is_constant(const struct poly *p, int64_t *value);
bool poly_equal(const struct poly *p, const struct poly *q);
/* The coefficient of "symbol" alone; "rest" is what does not have it.  False
 * if it occurs in another way.
 */
bool poly_split(const struct poly *p, const struct c_decl *symbol,
	int64_t *coefficient, struct poly *rest);
/* "p" with "value" in place of "symbol". */
bool poly_substitute(struct poly *p, const struct c_decl *symbol,
	const struct poly *value);
bool poly_uses(const struct poly *p, const struct c_decl *symbol);
/* With the names of C. */
void poly_print(struct text *t, const struct poly *p);
/* A term, behind others unless it is the "first": symbols by "name", with "times" between
 * factors.
 */
void poly_print_term(struct text *t, const struct poly_term *term,
	bool first, const char *times, const char *(*name)(const void *user,
		const struct c_decl *symbol), const void *user);

#endif
