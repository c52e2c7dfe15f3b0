/* What the files that turn the tree into the program share. */
#ifndef STENCILC_LOWER_H
#define STENCILC_LOWER_H

#include "frontend/ast.h"

enum {
	LOWER_MAX_NODES = 1 << 16,	/* of an expression, expanded */
	LOWER_MAX_DEPTH = 4096,		/* of an expression, expanded */
	LOWER_MAX_TERMS = 4096,		/* of a sum */
	LOWER_MAX_VISITED = 1 << 22,	/* nodes visited in a program */
	LOWER_MAX_PAST = 64,		/* steps back in time */
	LOWER_MAX_STRIDE = 128,		/* of a subscript */
};

/* A number known at compile time. */
struct value {
	enum type type;
	int64_t i;		/* TYPE_INT */
	double d;		/* else, rounded to the type */
};

/* A const: a number, or a table of them. */
struct constant {
	enum type type;
	int n_dims;		/* 0: a number */
	int64_t begin[IR_MAX_DIMS], end[IR_MAX_DIMS];	/* both included */
	int64_t n_values;
	struct value *values;	/* row-major */
};

enum symbol_kind {
	SYMBOL_PARAM, SYMBOL_CONST, SYMBOL_FIELD, SYMBOL_DEF, SYMBOL_LET,
	SYMBOL_TIME, SYMBOL_RESULT,
	SYMBOL_UNKNOWN,		/* undeclared, already reported */
};

struct context;

enum progress { PROGRESS_NONE, PROGRESS_BUSY, PROGRESS_DONE };

struct symbol {
	enum symbol_kind kind;
	const char *name;
	struct span at;
	const struct ast_item *item;
	enum progress progress;	/* of its value; for a def: of finding which
				 * arguments move */
	bool used;		/* a field: some statement reads or writes it */
	bool is_lent;		/* declared by a used text */
	bool is_taken;		/* reported: something else has the name, too */
	bool read;
	bool at_points;		/* a field: statements write it, not lists alone */
	bool twice;		/* a field: already reported as written twice */
	int order;		/* number of a let, among the statements */
	struct param *param;
	struct constant *constant;	/* NULL if wrong */
	struct field *field;
	struct components *components;	/* its parts; NULL: it has none */
	struct symbol *part_of;	/* .. of which this is one; or NULL */
	struct span boundary_at[IR_MAX_DIMS + 1][SIDES + 1];	/* last: all */
	const struct update *first_write, *last_write;
	struct symbol *next;	/* in the order declared */
	struct symbol *in_bucket;
};

/* A statement of the text, with the conditions around it. */
struct update {
	const struct ast_item *item;
	const struct condition {
		struct ast_expr *expr;
		const struct condition *outer;
	} *conditions;
	int n_conditions;
	const struct ast_item *list;	/* the "at" around it, or NULL */
	bool looped;		/* within the time loop */
	bool is_second;		/* .. the imaginary part of the one before */
	int order;		/* among lets and updates */
	struct update *next;
};

struct lower {
	struct region *mem;
	struct diags *diags;
	const struct ast *ast;
	struct program *program;
	const struct define *defines;
	int n_defines;
	struct symbol *first, *last, **bucket;
	size_t n_buckets, n_symbols;
	struct symbol *time;
	struct update *updates, *last_update;
	struct {
		const struct ast_item *loop;
		struct update *reductions;	/* in it */
		const struct ast_item *until;	/* or NULL */
		bool until_is_apart;	/* not only in the loop */
	};
	struct statement **statement;	/* those of program.stmt */
	int n_orders;
	struct {		/* while declaring */
		bool in_loop, lends;
		const struct ast_item *list;	/* the "at" around */
	};
	bool *warned;		/* places of integer divisions */
	unsigned visited;
	int depth;		/* of the walk through the tree */
	bool (*call)(struct context *c, struct ast_expr *e,
		const struct expr **value);	/* functions that are not C's */
	bool too_large;		/* reported: no more expansion */
};

