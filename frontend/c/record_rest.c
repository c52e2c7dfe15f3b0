/* Cells of records that no step computes: the call copies them once the steps have run. */
#include "frontend/c/passes.h"

#include <inttypes.h>
#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/printer.h>
#include <isl/union_map.h>

#include <stdlib.h>
#include <string.h>

/* Names that isl prints and C lacks: macros around the loops. */
static const struct {
	enum isl_ast_expr_op_type type;
	const char *name, *value;
} helper[] = {
	{ isl_ast_expr_op_fdiv_q, "stencilc_floord",
		"((a) / (b) - ((a) % (b) < 0))" },
	{ isl_ast_expr_op_min, "stencilc_least", "((a) < (b) ? (a) : (b))" },
	{ isl_ast_expr_op_max, "stencilc_most", "((a) > (b) ? (a) : (b))" },
};

enum { HELPERS = sizeof(helper) / sizeof(helper[0]) };

/* Expressions --------------------------------------------------------------*/

/* A record inside isl's loops: what these call its variables. */
struct copying {
	const struct stencil *s;
	const struct c_record *record;
	int n;
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

/* The parameters by their names in the function. */
static __isl_give isl_set *with_names(const struct stencil *s,
	__isl_take isl_set *set)
{
	unsigned n = (unsigned) isl_set_dim(set, isl_dim_param);

	for (unsigned i = 0; i < n; i++) {
		isl_id *id = isl_set_get_dim_id(set, isl_dim_param, i);

		for (const struct c_param *p = s->params; p; p = p->next)
			if (p->decl == isl_id_get_user(id))
				set = isl_set_set_dim_id(set, isl_dim_param, i,
					isl_id_alloc(s->isl, p->name, NULL));
		isl_id_free(id);
	}
	return set;
}

static __isl_give isl_printer *c_printer(const struct stencil *s)
{
	isl_printer *p = isl_printer_set_output_format(isl_printer_to_str(
		s->isl), ISL_FORMAT_C);

	for (int i = 0; i < HELPERS; i++)
		p = isl_ast_expr_op_type_set_print_name(p, helper[i].type,
			helper[i].name);
	return p;
}

static const char *expr_text(const struct stencil *s,
	__isl_take isl_ast_expr *e)
{
	isl_printer *p = isl_printer_print_ast_expr(c_printer(s), e);
	char *printed = isl_printer_get_str(p);
	const char *text = region_printf(s->mem, isl_ast_expr_get_type(e) ==
		isl_ast_expr_op ? "(%s)" : "%s", printed ? printed : "0");

	free(printed);
	isl_printer_free(p);
	isl_ast_expr_free(e);
	return text;
}

/* rec[..] = ..; for an iteration */
static __isl_give isl_printer *print_copy(__isl_take isl_printer *p,
	__isl_take isl_ast_print_options *options,
	__isl_keep isl_ast_node *node, void *user)
{
	struct copying *c = user;
	isl_ast_expr *call = isl_ast_node_user_get_expr(node);
	struct text t = { 0 };

	for (int i = 0; i < c->n; i++)
		c->value[i] = expr_text(c->s, isl_ast_expr_op_get_arg(call,
			i + 1));
	print_cell(&t, c, c->record->field, NULL, c->record->sub);
	text_puts(&t, " = ");
	if (is_operation(c->record->value))
		print_operation(&t, c, c->record->value);
	else
		print_value(&t, c, c->record->value);
	text_puts(&t, ";");
	p = isl_printer_start_line(p);
	p = isl_printer_print_str(p, t.bytes);
	p = isl_printer_end_line(p);
	text_free(&t);
	isl_ast_expr_free(call);
	isl_ast_print_options_free(options);
	return p;
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

/* The loop variables: C's names, "round" for the time. */
static __isl_give isl_id_list *iterators(const struct copying *c)
{
	const struct stencil *s = c->s;
	isl_id_list *list = isl_id_list_alloc(s->isl, c->n);

	for (int i = 0; i < c->n; i++) {
		const struct c_loop *l = c->record->place.loop;
		const char *name;

		while (l && l->depth != i)
			l = l->outer;
		name = l ? l->decl->name : s->named.round;
		while (is_used(s, name) || (l && !strcmp(name,
			s->named.round)))
			name = region_printf(s->mem, "%s_", name);
		list = isl_id_list_add(list, isl_id_alloc(s->isl, name, NULL));
	}
	return list;
}

/* isl's output, laid out as the rest of the file. */
static void print_laid_out(struct text *t, const char *line)
{
	while (*line) {
		size_t blanks = strspn(line, " "), n = strcspn(line, "\n");
		const char *one = strstr(line, " += 1)");

		for (size_t i = 0; i < blanks / 2; i++)
			text_append(t, i ? "\t" : "\t\t", i ? 1 : 2);
		if (!blanks)
			text_append(t, "\t", 1);
		line += blanks;
		n -= blanks;
		if (one && one < line + n) {
			text_append(t, line, (size_t) (one - line));
			text_append(t, "++)", 3);
			n -= (size_t) (one + 6 - line);
			line = one + 6;
		}
		text_append(t, line, n);
		text_append(t, "\n", 1);
		line += n + (line[n] == '\n');
	}
}

struct printing {
	struct copying copying;
	struct text *text;
};

/* The loops over "piece". */
static isl_stat print_piece(__isl_take isl_basic_set *piece, void *user)
{
	struct printing *printing = user;
	const struct stencil *s = printing->copying.s;
	isl_set *set = isl_set_set_tuple_name(with_names(s,
		isl_set_from_basic_set(piece)), "copy");
	isl_ast_build *build = isl_ast_build_set_iterators(
		isl_ast_build_alloc(s->isl), iterators(&printing->copying));
	isl_ast_node *node = isl_ast_build_node_from_schedule_map(build,
		isl_union_map_from_map(isl_map_reset_tuple_id(
			isl_set_identity(set), isl_dim_out)));
	isl_ast_print_options *options = isl_ast_print_options_set_print_user(
		isl_ast_print_options_alloc(s->isl), print_copy,
		&printing->copying);
	isl_printer *p = isl_ast_node_print(node, c_printer(s), options);
	char *printed = isl_printer_get_str(p);

	if (printed)
		print_laid_out(printing->text, printed);
	free(printed);
	isl_printer_free(p);
	isl_ast_node_free(node);
	isl_ast_build_free(build);
	return isl_stat_ok;
}

static void print_loops(struct text *t, struct stencil *s,
	const struct c_record *r)
{
	struct printing printing = { { s, r, 1 + (r->place.loop ?
		r->place.loop->depth : 0), { NULL } }, t };
	isl_set *beside = isl_set_make_disjoint(beside_steps(s, r));

	isl_set_foreach_basic_set(beside, print_piece, &printing);
	isl_set_free(beside);
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
	for (int i = 0; i < HELPERS; i++) {
		if (!(s->recorded.before && strstr(s->recorded.before, helper[i].name)) &&
		    !(s->recorded.beside && strstr(s->recorded.beside, helper[i].name)))
			continue;
		if (defines)
			text_printf(t, "#define %s(a, b) %s\n", helper[i].name,
				helper[i].value);
		else
			text_printf(t, "#undef %s\n", helper[i].name);
	}
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
