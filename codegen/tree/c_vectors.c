/* Vectors of the processor in C: their types, and functions that load, shift and store them. */
#include "codegen/tree/c_vectors.h"

/* Shifts pay on processors whose vectors are lines: they load an aligned one in one cycle, an
 * unaligned one, which crosses lines, in two at least.
 */
static void print_shifts(struct text *t)
{
	text_puts(t, "/* Neighbours in a row are shifted out of two adjacent "
		"vectors where loads that cross\n"
		" * lines of the cache take longer.\n"
		" */\n"
		"#ifdef __AVX512F__\n"
		"#include <immintrin.h>\n"
		"#define STENCILC_SHIFTS 1\n"
		"#else\n"
		"#define STENCILC_SHIFTS 0\n"
		"#endif\n");
}

/* .. and at the ends of a line where it has two vectors: neighbours that lie in the line are loaded
 * as fast as others.
 */
static void print_halves(struct text *t)
{
	text_puts(t, "/* Where a vector is half a line, loads that cross lines "
		"give way to shifts, and\n"
		" * others stay.\n"
		" */\n"
		"#if defined __AVX2__ && !defined __AVX512F__\n"
		"#include <immintrin.h>\n"
		"#define STENCILC_HALVES 1\n"
		"#else\n"
		"#define STENCILC_HALVES 0\n"
		"#endif\n");
}

/* Cells beside those of a vector, and the ends of a row. */
struct words_of_parts {
	const char *cell, *suffix, *integers;
	int lanes;		/* of a line */
};

static void print_neighbours(struct text *t, const struct words_of_parts *w)
{
	text_printf(t, "/* The cells \"by\" lanes to the left of those of "
		"\"here\", which lie at \"at\". */\n"
		"#if STENCILC_SHIFTS\n"
		"#define left_%ss(by, before, here, at) ((%ss)_mm512_alignr_%s( \\\n"
		"\t(__m512i)(here), (__m512i)(before), %d - (by)))\n"
		"#define right_%ss(by, here, after, at) ((%ss)_mm512_alignr_%s( \\\n"
		"\t(__m512i)(after), (__m512i)(here), by))\n"
		"#else\n"
		"#define left_%ss(by, before, here, at) \\\n"
		"\t((void)(before), (void)(here), load_%ss(at))\n"
		"#define right_%ss(by, here, after, at) \\\n"
		"\t((void)(here), (void)(after), load_%ss(at))\n"
		"#endif\n\n", w->cell, w->cell, w->integers, w->lanes,
		w->cell, w->cell, w->integers, w->cell, w->cell, w->cell,
		w->cell);
}

static void print_shifted(struct text *t, const struct words_of_parts *w)
{
	text_printf(t, "/* What a vector of computed lanes finds in one that lies one cell to the left. */\n"
		"#if STENCILC_SHIFTS\n"
		"#define shifted_%ss(before, here, otherwise) ((%ss)_mm512_alignr_%s( \\\n"
		"\t(__m512i)(here), (__m512i)(before), %d))\n"
		"#else\n"
		"#define shifted_%ss(before, here, otherwise) \\\n"
		"\t((void)(before), (void)(here), otherwise)\n"
		"#endif\n\n", w->cell, w->cell, w->integers, w->lanes - 1, w->cell);
}

/* Neighbours in another line, at most half a vector away. */
static void print_joint(struct text *t, const struct words_of_parts *w)
{
	const int half = w->lanes / 4, bytes = 16 / half;

	text_printf(t, "/* The last half of a vector and the first half of the "
		"next one. */\n"
		"#if STENCILC_HALVES\n"
		"#define joint_%ss(before, here) ((%ss)_mm256_permute2x128_si256( "
		"\\\n\t(__m256i)(before), (__m256i)(here), 0x21))\n"
		"#else\n"
		"#define joint_%ss(before, here) (here)\n"
		"#endif\n", w->cell, w->cell, w->cell);
	text_printf(t, "/* The cells \"by\" lanes beside those of \"here\", "
		"which lie at \"at\". */\n"
		"#if STENCILC_HALVES\n"
		"#define left_of_joint_%ss(by, joint, here, at) ((by) > %d ? "
		"load_%ss(at) : \\\n"
		"\t(%ss)_mm256_alignr_epi8((__m256i)(here), (__m256i)(joint), "
		"(16 - %d * (by)) & 15))\n", w->cell, half, w->cell, w->cell,
		bytes);
	text_printf(t, "#define right_of_joint_%ss(by, here, joint, at) ((by) > "
		"%d ? load_%ss(at) : (by) == %d ? (joint) : \\\n"
		"\t(%ss)_mm256_alignr_epi8((__m256i)(joint), (__m256i)(here), "
		"%d * (by) & 15))\n", w->cell, half, w->cell, half, w->cell,
		bytes);
	text_printf(t, "#else\n"
		"#define left_of_joint_%ss(by, joint, here, at) \\\n"
		"\t((void)(joint), (void)(here), load_%ss(at))\n"
		"#define right_of_joint_%ss(by, here, joint, at) \\\n"
		"\t((void)(here), (void)(joint), load_%ss(at))\n"
		"#endif\n\n", w->cell, w->cell, w->cell, w->cell);
}

