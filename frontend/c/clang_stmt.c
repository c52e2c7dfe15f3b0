/* Statements of a C file. */
#include "frontend/c/clang.h"

#ifdef LIBCLANG_FILE

static struct c_stmt *read_stmt(struct reader *r, CXCursor c);

static struct c_stmt *new_stmt(struct reader *r, enum c_stmt_kind kind,
	CXCursor c)
{
	struct c_stmt *s = region_new_of(r->mem, struct c_stmt);

	s->kind = kind;
	s->op = C_OP_NONE;
	s->at = cursor_span(r, c);
	return s;
}

static struct c_stmt *bad_stmt(struct reader *r, CXCursor c,
	const char *what)
{
	struct c_stmt *s = new_stmt(r, CS_BAD, c);

	s->what = what;
	return s;
}

/* a = b, c = d */
static struct c_stmt *read_both(struct reader *r, CXCursor c,
	const struct children *operands)
{
	struct c_stmt *s = new_stmt(r, CS_BLOCK, c);

	s->body = read_stmt(r, operands->cursor[0]);
	s->body->next = read_stmt(r, operands->cursor[1]);
	return s;
}

/* Is "c", without what surrounds it, an assignment?  Then it is that. */
static bool is_assignment(struct reader *r, CXCursor *c)
{
	enum CXCursorKind kind = cursor_kind(r, *c);

	while (kind == CXCursor_ParenExpr || kind == CXCursor_UnexposedExpr) {
		struct children all = cursor_children(r, *c);

		if (all.n != 1)
			return false;
		*c = all.cursor[0];
		kind = cursor_kind(r, *c);
	}
	return kind == CXCursor_BinaryOperator &&
		r->lib.clang_getCursorBinaryOperatorKind(*c) ==
		CXBinaryOperator_Assign;
}

static struct c_stmt *read_assignment(struct reader *r, CXCursor c);

/* "s", with which a = b = c ends, "inner" being b = c: b = c; a = b; */
static struct c_stmt *read_chain(struct reader *r, CXCursor c,
	struct c_stmt *s, CXCursor inner)
{
	struct children operands = cursor_operands(r, inner);
	struct c_stmt *block = new_stmt(r, CS_BLOCK, c);

	if (operands.n != 2)
		return bad_stmt(r, c, "this statement");
	block->body = read_assignment(r, inner);
	block->body->next = s;
	s->value = reader_expr(r, operands.cursor[0]);
	return block;
}

/* Assignments, and increments as such. */
static struct c_stmt *read_assignment(struct reader *r, CXCursor c)
{
	struct children operands = cursor_operands(r, c);
	enum CXBinaryOperatorKind kind =
		r->lib.clang_getCursorBinaryOperatorKind(c);
	struct c_stmt *s = new_stmt(r, CS_ASSIGN, c);

	if (operands.n != 2)
		return bad_stmt(r, c, "this statement");
	if (kind == CXBinaryOperator_Comma)
		return read_both(r, c, &operands);
	if (kind != CXBinaryOperator_Assign) {
		s->op = reader_binary_op(kind);
		if (s->op == C_OP_NONE || kind < CXBinaryOperator_Assign)
			return bad_stmt(r, c, "this statement");
	}
	s->target = reader_expr(r, operands.cursor[0]);
	if (is_assignment(r, &operands.cursor[1]))
		return read_chain(r, c, s, operands.cursor[1]);
	s->value = reader_expr(r, operands.cursor[1]);
	return s;
}

static struct c_stmt *read_increment(struct reader *r, CXCursor c)
{
	struct children operands = cursor_operands(r, c);
	enum CXUnaryOperatorKind kind =
		r->lib.clang_getCursorUnaryOperatorKind(c);
	struct c_stmt *s = new_stmt(r, CS_ASSIGN, c);

	if (operands.n != 1)
		return bad_stmt(r, c, "this statement");
	if (kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PreInc)
		s->op = OP_ADD;
	else if (kind == CXUnaryOperator_PostDec ||
		 kind == CXUnaryOperator_PreDec)
		s->op = OP_SUB;
	else
		return bad_stmt(r, c, "this statement");
	s->target = reader_expr(r, operands.cursor[0]);
	s->value = c_leaf(r->mem, CX_INT, C_INT, s->at);
	s->value->value = 1;
	return s;
}

