/* Subscripts that turn back at the ends of an array: (i - 1 + n) % n, i == 0 ? i : i - 1, and, of linear arrays,
 * j == 0 ? at : at - m.
 */
#include "frontend/c/nearby.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"
#include "frontend/c/split.h"
#include "frontend/c/walk.h"

#include <isl/aff.h>
#include <isl/set.h>

#include <stdlib.h>

bool is_near_point(const struct c_place *place, const struct poly *p,
	int64_t *distance)
{
	const struct c_loop *loop = loop_of(place->loop, p);
	struct poly rest;
	int64_t c;

	return loop && poly_split(p, loop->decl, &c, &rest) && c == 1 &&
		poly_is_constant(&rest, distance);
}

struct c_expr *bare_subscript(struct c_expr *e)
{
	while (e->kind == CX_TEMP || (e->kind == CX_CAST && e->n_args == 1 &&
	       is_integer(e->type) && !is_narrow(e->type) &&
	       is_integer(e->arg[0]->type)))
		e = e->kind == CX_TEMP ? e->temp->value : e->arg[0];
	return e;
}

/* Arms of choices ----------------------------------------------------------*/

/* { [round, v1, .., vn] : the variable of "loop" is far from both ends }, in the middle if these are numbers; NULL:
 * the ends are not affine.
 */
static __isl_give isl_set *far_from_ends(struct stencil *s,
	const struct c_place *place, const struct c_loop *loop)
{
	const struct poly far = poly_constant(16), v = poly_symbol(loop->decl);
	struct poly begin = loop->begin, last = loop->end;
	int64_t first, end;
	isl_aff *from, *to;

	if (poly_is_constant(&begin, &first) && poly_is_constant(&last, &end)) {
		begin = last = poly_constant(first + (end - first) / 2);
	} else {
		poly_add(&begin, &far, 1);
		poly_add(&last, &far, -1);
	}
	from = place_aff(s, place, &begin);
	to = place_aff(s, place, &last);
	if (!from || !to) {
		isl_aff_free(from);
		isl_aff_free(to);
		return NULL;
	}
	return isl_set_intersect(isl_aff_ge_set(place_aff(s, place, &v), from),
		isl_aff_le_set(place_aff(s, place, &v), to));
}

static __isl_give isl_set *far_from_all_ends(struct stencil *s,
	const struct c_place *place)
{
	isl_set *set = isl_set_universe(place_space(s, place));

	for (const struct c_loop *l = place->loop; l && set; l = l->outer) {
		isl_set *far = far_from_ends(s, place, l);

		set = far ? isl_set_intersect(set, far) : isl_set_free(set);
	}
	return set;
}

/* Whether the condition holds far from the ends of all loops; 0: it depends, or cannot be told. */
static int holds_within(struct stencil *s, const struct c_expr *condition)
{
	const struct c_place *place = &s->at.place;
	isl_set *within = far_from_all_ends(s, place);
	isl_set *holds = within ? place_condition(s, place, condition) : NULL;
	isl_set *fails = holds ? isl_set_subtract(isl_set_copy(within),
		isl_set_copy(holds)) : NULL;
	int way = 0;

	holds = holds ? isl_set_intersect(holds, isl_set_copy(within)) : NULL;
	if (holds && isl_set_is_empty(fails) == isl_bool_true)
		way = 1;
	else if (holds && isl_set_is_empty(holds) == isl_bool_true)
		way = -1;
	isl_set_free(within);
	isl_set_free(holds);
	isl_set_free(fails);
	return way;
}

/* The value of "e" far from the ends of all loops; false if a choice depends on more, or it is no sum. */
static bool value_within(struct stencil *s, const struct c_expr *e, struct poly *p)
{
	struct poly q;
	int way;

	if (e->kind == CX_TEMP)
		return value_within(s, e->temp->value, p);
	if (e->kind == CX_CAST && e->n_args == 1 && is_integer(e->type))
		return value_within(s, e->arg[0], p);
	if (e->kind == CX_SELECT) {
		way = holds_within(s, e->arg[0]);
		return way && value_within(s, e->arg[way > 0 ? 1 : 2], p);
	}
	if (e->kind == CX_BINARY && (e->op == OP_ADD || e->op == OP_SUB))
		return value_within(s, e->arg[0], p) && value_within(s, e->arg[1], &q) &&
			poly_add(p, &q, e->op == OP_ADD ? 1 : -1);
	return poly_of(s, e, p);
}

/* The nearer one of two neighbours, either of which may be missing. */
static bool nearer(const struct c_place *place, bool has_p, struct poly *p,
	bool has_q, const struct poly *q)
{
	int64_t a, b;

	has_p = has_p && is_near_point(place, p, &a);
	has_q = has_q && is_near_point(place, q, &b);
	if (has_q && (!has_p || llabs(b) < llabs(a)))
		*p = *q;
	return has_p || has_q;
}

