/* The kernel tree: what emitted code does, in expressions, statements, functions
 * and a file of them.
 */
#ifndef STENCILC_TREE_H
#define STENCILC_TREE_H

#include "base/base.h"
#include "codegen/tree/builtin.h"
#include "codegen/tree/ctype.h"
#include "codegen/tree/directive.h"
#include "ir/blocks.h"
#include "schedule/schedule.h"

enum kx_kind {
	KX_INT,			/* an integer literal */
	KX_REAL,		/* a floating-point literal */
	KX_NAME,		/* a variable */
	KX_UNARY, KX_BINARY,	/* operators of ir/ops.def */
	KX_SELECT,		/* arg[0] ? arg[1] : arg[2] */
	KX_MATH,		/* functions of ir/ops.def, in "type" */
	KX_CALL,		/* the function "name" of the file */
	KX_BUILTIN,		/* "builtin" of arg[0].., or of axis "ivalue" */
	KX_CAST,		/* (c_type) arg[0]; to a pointer to arrays of
				 * c_type with extents arg[1].., if any */
	KX_INDEX,		/* name[arg[0]][arg[1]].. */
	KX_CELL,		/* a cell of a field in global memory:
				 * copy arg[0], coordinates arg[1].. */
	KX_SIZEOF,		/* sizeof(c_type) */
	KX_ADDRESS,		/* &arg[0] */
	KX_MEMBER,		/* arg[0]->name */
};

struct kx {
	enum kx_kind kind;
	enum type type;
	int64_t ivalue;
	double rvalue;
	const char *name;	/* also: a literal as the user wrote it */
	struct ctype c_type;
	enum op op;
	enum builtin builtin;
	const struct field *field;	/* KX_CELL, or a KX_NAME that stands for
					 * one */
	const struct expr *of;	/* the expression of the program that it
				 * computes; or NULL */
	int n_args;
	const struct kx **arg;
};

enum ks_kind {
	KS_BLOCK,		/* { child.. }, braces only if "scope" */
	KS_DECLARE,		/* c_type name = x[0]; */
	KS_ARRAY,		/* c_type name[extent].. */
	KS_LIST,		/* c_type name[] = { x.. }; */
	KS_ASSIGN,		/* x[0] = x[1]; */
	KS_FOR,			/* for (int name = x[0]; x[1]; name += x[2]),
				 * "c_type" if another than int */
	KS_IF,			/* if (x[0]) child[0] else child[1] */
	KS_BARRIER,
	KS_EXPRESSION,		/* x[0]; */
	KS_CHECKED,		/* a runtime call: on error, leave */
	KS_LAUNCH,		/* name<<<x[0], x[1], x[2], stream>>>(x[3]..),
				 * or with "addresses" a checked call whose
				 * blocks may wait for each other */
	KS_RETURN,		/* return x[0]; */
	KS_COMMENT,		/* name, one comment of any number of lines */
	KS_BLANK,		/* an empty line */
	KS_LABEL,		/* name: */
	KS_GOTO,		/* goto name; */
	KS_DIRECTIVE,		/* an OpenMP directive for what follows */
};


struct ks {
	enum ks_kind kind;
	const char *name;
	struct ctype c_type;
	bool scope;		/* KS_BLOCK with braces, where it declares */
	bool braces;		/* KS_BLOCK with braces in any case */
	bool is_shared;		/* KS_ARRAY in shared memory */
	bool is_zeroed;		/* KS_ARRAY that starts with zeros */
	bool is_static;		/* KS_LIST that exists once */
	bool is_aligned;	/* KS_ARRAY that vectors are stored to */
	struct directive directive;	/* KS_DIRECTIVE */
	int64_t offset;		/* KS_ARRAY: -1, or in dynamic shared memory .. */
	const struct kx *further;	/* .. and so many more, or NULL */
	const struct kx *at;	/* KS_ARRAY: where this pointer leads; or NULL */
	const char *addresses;	/* KS_LAUNCH: NULL, or the name of an array for
				 * the addresses of the arguments */
	const struct kx *const *full_at;	/* KS_IF: [t0, o..] where it
						 * tests plan->full; or NULL */
	bool unroll;		/* KS_FOR: the compiler should unroll it .. */
	int unroll_by;		/* .. or by so many; 1: it must not */
	int n_x;
	const struct kx **x;
	int n_children, capacity;
	struct ks **child;
};

struct kparam {
	struct ctype c_type;
	const char *name;
	const struct field *cells;	/* a pointer to the cells of a field */
	bool is_const;			/* the code only reads them */
	bool may_alias;			/* other pointers may lead to its cells */
	bool is_array;			/* C: a pointer to arrays of c_type .. */
	int n_extents;			/* .. of these extents, .. */
	const struct kx **extent;	/* .. or to c_type if there are none */
};

