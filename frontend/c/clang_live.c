/* What the code behind a region uses of what the region leaves in variables.
 *
 * Statements behind it are walked in the order of execution, with the variables that each way to them assigns: any
 * other variable that they read has what the region left.  Behind a region in a loop comes the next iteration of that
 * loop, with the region itself.
 */
#include "frontend/c/clang.h"

#ifdef LIBCLANG_FILE

#include <string.h>

/* Variables that all ways to a place assign. */
struct assigned {
	const struct c_decl *decl;
	const struct assigned *next;
};

struct walk {
	struct reader *r;
	struct c_region *region;
	bool forgets;		/* as jumps may come here from anywhere: assignments do not count */
};

static bool is_among(const struct assigned *all, const struct c_decl *d)
{
	while (all && all->decl != d)
		all = all->next;
	return all;
}

static const struct assigned *with(const struct walk *w, const struct assigned *all, const struct c_decl *d)
{
	struct assigned *more;

	if (!d || w->forgets)
		return all;
	more = region_new_of(w->r->mem, struct assigned);
	*more = (struct assigned) { d, all };
	return more;
}

/* What both "a" and "b", which continue "all", assign. */
static const struct assigned *common(const struct walk *w, const struct assigned *a, const struct assigned *b,
	const struct assigned *all)
{
	const struct assigned *both = all;

	for (; a != all; a = a->next)
		if (is_among(b, a->decl))
			both = with(w, both, a->decl);
	return both;
}

/* The use of "d" behind the region, a new one if there was none. */
static struct c_use *use_of(const struct walk *w, const struct c_decl *d)
{
	struct c_use **link = &w->region->behind;

	while (*link && (*link)->decl != d)
		link = &(*link)->next;
	if (!*link) {
		*link = region_new_of(w->r->mem, struct c_use);
		(*link)->decl = d;
	}
	return *link;
}

static struct c_decl *known_variable(const struct walk *w, CXCursor c)
{
	return reader_known_decl(w->r, w->r->lib.clang_getCursorReferenced(c));
}

/* "c" names "d", a variable or NULL, and reads it or assigns to it. */
static void note_use(const struct walk *w, CXCursor c, const struct c_decl *d, bool is_read)
{
	const unsigned at = cursor_offset(w->r, w->r->lib.clang_getCursorLocation(c));
	struct c_use *use = d ? use_of(w, d) : NULL;

	if (!use)
		return;
	use->is_named |= at < w->region->at.start || w->region->at.end <= at;
	use->is_read |= is_read;
}

/* The variable that "c" is, in parentheses or not; NULL: another expression. */
static struct c_decl *variable_of(const struct walk *w, CXCursor c)
{
	while (cursor_kind(w->r, c) == CXCursor_ParenExpr || cursor_kind(w->r, c) == CXCursor_UnexposedExpr) {
		const struct children all = cursor_children(w->r, c);

		if (all.n != 1)
			return NULL;
		c = all.cursor[0];
	}
	return cursor_kind(w->r, c) == CXCursor_DeclRefExpr ? known_variable(w, c) : NULL;
}

/* In the order of execution ---------------------------------------------------*/

static const struct assigned *walk(const struct walk *w, CXCursor c, const struct assigned *all);

static const struct assigned *walk_each(const struct walk *w, const struct children *c, int from,
	const struct assigned *all)
{
	for (int i = from; i < c->n; i++)
		all = walk(w, c->cursor[i], all);
	return all;
}

/* Of what may be executed or not, nothing counts as assigned. */
static void walk_apart(const struct walk *w, const struct children *c, int from, const struct assigned *all)
{
	for (int i = from; i < c->n; i++)
		(void) walk(w, c->cursor[i], all);
}

static const struct assigned *walk_binary(const struct walk *w, CXCursor c, const struct assigned *all)
{
	const enum CXBinaryOperatorKind op = w->r->lib.clang_getCursorBinaryOperatorKind(c);
	const struct children sides = cursor_children(w->r, c);
	const struct c_decl *d = op == CXBinaryOperator_Assign && sides.n == 2 ? variable_of(w, sides.cursor[0]) : NULL;

	if (d) {
		note_use(w, sides.cursor[0], d, false);
		return with(w, walk(w, sides.cursor[1], all), d);
	}
	if (op != CXBinaryOperator_LAnd && op != CXBinaryOperator_LOr)
		return walk_each(w, &sides, 0, all);
	all = walk(w, sides.cursor[0], all);
	walk_apart(w, &sides, 1, all);
	return all;
}

/* A condition, and what is executed if it holds, and if not. */
static const struct assigned *walk_choice(const struct walk *w, CXCursor c, const struct assigned *all)
{
	const struct children parts = cursor_children(w->r, c);
	const struct assigned *yes, *no;

	all = walk(w, parts.cursor[0], all);
	yes = parts.n > 1 ? walk(w, parts.cursor[1], all) : all;
	no = parts.n > 2 ? walk(w, parts.cursor[2], all) : all;
	return common(w, yes, no, all);
}

