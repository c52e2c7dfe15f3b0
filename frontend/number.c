/* Numbers as C writes them. */
#include "frontend/parse-context.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct ast_expr *refuse(struct parse *p, enum diag_id id,
	struct span at, const char *reason)
{
	diag(p->diags, id, at, "%s", reason);
	return ast_bad(p, at);
}

static bool is_hex(const char *s)
{
	return s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
}

static bool is_real(const char *s)
{
	return strpbrk(s, is_hex(s) ? ".pP" : ".eE");
}

/* Suffixes of C and Fortran that this language lacks. */
static bool is_foreign_suffix(const char *rest)
{
	return strlen(rest) == 1 && strchr("lLuUdD", *rest);
}

/* "1.5L" without its suffix. */
static struct ast_expr *drop_suffix(struct parse *p, const char *s,
	const char *rest, struct span at)
{
	refuse(p, E_NUMBER, at, "this suffix does not exist");
	diag_fixit(p->diags, at, "%.*s", (int) (rest - s), s);
	return ast_bad(p, at);
}

static struct ast_expr *octal(struct parse *p, const char *s,
	struct span at)
{
	refuse(p, E_NUMBER, at,
		"a number that starts with 0 is octal, as in C");
	if (!s[strspn(s, "0123456789")])
		diag_fixit(p->diags, at, "%s", s + strspn(s, "0"));
	return ast_bad(p, at);
}

/* "1f" is no number in C, though its meaning is clear. */
static struct ast_expr *bad_integer(struct parse *p, const char *s,
	const char *rest, bool is_complex, struct span at)
{
	bool suffix = rest > s && (!strcmp(rest, "f") || !strcmp(rest, "F"));

	if (!is_hex(s) && suffix) {
		refuse(p, E_NUMBER, at,
			"the suffix 'f' belongs to a number with a point");
		diag_fixit(p->diags, at, "%.*s.0f%s", (int) (rest - s), s,
			is_complex ? "i" : "");
		return ast_bad(p, at);
	}
	if (s[0] == '0' && rest > s && (*rest == '8' || *rest == '9'))
		return octal(p, s, at);
	if (rest > s && is_foreign_suffix(rest))
		return drop_suffix(p, s, rest, at);
	return refuse(p, E_NUMBER, at, "this is not a number");
}

static struct ast_expr *integer(struct parse *p, const char *s,
	bool is_complex, struct span at)
{
	struct ast_expr *e;
	char *rest;
	unsigned long long value;

	errno = 0;
	value = strtoull(s, &rest, 0);
	if (*rest || (is_hex(s) && !s[2]))
		return bad_integer(p, s, rest, is_complex, at);
	if (errno || value > INT32_MAX)
		return refuse(p, E_OVERFLOW, at,
			"this number does not fit an int: "
			"the largest is 2147483647");
	e = ast_number(p, TYPE_INT, at);
	e->ivalue = (int64_t) value;
	e->spelling = s;
	return e;
}

static struct ast_expr *real(struct parse *p, const char *s, struct span at)
{
	struct ast_expr *e = ast_number(p, TYPE_DOUBLE, at);
	char *rest;

	e->spelling = s;
	e->rvalue = strtod(s, &rest);
	if ((*rest == 'f' || *rest == 'F') && rest > s) {
		e->type = TYPE_FLOAT;
		e->rvalue = strtof(s, NULL);
		++rest;
	}
	if (rest > s && is_foreign_suffix(rest))
		return drop_suffix(p, s, rest, at);
	if (*rest)
		return refuse(p, E_NUMBER, at, "this is not a number");
	if (!isfinite(e->rvalue)) {
		diag(p->diags, E_OVERFLOW, at,
			"this number does not fit a %s", type_name(e->type));
		return ast_bad(p, at);
	}
	return e;
}

/* Take the 'i' of an imaginary number, as in 1i, 2.5fi and 2.5if, from its text. */
static bool take_i(char *s)
{
	size_t length = strlen(s);
	char *last = s + length - 1;

	if (length < 2 || is_hex(s))
		return false;
	if (*last == 'i') {
		*last = 0;
		return true;
	}
	if (length < 3 || last[-1] != 'i' || (*last != 'f' && *last != 'F'))
		return false;
	last[-1] = *last;
	*last = 0;
	return true;
}

struct ast_expr *ast_spelled_number(struct parse *p, const char *s,
	size_t length, struct span at)
{
	struct ast_expr *e;
	bool is_complex;
	char *copy;

	if (at.start == p->decimals)
		return ast_bad(p, at);
	if (length > AST_MAX_NAME) {
		diag(p->diags, E_TOO_LARGE, at,
			"this number has %zu characters; "
			"at most %d are allowed", length, AST_MAX_NAME);
		return ast_bad(p, at);
	}
	copy = region_strndup(p->mem, s, length);
	is_complex = take_i(copy);
	if (is_complex)
		p->ast->has_complex = true;
	e = is_real(copy) ? real(p, copy, at) : integer(p, copy,
		is_complex, at);
	e->is_complex = is_complex;
	return e;
}
