/* --reassociate, and its messages. */
#include "driver/driver.h"

#include <stdio.h>

static void note_root(void *user, const struct expr *e)
{
	if (expr_is_over_root(e))
		*(bool *) user = true;
}

static bool is_changed(const struct stmt *s)
{
	bool has_root = false;

	stmt_each_expr(s, note_root, &has_root);
	return s->written || has_root;
}

static bool is_any_changed(const struct program *prog)
{
	for (int i = 0; i < prog->n_stmts; i++)
		if (is_changed(prog->stmt[i]))
			return true;
	return false;
}

/* -v: report the values computed now. */
static void print_changed(const struct program *prog)
{
	for (int i = 0; i < prog->n_stmts; i++) {
		const struct stmt *s = prog->stmt[i];
		struct text t = { 0 };

		if (!is_changed(s))
			continue;
		ir_print_expr(&t, s->value);
		fprintf(stderr, "stencilc: %s is %s\n", s->name, t.bytes);
		text_free(&t);
	}
}

const struct program *reassociate(struct compilation *s,
	const struct program *prog)
{
	const struct program *changed;

	if (s->options.tile.for_cpu) {
		diag_plain(&s->diags, W_REASSOCIATE, "--reassociate changes "
			"nothing for C: only warps of a GPU have the sums of "
			"neighbours at hand");
		return prog;
	}
	changed = ir_reassociate(s->mem, prog);
	if (is_any_changed(changed)) {
		if (s->options.say.more)
			print_changed(changed);
		report_stage(s, "reassociate");
		return changed;
	}
	diag_plain(&s->diags, W_REASSOCIATE, "--reassociate changes nothing "
		"in '%s': it has no real sum of neighbours that takes fewer "
		"operations in another order, no squared difference that "
		"neighbours share and no division by a root", prog->name);
	return prog;
}
