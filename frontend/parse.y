/* The grammar of .stn. */
%require "3.8"
%define api.prefix {stn_yy}
%define api.pure full
%define api.token.prefix {T_}
%define api.value.type union
%define api.location.type {struct span}
%define parse.error custom
%define parse.lac full
%locations
%expect 0				/* rewrite the rule instead */

%code requires {
#include "frontend/parse-context.h"

#ifndef YY_TYPEDEF_YY_SCANNER_T
#define YY_TYPEDEF_YY_SCANNER_T
typedef void *yyscan_t;
#endif
}

%param { yyscan_t scanner }
%parse-param { struct parse *p }

%code {
#include "frontend/syntax.h"

#define YYLOCATION_PRINT(out, at) \
	fprintf((out), "%u-%u", (at)->start, (at)->end)
#define YYLLOC_DEFAULT(result, rhs, n) \
	((result).start = (n) ? YYRHSLOC(rhs, 1).start : \
		YYRHSLOC(rhs, 0).end, \
	 (result).end = YYRHSLOC(rhs, n).end)

int stn_yylex(STN_YYSTYPE *value, struct span *at, yyscan_t scanner);
static void stn_yyerror(struct span *at, yyscan_t scanner, struct parse *p,
	const char *message);

static struct ast_name name_at(const char *text, struct span at)
{
	return (struct ast_name) { text, at };
}
}

%token
	USED			/* in front of a text that is used */
	USE "use"
	STENCIL "stencil"
	PARAM "param"
	CONST "const"
	STATE "state"
	INPUT "input"
	OUTPUT "output"
	TEMP "temp"
	BOUNDARY "boundary"
	DEF "def"
	LET "let"
	ASSUME "assume"
	ITERATE "iterate"
	ON "on"
	AT "at"
	SWEEP "sweep"
	CHAR "char"
	SHORT "short"
	INT "int"
	LONG "long"
	UNSIGNED "unsigned"
	HALF "half"
	BFLOAT "bfloat"
	FLOAT "float"
	DOUBLE "double"
	COMPLEX "complex"
	SUM "sum"
	MAX "max"
	MIN "min"
	RESULT "result"
	EVERY "every"
	UNTIL "until"
	RANGE ".."
	OR "||"
	AND "&&"
	EQ "=="
	NE "!="
	LE "<="
	GE ">="
	SHIFT_LEFT "<<"
	SHIFT_RIGHT ">>"
	ADD "+="
%token <const char *> NAME "a name"
%token <const char *> FILE_NAME "a file name"
%token <struct ast_expr *> NUMBER "a number"

%right '?' ':'
%left "||"
%left "&&"
%left '|'
%left '^'
%left '&'
%left "==" "!="
%left '<' "<=" '>' ">="
%left "<<" ">>"
%left '+' '-'
%precedence SUM
%left '*' '/' '%'
%precedence UNARY

%nterm <enum type> real_type
%nterm <struct ast_type> type
%nterm <enum field_kind> storage
%nterm <struct ast_items> items item stmts stmt declaration params consts
	fields boundary places iterate block
%nterm <struct ast_item *> param const field sides definition
%nterm <struct ast_expr *> expr element upper value every
%nterm <enum reduce> reduce
%nterm <struct ast_exprs> subscripts arguments sizes
%nterm <struct ast_ranges> ranges table_ranges
%nterm <struct ast_entries> entries
%nterm <struct ast_entry *> entry table
%nterm <struct ast_names> names

%%

text:
  uses program
| USED uses items	{ use_take(p, $items); }
| USED uses items "stencil" {
	use_refuse_program(p, @4);
	YYABORT;
  }
;

uses:
  %empty
| uses "use" NAME ';'		{ ast_use(p, name_at($NAME, @NAME), false); }
| uses "use" FILE_NAME ';' {
	ast_use(p, name_at($FILE_NAME, @FILE_NAME), true);
  }
| uses "use" error ';'
;

