/* libclang brings libLLVM along, and that exports another isl.  Once it is
 * loaded our calls must still reach the library that we were linked with, and
 * what runs in between must not have mixed them (TAP).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include <isl/ctx.h>
#include <isl/set.h>
#include <isl/version.h>

#include "frontend/c/cfront.h"

static const char program[] =
	"static double a[50], b[50];\n"
	"void f(int steps)\n"
	"{\n"
	"#pragma scop\n"
	"	for (int t = 0; t < steps; t++) {\n"
	"		for (int i = 1; i < 49; i++)\n"
	"			b[i] = a[i-1] + a[i+1];\n"
	"		for (int i = 1; i < 49; i++)\n"
	"			a[i] = b[i];\n"
	"	}\n"
	"#pragma endscop\n"
	"}\n";

static int n_tests, n_failed;

static void check(bool passed, const char *name)
{
	printf("%sok %d - %s\n", passed ? "" : "not ", ++n_tests, name);
	n_failed += !passed;
}

static const char *file_of(void *function)
{
	Dl_info info;

	return dladdr(function, &info) && info.dli_fname ? info.dli_fname :
		"";
}

/* The library whose name has "part", among those loaded. */
struct search {
	const char *part;
	char path[4096];
};

static int look(struct dl_phdr_info *info, size_t size, void *user)
{
	struct search *s = user;

	(void) size;
	if (!strstr(info->dlpi_name, s->part))
		return 0;
	snprintf(s->path, sizeof(s->path), "%s", info->dlpi_name);
	return 1;
}

static bool read_program(isl_ctx *ctx)
{
	struct region *mem = region_new();
	struct diags d;
	bool done;

	diags_init(&d, stdout);
	done = cfront_read(mem, ctx, &d, source_of_text(mem, "program.c",
		program), NULL, 0, false, false) != NULL;
	region_free(mem);
	return done;
}

int main(void)
{
	struct search llvm = { .part = "libLLVM" };
	isl_ctx *ctx = isl_ctx_alloc();
	const char *ours = file_of((void *) isl_ctx_alloc);
	void *other, *theirs = NULL;

#ifndef LIBCLANG_FILE
	isl_ctx_free(ctx);
	printf("1..0 # SKIP no libclang\n");
	return 0;
#endif
	check(strstr(ours, "libisl"), "isl comes from libisl");
	check(read_program(ctx), "a C program is read");
	check(dl_iterate_phdr(look, &llvm), "libLLVM is loaded");
	other = dlopen(llvm.path, RTLD_LAZY | RTLD_NOLOAD);
	if (other)
		theirs = dlsym(other, "isl_set_intersect");
	if (theirs && theirs != (void *) isl_set_intersect)
		printf("# there is another isl in %s\n", llvm.path);
	check(!dlsym(RTLD_DEFAULT, "clang_createIndex"),
		"libclang's symbols are not ours");
	check((void *) isl_set_intersect == dlsym(RTLD_DEFAULT,
		"isl_set_intersect"), "there is one isl in our scope");
	check(!strcmp(file_of((void *) isl_set_intersect), ours) &&
		!strcmp(file_of(dlsym(RTLD_DEFAULT, "isl_map_lex_lt_map")),
		ours), "calls after that reach libisl");
	check(isl_version() && *isl_version(), "it tells its version");
	printf("# %s\n", isl_version());
	isl_ctx_free(ctx);
	printf("1..%d\n", n_tests);
	return n_failed != 0;
}
