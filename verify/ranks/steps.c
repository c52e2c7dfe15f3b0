/* Does what the code says about halos include all that steps read?  Starting from what each
 * copy is said to need "left" steps before the next exchange, follow what the step before reads
 * back through its statements, the last one first.  It must be what is said to be needed one
 * step earlier.  After the last step the rank's own cells of each result are needed.  By
 * induction this holds for any number of steps.
 *
 * Whatever conditions say, every point counts as computed and as keeping its value.
 */
#include "verify/ranks/ranks.h"

/* Cells "offset" from the current points were examined, in a field of this size. */
struct looked_at {
	const struct expr *size;
	int64_t offset;
	const struct looked_at *next;
};

/* State along the current dimension. */
struct step {
	struct ranks *r;
	bool is_last;			/* before the next exchange */
	/* { [y] } of version 1 - slot, by field, slot and dimension of the field; NULL: no
	 * cell, or a dimension not cut along the current one.
	 */
	isl_set *(**needed)[IR_MAX_DIMS];
	const struct stmt *stmt;	/* the current one, .. */
	isl_set *points;		/* .. and the coordinates of its points, .. */
	isl_set *inside;		/* .. where what it reads lies in the grid */
	const struct looked_at *looked_at;
	isl_set *about;			/* convex, containing all of the context */
};

static isl_set **needed_of(const struct step *s, const struct field *f, int slot,
	int d)
{
	return &s->needed[f->index][slot][d];
}

static bool is_along(const struct step *s, const struct field *f, int d)
{
	return cut_of(s->r, f, d) == s->r->k;
}

/* "cells" are needed, too. */
static void need(const struct step *s, const struct field *f, int slot, int d,
	__isl_take isl_set *cells)
{
	isl_set **all = needed_of(s, f, slot, d);

	if (*all)
		cells = isl_set_union(isl_set_copy(*all), cells);
	cells = isl_set_coalesce(isl_set_intersect_params(cells, isl_set_copy(
		s->about)));
	*all = keep_in_checker(s->r->c, cells);
}

/* Does "f" have one copy, in which reads find what was written last, in the same step or before it? */
static bool is_one_copy(const struct step *s, const struct field *f)
{
	return s->r->c->prog->waves && f->kind == FIELD_STATE;
}

static int slot_of_version(const struct step *s, const struct field *f, int version)
{
	return is_one_copy(s, f) ? 0 : 1 - version;
}

/* The slot of copy "copy" after the step, or before it. */
static int slot_of(const struct step *s, const struct field *f, int copy,
	bool before)
{
	return is_one_copy(s, f) ? 0 : f->kind != FIELD_STATE ? 1 :
		field_copies(f) - 1 - copy + before;
}

static __isl_give isl_pw_aff *steps_left(const struct step *s, bool before)
{
	isl_space *line = space_of_dims(s->r->c, 1);
	isl_pw_aff *left = number_for(s->r, line, LEFT);

	isl_space_free(line);
	return before ? left : plus(left, -1);
}

/* What is needed after the step; "left" includes this one. */
static void begin(struct step *s)
{
	const struct program *prog = s->r->c->prog;

	s->about = keep_in_checker(s->r->c, isl_set_from_basic_set(
		isl_set_simple_hull(isl_set_copy(s->r->context))));
	s->needed = region_alloc(s->r->c->mem, sizeof(*s->needed) *
		(size_t) prog->n_fields);
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = prog->field[i];

		s->needed[i] = region_alloc(s->r->c->mem, sizeof(**s->needed) *
			(size_t) (f->depth + 2));
		for (int copy = 0; field_is_argument(f) &&
		     copy < field_copies(f); copy++)
			for (int d = 0; d < f->n_dims; d++) {
				if (!is_along(s, f, d))
					continue;
				if (!s->is_last)
					need(s, f, slot_of(s, f, copy, false), d,
						needed_cells(s->r, f, copy, d,
							steps_left(s, false)));
				else if (field_is_result(f))
					need(s, f, slot_of(s, f, copy, false), d,
						own_cells(s->r, f, d));
			}
	}
}

