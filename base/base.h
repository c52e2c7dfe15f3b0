/* base: what every folder builds on: memory regions, source text and places in
 * it, diagnostics, interned names, growing text, and files that are written
 * whole or not at all.
 */
#ifndef STENCILC_BASE_H
#define STENCILC_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/number.h"

#if defined(__GNUC__)
#define BASE_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define BASE_PRINTF(fmt, args)
#endif

/* region.c ---------------------------------------------------------------
 *
 * A region owns memory and other objects until it is freed as a whole.
 * Running out of memory is reported once and ends the program with status 3,
 * so no caller tests for NULL.
 */
struct region;

_Noreturn void out_of_memory(void);
struct region *region_new(void);
/* Free all that "r" owns, last handed over first.  NULL is accepted. */
void region_free(struct region *r);
/* "size" zeroed bytes, aligned for any type. */
void *region_alloc(struct region *r, size_t size);
char *region_strndup(struct region *r, const char *s, size_t length);
char *region_strdup(struct region *r, const char *s);
char *region_printf(struct region *r, const char *fmt, ...) BASE_PRINTF(2, 3);
/* Hand "object" to "r", which calls release(object) when it is freed. */
void region_own(struct region *r, void *object, void (*release)(void *object));

#define region_new_of(r, type) ((type *)region_alloc((r), sizeof(type)))
#define region_array(r, type, n) \
	((type *)region_alloc((r), sizeof(type) * (size_t)(n)))

/* source.c ---------------------------------------------------------------*/

/* A place: the bytes [start, end) of a source text. */
struct span {
	unsigned start, end;
};

static inline bool span_contains(struct span outer, struct span inner)
{
	return outer.start <= inner.start && inner.end <= outer.end;
}

struct source {
	const char *name;	/* as the user wrote it; "<stdin>" for "-" */
	const char *text;	/* NUL-terminated, may hold NULs before that */
	size_t length;
	struct source_part *parts;	/* texts added to it, the last first */
};

struct diags;

/* Read the file "path" ("-" is standard input) into "r".
 * NULL, after a diagnostic, if it cannot be read or exceeds 64 MiB.
 */
const struct source *source_read(struct region *r, struct diags *d,
	const char *path);
/* A source whose text is "text", for tests and for predefined programs. */
const struct source *source_of_text(struct region *r, const char *name,
	const char *text);
/* Append the text of "more" to that of "src", on lines of its own; returns the
 * place of its first byte.
 */
unsigned source_add(struct region *r, struct source *src,
	const struct source *more);
/* Name, line and column, from 1; the column counts bytes. */
const char *source_place(const struct source *src, unsigned at,
	unsigned *line, unsigned *column);

/* diag.c, diag.def -------------------------------------------------------
 *
 * diag.def holds a line per message: DIAG(ID, severity, status, "name",
 * "summary").  The name is stable, printed in brackets at the end of a message
 * and understood by --explain.
 */
enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };

/* Exit statuses; of several errors the last one counts. */
enum status {
	STATUS_DONE, STATUS_INPUT, STATUS_COMMAND_LINE, STATUS_INTERNAL,
	STATUS_FILES,
};

enum diag_id {
#define DIAG(id, severity, status, name, summary) id,
#include "base/diag.def"
#undef DIAG
	DIAG_COUNT
};

enum { DIAG_MAX_SAID = 128 };

struct diags {
	const struct source *source;	/* what spans point into; may be NULL */
	FILE *out;
	unsigned errors, warnings;
	enum status status;		/* STATUS_DONE: there was no error */
	unsigned error_limit;		/* 20; further errors are counted only */
	unsigned reported[DIAG_COUNT];	/* how often each was reported */
	bool quiet;			/* -q: no warnings */
	bool warnings_are_errors;	/* -Werror */
	bool disabled[DIAG_COUNT];	/* -Wno-NAME */
	bool (*is_moot)(const void *moot);	/* NULL, or: drop messages once
						 * this holds */
	const void *moot;
	bool says_once;			/* show a message once at a place:
					 * several uses check the text there */
	struct said {
		enum diag_id id;
		struct span at;
	} said[DIAG_MAX_SAID];		/* internal */
	unsigned n_said;
	unsigned repeats;		/* errors at a place that had one
					 * already */
	bool muted;			/* internal: drop the notes of a dropped
					 * message */
	unsigned line;			/* internal: of the last excerpt */
};

void diags_init(struct diags *d, FILE *out);
/* Diagnostics for trials: nobody sees these messages, unless the system has no /dev/null. */
void diags_init_unseen(struct diags *d);
void diags_end_unseen(struct diags *d);
/* Report message "id" at "at"; warnings beyond the first 100 are counted
 * only, as errors beyond the limit are:
 *
 *	file:line:col: error: text [name]
 *	   12 | source line
 *	      |   ^~~~~
 */
void diag(struct diags *d, enum diag_id id, struct span at,
	const char *fmt, ...) BASE_PRINTF(4, 5);
