/* What the files that recognise a stencil in a region share.
 *
 * A region is described by its effect on memory: each array, or each copy where
 * odd and even steps have one each, is a state.  Its step is one round of the
 * time loop, "n_phases" of C's steps, after which each copy and pointer is back
 * in its role.  So every array ends up with what C leaves in it.
 */
#ifndef STENCILC_STENCIL_H
#define STENCILC_STENCIL_H

#include <isl/map.h>
#include <isl/set.h>

#include "frontend/c/poly.h"
#include "ir/boundary.h"

enum { MAX_PHASES = 16, MAX_ROWS = 64, MAX_UNROLL = 64, NO_SLOT = -1000 };

/* begin <= v < end, v = begin or, downwards, end - 1 modulo step. */
struct c_loop {
	const struct c_decl *decl;
	struct poly begin, end;
	int64_t step;
	bool down;
	struct c_expr *start;		/* NULL, or its resolved start: it .. */
	int64_t every;			/* .. runs there and every so many
					 * further, as conditions say */
	struct span at;
	const struct c_loop *outer;
	int depth;			/* 1: the outermost */
	const struct c_stmt *stmt;
};

struct c_condition {
	struct c_expr *expr;		/* resolved */
	bool negated;
	const struct c_condition *outer;
	int depth;
};

/* The part of each element of an array that a field is: bytes from "at" on, of "of". */
struct c_part {
	int at, of;			/* of is 0: the whole element */
	bool is_subscript;		/* the last one, as in f[i][0], or of a linear array */
};

/* An array that the region declares: a new one in each iteration of the loops around it, or scalars. */
struct c_local {
	const struct c_decl *decl;
	const struct c_loop *loop;	/* around the declaration; or NULL */
	int phase;			/* -1: it stands before the time loop */
	struct c_decl *scalar;		/* its elements, row after row; */
	int n;				/* how many; or NULL, and 0 */
	struct c_local *next;
};

/* An array, or a copy of one. */
struct c_field {
	struct c_decl *decl;
	int slot;			/* index in the first dimension, NO_SLOT: none;
					 * relative to the time if that is a parameter */
	struct c_part part;
	const char *name;
	int n_dims;
	struct poly size[C_MAX_DIMS];
	bool is_sized[C_MAX_DIMS];
	bool is_positive[C_MAX_DIMS];	/* the size is assumed to be */
	enum boundary_kind ends[C_MAX_DIMS];	/* how reads turn back; .. */
	int least[C_MAX_DIMS];		/* .. in arrays of at least so many
					 * cells, .. */
	const struct c_loop *whole[C_MAX_DIMS];	/* .. for some if this loop
						 * covers all of it; NULL:
						 * whatever the loops are */
	bool is_written, is_used;
	bool is_split;			/* A[i*M + j] in C */
	bool is_record;			/* see c_record */
	const struct c_local *local;	/* NULL, or the region's own; .. */
	bool is_temp;			/* .. that no memory is needed for */
	const struct c_ghosts *ghosts;	/* NULL, or another view of the array */
	const struct c_field *copy_of;	/* NULL, or it begins as a copy of this one */
	struct c_lookup *lookup;	/* NULL, or its cells are found by numbers */
	struct c_field *next;
};

/* Where an expression stands. */
struct c_place {
	const struct c_loop *loop;	/* the innermost around it; or NULL */
	const struct c_condition *condition;
	int order;			/* among all statements */
	int phase;
};

struct c_access {
	struct c_field *field;
	int n_subs;
	struct poly sub[C_MAX_DIMS];
	struct c_expr *around[C_MAX_DIMS];	/* resolved; NULL: as "sub", or
						 * another that turns back */
	struct span sub_at[C_MAX_DIMS];
	struct c_place place;
	bool is_listed, is_looked_up;	/* at a place that data give: "around" */
	bool is_seen, is_checked;	/* set later; does it stay inside? */
	int version;			/* 1: from this round, */
	const struct c_update *computed_by;	/* computed by this statement,
						 * among others */
	struct span at;
	struct c_access *next;
};

/* A value given to a scalar. */
struct c_temp {
	const struct c_decl *decl;
	struct c_expr *value;		/* resolved, of the type of "decl" */
	const struct c_temp *copy_of;	/* NULL, or this, with choices made */
};

/* write = value, where "asked", a condition on data, holds */
struct c_update {
	struct c_access *write;
	struct c_expr *value;		/* resolved */
	struct c_expr *asked;		/* the same; NULL: always */
	bool is_joined;			/* others write the same cells, too, and
					 * data decides which */
	bool leaves_out;		/* elements that others write again, and no more */
	bool changes;			/* what another has written: += */
	bool sweeps;			/* it reads what it has just written */
	struct c_place place;
	struct span at;
	struct c_update *next;
};

/* sub[0]..[sub[n]] = value, for an array of which each step writes elements of its own and none
 * reads any: an output by step.
 */
struct c_record {
	struct c_field *field;
	struct c_expr *sub[C_MAX_DIMS];	/* resolved, as the value */
	struct c_expr *value;
	struct c_place place;
	const struct c_access *own;	/* computed in this step, */
	const struct c_update *writer;	/* by this; */
	bool is_old;			/* or, as in rec[t] = A[t%2], in the
					 * round before: a round computes what C
					 * computes in the next one */
	bool is_whole;			/* at all points of the writer that the
					 * loops visit */
	struct span at;
	struct c_record *next;
};

struct c_param {
	const struct c_decl *decl;
	const char *name;		/* in the program */
	bool is_used, is_checked;	/* .. decides whether an array is left */
	bool is_beside;			/* decides which cells no step records */
	bool is_floor;			/* a quotient of what is not negative */
	int least;			/* 1 on: the loops run as they are for less */
	struct c_param *next;
};

