/* The tree of the .stn language of a stencil. */
#include "frontend/c/stencil.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/parse-context.h"

static bool rounds_known(const struct stencil *s, int64_t *value);

/* The statement being built. */
struct builder {
	struct stencil *s;
	struct parse parse;		/* for the makers of nodes */
	struct ast_items items;		/* of the program */
	const struct c_update *update;
	struct c_decl index[IR_MAX_DIMS];	/* of the field written */
	struct let {
		const struct c_temp *temp;
		const char *name;	/* NULL: put in place */
		int uses;
		struct let *next;
	} *lets;
	struct ast_items body;		/* statements of the loop */
};

/* Names --------------------------------------------------------------------*/

static const char *intern(struct builder *b, const char *name)
{
	return names_intern(b->s->names, name, strlen(name));
}

static bool is_used(const struct builder *b, const char *name)
{
	const struct stencil *s = b->s;

	for (const struct c_param *p = s->params; p; p = p->next)
		if (p->name == name)
			return true;
	for (const struct c_field *f = s->fields; f; f = f->next)
		if (f->name == name)
			return true;
	for (const struct c_element *e = s->elements; e; e = e->next)
		if (e->name == name)
			return true;
	for (const struct let *l = b->lets; l; l = l->next)
		if (l->name == name)
			return true;
	for (int d = 0; d < IR_MAX_DIMS; d++)
		if (b->index[d].name == name)
			return true;
	return name == s->round_name || name == s->rounds_name;
}

/* "name", or one like it, that the language has and the program not yet. */
static const char *new_name(struct builder *b, const char *name)
{
	const char *chosen = intern(b, name);

	while (is_used(b, chosen) || frontend_is_taken(chosen,
			b->s->program_name))
		chosen = intern(b, region_printf(b->s->mem, "%s_", chosen));
	return chosen;
}

static void name_all(struct builder *b)
{
	struct stencil *s = b->s;
	int64_t rounds;

	for (struct c_param *p = s->params; p; p = p->next)
		p->name = new_name(b, p->decl->name);
	for (struct c_field *f = s->fields; f; f = f->next)
		f->name = new_name(b, f->slot == NO_SLOT ? f->decl->name :
			region_printf(s->mem, f->slot < 0 ? "%s_m%d" :
				s->keeps_steps && f->slot ? "%s_p%d" : "%s_%d",
				f->decl->name, abs(f->slot)));
	if (s->round != s->time && !rounds_known(s, &rounds))
		s->rounds_name = new_name(b, "rounds");
	s->round_name = new_name(b, s->round == s->time ? s->time->name :
		"round");
}

/* The name in the program of a variable that is no array. */
static const char *name_of(const struct builder *b, const struct c_decl *d)
{
	if (d == b->s->round)
		return b->s->round_name;
	for (int i = 0; i < IR_MAX_DIMS; i++)
		if (d == &b->index[i])
			return d->name;
	for (struct c_param *p = b->s->params; p; p = p->next)
		if (p->decl == d) {
			p->is_used = true;
			return p->name;
		}
	return NULL;
}

/* Integers -----------------------------------------------------------------*/

static struct ast_expr *number(struct builder *b, int64_t value,
	struct span at)
{
	const char *spelling = region_printf(b->s->mem, "%" PRId64,
		value < 0 ? -value : value);
	struct ast_expr *e = ast_spelled_number(&b->parse, spelling,
		strlen(spelling), at);

	return value < 0 ? ast_unary(&b->parse, OP_NEG, e, at) : e;
}

static struct ast_expr *name(struct builder *b, const char *text,
	struct span at)
{
	return ast_name(&b->parse, (struct ast_name) { text, at });
}

/* |coefficient| * symbols */
static struct ast_expr *term_expr(struct builder *b,
	const struct poly_term *t, struct span at)
{
	int64_t c = t->coefficient < 0 ? -t->coefficient : t->coefficient;
	struct ast_expr *e = c != 1 || !t->degree ? number(b, c, at) : NULL;

	for (int i = 0; i < t->degree; i++) {
		struct ast_expr *symbol = name(b, name_of(b, t->symbol[i]),
			at);

		e = e ? ast_binary(&b->parse, OP_MUL, e, symbol, at) : symbol;
	}
	return e;
}

