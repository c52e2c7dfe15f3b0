/* Declarations of a C file, and their types. */
#include "frontend/c/clang.h"

#ifdef LIBCLANG_FILE

#include <string.h>

enum c_type reader_type(struct reader *r, CXType type)
{
	bool is_short = r->lib.clang_Type_getSizeOf(type) < 8;

	switch (r->lib.clang_getCanonicalType(type).kind) {
	case CXType_Int:
		return C_INT;
	case CXType_Float:
		return C_FLOAT;
	case CXType_Double:
		return C_DOUBLE;
	case CXType_Bool:
		return C_BOOL;
	case CXType_Char_U:
	case CXType_UChar:
		return C_UCHAR;
	case CXType_UShort:
		return C_USHORT;
	case CXType_Char_S:
	case CXType_SChar:
		return C_CHAR;
	case CXType_Short:
		return C_SHORT;
	case CXType_UInt:
		return C_UINT;
	case CXType_ULong:
	case CXType_ULongLong:
		return is_short ? C_UINT : C_ULONG;
	case CXType_Long:
	case CXType_LongLong:
		return is_short ? C_INT : C_LONG;
	case CXType_Enum:
		return C_LONG;
	default:
		return C_OTHER;
	}
}

/* Follow the dimensions of "type" to its element type; an array may carry the element's
 * qualifiers.
 */
static CXType read_dimensions(struct reader *r, struct c_decl *d, CXType type)
{
	bool is_const = false, is_volatile = false;

	type = r->lib.clang_getCanonicalType(type);
	for (; d->n_dims < C_MAX_DIMS; d->n_dims++) {
		if (type.kind == CXType_Pointer) {
			is_const = is_volatile = false;
			if (d->n_dims)
				d->has_rows = true;
			d->is_pointer = true;
			d->is_restrict |=
				r->lib.clang_isRestrictQualifiedType(type);
			type = r->lib.clang_getPointeeType(type);
		} else if (type_is_array(type)) {
			if (type.kind == CXType_ConstantArray) {
				d->size[d->n_dims] = c_leaf(r->mem,
					CX_INT, C_INT, d->at);
				d->size[d->n_dims]->value =
					r->lib.clang_getArraySize(type);
			}
			is_const |= r->lib.clang_isConstQualifiedType(type);
			is_volatile |=
				r->lib.clang_isVolatileQualifiedType(type);
			type = r->lib.clang_getArrayElementType(type);
		} else {
			break;
		}
		type = r->lib.clang_getCanonicalType(type);
	}
	d->is_volatile = is_volatile ||
		r->lib.clang_isVolatileQualifiedType(type);
	if (d->n_dims)
		d->is_const = is_const ||
			r->lib.clang_isConstQualifiedType(type);
	return type;
}

/* The text between the parentheses of the type of "function"; "" if it has no
 * prototype, or returns a pointer to a function.
 */
static const char *spelled_params(struct reader *r, CXCursor function)
{
	CXType type = r->lib.clang_getCursorType(function);
	const char *whole = cursor_string(r,
		r->lib.clang_getTypeSpelling(type));
	const char *result = cursor_string(r, r->lib.clang_getTypeSpelling(
		r->lib.clang_getResultType(type)));

	if (strncmp(whole, result, strlen(result)) != 0)
		return "";
	whole += strlen(result);
	whole += strspn(whole, " ");
	return *whole == '(' ? whole + 1 : "";
}

/* The part of the list that "text" begins with behind its first "n" commas. */
static const char *behind_commas(const char *text, int n)
{
	int depth = 0;

	for (; *text && n && depth >= 0; text++) {
		depth += *text == '(' || *text == '[';
		depth -= *text == ')' || *text == ']';
		n -= *text == ',' && !depth;
	}
	return text;
}

/* Does restrict qualify the pointer that "type" begins with? */
static bool is_restrict_pointer(const char *type)
{
	static const char letters[] = "_abcdefghijklmnopqrstuvwxyz";
	size_t n;

	for (type += strcspn(type, "*,"); *type; type += n) {
		type += strspn(type, "* ");
		n = strspn(type, letters);
		if (!n)
			break;
		if ((n == 8 && !strncmp(type, "restrict", n)) ||
		    (n == 10 && !strncmp(type, "__restrict", n)))
			return true;
	}
	return false;
}

/* Is parameter "i" of "function" an array like "A[restrict n][m]"? libclang
 * gives the written array as its type; the function's type has the pointer that
 * it stands for, with macros expanded.
 */
static bool is_restrict_array(struct reader *r, CXCursor function, int i)
{
	CXCursor c = r->lib.clang_Cursor_getArgument(function, (unsigned) i);

	return type_is_array(r->lib.clang_getCanonicalType(
			r->lib.clang_getCursorType(c))) &&
		is_restrict_pointer(behind_commas(
			spelled_params(r, function), i));
}