/* The initial values of an array, behind its sizes; NULL: there are none. */
static struct c_expr *read_array_value(struct reader *r,
	const struct children *operands)
{
	CXCursor last;

	if (!operands->n)
		return NULL;
	last = operands->cursor[operands->n - 1];
	return cursor_kind(r, last) == CXCursor_InitListExpr ||
		cursor_kind(r, last) == CXCursor_StringLiteral ?
		reader_expr(r, last) : NULL;
}

/* int a = 1, b; one declaration each, linked; "last" is the last one. */
static struct c_stmt *read_declarations(struct reader *r, CXCursor c,
	struct c_stmt **last)
{
	struct children all = cursor_children(r, c);
	struct c_stmt *first = NULL, **link = &first;

	for (int i = 0; i < all.n; i++) {
		struct c_stmt *s = new_stmt(r, CS_DECLARE, all.cursor[i]);

		if (cursor_kind(r, all.cursor[i]) == CXCursor_StructDecl)
			continue;
		s->whole = cursor_span(r, c);
		if (cursor_kind(r, all.cursor[i]) != CXCursor_VarDecl) {
			s = bad_stmt(r, c, "this declaration");
		} else {
			struct children operands =
				cursor_operands(r, all.cursor[i]);

			s->decl = reader_decl(r, all.cursor[i]);
			s->decl->is_inside = true;
			if (!s->decl->is_const &&
			    r->lib.clang_Cursor_getStorageClass(
			    all.cursor[i]) == CX_SC_Static)
				s = bad_stmt(r, c, "a static variable");
			else if (c_is_own_array(s->decl))
				s->value = read_array_value(r, &operands);
			else if (operands.n)
				s->value = reader_expr(r,
					operands.cursor[operands.n - 1]);
		}
		*link = *last = s;
		link = &s->next;
	}
	return first;
}

/* int t = 0  or  t = 0 */
static bool read_loop_start(struct reader *r, CXCursor c, struct c_stmt *s)
{
	struct c_stmt *start, *last = NULL;

	start = cursor_kind(r, c) == CXCursor_DeclStmt ?
		read_declarations(r, c, &last) : read_stmt(r, c);
	if (!start || start->next || !start->value ||
	    start->op != C_OP_NONE)
		return false;
	if (start->kind == CS_DECLARE) {
		s->decl = start->decl;
		s->whole = start->whole;
	} else if (start->kind == CS_ASSIGN &&
		   start->target->kind == CX_VAR) {
		s->decl = start->target->decl;
	} else {
		return false;
	}
	s->value = start->value;
	return !s->decl->n_dims && is_integer(s->decl->type) &&
		!is_narrow(s->decl->type);
}

static int mirrored(int op)
{
	return op == OP_LT ? OP_GT : op == OP_GT ? OP_LT :
		op == OP_LE ? OP_GE : op == OP_GE ? OP_LE : op;
}

static bool is_variable(const struct c_expr *e, const struct c_decl *d)
{
	return e->kind == CX_VAR && e->decl == d;
}

static bool read_loop_end(struct reader *r, CXCursor c, struct c_stmt *s)
{
	struct c_expr *e = reader_expr(r, c);

	if (e->kind != CX_BINARY || (e->op != OP_LT && e->op != OP_LE &&
	    e->op != OP_GT && e->op != OP_GE && e->op != OP_NE))
		return false;
	if (is_variable(e->arg[0], s->decl)) {
		s->op = e->op;
		s->bound = e->arg[1];
	} else if (is_variable(e->arg[1], s->decl)) {
		s->op = mirrored(e->op);
		s->bound = e->arg[0];
	} else {
		return false;
	}
	return true;
}

/* ++i, i += 2, i = i + 2 */
static bool read_loop_step(struct reader *r, CXCursor c, struct c_stmt *s)
{
	struct c_stmt *step = read_stmt(r, c);
	const struct c_expr *by = step->value;
	int op = step->op;

	if (step->kind != CS_ASSIGN || !is_variable(step->target, s->decl))
		return false;
	if (op == C_OP_NONE && by->kind == CX_BINARY) {
		op = by->op;
		if (is_variable(by->arg[0], s->decl))
			by = by->arg[1];
		else if (op == OP_ADD && is_variable(by->arg[1], s->decl))
			by = by->arg[0];
		else
			return false;
	}
	if (by->kind != CX_INT || (op != OP_ADD && op != OP_SUB))
		return false;
	s->step = op == OP_ADD ? by->value : -by->value;
	if (s->op == OP_NE && (s->step == 1 || s->step == -1))
		s->op = s->step == 1 ? OP_LT : OP_GT;
	return s->step > 0 ? s->op == OP_LT || s->op == OP_LE :
		s->step < 0 && (s->op == OP_GT || s->op == OP_GE);
}

