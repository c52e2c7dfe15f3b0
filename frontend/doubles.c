/* Literals by which a program of floats computes in double. */
#include "frontend/lower.h"

#include <ctype.h>

static bool is_double(enum type type)
{
	return type == TYPE_DOUBLE;
}

/* Does the program want doubles: in a field, in a parameter or by a cast? */
static bool wants_doubles(const struct lower *l)
{
	const struct program *p = l->program;

	for (int i = 0; i < p->n_params; i++)
		if (is_double(p->param[i]->type))
			return true;
	for (int i = 0; i < p->n_fields; i++)
		if (is_double(p->field[i]->type))
			return true;
	return l->ast->casts_to_double;
}

/* Did the user write the number at "e", not the name of a constant? */
static bool is_written(const struct lower *l, const struct expr *e)
{
	char c = *quote(l, e->at);

	return isdigit((unsigned char) c) || c == '.';
}

/* fmin and fmax of a float and an int are functions of floats whose value is cast to double. */
static bool is_extreme(const struct expr *e)
{
	return e->kind == EXPR_CALL && e->type == TYPE_FLOAT &&
		op_is_extreme(e->op);
}

/* The int that the cast "e" is of, if it is a literal or the negation of one. */
static const struct expr *int_literal(const struct lower *l,
	const struct expr *e)
{
	if (e->kind != EXPR_CAST)
		return NULL;
	e = e->arg[0];
	if (e->kind == EXPR_UNARY)
		e = e->arg[0];
	return e->kind == EXPR_INT && is_written(l, e) ? e : NULL;
}

/* The literal that makes "e" a double, or NULL. */
static const struct expr *literal_in(const struct lower *l,
	const struct expr *e)
{
	const struct expr *found = int_literal(l, e);

	if (e->kind == EXPR_LOCAL)
		return literal_in(l, e->local->value);
	if (e->kind == EXPR_REAL)
		return is_written(l, e) ? e : NULL;
	if (e->kind == EXPR_CAST && is_extreme(e->arg[0]))
		e = e->arg[0];
	for (int i = 0; i < e->n_args && !found; i++)
		found = is_double(e->arg[i]->type) ?
			literal_in(l, e->arg[i]) : int_literal(l, e->arg[i]);
	return found;
}

/* The operand of "e" by which another one, a float, becomes a double; or NULL. */
static const struct expr *widening_operand(const struct expr *e)
{
	bool has_float = false;
	const struct expr *wide = NULL;

	if (e->kind != EXPR_BINARY && e->kind != EXPR_CALL)
		return NULL;
	for (int i = 0; i < e->n_args; i++) {
		const struct expr *arg = e->arg[i];

		if (arg->type == TYPE_FLOAT || (arg->kind == EXPR_CAST &&
		    arg->arg[0]->type == TYPE_FLOAT &&
		    !is_extreme(arg->arg[0])))
			has_float = true;
		else if (is_double(arg->type))
			wide = arg;
	}
	return has_float ? wide : NULL;
}

struct doubles {
	const struct lower *l;
	const struct expr *literal;	/* the first one in the text */
};

static void find_literal(void *user, const struct expr *e)
{
	struct doubles *d = user;
	const struct expr *wide = widening_operand(e);
	const struct expr *literal = wide ? literal_in(d->l, wide) : NULL;

	if (literal && (!d->literal ||
	    literal->at.start < d->literal->at.start))
		d->literal = literal;
}

void check_doubles(struct lower *l)
{
	struct doubles d = { .l = l };
	const char *text;

	if (wants_doubles(l))
		return;
	for (int i = 0; i < l->program->n_stmts; i++)
		stmt_each_expr(l->program->stmt[i], find_literal, &d);
	if (!d.literal)
		return;
	text = quote(l, d.literal->at);
	diag(l->diags, W_DOUBLES, d.literal->at, d.literal->kind == EXPR_INT ?
		"'%s' is an int, which makes this function one of doubles, so "
		"that floats are computed in double" : "'%s' is a double, so "
		"that floats are computed in double", text);
	diag_fixit(l->diags, d.literal->at, "%s%s", text,
		d.literal->kind == EXPR_INT ? ".0f" : "f");
}