bool reader_has_restrict_arrays(struct reader *r, CXCursor function)
{
	int n = r->lib.clang_Cursor_getNumArguments(function);

	for (int i = 0; i < n; i++)
		if (is_restrict_array(r, function, i))
			return true;
	return false;
}

/* Is the parameter "c" such an array? */
static bool is_restrict_param(struct reader *r, CXCursor c)
{
	CXCursor function = r->lib.clang_getCursorSemanticParent(c);
	int n = r->lib.clang_Cursor_getNumArguments(function);

	for (int i = 0; i < n; i++)
		if (r->lib.clang_equalCursors(c,
		    r->lib.clang_Cursor_getArgument(function, (unsigned) i)))
			return is_restrict_array(r, function, i);
	return false;
}

static bool is_allocation(struct reader *r, CXCursor c)
{
	struct children operands = cursor_operands(r, c);

	if (cursor_kind(r, c) == CXCursor_CallExpr) {
		char *name = cursor_string(r,
			r->lib.clang_getCursorSpelling(c));

		return !strcmp(name, "malloc") || !strcmp(name, "calloc") ||
			!strcmp(name, "aligned_alloc");
	}
	return operands.n == 1 && is_allocation(r, operands.cursor[0]);
}

/* A declarator spells sizes from the innermost to the outermost, with the
 * initial value behind them.
 */
static void read_sizes(struct reader *r, struct c_decl *d, CXCursor c)
{
	struct children all = cursor_children(r, c);
	int k = 0;

	for (int dim = d->n_dims - 1; dim >= 0; dim--) {
		while (k < all.n && !r->lib.clang_isExpression(
		       cursor_kind(r, all.cursor[k])))
			++k;
		if (k == all.n)
			break;
		if (dim == 0 && d->is_pointer && cursor_kind(r, c) !=
		    CXCursor_ParmDecl)
			break;
		if (!d->size[dim])
			d->size[dim] = reader_expr(r, all.cursor[k]);
		++k;
	}
	if (all.n && d->is_pointer && cursor_kind(r, c) == CXCursor_VarDecl)
		d->is_allocated = is_allocation(r, all.cursor[all.n - 1]);
}

/* The values of a constant array, { 1, 0, -1 }. */
static void read_values(struct reader *r, struct c_decl *d, CXCursor c)
{
	struct children all = cursor_children(r, c);

	if (cursor_kind(r, c) == CXCursor_VarDecl && d->is_const &&
	    c_is_own_array(d) && all.n && cursor_kind(r,
		all.cursor[all.n - 1]) == CXCursor_InitListExpr)
		d->values = reader_expr(r, all.cursor[all.n - 1]);
}

void reader_constant(struct reader *r, struct c_decl *d, CXCursor c)
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

/* Does a function only read its variable "of"? */
struct mentions {
	struct reader *r;
	CXCursor of;
	bool are_reads;
};

/* What is read stands in an implicit conversion, alone; what is assigned, or has its address taken,
 * does not.
 */
static bool is_read(struct reader *r, CXCursor parent)
{
	return cursor_kind(r, parent) == CXCursor_UnexposedExpr &&
		cursor_children(r, parent).n == 1;
}

static enum CXChildVisitResult note_mention(CXCursor c, CXCursor parent,
	CXClientData data)
{
	struct mentions *m = data;
	struct reader *r = m->r;

	if (cursor_kind(r, c) == CXCursor_DeclRefExpr &&
	    r->lib.clang_equalCursors(m->of,
		r->lib.clang_getCursorReferenced(c)))
		m->are_reads = m->are_reads && is_read(r, parent);
	return m->are_reads ? CXChildVisit_Recurse : CXChildVisit_Break;
}

/* An integer that its function initialises, and never changes, is a constant, too. */
static void read_unchanged(struct reader *r, struct c_decl *d, CXCursor c,
	CXCursor function)
{
	struct mentions m = { r, c, true };

	if (cursor_kind(r, c) != CXCursor_VarDecl || !is_integer(d->type) ||
	    d->is_volatile || cursor_kind(r, function) !=
	    CXCursor_FunctionDecl)
		return;
	reader_constant(r, d, c);
	if (!d->is_known)
		return;
	r->lib.clang_visitChildren(function, note_mention, &m);
	d->is_known = m.are_reads;
}

/* Does "function" never change the variables that the expression "c" has? */
static bool has_unchanged(struct reader *r, CXCursor c, CXCursor function)
{
	struct children all = cursor_children(r, c);

	if (cursor_kind(r, c) == CXCursor_DeclRefExpr) {
		struct mentions m = { r, r->lib.clang_getCursorReferenced(c),
			true };

		r->lib.clang_visitChildren(function, note_mention, &m);
		if (!m.are_reads)
			return false;
	}
	for (int i = 0; i < all.n; i++)
		if (!has_unchanged(r, all.cursor[i], function))
			return false;
	return true;
}

