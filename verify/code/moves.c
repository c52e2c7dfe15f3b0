/* What the code of a strip moves and assigns: between registers, lanes, shared and global
 * memory, and computed values.
 */
#include <string.h>

#include "verify/code/registers.h"

/* Pointers ---------------------------------------------------------------- */

static bool spot_of_cell(struct lanes *l, const struct kx *x,
	struct spot *spot)
{
	bool around;
	int copies;

	if (x->kind != KX_CELL || kx_is_element(x) ||
	    x->field->n_dims != l->s.dims)
		return false;
	copies = x->n_args - x->field->n_dims;
	*spot = (struct spot) { .field = x->field,
		.copy = copies ? x->arg[0] : NULL };
	for (int d = 0; d < x->field->n_dims; d++)
		if (!line_of(l, x->arg[copies + d],
		    &spot->at[axis_of_dim(l, d)], &around))
			return false;
	return true;
}

/* The dimension along which adding "x", a variable, moves a pointer to "f"; -1: none. */
static int dim_of_step(struct lanes *l, const struct field *f,
	const struct kx *x)
{
	struct named *step = (struct named *) scalar_called(l, x->name);

	if (!step || !step->is_stride)
		return -1;
	if (step->stride_of == f)
		return step->stride_dim;
	for (const struct named *s = l->known; s; s = s->next)
		if (s->is_stride) {
			struct variable *v = declare_variable(l->w, s->name);

			v->is = s->is;
			v->is_stride = true;
			v->number = keep_value(l->w, number_of(l->w, s->is));
		}
	step->stride_of = f;
	step->stride_dim = stride_dim(l->w, f, x);
	l->w->known = l->parameters;
	return step->stride_dim;
}

/* Does it consist of a distance between cells of a field?  That may be a number known at
 * compile time.
 */
static bool is_of_strides(const struct lanes *l, const struct kx *x)
{
	const struct named *s = x->kind == KX_NAME ? scalar_called(l, x->name) :
		NULL;
	bool is = s && s->is_stride;

	for (int i = 0; !is && i < x->n_args; i++)
		is = is_of_strides(l, x->arg[i]);
	return is;
}

static void add_line(struct line *to, const struct line *by, int64_t times)
{
	to->number += by->number * times;
	for (int i = 0; i < N_SYMBOLS; i++)
		to->by[i] += by->by[i] * (int) times;
}

/* Cells of a row, or so many strides. */
static bool move_by_line(struct lanes *l, struct spot *spot, const struct kx *x,
	const struct kx *stride, int64_t times)
{
	struct line line;
	int d;

	if (is_of_strides(l, x) || !line_of(l, x, &line, NULL))
		return false;
	d = !stride ? dim_of_axis(l, COLUMN) : stride->kind == KX_NAME ?
		dim_of_step(l, spot->field, stride) : -1;
	if (d < 0)
		return false;
	add_line(&spot->at[axis_of_dim(l, d)], &line, times);
	return true;
}

static bool move_spot(struct lanes *l, struct spot *spot, const struct kx *x,
	int64_t times)
{
	int64_t n;
	int d;

	if (x->kind == KX_BINARY && (x->op == OP_ADD || x->op == OP_SUB))
		return move_spot(l, spot, x->arg[0], times) &&
			move_spot(l, spot, x->arg[1], x->op == OP_ADD ?
				times : -times);
	if (x->kind == KX_UNARY && x->op == OP_NEG)
		return move_spot(l, spot, x->arg[0], -times);
	if (move_by_line(l, spot, x, NULL, times))
		return true;
	for (int i = 0; x->kind == KX_BINARY && x->op == OP_MUL && i < 2; i++) {
		if (!is_of_strides(l, x->arg[i]) && number_in_code(l,
		    x->arg[i], &n))
			return move_spot(l, spot, x->arg[1 - i], n * times);
		if (move_by_line(l, spot, x->arg[i], x->arg[1 - i], times))
			return true;
	}
	d = x->kind == KX_NAME ? dim_of_step(l, spot->field, x) : -1;
	if (d < 0)
		return false;
	spot->at[axis_of_dim(l, d)].number += times;
	return true;
}

bool spot_of(struct lanes *l, const struct kx *x, struct spot *spot)
{
	const struct named *s;

	switch (x->kind) {
	case KX_ADDRESS:
		return spot_of_cell(l, x->arg[0], spot);
	case KX_NAME:
		s = scalar_called(l, x->name);
		if (!s || s->kind != SPOT)
			return false;
		*spot = s->spot;
		return true;
	case KX_BINARY:
		return (x->op == OP_ADD || x->op == OP_SUB) &&
			spot_of(l, x->arg[0], spot) && move_spot(l, spot,
				x->arg[1], x->op == OP_ADD ? 1 : -1);
	default:
		return false;
	}
}