/* A struct whose members only the file uses. */
struct kstruct {
	const char *name, *comment;
	const char *purpose;	/* a comment for callers */
	int n_members;
	struct kparam *member;
};

/* For the blocks of sort_placesN() and first_placesN(), kernels of GPU files with lists of points. */
enum { SORT_THREADS = 1024 };

/* For a function that computes points of a statement in a box: the parameters for the first and
 * last coordinates.
 */
struct kbox {
	const struct stmt *stmt;
	const char *low[IR_MAX_DIMS], *high[IR_MAX_DIMS];
	double alone, shared;	/* operations: one statement by one, as here */
};

struct kfunc {
	const char *comment;	/* NULL: none */
	struct ctype c_type;	/* of the result */
	const char *name;
	bool is_kernel, is_static, is_exported;
	bool is_device;		/* called by kernels */
	bool is_of_lists;	/* a kernel beside the steps, see gpu_sums() */
	bool is_inlined;	/* inline it where it is called */
	bool is_apart;		/* never inline it: it needs all registers */
	int max_threads;	/* of a kernel, for __launch_bounds__ */
	int min_blocks;		/* likewise, with registers for so many; 0: open */
	int cluster[3];		/* blocks of one along x, y, z; 0: there is none */
	bool keeps_order;	/* unroll factor of its statements, as far as a
				 * compiler accepts one */
	int64_t dynamic_bytes;	/* of shared memory, of a kernel */
	struct kbox *box;	/* for functions of hexagons as C, or NULL */
	int n_params, capacity;
	struct kparam *param;
	struct ks *body;
	const bool *uses;	/* by builtin, of a body as printed; or NULL */
	const struct kstruct *before;	/* a struct defined before it; or NULL */
	struct kfunc *next;
};

/* A whole file. */
struct kunit {
	struct region *mem;
	const struct program *prog;
	const struct scop *scop;
	const struct plan *plan;	/* the first plan that it was made of */
	const struct form_code *form;	/* of these, see forms.h */
	int least_padded_dims;	/* of fields whose rows are padded */
	struct kfunc *first, **last;	/* kernels, then host functions */
	const char *error_name, *out_name, *stream_name;	/* of KS_CHECKED */
	bool harness;
	int lanes;		/* threads that a warp must have; 0: any */
	const struct kx *is_empty;	/* harness: the condition that a size is
					 * 0; or NULL */
	struct kfunc **lists;	/* GPU: functions that do what lists ask at a
				 * point, by statement; see with_lists() */
	struct kfunc *quiet;	/* likewise, see has_no_points(); or NULL */
	int n_once;		/* names for what is computed before loops */
	const struct blocks *blocks;	/* with MPI: "prog" in blocks; or NULL */
	bool needs_math;	/* an expression calls <math.h> .. */
	bool calls_double[OP_COUNT], calls_float[OP_COUNT];	/* .. and these of its functions */
	const struct handles *handles;	/* see host/handles.h; or NULL */
	bool runs_in_place;	/* a state may stay in the caller's array */
	bool lacks_widths;	/* see codegen_lacks_widths() */
};

struct kx *kx_int(struct region *r, int64_t value);
struct kx *kx_name(struct region *r, const char *name);
struct kx *kx_unary(struct region *r, enum op op, const struct kx *a);
/* They fold constants and drop neutral operands of integer expressions. */
struct kx *kx_binary(struct region *r, enum op op, const struct kx *a,
	const struct kx *b);
struct kx *kx_add(struct region *r, const struct kx *a, int64_t b);
/* The subscript "d" of "acc" where the point has coordinate "x". */
struct kx *kx_subscript(struct region *r, const struct access *acc, int d,
	const struct kx *x);
/* The least x with stride*x >= size - less, for any size of at least 0. */
struct kx *kx_end(struct region *r, const struct kx *size, int64_t less,
	int64_t stride);
struct kx *kx_builtin(struct region *r, enum builtin builtin, int n_args, ...);
struct kx *kx_min(struct region *r, const struct kx *a, const struct kx *b);
struct kx *kx_max(struct region *r, const struct kx *a, const struct kx *b);
/* A thread's, or a block's, index along axis 0, 1 or 2; how many blocks. */
struct kx *kx_axis(struct region *r, enum builtin builtin, int axis);
struct kx *kx_extents(struct region *r, int n, const struct kx *const *extent);
/* Move a vector of "n" cells from "from" to "to". */
struct kx *kx_move(struct region *r, enum builtin builtin, enum type type,
	int n, const struct kx *to, const struct kx *from);
