/* The small functions of reductions: one value of two, of lanes, of many; see enum reduce. */
#include "codegen/tree/print.h"

enum { N_HOW = REDUCE_SUM + 1 };

/* Words for the values that are joined in one way, of one type. */
struct joining {
	struct text *t;
	int how;
	const char *type, *join, *nothing, *lanes, *all, *threads, *handed;
	bool is_int;
	bool has_lanes, has_all, has_threads;
};

static struct joining joining_of(struct text *t, const struct kunit *unit,
	int how, enum type type)
{
	struct ctype c_type = ctype_of(type);

	return (struct joining) {
		.t = t, .how = how, .type = type_name(type),
		.join = builtin_word(&spelling_c, B_JOIN + how),
		.nothing = builtin_word(&spelling_c, B_NOTHING + how),
		.lanes = builtin_word(&spelling_c, B_JOIN_LANES + how),
		.all = builtin_word(&spelling_c, B_JOIN_ALL + how),
		.threads = builtin_word(&spelling_c, B_JOIN_THREADS + how),
		.handed = builtin_word(&spelling_c, B_JOIN_HANDED + how),
		.is_int = type == TYPE_INT,
		.has_lanes = unit_uses_for(unit, B_JOIN_LANES + how, c_type),
		.has_all = unit_uses_for(unit, B_JOIN_ALL + how, c_type),
		.has_threads = unit_uses_for(unit, B_JOIN_THREADS + how,
			c_type),
	};
}

static const char *nothing_of(const struct joining *j)
{
	if (j->how == REDUCE_SUM)
		return "0";
	if (j->is_int)
		return j->how == REDUCE_MAX ? "-2147483647 - 1" : "2147483647";
	return j->how == REDUCE_MAX ? "-INFINITY" : "INFINITY";
}

/* A sum of ints wraps around. */
static const char *join_of(const struct joining *j)
{
	if (j->how == REDUCE_SUM)
		return j->is_int ? "(int)((unsigned)a + (unsigned)b)" :
			"a + b";
	if (j->is_int)
		return j->how == REDUCE_MAX ? "b > a ? b : a" :
			"b < a ? b : a";
	return j->how == REDUCE_MAX ? "(b > a) | (b != b) ? b : a" :
		"(b < a) | (b != b) ? b : a";
}

static void print_join(const struct joining *j, const char *prefix)
{
	static const char *const comment[N_HOW] = {
		"The greater one; a NaN if one is.",
		"The less one; a NaN if one is.", NULL,
	};

	text_printf(j->t, "%s %s %s%s(void)\n{\n\treturn %s;\n}\n\n", prefix,
		j->type, j->nothing, j->type, nothing_of(j));
	if (comment[j->how] && !j->is_int)
		text_printf(j->t, "/* %s */\n", comment[j->how]);
	text_printf(j->t, "%s %s %s%s(%s a, %s b)\n{\n\treturn %s;\n}\n\n",
		prefix, j->type, j->join, j->type, j->type, j->type,
		join_of(j));
}

static void print_lanes(const struct joining *j, const char *prefix)
{
	text_printf(j->t, "/* That of all lanes, which are joined two and two. "
		"*/\n%s %s %s%s(%s *lane)\n{\n"
		"\tfor (int half = %d; half > 0; half /= 2)\n"
		"\t\tfor (int l = 0; l < half; ++l)\n"
		"\t\t\tlane[l] = %s%s(lane[l], lane[l + half]);\n"
		"\treturn lane[0];\n}\n\n", prefix, j->type, j->lanes, j->type,
		j->type, REDUCE_LANES / 2, j->join, j->type);
}

/* What is returned: its zero has no sign, its NaN no bits of its own. */
static const char *plain_of(const struct joining *j)
{
	return j->is_int ? "value" : "value != value ? NAN : value + 0";
}

