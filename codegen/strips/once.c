/* Strips of register streaming: expressions that do not change from cell to cell, and contain a
 * function, a division or, for steps, an element of an input, are computed once and kept in
 * registers:
 *
 *	of steps, such as a wavelet: for each step of the strip, or once if the time is
 *	not in it, before the iterations
 *	of cells, which stay the lane's own: for each of them, before the iterations
 *	of positions along the streamed dimension: when the first step reaches them,
 *	for as long as later steps do
 */
#include "codegen/strips/strips.h"

/* A value of steps takes a register a step; the others together take at most so
 * many.
 */
enum { MOST_VALUES = 8, MOST_OF_STEPS = 4, MOST_REGISTERS = 16 };

enum kept { OF_STEP, OF_CELL, OF_POSITION, OF_NONE };

struct kept_value {
	const struct expr *value;
	enum kept of;
	bool by_step, by_row, by_column;	/* which differ */
};

/* The values of the program, statement by statement. */
struct kept_values {
	const struct strip *p;
	int n, of_steps, registers;
	struct kept_value value[MOST_VALUES];
};

/* What the value of an expression depends on. */
struct dependence {
	bool time, element, other;
	unsigned dims;
};

/* Positions along the streamed dimension ---------------------------------- */

static int largest_lag(const struct strip *p)
{
	int largest = 0;

	for (int i = 0; i < p->scop->k; i++) {
		int lag = stream_lag(p->s, p->s->b - 1, i);

		largest = lag > largest ? lag : largest;
	}
	return largest;
}

static int least_lag(const struct strip *p)
{
	int least = stream_lag(p->s, 0, 0);

	for (int i = 1; i < p->scop->k; i++) {
		int lag = stream_lag(p->s, 0, i);

		least = lag < least ? lag : least;
	}
	return least;
}

/* How many positions some step reaches in a period: from n - largest lag on. */
static int positions(const struct strip *p)
{
	return p->s->period + largest_lag(p) - least_lag(p);
}

/* What to keep ------------------------------------------------------------ */

static void find_dependence(const struct strip *p, const struct expr *e,
	struct dependence *on)
{
	on->time |= e->kind == EXPR_TIME;
	on->element |= e->kind == EXPR_ELEMENT;
	on->other |= e->kind == EXPR_LOCAL || e->kind == EXPR_READ ||
		(e->kind == EXPR_ELEMENT && !scop_has_element(p->scop, e));
	/* without a value for some cells, it might stop the program there */
	on->other |= e->kind == EXPR_BINARY && type_is_integer(e->type) &&
		(e->op == OP_DIV || e->op == OP_MOD) &&
		e->arg[1]->kind != EXPR_INT;
	if (e->kind == EXPR_INDEX)
		on->dims |= 1u << e->dim;
	for (int i = 0; i < e->n_args; i++)
		find_dependence(p, e->arg[i], on);
}

static bool is_element(const struct expr *e)
{
	return e->kind == EXPR_ELEMENT;
}

/* Does it take more than an instruction or two? */
static bool is_costly(const struct expr *e)
{
	return (e->kind == EXPR_CALL && !op_is_short_function(e->op)) || is_element(e) ||
		(e->kind == EXPR_BINARY && e->op == OP_DIV &&
		!type_is_integer(e->type));
}

/* Do cells appear repeatedly, so that coordinates are not the grid's? */
static bool goes_around(const struct strip *p, unsigned dims)
{
	for (int d = 0; d < p->scop->n_dims; d++)
		if ((dims >> d & 1) && strip_goes_around(p, d))
			return true;
	return false;
}

static struct kept_value kept_value(const struct strip *p,
	const struct expr *e)
{
	struct kept_value v = { .value = e, .of = OF_NONE };
	struct dependence on = { .dims = 0 };
	unsigned along = p->s->dim.stream < 0 ? 0 : 1u << p->s->dim.stream;

	find_dependence(p, e, &on);
	if (on.other || (on.dims && (on.time || on.element ||
	    type_is_integer(e->type) || goes_around(p, on.dims))))
		return v;
	v.of = !on.dims ? OF_STEP : on.dims == along ? OF_POSITION :
		on.dims & along ? OF_NONE : OF_CELL;
	v.by_step = on.time;
	v.by_row = p->s->dim.row >= 0 && (on.dims >> p->s->dim.row & 1);
	v.by_column = on.dims >> p->s->dim.lane & 1;
	return v;
}

static int registers_of(const struct strip *p, const struct kept_value *v)
{
	if (v->of == OF_POSITION)
		return positions(p);
	return v->of == OF_STEP ? 0 : (v->by_row ? p->s->rows : 1) *
		(v->by_column ? p->s->cells : 1);
}

/* The number of "e" in "all"; -1: none */
static int number_of(const struct kept_values *all, const struct expr *e)
{
	for (int i = 0; i < all->n; i++)
		if (expr_same(all->value[i].value, e))
			return i;
	return -1;
}