/* The place in global memory that "x" refers to; false: none. */
static bool spot_read(struct lanes *l, const struct kx *x, struct spot *spot)
{
	const struct named *s;

	if (x->kind == KX_CELL)
		return spot_of_cell(l, x, spot);
	if (x->kind == KX_BUILTIN && x->builtin == B_DEREFERENCE)
		return spot_of(l, x->arg[0], spot);
	s = x->kind == KX_INDEX && x->n_args == 1 ? scalar_called(l,
		x->name) : NULL;
	if (!s || s->kind != SPOT)
		return false;
	*spot = s->spot;
	return move_spot(l, spot, x->arg[0], 1);
}

/* The cell at a place, if it lies where the lane is. */
static bool cell_at_spot(struct lanes *l, const struct spot *spot,
	struct held *cell)
{
	*cell = cell_held(spot->field, 0, 0, 0, 0);
	for (int d = 0; d < spot->field->n_dims; d++) {
		int axis = axis_of_dim(l, d);
		struct line at = line_along(l, axis, 0);
		int64_t by;

		if (!lines_are_apart(&spot->at[axis], &at, &by))
			return false;
		cell->at[axis] = (int) by;
	}
	return true;
}

static struct held loaded(struct lanes *l, const struct spot *spot)
{
	struct held h;
	int behind = 0;

	if (!cell_at_spot(l, spot, &h))
		return (struct held) { .kind = UNKNOWN };
	if (spot->field->kind == FIELD_STATE)
		behind = spot->copy ? version_loaded(l, spot->field,
			spot->copy) : -1;
	h.version = -behind;
	if (behind < 0)
		h.kind = UNKNOWN;
	return h;
}

/* Moves ------------------------------------------------------------------- */

/* For an array's element, or the address of one. */
static bool place_at_address(struct lanes *l, const struct kx *x,
	struct place_in_array *p)
{
	return place_of(l, x->kind == KX_ADDRESS ? x->arg[0] : x, p);
}

static bool leave(struct lanes *l, const struct place_in_array *to, int i,
	struct held h)
{
	struct held *of = &to->array->held[to->first + i];

	if (to->array->is_of_others) {
		if (to->whose == 0 || of->taken || !may_leave_or_take(l))
			return refute(l->w->c, "'%s' is written where others may "
				"still read it", to->array->name);
		h = as_seen_from(l, h, -to->whose, to->by_warp);
		h.left = true;
	} else if (to->array->is_shared) {
		if (to->whose != 0 || of->taken)
			return refute(l->w->c, "'%s' is written where others may "
				"still read it", to->array->name);
		h.left = true;
		h.taken = false;
	}
	hold(l, of, h);
	return true;
}

static bool take(struct lanes *l, const struct place_in_array *from, int i,
	struct held *h)
{
	struct held *of = &from->array->held[from->first + i];

	*h = *of;
	if (!from->array->is_shared)
		return true;
	if (from->whose != 0 || from->array->is_of_others) {
		struct held now = *of;

		if (of->left || (is_clustered(l) && (from->whose != 0 ||
		    !may_leave_or_take(l))))
			return refute(l->w->c, "no barrier lies between what is left "
				"in '%s' and who takes it", from->array->name);
		now.taken = true;
		hold(l, of, now);
	}
	*h = as_seen_from(l, *h, from->whose, from->by_warp);
	return true;
}

static bool fits(const struct place_in_array *p, int width)
{
	const struct registers *a = p->array;
	int row = a->extent[a->n - 1];

	return p->first % row + width <= row;
}

/* "width" cells from "x" on: in an array, or in global memory. */
static bool load_cells(struct lanes *l, const struct place_in_array *to,
	const struct kx *from, int width)
{
	struct place_in_array place;
	struct spot spot;
	bool right = fits(to, width);

	if (place_at_address(l, from, &place)) {
		right = right && fits(&place, width);
		for (int i = 0; right && i < width; i++) {
			struct held h;

			right = take(l, &place, i, &h) && leave(l, to, i, h);
		}
		return right;
	}
	if (!right || !spot_of(l, from, &spot))
		return refute(l->w->c, "it is not shown what '%s' is loaded with",
			to->array->name);
	for (int i = 0; right && i < width; i++) {
		right = leave(l, to, i, loaded(l, &spot));
		spot.at[COLUMN].number++;
	}
	return right;
}

