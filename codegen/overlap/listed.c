/* Lists of points in overlapping tiles: every tile that computes a point changes it as its
 * lists say, whether the point is its own or around it; only the owner of a point stores its
 * records.
 */
#include "codegen/host/lists.h"
#include "codegen/overlap/overlap.h"

/* Does the current point of the current plane lie among the points that the stage computes or,
 * if only the "owner" acts, in the tile?
 */
static const struct kx *is_for_tile(const struct overlap *o, bool owner)
{
	const struct host *h = o->h;
	const struct kx *step = name(h, o->names->step), *all = NULL;

	for (int d = 1; d < o->n_dims; d++) {
		const struct kx *x = name(h, o->names->point[d]);
		const struct kx *low = owner ? name(h, o->begin[d]) :
			d == o->last ? name(h, o->low) :
			overlap_low(o, d, step, false);
		const struct kx *high = owner ? name(h, o->end[d]) :
			d == o->last ? name(h, o->high) :
			overlap_high(o, d, step, false);

		all = kx_and(h->mem, all, op(h, OP_GE, x, low));
		all = kx_and(h->mem, all, op(h, OP_LT, x, high));
	}
	return all;
}

struct ks *overlap_points_of_list(const struct overlap *o, int listed)
{
	const struct host *h = o->h;
	const struct stmt *s = o->stmt;
	const struct listed *l = s->listed[listed];
	const struct kx *plane = name(h, o->names->point[0]);
	bool owner = o->p->by_owner[s->index][listed];
	const struct kx *own = owner ? overlap_is_own(o, 1, o->p->h - 1,
		NULL) : NULL;
	struct binding b = overlap_binding(o);
	const struct entries e = { .listed = l, .in_plane = true,
		.stmt = overlap_scop_stmt(o, s),
		.begin = list_before_plane(h, l->list, plane),
		.end = list_before_plane(h, l->list, kx_add(h->mem, plane, 1)),
		.where = is_for_tile(o, owner) };
	struct ks *points;

	b.own = overlap_cell(o, s->write->field, name(h, o->names->step));
	points = list_points(h, &e, &b);
	return own ? ks_if(h->mem, own, points, NULL) : points;
}
