/* From the tree to the program, stage by stage; see lower.h. */
#include "frontend/beside.h"
#include "frontend/complex.h"
#include "frontend/components.h"
#include "frontend/conditions.h"
#include "frontend/derivative.h"
#include "frontend/linear.h"
#include "frontend/reads.h"
#include "frontend/slice.h"

/* Declarations -------------------------------------------------------------*/

static void new_params(struct lower *l)
{
	struct program *p = l->program;

	p->param = region_array(l->mem, struct param *, l->n_symbols);
	for (struct symbol *s = l->first; s; s = s->next) {
		if (s->kind != SYMBOL_PARAM || s->components)
			continue;
		s->param = region_new_of(l->mem, struct param);
		s->param->name = s->name;
		s->param->type = s->item->type;
		s->param->at = s->at;
		p->param[p->n_params++] = s->param;
	}
}

static void lower_constants(struct lower *l)
{
	struct symbol *s;

	for (s = l->first; s && !diag_full(l->diags); s = s->next) {
		if (s->components || (is_imaginary_part(s) && s->kind ==
		    SYMBOL_CONST && !s->part_of->components->part[0]->constant))
			continue;
		if (s->kind == SYMBOL_PARAM)
			lower_param(l, s);
		else if (s->kind == SYMBOL_CONST)
			lower_constant(l, s);
	}
}

static void lower_assumes(struct lower *l)
{
	struct context c = { .l = l };
	struct program *p = l->program;
	const struct ast_item *item;
	int n = 0;

	for (item = l->ast->items; item; item = item->next)
		n += item->kind == AST_ASSUME;
	p->assume = region_array(l->mem, const struct expr *, n);
	for (item = l->ast->items; item; item = item->next)
		if (item->kind == AST_ASSUME)
			p->assume[p->n_assumes++] =
				lower_condition(&c, item->value);
}

static void lower_loop(struct lower *l)
{
	struct context c = { .l = l };
	struct program *p = l->program;

	if (!l->loop) {
		p->begin = expr_int(l->mem, 0, p->at);
		p->end = expr_int(l->mem, 1, p->at);
		return;
	}
	p->timed = true;
	p->time_name = l->loop->name.text;
	p->begin = lower_affine(&c, l->loop->begin, "a bound of the time");
	p->end = lower_affine(&c, l->loop->value, "a bound of the time");
}

static bool is_argument(const struct symbol *s)
{
	if (s->kind == SYMBOL_PARAM)
		return !s->components && !s->param->fixed;
	return !s->part_of && (s->kind == SYMBOL_RESULT ||
		(s->kind == SYMBOL_FIELD &&
		 s->item->field_kind != FIELD_TEMP));
}

static void list_arguments(struct lower *l)
{
	struct program *p = l->program;

	p->arg = region_array(l->mem, struct argument, l->n_symbols + 1);
	for (const struct symbol *s = l->first; s; s = s->next)
		if (is_argument(s))
			p->arg[p->n_args++] = (struct argument) { s->param,
				s->components ? join_components(l, s) : s->field
			};
	if (p->steps)
		p->arg[p->n_args++] = (struct argument) { NULL, p->steps };
}

/* Statements ---------------------------------------------------------------*/

/* "e = max (i) -x" parses as the difference of a call and x. */
static void refuse_value_of_result(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	if (report(c, e, E_REDUCTION, e->at, "'%s' is a result: it gets the "
			"'max', 'min' or 'sum' of points", s->name))
		diag_advice(c->l->diags, "write '%s = max (i, j) ..;'; an "
			"expression that begins with a sign stands in "
			"parentheses", s->name);
}

static struct symbol *find_target(struct context *c, struct ast_expr *e)
{
	struct symbol *s = find_symbol(c->l, e->name.text);
	struct diags *d = c->l->diags;

	if (s && s->components) {
		s->used = true;
		refuse_component(c, e, s);
		return NULL;
	}
	if (s && s->kind == SYMBOL_FIELD)
		return s;
	if (!s || s->kind == SYMBOL_UNKNOWN) {
		report_undeclared(c, e->name, USED_AS_FIELD);
		return NULL;
	}
	if (s->kind == SYMBOL_RESULT) {
		refuse_value_of_result(c, e, s);
		return NULL;
	}
	if (!report(c, e, E_KIND, e->at, "'%s' is %s: a statement writes a "
			"field", s->name, symbol_what(s)))
		return NULL;
	diag_note(d, s->at, "it is declared here");
	return NULL;
}

/* Two statements without conditions write the same points; with conditions,
 * only sets can tell.
 */
static void check_twice(struct lower *l, struct symbol *s,
	const struct update *u)
{
	const struct update *first = s->first_write;

	if (first == u || first->conditions || u->conditions || s->twice ||
	    is_strided(l, first) || is_strided(l, u) || has_slices(l, first) ||
	    has_slices(l, u))
		return;
	s->twice = true;
	if (is_imaginary_part(s))
		return;
	diag(l->diags, E_WRITTEN_TWICE, u->item->element->at,
		"'%s' is computed by two statements at the same points",
		complex_name(s));
	diag_note(l->diags, first->item->element->at,
		"the first one is here");
	diag_advice(l->diags, "remove one, or divide the points with "
		"'on (...)'");
}

/* Note which statements write which field. */
static void find_writes(struct lower *l)
{
	for (struct update *u = l->updates; u; u = u->next) {
		const char *name = u->item->element->name.text;
		struct symbol *s = find_symbol(l, name);

		if (!s || s->kind != SYMBOL_FIELD || s->components ||
		    (u->list && is_of_step(s)))
			continue;
		if (!s->first_write)
			s->first_write = u;
		s->last_write = u;
		if (!is_amendment(l, s, u))
			check_twice(l, s, u);
	}
}

