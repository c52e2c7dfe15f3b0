/* Elements of inputs: subscripts without an index, as in wavelet[t] or source[t][i-1]. */
#include "frontend/reads.h"

static bool refuse_element(struct context *c, struct ast_expr *e,
	const char *reason)
{
	if (report(c, e, E_SUBSCRIPT, e->at, "the subscript '%s' has no index, "
			"and %s", quote(c->l, e->at), reason))
		diag_advice(c->l->diags, "without an index it is a sum of the "
			"time, parameters and constants, or such a sum "
			"divided by a constant");
	return false;
}

/* Is the subscript "e", which has no index, with its "value", allowed for an element? */
static bool check_subscript(struct context *c, struct ast_expr *e,
	const struct expr *value)
{
	const struct expr *culprit = expr_not_affine(value, true);

	if (!culprit)
		return true;
	if (culprit->type != TYPE_INT)
		return refuse_element(c, e, "it is not an int");
	return refuse_element(c, e, expr_is_read(culprit) ?
		"it is read from a field" : "it is not affine");
}

bool check_uniform(struct context *c, struct ast_expr *e,
	const struct expr *const *value, int *n)
{
	struct ast_expr *subscript = e->args;

	*n = 0;
	for (int i = 0; i < e->n_args; ++i, subscript = subscript->next) {
		if (expr_any(value[i], expr_is_index))
			continue;
		++*n;
		if (!check_subscript(c, subscript, value[i]))
			return false;
	}
	return true;
}

/* May the index of dimension "d" of "a" go beyond the input? */
static bool may_leave(const struct context *c, const struct access *a, int d)
{
	const struct field *written = c->statement->ir->write->field;

	return a->dim[d] >= 0 && (a->offset[d] != 0 ||
		access_strides_along(a, d) || !expr_same_size(
			a->field->size[d], written->size[a->dim[d]]));
}

static bool refuse_boundary(struct context *c, struct ast_expr *e,
	const struct access *a, int d, const struct boundary *b)
{
	const char *index = a->iterator[a->dim[d]];

	if (report(c, e, E_NOT_YET, e->at, "the boundary of '%s' along '%s' "
			"where another of its subscripts has no index is not "
			"implemented yet", a->field->name, index)) {
		diag_note(c->l->diags, b->at, "the boundary "
			"is given here");
		diag_advice(c->l->diags, "choose what stands for it, as in "
			"'%s > 0 ? .. : ..', or read it at '[%s]' alone",
			index, index);
	}
	return false;
}

bool find_leaving(struct context *c, struct ast_expr *e, struct access *a,
	bool *leaves)
{
	*leaves = false;
	for (int d = 0; d < a->field->n_dims; ++d) {
		if (!may_leave(c, a, d)) {
			a->dim[d] = -1;
			a->stride[d] = a->divisor[d] = 1;
			a->offset[d] = 0;
			continue;
		}
		for (int side = 0; side < SIDES; side++) {
			const struct boundary *b = &a->field->boundary[d][side];

			if (b->kind != BOUNDARY_FIXED)
				return refuse_boundary(c, e, a, d, b);
		}
		*leaves = true;
	}
	return true;
}

bool refuse_place(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	if (report(c, e, E_KIND, e->at, "'%s' is a field: it has no value "
			"here", s->name))
		diag_advice(c->l->diags, c->beyond ? "a boundary reads "
			"inputs, as in 'f[%s]'" : "fields are read in statements only",
			c->l->time ? c->l->time->name : "0");
	return false;
}
