#include <stdlib.h>

#include "verify/checker.h"

static void put_head(struct text *t, const struct checker *c)
{
	const struct plan *plan = c->n_plans ? c->plan : NULL;

	text_printf(t, "Certificate of %s, %s%s\n", c->prog->name, plan ?
		"strategy " : "which computes nothing", plan ?
		plan->strategy->name : "");
	if (plan && plan->tiles.hex_dim >= 0)
		text_printf(t, "h = %d, w0 = %d, delta0 = %lld/%lld, delta1 = "
			"%lld/%lld, k = %d%s\n", plan->tiles.hexagon.h,
			plan->tiles.hexagon.w0,
			(long long) plan->tiles.hexagon.delta0.num,
			(long long) plan->tiles.hexagon.delta0.den,
			(long long) plan->tiles.hexagon.delta1.num,
			(long long) plan->tiles.hexagon.delta1.den, c->scop->k,
			plan->tiles.waves.dim >= 0 ? ", waves" : "");
	if (plan && plan->form == FORM_PIPELINE)
		pipeline_print(t, plan);
	for (int d = 0; plan && plan->form != FORM_PIPELINE &&
	    d < plan->n_dims; d++)
		text_printf(t, "tiles of dimension %d: every %d points, %s\n",
			d, plan->pitch[d], plan->role[d] == ROLE_BLOCKS ?
			"a block each" : "one after the other");
	text_puts(t, "\nShown for ");
	if (!c->n_params)
		text_puts(t, "the sizes that are fixed");
	for (int i = 0; i < c->n_params; i++)
		text_printf(t, "%s%s (p%d)", i == 0 ? "all " :
			i + 1 == c->n_params ? " and " : ", ",
			c->param[i]->name, i);
	text_puts(t, " with which the function runs.\nA numbered set below "
		"was found empty by integer arithmetic (isl); doc/verify.md "
		"says\nwhy that proves each line, and what is not shown "
		"here.\n");
}

static void put_certificate(struct text *t, const struct checker *c)
{
	bool has_shapes = c->n_plans > 0 && c->plan->form != FORM_PIPELINE;

	put_head(t, c);
	text_puts(t, c->claims.bytes);
	text_printf(t, "\nSets\n\n%d sets were found empty.  Those of tiles "
		"alone are the following%s.\n\n", c->n_sets, has_shapes ?
		", each cut with the\nshape of the tiles of its launch for "
		"[a, x..] and for [b, y..]" : ": tile S has w\npoints, of n "
		"steps, and computes point x at step m");
	for (int q = 0; q < c->n_plans && has_shapes; q++) {
		char *shape = isl_set_to_str(c->plan[q].shape);

		text_printf(t, "shape of launch %d: %s\n", q,
			shape ? shape : "?");
		free(shape);
	}
	text_puts(t, "\n");
	if (c->sets.bytes)
		text_append(t, c->sets.bytes, c->sets.length);
}

bool verify_plans(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *plans, int n)
{
	bool strips = n > 0 && plans->form == FORM_STRIPS;
	bool overlaps = n > 0 && plans->form == FORM_GROUPS;
	struct checker c = {
		.mem = scop->mem, .ctx = scop->ctx, .prog = scop->prog,
		.scop = overlaps ? plans->scop : scop, .plan = plans,
		.n_plans = n,
	};
	bool pipeline = n > 0 && plans->form == FORM_PIPELINE;
	bool shown = find_program(&c) && (strips ? check_strips(&c) :
		overlaps ? check_overlap(&c) :
		pipeline ? check_pipeline(&c) :
		check_tiles(&c) && check_order(&c) && check_memory(&c));

	if (!shown)
		diag_plain(d, E_VERIFY, "the plan is wrong: %s; please report "
			"this with the input", c.failure.length ?
			c.failure.bytes : "a set could not be computed");
	else if (certificate)
		put_certificate(certificate, &c);
	text_free(&c.claims);
	text_free(&c.sets);
	text_free(&c.formula);
	text_free(&c.failure);
	return shown;
}

bool verify_code(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *plans, int n,
	const struct kunit *unit)
{
	struct checker c = {
		.mem = scop->mem, .ctx = scop->ctx, .prog = scop->prog,
		.scop = n > 0 && plans->form == FORM_GROUPS ? plans->scop :
		scop,
		.plan = plans, .n_plans = n,
	};
	bool shown = find_program(&c) && check_code(&c, unit);

	if (!shown)
		diag_plain(d, E_VERIFY, "the code is wrong: %s; please report "
			"this with the input", c.failure.length ?
			c.failure.bytes : "a set could not be computed");
	else if (certificate)
		text_append(certificate, c.claims.bytes, c.claims.length);
	text_free(&c.claims);
	text_free(&c.sets);
	text_free(&c.formula);
	text_free(&c.failure);
	return shown;
}
