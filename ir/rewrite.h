/* Statements with other reads and another time. */
#ifndef STENCILC_IR_REWRITE_H
#define STENCILC_IR_REWRITE_H

#include "ir/ir.h"

struct rewrite {
	struct region *mem;
	/* Replaces the read "a"; may return "a" itself. */
	const struct access *(*access)(const struct rewrite *w,
		const struct access *a);
	/* Replaces the time "e"; NULL: it stays. */
	const struct expr *(*time)(const struct rewrite *w,
		const struct expr *e);
	const void *user;
};

/* "s", which has no lists, rewritten by "w". */
struct stmt *stmt_rewrite(const struct rewrite *w, const struct stmt *s);

#endif
