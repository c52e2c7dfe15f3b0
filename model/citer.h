/* Citer of [PP]: the time of a point on every lane of an SM. */
#ifndef STENCILC_MODEL_CITER_H
#define STENCILC_MODEL_CITER_H

#include "model/machine.h"

/* Operations that take several instructions; how many depends on the machine
 * and the form.
 */
enum mix_root { MIX_QUOTIENT, MIX_INVERSE, MIX_ROOT, MIX_OVER_ROOT, MIX_ROOTS };

/* The instructions for one point of a statement. */
struct instruction_mix {
	double arithmetic;	/* additions, multiplications; a fused one
				 * counts once */
	double wide;		/* of these, those of doubles */
	double conversions;	/* between floats and doubles */
	double special;		/* transcendentals */
	double roots[2][MIX_ROOTS];	/* of floats and of doubles */
	bool fast_roots;	/* approximated */
	double integer;		/* index arithmetic */
	double other;		/* from roots and divisions: only issued */
	double loads, stores;	/* accesses to shared memory */
	int word_bytes;		/* 4 or 8 */
};

struct citer {
	double seconds;
	bool estimated;		/* computed from a mix, not measured */
};

/* roots.c: the number of roots and divisions in "mix", of either type and any
 * kind.
 */
double mix_root_count(const struct instruction_mix *mix);
/* Add "times" the ones of "from" to those of "to". */
void mix_add_roots(struct instruction_mix *to,
	const struct instruction_mix *from, double times);
/* "mix" with the instructions of "m" for its roots and divisions. */
struct instruction_mix mix_on_machine(const struct machine *m,
	const struct instruction_mix *mix);

/* Seconds for a point on every lane of an SM, by the busiest of its units. */
double citer_estimate_s(const struct machine *m,
	const struct instruction_mix *mix);
/* citer_s.STENCIL of the machine; 0: it has none. */
double citer_measured_s(const struct machine *m, const char *stencil);
/* citer_s.STENCIL.PRESET of the machine (models that read the formulas
 * differently derive different Citers from one time); else citer_s.STENCIL,
 * else the estimate.
 */
struct citer citer_of(const struct machine *m, const char *stencil,
	const char *preset, const struct instruction_mix *mix);

#endif
