/* What the printers of languages for GPUs share: all of a file but the words. */
#ifndef STENCILC_GPU_H
#define STENCILC_GPU_H

#include "codegen/tree/print.h"

struct gpu_language {
	const struct spelling *say;
	/* Lines that include its headers; what is asked of the compiler; helpers
	 * beside those of all targets.  All may print nothing.
	 */
	void (*print_includes)(struct text *t, const struct kunit *unit);
	void (*print_demands)(struct text *t, const struct kunit *unit);
	void (*print_helpers)(struct text *t, const struct kunit *unit);
	/* A variable "y" of the type: what the machine takes an operation on "x"
	 * to be, before any correction.
	 */
	void (*print_seed)(struct text *t, enum builtin builtin,
		enum scalar scalar);
	/* The second number of __launch_bounds__ for so many blocks of so many
	 * threads.
	 */
	int (*resident)(int blocks, int threads);
	/* What files for several ranks call, lines of text. */
	const char *const *mpi;
	int mpi_lines;
	const char *max_grid_x;	/* blocks of a launch in x; 65535 in y and z */
	const char *error_text;	/* what explains an error, before its code */
	const char *dynamic;	/* before shared memory of a size known late */
};

/* Before a function of kernels. */
#define DEVICE_FUNCTION "static __device__ __forceinline__"

/* root_helpers.c: functions for roots and divisions that need not be exact. */
void print_root_helpers(struct text *t, const struct gpu_language *language,
	const struct kunit *unit);
/* gpu_reduce.c: what the threads and blocks of reductions share. */
void print_reduce_of_gpu(struct text *t, const struct spelling *say,
	const struct kunit *unit);
/* All of a file but its harness. */
void gpu_print(struct text *t, const struct gpu_language *language,
	const struct kunit *unit);

#endif
