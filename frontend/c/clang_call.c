/* The functions that a region calls, with their bodies. */
#include "frontend/c/clang.h"
#include "frontend/c/closed.h"

#ifdef LIBCLANG_FILE

#include <string.h>

static bool is_body(struct reader *r, CXCursor c)
{
	return cursor_kind(r, c) == CXCursor_CompoundStmt;
}

static void read_params(struct reader *r, CXCursor c, struct c_function *f)
{
	int n = r->lib.clang_Cursor_getNumArguments(c);

	f->param = region_array(r->mem, struct c_decl *, n + 1);
	for (int i = 0; i < n; i++)
		f->param[f->n_params++] = reader_decl(r,
			r->lib.clang_Cursor_getArgument(c, (unsigned) i));
}

/* A function type's result is void also where a body is empty. */
static void read_result(struct reader *r, CXCursor c, struct c_function *f)
{
	CXType type = r->lib.clang_getResultType(
		r->lib.clang_getCursorType(c));

	f->type = reader_type(r, type);
	f->type_name = cursor_string(r, r->lib.clang_getTypeSpelling(type));
}

static struct c_function *read_function(struct reader *r, CXCursor c)
{
	struct c_function *f = region_new_of(r->mem, struct c_function);
	struct called *new = region_new_of(r->mem, struct called);
	struct children all = cursor_children(r, c);
	struct children body;

	f->name = cursor_string(r, r->lib.clang_getCursorSpelling(c));
	f->is_elsewhere = !cursor_is_in_main_file(r, c);
	new->cursor = c;
	new->function = f;
	new->next = r->called;
	r->called = new;
	read_params(r, c, f);
	read_result(r, c, f);
	for (int i = 0; i < all.n; i++)
		if (is_body(r, all.cursor[i])) {
			body = cursor_children(r, all.cursor[i]);
			f->body = close_function(r->mem, reader_list(r, &body));
		}
	return f;
}

struct c_function *reader_function(struct reader *r, CXCursor c)
{
	CXCursor to = r->lib.clang_getCursorReferenced(c);
	struct called *found = r->called;

	if (r->lib.clang_Cursor_isNull(to) ||
	    cursor_kind(r, to) != CXCursor_FunctionDecl)
		return NULL;
	to = r->lib.clang_getCursorDefinition(to);
	if (r->lib.clang_Cursor_isNull(to) ||
	    r->lib.clang_Location_isInSystemHeader(
		r->lib.clang_getCursorLocation(to)))
		return NULL;
	while (found && !r->lib.clang_equalCursors(found->cursor, to))
		found = found->next;
	return found ? found->function : read_function(r, to);
}

struct c_function *reader_block(struct reader *r, CXCursor c)
{
	struct children all = cursor_children(r, c);
	struct c_function *f = region_new_of(r->mem, struct c_function);
	struct c_stmt *value = region_new_of(r->mem, struct c_stmt), **link;
	struct effects *effects = r->effects;
	struct c_stmt *body;

	if (all.n != 1 || !is_body(r, all.cursor[0]))
		return NULL;
	all = cursor_children(r, all.cursor[0]);
	if (!all.n || !r->lib.clang_isExpression(
	    cursor_kind(r, all.cursor[all.n - 1])))
		return NULL;
	f->name = "value";
	f->is_block = true;
	f->is_elsewhere = !cursor_is_in_main_file(r, c);
	f->type = reader_type(r, r->lib.clang_getCursorType(c));
	f->type_name = cursor_string(r, r->lib.clang_getTypeSpelling(
		r->lib.clang_getCursorType(c)));
	value->kind = CS_RETURN;
	value->op = C_OP_NONE;
	r->effects = NULL;
	value->value = reader_expr(r, all.cursor[--all.n]);
	r->effects = effects;
	value->at = value->value->at;
	body = reader_list(r, &all);
	for (link = &body; *link; link = &(*link)->next)
		;
	*link = value;
	f->body = body;
	return f;
}

#endif