/* A note on the message just reported, at another place. */
void diag_note(struct diags *d, struct span at, const char *fmt, ...)
	BASE_PRINTF(3, 4);
/* A certain fix: the text that should replace "at".  An empty span inserts. */
void diag_fixit(struct diags *d, struct span at, const char *fmt, ...)
	BASE_PRINTF(3, 4);
/* The same, with '-' below each character of "at", which should go. */
void diag_fixit_remove(struct diags *d, struct span at);
/* A message without a place in a source: on the command line, or on a file. */
void diag_plain(struct diags *d, enum diag_id id, const char *fmt, ...)
	BASE_PRINTF(3, 4);
/* The way out in words, below the message just reported:
 *
 *	      = declare it with 'param int N;'
 */
void diag_advice(struct diags *d, const char *fmt, ...) BASE_PRINTF(2, 3);
/* True once further work is pointless: an error beyond error_limit was dropped. */
bool diag_full(const struct diags *d);
/* The id called "name", or DIAG_COUNT. */
enum diag_id diag_find(const char *name);
const char *diag_name(enum diag_id id);
const char *diag_summary(enum diag_id id);

/* The name of a message most similar to "wrong", or NULL. */
const char *diag_similar(const char *wrong);

/* explain.c: print the page of the message called "name", or "-Wname"; false
 * if there is no such message.
 */
struct text;
bool diag_explain(struct text *t, const char *name);

/* intern.c ---------------------------------------------------------------
 *
 * Equal names are equal pointers.
 */
struct names;

struct names *names_new(struct region *r);
const char *names_intern(struct names *n, const char *s, size_t length);
/* Are both the same name, or NULL? */
bool same_name(const char *a, const char *b);

/* text.c -----------------------------------------------------------------
 *
 * Text that grows, with indentation by tabs at the start of each line.
 */
struct text_marks;

struct text {
	char *bytes;		/* NUL-terminated; NULL when empty */
	size_t length, capacity;
	int indent;
	struct text_marks *marks;	/* or NULL */
};

/* Which bytes were written for what: line "line", from 0, belongs to "what". */
struct text_marks {
	struct region *mem;
	int n, capacity;
	struct text_mark {
		unsigned line;
		const void *what;
	} *mark;
	size_t counted;		/* bytes whose lines are counted, and .. */
	unsigned lines;		/* .. their number */
	int n_spans, span_capacity;
	struct text_span {	/* in order, apart */
		size_t from, to;	/* bytes */
		const void *what;
	} *span;
};

/* Note that the line that begins here belongs to "what", if "t" takes notes. */
void text_mark(struct text *t, const void *what);
/* Note that bytes "from" to "to" of "t" belong to "what", if "t" takes notes. */
void text_span(struct text *t, size_t from, size_t to, const void *what);
/* The last "n" bytes of "t" were copied from "of", from byte "from" on: copy
 * their spans, too.
 */
void text_copy_spans(struct text *t, const struct text *of, size_t from,
	size_t n);
/* Move the spans of "t" from number "first" on that begin before byte "end" by
 * "by" bytes; returns the number of the next one.
 */
int text_move_spans(struct text *t, int first, size_t end, long by);

void text_printf(struct text *t, const char *fmt, ...) BASE_PRINTF(2, 3);
void text_vprintf(struct text *t, const char *fmt, va_list args);
void text_puts(struct text *t, const char *s);
/* "12.3 us" and the like, four digits. */
void text_seconds(struct text *t, double s);
/* Append "length" bytes as they are, without indentation. */
void text_append(struct text *t, const char *bytes, size_t length);
void text_free(struct text *t);

/* similar.c --------------------------------------------------------------*/

/* Which of "best", which may be NULL, and "name" is more like "wrong"; NULL if
 * neither resembles it.
 */
const char *more_similar(const char *wrong, const char *best,
	const char *name);

/* file.c -----------------------------------------------------------------*/

/* Write "length" bytes to "path" whole or not at all: into a temporary file
 * beside it, renamed at the end; "-" is standard output.  A path that is not
 * a regular file (/dev/null, a pipe) is written directly.  False after a
 * diagnostic.  The temporary file is removed on error, on exit and on SIGINT,
 * SIGTERM and SIGHUP.
 */
bool file_write(struct diags *d, const char *path, const char *bytes,
	size_t length);
/* Do "a" and "b" name one file? "-" is no file. */
bool file_is(const char *a, const char *b);

/* temporary.c: the one temporary file, removed however the program ends --*/

/* Create the file beside "path", for writing; -1 with errno if that fails. */
int temporary_create(const char *path);
/* Rename it to "path"; on failure false with errno, and the file is still
 * there.
 */
bool temporary_becomes(const char *path);
/* Link it as "path", which must not exist; false with errno. */
bool temporary_is_also(const char *path);
/* Remove the file, if it exists. */
void temporary_remove(void);

#endif
