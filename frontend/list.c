/* Lists of points: at p = 0 .. P { u[t+1][si[p]][sj[p]] += w[t][p]; } */
#include "frontend/beside.h"
#include "frontend/components.h"
#include "frontend/linear.h"
#include "frontend/reads.h"
#include "ir/join.h"

#include <string.h>

/* What is listed for the points of a list, in progress. */
struct listing {
	const struct update *update;
	struct symbol *grid;		/* the state that has the points .. */
	const struct expr *place[IR_MAX_DIMS];	/* .. there; or NULL: not known
						 * yet */
	bool is_between;		/* the points lie between cells */
	bool in_place;			/* while a place is lowered */
};

/* Expressions of the number of a point ------------------------------------- */

static bool is_number(const struct expr *e)
{
	return e->kind == EXPR_NUMBER;
}

static bool is_own(const struct expr *e)
{
	return e->kind == EXPR_OWN;
}

static bool refuse(struct context *c, struct ast_expr *e, const char *what,
	const char *advice)
{
	if (report(c, e, E_LIST, e->at, "'%s' %s", quote(c->l, e->at), what))
		diag_advice(c->l->diags, "%s", advice);
	return false;
}

/* A place: made of elements of int inputs, the number, parameters and constants; between cells an element of a
 * real input.
 */
static bool check_place(struct context *c, struct ast_expr *e,
	const struct expr *place, bool is_between)
{
	if (is_between && place->kind == EXPR_ELEMENT &&
	    place->type != TYPE_INT && !expr_any(place, expr_is_time))
		return true;
	if (is_between)
		return refuse(c, e, "is not a place between cells", "it is a real "
			"number of cells that an input has for the number, as "
			"in '(x[p], y[p])'");
	if (place->type == TYPE_INT && !expr_any(place, expr_is_time))
		return true;
	return refuse(c, e, "is not a place in a grid", "a place is an int that an "
		"input has for the number, as in '[si[p]]', or made of such "
		"ones, the number, parameters and constants, the same in all "
		"steps");
}

static const struct expr *lower_place(struct context *c, struct ast_expr *e)
{
	const struct expr *place;
	bool outer = c->listing->in_place;

	c->listing->in_place = true;
	place = lower_expr(c, e);
	c->listing->in_place = outer;
	return place;
}

static bool refuse_other(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	struct listing *g = c->listing;

	if (other_part(s, g->grid))
		return refuse_both_parts(c, e);
	if (s != g->grid)
		return refuse(c, e, "is another state than that of the points",
			"at a point of a list its own value and inputs are "
			"read; a temp can have what several states give");
	return refuse(c, e, "is not at the place of the point", "what is done "
		"at the points of a list reads the value there, the same "
		"places everywhere");
}

bool is_next_step(struct context *c, struct ast_expr *e)
{
	const struct expr *value = lower_expr(c, e);
	struct linear linear;

	return value && !find_linear(value, &linear) && linear.time == 1 &&
		linear.constant == 1;
}

static bool refuse_step(struct context *c, struct ast_expr *e)
{
	const char *t = c->l->time->name;

	if (report(c, e, E_LIST, e->at, "'%s' is not of the step that is "
			"computed", quote(c->l, e->at)))
		diag_fixit(c->l->diags, e->args->at, "%s+1", t);
	return false;
}

static bool has_right_count(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	int n = s->item->dims.n, time = is_state(s);

	if (e->coordinates)
		return (e->n_args == time && e->n_coordinates == n) ||
			(report(c, e, E_SUBSCRIPT_COUNT, e->at, "'%s' between "
				"cells takes %s%d coordinate%s", s->name, time ?
				"the time and " : "", n, n == 1 ? "" : "s"),
			 false);
	return e->n_args == n + time || (report(c, e, E_SUBSCRIPT_COUNT, e->at,
		"'%s' takes %d subscript%s, %s, not %d", s->name, n + time,
		n + time == 1 ? "" : "s", time ? "the time first" :
		"no time", e->n_args), false);
}

/* Is "e", the state or temp "s" at a place, the value of the current point?  The first such read
 * determines the points.
 */
static bool check_own(struct context *c, struct ast_expr *e, struct symbol *s)
{
	struct listing *g = c->listing;
	struct ast_expr *at;
	bool first = !g->grid;

	if (!has_right_count(c, e, s))
		return false;
	if (is_state(s) && !is_next_step(c, e->args))
		return refuse_step(c, e);
	if (!first && (s != g->grid || g->is_between != !!e->coordinates))
		return refuse_other(c, e, s);
	g->grid = s;
	g->is_between = e->coordinates;
	at = e->coordinates ? e->coordinates : indices_in(e, s);
	for (int d = 0; d < s->item->dims.n; ++d, at = at->next) {
		const struct expr *place = lower_place(c, at);

		if (!place || !check_place(c, at, place, g->is_between))
			return false;
		if (first)
			g->place[d] = place;
		else if (!expr_same(g->place[d], place))
			return refuse_other(c, e, s);
	}
	return true;
}

