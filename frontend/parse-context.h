/* What the scanner, the parser and the tree builder share during a parse. */
#ifndef STENCILC_PARSE_CONTEXT_H
#define STENCILC_PARSE_CONTEXT_H

#include "frontend/ast.h"

/* An open bracket. */
struct bracket {
	unsigned at;			/* in the text */
	bool is_head;			/* of "on (" or "sum (" */
};

struct parse {
	struct region *mem;
	struct diags *diags;
	const struct source *source;
	struct source *all;		/* the same source, to which texts are
					 * added */
	struct names *names;
	unsigned offset;		/* of the scanner in the text */
	struct span before;		/* the token before "last" */
	struct span last;		/* the token before the newest */
	struct span token;		/* the newest */
	struct span comment;		/* the start of the open statement */
	unsigned decimals;		/* where the declarators after a comma
					 * start, or 0 */
	struct bracket open[AST_MAX_NESTING];
	int n_open;
	bool stopped;			/* no more syntax messages */
	bool too_deep;			/* already reported */
	struct ast *ast;
	struct ast_item *used;		/* AST_USE: the text being parsed; NULL:
					 * the program's */
	bool began;			/* the scanner, with T_USED if it is */
};

/* ast.c: new nodes. */
struct ast_expr *ast_number(struct parse *p, enum type type, struct span at);
struct ast_expr *ast_name(struct parse *p, struct ast_name name);
struct ast_expr *ast_element(struct parse *p, struct ast_name name,
	struct ast_exprs subscripts, struct span at);
/* name[subscript]..(coordinate, ..) */
struct ast_expr *ast_between(struct parse *p, struct ast_name name,
	struct ast_exprs subscripts, struct ast_exprs coordinates,
	struct span at);
struct ast_expr *ast_call(struct parse *p, struct ast_name name,
	struct ast_exprs args, struct span at);
struct ast_expr *ast_unary(struct parse *p, enum op op, struct ast_expr *arg,
	struct span at);
struct ast_expr *ast_binary(struct parse *p, enum op op,
	struct ast_expr *left, struct ast_expr *right, struct span at);
struct ast_expr *ast_select(struct parse *p, struct ast_expr *condition,
	struct ast_expr *then, struct ast_expr *otherwise, struct span at);
struct ast_expr *ast_cast(struct parse *p, enum type type,
	struct ast_expr *arg, struct span at);
struct ast_expr *ast_sum(struct parse *p, struct ast_range *ranges,
	struct ast_expr *body, struct span at);
struct ast_expr *ast_bad(struct parse *p, struct span at);
struct ast_ranges ast_add_range(struct parse *p, struct ast_ranges list,
	struct ast_name name, struct ast_expr *begin, struct ast_expr *end);
struct ast_exprs ast_add_expr(struct ast_exprs list, struct ast_expr *e);
struct ast_entry *ast_entry(struct parse *p, struct ast_expr *value,
	struct ast_entries entries, struct span at);
struct ast_entries ast_add_entry(struct ast_entries list,
	struct ast_entry *e);
struct ast_names ast_add_name(struct parse *p, struct ast_names list,
	struct ast_name name);
struct ast_item *ast_item(struct parse *p, enum ast_item_kind kind,
	struct span at);
/* element = how (indices) value; */
struct ast_item *ast_reduce(struct parse *p, struct ast_expr *element,
	enum reduce how, struct ast_names indices, struct ast_expr *value);
struct ast_items ast_join_items(struct ast_items list, struct ast_items more);
struct ast_items ast_one_item(struct ast_item *item);
/* Give the fields "list", or their sides, their common boundary; "at": the whole of it. */
struct ast_items ast_bound(struct ast_items list, struct ast_name kind,
	struct ast_expr *value, struct span at);
/* Give the declarators "list" their common keyword and type. */
struct ast_items ast_declare(struct ast_items list, enum ast_item_kind kind,
	enum field_kind field_kind, struct ast_type type);
/* The type "complex part", written at "at". */
struct ast_type ast_complex(struct parse *p, enum type part, struct span at);

/* use.c: texts that other texts use. */
/* "use name;", or "use "name";" if "is_file". */
void ast_use(struct parse *p, struct ast_name name, bool is_file);
/* Append the text of "item" to the source; false after a diagnostic.  An item
 * that names a text already used gets none.
 */
bool use_find(struct parse *p, struct ast_item *item);
/* Attach "items" to p->used, whose text contains them. */
void use_take(struct parse *p, struct ast_items items);
/* Report that it holds a program; "at" is its first word. */
void use_refuse_program(struct parse *p, struct span at);

/* number.c: the number spelled by the text at "at", or AST_BAD. */
struct ast_expr *ast_spelled_number(struct parse *p, const char *s,
	size_t length, struct span at);

#endif
