/* What C computes before a loop, not in each of its iterations: functions of <math.h>
 * whose arguments no iteration changes, such as a wavelet of the time alone, and
 * elements of inputs.  Compilers leave them where they are, as they may set errno or
 * be loads under a condition, and then take no vectors.
 */
#include <string.h>

#include "codegen/host/cpu.h"

/* A loop, or the body of a function, and what is computed before it. */
struct once {
	const struct host *h;
	struct ks *loop;
	struct ks *declarations;
	int n;
	const struct kx *value[8];
	const struct kx *name[8];
};

static bool is_declared_in(const struct ks *s, const char *name)
{
	if ((s->kind == KS_DECLARE || s->kind == KS_ARRAY ||
	     s->kind == KS_FOR) && !strcmp(s->name, name))
		return true;
	for (int i = 0; i < s->n_children; i++)
		if (is_declared_in(s->child[i], name))
			return true;
	return false;
}

/* Is it assigned to in "s"? */
static bool is_changed_in(const struct ks *s, const char *name)
{
	if (s->kind == KS_ASSIGN && s->x[0]->kind == KX_NAME &&
	    !strcmp(s->x[0]->name, name))
		return true;
	for (int i = 0; i < s->n_children; i++)
		if (is_changed_in(s->child[i], name))
			return true;
	return false;
}

/* That an element of an input may lie under a condition keeps compilers from vectors, as
 * functions do.
 */
static bool is_worth_it(const struct kx *x)
{
	if (x->kind == KX_MATH || kx_is_element(x))
		return true;
	for (int i = 0; i < x->n_args; i++)
		if (is_worth_it(x->arg[i]))
			return true;
	return false;
}

/* Division of integers, which may stop the program where nobody asks for it. */
static bool may_trap(const struct kx *x)
{
	return x->kind == KX_BINARY && (x->op == OP_DIV || x->op == OP_MOD) &&
		(!x->of || x->of->type == TYPE_INT) &&
		x->arg[1]->kind != KX_INT;
}

/* Has "x" the same value before the loop, without a load that nobody may ask for? */
static bool is_same_before(const struct once *o, const struct kx *x)
{
	switch (x->kind) {
	case KX_INT:
	case KX_REAL:
		return true;
	case KX_NAME:
		return !is_declared_in(o->loop, x->name) &&
			!is_changed_in(o->loop, x->name);
	case KX_UNARY:
	case KX_BINARY:
	case KX_SELECT:
	case KX_MATH:
		break;
	default:
		if (!kx_is_element(x) || !scop_has_element(o->h->scop, x->of))
			return false;
	}
	if (may_trap(x))
		return false;
	for (int i = 0; i < x->n_args; i++)
		if (!is_same_before(o, x->arg[i]))
			return false;
	return true;
}

static const struct kx *name_of(struct once *o, const struct kx *x)
{
	const struct host *h = o->h;
	const char *once;

	for (int i = 0; i < o->n; i++)
		if (kx_same(o->value[i], x))
			return o->name[i];
	if (o->n == (int) (sizeof(o->value) / sizeof(o->value[0])))
		return x;
	once = fresh_name(h->mem, h->prog, "once%d", h->unit->n_once++);
	ks_add(h->mem, o->declarations, ks_declare(h->mem,
		ctype_const(scalar_of(x->of->type)), once, x));
	o->value[o->n] = x;
	return o->name[o->n++] = name(h, once);
}

/* "x" with names for what is computed before the loop, as much at a time as can be. */
static const struct kx *with_names(struct once *o, const struct kx *x)
{
	struct kx *copy = NULL;
	const struct kx **args = NULL;

	if (!is_worth_it(x))
		return x;
	if (x->of && x->of->type != TYPE_INT && is_same_before(o, x))
		return name_of(o, x);
	for (int i = 0; i < x->n_args; i++) {
		const struct kx *arg = with_names(o, x->arg[i]);

		if (arg == x->arg[i])
			continue;
		if (!copy) {
			copy = region_new_of(o->h->mem, struct kx);
			*copy = *x;
			args = region_array(o->h->mem, const struct kx *,
				x->n_args);
			memcpy(args, x->arg, (size_t) x->n_args * sizeof(*args));
			copy->arg = args;
		}
		args[i] = arg;
	}
	return copy ? copy : x;
}

static void name_values(struct once *o, struct ks *s)
{
	for (int i = 0; i < s->n_x; i++)
		s->x[i] = with_names(o, s->x[i]);
	for (int i = 0; i < s->n_children; i++)
		name_values(o, s->child[i]);
}

/* Child "i" of "s", a loop, follows "declarations", and so does its directive. */
static void insert(const struct host *h, struct ks *s, int i,
	struct ks *declarations)
{
	bool directed = i > 0 && s->child[i - 1]->kind == KS_DIRECTIVE;
	bool alone = s->kind == KS_BLOCK && i == directed &&
		i + 1 == s->n_children;
	struct ks *all = alone ? ks_block(h->mem) : ks_scope(h->mem);

	all->braces = !alone;
	s->scope |= alone;
	ks_add(h->mem, all, declarations);
	if (directed) {
		ks_add(h->mem, all, s->child[i - 1]);
		s->child[i - 1] = ks_block(h->mem);
	}
	ks_add(h->mem, all, s->child[i]);
	s->child[i] = all;
}

/* Loops that the one at child "i" of "s" is collapsed with. */
static int collapsed_with(const struct ks *s, int i)
{
	const struct ks *before = i > 0 ? s->child[i - 1] : NULL;

	return before && before->kind == KS_DIRECTIVE &&
		before->directive.collapse > 1 ?
		before->directive.collapse - 1 : 0;
}

/* The loops of "s", outer ones first; nothing comes between a loop and the next
 * "collapsed" ones in it.
 */
static void visit(const struct host *h, struct ks *s, int collapsed)
{
	for (int i = 0; i < s->n_children; i++) {
		struct ks *loop = s->child[i];
		struct once o = { .h = h, .loop = loop,
			.declarations = ks_block(h->mem) };

		if (loop->kind != KS_FOR) {
			visit(h, loop, collapsed);
		} else if (collapsed > 0) {
			visit(h, loop, collapsed - 1);
		} else {
			name_values(&o, loop);
			visit(h, loop, collapsed_with(s, i));
			if (o.n > 0)
				insert(h, s, i, o.declarations);
		}
	}
}

/* What depends on the parameters of "f" alone comes first. */
static void begin_with_values(const struct host *h, struct kfunc *f)
{
	struct once o = { .h = h, .loop = f->body,
		.declarations = ks_block(h->mem) };
	struct ks *body = ks_block(h->mem);

	name_values(&o, f->body);
	if (o.n == 0)
		return;
	ks_add(h->mem, body, o.declarations);
	ks_add(h->mem, body, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, body, f->body);
	f->body = body;
}

void cpu_compute_once(const struct host *h, struct kfunc *f)
{
	begin_with_values(h, f);
	visit(h, f->body, 0);
}
