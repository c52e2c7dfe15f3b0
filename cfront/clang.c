/* The only file that knows libclang: from its cursors to the tree of
 * ctree.h.
 */
#include "cfront/ctree.h"

#ifndef LIBCLANG_FILE

bool clang_read(struct region *mem, struct diags *d, const struct source *src,
	const char *const *args, int n_args, struct c_region *regions,
	struct c_macro **macros)
{
	(void) mem, (void) src, (void) args, (void) n_args, (void) regions;
	(void) macros;
	diag_plain(d, E_LIBCLANG, "C programs cannot be read: this stencilc "
		"was built without libclang");
	return false;
}

void clang_check_cxx(struct region *mem, struct diags *d,
	const struct source *src, const char *const *args, int n_args)
{
	(void) mem, (void) d, (void) src, (void) args, (void) n_args;
}

#else

#include <dlfcn.h>
#include <limits.h>
#include <string.h>

#include "cfront/libclang.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1	/* as GCC says it */
#endif
#endif

/* AddressSanitizer refuses the second. */
#if defined(__SANITIZE_ADDRESS__)
#define DLOPEN_FLAGS (RTLD_NOW | RTLD_LOCAL)
#else
#define DLOPEN_FLAGS (RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND)
#endif

enum { MAX_CHILDREN = 4096, DECL_BUCKETS = 256 };

struct reader {
	struct region *mem;
	struct diags *diags;
	const struct source *source;
	struct libclang lib;
	CXIndex index;
	CXTranslationUnit unit;
	enum CXErrorCode code;	/* of the last parse */
	struct c_region *regions;
	struct declared {
		CXCursor cursor;
		struct c_decl *decl;
		struct declared *next;
	} *bucket[DECL_BUCKETS];
	struct c_macro **macros;	/* where the next one goes */
};

/* The library --------------------------------------------------------------*/

