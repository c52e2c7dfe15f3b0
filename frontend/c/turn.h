/* Integers that turn with the steps, and so say which copy of an array has which role: cur = 1 - cur. */
#ifndef STENCILC_TURN_H
#define STENCILC_TURN_H

#include "frontend/c/stencil.h"

/* An integer of the time loop whose value repeats after some steps.  Those that depend on each other, or are
 * subscripts of one array, are a family.
 */
struct c_turn {
	const struct c_decl *decl;
	int64_t value[MAX_PHASES + 1];	/* where each phase begins, and where the last one ends; value[0] is .. */
	bool is_carried;		/* .. what the first step finds, if a step uses what the one before has
					 * left: */
	bool is_given;			/* the region gives it the value; or it is assumed to have it, .. */
	int64_t modulus;		/* .. or value[0] + d modulo this, with one d for all of the family, which
					 * only selects as many copies; 0: it does more */
	bool is_fixed;			/* the region gives one of the family its value: d is 0 */
	struct c_turn *first;		/* of its family, carried */
	struct c_turn *next;
};

/* An array of which one of them selects the copy. */
struct c_turned {
	const struct c_decl *decl;
	struct c_turn *by;		/* the first of the family */
	struct c_turned *next;
};

struct c_turns {
	struct c_turn *all;
	struct c_turned *arrays;
};

/* turn.c: find them.  The number of steps after which all have their first values; 1: there are none. */
int find_turns(struct stencil *s);
/* Does one select a copy of an array, and a step find it as the one before left it? */
bool hands_on_copies(struct stencil *s);
/* turn_end.c: once all fields are known, let the emitted file ask for what is assumed. */
void ask_for_turns(struct stencil *s);
/* Set those that "is_live" names as the steps leave them. */
void print_turns(struct text *t, const struct stencil *s,
	bool (*is_live)(const struct stencil *s, const struct c_decl *d));
/* Likewise where "steps" says how many there have been, after two of which all are back. */
void print_turns_by(struct text *t, const struct stencil *s, const char *steps,
	bool (*is_live)(const struct stencil *s, const struct c_decl *d));
/* turned.c: does any other value than the one assumed do, at the beginning of the loop? */
bool is_chosen(const struct c_turn *turn);
/* Do all of them only select one of two copies, of arrays that are not linear? */
bool turns_exchange(const struct stencil *s);
/* The first one; NULL: there is none. */
const struct c_turn *first_turn(const struct stencil *s);
/* Is "d" one of them? */
bool is_turn(const struct stencil *s, const struct c_decl *d);
/* Does one begin with a value that the region gives it, each time its text is executed? */
bool turns_begin_anew(const struct stencil *s);
/* Print the first subscript that selects the copy "slot" of "d", as it is before the loop: (cur + 1) % 3. */
void print_slot(struct text *t, const struct stencil *s, const struct c_decl *d,
	int slot);
/* The number of copies of the array among which variables of C select "f"; 0: it is always the same one. */
int count_turned(const struct stencil *s, const struct c_field *f);
/* base, 1 - base or (base + 2) % 3: "by" further, for a turn that is less than its modulus. */
void print_turned(struct text *t, const struct c_turn *base, int64_t by);
/* The array that element "number" of "d", an array of pointers, points to. */
const struct c_decl *array_behind(struct stencil *s, const struct c_decl *d,
	int number);

#endif
