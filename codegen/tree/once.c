/* What can be computed before a loop instead of in each iteration: functions of <math.h> whose
 * arguments no iteration changes, such as a wavelet of the time alone.
 *
 * In C, elements of inputs move, too.  Compilers leave both in place, since functions may set
 * errno and loads may be conditional, and then use no vectors.
 *
 * For GPUs, divisions move. nvcc leaves in place what stands under a condition, and functions
 * with branches of their own: it would call sinf() of a row for each point.
 */
#include <string.h>

#include "codegen/tree/once.h"
#include "codegen/tree/rewrite.h"

/* How some statements declare "name". */
struct declared {
	const char *name;
	bool any, is_variable;	/* .. by a loop, or with several values */
	const struct kx *value;	/* of a constant */
};

static void find_declared(struct declared *d, const struct ks *s)
{
	bool here = (s->kind == KS_DECLARE || s->kind == KS_ARRAY ||
		s->kind == KS_FOR) && !strcmp(s->name, d->name);

	if (here) {
		d->is_variable |= s->kind != KS_DECLARE || !s->n_x ||
			!ctype_is_constant(s->c_type) || (d->value &&
			!kx_same(d->value, s->x[0]));
		d->any = true;
		if (!d->is_variable)
			d->value = s->x[0];
	}
	for (int i = 0; i < s->n_children; i++)
		find_declared(d, s->child[i]);
}

/* Do compilers move it themselves? */
static bool is_of_numbers(const struct kx *x)
{
	for (int i = 0; i < x->n_args; i++)
		if (!is_of_numbers(x->arg[i]))
			return false;
	return x->kind == KX_INT || x->kind == KX_REAL ||
		x->kind == KX_BINARY || x->kind == KX_UNARY ||
		x->kind == KX_CAST;
}

/* Is it slow to compute again or, in C, does it keep compilers from vectors?  Functions do, and
 * elements of inputs, which may lie under a condition.
 */
static bool takes_long(const struct once *o, const struct kx *x)
{
	if (!o->kernel)
		return x->kind == KX_MATH || kx_is_element(x);
	return (x->kind == KX_MATH && !op_is_short_function(x->op)) ||
		(x->kind == KX_BINARY && x->op == OP_DIV && x->of &&
		!type_is_integer(x->of->type) && !is_of_numbers(x));
}

bool once_is_worth_it(const struct once *o, const struct kx *x)
{
	if (takes_long(o, x))
		return true;
	for (int i = 0; i < x->n_args; i++)
		if (once_is_worth_it(o, x->arg[i]))
			return true;
	return false;
}

/* Is "x" an approximated root or inverse? */
static bool is_root(const struct kx *x)
{
	return x->builtin >= B_OVER_ROOT && x->builtin <= B_INVERSE;
}

/* Division of integers could stop a program that would never evaluate it. */
static bool may_trap(const struct kx *x)
{
	return x->kind == KX_BINARY && (x->op == OP_DIV || x->op == OP_MOD) &&
		(!x->of || type_is_integer(x->of->type)) &&
		x->arg[1]->kind != KX_INT;
}

static const struct kx *before(const struct once *o, const struct kx *x);

/* The number of operators in "x", a sum of names and numbers; large for other
 * expressions.
 */
static int operators_of_sum(const struct kx *x)
{
	enum { MANY = 100 };

	if (x->n_args == 0)
		return 0;
	if (x->kind != KX_BINARY || (x->op != OP_ADD && x->op != OP_SUB))
		return MANY;
	return 1 + operators_of_sum(x->arg[0]) + operators_of_sum(x->arg[1]);
}

/* t0 + step, j0 + tx - step */
static bool is_short_sum(const struct kx *x)
{
	return operators_of_sum(x) <= 2;
}

/* The name itself, or, for a constant that the statements of a kernel declare, its value. */
static const struct kx *name_before(const struct once *o, const struct kx *x)
{
	struct declared d = { .name = x->name };

	for (int i = 0; i < o->n_in; i++) {
		find_declared(&d, o->in[i]);
		if (ks_assigns(o->in[i], x->name))
			return NULL;
	}
	if (!d.any)
		return x;
	return d.is_variable || !o->kernel || !is_short_sum(d.value) ? NULL :
		before(o, d.value);
}

/* The operation, with its operands as they are before the loop. */
static const struct kx *operation_before(const struct once *o,
	const struct kx *x)
{
	struct region *r = o->unit->mem;
	const struct kx **args = region_array(r, const struct kx *,
		x->n_args + 1);
	bool changes = false;
	struct kx *copy;

	for (int i = 0; i < x->n_args; i++) {
		args[i] = before(o, x->arg[i]);
		if (!args[i])
			return NULL;
		changes |= args[i] != x->arg[i];
	}
	if (!changes)
		return x;
	copy = region_new_of(r, struct kx);
	*copy = *x;
	copy->arg = args;
	return copy;
}

