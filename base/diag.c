/* Messages with their place in the source, see base.h. */
#include "base/base.h"

#include <string.h>

enum {
	ERROR_LIMIT = 20,
	WARNING_LIMIT = 100,
	WINDOW = 160,		/* show at most this much of a long line, */
	WINDOW_BEFORE = 60,	/* and this much of it before the place */
};

struct diag_info {
	enum severity severity;
	enum status status;
	const char *name, *summary;
};

static const struct diag_info infos[] = {
#define DIAG(id, severity, status, name, summary) \
	{ severity, status, name, summary },
#include "base/diag.def"
#undef DIAG
};

void diags_init(struct diags *d, FILE *out)
{
	*d = (struct diags) { .out = out, .error_limit = ERROR_LIMIT };
}

void diags_init_unseen(struct diags *d)
{
	FILE *nowhere = fopen("/dev/null", "w");

	diags_init(d, nowhere ? nowhere : stderr);
}

void diags_end_unseen(struct diags *d)
{
	if (d->out != stderr)
		fclose(d->out);
}

bool diag_full(const struct diags *d)
{
	return d->errors - d->repeats > d->error_limit;
}

enum diag_id diag_find(const char *name)
{
	int id = 0;

	while (id < DIAG_COUNT && strcmp(infos[id].name, name))
		++id;
	return (enum diag_id) id;
}

const char *diag_similar(const char *wrong)
{
	const char *best = NULL;

	for (int id = 0; id < DIAG_COUNT; ++id)
		best = more_similar(wrong, best, infos[id].name);
	return best;
}

const char *diag_name(enum diag_id id)
{
	return infos[id].name;
}

const char *diag_summary(enum diag_id id)
{
	return infos[id].summary;
}

/* Printing a line of the source -------------------------------------------*/

/* The part [start, end) of the line around a place that is shown. */
struct line {
	const char *start, *end;
	unsigned number;
};

static struct line line_around(const struct source *src, unsigned at)
{
	const char *text = src->text, *place, *end = text + src->length;
	struct line l;
	unsigned column;

	source_place(src, at, &l.number, &column);
	place = at < src->length ? text + at : end;
	l.start = place - (column - 1);
	l.end = memchr(place, '\n', (size_t) (end - place));
	if (!l.end)
		l.end = end;
	if (l.end - l.start <= WINDOW)
		return l;
	if (place - l.start > WINDOW_BEFORE)
		l.start = place - WINDOW_BEFORE;
	if (l.end - l.start > WINDOW)
		l.end = l.start + WINDOW;
	return l;
}

static bool is_continuation(const char *s, const char *end)
{
	return s < end && ((unsigned char) *s & 0xc0) == 0x80;
}

/* Bytes of the character at "s": 1 unless it starts valid UTF-8. */
static int character_bytes(const char *s, const char *end)
{
	unsigned char c = (unsigned char) *s;
	int n = c < 0xc2 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 1;

	for (int i = 1; i < n; ++i)
		if (!is_continuation(s + i, end))
			return 1;
	return n;
}

static bool is_printable(const char *s, int bytes)
{
	unsigned char c = (unsigned char) *s;

	return bytes > 1 || (c >= 0x20 && c < 0x7f) || c == '\t';
}

/* Print [start, end), with '?' for bytes that would upset a terminal. */
static void print_visible(FILE *out, const char *start, const char *end)
{
	for (const char *s = start; s < end;) {
		int n = character_bytes(s, end);

		if (is_printable(s, n))
			fwrite(s, 1, (size_t) n, out);
		else if (*s != '\r' || s + 1 < end)
			fputc('?', out);
		s += n;
	}
}

/* Print blanks over the columns of [start, end), tabs kept. */
static void print_blank(FILE *out, const char *start, const char *end)
{
	for (const char *s = start; s < end; s += character_bytes(s, end))
		fputc(*s == '\t' ? '\t' : ' ', out);
}

/* Underline [start, end), at least one column. */
static void print_underline(FILE *out, const char *start, const char *end)
{
	fputc('^', out);
	if (start >= end)
		return;
	for (const char *s = start + character_bytes(start, end); s < end;
	     s += character_bytes(s, end))
		fputc('~', out);
}

static void print_excerpt(struct diags *d, struct span at)
{
	struct line l = line_around(d->source, at.start);
	const char *text = d->source->text;
	const char *start = text + at.start, *end = text + at.end;

	d->line = l.number;
	fprintf(d->out, "%5u | ", l.number);
	print_visible(d->out, l.start, l.end);
	fputs("\n      | ", d->out);
	print_blank(d->out, l.start, start);
	print_underline(d->out, start, end < l.end ? end : l.end);
	fputc('\n', d->out);
}

/* "at", cut to the text in case the caller made a mistake. */
static struct span clip(const struct source *src, struct span at)
{
	unsigned length = (unsigned) src->length;

	at.start = smaller(at.start, length);
	at.end = larger(at.start, smaller(at.end, length));
	return at;
}

/* Messages -----------------------------------------------------------------*/

static const char *severity_name(enum severity severity)
{
	static const char *const names[] = { "note", "warning", "error" };

	return names[severity];
}

