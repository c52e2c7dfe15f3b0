/* The tree of a .stn file as parsed: no name is resolved yet. */
#ifndef STENCILC_AST_H
#define STENCILC_AST_H

#include "frontend/frontend.h"

enum {
	AST_MAX_DEPTH = 4096,	/* of an expression */
	AST_MAX_NESTING = 256,	/* of brackets */
	AST_MAX_NAME = 255,	/* bytes */
	AST_MAX_USED = 32,	/* texts */
};

struct ast_name {
	const char *text;	/* interned */
	struct span at;
};

struct ast_names {
	struct ast_name_link {
		struct ast_name name;
		bool reported;		/* already reported */
		bool is_moved;		/* someone asks for its value at other
					 * points */
		struct ast_name_link *next;
	} *first, *last;
	int n;
};

enum ast_expr_kind {
	AST_NUMBER,
	AST_NAME,
	AST_ELEMENT,		/* name[arg]..., or name[arg]..(coordinate, ..) */
	AST_CALL,		/* name(arg, ...) */
	AST_UNARY,
	AST_BINARY,
	AST_SELECT,		/* arg ? arg : arg */
	AST_CAST,		/* (type) arg */
	AST_SUM,		/* sum (range, ...) arg */
	AST_INDEX,		/* the index of dimension ivalue; in no text */
	AST_STEP,		/* the time, called name, plus ivalue; in no text */
	AST_PART,		/* the real part of arg, 0, or the imaginary one, 1:
				 * ivalue; in no text */
	AST_BAD,		/* already diagnosed */
};

struct ast_range {
	struct ast_name name;
	struct ast_expr *begin, *end;	/* both included */
	struct ast_range *next;
};

struct ast_ranges {
	struct ast_range *first, *last;
};

/* A type as written; "type" is that of both parts of a complex number. */
struct ast_type {
	enum type type;
	bool is_complex;
};

struct ast_expr {
	enum ast_expr_kind kind;
	enum type type;			/* AST_NUMBER, AST_CAST */
	bool is_complex;		/* AST_NUMBER: times i; AST_CAST */
	enum op op;
	struct ast_name name;
	const char *spelling;		/* of a number */
	int64_t ivalue;
	double rvalue;
	struct ast_expr *args;		/* linked by next */
	int n_args;
	struct ast_expr *coordinates;	/* AST_ELEMENT: likewise linked, or NULL */
	int n_coordinates;
	struct ast_range *ranges;
	int depth;
	bool reported;			/* already reported */
	struct ast_expr *next;		/* argument of the same parent */
	struct span at;
};

struct ast_exprs {
	struct ast_expr *first, *last;
	int n;
};

/* Of a table: an expression or a list in braces. */
struct ast_entry {
	struct ast_expr *value;		/* or: */
	struct ast_entry *entries;
	int n_entries;
	struct ast_entry *next;
	struct span at;
};

struct ast_entries {
	struct ast_entry *first, *last;
	int n;
};

enum ast_item_kind {
	AST_PARAM,
	AST_CONST,
	AST_FIELD,
	AST_BOUNDARY,
	AST_DEF,
	AST_LET,
	AST_ASSUME,
	AST_UPDATE,		/* element = value; */
	AST_ON,			/* on (value) items */
	AST_BLOCK,		/* { items } */
	AST_ITERATE,		/* iterate name = begin .. value { items } */
	AST_AT,			/* at name = begin .. value { items } */
	AST_USE,		/* use name; */
	AST_RESULT,		/* result type name[dims]; */
	AST_REDUCE,		/* element = reduce (params) value every begin; */
	AST_UNTIL,		/* until value; */
};

struct ast_item {
	enum ast_item_kind kind;
	bool joined;		/* takes its keyword from the one before */
	struct {		/* AST_UPDATE: */
		bool adds;	/* element += value; */
		bool sweeps;	/* sweep element = value; */
	};
	bool is_file;		/* AST_USE: use "name"; */
	struct {		/* AST_PARAM, AST_CONST, AST_FIELD, AST_RESULT */
		enum type type;
		bool is_complex;
	};
	enum field_kind field_kind;
	struct ast_name name;
	struct ast_expr *value;	/* default, body, condition, upper bound */
	struct ast_expr *begin;		/* AST_REDUCE: NULL: not given */
	struct ast_expr *element;	/* AST_UPDATE, AST_REDUCE */
	enum reduce reduce;
	struct span reduce_at;
	struct ast_exprs dims;		/* AST_FIELD; AST_BOUNDARY: the field */
	struct ast_range *ranges;	/* AST_CONST: of a table, nameless */
	struct ast_entry *entry;	/* of a table */
	struct ast_name boundary;	/* AST_BOUNDARY: its kind */
	struct ast_name side;		/* .. "low", "high"; no text: both */
	struct ast_names params;	/* AST_DEF; AST_REDUCE: the indices */
	struct ast_item *items;		/* AST_USE: of the text */
	const struct ast_item *user;	/* AST_USE: in whose text it stands;
					 * NULL: the program's */
	const char *path;		/* AST_USE: its file, or NULL: built in */
	unsigned start;			/* AST_USE: number of the text; 0: it
					 * has none */
	struct ast_item *next;
	struct span at;
};

struct ast_items {
	struct ast_item *first, *last;
};

struct ast {
	struct ast_name name;
	struct ast_items uses;	/* in the order met; those of used texts come
				 * last */
	int n_uses;
	struct ast_item *items;
	struct names *names;
	bool has_complex;	/* some text has a complex number */
	bool casts_to_double;	/* some text casts to double */
	bool is_text;		/* it is of a text, not of C */
	struct span at;
};

#endif