static const struct kx *before(const struct once *o, const struct kx *x)
{
	switch (x->kind) {
	case KX_INT:
	case KX_REAL:
		return x;
	case KX_NAME:
		return name_before(o, x);
	case KX_UNARY:
	case KX_BINARY:
	case KX_SELECT:
	case KX_MATH:
		break;
	case KX_BUILTIN:
		if (!is_root(x))
			return NULL;
		break;
	default:
		if (o->kernel || !kx_is_element(x) ||
		    !scop_has_element(o->unit->scop, x->of))
			return NULL;
	}
	return may_trap(x) ? NULL : operation_before(o, x);
}

const struct kx *once_before(const struct once *o, const struct kx *x)
{
	return x->of && !type_is_integer(x->of->type) ? before(o, x) : NULL;
}

const struct kx *once_name(struct once *o, struct ks *declarations,
	const struct kx *x)
{
	struct region *r = o->unit->mem;
	const char *once = fresh_name(r, o->unit->prog, "once%d",
		o->unit->n_once++);
	struct kx *name = kx_name(r, once);
	struct once_made *made = region_new_of(r, struct once_made);

	made->name = name;
	made->next = *o->made;
	*o->made = made;
	ks_add(r, declarations, ks_declare(r,
		ctype_const(scalar_of(x->of->type)), once, x));
	name->type = x->of->type;
	o->value[o->n] = x;
	return o->name[o->n++] = name;
}

/* How once_rewrite() continues with operands. */
struct rewriting {
	struct once *o;
	const struct kx *(*name_of)(struct once *o, const struct kx *x);
};

static const struct kx *rewrite_operand(const void *user,
	const struct kx *operand)
{
	const struct rewriting *w = user;

	return once_rewrite(w->o, operand, w->name_of);
}

const struct kx *once_rewrite(struct once *o, const struct kx *x,
	const struct kx *(*name_of)(struct once *o, const struct kx *x))
{
	struct rewriting rewriting = { o, name_of };
	const struct kx *name;

	if (!once_is_worth_it(o, x))
		return x;
	name = name_of(o, x);
	return name ? name : kx_with_operands(o->unit->mem, x,
		rewrite_operand, &rewriting);
}

/* A name for a value that is the same before the loop, for as large an expression as possible. */
static const struct kx *name_before_loop(struct once *o, const struct kx *x)
{
	const int most = o->kernel ? MOST_ONCE : MOST_IN_C;

	const struct kx *value = once_before(o, x);

	if (!value)
		return NULL;
	for (int i = 0; i < o->n; i++)
		if (kx_same(o->value[i], value))
			return o->name[i];
	return o->n == most ? x : once_name(o, o->declarations, value);
}

static void name_values(struct once *o, struct ks *s)
{
	for (int i = 0; i < s->n_x; i++)
		s->x[i] = once_rewrite(o, s->x[i], name_before_loop);
	for (int i = 0; i < s->n_children; i++)
		name_values(o, s->child[i]);
}

/* Child "i" of "s", a loop, moves behind "declarations", together with its directive. */
static void insert(struct region *r, struct ks *s, int i,
	struct ks *declarations)
{
	bool directed = i > 0 && s->child[i - 1]->kind == KS_DIRECTIVE;
	bool alone = s->kind == KS_BLOCK && i == directed &&
		i + 1 == s->n_children;
	struct ks *all = alone ? ks_block(r) : ks_scope(r);

	all->braces = !alone;
	s->scope |= alone;
	ks_add(r, all, declarations);
	if (directed) {
		ks_add(r, all, s->child[i - 1]);
		s->child[i - 1] = ks_block(r);
	}
	ks_add(r, all, s->child[i]);
	s->child[i] = all;
}

/* How many loops the one at child "i" of "s" is collapsed with. */
static int collapsed_with(const struct ks *s, int i)
{
	const struct ks *before = i > 0 ? s->child[i - 1] : NULL;

	if (!before || before->kind != KS_DIRECTIVE)
		return 0;
	return larger(larger(before->directive.collapse,
		before->directive.ordered) - 1, 0);
}

static bool counts_blocks(const struct kx *x)
{
	return x->kind == KX_CAST ? counts_blocks(x->arg[0]) :
		x->kind == KX_BUILTIN && x->builtin == B_BLOCKS;
}

