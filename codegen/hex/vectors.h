/* Cell values as vector values: what columns and rows of vectors share. */
#ifndef STENCILC_CODEGEN_VECTORS_H
#define STENCILC_CODEGEN_VECTORS_H

#include "codegen/hex/hex.h"

enum { MOST_VECTOR_NODES = 1024 };	/* of a value */

/* From there on the remainder of a root is a number, and not too small a one. */
#define LEAST_OF_ROOT_OF_FLOATS 0x1p-100
#define LEAST_OF_ROOT_OF_DOUBLES 0x1p-900

/* The sums of a loop's body so far that units which only add compute, and its products and sums of
 * those that multiply, too.  Values with roots, whose steps are products, have no fused sums.
 */
struct vector_units {
	int sums, products;
	bool fused;		/* is there a fused sum? */
};

/* vector_values.c --------------------------------------------------- */

/* x = from + *offset? */
bool vector_is_shifted(const struct kx *x, const struct kx *from, int *offset);
/* Does "value" use a coordinate of the point, or read a cell whose place
 * depends on it?
 */
bool vector_varies(const struct cpu_hex *x, const struct kx *value);
/* Is it a sum, difference, product, quotient, negation or square root? */
bool vector_is_arithmetic(const struct kx *value);
/* Is it the cell at the names of all dimensions, without numbers? */
bool vector_is_at_point(const struct cpu_hex *x, const struct kx *cell);
/* Counts the nodes of a value; more than MOST_VECTOR_NODES if it has as many. */
int vector_nodes(const struct kx *value);
/* "value" with "at" + "by" for the coordinate "name". */
const struct kx *vector_moved(struct region *r, const struct kx *value,
	const char *name, const struct kx *at, int64_t by);
/* Vectors of what the statement at hand writes. */
struct ctype vector_type_of(const struct cpu_hex *x);
/* Is it sqrt(x) where x is at least LEAST_OF_ROOT_.., or no number?  Or 1 over that? */
bool vector_is_large_root(const struct kx *value);
bool vector_is_over_root(const struct kx *value);
/* A copy of "value", an operation of cells, for vectors, with room for its operands. */
struct kx *vector_operation(const struct cpu_hex *x, const struct kx *value);
/* "x", the operation "value" of vectors, or a fused sum in its place, whichever keeps the units
 * of a processor equally busy; "units": NULL where there are no fused sums.
 */
const struct kx *vector_shared_out(const struct cpu_hex *h,
	const struct kx *value, const struct kx *x, struct vector_units *units);
/* Declare what fused sums multiply by, if there are any, in front of "block". */
void vector_declare_one(const struct cpu_hex *x, const struct vector_units *units,
	struct ks *block);
/* A number common to all lanes, in the type of the vectors. */
const struct kx *vector_number(const struct cpu_hex *x,
	const struct kx *value);
/* sizeof(vector) / sizeof(cell) */
const struct kx *vector_lanes(const struct cpu_hex *x);
/* { declarations; assignment } as one assignment, declared values put where they are used; NULL
 * if the block has another form, or becomes too long.
 */
const struct ks *vector_assignment(struct region *r, const struct ks *s);

#endif