static void print_beside(struct text *t, const struct words_of_parts *w)
{
	text_printf(t, "/* Neighbours of several rows: loaded once where there "
		"are registers for them. */\n"
		"#if STENCILC_SHIFTS\n"
		"#define beside_%ss(at) keep_%ss(at)\n"
		"#else\n"
		"#define beside_%ss(at) load_%ss(at)\n"
		"#endif\n\n", w->cell, w->cell, w->cell, w->cell);
}

static void print_last(struct text *t, const struct words_of_parts *w)
{
	text_printf(t, "/* The n cells before \"end\", in the last lanes. */\n"
		"static inline %ss last_%ss(const %s *end, int n)\n{\n"
		"#if STENCILC_SHIFTS\n"
		"\treturn (%ss)_mm512_maskz_loadu_%s((__mmask%d)(~0u << (%d - n)), "
		"end - %d);\n"
		"#else\n"
		"\tconst %ss none = { 0 };\n\n"
		"\t(void)end;\n\t(void)n;\n"
		"\treturn none;\n"
		"#endif\n"
		"}\n\n", w->cell, w->cell, w->cell, w->cell, w->suffix,
		w->lanes, w->lanes, w->lanes, w->cell);
}

/* Elsewhere than with masks of AVX-512 other lanes are stored as they are: it is in the row of this
 * thread that they lie.
 */
static void print_store_part(struct text *t, const struct words_of_parts *w)
{
	const char *bits = w->suffix[1] == 'd' ? "long long" : "int";

	text_printf(t, "/* Store \"count\" lanes from lane \"first\" on; others "
		"keep what they hold. */\n"
		"static inline void store_part_%ss(%s *to, %ss value, int first, "
		"int count)\n{\n"
		"#if STENCILC_SHIFTS\n"
		"\t_mm512_mask_storeu_%s(to, (__mmask%d)(((1u << count) - 1) << "
		"first), (__m512%s)value);\n", w->cell, w->cell, w->cell,
		w->suffix, w->lanes, w->suffix[1] == 'd' ? "d" : "");
	text_printf(t, "#elif defined __GNUC__\n"
		"\ttypedef %s bits STENCILC_VECTOR;\n"
		"\tstatic const %s number[] = { 0, 1, 2, 3, 4, 5, 6, 7 };\n"
		"\tbits lane;\n\n"
		"\tmemcpy(&lane, number, sizeof(lane));\n"
		"\tlane = (lane >= first) & (lane < first + count);\n"
		"\tvalue = (%ss)(((bits)value & lane) | ((bits)load_%ss(to) & "
		"~lane));\n"
		"\tmemcpy(to, &value, sizeof(value));\n"
		"#else\n"
		"\t(void)first;\n\t(void)count;\n"
		"\t*to = value;\n"
		"#endif\n"
		"}\n\n", bits, bits, w->cell, w->cell);
}

static void print_cells_to(struct text *t, const struct words_of_parts *w)
{
	text_printf(t, "/* Cells from \"at\" on to the next place in memory where a "
		"vector starts. */\n"
		"static inline int cells_to_%ss(const %s *at)\n{\n"
		"\tconst size_t from = (size_t)at %% sizeof(%ss);\n\n"
		"\treturn from ? (int)((sizeof(%ss) - from) / sizeof(%s)) : 0;\n"
		"}\n\n", w->cell, w->cell, w->cell, w->cell, w->cell);
}

static void print_cells_to_line(struct text *t, const struct words_of_parts *w)
{
	text_printf(t, "/* .. to the next line of the cache. */\n"
		"static inline int cells_to_line_%ss(const %s *at)\n{\n"
		"\treturn (int)((64 - (size_t)at %% 64) %% 64 / sizeof(%s));\n"
		"}\n\n", w->cell, w->cell, w->cell);
}

