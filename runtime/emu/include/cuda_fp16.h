/* Numbers of 16 bits, IEEE's: the type and its conversions, rounded to the nearest, of two to
 * the even one.
 */
#ifndef STENCILC_EMU_CUDA_FP16_H
#define STENCILC_EMU_CUDA_FP16_H

#include <stdint.h>
#include <string.h>

struct __half_raw {
	unsigned short x;
};

struct __half {
	unsigned short bits;

	__half() = default;
	inline __half(float value);
	__half(double value) : __half((float) value) {}
	__half(int value) : __half((float) value) {}
	__half(__half_raw raw) : bits(raw.x) {}
	operator __half_raw() const { return __half_raw { bits }; }
	inline operator float() const;
};

/* A subnormal is found by the addition of 1/2, of which the last bit is 2^-24, too. */
inline __half::__half(float value)
{
	uint32_t u, a, h;

	memcpy(&u, &value, sizeof(u));
	a = u & 0x7fffffff;
	if (a >= 0x47800000) {
		h = a > 0x7f800000 ? 0x7fff : 0x7c00;
	} else if (a < 0x38800000) {
		float f = (value < 0 ? -value : value) + 0.5f;

		memcpy(&h, &f, sizeof(h));
		h -= 0x3f000000;
	} else {
		h = (a - 0x38000000 + 0xfff + (a >> 13 & 1)) >> 13;
	}
	bits = (unsigned short) (a > 0x7f800000 ? h : (u >> 16 & 0x8000) | h);
}

inline __half::operator float() const
{
	uint32_t a = bits & 0x7fff, u;
	float f = (float) a * 5.9604644775390625e-8f;

	memcpy(&u, &f, sizeof(u));
	if (a >= 0x400)
		u = (a << 13) + (a < 0x7c00 ? 0x38000000 : 0x70000000);
	u |= (uint32_t) (bits & 0x8000) << 16;
	memcpy(&f, &u, sizeof(f));
	return f;
}

static inline __half __float2half(float a) { return __half(a); }
static inline __half __float2half_rn(float a) { return __half(a); }
static inline float __half2float(__half a) { return (float) a; }

typedef __half half;

#endif