/* Is "a" to be printed before "b"?  Variables before numbers, sums before
 * differences.
 */
static bool goes_first(const struct poly_term *a, const struct poly_term *b)
{
	bool x = a->coefficient > 0, y = b->coefficient > 0;

	return x != y ? x : a->degree > b->degree;
}

static struct ast_expr *poly_expr(struct builder *b, struct poly p,
	struct span at)
{
	struct ast_expr *e = NULL;

	while (p.n) {
		int first = 0;
		bool negative;
		struct ast_expr *term;

		for (int i = 1; i < p.n; i++)
			if (goes_first(&p.term[i], &p.term[first]))
				first = i;
		negative = p.term[first].coefficient < 0;
		term = term_expr(b, &p.term[first], at);
		if (e)
			e = ast_binary(&b->parse, negative ? OP_SUB : OP_ADD,
				e, term, at);
		else
			e = negative ? ast_unary(&b->parse, OP_NEG, term, at) :
				term;
		p.term[first] = p.term[--p.n];
	}
	return e ? e : number(b, 0, at);
}

/* Points -------------------------------------------------------------------*/

/* The value of the loop's variable at the point: of A[c*v + rest] = .. with
 * c = 1 or -1 it is c*(index - rest).
 */
static bool point_of(struct builder *b, const struct c_loop *loop,
	struct poly *value)
{
	const struct c_access *w = b->update->write;

	for (int d = 0; d < w->n_subs; d++) {
		struct poly rest;
		int64_t c;

		if (!poly_uses(&w->sub[d], loop->decl))
			continue;
		poly_split(&w->sub[d], loop->decl, &c, &rest);
		*value = (struct poly) { 0 };
		return poly_add(value, &(struct poly) { .n = 1, .term = { {
				.coefficient = 1, .degree = 1,
				.symbol = { &b->index[d] } } } }, c) &&
			poly_add(value, &rest, -c);
	}
	return false;
}

/* "p" with the point in place of the loops' variables. */
static struct poly at_point(struct builder *b, const struct poly *p)
{
	struct poly result = *p, value;
	const struct c_loop *loop = b->update->place.loop;

	for (; loop; loop = loop->outer)
		if (point_of(b, loop, &value))
			poly_substitute(&result, loop->decl, &value);
	return result;
}

/* Is dimension "d" of what is written fixed, as in A[0][j]? */
static bool is_pinned(const struct builder *b, int d)
{
	const struct c_access *w = b->update->write;
	const struct c_loop *loop = b->update->place.loop;

	for (; loop; loop = loop->outer)
		if (poly_uses(&w->sub[d], loop->decl))
			return false;
	return true;
}

/* The loop whose variable counts dimension "d" of a write of "u". */
static const struct c_loop *loop_of(const struct c_update *u, int d)
{
	const struct c_loop *loop = u->place.loop;

	while (loop && !poly_uses(&u->write->sub[d], loop->decl))
		loop = loop->outer;
	return loop;
}

static void name_indices(struct builder *b)
{
	static const char *const usual[] = { "i", "j", "k", "l" };
	int n = b->update->write->n_subs;

	memset(b->index, 0, sizeof(b->index));
	for (int d = 0; d < n; d++) {
		const struct c_loop *loop = loop_of(b->update, d);

		if (loop)
			b->index[d].name = new_name(b, loop->decl->name);
	}
	for (int d = 0; d < n; d++)
		if (!b->index[d].name)
			b->index[d].name = new_name(b, d < 4 ? usual[d] : "x");
}

/* Reads --------------------------------------------------------------------*/

static struct ast_expr *refuse_read(struct builder *b,
	const struct c_access *a, int d, const char *why)
{
	refuse(b->s, E_SUBSCRIPT, a->sub_at[d], "the subscript '%s' is not "
		"at a fixed distance from the point '%s': %s",
		c_quote(b->s, a->sub_at[d]), c_quote(b->s, b->update->at),
		why);
	return ast_bad(&b->parse, a->sub_at[d]);
}

