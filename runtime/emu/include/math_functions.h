/* Device mathematics beyond <math.h>. Contraction is off: an operation rounds
 * once, as written.
 */
#ifndef STENCILC_EMU_MATH_FUNCTIONS_H
#define STENCILC_EMU_MATH_FUNCTIONS_H

#include <math.h>
#include <stdlib.h>

#define STENCILC_EMU_MATH static inline __attribute__((always_inline))

STENCILC_EMU_MATH float __fadd_rn(float a, float b) { return a + b; }
STENCILC_EMU_MATH float __fsub_rn(float a, float b) { return a - b; }
STENCILC_EMU_MATH float __fmul_rn(float a, float b) { return a * b; }
STENCILC_EMU_MATH float __fdiv_rn(float a, float b) { return a / b; }
STENCILC_EMU_MATH float __frcp_rn(float a) { return 1.0f / a; }
STENCILC_EMU_MATH float __fsqrt_rn(float a) { return sqrtf(a); }
STENCILC_EMU_MATH float __frsqrt_rn(float a) { return 1.0f / sqrtf(a); }
STENCILC_EMU_MATH float __fmaf_rn(float a, float b, float c)
{
	return fmaf(a, b, c);
}
STENCILC_EMU_MATH double __dadd_rn(double a, double b) { return a + b; }
STENCILC_EMU_MATH double __dsub_rn(double a, double b) { return a - b; }
STENCILC_EMU_MATH double __dmul_rn(double a, double b) { return a * b; }
STENCILC_EMU_MATH double __ddiv_rn(double a, double b) { return a / b; }
STENCILC_EMU_MATH double __drcp_rn(double a) { return 1.0 / a; }
STENCILC_EMU_MATH double __dsqrt_rn(double a) { return sqrt(a); }
STENCILC_EMU_MATH double __fma_rn(double a, double b, double c)
{
	return fma(a, b, c);
}

/* CUDA's approximations, computed exactly.  Macros, because the C library
 * declares some of the names.
 */
STENCILC_EMU_MATH float __fdividef(float a, float b) { return a / b; }
STENCILC_EMU_MATH float fdividef(float a, float b) { return a / b; }
#define __expf(a) expf(a)
#define __exp10f(a) powf(10.0f, a)
#define __logf(a) logf(a)
#define __log2f(a) log2f(a)
#define __log10f(a) log10f(a)
#define __powf(a, b) powf(a, b)
#define __sinf(a) sinf(a)
#define __cosf(a) cosf(a)
#define __tanf(a) tanf(a)
STENCILC_EMU_MATH float __saturatef(float a)
{
	return a > 0.0f ? a < 1.0f ? a : 1.0f : 0.0f;
}
STENCILC_EMU_MATH float rsqrtf(float a) { return 1.0f / sqrtf(a); }
STENCILC_EMU_MATH double rsqrt(double a) { return 1.0 / sqrt(a); }
STENCILC_EMU_MATH float rcbrtf(float a) { return 1.0f / cbrtf(a); }
STENCILC_EMU_MATH double rcbrt(double a) { return 1.0 / cbrt(a); }
STENCILC_EMU_MATH float sinpif(float a)
{
	return (float) sin(a * 3.14159265358979323846);
}
STENCILC_EMU_MATH float cospif(float a)
{
	return (float) cos(a * 3.14159265358979323846);
}

