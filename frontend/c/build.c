/* From a stencil to the tree of the .stn language. */
#include "frontend/c/build.h"
#include "frontend/c/ghost.h"
#include "frontend/c/list.h"
#include "frontend/c/overwrite.h"

#include <string.h>

/* Conditions ---------------------------------------------------------------*/

static struct ast_expr *both(struct build *b, struct ast_expr *a,
	struct ast_expr *c)
{
	return a ? ast_binary(&b->parse, OP_AND, a, c, c->at) : c;
}

static struct ast_expr *compare(struct build *b, enum op op,
	struct poly left, struct poly right, struct span at)
{
	struct ast_expr *first = build_poly(b, left, at);

	return ast_binary(&b->parse, op, first, build_poly(b, right, at), at);
}

/* begin <= v && v < end for the point, and its stride */
static struct ast_expr *in_range(struct build *b, struct ast_expr *all,
	const struct c_loop *loop)
{
	struct poly v = poly_symbol(loop->decl);
	struct poly begin = build_at_point(b, &loop->begin);
	struct poly end = build_at_point(b, &loop->end), from, one;
	struct ast_expr *rest;

	v = build_at_point(b, &v);
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
	rest = ast_binary(&b->parse, OP_MOD, build_poly(b, from, loop->at),
		build_number(b, loop->step, loop->at), loop->at);
	return both(b, all, ast_binary(&b->parse, OP_EQ, rest,
		build_number(b, 0, loop->at), loop->at));
}

struct ast_expr *build_loops(struct build *b, struct ast_expr *all,
	const struct c_loop *loop)
{
	if (!loop)
		return all;
	return in_range(b, build_loops(b, all, loop->outer), loop);
}

struct ast_expr *build_conditions(struct build *b, struct ast_expr *all,
	const struct c_condition *c)
{
	struct ast_expr *e;

	if (!c)
		return all;
	all = build_conditions(b, all, c->outer);
	b->in_condition = true;
	e = build_value(b, c->expr);
	b->in_condition = false;
	if (c->negated)
		e = ast_unary(&b->parse, OP_NOT, e, e->at);
	return both(b, all, e);
}

/* n >= 3: where the program is not called, nothing depends on anything. */
static struct ast_expr *with_least(struct build *b, struct ast_expr *all,
	struct span at)
{
	for (const struct c_param *p = b->s->params; p; p = p->next)
		if (p->least > 0)
			all = both(b, all, compare(b, OP_GE,
				poly_symbol(p->decl), poly_constant(p->least),
				at));
	return all;
}

/* Does each round execute every phase? */
static bool rounds_are_full(const struct stencil *s)
{
	struct poly steps;
	int64_t n;

	return leaves_rest(s) || (loop_extent(&s->time_range, &steps) &&
		poly_is_constant(&steps, &n) &&
		n % (s->n_phases * s->time_range.step) == 0);
}

struct ast_expr *build_phase(struct build *b, struct ast_expr *all)
{
	const struct c_update *u = b->update;
	struct poly now;

	return (b->of_next_round || (u->place.phase &&
		!rounds_are_full(b->s))) &&
		time_value(b->s, u->place.phase, &now) ? both(b, all,
			compare(b, OP_LT, now, b->s->time_range.end,
				b->s->time_loop->at)) : all;
}

struct ast_expr *build_pins(struct build *b, struct ast_expr *all)
{
	const struct c_access *w = b->update->write;

	for (int d = 0; d < w->n_subs; d++)
		if (is_pinned(b, d))
			all = both(b, all, compare(b, OP_EQ,
				poly_symbol(&b->index[d]), w->sub[d],
				w->sub_at[d]));
	return all;
}

struct ast_expr *build_where(struct build *b)
{
	const struct c_update *u = b->update;
	struct ast_expr *all = build_pins(b, build_phase(b, NULL));

	if (covers_interior(b->s, u))
		return all;
	all = build_conditions(b,
		build_loops(b, all, u->place.loop), u->place.condition);
	return with_least(b, all, u->at);
}

/* Where the statement is executed; NULL: wherever possible. */
static struct ast_expr *condition(struct build *b)
{
	struct ast_expr *all = build_where(b);

	return b->update->asked ? both(b, all, build_value(b,
		b->update->asked)) : all;
}

/* Arrays of the region -----------------------------------------------------*/

