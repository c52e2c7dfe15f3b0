/* codegen: from plans to kernel trees, passes on kernel trees, and the
 * printers, one per target.  Only printers write text.
 */
#ifndef STENCILC_CODEGEN_H
#define STENCILC_CODEGEN_H

#include <isl/ast.h>
#include <isl/ast_build.h>

#include "base/base.h"
#include "codegen/tree/builtin.h"
#include "codegen/tree/ctype.h"
#include "ir/ir.h"
#include "schedule/schedule.h"

/* tree.c: the kernel tree ------------------------------------------------*/

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
	const struct field *field;	/* KX_CELL, or a KX_NAME that is one */
	const struct expr *of;	/* the expression of the program that it
				 * computes; or NULL */
	int n_args;
	const struct kx **arg;
};

enum ks_kind {
	KS_BLOCK,		/* { child.. }, braces only if "scope" */
	KS_DECLARE,		/* c_type name = x[0]; */
	KS_ARRAY,		/* c_type name[extent].. */
	KS_ASSIGN,		/* x[0] = x[1]; */
	KS_FOR,			/* for (int name = x[0]; x[1]; name += x[2]),
				 * "c_type" if another than int */
	KS_IF,			/* if (x[0]) child[0] else child[1] */
	KS_BARRIER,
	KS_EXPRESSION,		/* x[0]; */
	KS_CHECKED,		/* a runtime call: on error, leave */
	KS_LAUNCH,		/* name<<<x[0], x[1], x[2], stream>>>(x[3]..), or
				 * with "addresses" a checked call that lets
				 * its blocks wait for each other */
	KS_RETURN,		/* return x[0]; */
	KS_COMMENT,		/* name, one comment of any number of lines */
	KS_BLANK,		/* an empty line */
	KS_LABEL,		/* name: */
	KS_GOTO,		/* goto name; */
	KS_DIRECTIVE,		/* of OpenMP, for what follows */
};

enum directive_kind { OMP_PARALLEL, OMP_FOR, OMP_SIMD, OMP_FOR_SIMD, OMP_SINGLE,
	OMP_BARRIER, OMP_ATOMIC_WRITE };

struct directive {
	enum directive_kind kind;
	enum { OMP_AS_IT_LIKES, OMP_STATIC, OMP_DYNAMIC } schedule;
	int collapse;		/* loops that it is for, if more than one */
	int lanes;		/* of its vectors, or 0 */
	bool nowait;
};

struct ks {
	enum ks_kind kind;
	const char *name;
	struct ctype c_type;
	bool scope;		/* KS_BLOCK with braces, where it declares */
	bool braces;		/* KS_BLOCK with braces in any case */
	bool is_shared;		/* KS_ARRAY in shared memory */
	bool is_zeroed;		/* KS_ARRAY that starts with zeros */
	bool is_aligned;	/* KS_ARRAY that vectors are moved to */
	struct directive directive;	/* KS_DIRECTIVE */
	int64_t offset;		/* KS_ARRAY: -1, or at these bytes of the
				 * dynamic shared memory .. */
	const struct kx *further;	/* .. and so many more, or NULL */
	const char *addresses;	/* KS_LAUNCH: NULL, or the name of an array for
				 * the addresses of the arguments */
	bool keep_rolled;	/* KS_FOR that the compiler must not unroll */
	bool unroll;		/* KS_FOR that it should */
	int n_x;
	const struct kx **x;
	int n_children, capacity;
	struct ks **child;
};

struct kparam {
	struct ctype c_type;
	const char *name;
	const struct field *cells;	/* a pointer to the cells of a field */
	bool is_const;			/* which are only read */
	bool is_array;			/* C: a pointer to arrays of c_type .. */
	int n_extents;			/* .. of these extents, .. */
	const struct kx **extent;	/* .. or to c_type if there are none */
};

struct kfunc {
	const char *comment;	/* NULL: none */
	struct ctype c_type;	/* of the result */
	const char *name;
	bool is_kernel, is_static, is_exported;
	int max_threads;	/* of a kernel, for __launch_bounds__ */
	bool takes_registers;	/* one block per multiprocessor will do, so
				 * that a thread has the registers it needs */
	bool keeps_order;	/* of its statements, as far as a compiler can
				 * be told */
	int64_t dynamic_bytes;	/* of shared memory, of a kernel */
	int n_params, capacity;
	struct kparam *param;
	struct ks *body;
	struct kfunc *next;
};

/* A whole file. */
struct kunit {
	struct region *mem;
	const struct program *prog;
	const struct scop *scop;
	const struct plan *plan;	/* the first of those it was made of */
	struct kfunc *first, **last;	/* kernels, then host functions */
	const char *error_name, *out_name, *stream_name;	/* of KS_CHECKED */
	bool harness;
	const struct kx *is_empty;	/* of a harness: a size is 0; or NULL */
	bool needs_math;	/* an expression calls <math.h> .. */
	bool calls_sqrt, calls_sqrtf;	/* .. and these of it */
};

