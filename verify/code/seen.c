/* Questions about the code of strips that were asked before, and the meaning of the variables
 * in their conditions.
 *
 * Code executed for one step after the other repeats its questions: a variable then exceeds the
 * time, or the cell, of the point in question by the same number.
 */
#include <string.h>

#include "verify/code/asked.h"

/* What names stand for ------------------------------------------------------ */

/* A variable as seen from a point. */
struct seen {
	enum {
		AS_TIME, AS_TURN, AS_STEP, AS_CELL, AS_FIRST_CELL, AS_LINE, AS_IS,
	} as;
	int axis;
	int64_t by;		/* distance from the time, or from the cell */
};

static struct seen see(const struct lanes *l, const struct named *v,
	const struct point *p)
{
	struct line time = line_of_time(p->step), at;
	const struct names_of_lanes *n = &l->names->lanes;
	struct seen s = { AS_LINE, 0, 0 };

	if (v->kind != LINE && v->kind != AROUND)
		return (struct seen) { AS_IS, 0, 0 };
	if (p->what == COMPUTED && p->step >= 0 &&
	    !strcmp(v->name, l->names->time) &&
	    lines_are_apart(&v->line, &time, &s.by)) {
		s.as = AS_TIME;
		return s;
	}
	if (p->what != COMPUTED && !strcmp(v->name, l->names->strips.turn)) {
		s.as = AS_TURN;
		return s;
	}
	if (p->what == LEFT && !strcmp(v->name, l->names->step)) {
		s.as = AS_STEP;
		return s;
	}
	for (s.axis = 0; p->cell.field && s.axis < N_AXES; s.axis++) {
		int d = dim_of_axis(l, s.axis);
		bool first = s.axis != ALONG && !strcmp(v->name,
			s.axis == ROW ? n->first_row : n->first_column);

		if (d < 0 || (!first && strcmp(v->name, l->names->point[d])))
			continue;
		at = line_along(l, s.axis, p->cell.at[s.axis]);
		if (!lines_are_apart(&v->line, &at, &s.by))
			continue;
		s.as = first ? AS_FIRST_CELL : AS_CELL;
		return s;
	}
	return (struct seen) { AS_LINE, 0, 0 };
}

/* What an answer depends on --------------------------------------------------- */

void put_word(struct words *w, intptr_t word)
{
	if (w->n < MOST_WORDS)
		w->word[w->n] = word;
	w->n++;
}

static void put_variable(const struct lanes *l, struct words *w,
	const struct named *v, const struct point *p)
{
	struct seen s = see(l, v, p);

	put_word(w, s.as);
	put_word(w, s.axis);
	put_word(w, (intptr_t) s.by);
	put_word(w, v->kind);
	if (s.as == AS_LINE) {
		put_word(w, (intptr_t) v->line.number);
		for (int i = 0; i < N_SYMBOLS; i++)
			put_word(w, v->line.by[i]);
	}
	if (s.as == AS_IS && v->is)
		put_tree(l, w, v->is, p);
}

static int number_of_parameter(const struct checker *c, const char *name)
{
	for (int i = 0; i < c->n_params; i++)
		if (!strcmp(c->param[i]->name, name))
			return i;
	return -1;
}

void put_tree(const struct lanes *l, struct words *w,
	const struct kx *x, const struct point *p)
{
	const struct named *v = x->kind == KX_NAME ? scalar_called(l,
		x->name) : NULL;
	int parameter = x->kind == KX_NAME && !v ? number_of_parameter(
		l->w->c, x->name) : -1;

	put_word(w, x->kind);
	put_word(w, x->op);
	put_word(w, x->builtin);
	put_word(w, (intptr_t) x->ivalue);
	put_word(w, x->n_args);
	put_word(w, parameter);
	if (v)
		put_variable(l, w, v, p);
	else if (parameter < 0)
		put_word(w, (intptr_t) x->name);
	for (int i = 0; i < x->n_args; i++)
		put_tree(l, w, x->arg[i], p);
}

bool way_counts(const struct way *way, const struct point *p)
{
	if (p->what == STORED)
		return way->holds && !way->is_of_all;
	if (p->what == LEFT)
		return way->holds && !way->is_loop;
	if (p->what == REACHED)
		return way->is_of_all;
	return !way->is_loop && (way->holds || !way->is_of_all);
}

/* For a strip's own cells, only the lane, the row and the iteration matter; for versions that
 * it leaves, also those before the last one, and what holds for all threads.
 */
static bool part_counts(const struct lanes *l, const struct way *way,
	const struct kx *x, const struct point *p)
{
	const char *const about[N_AXES] = {
		[ALONG] = l->names->strips.iteration,
		[ROW] = l->names->lanes.first_row,
		[COLUMN] = l->names->lanes.stores,
	};

	if (p->what == STORED)
		return kx_uses(x, about[p->axis]);
	return p->what != LEFT || way->is_of_all ||
		kx_uses(x, l->names->strips.behind);
}

static bool is_of_parts(const struct way *way, const struct kx *x,
	const struct point *p)
{
	return way->holds && (p->what == STORED || p->what == LEFT) &&
		x->kind == KX_BINARY && x->op == OP_AND;
}