/* A name with a meaning in a part of an expression only. */
struct binding {
	const char *name;
	struct span at;
	enum { BIND_INDEX, BIND_NUMBER, BIND_ARGUMENT, BIND_FIELD,
		BIND_LISTED, BIND_LATER } kind;
	int dim;
	int64_t number;
	const struct expr *value;	/* NULL: wrong, and diagnosed */
	struct ast_expr *later;	/* the argument */
	struct symbol *field;
	struct ast_exprs given;		/* subscripts that it is passed with: the step, .. */
	bool used, refused;
	struct binding *outer;
	const struct context *around;	/* where it stands */
};

struct read {
	const struct access *access;
	struct read *in_bucket;
};

enum { READ_BUCKETS = 256 };

/* The statement being lowered. */
struct statement {
	struct stmt *ir;
	struct symbol *target;
	bool is_guarded;	/* conditions on values decide */
	const struct update *update;
	struct binding *indices;
	const struct expr *slice[IR_MAX_DIMS];	/* what an index is; NULL: any */
	struct lattice *lattice;	/* of its points; NULL: none */
	struct lowered_let {
		const struct symbol *symbol;
		const struct local *local;	/* NULL: wrong, or: */
		const struct expr *parts;	/* a complex number */
		struct lowered_let *next;
	} *lets;
	struct local *last_local;
	const struct expr *named, *so_far;	/* a value, and the let it is */
	struct taken *taken;	/* lets, and .. */
	struct memo **memo;	/* .. expressions of the other part */
	struct read *bucket[READ_BUCKETS];
	int n_room;		/* of ir->read */
};

/* What surrounds an expression. */
struct context {
	struct lower *l;
	struct statement *statement;	/* NULL outside */
	struct binding *bindings;
	int order;		/* sees the lets before it */
	bool timed;		/* sees the time */
	struct amendment *amendment;	/* within one; or NULL */
	struct listing *listing;	/* within a list of points, or .. */
	struct recording *recording;	/* .. a record of all points, and .. */
	const struct expr *(*read)(struct context *c, struct ast_expr *e,
		struct symbol *s);	/* .. which reads fields in this way; or
					 * NULL */
	bool inlining;		/* a let stands for its expression */
	enum wanted { WANT_BOTH, WANT_REAL, WANT_IMAGINARY } wanted;	/* parts */
	bool reduces;		/* within a reduction, .. */
	bool ends;		/* .. in the condition that ends the loop */
	const struct beyond *beyond;	/* collects reads of inputs there; or
					 * NULL */
	const char *closed_sum;	/* variable of a finished sum */
	const struct expansion *expansion;	/* of definitions, see derivative.h */
	const int64_t *moved;	/* by index: how far away the point meant is; or
				 * NULL */
};

/* symbols.c ----------------------------------------------------------------*/

/* Declare all names of the program; number lets and updates. */
void declare_names(struct lower *l);
struct symbol *find_symbol(const struct lower *l, const char *name);
/* What "name" means in this part of the expression; NULL: nothing special. */
struct binding *find_binding(const struct context *c, const char *name);
/* Does the text of "e" have "name"? */
bool mentions(const struct ast_expr *e, const char *name);
/* Is "e" made of numbers and of names for which "is" is true? */
bool is_made_of(const struct lower *l, const struct ast_expr *e,
	bool (*is)(const struct symbol *s));
/* Report once that "name", used as "what", has no meaning in "c". */
enum usage {
	USED_AS_NUMBER, USED_AS_FIELD, USED_AS_FUNCTION, USED_AS_PARAMETER,
	USED_AS_RESULT,
};
void report_undeclared(struct context *c, struct ast_name name,
	enum usage usage);
/* "a state", "a parameter" */
const char *symbol_what(const struct symbol *s);
/* The name in "c" most similar to "name" that can be used in this way, or NULL. */
const char *similar_name(const struct context *c, const char *name,
	enum usage usage);
