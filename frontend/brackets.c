/* Open brackets, and messages about those that are never closed. */
#include "frontend/syntax.h"

#include <string.h>

static char closer(char bracket)
{
	return bracket == '(' ? ')' : bracket == '[' ? ']' : '}';
}

static char bracket_at(const struct parse *p, int i)
{
	return p->source->text[p->open[i].at];
}

static char innermost(const struct parse *p)
{
	return p->n_open ? bracket_at(p, p->n_open - 1) : '\0';
}

static bool is_text(const struct parse *p, struct span at, const char *text)
{
	size_t length = at.end - at.start;

	return strlen(text) == length &&
		!memcmp(p->source->text + at.start, text, length);
}

bool brackets_open(struct parse *p, struct span at)
{
	if (p->n_open == AST_MAX_NESTING)
		return false;
	p->open[p->n_open++] = (struct bracket) {
		.at = at.start,
		.is_head = is_text(p, p->last, "on") ||
			is_text(p, p->last, "sum"),
	};
	return true;
}

void brackets_close(struct parse *p, char bracket)
{
	if (bracket != '}' && closer(innermost(p)) == bracket)
		--p->n_open;
}

/* A ';' and a '}' close what is open within a block, but only once the parser
 * has seen them.
 */
void brackets_settle(struct parse *p)
{
	char seen = p->source->text[p->token.start];

	if (seen != ';' && seen != '}')
		return;
	while (p->n_open && innermost(p) != '{')
		--p->n_open;
	if (seen == '}' && p->n_open)
		--p->n_open;
}

/* Missing brackets ---------------------------------------------------------*/

/* The outermost bracket that is open within the innermost braces. */
static int first_in_block(const struct parse *p)
{
	int i = p->n_open;

	while (i && bracket_at(p, i - 1) != '{')
		--i;
	return i;
}

/* The outermost bracket within the one that "found" closes; if it closes none,
 * the outermost open one.
 */
static int first_within(const struct parse *p, char found)
{
	for (int i = p->n_open; i > first_in_block(p); --i)
		if (closer(bracket_at(p, i - 1)) == found)
			return i;
	return p->n_open;
}

/* Does a statement seem to start with the newest token? */
static bool starts_statement(const struct parse *p)
{
	const char *text = p->source->text;

	return text[p->token.end] == '[' || is_text(p, p->token, "let") ||
		memchr(text + p->last.end, '\n',
			p->token.start - p->last.end);
}

/* The outermost bracket that should be closed before the newest token; if there
 * is none, a number above all open ones.
 */
static int first_missing(const struct parse *p)
{
	char found = p->source->text[p->token.start];
	unsigned length = p->token.end - p->token.start;

	if (innermost(p) == '{')
		return 0;
	if (!length || (length == 1 && strchr(";{}=", found)))
		return first_in_block(p);
	if (length == 1 && strchr(")]", found))
		return first_within(p, found);
	if (found == ':' || is_text(p, p->token, ".."))
		return p->n_open - 1;
	return p->open[p->n_open - 1].is_head && starts_statement(p) ?
		p->n_open - 1 : p->n_open;
}

/* Is this the only place where the brackets from "first" on can be closed?
 * Subscripts contain no brackets, and an operand does not end earlier.
 */
static bool is_certain(const struct parse *p, int first)
{
	const char *start = p->source->text + p->open[first].at + 1;
	size_t length = (size_t) (p->source->text + p->last.end - start);
	const char *text = region_strndup(p->mem, start, length);

	if (bracket_at(p, first) == '{' || p->open[first].is_head)
		return true;
	return !strpbrk(text, bracket_at(p, first) == '[' ? "([" :
		"+-*/%<>=!&|?:");
}

/* The closing brackets for those from "first" on. */
static const char *closers(const struct parse *p, int first)
{
	int n = p->n_open - first;
	char *text = region_alloc(p->mem, (size_t) n + 1);

	for (int i = 0; i < n; ++i)
		text[i] = closer(bracket_at(p, p->n_open - 1 - i));
	text[n] = '\0';
	return text;
}

/* A bracket of another kind closes the innermost one. */
static void report_other(struct parse *p)
{
	diag(p->diags, E_SYNTAX, p->token, "expected '%c', found %s",
		closer(innermost(p)), syntax_found(p));
	diag_fixit(p->diags, p->token, "%c", closer(innermost(p)));
}

/* Does the file end where a statement could stand? */
static bool ends_within_block(const struct parse *p, int n_expected,
	const char *const *expected)
{
	return p->token.start == p->token.end &&
		syntax_is_expected(n_expected, expected, "on");
}

/* Report which brackets opened before the newest token are not closed. */
static bool report_unclosed(struct parse *p, int n_expected,
	const char *const *expected)
{
	char name[] = { '\'', closer(innermost(p)), '\'', '\0' };
	int first;

	if (!p->n_open || !syntax_is_expected(n_expected, expected, name))
		return false;
	if (innermost(p) == '{' && !ends_within_block(p, n_expected, expected))
		return false;
	first = first_missing(p);
	if (first < p->n_open)
		syntax_report_missing(p, closers(p, first),
			is_certain(p, first));
	else if (strchr(")]", p->source->text[p->token.start]))
		report_other(p);
	else
		return false;
	diag_note(p->diags, (struct span) { p->open[p->n_open - 1].at,
		p->open[p->n_open - 1].at + 1 }, "this '%c' is not closed",
		innermost(p));
	return true;
}

bool syntax_misses_bracket(struct parse *p, int n_expected,
	const char *const *expected)
{
	bool opens = p->n_open && p->open[p->n_open - 1].at == p->token.start;
	bool misses;

	p->n_open -= opens;
	misses = report_unclosed(p, n_expected, expected);
	p->n_open += opens;
	return misses;
}
