/* Tiles on one grid as C:
 *
 *	NAME_run_take(.., A, A_user), .._give	A = A_user in a box, and back
 *	NAME_run_keep_first(.., A_old, A_new), .._keep_last	A_new = A_old where nothing is computed
 *	NAME_run_tile()		calls them and NAME_run_rows() for the rows of a tile
 *	NAME_run()		all tiles
 */
#include <string.h>

#include "verify/code/rows.h"

enum { TILED = 2, DIMS = 3, OWN = 0, OTHER = 1 };

struct grid {
	struct code w;
	struct grid_numbers g;
	const struct field *field;
	const struct kernel_names *names;
	const char *low[TILED], *high[TILED];	/* parameters of a box .. */
	isl_set *stored;	/* .. and { [x] : stored in it } */
};

static const struct kfunc *function(const struct grid *x, const char *suffix)
{
	return unit_function(x->w.unit, region_printf(x->w.c->mem, "%s_%s%s",
		x->w.c->prog->name, x->w.unit->handles ? "steps" : "run",
		suffix));
}

/* Boxes of cells ------------------------------------------------------------ */

/* What is stored is the same cell of the other array. */
static bool moves(struct code *w, const struct touch *t)
{
	const struct cell *from = t->value ? cell_of(w, t->value) : NULL;

	if (!from || from->field != t->cell->field || from->array->first !=
	    OTHER || t->cell->array->first != OWN)
		return false;
	for (int d = 0; d < DIMS; d++)
		if (!from->x[d] || !t->cell->x[d] || !comes_to_none(w,
		    isl_pw_aff_ne_set(isl_pw_aff_copy(from->x[d]),
			isl_pw_aff_copy(t->cell->x[d]))))
			return false;
	return true;
}

/* { [x] } of the current place */
static __isl_give isl_set *cells_here(struct code *w, const struct cell *cell)
{
	isl_map *map = isl_map_from_pw_aff(isl_pw_aff_copy(cell->x[0]));

	for (int d = 1; d < DIMS; d++)
		map = isl_map_flat_range_product(map, isl_map_from_pw_aff(
			isl_pw_aff_copy(cell->x[d])));
	return without_variables(w, isl_map_range(isl_map_intersect_domain(map,
		isl_set_intersect(isl_set_copy(w->at),
			isl_set_copy(w->ranges)))));
}

static bool touch_of_box(struct code *w, const struct touch *t)
{
	struct grid *x = (struct grid *) w;

	if (!t->stores)
		return lies_in_memory(w, t);
	if (!lies_in_memory(w, t) || !w->sure || !moves(w, t))
		return refute(w->c, "the code stores to '%s', and it is not "
			"shown that this is the value of the cell",
			t->cell->field->name);
	x->stored = isl_set_union(x->stored, cells_here(w, t->cell));
	return true;
}

/* Arrays called "own" get cells, those called "other" have them. */
static void bind_box(struct grid *x, const struct kfunc *f, const char *own,
	const char *other)
{
	struct checker *c = x->w.c;

	for (int d = 0; d < TILED; d++) {
		x->low[d] = name_given(&x->w, region_printf(c->mem, "%s_low",
			x->names->point[d]));
		x->high[d] = name_given(&x->w, region_printf(c->mem, "%s_high",
			x->names->point[d]));
	}
	for (int i = 0; i < f->n_params; i++) {
		struct array *a = region_new_of(c->mem, struct array);
		const bool is_own = !strcmp(f->param[i].name, own);

		if (!is_own && strcmp(f->param[i].name, other) != 0)
			continue;
		*a = (struct array) { .field = x->field, .type = &f->param[i],
			.copies = 2, .first = is_own ? OWN : OTHER };
		declare_variable(&x->w, f->param[i].name)->array = a;
	}
}

static bool is_stored(struct grid *x, const struct kfunc *f,
	__isl_take isl_set *should)
{
	bool is;

	should = isl_set_align_params(isl_set_intersect_params(should,
		isl_set_copy(x->w.c->context)), isl_set_get_space(x->w.at));
	for (int d = 0; d < TILED; d++) {
		should = within_side(should, d, x->low[d], false);
		should = within_side(should, d, x->high[d], true);
	}
	is = isl_set_is_equal(x->stored, should) == isl_bool_true;
	x->w.c->n_sets += is;
	isl_set_free(should);
	return is || refute(x->w.c, "%s() does not store the cells of its box, "
		"or others", f->name);
}

/* Begin to read a function; names and arrays are its own. */
static struct grid begin(const struct grid *all)
{
	struct grid x = *all;

