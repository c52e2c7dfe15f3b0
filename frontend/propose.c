/* What the user surely meant where the text breaks the grammar. */
#include "frontend/lower.h"
#include "frontend/syntax.h"

#include <string.h>

/* A token of another language, the token at which it is noticed, and its
 * replacement; "" deletes it.
 */
struct habit {
	const char *found, *expects, *meant;
};

static const struct habit habits[] = {
	{ "=", "')'", "==" },
	{ "==", "'='", "=" },
	{ "in", "'='", "=" },
	{ ":=", "'='", "" },
	{ "and", "&&", "&&" },
	{ "or", "||", "||" },
	{ ",", "']'", "][" },
	{ ",", "..", " .." },
	{ ":", "..", ".." },
	{ "int", "let", "let" },
	{ "float", "let", "let" },
	{ "double", "let", "let" },
};

static const char *text_at(const struct parse *p, struct span at)
{
	return region_strndup(p->mem, p->source->text + at.start,
		at.end - at.start);
}

/* Does the text continue with "word" at "start"?  A word of letters must be a
 * whole token, signs need not be.
 */
static bool is_written(const struct parse *p, struct span at,
	const char *word)
{
	size_t length = strlen(word), left = p->source->length - at.start;

	return length >= at.end - at.start && length <= left &&
		!memcmp(p->source->text + at.start, word, length);
}

static const struct habit *find_habit(const struct parse *p, int n,
	const char *const *expected)
{
	bool declares = syntax_is_expected(n, expected, "param");
	int count = (int) (sizeof(habits) / sizeof(*habits));

	for (int i = 0; i < count; ++i)
		if (is_written(p, p->token, habits[i].found) &&
		    syntax_is_expected(n, expected, habits[i].expects) &&
		    !(declares && !strcmp(habits[i].meant, "let")))
			return &habits[i];
	return NULL;
}

bool syntax_has_habit(const struct parse *p, int n_expected,
	const char *const *expected)
{
	return find_habit(p, n_expected, expected);
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(const struct parse *p, struct span at)
{
	return at.end > at.start && is_letter(p->source->text[at.start]);
}

/* The keyword among "names" most like the word at "at", or NULL. */
static const char *similar_keyword(const struct parse *p, struct span at,
	int n, const char *const *names)
{
	const char *word = text_at(p, at), *best = NULL;

	for (int i = 0; i < n; ++i)
		if (is_letter(names[i][0]) && !strchr(names[i], ' '))
			best = more_similar(word, best, names[i]);
	return best;
}

static bool starts_item(const struct parse *p)
{
	return strchr(";{})", p->source->text[p->before.start]) &&
		is_word(p, p->last);
}

/* "parm int N;": the parser took the name for that of a field. */
bool syntax_misspelt(struct parse *p, int n_expected,
	const char *const *expected)
{
	static const char *const starts[] = {
		"param", "const", "state", "input", "output", "temp",
		"boundary", "def", "let", "assume", "iterate", "on", "at", "sweep",
		"result", "until",
	};
	int n = (int) (sizeof(starts) / sizeof(*starts));
	bool bracket = p->source->text[p->token.start] == '(';
	const char *word, *best;

	if (!syntax_is_expected(n_expected, expected, "'='") ||
	    !starts_item(p) || !(bracket || is_word(p, p->token)))
		return false;
	word = text_at(p, p->last);
	best = bracket && !strcmp(word, "if") ? "on" :
		!bracket && !strcmp(word, "for") ? "iterate" :
		similar_keyword(p, p->last, n, starts);
	if (!best)
		return false;
	diag(p->diags, E_SYNTAX, p->last,
		"no declaration or statement starts with '%s'; "
		"did you mean '%s'?", word, best);
	diag_fixit(p->diags, p->last, "%s", best);
	return true;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "0,25f": the comma is the newest token; the rest is not read yet. */
bool syntax_has_comma(struct parse *p)
{
	const char *text = p->source->text;
	struct span all = { p->last.start, p->token.end };

	if (!is_written(p, p->token, ",") || p->last.end != p->token.start ||
	    !is_digit(text[p->last.start]) || !is_digit(text[p->token.end]))
		return false;
	while (is_digit(text[all.end]) || is_letter(text[all.end]))
		all.end++;
	p->decimals = p->token.end;
	diag(p->diags, E_NUMBER, all, "a number has a point, not a comma");
	diag_fixit(p->diags, all, "%s.%s", text_at(p, p->last), text_at(p,
		(struct span) { p->decimals, all.end }));
	return true;
}

static bool is_loop(const struct parse *p)
{
	return starts_item(p) && (!strcmp(text_at(p, p->last), "for") ||
		!strcmp(text_at(p, p->last), "while"));
}

static bool is_changing_assignment(const struct parse *p)
{
	return strchr("+-*/%", p->source->text[p->token.start]) &&
		p->source->text[p->token.end] == '=';
}

static bool is_power(const struct parse *p)
{
	return p->last.end == p->token.start &&
		is_written(p, p->last, "**");
}

static const char *advice(const struct parse *p, int n,
	const char *const *expected)
{
	if (syntax_is_expected(n, expected, "'='") &&
	    is_changing_assignment(p))
		return "name on the right what is changed: 'x = x + y'";
	if (is_power(p))
		return "a power is 'pow(x, y)'";
	if (syntax_is_expected(n, expected, "param") &&
	    (is_written(p, p->token, "int") ||
	     is_written(p, p->token, "float") ||
	     is_written(p, p->token, "double")))
		return "a field starts with 'state', 'input', 'output' or "
			"'temp', a number with 'param' or 'const'";
	if (syntax_is_expected(n, expected, "param") &&
	    is_written(p, p->token, "use"))
		return "'use' stands before 'stencil'";
	if (syntax_is_expected(n, expected, "'='") && is_loop(p))
		return "the time loop is 'iterate t = 0 .. T { }'; a "
			"statement covers the grid without a loop";
	if (syntax_is_expected(n, expected, "let") &&
	    is_written(p, p->token, "{"))
		return "braces belong to 'on (...)'; without it the "
			"statements stand as they are";
	return NULL;
}

static bool is_needless(const struct parse *p)
{
	return is_written(p, p->token, ";") && is_written(p, p->last, "}");
}

void syntax_propose(struct parse *p, int n_expected,
	const char *const *expected)
{
	const struct habit *habit = find_habit(p, n_expected, expected);
	const char *words = advice(p, n_expected, expected);
	const char *best = is_word(p, p->token) ?
		similar_keyword(p, p->token, n_expected, expected) : NULL;
	const char *meant = habit ? habit->meant : is_needless(p) ? "" : best;

	if (words)
		diag_advice(p->diags, "%s", words);
	else if (meant && *meant)
		diag_fixit(p->diags, p->token, "%s", meant);
	else if (meant)
		diag_fixit_remove(p->diags, p->token);
}