static const struct expr *lower_own(struct context *c, struct ast_expr *e,
	struct symbol *s)
{
	struct expr *own;

	if (c->listing->in_place || !is_of_step(s)) {
		refuse(c, e, "is not an input", "at a point of a list its own value "
			"and inputs are read");
		return NULL;
	}
	if (!check_own(c, e, s))
		return NULL;
	own = expr_leaf(c->l->mem, EXPR_OWN, s->field->type, e->at);
	own->spelling = spelling_of_part(c->l, e, s);
	return own;
}

/* The index of dimension "d" if "at" is the place there; else "at". */
static const struct expr *index_or(struct context *c, const struct expr *at)
{
	const struct listing *g = c->listing;

	for (int d = 0; g->grid && !g->is_between &&
	     d < g->grid->field->n_dims; ++d) {
		struct expr *index;

		if (!g->place[d] || !expr_same(g->place[d], at))
			continue;
		index = expr_leaf(c->l->mem, EXPR_INDEX, TYPE_INT, at->at);
		index->dim = d;
		index->spelling = quote(c->l, at->at);
		return index;
	}
	return at;
}

static bool check_subscript(struct context *c, struct ast_expr *e,
	const struct expr *at)
{
	if (!expr_not_affine(at, true))
		return true;
	return refuse(c, e, "is not a subscript of an input here", "an input is "
		"read at the place of the point, and at numbers, the time and "
		"parameters");
}

static const struct expr *lower_input(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	const struct expr *at[IR_MAX_DIMS];
	struct ast_expr *subscript = e->args;

	if (e->coordinates) {
		refuse(c, e, "is not a state", "only states are read between "
			"cells");
		return NULL;
	}
	if (e->n_args != s->field->n_dims) {
		report(c, e, E_SUBSCRIPT_COUNT, e->at, "'%s' takes %d subscripts, "
			"not %d", s->name, s->field->n_dims, e->n_args);
		return NULL;
	}
	for (int i = 0; i < e->n_args; ++i, subscript = subscript->next) {
		at[i] = lower_place(c, subscript);
		if (!at[i])
			return NULL;
		at[i] = index_or(c, at[i]);
		if (!check_subscript(c, subscript, at[i]))
			return NULL;
	}
	return expr_element(c->l->mem, s->field, at, NULL, e->at);
}

static const struct expr *lower_listed_read(struct context *c,
	struct ast_expr *e, struct symbol *s)
{
	if (s->item->field_kind != FIELD_INPUT)
		return lower_own(c, e, s);
	s->field->is_listed = !s->at_points;
	return lower_input(c, e, s);
}

/* The list ------------------------------------------------------------------ */

static const struct expr *size_plus(struct lower *l, const struct expr *size,
	int64_t more)
{
	return expr_binary(l->mem, OP_ADD, size, expr_int(l->mem, more,
		size->at), size->at);
}

static const struct expr *times(struct lower *l, const struct expr *size,
	int64_t factor)
{
	return expr_binary(l->mem, OP_MUL, size, expr_int(l->mem, factor,
		size->at), size->at);
}

static bool is_taken(const struct lower *l, const char *name)
{
	const struct program *p = l->program;

	for (int i = 0; i < p->n_fields; ++i)
		if (!strcmp(p->field[i]->name, name))
			return true;
	return find_symbol(l, names_intern(l->ast->names, name, strlen(name)));
}

static const struct field *made_input(struct lower *l, const struct list *list,
	const char *suffix, int n_dims)
{
	struct program *p = l->program;
	struct field *f = region_new_of(l->mem, struct field);

	f->name = region_printf(l->mem, "at%d%s", list->number, suffix);
	while (is_taken(l, f->name))
		f->name = region_printf(l->mem, "%s_", f->name);
	f->kind = FIELD_INPUT;
	f->type = TYPE_INT;
	f->n_dims = n_dims;
	f->made_of = list;
	f->is_listed = true;
	f->index = p->n_fields;
	f->at = list->at;
	for (int d = 0; d < n_dims; ++d)
		f->boundary[d][SIDE_LOW].at = f->boundary[d][SIDE_HIGH].at =
			list->at;
	p->field[p->n_fields++] = f;
	return f;
}