static void refuse_outside(struct lower *l, const struct update *u)
{
	diag(l->diags, E_OUTSIDE_LOOP, u->item->element->at,
		"this statement is beside the time loop");
	diag_note(l->diags, l->loop->name.at, "the loop is here");
	diag_advice(l->diags, "put it into the loop, or into a program of "
		"its own");
}

static struct stmt *new_stmt(struct lower *l, const struct update *u)
{
	struct program *p = l->program;
	struct stmt *ir = region_new_of(l->mem, struct stmt);

	ir->index = p->n_stmts;
	ir->name = region_printf(l->mem, "S%d", ir->index);
	ir->at = u->item->element->at;
	p->stmt[p->n_stmts++] = ir;
	return ir;
}

static void refuse_adding(struct lower *l, const struct update *u)
{
	diag(l->diags, E_NOT_COMPUTED, u->item->element->at, "'%s += ..' adds to "
		"what no statement before it computes", quote(l,
			u->item->element->at));
	diag_advice(l->diags, "a state is computed by '=' first, an output or "
		"temp by one statement alone");
}

/* A sweep writes a state, and is a statement of its own. */
static bool check_sweep(struct context *c, const struct symbol *s)
{
	const struct update *u = c->statement->update;
	struct diags *d = c->l->diags;

	if (!u->item->sweeps || (s->item->field_kind == FIELD_STATE &&
	    !u->list))
		return true;
	diag(d, E_SWEEP, u->item->element->at, "'%s' is %s: a sweep computes a "
		"state", s->name, symbol_what(s));
	diag_note(d, s->at, "it is declared here");
	return false;
}

static void lower_update(struct lower *l, const struct update *u)
{
	struct statement *statement = region_new_of(l->mem, struct statement);
	struct context c = {
		.l = l, .statement = statement, .order = u->order,
		.timed = l->loop,
	};
	struct ast_expr *element = u->item->element;
	const struct expr *value, *values;

	if (u->item->adds) {
		refuse_adding(l, u);
		return;
	}
	*statement = (struct statement) { .ir = new_stmt(l, u), .update = u };
	l->statement[statement->ir->index] = statement;
	statement->ir->sweeps = u->item->sweeps;
	statement->target = find_target(&c, element);
	if (!statement->target || !check_sweep(&c, statement->target) ||
	    !lower_write(&c, element, statement->target))
		return;
	lower_conditions(&c, &values);
	if (is_override(&c, values) && !lower_override(&c)) {
		--l->program->n_stmts;
		return;
	}
	if (has_slices(l, u) && !take_points(&c))
		return;
	value = lower_expr(&c, u->item->value);
	if (value)
		value = convert(&c, statement->target->field->type, value);
	statement->is_guarded = values;
	statement->ir->value = value && values ? guard(&c, values, value) :
		value;
}

static bool amends(const struct lower *l, const struct update *u)
{
	const struct symbol *s = find_symbol(l, u->item->element->name.text);

	return s && s->kind == SYMBOL_FIELD && s->field && l->time &&
		is_amendment(l, s, u);
}

static void lower_updates(struct lower *l)
{
	unsigned errors = l->diags->errors;
	const struct update *u;
	int n = 0;

	for (u = l->updates; u; u = u->next)
		++n;
	l->program->stmt = region_array(l->mem, struct stmt *, n);
	l->statement = region_array(l->mem, struct statement *, n);
	for (u = l->updates; u && !diag_full(l->diags); u = u->next) {
		if (u->is_second && l->diags->errors > errors)
			continue;
		errors = l->diags->errors;
		if (l->loop && !u->looped)
			refuse_outside(l, u);
		else if (u->list && !u->item->sweeps)
			lower_listed(l, u);
		else if (is_record(l, u) && !u->item->sweeps)
			lower_record(l, u);
		else if (amends(l, u))
			lower_amendment(l, u);
		else
			lower_update(l, u);
	}
	if (!l->loop)
		give_steps(l);
}

/* All ----------------------------------------------------------------------*/

static struct program *new_program(struct region *mem, const struct ast *ast)
{
	struct program *p = region_new_of(mem, struct program);

	p->name = ast->name.text;
	p->at = ast->name.at;
	return p;
}

const struct program *frontend_lower(struct region *mem, struct diags *d,
	const struct ast *ast, const struct define *defines, int n_defines)
{
	struct lower l = {
		.mem = mem, .diags = d, .ast = ast,
		.program = new_program(mem, ast),
		.defines = defines, .n_defines = n_defines,
		.call = lower_known_call,
	};
	unsigned errors = d->errors;

	declare_names(&l);
	divide_numbers(&l);
	new_params(&l);
	apply_defines(&l);
	lower_constants(&l);
	find_components(&l);
	divide_fields(&l);
	lower_fields(&l);
	lower_results(&l);
	lower_boundaries(&l);
	lower_assumes(&l);
	lower_loop(&l);
	find_writes(&l);
	if (!l.loop || l.time)
		lower_updates(&l);
	lower_reductions(&l);
	for (int i = 0; ast->has_complex && i < l.program->n_stmts; i++)
		drop_unused(&l, l.program->stmt[i]);
	if (d->errors == errors)
		join_all_ends(&l);
	if (d->errors == errors)
		keep_real_parts(&l);
	if (d->errors == errors)
		check_program(&l);
	if (d->errors == errors)
		list_arguments(&l);
	return d->errors == errors ? l.program : NULL;
}

const struct program *frontend_stn(struct region *mem, struct diags *d,
	const struct source *src, const struct define *defines,
	int n_defines)
{
	const struct ast *ast = frontend_parse(mem, d, src);

	return ast ? frontend_lower(mem, d, ast, defines, n_defines) : NULL;
}
