/* The integers of a time loop while its statements are executed on them alone: turn_run.c and turn.c. */
#ifndef STENCILC_TURN_RUN_H
#define STENCILC_TURN_RUN_H

#include "frontend/c/turn.h"

enum { MAX_SCALARS = 96, MAX_ROUNDS = 2 * MAX_PHASES + 1 };

/* An integer scalar that the time loop assigns. */
struct turn_scalar {
	const struct c_decl *decl;
	int64_t begins;
	bool is_begun, is_given;	/* it begins with that; the region says so */
	bool is_carried;		/* a step reads it before it assigns it */
	int family;			/* another one of it, or itself */
	struct c_turn *turn;
	/* of a family, in the one that leads to itself: */
	bool is_exact;			/* it depends on the values themselves */
	int64_t most;			/* the greatest one; negative: one is less than 0 */
};

/* The value of a scalar at a statement. */
struct turn_now {
	int64_t value;
	bool is_known;
	bool is_set;			/* by this step */
};

struct turn_array {
	const struct c_decl *decl;
	int family;			/* of what selects its copies; -1: nothing does */
	bool is_mixed;			/* something else selects one, too */
	struct turn_array *next;
};

/* A value that a family has had, in order. */
struct turn_seen {
	int64_t value;
	int family;
	struct turn_seen *next;
};

struct turning {
	struct stencil *s;
	int n;
	struct turn_scalar scalar[MAX_SCALARS];
	struct turn_now now[MAX_SCALARS];
	struct turn_array *arrays;
	struct turn_seen *seen, **end;	/* NULL: none are noted */
	int64_t by;			/* 0: they are noted; else they should be as many further */
	int64_t at_round[MAX_ROUNDS + 1][MAX_SCALARS];
	bool known_at[MAX_ROUNDS + 1][MAX_SCALARS];
};

/* The one of all that are of a family with "i". */
int turn_family(struct turning *w, int i);
/* Results of the family depend on its values themselves; negative: none. */
void turn_is_exact(struct turning *w, int family);
/* The scalar that "d" is; negative: none. */
int turn_scalar(const struct turning *w, const struct c_decl *d);
/* A step, from the values at hand. */
void turn_step(struct turning *w);
/* So many steps; values are noted, or compared with those noted. */
void turn_note_steps(struct turning *w, int64_t steps);

#endif