/* index + constant, or number * index + constant */
static struct ast_expr *subscript(struct builder *b,
	const struct c_access *a, int d)
{
	struct poly p = at_point(b, &a->sub[d]);
	int64_t c, constant;
	int n_subs = b->update->write->n_subs, found = -1;

	if (poly_uses(&p, b->s->round))
		return refuse_read(b, a, d, "it depends on the time");
	for (int i = 0; i < n_subs; i++) {
		struct poly rest;

		if (!poly_uses(&p, &b->index[i]))
			continue;
		if (found >= 0)
			return refuse_read(b, a, d, "it has two indices");
		if (!poly_split(&p, &b->index[i], &c, &rest))
			return refuse_read(b, a, d, "the index has a factor "
				"that is not known at compile time");
		if (c < 0)
			return refuse_read(b, a, d, "the factor of the index "
				"is negative");
		if (!poly_is_constant(&rest, &constant))
			return refuse_read(b, a, d, "the distance is not "
				"known at compile time");
		found = i;
	}
	for (int i = 0; i < n_subs && found < 0; i++) {
		struct poly distance = p;
		int dim = (i + d) % n_subs;
		struct poly index;

		if (!is_pinned(b, dim) || !poly_add(&distance,
				&b->update->write->sub[dim], -1) ||
		    !poly_is_constant(&distance, &constant))
			continue;
		index = poly_symbol(&b->index[dim]);
		poly_add(&distance, &index, 1);
		p = distance;
		found = dim;
	}
	if (found < 0)
		return refuse_read(b, a, d, "it has no index");
	return poly_expr(b, p, a->sub_at[d]);
}

/* "round" or "round + 1" */
static struct ast_expr *step(struct builder *b, int version, struct span at)
{
	struct poly p = poly_symbol(b->s->round);
	struct poly one = poly_constant(version);

	poly_add(&p, &one, 1);
	return poly_expr(b, p, at);
}

static bool same_element(const struct c_access *a, const struct c_access *c)
{
	if (a->field != c->field)
		return false;
	for (int d = 0; d < a->n_subs; d++)
		if (!poly_equal(&a->sub[d], &c->sub[d]))
			return false;
	return true;
}

/* The parameter for the element of "a": w_0_1 for w[0][1]. */
static struct ast_expr *element(struct builder *b, const struct c_access *a)
{
	struct c_element **link = &b->s->elements;
	const char *text = a->field->decl->name;
	int64_t value;

	while (*link && !same_element((*link)->access, a))
		link = &(*link)->next;
	if (*link)
		return name(b, (*link)->name, a->at);
	for (int d = 0; d < a->n_subs; d++)
		text = poly_is_constant(&a->sub[d], &value) ?
			region_printf(b->s->mem, "%s_%" PRId64, text, value) :
			region_printf(b->s->mem, "%s_at", text);
	text = new_name(b, text);
	*link = region_new_of(b->s->mem, struct c_element);
	(*link)->access = a;
	(*link)->name = text;
	return name(b, text, a->at);
}

static struct ast_expr *read_expr(struct builder *b,
	const struct c_access *a)
{
	struct ast_exprs subs = { 0 };

	if (access_is_fixed(b->s, a))
		return element(b, a);
	a->field->is_used = true;
	if (a->field->is_written)
		subs = ast_add_expr(subs, step(b, a->version, a->at));
	for (int d = 0; d < a->n_subs; d++) {
		struct ast_expr *sub = subscript(b, a, d);

		if (sub->kind == AST_BAD)
			return sub;
		subs = ast_add_expr(subs, sub);
	}
	return ast_element(&b->parse, (struct ast_name) { a->field->name,
		a->at }, subs, a->at);
}

/* Values -------------------------------------------------------------------*/

static struct ast_expr *value(struct builder *b, const struct c_expr *e);

