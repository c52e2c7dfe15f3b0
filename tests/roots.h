/* The main() of a file that has RSQRT, SQRT and RCP of TYPE: how far they are off,
 * in units in the last place of the exact result.  ALL floats of two binades, or a
 * sample; of doubles as many at random; over the range of exponents, too.
 */
enum { IS_FLOAT = sizeof(TYPE) == sizeof(float), DIGITS = IS_FLOAT ? 24 : 53,
	MOST = IS_FLOAT ? 125 : 1021 };

static double off(TYPE ours, long double exact)
{
	return (double)(fabsl(ours - exact) / ldexpl(1, ilogbl(exact) + 1 - DIGITS));
}

static double rsqrt_off, sqrt_off, rcp_off, quotient_off;

static void note(double *most, double units)
{
	if (!(units <= *most))
		*most = units;
}

static void try_number(TYPE x, TYPE by)
{
	const long double y = x;

	note(&rsqrt_off, off(RSQRT(x), 1 / sqrtl(y)));
	note(&sqrt_off, off(SQRT(x), sqrtl(y)));
	note(&rcp_off, off(RCP(x), 1 / y));
	note(&rcp_off, off(RCP(-x), -1 / y));
	note(&quotient_off, off(by * RCP(x), by / y));
}

/* A number of [1, 2) */
static TYPE fraction(unsigned long long n)
{
	n *= 0x9e3779b97f4a7c15u;
	n ^= n >> 29;
	n *= 0xbf58476d1ce4e5b9u;
	return 1 + (TYPE)((n >> 11) & ((1ull << (DIGITS - 1)) - 1)) *
		(TYPE)ldexp(1, 1 - DIGITS);
}

static bool is_wrong(const char *name, double units, double bound)
{
	printf("%s: %.3f units off at most, of %g\n", name, units, bound);
	return !(units <= bound && bound <= 4);
}

static bool is_special_wrong(const char *what, double ours, double expected)
{
	if (ours == expected || (ours != ours && expected != expected))
		return false;
	printf("%s is %g, not %g\n", what, ours, expected);
	return true;
}

#define IS(call, expected) is_special_wrong(#call, (double)call, expected)

/* What is no normal number, as the comments say. */
static bool specials_are_wrong()
{
	const TYPE none = 0, infinite = (TYPE)INFINITY;

	return IS(RSQRT(none), INFINITY) + IS(RSQRT(infinite), 0) +
		IS(RSQRT(-1), NAN) + IS(RSQRT(NAN), NAN) +
		IS(SQRT(none), 0) + IS(SQRT(-1), NAN) + IS(SQRT(NAN), NAN) +
		IS(SQRT(infinite), IS_FLOAT ? INFINITY : NAN) +
		IS(RCP(none), INFINITY) + IS(RCP(-none), -INFINITY) +
		IS(RCP(infinite), 0) + IS(RCP(-infinite), 0) + IS(RCP(NAN), NAN);
}

int main(int, char **)
{
	const long long all = 1ll << 24, step = ALL ? 1 : 61;

	for (long long i = 0; i < all; i += step) {
		const TYPE by = fraction((unsigned long long)(all + i));
		const TYPE x = IS_FLOAT ? (TYPE)(1 + (double)(i % (all / 2)) /
			(double)(all / 2)) : fraction((unsigned long long)i);

		try_number(i < all / 2 ? x : 2 * x, by);
	}
	for (int e = -MOST; e <= MOST; e++)
		for (int i = 0; i < 64; i++)
			try_number((TYPE)ldexp((double)fraction((unsigned long long)
				i), e), 1);
	return is_wrong("rsqrt", rsqrt_off, RSQRT_BOUND) +
		is_wrong("sqrt", sqrt_off, SQRT_BOUND) +
		is_wrong("rcp", rcp_off, RCP_BOUND) +
		is_wrong("quotient", quotient_off, QUOTIENT_BOUND) +
		specials_are_wrong() > 0;
}
