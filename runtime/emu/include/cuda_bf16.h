/* Numbers of 16 bits, the upper half of a float: the type and its conversions, rounded to the
 * nearest, of two to the even one.
 */
#ifndef STENCILC_EMU_CUDA_BF16_H
#define STENCILC_EMU_CUDA_BF16_H

#include <stdint.h>
#include <string.h>

struct __nv_bfloat16_raw {
	unsigned short x;
};

struct __nv_bfloat16 {
	unsigned short bits;

	__nv_bfloat16() = default;
	inline __nv_bfloat16(float value);
	__nv_bfloat16(double value) : __nv_bfloat16((float) value) {}
	__nv_bfloat16(int value) : __nv_bfloat16((float) value) {}
	__nv_bfloat16(__nv_bfloat16_raw raw) : bits(raw.x) {}
	operator __nv_bfloat16_raw() const
	{
		return __nv_bfloat16_raw { bits };
	}
	inline operator float() const;
};

inline __nv_bfloat16::__nv_bfloat16(float value)
{
	uint32_t u;

	memcpy(&u, &value, sizeof(u));
	u += 0x7fff + (u >> 16 & 1);
	bits = value != value ? 0x7fff : (unsigned short) (u >> 16);
}

inline __nv_bfloat16::operator float() const
{
	uint32_t u = (uint32_t) bits << 16;
	float f;

	memcpy(&f, &u, sizeof(f));
	return f;
}

static inline __nv_bfloat16 __float2bfloat16(float a)
{
	return __nv_bfloat16(a);
}

static inline __nv_bfloat16 __float2bfloat16_rn(float a)
{
	return __nv_bfloat16(a);
}

static inline float __bfloat162float(__nv_bfloat16 a)
{
	return (float) a;
}

typedef __nv_bfloat16 nv_bfloat16;

#endif
