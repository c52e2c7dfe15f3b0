/* Which cells a launch stores: each cell that its plan assigns to it, and no
 * other.
 *
 *	{ [T, copy, x] : launch or pass T stores the cell x of the copy }
 */
#include "verify/code/kept.h"
#include "verify/code/lengths.h"
#include "verify/code/rims.h"
#include "verify/code/rows.h"

#include <isl/constraint.h>
#include <isl/stride_info.h>

static int copies_of(const struct code *w, const struct field *f)
{
	int n = w->plan->scop->field[f->index].buffers;

	return n > 1 ? n : 1;
}

__isl_give isl_pw_aff *pass_of(struct code *w)
{
	const struct kernel_names *names = kernel_names_new(w->c->mem,
		w->c->prog);
	const struct variable *v = variable_called(w, names->tt);

	return v && v->number ? isl_pw_aff_copy(v->number) : constant(w, 0);
}

__isl_give isl_pw_aff *copy_of_version(struct code *w, const struct field *f,
	__isl_keep isl_pw_aff *t, int version)
{
	int n = copies_of(w, f);

	if (n == 1)
		return constant(w, 0);
	if (w->nests && w->nests->rows)
		return constant(w, floor_mod(version, n));
	return isl_pw_aff_mod_val(isl_pw_aff_add_constant_val(isl_pw_aff_copy(
		t), isl_val_int_from_si(w->c->ctx, floor_mod(version, n))),
		isl_val_int_from_si(w->c->ctx, n));
}

/* How far each variable moves cells: the largest absolute value of its
 * coefficients.
 */
struct weights {
	int n_params, n;
	isl_val **largest;
};

static isl_stat weigh_constraint(__isl_take isl_constraint *constraint,
	void *user)
{
	struct weights *w = user;

	for (int i = 0; i < w->n; i++)
		w->largest[i] = isl_val_max(w->largest[i], isl_val_abs(
			isl_constraint_get_coefficient_val(constraint,
			isl_dim_param, w->n_params + i)));
	isl_constraint_free(constraint);
	return isl_stat_ok;
}

static isl_stat weigh_piece(__isl_take isl_basic_set *piece, void *user)
{
	isl_stat done = isl_basic_set_foreach_constraint(piece,
		weigh_constraint, user);

	isl_basic_set_free(piece);
	return done;
}

static void remove_variable(struct weights *w, int i)
{
	isl_val_free(w->largest[i]);
	w->n--;
	for (; i < w->n; i++)
		w->largest[i] = w->largest[i + 1];
}

static int lightest_variable(const struct weights *w)
{
	int lightest = 0;

	for (int i = 1; i < w->n; i++)
		if (isl_val_lt(w->largest[i], w->largest[lightest]))
			lightest = i;
	return lightest;
}

/* The cells of a thread, of a block's threads, of all blocks: in this order
 * each step leaves boxes, where all steps at once would leave remainders.  Of tiles with any
 * length, and of strips with rims, those of one.
 */
__isl_give isl_set *without_variables(struct code *w,
	__isl_take isl_set *set)
{
	int kept = w->nests && w->nests->rows ? w->nests->rows->n_given :
		w->c->n_params + (w->any.tile ? w->any.tile->n_params : 0) +
		(w->any.strip ? w->any.strip->n_params : 0);
	int n = isl_set_dim(set, isl_dim_param) - kept;
	struct weights v = { .n_params = kept, .n = n };

	if (n <= 0)
		return set;
	v.largest = region_array(w->c->mem, isl_val *, n);
	for (int i = 0; i < n; i++)
		v.largest[i] = isl_val_zero(w->c->ctx);
	isl_set_foreach_basic_set(set, weigh_piece, &v);
	while (v.n > 0) {
		int i = lightest_variable(&v);

		set = isl_set_project_out(set, isl_dim_param,
			(unsigned) (v.n_params + i), 1);
		remove_variable(&v, i);
	}
	return fewer_pieces(set);
}

/* 0 <= i < width, a parameter of its own, called "name". */
static __isl_give isl_pw_aff *cell_of_vector(struct code *w, int width,
	isl_set **where, const char **name)
{
	isl_pw_aff *i = new_number(w, "cell");

	*name = name_of_number(w, i);
	*where = isl_set_intersect(*where, isl_set_intersect(
		isl_pw_aff_ge_set(isl_pw_aff_copy(i), constant(w, 0)),
		isl_pw_aff_lt_set(isl_pw_aff_copy(i), constant(w, width))));
	return i;
}

