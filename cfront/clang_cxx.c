/* Is a C file C++, too? */
#include "cfront/clang.h"

#ifdef LIBCLANG_FILE

#include <string.h>

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
	unsigned at = cursor_offset(r,
		r->lib.clang_getDiagnosticLocation(message));

	warn_not_cxx(r, (struct span) { at, at }, cursor_string(r,
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

/* An error in this file as C++.  clang holds two types of variable size for
 * different where other compilers do not.
 */
static bool is_error_here(struct reader *r, CXDiagnostic message)
{
	CXSourceLocation at = r->lib.clang_getDiagnosticLocation(message);

	return reader_is_error(r, message) &&
		r->lib.clang_Location_isFromMainFile(at) &&
		!has_variable_size(r, r->lib.clang_getCursorType(
			r->lib.clang_getCursor(r->unit, at)));
}

/* The arguments without the standard of C, and with the macro that the
 * emitted file has.
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

/* clang takes parameters of variable size for C++; other compilers do not. */
static enum CXChildVisitResult find_variable_parameter(CXCursor c,
	CXCursor parent, CXClientData data)
{
	struct reader *r = data;

	(void) parent;
	if (!cursor_is_in_main_file(r, c))
		return CXChildVisit_Continue;
	if (cursor_kind(r, c) == CXCursor_FunctionDecl)
		return CXChildVisit_Recurse;
	if (cursor_kind(r, c) != CXCursor_ParmDecl ||
	    !has_variable_size(r, r->lib.clang_getCursorType(c)))
		return CXChildVisit_Continue;
	warn_not_cxx(r, cursor_span(r, c), "an array parameter whose size is a "
		"variable");
	return CXChildVisit_Break;
}

void clang_check_cxx(struct region *mem, struct diags *d,
	const struct source *src, const char *const *args, int n_args,
	const char *restrict_as)
{
	struct reader r = { .mem = mem, .diags = d, .source = src };
	const char *why;

	if (!reader_open(&r, &why))
		return;
	args = cxx_args(&r, args, &n_args, restrict_as);
	if (reader_parse(&r, "-xc++", args, n_args) &&
	    !r.lib.clang_visitChildren(
	    r.lib.clang_getTranslationUnitCursor(r.unit),
	    find_variable_parameter, &r))
		reader_messages(&r, 1, is_error_here, report_cxx);
	reader_close(&r);
}

#endif
