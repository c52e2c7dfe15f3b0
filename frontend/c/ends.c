/* Subscripts that turn back at the ends of their array: they give the field a boundary. */
#include "frontend/c/nearby.h"
#include "frontend/c/passes.h"

#include <isl/aff.h>
#include <isl/set.h>

#include <stdlib.h>

/* Boundaries that C subscripts can express; see ir/boundaries.def. */
static const enum boundary_kind kinds[] = {
	BOUNDARY_PERIODIC, BOUNDARY_CLAMP, BOUNDARY_MIRROR,
};

/* Where subscripts match -------------------------------------------------- */

/* Where "value" equals "cell", for what lies "beyond" an end. */
static __isl_give isl_set *where_stands(__isl_take isl_set *beyond,
	__isl_keep isl_pw_aff *value, __isl_take isl_pw_aff *cell)
{
	return isl_set_intersect(beyond, isl_pw_aff_eq_set(isl_pw_aff_copy(
		value), cell));
}

/* The cell that stands for "x" < 0. */
static __isl_give isl_pw_aff *low_cell(enum boundary_kind kind,
	__isl_keep isl_pw_aff *x, __isl_keep isl_pw_aff *size)
{
	const struct boundary_info *info = boundary_info(kind);
	isl_ctx *ctx = isl_pw_aff_get_ctx(x);

	if (info->stands == STANDS_OTHER_END)
		return isl_pw_aff_add(isl_pw_aff_copy(x),
			isl_pw_aff_copy(size));
	return isl_pw_aff_add_constant_val(isl_pw_aff_scale_val(
		isl_pw_aff_copy(x), isl_val_int_from_si(ctx, -info->step)),
		isl_val_int_from_si(ctx, info->first - info->step));
}

/* .. that stands for "x" >= size: as far from the last cell as the other one is from the first. */
static __isl_give isl_pw_aff *high_cell(enum boundary_kind kind,
	__isl_keep isl_pw_aff *x, __isl_keep isl_pw_aff *size)
{
	isl_pw_aff *last = isl_pw_aff_add_constant_val(isl_pw_aff_copy(size),
		isl_val_negone(isl_pw_aff_get_ctx(x)));
	isl_pw_aff *turned = isl_pw_aff_sub(isl_pw_aff_copy(last),
		isl_pw_aff_copy(x));
	isl_pw_aff *cell = isl_pw_aff_sub(last, low_cell(kind, turned, size));

	isl_pw_aff_free(turned);
	return cell;
}

/* Where the subscript "d" of "a" is the point at its distance or, beyond an end, the cell that
 * stands for it; always a cell of the array.
 */
static __isl_give isl_set *where_right(struct stencil *s,
	const struct c_access *a, int d, enum boundary_kind kind)
{
	isl_pw_aff *size = place_poly(s, &a->place, &a->field->size[d]);
	isl_pw_aff *value = subscript_value(s, a, d);
	isl_pw_aff *x = place_poly(s, &a->place, &a->sub[d]);
	isl_set *low = isl_set_complement(isl_pw_aff_nonneg_set(
		isl_pw_aff_copy(x)));
	isl_set *high = isl_pw_aff_ge_set(isl_pw_aff_copy(x),
		isl_pw_aff_copy(size));
	isl_set *right = isl_pw_aff_eq_set(isl_pw_aff_copy(value),
		isl_pw_aff_copy(x));

	right = isl_set_union(right, where_stands(low, value, low_cell(kind,
		x, size)));
	right = isl_set_union(right, where_stands(high, value, high_cell(kind,
		x, size)));
	isl_pw_aff_free(size);
	isl_pw_aff_free(value);
	isl_pw_aff_free(x);
	return isl_set_intersect(right, cells_inside_along(s, a, d));
}

/* Where the loop counted by the subscript runs from 0 to the size, so that each cell has a
 * turn; sets "loop" to it.
 */