program:
  "stencil" NAME '{' items '}' {
	p->ast->name = name_at($NAME, @NAME);
	p->ast->items = $items.first;
	p->ast->at = @$;
  }
| "stencil" error '{' items '}'
| "stencil" NAME '{' items error '}'
;

items:
  %empty		{ $$ = (struct ast_items) { 0 }; }
| items item		{ $$ = ast_join_items($1, $2); }
;

item:
  declaration
| iterate
| stmt
;

declaration:
  "param" type params ';' {
	$$ = ast_declare($params, AST_PARAM, 0, $type);
  }
| "const" type consts ';' {
	$$ = ast_declare($consts, AST_CONST, 0, $type);
  }
| "const" error ';' {
	$$ = (struct ast_items) { 0 };
	yyerrok;
  }
| storage type fields ';' {
	$$ = ast_declare($fields, AST_FIELD, $storage, $type);
  }
| "result" type fields ';' {
	$$ = ast_declare($fields, AST_RESULT, 0, $type);
  }
| "boundary" boundary ';'	{ $$ = $boundary; }
| "def" definition ';' {
	$$ = ast_one_item($definition);
  }
| "assume" expr ';' {
	struct ast_item *item = ast_item(p, AST_ASSUME, @expr);

	item->value = $expr;
	$$ = ast_one_item(item);
  }
;

type:
  real_type		{ $$ = (struct ast_type) { $1, false }; }
| "complex" real_type	{ $$ = ast_complex(p, $real_type, @$); }
;

real_type:
  "char"		{ $$ = TYPE_CHAR; }
| "unsigned" "char"	{ $$ = TYPE_UCHAR; }
| "short"		{ $$ = TYPE_SHORT; }
| "unsigned" "short"	{ $$ = TYPE_USHORT; }
| "int"			{ $$ = TYPE_INT; }
| "unsigned"		{ $$ = TYPE_UNSIGNED; }
| "unsigned" "int"	{ $$ = TYPE_UNSIGNED; }
| "long"		{ $$ = TYPE_LONG; }
| "unsigned" "long"	{ $$ = TYPE_ULONG; }
| "half"		{ $$ = TYPE_HALF; }
| "bfloat"		{ $$ = TYPE_BFLOAT; }
| "float"		{ $$ = TYPE_FLOAT; }
| "double"		{ $$ = TYPE_DOUBLE; }
;

storage:
  "state"		{ $$ = FIELD_STATE; }
| "input"		{ $$ = FIELD_INPUT; }
| "output"		{ $$ = FIELD_OUTPUT; }
| "temp"		{ $$ = FIELD_TEMP; }
;

params:
  param			{ $$ = ast_one_item($1); }
| params ',' param	{ $$ = ast_join_items($1, ast_one_item($3)); }
;

param:
  NAME value {
	$$ = ast_item(p, AST_PARAM, @NAME);
	$$->name = name_at($NAME, @NAME);
	$$->value = $value;
  }
;

value:
  %empty		{ $$ = NULL; }
| '=' expr		{ $$ = $expr; }
;

consts:
  const			{ $$ = ast_one_item($1); }
| consts ',' const	{ $$ = ast_join_items($1, ast_one_item($3)); }
;

const:
  NAME '=' expr {
	$$ = ast_item(p, AST_CONST, @NAME);
	$$->name = name_at($NAME, @NAME);
	$$->value = $expr;
  }
| NAME table_ranges '=' table {
	$$ = ast_item(p, AST_CONST, @NAME);
	$$->name = name_at($NAME, @NAME);
	$$->ranges = $table_ranges.first;
	$$->entry = $table;
  }
;

table_ranges:
  '[' expr[begin] ".." expr[end] ']' {
	$$ = ast_add_range(p, (struct ast_ranges) { 0 },
		name_at(NULL, @$), $begin, $end);
  }
| table_ranges '[' expr[begin] ".." expr[end] ']' {
	$$ = ast_add_range(p, $1, name_at(NULL, @$), $begin, $end);
  }
;

table:
  '{' entries '}'	{ $$ = ast_entry(p, NULL, $entries, @$); }
