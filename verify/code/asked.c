/* Questions about the code of strips where it computes, loads and stores. */
#include "verify/code/asked.h"

/* Computed ------------------------------------------------------------------ */

/* The step computes this position in this turn. */
static bool is_at_its_turn(const struct lanes *l, const struct point *p)
{
	const struct kx *u = kx_name(l->w->c->mem, l->names->strips.turn);
	int64_t turn = 0;

	return p->step >= 0 && p->step < l->s.steps && (l->s.along < 0 ||
		(number_in_code(l, u, &turn) && turn < l->s.period &&
		p->cell.at[ALONG] == turn - p->step * l->s.lag_of_step -
		l->s.lag[p->stmt->index]));
}

bool never_differs(struct lanes *l, const struct point *p, bool runs)
{
	struct words w;
	isl_set *set, *domain;
	int value;

	if (!is_at_its_turn(l, p))
		return false;
	ask(l, &w, runs ? "runs" : "is left out", p);
	if (was_answered(l, &w, &value))
		return value;
	set = place_at(l, p);
	domain = instances_at(l, p->stmt);
	return note_answer(l, &w, is_nowhere(l, runs ? isl_set_subtract(set,
		domain) : isl_set_intersect(set, domain)));
}

bool never_comes_to(struct lanes *l, const struct point *p,
	const struct expr *condition, bool truth)
{
	struct words w;
	isl_set *set, *holds;
	int value;

	ask(l, &w, truth ? "holds" : "fails", p);
	put_word(&w, (intptr_t) condition);
	if (was_answered(l, &w, &value))
		return value;
	set = isl_set_intersect(place_at(l, p), instances_at(l, p->stmt));
	holds = holds_at(l, p->stmt, condition);
	return note_answer(l, &w, is_nowhere(l, truth ? isl_set_intersect(set,
		holds) : isl_set_subtract(set, holds)));
}

bool comes_nowhere(struct lanes *l)
{
	struct point p = { .what = REACHED, .step = -1 };
	struct around around = { { false } };
	struct words w;
	int value;

	ask(l, &w, "is reached", &p);
	if (was_answered(l, &w, &value))
		return value;
	return note_answer(l, &w, is_nowhere(l, where_ways_go(l, &p,
		isl_set_copy(l->range), &around)));
}

bool is_never_there(struct lanes *l, const struct point *p)
{
	struct point of_column = *p;
	struct words w;
	int value;

	of_column.is_of_column = true;
	ask(l, &w, "is there", &of_column);
	if (was_answered(l, &w, &value))
		return value;
	return note_answer(l, &w, is_nowhere(l, place_at(l, &of_column)));
}

/* Loaded --------------------------------------------------------------------- */

bool is_never_in_grid(struct lanes *l, const struct point *p)
{
	struct words w;
	int value;

	ask(l, &w, "is in the grid", p);
	if (was_answered(l, &w, &value))
		return value;
	return note_answer(l, &w, is_nowhere(l, place_at(l, p)));
}

static struct point elsewhere(void)
{
	return (struct point) { .what = ELSEWHERE, .step = -1 };
}

/* "x" where "p" is, or NULL. */
static __isl_give isl_pw_aff *number_at(struct lanes *l, const struct kx *x,
	const struct point *p)
{
	struct around around = { { false } };

	name_variables(l, x, p, &around);
	return number_of(l->w, x);
}

/* (depth*pass - behind) mod copies, for what the pass finds; one pass more, for what it leaves. */
static __isl_give isl_pw_aff *copy_of(const struct lanes *l,
	const struct field *f, int behind, int more)
{
	int n = l->w->plan->scop->field[f->index].buffers;

	return isl_pw_aff_mod_val(plus(times(isl_pw_aff_copy(l->symbol[PASS]),
		f->depth), more * f->depth - behind), isl_val_int_from_si(
		l->w->c->ctx, n > 1 ? n : 1));
}

int version_loaded(struct lanes *l, const struct field *f,
	const struct kx *copy)
{
	struct point p = elsewhere();
	int value, behind = 0;
	isl_pw_aff *number;
	struct words w = { .n = 0 };

	put_word(&w, (intptr_t) "is loaded");
	put_word(&w, (intptr_t) f);
	put_tree(l, &w, copy, &p);
	if (was_answered(l, &w, &value))
		return value;
	number = number_at(l, copy, &p);
	while (number && behind < f->depth && !is_always(l, isl_pw_aff_copy(
	       number), copy_of(l, f, behind, 0)))
		behind++;
	value = number && behind < f->depth ? behind : -1;
	isl_pw_aff_free(number);
	return note_answer(l, &w, value);
}

