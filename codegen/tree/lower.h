/* Which code computes what: isl's sets as loops and conditions, the program's
 * expressions as expressions of the tree.
 */
#ifndef STENCILC_LOWER_H
#define STENCILC_LOWER_H

#include <isl/ast.h>
#include <isl/ast_build.h>

#include "codegen/tree/tree.h"

/* islast.c: isl's expressions and loops as trees -------------------------*/

/* "set" of parameters as a condition; parameters keep their names.  "context"
 * is assumed.  NULL if always true.
 */
struct kx *kx_of_set(struct region *r, __isl_take isl_set *set,
	__isl_take isl_set *context);
/* "value", defined on parameters, as an expression. */
struct kx *kx_of_pw_aff(struct region *r, __isl_take isl_pw_aff *value,
	__isl_take isl_set *context);
/* Turn the set dimensions of "set" into parameters called name[i]. */
__isl_give isl_set *name_dims(__isl_take isl_set *set,
	const char *const *name);

/* Loops over the points of a set, dimension by dimension. */
struct loop_nest {
	struct region *mem;
	int n_dims;
	const char *const *iterator;	/* a name per dimension */
	const char *const *first;	/* thread along dimension d, or NULL: a
					 * sequential loop */
	const int *step;		/* threads along it */
	bool unroll;			/* let the compiler unroll it */
	const bool *straight;		/* dimensions without loops: each value
					 * gets its own code; NULL: none */
	const struct kx **at;		/* or NULL: set to the coordinates for
					 * the body */
	bool *looped;			/* set by loops_of_set: does the
					 * dimension have a loop around the
					 * body? */
	struct ks *(*body)(void *user);	/* reads the iterators by name */
	void *user;
	bool *has_loop;			/* internal: dimensions around a body */
};

/* Loops over "set" where "context", of parameters, holds: its conditions are not tested again,
 * further conditions of the set on parameters are.
 */
struct ks *loops_of_set(const struct loop_nest *nest,
	__isl_take isl_set *set, __isl_take isl_set *context);

/* lower.c: the statements' values ----------------------------------------*/

/* How the tree names what an instance uses. */
struct binding {
	struct region *mem;
	const struct program *prog;
	const struct kx *time;			/* the normalised t */
	const struct kx *point[IR_MAX_DIMS];	/* its coordinates */
	const struct kx *number, *own;	/* EXPR_NUMBER, EXPR_OWN; or NULL */
	/* NULL: for expressions without reads */
	const struct kx *(*read)(const struct binding *b,
		const struct access *acc);
	/* The place of an operation's value if it has one, or NULL; may be
	 * NULL.
	 */
	const struct kx *(*known)(const struct binding *b,
		const struct expr *e);
	const void *user;
	enum element {
		ELEMENT_OF_CELLS,	/* of global memory */
		ELEMENT_OF_ARRAY,
		ELEMENT_OF_ROW,		/* is each field one row of cells? */
	} element;		/* says where cells of inputs are */
	bool exact;		/* convert exactly, even in a program that may
				 * round otherwise */
};

const struct kx *kx_of_expr(const struct binding *b, const struct expr *e);
/* "a", a cell's value, as one to compute with; "a", a computed value, as the value of a cell of
 * "type".
 */
const struct kx *kx_promoted(struct region *r, const struct kx *a);
const struct kx *kx_stored(struct region *r, enum type type,
	const struct kx *a);

/* roots.c ------------------------------------------------------------------*/

/* The root or division "e" by a GPU's approximation, if the program allows
 * that; else NULL.
 */
const struct kx *kx_approximated(const struct binding *b,
	const struct expr *e);

#endif