static bool open_library(struct libclang *lib, const char **why)
{
	lib->handle = dlopen(LIBCLANG_FILE, DLOPEN_FLAGS);
	if (!lib->handle) {
		*why = dlerror();
		return false;
	}
#define LIBCLANG_FIND(name) \
	*(void **) &lib->name = dlsym(lib->handle, #name); \
	if (!lib->name) { \
		*why = LIBCLANG_FILE " has no " #name; \
		return false; \
	}
	LIBCLANG_FUNCTIONS(LIBCLANG_FIND)
#undef LIBCLANG_FIND
	return true;
}

static char *copy_string(struct reader *r, CXString s)
{
	const char *text = r->lib.clang_getCString(s);
	char *copy = region_strdup(r->mem, text ? text : "");

	r->lib.clang_disposeString(s);
	return copy;
}

/* Places -------------------------------------------------------------------*/

static unsigned offset_of(struct reader *r, CXSourceLocation at)
{
	unsigned offset;

	r->lib.clang_getFileLocation(at, NULL, NULL, NULL, &offset);
	return offset;
}

static bool is_in_main_file(struct reader *r, CXCursor c)
{
	return r->lib.clang_Location_isFromMainFile(
		r->lib.clang_getCursorLocation(c));
}

/* Where "c" stands; for what a macro expands to, where the macro does. */
static struct span span_of(struct reader *r, CXCursor c)
{
	CXSourceRange range = r->lib.clang_getCursorExtent(c);
	struct span s = {
		offset_of(r, r->lib.clang_getRangeStart(range)),
		offset_of(r, r->lib.clang_getRangeEnd(range)),
	};
	const char *text = r->source->text;

	if (s.end < s.start)
		s.end = s.start;
	/* Within a macro the end is where the macro's name starts. */
	if (s.start == s.end)
		while (s.end < r->source->length && (text[s.end] == '_' ||
		       (text[s.end] >= '0' && text[s.end] <= '9') ||
		       (text[s.end] >= 'A' && text[s.end] <= 'Z') ||
		       (text[s.end] >= 'a' && text[s.end] <= 'z')))
			++s.end;
	return s;
}

/* Children -----------------------------------------------------------------*/

struct children {
	int n, room;
	CXCursor *cursor;
	struct region *mem;
};

static enum CXChildVisitResult collect(CXCursor c, CXCursor parent,
	CXClientData data)
{
	struct children *children = data;

	(void) parent;
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
	return CXChildVisit_Continue;
}

static struct children children_of(struct reader *r, CXCursor c)
{
	struct children children = { .mem = r->mem };

	r->lib.clang_visitChildren(c, collect, &children);
	return children;
}

static enum CXCursorKind kind_of(struct reader *r, CXCursor c)
{
	return r->lib.clang_getCursorKind(c);
}

/* The expressions among the children, types and labels apart. */
static struct children operands_of(struct reader *r, CXCursor c)
{
	struct children all = children_of(r, c);
	int n = 0;

	for (int i = 0; i < all.n; i++)
		if (r->lib.clang_isExpression(kind_of(r, all.cursor[i])))
			all.cursor[n++] = all.cursor[i];
	all.n = n;
	return all;
}

/* Types --------------------------------------------------------------------*/

static enum c_type type_of(struct reader *r, CXType type)
{
	switch (r->lib.clang_getCanonicalType(type).kind) {
	case CXType_Int:
		return C_INT;
	case CXType_Float:
		return C_FLOAT;
	case CXType_Double:
		return C_DOUBLE;
	case CXType_Bool:
	case CXType_Char_U:
	case CXType_UChar:
	case CXType_UShort:
	case CXType_UInt:
	case CXType_ULong:
	case CXType_ULongLong:
	case CXType_Char_S:
	case CXType_SChar:
	case CXType_Short:
	case CXType_Long:
	case CXType_LongLong:
	case CXType_Enum:
		return C_INTEGER;
	default:
		return C_OTHER;
	}
}

static bool is_array(CXType type)
{
	return type.kind == CXType_ConstantArray ||
		type.kind == CXType_VariableArray ||
		type.kind == CXType_IncompleteArray;
}

static struct c_expr *new_expr(struct reader *r, enum c_kind kind,
	struct span at);

/* Follow the dimensions of "type" to the type of an element. */
static CXType read_dimensions(struct reader *r, struct c_decl *d, CXType type)
{
	type = r->lib.clang_getCanonicalType(type);
	for (; d->n_dims < C_MAX_DIMS; d->n_dims++) {
		if (type.kind == CXType_Pointer) {
			if (d->n_dims)
				d->has_rows = true;
			d->is_pointer = true;
			d->is_restrict |=
				r->lib.clang_isRestrictQualifiedType(type);
			type = r->lib.clang_getPointeeType(type);
		} else if (is_array(type)) {
			if (type.kind == CXType_ConstantArray) {
				d->size[d->n_dims] = new_expr(r, CX_INT,
					d->at);
				d->size[d->n_dims]->value =
					r->lib.clang_getArraySize(type);
			}
			type = r->lib.clang_getArrayElementType(type);
		} else {
			break;
		}
		type = r->lib.clang_getCanonicalType(type);
	}
	return type;
}

/* "float A[restrict n][m]": the type of the array does not have it. */
static bool spells_restrict(struct reader *r, CXCursor c)
{
	static const char word[] = "restrict";
	struct span s = span_of(r, c);

	for (unsigned i = s.start; i + strlen(word) <= s.end; ++i)
		if (!strncmp(r->source->text + i, word, strlen(word)))
			return true;
	return false;
}

static struct c_expr *read_expr(struct reader *r, CXCursor c);

static bool is_allocation(struct reader *r, CXCursor c)
{
	struct children operands = operands_of(r, c);

	if (kind_of(r, c) == CXCursor_CallExpr) {
		char *name = copy_string(r, r->lib.clang_getCursorSpelling(c));

		return !strcmp(name, "malloc") || !strcmp(name, "calloc") ||
			!strcmp(name, "aligned_alloc");
	}
	return operands.n == 1 && is_allocation(r, operands.cursor[0]);
}

/* The sizes that a declarator spells stand in it from the innermost to the
 * outermost, its initial value behind them.
 */
static void read_sizes(struct reader *r, struct c_decl *d, CXCursor c)
{
	struct children all = children_of(r, c);
	int k = 0;

	for (int dim = d->n_dims - 1; dim >= 0; dim--) {
		while (k < all.n && !r->lib.clang_isExpression(
		       kind_of(r, all.cursor[k])))
			++k;
		if (k == all.n)
			break;
		if (dim == 0 && d->is_pointer && kind_of(r, c) !=
		    CXCursor_ParmDecl)
			break;
		if (!d->size[dim])
			d->size[dim] = read_expr(r, all.cursor[k]);
		++k;
	}
	if (all.n && d->is_pointer && kind_of(r, c) == CXCursor_VarDecl)
		d->is_allocated = is_allocation(r, all.cursor[all.n - 1]);
}

/* Declarations -------------------------------------------------------------*/

/* The value of a constant. */
static void read_constant(struct reader *r, struct c_decl *d, CXCursor c)
{
	CXEvalResult e = r->lib.clang_Cursor_Evaluate(c);
	CXEvalResultKind kind;

	if (!e)
		return;
	kind = r->lib.clang_EvalResult_getKind(e);
	if (kind == CXEval_Int) {
		d->value = r->lib.clang_EvalResult_getAsLongLong(e);
		d->is_known = true;
	} else if (kind == CXEval_Float) {
		d->real = r->lib.clang_EvalResult_getAsDouble(e);
		d->is_known = true;
	}
	r->lib.clang_EvalResult_dispose(e);
}

/* Where the declaration "c" has its name; where the macro stands that makes up
 * the name; nowhere, if that is in another file.
 */
static struct span place_of_name(struct reader *r, CXCursor c,
	const char *name)
{
	CXSourceLocation where = r->lib.clang_getCursorLocation(c);
	unsigned at;
	CXFile file;

	r->lib.clang_getExpansionLocation(where, &file, NULL, NULL, &at);
	if (is_in_main_file(r, c))
		at = offset_of(r, where);
	else if (!r->lib.clang_File_isEqual(file,
		 r->lib.clang_getFile(r->unit, r->source->name)))
		return (struct span) { 0, 0 };
	return (struct span) { at, at + (unsigned) strlen(name) };
}

static void fill_decl(struct reader *r, struct c_decl *d, CXCursor c)
{
	CXType type = r->lib.clang_getCursorType(c);
	enum CXCursorKind kind = kind_of(r, c);
	CXCursor parent = r->lib.clang_getCursorSemanticParent(c);

	d->name = copy_string(r, r->lib.clang_getCursorSpelling(c));
	d->at = place_of_name(r, c, d->name);
	d->is_global = kind_of(r, parent) == CXCursor_TranslationUnit;
	d->is_const = r->lib.clang_isConstQualifiedType(type);
	if (kind == CXCursor_EnumConstantDecl) {
		d->type = C_INT;
		read_constant(r, d, c);
		return;
	}
	type = read_dimensions(r, d, type);
	if (kind == CXCursor_ParmDecl && d->n_dims && !d->is_pointer) {
		d->is_decayed = true;
		d->is_restrict = spells_restrict(r, c);
	}
	d->type = type_of(r, type);
	d->type_name = copy_string(r, r->lib.clang_getTypeSpelling(type));
	d->is_volatile = r->lib.clang_isVolatileQualifiedType(type);
	if (d->n_dims) {
		d->is_const = r->lib.clang_isConstQualifiedType(type);
		read_sizes(r, d, c);
	} else if (d->is_const) {
		read_constant(r, d, c);
	}
}

static struct c_decl *decl_of(struct reader *r, CXCursor c)
{
	struct declared **bucket =
		&r->bucket[r->lib.clang_hashCursor(c) % DECL_BUCKETS];
	struct declared *found = *bucket;

	while (found && !r->lib.clang_equalCursors(found->cursor, c))
		found = found->next;
	if (!found) {
		found = region_new_of(r->mem, struct declared);
		found->cursor = c;
		found->decl = region_new_of(r->mem, struct c_decl);
		found->next = *bucket;
		*bucket = found;
		fill_decl(r, found->decl, c);
	}
	return found->decl;
}

/* Expressions --------------------------------------------------------------*/

static struct c_expr *new_expr(struct reader *r, enum c_kind kind,
	struct span at)
{
	struct c_expr *e = region_new_of(r->mem, struct c_expr);

	e->kind = kind;
	e->type = C_INT;
	e->op = C_OP_NONE;
	e->at = at;
	return e;
}

static struct c_expr *bad(struct reader *r, CXCursor c, const char *what)
{
	struct c_expr *e = new_expr(r, CX_BAD, span_of(r, c));

	e->name = what;
	e->type = C_OTHER;
	return e;
}

static void set_args(struct reader *r, struct c_expr *e,
	const struct children *operands, int first)
{
	e->arg = region_array(r->mem, struct c_expr *, operands->n + 1);
	for (int i = first; i < operands->n; i++)
		e->arg[e->n_args++] = read_expr(r, operands->cursor[i]);
}

static struct c_expr *read_literal(struct reader *r, CXCursor c,
	struct c_expr *e)
{
	struct c_decl d = { 0 };

	read_constant(r, &d, c);
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
	enum CXCursorKind kind = kind_of(r, to);

	if (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl &&
	    kind != CXCursor_EnumConstantDecl)
		return bad(r, c, "this name");
	e->decl = decl_of(r, to);
	return e;
}

static struct c_expr *read_element(struct reader *r, CXCursor c)
{
	struct children operands = operands_of(r, c);
	struct c_expr *base, *e;

	if (operands.n != 2)
		return bad(r, c, "this subscript");
	base = read_expr(r, operands.cursor[0]);
	if (base->kind != CX_VAR && base->kind != CX_ELEMENT)
		return base->kind == CX_BAD ? base :
			bad(r, c, "a subscript of this");
	e = new_expr(r, CX_ELEMENT, span_of(r, c));
	e->decl = base->decl;
	e->arg = region_array(r->mem, struct c_expr *, base->n_args + 1);
	for (int i = 0; i < base->n_args; i++)
		e->arg[i] = base->arg[i];
	e->arg[base->n_args] = read_expr(r, operands.cursor[1]);
	e->n_args = base->n_args + 1;
	e->type = type_of(r, r->lib.clang_getCursorType(c));
	return e;
}

/* *p is p[0]. */
static struct c_expr *read_indirection(struct reader *r, CXCursor c,
	CXCursor operand)
{
	struct c_expr *base = read_expr(r, operand), *e;

	if (base->kind != CX_VAR && base->kind != CX_ELEMENT)
		return bad(r, c, "a pointer that is computed");
	e = new_expr(r, CX_ELEMENT, span_of(r, c));
	e->decl = base->decl;
	e->arg = region_array(r->mem, struct c_expr *, base->n_args + 1);
	for (int i = 0; i < base->n_args; i++)
		e->arg[i] = base->arg[i];
	e->arg[base->n_args] = new_expr(r, CX_INT, e->at);
	e->n_args = base->n_args + 1;
	e->type = type_of(r, r->lib.clang_getCursorType(c));
	return e;
}

static int binary_op(enum CXBinaryOperatorKind kind)
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
		return C_OP_SHL;
	case CXBinaryOperator_Shr:
		return C_OP_SHR;
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
		return C_OP_BITAND;
	case CXBinaryOperator_LAnd:
		return OP_AND;
	case CXBinaryOperator_LOr:
		return OP_OR;
	default:
		return C_OP_NONE;
	}
}

