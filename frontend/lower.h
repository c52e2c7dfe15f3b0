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
	SYMBOL_UNKNOWN,		/* undeclared, and reported */
};

struct context;

enum progress { PROGRESS_NONE, PROGRESS_BUSY, PROGRESS_DONE };

struct symbol {
	enum symbol_kind kind;
	const char *name;
	struct span at;
	const struct ast_item *item;
	enum progress progress;	/* of its value; a def: of finding what it moves */
	bool used;		/* a field: read or written */
	bool is_lent, is_part;	/* by a text that is used; a component */
	bool read;
	bool at_points;		/* a field: by statements, not by lists alone */
	bool twice;		/* a field: reported as written twice */
	int order;		/* of a let, among the statements */
	struct param *param;
	struct constant *constant;	/* NULL if wrong */
	struct field *field;
	struct components *components;	/* a field in parts; NULL: it has none */
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
		bool until_is_apart;	/* not in the loop alone */
	};
	struct statement **statement;	/* those of program.stmt */
	int n_orders;
	struct {		/* while declaring */
		bool in_loop, lends;
		const struct ast_item *list;	/* the "at" around */
	};
	bool *warned;		/* by place: of an integer division */
	unsigned visited;
	int depth;		/* of the walk through the tree */
	bool (*call)(struct context *c, struct ast_expr *e,
		const struct expr **value);	/* functions that are not C's */
	bool too_large;		/* reported: nothing is expanded any more */
};

/* A name that means something in a part of an expression only. */
struct binding {
	const char *name;
	struct span at;
	enum { BIND_INDEX, BIND_NUMBER, BIND_ARGUMENT, BIND_FIELD,
		BIND_LISTED, BIND_LATER } kind;
	int dim;
	int64_t number;
	const struct expr *value;	/* NULL: wrong, and diagnosed */
	struct ast_expr *later;	/* an argument that is read at other points */
	struct symbol *field;
	struct span passed;		/* the argument */
	bool used, refused;
	struct binding *outer;
	const struct context *around;	/* where "later" stands */
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
	struct lattice *lattice;	/* of its points; NULL: none */
	struct lowered_let {
		const struct symbol *symbol;
		const struct local *local;	/* NULL: wrong */
		struct lowered_let *next;
	} *lets;
	struct local *last_local;
	struct read *bucket[READ_BUCKETS];
	int n_room;		/* of ir->read */
};

/* What surrounds an expression. */
struct context {
	struct lower *l;
	struct statement *statement;	/* NULL outside */
	struct binding *bindings;
	int order;		/* lets before it are visible */
	bool timed;		/* the time is visible */
	struct amendment *amendment;	/* within one; or NULL */
	struct listing *listing;	/* within a list of points, or .. */
	struct recording *recording;	/* .. a record of all points, and .. */
	const struct expr *(*read)(struct context *c, struct ast_expr *e,
		struct symbol *s);	/* .. how these read fields; or NULL */
	bool inlining;		/* a let means its expression */
	bool reduces;		/* within a reduction, .. */
	bool ends;		/* .. in what ends the loop */
	const struct beyond *beyond;	/* there inputs are read; or NULL */
	const char *closed_sum;	/* variable of a sum that has ended */
	const struct expansion *expansion;	/* of definitions, see derivative.h */
	const int64_t *moved;	/* by index: what is meant is so far away; or NULL */
};

/* symbols.c ----------------------------------------------------------------*/

/* Declare every name of the program; number lets and updates. */
void declare_names(struct lower *l);
struct symbol *find_symbol(const struct lower *l, const char *name);
/* Say once that "name", which is used as "what", means nothing in "c". */
enum usage {
	USED_AS_NUMBER, USED_AS_FIELD, USED_AS_FUNCTION, USED_AS_PARAMETER,
	USED_AS_RESULT,
};
void report_undeclared(struct context *c, struct ast_name name,
	enum usage usage);
/* "a state", "a parameter" */
const char *symbol_what(const struct symbol *s);
/* The function called "name"; "single" if it is spelled as C's for float. */
bool find_function(const char *name, enum op *op, bool *single);
/* The name most similar to "name" among those of "c" that can be used so, or
 * NULL.
 */
