/* The iterations of a loop, or of all blocks together. */
#include "verify/code/kept.h"
#include "verify/code/lengths.h"

static void begin_with(struct code *w, __isl_take isl_set *where)
{
	w->at = isl_set_intersect(w->at, where);
}

/* Several may take an iteration together: see bind_cluster. */
int axis_of_blocks(const struct kx *step)
{
	if (step->kind == KX_BINARY && step->op == OP_DIV &&
	    step->arg[1]->kind == KX_INT)
		step = step->arg[0];
	if (step->kind == KX_CAST)
		step = step->arg[0];
	return step->kind == KX_BUILTIN && step->builtin == B_BLOCKS ?
		(int) step->ivalue : -1;
}

/* The first iteration of all blocks: together they take each iteration once if
 * they step by their number.
 */
static __isl_give isl_pw_aff *first_of_blocks(struct code *w,
	const struct ks *s, int axis)
{
	isl_pw_aff *own = w->block[axis], *first;

	w->block[axis] = keep_value(w, constant(w, 0));
	first = number_of(w, s->x[0]);
	w->block[axis] = own;
	return first;
}

/* The place no longer distinguishes them. */
static void take_all_blocks(struct code *w, int axis)
{
	const char *name = name_of_number(w, w->block[axis]);
	int pos = name ? isl_set_find_dim_by_name(w->at, isl_dim_param, name) :
		-1;

	if (pos >= 0)
		w->at = isl_set_project_out(w->at, isl_dim_param,
			(unsigned) pos, 1);
	w->block[axis] = NULL;
}

/* Does "x" have a maximum as a term? */
static bool has_greatest(const struct kx *x)
{
	if (x->kind == KX_BUILTIN)
		return x->builtin == B_MAX;
	return x->kind == KX_BINARY && x->op == OP_ADD &&
		(has_greatest(x->arg[0]) || has_greatest(x->arg[1]));
}

/* { [] : i >= x }; i >= max(a, b) is i >= a and i >= b, one polyhedron. */
static __isl_give isl_set *at_least(struct code *w, __isl_take isl_pw_aff *i,
	const struct kx *x)
{
	isl_set *first;
	int greatest;

	if (!has_greatest(x))
		return isl_pw_aff_ge_set(i, number_of(w, x));
	if (x->kind == KX_BUILTIN) {
		first = at_least(w, isl_pw_aff_copy(i), x->arg[0]);
		return isl_set_intersect(first, at_least(w, i, x->arg[1]));
	}
	greatest = has_greatest(x->arg[0]) ? 0 : 1;
	return at_least(w, isl_pw_aff_sub(i, number_of(w,
		x->arg[1 - greatest])), x->arg[greatest]);
}

/* All threads along an axis --------------------------------------------------- */

static bool involves(__isl_keep isl_pw_aff *a, const char *name)
{
	int pos = a ? isl_pw_aff_find_dim_by_name(a, isl_dim_param, name) : -1;

	return pos >= 0 && isl_pw_aff_involves_dims(a, isl_dim_param,
		(unsigned) pos, 1) != isl_bool_false;
}

static bool cell_involves(const struct cell *cell, const char *name)
{
	for (int d = 0; cell && d < cell->field->n_dims; d++)
		if (involves(cell->x[d], name))
			return true;
	return cell && involves(cell->copy, name);
}

/* Does what "x" is depend on the thread whose number is called "name"? */
static bool asks_thread(const struct code *w, const struct kx *x,
	const char *name)
{
	const struct variable *v = x->kind == KX_NAME || x->kind == KX_INDEX ?
		variable_called(w, x->name) : NULL;

	if (x->kind == KX_BUILTIN && (x->builtin == B_THREAD ||
	    x->builtin == B_CLUSTER_RANK || x->builtin == B_ALL_LANES))
		return true;
	if (v && (involves(v->number, name) || cell_involves(v->cell, name) ||
	    (v->kept && v->kept->is_of_thread) || (v->is && v->is != x &&
	    asks_thread(w, v->is, name))))
		return true;
	for (int i = 0; i < x->n_args; i++)
		if (asks_thread(w, x->arg[i], name))
			return true;
	return false;
}

static bool code_asks_thread(const struct code *w, const struct ks *s,
	const char *name)
{
	for (int i = 0; i < s->n_x; i++)
		if (s->x[i] && asks_thread(w, s->x[i], name))
			return true;
	for (int i = 0; i < s->n_children; i++)
		if (code_asks_thread(w, s->child[i], name))
			return true;
	return false;
}

/* The place without the number of the thread, if just "n" threads come to it; or NULL. */
static __isl_give isl_set *place_of_all(struct code *w, int axis,
	const char *name, int64_t n)
{
	isl_pw_aff *thread = w->thread[axis];
	isl_set *range = isl_set_intersect(isl_pw_aff_ge_set(isl_pw_aff_copy(
		thread), constant(w, 0)), isl_pw_aff_lt_set(isl_pw_aff_copy(
		thread), constant(w, n)));
	int pos = isl_set_find_dim_by_name(w->at, isl_dim_param, name);
	isl_set *all = pos < 0 ? NULL : isl_set_project_out(isl_set_copy(
		w->at), isl_dim_param, (unsigned) pos, 1);
	bool are = all && isl_set_is_subset(w->at, range) == isl_bool_true;

	range = isl_set_intersect(range, isl_set_copy(all));
	are = are && isl_set_is_subset(range, w->at) == isl_bool_true;
	isl_set_free(range);
	return are ? all : isl_set_free(all);
}

