/* The emulated device: one GPU with the limits of sm_90, or for HIP of gfx90a. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call.h"

namespace stencilc_emu {

static size_t memory_bytes()
{
	const char *s = getenv("STENCILC_MEMORY");

	return s ? strtoull(s, nullptr, 0) : (size_t) 16 << 30;
}

/* Where a GCD of an MI250X differs. */
static void make_hip(cudaDeviceProp &p)
{
	strcpy(p.name, "stencilc-emu (CPU, limits of gfx90a)");
	p.sharedMemPerBlock = p.sharedMemPerBlockOptin =
		p.sharedMemPerMultiprocessor = 64 * 1024;
	p.reservedSharedMemPerBlock = 0;
	p.maxThreadsDim[2] = 1024;
	p.maxGridSize[1] = p.maxGridSize[2] = 65536;
	p.multiProcessorCount = 110;
	p.l2CacheSize = 8 << 20;
	p.persistingL2CacheMaxSize = 0;
	p.regsPerBlock = 65536;
	p.regsPerMultiprocessor = 131072;
	p.clockRate = 1700000;
	p.memoryClockRate = 1600000;
	p.memoryBusWidth = 4096;
}

static cudaDeviceProp describe()
{
	cudaDeviceProp p;

	memset(&p, 0, sizeof p);
	strcpy(p.name, "stencilc-emu (CPU, limits of sm_90)");
	p.totalGlobalMem = memory_bytes();
	p.sharedMemPerBlock = 48 * 1024;
	p.regsPerBlock = 65536;
	p.warpSize = warp_lanes;
	p.memPitch = 0x7fffffff;
	p.maxThreadsPerBlock = max_block_threads;
	p.maxThreadsDim[0] = 1024;
	p.maxThreadsDim[1] = 1024;
	p.maxThreadsDim[2] = 64;
	p.maxGridSize[0] = 0x7fffffff;
	p.maxGridSize[1] = 65535;
	p.maxGridSize[2] = 65535;
	p.totalConstMem = 64 * 1024;
	p.major = 9;
	p.minor = 0;
	p.textureAlignment = 512;
	p.multiProcessorCount = 132;
	p.canMapHostMemory = 1;
	p.concurrentKernels = 1;
	p.ECCEnabled = 1;
	p.asyncEngineCount = 3;
	p.unifiedAddressing = 1;
	p.clockRate = 1980000;
	p.memoryClockRate = 2619000;
	p.memoryBusWidth = 5120;
	p.l2CacheSize = 50 << 20;
	p.persistingL2CacheMaxSize = 30 << 20;
	p.maxThreadsPerMultiProcessor = 2048;
	p.sharedMemPerMultiprocessor = 228 * 1024;
	p.regsPerMultiprocessor = 65536;
	p.managedMemory = 1;
	p.cooperativeLaunch = 1;
	p.sharedMemPerBlockOptin = max_dynamic_bytes;
	p.maxBlocksPerMultiProcessor = 32;
	p.reservedSharedMemPerBlock = 1024;
	p.memoryPoolsSupported = 1;
	if (is_hip)
		make_hip(p);
	return p;
}

const cudaDeviceProp &device_properties()
{
	static const cudaDeviceProp p = describe();
	return p;
}

/* STENCILC_RESIDENT: blocks resident at once, on all multiprocessors. */
static int resident_by_setting(int n)
{
	const char *s = getenv("STENCILC_RESIDENT");
	uint64_t each = s ? strtoull(s, nullptr, 0) /
		device_properties().multiProcessorCount : 0;

	return s && each < (uint64_t) n ? (int) each : n;
}

/* Blocks of "k" that fit on a multiprocessor; registers are not modelled. */
int resident_blocks(const kernel &k, int threads, size_t dynamic_bytes)
{
	const cudaDeviceProp &p = device_properties();
	int warps = (threads + warp_lanes - 1) / warp_lanes;
	int n = p.maxThreadsPerMultiProcessor / (int) warp_lanes /
		(warps ? warps : 1);
	size_t shared = k.static_bytes + dynamic_bytes;

	if (n > p.maxBlocksPerMultiProcessor)
		n = p.maxBlocksPerMultiProcessor;
	shared += p.reservedSharedMemPerBlock;
	if (shared && p.sharedMemPerMultiprocessor / shared < (size_t) n)
		n = p.sharedMemPerMultiprocessor / shared;
	return resident_by_setting(n);
}

}

