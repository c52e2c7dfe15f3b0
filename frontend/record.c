/* Outputs by step, of all points: on (t % 10 == 0) snap[t/10][i][j] = u[t+1][i][j]; */
#include "frontend/beside.h"
#include "frontend/components.h"
#include "frontend/reads.h"
#include "frontend/slice.h"

/* A record in progress. */
struct recording {
	const struct update *update;
	struct symbol *grid;		/* the state it records, or NULL */
	struct binding index[IR_MAX_DIMS];	/* in the order that the grid has */
	const struct ast_expr *slice[IR_MAX_DIMS];	/* what it is; NULL: any */
	int n_dims;
};

static bool is_index_name(const struct lower *l, const struct ast_expr *e)
{
	const struct symbol *s;

	if (e->kind != AST_NAME || e->name.text == l->loop->name.text)
		return false;
	s = find_symbol(l, e->name.text);
	return !s || (s->kind != SYMBOL_PARAM && s->kind != SYMBOL_CONST);
}

bool is_record(const struct lower *l, const struct update *u)
{
	const struct ast_expr *e = u->item->element;
	const struct symbol *s = find_symbol(l, e->name.text);

	if (!l->loop || !u->looped || u->list || !s ||
	    s->kind != SYMBOL_FIELD || s->item->field_kind != FIELD_OUTPUT ||
	    e->n_args != s->item->dims.n)
		return false;
	for (const struct ast_expr *at = e->args; at; at = at->next)
		if (mentions(at, l->loop->name.text))
			return true;
	return false;
}

bool is_series(const struct lower *l, const struct symbol *s)
{
	for (const struct update *u = l->updates; u; u = u->next)
		if ((u->list || is_record(l, u)) &&
		    u->item->element->name.text == s->name)
			return true;
	return false;
}

static bool refuse(struct context *c, struct ast_expr *e, const char *what,
	const char *advice)
{
	if (report(c, e, E_RECORD, e->at, "'%s' %s", quote(c->l, e->at), what))
		diag_advice(c->l->diags, "%s", advice);
	return false;
}

/* Subscripts --------------------------------------------------------------- */

/* Is "e" an element of "s", which the steps compute, with all subscripts? */
static bool is_computed(const struct ast_expr *e, const struct symbol *s)
{
	return s->kind == SYMBOL_FIELD && !e->coordinates && is_of_step(s) &&
		e->n_args == s->item->dims.n + is_state(s);
}

/* The first state or temp that "e" reads with all subscripts, which "*s" becomes. */
static const struct ast_expr *find_grid(const struct lower *l,
	const struct ast_expr *e, const struct symbol **s)
{
	const struct ast_expr *found = NULL;

	*s = e->kind == AST_ELEMENT ? find_symbol(l, e->name.text) : NULL;
	if (*s && is_computed(e, *s))
		return e;
	for (const struct ast_expr *arg = e->args; arg && !found;
	     arg = arg->next)
		found = find_grid(l, arg, s);
	return found;
}

static bool bind_name(struct context *c, const char *name, struct span at)
{
	struct recording *r = c->recording;

	if (r->n_dims == IR_MAX_DIMS)
		return true;
	r->index[r->n_dims] = (struct binding) {
		.name = name, .at = at, .kind = BIND_INDEX,
		.dim = r->n_dims, .outer = c->bindings,
	};
	c->bindings = &r->index[r->n_dims++];
	return true;
}

static bool bind_index(struct context *c, struct ast_expr *at)
{
	if (find_binding(c, at->name.text))
		return refuse(c, at, "is an index already", "each index is "
			"one of the subscripts");
	return bind_name(c, at->name.text, at->at);
}

/* The subscript "at" of the state "own", a slice. */
static bool bind_slice(struct context *c, const struct ast_expr *own,
	const struct ast_expr *at)
{
	struct recording *r = c->recording;

	if (r->n_dims < IR_MAX_DIMS)
		r->slice[r->n_dims] = at;
	return bind_name(c, slice_index(c->l, own, r->n_dims), at->at);
}

