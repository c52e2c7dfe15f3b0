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
	/* The let that replaces "l", whose value has become "value", or NULL
	 * for a copy; NULL: copies of all.
	 */
	const struct local *(*same)(const struct rewrite *w,
		const struct local *l, const struct expr *value);
	/* What a copy is called; NULL: as before. */
	const char *(*name)(const struct rewrite *w, const char *name);
	struct local **last;		/* the last copy; or NULL */
	const void *user;
};

/* Do both read, or write, one cell of one step? */
bool access_same_cell(const struct access *a, const struct access *b);

/* Are both the same operations on values of the same cells?  Of elements each has one value by itself. */
bool expr_same_value(const struct expr *a, const struct expr *b);

/* "s", which has no lists, rewritten by "w". */
struct stmt *stmt_rewrite(const struct rewrite *w, const struct stmt *s);

#endif
