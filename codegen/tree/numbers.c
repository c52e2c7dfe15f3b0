/* Numbers of 16 bits in the files that are made: their types, and the two conversions
 * that all else is made of.
 */
#include "codegen/tree/print.h"

static bool kx_has(const struct kx *x, enum scalar scalar)
{
	bool has = x->c_type.scalar == scalar;

	for (int i = 0; i < x->n_args && !has; i++)
		has = kx_has(x->arg[i], scalar);
	return has;
}

static bool ks_has(const struct ks *s, enum scalar scalar)
{
	bool has = s->c_type.scalar == scalar;

	for (int i = 0; i < s->n_x && !has; i++)
		has = kx_has(s->x[i], scalar);
	for (int i = 0; i < s->n_children && !has; i++)
		has = ks_has(s->child[i], scalar);
	return has;
}

bool unit_has_type(const struct kunit *unit, enum type type)
{
	bool has = false;

	for (int i = 0; i < unit->prog->n_fields && !has; i++)
		has = unit->prog->field[i]->type == type;
	for (const struct kfunc *f = unit->first; f && !has; f = f->next)
		has = ks_has(f->body, scalar_of(type));
	return has;
}

bool unit_has_sized_types(const struct kunit *unit)
{
	for (enum type type = 0; type < TYPES; type++)
		if (type != TYPE_INT && type != TYPE_FLOAT &&
		    type != TYPE_DOUBLE && unit_has_type(unit, type))
			return true;
	return false;
}

/* "word", of 16 bits, is a class with both conversions. */
static void print_class(struct text *t, const char *prefix, const char *word,
	const char *name)
{
	text_printf(t, "typedef %s stencilc_%s;\n\n"
		"%s stencilc_%s stencilc_to_%s(float x)\n{\n"
		"\treturn stencilc_%s(x);\n}\n\n"
		"%s float stencilc_of_%s(stencilc_%s x)\n{\n"
		"\treturn float(x);\n}\n\n", word, name, prefix, name, name,
		name, prefix, name, name);
}

static void print_functions(struct text *t, const char *prefix,
	const char *name, const char *to, const char *of)
{
	text_printf(t, "typedef struct {\n\tuint16_t bits;\n} stencilc_%s;\n\n"
		"%s stencilc_%s stencilc_to_%s(float x)\n{\n"
		"\tstencilc_%s y;\n\tuint32_t u;\n\n"
		"\tmemcpy(&u, &x, sizeof(u));\n%s\treturn y;\n}\n\n"
		"%s float stencilc_of_%s(stencilc_%s x)\n{\n"
		"\tuint32_t u = x.bits;\n\tfloat y;\n\n%s"
		"\tmemcpy(&y, &u, sizeof(y));\n\treturn y;\n}\n", name, prefix,
		name, name, name, to, prefix, name, name, of);
}

/* A subnormal is found by the addition of 1/2, of which the last bit is 2^-24, too. */
static void print_half(struct text *t, const char *prefix)
{
	text_printf(t, "#ifdef __FLT16_MAX__\n"
		"typedef _Float16 stencilc_half;\n\n"
		"%s stencilc_half stencilc_to_half(float x)\n{\n"
		"\treturn (stencilc_half)x;\n}\n\n"
		"%s float stencilc_of_half(stencilc_half x)\n{\n"
		"\treturn (float)x;\n}\n#else\n", prefix, prefix);
	print_functions(t, prefix, "half",
		"\tconst uint32_t a = u & 0x7fffffff;\n"
		"\tuint32_t h = (a - 0x38000000 + 0xfff + (a >> 13 & 1)) >> 13;\n\n"
		"\tif (a >= 0x47800000) {\n"
		"\t\th = a > 0x7f800000 ? 0x7e00 : 0x7c00;\n"
		"\t} else if (a < 0x38800000) {\n"
		"\t\tfloat f = x < 0 ? -x : x;\n\n"
		"\t\tf += 0.5f;\n"
		"\t\tmemcpy(&h, &f, sizeof(h));\n"
		"\t\th -= 0x3f000000;\n"
		"\t}\n"
		"\ty.bits = (uint16_t)((u >> 16 & 0x8000) | h);\n",
		"\tconst uint32_t a = u & 0x7fff;\n"
		"\tconst float f = (float)a * 5.9604644775390625e-8f;\n\n"
		"\tmemcpy(&u, &f, sizeof(u));\n"
		"\tif (a >= 0x400)\n"
		"\t\tu = (a << 13) + (a < 0x7c00 ? 0x38000000 : 0x70000000);\n"
		"\tu |= (uint32_t)(x.bits & 0x8000) << 16;\n");
	text_puts(t, "#endif\n\n");
}

/* The upper half of a float. */
static void print_bfloat(struct text *t, const char *prefix)
{
	print_functions(t, prefix, "bfloat",
		"\tu = x != x ? u | 0x400000 : u + 0x7fff + (u >> 16 & 1);\n"
		"\ty.bits = (uint16_t)(u >> 16);\n", "\tu <<= 16;\n");
	text_puts(t, "\n");
}

void print_numbers(struct text *t, const struct spelling *say,
	const struct kunit *unit, const char *prefix)
{
	bool half = unit_has_type(unit, TYPE_HALF);
	bool bfloat = unit_has_type(unit, TYPE_BFLOAT);

	if (half || bfloat)
		text_puts(t, "/* Numbers of 16 bits: what is stored is rounded to "
			"the nearest, of two to the even one. */\n");
	if (half && say->half)
		print_class(t, prefix, say->half, "half");
	else if (half)
		print_half(t, prefix);
	if (bfloat && say->bfloat)
		print_class(t, prefix, say->bfloat, "bfloat");
	else if (bfloat)
		print_bfloat(t, prefix);
}