/* "'u[t+1][i][M/2][k]' has 'i' and 'k'" */
static const char *indices_of(const struct lower *l, const struct ast_expr *own)
{
	const char *names = NULL;

	for (const struct ast_expr *at = indices_in(own, find_symbol(l,
	     own->name.text)); at; at = at->next)
		if (is_index_name(l, at))
			names = region_printf(l->mem, names ? "%s and '%s'" :
				"%s'%s'", names ? names : "", quote(l, at->at));
	return region_printf(l->mem, "'%s' has %s", quote(l, own->at), names ?
		names : "no index");
}

static bool refuse_index(struct context *c, struct ast_expr *at,
	const struct ast_expr *own)
{
	return refuse(c, at, "is not an index of the state that is recorded",
		own ? indices_of(c->l, own) : "the subscripts are those of the "
		"state, as in 'snap[t][i][j] = u[t+1][i][j]'");
}

/* The indices of "e", the left side, are among those bound, which are those of "own" if there
 * is one, each once.
 */
static bool check_indices(struct context *c, struct ast_expr *e,
	const struct ast_expr *own)
{
	for (struct ast_expr *at = e->args; at; at = at->next) {
		struct ast_expr *other = e->args;

		if (!is_index_name(c->l, at))
			continue;
		while (other != at && (other->kind != AST_NAME ||
		       other->name.text != at->name.text))
			other = other->next;
		if (other != at)
			return refuse(c, at, "is an index already", "each "
				"index is one of the subscripts");
		if (!find_binding(c, at->name.text))
			return refuse_index(c, at, own);
	}
	return true;
}

/* The indices are those of the recorded state, or, without one, those of the left side "e". */
static bool bind_indices(struct context *c, struct ast_expr *e)
{
	const struct symbol *s;
	const struct ast_expr *own = find_grid(c->l,
		c->recording->update->item->value, &s);
	struct ast_expr *at = own ? indices_in(own, s) : e->args;

	for (; at; at = at->next)
		if (is_index_name(c->l, at) ? !bind_index(c, at) :
		    own && is_slice(c->l, at) && !bind_slice(c, own, at))
			return false;
	if (c->recording->n_dims == 0)
		return refuse(c, e, "is one element for all points", "name the "
			"point, as in 'heard[t] = u[t+1][3][N/2]'");
	return check_indices(c, e, own);
}

static bool lower_subscripts(struct context *c, struct ast_expr *e,
	struct listed *listed)
{
	struct ast_expr *subscript = e->args;

	for (int i = 0; i < e->n_args; ++i, subscript = subscript->next) {
		const struct expr *at = lower_expr(c, subscript);

		if (!at)
			return false;
		if (at->type != TYPE_INT || expr_not_affine(at, true) ||
		    expr_any(at, expr_is_read))
			return refuse(c, subscript, "is not a subscript of an "
				"output here", "it is made of indices, the time, "
				"parameters and constants");
		listed->subscript[i] = at;
	}
	return true;
}

/* Reads ---------------------------------------------------------------------- */

/* The state's new value at the point. */
static const struct expr *lower_own(struct context *c, struct ast_expr *e,
	struct symbol *s)
{
	struct recording *r = c->recording;
	bool here = is_computed(e, s) && s->item->dims.n == r->n_dims &&
		(!is_state(s) || is_next_step(c, e->args));
	struct ast_expr *at = here ? indices_in(e, s) : NULL;
	struct expr *own;

	for (int d = 0; here && d < r->n_dims; ++d, at = at->next)
		here = r->slice[d] ? is_same_slice(at, r->slice[d]) :
			at->kind == AST_NAME && at->name.text ==
			r->index[d].name;
	for (int d = 0; d < r->n_dims; ++d)
		r->index[d].used = true;
	if (!here || (r->grid && r->grid != s)) {
		if (other_part(s, r->grid)) {
			refuse_both_parts(c, e);
			return NULL;
		}
		refuse(c, e, "is not the value that the step computes at the "
			"point", "an output by step has the new value of one "
			"state or temp, and inputs, as in 'snap[t/10][i][j] = "
			"u[t+1][i][j]'; a temp can have any value of the point");
		return NULL;
	}
	r->grid = s;
	own = expr_leaf(c->l->mem, EXPR_OWN, s->field->type, e->at);
	own->spelling = spelling_of_part(c->l, e, s);
	return own;
}

