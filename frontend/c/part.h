/* Fields that are a part of each element of an array: f[i][j][0] beside f[i][j][1]. */
#ifndef STENCILC_PART_H
#define STENCILC_PART_H

#include "frontend/c/stencil.h"

/* What the element "e" of the array "decl" is of the elements around it. */
struct c_part element_part(const struct stencil *s, const struct c_expr *e,
	const struct c_decl *decl);
/* Is "decl" read only, always with a first subscript that is a number, which says
 * which of several arrays is meant, as in c[0][i] beside c[1][i]?
 */
bool has_rows_apart(const struct stencil *s, const struct c_decl *decl);
/* Is "f" a part of what a field before is a part of? */
bool is_further_part(const struct stencil *s, const struct c_field *f);
/* Is "f", or another part of what it is a part of, written? */
bool is_partly_written(const struct stencil *s, const struct c_field *f);
/* Behind an element of the array: the part. */
void print_part(struct text *t, const struct c_field *f);
/* How a function is given the array that "f" is a part of. */
const char *name_of_whole(const struct stencil *s, const struct c_field *f);
/* In the function: arrays of the parts, and back; "if one of them is missing" as the begin of a
 * condition.
 */
void print_parts(struct text *t, const struct stencil *s);
void print_parts_missing(struct text *t, const struct stencil *s);
void print_parts_back(struct text *t, const struct stencil *s);

#endif