/* Subscripts --------------------------------------------------------------- */

static const struct field *in_block(const struct step *s, const struct field *f)
{
	return s->r->blocks->block->field[f->index];
}

/* { [x] : x + offset lies beyond "side" of "f" }, in the grid or in the block */
static __isl_give isl_set *beyond(const struct step *s, const struct field *f,
	int d, int64_t offset, enum side side, bool of_block)
{
	isl_space *line = space_of_dims(s->r->c, 1);
	isl_pw_aff *at = plus(coordinate(line, 0), offset);
	isl_set *set;

	if (of_block)
		at = isl_pw_aff_sub(at, number_for(s->r, line, ORIGIN));
	if (!of_block && s->r->exchange.dim[s->r->k].is_around) {
		isl_pw_aff_free(at);
		set = isl_set_empty(isl_space_copy(line));
	} else if (side == SIDE_LOW) {
		set = isl_pw_aff_nonneg_set(plus(isl_pw_aff_neg(at), -1));
	} else {
		set = isl_pw_aff_ge_set(at, value_of(s->r->c, line, (of_block ?
			in_block(s, f) : f)->size[d]));
	}
	isl_space_free(line);
	return set;
}

static bool was_looked_at(struct step *s, const struct expr *size,
	int64_t offset)
{
	const struct looked_at *l = s->looked_at;
	struct looked_at *new;

	while (l && (l->offset != offset || !expr_same_size(l->size, size)))
		l = l->next;
	if (l)
		return true;
	new = region_new_of(s->r->c->mem, struct looked_at);
	*new = (struct looked_at) { size, offset, s->looked_at };
	s->looked_at = new;
	return false;
}

/* Wherever a point lies, "x + offset" lies beyond the block exactly if it lies beyond the grid. */
static bool is_beyond_alike(struct step *s, const struct field *f, int d,
	int64_t offset)
{
	bool alike = true;

	if (was_looked_at(s, f->size[d], offset))
		return true;
	for (int side = 0; side < SIDES && alike; side++) {
		isl_set *points = isl_set_intersect_params(isl_set_copy(
			s->points), isl_set_copy(s->r->context));
		isl_set *grid = isl_set_intersect(isl_set_copy(points),
			beyond(s, f, d, offset, side, false));
		isl_set *block = isl_set_intersect(points, beyond(s, f, d,
			offset, side, true));

		alike = is_shown_empty(s->r->c, isl_set_subtract(isl_set_copy(
			grid), isl_set_copy(block))) && is_shown_empty(s->r->c,
			isl_set_subtract(block, grid));
	}
	return alike || refute(s->r->c, "a point of %s that own cells depend on, "
		"%d steps or more before an exchange, reads '%s' beyond its "
		"block of dimension %d", s->stmt->name, s->is_last ? 1 : 2,
		f->name, s->r->k);
}

/* { [x] -> [y] }: the cells that "acc" reads at x, boundary included */
static __isl_give isl_map *cells_read(const struct step *s,
	const struct access *acc, int d)
{
	isl_space *line;
	isl_map *map;

	if (!s->r->exchange.dim[s->r->k].is_around)
		return reads_along(s->r->c, s->stmt, acc, d);
	line = space_of_dims(s->r->c, 1);
	map = isl_map_from_pw_aff(plus(coordinate(line, 0), acc->offset[d]));
	isl_space_free(line);
	return map;
}

/* A field's subscript along a cut of the grid uses the index of that dimension. */
static bool is_in_line(const struct step *s, const struct access *acc, int d)
{
	bool along = is_along(s, acc->field, d);

	return (along == (acc->dim[d] == s->r->k) && (!along ||
		!access_strides_along(acc, d))) || refute(s->r->c, "%s reads '%s' by "
		"another index along dimension %d", s->stmt->name,
		acc->field->name, s->r->k);
}

