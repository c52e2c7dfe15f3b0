/* The points of an index that a statement has: given by a factor on the left, A[2*i + 1] = ..,
 * or by its conditions, on (i % 2 == 1).  A quotient of an index may be exact at these points.
 */
#include "base/number.h"
#include "frontend/conditions.h"
#include "frontend/linear.h"
#include "frontend/slice.h"

/* The left-hand side -------------------------------------------------------*/

struct line *lattice_line(struct context *c, int dim)
{
	if (!c->statement->lattice)
		c->statement->lattice = region_new_of(c->l->mem,
			struct lattice);
	return &c->statement->lattice->line[dim];
}

static bool is_product(const struct ast_expr *e)
{
	return e->kind == AST_BINARY && e->op == OP_MUL;
}

bool is_strided(const struct lower *l, const struct update *u)
{
	for (const struct ast_expr *e = u->item->element->args; e; e = e->next) {
		if (is_slice(l, e))
			continue;
		if (is_product(e))
			return true;
		for (const struct ast_expr *arg = e->kind == AST_BINARY ?
		     e->args : NULL; arg; arg = arg->next)
			if (is_product(arg))
				return true;
	}
	return false;
}

bool check_strided(struct lower *l, const struct update *u,
	const struct statement *of)
{
	if (!is_strided(l, u) && !is_strided(l, of->update))
		return true;
	diag(l->diags, E_NOT_YET, u->item->element->at, "a statement that "
		"changes what another one has computed, at points with a "
		"factor on the left of either, is not implemented yet");
	diag_note(l->diags, of->ir->at, "the other one is here");
	diag_advice(l->diags, "write the points as a condition, as in "
		"'on (i %% 2 == 0) %s[..][i] += ..'", of->target->name);
	return false;
}

/* (x - first)/step, without a sum that may be negative. */
const struct expr *index_counted(struct context *c, int dim,
	const struct expr *x)
{
	const struct line *line = c->statement && c->statement->lattice ?
		&c->statement->lattice->line[dim] : NULL;
	struct region *mem = c->l->mem;

	if (!line || !line->is_named)
		return x;
	if (line->first)
		x = expr_binary(mem, OP_ADD, x, expr_int(mem, line->step -
			line->first, x->at), x->at);
	x = expr_binary(mem, OP_DIV, x, expr_int(mem, line->step, x->at),
		x->at);
	return line->first ? expr_binary(mem, OP_SUB, x, expr_int(mem, 1,
		x->at), x->at) : x;
}

/* Conditions ---------------------------------------------------------------*/

/* x % step == first */
static const struct expr *on_line(struct context *c, int dim,
	const struct line *line)
{
	struct region *mem = c->l->mem;
	struct expr *x = expr_leaf(mem, EXPR_INDEX, TYPE_INT, line->at);

	x->dim = dim;
	x->spelling = c->statement->ir->iterator[dim];
	return expr_binary(mem, OP_EQ, expr_binary(mem, OP_MOD, x,
		expr_int(mem, line->step, line->at), line->at),
		expr_int(mem, line->first, line->at), line->at);
}

/* The dimension whose index plus the constant "*by" is "e"; or -1. */
static int shifted_index(const struct expr *e, int64_t *by)
{
	struct linear x;
	int dim = -1;

	if (find_linear(e, &x) || x.time)
		return -1;
	for (int i = 0; i < IR_MAX_DIMS; ++i) {
		if (!x.coefficient[i])
			continue;
		if (dim >= 0 || x.coefficient[i] != 1)
			return -1;
		dim = i;
	}
	*by = x.constant;
	return dim;
}

/* (x + by) % step == rest */
static void note_rest(struct context *c, const struct expr *mod, int64_t rest)
{
	int64_t step, by;
	int dim = shifted_index(mod->arg[0], &by);
	struct line *line;

	if (dim < 0 || !expr_constant(mod->arg[1], &step) || step < 1 ||
	    step > LOWER_MAX_STRIDE || rest < 0 || rest >= step)
		return;
	line = lattice_line(c, dim);
	if (line->is_named || line->step)
		return;
	line->step = step;
	line->first = floor_mod(rest - by, step);
}

/* x + by >= least */
static void note_least(struct context *c, const struct expr *e, int64_t least)
{
	int64_t by;
	int dim = shifted_index(e, &by);
	struct line *line = dim < 0 ? NULL : lattice_line(c, dim);

	if (line && least - by > line->least)
		line->least = least - by;
}

static void note_condition(struct context *c, const struct expr *e)
{
	int64_t value;

	if (e->kind != EXPR_BINARY)
		return;
	if (e->op == OP_AND) {
		note_condition(c, e->arg[0]);
		note_condition(c, e->arg[1]);
	}
	if (!op_is_comparison(e->op) || !expr_constant(e->arg[1], &value))
		return;
	if (e->op == OP_EQ && e->arg[0]->kind == EXPR_BINARY &&
	    e->arg[0]->op == OP_MOD)
		note_rest(c, e->arg[0], value);
	else if (e->op == OP_GE || e->op == OP_GT || e->op == OP_EQ)
		note_least(c, e->arg[0], value + (e->op == OP_GT));
}

void note_lattice(struct context *c)
{
	struct stmt *ir = c->statement->ir;

	for (int i = 0; i < ir->n_conditions; ++i)
		note_condition(c, ir->condition[i]);
	for (int i = 0; c->statement->lattice && i < ir->n_dims; ++i) {
		const struct line *line = &c->statement->lattice->line[i];

		if (line->is_named)
			ir->condition[ir->n_conditions++] = on_line(c, i, line);
	}
}
