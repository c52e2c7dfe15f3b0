/* What the files clang*.c share, the only ones that know libclang: they turn
 * its cursors into the tree of ctree.h.
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
	} *called;		/* functions that calls refer to */
	struct c_file *file;
	const char *host;		/* see clang_check_cxx */
	struct c_macro **macros;	/* link for the next one */
	struct included {
		CXFile file;
		struct span line;
		struct included *next;
	} *included;		/* files, and the lines that include them */
	struct effects {		/* p++ and the like in the statement at hand, as .. */
		struct c_stmt *before, *behind;	/* .. statements */
	} *effects;			/* NULL: they have no place there */
};

/* clang_unit.c: the library, and a text that it parses --------------------*/

/* False, with the reason in "why", if there is no library. */
bool reader_open(struct reader *r, const char **why);
void reader_close(struct reader *r);
/* Parse the text as "language", -xc or -xc++, with "args". */
bool reader_parse(struct reader *r, const char *language,
	const char *const *args, int n_args);
bool reader_is_error(struct reader *r, CXDiagnostic message);
/* Pass the messages that "is_meant" accepts to "say", at most "limit"; returns
 * how many there were.
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

/* A copy of "s", which this frees. */
char *cursor_string(struct reader *r, CXString s);
/* Of what another file has: that of the line of the main file which includes it, one in a region before others. */
unsigned cursor_offset(struct reader *r, CXSourceLocation at);
/* Does "at", or the macro that expands to it, lie in the file itself? */
bool is_in_main_file(struct reader *r, CXSourceLocation at);
bool cursor_is_in_main_file(struct reader *r, CXCursor c);
/* The place of "c"; for the expansion of a macro, the place of the macro. */
struct span cursor_span(struct reader *r, CXCursor c);
/* Does a line there include the file that has "c"? */
bool is_included_between(struct reader *r, CXCursor c, unsigned from, unsigned to);
void children_add(struct children *children, CXCursor c);
struct children cursor_children(struct reader *r, CXCursor c);
/* The expressions among the children, without types and labels. */
struct children cursor_operands(struct reader *r, CXCursor c);

/* clang_decl.c: types and declarations ------------------------------------*/

static inline bool type_is_array(CXType type)
{
	return type.kind == CXType_ConstantArray ||
		type.kind == CXType_VariableArray ||
		type.kind == CXType_IncompleteArray;
}

enum c_type reader_type(struct reader *r, CXType type);
/* Does "function" have a parameter like "A[restrict n]"? */
bool reader_has_restrict_arrays(struct reader *r, CXCursor function);
/* A variable of the type of the member "c". */
struct c_decl *reader_member_like(struct reader *r, CXCursor c);
/* The value of a constant. */
void reader_constant(struct reader *r, struct c_decl *d, CXCursor c);
struct c_decl *reader_decl(struct reader *r, CXCursor c);
/* NULL: nothing has used it. */
struct c_decl *reader_known_decl(struct reader *r, CXCursor c);

/* clang_expr.c ------------------------------------------------------------*/

struct c_expr *reader_expr(struct reader *r, CXCursor c);
/* clang_call.c: the function that "c" calls; NULL: its body is not visible. */
struct c_function *reader_function(struct reader *r, CXCursor c);
/* ({ .. }), a statement expression */
struct c_function *reader_block(struct reader *r, CXCursor c);

/* C_OP_NONE: the tree lacks the operator. */
int reader_binary_op(enum CXBinaryOperatorKind kind);

/* clang_live.c: what of "function", behind the "region" in it, uses variables */
void reader_uses_behind(struct reader *r, CXCursor function, struct c_region *region);

/* clang_stmt.c ------------------------------------------------------------*/

/* p++ or ++p as a statement */
struct c_stmt *reader_increment(struct reader *r, CXCursor c);
/* The statements "all", with declarations split up. */
struct c_stmt *reader_list(struct reader *r, const struct children *all);

/* clang_while.c -----------------------------------------------------------*/

/* Does "step", ++i or i += 2 or i = i + 2, advance the counter of "loop" towards its end? */
bool reader_loop_step(const struct c_stmt *step, struct c_stmt *loop);
/* The end of a loop whose counter is known, and other conditions beside it; false: nothing bounds the counter. */
bool reader_loop_ends(struct reader *r, struct c_expr *end,
	struct c_stmt *loop);
/* Is "end" a comparison of a real variable, as t < end? */
bool reader_compares_real(const struct c_expr *end);
/* "loop" as one that counts the iterations of "body" for which "end" holds: see carried.h. */
void reader_count(struct reader *r, struct c_stmt *loop, struct c_expr *end, struct c_stmt *body);
/* The new node "loop" for 'while (end) body' or 'do body while (end)'. */
struct c_stmt *reader_while(struct reader *r, struct c_stmt *loop,
	struct c_expr *end, struct c_stmt *body, bool is_do);

#endif

#endif
