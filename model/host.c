/* The machine that the compiler runs on, as far as it can tell: the C target's
 * machine.  A core counts as an SM, its vector lanes as the lanes, its
 * second-level cache as the storage that a tile must fit.
 */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

/* The first line of "path" in "line"; false if it has none. */
static bool read_first_line(const char *path, char *line, int size)
{
	FILE *in = fopen(path, "r");
	bool read;

	if (!in)
		return false;
	read = fgets(line, size, in) != NULL;
	fclose(in);
	return read;
}

/* A line of sysfs about "cpu". */
static bool read_of_cpu(int cpu, const char *file, char *line, int size)
{
	char path[128];

	snprintf(path, sizeof(path), CPU_FOLDER "/cpu%d/%s", cpu, file);
	return read_first_line(path, line, size);
}

/* The bytes of a cache level of "cpu", from sysfs: "1280K"; 0 if unknown. */
static int64_t cache_bytes(int cpu, int level)
{
	char path[64], line[64];
	char *unit;
	long long n;

	for (int i = 0; i < 8; ++i) {
		snprintf(path, sizeof(path), "cache/index%d/level", i);
		if (!read_of_cpu(cpu, path, line, sizeof(line)) ||
		    atoi(line) != level)
			continue;
		snprintf(path, sizeof(path), "cache/index%d/type", i);
		if (!read_of_cpu(cpu, path, line, sizeof(line)) ||
		    line[0] == 'I')
			continue;
		snprintf(path, sizeof(path), "cache/index%d/size", i);
		if (!read_of_cpu(cpu, path, line, sizeof(line)))
			continue;
		n = strtoll(line, &unit, 10);
		if (n > 0 && n < 1 << 30)
			return n * (*unit == 'M' ? 1 << 20 :
				*unit == 'K' ? 1 << 10 : 1);
	}
	return 0;
}

/* Hertz of "cpu" from sysfs or, failing that, as "measured" unless that is 0, or from
 * /proc/cpuinfo; 0 if unknown.
 */
static double clock_hz(int cpu, double measured)
{
	char line[256];
	double mhz = 0;
	FILE *in;

	if (read_of_cpu(cpu, "cpufreq/cpuinfo_max_freq", line, sizeof(line)))
		return strtod(line, NULL) * 1e3;
	if (measured > 0)
		return measured;
	in = fopen("/proc/cpuinfo", "r");
	while (in && !mhz && fgets(line, sizeof(line), in))
		if (!strncmp(line, "cpu MHz", 7) && strchr(line, ':'))
			mhz = strtod(strchr(line, ':') + 1, NULL);
	if (in)
		fclose(in);
	return mhz * 1e6;
}

/* Floats of a vector register. */
static int vector_lanes(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx512f"))
		return 16;
	if (__builtin_cpu_supports("avx2"))
		return 8;
#endif
	return 4;
}

static void give_integer(struct machine *m, enum machine_value v,
	int64_t *value, int64_t told, int64_t estimate)
{
	*value = told > 0 ? told : estimate;
	if (told > 0)
		m->given |= (uint64_t) 1 << v;
}

static void give_real(struct machine *m, enum machine_value v, double *value,
	double told, double estimate)
{
	*value = told > 0 ? told : estimate;
	if (told > 0)
		m->given |= (uint64_t) 1 << v;
}

/* One block at a time on a core, its threads the lanes. */
static void set_limits(struct machine *m)
{
	m->shared_bytes_per_block = m->shared_bytes_per_sm;
	m->registers_per_sm = 32 * m->lanes_per_sm;
	m->max_blocks_per_sm = 1;
	m->max_threads_per_sm = m->lanes_per_sm;
	m->max_threads_per_block = m->lanes_per_sm;
	m->warp_size = m->lanes_per_sm;
	m->l1_line_bytes = 64;
	m->l2_line_bytes = 64;
	m->given |= (uint64_t) 1 << MACHINE_max_threads_per_block |
		(uint64_t) 1 << MACHINE_warp_size |
		(uint64_t) 1 << MACHINE_l1_line_bytes |
		(uint64_t) 1 << MACHINE_l2_line_bytes;
}

/* Rates as measured, else two vectors a clock, as most processors have, and two roots or
 * divisions, as a Zen 3 has.
 */
static void set_rates(struct machine *m, const struct core_rates *rates)
{
	double vectors = sizeof(float) * (double) m->lanes_per_sm *
		(double) m->sm_count * m->clock_hz;

	give_real(m, MACHINE_sums_per_clock, &m->sums_per_clock,
		rates->sums_per_clock, 2);
	give_real(m, MACHINE_operations_per_clock, &m->operations_per_clock,
		rates->operations_per_clock, 2);
	give_real(m, MACHINE_roots_per_clock, &m->roots_per_clock,
		rates->roots_per_clock, 2);
	give_real(m, MACHINE_smem_bandwidth_bytes_per_s,
		&m->smem_bandwidth_bytes_per_s,
		rates->loads_per_clock * vectors, 2 * vectors);
}

/* Estimates for what nothing tells: 16 bytes a clock from a core's own cache, 2 us for an OpenMP
 * barrier at a launch, for one inside a tile only its loop, 100 ns to memory.
 */
static void set_estimates(struct machine *m)
{
	double sm_hz = (double) m->sm_count * m->clock_hz;

	m->l2_bandwidth_bytes_per_s = 16 * sm_hz;
	m->l1_bandwidth_bytes_per_s = m->smem_bandwidth_bytes_per_s;
	machine_estimate_traffic(m);
	m->launch_s = m->grid_sync_s = 2e-6;
	m->memory_latency_s = 100e-9;
	m->sync_s = 4 / m->clock_hz;
	machine_estimate_barriers(m);
	machine_estimate_network(m);
	m->lanes64_per_sm = m->lanes_per_sm / 2;
	m->special_lanes_per_sm = 2;
}

const struct machine *machine_host(struct region *r)
{
	struct machine *m = region_new_of(r, struct machine);
	int cpu;
	int64_t cores = cores_allowed(r, &cpu);
	int64_t last_cache = cache_bytes(cpu, 3), lanes = vector_lanes();
	struct host_measured measured = { 0 };

	m->name = "host";
	m->title = "the machine that stencilc runs on";
	if (host_measured(r, cores, lanes, last_cache, &measured))
		m->title = region_printf(r, "%s, as measured at the first "
			"use: %s", m->title, measured.path);
	give_integer(m, MACHINE_sm_count, &m->sm_count, cores, 1);
	give_integer(m, MACHINE_lanes_per_sm, &m->lanes_per_sm,
		lanes, 4);
	give_real(m, MACHINE_clock_hz, &m->clock_hz,
		clock_hz(cpu, measured.rates.clock_hz), 2e9);
	give_real(m, MACHINE_bandwidth_bytes_per_s, &m->bandwidth_bytes_per_s,
		measured.bandwidth_bytes_per_s, 2 * 10e9);
	give_integer(m, MACHINE_l1_bytes_per_sm, &m->l1_bytes_per_sm,
		cache_bytes(cpu, 1), 32 * 1024);
	give_integer(m, MACHINE_shared_bytes_per_sm, &m->shared_bytes_per_sm,
		cache_bytes(cpu, 2), 256 * 1024);
	give_integer(m, MACHINE_l2_bytes, &m->l2_bytes,
		last_cache, 8 * 1024 * 1024);
	set_limits(m);
	set_rates(m, &measured.rates);
	set_estimates(m);
	return m;
}
