/* The iterations of a loop, or of all blocks together. */
#include "verify/code/lengths.h"

static void begin_with(struct code *w, __isl_take isl_set *where)
{
	w->at = isl_set_intersect(w->at, where);
}

int axis_of_blocks(const struct kx *step)
{
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

__isl_give isl_pw_aff *iterate(struct code *w, const struct ks *s,
	__isl_give isl_pw_aff **n)
{
	const struct kx *step = s->x[2];
	int axis = axis_of_blocks(step);
	isl_pw_aff *first, *i;

	*n = NULL;
	if (axis < 0 && (step->kind != KX_INT || step->ivalue <= 0))
		return NULL;
	first = axis >= 0 ? first_of_blocks(w, s, axis) :
		number_of(w, s->x[0]);
	if (!first)
		return NULL;
	if (axis >= 0)
		take_all_blocks(w, axis);
	i = new_number(w, s->name);
	if (axis >= 0 || step->ivalue == 1) {
		begin_with(w, isl_pw_aff_ge_set(isl_pw_aff_copy(i),
			isl_pw_aff_copy(first)));
		*n = isl_pw_aff_sub(isl_pw_aff_copy(i), first);
		return i;
	}
	begin_with(w, isl_pw_aff_ge_set(isl_pw_aff_copy(i), constant(w, 0)));
	*n = isl_pw_aff_copy(i);
	return isl_pw_aff_add(first, isl_pw_aff_scale_val(i,
		isl_val_int_from_si(w->c->ctx, step->ivalue)));
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
	begin_with(w, isl_pw_aff_ge_set(isl_pw_aff_copy(w->any_tile->begin),
		first));
	return true;
}
