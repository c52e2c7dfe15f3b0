/* Roots of vectors, as emitted for C, beside sqrt(), and 1 over them, with estimates as bad as
 * processors may make them.  Tried are all floats of two binades and at the ends of the range, and doubles
 * at random.  Of doubles also those whose roots are nearest to the middle between two numbers, or just
 * below a power of two, where 1 over them is so.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define STENCILC_VECTOR __attribute__((vector_size(64)))
#define STENCILC_DIVIDER 2
typedef float floats STENCILC_VECTOR;
typedef double doubles STENCILC_VECTOR;

enum { FLOATS = 16, DOUBLES = 8, MOST_J = 1024, RANDOM = 400000 };

/* What the estimate is: the processor's, too large, too small, or anything between. */
static enum { ITS_OWN, LARGE, SMALL, ANY, N_ESTIMATES } estimate;
static uint64_t state = 88172645463325252u;
static long wrong;

static uint64_t any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

#ifdef __AVX512F__
#include <immintrin.h>

static double off(void)
{
	return 1 + 0x1p-14 * (estimate == LARGE ? 1 : estimate == SMALL ? -1 :
		(double)(any() >> 11) * 0x1p-52 - 1);
}

static __m512d estimate_doubles(__m512d x)
{
	double lane[DOUBLES];

	if (estimate == ITS_OWN)
		return _mm512_rsqrt14_pd(x);
	memcpy(lane, &x, sizeof(x));
	for (int i = 0; i < DOUBLES; i++)
		lane[i] = off() / sqrt(lane[i]);
	memcpy(&x, lane, sizeof(x));
	return x;
}

static __m512 estimate_floats(__m512 x)
{
	float lane[FLOATS];

	if (estimate == ITS_OWN)
		return _mm512_rsqrt14_ps(x);
	memcpy(lane, &x, sizeof(x));
	for (int i = 0; i < FLOATS; i++)
		lane[i] = (float)(off() / sqrt((double)lane[i]));
	memcpy(&x, lane, sizeof(x));
	return x;
}

#define _mm512_rsqrt14_pd estimate_doubles
#define _mm512_rsqrt14_ps estimate_floats
#endif
#include "vector-roots.inc"

static void compare_doubles(const char *what, double x, double value,
	double right)
{
	if (memcmp(&right, &value, sizeof(right)) != 0 &&
	    !(isnan(right) && isnan(value)) && wrong++ < 10)
		printf("# %s %a: %a, not %a\n", what, x, value, right);
}

static void check_doubles(const double *x)
{
	double root[DOUBLES], large[DOUBLES], over[DOUBLES];
	doubles v, w;

	memcpy(&v, x, sizeof(v));
	w = root_doubles(v);
	memcpy(root, &w, sizeof(w));
	w = large_root_doubles(v);
	memcpy(large, &w, sizeof(w));
	w = over_root_doubles(v);
	memcpy(over, &w, sizeof(w));
	for (int i = 0; i < DOUBLES; i++) {
		compare_doubles("root of", x[i], root[i], sqrt(x[i]));
		if (x[i] < 0x1p-900)
			continue;
		compare_doubles("large root of", x[i], large[i], sqrt(x[i]));
		compare_doubles("1 over root of", x[i], over[i], 1.0 / sqrt(x[i]));
	}
}

static void compare_floats(const char *what, float x, float value, float right)
{
	if (memcmp(&right, &value, sizeof(right)) != 0 &&
	    !(isnan(right) && isnan(value)) && wrong++ < 10)
		printf("# %s %a: %a, not %a\n", what, (double)x, (double)value,
			(double)right);
}

static void check_floats(const float *x)
{
	float root[FLOATS], large[FLOATS], over[FLOATS];
	floats v, w;

	memcpy(&v, x, sizeof(v));
	w = root_floats(v);
	memcpy(root, &w, sizeof(w));
	w = large_root_floats(v);
	memcpy(large, &w, sizeof(w));
	w = over_root_floats(v);
	memcpy(over, &w, sizeof(w));
	for (int i = 0; i < FLOATS; i++) {
		compare_floats("root of", x[i], root[i], sqrtf(x[i]));
		if (x[i] < 0x1p-100f)
			continue;
		compare_floats("large root of", x[i], large[i], sqrtf(x[i]));
		compare_floats("1 over root of", x[i], over[i],
			1.0f / sqrtf(x[i]));
	}
}

