/* What tiles keep in arrays: kept.h. */
#include <string.h>

#include "verify/code/kept.h"

void begin_tiles(struct code *w, const struct tile_reader *reader)
{
	struct checker *c = w->c;

	w->tiles = NULL;
	if (!c->form->find_kept)
		return;
	w->tiles = region_new_of(c->mem, struct tiles);
	w->tiles->reader = reader;
	w->tiles->names = kernel_names_new(c->mem, c->prog);
	w->tiles->numbers = c->form->find_kept(c, w->plan);
	w->tiles->pass = keep_value(w, pass_of(w));
	begin_turns(w);
}

/* Arrays ------------------------------------------------------------------ */

static const char *name_in_registers(const struct code *w,
	const struct field *f)
{
	return fresh_name(w->c->mem, w->c->prog, "%s_planes", f->name);
}

struct kept *array_kept(struct code *w, const struct ks *s)
{
	const struct program *prog = w->c->prog;
	struct kept *kept;

	for (int i = 0; w->tiles && i < prog->n_fields; i++) {
		const struct field *f = prog->field[i];
		bool of_thread = !strcmp(s->name, name_in_registers(w, f));

		if (!w->tiles->numbers.field[i] || s->n_x != f->n_dims ||
		    (!of_thread && strcmp(s->name, shared_name(w->c->mem,
			prog, f))))
			continue;
		kept = region_new_of(w->c->mem, struct kept);
		*kept = (struct kept) {
			.field = f, .numbers = w->tiles->numbers.field[i],
			.array = s, .is_of_thread = of_thread,
			.next = w->tiles->kept,
		};
		w->tiles->kept = kept;
		return kept;
	}
	return NULL;
}

/* Cells ------------------------------------------------------------------- */

static __isl_give isl_pw_aff *add(struct code *w, __isl_take isl_pw_aff *a,
	int64_t n)
{
	return isl_pw_aff_add_constant_val(a, isl_val_int_from_si(w->c->ctx,
		n));
}

static __isl_give isl_pw_aff *variable(const struct code *w, const char *name)
{
	const struct variable *v = variable_called(w, name);

	return v ? isl_pw_aff_copy(v->number) : NULL;
}

/* "x" lies "low" behind the origin of the tile in dimension "d". */
static __isl_give isl_pw_aff *behind_origin(struct code *w, int d,
	__isl_take isl_pw_aff *x, int low)
{
	isl_pw_aff *origin = isl_pw_aff_scale_val(variable(w,
		w->tiles->names->tile[d]), isl_val_int_from_si(w->c->ctx,
		w->plan->pitch[d]));

	return add(w, isl_pw_aff_add(x, origin), low);
}

/* The plane that the current iteration has "behind" the current one. */
static __isl_give isl_pw_aff *plane_of_iteration(struct code *w, int ahead)
{
	return add(w, variable(w, w->tiles->names->strips.iteration), ahead);
}

/* x of an index x mod n; NULL: it is another one. */
static __isl_give isl_pw_aff *number_in_turn(struct code *w,
	const struct kx *x, int n)
{
	const struct variable *known = w->known, *v;
	isl_pw_aff *number = NULL;

	while (x->kind == KX_NAME && (v = variable_called(w, x->name)) &&
	       v->is) {
		x = v->is;
		w->known = v->scope;
	}
	if ((x->kind == KX_BINARY && x->op == OP_MOD &&
	    kx_is_int(x->arg[1], n)) || (x->kind == KX_BUILTIN &&
	    x->builtin == B_PARITY && n == 2))
		number = number_of(w, x->arg[0]);
	w->known = known;
	return number;
}

static __isl_give isl_pw_aff *plane_kept(struct code *w,
	const struct kept *kept, const struct kx *x)
{
	const struct kept_field *f = kept->numbers;

	if (kept->is_of_thread)
		return x->kind == KX_INT ? plane_of_iteration(w, f->newest -
			(int) x->ivalue) : NULL;
	return f->planes > 1 ? number_in_turn(w, x, f->planes) :
		plane_of_iteration(w, f->latest);
}

/* The thread has every so many points of a plane, beginning with its own. */
static __isl_give isl_pw_aff *point_of_thread(struct code *w, int d,
	__isl_take isl_pw_aff *turn)
{
	int axis = w->plan->n_dims - 1 - d;

	turn = isl_pw_aff_scale_val(turn, isl_val_int_from_si(w->c->ctx,
		w->plan->threads[axis]));
	return behind_origin(w, d, isl_pw_aff_add(turn, isl_pw_aff_copy(
		w->thread[axis])), w->tiles->numbers.base[d]);
}

