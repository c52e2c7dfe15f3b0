/* The report's program and emitted file; corresponding parts light up together. */
#include "picture/report.h"

#include <string.h>

/* The statement whose value is "what" of a mark, or -1. */
static int statement_of(const struct scop *scop, const void *what)
{
	for (int i = 0; i < scop->prog->n_stmts; i++)
		if (scop->prog->stmt[i]->value == what)
			return i;
	return -1;
}

/* The statement that reads "acc", and the number of the read there. */
static bool find_read(const struct program *prog, const struct access *acc,
	int *s, int *read)
{
	for (*s = 0; *s < prog->n_stmts; ++*s)
		for (*read = 0; *read < prog->stmt[*s]->n_reads; ++*read)
			if (prog->stmt[*s]->read[*read] == acc)
				return true;
	return false;
}

/* A button in the program: what a statement writes, or a read. */
struct place {
	struct span at;
	const struct stmt *written;	/* or NULL: a read */
};

/* Does "at" begin at "start" or later, before "best" does, and end within
 * "length"?
 */
static bool is_next(struct span at, unsigned start, unsigned length,
	const struct place *best)
{
	return at.start >= start && at.end > at.start && at.end <= length &&
		(best->at.end == 0 || at.start < best->at.start);
}

static struct place next_place(const struct program *prog, unsigned start,
	unsigned length)
{
	struct place best = { { 0, 0 }, NULL };

	for (int i = 0; i < prog->n_stmts; i++) {
		const struct stmt *s = prog->stmt[i];

		if (is_next(s->at, start, length, &best))
			best = (struct place) { s->at, s };
		for (int k = 0; k < s->n_reads; k++)
			if (is_next(s->read[k]->at, start, length, &best))
				best = (struct place) { s->read[k]->at, NULL };
	}
	return best;
}

/* "0.1 0.2": the reads that begin at "start", each as statement number and its
 * own.
 */
static void print_names(struct text *t, const struct program *prog,
	unsigned start)
{
	for (int i = 0; i < prog->n_stmts; i++)
		for (int k = 0; k < prog->stmt[i]->n_reads; k++)
			if (prog->stmt[i]->read[k]->at.start == start)
				text_printf(t, "%s%d.%d", t->length ? " " : "",
					i, k);
}

/* The source; writes and reads are buttons that light up what belongs to them. */
void report_program(struct markup *m, const struct report *r)
{
	const struct program *prog = r->scop->prog;
	const char *text = r->source->text;
	unsigned at = 0, length = (unsigned) r->source->length;
	struct place next;

	report_open_section(m, "program", "The program");
	markup_element(m, "p", "Point at what a statement writes, or at a "
		"read, or go there with the tabulator: its dependences and the "
		"code emitted for it light up, and a statement's rows in the "
		"explorer.");
	markup_open(m, "pre");
	while ((next = next_place(prog, at, length)).at.end) {
		struct text names = { 0 };

		markup_text(m, "%.*s", (int) (next.at.start - at), text + at);
		markup_open_with(m, "button", "type", "button");
		if (next.written) {
			markup_attribute(m, "data-s", "%d",
				next.written->index);
			markup_attribute(m, "title", "%s", next.written->name);
		} else {
			print_names(&names, prog, next.at.start);
			markup_attribute(m, "data-r", "%s", names.bytes);
			text_free(&names);
		}
		markup_text(m, "%.*s", (int) (next.at.end - next.at.start),
			text + next.at.start);
		markup_close(m);
		at = next.at.end;
	}
	markup_text(m, "%.*s", (int) (length - at), text + at);
	markup_close(m);
	markup_close(m);
}

/* Bytes "from" to "to" of the code, on one line; "*span" is the first span that
 * may begin there.
 */
static void print_code_line(struct markup *m, const struct report *r,
	size_t from, size_t to, int *span)
{
	const char *bytes = r->code->bytes;
	const struct text_marks *marks = r->code->marks;

	while (*span < marks->n_spans && marks->span[*span].from < to) {
		const struct text_span *at = &marks->span[(*span)++];
		const struct expr *e = at->what;
		int s, read;

		if (at->from < from || at->to > to ||
		    !find_read(r->scop->prog, e->access, &s, &read))
			continue;
		markup_text(m, "%.*s", (int) (at->from - from), bytes + from);
		markup_open(m, "span");
		markup_attribute(m, "data-r", "%d.%d", s, read);
		markup_text(m, "%.*s", (int) (at->to - at->from),
			bytes + at->from);
		markup_close(m);
		from = at->to;
	}
	markup_text(m, "%.*s", (int) (to - from), bytes + from);
}

void report_emitted(struct markup *m, const struct report *r)
{
	const char *line = r->code->bytes ? r->code->bytes : "";
	const struct text_marks *marks = r->code->marks;
	unsigned number = 0;
	size_t at = 0;
	int mark = 0, span = 0;

	report_open_section(m, "emitted", "What was emitted");
	markup_open_with(m, "pre", "tabindex", "0");
	markup_attribute(m, "aria-label", "the generated file");
	while (line[at]) {
		size_t n = strcspn(line + at, "\n");
		int statement = -1;

		for (; marks && mark < marks->n &&
		     marks->mark[mark].line <= number; mark++)
			statement = statement_of(r->scop,
				marks->mark[mark].what);
		markup_open_with(m, "span", "class", "line");
		if (statement >= 0)
			markup_attribute(m, "data-s", "%d", statement);
		print_code_line(m, r, at, at + n, &span);
		markup_close(m);
		at += n + (line[at + n] == '\n');
		number++;
	}
	markup_close(m);
	markup_close(m);
}
