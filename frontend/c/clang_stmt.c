/* Statements of a C file. */
#include "frontend/c/clang.h"
#include "frontend/c/walk.h"

#include <string.h>

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

static struct c_stmt *last_of(struct c_stmt *s)
{
	while (s->next)
		s = s->next;
	return s;
}

/* What "read" makes of "c", between its side effects. */
static struct c_stmt *read_alone(struct reader *r, CXCursor c,
	struct c_stmt *(*read)(struct reader *r, CXCursor c))
{
	struct effects own = { 0 }, *outer = r->effects;
	struct c_stmt *s, *block;

	r->effects = &own;
	s = read(r, c);
	r->effects = outer;
	if (!own.before && !own.behind)
		return s;
	block = new_stmt(r, CS_BLOCK, c);
	block->body = s;
	last_of(s)->next = own.behind;
	if (own.before) {
		last_of(own.before)->next = s;
		block->body = own.before;
	}
	return block;
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
	struct effects *effects = r->effects;

	if (operands.n != 2)
		return bad_stmt(r, c, "this statement");
	block->body = read_assignment(r, inner);
	last_of(block->body)->next = s;
	r->effects = NULL;
	s->value = reader_expr(r, operands.cursor[0]);
	r->effects = effects;
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

struct c_stmt *reader_increment(struct reader *r, CXCursor c)
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
	struct effects own, *outer = r->effects;

	for (int i = 0; i < all.n; i++) {
		struct c_stmt *s = new_stmt(r, CS_DECLARE, all.cursor[i]);

		own = (struct effects) { 0 };
		r->effects = &own;

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
		r->effects = outer;
		if (own.before) {
			*link = own.before;
			link = &last_of(own.before)->next;
		}
		s->next = own.behind;
		*link = s;
		*last = last_of(s);
		link = &(*last)->next;
	}
	r->effects = outer;
	return first;
}

/* Take apart what a comma joins. */
static struct c_stmt *flattened(struct c_stmt *s)
{
	struct c_stmt *first = NULL, **link = &first, *next;

	for (; s; s = next) {
		next = s->next;
		s->next = NULL;
		*link = s->kind == CS_BLOCK ? flattened(s->body) : s;
		while (*link)
			link = &(*link)->next;
	}
	return first;
}

/* The variable to which "s" gives a first value; NULL: to none. */
static struct c_decl *decl_of(const struct c_stmt *s)
{
	if (!s->value || s->op != C_OP_NONE)
		return NULL;
	return s->kind == CS_DECLARE ? s->decl : s->kind == CS_ASSIGN &&
		s->target->kind == CX_VAR ? s->target->decl : NULL;
}

/* int t = 0  or  t = 0, of the variable that "end" compares; other statements go to "before". */
static bool read_loop_start(struct reader *r, CXCursor c,
	const struct c_expr *end, struct c_stmt *s, struct c_stmt **before)
{
	struct c_stmt *start, *last = NULL, *next;

	start = flattened(cursor_kind(r, c) == CXCursor_DeclStmt ?
		read_declarations(r, c, &last) : read_stmt(r, c));
	for (; start; start = next) {
		struct c_decl *d = decl_of(start);

		next = start->next;
		start->next = NULL;
		if (!d)
			return false;
		if (s->decl || !uses_variable(end, d)) {
			*before = start;
			before = &start->next;
			continue;
		}
		s->decl = d;
		s->value = start->value;
		if (start->kind == CS_DECLARE)
			s->whole = start->whole;
	}
	return s->decl && (s->decl->n_dims || (is_integer(s->decl->type) &&
		!is_narrow(s->decl->type)));
}

/* Of i++, p++ the step of the counter; the others, in "behind", end the body. */
static bool read_loop_step(struct reader *r, CXCursor c, struct c_stmt *s,
	struct c_stmt **behind)
{
	struct c_stmt *step = flattened(read_stmt(r, c)), *next;
	bool found = false;

	for (; step; step = next) {
		next = step->next;
		step->next = NULL;
		if (!found && reader_loop_step(step, s)) {
			found = true;
			continue;
		}
		if (step->kind == CS_BAD)
			return false;
		*behind = step;
		behind = &step->next;
	}
	return found;
}

/* The variable that the address "e" is a sum with; "offset" gets the rest, NULL for 0. */
static const struct c_decl *split_address(struct reader *r,
	struct c_expr *e, struct c_expr **offset)
{
	const struct c_decl *d;
	struct c_expr *more;
	bool swapped;

	*offset = NULL;
	if (e->kind == CX_VAR && e->decl->n_dims)
		return e->decl;
	if (e->kind != CX_BINARY || (e->op != OP_ADD && e->op != OP_SUB))
		return NULL;
	swapped = e->op == OP_ADD && is_integer(e->arg[0]->type);
	d = split_address(r, e->arg[swapped], offset);
	more = e->arg[!swapped];
	if (!is_integer(more->type))
		return NULL;
	if (!*offset && e->op == OP_SUB) {
		*offset = c_leaf(r->mem, CX_INT, C_INT, e->at);
	} else if (!*offset) {
		*offset = more;
		return d;
	}
	*offset = c_binary(r->mem, e->op, c_common_type((*offset)->type,
		more->type), *offset, more, e->at);
	return d;
}

/* A loop whose counter "s->decl" is a pointer: a number counts, and the pointer advances. */
static bool count_with_number(struct reader *r, struct c_stmt *s,
	struct c_stmt **before, struct c_stmt **behind)
{
	struct c_stmt *start = region_new_of(r->mem, struct c_stmt), *step;
	struct c_expr *from, *to, *zero = c_leaf(r->mem, CX_INT, C_INT, s->at);
	const struct c_decl *base = split_address(r, s->value, &from);
	struct c_decl *d = region_new_of(r->mem, struct c_decl);

