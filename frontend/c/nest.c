/* Loops of C over the elements of sets. */
#include "frontend/c/nest.h"

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

/* The parameters by their names in the text. */
static __isl_give isl_set *with_names(const struct c_nest *nest,
	__isl_take isl_set *set)
{
	unsigned n = (unsigned) isl_set_dim(set, isl_dim_param);

	for (unsigned i = 0; i < n; i++) {
		isl_id *id = isl_set_get_dim_id(set, isl_dim_param, i);

		for (const struct c_param *p = nest->s->params; p; p = p->next)
			if (p->decl == isl_id_get_user(id))
				set = isl_set_set_dim_id(set, isl_dim_param, i,
					isl_id_alloc(nest->s->isl, nest->name(
						nest->s, p->decl), NULL));
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

static __isl_give isl_printer *print_element(__isl_take isl_printer *p,
	__isl_take isl_ast_print_options *options,
	__isl_keep isl_ast_node *node, void *user)
{
	const struct c_nest *nest = user;
	isl_ast_expr *call = isl_ast_node_user_get_expr(node);
	const char *value[C_MAX_DIMS + 1] = { NULL };
	struct text t = { 0 };

	for (int i = 0; i < nest->n; i++)
		value[i] = expr_text(nest->s, isl_ast_expr_op_get_arg(call,
			i + 1));
	nest->print(&t, nest->user, value);
	p = isl_printer_start_line(p);
	p = isl_printer_print_str(p, t.bytes);
	p = isl_printer_end_line(p);
	text_free(&t);
	isl_ast_expr_free(call);
	isl_ast_print_options_free(options);
	return p;
}

static __isl_give isl_id_list *iterators(const struct c_nest *nest)
{
	isl_id_list *list = isl_id_list_alloc(nest->s->isl, nest->n);

	for (int i = 0; i < nest->n; i++)
		list = isl_id_list_add(list, isl_id_alloc(nest->s->isl,
			nest->iterator[i], NULL));
	return list;
}

static void print_tabs(struct text *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		text_append(t, "\t", 1);
}

/* isl's output, laid out as the rest of the file. */
static void print_laid_out(struct text *t, size_t indent, const char *line)
{
	while (*line) {
		size_t blanks = strspn(line, " "), n = strcspn(line, "\n");
		const char *one = strstr(line, " += 1)");

		print_tabs(t, indent + blanks / 2);
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
	const struct c_nest *nest;
	struct text *text;
};

/* The loops over "piece". */
static isl_stat print_piece(__isl_take isl_basic_set *piece, void *user)
{
	struct printing *printing = user;
	const struct c_nest *nest = printing->nest;
	isl_set *set = isl_set_set_tuple_name(with_names(nest,
		isl_set_from_basic_set(piece)), "element");
	isl_ast_build *build = isl_ast_build_set_iterators(
		isl_ast_build_alloc(nest->s->isl), iterators(nest));
	isl_ast_node *node = isl_ast_build_node_from_schedule_map(build,
		isl_union_map_from_map(isl_map_reset_tuple_id(
			isl_set_identity(set), isl_dim_out)));
	isl_ast_print_options *options = isl_ast_print_options_set_print_user(
		isl_ast_print_options_alloc(nest->s->isl), print_element,
		(void *) nest);
	isl_printer *p;
	char *printed;

	isl_options_set_ast_iterator_type(nest->s->isl, nest->type ? nest->type : "int");
	p = isl_ast_node_print(node, c_printer(nest->s), options);
	printed = isl_printer_get_str(p);
	isl_options_set_ast_iterator_type(nest->s->isl, "int");
	if (printed)
		print_laid_out(printing->text, (size_t) nest->indent, printed);
	free(printed);
	isl_printer_free(p);
	isl_ast_node_free(node);
	isl_ast_build_free(build);
	return isl_stat_ok;
}

void print_nest(struct text *t, const struct c_nest *nest, __isl_take isl_set *set)
{
	set = isl_set_make_disjoint(set);
	isl_set_foreach_basic_set(set, print_piece, &(struct printing) { nest, t });
	isl_set_free(set);
}

void print_nest_macros(struct text *t, const char *a, const char *b, bool defines)
{
	for (int i = 0; i < HELPERS; i++) {
		if (!(a && strstr(a, helper[i].name)) &&
		    !(b && strstr(b, helper[i].name)))
			continue;
		if (defines)
			text_printf(t, "#define %s(a, b) %s\n", helper[i].name,
				helper[i].value);
		else
			text_printf(t, "#undef %s\n", helper[i].name);
	}
}
