/* For device code only: indices, barriers, warps, atomics, caches. */
#ifndef STENCILC_EMU_DEVICE_FUNCTIONS_H
#define STENCILC_EMU_DEVICE_FUNCTIONS_H

#include "vector_types.h"

#define STENCILC_EMU_DEVICE static inline __attribute__((always_inline))

/* The runtime changes these between threads; no thread sees a change. */
extern "C" {
extern const uint3 threadIdx;
extern const uint3 blockIdx;
extern const dim3 blockDim;
extern const dim3 gridDim;
}
/* Threads of a warp; those of the HIP device that --offload-arch names. */
#ifndef STENCILC_EMU_LANES
#define STENCILC_EMU_LANES 32
#endif
static const int warpSize = STENCILC_EMU_LANES;

/* Barriers.  "line" distinguishes the barriers of a kernel. */
extern "C" {
void stencilc_emu_barrier(int line);
int stencilc_emu_barrier_count(int line, int predicate);
int stencilc_emu_barrier_and(int line, int predicate);
int stencilc_emu_barrier_or(int line, int predicate);
}

STENCILC_EMU_DEVICE void __syncthreads(int line = __builtin_LINE())
{
	stencilc_emu_barrier(line);
}

STENCILC_EMU_DEVICE int __syncthreads_count(int predicate,
	int line = __builtin_LINE())
{
	return stencilc_emu_barrier_count(line, predicate);
}

STENCILC_EMU_DEVICE int __syncthreads_and(int predicate,
	int line = __builtin_LINE())
{
	return stencilc_emu_barrier_and(line, predicate);
}

STENCILC_EMU_DEVICE int __syncthreads_or(int predicate,
	int line = __builtin_LINE())
{
	return stencilc_emu_barrier_or(line, predicate);
}

STENCILC_EMU_DEVICE void __threadfence() {}
STENCILC_EMU_DEVICE void __threadfence_block() {}
STENCILC_EMU_DEVICE void __threadfence_system() {}

/* Warps.  Lanes meet; each one leaves with what it asked for. */
typedef unsigned long long stencilc_emu_lanes;
extern "C" {
void stencilc_emu_syncwarp(stencilc_emu_lanes mask, int line);
stencilc_emu_lanes stencilc_emu_ballot(stencilc_emu_lanes mask, int predicate,
	int line);
int stencilc_emu_any(stencilc_emu_lanes mask, int predicate, int line);
int stencilc_emu_all(stencilc_emu_lanes mask, int predicate, int line);
stencilc_emu_lanes stencilc_emu_match(stencilc_emu_lanes mask,
	unsigned long long value, int line);
/* "function": 0 __shfl_sync, 1 .._up.., 2 .._down.., 3 .._xor.. */
unsigned long long stencilc_emu_shuffle(int function, stencilc_emu_lanes mask,
	unsigned long long value, int lane, int line);
stencilc_emu_lanes stencilc_emu_activemask(void);
int stencilc_emu_lane(void);
}

STENCILC_EMU_DEVICE void __syncwarp(stencilc_emu_lanes mask = 0xffffffffu,
	int line = __builtin_LINE())
{
	stencilc_emu_syncwarp(mask, line);
}

STENCILC_EMU_DEVICE unsigned __activemask()
{
	return stencilc_emu_activemask();
}

STENCILC_EMU_DEVICE unsigned __ballot_sync(stencilc_emu_lanes mask, int predicate,
	int line = __builtin_LINE())
{
	return stencilc_emu_ballot(mask, predicate, line);
}

STENCILC_EMU_DEVICE int __any_sync(stencilc_emu_lanes mask, int predicate,
	int line = __builtin_LINE())
{
	return stencilc_emu_any(mask, predicate, line);
}

STENCILC_EMU_DEVICE int __all_sync(stencilc_emu_lanes mask, int predicate,
	int line = __builtin_LINE())
{
	return stencilc_emu_all(mask, predicate, line);
}

template <class T> STENCILC_EMU_DEVICE
unsigned __match_any_sync(stencilc_emu_lanes mask, T value, int line = __builtin_LINE())
{
	unsigned long long bits = 0;
	__builtin_memcpy(&bits, &value, sizeof value);
	return stencilc_emu_match(mask, bits, line);
}

/* The value of lane "from", passed in 8 bytes. */
template <class T> STENCILC_EMU_DEVICE
T stencilc_emu_shuffle_value(int function, stencilc_emu_lanes mask, T value,
	int from, int line)
{
	static_assert(sizeof(T) <= 8, "shuffles move at most 8 bytes");
	unsigned long long bits = 0;
	__builtin_memcpy(&bits, &value, sizeof value);
	bits = stencilc_emu_shuffle(function, mask, bits, from, line);
	__builtin_memcpy(&value, &bits, sizeof value);
	return value;
}

