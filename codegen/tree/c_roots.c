/* Square roots of the vectors of a processor, in C. */
#include "codegen/tree/c_vectors.h"

/* The words of AVX-512 for a type of cells; "least" is the least number, as an integer, whose
 * remainders are not too small to matter, "power" this number for a reader, and "range" the way
 * from there to infinity.
 */
struct words_of_roots {
	const char *cell, *root, *vector, *suffix, *bits, *mask, *half, *one,
		*least, *power, *range;
	int steps;
	bool has_two_terms;	/* print_inverse() */
};

static void print_guess(struct text *t, const struct words_of_roots *w)
{
	text_printf(t, "\tconst __m512%s half = _mm512_set1_%s(%s);\n"
		"\tconst __m512%s guess = _mm512_rsqrt14_%s((__m512%s)x);\n"
		"\t__m512%s root = _mm512_mul_%s((__m512%s)x, guess), rest;\n"
		"\t__m512%s inverse = _mm512_mul_%s(guess, half);\n\n",
		w->vector, w->suffix, w->half, w->vector, w->suffix,
		w->vector, w->vector, w->suffix, w->vector, w->vector,
		w->suffix);
}

static void print_range(struct text *t, const struct words_of_roots *w)
{
	text_printf(t, "\tif (_mm512_cmpge_epu%s_mask(_mm512_sub_epi%s("
		"(__m512i)x,\n"
		"\t\t_mm512_set1_epi%s(%s)), _mm512_set1_epi%s(%s)))\n"
		"\t\treturn (%ss)_mm512_sqrt_%s((__m512%s)x);\n", w->bits,
		w->bits, w->bits, w->least, w->bits, w->range, w->cell,
		w->suffix, w->vector);
}

/* The root, rounded, and half of its inverse. */
static void print_steps(struct text *t, const struct words_of_roots *w)
{
	for (int n = 0; n < w->steps; n++)
		text_printf(t, "\trest = _mm512_fnmadd_%s(root, inverse, half);\n"
			"\troot = _mm512_fmadd_%s(root, rest, root);\n"
			"\tinverse = _mm512_fmadd_%s(inverse, rest, inverse);\n",
			w->suffix, w->suffix, w->suffix);
	text_printf(t, "\trest = _mm512_fnmadd_%s(root, root, (__m512%s)x);\n"
		"\troot = _mm512_fmadd_%s(rest, inverse, root);\n",
		w->suffix, w->vector, w->suffix);
}

/* The same without AVX-512. */
static void print_lanes(struct text *t, const struct words_of_roots *w)
{
	text_printf(t, "#elif defined __GNUC__\n"
		"\t%ss root = x;\n\n"
		"\tfor (int lane = 0; lane < (int)(sizeof(x) / sizeof(%s)); "
		"lane++)\n"
		"\t\troot[lane] = %s(x[lane]);\n"
		"\treturn root;\n"
		"#else\n"
		"\treturn %s(x);\n"
		"#endif\n}\n\n", w->cell, w->cell, w->root, w->root);
}

static void print_root(struct text *t, const struct words_of_roots *w)
{
	text_printf(t, "/* The root of each lane, rounded as %s() rounds it.  "
		"An estimate has 14 bits, a step of\n"
		" * Newton's makes twice as many, and the exact remainder "
		"tells the last one: a third of the\n"
		" * time that a processor takes for a root.  It takes those of "
		"lanes with remainders too small\n"
		" * for numbers, or without a root.\n"
		" */\n"
		"static inline %ss root_%ss(%ss x)\n{\n"
		"#ifdef __AVX512F__\n", w->root, w->cell, w->cell, w->cell);
	print_guess(t, w);
	print_range(t, w);
	print_steps(t, w);
	text_printf(t, "\treturn (%ss)root;\n", w->cell);
	print_lanes(t, w);
}

static void print_large_root(struct text *t, const struct words_of_roots *w)
{
	text_printf(t, "/* The root of each lane, rounded as %s() rounds it, where lanes "
		"are infinite, no numbers, or\n"
		" * not below %s.  An estimate has 14 bits, a step of Newton's "
		"makes twice as many, and the exact\n"
		" * remainder tells the last one; roots of infinite lanes are "
		"made infinite.\n"
		" */\n"
		"static inline %ss large_root_%ss(%ss x)\n{\n"
		"#ifdef __AVX512F__\n", w->root, w->power, w->cell, w->cell,
		w->cell);
	print_guess(t, w);
	print_steps(t, w);
	text_printf(t, "\troot = _mm512_fixupimm_%s(root, (__m512%s)x, "
		"_mm512_set1_epi%s(0x00500000), 0);\n"
		"\treturn (%ss)root;\n", w->suffix, w->vector, w->bits, w->cell);
	print_lanes(t, w);
}

/* 1 / root from twice the half of its inverse, which errs by its last place or two.  It is inverse /
 * (1 - rest) = inverse (1 + rest + rest^2 + ..), where two terms, rounded up, are exact for all floats.
 * Doubles take two of Newton's steps, of which the first one rounds up, so that roots of all ones are
 * no exception to Markstein's theorem.  A mask takes less time than a fixup.
 */
