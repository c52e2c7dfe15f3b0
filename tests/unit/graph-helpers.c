#include "tests/unit/graph.h"

void add_read(struct graph *g, int s, int field, int64_t x, int64_t y)
{
	graph_add_read(g, s, field, (int64_t[]) { x, y, 0, 0 });
}

struct graph *diffusion(struct region *mem)
{
	struct graph *g = graph_new(mem, 2, 100);
	int in = graph_add_field(g, "in"), wgt = graph_add_field(g, "wgt");
	int lap = graph_add_stencil(mem, g, "lap", 5, false);
	int fli = graph_add_stencil(mem, g, "fli", 1, false);
	int flj = graph_add_stencil(mem, g, "flj", 1, false);
	int out = graph_add_stencil(mem, g, "out", 4, true);

	add_read(g, lap, in, 0, 0);
	add_read(g, lap, in, -1, 0);
	add_read(g, lap, in, 1, 0);
	add_read(g, lap, in, 0, -1);
	add_read(g, lap, in, 0, 1);
	add_read(g, fli, g->stencil[lap].out, 1, 0);
	add_read(g, fli, g->stencil[lap].out, 0, 0);
	add_read(g, flj, g->stencil[lap].out, 0, 1);
	add_read(g, flj, g->stencil[lap].out, 0, 0);
	add_read(g, out, wgt, 0, 0);
	add_read(g, out, g->stencil[fli].out, -1, 0);
	add_read(g, out, g->stencil[fli].out, 0, 0);
	add_read(g, out, g->stencil[flj].out, 0, -1);
	add_read(g, out, g->stencil[flj].out, 0, 0);
	return g;
}

struct graph_machine two_levels(enum halo inner, int64_t outer_tile,
	int64_t tile)
{
	struct graph_machine m = { .name = "test", .n_levels = 2,
		.flops = 1e9 };

	for (int l = 0; l < 2; l++)
		m.level[l] = (struct graph_level) { .memory = "m",
			.halo = l ? inner : HALO_OF, .vertical = 1e8,
			.lateral = 5e8, .capacity = INFINITY,
			.splits = l == 0, .launches = l == 0 };
	for (int d = 0; d < GRAPH_MAX_DIMS; d++) {
		m.level[0].tile[d] = outer_tile;
		m.level[1].tile[d] = tile;
	}
	return m;
}

uint64_t stencil_set(int first, int last)
{
	uint64_t set = 0;

	for (int s = first; s <= last; s++)
		set |= (uint64_t) 1 << s;
	return set;
}

struct chain chain_of(int n, int last)
{
	struct chain c = { .n = n };

	for (int l = 0; l < n; l++)
		c.set[l] = stencil_set(0, last);
	return c;
}

struct graph_machine of_cells(int64_t outer_tile, int64_t tile)
{
	struct graph_machine m = two_levels(HALO_OF, outer_tile, tile);

	m.n_levels = 4;
	m.level[1].splits = true;
	m.level[2] = m.level[3] = m.level[1];
	m.level[2].halo = HALO_HS;
	m.level[2].tile[0] = 0;
	m.level[2].tile[1] = 1;
	m.level[2].splits = false;
	m.level[3].halo = HALO_HP;
	m.level[3].tile[0] = m.level[3].tile[1] = 1;
	m.level[3].splits = false;
	return m;
}

struct graph_machine of_slabs(int64_t outer_tile)
{
	struct graph_machine m = two_levels(HALO_OF, outer_tile, 6);

	m.n_levels = 3;
	m.level[2] = m.level[1];
	m.level[2].tile[1] = 2;
	m.level[1].halo = HALO_HS;
	m.level[1].tile[0] = 0;
	m.level[1].tile[1] = 4;
	m.level[1].splits = true;
	return m;
}
