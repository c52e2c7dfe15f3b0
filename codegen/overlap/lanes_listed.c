/* Lists of points, and outputs by step, in tiles of one dimension: at the tile's points, or at
 * all points of the lanes.
 */
#include "codegen/host/lists.h"
#include "codegen/overlap/lanes.h"

/* The lanes hold points i_begin - before .. of the grid. */
static const struct kx *first_point(const struct lanes *x)
{
	return kx_add(x->h->mem, name(x->h, x->begin), -x->p->before);
}

static const struct kx *own_cell(const struct lanes *x)
{
	return lanes_cell(x, x->stmt->write->field, name(x->h,
		x->h->names->step), 0);
}

/* Lists ------------------------------------------------------------------- */

/* const int lane = (i - begin) / part;
 * const int row = (i - begin) % part + ghosts;
 */
static struct ks *place_in_lanes(const struct lanes *x)
{
	const struct host *h = x->h;
	const struct kx *at = op(h, OP_SUB, name(h, x->point), first_point(x));
	const struct kx *part = integer(h, x->p->part);
	struct ks *place = ks_block(h->mem);

	host_declare_int(h, place, x->lane, op(h, OP_DIV, at, part));
	host_declare_int(h, place, x->row, kx_add(h->mem, op(h, OP_MOD, at,
		part), lanes_first_row(x)));
	return place;
}

/* The entries for the tile's own points, or for all points of the lanes. */
static void find_entries(const struct lanes *x, struct entries *e, bool owner)
{
	const struct host *h = x->h;
	const struct kx *low = owner ? name(h, x->begin) : kx_max(h->mem,
		first_point(x), integer(h, 0));
	const struct kx *high = owner ? name(h, x->o->end[0]) : kx_min(h->mem,
		kx_add(h->mem, first_point(x), x->p->lanes * x->p->part),
		host_param(h, x->stmt->write->field->size[0],
			ctype(CT_NONE)));

	e->begin = list_before_plane(h, e->listed->list, low);
	e->end = list_before_plane(h, e->listed->list, high);
}

static struct ks *points_of_list(const struct lanes *x, int listed)
{
	struct entries e = { .listed = x->stmt->listed[listed],
		.stmt = overlap_scop_stmt(x->o, x->stmt),
		.place = place_in_lanes(x) };
	struct binding b = lanes_binding(x);

	b.own = own_cell(x);
	find_entries(x, &e, x->p->by_owner[x->stmt->index][listed]);
	return list_points(x->h, &e, &b);
}

/* Outputs by step --------------------------------------------------------- */

struct record {
	const struct lanes *x;
	const struct listed *listed;
	bool *in_loops;
};

static struct ks *record_point(void *user)
{
	const struct record *r = user;
	struct binding b = lanes_binding(r->x);

	b.own = own_cell(r->x);
	b.exact = true;
	return record_of_point(r->x->h, r->listed, &b, r->in_loops);
}

/* Store each of the tile's own points in its cell of the output; NULL: the statement has none
 * that are recorded.
 */
static struct ks *record(const struct lanes *x, const struct listed *l)
{
	const struct host *h = x->h;
	const struct binding b = lanes_binding(x);
	struct record r = { x, l, NULL };
	isl_set *points = recorded_points(h, l, isl_set_copy(
		overlap_scop_stmt(x->o, x->stmt)->domain), &r.in_loops);

	points = overlap_points_between(overlap_points_of_row(x->o,
		isl_set_reset_tuple_id(points)), x->begin, x->o->end[0]);
	if (isl_set_is_empty(points) == isl_bool_true) {
		isl_set_free(points);
		return NULL;
	}
	return record_of_step(h, l, &b, lanes_each_point(x, points,
		record_point, &r));
}

void lanes_add_listed(const struct lanes *x, struct ks *block)
{
	const struct stmt *s = x->stmt;

	for (int i = 0; i < s->n_listed; i++) {
		const struct list *list = s->listed[i]->list;
		struct ks *listed = list ? points_of_list(x, i) :
			record(x, s->listed[i]);

		if (list && (i == 0 || list != s->listed[i - 1]->list))
			ks_add(x->h->mem, block, ks_comment(x->h->mem, "at %s",
				list->index));
		if (listed)
			ks_add(x->h->mem, block, listed);
	}
}