using namespace stencilc_emu;


cudaError_t cudaGetDeviceCount(int *count)
{
	INJECT("cudaGetDeviceCount", cudaErrorNoDevice);
	if (!count)
		RETURN("cudaGetDeviceCount", cudaErrorInvalidValue);
	*count = 1;
	return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
	INJECT("cudaGetDevice", cudaErrorInsufficientDriver);
	if (!device)
		RETURN("cudaGetDevice", cudaErrorInvalidValue);
	*device = 0;
	return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
	INJECT("cudaSetDevice", cudaErrorInvalidDevice);
	RETURN("cudaSetDevice",
		device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaSetDeviceFlags(unsigned int)
{
	INJECT("cudaSetDeviceFlags", cudaErrorInvalidValue);
	return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device)
{
	INJECT("cudaGetDeviceProperties", cudaErrorInvalidDevice);
	if (device != 0)
		RETURN("cudaGetDeviceProperties", cudaErrorInvalidDevice);
	if (!p)
		RETURN("cudaGetDeviceProperties", cudaErrorInvalidValue);
	*p = device_properties();
	return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr a, int device)
{
	INJECT("cudaDeviceGetAttribute", cudaErrorInvalidDevice);
	if (device != 0)
		RETURN("cudaDeviceGetAttribute", cudaErrorInvalidDevice);
	if (!value)
		RETURN("cudaDeviceGetAttribute", cudaErrorInvalidValue);
	switch (a) {
#define ATTRIBUTE(name, number, member) \
	case number: *value = (int) device_properties().member; break;
#include "stencilc_emu_attributes.def"
#undef ATTRIBUTE
	default:
		RETURN("cudaDeviceGetAttribute", cudaErrorInvalidValue);
	}
	return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
	*version = CUDART_VERSION;
	return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
	*version = CUDART_VERSION;
	return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache)
{
	return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache)
{
	return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *entry, cudaFuncAttribute a,
	int value)
{
	INJECT("cudaFuncSetAttribute", cudaErrorInvalidValue);
	if (!entry || !is_program_text((address) entry))
		RETURN("cudaFuncSetAttribute", cudaErrorInvalidDeviceFunction);
	if (a != cudaFuncAttributeMaxDynamicSharedMemorySize)
		return cudaSuccess;
	kernel &k = kernel_at(entry, nullptr);
	if (value < 0 || value + k.static_bytes >
	    device_properties().sharedMemPerBlockOptin)
		RETURN("cudaFuncSetAttribute", cudaErrorInvalidValue);
	k.max_dynamic = value;
	return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, const void *entry)
{
	INJECT("cudaFuncGetAttributes", cudaErrorInvalidDeviceFunction);
	if (!a)
		RETURN("cudaFuncGetAttributes", cudaErrorInvalidValue);
	if (!entry || !is_program_text((address) entry))
		RETURN("cudaFuncGetAttributes",
			cudaErrorInvalidDeviceFunction);
	kernel &k = kernel_at(entry, nullptr);
	memset(a, 0, sizeof *a);
	a->sharedSizeBytes = k.static_bytes;
	a->maxThreadsPerBlock = k.max_threads;
	a->numRegs = 32;
	a->ptxVersion = a->binaryVersion = 90;
	a->maxDynamicSharedSizeBytes = k.max_dynamic;
	a->preferredShmemCarveout = -1;
	return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
	const void *entry, int threads, size_t dynamic_bytes)
{
	const char *call = "cudaOccupancyMaxActiveBlocksPerMultiprocessor";

	INJECT(call, cudaErrorInvalidValue);
	if (!entry || !is_program_text((address) entry))
		RETURN(call, cudaErrorInvalidDeviceFunction);
	if (!blocks || threads < 1)
		RETURN(call, cudaErrorInvalidValue);
	kernel &k = kernel_at(entry, nullptr);
	*blocks = threads > (int) k.max_threads ? 0 :
		resident_blocks(k, threads, dynamic_bytes);
	return cudaSuccess;
}