/* { [T, copy, x] } for each value of the parameters; of tiles { [T, copy, x, S] }. */
static __isl_give isl_set *cells_stored(struct code *w, const struct touch *t)
{
	const struct cell *cell = t->cell;
	int last = cell->field->n_dims - 1;
	isl_set *where = isl_set_intersect(isl_set_copy(w->at),
		isl_set_copy(w->ranges));
	isl_map *map = isl_map_flat_range_product(isl_map_from_pw_aff(
		pass_of(w)), isl_map_from_pw_aff(isl_pw_aff_copy(cell->copy)));
	const char *name = NULL;
	isl_set *cells;

	for (int d = 0; d <= last; d++) {
		isl_pw_aff *x = isl_pw_aff_copy(cell->x[d]);

		if (d == last && t->width > 1)
			x = isl_pw_aff_add(x, cell_of_vector(w, t->width,
				&where, &name));
		map = isl_map_flat_range_product(map, isl_map_from_pw_aff(x));
	}
	if (w->tiles)
		map = with_tile(w, map);
	cells = isl_map_range(isl_map_intersect_domain(map, where));
	return name ? isl_set_project_out(cells, isl_dim_param, (unsigned)
		isl_set_find_dim_by_name(cells, isl_dim_param, name), 1) :
		cells;
}

/* What the last place stored no longer depends on where that was.  Each strip's cells are its
 * own, see lanes.c.
 */
static bool leave_place(struct code *w, const struct field *f)
{
	struct stored *s = &w->stored[f->index];
	isl_set *cells;
	bool right;

	if (!s->here)
		return true;
	cells = without_variables(w, isl_set_copy(s->here));
	right = w->c->form->find_strip || are_stored_once(w, f, s, s->here,
		cells);
	isl_set_free(s->here);
	s->cells = s->cells ? isl_set_union(s->cells, cells) : cells;
	s->here = NULL;
	return right;
}

/* "a" and "b" in fewer pieces, if isl keeps them equal: see set_coalesce. */
static __isl_give isl_set *joined(__isl_take isl_set *a, __isl_take isl_set *b)
{
	isl_set *both = isl_set_union(a, b);
	isl_set *fewer = isl_set_coalesce(isl_set_copy(both));

	if (isl_set_involves_locals(both) == isl_bool_true &&
	    isl_set_is_equal(fewer, both) != isl_bool_true) {
		isl_set_free(fewer);
		return both;
	}
	isl_set_free(both);
	return fewer;
}

bool note_store(struct code *w, const struct touch *t)
{
	struct stored *s;
	isl_set *cells;

	if (!w->sure)
		return refute(w->c, "the code stores to '%s' under a condition "
			"that is not shown", t->cell->field->name);
	if (w->tiles && !is_own_cell(w, t))
		return false;
	s = &w->stored[t->cell->field->index];
	if (w->any.left_out && s->at != w->at && !comes_to_none(w,
	    isl_set_copy(w->any.left_out)))
		return refute(w->c, "the code stores to '%s' in an iteration "
			"that may be left out", t->cell->field->name);
	cells = cells_stored(w, t);
	if (s->at != w->at && !leave_place(w, t->cell->field)) {
		isl_set_free(cells);
		return false;
	}
	if (s->at != w->at)
		s->at = keep_in_checker(w->c, isl_set_copy(w->at));
	s->here = s->here ? joined(s->here, cells) :
		cells;
	return true;
}

void forget_stores(struct code *w)
{
	for (int i = 0; i < w->c->prog->n_fields; i++) {
		isl_set_free(w->stored[i].cells);
		isl_set_free(w->stored[i].here);
		isl_set_free(w->stored[i].before);
	}
}

/* What the plan says ------------------------------------------------------ */

/* If there is one copy, values that stay are not stored. */
static bool stays(const struct code *w, const struct statement *s)
{
	return s->is_copy && copies_of(w, s->stmt->write->field) == 1;
}

/* The cells that statement "s" writes, where launch t is step t. */
static __isl_give isl_set *cells_of_statement(struct code *w,
	const struct statement *s)
{
	const struct access *acc = s->stmt->write;
	isl_space *space = isl_set_get_space(s->domain);
	isl_pw_aff *copy = isl_pw_aff_mod_val(plus(coordinate(space, 0),
		acc->version), isl_val_int_from_si(w->c->ctx,
		copies_of(w, acc->field)));
	isl_map *map = isl_map_flat_range_product(isl_map_from_pw_aff(
		coordinate(space, 0)), isl_map_from_pw_aff(copy));

	for (int d = 0; d < acc->field->n_dims; d++)
		map = isl_map_flat_range_product(map, isl_map_from_pw_aff(
			plus(coordinate(space, 1 + acc->dim[d]),
			acc->offset[d])));
	isl_space_free(space);
	return isl_set_apply(isl_set_copy(s->domain), map);
}

