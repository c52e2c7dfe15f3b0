/* Cells of records that no step computes: the call copies them once the steps have run. */
#include "frontend/c/nest.h"
#include "frontend/c/passes.h"

#include <string.h>

/* Expressions --------------------------------------------------------------*/

/* A record inside isl's loops: what these call its variables. */
struct copying {
	const struct stencil *s;
	const struct c_record *record;
	const char *value[C_MAX_DIMS + 1];	/* names for the round, and for
						 * its loops */
};

static const char *text_of(const void *user, const struct c_decl *d)
{
	const struct copying *c = user;

	if (d == c->s->round)
		return c->value[0];
	for (const struct c_loop *l = c->record->place.loop; l; l = l->outer)
		if (l->decl == d)
			return c->value[l->depth];
	return name_in_function(c->s, d);
}

static void print_sum(struct text *t, const struct copying *c,
	const struct poly *p)
{
	bool alone = !p->n || (p->n == 1 && p->term[0].coefficient > 0 &&
		(!p->term[0].degree || p->term[0].coefficient == 1) &&
		p->term[0].degree < 2);

	text_puts(t, alone ? p->n ? "" : "0" : "(");
	for (int i = 0; i < p->n; i++)
		poly_print_term(t, &p->term[i], i == 0, " * ", text_of, c);
	text_puts(t, alone ? "" : ")");
}

static void print_value(struct text *t, const struct copying *c,
	const struct c_expr *e);

/* f[((size_t) i * m + j) * l + k], with polynomials as subscripts or, in a record, values */
static void print_cell(struct text *t, const struct copying *c,
	const struct c_field *f, const struct poly *sub,
	struct c_expr *const *values)
{
	text_printf(t, "%s[", f->name);
	for (int d = 2; d < f->n_dims; d++)
		text_puts(t, "(");
	text_puts(t, f->n_dims > 1 ? "(size_t) " : "");
	for (int d = 0; d < f->n_dims; d++) {
		struct poly p;

		if (d) {
			text_puts(t, " * ");
			print_sum(t, c, &f->size[d]);
			text_puts(t, " + ");
		}
		if (!values)
			print_sum(t, c, &sub[d]);
		else if (poly_of(c->s, values[d], &p))
			print_sum(t, c, &p);
		else
			print_value(t, c, values[d]);
		text_puts(t, d && d + 1 < f->n_dims ? ")" : "");
	}
	text_puts(t, "]");
}

/* The parameter for an element common to all points and steps; or NULL. */
static const char *fixed_element(const struct copying *c,
	const struct c_access *a)
{
	for (const struct c_element *e = c->s->elements; e; e = e->next) {
		bool same = e->access->field == a->field;

		for (int d = 0; same && d < a->n_subs; d++)
			same = poly_equal(&e->access->sub[d], &a->sub[d]);
		if (same)
			return e->name;
	}
	return NULL;
}

static bool is_param(const struct stencil *s, const struct c_decl *d)
{
	const struct c_param *p = s->params;

	while (p && p->decl != d)
		p = p->next;
	return p;
}

static void print_call(struct text *t, const struct copying *c,
	const struct c_expr *e)
{
	text_printf(t, "%s(", e->name);
	for (int i = 0; i < e->n_args; i++) {
		text_puts(t, i ? ", " : "");
		if (e->type != C_FLOAT && e->arg[i]->type == C_FLOAT)
			text_puts(t, "(double) ");
		print_value(t, c, e->arg[i]);
	}
	text_puts(t, ")");
}

static const char *spelling(int op)
{
	return op_info((enum op) op)->spelling;
}

static void print_operation(struct text *t, const struct copying *c,
	const struct c_expr *e)
{
	if (e->kind == CX_CAST)
		text_printf(t, "(%s) ", c_type_word(e->type));
	if (e->kind == CX_UNARY)
		text_puts(t, spelling(e->op));
	print_value(t, c, e->arg[0]);
	if (e->kind == CX_BINARY) {
		text_printf(t, " %s ", spelling(e->op));
		print_value(t, c, e->arg[1]);
	} else if (e->kind == CX_SELECT) {
		text_puts(t, " ? ");
		print_value(t, c, e->arg[1]);
		text_puts(t, " : ");
		print_value(t, c, e->arg[2]);
	}
}

