/* The part of CUDA's runtime API that the emulator supports. */
#ifndef STENCILC_EMU_CUDA_RUNTIME_API_H
#define STENCILC_EMU_CUDA_RUNTIME_API_H

#include <stddef.h>

#include "driver_types.h"
#include "vector_types.h"

#define CUDART_VERSION	13000
#define CUDART_CB

extern "C" {

/* errors */
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t e);
const char *cudaGetErrorString(cudaError_t e);

/* devices */
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr a,
	int device);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache c);

/* memory */
cudaError_t cudaMalloc(void **p, size_t bytes);
cudaError_t cudaFree(void *p);
cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width,
	size_t height);
cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t stream);
cudaError_t cudaMallocFromPoolAsync(void **p, size_t bytes,
	cudaMemPool_t pool, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *p, cudaStream_t stream);
cudaError_t cudaMallocManaged(void **p, size_t bytes,
	unsigned int flags = cudaMemAttachGlobal);
cudaError_t cudaMallocHost(void **p, size_t bytes);
cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned int flags);
cudaError_t cudaFreeHost(void *p);
cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void *p);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a,
	const void *p);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool,
	enum cudaMemPoolAttr a, void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool,
	enum cudaMemPoolAttr a, void *value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);

/* copies */
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
	enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
	enum cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from,
	size_t from_pitch, size_t width, size_t height,
	enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
	size_t from_pitch, size_t width, size_t height,
	enum cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemset(void *to, int byte, size_t bytes);
cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes,
	cudaStream_t stream = 0);
cudaError_t cudaMemset2D(void *to, size_t pitch, int byte, size_t width,
	size_t height);

/* streams and events */
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream,
	unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream,
	unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
	unsigned int flags = 0);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from,
	cudaEvent_t to);

/* capture and graphs */
cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
	enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
	enum cudaStreamCaptureStatus *status);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable,
	cudaGraph_t graph, unsigned long long flags = 0);
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable);

}

/* kernels; "kernel" is its address */
cudaError_t cudaFuncSetAttribute(const void *kernel,
	enum cudaFuncAttribute a, int value);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a,
	const void *kernel);
cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache c);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
	const void *kernel, int threads, size_t dynamic_bytes);

template <class... P> inline cudaError_t cudaFuncSetAttribute(
	void (*kernel)(P...), enum cudaFuncAttribute a, int value)
{
	return cudaFuncSetAttribute((const void *) kernel, a, value);
}

template <class... P> inline cudaError_t cudaFuncGetAttributes(
	struct cudaFuncAttributes *a, void (*kernel)(P...))
{
	return cudaFuncGetAttributes(a, (const void *) kernel);
}

template <class... P> inline cudaError_t cudaFuncSetCacheConfig(
	void (*kernel)(P...), enum cudaFuncCache c)
{
	return cudaFuncSetCacheConfig((const void *) kernel, c);
}

template <class... P>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
	void (*kernel)(P...), int threads, size_t dynamic_bytes)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks,
		(const void *) kernel, threads, dynamic_bytes);
}

/* C++ conveniences of CUDA's own header; inlined, so that the runtime sees the
 * place of the user's call
 */
#define STENCILC_EMU_INLINE inline __attribute__((always_inline))

STENCILC_EMU_INLINE cudaError_t cudaEventCreate(cudaEvent_t *event)
{
	return cudaEventCreateWithFlags(event, cudaEventDefault);
}

STENCILC_EMU_INLINE cudaError_t cudaEventCreate(cudaEvent_t *event,
	unsigned int flags)
{
	return cudaEventCreateWithFlags(event, flags);
}

STENCILC_EMU_INLINE cudaError_t cudaGraphInstantiate(
	cudaGraphExec_t *executable, cudaGraph_t graph,
	unsigned long long flags = 0)
{
	return cudaGraphInstantiateWithFlags(executable, graph, flags);
}

template <class T> STENCILC_EMU_INLINE
cudaError_t cudaMalloc(T **p, size_t bytes)
{
	return cudaMalloc((void **) p, bytes);
}

template <class T> STENCILC_EMU_INLINE
cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height)
{
	return cudaMallocPitch((void **) p, pitch, width, height);
}

template <class T> STENCILC_EMU_INLINE
cudaError_t cudaMallocAsync(T **p, size_t bytes, cudaStream_t stream)
{
	return cudaMallocAsync((void **) p, bytes, stream);
}

template <class T> STENCILC_EMU_INLINE
cudaError_t cudaMallocManaged(T **p, size_t bytes,
	unsigned int flags = cudaMemAttachGlobal)
{
	return cudaMallocManaged((void **) p, bytes, flags);
}

template <class T> STENCILC_EMU_INLINE
cudaError_t cudaMallocHost(T **p, size_t bytes)
{
	return cudaMallocHost((void **) p, bytes);
}

template <class T> STENCILC_EMU_INLINE
cudaError_t cudaHostAlloc(T **p, size_t bytes, unsigned int flags)
{
	return cudaHostAlloc((void **) p, bytes, flags);
}

/* Copies to and from __device__ and __constant__ variables. */
extern "C" cudaError_t stencilc_emu_to_symbol(const void *symbol,
	size_t symbol_bytes, const void *from, size_t bytes, size_t offset,
	enum cudaMemcpyKind kind);
extern "C" cudaError_t stencilc_emu_from_symbol(void *to, const void *symbol,
	size_t symbol_bytes, size_t bytes, size_t offset,
	enum cudaMemcpyKind kind);

template <class T> STENCILC_EMU_INLINE
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from,
	size_t bytes, size_t offset = 0,
	enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
	return stencilc_emu_to_symbol(&symbol, sizeof symbol, from, bytes,
		offset, kind);
}

template <class T> STENCILC_EMU_INLINE
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from,
	size_t bytes, size_t offset, enum cudaMemcpyKind kind,
	cudaStream_t = 0)
{
	return stencilc_emu_to_symbol(&symbol, sizeof symbol, from, bytes,
		offset, kind);
}

template <class T> STENCILC_EMU_INLINE
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes,
	size_t offset = 0, enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
	return stencilc_emu_from_symbol(to, &symbol, sizeof symbol, bytes,
		offset, kind);
}

template <class T>
inline cudaError_t cudaGetSymbolAddress(void **p, const T &symbol)
{
	*p = (void *) &symbol;
	return cudaSuccess;
}

template <class T>
inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
	*bytes = sizeof symbol;
	return cudaSuccess;
}

#endif
