/* The small functions that emitted code calls. */
#include "codegen/tree/print.h"

enum caller { ANYWHERE, KERNELS, HARNESS };

struct helper {
	enum builtin builtin;
	enum caller caller;
	const char *comment;	/* or NULL */
	const char *params, *body;
};

/* Turns of the lines behind the first two, and how many of these are for sides: of each column of inner
 * rows, one or two of which there are.
 */
#define TURNS_OF_TILES \
	"\tconst int rows = last_y - 1, turn = (y - 2) * (last_x + 1) + x;\n" \
	"\tconst int at_sides = (last_x > 0 ? 2 : 1) * rows;\n\n"

static const struct helper helpers[] = {
	{ B_MIN, ANYWHERE, NULL, "int a, int b",
		"\treturn a < b ? a : b;\n" },
	{ B_MAX, ANYWHERE, NULL, "int a, int b",
		"\treturn a > b ? a : b;\n" },
	{ B_FLOOR_DIV, ANYWHERE, "floor(a / b), b > 0", "int a, int b",
		"\treturn a >= 0 ? a / b : -((b - 1 - a) / b);\n" },
	{ B_WHOLE_LINES, ANYWHERE, "Rounded up to lines of the cache.",
		"size_t bytes", "\treturn (bytes + 63) / 64 * 64;\n" },
	{ B_HALF_PAGE_APART, ANYWHERE, "The least offset from \"own\" to an "
		"address half a page from \"user\" within a page.",
		"const void *own, const void *user",
		"\treturn (int)(((size_t)user + 2048 - (size_t)own) % 4096);\n" },
	{ B_WRAP, KERNELS, "x mod n for 0 <= x < 2*n", "int x, int n",
		"\treturn x < n ? x : x - n;\n" },
	{ B_STAND_IN + BOUNDARY_MIRROR, KERNELS, "The cell of 0 .. n-1 that a "
		"mirror at both ends has for x.", "int x, int n",
		"\tconst int beyond = x < n ? 0 : x - (n - 1);\n\n"
		"\treturn x < 0 ? -x : x - 2 * beyond;\n" },
	{ B_STAND_IN + BOUNDARY_PERIODIC, KERNELS, "x mod n for -n <= x < 2*n",
		"int x, int n",
		"\treturn x + (x < 0 ? n : 0) - (x < n ? 0 : n);\n" },
	{ B_PARITY, KERNELS, "x mod 2", "int x",
		"\treturn x & 1;\n" },
	{ B_ROW_OF_TURN, KERNELS, "The row of the tile that turn x of line y "
		"takes: those at sides of the grid first.",
		"int y, int x, int last_y, int last_x",
		TURNS_OF_TILES
		"\tif (y < 2)\n"
		"\t\treturn y > 0 ? 0 : last_y;\n"
		"\tif (turn < at_sides)\n"
		"\t\treturn 1 + (turn < rows ? turn : turn - rows);\n"
		"\treturn 1 + (turn - at_sides) / (last_x - 1);\n" },
	{ B_COLUMN_OF_TURN, KERNELS, "The column of that tile.",
		"int y, int x, int last_y, int last_x",
		TURNS_OF_TILES
		"\tif (y < 2)\n"
		"\t\treturn x > 0 ? x - 1 : last_x;\n"
		"\tif (turn < at_sides)\n"
		"\t\treturn turn < rows ? last_x : 0;\n"
		"\treturn 1 + (turn - at_sides) % (last_x - 1);\n" },
	{ B_MODULO, KERNELS, "x mod n", "int x, int n",
		"\treturn (x % n + n) % n;\n" },
	{ B_ANY_STAND_IN + BOUNDARY_MIRROR, HARNESS, "The boundaries of the "
		"plain loops.", "int x, int n",
		"\twhile (x < 0 || x >= n)\n"
		"\t\tx = x < 0 ? -x : n - 1 - (x - (n - 1));\n"
		"\treturn x;\n" },
	{ B_ANY_STAND_IN + BOUNDARY_PERIODIC, HARNESS, NULL, "int x, int n",
		"\treturn (x % n + n) % n;\n" },
	{ B_ANY_STAND_IN + BOUNDARY_CLAMP, HARNESS, NULL, "int x, int n",
		"\treturn x < 0 ? 0 : x < n ? x : n - 1;\n" },
	{ B_IS_INSIDE, HARNESS, NULL, "int x, int n",
		"\treturn 0 <= x && x < n;\n" },
};