/* The text of "source" at "at", shortened. */
const char *quote(const struct lower *l, struct span at);

/* Mark "e" as reported; false if it already was. */
bool report(struct context *c, struct ast_expr *e, enum diag_id id,
	struct span at, const char *fmt, ...) BASE_PRINTF(5, 6);

/* reserved.c ---------------------------------------------------------------*/

/* What a name stands for in the generated code: nothing, a variable, the generated function. */
enum naming { NAMES_NOTHING, NAMES_VARIABLE, NAMES_PROGRAM };
/* False after a diagnostic if C, C++ or CUDA reserves the name. */
bool check_reserved(struct lower *l, struct ast_name name,
	enum naming naming);

/* expr.c -------------------------------------------------------------------*/

/* The value of "e" in "c", a real number; NULL after a diagnostic. */
const struct expr *lower_expr(struct context *c, struct ast_expr *e);
/* The int "e", which must be known at compile time; "what" describes it. */
bool lower_int(struct context *c, struct ast_expr *e, const char *what,
	int64_t *value);

/* division.c ---------------------------------------------------------------*/

/* "e" as a value of "type"; warns if that loses a fraction. */
const struct expr *convert(struct context *c, enum type type,
	const struct expr *e);
/* Convert the int "e" to the real "type": warn if the user's 1/8 is 0. */
void check_division(struct context *c, enum type type, const struct expr *e);
/* Convert operands of different types as C does: the int to the real type. */
void check_mixed(struct context *c, const struct expr *a,
	const struct expr *b);
/* doubles.c: warn where literals alone make floats doubles. */
void check_doubles(struct lower *l);

/* names.c ------------------------------------------------------------------*/

/* Report that "s" is of the wrong kind for "e", for the "reason"; NULL. */
const struct expr *refuse_kind(struct context *c, struct ast_expr *e,
	const struct symbol *s, const char *reason);
const struct expr *lower_name(struct context *c, struct ast_expr *e);
/* With subscripts. */
const struct expr *lower_element(struct context *c, struct ast_expr *e);

/* constant.c ---------------------------------------------------------------*/

/* The number "e", described by "what", in "type". */
bool lower_value(struct context *c, struct ast_expr *e, enum type type,
	const char *what, struct value *v);
/* The literal for "v". */
const struct expr *value_expr(struct lower *l, const struct value *v,
	struct span at);
/* Evaluate the const "s" if necessary; NULL if it is wrong. */
const struct constant *lower_constant(struct lower *l, struct symbol *s);
/* Evaluate the default or the -D of "s". */
void lower_param(struct lower *l, struct symbol *s);
/* Apply -D to the parameters. */
void apply_defines(struct lower *l);

/* affine.c -----------------------------------------------------------------*/

/* An affine int expression in the parameters, described by "what"; quotients by constants are
 * allowed.
 */
const struct expr *lower_affine(struct context *c, struct ast_expr *e,
	const char *what);
const struct expr *lower_quasi_affine(struct context *c, struct ast_expr *e,
	const char *what);
/* A condition: comparisons of quasi-affine expressions. */
const struct expr *lower_condition(struct context *c, struct ast_expr *e);

/* access.c -----------------------------------------------------------------*/

const struct expr *lower_read(struct context *c, struct ast_expr *e,
	struct symbol *s);
/* The left-hand side; it declares the indices of "c". */
bool lower_write(struct context *c, struct ast_expr *e, struct symbol *s);

/* field.c, boundary.c ------------------------------------------------------*/

void lower_fields(struct lower *l);
/* The sizes of the field or result "s"; false after a diagnostic. */
bool lower_sizes(struct lower *l, const struct symbol *s, struct field *f);
void lower_boundaries(struct lower *l);

/* check.c ------------------------------------------------------------------*/

/* Check what only the whole program shows. */
void check_program(struct lower *l);

#endif