| '{' entries ',' '}'	{ $$ = ast_entry(p, NULL, $entries, @$); }
| '{' error '}' {
	$$ = ast_entry(p, NULL, (struct ast_entries) { 0 }, @$);
  }
;

entries:
  entry {
	$$ = ast_add_entry((struct ast_entries) { 0 }, $entry);
  }
| entries ',' entry	{ $$ = ast_add_entry($1, $entry); }
;

entry:
  expr {
	$$ = ast_entry(p, $expr, (struct ast_entries) { 0 }, @$);
  }
| table
;

fields:
  field			{ $$ = ast_one_item($1); }
| fields ',' field	{ $$ = ast_join_items($1, ast_one_item($3)); }
;

field:
  NAME sizes {
	$$ = ast_item(p, AST_FIELD, @NAME);
	$$->name = name_at($NAME, @NAME);
	$$->dims = $sizes;
  }
;

sizes:
  %empty		{ $$ = (struct ast_exprs) { 0 }; }
| sizes '[' expr ']'	{ $$ = ast_add_expr($1, $expr); }
;

boundary:
  places '=' NAME[kind] {
	$$ = ast_bound($places, name_at($kind, @kind), NULL, @$);
  }
| places '=' NAME[kind] '(' expr ')' {
	$$ = ast_bound($places, name_at($kind, @kind), $expr, @$);
  }
;

places:
  sides			{ $$ = ast_one_item($sides); }
| places ',' sides	{ $$ = ast_join_items($1, ast_one_item($sides)); }
;

sides:
  NAME sizes {
	$$ = ast_item(p, AST_BOUNDARY, @$);
	$$->name = name_at($NAME, @NAME);
	$$->dims = $sizes;
  }
| NAME[field] sizes '.' NAME[side] {
	$$ = ast_item(p, AST_BOUNDARY, @$);
	$$->name = name_at($field, @field);
	$$->dims = $sizes;
	$$->side = name_at($side, @side);
  }
;

definition:
  NAME '(' names ')' '=' expr {
	$$ = ast_item(p, AST_DEF, @NAME);
	$$->name = name_at($NAME, @NAME);
	$$->params = $names;
	$$->value = $expr;
  }
;

names:
  NAME {
	$$ = ast_add_name(p, (struct ast_names) { 0 },
		name_at($NAME, @NAME));
  }
| names ',' NAME {
	$$ = ast_add_name(p, $1, name_at($NAME, @NAME));
  }
;

iterate:
  "iterate" NAME '=' expr ".." upper '{' stmts '}' {
	struct ast_item *item = ast_item(p, AST_ITERATE, @NAME);

	item->name = name_at($NAME, @NAME);
	item->begin = $expr;
	item->value = $upper;
	item->items = $stmts.first;
	$$ = ast_one_item(item);
  }
| "iterate" NAME '{' {
	syntax_missing_bounds(p, @NAME);
  } stmts '}' {
	$$ = (struct ast_items) { 0 };
  }
| "iterate" NAME '=' expr ".." upper '{' stmts error '}' {
	$$ = (struct ast_items) { 0 };
  }
| "iterate" error '{' stmts '}' {
	$$ = (struct ast_items) { 0 };
  }
;

upper:
  expr
| %empty {
	syntax_missing_upper(p, @$);
	$$ = ast_bad(p, @$);
  }
;

stmts:
  %empty		{ $$ = (struct ast_items) { 0 }; }
| stmts stmt		{ $$ = ast_join_items($1, $2); }
;

stmt:
  "let" NAME '=' expr ';' {
	struct ast_item *item = ast_item(p, AST_LET, @NAME);

	item->name = name_at($NAME, @NAME);
	item->value = $expr;
	$$ = ast_one_item(item);
  }
| element '=' expr ';' {
	struct ast_item *item = ast_item(p, AST_UPDATE, @element);

	item->element = $element;
	item->value = $expr;
	$$ = ast_one_item(item);
  }
