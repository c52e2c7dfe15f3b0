/* What the files that build the tree of the .stn language share. */
#ifndef STENCILC_BUILD_H
#define STENCILC_BUILD_H

#include "frontend/c/passes.h"
#include "frontend/parse-context.h"

/* The statement being built. */
struct build {
	struct stencil *s;
	struct parse parse;		/* parse context for the makers of nodes */
	struct ast_items items;		/* names of the program */
	const struct c_update *update;
	bool of_next_round;		/* stands for the next round */
	bool in_condition;		/* conditions on indices */
	struct c_decl index[IR_MAX_DIMS];	/* dimensions of the field
						 * written */
	struct let {
		const struct c_temp *temp;
		const char *name;	/* conditions; NULL: put in place
					 * instead */
		int uses;
		struct let *next;
	} *lets;
	struct ast_items body;		/* statements of the loop */
};

/* build.c: conditions of b->update, added to "all" by '&&'; NULL: none -------- */

/* In the last round, the steps that C has. */
struct ast_expr *build_phase(struct build *b, struct ast_expr *all);
/* The fixed dimensions of the field written. */
struct ast_expr *build_pins(struct build *b, struct ast_expr *all);
struct ast_expr *build_loops(struct build *b, struct ast_expr *all,
	const struct c_loop *loop);
struct ast_expr *build_conditions(struct build *b, struct ast_expr *all,
	const struct c_condition *c);
/* All its conditions, except those on data. */
struct ast_expr *build_where(struct build *b);

/* build_record.c ----------------------------------------------------------*/

/* The statement for "r", behind all that compute. */
struct ast_item *build_record(struct build *b, const struct c_record *r);

/* build_list.c ------------------------------------------------------------*/

struct c_list;
/* An element at a place that data give; a loop over such places. */
struct ast_expr *build_listed(struct build *b, const struct c_access *a);
struct ast_item *build_list(struct build *b, const struct c_list *list);
/* "value" for b->update where a condition holds, at other points what they have had. */
struct ast_expr *build_everywhere(struct build *b, struct ast_expr *where,
	struct ast_expr *value);

/* build_value.c: names, integers, points, reads, values -------------------*/

/* Add "name" to the names of the program. */
const char *build_intern(struct build *b, const char *name);
/* "name", or a similar one that the language allows and the program does not
 * have.
 */
const char *build_new_name(struct build *b, const char *name);
/* Choose names for what the program has and C does not. */
void build_names(struct build *b);
struct ast_expr *build_number(struct build *b, int64_t value,
	struct span at);
struct ast_expr *build_name(struct build *b, const char *text,
	struct span at);
struct ast_expr *build_poly(struct build *b, struct poly p,
	struct span at);
/* "p" with the point in place of the loop variables. */
struct poly build_at_point(struct build *b, const struct poly *p);
/* Is dimension "d" of what is written fixed, as in A[0][j]? */
bool is_pinned(const struct build *b, int d);
/* Name the indices of the field that b->update writes. */
void build_indices(struct build *b);
/* "cycle" or "cycle + 1" */
struct ast_expr *build_step(struct build *b, int version, struct span at);
/* NULL after a diagnostic. */
struct ast_expr *build_value(struct build *b, const struct c_expr *e);
enum type build_type(enum c_type type);
/* The local of the statement that holds "temp", or NULL. */
struct let *build_find_let(struct build *b, const struct c_temp *temp);
/* Rounds of the time loop: a number, or the parameter called "name". */
bool rounds_known(const struct stencil *s, int64_t *value);

#endif
