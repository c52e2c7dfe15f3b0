/* Polynomials in the variables of a region: sums of coefficient * product of symbols. */
#ifndef STENCILC_POLY_H
#define STENCILC_POLY_H

#include "frontend/c/ctree.h"

enum { POLY_TERMS = 16, POLY_DEGREE = 4 };

struct poly {
	int n;
	struct poly_term {
		int64_t coefficient;
		int degree;
		const struct c_decl *symbol[POLY_DEGREE];	/* sorted */
	} term[POLY_TERMS];
};

struct poly poly_constant(int64_t value);
struct poly poly_symbol(const struct c_decl *symbol);
/* False if it becomes too large. */
bool poly_add(struct poly *p, const struct poly *q, int64_t factor);
bool poly_multiply(struct poly *p, const struct poly *q);
bool poly_is_constant(const struct poly *p, int64_t *value);
bool poly_equal(const struct poly *p, const struct poly *q);
/* The coefficient of "symbol" alone; "rest" gets the terms without it.  False
 * if it occurs in another way.
 */
bool poly_split(const struct poly *p, const struct c_decl *symbol,
	int64_t *coefficient, struct poly *rest);
/* "p" with "value" in place of "symbol". */
bool poly_substitute(struct poly *p, const struct c_decl *symbol,
	const struct poly *value);
bool poly_uses(const struct poly *p, const struct c_decl *symbol);
/* With C's names. */
void poly_print(struct text *t, const struct poly *p);
/* " * n" or, of a sum, " * (n - 2)" */
void poly_print_factor(struct text *t, const struct poly *p);
/* A term, with a sign unless it is the "first": symbols are named by "name", with "times"
 * between factors.
 */
void poly_print_term(struct text *t, const struct poly_term *term,
	bool first, const char *times, const char *(*name)(const void *user,
		const struct c_decl *symbol), const void *user);

#endif
