/* Straight code, where a row of points is statement after statement: what a block needs
 * repeatedly is computed before its first use.
 */
#include <string.h>

#include "codegen/tree/once.h"

/* The weight of a use: one under a condition may never happen. */
enum { ALWAYS = 4, PERHAPS = 1, ENOUGH = 8 };

/* A value that several uses in a block share. */
struct common {
	const struct kx *x;
	int uses, first, last;	/* how many children of the block use it */
	struct common *next;
};

struct uses {
	struct once once;
	int child;		/* the current one */
	struct common *first, **end;
};

static void note(struct uses *u, const struct kx *x, int counts)
{
	struct common *c = u->first;

	while (c && !kx_same(c->x, x))
		c = c->next;
	if (!c) {
		c = region_new_of(u->once.unit->mem, struct common);
		c->x = x;
		c->first = u->child;
		*u->end = c;
		u->end = &c->next;
	}
	c->uses += counts;
	c->last = u->child;
}

/* Does "x" evaluate operand "i" under a condition? */
static bool is_asked_for(const struct kx *x, int i)
{
	return i > 0 && (x->kind == KX_SELECT || (x->kind == KX_BINARY &&
		(x->op == OP_AND || x->op == OP_OR)));
}

static void find_in_value(struct uses *u, const struct kx *x, int counts)
{
	const struct kx *value;

	if (!once_is_worth_it(&u->once, x))
		return;
	value = once_before(&u->once, x);
	if (value) {
		note(u, value, counts);
		return;
	}
	for (int i = 0; i < x->n_args; i++)
		find_in_value(u, x->arg[i], is_asked_for(x, i) ? PERHAPS :
			counts);
}

static void find_in(struct uses *u, const struct ks *s, int counts)
{
	for (int i = 0; i < s->n_x; i++)
		find_in_value(u, s->x[i], counts);
	if (s->kind == KS_IF)
		counts = PERHAPS;
	for (int i = 0; i < s->n_children; i++)
		find_in(u, s->child[i], counts);
}

/* Is it used often, and not all in one inner block? */
static bool is_taken(const struct ks *block, const struct common *c)
{
	return c->uses >= ENOUGH && (c->first != c->last ||
		block->child[c->first]->n_children == 0);
}

static const struct kx *name_in_block(struct once *o, const struct kx *x)
{
	const struct kx *value = o->n > 0 ? once_before(o, x) : NULL;

	for (int i = 0; value && i < o->n; i++)
		if (kx_same(o->value[i], value))
			return o->name[i];
	return NULL;
}

static void use_names(struct once *o, struct ks *s)
{
	for (int i = 0; i < s->n_x; i++)
		s->x[i] = once_rewrite(o, s->x[i], name_in_block);
	for (int i = 0; i < s->n_children; i++)
		use_names(o, s->child[i]);
}

/* The children of "block", each behind the values that it uses first. */
static void declare_in(struct uses *u, struct ks *block)
{
	struct once *o = &u->once;
	struct ks *all = ks_block(o->unit->mem);

	for (int i = 0; i < block->n_children; i++) {
		for (const struct common *c = u->first; c; c = c->next)
			if (c->first == i && o->n < MOST_ONCE &&
			    is_taken(block, c))
				once_name(o, all, c->x);
		use_names(o, block->child[i]);
		ks_add(o->unit->mem, all, block->child[i]);
	}
	block->child = all->child;
	block->n_children = all->n_children;
	block->capacity = all->capacity;
}

static void compute_once_in(const struct once *all, struct ks *block)
{
	struct uses u = { .once = *all };
	bool any = false;

	u.once.in = block->child;
	u.once.n_in = block->n_children;
	u.end = &u.first;
	for (u.child = 0; u.child < block->n_children; u.child++)
		find_in(&u, block->child[u.child], ALWAYS);
	for (const struct common *c = u.first; c; c = c->next)
		any = any || is_taken(block, c);
	if (any)
		declare_in(&u, block);
}

void once_in_blocks(const struct once *all, struct ks *s)
{
	if (s->kind == KS_BLOCK)
		compute_once_in(all, s);
	for (int i = 0; i < s->n_children; i++)
		once_in_blocks(all, s->child[i]);
}