static bool has_room(const struct kept_values *all, const struct kept_value *v)
{
	return all->n < MOST_VALUES && (v->of == OF_STEP ?
		all->of_steps < MOST_OF_STEPS : all->registers +
		registers_of(all->p, v) <= MOST_REGISTERS);
}

static void find_in(struct kept_values *all, const struct expr *e, bool cells)
{
	struct kept_value v;

	if (!expr_any(e, is_costly))
		return;
	v = kept_value(all->p, e);
	if (v.of == OF_STEP || (cells && v.of != OF_NONE)) {
		if (number_of(all, e) < 0 && has_room(all, &v)) {
			all->of_steps += v.of == OF_STEP;
			all->registers += registers_of(all->p, &v);
			all->value[all->n++] = v;
		}
		return;
	}
	for (int i = 0; i < e->n_args; i++)
		find_in(all, e->arg[i], cells);
}

/* Beyond the grid a value belongs to another cell; values of steps can still be
 * kept.
 */
static void find_beyond(struct kept_values *all, const struct field *f)
{
	for (int d = 0; d < f->n_dims; d++)
		for (int side = 0; side < SIDES; side++)
			if (f->boundary[d][side].value)
				find_in(all, f->boundary[d][side].value,
					false);
}

static struct kept_values find_values(const struct strip *p)
{
	struct kept_values all = { .p = p };

	for (int c = 0; c < p->scop->k; c++) {
		const struct stmt *s = program(p)->stmt[c];

		for (const struct local *l = s->locals; l; l = l->next)
			find_in(&all, l->value, true);
		find_in(&all, s->value, true);
	}
	for (int i = 0; i < program(p)->n_fields; i++)
		find_beyond(&all, program(p)->field[i]);
	return all;
}

/* Where it is ------------------------------------------------------------- */

static const char *name_of(const struct strip *p, int i)
{
	return fresh_name(p->mem, program(p), "once%d", i);
}

static const struct kx *element_of(const struct strip *p,
	const struct kept_values *all, int i, int n,
	const struct kx *const *at)
{
	struct kx *x = kx_of_kind(p->mem, KX_INDEX, name_of(p, i), n, at);

	x->type = all->value[i].value->type;
	return x;
}

/* once0[step], once0[r][c] */
static const struct kx *value_at(const struct strip *p,
	const struct kept_values *all, int i)
{
	const struct kept_value *v = &all->value[i];
	const struct kx *at[2] = { v->by_step ? p->m : integer(p, 0) };
	int n = v->of == OF_STEP;

	if (v->by_row)
		at[n++] = p->r;
	if (v->by_column)
		at[n++] = p->c;
	return element_of(p, all, i, n, at);
}

/* once0[u - step + 7], for the position of the current statement */
static const struct kx *value_at_position(const struct strip *p,
	const struct kept_values *all, int i)
{
	const struct stream *s = p->s;
	const struct kx *at = kx_add(p->mem, op(p, OP_SUB, p->u, op(p, OP_MUL,
		p->m, integer(p, s->lag.step))), largest_lag(p) -
		s->lag.of[p->cursor->stmt->stmt->index]);

	return element_of(p, all, i, 1, &at);
}

const struct kx *strip_value_kept(const struct strip *p,
	const struct expr *e, bool cells)
{
	struct kept_values all;
	struct kept_value v;
	int i;

	if (!expr_any(e, is_costly))
		return NULL;
	v = kept_value(p, e);
	if (v.of == OF_NONE || (v.of != OF_STEP && (!cells || p->part)))
		return NULL;
	all = find_values(p);
	i = number_of(&all, e);
	if (i < 0)
		return NULL;
	return v.of == OF_POSITION ? value_at_position(p, &all, i) :
		value_at(p, &all, i);
}

/* Computing it ------------------------------------------------------------ */

static struct ks *compute(const struct strip *p, const struct kx *to,
	const struct kept_value *v)
{
	struct binding binding = {
		.mem = p->mem, .prog = program(p),
		.time = named(p, p->names->time),
	};

	for (int d = 0; d < p->scop->n_dims; d++)
		binding.point[d] = strip_point(p, d);
	return ks_assign(p->mem, to, kx_of_expr(&binding, v->value));
}

static void declare(const struct strip *p, struct ks *block,
	const struct kept_values *all, int i)
{
	const struct kept_value *v = &all->value[i];
	int extent[2] = { v->of == OF_POSITION ? positions(p) : v->by_step ?
		p->s->b : 1 };
	int n = v->of != OF_CELL;
	struct ks *array;

	if (v->by_row && v->of == OF_CELL)
		extent[n++] = p->s->rows;
	if (v->by_column && v->of == OF_CELL)
		extent[n++] = p->s->cells;
	array = ks_array(p->mem, ctype_of(v->value->type), name_of(p, i), n,
		extent, false, -1);
	array->is_zeroed = v->by_step && expr_any(v->value, is_element);
	ks_add(p->mem, block, array);
}

