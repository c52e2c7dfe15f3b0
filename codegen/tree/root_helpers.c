/* Functions for roots and divisions that may be inexact. */
#include "codegen/tree/gpu.h"

struct function {
	enum builtin builtin;
	enum scalar scalar;
	const char *comment;
	const char *rest;	/* turns the approximation "y" into the result */
};

/* The stated error holds where argument and result are normal numbers.  A step
 * for doubles is of third order: it turns an error of 2^-19 into one of 2^-55,
 * and then rounds with the rest.
 */
static const struct function function[] = {
	{ B_OVER_ROOT, CT_FLOAT,
	  "/* 1 / sqrt(x), up to 2.2 units in the last place off; numbers below"
	  "\n * 2^-126 count as 0.\n */\n",
	  "\treturn y;\n" },
	{ B_ROOT, CT_FLOAT,
	  "/* sqrt(x), up to 2 units in the last place off; numbers below 2^-126"
	  "\n * count as 0.\n */\n",
	  "\treturn y;\n" },
	{ B_INVERSE, CT_FLOAT,
	  "/* 1 / x, up to 1 unit in the last place off, which makes quotients"
	  "\n * up to 2.5 off; numbers below 2^-126 count as 0, beyond 2^126 as "
	  "infinite.\n */\n",
	  "\treturn y;\n" },
	{ B_OVER_ROOT, CT_DOUBLE,
	  "/* 1 / sqrt(x), up to 1.5 units in the last place off; numbers below"
	  "\n * 2^-1022 count as 0.\n */\n",
	  "\tconst double e = fma(-x, y * y, 1.0);\n"
	  "\tconst double better = fma(y * e, fma(0.375, e, 0.5), y);\n\n"
	  "\treturn fabs(e) < 0.5 ? better : y;\n" },
	{ B_ROOT, CT_DOUBLE,
	  "/* sqrt(x), up to 1.5 units in the last place off; numbers below "
	  "2^-1022\n * count as 0, and that of infinity is NaN.\n */\n",
	  "\tconst double z = fabs(x) < 2.2250738585072014e-308 ? 0.0 : y;\n"
	  "\tconst double e = fma(-x, z * z, 1.0);\n"
	  "\tconst double root = x * z;\n\n"
	  "\treturn fma(root * e, fma(0.375, e, 0.5), root);\n" },
	{ B_INVERSE, CT_DOUBLE,
	  "/* 1 / x, up to 1 unit in the last place off, which makes quotients"
	  "\n * up to 2 off; numbers below 2^-1022 count as 0, beyond 2^1022 as "
	  "infinite.\n */\n",
	  "\tconst double e = fma(-x, y, 1.0);\n"
	  "\tconst double better = fma(y, fma(e, e, e), y);\n\n"
	  "\treturn fabs(e) < 0.5 ? better : y;\n" },
};

/* CUDA's own: rsqrtf errs by up to 2 units in the last place, and a Newton step
 * improves it; rsqrt ends with such a step, and errs by up to 1.
 */
static void print_over_roots(struct text *t, const struct kunit *unit)
{
	if (unit_uses_for(unit, B_OVER_ROOT, ctype(CT_FLOAT)))
		text_puts(t, "/* 1 / sqrt(x) */\n"
			DEVICE_FUNCTION " float stencilc_rsqrt_float(float x)\n"
			"{\n\tconst float y = rsqrtf(x);\n"
			"\treturn y + y * (0.5f + -0.5f * x * y * y);\n"
			"}\n\n");
	if (unit_uses_for(unit, B_OVER_ROOT, ctype(CT_DOUBLE)))
		text_puts(t, "/* 1 / sqrt(x) */\n"
			DEVICE_FUNCTION " double stencilc_rsqrt_double(double x)\n"
			"{\n\treturn rsqrt(x);\n}\n\n");
}

void print_root_helpers(struct text *t, const struct gpu_language *language,
	const struct kunit *unit)
{
	if (!unit->prog->fast_roots) {
		print_over_roots(t, unit);
		return;
	}
	for (size_t i = 0; i < sizeof(function) / sizeof(function[0]); i++) {
		const struct function *f = &function[i];
		const char *type = f->scalar == CT_FLOAT ? "float" : "double";

		if (!unit_uses_for(unit, f->builtin, ctype(f->scalar)))
			continue;
		text_puts(t, f->comment);
		text_printf(t, DEVICE_FUNCTION " %s %s%s(%s x)\n{\n", type,
			builtin_word(language->say, f->builtin), type, type);
		language->print_seed(t, f->builtin, f->scalar);
		text_printf(t, "%s}\n\n", f->rest);
	}
}