static struct c_expr *read_binary(struct reader *r, CXCursor c,
	struct c_expr *e)
{
	struct children operands = operands_of(r, c);

	e->op = binary_op(r->lib.clang_getCursorBinaryOperatorKind(c));
	if (e->op == C_OP_NONE || operands.n != 2)
		return bad(r, c, "this operator");
	set_args(r, e, &operands, 0);
	return e;
}

static struct c_expr *read_unary(struct reader *r, CXCursor c,
	struct c_expr *e)
{
	struct children operands = operands_of(r, c);

	if (operands.n != 1)
		return bad(r, c, "this operator");
	switch (r->lib.clang_getCursorUnaryOperatorKind(c)) {
	case CXUnaryOperator_Plus:
		return read_expr(r, operands.cursor[0]);
	case CXUnaryOperator_Minus:
		e->op = OP_NEG;
		break;
	case CXUnaryOperator_LNot:
		e->op = OP_NOT;
		break;
	case CXUnaryOperator_Deref:
		return read_indirection(r, c, operands.cursor[0]);
	case CXUnaryOperator_PostInc:
	case CXUnaryOperator_PreInc:
	case CXUnaryOperator_PostDec:
	case CXUnaryOperator_PreDec:
		return bad(r, c, "a side effect in an expression");
	default:
		return bad(r, c, "this operator");
	}
	set_args(r, e, &operands, 0);
	return e;
}