static __isl_give isl_pw_aff *coordinate_kept(struct code *w,
	const struct kept *kept, int d, const struct kx *x)
{
	if (d == 0 && w->tiles->numbers.is_swept)
		return plane_kept(w, kept, x);
	return kept->is_of_thread ? point_of_thread(w, d, number_of(w, x)) :
		behind_origin(w, d, number_of(w, x), kept->numbers->low[d]);
}

const struct cell *cell_kept(struct code *w, struct kept *kept,
	const struct kx *x)
{
	const struct field *f = kept->field;
	struct cell *cell;

	if (x->kind != KX_INDEX || x->n_args != f->n_dims)
		return NULL;
	cell = region_new_of(w->c->mem, struct cell);
	cell->field = f;
	cell->kept = kept;
	cell->index = region_array(w->c->mem, isl_pw_aff *, f->n_dims);
	cell->copy = keep_value(w, copy_of_version(w, f, w->tiles->pass,
		kept->numbers->version));
	for (int d = 0; d < f->n_dims; d++) {
		cell->index[d] = keep_value(w, number_of(w, x->arg[d]));
		cell->x[d] = keep_value(w, coordinate_kept(w, kept, d,
			x->arg[d]));
		if (!cell->index[d] || !cell->x[d])
			return NULL;
	}
	return cell;
}

/* What is stored and read --------------------------------------------------- */

bool ages_planes(const struct code *w, const struct ks *s)
{
	const struct kx *to = s->x[0], *from = s->x[1];
	const struct variable *v = to->kind == KX_INDEX ?
		variable_called(w, to->name) : NULL;

	if (!v || !v->kept || !v->kept->is_of_thread ||
	    from->kind != KX_INDEX || strcmp(from->name, to->name) ||
	    to->arg[0]->kind != KX_INT ||
	    !kx_is_int(from->arg[0], to->arg[0]->ivalue - 1))
		return false;
	for (int i = 1; i < to->n_args; i++)
		if (!kx_same(to->arg[i], from->arg[i]))
			return false;
	return to->arg[0]->ivalue < v->kept->array->x[0]->ivalue;
}

/* Indices already shown, at this place, to lie in the array. */
struct index_shown {
	isl_set *at;
	int d;
	isl_pw_aff *x;
	const struct index_shown *next;
};

static bool was_shown(const struct code *w, const struct kept *kept, int d,
	__isl_keep isl_pw_aff *x)
{
	const struct index_shown *s = kept->shown;

	while (s && (s->at != w->at || s->d != d ||
	    isl_pw_aff_plain_is_equal(s->x, x) != isl_bool_true))
		s = s->next;
	return s;
}

static void note_shown(struct code *w, struct kept *kept, int d,
	__isl_keep isl_pw_aff *x)
{
	struct index_shown *s = region_new_of(w->c->mem, struct index_shown);

	*s = (struct index_shown) { keep_in_checker(w->c,
		isl_set_copy(w->at)), d, x, kept->shown };
	kept->shown = s;
}

static bool lies_in_array(struct code *w, const struct cell *cell)
{
	struct kept *kept = cell->kept;

	for (int d = 0; d < kept->field->n_dims; d++) {
		isl_pw_aff *x = cell->index[d];

		if (was_shown(w, kept, d, x))
			continue;
		if (!comes_to_none(w, isl_set_union(isl_pw_aff_lt_set(
			isl_pw_aff_copy(x), constant(w, 0)),
			isl_pw_aff_ge_set(isl_pw_aff_copy(x), constant(w,
				kept->array->x[d]->ivalue)))))
			return refute(w->c, "the code touches '%s' beyond its "
				"ends", kept->array->name);
		note_shown(w, kept, d, x);
	}
	return true;
}

/* { [T, S, x] } for each value of the parameters */
static __isl_give isl_set *cells_here(struct code *w, const struct cell *cell)
{
	isl_map *map = with_tile(w, isl_map_from_pw_aff(isl_pw_aff_copy(
		w->tiles->pass)));

	for (int d = 0; d < cell->field->n_dims; d++)
		map = isl_map_flat_range_product(map, isl_map_from_pw_aff(
			isl_pw_aff_copy(cell->x[d])));
	return isl_map_range(isl_map_intersect_domain(map, isl_set_intersect(
		isl_set_copy(w->at), isl_set_copy(w->ranges))));
}

