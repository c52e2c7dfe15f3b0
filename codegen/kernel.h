/* What the files that turn plans into kernel trees share. */
#ifndef STENCILC_KERNEL_H
#define STENCILC_KERNEL_H

#include "codegen/codegen.h"
#include "codegen/tree/lower.h"
#include "codegen/tree/names.h"
#include "codegen/tree/tree.h"

/* kernel.c: the kernel of one phase of a plan ----------------------------*/

/* "index" tells the plans of a unit apart. */
struct kfunc *kernel_of_plan(struct kunit *unit, const struct plan *plan,
	int index);
struct place;

/* Add the params of the program, and the cells of its fields, as far as the body of "f" uses
 * them.
 */
void kernel_add_arguments(const struct place *p, struct kfunc *f);
/* value[phase], "phase" a constant or a name. */
const struct kx *value_of_phase(struct region *r, const struct plan *plan,
	const struct kx *phase, const int value[2]);
/* The first or last point that the plan covers in "dim", as an expression of
 * parameters.
 */
const struct kx *edge_of_plan(struct region *r, const struct plan *plan,
	int dim, bool last);
/* From tile to tile of dimension "dim": a number, or the kernel's argument. */
const struct kx *pitch_of_tiles(struct region *r, const struct plan *plan,
	const struct kernel_names *names, int dim);
/* The threads of a block along "axis": a number, or a multiple of the kernel's argument. */
const struct kx *threads_along(struct region *r, const struct plan *plan,
	const struct kernel_names *names, int axis);
/* floor((edge + shift) / pitch): the first or last tile in dimension "dim", see
 * struct cover; T is called names->tt, "phase" is a constant or a name.
 */
const struct kx *tile_of_edge(struct region *r, const struct plan *plan,
	const struct kernel_names *names, const struct kx *phase, int dim,
	bool last);
/* host/ ------------------------------------------------------------------*/

/* All of the file for a GPU: kernels, entries, and the extras that "with"
 * names.  Without plans the functions do nothing, and unit->plan is NULL.
 */
struct kunit *codegen_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, unsigned with);
/* The same; where lanes of a warp cooperate, the functions check how many the
 * device's warps have.
 */
struct kunit *codegen_unit_asking(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, unsigned with);
/* All of the file for processors. */
struct kunit *cpu_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, unsigned with);
/* main() and what it needs to fill, run, compare with plain loops, and report.
 * Where "is_empty" holds nothing is computed; NULL: never.
 */
void append_harness(struct kunit *unit, const struct kx *is_empty);
/* For a unit with a harness: main() and the text that it calls. */
void print_gpu_harness(struct text *t, const struct spelling *say,
	const struct kunit *unit);
void print_c_harness(struct text *t, const struct spelling *say,
	const struct kunit *unit);

#endif