static enum type type_of(enum c_type type)
{
	return type == C_FLOAT ? TYPE_FLOAT : type == C_DOUBLE ? TYPE_DOUBLE :
		TYPE_INT;
}

static struct ast_expr *refuse_type(struct builder *b,
	const struct c_expr *e)
{
	refuse(b->s, E_C_TYPE, e->at, "'%s' is not computed in int, float or "
		"double", c_quote(b->s, e->at));
	return ast_bad(&b->parse, e->at);
}

static struct ast_expr *real(struct builder *b, const struct c_expr *e)
{
	struct text t = { 0 };
	struct ast_expr *result;

	if (e->type != C_FLOAT && e->type != C_DOUBLE)
		return refuse_type(b, e);
	ir_print_real(&t, type_of(e->type), e->real);
	result = ast_spelled_number(&b->parse, t.bytes, t.length, e->at);
	text_free(&t);
	return result;
}

static struct ast_expr *variable(struct builder *b, const struct c_expr *e)
{
	struct poly p = poly_symbol(e->decl);
	const char *param = name_of(b, e->decl);

	if (param)
		return name(b, param, e->at);
	return poly_expr(b, at_point(b, &p), e->at);
}

/* sqrt() of a float is computed in double by C, and in float by .stn. */
static struct ast_expr *call(struct builder *b, const struct c_expr *e)
{
	bool single = e->type == C_FLOAT;
	struct ast_exprs args = { 0 };

	for (int i = 0; i < e->n_args; i++) {
		struct ast_expr *arg = value(b, e->arg[i]);

		if (!single && e->arg[i]->type == C_FLOAT)
			arg = ast_cast(&b->parse, TYPE_DOUBLE, arg, arg->at);
		args = ast_add_expr(args, arg);
	}
	return ast_call(&b->parse, (struct ast_name) { intern(b, e->name),
		e->at }, args, e->at);
}

static struct let *find_let(struct builder *b, const struct c_temp *temp)
{
	struct let *l = b->lets;

	while (l && l->temp != temp)
		l = l->next;
	return l;
}

static struct ast_expr *temporary(struct builder *b, const struct c_expr *e)
{
	const struct let *l = find_let(b, e->temp);

	return l && l->name ? name(b, l->name, e->at) :
		value(b, e->temp->value);
}

static bool is_beyond_int(enum c_type type)
{
	return type == C_INTEGER || type == C_UNSIGNED;
}

static bool is_logical(int op)
{
	return op == OP_LT || op == OP_LE || op == OP_GT || op == OP_GE ||
		op == OP_EQ || op == OP_NE || op == OP_AND || op == OP_OR;
}

/* A sum of one or two indices and a number, or a quotient or rest of one by a
 * number: int has it as C's larger types have.
 */
static bool is_index(const struct stencil *s, const struct c_expr *e)
{
	struct poly p;
	int n = 0;

	if (e->kind == CX_BINARY && (e->op == OP_DIV || e->op == OP_MOD))
		return e->arg[1]->kind == CX_INT && is_index(s, e->arg[0]);
	if (!poly_of(s, e, &p))
		return false;
	for (int i = 0; i < p.n; i++) {
		const struct poly_term *t = &p.term[i];

		if (!t->degree)
			continue;
		if (++n > 2 || t->degree > 1 || (t->coefficient != 1 &&
		    t->coefficient != -1))
			return false;
	}
	return true;
}

/* From left to right: parameters stand in the order in which values use them. */
static struct ast_expr *operation(struct builder *b, const struct c_expr *e)
{
	struct ast_expr *left;
	struct poly p;

	if (is_beyond_int(e->type) && !is_logical(e->op) &&
	    !is_index(b->s, e))
		return refuse_type(b, e);
	if (e->op >= OP_COUNT)
		return poly_of(b->s, e, &p) ?
			poly_expr(b, at_point(b, &p), e->at) :
			refuse_type(b, e);
	left = value(b, e->arg[0]);
	return ast_binary(&b->parse, (enum op) e->op, left,
		value(b, e->arg[1]), e->at);
}

