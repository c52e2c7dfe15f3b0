/* By how much statements move a pointer: sums of what each of them adds. */
#include <string.h>

#include "verify/code/advance.h"

static bool is_called(const struct kx *x, const char *name)
{
	return x->kind == KX_NAME && !strcmp(x->name, name);
}

static struct advance no_advance(void)
{
	return (struct advance) { .known = true };
}

static struct advance then(struct advance a, struct advance b)
{
	bool same = !a.by || !b.by || kx_same(a.by, b.by);

	return (struct advance) {
		.known = a.known && b.known && same, .count = a.count + b.count,
		.by = a.by ? a.by : b.by,
	};
}

struct advance advance_by_assignment(const struct ks *s,
	const char *name)
{
	const struct kx *x = s->x[1];

	if (!is_called(s->x[0], name))
		return no_advance();
	if (x->kind != KX_BINARY || x->op != OP_ADD ||
	    !is_called(x->arg[0], name) || kx_uses(x->arg[1], name))
		return (struct advance) { .known = false };
	return (struct advance) { .known = true, .count = 1, .by = x->arg[1] };
}

int64_t trips_of(const struct ks *s)
{
	const struct kx *first = s->x[0], *c = s->x[1], *step = s->x[2];
	int64_t end;

	if (first->kind != KX_INT || step->kind != KX_INT ||
	    step->ivalue <= 0 || c->kind != KX_BINARY ||
	    (c->op != OP_LT && c->op != OP_LE) ||
	    !is_called(c->arg[0], s->name) || c->arg[1]->kind != KX_INT)
		return -1;
	end = c->arg[1]->ivalue + (c->op == OP_LE);
	return end <= first->ivalue ? 0 : (end - first->ivalue +
		step->ivalue - 1) / step->ivalue;
}

struct advance advance_of(const struct ks *s, const char *name)
{
	struct advance a = no_advance();
	int64_t trips;

	if (s->kind == KS_ASSIGN)
		return advance_by_assignment(s, name);
	for (int i = 0; i < s->n_children; i++)
		a = then(a, advance_of(s->child[i], name));
	if (!a.by)
		return a;
	trips = s->kind == KS_FOR ? trips_of(s) : 1;
	a.known = a.known && s->kind != KS_IF && trips >= 0;
	a.count *= trips;
	return a;
}
