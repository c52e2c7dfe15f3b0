/* A block is computed in boxes that narrow with each step up to the next exchange: do they
 * contain all points on which the rank's own cells depend?  The checker reads the calls that
 * compute rows of a statement, and of their bounds those that use the rank's own cells and the
 * remaining steps; other bounds are the tiles'.
 */
#include <string.h>

#include "verify/ranks/ranks.h"

/* A call of a function for a box. */
struct narrowed {
	struct ranks *r;
	const struct stmt *stmt;	/* of the program; its points .. */
	isl_set *points;		/* .. along the current dimension */
	const struct ks *caller;	/* the body of the calling function */
	bool good;
};

/* Numbers ------------------------------------------------------------------ */

/* The declaration of "name" in "s", or NULL. */
static const struct ks *declaration(const struct ks *s, const char *name)
{
	const struct ks *found = s->kind == KS_DECLARE && !strcmp(s->name,
		name) ? s : NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = s->child[i] ? declaration(s->child[i], name) : NULL;
	return found;
}

static bool is_name(const struct kx *x, const char *name)
{
	return x->kind == KX_NAME && !strcmp(x->name, name);
}

static bool is_difference(const struct kx *x)
{
	return x->kind == KX_BINARY && x->op == OP_SUB;
}

/* Is "name", at its declaration, all steps of a call: t_end - t_first? */
static bool is_all_steps(const struct ranks *r, const char *name)
{
	const struct ks *d = NULL;

	for (const struct kfunc *f = r->unit->first; f && !d; f = f->next)
		d = declaration(f->body, name);
	return d && is_difference(d->x[0]) &&
		is_name(d->x[0]->arg[0], r->blocks->end->name) &&
		is_name(d->x[0]->arg[1], r->blocks->first->name);
}

/* Is "name" the number of following steps: steps - t - 1, with the time t declared there, too? */
static bool is_left(const struct narrowed *n, const char *name)
{
	const struct ks *d = declaration(n->caller, name);
	const struct kx *x = d ? d->x[0] : NULL;

	return x && is_difference(x) && kx_is_int(x->arg[1], 1) &&
		is_difference(x->arg[0]) &&
		x->arg[0]->arg[0]->kind == KX_NAME &&
		x->arg[0]->arg[1]->kind == KX_NAME &&
		is_all_steps(n->r, x->arg[0]->arg[0]->name) &&
		declaration(n->caller, x->arg[0]->arg[1]->name);
}

/* In the block; the rank at the end of the grid continues to the end of the field. */
static __isl_give isl_pw_aff *end_of_own(const struct narrowed *n,
	__isl_keep isl_space *space)
{
	struct ranks *r = n->r;
	const struct field *f = n->stmt->write->field;
	isl_pw_aff *end = number_for(r, space, END);
	isl_pw_aff *size = value_of_code(r, space, r->exchange.dim[r->k].size);
	isl_set *is_last = isl_pw_aff_eq_set(isl_pw_aff_copy(end), size);
	isl_pw_aff *last = isl_pw_aff_max(isl_pw_aff_copy(end), value_of(r->c,
		space, f->size[r->k]));

	end = isl_pw_aff_subtract_domain(end, isl_set_copy(is_last));
	last = isl_pw_aff_intersect_domain(last, is_last);
	return isl_pw_aff_sub(isl_pw_aff_union_add(end, last), number_for(r,
		space, ORIGIN));
}

/* A bound by own cells and remaining steps, in the block; NULL: it has another
 * form.
 */
static __isl_give isl_pw_aff *bound(const struct narrowed *n,
	__isl_keep isl_space *space, const struct kx *x)
{
	const struct block_dim *dim = &n->r->blocks->dim[n->r->k];
	isl_pw_aff *a, *b;

	if (x->kind == KX_INT)
		return value_of_code(n->r, space, x);
	if (is_name(x, dim->own->name))
		return isl_pw_aff_sub(number_for(n->r, space, FIRST),
			number_for(n->r, space, ORIGIN));
	if (is_name(x, dim->own_end->name))
		return end_of_own(n, space);
	if (x->kind == KX_NAME)
		return is_left(n, x->name) ? plus(number_for(n->r, space, LEFT),
			-1) : NULL;
	if (x->kind != KX_BINARY || (x->op != OP_ADD && x->op != OP_SUB &&
	    x->op != OP_MUL))
		return NULL;
	a = bound(n, space, x->arg[0]);
	b = bound(n, space, x->arg[1]);
	return x->op == OP_ADD ? isl_pw_aff_add(a, b) : x->op == OP_SUB ?
		isl_pw_aff_sub(a, b) : isl_pw_aff_mul(a, b);
}

