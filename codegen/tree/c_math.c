/* What keeps compilers of C from vectors although no value depends on it. */
#include "codegen/tree/alternatives.h"
#include "codegen/tree/c_vectors.h"

/* A root that may set errno is computed by a call for each point; one that only
 * returns a value, by vectors.
 */
static void print_roots(struct text *t, const struct kunit *unit)
{
	if (!unit->calls_double[OP_SQRT] && !unit->calls_float[OP_SQRT])
		return;
	text_puts(t, "#ifdef __GNUC__\n"
		"/* Nobody asks for errno: loops may be vectors. */\n");
	if (unit->calls_double[OP_SQRT])
		text_puts(t, "double sqrt(double) __attribute__((const));\n");
	if (unit->calls_float[OP_SQRT])
		text_puts(t, "float sqrtf(float) __attribute__((const));\n");
	text_puts(t, "#endif\n");
}

/* fmin and fmax, of doubles and of floats. */
static const struct extreme {
	enum op op;
	bool is_float;
	const char *compares;
} extremes[] = {
	{ OP_FMAX, false, ">" }, { OP_FMAX, true, ">" },
	{ OP_FMIN, false, "<" }, { OP_FMIN, true, "<" },
};

static bool calls_extreme(const struct kunit *unit, const struct extreme *x)
{
	return (x->is_float ? unit->calls_float : unit->calls_double)[x->op];
}

static bool calls_extremes(const struct kunit *unit)
{
	bool any = false;

	for (size_t i = 0; i < sizeof(extremes) / sizeof(extremes[0]); i++)
		any |= calls_extreme(unit, &extremes[i]);
	return any;
}

static bool has_choice(const struct kx *x)
{
	for (int i = 0; i < x->n_args; i++)
		if (has_choice(x->arg[i]))
			return true;
	return x->kind == KX_SELECT;
}

/* Does a loop that should be vectors choose?  "in_simd": "s" is in one; directives stand before loops. */
static bool chooses(const struct ks *s, bool in_simd)
{
	if (in_simd && s->kind == KS_IF)
		return true;
	for (int i = 0; i < s->n_x && in_simd; i++)
		if (has_choice(s->x[i]))
			return true;
	for (int i = 0; i < s->n_children; i++)
		if (chooses(s->child[i], in_simd || (i > 0 &&
		    ks_asks_for_vectors(s->child[i - 1]))))
			return true;
	return false;
}

/* Unless told so, gcc computes nothing where its condition may fail, as that may set a flag. */
static void print_choices(struct text *t, const struct kunit *unit)
{
	bool any = calls_extremes(unit);

	for (const struct kfunc *f = unit->first; f && !any; f = f->next)
		any = chooses(f->body, false);
	if (any)
		text_puts(t, "#if defined __GNUC__ && !defined __clang__\n"
			"/* Nobody asks for the flags of exceptions: loops "
			"that choose may be vectors. */\n"
			"#pragma GCC optimize(\"no-trapping-math\")\n"
			"#endif\n");
}

void c_print_math(struct text *t, const struct kunit *unit)
{
	print_roots(t, unit);
	print_choices(t, unit);
}

/* Of two zeros it is the second, as by the instruction that the library has on x86; C lets it be
 * either, and gcc exchanges arguments of its own.
 */
static void print_extreme(struct text *t, const struct extreme *x)
{
	const char *type = x->is_float ? "float" : "double";
	const char *name = op_info(x->op)->spelling;
	const char *suffix = x->is_float ? "f" : "";

	text_printf(t, "static inline %s %s%s%s(%s x, %s y)\n{\n"
		"#ifdef __x86_64__\n"
		"\t/* gcc calls the library's for each point there. */\n"
		"\treturn x %s y || y != y ? x : y;\n"
		"#else\n\treturn %s%s(x, y);\n#endif\n}\n\n", type,
		C_EXTREMES, name, suffix, type, type, x->compares,
		name, suffix);
}

void c_print_extremes(struct text *t, const struct kunit *unit)
{
	for (size_t i = 0; i < sizeof(extremes) / sizeof(extremes[0]); i++)
		if (calls_extreme(unit, &extremes[i]))
			print_extreme(t, &extremes[i]);
}
