/* Types of variables, casts, parameters and results in the kernel tree. */
#ifndef STENCILC_CTYPE_H
#define STENCILC_CTYPE_H

#include <stdbool.h>

#include "ir/ir.h"

enum scalar {
	CT_NONE,		/* no type */
	CT_VOID, CT_BOOL, CT_CHAR,
	CT_INT, CT_LONG, CT_SIZE,	/* of 32 bits, of 64 bits, of bytes */
	CT_DISTANCE,		/* distance between two cells */
	CT_ARRIVALS,		/* a barrier for bulk copies */
	CT_FLOAT, CT_DOUBLE,
	CT_INT8, CT_UINT8, CT_INT16, CT_UINT16, CT_UINT32, CT_INT64, CT_UINT64,
	CT_HALF, CT_BFLOAT,	/* of 16 bits */
	CT_STREAM, CT_ERROR,	/* a type of a GPU's run-time library */
	CT_GRAPH, CT_GRAPH_RUN,	/* the same; a graph that can be launched */
	CT_CAPTURING,		/* is a stream capturing? */
	CT_COMM, CT_RANKS,	/* a type of MPI; of files for it */
	CT_NAMED,		/* a struct defined in the file, see struct
				 * kstruct */
};

enum { LANES_OF_PROCESSOR = -1 };	/* as many lanes as its registers have */

/* lanes x scalar, or a pointer to it. */
struct ctype {
	enum scalar scalar;
	int lanes;		/* of a vector; 0 for none; or
				 * LANES_OF_PROCESSOR */
	int pointers;
	bool is_const;		/* the code only reads the scalar */
	bool is_fixed;		/* number of stars; the last pointer is */
	bool is_restrict;
	const char *name;	/* CT_NAMED */
};

static inline struct ctype ctype(enum scalar scalar)
{
	return (struct ctype) { .scalar = scalar };
}

static inline struct ctype ctype_const(enum scalar scalar)
{
	return (struct ctype) { .scalar = scalar, .is_const = true };
}

static inline struct ctype ctype_pointer(enum scalar scalar, bool is_const)
{
	return (struct ctype) { .scalar = scalar, .pointers = 1,
		.is_const = is_const };
}

/* T *const */
static inline struct ctype ctype_fixed(enum scalar scalar, bool is_const)
{
	return (struct ctype) { .scalar = scalar, .pointers = 1,
		.is_const = is_const, .is_fixed = true };
}

/* Does a variable of this type stay constant? */
static inline bool ctype_is_constant(struct ctype t)
{
	return t.pointers ? t.is_fixed : t.is_const;
}

static inline bool ctype_is(struct ctype t, enum scalar scalar)
{
	return t.scalar == scalar && !t.pointers && !t.lanes;
}

/* The type for a value of the language. */
enum scalar scalar_of(enum type type);
struct ctype ctype_of(enum type type);
/* The type of the language that "scalar" stands for; TYPES if there is none. */
enum type value_type(enum scalar scalar);
bool ctype_same(struct ctype a, struct ctype b);
/* Bytes of a value; 0: they depend on the machine. */
int ctype_bytes(struct ctype t);

#endif