static bool is_sum(const struct c_expr *e)
{
	bool sums = e->kind == CX_BINARY && (e->op == OP_ADD ||
		e->op == OP_SUB || e->op == OP_MUL);

	if (e->kind != CX_INT && !sums && (e->kind != CX_VAR ||
	    e->decl->n_dims || e->decl->is_global || e->decl->member))
		return false;
	for (int i = 0; i < e->n_args; i++)
		if (!is_sum(e->arg[i]))
			return false;
	return true;
}

/* What a constant int of the function "function" is made of, as a stride is: const int row = m + 2. */
static void read_sum(struct reader *r, struct c_decl *d, CXCursor c,
	CXCursor function)
{
	struct children all = cursor_children(r, c);
	CXCursor of;
	struct c_expr *sum;

	if (cursor_kind(r, c) != CXCursor_VarDecl || d->is_known ||
	    !d->is_const || d->type != C_INT || !all.n ||
	    cursor_kind(r, function) != CXCursor_FunctionDecl)
		return;
	of = all.cursor[all.n - 1];
	if (!r->lib.clang_isExpression(cursor_kind(r, of)) ||
	    !has_unchanged(r, of, function))
		return;
	sum = reader_expr(r, of);
	if (is_sum(sum))
		d->values = sum;
}

/* The place of the name in the declaration "c"; that of the macro that makes up
 * the name; no place, if that is in another file.
 */
static struct span place_of_name(struct reader *r, CXCursor c,
	const char *name)
{
	CXSourceLocation where = r->lib.clang_getCursorLocation(c);
	unsigned at;

	if (!cursor_is_in_main_file(r, c))
		return (struct span) { 0, 0 };
	r->lib.clang_getExpansionLocation(where, NULL, NULL, NULL, &at);
	if (r->lib.clang_Location_isFromMainFile(where))
		at = cursor_offset(r, where);
	return (struct span) { at, at + (unsigned) strlen(name) };
}

static void fill_decl(struct reader *r, struct c_decl *d, CXCursor c)
{
	CXType type = r->lib.clang_getCursorType(c);
	enum CXCursorKind kind = cursor_kind(r, c);
	CXCursor parent = r->lib.clang_getCursorSemanticParent(c);

	d->name = cursor_string(r, r->lib.clang_getCursorSpelling(c));
	d->at = place_of_name(r, c, d->name);
	d->is_global = cursor_kind(r, parent) == CXCursor_TranslationUnit;
	d->is_const = r->lib.clang_isConstQualifiedType(type);
	if (kind == CXCursor_EnumConstantDecl) {
		d->type = C_INT;
		d->value = r->lib.clang_getEnumConstantDeclValue(c);
		d->is_known = true;
		return;
	}
	type = read_dimensions(r, d, type);
	if (kind == CXCursor_ParmDecl && d->n_dims && !d->is_pointer) {
		d->is_decayed = true;
		d->is_restrict = is_restrict_param(r, c);
	}
	d->type = reader_type(r, type);
	d->type_name = cursor_string(r, r->lib.clang_getTypeSpelling(type));
	if (d->n_dims) {
		read_sizes(r, d, c);
		read_values(r, d, c);
	} else if (d->is_const) {
		reader_constant(r, d, c);
		read_sum(r, d, c, parent);
	} else {
		read_unchanged(r, d, c, parent);
	}
}

struct c_decl *reader_member_like(struct reader *r, CXCursor c)
{
	CXType type = r->lib.clang_getCursorType(c);
	struct c_decl *d = region_new_of(r->mem, struct c_decl);

	d->is_const = r->lib.clang_isConstQualifiedType(type);
	type = read_dimensions(r, d, type);
	d->type = reader_type(r, type);
	d->type_name = cursor_string(r, r->lib.clang_getTypeSpelling(type));
	return d;
}

static struct declared **bucket_of(struct reader *r, CXCursor c)
{
	return &r->bucket[r->lib.clang_hashCursor(c) % DECL_BUCKETS];
}

struct c_decl *reader_known_decl(struct reader *r, CXCursor c)
{
	struct declared *found = *bucket_of(r, c);

	while (found && !r->lib.clang_equalCursors(found->cursor, c))
		found = found->next;
	return found ? found->decl : NULL;
}

struct c_decl *reader_decl(struct reader *r, CXCursor c)
{
	struct declared **bucket = bucket_of(r, c), *new;
	struct c_decl *d = reader_known_decl(r, c);

	if (d)
		return d;
	new = region_new_of(r->mem, struct declared);
	new->cursor = c;
	new->decl = region_new_of(r->mem, struct c_decl);
	new->next = *bucket;
	*bucket = new;
	fill_decl(r, new->decl, c);
	return new->decl;
}

#endif
