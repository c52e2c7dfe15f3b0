/* Dimensions and sizes of the fields. */
#include "frontend/c/lookup.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"
#include "frontend/c/split.h"

static bool declared_size(struct stencil *s, struct c_field *f, int dim)
{
	int depth = local_depth(f->local);
	const struct c_expr *size = dim < depth ? NULL :
		f->decl->size[dim - depth + (f->slot != NO_SLOT)];
	struct c_expr *value;

	if (!size || f->is_sized[dim] || f->is_split)
		return true;
	if (assigns_any(s->region->body, size))
		return refuse(s, E_C_CONSTRUCT, f->decl->at, "the region "
			"assigns what '%s', the size of '%s', depends on",
			c_quote(s, size->at), f->decl->name);
	value = resolve(s, size);
	if (!value)
		return false;
	f->is_sized[dim] = poly_of(s, value, &f->size[dim]) &&
		poly_is_linear(&f->size[dim]);
	return f->is_sized[dim] || dim == 0 || refuse(s, E_NOT_AFFINE,
		f->decl->at, "the size '%s' of '%s' is not a sum of variables "
		"with constant factors", c_quote(s, size->at), f->decl->name);
}

/* Each subscript is a loop's, or fixed; each loop of a write appears in one of
 * them.
 */
static bool check_write(struct stencil *s, const struct c_update *u)
{
	const struct c_access *a = u->write;
	const struct c_loop *loop;

	for (loop = u->place.loop; loop; loop = loop->outer) {
		int n = 0;

		for (int d = 0; d < a->n_subs; d++) {
			struct poly rest;
			int64_t c;

			if (!poly_uses(&a->sub[d], loop->decl))
				continue;
			n++;
			if (!poly_split(&a->sub[d], loop->decl, &c, &rest) ||
			    (c != 1 && c != -1))
				return refuse(s, E_SUBSCRIPT, a->sub_at[d],
					"the subscript '%s' is not a loop "
					"variable plus a constant",
					c_quote(s, a->sub_at[d]));
		}
		if (n == 1)
			continue;
		refuse(s, E_C_CARRIED, loop->at, "each iteration of the loop "
			"over '%s' writes '%s' again", loop->decl->name,
			c_quote(s, a->at));
		diag_note(s->diags, a->at, "it is written here");
		explain_no_record(s);
		return false;
	}
	for (int d = 0; d < a->n_subs; d++) {
		int n = 0;

		for (loop = u->place.loop; loop; loop = loop->outer)
			n += poly_uses(&a->sub[d], loop->decl);
		if (n > 1)
			return refuse(s, E_SUBSCRIPT, a->sub_at[d], "the "
				"subscript '%s' has two loop variables",
				c_quote(s, a->sub_at[d]));
	}
	return true;
}

static bool find_declared_sizes(struct stencil *s, struct c_field *f)
{
	for (int d = 0; d < f->n_dims; d++)
		if (!declared_size(s, f, d))
			return false;
	return true;
}

bool find_shapes(struct stencil *s)
{
	for (struct c_field *f = s->fields; f; f = f->next) {
		if (!split_field(s, f))
			return false;
		set_grids_apart(s, f);
		set_parts_apart(s, f);
		if (f->n_dims > IR_MAX_DIMS)
			return refuse(s, E_TOO_LARGE, f->decl->at, "'%s' has "
				"more than %d dimensions", f->decl->name,
				IR_MAX_DIMS);
		if (!find_declared_sizes(s, f) || (f->lookup &&
		    !find_declared_sizes(s, f->lookup->what->field)))
			return false;
	}
	for (const struct c_update *u = s->updates; u; u = u->next)
		if (!check_write(s, u))
			return false;
	return true;
}
