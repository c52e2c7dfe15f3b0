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

unsigned cursor_offset(struct reader *r, CXSourceLocation at)
{
	unsigned offset;

	r->lib.clang_getFileLocation(at, NULL, NULL, NULL, &offset);
	return offset;
}

bool is_in_main_file(struct reader *r, CXSourceLocation at)
{
	CXFile file;

	r->lib.clang_getExpansionLocation(at, &file, NULL, NULL, NULL);
	return r->lib.clang_File_isEqual(file,
		r->lib.clang_getFile(r->unit, r->source->name));
}

bool cursor_is_in_main_file(struct reader *r, CXCursor c)
{
	return is_in_main_file(r, r->lib.clang_getCursorLocation(c));
}

struct span cursor_span(struct reader *r, CXCursor c)
{
	CXSourceRange range = r->lib.clang_getCursorExtent(c);
	struct span s = {
		cursor_offset(r, r->lib.clang_getRangeStart(range)),
		cursor_offset(r, r->lib.clang_getRangeEnd(range)),
	};
	const char *text = r->source->text;

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
