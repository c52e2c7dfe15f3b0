/* Plans of the emitted file: what a caller makes once for runs again and again.
 *
 *	NAME_create(NAME_plan **, sizes)	their memory, allocated
 *	NAME_run(NAME_plan *, bounds, fields)	a run in it
 *	NAME_destroy(NAME_plan *)
 *
 * Bounds are the int parameters that only the bounds of the time loop use; all others
 * are sizes.
 */
#ifndef STENCILC_HANDLES_H
#define STENCILC_HANDLES_H

#include "codegen/host/host.h"

struct handles {
	const struct kx *check;		/* 0, or what is wrong with the params */
	bool has_memory;		/* there is NAME_memory() */
	bool has_plans;			/* the program computes something */
	const bool *is_bound;		/* by parameter of the program */
};

const struct handles *handles_new(const struct host *h,
	const struct kfunc *check, bool has_memory);
/* Does a run on a GPU wait for its stream? */
bool unit_waits(const struct kunit *unit);
/* Which of create()'s and run()'s arguments it is. */
enum of_plan { SIZES, BOUNDS, FIELDS };
bool is_of_plan(const struct kunit *unit, const struct argument *arg,
	enum of_plan which);
/* harness-plans.c: NAME_planned(), NAME() by runs of a plan; what is timed: made, called,
 * destroyed in main().
 */
void print_planned(struct text *t, const struct spelling *say,
	const struct kunit *unit);
void print_timed_plan(struct text *t, const struct kunit *unit);
void print_timed_run(struct text *t, const struct kunit *unit,
	const char *call, const char *end);
void print_timed_end(struct text *t, const struct kunit *unit);
/* The declarations of a header. */
void print_handles_declared(struct text *t, const struct spelling *say,
	const struct kunit *unit);

#endif