static const struct expr *lower_input(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	const struct expr *at[IR_MAX_DIMS];
	struct ast_expr *subscript = e->args;

	if (e->coordinates || e->n_args != s->field->n_dims) {
		report(c, e, E_SUBSCRIPT_COUNT, e->at, "'%s' takes %d "
			"subscript%s, not %d", s->name, s->field->n_dims,
			s->field->n_dims == 1 ? "" : "s", e->n_args);
		return NULL;
	}
	for (int i = 0; i < e->n_args; ++i, subscript = subscript->next) {
		at[i] = lower_expr(c, subscript);
		if (!at[i])
			return NULL;
		if (at[i]->kind == EXPR_INDEX || (at[i]->type == TYPE_INT &&
		    !expr_not_affine(at[i], true) && !expr_any(at[i],
			expr_is_read) && !expr_any(at[i], expr_is_index)))
			continue;
		refuse(c, subscript, "is not a subscript of an input here", "an "
			"input is read at the point itself, at the time and "
			"parameters");
		return NULL;
	}
	return expr_element(c->l->mem, s->field, at, NULL, e->at);
}

static const struct expr *read_recorded(struct context *c, struct ast_expr *e,
	struct symbol *s)
{
	if (s->item->field_kind != FIELD_INPUT)
		return lower_own(c, e, s);
	s->field->is_listed = !s->at_points;
	return lower_input(c, e, s);
}

/* The statement ------------------------------------------------------------- */

static bool lower_restrictions(struct context *c, struct listed *listed)
{
	const struct recording *r = c->recording;
	const struct condition *on = r->update->conditions;
	int n = r->update->n_conditions;

	listed->condition = region_array(c->l->mem, const struct expr *,
		n + r->n_dims);
	for (int i = n; on; on = on->outer) {
		listed->condition[--i] = lower_condition(c, on->expr);
		if (!listed->condition[i])
			return false;
	}
	for (int d = 0; d < r->n_dims; ++d) {
		const struct expr *at = r->slice[d] ? lower_quasi_affine(c,
			(struct ast_expr *) r->slice[d], "a subscript") : NULL;

		if (r->slice[d] && !at)
			return false;
		if (at)
			listed->condition[n++] = on_slice(c->l,
				r->index[d].name, d, at);
	}
	listed->n_conditions = n;
	return true;
}

/* Do only records write "s"?  Sets then tell whether each element has one statement. */
static bool check_once(struct context *c, struct symbol *s)
{
	struct ast_expr *e = c->recording->update->item->element;
	const struct update *u = s->first_write;

	while (u && (u->item->element->name.text != s->name ||
	       (!u->list && is_record(c->l, u))))
		u = u->next;
	if (!u)
		return true;
	if (s->twice)
		return false;
	s->twice = true;
	diag(c->l->diags, E_RECORD, e->at, "'%s' is written by several "
		"statements", s->name);
	diag_note(c->l->diags, u->item->element->at, "this one is none of an "
		"output by step");
	diag_advice(c->l->diags, "give each an output of its own");
	return false;
}

void lower_record(struct lower *l, const struct update *u)
{
	struct ast_expr *e = u->item->element;
	struct symbol *s = find_symbol(l, e->name.text);
	struct recording recording = { .update = u };
	struct context c = { .l = l, .order = u->order, .timed = l->loop,
		.recording = &recording, .read = read_recorded,
		.inlining = true };
	struct listed *listed = region_new_of(l->mem, struct listed);
	const struct expr *value;

	s->used = true;
	if (!s->field || !check_once(&c, s) || !bind_indices(&c, e) ||
	    !lower_subscripts(&c, e, listed) || !lower_restrictions(&c, listed))
		return;
	if (u->item->adds) {
		refuse(&c, e, "is an output: nothing is added to it", "write "
			"'='");
		return;
	}
	value = lower_expr(&c, u->item->value);
	if (!value)
		return;
	if (!recording.grid) {
		refuse(&c, u->item->value, "has no value that the step computes",
			"an output by step records a state, as in "
			"'u[t+1][i][j]'");
		return;
	}
	listed->at = e->at;
	listed->series = s->field;
	listed->value = convert(&c, s->field->type, value);
	if (append_listed(l, recording.grid->field, listed) == 0)
		refuse(&c, e, "records what is not computed before it", "put it "
			"after the statement that computes the state");
}