/* Is "e" the number of a point plus an expression common to all? */
static bool counts_by_one(const struct expr *e)
{
	if (e->kind == EXPR_BINARY && (e->op == OP_ADD || e->op == OP_SUB) &&
	    !expr_any(e->arg[1], is_number))
		return counts_by_one(e->arg[0]);
	if (e->kind == EXPR_BINARY && e->op == OP_ADD &&
	    !expr_any(e->arg[0], is_number))
		return counts_by_one(e->arg[1]);
	return e->kind == EXPR_NUMBER;
}

/* The size of an input's dimension that the number subscripts in "e"; or NULL. */
static const struct expr *numbered_size(const struct expr *e)
{
	const struct expr *size = NULL;

	for (int i = 0; !size && i < e->n_args; ++i)
		size = e->kind == EXPR_ELEMENT && expr_any(e->arg[i],
			is_number) ? e->field->size[i] :
			numbered_size(e->arg[i]);
	return size;
}

/* An upper bound, at least 0, on the points in the grid; NULL: none.  It is the size of an
 * input's dimension that their number subscripts, or of the grid if all lie in different
 * planes, or the count of numbers.
 */
static const struct expr *most_points(struct lower *l, const struct list *list)
{
	int64_t begin, end;

	for (int d = 0; d < list->grid->n_dims; ++d) {
		const struct expr *size = numbered_size(list->place[d]);

		if (size)
			return size;
	}
	for (int d = 0; d < list->grid->n_dims; ++d)
		if (counts_by_one(list->place[d]))
			return list->grid->size[d];
	if (!expr_constant(list->begin, &begin) ||
	    !expr_constant(list->end, &end))
		return NULL;
	return expr_int(l->mem, end > begin ? end - begin : 0, list->at);
}

static bool is_same_list(const struct list *a, const struct list *b)
{
	if (a->grid != b->grid || a->n_writers != b->n_writers ||
	    a->is_between != b->is_between ||
	    !expr_same(a->begin, b->begin) ||
	    !expr_same(a->end, b->end))
		return false;
	for (int d = 0; d < a->grid->n_dims; ++d)
		if (!expr_same(a->place[d], b->place[d]))
			return false;
	return true;
}

/* "list", or an equal one that the program has already. */
static const struct list *shared_list(struct lower *l, struct list *list,
	const struct expr *most)
{
	struct program *p = l->program;
	struct field *cells, *first;

	for (int i = 0; i < p->n_lists; ++i)
		if (is_same_list(p->list[i], list))
			return p->list[i];
	list->number = p->n_lists;
	p->list[p->n_lists++] = list;
	cells = (struct field *) made_input(l, list, "", 2);
	cells->size[0] = list->is_between ? times(l, most, list_corners(
		list)) : most;
	cells->size[1] = expr_int(l->mem, list->grid->n_dims + 1, list->at);
	first = (struct field *) made_input(l, list, "_first", 1);
	first->size[0] = size_plus(l, list->grid->size[0], 1);
	list->cells = cells;
	list->first = first;
	return list;
}

static const struct list *find_list(struct context *c)
{
	struct listing *g = c->listing;
	const struct ast_item *at = g->update->list;
	struct list *list = region_new_of(c->l->mem, struct list);
	const struct expr *most;

	*list = (struct list) { .index = at->name.text, .grid = g->grid->field,
		.is_between = g->is_between, .at = at->at };
	list->n_writers = program_count_writers(c->l->program, g->grid->field);
	list->begin = lower_affine(&(struct context) { .l = c->l }, at->begin,
		"a bound of a list");
	list->end = lower_affine(&(struct context) { .l = c->l }, at->value,
		"a bound of a list");
	if (!list->begin || !list->end)
		return NULL;
	for (int d = 0; d < list->grid->n_dims; ++d)
		list->place[d] = g->place[d];
	most = most_points(c->l, list);
	if (!most) {
		diag(c->l->diags, E_LIST, at->at, "how many points lie in the "
			"grid is not known");
		diag_advice(c->l->diags, "make the number '%s' itself one of "
			"the subscripts, or read a place from an input",
			list->index);
		return NULL;
	}
	return shared_list(c->l, list, most);
}

/* The statement whose points the list names -------------------------------- */

static bool refuse_writer(struct context *c, const struct symbol *s,
	const char *what, const char *advice)
{
	const struct update *u = c->listing->update;

	diag(c->l->diags, E_LIST, u->item->element->at, "the points of '%s' "
		"%s", s->name, what);
	diag_advice(c->l->diags, "%s", advice);
	return false;
}