struct kx *kx_int(struct region *r, int64_t value);
struct kx *kx_name(struct region *r, const char *name);
struct kx *kx_unary(struct region *r, enum op op, const struct kx *a);
/* Folds constants and drops neutral operands of integer expressions. */
struct kx *kx_binary(struct region *r, enum op op, const struct kx *a,
	const struct kx *b);
struct kx *kx_add(struct region *r, const struct kx *a, int64_t b);
/* The subscript "d" of "acc" for "x", the coordinate of the point. */
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
struct kx *kx_address(struct region *r, const struct kx *a);
struct kx *kx_and(struct region *r, const struct kx *a, const struct kx *b);
bool kx_is_int(const struct kx *x, int64_t value);
/* Does the name occur? */
bool kx_uses(const struct kx *x, const char *name);
/* Are the trees the same? */
bool kx_same(const struct kx *a, const struct kx *b);

struct ks *ks_block(struct region *r);
struct ks *ks_scope(struct region *r);
/* Append "child" to the block "block"; returns "child". */
struct ks *ks_add(struct region *r, struct ks *block, struct ks *child);
struct ks *ks_declare(struct region *r, struct ctype c_type, const char *name,
	const struct kx *value);
struct ks *ks_array(struct region *r, struct ctype c_type, const char *name,
	int n, const int *extent, bool is_shared, int64_t offset);
struct ks *ks_assign(struct region *r, const struct kx *to,
	const struct kx *value);
/* for (int name = first; condition; name += step) body */
struct ks *ks_for(struct region *r, const char *name, const struct kx *first,
	const struct kx *condition, const struct kx *step, struct ks *body);
struct ks *ks_if(struct region *r, const struct kx *condition,
	struct ks *then_body, struct ks *else_body);
struct ks *ks_simple(struct region *r, enum ks_kind kind);
struct ks *ks_expression(struct region *r, enum ks_kind kind,
	const struct kx *x);
struct ks *ks_directive(struct region *r, struct directive directive);
struct ks *ks_comment(struct region *r, const char *fmt, ...)
	BASE_PRINTF(2, 3);
bool ks_uses(const struct ks *s, const char *name);
/* The same with "value", a number, in the place of the variable "name": conditions
 * that are then known are gone, and what they exclude.
 */
struct ks *ks_with(struct region *r, struct ks *s, const char *name,
	const struct kx *value);

/* function.c ------------------------------------------------------------- */

void kfunc_add_param(struct region *r, struct kfunc *f, struct kparam param);
void kfunc_add_int(struct region *r, struct kfunc *f, const char *name);
/* Keep the parameters that the body, or an array's extent, uses. */
void kfunc_drop_unused(struct kfunc *f);
/* Begin the body of "f" with a statement for each parameter that it does not
 * use, so that no compiler warns of it.
 */
void kfunc_mention_unused(struct region *r, struct kfunc *f);
/* "f" called with value(user, param) for each parameter; where that is NULL,
 * or no "value" is given, with the variable of its name.
 */
const struct kx *kfunc_call(struct region *r, const struct kfunc *f,
	const struct kx *(*value)(const void *user, const char *param),
	const void *user);

/* names.c: names that do not clash with the user's -----------------------*/

struct kernel_names {
	struct region *mem;
	const struct program *prog;
	const char *tt;			/* T of a tile */
	const char *tt_first, *tt_last;	/* those of a resident kernel */
	const char *tile[IR_MAX_DIMS];	/* S0.. of a tile */
	const char *first[IR_MAX_DIMS];	/* first and last S0 of a launch */
	const char *last[IR_MAX_DIMS];
	const char *t0;			/* origin of a tile */
	const char *origin[IR_MAX_DIMS];
	const char *step;		/* m: local time step */
	const char *steps;		/* time steps of the program */
	const char *time;		/* t of an instance, normalised */
	const char *point[IR_MAX_DIMS];	/* x of an instance */
	const char *local[IR_MAX_DIMS];	/* s0', s1', ..: loops of a row */
	const char *inside[IR_MAX_DIMS];	/* x in the box of shared memory */
	const char *version[3];		/* copies of versions t-1, t, t+1 */
	const char *cell[IR_MAX_DIMS];	/* loops of a copy */
	const char *slot;		/* copy of a cell */
	const char *thread[3];		/* threadIdx.x, .y, .z */
	const char *phase;		/* p of the launch */
	const char *wave, *waves, *phi, *phi_first, *phi_last, *phis;
	const char *chunk, *chunk_first, *chunks, *chunks_wanted, *chunk_tiles;
	const char *hexagons;
	const char *place;		/* of a tile's columns, reuse static */
	const char *value;		/* of an instance */
	const char *moved, *from;	/* cells to move in shared memory */
	const char *box;		/* which of two boxes is the tile's */
	const char *iteration, *turn;	/* n, and its place in the period */
	const char *column;		/* c: cell of a lane */
	const char *first_column;	/* of a lane, of a vector */
	const char *row, *first_row;	/* likewise, in three dimensions; of
					 * threads that copy vectors */
	const char *line;		/* along the hexagon, of these */
	const char *warp_above, *warp_below, *lane_before, *lane_after;
	const char *arrived, *parity;	/* of rows that are copied in bulk */
	const char *stores;		/* does the lane store? */
	const char *edge, *from_set;	/* of a hexagon: the first warp that
					 * computes a step; where it reads */
	const char *last_version;	/* of a launch, relative to t0 */
	const char *behind;		/* versions before that */
	const char *slab, *slabs;	/* of kernels that share them */
};

