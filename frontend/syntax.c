/* Messages about text that breaks the grammar. */
#include "frontend/syntax.h"

#include <string.h>

enum {
	MAX_LISTED = 5,		/* of expected tokens */
	MAX_QUOTED = 32,	/* bytes of the token found */
};

/* What could stand at the place of an error. */
struct expected {
	const char *name[MAX_LISTED + 1];
	int n;
	bool operator, expression, declaration, statement, type;
	bool semicolon;
	bool left;		/* the target of an assignment could continue */
};

static bool is_one_of(const char *name, const char *const *list)
{
	while (*list && strcmp(*list, name))
		++list;
	return *list;
}

static bool is_operator(const char *name)
{
	static const char *const operators[] = {
		"'?'", "||", "&&", "'|'", "'^'", "'&'", "<<", ">>", "==", "!=", "'<'", "<=", "'>'", ">=",
		"'+'", "'-'", "'*'", "'/'", "'%'", NULL
	};

	return is_one_of(name, operators);
}

static bool starts_expression(const char *name)
{
	static const char *const starts[] = {
		"a name", "a number", "'('", "'-'", "'+'", "'!'", "'~'", "sum",
		"max", "min", NULL
	};

	return is_one_of(name, starts);
}

static bool is_type(const char *name)
{
	static const char *const types[] = {
		"char", "short", "int", "long", "unsigned", "half", "bfloat",
		"float", "double", "complex", NULL
	};

	return is_one_of(name, types);
}

static bool starts_declaration(const char *name)
{
	static const char *const starts[] = {
		"param", "const", "state", "input", "output", "temp",
		"result", "boundary", "def", "assume", "iterate", NULL
	};

	return is_one_of(name, starts);
}

static bool starts_statement(const char *name)
{
	static const char *const starts[] = {
		"let", "on", "at", "sweep", "until", "a name", NULL
	};

	return is_one_of(name, starts);
}

bool syntax_is_expected(int n, const char *const *expected, const char *name)
{
	for (int i = 0; i < n; ++i)
		if (!strcmp(expected[i], name))
			return true;
	return false;
}

static void list(struct expected *e, const char *name)
{
	if (e->n <= MAX_LISTED)
		e->name[e->n++] = name;
}

/* Does one of the groups cover "name"? */
static bool is_grouped(const struct expected *e, const char *name)
{
	bool bracket = !strcmp(name, "'['") || !strcmp(name, "'('");

	/* Few programs use other texts. */
	if (!strcmp(name, "use"))
		return true;
	/* '+=' and places between cells are for lists of points. */
	return (e->operator && (is_operator(name) || bracket)) ||
		(e->left && (!strcmp(name, "+=") || !strcmp(name, "'('"))) ||
		(e->expression && starts_expression(name)) ||
		(e->type && is_type(name)) ||
		(e->declaration && starts_declaration(name)) ||
		(e->statement && starts_statement(name));
}

/* Words for the tokens "names", one for tokens that belong together. */
static struct expected group(int n, const char *const *names)
{
	struct expected e = {
		.operator = syntax_is_expected(n, names, "'*'"),
		.expression = syntax_is_expected(n, names, "a number"),
		.declaration = syntax_is_expected(n, names, "param"),
		.statement = syntax_is_expected(n, names, "let"),
		.type = syntax_is_expected(n, names, "double"),
		.semicolon = syntax_is_expected(n, names, "';'"),
		.left = syntax_is_expected(n, names, "+="),
	};

	if (e.expression)
		list(&e, "an expression");
	if (e.operator)
		list(&e, "an operator");
	if (e.declaration)
		list(&e, "a declaration");
	if (e.statement)
		list(&e, "a statement");
	if (e.type)
		list(&e, "a type (char, short, int, long, unsigned, half, "
			"bfloat, float, double or complex)");
	for (int i = 0; i < n; ++i)
		if (!is_grouped(&e, names[i]))
			list(&e, names[i]);
	return e;
}

