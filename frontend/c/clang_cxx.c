/* Is a C file also C++? */
#include "frontend/c/clang.h"

#ifdef LIBCLANG_FILE

#include <string.h>

/* Report that what is at "where", or at "at" if that is in the file itself, is
 * not C++.
 */
static void warn_not_cxx(struct reader *r, CXSourceLocation where,
	struct span at, const char *why)
{
	static const char fact[] = "nvcc compiles C++, which this is not";
	unsigned line, column;
	CXFile file;

	if (is_in_main_file(r, where)) {
		diag(r->diags, W_C_NOT_CXX, at, "%s: %s", fact, why);
	} else {
		r->lib.clang_getFileLocation(where, &file, &line, &column,
			NULL);
		diag_plain(r->diags, W_C_NOT_CXX, "%s:%u:%u: %s: %s",
			cursor_string(r, r->lib.clang_getFileName(file)),
			line, column, fact, why);
	}
	if (r->host)
		diag_advice(r->diags, "it stays C, in '%s' beside the kernels: "
			"compile and link both, or change it to what both "
			"languages have", r->host);
	else
		diag_advice(r->diags, "keep it in a file of C with "
			"--host=FILE.c, change it to what both languages have, "
			"or compile to C with --target=c");
}

/* An error of the text read as C++: a construct that only C has. */
static void report_cxx(struct reader *r, CXDiagnostic message)
{
	CXSourceLocation where = r->lib.clang_getDiagnosticLocation(message);
	unsigned at = cursor_offset(r, where);

	warn_not_cxx(r, where, (struct span) { at, at }, cursor_string(r,
		r->lib.clang_getDiagnosticSpelling(message)));
}

static bool has_variable_size(struct reader *r, CXType type)
{
	for (;;) {
		type = r->lib.clang_getCanonicalType(type);
		if (type.kind == CXType_VariableArray)
			return true;
		if (type.kind == CXType_Pointer)
			type = r->lib.clang_getPointeeType(type);
		else if (type_is_array(type))
			type = r->lib.clang_getArrayElementType(type);
		else
			return false;
	}
}

/* Does "at" lie in this file or in a header of the user? */
static bool is_ours(struct reader *r, CXSourceLocation at)
{
	CXFile file;

	r->lib.clang_getExpansionLocation(at, &file, NULL, NULL, NULL);
	return file && !r->lib.clang_Location_isInSystemHeader(at);
}

/* An error in such a place as C++. Unlike other compilers, clang takes two
 * types of variable size for different ones.
 */
static bool is_our_error(struct reader *r, CXDiagnostic message)
{
	CXSourceLocation at = r->lib.clang_getDiagnosticLocation(message);

	return reader_is_error(r, message) &&
		is_ours(r, at) &&
		!has_variable_size(r, r->lib.clang_getCursorType(
			r->lib.clang_getCursor(r->unit, at)));
}

/* The arguments without the standard of C, and with the macro of the emitted
 * file.
 */
static const char *const *cxx_args(struct reader *r, const char *const *args,
	int *n_args, const char *restrict_as)
{
	const char **all = region_array(r->mem, const char *, *n_args + 1);
	int n = 0;

	for (int i = 0; i < *n_args; i++)
		if (strncmp(args[i], "-std=", 5))
			all[n++] = args[i];
	all[n++] = region_printf(r->mem, "-Drestrict=%s", restrict_as);
	*n_args = n;
	return all;
}

/* clang accepts parameters of variable size in C++; other compilers do not. */
static enum CXChildVisitResult find_variable_parameter(CXCursor c,
	CXCursor parent, CXClientData data)
{
	struct reader *r = data;
	CXSourceLocation where = r->lib.clang_getCursorLocation(c);

	(void) parent;
	if (!is_ours(r, where))
		return CXChildVisit_Continue;
	if (cursor_kind(r, c) == CXCursor_FunctionDecl)
		return CXChildVisit_Recurse;
	if (cursor_kind(r, c) != CXCursor_ParmDecl ||
	    !has_variable_size(r, r->lib.clang_getCursorType(c)))
		return CXChildVisit_Continue;
	warn_not_cxx(r, where, cursor_span(r, c), "an array parameter whose size is a "
		"variable");
	return CXChildVisit_Break;
}

bool clang_check_cxx(struct region *mem, struct diags *d,
	const struct source *src, const char *const *args, int n_args,
	const char *restrict_as, const char *host)
{
	struct reader r = {
		.mem = mem, .diags = d, .source = src, .host = host,
	};
	bool is_cxx = true;
	const char *why;

	if (!reader_open(&r, &why))
		return true;
	args = cxx_args(&r, args, &n_args, restrict_as);
	if (reader_parse(&r, "-xc++", args, n_args))
		is_cxx = !r.lib.clang_visitChildren(
			r.lib.clang_getTranslationUnitCursor(r.unit),
			find_variable_parameter, &r) &&
			!reader_messages(&r, 1, is_our_error, report_cxx);
	reader_close(&r);
	return is_cxx;
}

#endif
