/* Lines that a tile of one dimension stores, and those that the thread loads for its next one, are
 * fetched while the tile computes.
 */
#include "codegen/overlap/lanes.h"

static const struct kx *cell_of_copy(const struct lanes *x, const char *grid,
	int copy, const struct kx *point)
{
	bool one = x->stmt->write->field->depth == 1;
	const struct kx *at[2] = { integer(x->h, copy), point };

	return kx_address(x->h->mem, kx_of_kind(x->h->mem, KX_INDEX, grid,
		one ? 1 : 2, at + one));
}

static struct ks *fetch(const struct lanes *x, enum builtin way,
	const struct kx *from, const struct kx *points)
{
	const struct host *h = x->h;

	return ks_expression(h->mem, KS_EXPRESSION, kx_builtin(h->mem, way, 4,
		from, op(h, OP_MUL, points, kx_sizeof(h->mem, ctype_of(
			x->stmt->write->field->type))), name(h, h->names->step),
		name(h, x->o->count)));
}

void lanes_add_fetches(const struct lanes *x, struct ks *steps)
{
	const struct host *h = x->h;
	const struct field *f = x->stmt->write->field;
	const struct kx *begin = name(h, x->begin), *next = name(h, x->o->next);
	const struct kx *width = integer(h, x->p->width[0]);
	struct ks *read = ks_block(h->mem);

	for (int i = 0; i < overlap_loaded(x->o, f); i++)
		ks_add(h->mem, read, fetch(x, B_FETCH_TO_READ, cell_of_copy(x,
			overlap_old_name(h, f), i, kx_add(h->mem, op(h, OP_ADD,
				begin, next), x->p->before)), width));
	ks_add(h->mem, steps, ks_if(h->mem, op(h, OP_LE, begin, kx_add(h->mem,
		op(h, OP_SUB, lanes_size(x), next), -x->p->before -
			x->p->width[0])), read, NULL));
	for (int i = 0; i < overlap_loaded(x->o, f); i++)
		ks_add(h->mem, steps, fetch(x, B_FETCH_TO_WRITE, cell_of_copy(x,
			overlap_new_name(h, f), i, begin), op(h, OP_SUB,
				name(h, x->o->end[0]), begin)));
}
