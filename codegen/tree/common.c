/* Values that several statements have in common, as the density of a fluid for its nine
 * directions: equal expressions are one value, and a value that several operations use gets a name.
 */
#include <stdint.h>
#include <string.h>

#include "codegen/tree/common.h"
#include "codegen/tree/names.h"

enum { BUCKETS = 1024 };

struct value {
	const struct kx *x;
	struct value **arg;
	int uses;		/* by operations that are executed in any case */
	bool seen;		/* .. its cells are counted */
	bool traps;		/* it may stop the program */
	const char *local;	/* a statement's name for it; or NULL */
	const struct kx *now;	/* what stands for it, once found */
	struct value *next;	/* in the same bucket */
};

/* What a statement calls a value. */
struct called {
	const char *name;
	struct value *value;
	const struct called *next;
};

struct common {
	struct region *mem;
	const struct program *prog;
	bool is_mapped;		/* a choice by place stands for a boundary */
	const struct called *locals;	/* of the statement at hand */
	const struct called *taken;	/* names that are declared */
	struct value *bucket[BUCKETS];
	struct ks *declarations;
	int n_names, n_operations;
};

/* Do both have the same operands, which are values already? */
static bool same_operands(const struct value *v, struct value *const *arg)
{
	bool same = true;

	for (int i = 0; same && i < v->x->n_args; i++)
		same = v->arg[i] == arg[i];
	return same;
}

static unsigned bucket_of(const struct kx *x, struct value *const *arg)
{
	uintptr_t hash = (uintptr_t) x->kind * 31 + (uintptr_t) x->op;

	for (const char *c = x->name; c && *c; c++)
		hash = hash * 31 + (unsigned char) *c;
	for (int i = 0; i < x->n_args; i++)
		hash = hash * 31 + ((uintptr_t) arg[i] >> 4);
	return (unsigned) ((hash ^ hash >> 10) % BUCKETS);
}

/* May it divide integers, and stop a program that would not do so? */
static bool may_trap(const struct kx *x)
{
	return x->kind == KX_BINARY && (x->op == OP_DIV || x->op == OP_MOD) &&
		!(x->of && !type_is_integer(x->of->type)) &&
		x->arg[1]->kind != KX_INT;
}

static struct value *called(const struct called *all, const char *name)
{
	while (all && strcmp(all->name, name))
		all = all->next;
	return all ? all->value : NULL;
}

static void call(struct common *c, const struct called **all,
	const char *name, struct value *v)
{
	struct called *new = region_new_of(c->mem, struct called);

	*new = (struct called) { name, v, *all };
	*all = new;
}

static struct value *value_of(struct common *c, const struct kx *x)
{
	struct value **arg = region_array(c->mem, struct value *,
		x->n_args + 1);
	struct value **bucket, *v = x->kind == KX_NAME ?
		called(c->locals, x->name) : NULL;

	if (v)
		return v;

	for (int i = 0; i < x->n_args; i++)
		arg[i] = value_of(c, x->arg[i]);
	bucket = &c->bucket[bucket_of(x, arg)];
	for (v = *bucket; v; v = v->next)
		if (kx_same_head(v->x, x) && same_operands(v, arg))
			return v;
	v = region_new_of(c->mem, struct value);
	v->x = x;
	v->arg = arg;
	v->traps = may_trap(x);
	for (int i = 0; i < x->n_args; i++)
		v->traps = v->traps || arg[i]->traps;
	v->next = *bucket;
	return *bucket = v;
}

/* Is a real number in "x"? */
static bool has_real(const struct kx *x)
{
	bool real = x->of && !type_is_integer(x->of->type);

	for (int i = 0; !real && i < x->n_args; i++)
		real = has_real(x->arg[i]);
	return real;
}

/* Does "x" evaluate operand "i" under a condition that counts?  Of a choice by values, compilers
 * compute both sides for vectors; one by place may be about few points.
 */
static bool is_asked_for(const struct common *c, const struct kx *x, int i)
{
	if (x->kind == KX_SELECT)
		return i > 0 && (c->is_mapped || !has_real(x->arg[0]));
	return i > 0 && x->kind == KX_BINARY && (x->op == OP_AND ||
		x->op == OP_OR);
}

static bool is_cell(const struct kx *x)
{
	return x->of && x->of->kind == EXPR_READ && x->n_args > 0;
}

