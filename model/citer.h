/* Citer of [PP]: the time of a point on each lane of an SM. */
#ifndef STENCILC_MODEL_CITER_H
#define STENCILC_MODEL_CITER_H

#include "model/machine.h"

/* What one point of a statement executes. */
struct instruction_mix {
	double arithmetic;	/* additions, multiplications; a fused one
				 * counts once */
	double special;		/* divisions, roots, transcendentals */
	double integer;		/* index arithmetic */
	double loads, stores;	/* of shared memory */
	int word_bytes;		/* 4 or 8 */
};

struct citer {
	double seconds;
	bool estimated;		/* from a mix, not from a measurement */
};

/* Seconds for a point on each lane of an SM, from the busiest of its units. */
double citer_estimate_s(const struct machine *m,
	const struct instruction_mix *mix);
/* citer_s.STENCIL of the machine; 0: it has none. */
double citer_measured_s(const struct machine *m, const char *stencil);
/* citer_s.STENCIL.PRESET of the machine, as models that read the formulas
 * differently take different Citers from one time; else citer_s.STENCIL, else
 * the estimate.
 */
struct citer citer_of(const struct machine *m, const char *stencil,
	const char *preset, const struct instruction_mix *mix);

#endif
