/* --emit=kernel: the kernel tree itself, one node a line. */
#include "codegen/tree/print.h"

static const char *const kind_name[] = {
	[KS_BLOCK] = "block", [KS_DECLARE] = "declare", [KS_ARRAY] = "array",
	[KS_LIST] = "list",
	[KS_ASSIGN] = "assign", [KS_FOR] = "for", [KS_IF] = "if",
	[KS_BARRIER] = "barrier", [KS_EXPRESSION] = "expression",
	[KS_CHECKED] = "checked", [KS_LAUNCH] = "launch",
	[KS_RETURN] = "return", [KS_COMMENT] = "comment",
	[KS_BLANK] = NULL, [KS_LABEL] = "label", [KS_GOTO] = "goto",
	[KS_DIRECTIVE] = "pragma",
};

static void dump_statement(struct text *t, const struct spelling *say,
	const struct ks *s)
{
	if (!kind_name[s->kind])
		return;
	text_puts(t, kind_name[s->kind]);
	if (s->is_shared)
		text_puts(t, " shared");
	if (s->c_type.scalar) {
		text_puts(t, " ");
		print_type(t, say, s->c_type);
	}
	if (s->name)
		text_printf(t, " %s", s->name);
	if (s->kind == KS_DIRECTIVE) {
		text_puts(t, " ");
		print_directive(t, &s->directive);
	}
	for (int i = 0; i < s->n_x; i++) {
		text_puts(t, i ? " | " : ": ");
		print_kx(t, say, s->x[i]);
	}
	text_puts(t, "\n");
	t->indent++;
	for (int i = 0; i < s->n_children; i++)
		dump_statement(t, say, s->child[i]);
	t->indent--;
}

static void dump_params(struct text *t, const struct spelling *say, int n,
	const struct kparam *param)
{
	text_puts(t, " (");
	for (int i = 0; i < n; i++) {
		text_puts(t, i ? ", " : "");
		print_type(t, say, param[i].c_type);
		text_printf(t, " %s%s", param[i].cells ? "cells " : "",
			param[i].name);
	}
	text_puts(t, ")\n");
}

static void dump_function(struct text *t, const struct spelling *say,
	const struct kfunc *f)
{
	if (f->before) {
		text_printf(t, "struct %s", f->before->name);
		dump_params(t, say, f->before->n_members, f->before->member);
	}
	text_puts(t, f->is_kernel ? "kernel " : "function ");
	print_type(t, say, f->c_type);
	text_printf(t, " %s", f->name);
	dump_params(t, say, f->n_params, f->param);
	t->indent++;
	dump_statement(t, say, f->body);
	t->indent--;
}

void kunit_print(struct text *t, const struct spelling *say,
	const struct kunit *unit)
{
	for (const struct kfunc *f = unit->first; f; f = f->next)
		dump_function(t, say, f);
}