static void print_all(const struct joining *j, const char *prefix)
{
	text_printf(j->t, "/* That of n values, of which %d become one in each "
		"round. */\n"
		"%s %s %s%s(%s *values, size_t n)\n{\n"
		"\tfor (size_t pieces; n > 1; n = pieces) {\n"
		"\t\tpieces = (n - 1) / %d + 1;\n"
		"\t\tfor (size_t piece = 0; piece < pieces; ++piece) {\n"
		"\t\t\tconst %s *const from = values + %d * piece;\n"
		"\t\t\tconst size_t end = piece + 1 < pieces ? %d : n - %d * "
		"piece;\n"
		"\t\t\t%s lane[%d];\n\n", REDUCE_PIECE, prefix, j->type, j->all,
		j->type, j->type, REDUCE_PIECE, j->type, REDUCE_PIECE,
		REDUCE_PIECE, REDUCE_PIECE, j->type, REDUCE_LANES);
	text_printf(j->t, "\t\t\tfor (int l = 0; l < %d; ++l)\n"
		"\t\t\t\tlane[l] = %s%s();\n"
		"\t\t\tfor (size_t i = 0; i < end; ++i)\n"
		"\t\t\t\tlane[i %% %d] = %s%s(lane[i %% %d], from[i]);\n"
		"\t\t\tvalues[piece] = %s%s(lane);\n\t\t}\n\t}\n"
		"\tconst %s value = n == 0 ? %s%s() : values[0];\n"
		"\treturn %s;\n}\n\n", REDUCE_LANES, j->nothing, j->type,
		REDUCE_LANES, j->join, j->type, REDUCE_LANES, j->lanes, j->type,
		j->type, j->nothing, j->type, plain_of(j));
}

/* GPUs --------------------------------------------------------------------- */

/* As in a tree of lanes; the barriers are for all threads of the block. */
static void print_threads(const struct joining *j, const char *prefix)
{
	text_printf(j->t, "/* That of the %d threads side by side, which are "
		"joined two and two: each gets it. */\n"
		"%s %s %s%s(%s *lane, %s value)\n{\n"
		"\tconst int l = threadIdx.x %% %d;\n\n"
		"\tlane[threadIdx.x] = value;\n"
		"\tfor (int half = %d; half > 0; half /= 2) {\n"
		"\t\t__syncthreads();\n"
		"\t\tif (l < half)\n"
		"\t\t\tlane[threadIdx.x] = %s%s(lane[threadIdx.x], "
		"lane[threadIdx.x + half]);\n"
		"\t}\n\t__syncthreads();\n"
		"\tvalue = lane[threadIdx.x - l];\n"
		"\t__syncthreads();\n\treturn value;\n}\n\n", REDUCE_LANES,
		prefix, j->type, j->threads, j->type, j->type, j->type,
		REDUCE_LANES, REDUCE_LANES / 2, j->join, j->type);
}

static void print_handed(const struct joining *j, const char *prefix)
{
	text_printf(j->t, "/* That of n values that blocks have handed on, of "
		"which %d become one in each round;\n * for all threads of a "
		"block.\n */\n"
		"%s %s %s%s(%s *lane,\n\t%s *values, size_t n)\n{\n"
		"\tfor (size_t pieces; n > 1; n = pieces) {\n"
		"\t\tpieces = (n - 1) / %d + 1;\n"
		"\t\tfor (size_t first = 0; first < pieces; "
		"first += blockDim.x / %d) {\n"
		"\t\t\tconst size_t piece = first + threadIdx.x / %d;\n"
		"\t\t\tconst size_t end = piece + 1 < pieces ? %d * (piece + 1) "
		": piece < pieces ? n : 0;\n"
		"\t\t\t%s value = %s%s();\n\n", REDUCE_PIECE, prefix, j->type,
		j->handed, j->type, j->type, j->type, REDUCE_PIECE,
		REDUCE_LANES, REDUCE_LANES, REDUCE_PIECE, j->type, j->nothing,
		j->type);
	text_printf(j->t, "\t\t\tfor (size_t i = %d * piece + threadIdx.x %% %d;"
		" i < end; i += %d)\n"
		"\t\t\t\tvalue = %s%s(value, stencilc_handed_%s(values + i));\n"
		"\t\t\tvalue = %s%s(lane, value);\n"
		"\t\t\tif (threadIdx.x %% %d == 0 && piece < pieces)\n"
		"\t\t\t\tstencilc_hand_on_%s(values + piece, value);\n"
		"\t\t}\n\t\t__syncthreads();\n\t}\n"
		"\tconst %s value = n == 0 ? %s%s() : "
		"stencilc_handed_%s(values);\n"
		"\treturn %s;\n}\n\n", REDUCE_PIECE, REDUCE_LANES, REDUCE_LANES,
		j->join, j->type, j->type, j->threads, j->type, REDUCE_LANES,
		j->type, j->type, j->nothing, j->type, j->type, plain_of(j));
}