/* An element common to all points and steps, as w[0]: a parameter. */
struct c_element {
	const struct c_access *access;
	const char *name;		/* in the program */
	struct c_element *next;
};

/* Why the value of a scalar is unknown.  The assignment that reaches a use may come from an earlier iteration,
 * from a loop that has ended, or from under a condition.  Or there is none, or one with too many parts.
 */
enum c_loss {
	C_LOST_CARRIED, C_LOST_LOOP, C_LOST_CONDITION, C_NO_VALUE, C_TOO_LONG
};

/* The value of a variable from here on. */
struct c_binding {
	const struct c_decl *decl;
	struct c_expr *value;		/* of a scalar; NULL: unknown */
	const struct c_decl *object;	/* of a pointer */
	enum c_loss lost;
	struct span lost_at;		/* the assignment */
	struct c_binding *next;		/* the list before this binding */
};

/* A number that each step computes from all its points, and by which the time loop ends: the
 * greatest, the least, or a sum.
 */
struct c_result {
	const struct c_decl *decl;	/* the scalar of C */
	const char *name;		/* in the program */
	int op;				/* OP_FMAX, OP_FMIN, OP_ADD; C_OP_NONE:
					 * not yet */
	struct c_expr *first;		/* its value before the points; NULL:
					 * not yet */
	struct c_update *of;		/* the points, as loops, and values */
	struct c_result *next;
};

struct stencil {
	struct region *mem;
	struct diags *diags;
	const struct source *source;
	isl_ctx *isl;
	const struct c_region *region;
	bool is_one_step;		/* there is no time loop in C */

	const struct c_stmt *time_loop;
	const struct c_decl *time;	/* the variable of C */
	struct c_decl *round;		/* in the program: "time" itself, or a
					 * new variable that counts rounds */
	int n_phases;
	const struct c_expr *of_step;	/* NULL, or an element of an array that
					 * holds all steps: each step is a call,
					 * "time" a parameter */
	struct c_list *lists;		/* see list.h */
	struct c_loop time_range;		/* the time loop */
	struct {			/* while the region is walked: */
		struct c_place place;
		struct c_binding *bindings;	/* the latest first */
		const struct c_binding *before_loop;	/* bindings where the time
							 * loop begins */
		int copy;		/* of nests that a loop or phases repeat */
		bool in_condition;	/* "place" lies in a decided 'if' */
		bool in_subscript;	/* .. of an element that is resolved */
		struct c_initial {	/* pointers that the loop reads before it moves them */
			const struct c_decl *decl;
			struct span at;
			struct c_initial *next;
		} *initial;
		struct c_local *locals;
		struct c_list *list;	/* around "place"; or NULL */
		struct c_decl *parts;	/* see split.h */
		struct c_turns *turns;	/* see turn.h; NULL: none */
	} at;
	struct c_param *params;
	struct c_element *elements;
	struct c_field *fields;
	struct c_access *accesses;
	struct c_update *updates;
	struct {
		struct c_record *first;
		const char *before, *beside;	/* see text_beside_steps */
		const char *why, *advice;	/* arrays of all steps are no records, because one could not be an
						 * output, .. */
		struct span at;			/* .. this one */
	} recorded;
	struct {
		struct c_leave *fails;	/* the call does it */
		struct c_asked *asked;	/* .. where accesses stay in rows of linear arrays; else the loops run */
		isl_set *held;		/* what they say, { params }; NULL: nothing */
		isl_set *assumed;	/* what of it the program may assume, */
		struct c_assumed *sums;	/* .. also as this, .. */
		struct c_kept *kept;	/* .. with cells: see kept.c */
		struct c_left *left;	/* NULL, or what the loops execute: see border.h */
		bool no_copies;		/* .. but no nests that copy arrays: see forward.h */
	} leaves;
	struct {
		struct c_result *results;
		struct c_expr *condition;	/* resolved; NULL: nothing ends
						 * the time loop early */
		struct c_exchange *exchanges;	/* see exchange.h */
		struct c_update *copies;	/* .. and behind the others */
	} until;
	struct {			/* names in the program: */
		const char *round, *rounds, *program, *call;
		struct names *all;
	} named;
	const struct c_file *file;
};

/* region.c: what all files ask about a region. */
/* False, after a diagnostic: for "return refuse(..)". */
bool refuse(struct stencil *s, enum diag_id id, struct span at,
	const char *fmt, ...) BASE_PRINTF(4, 5);
/* Say why a record could not be an output, if so. */
void explain_no_record(struct stencil *s);
/* The text at "at", on one line. */
const char *c_quote(const struct stencil *s, struct span at);
/* The statements of the region, without blocks around all of them. */
const struct c_stmt *region_statements(const struct stencil *s);
/* The value of "time" in "phase". */
bool time_value(const struct stencil *s, int phase, struct poly *value);
/* Call "each" for the accesses that "e" reads, until it returns false. */
bool each_read(const struct c_expr *e, bool (*each)(void *user,
	struct c_access *a), void *user);
/* Likewise for what "u" reads. */
bool update_reads(const struct c_update *u, bool (*each)(void *user,
	struct c_access *a), void *user);
/* Does "a" read the same at all points and steps, as w[0]? */
bool access_is_fixed(const struct stencil *s, const struct c_access *a);
/* Does it read an input at the step, as f[t] or f[t][i]? */
bool access_is_of_step(const struct stencil *s, const struct c_access *a);
/* Is subscript "d" of such an access the same at all points of a step? */
bool subscript_is_uniform(const struct stencil *s, const struct c_access *a,
	int d);
/* The scalar "d" with "value". */
struct c_expr *temp_value(struct stencil *s, const struct c_decl *d,
	struct c_expr *value);

#endif
