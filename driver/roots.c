/* --math=fast, and its messages. */
#include "driver/driver.h"

static void note_root(void *user, const struct expr *e)
{
	if (expr_root(e) != ROOT_NONE)
		*(bool *) user = true;
}

static bool has_roots(const struct program *prog)
{
	bool has = false;

	for (int i = 0; i < prog->n_stmts; i++)
		stmt_each_expr(prog->stmt[i], note_root, &has);
	return has;
}

const struct program *fast_roots(struct compilation *s,
	const struct program *prog)
{
	struct program *copy;

	if (s->options.tile.for_cpu) {
		diag_plain(&s->diags, W_MATH, "--math=fast changes nothing for "
			"C: processors have roots and divisions that round "
			"correctly");
		return prog;
	}
	if (!has_roots(prog)) {
		diag_plain(&s->diags, W_MATH, "--math=fast changes nothing in "
			"'%s': it has no root and no division of reals",
			prog->name);
		return prog;
	}
	copy = region_new_of(s->mem, struct program);
	*copy = *prog;
	copy->fast_roots = true;
	return copy;
}
