/* Asynchronous copies from global to shared memory (cp.async).  Copied data
 * arrives at the wait, not before.
 */
#ifndef STENCILC_EMU_CUDA_PIPELINE_PRIMITIVES_H
#define STENCILC_EMU_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_runtime.h"

extern "C" {
void __pipeline_memcpy_async(void *__restrict__ to,
	const void *__restrict__ from, size_t bytes, size_t zfill = 0);
void __pipeline_commit(void);
void __pipeline_wait_prior(size_t groups);
}

#endif
