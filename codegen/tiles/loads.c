/* Loads of cells from global to shared memory. */
#include "codegen/forms.h"
#include "codegen/tile.h"

/* { [c] : the cell of t->field at c is in the grid } */
static const struct kx *grid_guard(const struct transfer *t)
{
	const struct place *p = t->p;
	isl_set *cells = p->scop->field[t->field->index].cells;

	return kx_of_set(t->mem, name_dims(isl_set_copy(cells),
		p->names->point), isl_set_copy(p->scop->context));
}

struct ks *loops_over(struct transfer *t, __isl_take isl_set *cells,
	struct ks *(*body)(void *user))
{
	const struct place *p = t->p;
	bool straight[1 + IR_MAX_DIMS] = { true };
	int n = t->field->n_dims;
	const char *iterator[1 + IR_MAX_DIMS] = { p->names->memory.copy };
	const char *first[1 + IR_MAX_DIMS];
	int step[1 + IR_MAX_DIMS];
	struct loop_nest nest = {
		.mem = t->mem, .n_dims = 1 + n, .iterator = iterator,
		.body = body, .user = t,
		.straight = t->relative ? straight : NULL,
		.at = t->at,
	};

	for (int d = 0; d < n; d++)
		iterator[1 + d] = p->names->cell[d];
	if (p->plan->tiles.hex_dim >= 0)
		straight[1 + p->plan->tiles.hex_dim] =
			p->plan->tiles.straight &&
			!plan_deals_hexagon(p->plan);
	map_threads(p, &nest, first, step, n);
	return loops_of_set(&nest, cells, isl_set_params(isl_set_copy(cells)));
}

struct ks *load_relative(void *user)
{
	const struct transfer *t = user;

	return ks_assign(t->mem,
		shared_cell(t->p, t->field, t->at[0], t->at + 1, false),
		relative_cell(t->p, t->field, (int) t->at[0]->ivalue, t->apart,
			1));
}

bool field_may_start(const struct field *field)
{
	enum { LEAST_BYTES = 4 };

	return type_size(field->type) >= LEAST_BYTES;
}

/* Are cells of the tile copied without waiting for each? */
static bool starts_copies(const struct transfer *t)
{
	return tile_starts_copies(t->p, t->full) && field_may_start(t->field);
}

struct ks *start_copy_of(struct region *r, const struct kx *to,
	const struct kx *from, struct ctype type)
{
	return ks_expression(r, KS_EXPRESSION, kx_builtin(r, B_COPY_AHEAD, 3,
		kx_address(r, to), kx_address(r, from), kx_sizeof(r, type)));
}

struct ks *start_copy(const struct transfer *t, const struct kx *to,
	const struct kx *from)
{
	return start_copy_of(t->mem, to, from, (struct ctype) {
		.scalar = scalar_of(t->field->type),
		.lanes = t->words > 1 ? t->words : 0 });
}

/* to = from, or the start of it */
static struct ks *load_one(const struct transfer *t, const struct kx *to,
	const struct kx *from)
{
	return starts_copies(t) ? start_copy(t, to, from) :
		ks_assign(t->mem, to, from);
}

/* Load the cell at t->at of "n" copies; a partial tile asks whether it is in the grid. */
static struct ks *load_copies(const struct transfer *t, struct ks *block,
	const struct kx *const *copy, int n)
{
	const struct place *p = t->p;
	const struct field *field = t->field;
	const struct box *box = &p->plan->box[field->index];
	const struct kx *local[IR_MAX_DIMS], *global[IR_MAX_DIMS];
	int version = plan_version(p->plan, field);
	struct ks *body = ks_block(t->mem);

	for (int d = 0; d < field->n_dims; d++) {
		local[d] = t->at[1 + d];
		global[d] = kx_name(p->mem, p->names->point[d]);
	}
	for (int i = 0; i < n; i++)
		ks_add(t->mem, body, load_one(t, shared_cell(p, field,
			copy[i], local, false), global_cell(p, field,
			global_copy(p, field, copy[i], version), global)));
	if (!t->full)
		body = guarded(p->mem, grid_guard(t), body);
	for (int d = 0; d < field->n_dims; d++)
		declare_if_used(p->mem, block, body, p->names->point[d],
			kx_binary(t->mem, OP_ADD,
				kx_name(p->mem, p->names->origin[d]),
				kx_add(t->mem, local[d], box->low[d])));
	ks_add(t->mem, block, body);
	return block;
}

struct ks *load_cell(void *user)
{
	const struct transfer *t = user;

	return load_copies(t, ks_block(t->mem), t->at, 1);
}

struct ks *load_all_copies(void *user)
{
	const struct transfer *t = user;
	int n = buffers_of(t->p, t->field);
	const struct kx **copy = region_array(t->mem, const struct kx *, n);

	for (int i = 0; i < n; i++)
		copy[i] = kx_int(t->mem, i);
	return load_copies(t, ks_scope(t->mem), copy, n);
}

struct ks *load_cells(struct transfer *t, __isl_take isl_set *cells)
{
	return can_be_dealt(t) ? deal_cells(t, cells, load_relative) :
		loops_over(t, cells, load_cell);
}
