/* The built-in machines, and what all machines have in common. */
#include "model/model.h"

#include <string.h>


/* [PP] table 4: seconds, GTX 980. */
static const struct machine_citer citers_gtx980[] = {
	{ "jacobi2d", 3.39e-8 }, { "heat2d", 3.68e-8 },
	{ "laplacian2d", 3.11e-8 }, { "gradient2d", 6.09e-8 },
	{ "heat3d", 1.55e-7 }, { "laplacian3d", 1.36e-7 },
};

/* [PP] table 4: seconds, Titan X. */
static const struct machine_citer citers_titanx[] = {
	{ "jacobi2d", 3.83e-8 }, { "heat2d", 4.23e-8 },
	{ "laplacian2d", 3.81e-8 }, { "gradient2d", 7.60e-8 },
	{ "heat3d", 1.64e-7 }, { "laplacian3d", 1.44e-7 },
};

#define CITERS(table) \
	.n_citers = sizeof(table) / sizeof(*(table)), .citers = (table)
#define MACHINE(id, text, ...) { .name = id, .title = text, __VA_ARGS__ },
static const struct machine machines[] = {
#include "model/machines.def"
};
#undef MACHINE
#undef CITERS

static const struct value_info {
	const char *name, *meaning;
	size_t offset;
	bool integer;
} values[] = {
#define INTEGER_VALUE(name, need, meaning) \
	{ #name, meaning, offsetof(struct machine, name), true },
#define REAL_VALUE(name, need, meaning) \
	{ #name, meaning, offsetof(struct machine, name), false },
#include "model/values.def"
#undef INTEGER_VALUE
#undef REAL_VALUE
};

int machine_count(void)
{
	return (int) (sizeof(machines) / sizeof(*machines));
}

const char *machine_name(int i)
{
	return machines[i].name;
}

const char *machine_title(int i)
{
	return machines[i].title;
}

const char *machine_value_name(enum machine_value v)
{
	return values[v].name;
}

const char *machine_value_meaning(enum machine_value v)
{
	return values[v].meaning;
}

double machine_value_of(const struct machine *m, enum machine_value v)
{
	const char *at = (const char *) m + values[v].offset;

	return values[v].integer ? (double) *(const int64_t *) (const void *) at
				 : *(const double *) (const void *) at;
}

bool machine_is_fitted(enum machine_value v)
{
	return v == MACHINE_traffic_delta || v == MACHINE_traffic_epsilon ||
		v == MACHINE_traffic_eta;
}

bool machine_is_estimate(const struct machine *m, enum machine_value v)
{
	return !(m->given >> v & 1);
}

static bool is_given(const struct machine *m, enum machine_value v)
{
	return m->given >> v & 1;
}

static void estimate_integer(struct machine *m, enum machine_value v,
	int64_t *value, int64_t estimate)
{
	if (!is_given(m, v))
		*value = larger(estimate, 1);
}

static void estimate_real(struct machine *m, enum machine_value v,
	double *value, double estimate)
{
	if (!is_given(m, v))
		*value = estimate;
}

void machine_estimate_barriers(struct machine *m)
{
	estimate_real(m, MACHINE_sync_32_s, &m->sync_32_s, m->sync_s);
	estimate_real(m, MACHINE_sync_64_s, &m->sync_64_s, m->sync_s);
	estimate_real(m, MACHINE_sync_128_s, &m->sync_128_s, m->sync_s);
	estimate_real(m, MACHINE_sync_256_s, &m->sync_256_s, m->sync_s);
	estimate_real(m, MACHINE_sync_512_s, &m->sync_512_s, m->sync_s);
	estimate_real(m, MACHINE_sync_1024_s, &m->sync_1024_s, m->sync_s);
}

void machine_estimate_traffic(struct machine *m)
{
	estimate_real(m, MACHINE_traffic_delta, &m->traffic_delta, 0.01);
	estimate_real(m, MACHINE_traffic_epsilon, &m->traffic_epsilon, 0.01);
	estimate_real(m, MACHINE_traffic_eta, &m->traffic_eta, 0);
}

bool machine_is_gpu(const struct machine *m)
{
	return m->max_threads_per_sm > 64;
}

/* From compute capability 8.0 on, each block has 1 KB that the system reserves ([CG], table of
 * technical specifications).
 */
bool machine_copies_ahead(const struct machine *m)
{
	return m->shared_reserved_bytes > 0;
}

/* A link of 100 Gbit/s InfiniBand, EDR or HDR100, of which messages reach some 12 GB/s; 0.6 us
 * from end to end and four switches of 90 ns (IT4Innovations' documentation of Barbora,
 * "Network").  Guesses: the time that MPI takes at both ends, on a GPU a launch; the copies by
 * a core, or by a GPU, whose memory each byte crosses twice, with a sector moved for a short
 * row.
 */
void machine_estimate_network(struct machine *m)
{
	bool is_gpu = machine_is_gpu(m);

	estimate_real(m, MACHINE_network_latency_s, &m->network_latency_s,
		0.96e-6);
	estimate_real(m, MACHINE_network_overhead_s, &m->network_overhead_s,
		is_gpu ? m->launch_s : 0.3e-6);
	estimate_real(m, MACHINE_network_bandwidth_bytes_per_s,
		&m->network_bandwidth_bytes_per_s, 12e9);
	estimate_integer(m, MACHINE_network_ranks_per_link,
		&m->network_ranks_per_link, 1);
	estimate_real(m, MACHINE_network_copy_bytes_per_s,
		&m->network_copy_bytes_per_s, is_gpu ?
		m->bandwidth_bytes_per_s / 2 : 8e9);
	estimate_real(m, MACHINE_network_row_s, &m->network_row_s, is_gpu ?
		(double) m->l2_line_bytes / m->bandwidth_bytes_per_s : 5e-9);
}

/* Blocks of a cluster: 8 on compute capability 9.0 and 10.0 ([CG], table of technical
 * specifications), whose SMs are those with so much shared memory.
 */
static int64_t estimate_cluster(const struct machine *m)
{
	enum { SHARED = 228 << 10, BLOCKS = 8 };

	return machine_copies_ahead(m) && m->shared_bytes_per_sm >= SHARED ?
		BLOCKS : 0;
}

/* Estimates from NVIDIA's GPUs of the last decade: SM storage of 32 banks of 4 bytes a clock;
 * 16 special lanes; a barrier of some 24 clocks.  A load takes 800 clocks where memory is busy
 * (480 where it is not, on Hopper: Luo et al., arXiv:2402.13499), a launch 3 us, a barrier of
 * the grid half of that.  L2 is 2.3 times as fast as memory, like the K20's of [SU] table 1,
 * and at most 24 bytes a clock and SM.
 */
void machine_estimate(struct machine *m)
{
	double sm_hz = (double) m->sm_count * m->clock_hz;
	double l2 = 2.3 * m->bandwidth_bytes_per_s;

	estimate_integer(m, MACHINE_lanes64_per_sm, &m->lanes64_per_sm,
		m->lanes_per_sm / 2);
	estimate_integer(m, MACHINE_special_lanes_per_sm,
		&m->special_lanes_per_sm, m->lanes_per_sm / 8);
	estimate_real(m, MACHINE_sums_per_clock, &m->sums_per_clock, 2);
	estimate_real(m, MACHINE_operations_per_clock,
		&m->operations_per_clock, 2);
	estimate_real(m, MACHINE_roots_per_clock, &m->roots_per_clock, 2);
	if (!is_given(m, MACHINE_shared_reserved_bytes))
		m->shared_reserved_bytes = 0;
	if (!is_given(m, MACHINE_cluster_blocks))
		m->cluster_blocks = estimate_cluster(m);
	estimate_integer(m, MACHINE_max_threads_per_block,
		&m->max_threads_per_block, 1024);
	estimate_integer(m, MACHINE_warp_size, &m->warp_size, 32);
	if (!is_given(m, MACHINE_root_set))
		m->root_set = m->warp_size > 32;
	estimate_integer(m, MACHINE_l1_bytes_per_sm, &m->l1_bytes_per_sm,
		m->shared_bytes_per_sm);
	estimate_integer(m, MACHINE_l1_line_bytes, &m->l1_line_bytes, 128);
	estimate_integer(m, MACHINE_l2_line_bytes, &m->l2_line_bytes, 32);
	estimate_real(m, MACHINE_l2_bandwidth_bytes_per_s,
		&m->l2_bandwidth_bytes_per_s,
		l2 < 24 * sm_hz ? l2 : 24 * sm_hz);
	estimate_real(m, MACHINE_smem_bandwidth_bytes_per_s,
		&m->smem_bandwidth_bytes_per_s, 128 * sm_hz);
	estimate_real(m, MACHINE_l1_bandwidth_bytes_per_s,
		&m->l1_bandwidth_bytes_per_s, m->smem_bandwidth_bytes_per_s);
	machine_estimate_traffic(m);
	estimate_real(m, MACHINE_memory_latency_s, &m->memory_latency_s,
		800 / m->clock_hz);
	estimate_real(m, MACHINE_sync_s, &m->sync_s, 24 / m->clock_hz);
	machine_estimate_barriers(m);
	estimate_real(m, MACHINE_launch_s, &m->launch_s, 3e-6);
	estimate_real(m, MACHINE_grid_sync_s, &m->grid_sync_s,
		m->launch_s / 2);
	machine_estimate_network(m);
}

const struct machine *machine_find(struct region *r, const char *name)
{
	struct machine *m;
	int i = 0;

	while (i < machine_count() && strcmp(machines[i].name, name))
		++i;
	if (i == machine_count())
		return NULL;
	m = region_new_of(r, struct machine);
	*m = machines[i];
	for (int v = 0; v < MACHINE_VALUE_COUNT; ++v)
		if (machine_value_of(m, (enum machine_value) v) > 0)
			m->given |= (uint64_t) 1 << v;
	machine_estimate(m);
	return m;
}

double machine_sync_s(const struct machine *m, double threads)
{
	const double of[] = { m->sync_32_s, m->sync_64_s, m->sync_128_s,
		m->sync_256_s, m->sync_512_s, m->sync_1024_s };
	int i = 0;

	if (threads <= 0)
		return m->sync_s;
	for (double most = 32; most < threads && i < 5; most *= 2)
		++i;
	return of[i];
}

static bool looks_like_a_file(const char *name)
{
	return strchr(name, '/') || strchr(name, '.') || !strcmp(name, "-");
}

static const struct machine *read_machine(struct region *r, struct diags *d,
	const char *path)
{
	const struct source *src = source_read(r, d, path);
	const struct source *before = d->source;
	const struct machine *m;

	if (!src)
		return NULL;
	d->source = src;
	m = machine_parse(r, d, src);
	d->source = before;
	return m;
}

const struct machine *machine_lookup(struct region *r, struct diags *d,
	const char *name)
{
	const struct machine *m = machine_find(r, name);
	FILE *file;

	if (m)
		return m;
	if (!strcmp(name, "host"))
		return machine_host(r);
	if (looks_like_a_file(name))
		return read_machine(r, d, name);
	file = fopen(name, "rb");
	if (file) {
		fclose(file);
		return read_machine(r, d, name);
	}
	diag_plain(d, E_COMMAND_LINE,
		"no machine is called '%s', and there is no such file; "
		"--list-archs lists the machines", name);
	return NULL;
}

static void print_value(struct text *t, const struct machine *m,
	enum machine_value v)
{
	text_printf(t, "%s = %.17g\t# %s%s\n", values[v].name,
		machine_value_of(m, v), machine_is_estimate(m, v) ?
		"estimate: " : "", values[v].meaning);
}

/* Values other than 0, and 0 where it has a meaning. */
static bool is_printed(const struct machine *m, enum machine_value v)
{
	return machine_value_of(m, v) > 0 || is_given(m, v) ||
		machine_is_fitted(v);
}

void machine_print(struct text *t, const struct machine *m)
{
	text_printf(t, "# %s\n", m->title);
	for (int v = 0; v < MACHINE_VALUE_COUNT; ++v)
		if (is_printed(m, (enum machine_value) v))
			print_value(t, m, (enum machine_value) v);
	for (int i = 0; i < m->n_citers; ++i)
		text_printf(t, "citer_s.%s = %.17g\n", m->citers[i].stencil,
			m->citers[i].seconds);
	machine_print_levels(t, m);
}
