/* Tiles of any length, at any place: see lengths.h. */
#include <string.h>

#include "verify/code/lengths.h"

static void narrow(struct code *w, __isl_take isl_set *where)
{
	w->at = isl_set_intersect(w->at, where);
}

/* A new parameter that is not negative. */
static __isl_keep isl_pw_aff *new_natural(struct code *w, const char *name)
{
	isl_pw_aff *i = keep_value(w, new_number(w, name));

	narrow(w, isl_pw_aff_nonneg_set(isl_pw_aff_copy(i)));
	return i;
}

__isl_keep isl_pw_aff *declare_length(struct code *w, const struct plan *plan)
{
	const struct kernel_names *names = kernel_names_new(w->c->mem,
		w->c->prog);
	int d = plan_given_dim(plan);
	isl_pw_aff *length;

	if (d < 0)
		return NULL;
	length = isl_pw_aff_scale_val(isl_pw_aff_copy(new_natural(w,
		"lengths")), isl_val_int_from_si(w->c->ctx,
			plan->tiles.given[d].step));
	length = keep_value(w, plus(length, plan->tiles.given[d].least));
	declare_variable(w, names->strips.length)->number = length;
	return length;
}

__isl_keep isl_pw_aff *declare_either_length(struct code *w, int length,
	int longer)
{
	const struct kernel_names *names = kernel_names_new(w->c->mem,
		w->c->prog);
	isl_pw_aff *either = new_natural(w, "lengths");

	narrow(w, isl_pw_aff_le_set(isl_pw_aff_copy(either), constant(w, 1)));
	either = isl_pw_aff_scale_val(isl_pw_aff_copy(either),
		isl_val_int_from_si(w->c->ctx, longer));
	either = keep_value(w, plus(either, length));
	declare_variable(w, names->strips.length)->number = either;
	return either;
}

const struct any_tile *declare_any_tile(struct code *w, const struct plan *plan)
{
	isl_pw_aff *length = declare_length(w, plan);
	struct any_tile *tile;

	if (!length)
		return NULL;
	tile = region_new_of(w->c->mem, struct any_tile);
	tile->length = length;
	tile->begin = new_natural(w, "begin");
	tile->all = keep_in_checker(w->c, isl_set_copy(w->at));
	tile->n_params = 2;
	tile->least = plan->tiles.given[plan_given_dim(plan)].least;
	tile->step = plan->tiles.given[plan_given_dim(plan)].step;
	return tile;
}

const char *sizes_with_length(const struct code *w,
	__isl_keep isl_point *p)
{
	const char *sizes = sizes_of_point(w->c, p);
	isl_val *k;

	if (!w->any.tile)
		return sizes;
	k = isl_point_get_coordinate_val(p, isl_dim_param, w->c->n_params);
	sizes = region_printf(w->c->mem, "%s, l = %ld", sizes,
		w->any.tile->least + w->any.tile->step *
		isl_val_get_num_si(k));
	isl_val_free(k);
	return sizes;
}

static bool is_length(struct code *w, const struct kx *x)
{
	isl_pw_aff *number = w->any.tile ? number_of(w, x) : NULL;
	bool is = number && isl_pw_aff_plain_is_equal(number,
		w->any.tile->length) == isl_bool_true;

	isl_pw_aff_free(number);
	return is;
}

static bool is_tile(const struct code *w, const struct kx *x)
{
	const struct variable *v = w->any.tile ? variable_of(w, x) : NULL;

	return v && v->kind == TILE;
}

__isl_give isl_pw_aff *begin_of_tile(struct code *w, const struct kx *x)
{
	return x->kind == KX_BINARY && x->op == OP_MUL &&
		is_tile(w, x->arg[0]) && is_length(w, x->arg[1]) ?
		isl_pw_aff_copy(w->any.tile->begin) : NULL;
}

__isl_give isl_pw_aff *times_length(struct code *w, const struct kx *x)
{
	isl_pw_aff *n;

	if (!w->any.tile)
		return NULL;
	if (is_tile(w, x))
		return isl_pw_aff_copy(w->any.tile->begin);
	n = number_of(w, x);
	if (!n || isl_pw_aff_is_cst(n) != isl_bool_true) {
		isl_pw_aff_free(n);
		return NULL;
	}
	return isl_pw_aff_mul(n, isl_pw_aff_copy(w->any.tile->length));
}

