/* Square roots of the vectors of a processor, in C. */
#include "codegen/tree/c_vectors.h"

/* The words of AVX-512 for a type of cells; "least" is the least number, as an integer, whose
 * remainders are not too small to matter, and "range" the way from there to infinity.
 */
struct words_of_roots {
	const char *cell, *root, *vector, *suffix, *bits, *half, *least, *range;
	int steps;
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

/* The same without AVX-512; "over" is "1.0f / ", or nothing. */
static void print_lanes(struct text *t, const struct words_of_roots *w,
	const char *over)
{
	text_printf(t, "#elif defined __GNUC__\n"
		"\t%ss root = x;\n\n"
		"\tfor (int lane = 0; lane < (int)(sizeof(x) / sizeof(%s)); "
		"lane++)\n"
		"\t\troot[lane] = %s(x[lane]);\n"
		"\treturn %sroot;\n"
		"#else\n"
		"\treturn %s%s(x);\n"
		"#endif\n}\n\n", w->cell, w->cell, w->root, over, over,
		w->root);
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
	print_lanes(t, w, "");
}

static const struct words_of_roots floats = {
	"float", "sqrtf", "", "ps", "32", "0.5f", "0x0d800000", "0x72000000", 1
}, doubles = {
	"double", "sqrt", "d", "pd", "64", "0.5", "0x07b0000000000000",
	"0x7840000000000000", 2
};

void c_print_roots_of(struct text *t, bool is_float)
{
	print_root(t, is_float ? &floats : &doubles);
}

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

static void print_divider(struct text *t, const struct words_of_roots *w,
	const char *name, const char *over)
{
	text_printf(t, "static inline %ss divider_%s_%ss(int least, %ss x)\n{\n"
		"#ifdef __AVX512F__\n"
		"\tif (least <= STENCILC_DIVIDER)\n"
		"\t\treturn %s(%ss)_mm512_sqrt_%s((__m512%s)x);\n"
		"#endif\n\t(void)least;\n\treturn %s_%ss(x);\n}\n\n", w->cell,
		name, w->cell, w->cell, over, w->cell, w->suffix, w->vector,
		name, w->cell);
}

void c_print_divider_roots(struct text *t, bool is_float, bool over)
{
	text_puts(t, "/* The same by a divider that is fast enough. */\n");
	print_divider(t, is_float ? &floats : &doubles, over ? "over_root" :
		"root", over ? "1.0f / " : "");
}

void c_print_over_roots(struct text *t)
{
	text_puts(t, "/* 1 over the root of each lane, as sqrtf() and a division round it, where lanes are "
		"infinite, no\n"
		" * numbers, or not below 2^-100.  An estimate has 14 bits, a step of Newton's makes twice as "
		"many,\n"
		" * and the exact remainder tells the last one; roots of infinite lanes are made infinite.\n"
		" */\n"
		"static inline floats over_root_floats(floats x)\n{\n"
		"#ifdef __AVX512F__\n");
	print_guess(t, &floats);
	print_steps(t, &floats);
	text_puts(t, "\troot = _mm512_fixupimm_ps(root, (__m512)x, "
		"_mm512_set1_epi32(0x00500000), 0);\n"
		"\treturn 1.0f / (floats)root;\n");
	print_lanes(t, &floats, "1.0f / ");
}