/* Loads and stores of "n" cells at an aligned address, in pieces of up to 16
 * bytes, and copies of "n" cells.
 */
static void print_vector_helper(struct text *t, const struct kunit *unit,
	const char *prefix, enum type of, int n)
{
	const struct ctype vector = { .scalar = scalar_of(of), .lanes = n };
	const char *type = type_word(of);
	int bytes = type_size(of), piece = n * bytes > 16 ? 16 / bytes : n;

	if (unit_uses_for(unit, B_LOAD, vector)) {
		text_printf(t, "%s void stencilc_load_%s%d(%s *to, "
			"const %s *from)\n{\n", prefix, type, n, type, type);
		for (int i = 0; i < n; i += piece) {
			text_printf(t, "\tconst %s%d v%d = *(const %s%d *)"
				"(from + %d);\n", type, piece, i, type, piece,
				i);
			for (int j = 0; j < piece; j++)
				text_printf(t, "\tto[%d] = v%d.%c;\n",
					i + j, i, "xyzw"[j]);
		}
		text_puts(t, "}\n\n");
	}
	if (unit_uses_for(unit, B_COPY, vector))
		text_printf(t, "%s void stencilc_copy_%s%d(%s *to, "
			"const %s *from)\n{\n"
			"\t*(%s%d *)to = *(const %s%d *)from;\n}\n\n", prefix,
			type, n, type, type, type, n, type, n);
	if (unit_uses_for(unit, B_STORE, vector)) {
		text_printf(t, "%s void stencilc_store_%s%d(%s *to, "
			"const %s *from)\n{\n", prefix, type, n, type, type);
		for (int i = 0; i < n; i += piece) {
			text_printf(t, "\t*(%s%d *)(to + %d) = make_%s%d(",
				type, piece, i, type, piece);
			for (int j = 0; j < piece; j++)
				text_printf(t, "%sfrom[%d]", j ? ", " : "",
					i + j);
			text_puts(t, ");\n");
		}
		text_puts(t, "}\n\n");
	}
}

/* The same for cells that have no vectors of their own name: as the widest integers with the
 * same bytes.
 */
static void print_bytes_helper(struct text *t, const struct kunit *unit,
	const char *prefix, enum type of, int n)
{
	static const enum builtin move[] = { B_LOAD, B_COPY, B_STORE };
	static const char *const word[] = { "load", "copy", "store" };
	const struct ctype vector = { .scalar = scalar_of(of), .lanes = n };
	const char *type = type_word(of);
	int bytes = n * type_size(of);
	int pieces = bytes > 16 ? bytes / 16 : 1;
	const char *wide = bytes >= 16 ? "int4" : bytes == 8 ? "int2" :
		bytes == 4 ? "int" : "short";

	for (int i = 0; i < 3; i++) {
		if (!unit_uses_for(unit, move[i], vector))
			continue;
		text_printf(t, "%s void stencilc_%s_%s%d(%s *to, const %s *from)"
			"\n{\n\t%s v[%d];\n\n", prefix, word[i], type, n,
			type, type, wide, pieces);
		if (move[i] == B_STORE)
			text_puts(t, "\tmemcpy(v, from, sizeof(v));\n");
		for (int j = 0; j < pieces; j++)
			if (move[i] == B_STORE)
				text_printf(t, "\t((%s *)to)[%d] = v[%d];\n",
					wide, j, j);
			else
				text_printf(t, "\tv[%d] = ((const %s *)from)"
					"[%d];\n", j, wide, j);
		for (int j = 0; j < pieces && move[i] == B_COPY; j++)
			text_printf(t, "\t((%s *)to)[%d] = v[%d];\n", wide, j,
				j);
		if (move[i] == B_LOAD)
			text_puts(t, "\tmemcpy(to, v, sizeof(v));\n");
		text_puts(t, "}\n\n");
	}
}

static bool has_vectors(enum type type)
{
	return type == TYPE_INT || type == TYPE_FLOAT || type == TYPE_DOUBLE;
}

