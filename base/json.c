#include "base/json.h"

#include <math.h>
#include <stdlib.h>

static void print_string(struct text *t, const char *s)
{
	text_puts(t, "\"");
	for (; *s; ++s)
		if (*s == '"' || *s == '\\')
			text_printf(t, "\\%c", *s);
		else if ((unsigned char) *s < ' ')
			text_printf(t, "\\u%04x", (unsigned) *s);
		else
			text_append(t, s, 1);
	text_puts(t, "\"");
}

void json_key(struct json *j, const char *key)
{
	text_puts(j->text, j->has_members ? "," : "");
	if (j->begins_line)
		text_printf(j->text, "\n%*s", j->indent, "");
	else
		text_puts(j->text, j->has_members ? " " : "");
	j->begins_line = false;
	j->has_members = true;
	if (key) {
		print_string(j->text, key);
		text_puts(j->text, ": ");
	}
}

void json_open(struct json *j, const char *key, char bracket)
{
	json_key(j, key);
	text_append(j->text, &bracket, 1);
	j->has_members = false;
}

void json_close(struct json *j, char bracket)
{
	if (j->begins_line)
		text_printf(j->text, "\n%*s", j->indent, "");
	text_append(j->text, &bracket, 1);
	j->has_members = true;
	j->begins_line = false;
}

void json_line(struct json *j)
{
	j->begins_line = true;
}

void json_string(struct json *j, const char *key, const char *s)
{
	json_key(j, key);
	print_string(j->text, s);
}

void json_bool(struct json *j, const char *key, bool value)
{
	json_key(j, key);
	text_puts(j->text, value ? "true" : "false");
}

void json_int(struct json *j, const char *key, int64_t value)
{
	json_key(j, key);
	text_printf(j->text, "%lld", (long long) value);
}

void json_real(struct json *j, const char *key, double x)
{
	char digits[40];
	double back;

	json_key(j, key);
	if (!isfinite(x)) {
		text_puts(j->text, "null");
		return;
	}
	snprintf(digits, sizeof(digits), "%.15g", x);
	back = strtod(digits, NULL);
	if (back < x || back > x)
		snprintf(digits, sizeof(digits), "%.17g", x);
	text_puts(j->text, digits);
}