/* Does what goes around do so on both sides? */
static bool goes_on(const struct step *s, const struct access *acc, int d)
{
	return !s->r->exchange.dim[s->r->k].is_around || !acc->offset[d] ||
		field_goes_around(acc->field, d) || refute(s->r->c, "'%s' does "
			"not go around", acc->field->name);
}

static bool need_of_read(struct step *s, const struct access *acc)
{
	for (int d = 0; d < acc->field->n_dims; d++) {
		if (!is_in_line(s, acc, d))
			return false;
		if (!is_along(s, acc->field, d))
			continue;
		if (!goes_on(s, acc, d) || !is_beyond_alike(s, acc->field, d,
		    acc->offset[d]))
			return false;
		need(s, acc->field, slot_of_version(s, acc->field,
			acc->version), d, isl_set_apply(isl_set_copy(s->inside),
			cells_read(s, acc, d)));
	}
	return true;
}

/* Elements ----------------------------------------------------------------- */

struct elements {
	const struct step *step;
	isl_set *cells;			/* { [y] }: what the index is */
	int dim;			/* the index; -1: none along the
					 * dimension */
	int n_dims;
	bool good;
};

/* { [x] -> [y] } of y - x, if it does not depend on x; else NULL */
static __isl_give isl_pw_aff *distance(const struct elements *e,
	const struct expr *subscript)
{
	isl_space *space = space_of_dims(e->step->r->c, 1 + e->n_dims);
	isl_pw_aff *at = value_of(e->step->r->c, space, subscript);

	if (e->dim >= 0)
		at = isl_pw_aff_sub(at, coordinate(space, 1 + e->dim));
	isl_space_free(space);
	at = isl_pw_aff_coalesce(at);
	if (at && isl_pw_aff_involves_dims(at, isl_dim_in, 0,
	    (unsigned) (1 + e->n_dims)) == isl_bool_false)
		return isl_pw_aff_drop_dims(at, isl_dim_in, 0,
			(unsigned) e->n_dims);
	isl_pw_aff_free(at);
	return NULL;
}


static bool uses_index(const struct expr *e, int dim)
{
	bool uses = e->kind == EXPR_INDEX && e->dim == dim;

	for (int i = 0; !uses && i < e->n_args; i++)
		uses = uses_index(e->arg[i], dim);
	return uses;
}

static bool need_of_subscript(const struct elements *e, const struct expr *x,
	int d)
{
	const struct step *s = e->step;
	isl_space *line = space_of_dims(s->r->c, 1);
	isl_pw_aff *at;

	if (!is_along(s, x->field, d)) {
		isl_space_free(line);
		return e->dim < 0 || !uses_index(x->arg[d], e->dim);
	}
	at = e->dim >= 0 ? distance(e, x->arg[d]) : NULL;
	if (at)
		need(s, x->field, 1, d, isl_set_intersect(cells_of_grid(s->r,
			x->field, d), isl_set_apply(isl_set_copy(e->cells),
			isl_map_from_pw_aff(isl_pw_aff_add(at, coordinate(line,
				0))))));
	isl_space_free(line);
	return at != NULL;
}

static void need_of_element(void *user, const struct expr *x)
{
	struct elements *e = user;

	if (x->kind != EXPR_ELEMENT)
		return;
	for (int d = 0; d < x->n_args; d++)
		e->good = e->good && need_of_subscript(e, x, d);
}

static void need_of_tree(struct elements *e, const struct expr *x)
{
	need_of_element(e, x);
	for (int i = 0; i < x->n_args; i++)
		need_of_tree(e, x->arg[i]);
}

