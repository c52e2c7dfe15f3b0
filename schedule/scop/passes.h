/* Programs made ready to become scops, by what sets say of their statements. */
#ifndef STENCILC_SCOP_PASSES_H
#define STENCILC_SCOP_PASSES_H

#include <isl/ctx.h>

#include "ir/ir.h"

/* choices.c: "prog", as the front ends produce it, with statements divided: each is
 * computed where all its reads have a meaning.  NULL after a diagnostic.
 */
const struct program *program_divide_choices(struct region *mem, isl_ctx *ctx,
	struct diags *d, const struct program *prog);

/* join.c: "prog", in which each read counts, with one statement for each state whose statements
 * divide its points among them.
 */
const struct program *program_join_statements(struct region *mem, isl_ctx *ctx,
	const struct program *prog);

/* whole_rows.c: "prog", in which each read counts, with whole rows for statements that compute every
 * other point; with two steps in place of one that computes red points and then black ones.
 */
const struct program *program_by_colours(struct region *mem, isl_ctx *ctx,
	const struct program *prog);
const struct program *program_fill_rows(struct region *mem, isl_ctx *ctx,
	const struct program *prog);

/* in_place.c: "prog" with its sweeps in waves; NULL after a diagnostic. */
const struct program *program_by_waves(struct region *mem, isl_ctx *ctx,
	struct diags *d, const struct program *prog);

#endif
