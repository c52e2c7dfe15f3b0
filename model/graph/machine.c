/* Abstract machines: those of [MO], and those of machine files. */
#include <math.h>
#include <string.h>

#include "model/cpu.h"
#include "model/graph/graph.h"

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

/* Slabs of so many points, plus one for their shift. */
static double count_slabs(const struct graph_machine *m, int outermost,
	int64_t points)
{
	int64_t all = m->level[0].tile[outermost];

	return (double) ((all + points - 1) / points + 1);
}

struct graph_machine graph_machine_slabs(const struct graph_machine *m,
	const struct machine *machine, int bytes, bool is_cpu, int n_dims,
	int64_t points)
{
	struct graph_machine g = *m;
	struct graph_level *root = g.level, *slab = &g.level[1];

	memmove(slab + 1, slab, sizeof(*slab) * (size_t) (m->n_levels - 1));
	g.n_levels++;
	if (!is_cpu)
		root->vertical = machine->bandwidth_bytes_per_s / bytes;
	slab[1].vertical = machine->l2_bandwidth_bytes_per_s / bytes;
	if (!is_cpu)
		slab[1].memory = "L2";
	*slab = (struct graph_level) { .memory = is_cpu ? "L3" : "L2",
		.halo = HALO_HS, .vertical = is_cpu ? slab[1].vertical :
			INFINITY, .lateral = INFINITY,
		.capacity = (double) machine->l2_bytes / 2 / bytes,
		.splits = true,
		.launches = count_slabs(m, n_dims - 1, points) };
	slab->tile[n_dims - 1] = points;
	return g;
}

static double words(double bytes, int word)
{
	return bytes > 0 ? bytes / word : INFINITY;
}

static enum halo halo_called(const char *name)
{
	enum halo halo = HALO_OF;

	while (strcmp(halo_name(halo), name) != 0)
		halo++;
	return halo;
}

/* The levels in the machine file. */
static struct graph_machine levels_of(const struct machine *m, int bytes)
{
	struct graph_machine g = { .n_levels = m->n_levels };

	for (int l = 0; l < m->n_levels; l++) {
		const struct machine_level *from = &m->level[l];

		g.level[l] = (struct graph_level) { .memory = from->memory,
			.tile = { from->tile[0], from->tile[1],
				from->tile[2] },
			.halo = halo_called(from->halo),
			.vertical = words(from->vertical_bytes_per_s, bytes),
			.lateral = words(from->lateral_bytes_per_s, bytes),
			.capacity = words(from->bytes, bytes),
			.splits = from->splits };
	}
	return g;
}

/* A core's share of a tile lies in its second-level cache.  What it loads from memory and what it
 * computes take turns: eight shapes of tiles of filter3d on a Zen 3 take the sum of both, 0.87 to 1.2
 * of it.
 */
static struct graph_machine cpu_of(const struct machine *m, int bytes)
{
	return (struct graph_machine) { .n_levels = 2, .level = {
		{ .memory = "DDR", .vertical = cpu_moved_bytes_per_s(m) /
			bytes, .lateral = INFINITY, .capacity = INFINITY,
		  .splits = true, .waits = true, .fetches = true },
		{ .memory = "L2", .vertical = m->l2_bandwidth_bytes_per_s /
			bytes, .lateral = INFINITY,
		  .capacity = (double) m->shared_bytes_per_sm / bytes },
	} };
}

/* A group of the second level is a kernel, its tiles are the blocks: loads and
 * stores go through device memory; values passed between stencils lie in shared
 * memory, of which a multiprocessor holds at least two blocks.
 */
static struct graph_machine gpu_of(const struct machine *m, int bytes)
{
	double block = fmin((double) m->shared_bytes_per_sm / 2,
		(double) m->shared_bytes_per_block);

	return (struct graph_machine) { .n_levels = 3, .level = {
		{ .memory = "GDDR", .vertical = INFINITY, .lateral = INFINITY,
		  .capacity = INFINITY, .splits = true },
		{ .memory = "GDDR", .vertical = m->bandwidth_bytes_per_s /
			bytes, .lateral = INFINITY, .capacity = INFINITY,
		  .waits = true },
		{ .memory = "shared", .vertical =
			m->smem_bandwidth_bytes_per_s / bytes,
		  .lateral = INFINITY, .capacity = block / bytes },
	} };
}

struct graph_machine graph_machine_of(const struct machine *m, int bytes,
	bool is_cpu, const int64_t *domain, const int64_t *block)
{
	struct graph_machine g = m->n_levels > 0 ? levels_of(m, bytes) :
		is_cpu ? cpu_of(m, bytes) : gpu_of(m, bytes);
	int64_t lanes = bytes > 4 ? m->lanes64_per_sm : m->lanes_per_sm;

	g.name = m->name;
	g.launch_s = m->launch_s;
	g.level[0].launches = 1;
	g.flops = (double) (m->sm_count * lanes) * m->clock_hz;
	if (m->n_levels == 0 && !is_cpu) {
		g.issue = (double) (m->sm_count * m->lanes_per_sm) *
			m->clock_hz;
		g.issue_of_op = (double) m->lanes_per_sm / (double) lanes;
	}
	for (int d = 0; m->n_levels == 0 && d < GRAPH_MAX_DIMS; d++) {
		g.level[0].tile[d] = domain[d];
		g.level[1].tile[d] = block[d];
	}
	return g;
}