/* Bits. */
STENCILC_EMU_MATH float __int_as_float(int a)
{
	float f;
	__builtin_memcpy(&f, &a, 4);
	return f;
}
STENCILC_EMU_MATH int __float_as_int(float f)
{
	int a;
	__builtin_memcpy(&a, &f, 4);
	return a;
}
STENCILC_EMU_MATH float __uint_as_float(unsigned a)
{
	return __int_as_float((int) a);
}
STENCILC_EMU_MATH unsigned __float_as_uint(float f)
{
	return (unsigned) __float_as_int(f);
}
STENCILC_EMU_MATH long long __double_as_longlong(double d)
{
	long long a;
	__builtin_memcpy(&a, &d, 8);
	return a;
}
STENCILC_EMU_MATH double __longlong_as_double(long long a)
{
	double d;
	__builtin_memcpy(&d, &a, 8);
	return d;
}
STENCILC_EMU_MATH int __popc(unsigned a) { return __builtin_popcount(a); }
STENCILC_EMU_MATH int __popcll(unsigned long long a)
{
	return __builtin_popcountll(a);
}
STENCILC_EMU_MATH int __clz(int a) { return a ? __builtin_clz(a) : 32; }
STENCILC_EMU_MATH int __clzll(long long a)
{
	return a ? __builtin_clzll(a) : 64;
}
STENCILC_EMU_MATH int __ffs(int a) { return __builtin_ffs(a); }
STENCILC_EMU_MATH int __ffsll(long long a) { return __builtin_ffsll(a); }
STENCILC_EMU_MATH int __mul24(int a, int b) { return a * b; }
STENCILC_EMU_MATH unsigned __umul24(unsigned a, unsigned b) { return a * b; }
STENCILC_EMU_MATH int __mulhi(int a, int b)
{
	return (int) (((long long) a * b) >> 32);
}
STENCILC_EMU_MATH unsigned __umulhi(unsigned a, unsigned b)
{
	return (unsigned) (((unsigned long long) a * b) >> 32);
}

/* Conversions with rounding. */
STENCILC_EMU_MATH int __float2int_rn(float a) { return (int) rintf(a); }
STENCILC_EMU_MATH int __float2int_rz(float a) { return (int) a; }
STENCILC_EMU_MATH int __float2int_rd(float a) { return (int) floorf(a); }
STENCILC_EMU_MATH int __float2int_ru(float a) { return (int) ceilf(a); }
STENCILC_EMU_MATH float __int2float_rn(int a) { return (float) a; }
STENCILC_EMU_MATH float __double2float_rn(double a) { return (float) a; }

/* min() and max() in the global namespace, for each arithmetic type. */
#define STENCILC_EMU_MINMAX(T) \
	STENCILC_EMU_MATH T min(T a, T b) { return b < a ? b : a; } \
	STENCILC_EMU_MATH T max(T a, T b) { return a < b ? b : a; }
STENCILC_EMU_MINMAX(int)
STENCILC_EMU_MINMAX(unsigned int)
STENCILC_EMU_MINMAX(long)
STENCILC_EMU_MINMAX(unsigned long)
STENCILC_EMU_MINMAX(long long)
STENCILC_EMU_MINMAX(unsigned long long)
#undef STENCILC_EMU_MINMAX
STENCILC_EMU_MATH float min(float a, float b) { return fminf(a, b); }
STENCILC_EMU_MATH float max(float a, float b) { return fmaxf(a, b); }
STENCILC_EMU_MATH double min(double a, double b) { return fmin(a, b); }
STENCILC_EMU_MATH double max(double a, double b) { return fmax(a, b); }

/* A pair of different types, in the type in which CUDA computes it. */
#define STENCILC_EMU_MINMAX(T, A, B) \
	STENCILC_EMU_MATH T min(A a, B b) { return min((T) a, (T) b); } \
	STENCILC_EMU_MATH T max(A a, B b) { return max((T) a, (T) b); }
STENCILC_EMU_MINMAX(unsigned int, int, unsigned int)
STENCILC_EMU_MINMAX(unsigned int, unsigned int, int)
STENCILC_EMU_MINMAX(unsigned long, long, unsigned long)
STENCILC_EMU_MINMAX(unsigned long, unsigned long, long)
STENCILC_EMU_MINMAX(unsigned long long, long long, unsigned long long)
STENCILC_EMU_MINMAX(unsigned long long, unsigned long long, long long)
STENCILC_EMU_MINMAX(double, float, double)
STENCILC_EMU_MINMAX(double, double, float)
#undef STENCILC_EMU_MINMAX

#endif
