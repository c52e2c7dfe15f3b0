/* Values of options. */
#include "driver/options.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool wrong(struct parser *p, const char *value, const char *expected)
{
	diag_plain(p->diags, E_COMMAND_LINE, "%s: '%s' is not %s",
		p->spelling, value, expected);
	return false;
}

bool parse_int(const char *s, size_t length, int *value)
{
	char digits[16], *end;
	long v;

	if (length == 0 || length >= sizeof(digits))
		return false;
	memcpy(digits, s, length);
	digits[length] = '\0';
	v = strtol(digits, &end, 10);
	if (*end || v < 0 || v > INT_MAX || digits[0] == '-' ||
	    digits[0] == '+' || digits[0] == ' ')
		return false;
	*value = (int) v;
	return true;
}

bool each_part(struct parser *p, const char *list,
	bool (*each)(struct parser *p, const char *part, size_t length))
{
	for (;;) {
		size_t length = strcspn(list, ",");

		if (!each(p, list, length))
			return false;
		if (!list[length])
			return true;
		list += length + 1;
	}
}

bool add_define(struct parser *p, struct define **list, int *n,
	const char *s, size_t length)
{
	const char *equals = memchr(s, '=', length);
	struct define *grown;

	if (!equals || equals == s || equals + 1 == s + length)
		return wrong(p, region_strndup(p->mem, s, length),
			"of the form NAME=VALUE");
	grown = region_array(p->mem, struct define, *n + 1);
	if (*n)
		memcpy(grown, *list, sizeof(*grown) * (size_t) *n);
	grown[*n].name = region_strndup(p->mem, s, (size_t) (equals - s));
	grown[*n].value = region_strndup(p->mem, equals + 1,
		(size_t) (s + length - equals - 1));
	*list = grown;
	++*n;
	return true;
}

bool choose(struct parser *p, const char *value,
	const struct choice *choices, int *chosen)
{
	struct text all = { 0 };

	for (const struct choice *c = choices; c->name; c++) {
		if (!strcmp(c->name, value)) {
			*chosen = c->value;
			text_free(&all);
			return true;
		}
		text_printf(&all, "%s%s", c == choices ? "one of " : ", ",
			c->name);
	}
	wrong(p, value, all.bytes);
	text_free(&all);
	return false;
}

static const struct choice no_yes[] = { { "no", 0 }, { "yes", 1 }, { 0 } };

bool choose_bool(struct parser *p, const char *value, bool *chosen)
{
	int c;

	if (!choose(p, value, no_yes, &c))
		return false;
	*chosen = c;
	return true;
}
