/* The harness of a HIP file. */
#include "codegen/harness-hip-text.h"
#include "codegen/harness-mpi-hip-text.h"
#include "codegen/host/harness.h"

void print_hip_harness(struct text *t, const struct kunit *unit)
{
	print_gpu_harness(t, unit, (struct main_text) { harness_hip_text,
		HARNESS_HIP_LINES }, (struct main_text) {
		harness_mpi_hip_text, HARNESS_MPI_HIP_LINES },
		"(void)hipFree");
}