static __isl_give isl_set *where_whole(struct stencil *s,
	const struct c_access *a, int d, const struct c_loop **loop)
{
	int64_t begin;

	*loop = loop_of(a->place.loop, &a->sub[d]);
	if (!*loop || !poly_is_constant(&(*loop)->begin, &begin) || begin) {
		*loop = NULL;
		return isl_set_empty(place_space(s, &a->place));
	}
	return isl_aff_eq_set(place_aff(s, &a->place, &(*loop)->end),
		place_aff(s, &a->place, &a->field->size[d]));
}

__isl_give isl_set *ends_assumed(struct stencil *s,
	const struct c_place *place)
{
	isl_set *set = isl_set_universe(place_space(s, place));

	for (const struct c_field *f = s->fields; f; f = f->next)
		for (int d = 0; d < f->n_dims; d++)
			if (f->whole[d])
				set = isl_set_intersect(set, isl_aff_eq_set(
					place_aff(s, place, &f->whole[d]->end),
					place_aff(s, place, &f->size[d])));
	return set;
}

bool is_asked_before(const struct stencil *s, const struct c_field *f, int d)
{
	for (const struct c_field *g = s->fields; g; g = g->next)
		for (int i = 0; i < g->n_dims; i++) {
			if (g == f && i == d)
				return false;
			if (g->whole[i] && poly_equal(&g->whole[i]->end,
				&f->whole[d]->end) && poly_equal(&g->size[i],
				&f->size[d]))
				return true;
		}
	return false;
}

/* Kinds --------------------------------------------------------------------*/

/* Where the array has enough cells for turning back. */
static __isl_give isl_set *where_large(struct stencil *s,
	const struct c_access *a, int least, int d)
{
	const struct poly cells = poly_constant(least);

	return isl_aff_ge_set(place_aff(s, &a->place, &a->field->size[d]),
		place_aff(s, &a->place, &cells));
}

/* { [round, v1, .., vn] : the variable of the subscript is one of the array }; empty: it has none */
static __isl_give isl_set *where_within(struct stencil *s, const struct c_access *a, int d)
{
	const struct c_loop *loop = loop_of(a->place.loop, &a->sub[d]);
	struct poly v;

	if (!loop)
		return isl_set_empty(place_space(s, &a->place));
	v = poly_symbol(loop->decl);
	return isl_set_intersect(isl_pw_aff_nonneg_set(place_poly(s, &a->place, &v)), isl_pw_aff_lt_set(place_poly(s,
		&a->place, &v), place_poly(s, &a->place, &a->field->size[d])));
}

/* Is "right" all of "domain" that lies within the array, and can the emitted file ask whether that is all? */
static bool is_right_within(struct stencil *s, const struct c_access *a, int d, __isl_keep isl_set *domain,
	__isl_keep isl_set *right)
{
	isl_set *within = where_within(s, a, d), *all = isl_set_params(isl_set_copy(domain)), *beyond;
	isl_set *inside = isl_set_intersect(isl_set_copy(domain), isl_set_copy(within));
	bool is_right = isl_set_is_empty(inside) == isl_bool_false && isl_set_is_subset(inside, right) == isl_bool_true;

	isl_set_free(inside);
	beyond = isl_set_params(isl_set_subtract(isl_set_copy(domain), within));
	beyond = isl_set_subtract(isl_set_copy(all), beyond);
	if (is_right && isl_set_is_empty(beyond) == isl_bool_false)
		return ask_and_assume(s, beyond, all);
	isl_set_free(beyond);
	isl_set_free(all);
	return false;
}

/* Does "a" turn back in this way, in an array large enough, wherever its loop covers all of it, or stays within it?
 * Note what the call must check.
 */
static bool has_ends(struct stencil *s, struct c_access *a, int d,
	enum boundary_kind kind)
{
	struct c_field *f = a->field;
	isl_set *right = where_right(s, a, d, kind), *domain;
	const struct c_loop *whole = NULL;
	int64_t distance = 0;
	int least;
	bool has;

