/* cfront: from C files to programs.  Regions between #pragma scop and #pragma
 * endscop become trees of the .stn language; the file is printed with calls in
 * their place.
 */
#ifndef STENCILC_CFRONT_H
#define STENCILC_CFRONT_H

#include <isl/ctx.h>

#include "base/base.h"
#include "frontend/frontend.h"

struct stencil;

/* A region and its program. */
struct c_program {
	const struct ast *ast;		/* in .stn, with places in the C file */
	const struct stencil *stencil;	/* what was recognised */
	const char *code;		/* set by the caller: defines it; .. */
	double shares;			/* .. what its statements compute one by
					 * one, as a multiple of what it does */
	struct c_program *next;
};

/* The programs of "src", in order; NULL after an error.  Makes "src" the text
 * that places of "d" point into, each of which may stand for several of the
 * program: "d" says once what is wrong there.  "args" are options of
 * a C compiler; "no_alias" asserts that no two pointers point into one array; calls run
 * "on_device", which has memory of its own.
 */
struct c_program *cfront_read(struct region *mem, isl_ctx *isl,
	struct diags *d, const struct source *src, const char *const *args,
	int n_args, bool no_alias, bool on_device);
/* Is "src", which holds "programs", C++, which compilers of CUDA take it for?  Warns of the first
 * place that is not; what surrounds the regions goes to the file "host" then, if any.
 */
bool cfront_check_cxx(struct region *mem, struct diags *d,
	const struct source *src, const struct c_program *programs,
	const char *const *args, int n_args, const char *host);
/* Print the file with a call in place of each region, and declarations before
 * it; the functions and the code of the programs follow at its end.
 */
void cfront_print(struct text *t, const struct source *src,
	const struct c_program *programs);
/* The same in two files: the one with the calls, which stays C, and the one with the functions
 * and the code.
 */
void cfront_print_host(struct text *t, const struct source *src,
	const struct c_program *programs);
void cfront_print_apart(struct text *t, const struct source *src,
	const struct c_program *programs);
#endif
