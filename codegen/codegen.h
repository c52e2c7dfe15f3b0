/* codegen: from plans to kernel trees, passes on kernel trees, and the
 * printers, one per target.  Only printers write text.
 */
#ifndef STENCILC_CODEGEN_H
#define STENCILC_CODEGEN_H

#include "base/base.h"
#include "ir/blocks.h"
#include "schedule/schedule.h"

struct kunit;

/* What a file has beside the functions that each has. */
enum with {
	WITH_HARNESS = 1,	/* main() */
	WITH_HANDLES = 2,	/* memory of the caller's, and plans for many runs */
	WITH_MEMORY = 4,	/* GPU: memory of the caller's alone */
};

/* A language to emit: the tree of a file, and how it is printed. */
struct target {
	const char *name;		/* of --target */
	const char *language;		/* in messages */
	const char *suffix;		/* of the emitted file */
	const char *arch;		/* the machine if none is named */
	bool for_cpu;
	bool has_wide_warps;		/* its machines may have warps of 64 */
	bool copies_ahead;		/* to shared memory, while threads go on */
	struct kunit *(*unit)(struct region *r, const struct scop *scop,
		const struct plan *plans, int n_plans, unsigned with);
	/* The file; its harness, if it has one; what follows that, or NULL. */
	void (*print)(struct text *t, const struct kunit *unit);
	void (*print_harness)(struct text *t, const struct kunit *unit);
	void (*print_end)(struct text *t, const struct kunit *unit);
	const struct spelling *spelling;
};

/* The first is written if nothing says what. */
enum target_id {
#define TARGET(id, ...) TARGET_##id,
#include "codegen/tree/targets.def"
#undef TARGET
	N_TARGETS
};

extern const struct target targets[N_TARGETS];

/* "|cuda|hip..", " .cu of CUDA, .hip.cpp of HIP,..", and the help of --arch. */
extern const char target_names[], target_suffixes[], target_machines[];

/* Of programs on several ranks: the most steps from an exchange of halos to the next,
 * which part, 1/"part", of the cells between them halos may be, and the shape of as many
 * ranks as that has; 0: open.
 */
struct exchange_steps {
	int most, part, shape[BLOCKS_MAX_DIMS];
};

/* "unit", that of the program of a block, becomes that of all ranks, and gets main() if
 * "harness"; "whole" is of the whole grid.
 */
void codegen_add_mpi(struct kunit *unit, const struct scop *whole,
	const struct blocks *blocks, struct exchange_steps steps, bool harness);
void target_print(struct text *t, const struct target *target,
	const struct kunit *unit);
/* The tree itself, for --emit=kernel. */
void target_dump(struct text *t, const struct target *target,
	const struct kunit *unit);
/* What declares the functions in the language that the suffix of "path" names:
 * .f90 a Fortran module, .py a Python module, .json a description, else a C header.
 */
void print_binding(struct text *t, const struct target *target,
	const struct kunit *unit, const char *path);
/* An argument of a type that this language has not, or NULL. */
const struct field *binding_lacks(const struct kunit *unit, const char *path);

#endif
