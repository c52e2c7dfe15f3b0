/* Numbers of 16 bits in emitted files: their types, and the two conversions from which all else
 * follows.
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

/* A type of 16 bits and the conversions that the file uses. */
struct number {
	const char *name, *prefix;
	bool to, of;
};

/* Is "x" such a conversion: to the type, or from it? */
static bool is_conversion(const struct kx *x, enum type type, bool to)
{
	return x->kind == KX_CAST && x->n_args == 1 && !x->c_type.pointers &&
		(to ? x->c_type.scalar == scalar_of(type) :
		x->arg[0]->type == type);
}

static bool kx_converts(const struct kx *x, enum type type, bool to)
{
	bool does = is_conversion(x, type, to);

	for (int i = 0; i < x->n_args && !does; i++)
		does = kx_converts(x->arg[i], type, to);
	return does;
}

static bool ks_converts(const struct ks *s, enum type type, bool to)
{
	bool does = false;

	for (int i = 0; i < s->n_x && !does; i++)
		does = kx_converts(s->x[i], type, to);
	for (int i = 0; i < s->n_children && !does; i++)
		does = ks_converts(s->child[i], type, to);
	return does;
}

/* A harness fills fields and prints cells. */
static bool unit_converts(const struct kunit *unit, enum type type, bool to)
{
	bool does = unit->harness;

	for (const struct kfunc *f = unit->first; f && !does; f = f->next)
		does = ks_converts(f->body, type, to);
	return does;
}

static void begin_to(struct text *t, const struct number *n)
{
	text_printf(t, "%s stencilc_%s stencilc_to_%s(float x)\n{\n", n->prefix,
		n->name, n->name);
}

static void begin_of(struct text *t, const struct number *n)
{
	text_printf(t, "%s float stencilc_of_%s(stencilc_%s x)\n{\n", n->prefix,
		n->name, n->name);
}

/* "word" has both conversions, written with "to" and "of" before the parentheses. */
static void print_of_language(struct text *t, const struct number *n,
	const char *word, const char *to, const char *of)
{
	text_printf(t, "typedef %s stencilc_%s;\n", word, n->name);
	if (n->to) {
		text_puts(t, "\n");
		begin_to(t, n);
		text_printf(t, "\treturn %s;\n}\n", to);
	}
	if (n->of) {
		text_puts(t, "\n");
		begin_of(t, n);
		text_printf(t, "\treturn %s;\n}\n", of);
	}
}

static void print_class(struct text *t, const struct number *n, const char *word)
{
	struct text to = { 0 };

	text_printf(&to, "stencilc_%s(x)", n->name);
	print_of_language(t, n, word, to.bytes, "float(x)");
	text_free(&to);
	text_puts(t, "\n");
}

static void print_functions(struct text *t, const struct number *n, const char *to,
	const char *of)
{
	text_printf(t, "typedef struct {\n\tuint16_t bits;\n} stencilc_%s;\n",
		n->name);
	if (n->to) {
		text_puts(t, "\n");
		begin_to(t, n);
		text_printf(t, "\tstencilc_%s y;\n\tuint32_t u;\n\n"
			"\tmemcpy(&u, &x, sizeof(u));\n%s\treturn y;\n}\n",
			n->name, to);
	}
	if (n->of) {
		text_puts(t, "\n");
		begin_of(t, n);
		text_printf(t, "\tuint32_t u = x.bits;\n\tfloat y;\n\n%s"
			"\tmemcpy(&y, &u, sizeof(y));\n\treturn y;\n}\n", of);
	}
}

/* Adding 1/2, whose last bit is 2^-24, too, yields a subnormal. */
static void print_half(struct text *t, const struct number *n)
{
	text_puts(t, "#ifdef __FLT16_MAX__\n");
	print_of_language(t, n, "_Float16", "(stencilc_half)x", "(float)x");
	text_puts(t, "#else\n");
	print_functions(t, n,
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
static void print_bfloat(struct text *t, const struct number *n)
{
	print_functions(t, n,
		"\tu = x != x ? u | 0x400000 : u + 0x7fff + (u >> 16 & 1);\n"
		"\ty.bits = (uint16_t)(u >> 16);\n", "\tu <<= 16;\n");
	text_puts(t, "\n");
}

void print_numbers(struct text *t, const struct spelling *say,
	const struct kunit *unit, const char *prefix)
{
	bool half = unit_has_type(unit, TYPE_HALF);
	bool bfloat = unit_has_type(unit, TYPE_BFLOAT);
	const struct number halves = { "half", prefix,
		unit_converts(unit, TYPE_HALF, true),
		unit_converts(unit, TYPE_HALF, false) };
	const struct number bfloats = { "bfloat", prefix,
		unit_converts(unit, TYPE_BFLOAT, true),
		unit_converts(unit, TYPE_BFLOAT, false) };

	if (half || bfloat)
		text_puts(t, "/* Numbers of 16 bits: what is stored is rounded to "
			"the nearest, of two to the even one. */\n");
	if (half && say->half)
		print_class(t, &halves, say->half);
	else if (half)
		print_half(t, &halves);
	if (bfloat && say->bfloat)
		print_class(t, &bfloats, say->bfloat);
	else if (bfloat)
		print_bfloat(t, &bfloats);
}
