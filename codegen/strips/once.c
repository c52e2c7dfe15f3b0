/* Strips of register streaming: what depends on the step alone, such as a wavelet, is
 * computed for each step before the iterations, not at each cell.
 */
#include "codegen/strips/strips.h"

enum { MOST_VALUES = 4 };	/* each takes a register a step */

/* Values of the program, those of its statements in turn. */
struct step_values {
	int n;
	const struct expr *value[MOST_VALUES];
};

/* Is it made of the time, parameters, numbers and elements that each step has? */
static bool is_of_step(const struct strip *p, const struct expr *e)
{
	if (e->kind == EXPR_INDEX || e->kind == EXPR_LOCAL ||
	    e->kind == EXPR_READ || (e->kind == EXPR_ELEMENT &&
	    !scop_has_element(p->scop, e)))
		return false;
	for (int i = 0; i < e->n_args; i++)
		if (!is_of_step(p, e->arg[i]))
			return false;
	return true;
}

static bool is_element(const struct expr *e)
{
	return e->kind == EXPR_ELEMENT;
}

/* Is it more than an instruction or two? */
static bool is_costly(const struct expr *e)
{
	return e->kind == EXPR_CALL || is_element(e) || (e->kind ==
		EXPR_BINARY && e->op == OP_DIV && e->type != TYPE_INT);
}

/* Of expressions without reads. */
static bool is_same(const struct expr *a, const struct expr *b)
{
	if (a == b)
		return true;
	if (!expr_same_node(a, b))
		return false;
	for (int i = 0; i < a->n_args; i++)
		if (!is_same(a->arg[i], b->arg[i]))
			return false;
	return true;
}

/* Which of "all" is "e"?  -1: none */
static int number_of(const struct step_values *all, const struct expr *e)
{
	for (int i = 0; i < all->n; i++)
		if (is_same(all->value[i], e))
			return i;
	return -1;
}

static void find_in(const struct strip *p, struct step_values *all,
	const struct expr *e)
{
	if (all->n == MOST_VALUES || !expr_any(e, is_costly))
		return;
	if (is_of_step(p, e)) {
		if (number_of(all, e) < 0)
			all->value[all->n++] = e;
		return;
	}
	for (int i = 0; i < e->n_args; i++)
		find_in(p, all, e->arg[i]);
}

static struct step_values find_values(const struct strip *p)
{
	struct step_values all = { 0 };

	for (int c = 0; c < p->scop->k; c++) {
		const struct stmt *s = program(p)->stmt[c];

		for (const struct local *l = s->locals; l; l = l->next)
			find_in(p, &all, l->value);
		find_in(p, &all, s->value);
	}
	return all;
}

/* once0[step] */
static const struct kx *value_at(const struct strip *p,
	const struct step_values *all, int i)
{
	struct kx *x = kx_of_kind(p->mem, KX_INDEX, fresh_name(p->mem,
		program(p), "once%d", i), 1, &p->m);

	x->type = all->value[i]->type;
	return x;
}

const struct kx *strip_value_of_step(const struct strip *p,
	const struct expr *e)
{
	struct step_values all;
	int i;

	if (!expr_any(e, is_costly) || !is_of_step(p, e))
		return NULL;
	all = find_values(p);
	i = number_of(&all, e);
	return i < 0 ? NULL : value_at(p, &all, i);
}

void strip_compute_once(const struct strip *p, struct ks *block)
{
	struct step_values all = find_values(p);
	struct binding binding = {
		.mem = p->mem, .prog = program(p),
		.time = named(p, p->names->time),
	};
	struct ks *body = ks_block(p->mem);
	bool loads = false;

	if (!all.n)
		return;
	if (p->place->unit->n_once < all.n)
		p->place->unit->n_once = all.n;
	for (int i = 0; i < all.n; i++)
		loads |= expr_any(all.value[i], is_element);
	for (int i = 0; i < all.n; i++) {
		const struct kx *at = value_at(p, &all, i);
		struct ks *array;

		array = ks_array(p->mem, ctype_of(at->type), at->name, 1,
			&p->s->b, false, -1);
		array->is_zeroed = loads;
		ks_add(p->mem, block, array);
		ks_add(p->mem, body, ks_assign(p->mem, at,
			kx_of_expr(&binding, all.value[i])));
	}
	if (loads)
		body = ks_if(p->mem, op(p, OP_LT, named(p, p->names->time),
			kx_of_pw_aff(p->mem, scop_steps(p->scop),
				isl_set_copy(p->scop->context))), body, NULL);
	ks_add(p->mem, block, strip_over_steps(p, body));
}
