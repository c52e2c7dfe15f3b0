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

void text_span(struct text *t, size_t from, size_t to, const void *what)
{
	struct text_marks *m = t->marks;

	if (!m)
		return;
	if (m->n_spans == m->span_capacity) {
		struct text_span *grown;

		m->span_capacity = m->span_capacity ? 2 * m->span_capacity :
			64;
		grown = region_array(m->mem, struct text_span,
			m->span_capacity);
		if (m->n_spans)
			memcpy(grown, m->span, sizeof(*grown) *
				(size_t) m->n_spans);
		m->span = grown;
	}
	m->span[m->n_spans++] = (struct text_span) { from, to, what };
}

void text_copy_spans(struct text *t, const struct text *of, size_t from,
	size_t n)
{
	size_t start = t->length - n;

	for (int i = 0; of->marks && i < of->marks->n_spans; i++) {
		const struct text_span *s = &of->marks->span[i];
		size_t low = s->from > from ? s->from : from;
		size_t high = s->to < from + n ? s->to : from + n;

		if (low < high)
			text_span(t, start + low - from, start + high - from,
				s->what);
	}
}

int text_move_spans(struct text *t, int first, size_t end, long by)
{
	struct text_marks *m = t->marks;
	int i = first;

	for (; m && i < m->n_spans && m->span[i].from < end; i++) {
		m->span[i].from = (size_t) ((long) m->span[i].from + by);
		m->span[i].to = (size_t) ((long) m->span[i].to + by);
	}
	return i;
}

void text_seconds(struct text *t, double s)
{
	if (s >= 1 || s <= 0)
		text_printf(t, "%.4g s", s);
	else if (s >= 1e-3)
		text_printf(t, "%.4g ms", s * 1e3);
	else if (s >= 1e-6)
		text_printf(t, "%.4g us", s * 1e6);
	else
		text_printf(t, "%.4g ns", s * 1e9);
}

void text_free(struct text *t)
{
	free(t->bytes);
	*t = (struct text) { 0 };
}