/* A node of any kind that has a name and operands: KX_INDEX, KX_CELL, .. */
struct kx *kx_select(struct region *r, const struct kx *condition,
	const struct kx *a, const struct kx *b);
struct kx *kx_of_kind(struct region *r, enum kx_kind kind, const char *name,
	int n_args, const struct kx *const *args);
struct kx *kx_cast(struct region *r, struct ctype c_type, const struct kx *a);
struct kx *kx_sizeof(struct region *r, struct ctype c_type);
const struct kx *kx_address(struct region *r, const struct kx *a);
struct kx *kx_member(struct region *r, const struct kx *a, const char *name);
struct kx *kx_and(struct region *r, const struct kx *a, const struct kx *b);
bool kx_is_int(const struct kx *x, int64_t value);
/* Is it an element of an input, the same for all points of a step? */
bool kx_is_element(const struct kx *x);
/* Does the name occur in it? */
bool kx_uses(const struct kx *x, const char *name);
/* Are the trees equal?  Or the nodes, with their types, but for operands? */
bool kx_same(const struct kx *a, const struct kx *b);
bool kx_same_head(const struct kx *a, const struct kx *b);

struct ks *ks_block(struct region *r);
struct ks *ks_scope(struct region *r);
/* Append "child" to the block "block"; returns "child". */
struct ks *ks_add(struct region *r, struct ks *block, struct ks *child);
struct ks *ks_declare(struct region *r, struct ctype c_type, const char *name,
	const struct kx *value);
struct ks *ks_array(struct region *r, struct ctype c_type, const char *name,
	int n, const int *extent, bool is_shared, int64_t offset);
struct ks *ks_list(struct region *r, struct ctype c_type, const char *name,
	int n, const struct kx *const *x);
struct ks *ks_assign(struct region *r, const struct kx *to,
	const struct kx *value);
/* for (int name = first; condition; name += step) body */
struct ks *ks_for(struct region *r, const char *name, const struct kx *first,
	const struct kx *condition, const struct kx *step, struct ks *body);
struct ks *ks_if(struct region *r, const struct kx *condition,
	struct ks *then_body, struct ks *else_body);
struct ks *ks_simple(struct region *r, enum ks_kind kind);
struct ks *ks_expression(struct region *r, enum ks_kind kind, const struct kx *x);
struct ks *ks_directive(struct region *r, struct directive directive);
struct ks *ks_comment(struct region *r, const char *fmt, ...)
	BASE_PRINTF(2, 3);
bool ks_uses(const struct ks *s, const char *name);
/* Does anything but its declaration assign the variable? */
bool ks_assigns(const struct ks *s, const char *name);
/* The same with "value", a number, in place of the variable "name"; conditions decided by it
 * disappear with the code that they exclude.
 */
struct ks *ks_with(struct region *r, struct ks *s, const char *name,
	const struct kx *value);

/* function.c ------------------------------------------------------------- */

void kfunc_add_param(struct region *r, struct kfunc *f, struct kparam param);
void kfunc_add_int(struct region *r, struct kfunc *f, const char *name);
/* Keep the parameters that the body, or an array's extent, uses. */
void kfunc_drop_unused(struct kfunc *f);
/* Begin the body of "f" with a statement for each unused parameter, so that no compiler warns. */
void kfunc_mention_unused(struct region *r, struct kfunc *f);
/* "f" called with value(user, param) for each parameter; where that is NULL, or
 * there is no "value", with the variable of the parameter's name.
 */
const struct kx *kfunc_call(struct region *r, const struct kfunc *f,
	const struct kx *(*value)(const void *user, const char *param),
	const void *user);

/* unit.c ----------------------------------------------------------------- */

/* Does any function of the file use it, or that of this type? */
bool unit_uses(const struct kunit *unit, enum builtin builtin);
bool unit_uses_for(const struct kunit *unit, enum builtin builtin, struct ctype type);
struct kfunc *unit_append(struct kunit *unit, struct kfunc *f);
/* The function called "name", or NULL. */
struct kfunc *unit_function(const struct kunit *unit, const char *name);
/* Are all sizes of "field" known at compile time? */
bool field_is_constant(const struct field *field);
/* May its copies lie any distance apart, one of them being the caller's array?  Kernels get the
 * distance in cells, as field_distance().
 */
bool field_may_stay(const struct kunit *unit, const struct field *field);
const char *field_distance(const struct kunit *unit, const struct field *field);
/* Does the caller get values of "field" back? */
bool field_is_result(const struct field *field);
/* Rows of "field" are padded to a multiple of so many cells in the device
 * memory that the code owns; 1: they are not.
 */
int field_row_multiple(const struct kunit *unit, const struct field *field);

#endif