static void print_vector_helpers(struct text *t, const struct kunit *unit,
	const char *prefix)
{
	for (int n = 2; n <= 16; n *= 2) {
		print_vector_helper(t, unit, prefix, TYPE_FLOAT, n);
		print_vector_helper(t, unit, prefix, TYPE_DOUBLE, n);
		print_vector_helper(t, unit, prefix, TYPE_INT, n);
		for (enum type type = 0; type < TYPES; type++)
			if (!has_vectors(type))
				print_bytes_helper(t, unit, prefix, type, n);
	}
}

/* The first touch of a page of usual size costs a fault, and each page an entry
 * in a cache of a few hundred.
 */
static void print_memory_helper(struct text *t, const struct kunit *unit,
	const char *prefix)
{
	if (unit_uses(unit, B_NEW_LARGE))
		text_printf(t, "/* Memory that starts with a line of the cache, much "
			"of it in large pages where\n"
			" * the system offers them.\n */\n"
			"%s void *stencilc_memory(size_t bytes)\n{\n"
			"\tvoid *const memory = aligned_alloc(64, "
			"(bytes + 63) / 64 * 64);\n"
			"#ifdef MADV_HUGEPAGE\n"
			"\tconst size_t before = (4096 - (size_t)memory %% 4096)"
			" %% 4096;\n\n"
			"\tif (memory && bytes >= 8 << 20)\n"
			"\t\tmadvise((char *)memory + before, bytes - before, "
			"MADV_HUGEPAGE);\n"
			"#endif\n"
			"\treturn memory;\n}\n\n", prefix);
}

/* What a harness has memory by: its end says what is lacking. */
static void print_harness_helpers(struct text *t, const struct kunit *unit,
	const char *prefix)
{
	if (!unit->harness)
		return;
	text_printf(t, "/* The memory, which a harness cannot do without. */\n"
		"%s void *harness_needed(void *memory, size_t bytes)\n{\n"
		"\tif (!memory) {\n"
		"\t\tfprintf(stderr, \"no memory for %%zu bytes\\n\", bytes);\n"
		"\t\texit(1);\n\t}\n\treturn memory;\n}\n\n"
		"%s void *harness_memory(size_t bytes)\n{\n"
		"\treturn harness_needed(malloc(bytes), bytes);\n}\n\n",
		prefix, prefix);
	if (unit_uses(unit, B_COPY_OF))
		text_printf(t, "%s void *harness_copied(const void *from, "
			"size_t bytes)\n{\n"
			"\tvoid *const copy = harness_memory(bytes + 1);\n\n"
			"\tif (bytes > 0)\n"
			"\t\tmemcpy(copy, from, bytes);\n"
			"\treturn copy;\n}\n\n", prefix);
}

/* Each thread of a parallel region sets its own schedule(runtime); afterwards the caller's
 * setting holds again.
 */
static void print_deal_helper(struct text *t, const struct kunit *unit,
	const char *prefix)
{
	if (unit_uses(unit, B_DEAL_TILES))
		text_printf(t, "/* How schedule(runtime) deals out tiles in this "
			"parallel region.  A few threads\n"
			" * share one memory: a thread that is done takes the "
			"next tile.  Many have several\n"
			" * memories: each thread keeps to the planes that it "
			"wrote first, in memory near it.\n */\n"
			"%s void deal_tiles(void)\n{\n"
			"#ifdef _OPENMP\n"
			"\tomp_set_schedule(omp_get_num_threads() > 8 ? "
			"omp_sched_static\n"
			"\t\t: omp_sched_dynamic, 0);\n"
			"#endif\n}\n\n", prefix);
	if (unit_uses(unit, B_TILES_AHEAD))
		text_printf(t, "/* How many tiles further on the next one of this "
			"thread lies, if all take turns. */\n"
			"%s int tiles_ahead(void)\n{\n"
			"#ifdef _OPENMP\n"
			"\treturn omp_get_num_threads() > 8 ? 1 : "
			"omp_get_num_threads();\n"
			"#else\n"
			"\treturn 1;\n"
			"#endif\n}\n\n", prefix);
}

/* The order by which qsort() sorts rows of "width" ints. */
static void print_compare_helper(struct text *t, int width)
{
	text_printf(t, "/* Places in the order of their coordinates, those alike "
		"by number. */\n"
		"static int compare_places%d(const void *a, const void *b)\n{\n"
		"\tconst int *const x = (const int *)a;\n"
		"\tconst int *const y = (const int *)b;\n\n"
		"\tfor (int d = 0; d < %d; ++d)\n"
		"\t\tif (x[d] != y[d])\n"
		"\t\t\treturn x[d] < y[d] ? -1 : 1;\n"
		"\treturn 0;\n}\n\n", width, width);
}

