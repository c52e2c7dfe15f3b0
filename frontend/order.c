/* Which values reads find, and in which order their indices stand. */
#include "frontend/components.h"
#include "frontend/linear.h"
#include "frontend/reads.h"
#include "frontend/slice.h"

static bool is_own_step(const struct symbol *s, const struct access *a)
{
	return a->version == (s->field->kind == FIELD_STATE);
}

static bool refuse_gauss_seidel(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	struct diags *d = c->l->diags;
	const char *t = is_state(s) ? c->l->time->name : "";

	if (!report(c, e, E_GAUSS_SEIDEL, e->at,
			"'%s' is read by the statement that computes it",
			quote(c->l, e->at)))
		return false;
	diag_note(d, c->statement->update->item->element->at,
		"it is computed here; all reads of a statement see the "
		"values from before it");
	if (is_state(s))
		diag_advice(d, "read the step before, '%s[%s]...', compute "
			"in two statements with a field between them, divide "
			"the points with 'on (...)' so that none reads one that "
			"the statement writes, or write 'sweep' before it, for "
			"one point after the other", s->name, t);
	else
		diag_advice(d, "compute in two statements with a field "
			"between them");
	return false;
}

static bool refuse_never_computed(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	if (report(c, e, E_NOT_COMPUTED, e->at,
			"'%s' is read, but no statement computes '%s'",
			quote(c->l, e->at), s->name))
		diag_note(c->l->diags, s->at, "it is declared here; what "
			"does not change is an 'input'");
	return false;
}

static bool refuse_later(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	if (!report(c, e, E_NOT_COMPUTED, e->at,
			"'%s' is read before it is computed",
			quote(c->l, e->at)))
		return false;
	diag_note(c->l->diags, s->last_write->item->element->at,
		"it is computed here, by a later statement");
	diag_advice(c->l->diags, is_state(s) ? "change the order of the statements, or read an older step" :
		"change the order of the statements");
	return false;
}

static bool refuse_future(struct context *c, struct ast_expr *e,
	const struct access *a)
{
	const char *t = c->l->time->name;

	if (report(c, e, E_NOT_COMPUTED, e->at, "'%s' is read %d steps "
			"ahead; a step computes '%s+1' from what is before",
			quote(c->l, e->at), a->version, t))
		diag_advice(c->l->diags, "write the statement for '%s+1' on "
			"its left-hand side", t);
	return false;
}

/* May the statement of "c" read other points than it writes?  If conditions on
 * the point choose them, only sets can tell.
 */
static bool may_be_apart(const struct context *c, const struct symbol *s)
{
	return is_state(s) && !c->amendment &&
		(c->statement->update->n_conditions > 0 ||
		 is_strided(c->l, c->statement->update) ||
		 has_slices(c->l, c->statement->update)) &&
		!c->statement->ir->is_joined;
}

/* The first dimension in which "a" reads elsewhere, or -1. */
static int first_elsewhere(const struct access *a)
{
	for (int d = 0; d < a->field->n_dims; ++d)
		if (a->offset[d] || access_strides_along(a, d))
			return d;
	return -1;
}

static bool refuse_in_sweep(struct context *c, struct ast_expr *e,
	const struct symbol *s, bool new)
{
	const char *t = c->l->time->name;

	if (!report(c, e, E_SWEEP, e->at, new ? "'%s' is not computed yet when "
			"the sweep comes to the point" : "'%s' has been "
			"overwritten when the sweep comes to the point",
			quote(c->l, e->at)))
		return false;
	diag_note(c->l->diags, c->statement->update->item->element->at,
		"it runs in the order of these indices, the last one fastest");
	diag_advice(c->l->diags, "read '%s[%s%s]...' there, %s", s->name, t,
		new ? "" : "+1", new ? "what the step before has left" :
		"or keep the step before in another state");
	return false;
}

/* Does a sweep read what exists when it reaches a point: earlier points of this step, the point
 * itself and later ones of the step before?
 */
static bool check_sweep_order(struct context *c, struct ast_expr *e,
	const struct symbol *s, const struct access *a)
{
	int d = first_elsewhere(a);
	bool before = d >= 0 && a->offset[d] < 0;

	if (access_strides(a)) {
		if (report(c, e, E_SWEEP, e->at, "'%s' is read with a stride "
				"by the sweep that computes it",
				quote(c->l, e->at)))
			diag_advice(c->l->diags, "read it at an index plus a "
				"constant");
		return false;
	}
	if (a->version < 0)
		return true;
	return before == (a->version == 1) || refuse_in_sweep(c, e, s,
		a->version == 1);
}

bool check_read_order(struct context *c, struct ast_expr *e,
	const struct symbol *s, const struct access *a)
{
	if (a->version > 1)
		return refuse_future(c, e, a);
	if (!c->reduces && c->statement->ir->sweeps && (s ==
	    c->statement->target || other_part(s, c->statement->target)))
		return check_sweep_order(c, e, s, a);
	if (s->item->field_kind == FIELD_INPUT || !is_own_step(s, a) ||
	    c->reduces)
		return true;
	if (s == c->statement->target || other_part(s, c->statement->target))
		return may_be_apart(c, s) || refuse_gauss_seidel(c, e, s);
	if (!s->last_write)
		return refuse_never_computed(c, e, s);
	return s->last_write->order < c->statement->update->order ||
		refuse_later(c, e, s);
}

bool check_transposed_read(struct context *c, struct ast_expr *e,
	const struct symbol *s, const struct access *a)
{
	const struct stmt *ir = c->statement->ir;

	if (s->item->field_kind == FIELD_INPUT || c->reduces)
		return true;
	for (int i = 1; i < a->field->n_dims; ++i) {
		if (a->dim[i] > a->dim[i - 1])
			continue;
		if (report(c, e, E_TRANSPOSED, e->at, "'%s' is computed by "
				"the program, but read with '%s' %s '%s'",
				s->name, ir->iterator[a->dim[i - 1]],
				a->dim[i] < a->dim[i - 1] ? "before" : "and",
				ir->iterator[a->dim[i]]))
			diag_advice(c->l->diags, "read it with the indices "
				"in the order of the left-hand side; only an "
				"input may be read transposed");
		return false;
	}
	return true;
}

/* Do the indices of dimensions "i" and "j" of "a" run over the sizes of "j" and
 * "i" instead of their own?
 */
static bool is_swapped(const struct stmt *ir, const struct access *a, int i,
	int j)
{
	const struct expr *const *own = a->field->size;
	const struct expr *const *over = ir->write->field->size;

	return a->dim[i] >= 0 && a->dim[j] >= 0 &&
		!expr_same_size(own[i], own[j]) &&
		expr_same_size(own[i], over[a->dim[j]]) &&
		expr_same_size(own[j], over[a->dim[i]]);
}

void warn_swapped(struct context *c, struct ast_expr *e,
	const struct symbol *s, const struct access *a)
{
	const struct stmt *ir = c->statement->ir;

	for (int i = 0; i < a->field->n_dims && !access_strides(a) &&
	     !c->reduces; ++i)
		for (int j = 0; j < i; ++j) {
			if (!is_swapped(ir, a, j, i))
				continue;
			if (report(c, e, W_SWAPPED, e->at, "'%s' and '%s' "
					"each run over the size that the "
					"other's dimension of '%s' has",
					ir->iterator[a->dim[j]],
					ir->iterator[a->dim[i]], s->name))
				diag_advice(c->l->diags, "swap them; where a "
					"read lies outside '%s', nothing is "
					"computed", s->name);
			return;
		}
}
