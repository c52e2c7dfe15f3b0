/* The small functions of reductions: one value of two, of lanes, of many; see enum reduce. */
#include "codegen/tree/print.h"

enum { N_HOW = REDUCE_SUM + 1 };

/* Is a value joined in this way, of this type? */
static bool joins(const struct kunit *unit, int how, enum type type)
{
	struct ctype c_type = ctype_of(type);

	return unit_uses_for(unit, B_JOIN + how, c_type) ||
		unit_uses_for(unit, B_JOIN_LANES + how, c_type) ||
		unit_uses_for(unit, B_JOIN_ALL + how, c_type);
}

static const char *nothing_of(int how, enum type type)
{
	if (how == REDUCE_SUM)
		return "0";
	if (type == TYPE_INT)
		return how == REDUCE_MAX ? "-2147483647 - 1" : "2147483647";
	return how == REDUCE_MAX ? "-INFINITY" : "INFINITY";
}

/* A sum of ints wraps around. */
static const char *join_of(int how, enum type type)
{
	if (how == REDUCE_SUM)
		return type == TYPE_INT ? "(int)((unsigned)a + (unsigned)b)" :
			"a + b";
	if (type == TYPE_INT)
		return how == REDUCE_MAX ? "b > a ? b : a" : "b < a ? b : a";
	return how == REDUCE_MAX ? "(b > a) | (b != b) ? b : a" :
		"(b < a) | (b != b) ? b : a";
}

static void print_join(struct text *t, const char *prefix, int how,
	enum type type)
{
	static const char *const comment[N_HOW] = {
		"The greater one; a NaN if one is.",
		"The less one; a NaN if one is.", NULL,
	};
	const char *name = type_name(type);

	text_printf(t, "%s %s %s%s(void)\n{\n\treturn %s;\n}\n\n", prefix, name,
		builtin_word(&spelling_c, B_NOTHING + how), name,
		nothing_of(how, type));
	if (comment[how] && type != TYPE_INT)
		text_printf(t, "/* %s */\n", comment[how]);
	text_printf(t, "%s %s %s%s(%s a, %s b)\n{\n\treturn %s;\n}\n\n",
		prefix, name, builtin_word(&spelling_c, B_JOIN + how), name,
		name, name, join_of(how, type));
}

static void print_lanes(struct text *t, const char *prefix, int how,
	enum type type)
{
	const char *name = type_name(type);

	text_printf(t, "/* That of all lanes, which are joined two and two. */\n"
		"%s %s %s%s(%s *lane)\n{\n"
		"\tfor (int half = %d; half > 0; half /= 2)\n"
		"\t\tfor (int l = 0; l < half; ++l)\n"
		"\t\t\tlane[l] = %s%s(lane[l], lane[l + half]);\n"
		"\treturn lane[0];\n}\n\n", prefix, name,
		builtin_word(&spelling_c, B_JOIN_LANES + how), name, name,
		REDUCE_LANES / 2, builtin_word(&spelling_c, B_JOIN + how), name);
}

/* What is returned: its zero has no sign, its NaN no bits of its own. */
static const char *plain_of(enum type type)
{
	return type == TYPE_INT ? "value[0]" :
		"value[0] != value[0] ? NAN : value[0] + 0";
}

static void print_all(struct text *t, const char *prefix, int how,
	enum type type)
{
	const char *name = type_name(type);
	const char *none = builtin_word(&spelling_c, B_NOTHING + how);

	text_printf(t, "/* That of n values, of which %d become one in each "
		"round. */\n"
		"%s %s %s%s(%s *value, size_t n)\n{\n"
		"\tfor (size_t pieces; n > 1; n = pieces) {\n"
		"\t\tpieces = (n - 1) / %d + 1;\n"
		"\t\tfor (size_t piece = 0; piece < pieces; ++piece) {\n"
		"\t\t\tconst %s *const from = value + %d * piece;\n"
		"\t\t\tconst size_t end = piece + 1 < pieces ? %d : n - %d * "
		"piece;\n"
		"\t\t\t%s lane[%d];\n\n", REDUCE_PIECE, prefix, name,
		builtin_word(&spelling_c, B_JOIN_ALL + how), name, name,
		REDUCE_PIECE, name, REDUCE_PIECE, REDUCE_PIECE, REDUCE_PIECE,
		name, REDUCE_LANES);
	text_printf(t, "\t\t\tfor (int l = 0; l < %d; ++l)\n"
		"\t\t\t\tlane[l] = %s%s();\n"
		"\t\t\tfor (size_t i = 0; i < end; ++i)\n"
		"\t\t\t\tlane[i %% %d] = %s%s(lane[i %% %d], from[i]);\n"
		"\t\t\tvalue[piece] = %s%s(lane);\n\t\t}\n\t}\n"
		"\tif (n == 0)\n\t\treturn %s%s();\n"
		"\treturn %s;\n}\n\n", REDUCE_LANES, none, name, REDUCE_LANES,
		builtin_word(&spelling_c, B_JOIN + how), name, REDUCE_LANES,
		builtin_word(&spelling_c, B_JOIN_LANES + how), name, none, name,
		plain_of(type));
}

void print_reduce_helpers(struct text *t, const struct kunit *unit,
	const struct helper_prefix *prefix)
{
	for (int how = 0; how < N_HOW; how++)
		for (enum type type = TYPE_INT; type <= TYPE_DOUBLE; type++) {
			if (!joins(unit, how, type))
				continue;
			print_join(t, prefix->anywhere, how, type);
			print_lanes(t, prefix->anywhere, how, type);
			print_all(t, prefix->anywhere, how, type);
		}
}