/* Print "file:line:col: severity: text [name]" and the line. */
static void print_message(struct diags *d, enum severity severity,
	const struct span *at, const char *suffix, const char *fmt,
	va_list args)
{
	unsigned line, column;
	const char *name;
	struct span place;

	if (at && d->source) {
		place = clip(d->source, *at);
		name = source_place(d->source, place.start, &line, &column);
		fprintf(d->out, "%s:%u:%u: ", name, line, column);
	} else {
		fputs("stencilc: ", d->out);
	}
	fprintf(d->out, "%s: ", severity_name(severity));
	vfprintf(d->out, fmt, args);
	fprintf(d->out, "%s\n", suffix);
	if (at && d->source)
		print_excerpt(d, place);
}

/* Has number "n" of its kind passed "limit"?  Says so once. */
static bool is_beyond(struct diags *d, unsigned n, unsigned limit,
	const char *kind)
{
	if (n == limit + 1)
		fprintf(d->out, "stencilc: no further %s are shown\n", kind);
	return n > limit;
}

/* Count message "id"; should it stay hidden? */
static bool is_dropped(struct diags *d, enum diag_id id)
{
	bool warning = infos[id].severity == SEVERITY_WARNING;

	if (warning && (d->disabled[id] ||
			(d->quiet && !d->warnings_are_errors)))
		return true;
	++d->reported[id];
	if (warning && !d->warnings_are_errors)
		return is_beyond(d, ++d->warnings, WARNING_LIMIT, "warnings");
	d->status = larger(d->status, infos[id].status);
	return is_beyond(d, ++d->errors - d->repeats, d->error_limit,
		"errors");
}

static bool is_said(const struct diags *d, enum diag_id id, struct span at)
{
	for (unsigned i = 0; i < d->n_said; i++)
		if (d->said[i].id == id && d->said[i].at.start == at.start &&
		    d->said[i].at.end == at.end)
			return true;
	return false;
}

/* Has message "id" appeared at "at", and is once enough?  An empty span at the
 * start of the text stands for other places.
 */
static bool is_repeated(struct diags *d, enum diag_id id,
	const struct span *at)
{
	if (!d->says_once || !at || !at->end)
		return false;
	if (is_said(d, id, *at)) {
		if (infos[id].severity == SEVERITY_ERROR) {
			++d->errors;
			++d->repeats;
		}
		return true;
	}
	if (d->n_said < DIAG_MAX_SAID)
		d->said[d->n_said++] = (struct said) { id, *at };
	return false;
}

static void report(struct diags *d, enum diag_id id, const struct span *at,
	const char *fmt, va_list args)
{
	enum severity severity = infos[id].severity;
	char suffix[80];
	const char *option = "";

	d->muted = (d->is_moot && d->is_moot(d->moot)) ||
		is_repeated(d, id, at) || is_dropped(d, id);
	if (d->muted)
		return;
	if (severity == SEVERITY_WARNING) {
		option = d->warnings_are_errors ? "-Werror=" : "-W";
		if (d->warnings_are_errors)
			severity = SEVERITY_ERROR;
	}
	snprintf(suffix, sizeof(suffix), " [%s%s]", option, infos[id].name);
	print_message(d, severity, at, suffix, fmt, args);
}

void diag(struct diags *d, enum diag_id id, struct span at,
	const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	report(d, id, &at, fmt, args);
	va_end(args);
}

void diag_plain(struct diags *d, enum diag_id id, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	report(d, id, NULL, fmt, args);
	va_end(args);
}

void diag_note(struct diags *d, struct span at, const char *fmt, ...)
{
	va_list args;

	if (d->muted)
		return;
	va_start(args, fmt);
	print_message(d, SEVERITY_NOTE, &at, "", fmt, args);
	va_end(args);
}

void diag_advice(struct diags *d, const char *fmt, ...)
{
	va_list args;

	if (d->muted)
		return;
	fputs("      = ", d->out);
	va_start(args, fmt);
	vfprintf(d->out, fmt, args);
	va_end(args);
	fputc('\n', d->out);
}

/* Go to the column of "at" on a line of its own below the excerpt. */
static struct span begin_fixit(struct diags *d, struct span at)
{
	struct line l;

	at = clip(d->source, at);
	l = line_around(d->source, at.start);
	if (l.number != d->line)
		print_excerpt(d, at);
	fputs("      | ", d->out);
	print_blank(d->out, l.start, d->source->text + at.start);
	return at;
}

void diag_fixit(struct diags *d, struct span at, const char *fmt, ...)
{
	va_list args;

	if (d->muted || !d->source)
		return;
	begin_fixit(d, at);
	va_start(args, fmt);
	vfprintf(d->out, fmt, args);
	va_end(args);
	fputc('\n', d->out);
}

void diag_fixit_remove(struct diags *d, struct span at)
{
	if (d->muted || !d->source)
		return;
	at = begin_fixit(d, at);
	for (unsigned i = at.start; i < at.end; ++i)
		fputc('-', d->out);
	fputc('\n', d->out);
}
