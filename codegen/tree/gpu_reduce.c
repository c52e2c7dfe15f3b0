/* How the threads and blocks of a GPU join values of reductions; see enum
 * reduce.
 */
#include "codegen/tree/gpu.h"

/* Words for values of one type that are joined in one way. */
struct joining {
	struct text *t;
	const struct spelling *say;
	const char *type, *join, *nothing, *threads, *handed;
	const char *thread, *barrier;
	enum type type_of;
};

static struct joining joining_of(struct text *t, const struct spelling *say,
	int how, enum type type)
{
	return (struct joining) {
		.t = t, .say = say, .type = type_word(type),
		.join = builtin_word(say, B_JOIN + how),
		.nothing = builtin_word(say, B_NOTHING + how),
		.threads = builtin_word(say, B_JOIN_THREADS + how),
		.handed = builtin_word(say, B_JOIN_HANDED + how),
		.thread = builtin_word(say, B_THREAD),
		.barrier = builtin_word(say, B_BLOCK_BARRIER),
		.type_of = type,
	};
}

/* Joins as in a tree of lanes; all threads of the block meet at the barriers. */
static void print_threads(const struct joining *j)
{
	text_printf(j->t, "/* Join the values of %d neighbouring threads pair by "
		"pair; each gets the result. */\n"
		DEVICE_FUNCTION " %s %s%s(%s *lane, %s value)\n{\n"
		"\tconst int thread = (int)%sx;\n"
		"\tconst int l = thread %% %d;\n\n"
		"\tlane[thread] = value;\n"
		"\tfor (int half = %d; half > 0; half /= 2) {\n"
		"\t\t%s);\n"
		"\t\tif (l < half)\n"
		"\t\t\tlane[thread] = %s%s(lane[thread], "
		"lane[thread + half]);\n"
		"\t}\n\t%s);\n"
		"\tvalue = lane[thread - l];\n"
		"\t%s);\n\treturn value;\n}\n\n", REDUCE_LANES, j->type,
		j->threads, j->type, j->type, j->type, j->thread, REDUCE_LANES,
		REDUCE_LANES / 2, j->barrier, j->join, j->type, j->barrier,
		j->barrier);
}

static void print_handed(const struct joining *j)
{
	text_printf(j->t, "/* Join the n values that blocks have left, %d to one "
		"in each round; all threads of\n * the block get the "
		"result.\n */\n"
		DEVICE_FUNCTION " %s %s%s(%s *lane,\n\t%s *values, size_t n)\n{\n"
		"\tconst size_t row = %sx / %d;\n"
		"\tconst size_t column = %sx %% %d;\n\n"
		"\tfor (size_t pieces; n > 1; n = pieces) {\n"
		"\t\tpieces = (n - 1) / %d + 1;\n"
		"\t\tfor (size_t first = 0; first < pieces; first += %d) {\n"
		"\t\t\tconst size_t piece = first + row;\n"
		"\t\t\tconst size_t end = piece + 1 < pieces ? %d * (piece + 1)"
		"\n\t\t\t\t: piece < pieces ? n : 0;\n"
		"\t\t\t%s value = %s%s();\n\n", REDUCE_PIECE, j->type,
		j->handed, j->type, j->type, j->type, j->thread, REDUCE_LANES,
		j->thread, REDUCE_LANES, REDUCE_PIECE, REDUCE_THREADS /
		REDUCE_LANES, REDUCE_PIECE, j->type, j->nothing, j->type);
	text_printf(j->t, "\t\t\tfor (size_t i = %d * piece + column; i < end; "
		"i += %d)\n"
		"\t\t\t\tvalue = %s%s(value, stencilc_handed_%s(values + i));\n"
		"\t\t\tvalue = %s%s(lane, value);\n"
		"\t\t\tif (column == 0 && piece < pieces)\n"
		"\t\t\t\tstencilc_hand_on_%s(values + piece, value);\n"
		"\t\t}\n\t\t%s);\n\t}\n"
		"\tconst %s value = n == 0 ? %s%s() : "
		"stencilc_handed_%s(values);\n"
		"\treturn %s;\n}\n\n", REDUCE_PIECE, REDUCE_LANES, j->join,
		j->type, j->type, j->threads, j->type, j->type, j->barrier,
		j->type, j->nothing, j->type, j->type, reduce_returned(j->type_of));
}

/* Values go from block to block by atomics, which bypass the caches of multiprocessors. */
static void print_hand_on(struct text *t, const struct kunit *unit,
	enum type type)
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
	const char *name = type_word(type), *bits = words[type].bits;

	if (!unit_uses_for(unit, B_HAND_ON, ctype_of(type)))
		return;
	text_printf(t, "/* For other blocks: a value, where it is read. */\n"
		DEVICE_FUNCTION " void stencilc_hand_on_%s(%s *to, %s value)\n{\n"
		"\tatomicExch((%s *)to, %s(value));\n}\n\n"
		DEVICE_FUNCTION " %s stencilc_handed_%s(%s *from)\n{\n"
		"\treturn %s(atomicAdd((%s *)from, %s))%s;\n}\n\n", name,
		name, name, bits, words[type].to_bits, name, name, name, words[type].of_bits, bits, type == TYPE_DOUBLE ? "0ull" :
		"0", type == TYPE_DOUBLE ? ")" : "");
}

static void print_last_block(struct text *t, const struct spelling *say)
{
	const char *thread = builtin_word(say, B_THREAD);
	const char *barrier = builtin_word(say, B_BLOCK_BARRIER);
	const char *fence = builtin_word(say, B_FENCE);

	text_printf(t, "/* Is the block the last one to ask?  Then it sees "
		"what the others have left, and the\n * count begins again."
		"\n */\n"
		DEVICE_FUNCTION " bool stencilc_is_last_block(int *arrived)\n{\n"
		"\t%sbool is_last;\n\n"
		"\t%s);\n\t%s);\n"
		"\tif (%sx == 0) {\n"
		"\t\tis_last = atomicAdd(arrived, 1) == (int)%sx - 1;\n"
		"\t\tif (is_last)\n\t\t\tatomicExch(arrived, 0);\n"
		"\t\t%s);\n\t}\n"
		"\t%s);\n\treturn is_last;\n}\n\n", say->shared, fence,
		barrier, thread, builtin_word(say, B_BLOCKS), fence, barrier);
}

void print_reduce_of_gpu(struct text *t, const struct spelling *say,
	const struct kunit *unit)
{
	if (unit_uses(unit, B_LAST_BLOCK))
		print_last_block(t, say);
	for (enum type type = TYPE_INT; type <= TYPE_DOUBLE; type++)
		print_hand_on(t, unit, type);
	for (int how = 0; how < REDUCE_WAYS; how++)
		for (enum type type = TYPE_INT; type <= TYPE_DOUBLE; type++) {
			struct joining j = joining_of(t, say, how, type);

			if (!unit_uses_for(unit, B_JOIN_THREADS + how,
			    ctype_of(type)))
				continue;
			print_threads(&j);
			if (unit_uses_for(unit, B_JOIN_HANDED + how,
			    ctype_of(type)))
				print_handed(&j);
		}
}