/* A loop may have no iterations, and 'continue' may leave out statements of its body. */
static const struct assigned *walk_loop(const struct walk *w, CXCursor c, const struct assigned *all)
{
	const struct children parts = cursor_children(w->r, c);
	const enum CXCursorKind kind = cursor_kind(w->r, c);
	const int first = kind == CXCursor_ForStmt && parts.n == 4 ? 2 : kind == CXCursor_WhileStmt ? 1 : 0;

	for (int i = 0; i < first; i++)
		all = walk(w, parts.cursor[i], all);
	walk_apart(w, &parts, first, all);
	return all;
}

static const struct assigned *walk_switch(const struct walk *w, CXCursor c, const struct assigned *all)
{
	const struct children parts = cursor_children(w->r, c);
	struct walk jumps = *w;

	jumps.forgets = true;
	walk_apart(&jumps, &parts, 0, all);
	return all;
}

static bool is_static(struct reader *r, CXCursor c)
{
	return r->lib.clang_Cursor_getStorageClass(c) == CX_SC_Static;
}

static const struct assigned *walk(const struct walk *w, CXCursor c, const struct assigned *all)
{
	const struct c_decl *d;
	struct children parts;

	switch (cursor_kind(w->r, c)) {
	case CXCursor_DeclRefExpr:
		d = known_variable(w, c);
		note_use(w, c, d, !is_among(all, d));
		return all;
	case CXCursor_BinaryOperator:
		return walk_binary(w, c, all);
	case CXCursor_IfStmt:
	case CXCursor_ConditionalOperator:
		return walk_choice(w, c, all);
	case CXCursor_ForStmt:
	case CXCursor_WhileStmt:
	case CXCursor_DoStmt:
		return walk_loop(w, c, all);
	case CXCursor_SwitchStmt:
		return walk_switch(w, c, all);
	case CXCursor_VarDecl:
		parts = cursor_children(w->r, c);
		all = walk_each(w, &parts, 0, all);
		return is_static(w->r, c) ? all : with(w, all, reader_known_decl(w->r, c));
	default:
		parts = cursor_children(w->r, c);
		return walk_each(w, &parts, 0, all);
	}
}

/* Behind the region ------------------------------------------------------------*/

/* Is the statement "c", next to those of the region, behind it?  Perhaps, if it comes from another file. */
static bool may_be_behind(const struct walk *w, CXCursor c)
{
	return cursor_is_in_main_file(w->r, c) ? cursor_span(w->r, c).start >= w->region->at.end :
		is_included_between(w->r, c, w->region->at.end, w->r->source->length);
}

/* Walk what comes behind the region in "c", which contains it. */
static const struct assigned *walk_behind(const struct walk *w, CXCursor c, const struct assigned *all)
{
	const struct children parts = cursor_children(w->r, c);
	const enum CXCursorKind kind = cursor_kind(w->r, c);
	int inner = 0;

	while (inner < parts.n && !(cursor_is_in_main_file(w->r, parts.cursor[inner]) &&
	       span_contains(cursor_span(w->r, parts.cursor[inner]), w->region->at)))
		inner++;
	if (inner < parts.n)
		all = walk_behind(w, parts.cursor[inner], all);
	switch (kind) {
	case CXCursor_IfStmt:
		return all;
	case CXCursor_ForStmt:
	case CXCursor_WhileStmt:
	case CXCursor_DoStmt:
		walk_apart(w, &parts, kind == CXCursor_ForStmt && parts.n == 4, all);
		return all;
	default:
		for (int i = inner < parts.n ? inner + 1 : 0; i < parts.n; i++)
			if (inner < parts.n || may_be_behind(w, parts.cursor[i]))
				all = walk(w, parts.cursor[i], all);
		return all;
	}
}

/* Jumps to a label before the region make a loop of it, as a switch around it may be entered anywhere.  What a pointer
 * or the next call of the function can see counts as read.
 */
static enum CXChildVisitResult note_ways(CXCursor c, CXCursor parent, CXClientData data)
{
	struct walk *w = data;
	const enum CXCursorKind kind = cursor_kind(w->r, c);
	struct c_decl *d = NULL;

	(void) parent;
	w->forgets |= kind == CXCursor_LabelStmt || kind == CXCursor_IndirectGotoStmt ||
		(kind == CXCursor_SwitchStmt && span_contains(cursor_span(w->r, c), w->region->at));
	if (kind == CXCursor_DeclRefExpr && is_static(w->r, w->r->lib.clang_getCursorReferenced(c)) &&
	    strcmp(w->region->function, "main") != 0)
		d = known_variable(w, c);
	if (kind == CXCursor_UnaryOperator &&
	    w->r->lib.clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_AddrOf)
		d = variable_of(w, cursor_children(w->r, c).cursor[0]);
	if (d && !d->is_global)
		use_of(w, d)->is_read = true;
	return CXChildVisit_Recurse;
}

void reader_uses_behind(struct reader *r, CXCursor function, struct c_region *region)
{
	struct walk w = { r, region, false };

	r->lib.clang_visitChildren(function, note_ways, &w);
	if (w.forgets)
		(void) walk(&w, function, NULL);
	else
		(void) walk_behind(&w, function, NULL);
}

#endif