static bool store_cells(struct lanes *l, const struct spot *to,
	const struct held *h, int width)
{
	struct point p = { .what = STORED, .step = -1, .width = width };
	const char *name = to->field->name;

	if (l->is_trial)
		return true;
	if (h[0].kind != CELL || h[0].field != to->field)
		return refute(l->w->c, "the code stores a value that is not shown "
			"to be one of '%s'", name);
	for (int i = 0; i < width; i++) {
		struct spot spot = *to;
		struct held cell;

		spot.at[COLUMN].number += i;
		if (!cell_at_spot(l, &spot, &cell))
			return refute(l->w->c, "it is not shown where a value of "
				"'%s' is stored", name);
		cell.version = h[0].version;
		if (!same_held(&cell, &h[i]))
			return refute(l->w->c, "the code stores a value of '%s' where "
				"another one belongs", name);
	}
	p.cell = h[0];
	return (to->copy && stores_right(l, &p, to->copy)) ||
		refute(l->w->c, "the code stores values of '%s' of another step than "
			"it should, or of cells of another strip", name);
}

bool move_cells(struct lanes *l, const struct kx *x)
{
	struct place_in_array place;
	struct spot spot;
	int width = x->c_type.lanes ? x->c_type.lanes : 1;

	if (place_at_address(l, x->arg[0], &place))
		return load_cells(l, &place, x->arg[1], width);
	if (!place_at_address(l, x->arg[1], &place) || !fits(&place, width) ||
	    place.array->is_shared || !spot_of(l, x->arg[0], &spot))
		return refute(l->w->c, "it is not shown what the code moves");
	return store_cells(l, &spot, &place.array->held[place.first], width);
}

/* A lane copies its own cells; the first lane of a warp copies a row for all. */
bool copy_cells_ahead(struct lanes *l, const struct kx *x)
{
	const struct kx *bytes = x->arg[2];
	struct place_in_array place;
	int cells = l->s.cells, size;

	if (!place_at_address(l, x->arg[0], &place) || !place.array->is_shared)
		return refute(l->w->c, "it is not shown what is copied ahead");
	if (x->builtin == B_BULK_COPY) {
		struct spot spot;

		size = spot_of(l, x->arg[1], &spot) ? type_size(
			spot.field->type) : 0;
		if (!kx_is_int(bytes, (int64_t) l->s.warp * cells * size))
			return refute(l->w->c, "'%s' is copied by rows that are none",
				place.array->name);
	} else {
		cells = bytes->kind != KX_SIZEOF ? 0 : bytes->c_type.lanes ?
			bytes->c_type.lanes : 1;
	}
	return load_cells(l, &place, x->arg[1], cells);
}

/* Assignments --------------------------------------------------------------- */

static bool run_shuffle(struct lanes *l, const struct place_in_array *to,
	const struct kx *x)
{
	struct place_in_array from;
	struct held h = { .kind = UNKNOWN };
	int64_t by;

	if (!all_go_one_way(l) || !number_in_code(l, x->arg[1], &by) ||
	    by < 0 || by >= l->s.warp)
		return refute(l->w->c, "lanes fetch '%s' and not all of them take "
			"part", to->array->name);
	if (x->builtin == B_FROM_LANE_BEFORE)
		by = -by;
	if (place_of(l, x->arg[0], &from) && !from.array->is_shared)
		h = as_seen_from(l, from.array->held[from.first], (int) by,
			false);
	if (h.kind == CELL && l->s.lanes > l->s.warp) {
		h.kind = FETCHED;
		h.lanes = (int) by;
	}
	return leave(l, to, 0, h);
}

static bool is_new_value(struct lanes *l, const struct point *p,
	const struct kx *x)
{
	return is_value_of(l, p, x) && never_differs(l, p, true);
}

/* Cells that no statement computes keep their values; nobody reads such cells of temps. */
static bool is_old_value(struct lanes *l, const struct point *p,
	const struct kx *x)
{
	struct place_in_array from;
	struct held old = p->cell;

	old.version--;
	if (old.field->is_hidden)
		return never_differs(l, p, false);
	if (!place_of(l, x, &from) || from.array->is_shared)
		return false;
	return same_held(&from.array->held[from.first], &old) &&
		never_differs(l, p, false);
}

static bool is_right_value(struct lanes *l, const struct point *p,
	const struct kx *x);

static bool is_right_choice(struct lanes *l, const struct point *p,
	const struct kx *x)
{
	struct way way = { .condition = x->arg[0], .before = l->way };
	bool right = true;

	l->way = &way;
	for (int i = 1; right && i < 3; i++) {
		way.holds = i == 1;
		right = is_right_value(l, p, x->arg[i]);
	}
	l->way = way.before;
	return right;
}

static bool is_right_value(struct lanes *l, const struct point *p,
	const struct kx *x)
{
	return is_new_value(l, p, x) || is_old_value(l, p, x) ||
		(x->kind == KX_SELECT && is_right_choice(l, p, x));
}

