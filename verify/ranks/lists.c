/* Lists of points and records of a block: they do what the program does, with indices moved;
 * changes happen at all points of the block, series are written at the rank's own cells.
 */
#include "verify/ranks/ranks.h"

static bool is_param(const struct expr *e, const struct param *param)
{
	return e && e->kind == EXPR_PARAM && e->param == param;
}

/* index OP param */
static bool is_bound(const struct expr *e, enum op op, int dim,
	const struct param *param)
{
	return e->kind == EXPR_BINARY && e->op == op &&
		e->arg[0]->kind == EXPR_INDEX && e->arg[0]->dim == dim &&
		is_param(e->arg[1], param);
}

/* The conditions of "a", then own <= index < own_end along each cut dimension. */
static bool same_conditions(const struct ranks *r, struct pair *p,
	const struct listed *a, const struct listed *b)
{
	int n = a->n_conditions;
	bool good = b->n_conditions == n + 2 * r->exchange.n_dims;

	for (int i = 0; i < n && good; i++)
		good = same_expr(p, a->condition[i], b->condition[i]);
	for (int k = 0; k < r->exchange.n_dims && good; k++)
		good = is_bound(b->condition[n + 2 * k], OP_GE, k,
			r->blocks->dim[k].own) && is_bound(b->condition[n + 2 *
			k + 1], OP_LT, k, r->blocks->dim[k].own_end);
	return good;
}

/* The tables belong to this list, and the table of planes has one entry more than the block's
 * grid has planes.
 */
static bool has_tables(const struct list *b)
{
	const struct expr *planes = b->first->size[0];
	int64_t more;

	return b->cells->made_of == b && b->first->made_of == b &&
		planes->kind == EXPR_BINARY && planes->op == OP_ADD &&
		expr_same_size(planes->arg[0], b->grid->size[0]) &&
		expr_constant(planes->arg[1], &more) && more == 1;
}

static bool same_list(const struct ranks *r, struct pair *p,
	const struct list *a, const struct list *b, bool records)
{
	bool good = b->is_of_block && a->is_between == b->is_between &&
		a->grid->index == b->grid->index && expr_same(a->begin, b->begin) &&
		expr_same(a->end, b->end) && has_tables(b) &&
		expr_same_size(a->cells->size[0], b->cells->size[0]);

	for (int d = 0; d < a->grid->n_dims && good; d++) {
		bool is_cut = d < r->exchange.n_dims;
		const struct block_dim *dim = &r->blocks->dim[d];

		good = same_expr(p, a->place[d], b->place[d]) && (is_cut ?
			is_param(b->origin[d], dim->origin) && !r->exchange.dim[
			d].is_around : !b->origin[d]) && (is_cut && records ?
			is_param(b->own[d][SIDE_LOW], dim->own) &&
			is_param(b->own[d][SIDE_HIGH], dim->own_end) :
			!b->own[d][SIDE_LOW]);
	}
	return good;
}

static bool same_optional(struct pair *p, const struct expr *a,
	const struct expr *b)
{
	return !a == !b && (!a || same_expr(p, a, b));
}

static bool same_record(struct pair *p, const struct listed *a,
	const struct listed *b)
{
	bool good = a->series->index == b->series->index &&
		!a->corners == !b->corners && (!a->corners ||
		(a->corners->index == b->corners->index &&
		 b->corners->made_of == b->list));

	for (int d = 0; d < a->series->n_dims && good; d++)
		good = same_expr(p, a->subscript[d], b->subscript[d]);
	return good;
}

bool same_listed(const struct ranks *r, struct pair *p, const struct listed *a,
	const struct listed *b)
{
	return !a->list == !b->list && !a->series == !b->series && (a->list ?
		same_list(r, p, a->list, b->list, a->series) :
		same_conditions(r, p, a, b)) && (!a->series ||
		same_record(p, a, b)) && same_expr(p, a->value, b->value) &&
		same_optional(p, a->weight, b->weight) &&
		same_optional(p, a->corner, b->corner);
}