/* Do threads, or blocks, share its iterations, so that each runs one or two? */
static bool is_shared_out(const struct once *o, const struct ks *loop)
{
	bool shared = false;

	for (int i = 0; o->kernel && i < 3; i++)
		shared |= kx_uses(loop->x[0], o->kernel->lanes.thread[i]);
	return shared || counts_blocks(loop->x[2]);
}

/* The loops of "s", outer ones first; nothing may come between a loop and the
 * next "collapsed" loops in it.
 */
static void visit(const struct once *all, struct ks *s, int collapsed)
{
	struct region *r = all->unit->mem;

	for (int i = 0; i < s->n_children; i++) {
		struct ks *loop = s->child[i];
		struct once o = *all;

		if (loop->kind != KS_FOR) {
			visit(all, loop, collapsed);
		} else if (collapsed > 0) {
			visit(all, loop, collapsed - 1);
		} else if (is_shared_out(all, loop)) {
			visit(all, loop, 0);
		} else {
			o.in = &loop;
			o.n_in = 1;
			o.declarations = ks_block(r);
			name_values(&o, loop);
			visit(all, loop, collapsed_with(s, i));
			if (o.n > 0)
				insert(r, s, i, o.declarations);
		}
	}
}

/* Names that nobody needs ------------------------------------------------ */

/* The time or a coordinate. */
static bool is_place(const struct kernel_names *names, const struct ks *s)
{
	bool is = false;

	if (s->kind != KS_DECLARE)
		return false;
	for (int d = 0; d < IR_MAX_DIMS; d++)
		is |= names->point[d] && !strcmp(s->name, names->point[d]);
	return is || !strcmp(s->name, names->time);
}

/* What comes next in the same scope, then in the scopes around it. */
struct rest {
	struct ks *const *after;
	int n;
	const struct rest *outer;
};

static bool is_used(const struct rest *rest, const char *name)
{
	for (; rest; rest = rest->outer)
		for (int i = 0; i < rest->n; i++)
			if (ks_uses(rest->after[i], name))
				return true;
	return false;
}

/* Drop declarations of the time and of coordinates in "s" that only served values which now
 * have names.
 */
static void drop_unused(const struct once *o, struct ks *s,
	const struct rest *outer)
{
	bool ends = s->kind != KS_BLOCK || s->scope || s->braces;

	for (int i = s->n_children - 1; i >= 0; i--) {
		const struct rest rest = { s->child + i + 1,
			s->kind == KS_BLOCK ? s->n_children - i - 1 : 0,
			ends ? NULL : outer };
		struct ks *child = s->child[i];

		if (is_place(o->kernel, child) && !is_used(&rest, child->name))
			s->child[i] = ks_block(o->unit->mem);
		else
			drop_unused(o, child, &rest);
	}
}

/* A name whose value has another name by now is replaced by that. */
static void join_names(const struct once *o, struct ks *s)
{
	for (int i = 0; i < s->n_children; i++) {
		struct ks *child = s->child[i];
		struct once_made *made = child->kind == KS_DECLARE &&
			child->n_x && child->x[0]->kind == KX_NAME ?
			*o->made : NULL;

		while (made && strcmp(made->name->name, child->name))
			made = made->next;
		join_names(o, child);
		if (!made)
			continue;
		made->name->name = child->x[0]->name;
		s->child[i] = ks_block(o->unit->mem);
	}
}

/* Values that depend only on parameters of "f" come first. */
static void begin_with_values(const struct once *all, struct kfunc *f)
{
	struct region *r = all->unit->mem;
	struct once o = *all;
	struct ks *body = ks_block(r);

	o.in = &f->body;
	o.n_in = 1;
	o.declarations = ks_block(r);
	name_values(&o, f->body);
	if (o.n == 0)
		return;
	ks_add(r, body, o.declarations);
	ks_add(r, body, ks_simple(r, KS_BLANK));
	ks_add(r, body, f->body);
	f->body = body;
}

void once_before_loops(struct kunit *unit, struct kfunc *f)
{
	struct once_made *made = NULL;
	const struct once all = { .unit = unit, .made = &made };

	begin_with_values(&all, f);
	visit(&all, f->body, 0);
}

void once_in_kernel(struct kunit *unit, const struct kernel_names *names,
	struct ks *body)
{
	struct once_made *made = NULL;
	const struct once all = { .unit = unit, .made = &made,
		.kernel = names };

	visit(&all, body, 0);
	once_in_blocks(&all, body);
	if (!made)
		return;
	join_names(&all, body);
	drop_unused(&all, body, NULL);
}