static struct c_expr *read_call(struct reader *r, CXCursor c,
	struct c_expr *e)
{
	struct children operands = operands_of(r, c);

	e->name = copy_string(r, r->lib.clang_getCursorSpelling(c));
	set_args(r, e, &operands, 1);
	return e;
}

static struct c_expr *read_cast(struct reader *r, CXCursor c,
	struct c_expr *e)
{
	struct children operands = operands_of(r, c);

	if (operands.n != 1)
		return bad(r, c, "this expression");
	set_args(r, e, &operands, 0);
	return e;
}

static struct c_expr *read_expr(struct reader *r, CXCursor c)
{
	struct span at = span_of(r, c);
	enum CXCursorKind kind = kind_of(r, c);
	struct children operands;
	struct c_expr *e;

	if (kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr) {
		operands = operands_of(r, c);
		if (operands.n != 1)
			return bad(r, c, "this expression");
		e = read_expr(r, operands.cursor[0]);
		if (kind == CXCursor_ParenExpr)
			e->at = at;
		return e;
	}
	e = new_expr(r, CX_BAD, at);
	e->type = type_of(r, r->lib.clang_getCursorType(c));
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
		operands = operands_of(r, c);
		if (operands.n != 3)
			return bad(r, c, "this operator");
		set_args(r, e, &operands, 0);
		return e;
	case CXCursor_CallExpr:
		e->kind = CX_CALL;
		return read_call(r, c, e);
	case CXCursor_CStyleCastExpr:
		e->kind = CX_CAST;
		return read_cast(r, c, e);
	case CXCursor_CompoundAssignOperator:
		return bad(r, c, "a side effect in an expression");
	case CXCursor_MemberRefExpr:
		return bad(r, c, "a member of a struct");
	case CXCursor_UnaryExpr:
		e->kind = CX_INT;
		return read_literal(r, c, e);
	default:
		return bad(r, c, "this expression");
	}
}