| "sweep" element '=' expr ';' {
	struct ast_item *item = ast_item(p, AST_UPDATE, @element);

	item->element = $element;
	item->value = $expr;
	item->sweeps = true;
	$$ = ast_one_item(item);
  }
| element "+=" expr ';' {
	struct ast_item *item = ast_item(p, AST_UPDATE, @element);

	item->element = $element;
	item->value = $expr;
	item->adds = true;
	$$ = ast_one_item(item);
  }
| element '=' reduce '(' names ')' expr every ';' {
	$$ = ast_one_item(ast_reduce(p, $element, $reduce, $names, $expr));
	$$.first->reduce_at = @reduce;
	$$.first->begin = $every;
  }
| element '=' "sum"[reduce] '(' names ')' expr every ';' {
	$$ = ast_one_item(ast_reduce(p, $element, REDUCE_SUM, $names, $expr));
	$$.first->reduce_at = @reduce;
	$$.first->begin = $every;
  }
| "until" expr ';' {
	struct ast_item *item = ast_item(p, AST_UNTIL, @1);

	item->value = $expr;
	$$ = ast_one_item(item);
  }
| "at" NAME '=' expr ".." upper block {
	struct ast_item *item = ast_item(p, AST_AT, @NAME);

	item->name = name_at($NAME, @NAME);
	item->begin = $expr;
	item->value = $upper;
	item->items = $block.first;
	$$ = ast_one_item(item);
  }
| "on" '(' expr ')' stmt[body] {
	struct ast_item *item = ast_item(p, AST_ON, @expr);

	item->value = $expr;
	item->items = $body.first;
	$$ = ast_one_item(item);
  }
| "on" '(' expr ')' block {
	struct ast_item *item = ast_item(p, AST_ON, @expr);

	item->value = $expr;
	item->items = $block.first;
	$$ = ast_one_item(item);
  }
| error ';' {
	$$ = (struct ast_items) { 0 };
	yyerrok;
  }
| error block {
	$$ = $block;
  }
;

reduce:
  "max"			{ $$ = REDUCE_MAX; }
| "min"			{ $$ = REDUCE_MIN; }
;

every:
  %empty		{ $$ = NULL; }
| "every" expr		{ $$ = $expr; }
;

block:
  '{' stmts '}' {
	struct ast_item *item = ast_item(p, AST_BLOCK, @$);

	item->items = $stmts.first;
	$$ = ast_one_item(item);
  }
| '{' stmts error '}' {
	$$ = (struct ast_items) { 0 };
  }
;

element:
  NAME {
	$$ = ast_name(p, name_at($NAME, @NAME));
  }
| NAME subscripts {
	$$ = ast_element(p, name_at($NAME, @NAME), $subscripts, @$);
  }
| NAME subscripts '(' arguments ')' {
	$$ = ast_between(p, name_at($NAME, @NAME), $subscripts,
		$arguments, @$);
  }
;

subscripts:
  '[' expr ']' {
	$$ = ast_add_expr((struct ast_exprs) { 0 }, $expr);
  }
| subscripts '[' expr ']' {
	$$ = ast_add_expr($1, $expr);
  }
;

expr:
  NUMBER
| element
| NAME '(' arguments ')' {
	$$ = ast_call(p, name_at($NAME, @NAME), $arguments, @$);
  }
| '(' expr[inner] ')' {
	$$ = $inner;
	$$->at = @$;
  }
| '(' type ')' expr[arg] %prec UNARY {
	$$ = ast_cast(p, $type.type, $arg, @$);
	$$->is_complex = $type.is_complex;
	p->ast->casts_to_double |= $type.type == TYPE_DOUBLE;
  }
| '-' expr[arg] %prec UNARY	{ $$ = ast_unary(p, OP_NEG, $arg, @$); }
| '+' expr[arg] %prec UNARY	{ $$ = $arg; }
| '!' expr[arg] %prec UNARY	{ $$ = ast_unary(p, OP_NOT, $arg, @$); }
| '~' expr[arg] %prec UNARY	{ $$ = ast_unary(p, OP_BIT_NOT, $arg, @$); }
| "sum" '(' ranges ')' expr[body] %prec SUM {
	$$ = ast_sum(p, $ranges.first, $body, @$);
  }