/* The only statement that writes "f"; NULL: there are several. */
static const struct c_update *only_writer(const struct stencil *s,
	const struct c_field *f)
{
	const struct c_update *writer = NULL;

	for (const struct c_update *u = s->updates; u; u = u->next) {
		if (u->write->field != f)
			continue;
		if (writer)
			return NULL;
		writer = u;
	}
	return writer;
}

static bool is_this_step(void *user, struct c_access *a)
{
	return a->field != user || a->version == 1;
}

static bool is_no_read(void *user, struct c_access *a)
{
	return a->field != user;
}

/* Arrays that one statement computes wherever possible become values between statements, others
 * states.
 */
static void find_temps(struct build *b)
{
	for (struct c_field *f = b->s->fields; f; f = f->next) {
		bool is_temp;

		b->update = f->local && !f->copy_of ? only_writer(b->s, f) :
			NULL;
		if (!b->update)
			continue;
		build_indices(b);
		is_temp = !b->update->asked && !b->update->sweeps &&
			!build_where(b);
		for (const struct c_update *u = b->s->updates; u && is_temp;
		     u = u->next)
			is_temp = update_reads(u, is_this_step, f);
		for (const struct c_result *r = b->s->until.results; r;
		     r = r->next)
			is_temp = is_temp && update_reads(r->of, is_no_read,
				f);
		f->is_temp = is_temp;
	}
}

/* Statements ---------------------------------------------------------------*/

static void add(struct build *b, struct ast_items *list,
	struct ast_item *item)
{
	(void) b;
	*list = ast_join_items(*list, ast_one_item(item));
}

/* Count the uses of each scalar's value, and first the values that it uses
 * itself.
 */