bool has_neighbour_otherwise(struct lanes *l, int lanes)
{
	struct point p = elsewhere();
	struct around around = { { false } };
	isl_set *set = where_way_goes(l, l->way, &p, isl_set_copy(l->range),
		&around);
	isl_pw_aff *lane = l->symbol[LANE], *warp;

	warp = times(isl_pw_aff_floor(isl_pw_aff_scale_down_val(
		isl_pw_aff_copy(lane), isl_val_int_from_si(l->w->c->ctx,
			l->s.warp))), l->s.warp);
	lane = plus(isl_pw_aff_copy(lane), lanes);
	set = isl_set_intersect(set, between(constant(l->w, 0), lane,
		constant(l->w, l->s.lanes)));
	set = isl_set_subtract(set, between(isl_pw_aff_copy(warp), lane, plus(
		isl_pw_aff_copy(warp), l->s.warp)));
	isl_pw_aff_free(warp);
	isl_pw_aff_free(lane);
	l->w->known = l->parameters;
	return is_nowhere(l, set);
}

/* Time ------------------------------------------------------------------------ */

static __isl_give isl_pw_aff *number_in_program(const struct lanes *l,
	const struct expr *e)
{
	isl_space *space = isl_set_get_space(l->w->at);
	isl_pw_aff *number = value_of(l->w->c, space, e);

	isl_space_free(space);
	return number;
}

static __isl_give isl_pw_aff *steps_of_program(const struct lanes *l)
{
	return isl_pw_aff_sub(number_in_program(l, l->w->c->prog->end),
		number_in_program(l, l->w->c->prog->begin));
}

bool is_after_last_step(struct lanes *l, int64_t step)
{
	struct point p = elsewhere();
	struct around around = { { false } };
	struct line time = line_of_time(step);
	isl_set *set = where_ways_go(l, &p, isl_set_copy(l->range), &around);

	l->w->known = l->parameters;
	return is_nowhere(l, isl_set_intersect(set, isl_pw_aff_lt_set(
		number_of_line(l, &time), steps_of_program(l))));
}

bool is_time(struct lanes *l, const struct point *p, const struct kx *x)
{
	struct words w = { .n = 0 };
	isl_pw_aff *number;
	int value;

	put_word(&w, (intptr_t) "is the time");
	put_tree(l, &w, x, p);
	if (was_answered(l, &w, &value))
		return value;
	number = number_at(l, x, p);
	return note_answer(l, &w, number && is_always(l, number,
		isl_pw_aff_add(isl_pw_aff_copy(l->t), number_in_program(l,
			l->w->c->prog->begin))));
}

bool is_size(struct lanes *l, const struct kx *x, int d)
{
	const struct program *prog = l->w->c->prog;
	struct point p = elsewhere();
	isl_pw_aff *number = number_at(l, x, &p);
	bool right = number;

	l->w->known = l->parameters;
	for (int i = 0; right && i < prog->n_fields; i++)
		if (prog->field[i]->kind == FIELD_STATE)
			right = is_always(l, isl_pw_aff_copy(number), size_of(
				l->w, prog->field[i], d));
	isl_pw_aff_free(number);
	return right;
}

/* Stored ------------------------------------------------------------------------ */

/* { [] : the strip is the first one along dimension "d" } */
static __isl_give isl_set *is_first_strip(struct lanes *l, int d)
{
	return isl_pw_aff_eq_set(isl_pw_aff_copy(l->symbol[ORIGIN +
		axis_of_dim(l, d)]), constant(l->w,
		l->w->plan->tiles.rim[d].low));
}

/* { [] : the strip, which ends at "end", is the last one: its rim holds what is left of all
 * states }
 */
static __isl_give isl_set *is_last_strip(struct lanes *l, int d,
	__isl_keep isl_pw_aff *end)
{
	const struct program *prog = l->w->c->prog;
	isl_set *last = isl_set_copy(l->range);

	for (int i = 0; i < prog->n_fields; i++)
		if (prog->field[i]->kind == FIELD_STATE)
			last = isl_set_intersect(last, isl_pw_aff_ge_set(plus(
				isl_pw_aff_copy(end),
				l->w->plan->tiles.rim[d].high), size_of(l->w,
					prog->field[i], d)));
	return last;
}