const char *similar_name(const struct context *c, const char *name,
	enum usage usage);
/* "source", shortened, as it stands at "at". */
const char *quote(const struct lower *l, struct span at);

/* Report "e" unless something about it was reported before; false then. */
bool report(struct context *c, struct ast_expr *e, enum diag_id id,
	struct span at, const char *fmt, ...) BASE_PRINTF(5, 6);

/* reserved.c ---------------------------------------------------------------*/

/* What a name stands for in the generated code: nothing that is there, a variable, the
 * generated function.
 */
enum naming { NAMES_NOTHING, NAMES_VARIABLE, NAMES_PROGRAM };
/* False after a diagnostic if C, C++ or CUDA has taken the name. */
bool check_reserved(struct lower *l, struct ast_name name,
	enum naming naming);

/* expr.c -------------------------------------------------------------------*/

/* The value of "e" in "c"; NULL after a diagnostic. */
const struct expr *lower_expr(struct context *c, struct ast_expr *e);
/* The int "e" that must be known at compile time; "what" it is. */
bool lower_int(struct context *c, struct ast_expr *e, const char *what,
	int64_t *value);

/* division.c ---------------------------------------------------------------*/

/* "e" as a value of "type", with a warning if that loses a fraction. */
const struct expr *convert(struct context *c, enum type type,
	const struct expr *e);
/* The int "e" becomes a value of the real "type": warn if the user's 1/8 is a
 * 0.
 */
void check_division(struct context *c, enum type type, const struct expr *e);
/* The operands of different types: C converts the int to a real. */
void check_mixed(struct context *c, const struct expr *a,
	const struct expr *b);

/* names.c ------------------------------------------------------------------*/

/* What "name" stands for in this part of the expression; NULL: nothing that
 * only this part knows.
 */
struct binding *find_binding(const struct context *c, const char *name);
/* Say that "s" is of another kind than "e" needs, for the "reason"; NULL. */
const struct expr *refuse_kind(struct context *c, struct ast_expr *e,
	const struct symbol *s, const char *reason);
const struct expr *lower_name(struct context *c, struct ast_expr *e);
/* With subscripts. */
const struct expr *lower_element(struct context *c, struct ast_expr *e);

/* constant.c ---------------------------------------------------------------*/

/* The number "e", which is "what" and of "type". */
bool lower_value(struct context *c, struct ast_expr *e, enum type type,
	const char *what, struct value *v);
/* The literal "v". */
const struct expr *value_expr(struct lower *l, const struct value *v,
	struct span at);
/* Evaluate the const "s" if that has not been done; NULL if it is wrong. */
const struct constant *lower_constant(struct lower *l, struct symbol *s);
/* Evaluate the default or the -D of "s". */
void lower_param(struct lower *l, struct symbol *s);
/* Apply -D to the parameters. */
void apply_defines(struct lower *l);

/* affine.c -----------------------------------------------------------------*/

/* An affine int expression in the parameters, "what" it is; with quotients by constants. */
const struct expr *lower_affine(struct context *c, struct ast_expr *e,
	const char *what);
const struct expr *lower_quasi_affine(struct context *c, struct ast_expr *e,
	const char *what);
/* A condition: comparisons of quasi-affine expressions. */
const struct expr *lower_condition(struct context *c, struct ast_expr *e);

/* access.c -----------------------------------------------------------------*/

const struct expr *lower_read(struct context *c, struct ast_expr *e,
	struct symbol *s);
/* "a", or the equal access that the statement has already. */
const struct access *shared_access(struct lower *l, struct statement *s,
	const struct access *a);
/* The left-hand side; declares the indices of "c". */
bool lower_write(struct context *c, struct ast_expr *e, struct symbol *s);

/* field.c, boundary.c ------------------------------------------------------*/

void lower_fields(struct lower *l);
/* The sizes of the field or result "s"; false after a diagnostic. */
bool lower_sizes(struct lower *l, const struct symbol *s, struct field *f);
void lower_boundaries(struct lower *l);

/* check.c ------------------------------------------------------------------*/

/* What can only be seen in the whole program. */
void check_program(struct lower *l);

#endif
