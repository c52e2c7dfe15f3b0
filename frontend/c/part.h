/* Fields that are a part of each element of an array: f[i][j][0] beside f[i][j][1]. */
#ifndef STENCILC_PART_H
#define STENCILC_PART_H

#include "frontend/c/stencil.h"

/* ctree.c: is "e", as the text has it, an integer that is a literal or a constant? */
bool is_literal(const struct c_expr *e, int64_t *value);
/* Which part of its array's records the element "e" of "decl" is. */
struct c_part element_part(struct stencil *s, const struct c_expr *e,
	const struct c_decl *decl);
/* Has "decl" always a constant first subscript, which selects one of several arrays, as in c[0][i] beside
 * c[1][i]?  Of pointers that change places all must.
 */
bool has_rows_apart(const struct stencil *s, const struct c_decl *decl);
/* Are "f" and "g" parts of the elements of one array? */
bool share_array(const struct c_field *f, const struct c_field *g);
/* Is "f" a part of the same array as an earlier field? */
bool is_further_part(const struct stencil *s, const struct c_field *f);
/* Does something write "f", or another part of the same array? */
bool is_partly_written(const struct stencil *s, const struct c_field *f);
/* The dimensions of the array "d"; of one in a struct that is an element, those of the array around it. */
int array_dims(const struct c_decl *d);
/* Of a part that a subscript names, this subscript. */
int number_of_part(const struct c_field *f);
/* Print the part, behind an element of the array. */
void print_part(struct text *t, const struct c_field *f);
/* The function's parameter for the array that "f" is a part of. */
const char *name_of_whole(const struct stencil *s, const struct c_field *f);
/* In the function: arrays for the parts, and copies back; "if one of them is missing" as the
 * beginning of a condition.
 */
void print_parts(struct text *t, const struct stencil *s);
void print_parts_missing(struct text *t, const struct stencil *s);
void print_parts_back(struct text *t, const struct stencil *s);
/* The same without copies, where the loops run instead. */
void print_parts_freed(struct text *t, const struct stencil *s);

#endif