	is_near_point(&a->place, &a->sub[d], &distance);
	least = larger(f->least[d], (int) llabs(distance) +
		boundary_info(kind)->first);
	domain = isl_set_intersect(isl_set_intersect(place_domain(s,
		&a->place), sizes_assumed(s, a)), where_large(s, a, least,
		d));
	has = isl_set_is_subset(domain, right) == isl_bool_true;
	if (!has) {
		isl_set *covered = isl_set_intersect(isl_set_copy(domain), where_whole(s, a, d, &whole));

		has = isl_set_is_empty(covered) == isl_bool_false &&
			isl_set_is_subset(covered, right) == isl_bool_true &&
			(!f->whole[d] || poly_equal(&f->whole[d]->end,
			&whole->end));
		isl_set_free(covered);
	}
	if (!has) {
		whole = NULL;
		has = is_right_within(s, a, d, domain, right);
	}
	isl_set_free(domain);
	isl_set_free(right);
	if (!has)
		return false;
	f->ends[d] = kind;
	f->least[d] = least;
	f->whole[d] = whole ? whole : f->whole[d];
	return true;
}

static bool find_ends_along(struct stencil *s, struct c_access *a, int d)
{
	int n = (int) (sizeof(kinds) / sizeof(kinds[0]));

	for (int i = 0; i < n; i++)
		if ((a->field->ends[d] == BOUNDARY_FIXED ||
		     a->field->ends[d] == kinds[i]) &&
		    has_ends(s, a, d, kinds[i]))
			return true;
	refuse(s, E_SUBSCRIPT, a->sub_at[d], "'%s' does not turn back at the "
		"ends of '%s'%s", c_quote(s, a->sub_at[d]),
		a->field->decl->name, a->field->ends[d] == BOUNDARY_FIXED ?
		"" : " as others do");
	diag_note(s->diags, a->field->decl->at, "it is declared here");
	diag_advice(s->diags, "what is read beyond an end is the cell at the "
		"other end, the last one, or as far inside; the loops of a "
		"periodic grid go from 0 to its size");
	return false;
}

static bool find_ends_of(void *user, struct c_access *a)
{
	for (int d = 0; d < a->n_subs; d++)
		if (a->around[d] && !find_ends_along(user, a, d))
			return false;
	return true;
}

bool find_ends(struct stencil *s)
{
	for (const struct c_update *u = s->updates; u; u = u->next)
		if (!update_reads(u, find_ends_of, s))
			return false;
	return true;
}

/* Cases without a boundary ------------------------------------------------- */

/* Loops in C copy what is recorded, at distances. */
static bool is_straight(void *user, struct c_access *a)
{
	struct stencil *s = user;

	for (int d = 0; d < a->n_subs; d++)
		if (a->around[d])
			return refuse(s, E_SUBSCRIPT, a->sub_at[d], "what is "
				"recorded is not read beyond the ends of '%s'",
				a->field->decl->name);
	return true;
}

static bool is_known(void *user, struct c_access *a)
{
	struct stencil *s = user;

	for (int d = 0; d < a->n_subs; d++) {
		isl_pw_aff *value = subscript_value(s, a, d);

		if (!value)
			return refuse(s, E_SUBSCRIPT, a->sub_at[d], "the "
				"subscript '%s' is not affine: sums of "
				"variables do not say where it turns back",
				c_quote(s, a->sub_at[d]));
		isl_pw_aff_free(value);
	}
	return true;
}

bool ends_are_known(struct stencil *s)
{
	for (const struct c_update *u = s->updates; u; u = u->next)
		if (!update_reads(u, is_known, s))
			return false;
	for (const struct c_record *r = s->recorded.first; r; r = r->next)
		if (!each_read(r->value, is_straight, s))
			return false;
	return true;
}