const struct kernel_names *kernel_names_new(struct region *r,
	const struct program *prog);
/* "name", with underscores appended until the program does not use it. */
const char *fresh_name(struct region *r, const struct program *prog,
	const char *fmt, ...) BASE_PRINTF(3, 4);
/* The copy that version t + "version" of "field" is in, version <= 1. */
const char *version_name(struct region *r, const struct program *prog,
	const struct field *field, int version);
const char *shared_name(struct region *r, const struct program *prog,
	const struct field *field);

/* islast.c: isl's expressions and loops as trees -------------------------*/

/* "set" of parameters as a condition; parameters keep their names.  "context"
 * holds already.  NULL if always true.
 */
struct kx *kx_of_set(struct region *r, __isl_take isl_set *set,
	__isl_take isl_set *context);
/* "value", defined on parameters, as an expression. */
struct kx *kx_of_pw_aff(struct region *r, __isl_take isl_pw_aff *value,
	__isl_take isl_set *context);
/* Turn the set dimensions of "set" into parameters called name[i]. */
__isl_give isl_set *name_dims(__isl_take isl_set *set,
	const char *const *name);

/* Loops over the points of a set, dimension by dimension. */
struct loop_nest {
	struct region *mem;
	int n_dims;
	const char *const *iterator;	/* a name per dimension */
	const char *const *first;	/* thread that starts dimension d, or
					 * NULL: a sequential loop */
	const int *step;		/* threads along it */
	bool unroll;			/* ask the compiler to unroll */
	const bool *straight;		/* dimensions without loops: each value
					 * has its own code; NULL: none */
	const struct kx **at;		/* if not NULL: where the body finds
					 * each coordinate */
	bool *looped;			/* used by loops_of_set: the dimension
					 * has a loop around the body */
	isl_set *context;		/* of parameters: what holds where the
					 * loops are; NULL: the set has a point */
	struct ks *(*body)(void *user);	/* reads the iterators by name */
	void *user;
	bool *has_loop;			/* internal: dimensions around a body */
};

struct ks *loops_of_set(const struct loop_nest *nest,
	__isl_take isl_set *set);

/* lower.c: the statements' values ----------------------------------------*/

/* How the tree refers to what an instance uses. */
struct binding {
	struct region *mem;
	const struct program *prog;
	const struct kx *time;			/* the normalised t */
	const struct kx *point[IR_MAX_DIMS];	/* its coordinates */
	const struct kx *(*read)(const struct binding *b,
		const struct access *acc);
	/* Where the value of an operation is already, or NULL; may be NULL. */
	const struct kx *(*known)(const struct binding *b,
		const struct expr *e);
	const void *user;
	bool exact;		/* also of a program that is reassociated */
};

const struct kx *kx_of_expr(const struct binding *b, const struct expr *e);

/* kernel.c: the kernel of one phase of a plan ----------------------------*/

/* "index" tells the plans of a unit apart. */
struct kfunc *kernel_of_plan(struct kunit *unit, const struct plan *plan,
	int index);
/* value[phase], "phase" a constant or a name. */
const struct kx *value_of_phase(struct region *r, const struct plan *plan,
	const struct kx *phase, const int value[2]);
/* The first or last point that the plan covers in "dim", as an expression of
 * parameters.
 */
const struct kx *edge_of_plan(struct region *r, const struct plan *plan,
	int dim, bool last);
/* floor((edge + shift) / pitch): the first or last tile in dimension "dim", see
 * struct cover; T is called names->tt, "phase" is a constant or a name.
 */
const struct kx *tile_of_edge(struct region *r, const struct plan *plan,
	const struct kernel_names *names, const struct kx *phase, int dim,
	bool last);
