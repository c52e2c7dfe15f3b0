/* GPUs' approximations, with the largest errors that their manuals allow: NVIDIA's PTX manual
 * gives relative errors or units in the last place, AMD's manuals are those of its instruction
 * sets.  Too large and too small values alternate irregularly; with
 * -DSTENCILC_EMU_APPROXIMATIONS=1 all are too large, with -1 too small.
 */
#ifndef STENCILC_EMU_APPROXIMATIONS_H
#define STENCILC_EMU_APPROXIMATIONS_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#ifndef STENCILC_EMU_APPROXIMATIONS
#define STENCILC_EMU_APPROXIMATIONS 0
#endif

namespace stencilc_emu {

/* 1 or -1 */
inline int direction(double a)
{
	uint64_t bits;

	if (STENCILC_EMU_APPROXIMATIONS)
		return STENCILC_EMU_APPROXIMATIONS;
	memcpy(&bits, &a, sizeof(bits));
	return bits * 0x9e3779b97f4a7c15u >> 63 ? 1 : -1;
}

/* Flush denormal numbers to zero. */
template <class T> inline T flushed(T a, T least)
{
	return fabs(a) < least ? copysign((T) 0, a) : a;
}

inline bool is_special(double exact)
{
	return exact == 0 || isinf(exact) || isnan(exact);
}

/* The float farthest from "exact", up to "error" of it, for the argument "a". */
inline float off_by(double exact, double error, float a)
{
	double worst = exact + direction(a) * error;
	float f = (float) worst;

	if (is_special(exact))
		return (float) exact;
	if (fabs((double) f - exact) > error)
		f = nextafterf(f, (float) exact);
	return flushed(f, FLT_MIN);
}

inline double ulp_of(double exact)
{
	return is_special(exact) ? 0 : ldexp(1, ilogb(exact) - 23);
}

/* The double farthest from "exact", up to "error" times it, that has zeros in
 * its lower half.
 */
inline double upper_off_by(double exact, double error, double a)
{
	int to = direction(a);
	double worst = exact * (1 + to * error);
	uint64_t bits;

	if (is_special(exact) || isinf(worst))
		return exact;
	memcpy(&bits, &worst, sizeof(bits));
	if (to < 0)
		bits += 0xffffffffu;
	bits &= ~(uint64_t) 0xffffffffu;
	memcpy(&worst, &bits, sizeof(bits));
	return flushed(worst, DBL_MIN);
}

inline float rcp_approx_ftz_f32(float a)
{
	double exact = 1 / (double) flushed(a, FLT_MIN);

	return off_by(exact, ulp_of(exact), a);
}

inline float rsqrt_approx_ftz_f32(float a)
{
	double exact = 1 / sqrt((double) flushed(a, FLT_MIN));

	return off_by(exact, exact * 0x1.125fbep-23, a);	/* 2^-22.9 */
}

inline float sqrt_approx_ftz_f32(float a)
{
	double exact = sqrt((double) flushed(a, FLT_MIN));

	return off_by(exact, exact * 0x1p-23, a);
}

/* The manual gives no bound for doubles: the instruction ignores half of the
 * argument, and half of the result is zero.
 */
inline double rcp_approx_ftz_f64(double a)
{
	return upper_off_by(1 / flushed(a, DBL_MIN), 0x1p-19, a);
}

inline double rsqrt_approx_ftz_f64(double a)
{
	return upper_off_by(1 / sqrt(flushed(a, DBL_MIN)), 0x1p-19, a);
}

/* AMD's */

inline float amd_rsqf(float a)
{
	double exact = 1 / sqrt((double) a);

	return off_by(exact, ulp_of(exact), a);
}

inline float amd_sqrtf(float a)
{
	double exact = sqrt((double) a);

	return off_by(exact, ulp_of(exact), a);
}

inline double amd_rcp(double a)
{
	return 1 / a * (1 + direction(a) * 0x1p-23);
}

inline double amd_rsq(double a)
{
	return 1 / sqrt(a) * (1 + direction(a) * 0x1p-23);
}

}

#endif
