/* Loops of C that should be vectors compute what a cell may get before it is chosen.
 *
 * Of c ? a : b compilers compute both in vectors.  But they load only what is chosen, cell by cell
 * where they cannot tell that all may be loaded.  A statement runs where each of its reads lies in
 * the grid, chosen or not, so that all may.  Conditions that are the same in a whole loop stay, as
 * compilers make two loops of those, and so do values that take long.
 */
#include <string.h>

#include "codegen/tree/alternatives.h"
#include "codegen/tree/names.h"
#include "codegen/tree/rewrite.h"

/* A loop that should be vectors. */
struct vector_loop {
	struct kunit *unit;
	const char *index;
	const struct ks *body;
	struct ks *declarations;	/* before the statement at hand */
};

bool ks_asks_for_vectors(const struct ks *s)
{
	return s->kind == KS_DIRECTIVE && (s->directive.kind == OMP_SIMD ||
		s->directive.kind == OMP_FOR_SIMD ||
		s->directive.kind == OMP_SIMD_LINE);
}

static bool is_load(const struct kx *x)
{
	return x->of && x->of->kind == EXPR_READ;
}

/* What "s" declares "name" as, or NULL. */
static const struct kx *value_of(const struct ks *s, const char *name)
{
	const struct kx *value = s->kind == KS_DECLARE && s->n_x > 0 &&
		!strcmp(s->name, name) ? s->x[0] : NULL;

	for (int i = 0; i < s->n_children && !value; i++)
		value = value_of(s->child[i], name);
	return value;
}

/* Has the condition "x" another value from cell to cell, not just before and behind some place of
 * a row?
 */
static bool alternates(const struct vector_loop *loop, const struct kx *x)
{
	const struct kx *value = x->kind == KX_NAME ?
		value_of(loop->body, x->name) : NULL;
	bool any = is_load(x) || (x->kind == KX_BINARY && x->op == OP_MOD &&
		kx_uses(x, loop->index));

	if (value)
		return alternates(loop, value);
	for (int i = 0; i < x->n_args; i++)
		any |= alternates(loop, x->arg[i]);
	return any;
}

static bool loads(const struct kx *x)
{
	bool any = is_load(x);

	for (int i = 0; i < x->n_args; i++)
		any |= loads(x->arg[i]);
	return any;
}

/* Of integers quotients and sums may have no value, of reals conversions to integers. */
static bool is_of_reals(const struct kx *x)
{
	return x->of && !type_is_integer(x->of->type);
}

/* May it be computed where it is not chosen, and is it worth that?  An element may lie beyond its
 * input there.
 */
static bool is_cheap(const struct kx *x)
{
	if (is_load(x))
		return is_of_reals(x);
	switch (x->kind) {
	case KX_REAL:
	case KX_NAME:
	case KX_INT:
		return true;
	case KX_UNARY:
	case KX_BINARY:
		if (!is_of_reals(x))
			return false;
		break;
	case KX_MATH:
		if (!op_is_short_function(x->op))
			return false;
		break;
	default:
		return false;
	}
	for (int i = 0; i < x->n_args; i++)
		if (!is_cheap(x->arg[i]))
			return false;
	return true;
}

static const struct kx *chosen(struct vector_loop *loop, const struct kx *x);

/* The name of "x", which is declared, if it may be computed in any case; else "x". */
static const struct kx *named(struct vector_loop *loop, const struct kx *x)
{
	struct region *r = loop->unit->mem;
	const char *name;
	struct kx *named;

	if (!is_of_reals(x) || !loads(x) || !is_cheap(x))
		return x;
	name = fresh_name(r, loop->unit->prog, "either%d",
		loop->unit->n_once++);
	ks_add(r, loop->declarations, ks_declare(r,
		ctype_const(scalar_of(x->of->type)), name, x));
	named = kx_name(r, name);
	named->type = x->of->type;
	return named;
}

static const struct kx *choice_of_names(struct vector_loop *loop,
	const struct kx *x)
{
	const struct kx *then = named(loop, chosen(loop, x->arg[1]));
	const struct kx *other = named(loop, chosen(loop, x->arg[2]));
	struct kx *choice = kx_select(loop->unit->mem, x->arg[0], then, other);

	choice->type = x->type;
	choice->of = x->of;
	return choice;
}

/* Does the program choose between reals? */
static bool is_choice(const struct kx *x)
{
	return is_of_reals(x) && x->of->kind == EXPR_SELECT;
}

struct choosing {
	struct vector_loop *loop;
};

static const struct kx *chosen_operand(const void *user,
	const struct kx *operand)
{
	const struct choosing *c = user;

	return chosen(c->loop, operand);
}

/* "x", with names where it chooses.  Other choices may be guards of code. */
static const struct kx *chosen(struct vector_loop *loop, const struct kx *x)
{
	struct choosing choosing = { loop };

	if (x->kind == KX_SELECT)
		return is_choice(x) && alternates(loop, x->arg[0]) ?
			choice_of_names(loop, x) : x;
	return kx_with_operands(loop->unit->mem, x, chosen_operand, &choosing);
}

/* "s", behind the declarations that it needs. */
static struct ks *with_names(struct vector_loop *loop, struct ks *s)
{
	struct region *r = loop->unit->mem;
	struct ks *both;
	int last = s->n_x - 1;

	if (s->kind == KS_BLOCK)
		for (int i = 0; i < s->n_children; i++)
			s->child[i] = with_names(loop, s->child[i]);
	if (s->n_x == 0 || (s->kind != KS_DECLARE && s->kind != KS_ASSIGN))
		return s;
	loop->declarations = ks_block(r);
	s->x[last] = chosen(loop, s->x[last]);
	if (loop->declarations->n_children == 0)
		return s;
	both = ks_block(r);
	ks_add(r, both, loop->declarations);
	ks_add(r, both, s);
	return both;
}

static void in_loop(struct kunit *unit, struct ks *s)
{
	struct vector_loop loop = { .unit = unit, .index = s->name,
		.body = s->child[0] };
	int made = unit->n_once;
	struct ks *scope;

	s->child[0] = with_names(&loop, s->child[0]);
	if (unit->n_once == made)
		return;
	scope = ks_scope(unit->mem);
	ks_add(unit->mem, scope, s->child[0]);
	s->child[0] = scope;
}

static void visit(struct kunit *unit, struct ks *s)
{
	for (int i = 0; i < s->n_children; i++)
		if (i > 0 && ks_asks_for_vectors(s->child[i - 1]) &&
		    s->child[i]->kind == KS_FOR)
			in_loop(unit, s->child[i]);
		else
			visit(unit, s->child[i]);
}

void compute_alternatives(struct kunit *unit, struct kfunc *f)
{
	visit(unit, f->body);
}
