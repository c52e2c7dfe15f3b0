/* Expressions of a C file. */
#include "frontend/c/clang.h"

#ifdef LIBCLANG_FILE

static struct c_expr *bad(struct reader *r, CXCursor c, const char *what)
{
	struct c_expr *e = c_leaf(r->mem, CX_BAD, C_INT, cursor_span(r, c));

	e->name = what;
	e->type = C_OTHER;
	return e;
}

static void set_args(struct reader *r, struct c_expr *e,
	const struct children *operands, int first)
{
	e->arg = region_array(r->mem, struct c_expr *, operands->n + 1);
	for (int i = first; i < operands->n; i++)
		e->arg[e->n_args++] = reader_expr(r, operands->cursor[i]);
}

static struct c_expr *read_literal(struct reader *r, CXCursor c,
	struct c_expr *e)
{
	struct c_decl d = { 0 };

	reader_constant(r, &d, c);
	if (!d.is_known)
		return bad(r, c, "a literal of this type");
	e->value = d.value;
	e->real = d.real;
	return e;
}

static struct c_expr *read_name(struct reader *r, CXCursor c,
	struct c_expr *e)
{
	CXCursor to = r->lib.clang_getCursorReferenced(c);
	enum CXCursorKind kind = cursor_kind(r, to);

	if (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl &&
	    kind != CXCursor_EnumConstantDecl)
		return bad(r, c, "this name");
	e->decl = reader_decl(r, to);
	return e;
}

static struct c_expr *read_element(struct reader *r, CXCursor c)
{
	struct children operands = cursor_operands(r, c);
	struct c_expr *base, *e;

	if (operands.n != 2)
		return bad(r, c, "this subscript");
	base = reader_expr(r, operands.cursor[0]);
	if (base->kind != CX_VAR && base->kind != CX_ELEMENT)
		return base->kind == CX_BAD ? base :
			bad(r, c, "a subscript of this");
	e = c_leaf(r->mem, CX_ELEMENT, C_INT, cursor_span(r, c));
	e->decl = base->decl;
	e->arg = region_array(r->mem, struct c_expr *, base->n_args + 1);
	for (int i = 0; i < base->n_args; i++)
		e->arg[i] = base->arg[i];
	e->arg[base->n_args] = reader_expr(r, operands.cursor[1]);
	e->n_args = base->n_args + 1;
	e->type = reader_type(r, r->lib.clang_getCursorType(c));
	return e;
}

/* *p is p[0]. */
static struct c_expr *read_indirection(struct reader *r, CXCursor c,
	CXCursor operand)
{
	struct c_expr *base = reader_expr(r, operand), *e;

	if (base->kind != CX_VAR && base->kind != CX_ELEMENT)
		return base->kind == CX_BAD ? base :
			bad(r, c, "a pointer that is computed");
	e = c_leaf(r->mem, CX_ELEMENT, C_INT, cursor_span(r, c));
	e->decl = base->decl;
	e->arg = region_array(r->mem, struct c_expr *, base->n_args + 1);
	for (int i = 0; i < base->n_args; i++)
		e->arg[i] = base->arg[i];
	e->arg[base->n_args] = c_leaf(r->mem, CX_INT, C_INT, e->at);
	e->n_args = base->n_args + 1;
	e->type = reader_type(r, r->lib.clang_getCursorType(c));
	return e;
}

int reader_binary_op(enum CXBinaryOperatorKind kind)
{
	switch (kind) {
	case CXBinaryOperator_Mul:
	case CXBinaryOperator_MulAssign:
		return OP_MUL;
	case CXBinaryOperator_Div:
	case CXBinaryOperator_DivAssign:
		return OP_DIV;
	case CXBinaryOperator_Rem:
	case CXBinaryOperator_RemAssign:
		return OP_MOD;
	case CXBinaryOperator_Add:
	case CXBinaryOperator_AddAssign:
		return OP_ADD;
	case CXBinaryOperator_Sub:
	case CXBinaryOperator_SubAssign:
		return OP_SUB;
	case CXBinaryOperator_Shl:
	case CXBinaryOperator_ShlAssign:
		return OP_SHIFT_LEFT;
	case CXBinaryOperator_Shr:
	case CXBinaryOperator_ShrAssign:
		return OP_SHIFT_RIGHT;
	case CXBinaryOperator_LT:
		return OP_LT;
	case CXBinaryOperator_GT:
		return OP_GT;
	case CXBinaryOperator_LE:
		return OP_LE;
	case CXBinaryOperator_GE:
		return OP_GE;
	case CXBinaryOperator_EQ:
		return OP_EQ;
	case CXBinaryOperator_NE:
		return OP_NE;
	case CXBinaryOperator_And:
	case CXBinaryOperator_AndAssign:
		return OP_BIT_AND;
	case CXBinaryOperator_Or:
	case CXBinaryOperator_OrAssign:
		return OP_BIT_OR;
	case CXBinaryOperator_Xor:
	case CXBinaryOperator_XorAssign:
		return OP_BIT_XOR;
	case CXBinaryOperator_LAnd:
		return OP_AND;
	case CXBinaryOperator_LOr:
		return OP_OR;
	default:
		return C_OP_NONE;
	}
}

