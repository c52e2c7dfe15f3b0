/* Full tiles, of which code for any tile does not ask where it is.
 *
 * A tile stores its own cells alone.  If the code for any tile, wherever it is, stores all cells
 * of the plan, and that for full tiles stores all of theirs, then both together store each cell.
 */
#include <string.h>

#include "verify/code/kept.h"

/* { [T, S] } of the current place */
static __isl_give isl_set *tiles_here(struct code *w)
{
	isl_map *map = with_tile(w, isl_map_from_pw_aff(isl_pw_aff_copy(
		w->tiles->pass)));

	return without_variables(w, isl_map_range(isl_map_intersect_domain(map,
		isl_set_intersect(isl_set_copy(w->at),
			isl_set_copy(w->ranges)))));
}

static void note_launched(struct code *w, const struct ks *s)
{
	bool is_of_tiles = false;

	for (int d = 0; w->tiles && d < w->plan->n_dims; d++) {
		const char *tile = w->tiles->names->tile[d];

		if (!variable_called(w, tile))
			return;
		is_of_tiles = is_of_tiles || !strcmp(s->name, tile);
	}
	if (is_of_tiles)
		w->tiles->launched = keep_in_checker(w->c, tiles_here(w));
}

void enter_loop_of_tile(struct code *w, const struct ks *s)
{
	note_launched(w, s);
	enter_loop(w, s);
}

/* What arrays kept so far is not seen by the full tile. */
static struct tiles *tiles_anew(struct code *w)
{
	struct tiles *tiles = region_new_of(w->c->mem, struct tiles);

	*tiles = *w->tiles;
	for (struct kept *k = tiles->kept; k; k = k->next) {
		k->before = region_new_of(w->c->mem, struct kept);
		*k->before = *k;
		k->stores = k->reads = NULL;
		k->moved = k->computed = k->read = (struct done) { 0 };
	}
	return tiles;
}

static void restore_tiles(struct code *w)
{
	for (struct kept *k = w->tiles->kept; k; k = k->next) {
		k->before->stores_if_full = k->stores;
		k->before->reads_if_full = k->reads;
		*k = *k->before;
	}
}

static bool is_full_right(struct code *w, const struct ks *body)
{
	isl_set *tiles = tiles_here(w);
	bool right = read_statement(w, body) &&
		tiles_store_all(w, tiles, false) && tiles_are_right(w);

	isl_set_free(tiles);
	return right;
}

static bool read_full(struct code *w, const struct ks *body,
	__isl_take isl_set *holds)
{
	struct code inner = *w;
	bool right;

	inner.at = isl_set_intersect(isl_set_copy(w->at), holds);
	inner.ranges = isl_set_copy(w->ranges);
	inner.stored = region_array(w->c->mem, struct stored,
		w->c->prog->n_fields);
	inner.tiles = tiles_anew(w);
	begin_turns(&inner);
	right = is_full_right(&inner, body);
	forget_stores(&inner);
	forget_tiles(&inner);
	restore_tiles(w);
	w->n_numbers = inner.n_numbers;
	isl_set_free(inner.at);
	isl_set_free(inner.ranges);
	return right;
}

bool read_full_or_any(struct code *w, const struct ks *s)
{
	struct condition c = condition_of(w, s->x[0]);
	bool right = c.sure && s->n_children > 1;

	isl_set_free(c.fails);
	if (!right)
		refute(w->c, "it is not shown where the code takes a tile for "
			"full");
	right = right && is_full_at(w, s->full_at, isl_set_copy(c.holds)) &&
		read_full(w, s->child[0], isl_set_copy(c.holds));
	isl_set_free(c.holds);
	return right && read_statement(w, s->child[1]);
}
