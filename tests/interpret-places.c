/* The places of lists of points: values for them, and which ones are wrong. */
#include "tests/interpreter.h"

#include "tests/interpret.h"

/* What "stmt" lists at points of "list"; NULL: nothing. */
static const struct listed *listed_at(const struct stmt *stmt,
	const struct list *list)
{
	for (int i = 0; i < stmt->n_listed; i++)
		if (stmt->listed[i]->list == list)
			return stmt->listed[i];
	return NULL;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
	return a < b ? b : a;
}

/* Where a statement that "list" follows runs along "d", or, unless "any", all of them do. */
static struct interval points_along(const struct state *s,
	const struct list *list, int d, bool any)
{
	struct interval all = { INT32_MAX, -1 };
	bool first = true;

	for (int i = 0; i < s->prog->n_stmts; i++) {
		struct interval r = range_of(s, s->prog->stmt[i], d);

		if (!listed_at(s->prog->stmt[i], list))
			continue;
		all.low = first ? r.low : any ? least(all.low, r.low) :
			greatest(all.low, r.low);
		all.high = first ? r.high : any ? greatest(all.high, r.high) :
			least(all.high, r.high);
		first = false;
	}
	return all;
}

/* Where points of "list" may lie in the dimensions in which "f" has their places, and "in". */
static struct interval places_of(const struct state *s, const struct list *list,
	const struct field *f, struct interval in)
{
	for (int d = 0; d < list->grid->n_dims; d++) {
		struct interval r;

		if (list->place[d]->field != f)
			continue;
		r = points_along(s, list, d, f->index % 2);
		in.low = greatest(in.low, r.low);
		in.high = least(in.high, r.high);
	}
	return in;
}

struct interval places_in(const struct state *s, const struct field *f)
{
	struct interval in = { 0, INT32_MAX };

	for (int i = 0; i < s->prog->n_lists; i++)
		in = places_of(s, s->prog->list[i], f, in);
	return in.high < INT32_MAX ? in : (struct interval) { 0, -1 };
}

void fill_places(const struct state *s, const struct memory *m)
{
	struct interval in = places_in(s, m->field);

	for (int64_t i = 0; in.low <= in.high && i < m->cells; i++)
		store(m, i, m->field->type == TYPE_INT ? value_int(test_place(
			m->field->index, (size_t) i, (int) in.low,
			(int) in.high)) : value_real(m->field->type,
			test_place_between(m->field->index, (size_t) i,
				(int) in.low, (int) in.high)));
}

/* Of the fields that statements write in part, which cells have values in step s->t? */
static void note_values(struct state *s, const struct stmt *stmt)
{
	const struct memory *m = &s->memory[stmt->write->field->index];

	for (int64_t cell = 0; m->has_value && cell < m->cells; cell++) {
		go_to_cell(s, m, cell);
		m->has_value[cell] |= computes_point(s, stmt);
	}
}

/* Does a statement that the list follows compute the cell at s->x in step s->t? */
static bool is_computed(const struct state *s, const struct list *list)
{
	for (int i = 0; i < s->prog->n_stmts; i++)
		if (listed_at(s->prog->stmt[i], list) &&
		    computes_point(s, s->prog->stmt[i]))
			return true;
	return false;
}

static bool lies_in_grid(const struct state *s, const struct list *list)
{
	for (int d = 0; d < list->grid->n_dims; d++) {
		double x = value_as(eval(s, list->place[d]), TYPE_DOUBLE).r;
		int64_t n = value_as(eval(s, list->grid->size[d]), TYPE_INT).i;

		if (!(x >= 0 && x <= (double) n - 1))
			return false;
	}
	return true;
}

/* Is there a cell around the place, or the place, that is not computed? */
static bool is_out_of_place(struct state *s, const struct listed *l,
	int64_t number)
{
	s->number = number;
	if (!lies_in_grid(s, l->list))
		return true;
	go_to_place(s, l->list, number);
	if (!l->list->is_between)
		return !is_computed(s, l->list);
	for (int corner = 0; corner < list_corners(l->list); corner++)
		if (go_to_corner(s, l, corner) && !is_computed(s, l->list))
			return true;
	return false;
}

static bool some_of_list(struct state *s, const struct listed *l)
{
	int64_t end = eval(s, l->list->end).i;

	for (int64_t q = eval(s, l->list->begin).i; q < end; q++)
		if (is_out_of_place(s, l, q))
			return true;
	return false;
}

static bool some_in_step(struct state *s)
{
	for (int i = 0; i < s->prog->n_fields; i++)
		begin_values(&s->memory[i]);
	for (int i = 0; i < s->prog->n_stmts; i++)
		note_values(s, s->prog->stmt[i]);
	for (int i = 0; i < s->prog->n_stmts; i++)
		for (int j = 0; j < s->prog->stmt[i]->n_listed; j++)
			if (s->prog->stmt[i]->listed[j]->list &&
			    some_of_list(s, s->prog->stmt[i]->listed[j]))
				return true;
	return false;
}

bool some_out_of_place(struct state *s)
{
	bool some = false;

	for (s->t = 0; s->prog->n_lists && s->t < s->steps && !some; s->t++)
		some = some_in_step(s);
	s->t = 0;
	return some;
}
