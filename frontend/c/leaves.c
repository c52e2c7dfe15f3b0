/* Calls whose loops would leave an array: C leaves them undefined, so the
 * emitted code refuses them before it touches anything.
 */
#include "frontend/c/passes.h"

#include <isl/aff.h>
#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/printer.h>
#include <isl/space.h>
#include <isl/val.h>

#include <stdlib.h>
#include <string.h>

static const char floor_name[] = "stencilc_floord";

static void note_params(struct stencil *s, __isl_keep isl_set *params)
{
	unsigned n = (unsigned) isl_set_dim(params, isl_dim_param);

	for (unsigned i = 0; i < n; i++) {
		isl_id *id = isl_set_get_dim_id(params, isl_dim_param, i);

		if (isl_set_involves_dims(params, isl_dim_param, i, 1) ==
		    isl_bool_true)
			for (struct c_param *p = s->params; p; p = p->next)
				p->is_checked |= p->decl == isl_id_get_user(id);
		isl_id_free(id);
	}
}

/* "params" with the text of C for each parameter that is a quotient, an element or a member. */
static __isl_give isl_set *as_spelled(struct stencil *s,
	__isl_take isl_set *params)
{
	unsigned n = (unsigned) isl_set_dim(params, isl_dim_param);

	for (unsigned i = 0; i < n; i++) {
		isl_id *id = isl_set_get_dim_id(params, isl_dim_param, i);
		const struct c_decl *d = isl_id_get_user(id);
		struct text t = { 0 };

		isl_id_free(id);
		if (!d->quotient && !d->member)
			continue;
		print_argument(&t, d);
		params = isl_set_set_dim_id(params, isl_dim_param, i,
			isl_id_alloc(s->isl, region_printf(s->mem, d->quotient
				? "(%s)" : "%s", t.bytes), NULL));
		text_free(&t);
	}
	return params;
}

/* "params" as a condition of C, of variables of type long long. */
static const char *condition_text(struct stencil *s,
	__isl_keep isl_set *params)
{
	isl_ast_build *build = isl_ast_build_alloc(s->isl);
	isl_ast_expr *e = isl_ast_build_expr_from_set(build,
		isl_set_copy(params));
	isl_printer *p = isl_printer_to_str(s->isl);
	const char *text = "1";
	char *printed;

	p = isl_printer_set_output_format(p, ISL_FORMAT_C);
	p = isl_ast_expr_op_type_set_print_name(p, isl_ast_expr_op_fdiv_q,
		floor_name);
	p = isl_printer_print_ast_expr(p, e);
	printed = isl_printer_get_str(p);
	if (printed)
		text = region_strdup(s->mem, printed);
	free(printed);
	isl_printer_free(p);
	isl_ast_expr_free(e);
	isl_ast_build_free(build);
	return text;
}

void note_leave(struct stencil *s, const struct c_access *a,
	__isl_take isl_set *params)
{
	struct c_leave **link = &s->leaves.fails;

	while (*link)
		link = &(*link)->next;
	params = isl_set_coalesce(isl_set_compute_divs(params));
	note_params(s, params);
	*link = region_new_of(s->mem, struct c_leave);
	(*link)->access = a;
	(*link)->condition = condition_text(s, params);
	isl_set_free(params);
}

/* May the parameters that "params" has be named outside the function? */
static bool are_variables(const struct stencil *s, __isl_keep isl_set *params)
{
	unsigned n = (unsigned) isl_set_dim(params, isl_dim_param);
	bool named = true;

	for (unsigned i = 0; i < n && named; i++) {
		isl_id *id = isl_set_get_dim_id(params, isl_dim_param, i);
		const struct c_decl *d = isl_id_get_user(id);

		named = d != s->time;
		if (isl_set_involves_dims(params, isl_dim_param, i, 1) !=
		    isl_bool_true)
			named = true;
		isl_id_free(id);
	}
	return named;
}

static void free_set(void *set)
{
	isl_set_free(set);
}

isl_set *set_kept(struct stencil *s, __isl_take isl_set *set)
{
	region_own(s->mem, set, free_set);
	return set;
}

struct c_asked *ask_for(struct stencil *s, const char *text)
{
	struct c_asked **link = &s->leaves.asked;

	while (*link && strcmp((*link)->text, text) != 0)
		link = &(*link)->next;
	if (!*link) {
		*link = region_new_of(s->mem, struct c_asked);
		(*link)->text = text;
	}
	return *link;
}

/* Forget the conditions that hold wherever "stronger" does. */
static void drop_weaker(struct stencil *s, __isl_keep isl_set *stronger)
{
	struct c_asked **link = &s->leaves.asked;

	while (*link)
		if ((*link)->params && isl_set_is_subset(stronger, (*link)->params) == isl_bool_true)
			*link = (*link)->next;
		else
			link = &(*link)->next;
}