	x.w = begin_code(all->w.c, all->w.unit);
	x.w.plan = all->w.c->plan;
	x.w.touch = touch_of_box;
	x.stored = isl_set_empty(space_of_dims(x.w.c, DIMS));
	return x;
}

static void end(struct grid *x)
{
	isl_set_free(x->w.at);
	isl_set_free(x->w.ranges);
	isl_set_free(x->stored);
}

/* "f" stores to all cells of its box. */
static bool copies_box(const struct grid *all, const struct kfunc *f,
	bool takes)
{
	struct checker *c = all->w.c;
	const char *own = all->field->name;
	const char *theirs = fresh_name(c->mem, c->prog, "%s_user", own);
	const struct stmt plain = { .write = c->prog->stmt[0]->write,
		.n_dims = DIMS };
	struct nests nests = { .names = all->names };
	struct rows rows = { .function = f };
	struct grid x = begin(all);
	isl_set *cells;
	bool right;

	nests.rows = &rows;
	x.w.nests = &nests;
	bind_box(&x, f, takes ? own : theirs, takes ? theirs : own);
	rows.n_given = isl_set_dim(x.w.at, isl_dim_param);
	cells = isl_set_fix_si(points_inside(c, &plain, true), isl_dim_set, 0,
		0);
	cells = isl_set_project_out(cells, isl_dim_set, 0, 1);
	right = read_statement(&x.w, f->body) && is_stored(&x, f,
		isl_set_copy(cells));
	isl_set_free(cells);
	end(&x);
	return right;
}

/* Loops over planes, rows and cells are nested in this order. */
static bool goes_in_order(const struct grid *x, const struct ks *s, int d)
{
	if (s->kind == KS_FOR) {
		while (d < DIMS && strcmp(s->name, x->names->point[d]) != 0)
			d++;
		if (d++ == DIMS || !kx_is_int(s->x[2], 1))
			return false;
	}
	for (int i = 0; i < s->n_children; i++)
		if (!goes_in_order(x, s->child[i], d))
			return false;
	return true;
}

/* "s" in "f" keeps the cells of a part of a row. */
static bool keeps_part(const struct grid *all, const struct kfunc *f,
	const struct ks *s, int part)
{
	struct checker *c = all->w.c;
	struct nests nests = { .names = all->names };
	struct rows rows = { .function = f };
	struct grid x = begin(all);
	bool right;

	nests.rows = &rows;
	x.w.nests = &nests;
	bind_box(&x, f, version_name(c->mem, c->prog, all->field, 1),
		version_name(c->mem, c->prog, all->field, 0));
	rows.n_given = isl_set_dim(x.w.at, isl_dim_param);
	x.w.at = isl_set_intersect_params(x.w.at, isl_set_params(
		c->form->cells_of_part(c, GRID_COMPUTED)));
	right = read_statement(&x.w, s) && is_stored(&x, f,
		c->form->cells_of_part(c, part)) && (goes_in_order(&x, s, 0) ||
		refute(c, "%s() keeps cells in another order", f->name));
	end(&x);
	return right;
}

/* It keeps those of the parts from "first" on, before "behind", one after the other. */
static bool keeps_parts(const struct grid *x, const char *suffix, int first,
	int behind)
{
	const struct kfunc *f = function(x, suffix);

	if (!f || f->body->n_children != behind - first)
		return refute(x->w.c, "the code does not keep what a step does "
			"not compute");
	for (int part = first; part < behind; part++)
		if (!keeps_part(x, f, f->body->child[part - first], part))
			return false;
	return true;
}

/* The tile -------------------------------------------------------------------- */

/* Takes "should". */
static bool is_number(struct grid *x, const struct kx *is,
	__isl_take isl_pw_aff *should)
{
	isl_pw_aff *value = number_of(&x->w, is);
	bool right = value && comes_to_none(&x->w, isl_pw_aff_ne_set(
		isl_pw_aff_copy(value), isl_pw_aff_copy(should)));

	isl_pw_aff_free(value);
	isl_pw_aff_free(should);
	return right;
}

static __isl_give isl_pw_aff *value_called(const struct grid *x,
	const char *name)
{
	const struct variable *v = variable_called(&x->w, name);

	return v ? isl_pw_aff_copy(v->number) : NULL;
}

static __isl_give isl_pw_aff *times(const struct grid *x,
	__isl_take isl_pw_aff *a, int by)
{
	return isl_pw_aff_scale_val(a, isl_val_int_from_si(x->w.c->ctx, by));
}

