/* A region of a C file as a small tree, without libclang's types.  A "bad"
 * node, which names its text, stands for what the tree has no node for: its
 * reader decides whether that matters.
 */
#ifndef STENCILC_CTREE_H
#define STENCILC_CTREE_H

#include "frontend/c/cfront.h"
#include "ir/ir.h"

enum { C_MAX_DIMS = IR_MAX_DIMS + 1 };		/* the time is one */

/* Types of values: C_LONG is any signed type larger than int; C_CHAR to C_BOOL become int in
 * expressions; pointers and structs are C_OTHER.
 */
enum c_type {
	C_INT, C_FLOAT, C_DOUBLE, C_LONG, C_UINT, C_ULONG,
	C_CHAR, C_UCHAR, C_SHORT, C_USHORT, C_BOOL, C_OTHER
};

static inline bool is_narrow(enum c_type type)
{
	return type >= C_CHAR && type <= C_BOOL;
}

/* Do values of the type wrap? */
static inline bool is_unsigned(enum c_type type)
{
	return type == C_UINT || type == C_ULONG;
}

/* Does the type have values that an int does not have? */
static inline bool is_beyond_int(enum c_type type)
{
	return type == C_LONG || is_unsigned(type);
}

static inline bool is_integer(enum c_type type)
{
	return type == C_INT || is_beyond_int(type) || is_narrow(type);
}

/* Operators: those of ir.h, and further ones of C. */
enum {
	C_OP_ADDRESS = OP_COUNT,	/* of an element or a variable */
	C_OP_NONE
};

struct c_expr;

/* A variable, an array, or what a pointer points to. */
struct c_decl {
	const char *name;
	struct span at;		/* place of its name; empty if in a header */
	enum c_type type;	/* of the variable, or of an element */
	const char *type_name;	/* as declared, of an element */
	int n_dims;		/* subscripts that it takes */
	struct c_expr *size[C_MAX_DIMS];	/* NULL: not declared */
	bool is_pointer;	/* its first dimension is a pointer's */
	bool is_decayed;	/* a parameter written as an array: a pointer */
	bool has_rows;		/* more pointers: no array of C */
	bool is_restrict, is_volatile, is_global;
	bool is_const;		/* an element cannot be written */
	bool is_allocated;	/* initialised by malloc or calloc */
	bool is_inside;		/* declared in a region */
	bool is_known;		/* a constant: */
	int64_t value;
	double real;
	const struct c_expr *quotient;	/* no variable of C: n / 2, resolved; if is_inside a part, see split.h */
	const struct c_expr *values;	/* of a constant array, a sum or, for a part that turns back, the neighbour */
	const struct c_member *member;	/* struct that it is a member of; NULL: none */
	struct c_decl *members;		/* members of it, so far */
	struct c_decl *next;		/* another member of one */
};

/* Where a member of a struct lies: "s.n", "p->n", or n of each element of an array, "a[i].n". */
struct c_member {
	struct c_decl *of;
	const char *field;
	const char *spelling;	/* in C, as a name; for an array of structs, the
				 * array's */
	bool is_behind;		/* in what a pointer points to */
	bool is_each;		/* in each element */
	int at, size;		/* byte offset, in a struct of so many bytes */
	const struct c_decl *like;	/* stands for it as a variable of its
					 * type */
};

/* Is "d" an array with elements of its own? */
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
	CX_LIST,		/* { a, b }, initial values of an array */
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
	const struct c_function *function;	/* CX_CALL, to these files'
						 * functions */
	const char *why;	/* CX_CALL: why it was not inlined */
	int n_args;		/* subscripts of CX_ELEMENT */
	struct c_access *access;	/* CX_ELEMENT, once resolved */
	struct c_temp *temp;		/* CX_TEMP */
	struct c_expr **arg;
	struct span at;
};

/* ctree.c: new nodes, without operator unless given */

struct c_expr *c_leaf(struct region *mem, enum c_kind kind, enum c_type type,
	struct span at);
struct c_expr *c_variable(struct region *mem, const struct c_decl *d,
	enum c_type type, struct span at);
struct c_expr *c_node(struct region *mem, enum c_kind kind, enum c_type type,
	int n_args, struct c_expr *const *arg, struct span at);
struct c_expr *c_binary(struct region *mem, int op, enum c_type type,
	struct c_expr *a, struct c_expr *b, struct span at);
/* "value" converted as by storing it in a variable of "type". */
struct c_expr *c_converted(struct region *mem, struct c_expr *value, enum c_type type);
/* A member like "m" of "base" itself, of what it points to, or of each element. */
struct c_decl *c_member_of(struct region *mem, struct c_decl *base,
	const struct c_member *m, bool is_behind, bool is_each);
/* Is "d" a member of something used both as a struct and as an array of structs? */
bool c_mixes_members(const struct c_decl *d);
/* Are "a" and "b" written in the same way? */
bool c_same(const struct c_expr *a, const struct c_expr *b);
/* The type of the language; C_OTHER if there is none. */
enum type c_stored_type(enum c_type type);
/* Are its elements of long long, which C tells apart from int64_t, though both have 64 bits? */
bool c_is_long_long(const struct c_decl *d);
/* As a cast spells it. */
const char *c_type_word(enum c_type type);
/* The type of cells of a field as C has them. */
const char *c_type_of_field(const struct c_decl *d);
/* The type to which an operator converts both operands. */
enum c_type c_common_type(enum c_type a, enum c_type b);
/* Is "op" one of < <= > >= == !=? */
bool c_op_compares(int op);