/* Let it ask for what "params" says beyond what has been asked; false if C cannot. */
static bool ask_for_rest(struct stencil *s, __isl_keep isl_set *params)
{
	isl_set *rest = isl_set_copy(params);
	struct c_asked *asked;
	const char *text;

	if (s->leaves.held)
		rest = isl_set_gist(rest, isl_set_copy(s->leaves.held));
	rest = as_spelled(s, isl_set_coalesce(isl_set_remove_redundancies(
		rest)));
	rest = set_kept(s, rest);
	text = condition_text(s, rest);
	if (strstr(text, floor_name))
		return false;
	drop_weaker(s, rest);
	asked = ask_for(s, text);
	asked->params = rest;
	return true;
}

bool ask_for_rows(struct stencil *s, __isl_take isl_set *params)
{
	isl_set *held = s->leaves.held ? isl_set_copy(s->leaves.held) :
		isl_set_universe(isl_set_get_space(params));
	bool asked = isl_set_is_subset(held, params) == isl_bool_true;

	isl_set_free(held);
	if (asked || s->of_step || !are_variables(s, params) ||
	    !ask_for_rest(s, params)) {
		isl_set_free(params);
		return asked;
	}
	if (s->leaves.held)
		params = isl_set_intersect(params, isl_set_copy(
			s->leaves.held));
	s->leaves.held = set_kept(s, params);
	return true;
}

/* May "p" be named before the region runs?  It may if it has no variable that the region counts
 * with or computes.
 */
static bool is_named_before(const struct stencil *s, const struct poly *p)
{
	for (int i = 0; i < p->n; i++)
		for (int k = 0; k < p->term[i].degree; k++) {
			const struct c_decl *d = p->term[i].symbol[k];

			if (d == s->time || d == s->round || d->is_inside ||
			    d->quotient || is_assigned(s->region->body, d))
				return false;
		}
	return true;
}

bool ask_for_iterations(struct stencil *s, const struct c_loop *loop)
{
	struct text t = { 0 };
	struct poly extent;
	int64_t known;

	if (!loop_extent(loop, &extent))
		return false;
	if (poly_is_constant(&extent, &known) && known >= 0)
		return true;
	if (s->of_step || !is_named_before(s, &extent)) {
		refuse(s, E_C_CONSTRUCT, loop->at, "a variable that this loop "
			"advances is used behind it, and how often the loop "
			"runs cannot be told before the region");
		diag_advice(s->diags, "write the subscripts with the counters "
			"of loops");
		return false;
	}
	poly_print(&t, &extent);
	text_puts(&t, " >= 0");
	ask_for(s, region_strndup(s->mem, t.bytes, t.length));
	text_free(&t);
	return true;
}

static bool divides(const struct stencil *s)
{
	for (const struct c_leave *l = s->leaves.fails; l; l = l->next)
		if (strstr(l->condition, floor_name))
			return true;
	return false;
}

/* The parameters that decide, each preceded by "type". */
static void print_params(struct text *t, const struct stencil *s,
	const char *type)
{
	const char *comma = "";

	for (const struct c_param *p = s->params; p; p = p->next) {
		if (!p->is_checked)
			continue;
		text_printf(t, "%s%s%s", comma, type, type[0] ?
			p->decl->name : p->name);
		comma = ", ";
	}
}

void print_leaves(struct text *t, const struct stencil *s)
{
	unsigned line, column;

	if (!s->leaves.fails)
		return;
	text_puts(t, "\n/* Why these arguments would lead out of an array, or "
		"NULL. */\n");
	if (divides(s))
		text_printf(t, "#define %s(a, b) \\\n"
			"\t((a) / (b) - ((a) %% (b) < 0))\n", floor_name);
	text_printf(t, "static const char *%s_leaves(", s->named.call);
	print_params(t, s, "long long ");
	text_puts(t, ")\n{\n");
	for (const struct c_leave *l = s->leaves.fails; l; l = l->next) {
		source_place(s->source, l->access->at.start, &line, &column);
		text_printf(t, "\tif (%s)\n\t\treturn \"line %u: '", l->condition, line);
		for (const char *c = c_quote(s, l->access->at); *c; c++)
			text_printf(t, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
		text_printf(t, "' leaves the array '%s'\";\n", l->access->field->decl->name);
	}
	text_puts(t, "\treturn 0;\n}\n");
	if (divides(s))
		text_printf(t, "#undef %s\n", floor_name);
}

void print_leaves_call(struct text *t, const struct stencil *s)
{
	text_printf(t, "%s_leaves(", s->named.call);
	print_params(t, s, "");
	text_puts(t, ")");
}