/* Rows of n + 1 ints with the same first coordinate are sorted by place. */
static void print_first_helper(struct text *t, const char *prefix, int n)
{
	text_printf(t, "/* The first of the points from \"from\" on, before "
		"\"end\", that does not lie before\n * the place in the plane "
		"that they share.\n */\n%s int first_place%d(const int *cells, "
		"int from, int end", prefix, n + 1);
	for (int d = 1; d < n; d++)
		text_printf(t, ", int x%d", d);
	text_printf(t, ")\n{\n\twhile (from < end) {\n"
		"\t\tconst int middle = from + (end - from) / 2;\n"
		"\t\tconst int *const cell = cells + %d * (size_t)middle;\n\n"
		"\t\tif (", n + 1);
	for (int d = 1; d < n - 1; d++)
		text_printf(t, "cell[%d] < x%d || (cell[%d] == x%d && (", d, d,
			d, d);
	text_printf(t, "cell[%d] < x%d", n - 1, n - 1);
	for (int d = 1; d < n - 1; d++)
		text_puts(t, "))");
	text_puts(t, ")\n\t\t\tfrom = middle + 1;\n\t\telse\n"
		"\t\t\tend = middle;\n\t}\n\treturn from;\n}\n\n");
}

static void print_list_helpers(struct text *t, const struct kunit *unit,
	const struct helper_prefix *prefix)
{
	bool printed[IR_MAX_DIMS + 1] = { false };

	for (int i = 0; i < unit->prog->n_lists; i++) {
		int n = unit->prog->list[i]->grid->n_dims;

		if (!printed[n] && prefix->sorts)
			print_compare_helper(t, n + 1);
		if (!printed[n] && unit->lists && n > 1)
			print_first_helper(t, prefix->kernels, n);
		printed[n] = true;
	}
}

/* Reductions: join two values, lanes, many values; see enum reduce -------- */

/* Words for values of one type that are joined in one way. */
struct joining {
	struct text *t;
	int how;
	const char *type, *join, *nothing, *lanes, *all;
	enum type type_of;
	bool has_lanes, has_all, has_threads;
};

static struct joining joining_of(struct text *t, const struct kunit *unit,
	int how, enum type type)
{
	struct ctype c_type = ctype_of(type);
	bool has_all = unit_uses_for(unit, B_JOIN_ALL + how, c_type);

	return (struct joining) {
		.t = t, .how = how, .type = type_word(type),
		.join = builtin_word(&spelling_c, B_JOIN + how),
		.nothing = builtin_word(&spelling_c, B_NOTHING + how),
		.lanes = builtin_word(&spelling_c, B_JOIN_LANES + how),
		.all = builtin_word(&spelling_c, B_JOIN_ALL + how),
		.type_of = type,
		.has_lanes = has_all || unit_uses_for(unit, B_JOIN_LANES + how,
			c_type),
		.has_all = has_all,
		.has_threads = unit_uses_for(unit, B_JOIN_THREADS + how,
			c_type),
	};
}

static const char *nothing_of(const struct joining *j)
{
	if (j->how == REDUCE_SUM)
		return "0";
	if (j->type_of == TYPE_INT)
		return j->how == REDUCE_MAX ? "-2147483647 - 1" : "2147483647";
	return j->how == REDUCE_MAX ? "-INFINITY" : "INFINITY";
}

/* The greater one, or the less one, of numbers; of others "a" if that is no number. */
static const char *chosen(const struct joining *j)
{
	return j->how == REDUCE_MAX ? "b > a ? b : a" : "b < a ? b : a";
}

/* A sum of ints wraps around. */
static const char *sum_of(const struct joining *j)
{
	return j->type_of == TYPE_INT ? "(int)((unsigned)a + (unsigned)b)" :
		"a + b";
}

/* The choice by itself is an instruction of vectors, for which alone the next value waits:
 * in one expression gcc makes three comparisons of it.
 */
static void print_choice_of_numbers(const struct joining *j)
{
	text_printf(j->t, "\tconst %s chosen = %s;\n\n"
		"\treturn b == b ? chosen : b;\n", j->type, chosen(j));
}