static bool reads_next(const struct stmt *s, const struct field *f)
{
	for (int i = 0; i < s->n_reads; ++i)
		if (s->read[i]->field == f && s->read[i]->version == 1)
			return true;
	return false;
}

/* Do statements compute the grid in front of the list?  If it "changes" values, none of them may
 * have read these.
 */
static bool check_writers(struct context *c, bool changes)
{
	const struct program *p = c->l->program;
	const struct symbol *s = c->listing->grid;
	bool any = false;

	for (int i = 0; i < p->n_stmts; ++i) {
		if (!p->stmt[i]->write)
			return false;
		if (any && changes && reads_next(p->stmt[i], s->field))
			return refuse_writer(c, s, "are read before the list "
				"changes them", "put the list after the "
				"statement that computes them, and before "
				"those that read them");
		any |= p->stmt[i]->write->field == s->field;
	}
	return any || refuse_writer(c, s, "are not computed before the list",
		"put the list after the statement that computes them");
}

/* What is done ----------------------------------------------------------------- */

static void append(struct lower *l, struct stmt *s, const struct listed *listed)
{
	const struct listed **old = s->listed;

	s->listed = region_array(l->mem, const struct listed *,
		s->n_listed + 1);
	for (int i = 0; i < s->n_listed; ++i)
		s->listed[i] = old[i];
	s->listed[s->n_listed++] = listed;
}

int append_listed(struct lower *l, const struct field *grid,
	const struct listed *listed)
{
	int n = 0;

	for (int i = 0; i < l->program->n_stmts; ++i) {
		struct stmt *s = l->program->stmt[i];

		if (!s->write || s->write->field != grid)
			continue;
		append(l, s, listed);
		++n;
	}
	return n;
}

static bool lower_series(struct context *c, struct ast_expr *e,
	struct symbol *s, struct listed *listed)
{
	struct ast_expr *subscript = e->args;

	s->used = true;
	if (!s->field)
		return false;
	if (e->n_args != s->field->n_dims)
		return report(c, e, E_SUBSCRIPT_COUNT, e->at, "'%s' takes %d "
			"subscripts, not %d", s->name, s->field->n_dims,
			e->n_args) && false;
	listed->series = s->field;
	for (int i = 0; i < e->n_args; ++i, subscript = subscript->next) {
		const struct expr *at = lower_place(c, subscript);

		if (!at)
			return false;
		if (expr_not_affine(at, true) || expr_any(at, expr_is_read))
			return refuse(c, subscript, "is not a subscript of an "
				"output here", "it is made of the number, the "
				"time, parameters and constants");
		listed->subscript[i] = at;
	}
	return true;
}

/* The left-hand side: the cell that gets the value. */
static bool lower_left(struct context *c, struct listed *listed,
	const struct expr **own)
{
	struct ast_expr *e = c->listing->update->item->element;
	struct symbol *s = find_symbol(c->l, e->name.text);

	if (!s || s->kind != SYMBOL_FIELD) {
		report_undeclared(c, e->name, USED_AS_FIELD);
		return false;
	}
	if (s->item->field_kind == FIELD_OUTPUT)
		return lower_series(c, e, s, listed);
	if (s->item->field_kind == FIELD_TEMP)
		return refuse(c, e, "is of a temp", "a list changes states, and "
			"records what states and temps have");
	if (!s->field)
		return false;
	s->used = true;
	*own = lower_own(c, e, s);
	return *own != NULL;
}

/* Between cells -------------------------------------------------------------- */

static const struct expr *index_of(struct lower *l, int d, struct span at)
{
	struct expr *e = expr_leaf(l->mem, EXPR_INDEX, TYPE_INT, at);

	e->dim = d;
	e->spelling = region_printf(l->mem, "x%d", d);
	return e;
}

/* The product of 1 - |place[d] - x[d]|. */
static const struct expr *weight_of(struct lower *l, const struct list *list)
{
	const struct expr *product = NULL;

	for (int d = 0; d < list->grid->n_dims; ++d) {
		const struct expr *place = list->place[d];
		struct span at = place->at;
		const struct expr *from = expr_binary(l->mem, OP_SUB, place,
			index_of(l, d, at), at);
		const struct expr *away = expr_call(l->mem, OP_FABS,
			from->type, 1, &from, at);
		const struct expr *weight = expr_binary(l->mem, OP_SUB,
			expr_int(l->mem, 1, at), away, at);

		product = product ? expr_binary(l->mem, OP_MUL, product, weight,
			at) : weight;
	}
	return product;
}