/* for (i = thread + first; ..; i += threads), whose body does not ask which thread it is: all
 * threads together take each i from "first" on, each once.  NULL: it is another loop.
 */
static __isl_give isl_pw_aff *iterate_threads(struct code *w,
	const struct ks *s, int axis, __isl_give isl_pw_aff **n)
{
	const char *name = w->thread[axis] && s->x[2]->kind == KX_INT ?
		name_of_number(w, w->thread[axis]) : NULL;
	isl_pw_aff *first = name ? number_of(w, s->x[0]) : NULL, *i;
	isl_set *all = NULL;

	if (!first || !involves(first, name)) {
		isl_pw_aff_free(first);
		return NULL;
	}
	first = isl_pw_aff_sub(first, isl_pw_aff_copy(w->thread[axis]));
	if (!involves(first, name) && !asks_thread(w, s->x[1], name) &&
	    !code_asks_thread(w, s->child[0], name))
		all = place_of_all(w, axis, name, s->x[2]->ivalue);
	if (!all) {
		isl_pw_aff_free(first);
		return NULL;
	}
	i = new_number(w, s->name);
	all = isl_set_intersect(all, at_least(w, isl_pw_aff_add(
		isl_pw_aff_copy(i), isl_pw_aff_copy(w->thread[axis])),
		s->x[0]));
	isl_set_free(w->at);
	w->at = all;
	*n = isl_pw_aff_floor(isl_pw_aff_scale_down_val(isl_pw_aff_sub(
		isl_pw_aff_copy(i), first), isl_val_int_from_si(w->c->ctx,
		s->x[2]->ivalue)));
	return i;
}

static __isl_give isl_pw_aff *iterate_from(struct code *w,
	const struct ks *s, const struct kx *early,
	__isl_give isl_pw_aff **n)
{
	const struct kx *step = s->x[2];
	int axis = axis_of_blocks(step);
	isl_pw_aff *first, *i = NULL;

	*n = NULL;
	if (axis < 0 && (step->kind != KX_INT || step->ivalue <= 0))
		return NULL;
	for (int a = 0; axis < 0 && w->tiles && !i && a < 3; a++)
		i = iterate_threads(w, s, a, n);
	if (i)
		return i;
	first = axis >= 0 ? first_of_blocks(w, s, axis) :
		number_of(w, early);
	if (!first)
		return NULL;
	if (axis >= 0)
		take_all_blocks(w, axis);
	i = new_number(w, s->name);
	if (axis >= 0 || step->ivalue == 1) {
		begin_with(w, axis >= 0 ? isl_pw_aff_ge_set(isl_pw_aff_copy(i),
			isl_pw_aff_copy(first)) : at_least(w, isl_pw_aff_copy(
			i), early));
		*n = isl_pw_aff_sub(isl_pw_aff_copy(i), first);
		return i;
	}
	begin_with(w, isl_pw_aff_ge_set(isl_pw_aff_copy(i), constant(w, 0)));
	*n = isl_pw_aff_copy(i);
	return isl_pw_aff_add(first, isl_pw_aff_scale_val(i,
		isl_val_int_from_si(w->c->ctx, step->ivalue)));
}

/* for (i = condition ? late : early; ..; i += step) begins with "early", but may leave out
 * iterations before "late", which are no stores.
 */
static bool may_begin_late(const struct code *w, const struct ks *s)
{
	const struct kx *x = s->x[0], *step = s->x[2];

	return !w->tiles && !w->nests && x->kind == KX_SELECT &&
		x->arg[1]->kind == KX_INT && x->arg[2]->kind == KX_INT &&
		step->kind == KX_INT && step->ivalue > 1 &&
		x->arg[1]->ivalue >= x->arg[2]->ivalue &&
		(x->arg[1]->ivalue - x->arg[2]->ivalue) % step->ivalue == 0;
}

__isl_give isl_pw_aff *iterate(struct code *w, const struct ks *s,
	__isl_give isl_pw_aff **n)
{
	const struct kx *x = s->x[0];
	isl_pw_aff *i;

	if (!may_begin_late(w, s))
		return iterate_from(w, s, x, n);
	i = iterate_from(w, s, x->arg[2], n);
	if (i)
		w->any.left_out = keep_in_checker(w->c, isl_pw_aff_lt_set(
			isl_pw_aff_copy(i), constant(w, x->arg[1]->ivalue)));
	return i;
}

bool takes_any_tile(struct code *w, const struct ks *s)
{
	int axis = axis_of_blocks(s->x[2]);
	isl_pw_aff *own, *first;

	if (!is_loop_of_tiles(w, s))
		return false;
	own = w->block[axis];
	w->block[axis] = keep_value(w, constant(w, 0));
	first = times_length(w, s->x[0]);
	w->block[axis] = own;
	if (!first)
		return false;
	take_all_blocks(w, axis);
	begin_with(w, isl_pw_aff_ge_set(isl_pw_aff_copy(w->any.tile->begin),
		first));
	return true;
}