static void print_join(const struct joining *j, const char *prefix)
{
	static const char *const comment[REDUCE_WAYS] = {
		"The greater one; a NaN if one is.",
		"The less one; a NaN if one is.", NULL,
	};

	text_printf(j->t, "%s %s %s%s(void)\n{\n\treturn %s;\n}\n\n", prefix,
		j->type, j->nothing, j->type, nothing_of(j));
	if (comment[j->how] && j->type_of != TYPE_INT)
		text_printf(j->t, "/* %s */\n", comment[j->how]);
	text_printf(j->t, "%s %s %s%s(%s a, %s b)\n{\n", prefix, j->type,
		j->join, j->type, j->type, j->type);
	if (j->how != REDUCE_SUM && j->type_of != TYPE_INT)
		print_choice_of_numbers(j);
	else
		text_printf(j->t, "\treturn %s;\n", j->how == REDUCE_SUM ?
			sum_of(j) : chosen(j));
	text_append(j->t, "}\n\n", 3);
}

static void print_lanes(const struct joining *j, const char *prefix)
{
	text_printf(j->t, "/* Join the values of all lanes pair by pair. */\n%s %s %s%s(%s *lane)\n{\n"
		"\tfor (int half = %d; half > 0; half /= 2)\n"
		"\t\tfor (int l = 0; l < half; ++l)\n"
		"\t\t\tlane[l] = %s%s(lane[l], lane[l + half]);\n"
		"\treturn lane[0];\n}\n\n", prefix, j->type, j->lanes, j->type,
		j->type, REDUCE_LANES / 2, j->join, j->type);
}

const char *reduce_returned(enum type type)
{
	return type == TYPE_INT ? "value" : "value != value ? NAN : value + 0";
}

static void print_all(const struct joining *j, const char *prefix)
{
	text_printf(j->t, "/* Join n values, %d to one in each round. */\n"
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
		j->type, j->nothing, j->type, reduce_returned(j->type_of));
}

/* Bits of such numbers are in their order, those of a NaN above infinity's: one instruction where the
 * general choice takes three.
 */
static void print_magnitudes(struct text *t, const struct kunit *unit,
	enum type type, const char *prefix)
{
	const char *name = type_word(type);
	const char *bits = type == TYPE_FLOAT ? "int" : "long long";

	if (!unit_uses_for(unit, B_JOIN_MAGNITUDES, ctype_of(type)))
		return;
	text_printf(t, "/* The greater one of numbers from 0 on, or minus infinity, "
		"and a NaN without a sign if one is:\n * their bits are in this "
		"order. */\n"
		"%s %s stencilc_max_of_magnitudes_%s(%s a, %s b)\n{\n"
		"\t%s bits, other;\n\n"
		"\tmemcpy(&bits, &a, sizeof(a));\n"
		"\tmemcpy(&other, &b, sizeof(b));\n"
		"\tbits = other > bits ? other : bits;\n"
		"\tmemcpy(&a, &bits, sizeof(a));\n"
		"\treturn a;\n}\n\n", prefix, name, name, name, name, bits);
}

static void print_reduce_helpers(struct text *t, const struct kunit *unit,
	const char *prefix)
{
	for (int how = 0; how < REDUCE_WAYS; how++)
		for (enum type type = TYPE_INT; type <= TYPE_DOUBLE; type++) {
			struct joining j = joining_of(t, unit, how, type);

			if (j.has_lanes || j.has_threads)
				print_join(&j, prefix);
			if (j.has_lanes)
				print_lanes(&j, prefix);
			if (j.has_all)
				print_all(&j, prefix);
		}
	print_magnitudes(t, unit, TYPE_FLOAT, prefix);
	print_magnitudes(t, unit, TYPE_DOUBLE, prefix);
}

static const char *type_of_result(const struct helper *h)
{
	return h->builtin == B_WHOLE_LINES ? "size_t" : "int";
}

