/* What the files share that print the plain loops of a harness. */
#ifndef STENCILC_HARNESS_PLAIN_H
#define STENCILC_HARNESS_PLAIN_H

#include "codegen/host/harness.h"

struct plain {
	struct region *mem;
	const struct program *prog;	/* the program without segments */
	const struct kernel_names *names;
	const char *steps;
	const struct range *range;	/* see program_range */
};

/* harness-cells.c: the memory of the plain program for "f", .. */
const char *plain_name(const struct plain *p, const struct field *f);
/* .. if it has its own. */
bool plain_is_own(const struct field *f);
/* What expressions mean at the time and point of the loops, reads of fields aside. */
struct binding plain_binding(const struct plain *p);
const struct kx *plain_size(const struct plain *p, const struct expr *e);
/* The cell that a statement writes: at its own point, whatever the boundary. */
const struct kx *plain_written(const struct binding *b,
	const struct access *acc);
/* The value of a read: the value of the boundary in the first dimension in
 * which it lies outside, if that boundary has one.
 */
const struct kx *plain_read(const struct binding *b,
	const struct access *acc);
/* harness-reductions.c: the number of steps done, a variable of programs with "until". */
const char *plain_done(const struct plain *p);
/* Declarations for reductions, before the loop. */
void plain_begin(const struct plain *p, struct ks *body);
/* A further condition for the loop to go on; or NULL. */
const struct kx *plain_goes_on(const struct plain *p);
/* The reductions after a step. */
void plain_reduce(const struct plain *p, struct ks *step,
	const struct kx *(*read)(const struct binding *b,
		const struct access *acc));

#endif