static void print_value(struct text *t, const struct copying *c,
	const struct c_expr *e)
{
	const char *fixed = e->kind == CX_ELEMENT ? fixed_element(c,
		e->access) : NULL;

	switch (e->kind) {
	case CX_INT:
	case CX_REAL:
		print_literal(t, e);
		return;
	case CX_VAR:
		if (is_beyond_int(e->type) && is_param(c->s, e->decl))
			text_printf(t, "(%s) ", c_type_word(e->type));
		text_puts(t, text_of(c, e->decl));
		return;
	case CX_ELEMENT:
		if (fixed)
			text_puts(t, fixed);
		else
			print_cell(t, c, e->access->field, e->access->sub,
				NULL);
		return;
	case CX_TEMP:
		print_value(t, c, e->temp->value);
		return;
	case CX_CALL:
		print_call(t, c, e);
		return;
	default:
		text_puts(t, "(");
		print_operation(t, c, e);
		text_puts(t, ")");
	}
}

static bool is_operation(const struct c_expr *e)
{
	return e->kind == CX_UNARY || e->kind == CX_BINARY ||
		e->kind == CX_SELECT || e->kind == CX_CAST;
}

/* Loops --------------------------------------------------------------------*/

/* rec[..] = ..; for an iteration */
static void print_copy(struct text *t, void *user, const char *const *value)
{
	struct copying *c = user;

	memcpy(c->value, value, sizeof(c->value));
	print_cell(t, c, c->record->field, NULL, c->record->sub);
	text_puts(t, " = ");
	if (is_operation(c->record->value))
		print_operation(t, c, c->record->value);
	else
		print_value(t, c, c->record->value);
	text_puts(t, ";");
}

/* Does the function have a parameter "name"? */
static bool is_used(const struct stencil *s, const char *name)
{
	for (const struct c_param *p = s->params; p; p = p->next)
		if (!strcmp(p->name, name))
			return true;
	for (const struct c_field *f = s->fields; f; f = f->next)
		if (!strcmp(f->name, name))
			return true;
	for (const struct c_element *e = s->elements; e; e = e->next)
		if (!strcmp(e->name, name))
			return true;
	return s->named.rounds && !strcmp(s->named.rounds, name);
}

/* The loop variables: C's names, "cycle" for the time. */
static void name_iterators(const struct copying *c, struct c_nest *nest)
{
	const struct stencil *s = c->s;

	for (int i = 0; i < nest->n; i++) {
		const struct c_loop *l = c->record->place.loop;
		const char *name;

		while (l && l->depth != i)
			l = l->outer;
		name = l ? l->decl->name : s->named.round;
		while (is_used(s, name) || (l && !strcmp(name,
			s->named.round)))
			name = region_printf(s->mem, "%s_", name);
		nest->iterator[i] = name;
	}
}

static const char *name_of_param(const void *user, const struct c_decl *d)
{
	return name_in_function(user, d);
}

static void print_loops(struct text *t, struct stencil *s,
	const struct c_record *r)
{
	struct copying copying = { s, r, { NULL } };
	struct c_nest nest = { .s = s, .n = 1 + (r->place.loop ?
		r->place.loop->depth : 0), .indent = 1, .name = name_of_param,
		.print = print_copy, .user = &copying };

	name_iterators(&copying, &nest);
	print_nest(t, &nest, beside_steps(s, r));
}

const char *text_beside_steps(struct stencil *s, bool before)
{
	struct text t = { 0 };
	const char *all;

	for (const struct c_record *r = s->recorded.first; r; r = r->next)
		if (r->is_old == before)
			print_loops(&t, s, r);
	all = t.length ? region_strndup(s->mem, t.bytes, t.length) : NULL;
	text_free(&t);
	return all;
}

void print_beside_macros(struct text *t, const struct stencil *s, bool defines)
{
	print_nest_macros(t, s->recorded.before, s->recorded.beside, defines);
}

void print_before(struct text *t, const struct stencil *s)
{
	if (!s->recorded.before)
		return;
	text_puts(t, "\t/* What is recorded of values from before the steps. */\n");
	if (s->leaves.fails) {
		text_puts(t, "\tif (!stencilc_why) {\n");
		t->indent++;
	}
	text_puts(t, s->recorded.before);
	if (s->leaves.fails) {
		t->indent--;
		text_puts(t, "\t}\n");
	}
}

void print_beside(struct text *t, const struct stencil *s)
{
	if (!s->recorded.beside)
		return;
	text_puts(t, "\tif (stencilc_status)\n\t\treturn;\n\n"
		"\t/* What is recorded of cells that no step computes. */\n");
	text_puts(t, s->recorded.beside);
}
