/* libclang, opened at run time, and a text that it parses. */
#include "frontend/c/clang.h"

#ifdef LIBCLANG_FILE

#include <dlfcn.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1	/* as GCC says it */
#endif
#endif

/* AddressSanitizer refuses RTLD_DEEPBIND. */
#if defined(__SANITIZE_ADDRESS__)
#define DLOPEN_FLAGS (RTLD_NOW | RTLD_LOCAL)
#else
#define DLOPEN_FLAGS (RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND)
#endif

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

bool reader_open(struct reader *r, const char **why)
{
	if (!open_library(&r->lib, why))
		return false;
	r->index = r->lib.clang_createIndex(0, 0);
	return true;
}

void reader_close(struct reader *r)
{
	if (r->unit)
		r->lib.clang_disposeTranslationUnit(r->unit);
	r->lib.clang_disposeIndex(r->index);
}

/* The C compiler supplies headers that libclang lacks.  GCC's say which
 * function frees the memory that another one allocates: libclang knows the
 * attribute without an argument.
 */
static const char *const header_args[] = {
#ifdef CC_HEADERS
	"-idirafter", CC_HEADERS, "-D__malloc__(...)=",
#endif
	NULL
};

bool reader_parse(struct reader *r, const char *language,
	const char *const *args, int n_args)
{
	struct CXUnsavedFile file = {
		.Filename = r->source->name, .Contents = r->source->text,
		.Length = r->source->length,
	};
	const char **all = region_array(r->mem, const char *, n_args + 7);
	int n = 0;

	all[n++] = language;
	all[n++] = "-ferror-limit=20";
	all[n++] = "-Wno-everything";
	for (int i = 0; i < n_args; i++)
		all[n++] = args[i];
	for (int i = 0; header_args[i]; i++)
		all[n++] = header_args[i];
	r->code = r->lib.clang_parseTranslationUnit2(r->index, r->source->name,
		all, n, &file, 1, CXTranslationUnit_DetailedPreprocessingRecord,
		&r->unit);
	return r->code == CXError_Success;
}

bool reader_is_error(struct reader *r, CXDiagnostic message)
{
	return r->lib.clang_getDiagnosticSeverity(message) >=
		CXDiagnostic_Error;
}

int reader_messages(struct reader *r, int limit,
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

#endif
