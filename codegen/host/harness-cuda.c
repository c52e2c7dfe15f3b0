/* The harness of a CUDA file. */
#include "codegen/harness-cuda-text.h"
#include "codegen/harness-mpi-cuda-text.h"
#include "codegen/host/harness.h"

void print_cuda_harness(struct text *t, const struct kunit *unit)
{
	print_gpu_harness(t, unit, (struct main_text) { harness_cuda_text,
		HARNESS_CUDA_LINES }, (struct main_text) {
		harness_mpi_cuda_text, HARNESS_MPI_CUDA_LINES },
		"cudaFree");
}
