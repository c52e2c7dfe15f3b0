/* What the files clang*.c share, the only ones that know libclang: from its
 * cursors to the tree of ctree.h.
 */
#ifndef STENCILC_CFRONT_CLANG_H
#define STENCILC_CFRONT_CLANG_H

#include "frontend/c/ctree.h"

#ifdef LIBCLANG_FILE

#include "frontend/c/libclang.h"

enum { DECL_BUCKETS = 256 };

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
	struct called {
		CXCursor cursor;
		struct c_function *function;
		struct called *next;
	} *called;		/* functions that calls mean */
	struct c_file *file;
	struct c_macro **macros;	/* where the next one goes */
};

/* clang_unit.c: the library, and a text that it parses --------------------*/

/* False, and why in "why", if there is no library. */
bool reader_open(struct reader *r, const char **why);
void reader_close(struct reader *r);
/* Parse the text as "language", -xc or -xc++, with "args". */
bool reader_parse(struct reader *r, const char *language,
	const char *const *args, int n_args);
bool reader_is_error(struct reader *r, CXDiagnostic message);
/* Hand the messages that "is_meant" takes to "say", "limit" of them at most;
 * how many those were.
 */
int reader_messages(struct reader *r, int limit,
	bool (*is_meant)(struct reader *r, CXDiagnostic message),
	void (*say)(struct reader *r, CXDiagnostic message));

/* clang_cursor.c: text, place and children of a cursor --------------------*/

struct children {
	int n, room;
	CXCursor *cursor;
	struct region *mem;
};

static inline enum CXCursorKind cursor_kind(struct reader *r, CXCursor c)
{
	return r->lib.clang_getCursorKind(c);
}

/* A copy of "s", which is disposed of. */
char *cursor_string(struct reader *r, CXString s);
unsigned cursor_offset(struct reader *r, CXSourceLocation at);
/* Is "at", or the macro that expands to what is there, in the file itself? */
bool is_in_main_file(struct reader *r, CXSourceLocation at);
bool cursor_is_in_main_file(struct reader *r, CXCursor c);
/* Where "c" stands; for what a macro expands to, where the macro does. */
struct span cursor_span(struct reader *r, CXCursor c);
void children_add(struct children *children, CXCursor c);
struct children cursor_children(struct reader *r, CXCursor c);
/* The expressions among the children, types and labels apart. */
struct children cursor_operands(struct reader *r, CXCursor c);

/* clang_decl.c: types and declarations ------------------------------------*/

static inline bool type_is_array(CXType type)
{
	return type.kind == CXType_ConstantArray ||
		type.kind == CXType_VariableArray ||
		type.kind == CXType_IncompleteArray;
}

enum c_type reader_type(struct reader *r, CXType type);
/* Has "function" a parameter like "A[restrict n]"? */
bool reader_has_restrict_arrays(struct reader *r, CXCursor function);
/* A variable of the type of the member "c". */
struct c_decl *reader_member_like(struct reader *r, CXCursor c);
/* The value of a constant. */
void reader_constant(struct reader *r, struct c_decl *d, CXCursor c);
struct c_decl *reader_decl(struct reader *r, CXCursor c);
/* NULL: nothing has asked for it. */
struct c_decl *reader_known_decl(struct reader *r, CXCursor c);

/* clang_expr.c ------------------------------------------------------------*/

struct c_expr *reader_expr(struct reader *r, CXCursor c);
/* clang_call.c: what the call "c" calls; NULL: its body is not to be seen. */
struct c_function *reader_function(struct reader *r, CXCursor c);
/* ({ .. }), called without arguments */
struct c_function *reader_block(struct reader *r, CXCursor c);

/* C_OP_NONE: the tree has no such operator. */
int reader_binary_op(enum CXBinaryOperatorKind kind);

/* clang_stmt.c ------------------------------------------------------------*/

/* The statements "all", those of a declaration apart. */
struct c_stmt *reader_list(struct reader *r, const struct children *all);

#endif

#endif
