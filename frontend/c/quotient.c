/* Parameters that the call passes, among them subscripts such as n / 2, which are not sums of variables, and si[0], an
 * element that the region does not write.
 */
#include "frontend/c/overwrite.h"
#include "frontend/c/list.h"
#include "frontend/c/passes.h"
#include "frontend/c/split.h"

#include <ctype.h>
#include <inttypes.h>

/* Is "e" one element of an array of int that stays what it is? */
static bool is_steady_element(const struct stencil *s, const struct c_expr *e)
{
	const struct c_access *a = e->kind == CX_ELEMENT ? e->access : NULL;
	int64_t value;

	if (!a || e->type != C_INT || a->field->decl != e->decl ||
	    a->field->local || a->field->slot != NO_SLOT || a->field->part.of ||
	    e->decl->member || e->decl->is_inside ||
	    a->n_subs != e->decl->n_dims ||
	    writes_array(s->time_loop->body, e->decl))
		return false;
	for (int d = 0; d < a->n_subs; d++)
		if (a->around[d] || !poly_is_constant(&a->sub[d], &value) ||
		    value < 0)
			return false;
	return true;
}

/* Does "e" consist of operators that the call can print, and of parameters alone? */
static bool is_of_params(const struct stencil *s, const struct c_expr *e)
{
	const struct c_loop *loop = s->at.place.loop;

	if (e->kind == CX_INT || is_steady_element(s, e))
		return true;
	if (e->kind == CX_VAR) {
		while (loop && loop->decl != e->decl)
			loop = loop->outer;
		return !loop && e->decl != s->round && e->decl != s->time &&
			is_integer(e->type);
	}
	if (e->kind != CX_BINARY || (e->op != OP_ADD && e->op != OP_SUB &&
	    e->op != OP_MUL && e->op != OP_DIV && e->op != OP_MOD))
		return false;
	return is_of_params(s, e->arg[0]) && is_of_params(s, e->arg[1]);
}

static void print_element(struct text *t, const struct c_expr *e)
{
	text_puts(t, c_name(e->decl));
	for (int d = 0; d < e->access->n_subs; d++) {
		text_puts(t, "[");
		poly_print(t, &e->access->sub[d]);
		text_puts(t, "]");
	}
}

static void print_integer(struct text *t, const struct c_expr *e)
{
	if (e->kind == CX_ELEMENT) {
		print_element(t, e);
		return;
	}
	if (e->kind == CX_INT) {
		text_printf(t, "%" PRId64, e->value);
		return;
	}
	if (e->kind == CX_VAR) {
		text_puts(t, c_name(e->decl));
		return;
	}
	for (int i = 0; i < 2; i++) {
		bool sum = e->arg[i]->kind == CX_BINARY;

		text_puts(t, sum ? "(" : "");
		print_integer(t, e->arg[i]);
		text_puts(t, sum ? ")" : "");
		if (i == 0)
			text_printf(t, " %s ", op_info((enum op)
				e->op)->spelling);
	}
}

/* at_n_2 for n / 2 */
static const char *name_of(const struct stencil *s, const struct c_expr *e)
{
	struct text t = { 0 }, name = { 0 };
	const char *copy;

	print_integer(&t, e);
	text_puts(&name, "at_");
	for (size_t i = 0; i < t.length; i++) {
		bool part = isalnum((unsigned char) t.bytes[i]);

		if (part || name.bytes[name.length - 1] != '_')
			text_append(&name, part ? t.bytes + i : "_", 1);
	}
	while (name.bytes[name.length - 1] == '_')
		name.length--;
	copy = region_strndup(s->mem, name.bytes, name.length);
	text_free(&t);
	text_free(&name);
	return copy;
}

bool c_same_value(const struct c_expr *a, const struct c_expr *b)
{
	bool same = c_same(a, b);

	for (int i = 0; same && i < a->n_args; i++)
		same = c_same_value(a->arg[i], b->arg[i]);
	for (int d = 0; same && a->kind == CX_ELEMENT &&
	     d < a->access->n_subs; d++)
		same = poly_equal(&a->access->sub[d], &b->access->sub[d]);
	return same;
}

const struct c_decl *quotient_param(struct stencil *s, const struct c_expr *e)
{
	struct c_decl *d;

	if (is_narrow(e->type) || !is_of_params(s, e))
		return NULL;
	for (const struct c_param *p = s->params; p; p = p->next)
		if (p->decl->quotient && c_same_value(p->decl->quotient, e))
			return p->decl;
	d = region_new_of(s->mem, struct c_decl);
	d->name = name_of(s, e);
	d->type = e->type;
	d->type_name = "int";
	d->at = e->at;
	d->quotient = e;
	return d;
}

struct c_expr *quotients_as_params(struct stencil *s, struct c_expr *e)
{
	const struct c_decl *param = e->kind == CX_BINARY &&
		(e->op == OP_DIV || e->op == OP_MOD) ? quotient_param(s, e) :
		e->kind == CX_ELEMENT ? quotient_param(s, e) : NULL;
	struct c_expr *arg[2];

	if (param)
		return c_variable(s->mem, param, e->type, e->at);
	if (e->kind != CX_BINARY || (e->op != OP_ADD && e->op != OP_SUB &&
	    e->op != OP_MUL))
		return e;
	for (int i = 0; i < 2; i++)
		arg[i] = quotients_as_params(s, e->arg[i]);
	return arg[0] == e->arg[0] && arg[1] == e->arg[1] ? e :
		c_binary(s->mem, e->op, e->type, arg[0], arg[1], e->at);
}

void note_param(struct stencil *s, const struct c_decl *d)
{
	struct c_param **link = &s->params;

	while (*link && (*link)->decl != d)
		link = &(*link)->next;
	if (*link)
		return;
	*link = region_new_of(s->mem, struct c_param);
	(*link)->decl = d;
}

void note_quotients(struct stencil *s, const struct poly *p)
{
	for (int i = 0; i < p->n; i++)
		for (int k = 0; k < p->term[i].degree; k++)
			if (p->term[i].symbol[k]->quotient &&
			    !p->term[i].symbol[k]->is_inside)
				note_param(s, p->term[i].symbol[k]);
}

void print_argument(struct text *t, const struct c_decl *d)
{
	if (d->quotient)
		print_integer(t, d->quotient);
	else
		text_puts(t, c_name(d));
}