/* { [x] -> [y] }: the cell of the grid nearest to the one that "acc" reads */
static __isl_give isl_map *nearest(const struct step *s,
	const struct access *acc, int d)
{
	isl_space *line = space_of_dims(s->r->c, 1);
	isl_pw_aff *at = plus(coordinate(line, 0), acc->offset[d]);
	isl_pw_aff *last = plus(value_of(s->r->c, line, acc->field->size[d]), -1);

	at = isl_pw_aff_min(at, last);
	at = isl_pw_aff_max(at, isl_pw_aff_val_on_domain(isl_set_universe(line),
		isl_val_zero(s->r->c->ctx)));
	return isl_map_from_pw_aff(at);
}

/* Elements in boundary values of what "acc" reads; an index there is that of the cell that
 * stands for the one read, or of the nearest one to it.
 */
static bool need_of_boundaries(const struct step *s, const struct access *acc)
{
	const struct field *f = acc->field;
	struct elements e = { .step = s, .dim = -1, .n_dims = f->n_dims,
		.good = true };

	for (int d = 0; d < f->n_dims; d++)
		if (is_along(s, f, d)) {
			e.dim = d;
			e.cells = isl_set_union(isl_set_apply(isl_set_copy(
				s->inside), cells_read(s, acc, d)),
				isl_set_apply(isl_set_copy(s->inside),
					nearest(s, acc, d)));
		}
	for (int i = 0; i < f->n_dims * SIDES; i++)
		if (f->boundary[i / SIDES][i % SIDES].value)
			need_of_tree(&e, f->boundary[i / SIDES][i % SIDES].value);
	isl_set_free(e.cells);
	return e.good || refute(s->r->c, "a boundary of '%s' reads an input by "
		"another index along dimension %d", f->name, s->r->k);
}

static bool need_of_elements(struct step *s)
{
	struct elements e = { .step = s, .cells = s->points, .dim = s->r->k,
		.n_dims = s->stmt->n_dims, .good = true };

	stmt_each_expr(s->stmt, need_of_element, &e);
	stmt_each_listed_expr(s->stmt, need_of_element, &e);
	for (int i = 0; e.good && i < s->stmt->n_elements; i++) {
		const struct access *acc = s->stmt->element[i];

		for (int d = 0; e.good && d < acc->field->n_dims; d++)
			if (acc->dim[d] == s->r->k)
				e.good = is_along(s, acc->field, d) &&
					is_beyond_alike(s, acc->field, d,
						acc->offset[d]);
	}
	return e.good || refute(s->r->c, "%s reads an element of an input by "
		"another index along dimension %d", s->stmt->name, s->r->k);
}

/* Statements --------------------------------------------------------------- */

static bool need_of_statement(struct step *s)
{
	const struct stmt *stmt = s->stmt;
	bool good = is_beyond_alike(s, stmt->write->field, s->r->k, 0) &&
		need_of_elements(s);

	for (int i = 0; i < stmt->n_reads && good; i++)
		good = need_of_read(s, stmt->read[i]) &&
			need_of_boundaries(s, stmt->read[i]);
	return good;
}

/* What "stmt" computes is recorded at the rank's own cells, or, between cells, at the next
 * ones, too.
 */
static void need_of_records(const struct step *s, const struct stmt *stmt)
{
	const struct field *f = stmt->write->field;
	isl_space *line = space_of_dims(s->r->c, 1);

	for (int i = 0; i < stmt->n_listed; i++) {
		if (!stmt->listed[i]->series)
			continue;
		need(s, f, 1 - stmt->write->version, s->r->k, own_cells(s->r, f,
			s->r->k));
		if (stmt->listed[i]->corners)
			need(s, f, 1 - stmt->write->version, s->r->k,
				isl_set_intersect(cells_of_grid(s->r, f,
				s->r->k), isl_set_apply(own_cells(s->r, f,
				s->r->k), isl_map_from_pw_aff(plus(coordinate(
					line, 0), 1)))));
	}
	isl_space_free(line);
}