/* Those that all its statements write. */
static __isl_give isl_set *cells_of_statements(struct code *w,
	const struct field *f)
{
	isl_set *cells = isl_set_empty(space_of_dims(w->c, 2 + f->n_dims));

	for (int i = 0; i < w->c->n_stmts; i++)
		if (w->c->stmt[i].plan == w->plan &&
		    w->c->stmt[i].stmt->write->field == f &&
		    !stays(w, &w->c->stmt[i]))
			cells = isl_set_union(cells, cells_of_statement(w,
				&w->c->stmt[i]));
	return cells;
}

/* { [e, copy, x] -> [stride*e + offset, copy, x] }, which all passes of "cells" follow: in
 * terms of e the sets have no remainders of passes.
 */
static __isl_give isl_multi_aff *passes_by_stride(__isl_keep isl_set *cells)
{
	isl_stride_info *info = isl_set_get_stride_info(cells, 0);
	isl_aff *offset = isl_stride_info_get_offset(info);
	isl_multi_aff *map = isl_multi_aff_identity(isl_space_map_from_set(
		isl_set_get_space(cells)));

	if (isl_aff_is_cst(offset) == isl_bool_true) {
		isl_aff *pass = isl_aff_scale_val(isl_multi_aff_get_aff(map,
			0), isl_stride_info_get_stride(info));

		map = isl_multi_aff_set_aff(map, 0, isl_aff_add(pass,
			isl_aff_copy(offset)));
	}
	isl_aff_free(offset);
	isl_stride_info_free(info);
	return map;
}

static __isl_give isl_set *only_in(struct code *w, __isl_take isl_set *more,
	__isl_take isl_set *less)
{
	return isl_set_intersect_params(isl_set_subtract(more, less),
		isl_set_copy(w->c->context));
}

static bool covers(struct code *w, __isl_keep isl_set *less,
	__isl_keep isl_set *more)
{
	isl_multi_aff *map = passes_by_stride(more);
	bool none;

	more = isl_set_preimage_multi_aff(isl_set_copy(more),
		isl_multi_aff_copy(map));
	less = with_fewer_locals(fewer_pieces(isl_set_preimage_multi_aff(
		isl_set_copy(less), map)));
	more = isl_set_intersect_params(more, isl_set_copy(w->c->context));
	none = isl_set_is_subset(more, less) == isl_bool_true;
	isl_set_free(more);
	isl_set_free(less);
	return none;
}

/* Each cell of "more" is in "less". */
static bool has_all(struct code *w, const struct field *f,
	__isl_take isl_set *less, __isl_take isl_set *more, const char *what)
{
	struct checker *c = w->c;
	isl_point *p;

	if (covers(w, less, more)) {
		c->n_sets++;
		isl_set_free(less);
		isl_set_free(more);
		return true;
	}
	more = only_in(w, more, less);
	p = example_of(c, more);
	refute(c, "%s: %s a cell of '%s' in pass %lld", sizes_with_length(w, p),
		what, f->name, (long long) coordinate_of_point(p, 0));
	isl_point_free(p);
	isl_set_free(more);
	return false;
}

static __isl_give isl_set *of_copy(__isl_keep isl_set *cells, int copy)
{
	return fewer_pieces(isl_set_fix_si(isl_set_copy(cells), isl_dim_set, 1,
		copy));
}

/* Compare copy by copy, which makes these sets simple. */
static bool has_no_other(struct code *w, const struct field *f,
	__isl_keep isl_set *more, __isl_keep isl_set *less, const char *what)
{
	bool none = true;

	for (int i = 0; none && i < copies_of(w, f); i++)
		none = has_all(w, f, of_copy(less, i), of_copy(more, i), what);
	return none;
}

/* What launches of "plan" store of "f", already shown to be right. */
struct right_stores {
	const struct plan *plan;
	const struct field *f;
	isl_set *stored;
	const struct right_stores *next;
};

/* Two launches of a kernel may store alike. */
static bool was_right(struct code *w, const struct field *f,
	__isl_keep isl_set *stored)
{
	const struct right_stores *r = w->c->right_stores;

	while (r && (r->plan != w->plan || r->f != f ||
	    isl_set_plain_is_equal(r->stored, stored) != isl_bool_true))
		r = r->next;
	if (r)
		w->c->n_sets += 2 * copies_of(w, f);
	return r;
}

