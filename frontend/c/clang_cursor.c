/* Cursors of libclang: their text, place and children. */
#include "frontend/c/clang.h"

#ifdef LIBCLANG_FILE

#include <string.h>

char *cursor_string(struct reader *r, CXString s)
{
	const char *text = r->lib.clang_getCString(s);
	char *copy = region_strdup(r->mem, text ? text : "");

	r->lib.clang_disposeString(s);
	return copy;
}

/* The first line between "from" and "to" that includes a file "name"; an empty one: none does. */
static struct span line_with(const struct reader *r, const char *name, unsigned from, unsigned to)
{
	const char *text = r->source->text;
	const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;

	for (unsigned at = from, end; at < to; at = end + 1) {
		unsigned sharp = at + (unsigned) strspn(text + at, " \t");
		const char *quoted;

		end = at + (unsigned) strcspn(text + at, "\n");
		quoted = text[sharp] == '#' ? strstr(text + sharp, base) : NULL;
		if (quoted && quoted < text + end && strstr(text + sharp, "include") < quoted)
			return (struct span) { at, end };
	}
	return (struct span) { 0, 0 };
}

/* .. one in a region before others */
static struct span line_of_file(const struct reader *r, const char *name)
{
	struct span found = { 0 };

	for (const struct c_region *region = r->regions; region && !found.end; region = region->next)
		found = line_with(r, name, region->inside.start, region->inside.end);
	return found.end ? found : line_with(r, name, 0, r->source->length);
}

/* .. "file" */
static struct span included_by(struct reader *r, CXFile file)
{
	struct included *i = r->included;

	while (i && !r->lib.clang_File_isEqual(i->file, file))
		i = i->next;
	if (i)
		return i->line;
	i = region_new_of(r->mem, struct included);
	i->file = file;
	i->line = line_of_file(r, cursor_string(r, r->lib.clang_getFileName(file)));
	i->next = r->included;
	r->included = i;
	return i->line;
}

static bool is_main(struct reader *r, CXFile file)
{
	return r->lib.clang_File_isEqual(file, r->lib.clang_getFile(r->unit, r->source->name));
}

unsigned cursor_offset(struct reader *r, CXSourceLocation at)
{
	CXFile file;
	unsigned offset;

	r->lib.clang_getFileLocation(at, &file, NULL, NULL, &offset);
	return !file || is_main(r, file) ? offset : included_by(r, file).start;
}

bool is_in_main_file(struct reader *r, CXSourceLocation at)
{
	CXFile file;

	r->lib.clang_getExpansionLocation(at, &file, NULL, NULL, NULL);
	return is_main(r, file);
}

bool cursor_is_in_main_file(struct reader *r, CXCursor c)
{
	return is_in_main_file(r, r->lib.clang_getCursorLocation(c));
}

bool is_included_between(struct reader *r, CXCursor c, unsigned from, unsigned to)
{
	CXFile file;

	r->lib.clang_getFileLocation(r->lib.clang_getCursorLocation(c), &file, NULL, NULL, NULL);
	return file && line_with(r, cursor_string(r, r->lib.clang_getFileName(file)), from, to).end;
}

struct span cursor_span(struct reader *r, CXCursor c)
{
	CXSourceRange range = r->lib.clang_getCursorExtent(c);
	struct span s = {
		cursor_offset(r, r->lib.clang_getRangeStart(range)),
		cursor_offset(r, r->lib.clang_getRangeEnd(range)),
	};
	const char *text = r->source->text;
	CXFile file;

	r->lib.clang_getFileLocation(r->lib.clang_getRangeStart(range), &file, NULL, NULL, NULL);
	if (file && !is_main(r, file))
		return included_by(r, file);
	s.end = larger(s.start, s.end);
	/* Within a macro, the end is where the macro's name starts. */
	if (s.start == s.end)
		while (s.end < r->source->length && (text[s.end] == '_' ||
		       (text[s.end] >= '0' && text[s.end] <= '9') ||
		       (text[s.end] >= 'A' && text[s.end] <= 'Z') ||
		       (text[s.end] >= 'a' && text[s.end] <= 'z')))
			++s.end;
	return s;
}

void children_add(struct children *children, CXCursor c)
{
	if (children->n == children->room) {
		CXCursor *grown;

		children->room = children->room ? 2 * children->room : 4;
		grown = region_array(children->mem, CXCursor, children->room);
		if (children->n)
			memcpy(grown, children->cursor,
				sizeof(CXCursor) * (size_t) children->n);
		children->cursor = grown;
	}
	children->cursor[children->n++] = c;
}

static enum CXChildVisitResult collect(CXCursor c, CXCursor parent,
	CXClientData data)
{
	(void) parent;
	children_add(data, c);
	return CXChildVisit_Continue;
}

struct children cursor_children(struct reader *r, CXCursor c)
{
	struct children children = { .mem = r->mem };

	r->lib.clang_visitChildren(c, collect, &children);
	return children;
}

struct children cursor_operands(struct reader *r, CXCursor c)
{
	struct children all = cursor_children(r, c);
	int n = 0;

	for (int i = 0; i < all.n; i++)
		if (r->lib.clang_isExpression(cursor_kind(r, all.cursor[i])))
			all.cursor[n++] = all.cursor[i];
	all.n = n;
	return all;
}

#endif
