/* The tree as .stn text. */
#include "frontend/ast.h"

#include <string.h>

enum {
	PRECEDENCE_SELECT = 3,
	PRECEDENCE_UNARY = 14,
	PRECEDENCE_PRIMARY = 15,
};

static void print_expr(struct text *t, const struct ast_expr *e);

/* A sum extends as far as it can: as an operand it needs parentheses. */
static int precedence(const struct ast_expr *e)
{
	switch (e->kind) {
	case AST_UNARY:
	case AST_CAST:
		return PRECEDENCE_UNARY;
	case AST_BINARY:
		return op_info(e->op)->precedence;
	case AST_SELECT:
		return PRECEDENCE_SELECT;
	case AST_SUM:
		return 0;
	default:
		return PRECEDENCE_PRIMARY;
	}
}

/* Print "e" as an operand that must bind at least as tightly as "least". */
static void print_operand(struct text *t, const struct ast_expr *e,
	int least)
{
	bool parentheses = precedence(e) < least;

	if (parentheses)
		text_puts(t, "(");
	print_expr(t, e);
	if (parentheses)
		text_puts(t, ")");
}

static void print_list(struct text *t, const struct ast_expr *e)
{
	for (; e; e = e->next) {
		print_expr(t, e);
		text_puts(t, e->next ? ", " : "");
	}
}

static void print_subscripts(struct text *t, const struct ast_expr *e)
{
	for (; e; e = e->next) {
		text_puts(t, "[");
		print_expr(t, e);
		text_puts(t, "]");
	}
}

static void print_binary(struct text *t, const struct ast_expr *e)
{
	const struct op_info *op = op_info(e->op);

	print_operand(t, e->args, op->precedence);
	text_printf(t, " %s ", op->spelling);
	print_operand(t, e->args->next, op->precedence + 1);
}

static void print_select(struct text *t, const struct ast_expr *e)
{
	print_operand(t, e->args, PRECEDENCE_SELECT + 1);
	text_puts(t, " ? ");
	print_operand(t, e->args->next, PRECEDENCE_SELECT);
	text_puts(t, " : ");
	print_operand(t, e->args->next->next, PRECEDENCE_SELECT);
}

static void print_range(struct text *t, const struct ast_range *r)
{
	print_expr(t, r->begin);
	text_puts(t, " .. ");
	print_expr(t, r->end);
}

/* The body ends before a '+' or '-'. */
static void print_sum(struct text *t, const struct ast_expr *e)
{
	text_puts(t, "sum (");
	for (const struct ast_range *r = e->ranges; r; r = r->next) {
		text_printf(t, "%s = ", r->name.text);
		print_range(t, r);
		text_puts(t, r->next ? ", " : "");
	}
	text_puts(t, ") ");
	print_operand(t, e->args, op_info(OP_MUL)->precedence);
}

static void print_expr(struct text *t, const struct ast_expr *e)
{
	switch (e->kind) {
	case AST_NUMBER:
		text_printf(t, "%s%s", e->spelling, e->is_complex ? "i" : "");
		break;
	case AST_NAME:
		text_puts(t, e->name.text);
		break;
	case AST_ELEMENT:
		text_puts(t, e->name.text);
		print_subscripts(t, e->args);
		if (!e->coordinates)
			break;
		text_puts(t, "(");
		print_list(t, e->coordinates);
		text_puts(t, ")");
		break;
	case AST_CALL:
		text_printf(t, "%s(", e->name.text);
		print_list(t, e->args);
		text_puts(t, ")");
		break;
	case AST_UNARY:
		text_puts(t, op_info(e->op)->spelling);
		print_operand(t, e->args, PRECEDENCE_UNARY + 1);
		break;
	case AST_CAST:
		text_printf(t, "(%s%s) ", e->is_complex ? "complex " : "",
			type_name(e->type));
		print_operand(t, e->args, PRECEDENCE_UNARY);
		break;
	case AST_BINARY:
		print_binary(t, e);
		break;
	case AST_SELECT:
		print_select(t, e);
		break;
	case AST_SUM:
		print_sum(t, e);
		break;
	case AST_STEP:
	case AST_INDEX:
	case AST_PART:
	case AST_BAD:
		break;
	}
}

/* Does the text of "e" begin with a sign, which behind "max (i, j)" would be an operator? */
static bool starts_with_sign(const struct ast_expr *e)
{
	while (e->kind == AST_BINARY || e->kind == AST_SELECT)
		e = e->args;
	return e->kind == AST_UNARY && e->op == OP_NEG;
}

/* Items --------------------------------------------------------------------*/

static void print_items(struct text *t, const struct ast_item *item);

static void print_entry(struct text *t, const struct ast_entry *e)
{
	if (e->value) {
		print_expr(t, e->value);
		return;
	}
	text_puts(t, "{ ");
	for (const struct ast_entry *f = e->entries; f; f = f->next) {
		print_entry(t, f);
		text_puts(t, f->next ? ", " : "");
	}
	text_puts(t, " }");
}

static void print_value(struct text *t, const struct ast_item *item)
{
	if (!item->value)
		return;
	text_puts(t, " = ");
	print_expr(t, item->value);
}

static void print_const(struct text *t, const struct ast_item *item)
{
	for (const struct ast_range *r = item->ranges; r; r = r->next) {
		text_puts(t, "[");
		print_range(t, r);
		text_puts(t, "]");
	}
	print_value(t, item);
	if (item->entry) {
		text_puts(t, " = ");
		print_entry(t, item->entry);
	}
}