/* From what is needed after a statement to what is needed before it. */
static bool step_back(struct step *s, const struct stmt *stmt)
{
	const struct access *write = stmt->write;
	int k = s->r->k, slot = slot_of_version(s, write->field, write->version);
	isl_set *written;
	isl_space *line;
	bool good;

	if (stmt->n_dims <= k || write->field->n_dims <= k || write->dim[k] != k ||
	    write->offset[k] || !is_along(s, write->field, k))
		return refute(s->r->c, "%s computes a field that dimension %d "
			"does not cut", stmt->name, k);
	need_of_records(s, stmt);
	written = *needed_of(s, write->field, slot, k);
	if (!written)
		return true;
	s->stmt = stmt;
	s->looked_at = NULL;
	s->points = isl_set_intersect(isl_set_copy(written), cells_of_grid(s->r,
		write->field, k));
	line = space_of_dims(s->r->c, 1);
	s->inside = isl_set_intersect(isl_set_copy(s->points), inside_along(
		s->r->c, line, stmt, k));
	isl_space_free(line);
	good = computes_all(s->r, stmt, s->points) && need_of_statement(s);
	isl_set_free(s->inside);
	isl_set_free(s->points);
	return good;
}

/* A cell that no statement computes keeps its value. */
static void keep_values(const struct step *s, const struct field *f)
{
	for (int d = 0; d < f->n_dims; d++)
		if (f->kind == FIELD_STATE && !is_one_copy(s, f) && !f->is_hidden &&
		    *needed_of(s, f, 0, d))
			need(s, f, 1, d, isl_set_copy(*needed_of(s, f, 0, d)));
}

static bool is_said(const struct step *s, const struct field *f, int copy, int d)
{
	isl_set *cells = *needed_of(s, f, slot_of(s, f, copy, true), d);
	isl_point *p;

	if (!cells)
		return true;
	cells = isl_set_subtract(isl_set_intersect_params(isl_set_copy(cells),
		isl_set_copy(s->r->context)), needed_cells(s->r, f, copy, d,
		steps_left(s, true)));
	p = example_of(s->r->c, cells);
	if (!p)
		return is_shown_empty(s->r->c, cells);
	isl_set_free(cells);
	refute(s->r->c, "%s: own cells depend on cell %lld of '%s' along "
		"dimension %d, copy %d, which is not said to be needed",
		sizes_of_point(s->r->c, p), (long long) coordinate_of_point(p, 0),
		f->name, s->r->k, copy);
	isl_point_free(p);
	return false;
}

static bool check_step(struct ranks *r, bool is_last)
{
	const struct program *prog = r->c->prog;
	struct step s = { .r = r, .is_last = is_last };

	begin(&s);
	for (int i = prog->n_stmts - 1; i >= 0; i--)
		if (!step_back(&s, prog->stmt[i]))
			return false;
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = prog->field[i];

		keep_values(&s, f);
		for (int copy = 0; field_is_argument(f) &&
		     copy < field_copies(f); copy++)
			for (int d = 0; d < f->n_dims; d++)
				if (!is_said(&s, f, copy, d))
					return false;
	}
	return true;
}

bool check_steps(struct ranks *r)
{
	isl_set *ranks = r->context;
	isl_space *space = space_of_dims(r->c, 0);
	isl_pw_aff *before = plus(number_for(r, space, LEFT), -1);
	isl_set *is_last = isl_set_params(isl_pw_aff_zero_set(isl_pw_aff_copy(
		before)));
	isl_set *is_other = isl_set_params(isl_pw_aff_pos_set(before));
	bool good;

	isl_space_free(space);
	r->context = isl_set_intersect(isl_set_copy(ranks), is_last);
	good = check_step(r, true);
	isl_set_free(r->context);
	r->context = isl_set_intersect(isl_set_copy(ranks), is_other);
	good = good && (!r->c->prog->timed || check_step(r, false));
	isl_set_free(r->context);
	r->context = ranks;
	return good;
}