/* Calls -------------------------------------------------------------------- */

static bool is_of_rank(const struct narrowed *n, const struct kx *x)
{
	const struct block_dim *dim = &n->r->blocks->dim[n->r->k];

	return kx_uses(x, dim->own->name) || kx_uses(x, dim->own_end->name);
}

/* { [x] : a first or last coordinate "x" of a box excludes it } */
static __isl_give isl_set *left_out(const struct narrowed *n,
	const struct kx *x, bool is_last)
{
	isl_space *line = space_of_dims(n->r->c, 1);
	isl_pw_aff *edge = bound(n, line, x);
	isl_pw_aff *at = isl_pw_aff_sub(coordinate(line, 0), number_for(n->r,
		line, ORIGIN));

	isl_space_free(line);
	return is_last ? isl_pw_aff_gt_set(at, edge) : isl_pw_aff_lt_set(at,
		edge);
}

/* The larger of a tile's first coordinate and the rank's, or the smaller of the last ones. */
static bool keeps_points(const struct narrowed *n, const struct kx *x,
	bool is_last)
{
	const struct kx *ours;
	isl_set *out;

	if (!is_of_rank(n, x))
		return true;
	if (x->kind != KX_BUILTIN || x->n_args != 2 || x->builtin != (is_last ?
	    B_MIN : B_MAX) || is_of_rank(n, x->arg[0]) == is_of_rank(n,
	    x->arg[1]))
		return false;
	ours = x->arg[is_of_rank(n, x->arg[1])];
	out = left_out(n, ours, is_last);
	return out && is_shown_empty(n->r->c, isl_set_intersect_params(
		isl_set_intersect(out, isl_set_copy(n->points)),
		isl_set_copy(n->r->context)));
}

/* The position of parameter "name" of "f", or -1: none. */
static int place_of(const struct kfunc *f, const char *name)
{
	for (int i = 0; i < f->n_params; i++)
		if (!strcmp(f->param[i].name, name))
			return i;
	return -1;
}

static bool call_keeps_points(const struct narrowed *n, const struct kx *call,
	const struct kfunc *f)
{
	int low = place_of(f, f->box->low[n->r->k]);
	int high = place_of(f, f->box->high[n->r->k]);

	return (low < 0 || keeps_points(n, call->arg[low], false)) &&
		(high < 0 || keeps_points(n, call->arg[high], true));
}

/* The function for boxes of the statement that "s" calls, or NULL. */
static const struct kfunc *box_called(const struct narrowed *n,
	const struct ks *s)
{
	const struct kfunc *f = n->r->unit->first;

	while (f && (!f->box || !f->box->stmt || f->box->stmt->index !=
	    n->stmt->index || s->x[0]->kind != KX_CALL ||
	    strcmp(s->x[0]->name, f->name)))
		f = f->next;
	return f;
}

static void follow(struct narrowed *n, const struct ks *s)
{
	const struct kfunc *f = s->kind == KS_EXPRESSION ? box_called(n, s) :
		NULL;

	if (f)
		n->good = n->good && call_keeps_points(n, s->x[0], f);
	for (int i = 0; i < s->n_children; i++)
		if (s->child[i])
			follow(n, s->child[i]);
}

bool computes_all(struct ranks *r, const struct stmt *s,
	__isl_keep isl_set *points)
{
	struct narrowed n = { .r = r, .stmt = s, .points = points,
		.good = true };

	if (!r->blocks->dim[r->k].own)
		return true;
	for (const struct kfunc *f = r->unit->first; f; f = f->next) {
		n.caller = f->body;
		follow(&n, f->body);
	}
	return n.good || refute(r->c, "a step does not compute all points of %s "
		"along dimension %d that own cells depend on", s->name, r->k);
}