__isl_give isl_set *cells_of_place(struct code *w, const struct cell *cell)
{
	return without_variables(w, cells_here(w, cell));
}

static __isl_give isl_set *together(__isl_take isl_set *a,
	__isl_take isl_set *b)
{
	return a ? isl_set_union(a, b) : b;
}

/* { [T, S, x + by] : [T, S, x] in "cells" } */
static __isl_give isl_set *cells_beside(__isl_keep isl_set *cells, int n_dims,
	const int64_t *by)
{
	isl_ctx *ctx = isl_set_get_ctx(cells);
	int first = isl_set_dim(cells, isl_dim_set) - n_dims;
	isl_multi_aff *back = isl_multi_aff_identity(isl_space_map_from_set(
		isl_set_get_space(cells)));

	for (int d = 0; d < n_dims; d++)
		back = isl_multi_aff_set_aff(back, first + d,
			isl_aff_add_constant_val(isl_multi_aff_get_aff(back,
			first + d), isl_val_int_from_si(ctx, -by[d])));
	return isl_set_preimage_multi_aff(isl_set_copy(cells), back);
}

/* Projections keep distances between cells: one is enough for all of a place. */
static void leave_place(struct code *w, struct done *done)
{
	isl_set *cells = done->here ? without_variables(w, done->here) : NULL;

	for (const struct offset *o = done->offsets; o; o = o->next)
		done->cells = together(done->cells, cells_beside(cells,
			done->first->field->n_dims, o->by));
	if (cells)
		done->cells = together(done->cells, cells);
	done->here = NULL;
	done->first = NULL;
	done->offsets = NULL;
}

bool is_apart(__isl_keep isl_pw_aff *a, __isl_keep isl_pw_aff *b, int64_t *by)
{
	isl_pw_aff *apart = isl_pw_aff_sub(isl_pw_aff_copy(a),
		isl_pw_aff_copy(b));
	bool is = isl_pw_aff_is_cst(apart) == isl_bool_true &&
		isl_pw_aff_n_piece(apart) == 1 && take_int(isl_pw_aff_max_val(
		isl_pw_aff_copy(apart)), by);

	isl_pw_aff_free(apart);
	return is;
}

static bool is_beside(const struct cell *cell, const struct cell *first,
	int64_t *by)
{
	for (int d = 0; d < cell->field->n_dims; d++)
		if (!is_apart(cell->x[d], first->x[d], &by[d]))
			return false;
	return true;
}

static void note_offset(struct code *w, struct done *done,
	const struct offset *by)
{
	const struct offset none = { { 0 }, done->offsets }, *o = &none;
	struct offset *new;

	while (o && memcmp(o->by, by->by, sizeof(o->by)))
		o = o->next;
	if (o)
		return;
	new = region_new_of(w->c->mem, struct offset);
	*new = *by;
	new->next = done->offsets;
	done->offsets = new;
}

static void note_done(struct code *w, struct done *done,
	const struct cell *cell)
{
	struct offset by = { { 0 }, NULL };

	if (done->at == w->at && done->first && is_beside(cell, done->first,
	    by.by)) {
		note_offset(w, done, &by);
		return;
	}
	leave_place(w, done);
	if (done->at != w->at)
		done->at = keep_in_checker(w->c, isl_set_copy(w->at));
	done->first = cell;
	done->here = cells_here(w, cell);
}

static bool store_kept(struct code *w, const struct touch *t)
{
	const struct field *f = t->cell->field;

	if (!w->sure)
		return refute(w->c, "the code keeps '%s' under a condition "
			"that is not shown", f->name);
	if (!t->value)
		return refute(w->c, "the code keeps '%s', and it is not shown "
			"of what", f->name);
	if (moves_cell(w, t)) {
		note_done(w, &t->cell->kept->moved, t->cell);
		return true;
	}
	note_done(w, &t->cell->kept->computed, t->cell);
	return stores_value(w, t->cell, t->value);
}

bool touch_kept(struct code *w, const struct touch *t)
{
	if (!lies_in_array(w, t->cell) || !note_use(w, t))
		return false;
	if (t->stores)
		return store_kept(w, t);
	note_done(w, &t->cell->kept->read, t->cell);
	return true;
}

static bool are_same(struct code *w, __isl_keep isl_pw_aff *a,
	__isl_keep isl_pw_aff *b)
{
	return isl_pw_aff_plain_is_equal(a, b) == isl_bool_true ||
		comes_to_none(w, isl_pw_aff_ne_set(isl_pw_aff_copy(a),
		isl_pw_aff_copy(b)));
}

