/* Cells: tiles that partition the points of surrounding tiles, one point wide in some
 * dimensions and full length in the others.
 *
 * The reads of stencils are counted in all cells at once.  For a cell u, in the dimensions
 * across cells, a stencil r has the points x = u + sigma_r, and reads v = x + offset there, so
 * that v - u = sigma_r + offset for all cells.  The values equally far from their cells form a
 * union of moved points of stencils.
 */
#include <stdlib.h>
#include <string.h>

#include "model/graph/tiles.h"

/* A stencil reads values that lie "far" from its cells, 0 along them: its
 * points, moved by "by", are those values, named by cell in the dimensions
 * across.
 */
struct cell_read {
	int64_t far[GRAPH_MAX_DIMS];
	int stencil;
	struct cuboid by;
};

struct cell_reads {
	struct region *tmp;
	int n, room;
	struct cell_read *of;
};

/* Cells ------------------------------------------------------------------ */

static bool shares_out(const struct counter *c, int level)
{
	return halo_of_level(c, level) != HALO_OF || keeps_frames(c, level);
}

/* Do the tiles of "f", which cut dimension "d", cut it where surrounding tiles
 * do, if any cut it?
 */
static bool cut_alike(const struct cells *cells, const struct family *f,
	uint64_t of, int d, bool is_first)
{
	for (int s = 0; s < GRAPH_MAX_STENCILS && !is_first; s++)
		if (has_stencil(of, s) &&
		    cells->shift[s][d] != f->shift[s][d])
			return false;
	return true;
}

bool find_cells(struct counter *c, const struct chain *chain, uint64_t of,
	struct cells *cells)
{
	unsigned cut = 0;

	*cells = (struct cells) { .around = *chain };
	while (cells->around.n > 1 && shares_out(c, cells->around.n - 1))
		cells->around.n--;
	for (int l = cells->around.n; l < chain->n; l++) {
		struct chain outer = *chain;
		const struct family *f;

		outer.n = l + 1;
		f = bare_family_of(c, &outer, of, false);
		for (int d = 0; d < c->graph->n_dims; d++) {
			int64_t size = tile_size(c, l, d);

			if (size == 0)
				continue;
			if (!cut_alike(cells, f, of, d, !(cut >> d & 1)))
				return false;
			cut |= 1u << d;
			cells->across |= size == 1 ? 1u << d : 0;
			for (int s = 0; s < c->graph->n_stencils; s++)
				cells->shift[s][d] = f->shift[s][d];
		}
	}
	return cells->around.n < chain->n && cut == cells->across;
}

/* Reads ------------------------------------------------------------------ */

static void add_cell_read(struct cell_reads *all, const struct cell_read *r)
{
	struct cell_read *old = all->of;

	if (all->n == all->room) {
		all->room = all->room ? 2 * all->room : 64;
		all->of = region_array(all->tmp, struct cell_read, all->room);
		if (all->n > 0)
			memcpy(all->of, old, sizeof(*old) * (size_t) all->n);
	}
	all->of[all->n++] = *r;
}

/* Add the reads of "r" among "offsets", in dimension "d" and those behind it:
 * one for each offset across cells.
 */
static void add_offsets(const struct counter *c, const struct cells *cells,
	struct cell_reads *all, struct cell_read r, unsigned dims,
	const struct cuboid *offsets, int d)
{
	int64_t shift = cells->shift[r.stencil][d];

	if (d == c->graph->n_dims) {
		add_cell_read(all, &r);
		return;
	}
	if (!(cells->across >> d & 1)) {
		r.by.low[d] = offsets->low[d];
		r.by.end[d] = offsets->end[d];
		add_offsets(c, cells, all, r, dims, offsets, d + 1);
		return;
	}
	r.by.low[d] = -shift;
	r.by.end[d] = 1 - shift;
	for (int64_t x = offsets->low[d]; x < offsets->end[d]; x++) {
		r.far[d] = dims >> d & 1 ? x + shift : 0;
		add_offsets(c, cells, all, r, dims, offsets, d + 1);
	}
}