static bool writes_its_point(const struct access *acc)
{
	for (int d = 0; d < acc->field->n_dims; d++)
		if (acc->offset[d] != 0)
			return false;
	return acc->version == 1 && access_is_in_order(acc);
}

/* The statement of the step that makes version "cell.version" of its field. */
static bool is_computed(struct lanes *l, const struct held *cell,
	const struct kx *x)
{
	const struct program *prog = l->w->c->prog;
	struct point p = { .what = COMPUTED, .step = cell->version - 1,
		.cell = *cell, .width = 1 };

	p.stmt = prog->stmt[writer_of(prog, cell->field)];
	return l->is_trial || (writes_its_point(p.stmt->write) && is_right_value(l, &p, x));
}

static bool is_own_cell(const struct lanes *l, const struct held *cell)
{
	return cell->at[COLUMN] >= 0 && cell->at[COLUMN] < l->s.cells &&
		cell->at[ROW] >= 0 && (l->s.row < 0 ||
		cell->at[ROW] < l->s.rows);
}

/* The place of a cell's value that "x" converts between the type of its field and that with which
 * code computes, which is the same number; else "x".
 */
static const struct kx *value_moved(struct lanes *l, const struct kx *x)
{
	struct held h = { .kind = UNKNOWN };
	struct place_in_array from;
	struct spot spot;
	enum type stored;

	if (x->kind != KX_CAST)
		return x;
	if (place_of(l, x->arg[0], &from))
		h = from.array->held[from.first];
	else if (spot_read(l, x->arg[0], &spot))
		h = loaded(l, &spot);
	if (h.kind == ZERO)
		return x->arg[0];
	if (h.kind != CELL && h.kind != FETCHED)
		return x;
	stored = h.field->type;
	return x->type == stored || x->type == type_promoted(stored) ?
		x->arg[0] : x;
}

static bool run_value(struct lanes *l, const struct place_in_array *to,
	const struct kx *x)
{
	struct held h = { .kind = UNKNOWN }, cell;
	struct place_in_array from;
	struct spot spot;
	bool is_cell = cell_meant(l, to->array, to->first, &cell);
	int64_t step;

	if (is_cell && cell.version > 0 && is_own_cell(l, &cell)) {
		struct line turn;

		if (l->s.along >= 0 && !line_of(l, kx_name(l->w->c->mem,
		    l->names->strips.turn), &turn, NULL))
			return false;
		if (!(l->loop.is_known && is_early(l, &cell)) &&
		    !is_computed(l, &cell, x))
			return refute(l->w->c, "step %d of a strip computes "
				"another value than that of '%s', or where it "
				"should not", cell.version - 1,
				cell.field->name);
		return leave(l, to, 0, cell);
	}
	if (place_of(l, value_moved(l, x), &from))
		return take(l, &from, 0, &h) && leave(l, to, 0, h);
	if (spot_read(l, value_moved(l, x), &spot))
		return leave(l, to, 0, loaded(l, &spot));
	h.kind = PART;
	h.part = part_of(l, x);
	if (number_in_code(l, kx_name(l->w->c->mem, l->names->step), &step))
		h.version = (int) step;
	return leave(l, to, 0, h);
}

bool assign(struct lanes *l, const struct ks *s)
{
	const struct kx *to = s->x[0], *x = s->x[1];
	struct place_in_array place, from;
	struct named *v;
	struct spot spot;

	if (place_of(l, to, &place)) {
		if (x->kind == KX_BUILTIN && (x->builtin ==
		    B_FROM_LANE_BEFORE || x->builtin == B_FROM_LANE_AFTER))
			return run_shuffle(l, &place, x);
		return run_value(l, &place, x);
	}
	if (spot_read(l, to, &spot))
		return place_of(l, value_moved(l, x), &from) &&
			!from.array->is_shared ? store_cells(l, &spot,
				&from.array->held[from.first], 1) :
			refute(l->w->c, "the code stores a value that is not "
				"shown to be one of '%s'", spot.field->name);
	v = to->kind == KX_NAME ? (struct named *) scalar_called(l,
		to->name) : NULL;
	if (!v)
		return refute(l->w->c, "it is not shown to what the code "
			"assigns");
	if (is_going(l, v->name))
		return stop_going(l, s);
	if ((v->kind == SPOT && v->depth != l->depth) || ((v->kind == SPOT ||
	    v->is_free) && !spot_of(l, x, &spot)))
		return refute(l->w->c, "it is not shown where '%s' leads", v->name);
	if (v->is_free) {
		v->kind = SPOT;
		v->depth = l->depth;
	}
	if (v->kind == SPOT) {
		v->spot = spot;
		return true;
	}
	if (v->kind != OTHER)
		return refute(l->w->c, "it is not shown what '%s' is", v->name);
	v->is = NULL;
	return true;
}