/* fused_sum_..() and fused_difference_..() by registers of "_mm256" or "_mm512". */
static void print_fused(struct text *t, const struct words_of_parts *w,
	const char *registers)
{
	const char *d = w->suffix[1] == 'd' ? "d" : "";
	const char *bits = registers + 3;

	text_printf(t, "#define fused_sum_%ss(a, b, one) \\\n"
		"\t((%ss)%s_fmadd_%s((__m%s%s)(a), (__m%s%s)(one), "
		"(__m%s%s)(b)))\n", w->cell, w->cell, registers, w->suffix,
		bits, d, bits, d, bits, d);
	text_printf(t, "#define fused_difference_%ss(a, b, one) \\\n"
		"\t((%ss)%s_fnmadd_%s((__m%s%s)(b), (__m%s%s)(one), "
		"(__m%s%s)(a)))\n", w->cell, w->cell, registers, w->suffix,
		bits, d, bits, d, bits, d);
}

/* A sum as a * 1 + b has the bits of a + b.  One is a value that compilers do not know, or they
 * would add.
 */
static void print_sums(struct text *t, const struct words_of_parts *w)
{
	text_printf(t, "/* One in each lane, unknown to the compiler. */\n"
		"static inline %ss one_%ss(void)\n{\n"
		"\t%ss one = { 0 };\n\n"
		"\tone = one + (%s)1;\n"
		"\tSTENCILC_KEEP(one);\n"
		"\treturn one;\n}\n\n", w->cell, w->cell, w->cell, w->cell);
	text_puts(t, "/* a + b and a - b, which are those of units that "
		"multiply and add if b or a is\n"
		" * multiplied by one.\n */\n"
		"#if STENCILC_FUSED_SUMS && defined __AVX512F__\n");
	print_fused(t, w, "_mm512");
	text_puts(t, "#elif STENCILC_FUSED_SUMS\n");
	print_fused(t, w, "_mm256");
	text_printf(t, "#else\n"
		"#define fused_sum_%ss(a, b, one) ((void)(one), (a) + (b))\n"
		"#define fused_difference_%ss(a, b, one) "
		"((void)(one), (a) - (b))\n"
		"#endif\n\n", w->cell, w->cell);
}

static void print_parts_of(struct text *t, const struct kunit *unit,
	const char *cell, struct ctype vector)
{
	bool is_float = vector.scalar == CT_FLOAT;
	const struct words_of_parts words = {
		.cell = cell, .suffix = is_float ? "ps" : "pd",
		.integers = is_float ? "epi32" : "epi64",
		.lanes = is_float ? 16 : 8,
	};

	if (unit_uses_for(unit, B_LEFT_LANES, vector) ||
	    unit_uses_for(unit, B_RIGHT_LANES, vector))
		print_neighbours(t, &words);
	if (unit_uses_for(unit, B_SHIFTED_LANES, vector))
		print_shifted(t, &words);
	if (unit_uses_for(unit, B_BESIDE_LANES, vector))
		print_beside(t, &words);
	if (unit_uses_for(unit, B_LAST_LANES, vector))
		print_last(t, &words);
	if (unit_uses_for(unit, B_STORE_PART_LANES, vector))
		print_store_part(t, &words);
	if (unit_uses_for(unit, B_CELLS_TO_LANES, vector))
		print_cells_to(t, &words);
	if (unit_uses_for(unit, B_JOINT_LANES, vector))
		print_joint(t, &words);
	if (unit_uses_for(unit, B_CELLS_TO_LINE_LANES, vector))
		print_cells_to_line(t, &words);
	if (unit_uses_for(unit, B_ONE_LANES, vector))
		print_sums(t, &words);
}

/* Neighbours alone are kept where there are registers for them. */
static void print_keep(struct text *t, const char *cell, bool everywhere)
{
	text_printf(t, "/* Loaded once, into a register. */\n%s"
		"static inline %ss keep_%ss(const %s *from)\n"
		"{\n\t%ss value = load_%ss(from);\n\n"
		"\tSTENCILC_KEEP(value);\n"
		"\treturn value;\n}\n%s\n", everywhere ? "" :
		"#if STENCILC_SHIFTS\n", cell, cell, cell, cell, cell,
		everywhere ? "" : "#endif\n");
}

static bool keeps_vectors(const struct kunit *unit, struct ctype vector)
{
	return unit_uses_for(unit, B_KEEP_LANES, vector) ||
		unit_uses_for(unit, B_BESIDE_LANES, vector);
}

/* Vectors of one type of cell.  Short of registers, compilers repeat a load in each operation
 * that uses it; for a load that should be kept, the result comes from a statement that they
 * cannot see through.
 */
