/* Abstract machines: what [MO] used, and those of machine files. */
#include <math.h>
#include <string.h>

#include "graph/graph.h"

const char *halo_name(enum halo halo)
{
	static const char *const name[] = {
		[HALO_OF] = "of", [HALO_HP] = "hp", [HALO_HS] = "hs",
	};

	return name[halo];
}

struct graph_machine graph_machine_swept(const struct graph_machine *m,
	int n_dims)
{
	struct graph_machine g = *m;
	struct graph_level *last = &g.level[g.n_levels - 1];

	if (last->tile[0] > 0) {
		g.level[g.n_levels++] = *last;
		last->capacity = INFINITY;
		last++;
		last->splits = false;
	}
	last->halo = HALO_HS;
	for (int d = 0; d < GRAPH_MAX_DIMS; d++)
		last->tile[d] = d == n_dims - 1;
	return g;
}

/* Tables 1 and 2 of [MO].  Of their bandwidths only DDR3-1600 on two channels
 * and the rates of computation are known; the others are the data sheets' of
 * an i5-3330 and a K20c: words of 8 bytes, L2 32 bytes a clock and core, half
 * of what shared memory has for lateral traffic.
 */
static const struct graph_machine cpu = {
	.name = "cpu", .n_levels = 2, .flops = 48e9,
	.level = {
		{ .memory = "DDR", .tile = { 256, 256, 64 }, .halo = HALO_OF,
		  .vertical = 25.6e9 / 8, .lateral = INFINITY,
		  .capacity = INFINITY, .splits = true },
		{ .memory = "L2", .tile = { 8, 8, 64 }, .halo = HALO_OF,
		  .vertical = 4 * 32 * 3.0e9 / 8, .lateral = INFINITY,
		  .capacity = 256 * 1024 / 8, .splits = false },
	},
};

static const struct graph_machine gpu = {
	.name = "gpu", .n_levels = 4, .flops = 585e9,
	.level = {
		{ .memory = "GDDR", .tile = { 256, 256, 64 }, .halo = HALO_OF,
		  .vertical = INFINITY, .lateral = INFINITY,
		  .capacity = 5e9 / 8, .splits = true },
		{ .memory = "GDDR", .tile = { 64, 4, 64 }, .halo = HALO_OF,
		  .vertical = 208e9 / 8, .lateral = INFINITY,
		  .capacity = 5e9 / 8, .splits = true },
		{ .memory = "registers", .tile = { 0, 0, 1 },
		  .halo = HALO_HS, .vertical = INFINITY, .lateral = INFINITY,
		  .capacity = 65536 / 2, .splits = false },
		{ .memory = "registers", .tile = { 1, 1, 1 },
		  .halo = HALO_HP, .vertical = INFINITY,
		  .lateral = 13 * 128 * 0.706e9 / 8 / 2,
		  .capacity = 64, .splits = false },
	},
};

bool graph_machine_find(const char *name, struct graph_machine *machine)
{
	if (!strcmp(name, "cpu"))
		*machine = cpu;
	else if (!strcmp(name, "gpu"))
		*machine = gpu;
	else
		return false;
	return true;
}

/* A core's part of a tile lies in its second-level cache. */
static struct graph_machine cpu_of(const struct machine *m, int bytes)
{
	struct graph_machine g = cpu;

	g.level[0].vertical = m->bandwidth_bytes_per_s / bytes;
	g.level[1].vertical = m->l2_bandwidth_bytes_per_s / bytes;
	g.level[1].capacity = (double) m->shared_bytes_per_sm / bytes;
	return g;
}

/* A group of the second level is a kernel, its tiles are the blocks: what they
 * load and store goes through device memory, what their stencils hand on lies
 * in shared memory, of which a multiprocessor holds two blocks at least.
 */
static struct graph_machine gpu_of(const struct machine *m, int bytes)
{
	double block = (double) m->shared_bytes_per_sm / 2;
	struct graph_machine g = { .n_levels = 3 };

	if (block > (double) m->shared_bytes_per_block)
		block = (double) m->shared_bytes_per_block;
	g.level[0] = gpu.level[0];
	g.level[0].capacity = INFINITY;
	g.level[1] = gpu.level[1];
	g.level[1].vertical = m->bandwidth_bytes_per_s / bytes;
	g.level[1].capacity = INFINITY;
	g.level[1].splits = false;
	g.level[2] = (struct graph_level) {
		.memory = "shared", .halo = HALO_OF,
		.vertical = m->smem_bandwidth_bytes_per_s / bytes,
		.lateral = INFINITY, .capacity = block / bytes,
	};
	return g;
}

struct graph_machine graph_machine_of(const struct machine *m, int bytes,
	bool is_cpu, const int64_t *domain, const int64_t *block)
{
	struct graph_machine g = is_cpu ? cpu_of(m, bytes) : gpu_of(m, bytes);
	int64_t lanes = bytes > 4 ? m->lanes64_per_sm : m->lanes_per_sm;

	g.name = m->name;
	g.flops = (double) (m->sm_count * lanes) * m->clock_hz;
	for (int d = 0; d < GRAPH_MAX_DIMS; d++) {
		g.level[0].tile[d] = domain[d];
		g.level[1].tile[d] = block[d];
	}
	return g;
}
