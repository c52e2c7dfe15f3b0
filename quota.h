/* What a compile may take, and what is said when it takes more. */
#ifndef STENCILC_QUOTA_H
#define STENCILC_QUOTA_H

#include <isl/ctx.h>

#include "base/base.h"

/* Arithmetic on sets that no program needs: the examples need up to
 * 4 million operations with --verify, which take two seconds.
 */
#define QUOTA_MAX_OPERATIONS 30000000

/* A context for sets that fails after "max" operations (0: never).  From its
 * first failure on, of whatever kind, "d" drops messages: they would rest on
 * sets that are not there.
 */
isl_ctx *quota_begin(struct diags *d, unsigned long max);
/* Has something failed? */
bool quota_failed(const isl_ctx *ctx);
/* Say what has failed.  Is the program, rather than the compiler, too large? */
bool quota_report(struct diags *d, isl_ctx *ctx);

#endif