	if (!base || base == s->decl || s->step != 1 ||
	    split_address(r, s->bound, &to) != base)
		return false;
	d->name = s->decl->name;
	d->at = s->decl->at;
	d->type = C_LONG;
	d->type_name = "long";
	d->is_inside = true;
	start->kind = s->whole.end ? CS_DECLARE : CS_ASSIGN;
	start->op = C_OP_NONE;
	start->at = s->at;
	start->whole = s->whole;
	start->decl = s->whole.end ? s->decl : NULL;
	start->target = c_variable(r->mem, s->decl, C_OTHER, s->value->at);
	start->value = s->value;
	step = region_new_of(r->mem, struct c_stmt);
	*step = *start;
	step->kind = CS_ASSIGN;
	step->op = OP_ADD;
	step->value = c_leaf(r->mem, CX_INT, C_INT, s->at);
	step->value->value = 1;
	s->decl = d;
	s->value = zero;
	s->bound = !to ? zero : to;
	if (from)
		s->bound = c_binary(r->mem, OP_SUB, c_common_type(
			s->bound->type, from->type), s->bound, from,
			s->bound->at);
	start->next = *before;
	*before = start;
	step->next = *behind;
	*behind = step;
	return true;
}

/* "s" with "behind" at the end of its body, in a block behind "before". */
static struct c_stmt *with_others(struct reader *r, CXCursor c,
	struct c_stmt *s, struct c_stmt *before, struct c_stmt *behind)
{
	struct c_stmt *block;

	if (behind && s->kind == CS_FOR) {
		block = new_stmt(r, CS_BLOCK, c);
		block->body = s->body;
		last_of(block->body)->next = behind;
		s->body = block;
	}
	if (!before)
		return s;
	block = new_stmt(r, CS_BLOCK, c);
	block->body = before;
	last_of(before)->next = s;
	return block;
}

/* for (t = a; t < end; t += dt) body, of a real variable: t = a; while (t < end) { body t += dt; } */
static struct c_stmt *read_for_real(struct reader *r, CXCursor c, const struct children *all, struct c_expr *end,
	struct c_stmt *s)
{
	struct c_stmt *start, *last = NULL, *step = read_stmt(r, all->cursor[2]);
	struct c_stmt *block = new_stmt(r, CS_BLOCK, c);

	start = flattened(cursor_kind(r, all->cursor[0]) == CXCursor_DeclStmt ? read_declarations(r, all->cursor[0],
		&last) : read_stmt(r, all->cursor[0]));
	if (start)
		start->at = cursor_span(r, all->cursor[0]);
	step->at = cursor_span(r, all->cursor[2]);
	block->body = read_stmt(r, all->cursor[3]);
	block->body = block->body->kind == CS_BLOCK ? block->body->body : block->body;
	if (block->body)
		last_of(block->body)->next = step;
	else
		block->body = step;
	reader_count(r, s, end, block);
	s->at.end = s->at.start + 3;
	return with_others(r, c, s, start, NULL);
}

static struct c_stmt *read_for(struct reader *r, CXCursor c)
{
	static const char what[] = "a loop that is not 'for (i = a; i < b; "
		"i += c)' with a constant step";
	struct children all = cursor_children(r, c);
	struct c_stmt *s = new_stmt(r, CS_FOR, c), *before = NULL;
	struct c_stmt *behind = NULL;
	struct c_expr *end = all.n == 4 ? reader_expr(r, all.cursor[1]) : NULL;

	if (end && reader_compares_real(end))
		return read_for_real(r, c, &all, end, s);
	if (!end || !read_loop_start(r, all.cursor[0], end, s, &before) ||
	    !reader_loop_ends(r, end, s) ||
	    !read_loop_step(r, all.cursor[2], s, &behind) ||
	    (s->decl->n_dims && !count_with_number(r, s, &before, &behind))) {
		s = bad_stmt(r, c, what);
		before = NULL;
	} else {
		s->body = read_stmt(r, all.cursor[3]);
		s->end = before || behind ? 0 : s->at.end;
	}
	s->at.end = s->at.start + 3;
	return with_others(r, c, s, before, behind);
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

static struct c_stmt *read_while(struct reader *r, CXCursor c, bool is_do)
{
	static const char *const word[] = { "while", "do" };
	struct children all = cursor_children(r, c);
	struct effects *effects = r->effects;
	struct c_stmt *loop = new_stmt(r, CS_FOR, c);
	struct c_expr *end;

	if (all.n != 2)
		return bad_stmt(r, c, "a 'while' loop");
	r->effects = NULL;
	end = reader_expr(r, all.cursor[is_do]);
	r->effects = effects;
	if (is_do && end->kind == CX_INT && !end->value)
		return read_stmt(r, all.cursor[0]);
	loop->at.end = loop->at.start + (unsigned) strlen(word[is_do]);
	return reader_while(r, loop, end, read_stmt(r, all.cursor[!is_do]),
		is_do);
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

static struct c_stmt *read_call(struct reader *r, CXCursor c)
{
	return read_with_value(r, c, CS_CALL);
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
		return read_alone(r, c, read_assignment);
	case CXCursor_UnaryOperator:
		return read_alone(r, c, reader_increment);
	case CXCursor_ParenExpr:
		all = cursor_children(r, c);
		return read_stmt(r, all.cursor[0]);
	case CXCursor_CallExpr:
		return read_alone(r, c, read_call);
	case CXCursor_WhileStmt:
		return read_while(r, c, false);
	case CXCursor_DoStmt:
		return read_while(r, c, true);
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