const struct kx *part_that_counts(const struct lanes *l, const struct way *way,
	const struct kx *x, const struct point *p)
{
	const struct kx *a, *b;

	if (!is_of_parts(way, x, p))
		return part_counts(l, way, x, p) ? x : NULL;
	a = part_that_counts(l, way, x->arg[0], p);
	b = part_that_counts(l, way, x->arg[1], p);
	return a == x->arg[0] && b == x->arg[1] ? x : a && b ? kx_and(
		l->w->c->mem, a, b) : a ? a : b;
}

bool step_in_code(const struct lanes *l, int64_t *step)
{
	const struct named *m = scalar_called(l, l->names->step);

	if (m && m->kind == LINE)
		*step = m->line.number;
	return m && m->kind == LINE;
}

static bool is_asked(const struct point *p, int axis)
{
	return p->what == LOADED || (p->what == STORED && p->axis == axis);
}

void ask(const struct lanes *l, struct words *w, const char *name,
	const struct point *p)
{
	const struct named *u = scalar_called(l, l->names->strips.turn);
	int turn = u && u->kind == LINE ? (int) u->line.number : 0;

	w->n = 0;
	put_word(w, (intptr_t) name);
	put_word(w, p->what);
	put_word(w, p->axis);
	put_word(w, p->width);
	put_word(w, l->loop.is_in);
	put_word(w, u != NULL);
	put_word(w, p->what == COMPUTED ? (intptr_t) p->stmt : 0);
	for (int axis = 0; axis < N_AXES; axis++)
		put_word(w, !is_asked(p, axis) ? 0 : p->cell.at[axis] -
			(axis == ALONG ? turn : 0));
	if (p->is_of_column)
		put_word(w, p->cell.at[COLUMN]);
	if (p->what == LOADED || p->what == LEFT)
		put_word(w, (intptr_t) p->cell.field);
	if (p->what == LEFT) {
		int64_t step = 0;

		put_word(w, step_in_code(l, &step));
		put_word(w, p->cell.version - (intptr_t) step);
	}
	for (const struct way *way = l->way; way; way = way->before) {
		const struct kx *x = way_counts(way, p) ? part_that_counts(l,
			way, way->condition, p) : NULL;

		if (x) {
			put_word(w, way->holds);
			put_tree(l, w, x, p);
		}
	}
}

/* Answers ---------------------------------------------------------------------- */

struct answer {
	int value, n;
	const intptr_t *word;
	const struct answer *next;
};

bool was_answered(const struct lanes *l, const struct words *w, int *value)
{
	const struct answer *a = w->n <= MOST_WORDS ? l->answers : NULL;

	while (a && (a->n != w->n || memcmp(a->word, w->word,
	       sizeof(intptr_t) * (size_t) w->n)))
		a = a->next;
	if (a)
		*value = a->value;
	return a;
}

int note_answer(struct lanes *l, const struct words *w, int value)
{
	struct answer *a;
	intptr_t *word;

	l->w->known = l->parameters;
	if (w->n > MOST_WORDS)
		return value;
	a = region_new_of(l->w->c->mem, struct answer);
	word = region_array(l->w->c->mem, intptr_t, w->n);
	memcpy(word, w->word, sizeof(intptr_t) * (size_t) w->n);
	*a = (struct answer) { value, w->n, word, l->answers };
	l->answers = a;
	return value;
}

/* Sets -------------------------------------------------------------------------- */

__isl_give isl_pw_aff *number_of_line(const struct lanes *l,
	const struct line *line)
{
	isl_pw_aff *a = constant(l->w, line->number);

	for (int i = 0; i < N_SYMBOLS; i++)
		if (line->by[i])
			a = isl_pw_aff_add(a, times(isl_pw_aff_copy(
				l->symbol[i]), line->by[i]));
	return a;
}

static __isl_give isl_pw_aff *number_seen(const struct lanes *l,
	const struct named *v, const struct point *p, struct around *around)
{
	struct seen s = see(l, v, p);
	isl_pw_aff *a;

	switch (s.as) {
	case AS_TIME:
		return plus(isl_pw_aff_copy(l->t), s.by);
	case AS_TURN:
		return isl_pw_aff_copy(l->u);
	case AS_STEP:
		return isl_pw_aff_copy(l->m);
	case AS_CELL:
	case AS_FIRST_CELL:
		if (v->kind == AROUND) {
			around->axis[s.axis] = true;
			if (s.by || s.as == AS_FIRST_CELL)
				return NULL;
		}
		a = plus(isl_pw_aff_copy(l->x[s.axis]), s.by);
		return s.as == AS_CELL || s.axis != COLUMN ? a :
			isl_pw_aff_sub(a, isl_pw_aff_copy(l->column));
	case AS_LINE:
		return v->kind == LINE ? number_of_line(l, &v->line) : NULL;
	default:
		return v->is ? number_of(l->w, v->is) : NULL;
	}
}

static bool is_known(const struct lanes *l, const char *name)
{
	return variable_called(l->w, name) != NULL;
}

void name_variables(struct lanes *l, const struct kx *x,
	const struct point *p, struct around *around)
{
	const struct named *v = x->kind == KX_NAME && !is_known(l, x->name) ?
		scalar_called(l, x->name) : NULL;

	if (v) {
		struct variable *variable;
		isl_pw_aff *number;

		if (v->kind == OTHER && v->is)
			name_variables(l, v->is, p, around);
		number = number_seen(l, v, p, around);
		variable = declare_variable(l->w, v->name);
		variable->number = keep_value(l->w, number);
		variable->is = v->is;
	}
	for (int i = 0; i < x->n_args; i++)
		name_variables(l, x->arg[i], p, around);
}

