/* make_float4() and its family. */
#ifndef STENCILC_EMU_VECTOR_FUNCTIONS_H
#define STENCILC_EMU_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define STENCILC_EMU_MAKE(T, name) \
	static inline __attribute__((always_inline)) \
	name##1 make_##name##1(T x) { return name##1 { x }; } \
	static inline __attribute__((always_inline)) \
	name##2 make_##name##2(T x, T y) { return name##2 { x, y }; } \
	static inline __attribute__((always_inline)) \
	name##3 make_##name##3(T x, T y, T z) { return name##3 { x, y, z }; } \
	static inline __attribute__((always_inline)) \
	name##4 make_##name##4(T x, T y, T z, T w) \
	{ return name##4 { x, y, z, w }; }

STENCILC_EMU_MAKE(signed char, char)
STENCILC_EMU_MAKE(unsigned char, uchar)
STENCILC_EMU_MAKE(short, short)
STENCILC_EMU_MAKE(unsigned short, ushort)
STENCILC_EMU_MAKE(int, int)
STENCILC_EMU_MAKE(unsigned int, uint)
STENCILC_EMU_MAKE(long, long)
STENCILC_EMU_MAKE(unsigned long, ulong)
STENCILC_EMU_MAKE(long long, longlong)
STENCILC_EMU_MAKE(unsigned long long, ulonglong)
STENCILC_EMU_MAKE(float, float)
STENCILC_EMU_MAKE(double, double)

#undef STENCILC_EMU_MAKE

#endif
