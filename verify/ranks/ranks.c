/* Several ranks: each finds in its block everything on which its own cells depend between two
 * exchanges of halos. doc/verify.md says why these questions suffice.
 */
#include "verify/ranks/ranks.h"

/* Parameters of sets beside the program's. */
static void add_numbers(struct ranks *r)
{
	static const char *const names[N_NUMBERS] = { "origin", "extent",
		"first own cell", "end of own cells", "steps", "left", "least",
		"done" };
	struct checker *c = r->c;
	const struct param **param = region_array(c->mem, const struct param *,
		c->n_params + N_NUMBERS);

	r->n_sizes = c->n_params;
	for (int i = 0; i < c->n_params; i++)
		param[i] = c->param[i];
	for (int i = 0; i < N_NUMBERS; i++) {
		r->number[i].name = names[i];
		param[r->n_sizes + i] = &r->number[i];
	}
	c->param = param;
	c->n_params += N_NUMBERS;
	c->context = keep_in_checker(c, isl_set_align_params(isl_set_copy(
		c->context), space_of_dims(c, 0)));
}

/* Sizes of the block's fields are the grid's, with the extent of the block. */
static bool check_sizes(struct ranks *r)
{
	isl_space *space = space_of_dims(r->c, 0);
	bool good = true;

	for (int i = 0; i < r->c->prog->n_fields && good; i++) {
		const struct field *f = r->c->prog->field[i];

		/* of lists.c */
		for (int d = 0; d < f->n_dims && good && !f->made_of; d++) {
			isl_pw_aff *size = value_of(r->c, space, f->size[d]);
			int k = cut_of(r, f, d);

			if (k >= 0 && k != r->k) {
				isl_pw_aff_free(size);
				continue;
			}
			if (k >= 0)
				size = isl_pw_aff_add(isl_pw_aff_sub(size,
					value_of_code(r, space,
						r->exchange.dim[k].size)),
					number_for(r, space, EXTENT));
			good = are_equal(r, size, value_of(r->c, space,
				r->blocks->block->field[i]->size[d]),
				r->context);
		}
	}
	isl_space_free(space);
	return good || refute(r->c, "a field of the block has another size than "
		"the cells that lie in it");
}

/* Where the grid goes around, the field's size is the grid's. */
static bool check_around(struct ranks *r)
{
	isl_space *space = space_of_dims(r->c, 0);
	bool good = true;

	for (int i = 0; i < r->c->prog->n_fields && good; i++) {
		const struct field *f = r->c->prog->field[i];

		for (int d = 0; d < f->n_dims && good; d++)
			good = cut_of(r, f, d) != r->k ||
				!r->exchange.dim[r->k].is_around || are_equal(r,
				value_of(r->c, space, f->size[d]), value_of_code(
					r, space, r->exchange.dim[r->k].size),
				r->context);
	}
	isl_space_free(space);
	return good || refute(r->c, "fields around dimension %d have several "
		"sizes", r->k);
}

static bool steps_grow(struct ranks *r)
{
	const struct shared_dim *dim = &r->exchange.dim[r->k];

	return (dim->slope[SIDE_LOW] >= 0 && dim->slope[SIDE_HIGH] >= 0) ||
		refute(r->c, "halos of dimension %d are less deep for more steps",
			r->k);
}

static bool check_dim(struct ranks *r, int k)
{
	const struct shared_dim *dim = &r->exchange.dim[k];

	r->k = k;
	r->c->param[r->n_sizes + ORIGIN] = r->blocks->dim[k].origin;
	r->c->param[r->n_sizes + EXTENT] = r->blocks->dim[k].extent;
	r->context = keep_in_checker(r->c, ranks_along(r));
	if (!steps_grow(r) || !check_around(r) || !check_sizes(r) ||
	    !check_steps(r) || !check_halos(r) || !check_reduced(r))
		return false;
	claim(r->c, "dimension %d: what the own cells depend on up to h steps "
		"before lies in h*%d + need cells\n  below and h*%d + need above, "
		"\"need\" of each field and past step as the file has it, and is "
		"the\n  rank's own or came in the exchange; points there that "
		"the steps left need are computed,\n  as in the whole grid", k, dim->slope[SIDE_LOW],
		dim->slope[SIDE_HIGH]);
	return true;
}

static bool check_ranks(struct ranks *r)
{
	find_parameters(r->c);
	if (!check_segments(r->c, r->unit) || !check_waves(r->c))
		return false;
	add_numbers(r);
	section(r->c, "Ranks");
	if (!read_exchange(r) || !check_rounds(r) || !messages_bring_all(r) ||
	    !check_zones(r) || !check_block(r))
		return false;
	for (int k = 0; k < r->exchange.n_dims; k++)
		if (!check_dim(r, k))
			return false;
	return true;
}

bool verify_ranks(struct diags *d, struct text *certificate,
	const struct scop *whole, const struct blocks *blocks,
	const struct kunit *unit)
{
	struct checker c = { .mem = whole->mem, .ctx = whole->ctx,
		.prog = whole->prog, .scop = whole };
	struct ranks r = { .c = &c, .blocks = blocks, .unit = unit };
	bool shown = check_ranks(&r);

	if (shown && certificate)
		text_append(certificate, c.claims.bytes, c.claims.length);
	return checker_end(&c, d, "the exchange", shown);
}
