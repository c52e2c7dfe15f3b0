#include <stdlib.h>

#include "verify/checker.h"

static void put_head(struct text *t, const struct checker *c)
{
	const struct plan *plan = c->n_plans ? c->plan : NULL;

	text_printf(t, "Certificate of %s, %s%s\n", c->prog->name, plan ?
		"strategy " : "which computes nothing", plan ?
		plan->strategy->name : "");
	if (plan)
		c->form->describe(t, c);
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
	bool has_shapes = c->n_plans > 0 && !c->form->tiles;

	put_head(t, c);
	text_puts(t, c->claims.bytes);
	text_printf(t, "\nSets\n\n%d sets were found empty.  Those of tiles "
		"alone are the following%s.\n\n", c->n_sets, c->n_plans == 0 ?
		"" : has_shapes ? ", each cut with the\nshape of the tiles of "
		"its launch for [a, x..] and for [b, y..]" : c->form->tiles);
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

/* Without plans there are no tiles. */
static struct checker checker_of(const struct scop *scop,
	const struct plan *plans, int n)
{
	struct checker c = {
		.mem = scop->mem, .ctx = scop->ctx, .prog = scop->prog,
		.scop = scop, .plan = plans, .n_plans = n,
		.form = form_proof(n > 0 ? plans->form : FORM_TILES),
	};

	if (n > 0 && c.form->has_statements)
		c.scop = plans->scop;
	return c;
}

bool verify_plans(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *plans, int n)
{
	struct checker c = checker_of(scop, plans, n);
	bool shown = find_program(&c) && check_waves(&c) && records_are_once(&c) &&
		c.form->prove(&c);

	if (shown && certificate)
		put_certificate(certificate, &c);
	return checker_end(&c, d, "the plan", shown);
}

static bool end_code(struct checker *c, struct diags *d, struct text *certificate,
	bool shown)
{
	if (shown && certificate)
		text_append(certificate, c->claims.bytes, c->claims.length);
	return checker_end(c, d, "the code", shown);
}

bool verify_code(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *plans, int n,
	const struct kunit *unit)
{
	struct checker c = checker_of(scop, plans, n);

	return end_code(&c, d, certificate, find_program(&c) && check_code(&c,
		unit) && check_rows(&c, unit));
}

bool verify_lengths(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *const *variants, int n,
	const struct kunit *unit)
{
	struct checker c = checker_of(scop, NULL, 0);

	return end_code(&c, d, certificate, check_lengths(&c, variants, n,
		unit));
}

bool verify_width(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct tile_variants *variants,
	const struct plan *plan, const struct kunit *all,
	const struct kunit *one)
{
	struct checker c = checker_of(scop, NULL, 0);

	return end_code(&c, d, certificate, check_width(&c, variants, plan, all,
		one));
}

bool verify_chosen_widths(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct tile_variants *variants,
	const struct kunit *all)
{
	struct checker c = checker_of(scop, NULL, 0);

	return end_code(&c, d, certificate, check_chosen_widths(&c, variants,
		all));
}