static int compare_far(const struct cell_read *a, const struct cell_read *b)
{
	for (int d = 0; d < GRAPH_MAX_DIMS; d++)
		if (a->far[d] != b->far[d])
			return a->far[d] < b->far[d] ? -1 : 1;
	return 0;
}

static int compare_values(const struct cell_read *a, const struct cell_read *b)
{
	if (a->stencil != b->stencil)
		return a->stencil < b->stencil ? -1 : 1;
	return memcmp(&a->by, &b->by, sizeof(a->by));
}

static int compare_reads(const void *a, const void *b)
{
	int far = compare_far(a, b);

	return far ? far : compare_values(a, b);
}

static void sort_reads(struct cell_reads *all)
{
	int n = 0;

	qsort(all->of, (size_t) all->n, sizeof(*all->of), compare_reads);
	for (int i = 0; i < all->n; i++)
		if (n == 0 || compare_reads(&all->of[n - 1], &all->of[i]) != 0)
			all->of[n++] = all->of[i];
	all->n = n;
}

/* Counts ----------------------------------------------------------------- */

/* Values equally far from their cells: reads first .. end - 1. */
struct cell_values {
	int first, end;
	int64_t n;
};

static bool same_values(const struct cell_reads *all,
	const struct cell_values *a, const struct cell_values *b)
{
	if (a->end - a->first != b->end - b->first)
		return false;
	for (int i = 0; i < a->end - a->first; i++)
		if (compare_values(&all->of[a->first + i],
				&all->of[b->first + i]) != 0)
			return false;
	return true;
}

/* Over all frames of "f"; the fields have the dimensions "dims". */
static int64_t count_cell_values(struct counter *c, const struct family *f,
	const struct cell_reads *all, const struct cell_values *v,
	unsigned dims)
{
	const struct shape *points[GRAPH_MAX_STENCILS];
	int64_t n = 0;

	for (int i = 0; i < f->n; i++) {
		for (const struct layer *l = f->top; l; l = l->below)
			points[l->stencil] = l->points[i];
		for (int k = v->first; k < v->end; k++)
			pile_add_sum(c->pile, points[all->of[k].stencil],
				&(struct cuboids) { 1, &all->of[k].by });
		pile_flatten(c->pile, dims);
		n += f->frame[i].times * pile_count(c->pile);
	}
	return n;
}

static int64_t count_all_values(struct counter *c, const struct family *f,
	const struct cell_reads *all, unsigned dims)
{
	struct cell_values *v = region_array(all->tmp, struct cell_values,
		all->n + 1);
	int n = 0;
	int64_t sum = 0;

	for (int i = 0; i < all->n; i = v[n++].end) {
		int same = 0;

		v[n].first = v[n].end = i;
		while (v[n].end < all->n && compare_far(&all->of[i],
				&all->of[v[n].end]) == 0)
			v[n].end++;
		while (same < n && !same_values(all, &v[same], &v[n]))
			same++;
		v[n].n = same < n ? v[same].n : count_cell_values(c, f, all,
			&v[n], dims);
		sum += v[n].n;
	}
	return sum;
}

int64_t values_in_cells(struct counter *c, const struct cells *cells,
	uint64_t readers, int field, int own)
{
	static const struct cuboid here = { { 0 }, { 1, 1, 1, 1 } };
	const struct family *f = family_of(c, &cells->around, readers |
		(own < 0 ? 0 : only_stencil(own)), false);
	unsigned dims = c->graph->field[field].dims;
	struct cell_reads all = { .tmp = region_new() };
	int64_t n;

	for (int r = 0; r < c->graph->n_stencils; r++)
		for (int i = 0; has_stencil(readers, r) &&
		     i < c->reads[r].n; i++)
			for (int k = 0; c->reads[r].of[i].field == field &&
			     k < c->reads[r].of[i].offsets.n; k++)
				add_offsets(c, cells, &all,
					(struct cell_read) { .stencil = r },
					dims, &c->reads[r].of[i].offsets.cuboid[k],
					0);
	if (own >= 0)
		add_offsets(c, cells, &all, (struct cell_read)
			{ .stencil = own }, dims, &here, 0);
	sort_reads(&all);
	n = count_all_values(c, f, &all, dims | cells->across);
	region_free(all.tmp);
	return n;
}
