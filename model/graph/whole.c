/* Large boxes of whole tiles within what the stencils compute: their counts are
 * lower bounds.
 */
#include "model/graph/tiles.h"

/* "hull" with its sides moved inwards by "k" parts in WIDTH of its half, then
 * to sides of tiles of "size".
 */
enum { WIDTH = 256 };

static struct cuboid shrunk(const struct counter *c,
	const struct cuboid *hull, int k)
{
	struct cuboid box = { { 0 }, { 0 } };

	for (int d = 0; d < c->graph->n_dims; d++) {
		int64_t size = c->machine->n_levels > 1 ?
			tile_size(c, 1, d) : 0;
		int64_t by = (hull->end[d] - hull->low[d]) / 2 * k / WIDTH;

		box.low[d] = hull->low[d] + by;
		box.end[d] = hull->end[d] - by;
		if (size > 0) {
			box.low[d] = floor_div(box.low[d] + size - 1, size) *
				size;
			box.end[d] = floor_div(box.end[d], size) * size;
		}
		box.end[d] = larger(box.low[d], box.end[d]);
	}
	return box;
}

/* A large box of whole tiles of the second level within "s". */
static struct cuboid box_within(const struct counter *c,
	const struct shape *s)
{
	int none = -1, all = WIDTH;

	while (all - none > 1) {
		int k = (none + all) / 2;
		struct cuboid box = shrunk(c, &s->hull, k);

		if (shape_has_all(s, &box))
			all = k;
		else
			none = k;
	}
	return all < WIDTH ? shrunk(c, &s->hull, all) : (struct cuboid)
		{ { 0 }, { 0 } };
}

struct counter *counter_of_whole_tiles(struct region *mem, struct counter *c)
{
	struct counter *whole = counter_new(mem, c->graph, c->machine);
	struct chain root = { 1, { 0 } };
	const struct family *f;
	struct cuboid *box = region_array(mem, struct cuboid,
		c->graph->n_stencils);

	for (int s = 0; s < c->graph->n_stencils; s++)
		root.set[0] |= only_stencil(s);
	f = family_of(c, &root, root.set[0], false);
	for (int s = 0; s < c->graph->n_stencils; s++)
		box[s] = box_within(c, layer_of(f, s)->points[0]);
	whole->whole = box;
	if (c->swept)
		whole->swept = counter_of_whole_tiles(mem, c->swept);
	return whole;
}
