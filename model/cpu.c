/* The time of code on the cores of a CPU: the slowest of memory, caches and
 * arithmetic, plus the barriers.  A core counts as an SM, its second-level
 * cache as shared memory, the last-level cache as the L2.
 */
#include "model/terms.h"

#include <math.h>

#include "model/choose_hexagons.inc"

struct stencilc_machine cpu_cores(const struct machine *m)
{
	struct stencilc_machine cores = {
		.cores = (double) m->sm_count, .clock_hz = m->clock_hz,
		.lanes = (double) m->lanes_per_sm,
		.lanes64 = (double) m->lanes64_per_sm,
		.special_lanes = m->roots_per_clock,
		.sums_per_clock = m->sums_per_clock,
		.operations_per_clock = m->operations_per_clock,
		.load_bytes_per_s = m->smem_bandwidth_bytes_per_s,
		.first_cache_bytes = (double) m->l1_bytes_per_sm,
		.own_cache_bytes = (double) m->shared_bytes_per_sm,
		.shared_cache_bytes = (double) m->l2_bytes,
		.bandwidth_bytes_per_s = m->bandwidth_bytes_per_s,
		.barrier_s = m->launch_s,
	};

	if (stencilc_has_line_registers(&cores))
		cores.bandwidth_bytes_per_s = fmin(cores.bandwidth_bytes_per_s,
			64 * cores.cores * cores.clock_hz / 13);
	return cores;
}

bool cpu_has_line_registers(const struct machine *m)
{
	const struct stencilc_machine cores = cpu_cores(m);

	return stencilc_has_line_registers(&cores);
}

double cpu_bandwidth(const struct machine *m)
{
	return cpu_cores(m).bandwidth_bytes_per_s;
}

static struct stencilc_work work_of(const struct cpu_problem *p)
{
	return (struct stencilc_work) {
		.steps = p->steps, .bytes = p->bytes,
		.far_bytes = p->far_bytes,
		.near_bytes = p->near_bytes, .cache_bytes = p->cache_bytes,
		.operations = p->operations, .sums = p->sums,
		.specials = p->specials, .points = p->points,
		.barriers = p->barriers, .citer_s = p->citer_s,
		.efficiency = p->efficiency, .word_bytes = p->word_bytes,
		.streams = p->streams,
	};
}

/* "times" over */
static void set_core_times(struct cpu_terms *t, const struct cpu_problem *p,
	double times)
{
	struct stencilc_machine m = cpu_cores(p->machine);
	struct stencilc_work work = work_of(p);
	struct stencilc_times core = { 0 };

	stencilc_set_core_times(&core, &m, &work, times * stencilc_core_part(&m, &work));
	t->citer_s = p->citer_s;
	t->cache_s = core.cache_s;
	t->compute_s = core.compute_s;
}

static const char *binding_of(const struct cpu_terms *t)
{
	return t->memory_s >= t->cache_s && t->memory_s >= t->compute_s ?
		"memory" : t->cache_s >= t->compute_s ? "cache" : "arithmetic";
}

double cpu_missing_part(double bytes, double cache)
{
	return stencilc_missing(bytes, cache);
}

double cpu_row_work(double bytes)
{
	return stencilc_row_work(bytes);
}

double cpu_moved_bytes_per_s(const struct machine *m)
{
	return 1.5 * cpu_bandwidth(m);
}

struct cpu_terms cpu_point_time(const struct cpu_problem *p, double work)
{
	const struct machine *m = p->machine;
	struct cpu_terms t = { .machine = m };

	t.memory_s = p->steps * (p->bytes / cpu_moved_bytes_per_s(m) +
		p->far_bytes / (2.5 * cpu_bandwidth(m)));
	set_core_times(&t, p, work);
	t.barrier_s = p->steps * p->barriers * m->launch_s;
	t.binding = binding_of(&t);
	t.predicted_s = t.barrier_s + hypot(t.memory_s, fmax(t.cache_s,
		t.compute_s));
	return t;
}

/* What a tile does not leave in the cache for others is read repeatedly. */
struct cpu_terms cpu_tile_time(const struct cpu_problem *p, double redundancy,
	double tile_bytes)
{
	const struct machine *m = p->machine;
	struct cpu_terms t = { .machine = m };
	double room = 0.5 * (double) m->shared_bytes_per_sm;
	double misses = tile_bytes > room ? 1 - room / tile_bytes : 0;
	double work = redundancy / p->efficiency;

	t.memory_s = p->steps * (p->bytes + misses * p->cache_bytes) *
		redundancy / cpu_bandwidth(m);
	set_core_times(&t, p, work);
	t.barrier_s = p->steps * p->barriers * m->launch_s;
	t.binding = binding_of(&t);
	t.predicted_s = t.barrier_s + t.memory_s + fmax(t.cache_s,
		t.compute_s);
	return t;
}

struct cpu_terms cpu_terms_of(const struct machine *m, double citer_s,
	const struct stencilc_times *times)
{
	struct cpu_terms t = {
		.machine = m, .citer_s = citer_s, .memory_s = times->memory_s,
		.near_s = times->near_s, .cache_s = times->cache_s, .compute_s = times->compute_s,
		.barrier_s = times->barrier_s,
		.predicted_s = times->predicted_s,
	};

	t.binding = binding_of(&t);
	return t;
}

struct cpu_terms cpu_overlapped_time(const struct cpu_problem *p, double work,
	double imbalance)
{
	struct stencilc_machine m = cpu_cores(p->machine);
	struct stencilc_work all = work_of(p);
	struct stencilc_times times = stencilc_overlapped(&m, &all, work,
		imbalance);

	return cpu_terms_of(p->machine, p->citer_s, &times);
}

void cpu_report_text(struct text *t, const char *strategy,
	const struct cpu_terms *terms)
{
	const struct term all[] = {
		{ "memory_s", terms->memory_s, "transfers from and to memory" },
		{ "near_s", terms->near_s, "transfers between a core's caches" },
		{ "cache_s", terms->cache_s, "loads and stores" },
		{ "compute_s", terms->compute_s, terms->citer_s > 0 ?
			"a measured point in the cache, citer_s" :
			"arithmetic in full vectors" },
		{ "barrier_s", terms->barrier_s, "barriers between statements" },
	};

	text_printf(t, "strategy %s on %s: predicted ", strategy,
		terms->machine->name);
	text_seconds(t, terms->predicted_s);
	text_printf(t, ", bound by %s\n", terms->binding);
	if (terms->sizes)
		text_printf(t, "%s\n", terms->sizes);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i].value > 0)
			term_print(t, &all[i]);
	if (machine_is_estimate(terms->machine, MACHINE_bandwidth_bytes_per_s))
		text_printf(t, "bandwidths are estimates; stencilc-calibrate "
			"--target=c measures them\n");
}

void cpu_report_json(struct json *j, const char *strategy,
	const struct cpu_terms *terms)
{
	json_string(j, "strategy", strategy);
	json_string(j, "arch", terms->machine->name);
	json_real(j, "predicted_s", terms->predicted_s);
	json_open(j, "terms", '{');
	json_real(j, "memory_s", terms->memory_s);
	json_real(j, "near_s", terms->near_s);
	json_real(j, "cache_s", terms->cache_s);
	json_real(j, "compute_s", terms->compute_s);
	json_real(j, "barrier_s", terms->barrier_s);
	json_real(j, "citer_s", terms->citer_s);
	json_close(j, '}');
	json_string(j, "binding", terms->binding);
}
