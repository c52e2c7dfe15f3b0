/* The places of a list's points: where they lie, and which ones are wrong. */
#include "codegen/host/lists.h"
#include "codegen/tile.h"
#include "schedule/scop/lists.h"

const char *list_number(const struct host *h, const struct list *list)
{
	return number_name(h->mem, h->prog, list);
}

struct places places_of(const struct host *h, const struct list *list,
	enum element element)
{
	struct places p = { .h = h, .list = list, .binding = {
		.mem = h->mem, .prog = h->prog,
		.number = name(h, list_number(h, list)), .element = element,
	} };

	for (int i = 0; i < h->prog->n_stmts; i++)
		for (int j = 0; !p.listed && j < h->prog->stmt[i]->n_listed; j++)
			if (h->prog->stmt[i]->listed[j]->list == list) {
				p.stmt = h->prog->stmt[i];
				p.listed = p.stmt->listed[j];
			}
	return p;
}

struct place list_place(const struct host *h)
{
	return (struct place) { .mem = h->mem, .unit = h->unit, .plan = h->plan,
		.scop = h->scop, .names = h->names };
}

/* Do the points that statements compute need more than intervals? */
static bool has_several_writers(const struct places *p)
{
	return p->stmt->n_conditions > 0 ||
		scop_writers_of_list(p->h->scop, p->list) > 1;
}

/* Is i, .. outside the grid? */
static const struct kx *is_outside(const struct places *p)
{
	const struct host *h = p->h;
	const struct kx *any = NULL;

	for (int d = 0; d < p->list->grid->n_dims; d++) {
		const struct kx *x = name(h, h->names->point[d]);

		any = host_either(h, any, op(h, OP_LT, x, integer(h, 0)));
		any = host_either(h, any, op(h, OP_GE, x, host_param(h,
			p->list->grid->size[d], ctype(CT_NONE))));
	}
	return any;
}

/* Is i, .. a place at which no statement computes a point in each step?  What the user has there
 * may be too large to compute with.
 */
static const struct kx *is_left_out(const struct places *p)
{
	const struct host *h = p->h;
	const struct place place = list_place(h);
	isl_set *right = scop_places_of_list(h->scop, p->list);
	isl_set *grid = isl_set_insert_dims(isl_set_reset_tuple_id(isl_set_copy(
		h->scop->field[p->list->grid->index].cells)), isl_dim_set, 0,
		1);
	const struct kx *is_right = instance_condition(&place, right, grid);

	isl_set_free(right);
	isl_set_free(grid);
	return is_right ? host_either(h, is_outside(p), kx_unary(h->mem,
		OP_NOT, is_right)) : is_outside(p);
}

/* Is i, .. a place at which the statement computes no point? */
static const struct kx *is_wrong_cell(const struct places *p)
{
	const struct host *h = p->h;
	const struct kx *any = NULL;

	if (has_several_writers(p))
		return is_left_out(p);
	for (int d = 0; d < p->stmt->n_dims; d++) {
		const struct range *r = program_range(h->scop->range, p->stmt,
			d);
		const struct kx *x = name(h, h->names->point[d]);

		any = host_either(h, any, op(h, OP_LT, x, integer(h,
			r->first)));
		for (int i = 0; i < r->n_ends; i++)
			any = host_either(h, any, op(h, OP_GE, r->end[i].stride
				== 1 ? x : op(h, OP_MUL, integer(h,
				r->end[i].stride), kx_cast(h->mem,
					ctype(CT_LONG), x)), kx_add(h->mem,
				host_param(h, r->end[i].size, ctype(CT_NONE)),
				-r->end[i].offset)));
	}
	return any;
}

/* Is "x", a real coordinate along "d", one of the grid? */
static const struct kx *is_in_grid(const struct places *p, int d,
	const struct kx *x)
{
	const struct host *h = p->h;

	return op(h, OP_AND, op(h, OP_GE, x, integer(h, 0)), op(h, OP_LE, x,
		op(h, OP_SUB, host_param(h, p->list->grid->size[d],
			ctype(CT_NONE)), integer(h, 1))));
}