static void print_inverse(struct text *t, const struct words_of_roots *w)
{
	text_printf(t, "\tinverse = _mm512_add_%s(inverse, inverse);\n"
		"\trest = _mm512_fnmadd_%s(root, inverse, one);\n",
		w->suffix, w->suffix);
	if (w->has_two_terms)
		text_printf(t, "\trest = _mm512_fmadd_round_%s(rest, rest, rest,\n"
			"\t\t_MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);\n",
			w->suffix);
	else
		text_printf(t, "\tinverse = _mm512_fmadd_round_%s(inverse, rest, "
			"inverse,\n"
			"\t\t_MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);\n"
			"\trest = _mm512_fnmadd_%s(root, inverse, one);\n",
			w->suffix, w->suffix);
	text_printf(t, "\tinverse = _mm512_maskz_fmadd_%s(finite, inverse, rest, "
		"inverse);\n"
		"\treturn (%ss)inverse;\n", w->suffix, w->cell);
}

static void print_over_root(struct text *t, const struct words_of_roots *w)
{
	text_printf(t, "/* 1 over such a root, rounded as a division rounds it.  Beside a "
		"fast divider neither takes its\n"
		" * time: %s.\n"
		" */\n"
		"static inline %ss over_root_%ss(%ss x)\n{\n"
		"#if STENCILC_DIVIDER >= 2\n"
		"\tconst __m512%s one = _mm512_set1_%s(%s);\n"
		"\tconst __mmask%s finite = _mm512_cmp_%s_mask((__m512%s)x, "
		"_mm512_set1_%s(INFINITY), _CMP_NEQ_UQ);\n",
		w->has_two_terms ? "a remainder and its square, rounded up, make the "
		"inverse exact" : "two more steps make the inverse exact if the "
		"first one rounds up", w->cell,
		w->cell, w->cell, w->vector, w->suffix, w->one, w->mask,
		w->suffix, w->vector, w->suffix);
	print_guess(t, w);
	print_steps(t, w);
	print_inverse(t, w);
	text_printf(t, "#else\n"
		"\treturn %s / large_root_%ss(x);\n"
		"#endif\n}\n\n", w->one, w->cell);
}

static const struct words_of_roots floats = {
	"float", "sqrtf", "", "ps", "32", "16", "0.5f", "1.0f", "0x0d800000", "2^-100",
	"0x72000000", 1, true
}, doubles = {
	"double", "sqrt", "d", "pd", "64", "8", "0.5", "1.0", "0x07b0000000000000",
	"2^-900", "0x7840000000000000", 2, false
};

void c_print_divider(struct text *t)
{
	text_puts(t, "/* Dividers that compute roots beside the additions and "
		"multiplications of other vectors:\n"
		" * 1 a Zen 4's, 2 a Zen 5's, which is faster, 0 others.  gcc 12 "
		"takes both for a Zen 3.\n"
		" */\n"
		"#if defined __AVX512F__ && (defined __znver5__ || \\\n"
		"\t(defined __AVX512VP2INTERSECT__ && !defined __tigerlake__))\n"
		"#define STENCILC_DIVIDER 2\n"
		"#elif defined __AVX512F__ && (defined __znver4__ || "
		"defined __znver3__)\n"
		"#define STENCILC_DIVIDER 1\n"
		"#else\n#define STENCILC_DIVIDER 0\n#endif\n");
}

/* "name", large_root or root, by a divider that is fast enough. */
static void print_by_divider(struct text *t, const struct words_of_roots *w,
	const char *name)
{
	text_printf(t, "/* The same by a divider that is fast enough. */\n"
		"static inline %ss divider_%s_%ss(int least, %ss x)\n{\n"
		"#ifdef __AVX512F__\n"
		"\tif (least <= STENCILC_DIVIDER)\n"
		"\t\treturn (%ss)_mm512_sqrt_%s((__m512%s)x);\n"
		"#endif\n\t(void)least;\n\treturn %s_%ss(x);\n}\n\n", w->cell,
		name, w->cell, w->cell, w->cell, w->suffix, w->vector, name,
		w->cell);
}

bool c_uses_divider(const struct kunit *unit)
{
	return unit_uses(unit, B_DIVIDER_ROOT_LANES) ||
		unit_uses(unit, B_DIVIDER_LARGE_ROOT_LANES) ||
		unit_uses(unit, B_OVER_ROOT_LANES);
}

bool c_uses_roots(const struct kunit *unit)
{
	return c_uses_divider(unit) || unit_uses(unit, B_ROOT_LANES) ||
		unit_uses(unit, B_LARGE_ROOT_LANES);
}

void c_print_roots(struct text *t, const struct kunit *unit, struct ctype vector)
{
	const struct words_of_roots *w = vector.scalar == CT_FLOAT ? &floats :
		&doubles;
	const bool divides = unit_uses_for(unit, B_DIVIDER_ROOT_LANES, vector);
	const bool divides_large = unit_uses_for(unit,
		B_DIVIDER_LARGE_ROOT_LANES, vector);
	const bool over = unit_uses_for(unit, B_OVER_ROOT_LANES, vector);

	if (divides || unit_uses_for(unit, B_ROOT_LANES, vector))
		print_root(t, w);
	if (divides)
		print_by_divider(t, w, "root");
	if (divides_large || over ||
	    unit_uses_for(unit, B_LARGE_ROOT_LANES, vector))
		print_large_root(t, w);
	if (divides_large)
		print_by_divider(t, w, "large_root");
	if (over)
		print_over_root(t, w);
}
