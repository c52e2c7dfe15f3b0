/* What the files share that make the plain loops of a harness. */
#ifndef STENCILC_HARNESS_PLAIN_H
#define STENCILC_HARNESS_PLAIN_H

#include "codegen/host/harness.h"

struct plain {
	struct region *mem;
	const struct program *prog;	/* without segments */
	const struct kernel_names *names;
	const char *steps;
	const struct range *range;	/* see program_range */
};

/* harness-reductions.c: the number of steps done, a variable of programs with "until". */
const char *plain_done(const struct plain *p);
/* Declare what reductions need before the loop. */
void plain_begin(const struct plain *p, struct ks *body);
/* NULL, or what else holds as long as the loop goes on. */
const struct kx *plain_goes_on(const struct plain *p);
/* What is reduced after a step. */
void plain_reduce(const struct plain *p, struct ks *step,
	const struct kx *(*read)(const struct binding *b,
		const struct access *acc));

#endif