void print_helpers(struct text *t, const struct kunit *unit,
	const struct helper_prefix *prefix)
{
	const char *const words[] = {
		prefix->anywhere, prefix->kernels, prefix->harness,
	};

	for (size_t i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++) {
		const struct helper *h = &helpers[i];

		if (!unit_uses(unit, h->builtin))
			continue;
		if (h->comment)
			text_printf(t, "/* %s */\n", h->comment);
		text_printf(t, "%s %s %s%s)\n{\n%s}\n\n",
			words[h->caller], type_of_result(h),
			builtin_word(&spelling_c, h->builtin), h->params,
			h->body);
	}
	print_vector_helpers(t, unit, prefix->kernels);
	print_memory_helper(t, unit, prefix->anywhere);
	print_harness_helpers(t, unit, prefix->harness);
	print_deal_helper(t, unit, prefix->anywhere);
	print_list_helpers(t, unit, prefix);
	print_reduce_helpers(t, unit, prefix->anywhere);
}

static bool has_series(const struct program *prog)
{
	for (int i = 0; i < prog->n_fields; i++)
		if (prog->field[i]->kind == FIELD_SERIES)
			return true;
	return false;
}

static bool has_series_of_results(const struct program *prog)
{
	for (int i = 0; i < prog->n_reductions; i++)
		if (!prog->reduction[i]->result->is_scalar)
			return true;
	return false;
}

void print_omp(struct text *t)
{
	text_puts(t, "#ifdef _OPENMP\n"
		"#define OMP(...) OMP_PRAGMA(omp __VA_ARGS__)\n"
		"#define OMP_PRAGMA(...) _Pragma(#__VA_ARGS__)\n"
		"#else\n"
		"#define OMP(...)\n"
		"#endif\n");
}

/* The number of fields, of int params, and of versions of fields; then the text. */
void print_mpi(struct text *t, const struct program *prog,
	const char *const *line, int n)
{
	int fields = 0, parts = 0;

	for (int i = 0; i < prog->n_fields; i++)
		if (field_is_argument(prog->field[i])) {
			fields++;
			parts += field_copies(prog->field[i]);
		}
	text_printf(t, "enum { STENCILC_FIELDS = %d, STENCILC_PARTS = %d, "
		"STENCILC_NUMBERS = %d };\n\n", fields, parts,
		prog->n_params + 1);
	print_lines(t, line, n);
}

void print_lines(struct text *t, const char *const *line, int n)
{
	for (int i = 0; i < n; i++)
		text_printf(t, "%s\n", line[i]);
	text_puts(t, "\n");
}

void print_status_cases(struct text *t, const struct kunit *unit)
{
	text_puts(t,
		"\tcase -1:\n"
		"\t\treturn \"a size is negative\";\n"
		"\tcase -2:\n"
		"\t\treturn \"a size is too large\";\n"
		"\tcase -3:\n"
		"\t\treturn \"out of host memory\";\n");
	if (unit->prog->n_assumes > 0)
		text_puts(t, "\tcase -4:\n"
			"\t\treturn \"an assumption does not hold\";\n");
	if (scop_wraps(unit->scop))
		text_puts(t, "\tcase -5:\n"
			"\t\treturn \"a grid is smaller than what a boundary "
			"reaches\";\n");
	if (scop_may_miss(unit->scop) || has_series_of_results(unit->prog))
		text_printf(t, "\tcase -6:\n"
			"\t\treturn \"a step reads beyond an input%s\";\n",
			has_series(unit->prog) ? ", or writes beyond an output" :
			"");
	if (unit->prog->n_lists > 0)
		text_puts(t, "\tcase -7:\n"
			"\t\treturn \"a point of a list lies where no statement "
			"computes\";\n");
	if (program_has_checks(unit->prog))
		text_puts(t, "\tcase -13:\n"
			"\t\treturn \"a value is infinite, or no number\";\n");
	if (unit_choice(unit))
		text_puts(t, "\tcase -14:\n"
			"\t\treturn \"no tiles have these sizes\";\n");
	if (unit->blocks)
		text_puts(t, "\tcase -9:\n"
			"\t\treturn \"the ranks pass different numbers\";\n"
			"\tcase -10:\n"
			"\t\treturn \"the communicator has more dimensions than "
			"the grid is cut along\";\n"
			"\tcase -11:\n"
			"\t\treturn \"there is no field of this name\";\n"
			"\tcase -12:\n"
			"\t\treturn \"a function of MPI has failed\";\n");
	if (unit->lanes)
		text_printf(t, "\tcase -8:\n"
			"\t\treturn \"warps of the device have not %d "
			"threads\";\n", unit->lanes);
}
