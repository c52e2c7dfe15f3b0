/* Values of cells as values of vectors, which columns and rows of them have in
 * common.
 */
#ifndef STENCILC_CODEGEN_VECTORS_H
#define STENCILC_CODEGEN_VECTORS_H

#include "codegen/hex/hex.h"

enum { MOST_VECTOR_NODES = 1024 };	/* of a value */

/* vector_values.c --------------------------------------------------- */

/* x = from + *offset? */
bool vector_is_shifted(const struct kx *x, const struct kx *from, int *offset);
/* Does "value" use a coordinate of the point, or read what depends on it? */
bool vector_varies(const struct cpu_hex *x, const struct kx *value);
/* Is it a sum, difference, product, quotient or negation? */
bool vector_is_arithmetic(const struct kx *value);
/* Is it the cell at the names of all dimensions, none of them a number? */
bool vector_is_at_point(const struct cpu_hex *x, const struct kx *cell);
/* Nodes of a value; more than MOST_VECTOR_NODES if there are as many. */
int vector_nodes(const struct kx *value);
/* "value" where the coordinate "name" is "at" + "by". */
const struct kx *vector_moved(struct region *r, const struct kx *value,
	const char *name, const struct kx *at, int64_t by);
/* Vectors of what the statement at hand writes. */
struct ctype vector_type_of(const struct cpu_hex *x);
/* A number that all lanes share, of the type of the vectors. */
const struct kx *vector_number(const struct cpu_hex *x,
	const struct kx *value);
/* sizeof(vector) / sizeof(cell) */
const struct kx *vector_lanes(const struct cpu_hex *x);
/* { declarations; assignment } as one assignment, what is declared in the places
 * where it is used; NULL if it is something else, or becomes too long.
 */
const struct ks *vector_assignment(struct region *r, const struct ks *s);

#endif