static struct ast_expr *selection(struct builder *b, const struct c_expr *e)
{
	struct ast_expr *condition = value(b, e->arg[0]);
	struct ast_expr *then = value(b, e->arg[1]);

	return ast_select(&b->parse, condition, then, value(b, e->arg[2]),
		e->at);
}

static struct ast_expr *value(struct builder *b, const struct c_expr *e)
{
	switch (e->kind) {
	case CX_INT:
		return number(b, e->value, e->at);
	case CX_REAL:
		return real(b, e);
	case CX_VAR:
		return variable(b, e);
	case CX_ELEMENT:
		return read_expr(b, e->access);
	case CX_TEMP:
		return temporary(b, e);
	case CX_UNARY:
		if (is_beyond_int(e->type))
			return refuse_type(b, e);
		return ast_unary(&b->parse, (enum op) e->op,
			value(b, e->arg[0]), e->at);
	case CX_BINARY:
		return operation(b, e);
	case CX_SELECT:
		return selection(b, e);
	case CX_CALL:
		return call(b, e);
	case CX_CAST:
		if (e->type == C_OTHER || e->type == C_NARROW ||
		    is_beyond_int(e->type))
			return refuse_type(b, e);
		return ast_cast(&b->parse, type_of(e->type),
			value(b, e->arg[0]), e->at);
	case CX_BAD:
		break;
	}
	return ast_bad(&b->parse, e->at);
}

/* Conditions ---------------------------------------------------------------*/

static struct ast_expr *both(struct builder *b, struct ast_expr *a,
	struct ast_expr *c)
{
	return a ? ast_binary(&b->parse, OP_AND, a, c, c->at) : c;
}

static struct ast_expr *compare(struct builder *b, enum op op,
	struct poly left, struct poly right, struct span at)
{
	struct ast_expr *first = poly_expr(b, left, at);

	return ast_binary(&b->parse, op, first, poly_expr(b, right, at), at);
}

/* begin <= v && v < end for the point, and its stride */
static struct ast_expr *in_range(struct builder *b, struct ast_expr *all,
	const struct c_loop *loop)
{
	struct poly v = poly_symbol(loop->decl);
	struct poly begin = at_point(b, &loop->begin);
	struct poly end = at_point(b, &loop->end), from, one;
	struct ast_expr *rest;

	v = at_point(b, &v);
	all = both(b, all, compare(b, OP_GE, v, begin, loop->at));
	all = both(b, all, compare(b, OP_LT, v, end, loop->at));
	if (loop->step == 1)
		return all;
	from = v;
	one = poly_constant(1);
	if (loop->down) {
		from = end;
		poly_add(&from, &one, -1);
		poly_add(&from, &v, -1);
	} else {
		poly_add(&from, &begin, -1);
	}
	rest = ast_binary(&b->parse, OP_MOD, poly_expr(b, from, loop->at),
		number(b, loop->step, loop->at), loop->at);
	return both(b, all, ast_binary(&b->parse, OP_EQ, rest,
		number(b, 0, loop->at), loop->at));
}

static struct ast_expr *in_loops(struct builder *b, struct ast_expr *all,
	const struct c_loop *loop)
{
	if (!loop)
		return all;
	return in_range(b, in_loops(b, all, loop->outer), loop);
}

static struct ast_expr *under(struct builder *b, struct ast_expr *all,
	const struct c_condition *c)
{
	struct ast_expr *e;

	if (!c)
		return all;
	all = under(b, all, c->outer);
	e = value(b, c->expr);
	if (c->negated)
		e = ast_unary(&b->parse, OP_NOT, e, e->at);
	return both(b, all, e);
}

/* Rounds of the time loop: a number, or the parameter called "name". */
static bool rounds_known(const struct stencil *s, int64_t *value)
{
	struct poly steps = s->steps.end;
	int64_t n, by = s->n_phases * s->steps.step;

	if (s->keeps_steps) {
		*value = 1;
		return true;
	}
	if (!poly_add(&steps, &s->steps.begin, -1) ||
	    !poly_is_constant(&steps, &n))
		return false;
	*value = n > 0 ? (n + by - 1) / by : 0;
	return true;
}

