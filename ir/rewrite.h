/* Statements with other reads and another time. */
#ifndef STENCILC_IR_REWRITE_H
#define STENCILC_IR_REWRITE_H

#include "ir/ir.h"

struct rewrite {
	struct region *mem;
	/* In place of the read "a", or "a" itself. */
	const struct access *(*access)(const struct rewrite *w,
		const struct access *a);
	/* In place of the time "e"; NULL: it stays. */
	const struct expr *(*time)(const struct rewrite *w,
		const struct expr *e);
	const void *user;
};

/* "s", which has no lists, as "w" says. */
struct stmt *stmt_rewrite(const struct rewrite *w, const struct stmt *s);

#endif