/* "x", or what the variable of this name was declared to be. */
static const struct cell *cell_at(struct code *w, const struct kx *x)
{
	const struct variable *known = w->known, *v = variable_of(w, x);
	const struct cell *cell;

	if (!v || !v->is)
		return cell_of(w, x);
	w->known = v->scope;
	cell = cell_of(w, v->is);
	w->known = known;
	return cell;
}

bool moves_cell(struct code *w, const struct touch *t)
{
	const struct cell *from = w->tiles && t->value ? cell_at(w, t->value) :
		NULL;
	const struct field *f = t->cell->field;

	if (!from || from->field != f || !from->copy ||
	    !are_same(w, from->copy, t->cell->copy))
		return false;
	for (int d = 0; d < f->n_dims; d++)
		if (!from->x[d] || !are_same(w, from->x[d], t->cell->x[d]))
			return false;
	return true;
}

/* At the end ---------------------------------------------------------------- */

static bool is_within(struct code *w, __isl_keep isl_set *cells,
	__isl_take isl_set *all, const char *what, const char *name)
{
	isl_set *other = cells ? isl_set_intersect_params(isl_set_copy(cells),
		isl_set_copy(w->c->context)) : isl_set_empty(isl_set_get_space(
			all));
	isl_point *p;

	if (isl_set_is_subset(other, all) == isl_bool_true) {
		w->c->n_sets++;
		isl_set_free(all);
		isl_set_free(other);
		return true;
	}
	other = isl_set_subtract(other, all);
	p = example_of(w->c, other);
	refute(w->c, "%s: the code %s '%s' in pass %lld", sizes_of_point(w->c,
		p), what, name, (long long) coordinate_of_point(p, 0));
	isl_point_free(p);
	isl_set_free(other);
	return false;
}

static __isl_give isl_set *none_of(struct code *w, const struct kept *kept)
{
	return isl_set_empty(space_of_dims(w->c, 1 + w->plan->n_dims +
		kept->field->n_dims));
}

/* { [t, x] } of what the plan's statements compute of "f" */
static __isl_give isl_set *instances_of_plan(struct code *w,
	const struct field *f)
{
	isl_set *all = isl_set_empty(space_of_dims(w->c, 1 + f->n_dims));

	for (int i = 0; i < w->c->n_stmts; i++)
		if (w->c->stmt[i].plan == w->plan &&
		    w->c->stmt[i].stmt->write->field == f)
			all = isl_set_union(all, isl_set_copy(
				w->c->stmt[i].domain));
	return all;
}

/* Without the tile: { [T, x] } */
static __isl_give isl_set *of_any_tile(struct code *w, __isl_keep isl_set *cells)
{
	return cells ? fewer_pieces(isl_set_project_out(isl_set_copy(cells),
		isl_dim_set, 1, (unsigned) w->plan->n_dims)) : NULL;
}

static __isl_give isl_set *stored_by(struct code *w, const struct kept *kept)
{
	isl_set *all = none_of(w, kept);

	if (kept->moved.cells)
		all = isl_set_union(all, isl_set_copy(kept->moved.cells));
	if (kept->computed.cells)
		all = isl_set_union(all, isl_set_copy(kept->computed.cells));
	return fewer_pieces(all);
}

static bool is_right(struct code *w, struct kept *kept)
{
	isl_set *computed;
	bool right;

	leave_place(w, &kept->moved);
	leave_place(w, &kept->computed);
	leave_place(w, &kept->read);
	computed = of_any_tile(w, kept->computed.cells);
	right = uses_are_in_turn(w, kept) && is_within(w, kept->read.cells, stored_by(w, kept),
		"reads what it has not stored in", kept->array->name) &&
		is_within(w, computed, instances_of_plan(w, kept->field),
			"computes where no statement does", kept->field->name);
	isl_set_free(computed);
	return right;
}

bool tiles_are_right(struct code *w)
{
	for (struct kept *k = w->tiles ? w->tiles->kept : NULL; k; k = k->next)
		if (!is_right(w, k))
			return false;
	return true;
}

static void forget_done(struct done *done)
{
	isl_set_free(done->cells);
	isl_set_free(done->here);
}

void forget_tiles(struct code *w)
{
	for (struct kept *k = w->tiles ? w->tiles->kept : NULL; k;
	     k = k->next) {
		forget_done(&k->moved);
		forget_done(&k->computed);
		forget_done(&k->read);
	}
}
