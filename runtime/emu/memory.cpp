/* Device memory: one reserved range of addresses, from which allocations are
 * cut.  Unallocated memory cannot be touched; freed memory is not reused until
 * the range is exhausted, so that a stale pointer stays stale.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <map>

#include "call.h"

namespace stencilc_emu {

extern "C" {
address stencilc_emu_arena_start;
size_t stencilc_emu_arena_bytes;
}

typedef std::map<address, allocation> allocations;

static allocations *live, *freed;
static address arena_next;
static size_t used_bytes;
static unsigned long allocations_so_far;
static const size_t page = 4096;

void reserve_arena()
{
	live = new allocations();
	freed = new allocations();
	for (size_t bytes = (size_t) 1 << 38; bytes >= 1 << 20; bytes /= 2) {
		void *p = mmap(nullptr, bytes, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p == MAP_FAILED)
			continue;
		stencilc_emu_arena_start = (address) p;
		stencilc_emu_arena_bytes = bytes;
		arena_next = (address) p + page;
		check_start();
		return;
	}
	say("cannot reserve addresses for device memory");
	_exit(9);
}

static const allocation *find(const allocations *m, address a)
{
	if (!m)
		return nullptr;
	auto i = m->upper_bound(a);
	if (i == m->begin())
		return nullptr;
	--i;
	return a - i->first < i->second.bytes ? &i->second : nullptr;
}

const allocation *allocation_at(address a)
{
	return find(live, a);
}

const allocation *freed_at(address a)
{
	return find(freed, a);
}

/* The last live allocation that begins before "a". */
const allocation *allocation_before(address a)
{
	auto i = live->upper_bound(a);

	return i == live->begin() ? nullptr : &(--i)->second;
}

void each_allocation(void (*f)(const allocation &))
{
	for (const auto &i : *live)
		f(i.second);
}

static size_t extent(size_t bytes)
{
	return (bytes + page - 1) / page * page + page;
}

/* Addresses for "bytes" bytes, with an inaccessible page behind them. */
static address take_addresses(size_t bytes)
{
	address end = stencilc_emu_arena_start + stencilc_emu_arena_bytes;

	if (arena_next + extent(bytes) <= end) {
		address a = arena_next;
		arena_next += extent(bytes);
		return a;
	}
	for (auto i = freed->begin(); i != freed->end(); ++i)
		if (extent(i->second.bytes) == extent(bytes)) {
			address a = i->first;
			freed->erase(i);
			return a;
		}
	return 0;
}

/* New device memory holds nothing reliable: all bits are set, which is a NaN. */
static cudaError_t allocate(void **p, allocation n)
{
	size_t most = device_properties().totalGlobalMem;

	if (!p)
		return cudaErrorInvalidValue;
	*p = nullptr;
	if (!n.bytes)
		return cudaSuccess;
	if (!n.on_host && (n.bytes > most || n.bytes > most - used_bytes))
		return cudaErrorMemoryAllocation;
	n.start = take_addresses(n.bytes);
	if (!n.start || mprotect((void *) n.start, extent(n.bytes) - page,
	    PROT_READ | PROT_WRITE))
		return cudaErrorMemoryAllocation;
	memset((void *) n.start, 0xff, n.bytes);
	(*live)[n.start] = n;
	allocations_so_far++;
	if (!n.on_host)
		used_bytes += n.bytes;
	check_allocated(n, n.on_host);
	*p = (void *) n.start;
	return cudaSuccess;
}

/* Free "p", which must be of the kind that the call frees. */
static cudaError_t release(void *p, bool on_host)
{
	if (!p)
		return cudaSuccess;
	auto i = live->find((address) p);
	if (i == live->end() || i->second.on_host != on_host)
		return cudaErrorInvalidValue;
	allocation a = i->second;
	check_freed(a);
	if (!a.on_host)
		used_bytes -= a.bytes;
	live->erase(i);
	(*freed)[a.start] = a;
	madvise(p, extent(a.bytes) - page, MADV_DONTNEED);
	mprotect(p, extent(a.bytes) - page, PROT_NONE);
	return cudaSuccess;
}

static cudaError_t allocate_device(void **p, size_t bytes, const void *site)
{
	return allocate(p, { 0, bytes, site, false, false });
}

static cudaError_t allocate_host(void **p, size_t bytes, const void *site)
{
	return allocate(p, { 0, bytes, site, true, false });
}

static void release_all()
{
	while (!live->empty()) {
		const allocation &a = live->begin()->second;
		release((void *) a.start, a.on_host);
	}
}

}

using namespace stencilc_emu;

unsigned long stencilc_emu_allocations(void)
{
	return allocations_so_far;
}

cudaError_t cudaMalloc(void **p, size_t bytes)
{
	INJECT("cudaMalloc", cudaErrorMemoryAllocation);
	FORBID("cudaMalloc");
	RETURN("cudaMalloc", allocate_device(p, bytes, SITE));
}

cudaError_t cudaMallocManaged(void **p, size_t bytes, unsigned int)
{
	INJECT("cudaMallocManaged", cudaErrorMemoryAllocation);
	FORBID("cudaMallocManaged");
	RETURN("cudaMallocManaged",
		allocate(p, { 0, bytes, SITE, true, true }));
}

cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width,
	size_t height)
{
	INJECT("cudaMallocPitch", cudaErrorMemoryAllocation);
	FORBID("cudaMallocPitch");
	if (!pitch)
		RETURN("cudaMallocPitch", cudaErrorInvalidValue);
	*pitch = (width + 511) / 512 * 512;
	RETURN("cudaMallocPitch", allocate_device(p, *pitch * height, SITE));
}

