/* Documents of elements, attributes and text. */
#include "picture/picture.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* "s" with entities for characters that mean something in markup, and without
 * control characters, which XML forbids.
 */
static void escape(struct text *out, const char *s)
{
	for (; *s; s++) {
		size_t plain = strcspn(s, "&<>\"");

		for (; plain && *s; plain--, s++)
			if ((unsigned char) *s >= ' ' || *s == '\n' ||
			    *s == '\t')
				text_append(out, s, 1);
		switch (*s) {
		case '&':
			text_append(out, "&amp;", 5);
			break;
		case '<':
			text_append(out, "&lt;", 4);
			break;
		case '>':
			text_append(out, "&gt;", 4);
			break;
		case '"':
			text_append(out, "&quot;", 6);
			break;
		default:
			return;
		}
	}
}

static void escape_printf(struct text *out, const char *fmt, va_list args)
{
	struct text t = { 0 };

	text_vprintf(&t, fmt, args);
	escape(out, t.bytes ? t.bytes : "");
	text_free(&t);
}

static void append(struct markup *m, const char *s)
{
	text_append(m->out, s, strlen(s));
}

static void end_tag(struct markup *m)
{
	if (m->in_tag)
		append(m, ">");
	m->in_tag = false;
}

void markup_open(struct markup *m, const char *element)
{
	assert(m->depth < MARKUP_DEPTH);
	end_tag(m);
	append(m, "<");
	append(m, element);
	m->open[m->depth++] = element;
	m->in_tag = true;
}

void markup_attribute(struct markup *m, const char *name, const char *fmt, ...)
{
	va_list args;

	assert(m->in_tag);
	append(m, " ");
	append(m, name);
	append(m, "=\"");
	va_start(args, fmt);
	escape_printf(m->out, fmt, args);
	va_end(args);
	append(m, "\"");
}

void markup_number(struct markup *m, const char *name, double value)
{
	char digits[40];
	size_t n = (size_t) snprintf(digits, sizeof(digits), "%.2f", value);

	while (n && digits[n - 1] == '0')
		n--;
	if (n && digits[n - 1] == '.')
		n--;
	markup_attribute(m, name, "%.*s", (int) n, digits);
}

void markup_text(struct markup *m, const char *fmt, ...)
{
	va_list args;

	end_tag(m);
	va_start(args, fmt);
	escape_printf(m->out, fmt, args);
	va_end(args);
}

void markup_raw(struct markup *m, const char *s)
{
	end_tag(m);
	append(m, s);
}

/* Elements of HTML that have neither content nor an end tag. */
static bool is_void(const char *element)
{
	return !strcmp(element, "meta") || !strcmp(element, "input") ||
		!strcmp(element, "br") || !strcmp(element, "col");
}

void markup_close(struct markup *m)
{
	const char *element = m->open[--m->depth];
	bool empty = m->in_tag;

	if (empty && !m->is_html) {
		append(m, "/>");
		m->in_tag = false;
		return;
	}
	end_tag(m);
	if (empty && is_void(element))
		return;
	append(m, "</");
	append(m, element);
	append(m, ">");
}

void markup_open_with(struct markup *m, const char *element, const char *name,
	const char *value)
{
	markup_open(m, element);
	if (name)
		markup_attribute(m, name, "%s", value);
}

void markup_element(struct markup *m, const char *element, const char *text)
{
	markup_open(m, element);
	markup_text(m, "%s", text);
	markup_close(m);
}
