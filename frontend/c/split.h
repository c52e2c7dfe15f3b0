/* Linear arrays, A[i*M + j], as rows. */
#ifndef STENCILC_SPLIT_H
#define STENCILC_SPLIT_H

#include "frontend/c/stencil.h"

/* poly.c: p = quotient * divisor + rest, no term of the rest being divisible; false if that becomes too large. */
bool poly_divide(const struct poly *p, const struct poly *divisor,
	struct poly *quotient, struct poly *rest);
/* The factor of "symbol" in "p"; the rest, which may be "p", has no such term. */
void poly_factor(const struct poly *p, const struct c_decl *symbol,
	struct poly *factor, struct poly *rest);
/* The product of symbols "a" divided by "b"; false if a symbol is missing. */
bool poly_divide_symbols(const struct poly_term *a,
	const struct poly_term *b, struct poly_term *quotient);
/* The term of the highest degree, among these that of the first symbols; NULL: "p" is 0. */
const struct poly_term *poly_leading(const struct poly *p);
/* The greatest number that divides "p"; and the quotient, whose leading coefficient is positive. */
int64_t poly_number(const struct poly *p);
struct poly poly_without_number(const struct poly *p);

/* quotient.c: the call passes quotients in "p". */
void note_quotients(struct stencil *s, const struct poly *p);

/* split.c */
/* Find the rows of "f", if it is a linear array, and rewrite its accesses, one subscript for each
 * dimension; false after a diagnostic.
 */
bool split_field(struct stencil *s, struct c_field *f);
/* grids.c: replace "f", if it is such an array of grids that numbers name, by fields for these. */
void set_grids_apart(struct stencil *s, struct c_field *f);
/* The same if its elements have parts that numbers name. */
void set_parts_apart(struct stencil *s, struct c_field *f);
/* Do all writes in "body" count the "n" parts of elements by "part", as f[9*i + q]? */
bool counts_parts(const struct c_stmt *body, const struct c_decl *part, int64_t n);
/* split.c: is "e", a subscript in a list, a place, made of ints that arrays have, as si[p] and si[p] * m + sj[p]?  Until
 * the field is split variables stand for these in "sum".
 */
bool listed_place(struct stencil *s, struct c_expr *e, struct poly *sum);
/* Is "e", a linear subscript that is read, a sum with parts that turn back, (i + 1) % n * m + j? */
bool turns_back(struct stencil *s, struct c_expr *e, struct poly *sum);

#endif