static void note_right(struct code *w, const struct field *f,
	__isl_keep isl_set *stored)
{
	struct right_stores *r = region_new_of(w->c->mem, struct right_stores);

	*r = (struct right_stores) { w->plan, f, keep_in_checker(w->c,
		isl_set_copy(stored)), w->c->right_stores };
	w->c->right_stores = r;
}

/* .. of "f", by all tiles or by any one; false: it does not matter. */
static bool find_cells_of_plan(struct code *w, const struct field *f,
	isl_set **cells)
{
	if (!w->c->form->cells_stored)
		*cells = cells_of_statements(w, f);
	else if (!w->c->form->cells_stored(w->c, w->plan, f, cells))
		return false;
	if (w->any.tile && f->kind == FIELD_STATE)
		*cells = cells_of_any_tile(w->any.tile,
			isl_set_intersect_params(*cells, isl_set_params(
			isl_set_copy(w->any.tile->all))), 2 + plan_given_dim(
			w->plan));
	if (w->any.strip && f->kind == FIELD_STATE)
		*cells = cells_of_any_strip(w, *cells);
	return true;
}

/* "stored" is "plan"; both are taken. */
static bool are_those(struct code *w, const struct field *f,
	__isl_take isl_set *stored, __isl_take isl_set *plan)
{
	bool right = was_right(w, f, stored) ||
		(has_no_other(w, f, plan, stored, "the code does not store") &&
		has_no_other(w, f, stored, plan,
			"no statement stores, but the code does,"));

	if (right)
		note_right(w, f, stored);
	isl_set_free(plan);
	isl_set_free(stored);
	return right;
}

/* { [T, copy, x, S] } of { [T, copy, x] } */
static __isl_give isl_set *in_any_tile(struct code *w,
	__isl_take isl_set *cells)
{
	return isl_set_add_dims(cells, isl_dim_set,
		(unsigned) w->plan->n_dims);
}

/* What the code has stored to "f", in the space of "plan". */
static __isl_give isl_set *all_stored(const struct code *w,
	const struct field *f, __isl_keep isl_set *plan)
{
	isl_set *cells = w->stored[f->index].cells;

	return cells ? isl_set_copy(cells) :
		isl_set_empty(isl_set_get_space(plan));
}

static bool launches_store_all(struct code *w)
{
	for (int i = 0; i < w->c->prog->n_fields; i++) {
		const struct field *f = w->c->prog->field[i];
		isl_set *plan;

		if (!find_cells_of_plan(w, f, &plan))
			continue;
		if (!leave_place(w, f)) {
			isl_set_free(plan);
			return false;
		}
		if (!are_those(w, f, all_stored(w, f, plan), plan))
			return false;
	}
	return true;
}

/* .. of "f", whose cells the "tiles" have. */
static bool tiles_store_field(struct code *w, const struct field *f,
	__isl_take isl_set *plan, __isl_take isl_set *tiles, bool all)
{
	unsigned n = (unsigned) isl_set_dim(plan, isl_dim_set);
	isl_set *cells = isl_set_project_out(isl_set_copy(tiles), isl_dim_set,
		n, (unsigned) w->plan->n_dims);
	isl_set *any = in_any_tile(w, isl_set_copy(plan)), *own, *stored;
	bool right = !all || has_no_other(w, f, plan, cells,
		"no tile of the code has");

	own = isl_set_intersect(tiles, isl_set_copy(any));
	stored = all_stored(w, f, any);
	right = right && has_no_other(w, f, own, stored, all ?
		"the code does not store" : "a full tile does not store") &&
		has_no_other(w, f, stored, any, all ?
		"no statement stores, but the code does," :
		"no statement stores, but a full tile does,");
	isl_set_free(plan);
	isl_set_free(cells);
	isl_set_free(any);
	isl_set_free(own);
	isl_set_free(stored);
	return right;
}

bool tiles_store_all(struct code *w, __isl_keep isl_set *tiles, bool all)
{
	bool right = true;

	for (int i = 0; right && i < w->c->prog->n_fields; i++) {
		const struct field *f = w->c->prog->field[i];
		isl_set *plan;

		if (f->n_dims != w->plan->n_dims ||
		    !find_cells_of_plan(w, f, &plan))
			continue;
		right = leave_place(w, f) && tiles_store_field(w, f,
			isl_set_copy(plan), cells_of_tiles(w, f,
				isl_set_copy(tiles)), all);
		isl_set_free(plan);
	}
	return right;
}

bool stores_are_those_of_plan(struct code *w)
{
	if (!w->tiles)
		return launches_store_all(w);
	return w->tiles->launched ? tiles_store_all(w, w->tiles->launched,
		true) : refute(w->c, "the code lacks the tiles of a plan");
}
