/* Complex values, see complex.h.
 *
 * A part that a value lacks is no zero: a real number times a complex one is two products, and so
 * is 1i times one.
 */
#include "frontend/complex.h"
#include "frontend/components.h"

#include <string.h>

bool is_complex(const struct expr *e)
{
	return e->kind == EXPR_COMPLEX;
}

const struct expr *complex_part(const struct expr *e, int i)
{
	return is_complex(e) ? e->arg[i] : i == 0 ? e : NULL;
}

const struct expr *part_or_zero(struct context *c, const struct expr *e, int i)
{
	const struct expr *part = complex_part(e, i);

	if (part)
		return part;
	return type_is_integer(e->type) ? expr_int(c->l->mem, 0, e->at) :
		expr_real(c->l->mem, e->type, 0, e->at);
}

bool wants_part(const struct context *c, int i)
{
	return c->wanted == WANT_BOTH || c->wanted == (i ? WANT_IMAGINARY :
		WANT_REAL);
}

enum wanted wanted_turned(enum wanted wanted)
{
	return wanted == WANT_REAL ? WANT_IMAGINARY : wanted == WANT_IMAGINARY ?
		WANT_REAL : wanted;
}

const struct expr *complex_of(struct context *c, const struct expr *const *part,
	struct span at)
{
	const struct expr *any = part[0] ? part[0] : part[1];
	struct expr *e = expr_leaf(c->l->mem, EXPR_COMPLEX, any ? any->type :
		TYPE_INT, at);

	if (part[0] && part[1])
		e->type = type_common(part[0]->type, part[1]->type);
	for (int i = 0; i < PARTS; i++) {
		e->arg[i] = part[i];
		e->nodes += part[i] ? part[i]->nodes : 0;
		if (part[i] && part[i]->depth >= e->depth)
			e->depth = part[i]->depth + 1;
	}
	return e;
}

/* Fields -------------------------------------------------------------------*/

static bool is_part(const struct symbol *s)
{
	return s->part_of && s->part_of->components->is_complex;
}

bool is_imaginary_part(const struct symbol *s)
{
	return is_part(s) && s == s->part_of->components->part[1];
}

const char *complex_name(const struct symbol *s)
{
	return is_part(s) ? s->part_of->name : s->name;
}

const char *spelling_of_part(const struct lower *l, const struct ast_expr *e,
	const struct symbol *s)
{
	struct span rest = { e->name.at.end, e->at.end };

	return is_part(s) ? region_printf(l->mem, "%s%s", s->name,
		quote(l, rest)) : quote(l, e->at);
}

bool other_part(const struct symbol *a, const struct symbol *b)
{
	return b && a != b && is_part(a) && a->part_of == b->part_of;
}

/* Functions ----------------------------------------------------------------*/

enum complex_function find_complex_function(const char *name)
{
	static const struct {
		const char *name, *in_c;
	} known[] = {
		[FUNCTION_REAL] = { "real", "creal" },
		[FUNCTION_IMAG] = { "imag", "cimag" },
		[FUNCTION_CONJ] = { "conj", "conj" },
		[FUNCTION_ABS] = { "abs", "cabs" },
		[FUNCTION_NORM] = { "norm", NULL },
		[FUNCTION_COMPLEX] = { "complex", NULL },
		[FUNCTION_EXP] = { "cexp", "cexp" },
	};
	int i = 0;

	for (; i < NO_FUNCTION; i++) {
		size_t length = known[i].in_c ? strlen(known[i].in_c) : 0;

		if (!strcmp(known[i].name, name))
			break;
		if (length && !strncmp(known[i].in_c, name, length) &&
		    (!name[length] || !strcmp(name + length, "f")))
			break;
	}
	return (enum complex_function) i;
}

static bool is_real_function(enum complex_function f)
{
	return f == FUNCTION_REAL || f == FUNCTION_IMAG || f == FUNCTION_ABS ||
		f == FUNCTION_NORM;
}

/* Texts --------------------------------------------------------------------*/

/* How many lets and definitions are followed, and which calls within others. */
enum { FOLLOWED_MOST = 6 };

static bool may_be(const struct context *c, const struct ast_expr *e, int depth);

static bool name_may_be(const struct context *c, const struct ast_expr *e,
	int depth)
{
	const struct binding *b = find_binding(c, e->name.text);
	const struct symbol *s = find_symbol(c->l, e->name.text);

	if (b && b->kind == BIND_ARGUMENT)
		return b->value && is_complex(b->value);
	if (b && b->kind == BIND_FIELD)
		return b->field->item->is_complex;
	if (b)
		return b->kind == BIND_LATER;
	if (s && s->kind == SYMBOL_LET)
		return may_be(c, s->item->value, depth + 1);
	return s && s->item && s->item->is_complex;
}

/* By a definition, or an argument. */
static bool call_may_be(const struct context *c, const struct ast_expr *e,
	int depth)
{
	const struct symbol *s = find_symbol(c->l, e->name.text);

	if (is_real_function(find_complex_function(e->name.text)))
		return false;
	if (s && s->kind == SYMBOL_DEF && may_be(c, s->item->value, depth + 1))
		return true;
	for (const struct ast_expr *arg = e->args; arg; arg = arg->next)
		if (may_be(c, arg, depth))
			return true;
	return !strcmp(e->name.text, "complex");
}

static bool may_be(const struct context *c, const struct ast_expr *e, int depth)
{
	if (depth > FOLLOWED_MOST || !c->l->ast->has_complex)
		return c->l->ast->has_complex;
	switch (e->kind) {
	case AST_NUMBER:
		return e->is_complex;
	case AST_NAME:
	case AST_ELEMENT:
		return name_may_be(c, e, depth);
	case AST_CALL:
		return call_may_be(c, e, depth);
	case AST_PART:
		return false;
	default:
		break;
	}
	for (const struct ast_expr *arg = e->args; arg; arg = arg->next)
		if (may_be(c, arg, depth))
			return true;
	return false;
}

bool may_be_complex(const struct context *c, const struct ast_expr *e)
{
	return may_be(c, e, 0);
}

bool is_imaginary(const struct context *c, const struct ast_expr *e)
{
	if (e->kind == AST_NUMBER)
		return e->is_complex;
	if (e->kind == AST_UNARY)
		return e->op == OP_NEG && is_imaginary(c, e->args);
	return e->kind == AST_BINARY && e->op == OP_MUL &&
		((is_imaginary(c, e->args) && !may_be_complex(c, e->args->next)) ||
		 (is_imaginary(c, e->args->next) && !may_be_complex(c, e->args)));
}

const struct expr *refuse_complex(struct context *c, struct ast_expr *e,
	const struct expr *value)
{
	if (report(c, e, E_TYPE, value->at, "'%s' is complex, and a real number "
			"is needed here", quote(c->l, value->at)))
		diag_advice(c->l->diags, "'real(z)', 'imag(z)', 'abs(z)' and "
			"'norm(z)', which is |z|^2, are real");
	return NULL;
}