/* Are all sizes of "field" known at compile time? */
bool field_is_constant(const struct field *field);
/* Does the caller get values of "field" back? */
bool field_is_result(const struct field *field);
/* Rows of "field" are padded to a multiple of so many cells in the device
 * memory that the generated code owns; 1: they are not.
 */
int field_row_multiple(const struct kunit *unit, const struct field *field);

/* cpu.c ------------------------------------------------------------------*/

/* All of the file for the C target. */
struct kunit *cpu_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, bool harness);

/* host.c, harness.c ------------------------------------------------------*/

/* All of the file: kernels, entries, and main if "harness".  Without plans the
 * functions do nothing, and unit->plan is NULL.
 */
struct kunit *codegen_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, bool harness);
/* main() and what it needs: fill, run, compare with plain loops, report.  Where
 * "is_empty" holds there is nothing to compute; NULL: never.
 */
void append_harness(struct kunit *unit, const struct kx *is_empty);

/* The printers -----------------------------------------------------------*/

struct target {
	const char *name;
	const char *suffix;
	struct kunit *(*unit)(struct region *r, const struct scop *scop,
		const struct plan *plans, int n_plans, bool harness);
	void (*print)(struct text *t, const struct kunit *unit);
	const struct spelling *spelling;
};

extern const struct target target_cuda, target_c;

/* helpers.c: the small functions that emitted code calls.  Their first words
 * depend on where they are called from: anywhere, kernels, the harness.
 */
struct helper_prefix {
	const char *anywhere, *kernels, *harness;
};

void print_helpers(struct text *t, const struct kunit *unit,
	const struct helper_prefix *prefix);
bool unit_uses(const struct kunit *unit, enum builtin builtin);

/* harness-main.c: the harness's main(), as far as targets share it ---------------*/

struct main_style {
	const char *const *text;	/* of the harness, after what is shared */
	int lines;
	const char *call;		/* what stands before a function */
	/* Statements that declare "name" with new data of "f"; variables that
	 * the timed runs work on; copy to them; run; free.
	 */
	void (*declare)(struct text *t, const struct kunit *unit,
		const struct field *f, const char *name, const char *count);
	void (*timing)(struct text *t, const struct kunit *unit);
	void (*compare)(struct text *t, const struct field *f,
		const char *plain, const char *count);
	const char *free_timed;		/* "cudaFree" */
};

void print_main(struct text *t, const struct kunit *unit,
	const struct main_style *style);
/* An expression of parameters, those fixed by their values. */
void print_size(struct text *t, const struct kunit *unit,
	const struct expr *e);
/* Variables of main for "f": its cells, what the timed runs work on. */
const char *main_count(const struct kunit *unit, const struct field *f);
const char *main_timed(const struct kunit *unit, const struct field *f);
/* The arguments of a call, fields by what "name" says. */
void print_arguments_of(struct text *t, const struct kunit *unit,
	const char *(*name)(const struct kunit *unit, const struct field *f));
/* Append "from" with four columns for each tab that a line starts with; the
 * spans of "t" are those of "from", and move.
 */
void append_indented(struct text *t, const char *from);
/* The C header for the functions of a file. */
void print_header(struct text *t, const struct spelling *say,
	const struct kunit *unit);
/* bindings.c: what declares the functions in the language that the suffix of
 * "path" names: .f90 a Fortran module, .py a Python module, else a C header.
 */
void print_binding(struct text *t, const struct spelling *say,
	const struct kunit *unit, const char *path);
/* The codes that NAME_strerror explains, up to "default". */
void print_status_cases(struct text *t, const struct kunit *unit);

/* print.c: what C and CUDA share. */
/* A target's words. */
struct spelling {
	/* What stands before operands: "f(" or "f(
		1, "; a "." is followed by the
	 * axis, a "_" by the type; constants have no operands.  NULL: as in C.
	 */
	const char *builtin[N_BUILTINS];
	const char *stream, *error;	/* types */
	const char *restricted;
	const char *shared, *aligned;	/* before arrays */
	const char *runtime;		/* is defined where its types are */
};

struct printer {
	const struct spelling *say;
	const struct kunit *unit;
};

extern const struct spelling spelling_c;

const char *builtin_word(const struct spelling *say, enum builtin builtin);
void print_kx(struct text *t, const struct spelling *say, const struct kx *x);
void print_type(struct text *t, const struct spelling *say, struct ctype type);
void print_directive(struct text *t, const struct directive *d);
/* "prefix" stands before the result's type. */
void print_function(struct text *t, const struct printer *p,
	const struct kfunc *f, const char *prefix);
void print_prototype(struct text *t, const struct printer *p,
	const struct kfunc *f);
/* The tree itself, for --emit=kernel. */
void kunit_print(struct text *t, const struct spelling *say,
	const struct kunit *unit);

#endif