template <class T> STENCILC_EMU_DEVICE
T __shfl_sync(stencilc_emu_lanes mask, T value, int from, int width = 32,
	int line = __builtin_LINE())
{
	int lane = stencilc_emu_lane();
	return stencilc_emu_shuffle_value(0, mask, value,
		(lane & -width) | (from & (width - 1)), line);
}

template <class T> STENCILC_EMU_DEVICE
T __shfl_up_sync(stencilc_emu_lanes mask, T value, unsigned delta, int width = 32,
	int line = __builtin_LINE())
{
	int lane = stencilc_emu_lane(), from = lane - (int) delta;
	if (from < (lane & -width))
		from = lane;
	return stencilc_emu_shuffle_value(1, mask, value, from, line);
}

template <class T> STENCILC_EMU_DEVICE
T __shfl_down_sync(stencilc_emu_lanes mask, T value, unsigned delta, int width = 32,
	int line = __builtin_LINE())
{
	int lane = stencilc_emu_lane(), from = lane + (int) delta;
	if (from > (lane | (width - 1)))
		from = lane;
	return stencilc_emu_shuffle_value(2, mask, value, from, line);
}

template <class T> STENCILC_EMU_DEVICE
T __shfl_xor_sync(stencilc_emu_lanes mask, T value, int lanes, int width = 32,
	int line = __builtin_LINE())
{
	int lane = stencilc_emu_lane(), from = lane ^ lanes;
	if (from > (lane | (width - 1)))
		from = lane;
	return stencilc_emu_shuffle_value(3, mask, value, from, line);
}

/* Loads and stores with a cache hint. */
#define STENCILC_EMU_LOAD(name) \
	template <class T> STENCILC_EMU_DEVICE T name(const T *p) \
	{ return *p; }
#define STENCILC_EMU_STORE(name) \
	template <class T> STENCILC_EMU_DEVICE void name(T *p, T value) \
	{ *p = value; }

STENCILC_EMU_LOAD(__ldg)
STENCILC_EMU_LOAD(__ldca)
STENCILC_EMU_LOAD(__ldcg)
STENCILC_EMU_LOAD(__ldcs)
STENCILC_EMU_LOAD(__ldcv)
STENCILC_EMU_LOAD(__ldlu)
STENCILC_EMU_STORE(__stcg)
STENCILC_EMU_STORE(__stcs)
STENCILC_EMU_STORE(__stwb)
STENCILC_EMU_STORE(__stwt)

#undef STENCILC_EMU_LOAD
#undef STENCILC_EMU_STORE

/* Atomics; defined in atomic.cpp. */
#define STENCILC_EMU_ATOMIC(T, name) T name(T *p, T value); \
	T name##_block(T *p, T value); T name##_system(T *p, T value);
#define STENCILC_EMU_ATOMIC_INTEGER(T) \
	STENCILC_EMU_ATOMIC(T, atomicAdd) STENCILC_EMU_ATOMIC(T, atomicSub) \
	STENCILC_EMU_ATOMIC(T, atomicExch) STENCILC_EMU_ATOMIC(T, atomicMin) \
	STENCILC_EMU_ATOMIC(T, atomicMax) STENCILC_EMU_ATOMIC(T, atomicAnd) \
	STENCILC_EMU_ATOMIC(T, atomicOr) STENCILC_EMU_ATOMIC(T, atomicXor) \
	T atomicCAS(T *p, T compare, T value);
STENCILC_EMU_ATOMIC_INTEGER(int)
STENCILC_EMU_ATOMIC_INTEGER(unsigned int)
STENCILC_EMU_ATOMIC_INTEGER(long long)
STENCILC_EMU_ATOMIC_INTEGER(unsigned long long)
STENCILC_EMU_ATOMIC(float, atomicAdd)
STENCILC_EMU_ATOMIC(double, atomicAdd)
STENCILC_EMU_ATOMIC(float, atomicExch)
unsigned int atomicInc(unsigned int *p, unsigned int limit);
unsigned int atomicDec(unsigned int *p, unsigned int limit);
#undef STENCILC_EMU_ATOMIC_INTEGER
#undef STENCILC_EMU_ATOMIC

/* The kind of memory that a pointer points to. */
extern "C" int stencilc_emu_is_shared(const void *p);
extern "C" int stencilc_emu_is_global(const void *p);
STENCILC_EMU_DEVICE unsigned __isShared(const void *p)
{
	return stencilc_emu_is_shared(p);
}
STENCILC_EMU_DEVICE unsigned __isGlobal(const void *p)
{
	return stencilc_emu_is_global(p);
}
extern "C" size_t __cvta_generic_to_shared(const void *p);

extern "C" long long clock64(void);
STENCILC_EMU_DEVICE void __nanosleep(unsigned) {}
STENCILC_EMU_DEVICE void __trap() { abort(); }

#endif
