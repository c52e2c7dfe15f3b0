/* Cells into the lanes of a tile of one dimension, and back, in C. */
#include "codegen/tree/c_vectors.h"

/* The words of AVX-512 for a type of cells, of which "lanes" fill a line; "low" and "high" number
 * the cells of two vectors whose first halves, or last ones, are taken in turns.
 */
struct words_of_lanes {
	const char *cell, *vector, *suffix, *bits, *low, *high;
	int lanes;
};

static void print_turn(struct text *t, const struct words_of_lanes *w)
{
	text_printf(t, "#ifdef __AVX512F__\n"
		"#include <immintrin.h>\n\n"
		"/* What lies in row i, place k, moves to row k, place i: as often "
		"as the number of rows is\n"
		" * halved to 1, rows i and i + %d become rows 2 i and 2 i + 1, "
		"cell by cell in turns.\n"
		" */\n"
		"static inline void turn_%ss(__m512%s row[%d])\n{\n"
		"\tconst __m512i low = _mm512_setr_epi%s(%s);\n"
		"\tconst __m512i high = _mm512_setr_epi%s(%s);\n\n",
		w->lanes / 2, w->cell, w->vector, w->lanes, w->bits, w->low,
		w->bits, w->high);
	text_printf(t, "\tfor (int half = 1; half < %d; half *= 2) {\n"
		"\t\t__m512%s old[%d];\n\n"
		"\t\tmemcpy(old, row, sizeof(old));\n"
		"\t\tfor (int i = 0; i < %d; i++) {\n"
		"\t\t\trow[2 * i] = _mm512_permutex2var_%s(old[i], low, "
		"old[i + %d]);\n"
		"\t\t\trow[2 * i + 1] = _mm512_permutex2var_%s(old[i], high, "
		"old[i + %d]);\n"
		"\t\t}\n"
		"\t}\n}\n"
		"#endif\n\n", w->lanes, w->vector, w->lanes, w->lanes / 2,
		w->suffix, w->lanes / 2, w->suffix, w->lanes / 2);
}

static void print_to_lanes(struct text *t, const struct words_of_lanes *w)
{
	text_printf(t, "/* Each lane's \"part\" cells, which lie one behind the "
		"other in \"from\".  The result is how many\n"
		" * each lane has got: none without AVX-512.\n"
		" */\n"
		"static inline int to_lanes_%ss(%s *restrict to, const %s "
		"*restrict from,\n\tint part)\n"
		"{\n"
		"#ifdef __AVX512F__\n"
		"\tint row = 0;\n\n"
		"\tfor (; row + %d <= part; row += %d) {\n"
		"\t\t__m512%s cell[%d];\n\n", w->cell, w->cell, w->cell,
		w->lanes, w->lanes, w->vector, w->lanes);
	text_printf(t, "\t\tfor (int lane = 0; lane < %d; lane++)\n"
		"\t\t\tcell[lane] = _mm512_loadu_%s(from + lane * part + "
		"row);\n"
		"\t\tturn_%ss(cell);\n"
		"\t\tfor (int i = 0; i < %d; i++)\n"
		"\t\t\t_mm512_storeu_%s(to + (row + i) * %d, cell[i]);\n"
		"\t}\n"
		"\tfor (; row < part; row++)\n"
		"\t\tfor (int lane = 0; lane < %d; lane++)\n"
		"\t\t\tto[row * %d + lane] = from[lane * part + row];\n"
		"\treturn part;\n", w->lanes, w->suffix, w->cell, w->lanes,
		w->suffix, w->lanes, w->lanes, w->lanes);
	text_puts(t, "#else\n"
		"\t(void)to;\n\t(void)from;\n\t(void)part;\n"
		"\treturn 0;\n"
		"#endif\n}\n\n");
}