/* What the code calls in a tile, in this order. */
enum called { TAKE, KEEP_FIRST, ROWS, KEEP_LAST, GIVE, CALLED };

static const char *const called_name[CALLED] = {
	"_take", "_keep_first", "_rows", "_keep_last", "_give",
};

struct tile_read {
	struct grid *x;
	int next;		/* of enum called */
	const char *row;	/* its loop, or NULL */
	const char *count;
};

/* The row of a call: 0, that of the loop, or the last one. */
static __isl_give isl_pw_aff *row_of(const struct tile_read *t, int what)
{
	return what == TAKE ? constant(&t->x->w, 0) : value_called(t->x, what ==
		GIVE ? t->count : t->row);
}

/* (void *)&A[(h + earlier - row)*shift0][..][lead] */
static bool is_version(struct tile_read *t, int what, const struct kx *x,
	int earlier)
{
	struct grid *g = t->x;

	while (x->kind == KX_CAST || x->kind == KX_ADDRESS)
		x = x->arg[0];
	if (x->kind != KX_INDEX || strcmp(x->name, g->field->name) ||
	    x->n_args != DIMS)
		return false;
	for (int d = 0; d < TILED; d++)
		if (!is_number(g, x->arg[d], times(g, isl_pw_aff_sub(constant(
		    &g->w, g->g.h + earlier), row_of(t, what)),
			g->g.shift[d])))
			return false;
	return is_number(g, x->arg[TILED], constant(&g->w, g->g.lead));
}

/* The origin along "d" less skew*row, and width - 1 more. */
static bool is_side(struct tile_read *t, int what, const struct kx *x, int d,
	bool last)
{
	struct grid *g = t->x;

	return is_number(g, x, plus(isl_pw_aff_sub(value_called(g,
		g->names->origin[d]), times(g, row_of(t, what), g->g.skew[d])),
		last ? g->g.width[d] - 1 : 0));
}

/* Rows are whole: the box of rows along them has all cells. */
static bool is_end_of_row(struct tile_read *t, const struct kx *x, bool last)
{
	struct code *w = &t->x->w;

	return is_number(t->x, x, last ? plus(size_of(w, t->x->field, TILED), -1) :
		constant(w, 0));
}

static bool is_argument(struct tile_read *t, int what, const char *param,
	const struct kx *x)
{
	struct grid *g = t->x;
	struct checker *c = g->w.c;
	const bool copies = what == TAKE || what == GIVE;

	for (int d = 0; d < DIMS; d++)
		for (int last = 0; last < 2; last++) {
			if (strcmp(param, region_printf(c->mem, last ? "%s_high" :
			    "%s_low", g->names->point[d])))
				continue;
			return d < TILED ? is_side(t, what, x, d, last) :
				is_end_of_row(t, x, last);
		}
	if (copies && !strcmp(param, g->field->name))
		return is_version(t, what, x, 0);
	for (int back = 0; !copies && back < 2; back++)
		if (!strcmp(param, version_name(c->mem, c->prog, g->field,
		    1 - back)))
			return is_version(t, what, x, back);
	return x->kind == KX_NAME && !strcmp(x->name, param);
}

/* Arrays of a function are of the shape of those of the tile. */
static bool have_shape(const struct grid *x, const struct kfunc *f)
{
	const struct kfunc *tile = function(x, "_tile");
	const struct kparam *own = NULL;

	for (int i = 0; i < tile->n_params; i++)
		if (!strcmp(tile->param[i].name, x->field->name))
			own = &tile->param[i];
	for (int i = 0; i < f->n_params; i++) {
		const struct kparam *p = &f->param[i];
		bool same = own && p->n_extents == own->n_extents;

		if (strcmp(p->name, x->field->name) && strcmp(p->name,
		    version_name(x->w.c->mem, x->w.c->prog, x->field, 0)) &&
		    strcmp(p->name, version_name(x->w.c->mem, x->w.c->prog,
			x->field, 1)))
			continue;
		for (int d = 0; same && d < p->n_extents; d++)
			same = kx_same(p->extent[d], own->extent[d]);
		if (!same)
			return false;
	}
	return true;
}

static bool read_call(struct tile_read *t, const struct kx *x)
{
	struct grid *g = t->x;
	const int what = t->next++;
	const struct kfunc *f = what < CALLED ? function(g, called_name[what]) :
		NULL;

	if (!f || strcmp(x->name, f->name) != 0 || !have_shape(g, f) ||
	    (what != TAKE && what != GIVE) != (t->row != NULL))
		return refute(g->w.c, "a tile calls %s(), which is not its turn",
			x->name);
	for (int i = 0; i < f->n_params; i++)
		if (!is_argument(t, what, f->param[i].name, x->arg[i]))
			return refute(g->w.c, "a tile passes %s() another '%s' "
				"than that of its row", f->name,
				f->param[i].name);
	return true;
}

