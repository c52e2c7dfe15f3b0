/* What the files that build the tree of the .stn language share. */
#ifndef STENCILC_BUILD_H
#define STENCILC_BUILD_H

#include "frontend/c/passes.h"
#include "frontend/parse-context.h"

/* The statement being built. */
struct build {
	struct stencil *s;
	struct parse parse;		/* for the makers of nodes */
	struct ast_items items;		/* of the program */
	const struct c_update *update;
	bool of_next_round;		/* the round is one more */
	bool in_condition;		/* on indices */
	struct c_decl index[IR_MAX_DIMS];	/* of the field written */
	struct let {
		const struct c_temp *temp;
		const char *name;	/* NULL: put in place */
		int uses;
		struct let *next;
	} *lets;
	struct ast_items body;		/* statements of the loop */
};

/* build.c: conditions of b->update, joined to "all" by '&&'; NULL: none ----*/

/* Where the step is one of C's, in the last round. */
struct ast_expr *build_phase(struct build *b, struct ast_expr *all);
/* The dimensions of what is written that are fixed. */
struct ast_expr *build_pins(struct build *b, struct ast_expr *all);
struct ast_expr *build_loops(struct build *b, struct ast_expr *all,
	const struct c_loop *loop);
struct ast_expr *build_conditions(struct build *b, struct ast_expr *all,
	const struct c_condition *c);
/* All of them, but those on data. */
struct ast_expr *build_where(struct build *b);

/* build_record.c ----------------------------------------------------------*/

/* The statement that makes "r", behind all that compute. */
struct ast_item *build_record(struct build *b, const struct c_record *r);

/* build_value.c: names, integers, points, reads, values -------------------*/

/* "name" among those of the program. */
const char *build_intern(struct build *b, const char *name);
/* "name", or one like it, that the language has and the program not yet. */
const char *build_new_name(struct build *b, const char *name);
/* Name what the program has and C does not. */
void build_names(struct build *b);
struct ast_expr *build_number(struct build *b, int64_t value,
	struct span at);
struct ast_expr *build_name(struct build *b, const char *text,
	struct span at);
struct ast_expr *build_poly(struct build *b, struct poly p,
	struct span at);
/* "p" with the point in place of the loops' variables. */
struct poly build_at_point(struct build *b, const struct poly *p);
/* Is dimension "d" of what is written fixed, as in A[0][j]? */
bool is_pinned(const struct build *b, int d);
/* Name the indices of the field that b->update writes. */
void build_indices(struct build *b);
/* "round" or "round + 1" */
struct ast_expr *build_step(struct build *b, int version, struct span at);
/* NULL after a diagnostic. */
struct ast_expr *build_value(struct build *b, const struct c_expr *e);
enum type build_type(enum c_type type);
/* The local of the statement that stands for "temp", or NULL. */
struct let *build_find_let(struct build *b, const struct c_temp *temp);
/* Rounds of the time loop: a number, or the parameter called "name". */
bool rounds_known(const struct stencil *s, int64_t *value);

#endif
