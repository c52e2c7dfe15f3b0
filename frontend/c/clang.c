/* The regions of a C file, and the rest of the file as far as it matters to
 * them.
 */
#include "frontend/c/clang.h"

#ifndef LIBCLANG_FILE

bool clang_read(struct region *mem, struct diags *d, const struct source *src,
	const char *const *args, int n_args, struct c_region *regions,
	struct c_file *file)
{
	(void) mem, (void) src, (void) args, (void) n_args, (void) regions;
	(void) file;
	diag_plain(d, E_LIBCLANG, "C programs cannot be read: this stencilc "
		"was built without libclang");
	return false;
}

void clang_check_cxx(struct region *mem, struct diags *d,
	const struct source *src, const char *const *args, int n_args,
	const char *restrict_as)
{
	(void) mem, (void) d, (void) src, (void) args, (void) n_args;
	(void) restrict_as;
}

#else

#include <limits.h>
#include <string.h>

static void report(struct reader *r, CXDiagnostic message)
{
	CXSourceLocation at = r->lib.clang_getDiagnosticLocation(message);
	char *text = cursor_string(r,
		r->lib.clang_getDiagnosticSpelling(message));
	unsigned line, column, offset;
	const char *name;
	CXFile file;

	if (is_in_main_file(r, at)) {
		offset = cursor_offset(r, at);
		diag(r->diags, E_C_SYNTAX, (struct span) { offset, offset },
			"%s", text);
		return;
	}
	r->lib.clang_getFileLocation(at, &file, &line, &column, NULL);
	name = file ? cursor_string(r, r->lib.clang_getFileName(file)) : NULL;
	if (name)
		diag_plain(r->diags, E_C_SYNTAX, "%s:%u:%u: %s", name, line,
			column, text);
	else
		diag_plain(r->diags, E_C_SYNTAX, "%s", text);
}

static bool is_loop(enum CXCursorKind kind)
{
	return kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt ||
		kind == CXCursor_DoStmt;
}

/* Does an included file that has the statement "i" of "all" stand in "region"?  Its neighbours say between what it is
 * included.
 */
static bool is_included_in(struct reader *r, const struct children *all, int i, const struct c_region *region)
{
	const struct span *inside = &region->inside;
	unsigned from = 0, to = r->source->length;
	bool within;

	for (int k = 0; k < all->n; k++) {
		struct span at;

		if (!cursor_is_in_main_file(r, all->cursor[k]))
			continue;
		at = cursor_span(r, all->cursor[k]);
		if (k < i)
			from = at.end;
		else if (at.start < to)
			to = at.start;
	}
	within = is_included_between(r, all->cursor[i], (unsigned) larger(from, inside->start),
		(unsigned) smaller(to, inside->end));
	if (within && (is_included_between(r, all->cursor[i], from, (unsigned) smaller(to, inside->start)) ||
	    is_included_between(r, all->cursor[i], (unsigned) larger(from, inside->end), to))) {
		diag(r->diags, E_C_REGION, region->pragma, "a file is included before or behind this line and in the "
			"region: which of its statements are meant cannot be told");
		diag_advice(r->diags, "put a statement of this file between them, as ';'");
	}
	return within;
}

/* Find the statements of "region" in "c", which contains it. */
static bool read_region(struct reader *r, CXCursor c, struct c_region *region)
{
	struct children all = cursor_children(r, c);
	struct children inside = { .mem = r->mem };

	for (int i = 0; i < all.n; i++) {
		struct span at = cursor_span(r, all.cursor[i]);
		bool is_here = cursor_is_in_main_file(r, all.cursor[i]);

		if (is_here ? span_contains(region->inside, at) : is_included_in(r, &all, i, region)) {
			children_add(&inside, all.cursor[i]);
		} else if (span_contains(at, region->at)) {
			if (is_loop(cursor_kind(r, all.cursor[i])))
				region->is_looped = true;
			return read_region(r, all.cursor[i], region);
		}
	}
	region->body = reader_list(r, &inside);
	return inside.n > 0;
}

static enum CXChildVisitResult read_macro(struct reader *r, CXCursor c)
{
	CXSourceLocation at = r->lib.clang_getCursorLocation(c);
	CXFile file;

	r->lib.clang_getFileLocation(at, &file, NULL, NULL, NULL);
	if (!file || r->lib.clang_Location_isInSystemHeader(at))
		return CXChildVisit_Continue;
	*r->macros = region_new_of(r->mem, struct c_macro);
	(*r->macros)->name = cursor_string(r,
		r->lib.clang_getCursorSpelling(c));
	r->macros = &(*r->macros)->next;
	return CXChildVisit_Continue;
}

static enum CXChildVisitResult read_function(CXCursor c, CXCursor parent,
	CXClientData data)
{
	struct reader *r = data;
	struct c_region *region = r->regions;
	struct span at;

	(void) parent;
	if (cursor_kind(r, c) == CXCursor_MacroDefinition)
		return read_macro(r, c);
	if (cursor_kind(r, c) != CXCursor_FunctionDecl)
		return CXChildVisit_Continue;
	if (!r->lib.clang_Location_isInSystemHeader(
	    r->lib.clang_getCursorLocation(c)))
		r->file->has_restrict_arrays |=
			reader_has_restrict_arrays(r, c);
	if (!cursor_is_in_main_file(r, c))
		return CXChildVisit_Continue;
	at = cursor_span(r, c);
	for (; region; region = region->next) {
		if (!span_contains(at, region->at))
			continue;
		region->function = cursor_string(r,
			r->lib.clang_getCursorSpelling(c));
		read_region(r, c, region);
	}
	for (region = r->regions; region; region = region->next)
		if (span_contains(at, region->at))
			reader_uses_behind(r, c, region);
	return CXChildVisit_Continue;
}

/* The macros that -DNAME and -D NAME=VALUE define. */
static void read_given(struct reader *r, const char *const *args, int n_args)
{
	for (int i = 0; i < n_args; i++) {
		const char *name = args[i] + 2;
		struct c_macro *m;

		if (strncmp(args[i], "-D", 2) != 0)
			continue;
		if (!*name && i + 1 < n_args)
			name = args[++i];
		m = region_new_of(r->mem, struct c_macro);
		m->name = region_strndup(r->mem, name, strcspn(name, "=("));
		m->next = r->file->given;
		r->file->given = m;
	}
}

bool clang_read(struct region *mem, struct diags *d, const struct source *src,
	const char *const *args, int n_args, struct c_region *regions,
	struct c_file *file)
{
	struct reader r = {
		.mem = mem, .diags = d, .source = src, .regions = regions,
		.file = file, .macros = &file->macros,
	};
	const char *why;
	bool done = false;

	if (!reader_open(&r, &why)) {
		diag_plain(d, E_LIBCLANG, "C programs cannot be read: %s",
			why);
		return false;
	}
	read_given(&r, args, n_args);
	if (reader_parse(&r, "-xc", args, n_args)) {
		done = !reader_messages(&r, INT_MAX, reader_is_error, report);
		if (done)
			r.lib.clang_visitChildren(
				r.lib.clang_getTranslationUnitCursor(r.unit),
				read_function, &r);
	} else {
		diag_plain(d, E_C_SYNTAX, "%s: libclang could not read it "
			"(code %d)", src->name, (int) r.code);
	}
	reader_close(&r);
	return done;
}

#endif