static void print_vectors_of(struct text *t, const struct kunit *unit,
	const char *cell, struct ctype vector)
{
	text_printf(t, "typedef %s %ss STENCILC_VECTOR;\n\n"
		"static inline %ss load_%ss(const %s *from)\n"
		"{\n\t%ss value;\n\n"
		"\tmemcpy(&value, from, sizeof(value));\n"
		"\treturn value;\n}\n\n", cell, cell, cell, cell, cell, cell);
	if (keeps_vectors(unit, vector))
		print_keep(t, cell, unit_uses_for(unit, B_KEEP_LANES, vector));
	print_parts_of(t, unit, cell, vector);
	c_print_roots(t, unit, vector);
	text_printf(t, "static inline void store_%ss(%s *to, "
		"%ss value)\n{\n"
		"\tmemcpy(to, &value, sizeof(value));\n}\n\n", cell, cell,
		cell);
	if (unit_uses_for(unit, B_STORE_LAST_LANES, vector))
		text_printf(t, "/* Lanes from the first on; all if it is not "
			"positive. */\n"
			"static inline void store_last_%ss(%s *to, %ss value, "
			"int first)\n{\n"
			"\t%s cell[sizeof(value) / sizeof(%s)];\n\n"
			"\tif (first <= 0) {\n\t\tstore_%ss(to, value);\n"
			"\t\treturn;\n\t}\n"
			"\tmemcpy(cell, &value, sizeof(value));\n"
			"\tfor (int lane = first; lane < (int)(sizeof(cell) / "
			"sizeof(%s)); lane++)\n"
			"\t\tto[lane] = cell[lane];\n}\n\n", cell, cell, cell,
			cell, cell, cell, cell);
}

bool c_uses_vectors(const struct kunit *unit)
{
	return unit_uses(unit, B_STORE_LANES) ||
		unit_uses(unit, B_STORE_PART_LANES) ||
		unit_uses(unit, B_STORE_LAST_LANES);
}

static bool loads_vectors(const struct kunit *unit, struct ctype vector)
{
	return unit_uses_for(unit, B_LOAD_LANES, vector) ||
		keeps_vectors(unit, vector);
}

/* Vectors of as many cells as a register of the processor holds, on which arithmetic works as
 * on numbers; of one cell for compilers without vectors.
 */
void c_print_vectors(struct text *t, const struct kunit *unit)
{
	static const struct ctype floats = {
		.scalar = CT_FLOAT, .lanes = LANES_OF_PROCESSOR,
	}, doubles = { .scalar = CT_DOUBLE, .lanes = LANES_OF_PROCESSOR };

	if (!c_uses_vectors(unit))
		return;
	text_puts(t, "\n/* Vectors of as many cells as a register has. */\n"
		"#ifndef __GNUC__\n"
		"#define STENCILC_VECTOR\n"
		"#elif defined __AVX512F__\n"
		"#define STENCILC_VECTOR __attribute__((vector_size(64)))\n"
		"#elif defined __AVX__\n"
		"#define STENCILC_VECTOR __attribute__((vector_size(32)))\n"
		"#else\n"
		"#define STENCILC_VECTOR __attribute__((vector_size(16)))\n"
		"#endif\n");
	if (unit_uses(unit, B_KEEP_LANES) || unit_uses(unit, B_BESIDE_LANES) ||
	    unit_uses(unit, B_ONE_LANES))
		text_puts(t, "#if defined __GNUC__ && defined __x86_64__\n"
			"#define STENCILC_KEEP(x) __asm__(\"\" : \"+v\"(x))\n"
			"#elif defined __GNUC__ && defined __aarch64__\n"
			"#define STENCILC_KEEP(x) __asm__(\"\" : \"+w\"(x))\n"
			"#else\n"
			"#define STENCILC_KEEP(x)\n"
			"#endif\n");
	if (unit_uses(unit, B_CELLS_TO_LINE_LANES))
		print_halves(t);
	if (unit_uses(unit, B_CELLS_TO_LANES))
		print_shifts(t);
	else if (c_uses_roots(unit) || unit_uses(unit, B_ONE_LANES))
		text_puts(t, "#ifdef __AVX512F__\n"
			"#include <immintrin.h>\n"
			"#endif\n");
	if (c_uses_divider(unit))
		c_print_divider(t);
	if (unit_uses(unit, B_ONE_LANES))
		text_puts(t, "/* From a Zen 3 on processors have units that add, "
			"and others that multiply and add: sums\n"
			" * are shared out among both.  gcc 12 takes later ones "
			"for a Zen 3.\n"
			" */\n"
			"#if (defined __AVX512F__ || defined __FMA__) && \\\n"
			"\t(defined __znver3__ || defined __znver4__ || "
			"defined __znver5__)\n"
			"#include <immintrin.h>\n"
			"#define STENCILC_FUSED_SUMS 1\n"
			"#else\n#define STENCILC_FUSED_SUMS 0\n#endif\n");
	text_puts(t, "\n");
	if (loads_vectors(unit, floats))
		print_vectors_of(t, unit, "float", floats);
	if (loads_vectors(unit, doubles))
		print_vectors_of(t, unit, "double", doubles);
}
