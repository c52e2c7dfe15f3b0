/* The printer of C files. */
#include <string.h>

#include "codegen/tree/print.h"

const struct spelling spelling_c = { .restricted = "restrict" };

/* A root that may set errno is computed by a call for each point; one that does
 * nothing but have a value, by vectors.
 */
static void print_roots(struct text *t, const struct kunit *unit)
{
	if (!unit->calls_sqrt && !unit->calls_sqrtf)
		return;
	text_puts(t, "#ifdef __GNUC__\n"
		"/* Nobody asks for errno: loops may be vectors. */\n");
	if (unit->calls_sqrt)
		text_puts(t, "double sqrt(double) __attribute__((const));\n");
	if (unit->calls_sqrtf)
		text_puts(t, "float sqrtf(float) __attribute__((const));\n");
	text_puts(t, "#endif\n");
}

static bool has_function(const struct kunit *unit,
	bool (*is_wanted)(const struct kfunc *f))
{
	const struct kfunc *f = unit->first;

	while (f && !is_wanted(f))
		f = f->next;
	return f;
}

static bool keeps_order(const struct kfunc *f)
{
	return f->keeps_order;
}

/* gcc moves what is used once to where it is used. */
static void print_keep_order(struct text *t, const struct kunit *unit)
{
	if (has_function(unit, keeps_order))
		text_puts(t, "#if defined __GNUC__ && !defined __clang__\n"
			"/* Sums of several rows side by side stay so. */\n"
			"#define KEEP_ORDER "
			"__attribute__((optimize(\"no-tree-ter\")))\n"
			"#else\n"
			"#define KEEP_ORDER\n"
			"#endif\n");
}

static bool is_apart(const struct kfunc *f)
{
	return f->is_apart;
}

static void print_noinline(struct text *t, const struct kunit *unit)
{
	if (has_function(unit, is_apart))
		text_puts(t, "#ifdef __GNUC__\n"
			"/* Where it is called other pointers have the registers. */\n"
			"#define NOINLINE __attribute__((noinline))\n"
			"#else\n"
			"#define NOINLINE\n"
			"#endif\n");
}

static bool has_simd_of_lines(const struct ks *s)
{
	if (s->kind == KS_DIRECTIVE && s->directive.kind == OMP_SIMD_LINE)
		return true;
	for (int i = 0; i < s->n_children; i++)
		if (has_simd_of_lines(s->child[i]))
			return true;
	return false;
}

static bool has_rows_of_lines(const struct kfunc *f)
{
	return has_simd_of_lines(f->body);
}

static void print_simd(struct text *t, const struct kunit *unit)
{
	if (has_function(unit, has_rows_of_lines))
		text_puts(t, "/* Left to themselves compilers take vectors of half "
			"a line of the cache. */\n"
			"#ifdef __AVX512F__\n"
			"#define STENCILC_SIMD(lanes) simd simdlen(lanes)\n"
			"#else\n"
			"#define STENCILC_SIMD(lanes) simd\n"
			"#endif\n");
}

/* Vectors of one type of cell.  Compilers take a load that several operations use for
 * something that they may do once more, in each of these, as registers grow few: a
 * load that is kept is the result of a statement that they do not know.
 */
