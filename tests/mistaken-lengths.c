/* Mistakes of strips whose length is an argument, some of them at a few lengths only:
 * mistaken.h.
 */
#include "tests/mistaken.h"

#include "codegen/codegen.h"
#include "codegen/tree/tree.h"
#include "verify/verify.h"

static bool is_length(const struct kx *x)
{
	return x->kind == KX_NAME && !strcmp(x->name, "length");
}

/* 1 for lengths of 4096 to 8191, else 0. */
static const struct kx *at_some_lengths(struct region *mem)
{
	return kx_binary(mem, OP_MOD, kx_binary(mem, OP_DIV, kx_name(mem,
		"length"), kx_int(mem, 4096)), kx_int(mem, 2));
}

static const struct kx *less_at_some_lengths(struct region *mem,
	const struct kx *x, int less)
{
	return kx_binary(mem, OP_SUB, x, kx_binary(mem, OP_MUL,
		at_some_lengths(mem), kx_int(mem, less)));
}

static void change(struct region *mem, struct kx *x)
{
	if (is_planted("last-tile-missing") && x->kind == KX_BUILTIN &&
	    x->builtin == B_FLOOR_DIV && is_length(x->arg[1]))
		x->arg[0] = kx_add(mem, x->arg[0], -1);
	if (is_planted("row-missing-at-some-lengths") &&
	    x->kind == KX_BINARY && x->op == OP_LT && is_length(x->arg[1]))
		x->arg[1] = less_at_some_lengths(mem, x->arg[1], 1);
	if (is_planted("tiles-too-far-apart-at-some-lengths") &&
	    x->kind == KX_BINARY && x->op == OP_MUL && is_length(x->arg[1]))
		x->arg[1] = less_at_some_lengths(mem, x->arg[1], -1);
	if (is_planted("lengths-in-smaller-steps") && x->kind == KX_CALL &&
	    !strcmp(x->name, "stencilc_length"))
		x->arg[4] = kx_int(mem, 1);
	for (int i = 0; i < x->n_args; i++)
		change(mem, (struct kx *) x->arg[i]);
}

static void change_all(struct region *mem, struct ks *s)
{
	if (is_planted("iterations-missing-at-some-lengths") &&
	    s->kind == KS_DECLARE && !strcmp(s->name, "last"))
		s->x[0] = less_at_some_lengths(mem, s->x[0], 48);
	for (int i = 0; i < s->n_x; i++)
		if (s->x[i])
			change(mem, (struct kx *) s->x[i]);
	for (int i = 0; i < s->n_children; i++)
		change_all(mem, s->child[i]);
}

void change_lengths(const struct kunit *unit)
{
	for (struct kfunc *f = unit->first; f; f = f->next)
		change_all(unit->mem, f->body);
}

bool __real_verify_lengths(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *const *variants, int n,
	const struct kunit *unit);
bool __wrap_verify_lengths(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *const *variants, int n,
	const struct kunit *unit);

bool __wrap_verify_lengths(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *const *variants, int n,
	const struct kunit *unit)
{
	if (proves_nothing())
		return true;
	return __real_verify_lengths(d, certificate, scop, variants, n, unit);
}
