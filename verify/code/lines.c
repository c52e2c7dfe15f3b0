/* Numbers in the code of a strip: sums of symbols that stay constant while a
 * period is executed.
 */
#include <string.h>

#include "verify/code/registers.h"

/* Sums ------------------------------------------------------------------ */

static struct line number_line(int64_t n)
{
	return (struct line) { .number = n };
}

static struct line symbol_line(enum symbol s)
{
	struct line line = { .number = 0 };

	line.by[s] = 1;
	return line;
}

static bool is_number(const struct line *line)
{
	for (int i = 0; i < N_SYMBOLS; i++)
		if (line->by[i])
			return false;
	return true;
}

static void add_line(struct line *to, const struct line *line, int times)
{
	to->number += times * line->number;
	for (int i = 0; i < N_SYMBOLS; i++)
		to->by[i] += times * line->by[i];
}

bool lines_are_apart(const struct line *a, const struct line *b, int64_t *by)
{
	struct line apart = *a;

	add_line(&apart, b, -1);
	*by = apart.number;
	return is_number(&apart);
}

bool has_threads(const struct line *line)
{
	return line->by[LANE] || line->by[WARP];
}

/* Variables --------------------------------------------------------------- */

const struct named *scalar_called(const struct lanes *l, const char *name)
{
	const struct named *s = l->known;

	while (s && s->name != name && strcmp(s->name, name))
		s = s->next;
	return s;
}

struct named *declare_scalar(struct lanes *l, const char *name)
{
	struct named *s = region_new_of(l->w->c->mem, struct named);

	s->name = name;
	s->kind = OTHER;
	s->depth = l->depth;
	s->next = l->known;
	l->known = s;
	return s;
}

static bool line_called(const struct lanes *l, const char *name,
	struct line *line, bool *around)
{
	const struct named *s = scalar_called(l, name);

	if (!s || (s->kind != LINE && (s->kind != AROUND || !around)))
		return false;
	*line = s->line;
	if (s->kind == AROUND)
		*around = true;
	return true;
}

/* a * b, a / b or a mod b */
static bool multiple(enum op op, struct line *a, const struct line *b)
{
	int64_t n = b->number;

	if (op == OP_MUL && !is_number(b) && is_number(a)) {
		n = a->number;
		*a = *b;
	} else if (!is_number(b)) {
		return false;
	}
	if (op == OP_MUL) {
		struct line none = { .number = 0 };

		add_line(&none, a, (int) n);
		*a = none;
		return true;
	}
	if (!is_number(a) || n <= 0 || a->number < 0)
		return false;
	a->number = op == OP_DIV ? a->number / n : a->number % n;
	return true;
}

static bool binary_line(const struct lanes *l, const struct kx *x,
	struct line *line)
{
	struct line b;

	if (!line_of(l, x->arg[0], line, NULL) ||
	    !line_of(l, x->arg[1], &b, NULL))
		return false;
	switch (x->op) {
	case OP_ADD:
	case OP_SUB:
		add_line(line, &b, x->op == OP_ADD ? 1 : -1);
		return true;
	case OP_MUL:
	case OP_DIV:
	case OP_MOD:
		return multiple(x->op, line, &b);
	default:
		return false;
	}
}

bool line_of(const struct lanes *l, const struct kx *x, struct line *line,
	bool *around)
{
	switch (x->kind) {
	case KX_INT:
		*line = number_line(x->ivalue);
		return true;
	case KX_NAME:
		return line_called(l, x->name, line, around);
	case KX_CAST:
		return line_of(l, x->arg[0], line, around);
	case KX_UNARY: {
		struct line a;

		if (x->op != OP_NEG || !line_of(l, x->arg[0], &a, NULL))
			return false;
		*line = number_line(0);
		add_line(line, &a, -1);
		return true;
	}
	case KX_BINARY:
		return binary_line(l, x, line);
	case KX_BUILTIN:
		if (x->builtin == B_THREAD && (x->ivalue == 0 ||
		    (x->ivalue == 1 && !is_clustered(l)))) {
			*line = symbol_line(x->ivalue ? WARP : LANE);
			return true;
		}
		if (x->builtin != B_MODULO || !around)
			return false;
		*around = true;
		return line_of(l, x->arg[0], line, NULL);
	default:
		return false;
	}
}