static void join(struct text *t, const struct expected *e)
{
	for (int i = 0; i < e->n; ++i) {
		const char *before = !i ? "" : i + 1 < e->n ? ", " : " or ";
		const char *name = e->name[i];
		bool word = name[0] == '\'' || strchr(name, ' ');

		if (!strcmp(name, "end of file"))
			name = "the end of the file";
		text_printf(t, word ? "%s%s" : "%s'%s'", before, name);
	}
}

static bool is_new_line(const struct parse *p)
{
	const char *start = p->source->text + p->last.end;

	return memchr(start, '\n', p->token.start - p->last.end);
}

static bool at_end(const struct parse *p)
{
	return p->token.start >= p->source->length;
}

/* Is a ';' missing?  Certainly, if the line or the block ends here. */
static bool misses_semicolon(const struct parse *p, const struct expected *e)
{
	return e->semicolon && !e->expression &&
		(is_new_line(p) || at_end(p) ||
		 p->source->text[p->token.start] == '}');
}

const char *syntax_found(const struct parse *p)
{
	unsigned length = p->token.end - p->token.start;

	if (at_end(p))
		return "the end of the file";
	return region_printf(p->mem, "'%.*s%s'",
		length > MAX_QUOTED ? MAX_QUOTED : (int) length,
		p->source->text + p->token.start,
		length > MAX_QUOTED ? "..." : "");
}

/* What is missing belongs right behind what came before. */
void syntax_report_missing(struct parse *p, const char *text,
	bool is_certain)
{
	struct span gap = { p->last.end, p->last.end };

	diag(p->diags, E_SYNTAX, gap, "expected '%s' before %s", text,
		syntax_found(p));
	if (is_certain)
		diag_fixit(p->diags, gap, "%s", text);
}

void syntax_error(struct parse *p, int n_expected,
	const char *const *expected)
{
	struct expected e = group(n_expected, expected);
	struct text words = { 0 };

	if (p->stopped)
		return;
	if (syntax_misspelt(p, n_expected, expected) || syntax_has_comma(p))
		return;
	if (!syntax_has_habit(p, n_expected, expected) &&
	    syntax_misses_bracket(p, n_expected, expected))
		return;
	if (misses_semicolon(p, &e)) {
		syntax_report_missing(p, ";", true);
		return;
	}
	if (e.n == 1 && e.name[0][0] == '\'' && p->last.end &&
	    !syntax_has_habit(p, n_expected, expected)) {
		syntax_report_missing(p, (char []) { e.name[0][1], '\0' },
			true);
		return;
	}
	join(&words, &e);
	if (e.n && e.n <= MAX_LISTED)
		diag(p->diags, E_SYNTAX, p->token, "expected %s, found %s",
			words.bytes, syntax_found(p));
	else
		diag(p->diags, E_SYNTAX, p->token, "%s is not expected here",
			syntax_found(p));
	text_free(&words);
	syntax_propose(p, n_expected, expected);
}

void syntax_too_deep(struct parse *p, struct span at)
{
	if (!p->too_deep && !p->stopped) {
		diag(p->diags, E_TOO_DEEP, at,
			"this expression is more than %d operators deep",
			AST_MAX_DEPTH);
		diag_advice(p->diags,
			"name parts of the expression with 'let'");
	}
	p->too_deep = true;
}

void syntax_missing_bounds(struct parse *p, struct span name)
{
	struct span behind = { name.end, name.end };

	diag(p->diags, E_MISSING_BOUND, name, "the time loop has no bounds");
	diag_fixit(p->diags, behind, " = 0 .. T");
}

void syntax_missing_upper(struct parse *p, struct span at)
{
	diag(p->diags, E_MISSING_BOUND, at,
		"the time loop has no upper bound");
	diag_fixit(p->diags, at, " T");
}
