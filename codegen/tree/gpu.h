/* What the printers of languages for GPUs share: all of a file except the words. */
#ifndef STENCILC_GPU_H
#define STENCILC_GPU_H

#include "codegen/tree/print.h"

struct gpu_language {
	const struct spelling *say;
	/* Print the lines that include its headers; pragmas for the compiler;
	 * helpers beside those of all targets.  All may print nothing.
	 */
	void (*print_includes)(struct text *t, const struct kunit *unit);
	void (*print_demands)(struct text *t, const struct kunit *unit);
	void (*print_helpers)(struct text *t, const struct kunit *unit);
	/* Declare a variable "y" of the type: the machine's approximation of an
	 * operation on "x", before any correction.
	 */
	void (*print_seed)(struct text *t, enum builtin builtin,
		enum scalar scalar);
	/* The second number of __launch_bounds__ for so many blocks of so many
	 * threads.
	 */
	int (*resident)(int blocks, int threads);
	/* Functions that files for several ranks call, as lines of text. */
	const char *const *mpi;
	int mpi_lines;
	const char *max_grid_x;	/* blocks of a launch in x; 65535 in y and z */
	const char *error_text;	/* the function that explains an error, before
				 * its code */
	const char *dynamic;	/* the words before shared memory of dynamic
				 * size */
};

/* The words before a function that kernels call. */
#define DEVICE_FUNCTION "static __device__ __forceinline__"

/* root_helpers.c: functions for inexact roots and divisions. */
void print_root_helpers(struct text *t, const struct gpu_language *language,
	const struct kunit *unit);
/* gpu_reduce.c: how threads and blocks join values. */
void print_reduce_of_gpu(struct text *t, const struct spelling *say,
	const struct kunit *unit);
/* All of a file but its harness. */
void gpu_print(struct text *t, const struct gpu_language *language,
	const struct kunit *unit);

#endif
