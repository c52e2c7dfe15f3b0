/* HIP for a CPU: what a file sees instead of ROCm's header. stencilc-emu's
 * --offload-arch names the device, and with it the size of warps.
 */
#ifndef STENCILC_EMU_HIP_RUNTIME_H
#define STENCILC_EMU_HIP_RUNTIME_H

#include "../cuda_runtime.h"
#include "hip_runtime_api.h"

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define hipLaunchKernelGGL(kernel, grid, block, bytes, stream, ...) \
	do { \
		kernel<<<grid, block, bytes, stream>>>(__VA_ARGS__); \
	} while (0)

#define __builtin_amdgcn_rcpf(x) (::stencilc_emu::rcp_approx_ftz_f32(x))
#define __builtin_amdgcn_rsqf(x) (::stencilc_emu::amd_rsqf(x))
#define __builtin_amdgcn_sqrtf(x) (::stencilc_emu::amd_sqrtf(x))
#define __builtin_amdgcn_rcp(x) (::stencilc_emu::amd_rcp(x))
#define __builtin_amdgcn_rsq(x) (::stencilc_emu::amd_rsq(x))

/* All lanes that have not ended take part. */
#define STENCILC_EMU_ALL (~(stencilc_emu_lanes) 0)

STENCILC_EMU_DEVICE stencilc_emu_lanes __ballot(int predicate,
	int line = __builtin_LINE())
{
	return stencilc_emu_ballot(STENCILC_EMU_ALL, predicate, line);
}

STENCILC_EMU_DEVICE int __any(int predicate, int line = __builtin_LINE())
{
	return stencilc_emu_any(STENCILC_EMU_ALL, predicate, line);
}

STENCILC_EMU_DEVICE int __all(int predicate, int line = __builtin_LINE())
{
	return stencilc_emu_all(STENCILC_EMU_ALL, predicate, line);
}

template <class T> STENCILC_EMU_DEVICE
T __shfl(T value, int from, int width = warpSize, int line = __builtin_LINE())
{
	return __shfl_sync(STENCILC_EMU_ALL, value, from, width, line);
}

template <class T> STENCILC_EMU_DEVICE
T __shfl_up(T value, unsigned delta, int width = warpSize,
	int line = __builtin_LINE())
{
	return __shfl_up_sync(STENCILC_EMU_ALL, value, delta, width, line);
}

template <class T> STENCILC_EMU_DEVICE
T __shfl_down(T value, unsigned delta, int width = warpSize,
	int line = __builtin_LINE())
{
	return __shfl_down_sync(STENCILC_EMU_ALL, value, delta, width, line);
}

template <class T> STENCILC_EMU_DEVICE
T __shfl_xor(T value, int lanes, int width = warpSize,
	int line = __builtin_LINE())
{
	return __shfl_xor_sync(STENCILC_EMU_ALL, value, lanes, width, line);
}

#endif