/* Statements ---------------------------------------------------------------*/

static struct c_stmt *read_stmt(struct reader *r, CXCursor c);

static struct c_stmt *new_stmt(struct reader *r, enum c_stmt_kind kind,
	CXCursor c)
{
	struct c_stmt *s = region_new_of(r->mem, struct c_stmt);

	s->kind = kind;
	s->op = C_OP_NONE;
	s->at = span_of(r, c);
	return s;
}

static struct c_stmt *bad_stmt(struct reader *r, CXCursor c,
	const char *what)
{
	struct c_stmt *s = new_stmt(r, CS_BAD, c);

	s->what = what;
	return s;
}

/* Assignments, and increments as such. */
static struct c_stmt *read_assignment(struct reader *r, CXCursor c)
{
	struct children operands = operands_of(r, c);
	enum CXBinaryOperatorKind kind =
		r->lib.clang_getCursorBinaryOperatorKind(c);
	struct c_stmt *s = new_stmt(r, CS_ASSIGN, c);

	if (operands.n != 2)
		return bad_stmt(r, c, "this statement");
	if (kind != CXBinaryOperator_Assign) {
		s->op = binary_op(kind);
		if (s->op == C_OP_NONE || kind < CXBinaryOperator_Assign ||
		    kind == CXBinaryOperator_Comma)
			return bad_stmt(r, c, "this statement");
	}
	s->target = read_expr(r, operands.cursor[0]);
	s->value = read_expr(r, operands.cursor[1]);
	return s;
}

static struct c_stmt *read_increment(struct reader *r, CXCursor c)
{
	struct children operands = operands_of(r, c);
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
	s->target = read_expr(r, operands.cursor[0]);
	s->value = new_expr(r, CX_INT, s->at);
	s->value->value = 1;
	return s;
}

/* int a = 1, b;  a declaration each, linked; "last" is the last of them. */
static struct c_stmt *read_declarations(struct reader *r, CXCursor c,
	struct c_stmt **last)
{
	struct children all = children_of(r, c);
	struct c_stmt *first = NULL, **link = &first;

