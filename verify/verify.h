/* verify: proves that a plan computes its program, for all sizes and steps, and that the code
 * does what the plan says.
 *
 * The checker reads the program (ir) and what the plan says (struct plan of schedule, the
 * numbers and sets that codegen prints), and derives everything else itself: instances,
 * accesses, dependences, the order of execution.  It calls nothing of the planner.  Of codegen
 * it reads the tree that is printed, and asks how printers lay out a field. doc/verify.md says
 * what is shown and how.
 */
#ifndef STENCILC_VERIFY_H
#define STENCILC_VERIFY_H

#include "base/base.h"
#include "ir/blocks.h"
#include "schedule/schedule.h"

/* Check that the "n" plans, launched in this order in each iteration of the host's loop,
 * compute the program of "scop", from which it takes the copies of fields and the conditions of
 * statements.  Append what was shown, in words and then as empty sets, to "certificate" unless
 * it is NULL.  False after a diagnostic with a counterexample, or with what could not be shown.
 */
bool verify_plans(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *plans, int n);

/* Check that the code that "unit" prints for these plans does what they say, as
 * far as doc/verify.md says; likewise.
 */
struct kunit;
bool verify_code(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *plans, int n,
	const struct kunit *unit);

/* Check that the lengths that the file of "unit" can choose as it runs are those of its variants'
 * plans, n in number; likewise.
 */
bool verify_lengths(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *const *variants, int n,
	const struct kunit *unit);

/* Where the width of tiles is an argument: check that "all", the file with all variants, does
 * with the width of "plan" what "one" does, the file of that plan alone; likewise.
 */
struct tile_variants;
bool verify_width(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct tile_variants *variants,
	const struct plan *plan, const struct kunit *all,
	const struct kunit *one);

/* .. and that it chooses no width but those of the plans that its variants have; likewise. */
bool verify_chosen_widths(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct tile_variants *variants,
	const struct kunit *all);

/* Check that the file of all ranks that "unit" prints exchanges what the steps of "blocks"
 * need, for each decomposition of the grid of "whole"; likewise.
 */
bool verify_ranks(struct diags *d, struct text *certificate,
	const struct scop *whole, const struct blocks *blocks,
	const struct kunit *unit);

#endif