/* Cells are loaded in any case. */
static void use_cells(const struct common *c, struct value *v)
{
	if (v->seen || is_cell(v->x)) {
		v->uses += is_cell(v->x);
		return;
	}
	v->seen = true;
	for (int i = 0; i < v->x->n_args; i++)
		use_cells(c, v->arg[i]);
}

/* Is it an operation on real numbers, or a real number in memory? */
static bool is_worth_it(const struct value *v)
{
	const struct kx *x = v->x;

	return x->of && x->n_args > 0 && !v->traps &&
		!type_is_integer(x->of->type) &&
		type_promoted(x->of->type) == x->of->type;
}

/* Count a use of "v".  The first one uses its operands, and so does the second one of what gets no
 * name.
 */
static void use(const struct common *c, struct value *v)
{
	const int most = is_worth_it(v) ? 1 : 2;

	if (++v->uses > most)
		return;
	for (int i = 0; i < v->x->n_args; i++)
		if (!is_asked_for(c, v->x, i))
			use(c, v->arg[i]);
		else if (!c->is_mapped)
			use_cells(c, v->arg[i]);
}

/* "v" with names in place of operands that have one. */
static const struct kx *with_names(struct common *c, const struct value *v)
{
	const struct kx **arg;
	struct kx *copy;
	bool changes = false;

	for (int i = 0; i < v->x->n_args; i++)
		changes = changes || v->arg[i]->now != v->x->arg[i];
	if (!changes)
		return v->x;
	arg = region_array(c->mem, const struct kx *, v->x->n_args);
	for (int i = 0; i < v->x->n_args; i++)
		arg[i] = v->arg[i]->now;
	copy = region_new_of(c->mem, struct kx);
	*copy = *v->x;
	copy->arg = arg;
	return copy;
}

/* .. as stmt_flops() counts them. */
static bool is_operation(const struct kx *x)
{
	return x->of && !type_is_integer(x->of->type) && (x->kind ==
		KX_UNARY || x->kind == KX_BINARY || x->kind == KX_MATH);
}

/* Find what stands for "v": a name, declared behind those of its operands, or the operation. */
static const struct kx *find(struct common *c, struct value *v)
{
	struct kx *name;

	if (v->now)
		return v->now;
	for (int i = 0; i < v->x->n_args; i++)
		find(c, v->arg[i]);
	v->now = with_names(c, v);
	c->n_operations += is_operation(v->x);
	if (v->uses < 2 || !is_worth_it(v))
		return v->now;
	name = kx_name(c->mem, v->local && !called(c->taken, v->local) ?
		v->local : fresh_name(c->mem, c->prog, "common%d",
			c->n_names++));
	call(c, &c->taken, name->name, v);
	name->type = v->x->of->type;
	ks_add(c->mem, c->declarations, ks_declare(c->mem, ctype_const(
		scalar_of(v->x->of->type)), name->name, v->now));
	return v->now = name;
}

/* The value that "s", an assignment behind declarations, stores; "*to" is where. */
static struct value *read_statement(struct common *c, const struct ks *s,
	const struct kx **to)
{
	struct value *v;

	for (int i = 0; i < s->n_children; i++) {
		v = read_statement(c, s->child[i], to);
		if (v)
			return v;
	}
	if (s->kind != KS_DECLARE && s->kind != KS_ASSIGN)
		return NULL;
	v = value_of(c, s->x[s->kind == KS_ASSIGN]);
	if (s->kind == KS_ASSIGN) {
		*to = s->x[0];
		return v;
	}
	if (!v->local)
		v->local = s->name;
	call(c, &c->locals, s->name, v);
	return NULL;
}

struct ks *ks_with_common(struct region *r, const struct program *prog,
	const struct ks *all, bool is_mapped, double *operations)
{
	struct common *c = region_new_of(r, struct common);
	struct value **stored = region_array(r, struct value *,
		all->n_children);
	const struct kx **to = region_array(r, const struct kx *,
		all->n_children);
	struct ks *stores = ks_block(r);

	c->mem = r;
	c->prog = prog;
	c->is_mapped = is_mapped;
	c->declarations = ks_block(r);
	for (int i = 0; i < all->n_children; i++) {
		c->locals = NULL;
		use(c, stored[i] = read_statement(c, all->child[i], &to[i]));
	}
	for (int i = 0; i < all->n_children; i++)
		ks_add(r, stores, ks_assign(r, to[i], find(c, stored[i])));
	ks_add(r, c->declarations, stores);
	*operations += c->n_operations;
	return c->declarations;
}
