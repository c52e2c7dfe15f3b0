/* Roots and divisions by a GPU's approximations: the trees of such, and the
 * functions that they call.
 */
#include "codegen/tree/gpu.h"
#include "codegen/tree/lower.h"

/* Trees ----------------------------------------------------------------- */

static struct kx *call_of(const struct binding *b, enum builtin builtin,
	const struct expr *e, const struct expr *arg)
{
	struct kx *x = kx_builtin(b->mem, builtin, 1, kx_of_expr(b, arg));

	x->c_type = ctype_of(e->type);
	x->type = e->type;
	x->of = e;
	return x;
}

/* "times" e->arg[0], whose place is that of "e" */
static const struct kx *multiple(const struct binding *b,
	const struct expr *e, const struct kx *times)
{
	const struct kx *arg[2] = { kx_of_expr(b, e->arg[0]), times };
	struct kx *x;

	if (expr_is_one(e->arg[0]))
		return times;
	x = kx_of_kind(b->mem, KX_BINARY, NULL, 2, arg);
	x->op = OP_MUL;
	x->type = e->type;
	x->of = e;
	return x;
}

static const struct kx *inverse_number(const struct binding *b,
	const struct expr *e)
{
	struct kx *x = kx_of_kind(b->mem, KX_REAL, NULL, 0, NULL);

	x->type = e->type;
	x->rvalue = expr_by_number(e);
	return x;
}

const struct kx *kx_approximated(const struct binding *b,
	const struct expr *e)
{
	bool fast = b->prog->fast_roots;
	enum root root = fast || b->prog->reassociated ? expr_root(e) :
		ROOT_NONE;

	if (root == ROOT_OVER)
		return multiple(b, e, call_of(b, B_OVER_ROOT, e,
			e->arg[1]->arg[0]));
	if (!fast || root == ROOT_NONE)
		return NULL;
	if (root == ROOT_SQUARE)
		return call_of(b, B_ROOT, e, e->arg[0]);
	return multiple(b, e, root == ROOT_BY_NUMBER ? inverse_number(b, e) :
		call_of(b, B_INVERSE, e, e->arg[1]));
}

/* Functions -------------------------------------------------------------- */

struct function {
	enum builtin builtin;
	enum scalar scalar;
	const char *comment;
	const char *rest;	/* makes the value of "y", an approximation */
};

/* Each errs by what it says where argument and result are normal numbers.  A
 * step for doubles is of third order: an error of 2^-19 becomes one of 2^-55,
 * which is rounded with the rest.
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

/* CUDA's own: rsqrtf errs by up to 2 units in the last place and is improved by
 * a step of Newton's; rsqrt ends with such a step, and errs by up to 1.
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