static void count_temps(struct build *b, const struct c_expr *e)
{
	if (e->kind == CX_TEMP) {
		struct let *l = build_find_let(b, e->temp), **link;

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

static void add_lets(struct build *b, struct let *from)
{
	for (struct let *l = from; l; l = l->next) {
		struct ast_item *item;
		struct ast_expr *e;

		if (l->uses < 2)
			continue;
		e = build_value(b, l->temp->value);
		l->name = build_new_name(b, l->temp->decl->name);
		item = ast_item(&b->parse, AST_LET, e->at);
		item->name = (struct ast_name) { l->name, e->at };
		item->value = e;
		add(b, &b->body, item);
	}
}

static struct ast_expr *written(struct build *b)
{
	const struct c_access *w = b->update->write;
	struct ast_exprs subs = { 0 };

	if (!w->field->is_temp)
		subs = ast_add_expr(subs, build_step(b, 1, w->at));
	for (int d = 0; d < w->n_subs; d++)
		subs = ast_add_expr(subs, build_name(b, b->index[d].name,
			w->sub_at[d]));
	return ast_element(&b->parse, (struct ast_name) { w->field->name,
		w->at }, subs, w->at);
}

static void add_update(struct build *b, const struct c_update *u)
{
	struct ast_item *item, *on;
	struct let *last = b->lets;
	struct ast_expr *where;

	while (last && last->next)
		last = last->next;
	b->update = u;
	build_indices(b);
	if (u->asked)
		count_temps(b, u->asked);
	count_temps(b, u->value);
	add_lets(b, last ? last->next : b->lets);
	item = ast_item(&b->parse, AST_UPDATE, u->at);
	item->element = written(b);
	item->value = build_value(b, u->value);
	item->sweeps = u->sweeps;
	where = condition(b);
	if (where && is_list_writer(b->s, u)) {
		item->value = build_everywhere(b, where, item->value);
	} else if (where) {
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

static void add_param(struct build *b, const char *param, enum type type,
	struct span at)
{
	struct ast_item *item = ast_item(&b->parse, AST_PARAM, at);

	item->name = (struct ast_name) { param, at };
	item->type = type;
	add(b, &b->items, item);
}

/* Drop parameters that only the number of steps needed, unless a check of the
 * call needs them.
 */
static void add_params(struct build *b)
{
	struct c_param **link = &b->s->params;
	const struct c_param *p;

	while (*link)
		if ((*link)->is_used || (*link)->is_checked ||
		    (*link)->is_beside)
			link = &(*link)->next;
		else
			*link = (*link)->next;
	for (p = b->s->params; p; p = p->next)
		if (p->is_used)
			add_param(b, p->name, build_type(p->decl->type),
				p->decl->at);
	if (b->s->named.rounds)
		add_param(b, b->s->named.rounds, TYPE_INT,
			b->s->time_loop->at);
	for (const struct c_element *e = b->s->elements; e; e = e->next)
		add_param(b, e->name, build_type(e->access->field->decl->type),
			e->access->at);
}

static void add_fields(struct build *b, struct ast_items *list)
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
		item->type = c_stored_type(f->decl->type);
		item->field_kind = f->is_record ? FIELD_OUTPUT : f->is_temp ?
			FIELD_TEMP : f->is_written ? FIELD_STATE : FIELD_INPUT;
		for (int d = 0; d < f->n_dims; d++)
			item->dims = ast_add_expr(item->dims, build_poly(b,
				f->size[d], f->decl->at));
		add(b, list, item);
	}
}

/* boundary A[0] = periodic; for reads that turn back */
static void add_ends(struct build *b, struct ast_items *list)
{
	for (const struct c_field *f = b->s->fields; f; f = f->next)
		for (int d = 0; d < f->n_dims; d++) {
			struct ast_item *item;

			if (f->ends[d] == BOUNDARY_FIXED)
				continue;
			item = ast_item(&b->parse, AST_BOUNDARY, f->decl->at);
			item->name = (struct ast_name) { f->name,
				f->decl->at };
			item->dims = ast_add_expr(item->dims, build_number(b,
				d, f->decl->at));
			item->boundary = (struct ast_name) { build_intern(b,
				boundary_info(f->ends[d])->word), f->decl->at };
			add(b, list, item);
		}
}

static void assume(struct build *b, struct ast_items *list, enum op op,
	const struct poly *p, const struct poly *q, struct span at)
{
	struct ast_item *item = ast_item(&b->parse, AST_ASSUME, at);

	item->value = compare(b, op, *p, *q, at);
	add(b, list, item);
}

/* Of q = sum / n: n * q <= sum < n * q + n */
static void assume_floor(struct build *b, struct ast_items *list,
	const struct c_decl *q)
{
	struct poly sum, n, least = poly_symbol(q), end;

	if (!poly_of(b->s, q->quotient->arg[0], &sum) ||
	    !poly_of(b->s, q->quotient->arg[1], &n) ||
	    !poly_multiply(&least, &n))
		return;
	end = least;
	if (!poly_add(&end, &n, 1))
		return;
	assume(b, list, OP_GE, &sum, &least, q->at);
	assume(b, list, OP_LT, &sum, &end, q->at);
}

/* phases * rounds OP steps */
static void assume_rounds(struct build *b, struct ast_items *list, enum op op,
	const struct poly *steps)
{
	struct span at = b->s->time_loop->at;
	struct ast_item *item = ast_item(&b->parse, AST_ASSUME, at);
	struct ast_expr *phases = build_number(b, b->s->n_phases *
		b->s->time_range.step, at);

	phases = ast_binary(&b->parse, OP_MUL, phases, build_name(b,
		b->s->named.rounds, at), at);
	item->value = ast_binary(&b->parse, op, phases, build_poly(b, *steps,
		at), at);
	add(b, list, item);
}

/* .. as the call computes the number of rounds: all steps have one, unless loops execute the rest. */
static void bound_rounds(struct build *b, struct ast_items *list)
{
	bool rest = leaves_rest(b->s);
	struct poly steps, most = poly_constant(rest ? 0 : b->s->n_phases *
		b->s->time_range.step - 1);

	if (!b->s->named.rounds || !loop_extent(&b->s->time_range, &steps) ||
	    !poly_add(&most, &steps, 1))
		return;
	if (!rest)
		assume_rounds(b, list, OP_GE, &steps);
	assume_rounds(b, list, OP_LE, &most);
}

/* Assume that sizes are positive, that loops cover the arrays that require it, and that parameters are
 * large enough.
 */
static void add_assumptions(struct build *b, struct ast_items *list)
{
	const struct poly none = poly_constant(0), one = poly_constant(1);

	for (const struct c_field *f = b->s->fields; f; f = f->next)
		for (int d = 0; d < f->n_dims; d++) {
			if (f->is_positive[d])
				assume(b, list, OP_GE, &f->size[d], &one,
					f->decl->at);
			if (f->whole[d] && !is_asked_before(b->s, f, d))
				assume(b, list, OP_EQ, &f->whole[d]->end,
					&f->size[d], f->decl->at);
		}
	for (const struct c_param *p = b->s->params; p; p = p->next) {
		const struct poly own = poly_symbol(p->decl);
		const struct poly least = poly_constant(p->least);

		if (p->least > 0)
			assume(b, list, OP_GE, &own, &least, p->decl->at);
		if (p->is_floor)
			assume_floor(b, list, p->decl);
	}
	for (const struct c_assumed *a = b->s->leaves.sums; a; a = a->next)
		assume(b, list, a->is_equal ? OP_EQ : OP_GE, &a->sum, &none,
			b->s->time_loop->at);
	bound_rounds(b, list);
}

static void add_loop(struct build *b, struct ast_items *list)
{
	struct stencil *s = b->s;
	struct span at = s->time_loop->at;
	struct ast_item *item = ast_item(&b->parse, AST_ITERATE, at);
	int64_t rounds;

	item->name = (struct ast_name) { s->named.round, at };
	if (s->round == s->time) {
		item->begin = build_poly(b, s->time_range.begin, at);
		item->value = build_poly(b, s->time_range.end, at);
	} else {
		item->begin = build_number(b, leaves_first_round(s), at);
		item->value = rounds_known(s, &rounds)
				      ? build_number(b, rounds, at)
				      : build_name(b, s->named.rounds, at);
	}
	item->items = b->body.first;
	add(b, list, item);
}

/* What ends the time loop ---------------------------------------------------*/

static void add_results(struct build *b, struct ast_items *list)
{
	for (const struct c_result *r = b->s->until.results; r; r = r->next) {
		struct ast_item *item = ast_item(&b->parse, AST_RESULT,
			r->decl->at);

		item->name = (struct ast_name) { r->name, r->decl->at };
		item->type = build_type(r->decl->type);
		add(b, list, item);
	}
}

static struct ast_names index_names(struct build *b, struct span at)
{
	struct ast_names names = { 0 };

	for (int d = 0; d < b->update->write->n_subs; d++)
		names = ast_add_name(&b->parse, names, (struct ast_name) {
			b->index[d].name, at });
	return names;
}

/* on (..) r = max (i, j) value; */
static void add_reduction(struct build *b, const struct c_result *r)
{
	struct ast_item *item, *on;
	struct ast_expr *where;
	struct span at = r->of->at;

	b->update = r->of;
	build_indices(b);
	where = build_conditions(b, build_loops(b, NULL, r->of->place.loop),
		r->of->place.condition);
	item = ast_reduce(&b->parse, build_name(b, r->name, at), r->op == OP_ADD ? REDUCE_SUM : r->op == OP_FMAX ? REDUCE_MAX :
		REDUCE_MIN, index_names(b, at), build_value(b, r->of->value));
	on = ast_item(&b->parse, AST_ON, where->at);
	on->value = where;
	on->items = item;
	add(b, &b->body, on);
}

static void add_until(struct build *b)
{
	struct ast_item *item;

	for (const struct c_result *r = b->s->until.results; r; r = r->next)
		add_reduction(b, r);
	if (!b->s->until.results)
		return;
	item = ast_item(&b->parse, AST_UNTIL, b->s->until.condition->at);
	item->value = build_value(b, b->s->until.condition);
	add(b, &b->body, item);
}

const struct ast *build_program(struct stencil *s, const char *program)
{
	struct build b = { .s = s };
	struct ast *ast = region_new_of(s->mem, struct ast);
	struct ast_items rest = { 0 };
	unsigned errors = s->diags->errors;

	b.parse.mem = s->mem;
	b.parse.diags = s->diags;
	b.parse.source = s->source;
	b.parse.names = s->named.all;
	s->named.program = build_intern(&b, program);
	put_changed_later(s);
	build_names(&b);
	find_temps(&b);
	for (const struct c_update *u = s->updates; u; u = u->next) {
		add_update(&b, u);
		for (const struct c_list *list = s->lists; list;
		     list = list->next)
			if (list->writer == u)
				add(&b, &b.body, build_list(&b, list));
	}
	for (const struct c_update *u = s->until.copies; u; u = u->next)
		add_update(&b, u);
	for (const struct c_record *r = s->recorded.first; r; r = r->next)
		add(&b, &b.body, build_record(&b, r));
	add_until(&b);
	add_fields(&b, &rest);
	add_results(&b, &rest);
	add_ends(&b, &rest);
	add_assumptions(&b, &rest);
	add_loop(&b, &rest);
	add_params(&b);
	b.items = ast_join_items(b.items, rest);
	ast->name = (struct ast_name) { s->named.program, s->region->pragma };
	ast->items = b.items.first;
	ast->names = s->named.all;
	ast->at = s->region->pragma;
	return s->diags->errors > errors ? NULL : ast;
}
