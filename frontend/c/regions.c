/* Where the regions of a C file are. */
#include "frontend/c/ctree.h"

#include <ctype.h>
#include <string.h>

/* The text of a file, without comments and literals. */
struct scan {
	const char *text;
	unsigned at, length;
};

static bool looking_at(const struct scan *s, const char *what)
{
	size_t n = strlen(what);

	return s->at + n <= s->length && !memcmp(s->text + s->at, what, n);
}

static void skip_to(struct scan *s, const char *end)
{
	while (s->at < s->length && !looking_at(s, end))
		++s->at;
	s->at += (unsigned) strlen(end);
	if (s->at > s->length)
		s->at = s->length;
}

/* Skip a literal; an unterminated one ends with its line. */
static void skip_literal(struct scan *s)
{
	char quote = s->text[s->at++];

	while (s->at < s->length && s->text[s->at] != quote &&
	       s->text[s->at] != '\n')
		s->at += s->text[s->at] == '\\' && s->at + 1 < s->length ?
			2 : 1;
	if (s->at < s->length)
		++s->at;
}

static void skip_blanks(struct scan *s)
{
	while (s->at < s->length && (s->text[s->at] == ' ' ||
	       s->text[s->at] == '\t'))
		++s->at;
}

static bool skip_word(struct scan *s, const char *word)
{
	size_t n = strlen(word);

	skip_blanks(s);
	if (!looking_at(s, word) || (s->at + n < s->length &&
	    (isalnum((unsigned char) s->text[s->at + n]) ||
	     s->text[s->at + n] == '_')))
		return false;
	s->at += (unsigned) n;
	return true;
}

enum mark { MARK_NONE, MARK_BEGIN, MARK_END };

/* Does one of the pragmas start here?  Sets "*at" to its place. */
static enum mark read_mark(struct scan s, struct span *at)
{
	enum mark mark = MARK_NONE;

	skip_blanks(&s);
	at->start = s.at;
	if (!looking_at(&s, "#"))
		return MARK_NONE;
	++s.at;
	if (!skip_word(&s, "pragma"))
		return MARK_NONE;
	if (skip_word(&s, "scop"))
		mark = MARK_BEGIN;
	else if (skip_word(&s, "endscop"))
		mark = MARK_END;
	at->end = s.at;
	return mark;
}

/* Go to the start of the next line outside comments and literals. */
static void next_line(struct scan *s)
{
	while (s->at < s->length && s->text[s->at] != '\n') {
		char c = s->text[s->at];

		if (looking_at(s, "/*")) {
			s->at += 2;
			skip_to(s, "*/");
		} else if (looking_at(s, "//")) {
			while (s->at < s->length && s->text[s->at] != '\n')
				++s->at;
		} else if (c == '"' || c == '\'') {
			skip_literal(s);
		} else {
			++s->at;
		}
	}
	if (s->at < s->length)
		++s->at;
}

static unsigned line_start(const struct source *src, unsigned at)
{
	while (at && src->text[at - 1] != '\n')
		--at;
	return at;
}

static unsigned line_end(const struct source *src, unsigned at)
{
	while (at < src->length && src->text[at] != '\n')
		++at;
	return at;
}

static struct c_region *open_region(struct region *mem,
	const struct source *src, struct span at)
{
	struct c_region *region = region_new_of(mem, struct c_region);

	region->pragma = at;
	region->at.start = line_start(src, at.start);
	region->inside.start = line_end(src, at.end);
	return region;
}

static void refuse_unpaired(struct diags *d, struct span at,
	const char *missing)
{
	diag(d, E_C_REGION, at, "this pragma has no '#pragma %s'", missing);
	diag_advice(d, "a region stands between '#pragma scop' and "
		"'#pragma endscop'");
}

struct c_region *regions_find(struct region *mem, struct diags *d,
	const struct source *src)
{
	struct scan s = { src->text, 0, (unsigned) src->length };
	struct c_region *first = NULL, **link = &first, *open = NULL;
	struct span at;

	for (; s.at < s.length; next_line(&s)) {
		enum mark mark = read_mark(s, &at);

		if (mark == MARK_BEGIN && open) {
			refuse_unpaired(d, open->pragma, "endscop");
			return NULL;
		} else if (mark == MARK_BEGIN) {
			open = open_region(mem, src, at);
		} else if (mark == MARK_END && !open) {
			refuse_unpaired(d, at, "scop");
			return NULL;
		} else if (mark == MARK_END) {
			open->inside.end = line_start(src, at.start);
			open->at.end = line_end(src, at.end);
			*link = open;
			link = &open->next;
			open = NULL;
		}
	}
	if (open) {
		refuse_unpaired(d, open->pragma, "endscop");
		return NULL;
	}
	if (!first) {
		diag_plain(d, E_C_REGION, "%s: there is no '#pragma scop': "
			"nothing is marked to be compiled", src->name);
		diag_advice(d, "put '#pragma scop' before the time loop and "
			"'#pragma endscop' after it");
	}
	return first;
}