bool number_in_code(const struct lanes *l, const struct kx *x, int64_t *n)
{
	struct line line;

	if (!line_of(l, x, &line, NULL) || !is_number(&line))
		return false;
	*n = line.number;
	return true;
}

static bool compare(enum op op, int64_t apart)
{
	switch (op) {
	case OP_LT:
		return apart < 0;
	case OP_LE:
		return apart <= 0;
	case OP_GT:
		return apart > 0;
	case OP_GE:
		return apart >= 0;
	case OP_EQ:
		return apart == 0;
	default:
		return apart != 0;
	}
}

static void at_known_iteration(const struct lanes *l, struct line *line)
{
	if (!l->loop.is_known)
		return;
	line->number += line->by[ITERATION] * l->loop.now;
	line->by[ITERATION] = 0;
}

bool is_fixed_condition(const struct lanes *l, const struct kx *x, bool *holds)
{
	struct line a, b;
	int64_t apart;
	bool first, second;

	if (x->kind != KX_BINARY)
		return false;
	if (x->op == OP_AND || x->op == OP_OR) {
		if (!is_fixed_condition(l, x->arg[0], &first) ||
		    !is_fixed_condition(l, x->arg[1], &second))
			return false;
		*holds = x->op == OP_AND ? first && second : first || second;
		return true;
	}
	if (!op_is_comparison(x->op) || !line_of(l, x->arg[0], &a, NULL) ||
	    !line_of(l, x->arg[1], &b, NULL))
		return false;
	at_known_iteration(l, &a);
	at_known_iteration(l, &b);
	if (!lines_are_apart(&a, &b, &apart))
		return false;
	*holds = compare(x->op, apart);
	return true;
}

/* Coordinates ------------------------------------------------------------- */

int dim_of_axis(const struct lanes *l, int axis)
{
	return axis == ALONG ? l->s.along : axis == ROW ? l->s.row :
		l->s.column;
}

int axis_of_dim(const struct lanes *l, int d)
{
	return d == l->s.along ? ALONG : d == l->s.row ? ROW : COLUMN;
}

struct line line_along(const struct lanes *l, int axis, int64_t at)
{
	struct line line = symbol_line(ORIGIN + axis);

	line.number = at;
	if (axis == ALONG) {
		line.by[ITERATION] = l->loop.is_in;
	} else if (axis == ROW && l->s.row >= 0) {
		line.by[WARP] = l->s.rows;
		line.number -= l->s.before[l->s.row];
	} else if (axis == COLUMN) {
		line.by[LANE] = l->s.cells;
		line.number -= l->s.before[l->s.column];
	}
	return line;
}

struct line line_of_time(int64_t step)
{
	struct line line = symbol_line(FIRST_STEP);

	line.number = step;
	return line;
}

/* Ways -------------------------------------------------------------------- */

bool asks_for_points(const struct lanes *l, const struct kx *x)
{
	const struct kfunc *quiet = l->w->unit->quiet;

	return x->kind == KX_CALL && quiet && !strcmp(x->name, quiet->name);
}

bool is_of_all_threads(const struct lanes *l, const struct kx *x)
{
	const struct named *s = x->kind == KX_NAME ? scalar_called(l,
		x->name) : NULL;

	if (s && (s->kind == LINE || s->kind == AROUND) &&
	    has_threads(&s->line))
		return false;
	if (s && s->kind == OTHER)
		return s->is && is_of_all_threads(l, s->is);
	if (asks_for_points(l, x))
		return true;
	if (x->kind == KX_INDEX || x->kind == KX_CELL || x->kind == KX_CALL ||
	    (x->kind == KX_BUILTIN && (x->builtin == B_THREAD ||
	    x->builtin == B_CLUSTER_RANK)))
		return false;
	for (int i = 0; i < x->n_args; i++)
		if (!is_of_all_threads(l, x->arg[i]))
			return false;
	return true;
}

bool all_go_one_way(const struct lanes *l)
{
	for (const struct way *way = l->way; way; way = way->before)
		if (!way->is_loop && !way->is_of_all)
			return false;
	return true;
}