static void compute_steps(const struct strip *p, struct ks *block,
	const struct kept_values *all)
{
	struct ks *body = ks_block(p->mem);
	bool loads = false;

	for (int i = 0; i < all->n; i++) {
		const struct kept_value *v = &all->value[i];

		if (v->of != OF_STEP)
			continue;
		loads |= v->by_step && expr_any(v->value, is_element);
		ks_add(p->mem, v->by_step ? body : block, compute(p,
			value_at(p, all, i), v));
	}
	if (loads)
		body = ks_if(p->mem, op(p, OP_LT, named(p, p->names->time),
			kx_of_pw_aff(p->mem, scop_steps(p->scop),
				isl_set_copy(p->scop->context))), body, NULL);
	if (body->n_children > 0)
		ks_add(p->mem, block, strip_over_steps(p, body));
}

static void compute_cells(const struct strip *p, struct ks *block,
	const struct kept_values *all)
{
	for (int i = 0; i < all->n; i++) {
		const struct kept_value *v = &all->value[i];
		struct ks *body;

		if (v->of != OF_CELL)
			continue;
		body = compute(p, value_at(p, all, i), v);
		if (v->by_column)
			body = strip_over_columns(p, body);
		ks_add(p->mem, block, v->by_row ? strip_over_rows(p, body) :
			body);
	}
}

/* Compute the values of a period that begins with "n", from element "first" on. */
static struct ks *compute_positions(const struct strip *p,
	const struct kept_values *all, int first, const struct kx *n)
{
	const char *var = p->names->lanes.row;
	const struct kx *r = named(p, var);
	struct ks *body = ks_block(p->mem), *loop;
	int d = p->s->dim.stream;

	ks_add(p->mem, body, ks_declare(p->mem, ctype_const(CT_INT),
		p->names->point[d], kx_add(p->mem, op(p, OP_ADD, op(p, OP_ADD,
		named(p, p->names->origin[d]), n), r), -largest_lag(p))));
	for (int i = 0; i < all->n; i++)
		if (all->value[i].of == OF_POSITION)
			ks_add(p->mem, body, compute(p, element_of(p, all, i,
				1, &r), &all->value[i]));
	loop = ks_for(p->mem, var, integer(p, first), op(p, OP_LT, r,
		integer(p, positions(p))), integer(p, 1), body);
	loop->unroll = true;
	return loop;
}

/* once0[r] = once0[r + period]: values from the period before */
static struct ks *move_positions(const struct strip *p,
	const struct kept_values *all)
{
	const char *var = p->names->lanes.row;
	const struct kx *to = named(p, var);
	const struct kx *from = kx_add(p->mem, to, p->s->period);
	struct ks *body = ks_block(p->mem), *loop;

	for (int i = 0; i < all->n; i++)
		if (all->value[i].of == OF_POSITION)
			ks_add(p->mem, body, ks_assign(p->mem, element_of(p,
				all, i, 1, &to), element_of(p, all, i, 1,
				&from)));
	loop = ks_for(p->mem, var, integer(p, 0), op(p, OP_LT, to, integer(p,
		positions(p) - p->s->period)), integer(p, 1), body);
	loop->unroll = true;
	return loop;
}

static bool has_positions(const struct kept_values *all)
{
	for (int i = 0; i < all->n; i++)
		if (all->value[i].of == OF_POSITION)
			return true;
	return false;
}

void strip_compute_of_period(const struct strip *p, struct ks *block)
{
	const struct kept_values all = find_values(p);
	int period = p->s->period;

	if (!has_positions(&all))
		return;
	if (positions(p) > period)
		ks_add(p->mem, block, move_positions(p, &all));
	ks_add(p->mem, block, compute_positions(p, &all, positions(p) - period,
		p->n));
}

void strip_compute_once(const struct strip *p, struct ks *block)
{
	const struct kept_values all = find_values(p);
	int period = p->s->period;

	if (p->place->unit->n_once < all.n)
		p->place->unit->n_once = all.n;
	for (int i = 0; i < all.n; i++)
		declare(p, block, &all, i);
	compute_steps(p, block, &all);
	compute_cells(p, block, &all);
	if (has_positions(&all) && positions(p) > period)
		ks_add(p->mem, block, compute_positions(p, &all, period,
			integer(p, p->s->walk.first - period)));
}

void strip_describe_kept(struct text *t, const struct place *place)
{
	const struct strip p = strip_of(place);
	const struct kept_values all = find_values(&p);

	for (int i = 0; i < all.n; i++) {
		const struct kept_value *v = &all.value[i];
		const char *name = name_of(&p, i);

		if (v->of == OF_POSITION)
			text_printf(t, "%s[r] is the same for all of %s = %s + "
				"n + r - %d, in all steps.\n", name,
				p.names->point[p.s->dim.stream],
				p.names->origin[p.s->dim.stream],
				largest_lag(&p));
		else if (v->of == OF_CELL)
			text_printf(t, "%s%s%s is the same for this cell of the "
				"lane in all steps and iterations.\n", name,
				v->by_row ? "[r]" : "",
				v->by_column ? "[c]" : "");
		else
			text_printf(t, "%s[%s] is the same for all cells%s.\n",
				name, v->by_step ? "step" : "0", v->by_step ?
				" of step t0 + step" : "");
	}
}