/* "s" at the end of "list" */
static void append(struct c_stmt **list, struct c_stmt *s)
{
	while (*list)
		list = &(*list)->next;
	*list = s;
}

/* p++ in an expression is p, and a statement behind it; ++p, before it. */
static struct c_expr *read_step(struct reader *r, CXCursor c, bool is_before)
{
	struct c_stmt *s = r->effects ? reader_increment(r, c) : NULL;

	if (!s || s->kind != CS_ASSIGN || s->target->kind != CX_VAR)
		return bad(r, c, "a side effect in an expression");
	append(is_before ? &r->effects->before : &r->effects->behind, s);
	return s->target;
}

/* "e" of operands that are not all evaluated: they have no side effects. */
static void set_arms(struct reader *r, struct c_expr *e,
	const struct children *operands)
{
	struct effects *effects = r->effects;

	r->effects = NULL;
	set_args(r, e, operands, 0);
	r->effects = effects;
}

/* A pointer that "e" moves back, p - n, as p + -n */
static struct c_expr *moved_back(struct reader *r, struct c_expr *e)
{
	struct c_expr *by = e->arg[1];

	e->op = OP_ADD;
	e->arg[1] = c_node(r->mem, CX_UNARY, by->type, 1, &by, by->at);
	e->arg[1]->op = OP_NEG;
	return e;
}

static struct c_expr *read_binary(struct reader *r, CXCursor c,
	struct c_expr *e)
{
	struct children operands = cursor_operands(r, c);

	e->op = reader_binary_op(r->lib.clang_getCursorBinaryOperatorKind(c));
	if (e->op == C_OP_NONE || operands.n != 2)
		return bad(r, c, "this operator");
	if (e->op == OP_AND || e->op == OP_OR)
		set_arms(r, e, &operands);
	else
		set_args(r, e, &operands, 0);
	return e->op == OP_SUB && e->type == C_OTHER &&
		is_integer(e->arg[1]->type) ? moved_back(r, e) : e;
}

static struct c_expr *read_unary(struct reader *r, CXCursor c,
	struct c_expr *e)
{
	struct children operands = cursor_operands(r, c);

	if (operands.n != 1)
		return bad(r, c, "this operator");
	switch (r->lib.clang_getCursorUnaryOperatorKind(c)) {
	case CXUnaryOperator_Plus:
		return reader_expr(r, operands.cursor[0]);
	case CXUnaryOperator_Minus:
		e->op = OP_NEG;
		break;
	case CXUnaryOperator_LNot:
		e->op = OP_NOT;
		break;
	case CXUnaryOperator_Not:
		e->op = OP_BIT_NOT;
		break;
	case CXUnaryOperator_AddrOf:
		e->op = C_OP_ADDRESS;
		break;
	case CXUnaryOperator_Deref:
		return read_indirection(r, c, operands.cursor[0]);
	case CXUnaryOperator_PostInc:
	case CXUnaryOperator_PostDec:
		return read_step(r, c, false);
	case CXUnaryOperator_PreInc:
	case CXUnaryOperator_PreDec:
		return read_step(r, c, true);
	default:
		return bad(r, c, "this operator");
	}
	set_args(r, e, &operands, 0);
	return e;
}

static struct c_expr *read_call(struct reader *r, CXCursor c,
	struct c_expr *e)
{
	struct children operands = cursor_operands(r, c);

	e->name = cursor_string(r, r->lib.clang_getCursorSpelling(c));
	e->function = reader_function(r, c);
	set_args(r, e, &operands, 1);
	return e;
}

/* Statement expressions of GNU C, as macros use them. */
static struct c_expr *read_block(struct reader *r, CXCursor c,
	struct c_expr *e)
{
	e->kind = CX_CALL;
	e->name = "({ .. })";
	e->function = reader_block(r, c);
	return e->function ? e : bad(r, c, "this expression");
}

/* Members of structs, as variables and arrays of their own -----------------*/

enum { LARGEST = 4096 };	/* bytes of a struct that is an element */

/* The place and type of the member "field"; false: it has no place of its own. */
static bool read_field(struct reader *r, CXCursor field, struct c_member *m)
{
	CXCursor parent;
	long long at, size;

	if (cursor_kind(r, field) != CXCursor_FieldDecl ||
	    r->lib.clang_Cursor_isBitField(field))
		return false;
	parent = r->lib.clang_getCursorSemanticParent(field);
	at = r->lib.clang_Cursor_getOffsetOfField(field);
	size = r->lib.clang_Type_getSizeOf(r->lib.clang_getCursorType(parent));
	if (cursor_kind(r, parent) != CXCursor_StructDecl || at < 0)
		return false;
	m->field = cursor_string(r, r->lib.clang_getCursorSpelling(field));
	if (size <= LARGEST) {
		m->at = (int) (at / 8);
		m->size = (int) size;
	}
	m->like = reader_member_like(r, field);
	return true;
}