/* e, where "x" is floor(e/l); or NULL. */
static __isl_keep isl_pw_aff *lengths_in(struct code *w, const struct kx *x)
{
	const struct variable *v = w->any.tile ? variable_of(w, x) : NULL;

	if (v)
		return v->kind == LENGTHS ? v->of[0] : NULL;
	return x->kind == KX_BUILTIN && x->builtin == B_FLOOR_DIV &&
		is_length(w, x->arg[1]) ?
		keep_value(w, number_of(w, x->arg[0])) : NULL;
}

void set_number(struct code *w, struct variable *v, const struct kx *x,
	__isl_keep isl_pw_aff *number)
{
	v->of[0] = x && w->any.tile ? lengths_in(w, x) : NULL;
	v->kind = v->of[0] ? LENGTHS : PLAIN;
	v->number = v->of[0] ? NULL : number;
}

bool is_loop_of_tiles(const struct code *w, const struct ks *s)
{
	const struct kx *c = s->x[1];
	const struct variable *last;

	if (!w->any.tile || axis_of_blocks(s->x[2]) < 0 ||
	    c->kind != KX_BINARY || c->op != OP_LE ||
	    c->arg[0]->kind != KX_NAME || strcmp(c->arg[0]->name, s->name))
		return false;
	for (const struct variable *v = w->known; v; v = v->next)
		if (v->kind == TILE)
			return false;
	last = variable_of(w, c->arg[1]);
	return last && last->kind == LENGTHS;
}

__isl_give isl_set *cells_of_any_tile(const struct any_tile *tile,
	__isl_take isl_set *cells, int pos)
{
	isl_space *space = isl_set_get_space(cells);
	unsigned n = (unsigned) isl_space_dim(space, isl_dim_set);
	isl_pw_aff *x = coordinate(space, pos);
	isl_pw_aff *begin = isl_pw_aff_add_dims(isl_pw_aff_copy(tile->begin),
		isl_dim_in, n);
	isl_pw_aff *end = isl_pw_aff_add_dims(isl_pw_aff_add(isl_pw_aff_copy(
		tile->begin), isl_pw_aff_copy(tile->length)), isl_dim_in, n);

	isl_space_free(space);
	cells = isl_set_intersect(cells, isl_pw_aff_le_set(begin,
		isl_pw_aff_copy(x)));
	return isl_set_intersect(cells, isl_pw_aff_lt_set(x, end));
}

/* What is chosen ------------------------------------------------------------ */

static const struct kx *length_called(const struct kx *x)
{
	const struct kx *found = x->kind == KX_CALL &&
		!strcmp(x->name, "stencilc_length") ? x : NULL;

	for (int i = 0; !found && i < x->n_args; i++)
		found = length_called(x->arg[i]);
	return found;
}

static const struct kx *call_in(const struct ks *s)
{
	const struct kx *found = NULL;

	for (int i = 0; !found && i < s->n_x; i++)
		found = s->x[i] ? length_called(s->x[i]) : NULL;
	for (int i = 0; !found && i < s->n_children; i++)
		found = call_in(s->child[i]);
	return found;
}

/* if (*variant == v) .. stencilc_length(.., least, step) */
static bool chooses(const struct ks *s, int v, const struct plan *plan)
{
	const struct kx *call = call_in(s), *is = s->x[0];
	int d = plan_given_dim(plan);

	return s->kind == KS_IF && is->kind == KX_BINARY && is->op == OP_EQ &&
		kx_is_int(is->arg[1], v) && call->n_args == 5 &&
		kx_is_int(call->arg[3], plan->tiles.given[d].least) &&
		kx_is_int(call->arg[4], plan->tiles.given[d].step);
}

/* Are the lengths in "s" those of variants *v, *v + 1, ..?  Go on behind them. */
static bool are_chosen(const struct ks *s, const struct plan *const *variants,
	int n, int *v)
{
	bool right = true;

	if (!call_in(s))
		return true;
	if (s->kind != KS_BLOCK)
		return *v < n && chooses(s, *v, variants[*v]) && ++*v;
	for (int i = 0; right && i < s->n_children; i++)
		right = are_chosen(s->child[i], variants, n, v);
	return right;
}

bool check_lengths(struct checker *c, const struct plan *const *variants, int n,
	const struct kunit *unit)
{
	int v = 0;

	for (const struct kfunc *f = unit->first; f; f = f->next)
		if (!are_chosen(f->body, variants, n, &v))
			return refute(c, "variant %d gets lengths that its "
				"kernels may not have", v);
	if (v < n)
		return refute(c, "no length is chosen for variant %d", v);
	section(c, "Lengths");
	claim(c, "each variant gets only lengths l for which it was shown");
	return true;
}