/* CUDA would allocate when the graph is launched; graphs here do not. */
cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t stream)
{
	INJECT("cudaMallocAsync", cudaErrorMemoryAllocation);
	FORBID("cudaMallocAsync", stream);
	if (!is_stream(stream))
		RETURN("cudaMallocAsync", cudaErrorInvalidResourceHandle);
	RETURN("cudaMallocAsync", allocate_device(p, bytes, SITE));
}

cudaError_t cudaMallocFromPoolAsync(void **p, size_t bytes, cudaMemPool_t,
	cudaStream_t stream)
{
	INJECT("cudaMallocFromPoolAsync", cudaErrorMemoryAllocation);
	FORBID("cudaMallocFromPoolAsync", stream);
	if (!is_stream(stream))
		RETURN("cudaMallocFromPoolAsync",
			cudaErrorInvalidResourceHandle);
	RETURN("cudaMallocFromPoolAsync", allocate_device(p, bytes, SITE));
}

/* A call that frees does so despite an injected failure: the program could not
 * prevent a leak.
 */
cudaError_t cudaFree(void *p)
{
	bool fails = must_fail("cudaFree", SITE);

	FORBID("cudaFree");
	const allocation *a = p ? allocation_at((address) p) : nullptr;
	cudaError_t e = release(p, a && a->is_managed);

	RETURN("cudaFree", fails ? cudaErrorLaunchFailure : e);
}

cudaError_t cudaFreeAsync(void *p, cudaStream_t stream)
{
	bool fails = must_fail("cudaFreeAsync", SITE);

	FORBID("cudaFreeAsync", stream);
	if (!is_stream(stream))
		RETURN("cudaFreeAsync", cudaErrorInvalidResourceHandle);
	if (!p)
		RETURN("cudaFreeAsync", cudaErrorInvalidValue);
	cudaError_t e = release(p, false);
	RETURN("cudaFreeAsync", fails ? cudaErrorLaunchFailure : e);
}

cudaError_t cudaMallocHost(void **p, size_t bytes)
{
	INJECT("cudaMallocHost", cudaErrorMemoryAllocation);
	FORBID("cudaMallocHost");
	RETURN("cudaMallocHost", allocate_host(p, bytes, SITE));
}

cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned int)
{
	INJECT("cudaHostAlloc", cudaErrorMemoryAllocation);
	FORBID("cudaHostAlloc");
	RETURN("cudaHostAlloc", allocate_host(p, bytes, SITE));
}

cudaError_t cudaFreeHost(void *p)
{
	bool fails = must_fail("cudaFreeHost", SITE);

	FORBID("cudaFreeHost");
	cudaError_t e = release(p, true);

	RETURN("cudaFreeHost", fails ? cudaErrorLaunchFailure : e);
}

cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned int)
{
	INJECT("cudaHostRegister", cudaErrorMemoryAllocation);
	FORBID("cudaHostRegister");
	RETURN("cudaHostRegister",
		p && bytes ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaHostUnregister(void *p)
{
	INJECT("cudaHostUnregister", cudaErrorLaunchFailure);
	FORBID("cudaHostUnregister");
	RETURN("cudaHostUnregister", p ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
	INJECT("cudaMemGetInfo", cudaErrorLaunchFailure);
	if (!free_bytes || !total_bytes)
		RETURN("cudaMemGetInfo", cudaErrorInvalidValue);
	*total_bytes = device_properties().totalGlobalMem;
	*free_bytes = *total_bytes - used_bytes;
	return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *a, const void *p)
{
	INJECT("cudaPointerGetAttributes", cudaErrorInvalidValue);
	if (!a)
		RETURN("cudaPointerGetAttributes", cudaErrorInvalidValue);
	const allocation *m = allocation_at((address) p);
	a->type = !m ? cudaMemoryTypeUnregistered :
		m->is_managed ? cudaMemoryTypeManaged :
		m->on_host ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
	a->device = m ? 0 : -1;
	a->devicePointer = m ? (void *) p : nullptr;
	a->hostPointer = m && !m->on_host ? nullptr : (void *) p;
	return cudaSuccess;
}

/* There is one pool, with nothing to tune. */
static cudaMemPool_t the_pool()
{
	static char pool;
	return (cudaMemPool_t) &pool;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
	INJECT("cudaDeviceGetDefaultMemPool", cudaErrorInvalidDevice);
	if (!pool)
		RETURN("cudaDeviceGetDefaultMemPool", cudaErrorInvalidValue);
	if (device != 0)
		RETURN("cudaDeviceGetDefaultMemPool", cudaErrorInvalidDevice);
	*pool = the_pool();
	return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
	return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr,
	void *value)
{
	INJECT("cudaMemPoolSetAttribute", cudaErrorInvalidValue);
	RETURN("cudaMemPoolSetAttribute", pool == the_pool() && value ?
		cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr a,
	void *value)
{
	INJECT("cudaMemPoolGetAttribute", cudaErrorInvalidValue);
	if (pool != the_pool() || !value)
		RETURN("cudaMemPoolGetAttribute", cudaErrorInvalidValue);
	if (a >= cudaMemPoolAttrReleaseThreshold)
		*(uint64_t *) value = a >= cudaMemPoolAttrReservedMemCurrent ?
			used_bytes : 0;
	else
		*(int *) value = 1;
	return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t)
{
	INJECT("cudaMemPoolTrimTo", cudaErrorInvalidValue);
	FORBID("cudaMemPoolTrimTo");
	RETURN("cudaMemPoolTrimTo",
		pool == the_pool() ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceReset(void)
{
	INJECT("cudaDeviceReset", cudaErrorLaunchFailure);
	FORBID("cudaDeviceReset");
	release_all();
	return cudaSuccess;
}