static struct c_stmt *read_for(struct reader *r, CXCursor c)
{
	static const char what[] = "a loop that is not 'for (i = a; i < b; "
		"i += c)' with a constant step";
	struct children all = cursor_children(r, c);
	struct c_stmt *s = new_stmt(r, CS_FOR, c);

	if (all.n != 4 || !read_loop_start(r, all.cursor[0], s) ||
	    !read_loop_end(r, all.cursor[1], s) ||
	    !read_loop_step(r, all.cursor[2], s))
		s = bad_stmt(r, c, what);
	else
		s->body = read_stmt(r, all.cursor[3]);
	s->at.end = s->at.start + 3;
	return s;
}

static struct c_stmt *read_if(struct reader *r, CXCursor c)
{
	struct children all = cursor_children(r, c);
	struct c_stmt *s = new_stmt(r, CS_IF, c);

	if (all.n < 2 || all.n > 3)
		return bad_stmt(r, c, "this 'if'");
	s->condition = reader_expr(r, all.cursor[0]);
	s->body = read_stmt(r, all.cursor[1]);
	if (all.n == 3)
		s->otherwise = read_stmt(r, all.cursor[2]);
	return s;
}

struct c_stmt *reader_list(struct reader *r, const struct children *all)
{
	struct c_stmt *first = NULL, **link = &first;

	for (int i = 0; i < all->n; i++) {
		struct c_stmt *last = NULL;

		if (cursor_kind(r, all->cursor[i]) == CXCursor_DeclStmt)
			*link = read_declarations(r, all->cursor[i], &last);
		else
			*link = last = read_stmt(r, all->cursor[i]);
		if (last)
			link = &last->next;
	}
	return first;
}

/* do { .. } while (0) */
static struct c_stmt *read_do(struct reader *r, CXCursor c)
{
	struct children all = cursor_children(r, c);
	struct c_expr *condition = all.n == 2 ?
		reader_expr(r, all.cursor[1]) : NULL;

	return condition && condition->kind == CX_INT && !condition->value ?
		read_stmt(r, all.cursor[0]) : bad_stmt(r, c, "a 'while' loop");
}

static struct c_stmt *read_with_value(struct reader *r, CXCursor c,
	enum c_stmt_kind kind)
{
	struct c_stmt *s = new_stmt(r, kind, c);
	struct children operands = cursor_operands(r, c);

	if (kind == CS_CALL)
		s->value = reader_expr(r, c);
	else if (operands.n)
		s->value = reader_expr(r, operands.cursor[0]);
	return s;
}

static struct c_stmt *read_stmt(struct reader *r, CXCursor c)
{
	struct children all;
	struct c_stmt *s, *last;

	switch (cursor_kind(r, c)) {
	case CXCursor_CompoundStmt:
		s = new_stmt(r, CS_BLOCK, c);
		all = cursor_children(r, c);
		s->body = reader_list(r, &all);
		return s;
	case CXCursor_DeclStmt:
		s = new_stmt(r, CS_BLOCK, c);
		s->body = read_declarations(r, c, &last);
		return s;
	case CXCursor_ForStmt:
		return read_for(r, c);
	case CXCursor_IfStmt:
		return read_if(r, c);
	case CXCursor_NullStmt:
		return new_stmt(r, CS_EMPTY, c);
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
		return read_assignment(r, c);
	case CXCursor_UnaryOperator:
		return read_increment(r, c);
	case CXCursor_ParenExpr:
		all = cursor_children(r, c);
		return read_stmt(r, all.cursor[0]);
	case CXCursor_CallExpr:
		return read_with_value(r, c, CS_CALL);
	case CXCursor_WhileStmt:
		return bad_stmt(r, c, "a 'while' loop");
	case CXCursor_DoStmt:
		return read_do(r, c);
	case CXCursor_ReturnStmt:
		return read_with_value(r, c, CS_RETURN);
	case CXCursor_BreakStmt:
		s = bad_stmt(r, c, "a 'break'");
		s->kind = CS_BREAK;
		return s;
	case CXCursor_ContinueStmt:
		return bad_stmt(r, c, "a 'continue'");
	case CXCursor_GotoStmt:
	case CXCursor_LabelStmt:
		return bad_stmt(r, c, "a 'goto'");
	default:
		all = cursor_children(r, c);
		if (all.n && cursor_kind(r, c) == CXCursor_UnexposedStmt)
			return read_stmt(r, all.cursor[all.n - 1]);
		return bad_stmt(r, c, "this statement");
	}
}

#endif