static void print_vectors_of(struct text *t, const struct kunit *unit,
	const char *cell, struct ctype vector)
{
	text_printf(t, "typedef %s %ss STENCILC_VECTOR;\n\n"
		"static inline %ss load_%ss(const %s *from)\n"
		"{\n\t%ss value;\n\n"
		"\tmemcpy(&value, from, sizeof(value));\n"
		"\treturn value;\n}\n\n", cell, cell, cell, cell, cell, cell);
	if (unit_uses_for(unit, B_KEEP_LANES, vector))
		text_printf(t, "/* Loaded once, into a register. */\n"
			"static inline %ss keep_%ss(const %s *from)\n"
			"{\n\t%ss value = load_%ss(from);\n\n"
			"\tSTENCILC_KEEP(value);\n"
			"\treturn value;\n}\n\n", cell, cell, cell, cell,
			cell);
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

static bool uses_vectors(const struct kunit *unit)
{
	return unit_uses(unit, B_STORE_LANES) ||
		unit_uses(unit, B_STORE_LAST_LANES);
}

static bool loads_vectors(const struct kunit *unit, struct ctype vector)
{
	return unit_uses_for(unit, B_LOAD_LANES, vector) ||
		unit_uses_for(unit, B_KEEP_LANES, vector);
}

/* Vectors of as many cells as a register of the processor has, which arithmetic takes
 * as it takes numbers; of one cell for compilers that know none.
 */
static void print_vectors(struct text *t, const struct kunit *unit)
{
	static const struct ctype floats = {
		.scalar = CT_FLOAT, .lanes = LANES_OF_PROCESSOR,
	}, doubles = { .scalar = CT_DOUBLE, .lanes = LANES_OF_PROCESSOR };

	if (!uses_vectors(unit))
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
	if (unit_uses(unit, B_KEEP_LANES))
		text_puts(t, "#if defined __GNUC__ && defined __x86_64__\n"
			"#define STENCILC_KEEP(x) __asm__(\"\" : \"+v\"(x))\n"
			"#elif defined __GNUC__ && defined __aarch64__\n"
			"#define STENCILC_KEEP(x) __asm__(\"\" : \"+w\"(x))\n"
			"#else\n"
			"#define STENCILC_KEEP(x)\n"
			"#endif\n");
	text_puts(t, "\n");
	if (loads_vectors(unit, floats))
		print_vectors_of(t, unit, "float", floats);
	if (loads_vectors(unit, doubles))
		print_vectors_of(t, unit, "double", doubles);
}

static void print_head(struct text *t, const struct kunit *unit)
{
	const char *name = unit->prog->name;

	text_printf(t, "/* %s: generated by stencilc, ", name);
	if (unit->plan)
		text_printf(t, "strategy %s.\n *\n",
			unit->plan->strategy->name);
	else
		text_puts(t, "for sizes that leave nothing to compute."
			"\n *\n");
	text_printf(t, " * int %s(...) returns 0, or a code that %s_strerror "
		"explains; the fields then hold\n * what they held.  With "
		"OpenMP all threads take part; the result is the same for "
		"any\n * number of them.\n */\n", name, name);
	text_puts(t, unit->needs_math ? "#include <math.h>\n" : "");
	text_puts(t, unit->harness ? "#include <stdbool.h>\n"
		"#include <stdio.h>\n" : "");
	text_puts(t, "#include <stdlib.h>\n");
	text_puts(t, unit->harness || uses_vectors(unit) ?
		"#include <string.h>\n" : "");
	text_puts(t, unit->harness ? "#include <time.h>\n" : "");
	if (unit_uses(unit, B_NEW_LARGE))
		text_puts(t, "#ifdef __linux__\n#include <sys/mman.h>\n"
			"#endif\n");
	if (unit_uses(unit, B_DEAL_TILES))
		text_puts(t, "#ifdef _OPENMP\n#include <omp.h>\n#endif\n");
	text_puts(t, "\n#ifdef __clang__\n"
		"/* Of a loop that stays scalar. */\n"
		"#pragma clang diagnostic ignored \"-Wpass-failed\"\n"
		"#endif\n"
		"#ifdef _OPENMP\n"
		"#define OMP(...) OMP_PRAGMA(omp __VA_ARGS__)\n"
		"#define OMP_PRAGMA(...) _Pragma(#__VA_ARGS__)\n"
		"#else\n"
		"#define OMP(...)\n"
		"#endif\n");
	print_roots(t, unit);
	print_keep_order(t, unit);
	print_noinline(t, unit);
	print_simd(t, unit);
	print_vectors(t, unit);
	text_puts(t, "\n");
}

static void print_strerror(struct text *t, const struct kunit *unit)
{
	text_printf(t, "const char *%s_strerror(int code)\n{\n",
		unit->prog->name);
	text_puts(t, "\tswitch (code) {\n\tcase 0:\n"
		"\t\treturn \"no error\";\n");
	print_status_cases(t, unit);
	text_puts(t, "\tdefault:\n\t\treturn \"unknown error\";\n\t}\n}\n");
}

static const struct helper_prefix prefix = {
	.anywhere = "static inline", .kernels = "static inline",
	.harness = "static", .sorts = true,
};

static const char *words_before(const struct kfunc *f)
{
	return f->keeps_order && f->is_apart ? "KEEP_ORDER NOINLINE static " :
		f->keeps_order ? "KEEP_ORDER static " :
		f->is_apart ? "NOINLINE static " :
		f->is_inlined ? "static inline " : f->is_static ? "static " : "";
}

void print_c(struct text *t, const struct kunit *unit)
{
	const struct printer p = { &spelling_c, unit };

	print_head(t, unit);
	print_helpers(t, unit, &prefix);
	for (const struct kfunc *f = unit->first; f; f = f->next)
		print_function(t, &p, f, words_before(f));
	print_strerror(t, unit);
}