/* { [] : the strip stores the cell, along the axis of "p" } */
static __isl_give isl_set *own_cells(struct lanes *l, int axis)
{
	const int d = dim_of_axis(l, axis);
	const struct rim *rim = &l->w->plan->tiles.rim[d];
	isl_pw_aff *begin = l->symbol[ORIGIN + axis], *x = l->x[axis];
	isl_pw_aff *end = isl_pw_aff_add(isl_pw_aff_copy(begin),
		axis == ALONG ? isl_pw_aff_copy(l->length) : constant(l->w,
			axis == ROW ? l->s.height : l->s.width));
	isl_set *own = between(isl_pw_aff_copy(begin), x, isl_pw_aff_copy(end));

	if (rim->low > 0)
		own = isl_set_union(own, isl_set_intersect(is_first_strip(l,
			d), between(plus(isl_pw_aff_copy(begin), -rim->low), x,
				isl_pw_aff_copy(begin))));
	if (rim->high > 0)
		own = isl_set_union(own, isl_set_intersect(is_last_strip(l, d,
			end), between(isl_pw_aff_copy(end), x, plus(
				isl_pw_aff_copy(end), rim->high))));
	isl_pw_aff_free(end);
	return own;
}

static bool is_own_along(struct lanes *l, const struct point *p)
{
	struct words w;
	int value;

	ask(l, &w, "is the strip's own", p);
	if (was_answered(l, &w, &value))
		return value;
	return note_answer(l, &w, is_nowhere(l, isl_set_subtract(place_at(l,
		p), own_cells(l, p->axis))));
}

/* A version, counted from the step of the surrounding code if there is one. */
static __isl_give isl_pw_aff *version_here(const struct lanes *l, int version)
{
	int64_t step;

	return step_in_code(l, &step) ? plus(isl_pw_aff_copy(l->m), version -
		step) : constant(l->w, version);
}

/* { [] : "copy" holds "version"; after the last step there are no others }: the last version is
 * min(t0 + steps, end) - t0.
 */
static __isl_give isl_set *is_copy_of_version(struct lanes *l,
	const struct field *f, int version, __isl_take isl_pw_aff *copy)
{
	isl_set *right = isl_set_empty(isl_set_get_space(l->range));
	isl_pw_aff *last = isl_pw_aff_min(constant(l->w, l->s.steps),
		isl_pw_aff_sub(steps_of_program(l), isl_pw_aff_copy(
			l->symbol[FIRST_STEP])));

	for (int behind = 0; behind < f->depth; behind++) {
		isl_set *is = isl_pw_aff_eq_set(isl_pw_aff_copy(copy),
			copy_of(l, f, behind, 1));

		right = isl_set_union(right, isl_set_intersect(is,
			isl_pw_aff_eq_set(isl_pw_aff_min(isl_pw_aff_copy(last),
				version_here(l, version)), plus(isl_pw_aff_copy(
				last), -behind))));
	}
	isl_pw_aff_free(last);
	isl_pw_aff_free(copy);
	return right;
}

static bool is_right_copy(struct lanes *l, const struct point *p,
	const struct kx *copy)
{
	struct around around = { { false } };
	struct words w;
	isl_pw_aff *number;
	isl_set *set;
	int value;

	ask(l, &w, "is left", p);
	put_tree(l, &w, copy, p);
	if (was_answered(l, &w, &value))
		return value;
	set = where_ways_go(l, p, isl_set_copy(l->range), &around);
	number = number_at(l, copy, p);
	if (number)
		set = isl_set_subtract(set, is_copy_of_version(l,
			p->cell.field, p->cell.version, number));
	return note_answer(l, &w, is_nowhere(l, set));
}

bool stores_right(struct lanes *l, const struct point *p,
	const struct kx *copy)
{
	struct point q = *p;

	for (q.axis = 0; q.axis < N_AXES; q.axis++)
		if (dim_of_axis(l, q.axis) >= 0 && !is_own_along(l, &q))
			return false;
	q.what = LEFT;
	q.axis = 0;
	return is_right_copy(l, &q, copy);
}
