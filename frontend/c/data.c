/* Conditions on data, as in if (mask[i][j]) A[i][j] = ..: for sets, a statement under one is
 * executed wherever its other conditions hold; the program tests the values.
 */
#include "frontend/c/passes.h"

/* Results of splitting conditions. */
struct parting {
	struct c_copy copy;
	const struct c_place *place;	/* around the conditions */
	struct c_expr *asked;		/* on data, joined by &&; NULL: none */
	struct parted {
		const struct c_condition *from, *to;
		struct parted *next;
	} *parted;
};

static void ask(struct parting *p, struct c_expr *e, bool negated)
{
	struct region *mem = p->copy.s->mem;
	struct c_expr *not;

	if (negated) {
		not = c_node(mem, CX_UNARY, C_INT, 1, &e, e->at);
		not->op = OP_NOT;
		e = not;
	}
	p->asked = p->asked ? c_binary(mem, OP_AND, C_INT, p->asked, e,
		e->at) : e;
}

/* "outer" and the part of "e" that is not data; the rest becomes a test. */
static const struct c_condition *part(struct parting *p, struct c_expr *e,
	bool negated, const struct c_condition *outer)
{
	struct stencil *s = p->copy.s;
	struct c_condition *c;

	if (is_affine_condition(s, p->place, e)) {
		c = region_new_of(s->mem, struct c_condition);
		c->expr = e;
		c->negated = negated;
		c->outer = outer;
		c->depth = outer ? outer->depth + 1 : 1;
		return c;
	}
	if (e->kind == CX_UNARY && e->op == OP_NOT)
		return part(p, e->arg[0], !negated, outer);
	if (e->kind == CX_BINARY && e->op == (negated ? OP_OR : OP_AND))
		return part(p, e->arg[1], negated, part(p, e->arg[0], negated,
			outer));
	ask(p, e, negated);
	return outer;
}

/* The conditions "c" without those on data. */
static const struct c_condition *without_data(struct parting *p,
	const struct c_condition *c)
{
	const struct c_condition *outer;
	struct parted *known = p->parted;

	if (!c)
		return NULL;
	while (known && known->from != c)
		known = known->next;
	if (known)
		return known->to;
	outer = without_data(p, c->outer);
	known = region_new_of(p->copy.s->mem, struct parted);
	known->from = c;
	known->to = outer == c->outer && is_affine_condition(p->copy.s,
		p->place, c->expr) ? c : part(p, c->expr, c->negated, outer);
	known->next = p->parted;
	p->parted = known;
	return known->to;
}

static void part_place(struct c_copy *copy, struct c_place *place)
{
	struct parting p = { .copy = *copy, .place = place };

	place->condition = without_data(&p, place->condition);
}

static void part_update(struct stencil *s, struct c_update *u)
{
	struct parting p = { .copy = { .s = s, .place = part_place },
		.place = &u->place };

	u->place.condition = without_data(&p, u->place.condition);
	if (!p.asked)
		return;
	u->write = copy_access(&p.copy, u->write);
	u->value = copy_expr(&p.copy, u->value);
	u->asked = copy_expr(&p.copy, p.asked);
}

void part_conditions(struct stencil *s)
{
	for (struct c_update *u = s->updates; u; u = u->next)
		part_update(s, u);
}