/* The sum of 2^d * (x[d] - (int) place[d]). */
static const struct expr *corner_of(struct lower *l, const struct list *list)
{
	const struct expr *sum = NULL;

	for (int d = 0; d < list->grid->n_dims; ++d) {
		struct span at = list->place[d]->at;
		const struct expr *beside = expr_binary(l->mem, OP_SUB,
			index_of(l, d, at), expr_cast(l->mem, TYPE_INT,
				list->place[d], at), at);

		beside = d ? times(l, beside, 1 << d) : beside;
		sum = sum ? expr_binary(l->mem, OP_ADD, sum, beside, at) :
			beside;
	}
	return sum;
}

/* The recorded values of the cells around the point, for each element of the
 * series.
 */
static const struct field *made_corners(struct lower *l,
	const struct listed *listed, const struct field *grid)
{
	const struct field *series = listed->series;
	struct field *f = (struct field *) made_input(l, listed->list, "_around",
		series->n_dims + 1);

	f->kind = FIELD_SERIES;
	f->type = grid->type;
	for (int d = 0; d < series->n_dims; ++d)
		f->size[d] = series->size[d];
	f->size[series->n_dims] = expr_int(l->mem, list_corners(listed->list),
		listed->at);
	return f;
}

/* "value", added at the point or recorded, for the cells around it. */
static bool spread(struct context *c, struct listed *listed,
	const struct expr *own, const struct expr **value)
{
	const struct update *u = c->listing->update;
	enum type type = c->listing->grid->field->type;
	struct lower *l = c->l;

	if (type != TYPE_INT && type != TYPE_FLOAT && type != TYPE_DOUBLE)
		return refuse(c, u->item->element, region_printf(l->mem, "lies "
			"between cells of type '%s'", type_name(type)), "places "
			"between cells are for fields of float or double");
	listed->weight = weight_of(l, listed->list);
	if (own && (!u->item->adds || expr_any(*value, is_own)))
		return refuse(c, u->item->element, "lies between cells", "what "
			"is added there, by '+=', is spread over the cells "
			"around it, and read elsewhere");
	if (own) {
		listed->addend = *value;
		*value = expr_binary(l->mem, OP_ADD, expr_promoted(l->mem, own),
			expr_binary(l->mem, OP_MUL, listed->weight, *value,
			own->at), own->at);
		return true;
	}
	if (listed->series->n_dims == IR_MAX_DIMS)
		return refuse(c, u->item->element, "has too many dimensions "
			"to record what lies between cells", "use fewer");
	listed->corner = corner_of(l, listed->list);
	listed->corners = made_corners(l, listed, c->listing->grid->field);
	return true;
}

static bool refuse_conditions(struct context *c)
{
	const struct update *u = c->listing->update;

	if (!u->conditions)
		return true;
	diag(c->l->diags, E_LIST, u->conditions->expr->at, "a list of points "
		"under a condition");
	diag_advice(c->l->diags, "choose the value instead, as in "
		"'+= t < n ? w[t][p] : 0'");
	return false;
}

static bool refuse_add(struct context *c)
{
	struct ast_expr *e = c->listing->update->item->element;

	return refuse(c, e, "is an output: nothing is added to it",
		"write '=' and read the value of the point");
}

void lower_listed(struct lower *l, const struct update *u)
{
	struct binding b = { .name = u->list->name.text,
		.at = u->list->name.at, .kind = BIND_LISTED };
	struct listing listing = { .update = u };
	struct context c = { .l = l, .order = u->order, .timed = l->loop,
		.bindings = &b, .listing = &listing,
		.read = lower_listed_read, .inlining = true };
	struct listed *listed = region_new_of(l->mem, struct listed);
	const struct expr *own = NULL, *value;

	if (!refuse_conditions(&c) || !lower_left(&c, listed, &own))
		return;
	value = lower_expr(&c, u->item->value);
	if (!value)
		return;
	if (!listing.grid) {
		refuse(&c, u->item->value, "reads no point of a list", "a list "
			"changes or records values of a state, as in "
			"'u[t+1][si[p]][sj[p]]'");
		return;
	}
	if (!check_writers(&c, own != NULL) ||
	    (u->item->adds && !own && !refuse_add(&c)))
		return;
	listed->at = u->item->element->at;
	listed->list = find_list(&c);
	if (!listed->list || (listing.is_between && !spread(&c, listed, own,
	    &value)))
		return;
	if (u->item->adds && !listing.is_between)
		value = expr_binary(l->mem, OP_ADD, expr_promoted(l->mem, own),
			value, value->at);
	listed->value = convert(&c, (listed->series ? listed->series :
		listing.grid->field)->type, value);
	append_listed(l, listing.grid->field, listed);
}