enum c_stmt_kind {
	CS_FOR, CS_IF, CS_BLOCK, CS_ASSIGN, CS_DECLARE, CS_EMPTY, CS_BAD,
	CS_CALL, CS_RETURN,	/* of "value"; CS_RETURN: or of none */
	CS_BREAK,
	CS_PAST,		/* another part has executed "past", .. */
};

struct c_stmt {
	enum c_stmt_kind kind;
	struct span at;
	/* CS_FOR: for (var = value; var RELATION bound; var += step) body; it ends after an iteration at whose
	 *	end "condition" holds, if any
	 * CS_DECLARE: decl = value, or no value
	 */
	struct c_decl *decl;
	struct c_expr *target, *value, *bound;
	int op;			/* CS_FOR: the relation; CS_ASSIGN: the operator
				 * of "+=", C_OP_NONE for "=" */
	int64_t step;
	struct c_expr *condition, *entry, *holds;	/* CS_FOR: "entry" must hold before the first iteration, too; all
						 * of what must, if that is more than the counter's */
	struct c_stmt *body, *otherwise;
	unsigned end;		/* CS_FOR: of all its text, of which "at" is the first word; 0: it stands for other text */
	struct span whole;	/* CS_DECLARE: shares a declaration with others; CS_FOR: declares its counter */
	bool is_crossed;	/* CS_FOR: what is behind it counts its iterations: its end is not before its start */
	bool is_closed;		/* CS_FOR: its ends are not those of the text, which have variables that the region advances */
	bool is_counted;	/* CS_FOR: the counter has advanced where "condition" ends it */
	bool ends_before_moves;	/* CS_FOR: .. pointers have not moved there, where "body" moves them */
	bool is_while;		/* CS_FOR: it starts from the value that its counter has */
	bool is_do;		/* CS_FOR: "holds" is asked behind iterations, so that there is a first one */
	const char *what;	/* CS_BAD */
	struct c_stmt *past;	/* .. CS_FOR: sources that its steps began with, before they ended with them (first.c) */
	struct c_stmt *next;
};

/* The variable that "s" assigns; NULL: it assigns none. */
static inline struct c_decl *c_assigned(const struct c_stmt *s)
{
	return s->kind == CS_ASSIGN && s->target->kind == CX_VAR ? s->target->decl : NULL;
}

/* Can no stencil contain it, whatever surrounds it? */
static inline bool is_no_stencil(const struct c_stmt *s)
{
	return s->kind == CS_BAD || s->kind == CS_CALL ||
		s->kind == CS_RETURN || s->kind == CS_BREAK;
}

/* A function with its body, from the file itself or a header. */
struct c_function {
	const char *name;
	enum c_type type;	/* of what it returns */
	const char *type_name;
	bool is_elsewhere;	/* in a header: its places mean nothing */
	bool is_block;		/* ({ .. }): it sees the variables around it */
	int n_params;
	struct c_decl **param;
	const struct c_stmt *body;
};

/* Of a variable, in the function around a region, by what may be executed behind it. */
struct c_use {
	const struct c_decl *decl;
	bool is_named;		/* outside of the region */
	bool is_read;		/* where it has what the region leaves in it */
	struct c_use *next;
};

/* From #pragma scop to #pragma endscop. */
struct c_region {
	struct span at;		/* with both pragma lines, without the last \n */
	struct span inside;	/* between them */
	struct span pragma;
	const char *function;	/* around it; NULL: none */
	bool is_looped;		/* in a loop of the function */
	const struct c_region *whole;	/* the region it is a part of; NULL:
					 * none */
	struct c_carried *carried;	/* see carried.h */
	struct c_use *behind;
	struct c_stmt *body;
	struct c_region *next;
};

/* Does the code behind the region name "d"?  May it read what the region leaves in "d"? */
bool is_named_behind(const struct c_region *region, const struct c_decl *d);
bool is_read_behind(const struct c_region *region, const struct c_decl *d);

/* The regions of "src", without bodies; NULL after a diagnostic. */
struct c_region *regions_find(struct region *mem, struct diags *d,
	const struct source *src);
struct c_macro {
	const char *name;
	struct c_macro *next;
};

/* The rest of a file that matters beside its regions, without system headers. */
struct c_file {
	struct c_macro *macros;		/* that it defines */
	struct c_macro *given;		/* that options define */
	bool has_restrict_arrays;	/* has a parameter "A[restrict n]" */
	bool no_alias;			/* no two pointers point into one array */
	bool on_device;			/* calls copy arrays to one and back */
};

/* Read the translation unit "src" into "regions" and "file".  False after a
 * diagnostic.
 */
bool clang_read(struct region *mem, struct diags *d, const struct source *src,
	const char *const *args, int n_args, struct c_region *regions,
	struct c_file *file);
/* inline.c: replace calls in "body" by the functions' bodies.  A call that
 * stays records why.
 */
struct c_stmt *inline_calls(struct region *mem, struct c_stmt *body);
/* Is "src" C++, with "restrict" a macro for "restrict_as"?  Warns of the first error, and says
 * that what is no C++ goes to the file "host", unless NULL.
 */
bool clang_check_cxx(struct region *mem, struct diags *d,
	const struct source *src, const char *const *args, int n_args,
	const char *restrict_as, const char *host);
/* ctree.c: has "e", or the value of a scalar in it, the variable "d"? */
bool uses_variable(const struct c_expr *e, const struct c_decl *d);
/* .. a copy of "stmt" that nothing follows. */
struct c_stmt *c_alone(struct region *mem, const struct c_stmt *stmt);

#endif