/* Is each phase of each round executed? */
static bool rounds_are_full(const struct stencil *s)
{
	struct poly steps = s->steps.end;
	int64_t n;

	return poly_add(&steps, &s->steps.begin, -1) &&
		poly_is_constant(&steps, &n) &&
		n % (s->n_phases * s->steps.step) == 0;
}

/* Where the statement is executed; NULL: wherever it can be. */
static struct ast_expr *condition(struct builder *b)
{
	const struct c_update *u = b->update;
	struct ast_expr *all = NULL;
	struct poly now;

	if (u->place.phase && !rounds_are_full(b->s) &&
	    time_value(b->s, u->place.phase, &now))
		all = compare(b, OP_LT, now, b->s->steps.end,
			b->s->time_loop->at);
	for (int d = 0; d < u->write->n_subs; d++)
		if (is_pinned(b, d))
			all = both(b, all, compare(b, OP_EQ,
				poly_symbol(&b->index[d]), u->write->sub[d],
				u->write->sub_at[d]));
	if (covers_interior(b->s, u))
		return all;
	return under(b, in_loops(b, all, u->place.loop), u->place.condition);
}

/* Statements ---------------------------------------------------------------*/

static void add(struct builder *b, struct ast_items *list,
	struct ast_item *item)
{
	(void) b;
	*list = ast_join_items(*list, ast_one_item(item));
}

/* Count the uses of each scalar's value; the values that it uses first. */
static void count_temps(struct builder *b, const struct c_expr *e)
{
	if (e->kind == CX_TEMP) {
		struct let *l = find_let(b, e->temp), **link;

		if (l) {
			l->uses++;
			return;
		}
		count_temps(b, e->temp->value);
		l = region_new_of(b->s->mem, struct let);
		l->temp = e->temp;
		l->uses = 1;
		for (link = &b->lets; *link; link = &(*link)->next)
			;
		*link = l;
	}
	for (int i = 0; i < e->n_args; i++)
		count_temps(b, e->arg[i]);
}

static void add_lets(struct builder *b, struct let *from)
{
	for (struct let *l = from; l; l = l->next) {
		struct ast_item *item;
		struct ast_expr *e;

		if (l->uses < 2)
			continue;
		e = value(b, l->temp->value);
		l->name = new_name(b, l->temp->decl->name);
		item = ast_item(&b->parse, AST_LET, e->at);
		item->name = (struct ast_name) { l->name, e->at };
		item->value = e;
		add(b, &b->body, item);
	}
}

static struct ast_expr *written(struct builder *b)
{
	const struct c_access *w = b->update->write;
	struct ast_exprs subs = { 0 };

	subs = ast_add_expr(subs, step(b, 1, w->at));
	for (int d = 0; d < w->n_subs; d++)
		subs = ast_add_expr(subs, name(b, b->index[d].name,
			w->sub_at[d]));
	return ast_element(&b->parse, (struct ast_name) { w->field->name,
		w->at }, subs, w->at);
}

static void add_update(struct builder *b, const struct c_update *u)
{
	struct ast_item *item, *on;
	struct let *last = b->lets;
	struct ast_expr *where;

	while (last && last->next)
		last = last->next;
	b->update = u;
	name_indices(b);
	count_temps(b, u->value);
	add_lets(b, last ? last->next : b->lets);
	item = ast_item(&b->parse, AST_UPDATE, u->at);
	item->element = written(b);
	item->value = value(b, u->value);
	where = condition(b);
	if (where) {
		on = ast_item(&b->parse, AST_ON, where->at);
		on->value = where;
		on->items = item;
		item = on;
	}
	add(b, &b->body, item);
	for (struct let *l = b->lets; l; l = l->next)
		l->temp = NULL;
}

/* Declarations -------------------------------------------------------------*/

static void add_param(struct builder *b, const char *param, enum type type,
	struct span at)
{
	struct ast_item *item = ast_item(&b->parse, AST_PARAM, at);

