/* Mistakes of tiles whose width is an argument, at some widths only: mistaken.h. */
#include "tests/mistaken.h"

#include "codegen/codegen.h"
#include "codegen/tree/tree.h"
#include "verify/verify.h"

static bool is_width(const struct kx *x)
{
	return x->kind == KX_NAME && !strcmp(x->name, "w1");
}

/* The width, and "more" at widths of 96 to 191. */
static const struct kx *more_at_some_widths(struct region *mem, int more)
{
	const struct kx *width = kx_name(mem, "w1");

	return kx_binary(mem, OP_ADD, width, kx_binary(mem, OP_MUL, kx_binary(
		mem, OP_MOD, kx_binary(mem, OP_DIV, width, kx_int(mem, 96)),
		kx_int(mem, 2)), kx_int(mem, more)));
}

/* Is "x" an operation on the width, its second operand? */
static bool is_with_width(const struct kx *x, enum op op)
{
	return x->kind == KX_BINARY && x->op == op && is_width(x->arg[1]);
}

static void change(struct region *mem, struct kx *x)
{
	if (is_planted("tiles-too-far-apart-at-some-widths") &&
	    is_with_width(x, OP_MUL))
		x->arg[1] = more_at_some_widths(mem, 1);
	if (is_planted("full-tiles-too-far-right-at-some-widths") &&
	    is_with_width(x, OP_SUB) && x->arg[0]->kind == KX_NAME)
		x->arg[1] = more_at_some_widths(mem, -32);
	if (is_planted("columns-from-elsewhere-at-some-widths") &&
	    x->kind == KX_INDEX && !strcmp(x->name, "moved") &&
	    is_with_width(x->arg[0], OP_ADD))
		x->arg[0] = kx_binary(mem, OP_ADD, x->arg[0]->arg[0],
			more_at_some_widths(mem, 4));
	for (int i = 0; i < x->n_args; i++)
		change(mem, (struct kx *) x->arg[i]);
}

static void change_all(struct region *mem, struct ks *s)
{
	if (is_planted("rows-missing-at-some-widths") && s->kind == KS_FOR &&
	    kx_uses(s->x[2], "w1"))
		s->x[1] = kx_binary(mem, OP_LT, s->x[1]->arg[0], kx_binary(mem,
			OP_SUB, kx_binary(mem, OP_ADD, s->x[1]->arg[1], kx_name(
				mem, "w1")), more_at_some_widths(mem, 4)));
	if (is_planted("blocks-too-narrow-at-some-widths") &&
	    s->kind == KS_LAUNCH && kx_uses(s->x[1], "w1")) {
		struct kx *extents = (struct kx *) s->x[1];

		extents->arg[0] = more_at_some_widths(mem, -32);
	}
	if (is_planted("width-that-no-kernel-has") && s->kind == KS_LIST &&
	    s->is_static && s->n_x > 4)
		s->x[4] = kx_add(mem, s->x[4], 2);
	for (int i = 0; i < s->n_x; i++)
		if (s->x[i])
			change(mem, (struct kx *) s->x[i]);
	for (int i = 0; i < s->n_children; i++)
		change_all(mem, s->child[i]);
}

void change_widths(const struct kunit *unit)
{
	for (struct kfunc *f = unit->first; f; f = f->next)
		change_all(unit->mem, f->body);
}

bool __real_verify_width(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct tile_variants *variants,
	const struct plan *plan, const struct kunit *all,
	const struct kunit *one);
bool __wrap_verify_width(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct tile_variants *variants,
	const struct plan *plan, const struct kunit *all,
	const struct kunit *one);

bool __wrap_verify_width(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct tile_variants *variants,
	const struct plan *plan, const struct kunit *all,
	const struct kunit *one)
{
	if (proves_nothing())
		return true;
	return __real_verify_width(d, certificate, scop, variants, plan, all,
		one);
}