static bool is_point(const struct c_place *place, const struct poly *p)
{
	int64_t distance;

	return is_near_point(place, p, &distance) && !distance;
}

/* .. of the arms of a choice, rather not the point itself. */
static bool nearer_arm(struct stencil *s, const struct c_expr *e, struct poly *p)
{
	const struct c_place *place = &s->at.place;
	struct poly q;
	bool has_p, has_q;

	has_p = neighbour_of(s, e->arg[1], p);
	has_q = neighbour_of(s, e->arg[2], &q);
	if (has_p && has_q && is_point(place, p))
		has_p = false;
	return nearer(place, has_p, p, has_q && !(has_p && is_point(place, &q)), &q);
}

/* x % n and, n = 2^k, x & (n - 1): x, or x - n. */
static bool neighbour_of_rest(struct stencil *s, const struct c_expr *e,
	struct poly *p)
{
	struct poly n, less;
	bool has = neighbour_of(s, e->arg[0], p);

	if (!has && !poly_of(s, e->arg[0], p))
		return false;
	less = *p;
	if (!poly_of(s, e->arg[1], &n) || !poly_add(&less, &n, -1))
		return false;
	if (e->op == OP_BIT_AND) {
		const struct poly one = poly_constant(1);

		poly_add(&less, &one, -1);
	}
	return nearer(&s->at.place, true, p, true, &less);
}

/* Has "p" the variables of several loops, as i*m + j? */
static bool is_linear_cell(const struct stencil *s, const struct poly *p)
{
	int n = 0;

	for (const struct c_loop *l = s->at.place.loop; l; l = l->outer)
		n += poly_uses(p, l->decl);
	return n > 1;
}

bool neighbour_of(struct stencil *s, const struct c_expr *e, struct poly *p)
{
	int64_t distance;

	if (value_within(s, e, p)) {
		if (is_near_point(&s->at.place, p, &distance) && (distance || e->kind != CX_SELECT))
			return true;
		if (is_linear_cell(s, p))
			return false;
	}
	switch (e->kind) {
	case CX_TEMP:
		return neighbour_of(s, e->temp->value, p);
	case CX_CAST:
		return neighbour_of(s, e->arg[0], p);
	case CX_SELECT:
		return nearer_arm(s, e, p);
	case CX_BINARY:
		if (e->op == OP_MOD || e->op == OP_BIT_AND)
			return neighbour_of_rest(s, e, p);
		break;
	default:
		break;
	}
	return false;
}

/* Linear subscripts --------------------------------------------------------*/

/* A tree of choices whose arms are base + (v + number) * factor, "v" being the variable of the one loop that
 * its conditions have.
 */
struct choice {
	struct stencil *s;
	const struct c_loop *loop;
	struct poly factor, base;
	bool has_factor, has_base;
};

/* Sets the loop to the only one whose variable the conditions have; false if there are several, or none. */
static bool has_loop_of(struct choice *c, const struct c_expr *condition)
{
	const struct c_loop *l = c->s->at.place.loop;

	for (; l; l = l->outer) {
		if (!uses_variable(condition, l->decl))
			continue;
		if (c->loop && c->loop != l)
			return false;
		c->loop = l;
	}
	return c->loop;
}

/* Find the loop and the factor of its variable, which all arms that have it share. */
static bool find_factor(struct choice *c, struct c_expr *e)
{
	struct poly p, factor, rest;

	e = bare_subscript(e);
	if (e->kind == CX_SELECT)
		return has_loop_of(c, e->arg[0]) && find_factor(c, e->arg[1]) &&
			find_factor(c, e->arg[2]);
	if (!poly_of(c->s, e, &p))
		return false;
	poly_factor(&p, c->loop->decl, &factor, &rest);
	if (!factor.n)
		return true;
	if (c->has_factor)
		return poly_equal(&c->factor, &factor);
	c->factor = factor;
	c->has_factor = true;
	return !loop_of(c->s->at.place.loop, &factor);
}

/* "p" without terms that have loop variables, which "others" gets. */
static void set_variables_apart(const struct c_loop *loops, struct poly *p,
	struct poly *others)
{
	*others = (struct poly) { 0 };
	for (const struct c_loop *l = loops; l; l = l->outer) {
		const struct poly v = poly_symbol(l->decl);
		struct poly factor;

		poly_factor(p, l->decl, &factor, p);
		poly_multiply(&factor, &v);
		poly_add(others, &factor, 1);
	}
}

/* The tree with (v + number) in place of its arms; NULL: they have no base in common. */
static struct c_expr *arms_along(struct choice *c, struct c_expr *e)
{
	struct poly p, own, number, base, rest;
	struct c_expr *arg[3];