static bool read_tile(struct tile_read *t, const struct ks *s);

/* for row from 1 to count */
static bool read_rows_of_tile(struct tile_read *t, const struct ks *s)
{
	struct grid *g = t->x;
	const struct kx *count = s->x[1]->kind == KX_BINARY && s->x[1]->op ==
		OP_LE ? s->x[1]->arg[1] : NULL;
	bool right = !t->row && t->next == KEEP_FIRST && t->count && count &&
		kx_is_int(s->x[0], 1) && kx_is_int(s->x[2], 1) &&
		count->kind == KX_NAME && !strcmp(count->name, t->count);

	if (!right)
		return refute(g->w.c, "the rows of a tile are not those of the "
			"plan");
	t->row = s->name;
	declare_variable(&g->w, s->name)->number = keep_value(&g->w, new_number(
		&g->w, s->name));
	right = read_tile(t, s->child[0]);
	t->row = NULL;
	return right;
}

/* const int count = imin(steps - t0, h) */
static bool read_count(struct tile_read *t, const struct ks *s)
{
	struct grid *g = t->x;
	const bool is_count = !t->row && !t->count;

	if (is_count && !is_number(g, s->x[0], isl_pw_aff_min(isl_pw_aff_sub(
	    value_called(g, g->names->steps), value_called(g, g->names->t0)),
		constant(&g->w, g->g.h))))
		return refute(g->w.c, "a tile has other steps than the plan");
	if (is_count)
		t->count = s->name;
	declare_variable(&g->w, s->name)->number = keep_value(&g->w, is_count ?
		new_number(&g->w, s->name) : number_of(&g->w, s->x[0]));
	return true;
}

static bool read_tile(struct tile_read *t, const struct ks *s)
{
	bool right = true;

	switch (s->kind) {
	case KS_BLOCK:
		for (int i = 0; right && i < s->n_children; i++)
			right = read_tile(t, s->child[i]);
		return right;
	case KS_DECLARE:
		return read_count(t, s);
	case KS_FOR:
		return read_rows_of_tile(t, s);
	case KS_EXPRESSION:
		return s->x[0]->kind == KX_CALL ? read_call(t, s->x[0]) : true;
	default:
		return s->kind == KS_BLANK || s->kind == KS_COMMENT ||
			refute(t->x->w.c, "a tile does more than the plan");
	}
}

/* Names that the function gets: whatever they are. */
static void bind_ints(struct grid *x, const struct kfunc *f)
{
	for (int i = 0; i < f->n_params; i++)
		if (ctype_is(f->param[i].c_type, CT_INT) && !f->param[i].is_array &&
		    !variable_called(&x->w, f->param[i].name))
			declare_variable(&x->w, f->param[i].name)->number =
				keep_value(&x->w, new_number(&x->w,
					f->param[i].name));
}

static bool tile_is_right(const struct grid *all, const struct kfunc *f)
{
	struct grid x = begin(all);
	struct tile_read t = { .x = &x };
	bool right;

	bind_ints(&x, f);
	right = read_tile(&t, f->body) && (t.next == CALLED || refute(x.w.c, "a "
		"tile lacks what the plan has"));
	end(&x);
	return right;
}

/* All tiles -------------------------------------------------------------------- */

/* The only loop in "s", and what precedes it there; NULL. */
static const struct ks *loop_in(const struct ks *s, const struct ks **before)
{
	for (int i = 0; s->kind == KS_BLOCK && i < s->n_children; i++) {
		const struct ks *loop = loop_in(s->child[i], before);

		if (loop && i > 0 && s->child[i - 1]->kind == KS_DIRECTIVE)
			*before = s->child[i - 1];
		if (loop)
			return loop;
	}
	if (s->kind == KS_IF)
		return loop_in(s->child[0], before);
	return s->kind == KS_FOR ? s : NULL;
}

/* for S_d = 0 .. (size - 1 + skew*h)/width */
static bool goes_through_tiles(struct grid *x, const struct ks *s, int d)
{
	struct code *w = &x->w;
	isl_pw_aff *last = plus(size_of(w, x->field, d), x->g.skew[d] * x->g.h -
		1);

	last = isl_pw_aff_floor(isl_pw_aff_scale_down_val(last,
		isl_val_int_from_si(w->c->ctx, x->g.width[d])));
	return is_number(x, s && s->x[1]->kind == KX_BINARY && s->x[1]->op ==
		OP_LE ? s->x[1]->arg[1] : kx_int(w->c->mem, -1), last) &&
		kx_is_int(s->x[0], 0) && kx_is_int(s->x[2], 1) &&
		!strcmp(s->name, x->names->tile[d]);
}

