/* Iterations of a strip before the first one that stores: see begun.h. */
#include <string.h>

#include "verify/code/begun.h"
#include "verify/code/joins.h"

static const struct kx *name_of_condition(const struct lanes *l)
{
	return kx_name(l->w->c->mem, l->names->strips.begins_inside);
}

const struct ks *loop_before_others(const struct lanes *l, const struct ks *s)
{
	const struct ks *loop = s->n_children == 1 && kx_same(s->x[0],
		name_of_condition(l)) ? s->child[0] : NULL;

	while (loop && loop->kind == KS_BLOCK && loop->n_children == 1)
		loop = loop->child[0];
	return loop && loop->kind == KS_FOR && !strcmp(loop->name,
		l->names->strips.iteration) ? loop : NULL;
}

/* first <= n <= end - period, by which questions know the iteration. */
static const struct kx *is_among(const struct lanes *l, const struct ks *loop)
{
	struct region *mem = l->w->c->mem;
	const struct kx *n = kx_name(mem, loop->name);

	return kx_and(mem, kx_binary(mem, OP_GE, n, loop->x[0]),
		kx_binary(mem, OP_LE, n, kx_add(mem, loop->x[1]->arg[1],
			-l->s.period)));
}

static bool has_whole_periods(const struct lanes *l, const struct ks *loop)
{
	const struct kx *goes_on = loop->x[1];

	return kx_is_int(loop->x[0], l->s.first) &&
		kx_is_int(loop->x[2], l->s.period) &&
		goes_on->kind == KX_BINARY && goes_on->op == OP_LT &&
		goes_on->arg[0]->kind == KX_NAME &&
		!strcmp(goes_on->arg[0]->name, loop->name) &&
		goes_on->arg[1]->kind == KX_INT &&
		(goes_on->arg[1]->ivalue - l->s.first) % l->s.period == 0;
}

static bool run_periods(struct lanes *l, const struct ks *loop,
	bool (*run_period)(struct lanes *l, const struct ks *s))
{
	const struct named *known = l->known;
	struct named *n = declare_scalar(l, loop->name);
	bool right = true;

	n->kind = LINE;
	n->line.by[ITERATION] = 1;
	move_iteration(l, l->s.first);
	l->loop.is_in = l->loop.is_known = true;
	while (right && l->loop.now < l->loop.end) {
		right = run_period(l, loop);
		l->loop.now += l->s.period;
	}
	l->loop.is_in = l->loop.is_known = false;
	l->loop.now = l->s.first;
	l->known = known;
	return right;
}

bool run_before_others(struct lanes *l, const struct ks *s,
	bool (*run_period)(struct lanes *l, const struct ks *s))
{
	const struct ks *loop = loop_before_others(l, s);
	struct way inside = { .condition = s->x[0], .holds = true,
		.is_of_all = true, .before = l->way };
	struct way among = { .holds = true, .is_of_all = true,
		.before = &inside };
	const struct held *before;
	bool right;
	int n;

	if (l->loop.begun || !is_of_all_threads(l, s->x[0]) ||
	    !has_whole_periods(l, loop))
		return refute(l->w->c, "it is not shown what strips compute "
			"before they store");
	before = copy_held(l, &n);
	l->loop.end = loop->x[1]->arg[1]->ivalue;
	among.condition = is_among(l, loop);
	l->way = &among;
	l->depth += 2;
	right = run_periods(l, loop, run_period);
	l->depth -= 2;
	l->way = inside.before;
	l->loop.begun = copy_held(l, &n);
	hold_all(l, before);
	return right;
}

bool begins_behind(const struct lanes *l, const struct kx *x)
{
	struct region *mem = l->w->c->mem;

	return kx_same(x, l->loop.begun ? kx_select(mem, name_of_condition(l),
		kx_int(mem, l->loop.end), kx_int(mem, l->s.first)) :
		kx_int(mem, l->s.first));
}

bool fits_begun(struct lanes *l, int i, const struct held *h)
{
	const struct held *begun = l->loop.begun ? &l->loop.begun[i] : NULL;
	struct held then;
	bool early;

	if (!begun)
		return true;
	then = at_iteration(l, *h, (int) l->loop.end);
	l->loop.now = l->loop.end;
	early = is_early(l, h);
	l->loop.now = l->s.first;
	return early || same_held(begun, h) || same_held(begun, &then);
}