	e = bare_subscript(e);
	if (e->kind == CX_SELECT) {
		arg[0] = e->arg[0];
		arg[1] = arms_along(c, e->arg[1]);
		arg[2] = arg[1] ? arms_along(c, e->arg[2]) : NULL;
		return arg[2] ? c_node(c->s->mem, CX_SELECT, e->type, 3, arg, e->at) : NULL;
	}
	poly_of(c->s, e, &p);
	poly_factor(&p, c->loop->decl, &own, &p);
	set_variables_apart(c->s->at.place.loop, &p, &base);
	if (!poly_divide(&p, &c->factor, &number, &rest) || !poly_add(&base, &rest, 1))
		return NULL;
	if (c->has_base && !poly_equal(&c->base, &base))
		return NULL;
	c->base = base;
	c->has_base = true;
	if (own.n) {
		const struct poly v = poly_symbol(c->loop->decl);

		poly_add(&number, &v, 1);
	}
	return expr_of_poly(c->s, &number, e->at);
}

struct c_expr *choice_along(struct stencil *s, struct c_expr *e)
{
	const struct poly one = poly_constant(1);
	struct choice c = { .s = s };
	struct c_expr *along;

	if (e->kind != CX_SELECT || !find_factor(&c, e) || !c.has_factor)
		return NULL;
	along = arms_along(&c, e);
	if (!along || (!c.base.n && poly_equal(&c.factor, &one)))
		return NULL;
	along = c_binary(s->mem, OP_MUL, e->type, along, expr_of_poly(s,
		&c.factor, e->at), e->at);
	return c_binary(s->mem, OP_ADD, e->type, expr_of_poly(s, &c.base,
		e->at), along, e->at);
}

/* Do the arms of the choice "e" have no variable of a loop, while its conditions have one, "loop"? */
static bool is_offset(struct stencil *s, struct c_expr *e, const struct c_loop **loop)
{
	struct choice c = { .s = s };

	if (e->kind != CX_SELECT || !find_factor(&c, e) || c.has_factor)
		return false;
	*loop = c.loop;
	return true;
}

/* The choice "e" of numbers of cells, from "cell" on or, if not "added", before it */
static struct c_expr *offset_from(struct stencil *s, struct c_expr *cell, bool added, struct c_expr *e)
{
	struct c_expr *arg[3];

	e = bare_subscript(e);
	if (e->kind != CX_SELECT)
		return c_binary(s->mem, added ? OP_ADD : OP_SUB, e->type, cell, e, e->at);
	arg[0] = e->arg[0];
	arg[1] = offset_from(s, cell, added, e->arg[1]);
	arg[2] = offset_from(s, cell, added, e->arg[2]);
	return c_node(s->mem, CX_SELECT, e->type, 3, arg, e->at);
}

struct addends {
	struct stencil *s;
	int n;
	struct addend {
		struct c_expr *e;
		bool added;
	} of[POLY_TERMS];
};

static bool add_addends(struct addends *sum, struct c_expr *e, bool added)
{
	struct poly p;

	e = bare_subscript(e);
	if (e->kind == CX_BINARY && (e->op == OP_ADD || e->op == OP_SUB) && !poly_of(sum->s, e, &p))
		return add_addends(sum, e->arg[0], added) &&
			add_addends(sum, e->arg[1], added == (e->op == OP_ADD));
	if (sum->n == POLY_TERMS)
		return false;
	sum->of[sum->n++] = (struct addend) { e, added };
	return true;
}

/* The term of "sum" that has the variable of "loop": j * m; NULL: it has none. */
static struct c_expr *term_of_loop(const struct addends *sum, const struct c_loop *loop, struct span at)
{
	struct poly v = poly_symbol(loop->decl), factor = { 0 };

	for (int i = 0; i < sum->n; i++) {
		struct poly p, own, rest;

		if (!poly_of(sum->s, sum->of[i].e, &p))
			continue;
		poly_factor(&p, loop->decl, &own, &rest);
		if (!poly_add(&factor, &own, sum->of[i].added ? 1 : -1))
			return NULL;
	}
	return factor.n && poly_multiply(&v, &factor) ? expr_of_poly(sum->s, &v, at) : NULL;
}

struct c_expr *offsets_as_choices(struct stencil *s, struct c_expr *e)
{
	struct addends sum = { .s = s };
	const struct c_loop *loop;
	struct c_expr *cell;
	int n;

	if (!add_addends(&sum, e, true))
		return e;
	n = sum.n;
	for (int i = 0; i < n && sum.n < POLY_TERMS; i++) {
		struct addend *own = &sum.of[i];

		if (!is_offset(s, own->e, &loop))
			continue;
		cell = term_of_loop(&sum, loop, e->at);
		if (!cell)
			continue;
		sum.of[sum.n++] = (struct addend) { cell, false };
		*own = (struct addend) { offset_from(s, cell, own->added, own->e), true };
	}
	if (sum.n == n)
		return e;
	e = c_leaf(s->mem, CX_INT, C_INT, e->at);
	for (int i = 0; i < sum.n; i++)
		e = c_binary(s->mem, sum.of[i].added ? OP_ADD : OP_SUB, C_INT, e, sum.of[i].e, e->at);
	return e;
}
