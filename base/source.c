/* Source text and places in it, see base.h. */
#include "base/base.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SOURCE_LIMIT = 64 * 1024 * 1024 };

/* Read "in" to its end into "t", at most one byte beyond the limit. */
static bool read_all(struct text *t, FILE *in)
{
	char chunk[16 * 1024];
	size_t n;

	while (t->length <= SOURCE_LIMIT &&
	       (n = fread(chunk, 1, sizeof(chunk), in)) > 0)
		text_append(t, chunk, n);
	return !ferror(in);
}

static FILE *open_source(struct diags *d, const char *path)
{
	struct stat st;
	FILE *in;

	in = fopen(path, "rb");
	if (!in && errno == ENOMEM)
		out_of_memory();
	if (!in) {
		diag_plain(d, E_READ, "cannot read '%s': %s", path,
			strerror(errno));
		return NULL;
	}
	if (!stat(path, &st) && S_ISDIR(st.st_mode)) {
		diag_plain(d, E_READ, "cannot read '%s': it is a folder",
			path);
		fclose(in);
		return NULL;
	}
	return in;
}

static const struct source *new_source(struct region *r, const char *name,
	const char *text, size_t length)
{
	struct source *src = region_new_of(r, struct source);

	src->name = region_strdup(r, name);
	src->text = region_strndup(r, text, length);
	src->length = length;
	return src;
}

/* A source with the text of "in", called "name" in messages. */
static const struct source *read_stream(struct region *r, struct diags *d,
	FILE *in, const char *name)
{
	const struct source *src = NULL;
	struct text t = { 0 };

	errno = 0;
	if (!read_all(&t, in))
		diag_plain(d, E_READ, "cannot read '%s': %s", name,
			strerror(errno));
	else if (t.length > SOURCE_LIMIT)
		diag_plain(d, E_READ,
			"cannot read '%s': it is larger than 64 MiB", name);
	else
		src = new_source(r, name, t.bytes, t.length);
	text_free(&t);
	return src;
}

const struct source *source_read(struct region *r, struct diags *d,
	const char *path)
{
	const struct source *src;
	FILE *in;

	if (!strcmp(path, "-"))
		return read_stream(r, d, stdin, "<stdin>");
	in = open_source(d, path);
	if (!in)
		return NULL;
	src = read_stream(r, d, in, path);
	fclose(in);
	return src;
}

const struct source *source_of_text(struct region *r, const char *name,
	const char *text)
{
	return new_source(r, name, text, strlen(text));
}

/* A text within a source; it ends where the one added next starts. */
struct source_part {
	unsigned start;
	const char *name;
	struct source_part *before;	/* the added text, or NULL: the source's
					 * own */
};

unsigned source_add(struct region *r, struct source *src,
	const struct source *more)
{
	struct source_part *part = region_new_of(r, struct source_part);
	struct text t = { 0 };

	text_append(&t, src->text, src->length);
	text_append(&t, "\n", 1);
	*part = (struct source_part) {
		(unsigned) t.length, more->name, src->parts
	};
	text_append(&t, more->text, more->length);
	src->text = region_strndup(r, t.bytes, t.length);
	src->length = t.length;
	src->parts = part;
	text_free(&t);
	return part->start;
}

const char *source_place(const struct source *src, unsigned at,
	unsigned *line, unsigned *column)
{
	unsigned end = at < src->length ? at : (unsigned) src->length;
	const struct source_part *part = src->parts;

	while (part && part->start > end)
		part = part->before;
	*line = 1;
	*column = 1;
	for (unsigned i = part ? part->start : 0; i < end; ++i) {
		++*column;
		if (src->text[i] != '\n')
			continue;
		++*line;
		*column = 1;
	}
	return part ? part->name : src->name;
}