/* Values go from block to block by atomics, which no cache of a multiprocessor keeps. */
static void print_hand_on(struct text *t, const struct kunit *unit,
	const char *prefix, enum type type)
{
	static const struct {
		const char *bits, *to_bits, *of_bits;
	} words[] = {
		[TYPE_INT] = { "int", "", "" },
		[TYPE_FLOAT] = { "int", "__float_as_int", "__int_as_float" },
		[TYPE_DOUBLE] = { "unsigned long long",
			"(unsigned long long)__double_as_longlong",
			"__longlong_as_double((long long)" },
	};
	const char *name = type_name(type), *bits = words[type].bits;

	if (!unit_uses_for(unit, B_HAND_ON, ctype_of(type)))
		return;
	text_printf(t, "/* For other blocks: a value, where it is read. */\n"
		"%s void stencilc_hand_on_%s(%s *to, %s value)\n{\n"
		"\tatomicExch((%s *)to, %s(value));\n}\n\n"
		"%s %s stencilc_handed_%s(%s *from)\n{\n"
		"\treturn %s(atomicAdd((%s *)from, %s))%s;\n}\n\n", prefix,
		name, name, name, bits, words[type].to_bits, prefix, name, name,
		name, words[type].of_bits, bits, type == TYPE_DOUBLE ? "0ull" :
		"0", type == TYPE_DOUBLE ? ")" : "");
}

static void print_last_block(struct text *t, const struct kunit *unit,
	const char *prefix)
{
	if (!unit_uses(unit, B_LAST_BLOCK))
		return;
	text_printf(t, "/* Is the block the last one that asks?  What others "
		"have handed on is there for it.\n * The count begins again."
		"\n */\n"
		"%s bool stencilc_is_last_block(int *arrived)\n{\n"
		"\t__shared__ bool is_last;\n\n"
		"\t__threadfence();\n\t__syncthreads();\n"
		"\tif (threadIdx.x == 0) {\n"
		"\t\tis_last = atomicAdd(arrived, 1) == (int)gridDim.x - 1;\n"
		"\t\tif (is_last)\n\t\t\tatomicExch(arrived, 0);\n"
		"\t\t__threadfence();\n\t}\n"
		"\t__syncthreads();\n\treturn is_last;\n}\n\n", prefix);
}

void print_reduce_helpers(struct text *t, const struct kunit *unit,
	const struct helper_prefix *prefix)
{
	print_last_block(t, unit, prefix->kernels);
	for (enum type type = TYPE_INT; type <= TYPE_DOUBLE; type++)
		print_hand_on(t, unit, prefix->kernels, type);
	for (int how = 0; how < N_HOW; how++)
		for (enum type type = TYPE_INT; type <= TYPE_DOUBLE; type++) {
			struct joining j = joining_of(t, unit, how, type);

			if (!j.has_lanes && !j.has_threads)
				continue;
			print_join(&j, prefix->anywhere);
			if (j.has_lanes)
				print_lanes(&j, prefix->anywhere);
			if (j.has_all)
				print_all(&j, prefix->anywhere);
			if (j.has_threads)
				print_threads(&j, prefix->kernels);
			if (j.has_threads)
				print_handed(&j, prefix->kernels);
		}
}
