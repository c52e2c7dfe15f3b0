/* Text that grows, see base.h. */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* Make room for "more" bytes and a NUL. */
static void reserve(struct text *t, size_t more)
{
	size_t needed = t->length + more + 1;
	size_t capacity = t->capacity ? t->capacity : 256;
	char *bytes;

	if (needed <= t->capacity)
		return;
	while (capacity < needed)
		capacity *= 2;
	bytes = realloc(t->bytes, capacity);
	if (!bytes)
		out_of_memory();
	t->bytes = bytes;
	t->capacity = capacity;
}

void text_append(struct text *t, const char *bytes, size_t length)
{
	reserve(t, length);
	if (length)
		memcpy(t->bytes + t->length, bytes, length);
	t->length += length;
	t->bytes[t->length] = '\0';
}

static bool at_line_start(const struct text *t)
{
	return !t->length || t->bytes[t->length - 1] == '\n';
}

/* Append "s", putting the indentation before each line that is not empty. */
void text_puts(struct text *t, const char *s)
{
	while (*s) {
		size_t length = strcspn(s, "\n");

		if (length && at_line_start(t))
			for (int i = 0; i < t->indent; ++i)
				text_append(t, "\t", 1);
		length += s[length] == '\n';
		text_append(t, s, length);
		s += length;
	}
}

void text_vprintf(struct text *t, const char *fmt, va_list args)
{
	char small[256], *large;
	va_list again;
	int length;

	va_copy(again, args);
	length = vsnprintf(small, sizeof(small), fmt, args);
	if (length >= (int) sizeof(small)) {
		struct region *tmp = region_new();

		large = region_alloc(tmp, (size_t) length + 1);
		vsnprintf(large, (size_t) length + 1, fmt, again);
		text_puts(t, large);
		region_free(tmp);
	} else if (length >= 0) {
		text_puts(t, small);
	}
	va_end(again);
}

void text_printf(struct text *t, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	text_vprintf(t, fmt, args);
	va_end(args);
}

void text_mark(struct text *t, const void *what)
{
	struct text_marks *m = t->marks;

	if (!m)
		return;
	if (m->n == m->capacity) {
		struct text_mark *grown;

		m->capacity = m->capacity ? 2 * m->capacity : 64;
		grown = region_array(m->mem, struct text_mark, m->capacity);
		if (m->n)
			memcpy(grown, m->mark, sizeof(*grown) *
				(size_t) m->n);
		m->mark = grown;
	}
	for (; m->counted < t->length; m->counted++)
		m->lines += t->bytes[m->counted] == '\n';
	m->mark[m->n++] = (struct text_mark) { m->lines, what };
}

void text_free(struct text *t)
{
	free(t->bytes);
	*t = (struct text) { 0 };
}