/* "s", the body of both loops, begins after the tile before is done, and says when it is done. */
static bool waits(const struct grid *x, const struct ks *s)
{
	const int n = s->n_children;
	const struct directive *first, *last;

	if (s->kind != KS_BLOCK || n < 3 || s->child[0]->kind != KS_DIRECTIVE ||
	    s->child[n - 1]->kind != KS_DIRECTIVE)
		return false;
	first = &s->child[0]->directive;
	last = &s->child[n - 1]->directive;
	return first->kind == OMP_AFTER && !strcmp(first->after[0],
		x->names->tile[0]) && !strcmp(first->after[1],
		x->names->tile[1]) && last->kind == OMP_DONE;
}

/* The origins are the widths times S, and the tile is called with them. */
static bool calls_tile(struct grid *x, const struct ks *s)
{
	const struct kfunc *tile = function(x, "_tile");
	bool called = false;

	for (int d = 0; d < TILED; d++)
		declare_variable(&x->w, x->names->tile[d])->number = keep_value(
			&x->w, new_number(&x->w, x->names->tile[d]));
	for (int i = 0; i < s->n_children; i++) {
		const struct ks *c = s->child[i];
		const struct kx *call = c->kind == KS_EXPRESSION ? c->x[0] : NULL;

		for (int d = 0; c->kind == KS_DECLARE && d < TILED; d++)
			if (!strcmp(c->name, x->names->origin[d]) &&
			    !is_number(x, c->x[0], times(x, value_called(x,
				x->names->tile[d]), x->g.width[d])))
				return false;
		if (!call)
			continue;
		if (called || call->kind != KX_CALL || strcmp(call->name,
		    tile->name))
			return false;
		called = true;
		for (int p = 0; p < tile->n_params; p++)
			if (call->arg[p]->kind != KX_NAME || strcmp(
			    call->arg[p]->name, tile->param[p].name))
				return false;
	}
	return called;
}

static bool run_is_right(const struct grid *all, const struct kfunc *run)
{
	struct grid x = begin(all);
	const struct ks *directive = NULL, *none = NULL;
	const struct ks *bands = loop_in(run->body, &none), *s0, *s1;
	bool right;

	bind_ints(&x, run);
	s0 = bands ? loop_in(bands->child[0], &directive) : NULL;
	s1 = s0 ? loop_in(s0->child[0], &none) : NULL;
	right = s1 && kx_is_int(bands->x[0], 0) && kx_is_int(bands->x[2],
		x.g.h) && !strcmp(bands->name, x.names->t0) &&
		goes_through_tiles(&x, s0, 0) && goes_through_tiles(&x, s1, 1) &&
		directive && directive->directive.kind == OMP_FOR &&
		directive->directive.ordered == TILED &&
		!directive->directive.nowait && waits(&x, s1->child[0]) &&
		calls_tile(&x, s1->child[0]);
	end(&x);
	return right || refute(x.w.c, "the loops over tiles are not those of the "
		"plan");
}

/* All of it ---------------------------------------------------------------------- */

bool grid_is_right(struct checker *c, const struct kunit *unit)
{
	const struct field *field = c->prog->stmt[0]->write->field;
	struct grid x = {
		.w = { .c = c, .unit = unit },
		.g = c->form->find_grid(c->plan), .field = field,
		.names = kernel_names_new(c->mem, c->prog),
	};
	const struct kfunc *take = function(&x, "_take");
	const struct kfunc *give = function(&x, "_give");
	const struct kfunc *tile = function(&x, "_tile");
	const struct kfunc *run = function(&x, "");

	if (!take || !give || !tile || !run)
		return refute(c, "the code has no tiles on one grid");
	if (!copies_box(&x, take, true) || !copies_box(&x, give, false) ||
	    !keeps_parts(&x, "_keep_first", GRID_BEFORE_0, GRID_COMPUTED) ||
	    !keeps_parts(&x, "_keep_last", GRID_BESIDE, GRID_PARTS) ||
	    !tile_is_right(&x, tile) || !run_is_right(&x, run))
		return false;
	claim(c, "a tile takes the cells of the plan, keeps those of a row that "
		"are not computed, in order, and gives back its last row, each "
		"where its version lies; it runs when those before it have run");
	return true;
}