/* (*p).n and p[0].n are p->n. */
static bool is_first(const struct c_expr *e)
{
	return e->decl->is_pointer && e->n_args == 1 &&
		e->arg[0]->kind == CX_INT && !e->arg[0]->value;
}

/* Can "m" be a part of each element of an array?  Of an array a[3] each element is one. */
static bool may_be_of_each(const struct c_member *m)
{
	const struct c_expr *size = m->like->n_dims == 1 && c_is_own_array(m->like) ? m->like->size[0] : NULL;

	return !m->like->n_dims || (size && (size->kind == CX_INT || (size->kind == CX_VAR && size->decl->is_known)));
}

static struct c_expr *read_member(struct reader *r, CXCursor c)
{
	struct children operands = cursor_operands(r, c);
	struct c_member m = { 0 };
	struct c_expr *base, *e;
	bool arrow;

	if (operands.n != 1 || !read_field(r,
	    r->lib.clang_getCursorReferenced(c), &m))
		return NULL;
	base = reader_expr(r, operands.cursor[0]);
	arrow = r->lib.clang_getCanonicalType(r->lib.clang_getCursorType(
		operands.cursor[0])).kind == CXType_Pointer;
	if ((base->kind != CX_VAR && base->kind != CX_ELEMENT) ||
	    base->decl->n_dims - base->n_args != arrow || (arrow &&
	    base->kind == CX_ELEMENT))
		return NULL;
	if (base->kind == CX_VAR || is_first(base)) {
		e = c_variable(r->mem, c_member_of(r->mem, base->decl, &m,
			base->decl->n_dims > 0, false), C_OTHER,
			cursor_span(r, c));
	} else if (!may_be_of_each(&m) || base->decl->member || m.size <= 0) {
		return NULL;
	} else {
		e = c_node(r->mem, CX_ELEMENT, C_OTHER, base->n_args, base->arg,
			cursor_span(r, c));
		e->decl = c_member_of(r->mem, base->decl, &m, false, true);
	}
	e->type = reader_type(r, r->lib.clang_getCursorType(c));
	return e;
}

static struct c_expr *read_cast(struct reader *r, CXCursor c,
	struct c_expr *e)
{
	struct children operands = cursor_operands(r, c);

	if (operands.n != 1)
		return bad(r, c, "this expression");
	set_args(r, e, &operands, 0);
	return e;
}

struct c_expr *reader_expr(struct reader *r, CXCursor c)
{
	struct span at = cursor_span(r, c);
	enum CXCursorKind kind = cursor_kind(r, c);
	struct children operands;
	struct c_expr *e;

	if (kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr) {
		operands = cursor_operands(r, c);
		if (operands.n != 1)
			return bad(r, c, "this expression");
		e = reader_expr(r, operands.cursor[0]);
		if (kind == CXCursor_ParenExpr)
			e->at = at;
		return e;
	}
	e = c_leaf(r->mem, CX_BAD, C_INT, at);
	e->type = reader_type(r, r->lib.clang_getCursorType(c));
	switch (kind) {
	case CXCursor_IntegerLiteral:
	case CXCursor_CharacterLiteral:
		e->kind = CX_INT;
		return read_literal(r, c, e);
	case CXCursor_FloatingLiteral:
		e->kind = CX_REAL;
		return read_literal(r, c, e);
	case CXCursor_DeclRefExpr:
		e->kind = CX_VAR;
		return read_name(r, c, e);
	case CXCursor_ArraySubscriptExpr:
		return read_element(r, c);
	case CXCursor_BinaryOperator:
		e->kind = CX_BINARY;
		return read_binary(r, c, e);
	case CXCursor_UnaryOperator:
		e->kind = CX_UNARY;
		return read_unary(r, c, e);
	case CXCursor_ConditionalOperator:
		e->kind = CX_SELECT;
		operands = cursor_operands(r, c);
		if (operands.n != 3)
			return bad(r, c, "this operator");
		set_arms(r, e, &operands);
		return e;
	case CXCursor_CallExpr:
		e->kind = CX_CALL;
		return read_call(r, c, e);
	case CXCursor_StmtExpr:
		return read_block(r, c, e);
	case CXCursor_CStyleCastExpr:
		e->kind = CX_CAST;
		return read_cast(r, c, e);
	case CXCursor_InitListExpr:
		e->kind = CX_LIST;
		operands = cursor_operands(r, c);
		set_args(r, e, &operands, 0);
		return e;
	case CXCursor_CompoundAssignOperator:
		return bad(r, c, "a side effect in an expression");
	case CXCursor_MemberRefExpr:
		e = read_member(r, c);
		return e ? e : bad(r, c, "this member of a struct");
	case CXCursor_UnaryExpr:
		e->kind = CX_INT;
		return read_literal(r, c, e);
	default:
		return bad(r, c, "this expression");
	}
}

#endif
