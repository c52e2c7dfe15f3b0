/* Atomics.  Threads switch only where they wait, so plain operations are atomic
 * here; the checker learns which ones they were.
 */
#include "emu.h"

namespace stencilc_emu {

template <class T, class F>
static inline T update(T *p, const void *pc, F f)
{
	if (checking || measuring)
		check_atomic(p, sizeof *p, pc);
	T old = *p;
	*p = f(old);
	return old;
}

}

using stencilc_emu::update;

#define ATOMIC(T, name, expression) \
	T name(T *p, T v) \
	{ \
		return update(p, __builtin_return_address(0), \
			[=](T old) -> T { (void) old; return expression; }); \
	} \
	T name##_block(T *p, T v) \
	{ \
		return update(p, __builtin_return_address(0), \
			[=](T old) -> T { (void) old; return expression; }); \
	} \
	T name##_system(T *p, T v) \
	{ \
		return update(p, __builtin_return_address(0), \
			[=](T old) -> T { (void) old; return expression; }); \
	}

#define ATOMIC_INTEGER(T) \
	ATOMIC(T, atomicAdd, old + v) \
	ATOMIC(T, atomicSub, old - v) \
	ATOMIC(T, atomicExch, v) \
	ATOMIC(T, atomicMin, v < old ? v : old) \
	ATOMIC(T, atomicMax, old < v ? v : old) \
	ATOMIC(T, atomicAnd, old & v) \
	ATOMIC(T, atomicOr, old | v) \
	ATOMIC(T, atomicXor, old ^ v) \
	T atomicCAS(T *p, T compare, T v) \
	{ \
		return update(p, __builtin_return_address(0), \
			[=](T old) -> T { return old == compare ? v : old; }); \
	}

ATOMIC_INTEGER(int)
ATOMIC_INTEGER(unsigned int)
ATOMIC_INTEGER(long long)
ATOMIC_INTEGER(unsigned long long)
ATOMIC(float, atomicAdd, old + v)
ATOMIC(double, atomicAdd, old + v)
ATOMIC(float, atomicExch, v)

unsigned int atomicInc(unsigned int *p, unsigned int v)
{
	return update(p, __builtin_return_address(0),
		[=](unsigned int old) { return old >= v ? 0 : old + 1; });
}

unsigned int atomicDec(unsigned int *p, unsigned int v)
{
	return update(p, __builtin_return_address(0),
		[=](unsigned int old) {
			return old == 0 || old > v ? v : old - 1;
		});
}