static void print_from_lanes(struct text *t, const struct words_of_lanes *w)
{
	text_printf(t, "/* The way back, but for \"before\" cells of the first "
		"lane and \"after\" of the last one. */\n"
		"static inline int from_lanes_%ss(%s *to, %s *restrict through,\n"
		"\tconst %s *restrict from, int part, int before, int after)\n"
		"{\n"
		"#ifdef __AVX512F__\n"
		"\tint row = 0;\n\n"
		"\tfor (; row + %d <= part; row += %d) {\n"
		"\t\t__m512%s cell[%d];\n\n", w->cell, w->cell, w->cell,
		w->cell, w->lanes, w->lanes, w->vector, w->lanes);
	text_printf(t, "\t\tfor (int i = 0; i < %d; i++)\n"
		"\t\t\tcell[i] = _mm512_loadu_%s(from + (row + i) * %d);\n"
		"\t\tturn_%ss(cell);\n"
		"\t\tfor (int lane = 0; lane < %d; lane++)\n"
		"\t\t\t_mm512_storeu_%s(through + lane * part + row, "
		"cell[lane]);\n"
		"\t}\n"
		"\tfor (; row < part; row++)\n"
		"\t\tfor (int lane = 0; lane < %d; lane++)\n"
		"\t\t\tthrough[lane * part + row] = from[row * %d + lane];\n"
		"\tmemcpy(to + before, through + before,\n"
		"\t\t((size_t)%d * part - before - after) * sizeof(%s));\n"
		"\treturn part;\n", w->lanes, w->suffix, w->lanes, w->cell,
		w->lanes, w->suffix, w->lanes, w->lanes, w->lanes, w->cell);
	text_puts(t, "#else\n"
		"\t(void)to;\n\t(void)through;\n\t(void)from;\n\t(void)part;\n"
		"\t(void)before;\n\t(void)after;\n"
		"\treturn 0;\n"
		"#endif\n}\n\n");
}

/* Fetches that compilers other than gcc and clang leave out. */
static void print_fetch(struct text *t, const char *use, int is_written)
{
	text_printf(t, "/* Fetch part \"part\" of \"parts\", counted from 1, of "
		"the lines at \"from\" ahead of a %s. */\n"
		"static inline void fetch_to_%s(const void *from, size_t bytes, "
		"int part, int parts)\n"
		"{\n"
		"#ifdef __GNUC__\n"
		"\tconst size_t lines = bytes / %d;\n\n"
		"\tfor (size_t i = lines * (part - 1) / parts; i < lines * part "
		"/ parts; i++)\n"
		"\t\t__builtin_prefetch((const char *)from + %d * i, %d, 3);\n"
		"\t__asm__ volatile(\"\");\t/* or gcc drops calls of functions that "
		"only fetch */\n"
		"#else\n"
		"\t(void)from;\n\t(void)bytes;\n\t(void)part;\n"
		"\t(void)parts;\n"
		"#endif\n}\n\n", use, use, 64, 64, is_written);
}

/* A column's own lines are far from each other, and those of the next column beside them: nothing
 * else finds out.
 */
static void print_fetch_behind(struct text *t)
{
	text_puts(t, "/* Fetch the line \"bytes\" behind \"from\", of a column "
		"to come; where a vector is a line,\n"
		" * the second one.\n"
		" */\n"
		"#ifdef __AVX512F__\n"
		"#define fetch_behind(from, bytes) \\\n"
		"\t__builtin_prefetch((const void *)((size_t)(from) + 128), "
		"0, 3)\n"
		"#elif defined __AVX2__\n"
		"#define fetch_behind(from, bytes) \\\n"
		"\t__builtin_prefetch((const void *)((size_t)(from) + (bytes)), "
		"0, 3)\n"
		"#else\n"
		"#define fetch_behind(from, bytes) ((void)(from))\n"
		"#endif\n\n");
}

void c_print_lanes(struct text *t, const struct kunit *unit)
{
	static const struct {
		struct ctype type;
		struct words_of_lanes words;
	} kind[] = {
		{ { .scalar = CT_FLOAT, .lanes = LANES_OF_PROCESSOR },
			{ "float", "", "ps", "32",
				"0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21,\n"
				"\t\t6, 22, 7, 23",
				"8, 24, 9, 25, 10, 26, 11, 27, 12, 28,\n"
				"\t\t13, 29, 14, 30, 15, 31", 16 } },
		{ { .scalar = CT_DOUBLE, .lanes = LANES_OF_PROCESSOR },
			{ "double", "d", "pd", "64", "0, 8, 1, 9, 2, 10, 3, 11",
				"4, 12, 5, 13, 6, 14, 7, 15", 8 } },
	};

	if (unit_uses(unit, B_FETCH_TO_READ))
		print_fetch(t, "read", 0);
	if (unit_uses(unit, B_FETCH_TO_WRITE))
		print_fetch(t, "write", 1);
	if (unit_uses(unit, B_FETCH_BEHIND))
		print_fetch_behind(t);
	for (size_t i = 0; i < sizeof(kind) / sizeof(*kind); i++) {
		if (!unit_uses_for(unit, B_TO_LANES, kind[i].type))
			continue;
		print_turn(t, &kind[i].words);
		print_to_lanes(t, &kind[i].words);
		print_from_lanes(t, &kind[i].words);
	}
}
