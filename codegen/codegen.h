/* codegen: from plans to kernel trees, passes on kernel trees, and the
 * printers, one per target.  Only printers write text.
 */
#ifndef STENCILC_CODEGEN_H
#define STENCILC_CODEGEN_H

#include "base/base.h"
#include "ir/blocks.h"
#include "schedule/schedule.h"

struct kunit;

/* Optional parts of a file. */
enum with {
	WITH_HARNESS = 1,	/* main() */
	WITH_HANDLES = 2,	/* memory from the caller, and plans for many
				 * runs */
	WITH_MEMORY = 4,	/* GPU: memory from the caller alone */
};

struct spelling;

/* A language to emit: the tree of a file, and how it is printed. */
struct target {
	const char *name;		/* as --target calls it */
	const char *language;		/* in messages */
	const char *suffix;		/* suffix of the emitted file */
	const char *arch;		/* machine if --arch names none */
	bool for_cpu;
	bool has_wide_warps;		/* its machines may have warps of 64 */
	bool copies_ahead;		/* copies to shared memory go on beside
					 * the threads */
	bool has_clusters;		/* blocks side by side reach each
					 * other's shared memory */
	struct kunit *(*unit)(struct region *r, const struct scop *scop,
		const struct plan *plans, int n_plans, unsigned with);
	/* Printers: the file, its harness if it has one, and what follows the
	 * harness, or NULL.
	 */
	void (*print)(struct text *t, const struct kunit *unit);
	void (*print_harness)(struct text *t, const struct spelling *spelling,
		const struct kunit *unit);
	void (*print_end)(struct text *t, const struct kunit *unit);
	const struct spelling *spelling;
};

/* The targets; the first one is the default. */
enum target_id {
#define TARGET(id, ...) TARGET_##id,
#include "codegen/tree/targets.def"
#undef TARGET
	N_TARGETS
};

extern const struct target targets[N_TARGETS];

/* For help texts: "|cuda|hip..", " .cu of CUDA, .hip.cpp of HIP,..", and the
 * help of --arch.
 */
extern const char target_names[], target_suffixes[], target_machines[];

/* Is a function that "unit" has for tiles of several widths not the same for all but for
 * numbers?  Then it is that of the widest.
 */
bool codegen_lacks_widths(const struct kunit *unit);
/* What statements compute one by one, as a multiple of what they compute in "unit". */
double codegen_shares(const struct kunit *unit);

/* For programs on several ranks: the most steps between two exchanges of halos, the part
 * 1/"part" of the cells between them that halos may fill, and the shape of the ranks for one
 * number of ranks; 0 leaves it open.  Ranks compute while halos of the last "turns" turns travel where
 * that makes the cells computed more by 1/"overlap" at most; 0: never.
 */
struct exchange_steps {
	int most, part, shape[BLOCKS_MAX_DIMS], overlap, turns;
};

/* In how many of the last turns, see blocks_is_late(), may halos of "b" travel while cells are computed? */
int codegen_overlaps(const struct blocks *b);

/* Turn "unit", the program of a block, into the program of all ranks, "with" main() or plans;
 * "whole" is the program on the whole grid.
 */
void codegen_add_mpi(struct kunit *unit, const struct scop *whole,
	const struct blocks *blocks, struct exchange_steps steps, unsigned with);
void target_print(struct text *t, const struct target *target,
	const struct kunit *unit);
/* The tree itself, for --emit=kernel. */
void target_dump(struct text *t, const struct target *target,
	const struct kunit *unit);
/* Declare the functions in the language that the suffix of "path" names: a Fortran module for
 * .f90, a Python module for .py, a description for .json, else a C header.
 */
void print_binding(struct text *t, const struct target *target,
	const struct kunit *unit, const char *path);
/* The first argument whose type this language lacks, or NULL. */
const struct field *binding_lacks(const struct kunit *unit, const char *path);

#endif