	item->name = (struct ast_name) { param, at };
	item->type = type;
	add(b, &b->items, item);
}

/* Parameters that only the steps' number needed are dropped, unless a check of
 * the call needs them.
 */
static void add_params(struct builder *b)
{
	struct c_param **link = &b->s->params;
	const struct c_param *p;

	while (*link)
		if ((*link)->is_used || (*link)->is_checked)
			link = &(*link)->next;
		else
			*link = (*link)->next;
	for (p = b->s->params; p; p = p->next)
		if (p->is_used)
			add_param(b, p->name, type_of(p->decl->type),
				p->decl->at);
	if (b->s->rounds_name)
		add_param(b, b->s->rounds_name, TYPE_INT,
			b->s->time_loop->at);
	for (const struct c_element *e = b->s->elements; e; e = e->next)
		add_param(b, e->name, type_of(e->access->field->decl->type),
			e->access->at);
}

static void add_fields(struct builder *b, struct ast_items *list)
{
	struct c_field **link = &b->s->fields;

	while (*link)
		if ((*link)->is_used || (*link)->is_written)
			link = &(*link)->next;
		else
			*link = (*link)->next;
	for (const struct c_field *f = b->s->fields; f; f = f->next) {
		struct ast_item *item = ast_item(&b->parse, AST_FIELD,
			f->decl->at);

		item->name = (struct ast_name) { f->name, f->decl->at };
		item->type = type_of(f->decl->type);
		item->field_kind = f->is_written ? FIELD_STATE : FIELD_INPUT;
		for (int d = 0; d < f->n_dims; d++)
			item->dims = ast_add_expr(item->dims, poly_expr(b,
				f->size[d], f->decl->at));
		add(b, list, item);
	}
}

/* Sizes that are assumed to be positive. */
static void add_assumptions(struct builder *b, struct ast_items *list)
{
	const struct poly one = poly_constant(1);

	for (const struct c_field *f = b->s->fields; f; f = f->next)
		for (int d = 0; d < f->n_dims; d++) {
			struct ast_item *item;

			if (!f->is_positive[d])
				continue;
			item = ast_item(&b->parse, AST_ASSUME, f->decl->at);
			item->value = compare(b, OP_GE, f->size[d], one,
				f->decl->at);
			add(b, list, item);
		}
}

static void add_loop(struct builder *b, struct ast_items *list)
{
	struct stencil *s = b->s;
	struct span at = s->time_loop->at;
	struct ast_item *item = ast_item(&b->parse, AST_ITERATE, at);
	int64_t rounds;

	item->name = (struct ast_name) { s->round_name, at };
	if (s->round == s->time) {
		item->begin = poly_expr(b, s->steps.begin, at);
		item->value = poly_expr(b, s->steps.end, at);
	} else {
		item->begin = number(b, 0, at);
		item->value = rounds_known(s, &rounds) ?
			number(b, rounds, at) : name(b, s->rounds_name, at);
	}
	item->items = b->body.first;
	add(b, list, item);
}

const struct ast *build_program(struct stencil *s, const char *program)
{
	struct builder b = { .s = s };
	struct ast *ast = region_new_of(s->mem, struct ast);
	struct ast_items rest = { 0 };
	unsigned errors = s->diags->errors;

	b.parse.mem = s->mem;
	b.parse.diags = s->diags;
	b.parse.source = s->source;
	b.parse.names = s->names;
	s->program_name = intern(&b, program);
	name_all(&b);
	for (const struct c_update *u = s->updates; u; u = u->next)
		add_update(&b, u);
	add_fields(&b, &rest);
	add_assumptions(&b, &rest);
	add_loop(&b, &rest);
	add_params(&b);
	b.items = ast_join_items(b.items, rest);
	ast->name = (struct ast_name) { s->program_name, s->region->pragma };
	ast->items = b.items.first;
	ast->names = s->names;
	ast->at = s->region->pragma;
	return s->diags->errors > errors ? NULL : ast;
}