| expr[a] '*' expr[b]	{ $$ = ast_binary(p, OP_MUL, $a, $b, @$); }
| expr[a] '/' expr[b]	{ $$ = ast_binary(p, OP_DIV, $a, $b, @$); }
| expr[a] '%' expr[b]	{ $$ = ast_binary(p, OP_MOD, $a, $b, @$); }
| expr[a] '+' expr[b]	{ $$ = ast_binary(p, OP_ADD, $a, $b, @$); }
| expr[a] '-' expr[b]	{ $$ = ast_binary(p, OP_SUB, $a, $b, @$); }
| expr[a] "<<" expr[b] {
	$$ = ast_binary(p, OP_SHIFT_LEFT, $a, $b, @$);
  }
| expr[a] ">>" expr[b] {
	$$ = ast_binary(p, OP_SHIFT_RIGHT, $a, $b, @$);
  }
| expr[a] '&' expr[b]	{ $$ = ast_binary(p, OP_BIT_AND, $a, $b, @$); }
| expr[a] '^' expr[b]	{ $$ = ast_binary(p, OP_BIT_XOR, $a, $b, @$); }
| expr[a] '|' expr[b]	{ $$ = ast_binary(p, OP_BIT_OR, $a, $b, @$); }
| expr[a] '<' expr[b]	{ $$ = ast_binary(p, OP_LT, $a, $b, @$); }
| expr[a] "<=" expr[b]	{ $$ = ast_binary(p, OP_LE, $a, $b, @$); }
| expr[a] '>' expr[b]	{ $$ = ast_binary(p, OP_GT, $a, $b, @$); }
| expr[a] ">=" expr[b]	{ $$ = ast_binary(p, OP_GE, $a, $b, @$); }
| expr[a] "==" expr[b]	{ $$ = ast_binary(p, OP_EQ, $a, $b, @$); }
| expr[a] "!=" expr[b]	{ $$ = ast_binary(p, OP_NE, $a, $b, @$); }
| expr[a] "&&" expr[b]	{ $$ = ast_binary(p, OP_AND, $a, $b, @$); }
| expr[a] "||" expr[b]	{ $$ = ast_binary(p, OP_OR, $a, $b, @$); }
| expr[a] '?' expr[b] ':' expr[c] {
	$$ = ast_select(p, $a, $b, $c, @$);
  }
;

arguments:
  expr {
	$$ = ast_add_expr((struct ast_exprs) { 0 }, $expr);
  }
| arguments ',' expr	{ $$ = ast_add_expr($1, $expr); }
;

ranges:
  NAME '=' expr[begin] ".." expr[end] {
	$$ = ast_add_range(p, (struct ast_ranges) { 0 },
		name_at($NAME, @NAME), $begin, $end);
  }
| ranges ',' NAME '=' expr[begin] ".." expr[end] {
	$$ = ast_add_range(p, $1, name_at($NAME, @NAME), $begin, $end);
  }
;

%%

/* Called only when the parser's stack is full. */
static void stn_yyerror(struct span *at, yyscan_t scanner, struct parse *p,
	const char *message)
{
	(void) scanner;
	(void) message;
	syntax_too_deep(p, *at);
}

static int yyreport_syntax_error(const yypcontext_t *context,
	yyscan_t scanner, struct parse *p)
{
	yysymbol_kind_t kinds[YYNTOKENS];
	const char *names[YYNTOKENS];
	int n = yypcontext_expected_tokens(context, kinds, YYNTOKENS);
	int n_written = 0;

	(void) scanner;
	if (n < 0)
		return n;
	for (int i = 0; i < n; ++i)
		if (kinds[i] != YYSYMBOL_USED)
			names[n_written++] = yysymbol_name(kinds[i]);
	syntax_error(p, n_written, names);
	return 0;
}
