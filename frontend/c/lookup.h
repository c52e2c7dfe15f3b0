/* Reads that data place, ca[mat[i][j]], or that run against the points, be[n - 1 - i], of arrays that no
 * step writes.
 */
#ifndef STENCILC_LOOKUP_H
#define STENCILC_LOOKUP_H

#include "frontend/c/question.h"

enum { MAX_LOOKUP_READS = 8 };

/* An array with an element for each point, which the call fills before the steps. */
struct c_lookup {
	const struct c_decl *decl;	/* the array: ca_mat */
	const struct c_access *own;	/* its element at the point */
	const struct c_decl *index[C_MAX_DIMS];	/* the loops that count its elements */
	struct c_access *what;		/* as C has it, ca[mat[i][j]]: subscripts that data tell are
					 * "around" */
	struct c_access *read[MAX_LOOKUP_READS];	/* the elements in these: mat[i][j] */
	int n_reads;
	bool is_sure;			/* all points that the sets say read it, whatever data say */
	const char *loops;		/* C's loops that fill it */
};

/* May the subscript "sub" of the read "e", which is resolved, stand in a lookup? */
bool is_looked_up(const struct stencil *s, const struct c_expr *e, const struct c_expr *sub);
/* Has a subscript of "a", which reads "e", a loop's variable with a factor below 0? */
bool is_reversed(const struct stencil *s, const struct c_expr *e, const struct c_access *a);
/* The array whose elements stand for "a", the read "e" of this part of "object", of which "around" has the
 * subscripts that are data; NULL after a diagnostic.
 */
struct c_lookup *look_up(struct stencil *s, const struct c_expr *e, const struct c_decl *object,
	struct c_part part, const struct c_access *a);
/* Find which lookups are sure. */
void find_sure_lookups(const struct stencil *s);
/* Let its array have the size of a written one at the same points, if there is one. */
void take_size_of_writes(const struct stencil *s, struct c_field *f);
/* Find the loops.  False after a diagnostic. */
bool fill_lookups(struct stencil *s);

/* In the emitted file: what the loops call; the arrays' declarations; the questions whether what they read lies
 * apart from what is written, and whether there is memory for them; the loops; "free(..)".
 */
void print_lookups_prologue(struct text *t, const struct c_program *programs);
void print_lookups(struct text *t, const struct stencil *s);
void ask_about_lookups(const struct stencil *s, struct c_question *q);
void ask_for_memory(const struct stencil *s, struct c_question *q);
void print_lookups_filled(struct text *t, const struct stencil *s);
void print_lookups_freed(struct text *t, const struct stencil *s);
/* The name of the array in C. */
const char *name_of_lookup(const struct stencil *s, const struct c_lookup *l);

/* question.c: does a written field lie where "from" may? "f" is the one before, or NULL. */
const struct c_field *written_over_field(const struct stencil *s, const struct c_field *from,
	const struct c_field *f);
/* Ask whether the cells of "f" and those of "g" lie apart. */
void ask_apart(const struct stencil *s, struct c_question *q, const struct c_field *f,
	const struct c_field *g);

#endif