/* Does the real place lie between points that the statement does not compute?  A NaN does, too.
 * Of several statements this says whether it lies outside the grid.
 */
static const struct kx *is_wrong_between(const struct places *p)
{
	const struct host *h = p->h;
	const struct kx *all = NULL;
	bool in_grid = has_several_writers(p);

	for (int d = 0; d < p->stmt->n_dims; d++) {
		const struct range *r = program_range(h->scop->range, p->stmt,
			d);
		const struct kx *x = kx_cast(h->mem, ctype(CT_DOUBLE),
			kx_of_expr(&p->binding, p->list->place[d]));

		if (in_grid) {
			all = kx_and(h->mem, all, is_in_grid(p, d, x));
			continue;
		}
		all = kx_and(h->mem, all, op(h, OP_GE, x, integer(h,
			r->first)));
		for (int i = 0; i < r->n_ends; i++)
			all = kx_and(h->mem, all, op(h, OP_LE, x, op(h, OP_SUB,
				kx_end(h->mem, host_param(h, r->end[i].size,
				ctype(CT_NONE)), r->end[i].offset,
					r->end[i].stride), integer(h, 1))));
	}
	return kx_unary(h->mem, OP_NOT, all);
}

const struct kx *place_is_wrong(const struct places *p)
{
	return p->list->is_between ? is_wrong_between(p) : is_wrong_cell(p);
}

/* The cell along "d" on the list's grid; between cells, "beside" says which one around the
 * place.
 */
static const struct kx *cell_of(const struct places *p, int d,
	const struct kx *beside)
{
	const struct host *h = p->h;
	const struct list *list = p->list;
	const struct kx *cell = kx_of_expr(&p->binding, list->place[d]);

	if (list->is_between)
		cell = kx_cast(h->mem, ctype(CT_INT), cell);
	if (beside)
		cell = op(h, OP_ADD, cell, beside);
	return list->origin[d] ? op(h, OP_SUB, cell, host_param(h,
		list->origin[d], ctype(CT_NONE))) : cell;
}

void place_declare(const struct places *p, struct ks *block,
	const struct kx *corner)
{
	const struct host *h = p->h;

	for (int d = 0; d < p->list->grid->n_dims; d++)
		host_declare_int(h, block, h->names->point[d], cell_of(p, d,
			corner ? op(h, OP_MOD, op(h, OP_DIV, corner,
				integer(h, 1 << d)), integer(h, 2)) : NULL));
}

const struct kx *place_is_own(const struct places *p)
{
	const struct host *h = p->h;
	const struct kx *all = NULL;

	for (int d = 0; d < p->list->grid->n_dims; d++) {
		const struct expr *const *own = p->list->own[d];
		const struct kx *cell = cell_of(p, d, NULL);

		if (own[SIDE_LOW])
			all = kx_and(h->mem, all, op(h, OP_AND, op(h, OP_GE,
				cell, host_param(h, own[SIDE_LOW],
					ctype(CT_NONE))), op(h, OP_LT, cell,
				host_param(h, own[SIDE_HIGH],
					ctype(CT_NONE)))));
	}
	return all;
}

const struct kx *corner_is_wrong(const struct places *p)
{
	return has_several_writers(p) ? is_left_out(p) : NULL;
}

const struct kx *place_is_computed(const struct places *p)
{
	return kx_unary(p->h->mem, OP_NOT, is_wrong_cell(p));
}

const struct kx *place_has_weight(const struct places *p)
{
	const struct host *h = p->h;
	struct binding b = p->binding;

	for (int d = 0; d < p->list->grid->n_dims; d++)
		b.point[d] = name(h, h->names->point[d]);
	return op(h, OP_GT, kx_of_expr(&b, p->listed->weight), integer(h, 0));
}
