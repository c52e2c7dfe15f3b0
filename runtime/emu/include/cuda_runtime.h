/* CUDA for a CPU: what a .cu file sees instead of the toolkit's header.
 *
 * __global__, __shared__, __device__, __constant__ and __launch_bounds__ are
 * not macros here: the rewriter reads and removes them.
 */
#ifndef STENCILC_EMU_CUDA_RUNTIME_H
#define STENCILC_EMU_CUDA_RUNTIME_H

#include "stencilc_emu_std.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __inline_hint__ inline
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI

#include "cuda_runtime_api.h"
#include "device_functions.h"
#include "approximations.h"
#include "math_functions.h"
#include "stencilc_emu.h"
#include "vector_functions.h"

#endif
