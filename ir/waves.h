/* Sweeps by wavefronts: points of one wave do not depend on each other.
 *
 * Statement s of the program "of" runs at step t, from 0, and point x in wave
 *
 *	w = step*t + along[0]*x0 + along[1]*x1 + .. + behind[s]
 *
 * The program in waves has w as its time.  Its states have one copy, in which a read finds the
 * value written last: these numbers are chosen such that this is the value that "of" reads.
 */
#ifndef STENCILC_IR_WAVES_H
#define STENCILC_IR_WAVES_H

#include "ir/ir.h"

struct sweep_waves {
	const struct program *of;
	int64_t step, along[IR_MAX_DIMS];
	const int64_t *behind;		/* by statement */
};

/* Have both come from one statement of the text, divided by choices or into parts? */
bool stmts_are_of_one(const struct stmt *a, const struct stmt *b);
/* Does a statement of "p" sweep its points? */
bool program_sweeps(const struct program *p);

/* Can the read "a" of "s" find a cell that "w" writes at some step? */
struct sweep_meetings {
	bool (*meets)(const void *user, const struct stmt *s,
		const struct access *a, const struct stmt *w);
	const void *user;
};

/* "p" in waves if it has sweeps, else "p"; NULL after a diagnostic. */
const struct program *program_in_waves(struct region *r, struct diags *d,
	const struct program *p, const struct sweep_meetings *meetings);
/* The program as written, if "p" is its waves; else "p". */
const struct program *program_written(const struct program *p);

#endif
