/* Pointers that the periods of a strip take over from each other:
 *
 *	const float *A_from;
 *	bool goes_on = false;
 *	for (n = ..)
 *		if (..) {
 *			if (!goes_on) {
 *				A_from = &A[..][..];
 *				goes_on = true;
 *			}
 *			..
 *			A_from = A_from + A_pitch;
 *			..
 *		} else {
 *			goes_on = false;
 *			..
 *		}
 *
 * A period that finds them leaves them where one that begins a period further finds them.  Each other
 * one says that it does not.  So in all periods the code can be read as if "goes_on" were false.
 */
#ifndef STENCILC_VERIFY_GOING_H
#define STENCILC_VERIFY_GOING_H

#include <stdbool.h>

struct lanes;
struct ks;
struct found;

struct going {
	const char *name;	/* of the variable; NULL: there is none */
	int depth;		/* where it is declared */
	enum {
		STOPPED,	/* it is false, or pointers are where it says */
		BEGUN,		/* a period has begun */
		FOUND,		/* .. and has found, or taken over, these: */
	} now;
	const struct found *found;
};

/* Is "name" that of the variable? */
bool is_going(const struct lanes *l, const char *name);
bool declare_going(struct lanes *l, const struct ks *s);
/* goes_on = false */
bool stop_going(struct lanes *l, const struct ks *s);
/* if (!goes_on) ..: its pointers are found by "run". */
bool finds_pointers(const struct lanes *l, const struct ks *s);
bool find_pointers(struct lanes *l, const struct ks *s,
	bool (*run)(struct lanes *l, const struct ks *s));

/* What is known as the loop over iterations, or a period, begins and ends. */
bool may_begin_periods(const struct lanes *l);
void begin_going(struct lanes *l);
bool end_going(struct lanes *l);
/* A branch ends, which began with "before". */
bool end_branch_going(struct lanes *l, const struct going *before);
/* Both branches end: the one here, the other one there. */
bool join_going(struct lanes *l, const struct going *other);

#endif