	for (int i = 0; i < all.n; i++) {
		struct c_stmt *s = new_stmt(r, CS_DECLARE, all.cursor[i]);

		if (kind_of(r, all.cursor[i]) != CXCursor_VarDecl) {
			s = bad_stmt(r, c, "this declaration");
		} else {
			struct children operands =
				operands_of(r, all.cursor[i]);

			s->decl = decl_of(r, all.cursor[i]);
			s->decl->is_inside = true;
			if (s->decl->n_dims && !s->decl->is_pointer)
				s = bad_stmt(r, c, "a local array");
			else if (operands.n)
				s->value = read_expr(r,
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

	start = kind_of(r, c) == CXCursor_DeclStmt ?
		read_declarations(r, c, &last) : read_stmt(r, c);
	if (!start || start->next || !start->value ||
	    start->op != C_OP_NONE)
		return false;
	if (start->kind == CS_DECLARE)
		s->decl = start->decl;
	else if (start->kind == CS_ASSIGN && start->target->kind == CX_VAR)
		s->decl = start->target->decl;
	else
		return false;
	s->value = start->value;
	return !s->decl->n_dims && (s->decl->type == C_INT ||
		s->decl->type == C_INTEGER);
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
	struct c_expr *e = read_expr(r, c);

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
	struct children all = children_of(r, c);
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
	struct children all = children_of(r, c);
	struct c_stmt *s = new_stmt(r, CS_IF, c);

	if (all.n < 2 || all.n > 3)
		return bad_stmt(r, c, "this 'if'");
	s->condition = read_expr(r, all.cursor[0]);
	s->body = read_stmt(r, all.cursor[1]);
	if (all.n == 3)
		s->otherwise = read_stmt(r, all.cursor[2]);
	return s;
}

/* The statements "all" from "first" on, those of a declaration apart. */
static struct c_stmt *read_list(struct reader *r, const struct children *all)
{
	struct c_stmt *first = NULL, **link = &first;

	for (int i = 0; i < all->n; i++) {
		struct c_stmt *last = NULL;

		if (kind_of(r, all->cursor[i]) == CXCursor_DeclStmt)
			*link = read_declarations(r, all->cursor[i], &last);
		else
			*link = last = read_stmt(r, all->cursor[i]);
		if (last)
			link = &last->next;
	}
	return first;
}

static struct c_stmt *read_stmt(struct reader *r, CXCursor c)
{
	struct children all;
	struct c_stmt *s, *last;

	switch (kind_of(r, c)) {
	case CXCursor_CompoundStmt:
		s = new_stmt(r, CS_BLOCK, c);
		all = children_of(r, c);
		s->body = read_list(r, &all);
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
		all = children_of(r, c);
		return read_stmt(r, all.cursor[0]);
	case CXCursor_CallExpr:
		return bad_stmt(r, c, "a call");
	case CXCursor_WhileStmt:
	case CXCursor_DoStmt:
		return bad_stmt(r, c, "a 'while' loop");
	case CXCursor_ReturnStmt:
		return bad_stmt(r, c, "a 'return'");
	case CXCursor_BreakStmt:
		return bad_stmt(r, c, "a 'break'");
	case CXCursor_ContinueStmt:
		return bad_stmt(r, c, "a 'continue'");
	case CXCursor_GotoStmt:
	case CXCursor_LabelStmt:
		return bad_stmt(r, c, "a 'goto'");
	default:
		all = children_of(r, c);
		if (all.n && kind_of(r, c) == CXCursor_UnexposedStmt)
			return read_stmt(r, all.cursor[all.n - 1]);
		return bad_stmt(r, c, "this statement");
	}
}

/* Regions ------------------------------------------------------------------*/

static bool contains(struct span outer, struct span inner)
{
	return outer.start <= inner.start && inner.end <= outer.end;
}

static bool is_loop(enum CXCursorKind kind)
{
	return kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt ||
		kind == CXCursor_DoStmt;
}

/* Find the statements of "region" in "c", which contains it. */
static bool read_region(struct reader *r, CXCursor c, struct c_region *region)
{
	struct children all = children_of(r, c);
	struct children inside = { .mem = r->mem };

	for (int i = 0; i < all.n; i++) {
		struct span at = span_of(r, all.cursor[i]);

		if (contains(region->inside, at)) {
			collect(all.cursor[i], c, &inside);
		} else if (contains(at, region->at)) {
			if (is_loop(kind_of(r, all.cursor[i])))
				region->is_looped = true;
			return read_region(r, all.cursor[i], region);
		}
	}
	region->body = read_list(r, &inside);
	return inside.n > 0;
}

/* Note where variables are used outside of the regions. */
static enum CXChildVisitResult note_use(CXCursor c, CXCursor parent,
	CXClientData data)
{
	struct reader *r = data;
	struct c_region *region = r->regions;
	CXCursor to;
	struct declared *found;
	unsigned at;

	(void) parent;
	if (kind_of(r, c) != CXCursor_DeclRefExpr)
		return CXChildVisit_Recurse;
	at = offset_of(r, r->lib.clang_getCursorLocation(c));
	for (; region; region = region->next)
		if (region->at.start <= at && at < region->at.end)
			return CXChildVisit_Continue;
	to = r->lib.clang_getCursorReferenced(c);
	found = r->bucket[r->lib.clang_hashCursor(to) % DECL_BUCKETS];
	while (found && !r->lib.clang_equalCursors(found->cursor, to))
		found = found->next;
	if (found) {
		if (!found->decl->last)
			found->decl->first = at;
		found->decl->last = at;
	}
	return CXChildVisit_Continue;
}

static enum CXChildVisitResult read_macro(struct reader *r, CXCursor c)
{
	CXSourceLocation at = r->lib.clang_getCursorLocation(c);
	CXFile file;

	r->lib.clang_getFileLocation(at, &file, NULL, NULL, NULL);
	if (!file || r->lib.clang_Location_isInSystemHeader(at))
		return CXChildVisit_Continue;
	*r->macros = region_new_of(r->mem, struct c_macro);
	(*r->macros)->name = copy_string(r,
		r->lib.clang_getCursorSpelling(c));
	r->macros = &(*r->macros)->next;
	return CXChildVisit_Continue;
}

static enum CXChildVisitResult read_function(CXCursor c, CXCursor parent,
	CXClientData data)
{
	struct reader *r = data;
	struct c_region *region = r->regions;
	bool any = false;
	struct span at;

	(void) parent;
	if (kind_of(r, c) == CXCursor_MacroDefinition)
		return read_macro(r, c);
	if (kind_of(r, c) != CXCursor_FunctionDecl || !is_in_main_file(r, c))
		return CXChildVisit_Continue;
	at = span_of(r, c);
	for (; region; region = region->next) {
		if (!contains(at, region->at))
			continue;
		region->function = copy_string(r,
			r->lib.clang_getCursorSpelling(c));
		read_region(r, c, region);
		any = true;
	}
	if (any)
		r->lib.clang_visitChildren(c, note_use, r);
	return CXChildVisit_Continue;
}

/* What libclang says -------------------------------------------------------*/

static void report(struct reader *r, CXDiagnostic message)
{
	CXSourceLocation at = r->lib.clang_getDiagnosticLocation(message);
	char *text = copy_string(r,
		r->lib.clang_getDiagnosticSpelling(message));
	unsigned line, column, offset;
	const char *name;
	CXFile file;

	if (r->lib.clang_Location_isFromMainFile(at)) {
		offset = offset_of(r, at);
		diag(r->diags, E_C_SYNTAX, (struct span) { offset, offset },
			"%s", text);
		return;
	}
	r->lib.clang_getFileLocation(at, &file, &line, &column, NULL);
	name = file ? copy_string(r, r->lib.clang_getFileName(file)) : NULL;
	if (name)
		diag_plain(r->diags, E_C_SYNTAX, "%s:%u:%u: %s", name, line,
			column, text);
	else
		diag_plain(r->diags, E_C_SYNTAX, "%s", text);
}

static void warn_not_cxx(struct reader *r, struct span at, const char *why)
{
	diag(r->diags, W_C_NOT_CXX, at, "nvcc compiles C++, which this is "
		"not: %s", why);
	diag_advice(r->diags, "change it to what both languages have, or "
		"compile to C with --target=c");
}

/* An error of the text read as C++: a construct of C alone. */
static void report_cxx(struct reader *r, CXDiagnostic message)
{
	unsigned at = offset_of(r,
		r->lib.clang_getDiagnosticLocation(message));

	warn_not_cxx(r, (struct span) { at, at }, copy_string(r,
		r->lib.clang_getDiagnosticSpelling(message)));
}

static bool is_error(struct reader *r, CXDiagnostic message)
{
	return r->lib.clang_getDiagnosticSeverity(message) >=
		CXDiagnostic_Error;
}

static bool has_variable_size(struct reader *r, CXType type)
{
	for (;;) {
		type = r->lib.clang_getCanonicalType(type);
		if (type.kind == CXType_VariableArray)
			return true;
		if (type.kind == CXType_Pointer)
			type = r->lib.clang_getPointeeType(type);
		else if (is_array(type))
			type = r->lib.clang_getArrayElementType(type);
		else
			return false;
	}
}

/* An error in this file as C++.  clang holds two types of variable size for
 * different where other compilers do not.
 */
static bool is_error_here(struct reader *r, CXDiagnostic message)
{
	CXSourceLocation at = r->lib.clang_getDiagnosticLocation(message);

	return is_error(r, message) &&
		r->lib.clang_Location_isFromMainFile(at) &&
		!has_variable_size(r, r->lib.clang_getCursorType(
			r->lib.clang_getCursor(r->unit, at)));
}

/* Hand the messages that "is_meant" takes to "say", "limit" of them at most;
 * how many those were.
 */
static int for_messages(struct reader *r, int limit,
	bool (*is_meant)(struct reader *r, CXDiagnostic message),
	void (*say)(struct reader *r, CXDiagnostic message))
{
	unsigned n = r->lib.clang_getNumDiagnostics(r->unit);
	int said = 0;

	for (unsigned i = 0; i < n && said < limit; i++) {
		CXDiagnostic message = r->lib.clang_getDiagnostic(r->unit, i);

		if (is_meant(r, message)) {
			say(r, message);
			said++;
		}
		r->lib.clang_disposeDiagnostic(message);
	}
	return said;
}

/* Parse the text as "language", -xc or -xc++, with "args". */
static bool parse(struct reader *r, const char *language,
	const char *const *args, int n_args)
{
	struct CXUnsavedFile file = {
		.Filename = r->source->name, .Contents = r->source->text,
		.Length = r->source->length,
	};
	const char **all = region_array(r->mem, const char *, n_args + 4);
	int n = 0;

	all[n++] = language;
	all[n++] = "-ferror-limit=20";
	all[n++] = "-Wno-everything";
	for (int i = 0; i < n_args; i++)
		all[n++] = args[i];
	r->code = r->lib.clang_parseTranslationUnit2(r->index, r->source->name,
		all, n, &file, 1, CXTranslationUnit_DetailedPreprocessingRecord,
		&r->unit);
	return r->code == CXError_Success;
}

bool clang_read(struct region *mem, struct diags *d, const struct source *src,
	const char *const *args, int n_args, struct c_region *regions,
	struct c_macro **macros)
{
	struct reader r = {
		.mem = mem, .diags = d, .source = src, .regions = regions,
		.macros = macros,
	};
	const char *why;
	bool done = false;

	if (!open_library(&r.lib, &why)) {
		diag_plain(d, E_LIBCLANG, "C programs cannot be read: %s",
			why);
		return false;
	}
	r.index = r.lib.clang_createIndex(0, 0);
	if (parse(&r, "-xc", args, n_args)) {
		done = !for_messages(&r, INT_MAX, is_error, report);
		if (done)
			r.lib.clang_visitChildren(
				r.lib.clang_getTranslationUnitCursor(r.unit),
				read_function, &r);
		r.lib.clang_disposeTranslationUnit(r.unit);
	} else {
		diag_plain(d, E_C_SYNTAX, "%s: libclang could not read it "
			"(code %d)", src->name, (int) r.code);
	}
	r.lib.clang_disposeIndex(r.index);
	return done;
}

/* The arguments without the standard of C, and with the macro that the
 * emitted file has.
 */
static const char *const *cxx_args(struct reader *r, const char *const *args,
	int *n_args)
{
	const char **all = region_array(r->mem, const char *, *n_args + 1);
	int n = 0;

	for (int i = 0; i < *n_args; i++)
		if (strncmp(args[i], "-std=", 5))
			all[n++] = args[i];
	all[n++] = "-Drestrict=__restrict__";
	*n_args = n;
	return all;
}

/* clang takes parameters of variable size for C++; other compilers do not. */
static enum CXChildVisitResult find_variable_parameter(CXCursor c,
	CXCursor parent, CXClientData data)
{
	struct reader *r = data;

	(void) parent;
	if (!is_in_main_file(r, c))
		return CXChildVisit_Continue;
	if (kind_of(r, c) == CXCursor_FunctionDecl)
		return CXChildVisit_Recurse;
	if (kind_of(r, c) != CXCursor_ParmDecl ||
	    !has_variable_size(r, r->lib.clang_getCursorType(c)))
		return CXChildVisit_Continue;
	warn_not_cxx(r, span_of(r, c), "an array parameter whose size is a "
		"variable");
	return CXChildVisit_Break;
}

void clang_check_cxx(struct region *mem, struct diags *d,
	const struct source *src, const char *const *args, int n_args)
{
	struct reader r = { .mem = mem, .diags = d, .source = src };
	const char *why;

	if (!open_library(&r.lib, &why))
		return;
	r.index = r.lib.clang_createIndex(0, 0);
	args = cxx_args(&r, args, &n_args);
	if (parse(&r, "-xc++", args, n_args)) {
		if (!r.lib.clang_visitChildren(
		    r.lib.clang_getTranslationUnitCursor(r.unit),
		    find_variable_parameter, &r))
			for_messages(&r, 1, is_error_here, report_cxx);
		r.lib.clang_disposeTranslationUnit(r.unit);
	}
	r.lib.clang_disposeIndex(r.index);
}

#endif