static const char *storage_name(enum field_kind kind)
{
	static const char *const names[] = {
		"state", "input", "output", "temp"
	};

	return names[kind];
}

static const char *keyword(const struct ast_item *item)
{
	return item->kind == AST_PARAM ? "param" :
		item->kind == AST_CONST ? "const" :
		item->kind == AST_RESULT ? "result" :
		storage_name(item->field_kind);
}

/* One declarator, with its keyword unless it shares it. */
static void print_declarator(struct text *t, const struct ast_item *item)
{
	if (!item->joined)
		text_printf(t, "%s %s%s ", keyword(item), item->is_complex ?
			"complex " : "", type_name(item->type));
	text_puts(t, item->name.text);
	if (item->kind == AST_PARAM)
		print_value(t, item);
	else if (item->kind == AST_CONST)
		print_const(t, item);
	else
		print_subscripts(t, item->dims.first);
	text_puts(t, item->next && item->next->joined ? ", " : ";\n");
}

static void print_boundary(struct text *t, const struct ast_item *item)
{
	text_printf(t, "boundary %s", item->name.text);
	print_subscripts(t, item->dims.first);
	if (item->side.text)
		text_printf(t, ".%s", item->side.text);
	text_printf(t, " = %s", item->boundary.text);
	if (item->value) {
		text_puts(t, "(");
		print_expr(t, item->value);
		text_puts(t, ")");
	}
	text_puts(t, ";\n");
}

static void print_def(struct text *t, const struct ast_item *item)
{
	text_printf(t, "def %s(", item->name.text);
	for (const struct ast_name_link *n = item->params.first; n;
	     n = n->next)
		text_printf(t, "%s%s", n->name.text, n->next ? ", " : "");
	text_puts(t, ")");
	print_value(t, item);
	text_puts(t, ";\n");
}

static void print_block(struct text *t, const struct ast_item *items)
{
	text_puts(t, "{\n");
	++t->indent;
	print_items(t, items);
	--t->indent;
	text_puts(t, "}\n");
}

/* "iterate t = 0 .. T " */
static void print_range_of(struct text *t, const char *word,
	const struct ast_item *item)
{
	text_printf(t, "%s %s = ", word, item->name.text);
	print_expr(t, item->begin);
	text_puts(t, " .. ");
	print_expr(t, item->value);
	text_puts(t, " ");
}

static void print_use(struct text *t, const struct ast_item *item)
{
	const char *quote = item->is_file ? "\"" : "";

	text_printf(t, "use %s%s%s;\n", quote, item->name.text, quote);
}

/* "e = max (i, j) fabs(u[t+1][i][j]) every 10;" */
static void print_reduce(struct text *t, const struct ast_item *item)
{
	print_expr(t, item->element);
	text_printf(t, " = %s (", reduce_name(item->reduce));
	for (const struct ast_name_link *n = item->params.first; n;
	     n = n->next)
		text_printf(t, "%s%s", n->name.text, n->next ? ", " : "");
	text_puts(t, ") ");
	print_operand(t, item->value, starts_with_sign(item->value) ?
		PRECEDENCE_PRIMARY + 1 : 0);
	if (item->begin) {
		text_puts(t, " every ");
		print_expr(t, item->begin);
	}
	text_puts(t, ";\n");
}

static void print_item(struct text *t, const struct ast_item *item)
{
	switch (item->kind) {
	case AST_PARAM:
	case AST_CONST:
	case AST_FIELD:
	case AST_RESULT:
		print_declarator(t, item);
		break;
	case AST_BOUNDARY:
		print_boundary(t, item);
		break;
	case AST_DEF:
		print_def(t, item);
		break;
	case AST_LET:
		text_printf(t, "let %s", item->name.text);
		print_value(t, item);
		text_puts(t, ";\n");
		break;
	case AST_ASSUME:
		text_puts(t, "assume ");
		print_expr(t, item->value);
		text_puts(t, ";\n");
		break;
	case AST_UPDATE:
		text_puts(t, item->sweeps ? "sweep " : "");
		print_expr(t, item->element);
		if (item->adds) {
			text_puts(t, " += ");
			print_expr(t, item->value);
		} else {
			print_value(t, item);
		}
		text_puts(t, ";\n");
		break;
	case AST_ON:
		text_puts(t, "on (");
		print_expr(t, item->value);
		text_puts(t, ") ");
		print_items(t, item->items);
		break;
	case AST_BLOCK:
		print_block(t, item->items);
		break;
	case AST_ITERATE:
		print_range_of(t, "iterate", item);
		print_block(t, item->items);
		break;
	case AST_AT:
		print_range_of(t, "at", item);
		print_items(t, item->items);
		break;
	case AST_USE:
		print_use(t, item);
		break;
	case AST_REDUCE:
		print_reduce(t, item);
		break;
	case AST_UNTIL:
		text_puts(t, "until ");
		print_expr(t, item->value);
		text_puts(t, ";\n");
		break;
	}
}

static void print_items(struct text *t, const struct ast_item *item)
{
	for (; item; item = item->next)
		print_item(t, item);
}

void frontend_print(struct text *t, const struct ast *ast)
{
	for (const struct ast_item *use = ast->uses.first; use; use = use->next)
		if (!use->user)
			print_item(t, use);
	text_printf(t, "stencil %s ", ast->name.text);
	print_block(t, ast->items);
}