static void check_binade(uint32_t exponent)
{
	for (uint32_t m = 0; m < 1u << 23; m += FLOATS) {
		float x[FLOATS];

		for (uint32_t i = 0; i < FLOATS; i++) {
			const uint32_t bits = exponent << 23 | (m + i);

			memcpy(&x[i], &bits, sizeof(bits));
		}
		check_floats(x);
	}
}

/* x with (2 r + 1)^2 = 4 x + j for an integer r, in units of the last places: of the four roots
 * of j modulo 2^n, "root" is one.
 */
static void check_middle(uint64_t root, int n, int j)
{
	const uint64_t whole = UINT64_C(1) << 54, modulus = UINT64_C(1) << n;

	for (uint64_t m = root; m < whole; m += modulus) {
		const __int128 square = (__int128)m * m - j;
		const uint64_t fraction = (uint64_t)(square >> n);
		double x[DOUBLES];

		if (m < whole / 2 || fraction >> 52 != 1 ||
		    ((uint64_t)square & (modulus - 1)) != 0)
			continue;
		for (int i = 0; i < DOUBLES; i++)
			x[i] = ldexp((double)fraction, 230 * (i - 4) + n % 2);
		check_doubles(x);
	}
}

static void check_middles(void)
{
	for (int j = 1 - MOST_J; j <= MOST_J; j += 8)
		for (int n = 54; n <= 55; n++) {
			const uint64_t half = UINT64_C(1) << (n - 1);
			uint64_t root = 1;

			for (int k = 3; k < n; k++)
				if (((root * root - (uint64_t)(int64_t)j) >> k) & 1)
					root += UINT64_C(1) << (k - 1);
			root &= 2 * half - 1;
			check_middle(root, n, j);
			check_middle(2 * half - root, n, j);
			check_middle(root ^ half, n, j);
			check_middle((2 * half - root) ^ half, n, j);
		}
}

/* The squares of numbers just below a power of two. */
static void check_ones(void)
{
	const double below = 2 - 0x1p-52;

	for (int power = -880; power <= 1020; power += 10) {
		double x[DOUBLES];

		for (int i = 0; i < DOUBLES; i++)
			x[i] = ldexp(below - i * 0x1p-52, power + i % 2) *
				(1 + (i % 4) * 0.25);
		check_doubles(x);
		for (int i = 0; i < DOUBLES; i++)
			x[i] = ldexp((below - i * 0x1p-52) * (below - i *
				0x1p-52), power);
		check_doubles(x);
	}
}

/* In the range of the estimate, or with any bits. */
static void check_random(uint64_t least, uint64_t exponents)
{
	for (int n = 0; n < RANDOM; n++) {
		double x[DOUBLES];

		for (int i = 0; i < DOUBLES; i++) {
			const uint64_t bits = any() >> 12 |
				(least + any() % exponents) << 52;

			memcpy(&x[i], &bits, sizeof(bits));
		}
		check_doubles(x);
	}
}

static void check_others(void)
{
	static const double other[] = { 0, -0.0, INFINITY, -INFINITY, NAN, -1,
		DBL_MIN, DBL_MAX, 0x1p-1074, 0x1p-900, 0x1.fffffffffffffp-901 };
	static const float other_float[] = { 0, -0.0f, INFINITY, -INFINITY, NAN,
		-1, FLT_MIN, FLT_MAX, 0x1p-149f, 0x1p-100f, 0x1.fffffep-101f };

	for (size_t n = 0; n < sizeof(other) / sizeof(*other); n++)
		for (int at = 0; at < FLOATS; at++) {
			double x[DOUBLES];
			float y[FLOATS];

			for (int i = 0; i < FLOATS; i++)
				y[i] = i == at ? other_float[n] : 2;
			for (int i = 0; i < DOUBLES; i++)
				x[i] = i == at ? other[n] : 2;
			check_floats(y);
			check_doubles(x);
		}
	check_random(0, 4096);
}

int main(void)
{
	static const uint32_t exponent[] = { 27, 126, 127, 254 };

	for (estimate = ITS_OWN; estimate < N_ESTIMATES; estimate++) {
		for (size_t i = 0; i < sizeof(exponent) / sizeof(*exponent); i++)
			check_binade(exponent[i]);
		check_middles();
		check_ones();
		check_random(123, 1924);
	}
	estimate = ITS_OWN;
	check_others();
	return wrong != 0;
}
