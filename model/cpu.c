/* The time of code on the cores of a CPU: the slowest of memory, caches and
 * arithmetic, and the barriers.  A core counts as an SM, its second-level cache
 * as shared memory, the last-level cache as the L2.
 */
#include "model/model.h"

#include <math.h>

/* Numbers of "word_bytes" that all cores have in a vector, times their clocks a second. */
static double lane_clocks_per_s(const struct machine *m, int word_bytes)
{
	double lanes = word_bytes == 8 ? (double) m->lanes64_per_sm :
		(double) m->lanes_per_sm;

	return lanes * (double) m->sm_count * m->clock_hz;
}

/* Seconds for the operations of a step: two vectors a clock, of which all or some may
 * be sums.
 */
static double operations_s(const struct cpu_problem *p)
{
	return fmax(p->operations / 2, p->sums / p->machine->sums_per_clock) /
		lane_clocks_per_s(p->machine, p->word_bytes);
}

/* Roots and divisions that all cores finish in a second, beside operations; doubles take
 * three times as long.
 */
static double specials_per_s(const struct machine *m, int word_bytes)
{
	double lanes = (double) m->special_lanes_per_sm /
		(word_bytes == 8 ? 3 : 1);

	return lanes * (double) m->sm_count * m->clock_hz;
}

/* What cores do in their caches, "work" times over: as Citer says where it was
 * measured, else loads and stores beside arithmetic.
 */
static void set_core_times(struct cpu_terms *t, const struct cpu_problem *p,
	double work)
{
	const struct machine *m = p->machine;

	t->citer_s = p->citer_s;
	if (p->citer_s > 0) {
		t->compute_s = p->steps * p->points * work * p->citer_s /
			((double) m->lanes_per_sm * (double) m->sm_count);
		return;
	}
	t->cache_s = p->steps * p->cache_bytes * work /
		m->smem_bandwidth_bytes_per_s;
	t->compute_s = p->steps * work * fmax(operations_s(p),
		p->specials / specials_per_s(m, p->word_bytes));
}

static const char *binding_of(const struct cpu_terms *t)
{
	return t->memory_s >= t->cache_s && t->memory_s >= t->compute_s ?
		"memory" : t->cache_s >= t->compute_s ? "cache" : "arithmetic";
}

double cpu_missing_part(double bytes, double cache)
{
	return bytes / (bytes + 1.5 * cache);
}

double cpu_row_work(double bytes)
{
	return 1 + 600 / bytes;
}

struct cpu_terms cpu_point_time(const struct cpu_problem *p, double work)
{
	const struct machine *m = p->machine;
	struct cpu_terms t = { .machine = m };

	t.memory_s = p->steps * p->bytes / m->bandwidth_bytes_per_s;
	set_core_times(&t, p, work);
	t.barrier_s = p->steps * p->barriers * m->launch_s;
	t.binding = binding_of(&t);
	t.predicted_s = t.barrier_s + hypot(t.memory_s, fmax(t.cache_s,
		t.compute_s));
	return t;
}

/* What a tile does not leave to others of its cache is read again and again. */
struct cpu_terms cpu_tile_time(const struct cpu_problem *p, double redundancy,
	double tile_bytes)
{
	const struct machine *m = p->machine;
	struct cpu_terms t = { .machine = m };
	double room = 0.5 * (double) m->shared_bytes_per_sm;
	double misses = tile_bytes > room ? 1 - room / tile_bytes : 0;
	double work = redundancy / p->efficiency;

	t.memory_s = p->steps * (p->bytes + misses * p->cache_bytes) *
		redundancy / m->bandwidth_bytes_per_s;
	set_core_times(&t, p, work);
	t.barrier_s = p->steps * p->barriers * m->launch_s;
	t.binding = binding_of(&t);
	t.predicted_s = t.barrier_s + t.memory_s + fmax(t.cache_s,
		t.compute_s);
	return t;
}

/* Of the bandwidth of a copy: that of the cache that cores share, and the part that the
 * rows of tiles get.  Columns and several rows at a time start and end anywhere; single
 * rows stream as a copy does, which moves half as much again as it is told to, as what
 * is written is read first.  These constants are fitted, and so is how far waits for
 * memory and work overlap (doc/performance.md, "Predictions for C").
 */
static const struct {
	double shared_cache, memory;
} rows_that_jump = { 2.5, 0.8 }, rows_that_stream = { 4, 1.5 };

struct cpu_terms cpu_overlapped_time(const struct cpu_problem *p, double work,
	double imbalance)
{
	const struct machine *m = p->machine;
	struct cpu_terms t = { .machine = m };

	t.memory_s = p->steps / m->bandwidth_bytes_per_s * (p->streams ?
		work * (p->bytes / rows_that_stream.memory +
			p->far_bytes / rows_that_stream.shared_cache) :
		p->bytes / rows_that_jump.memory +
			p->far_bytes / rows_that_jump.shared_cache);
	set_core_times(&t, p, work / p->efficiency);
	t.barrier_s = p->steps * p->barriers * m->launch_s;
	t.binding = binding_of(&t);
	t.predicted_s = t.barrier_s + imbalance * hypot(t.memory_s,
		fmax(t.cache_s, t.compute_s));
	return t;
}

void cpu_report_text(struct text *t, const char *strategy,
	const struct cpu_terms *terms)
{
	text_printf(t, "strategy %s on %s: predicted %.4g s, bound by %s\n",
		strategy, terms->machine->name, terms->predicted_s,
		terms->binding);
	if (terms->sizes)
		text_printf(t, "%s\n", terms->sizes);
	text_printf(t, "  %-14s %12.5g  transfers from and to memory\n",
		"memory_s", terms->memory_s);
	if (terms->cache_s > 0)
		text_printf(t, "  %-14s %12.5g  loads and stores\n",
			"cache_s", terms->cache_s);
	text_printf(t, "  %-14s %12.5g  %s\n", "compute_s", terms->compute_s,
		terms->citer_s > 0 ? "a measured point in the cache, citer_s" :
		"arithmetic in full vectors");
	text_printf(t, "  %-14s %12.5g  barriers between statements\n",
		"barrier_s", terms->barrier_s);
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
	json_real(j, "cache_s", terms->cache_s);
	json_real(j, "compute_s", terms->compute_s);
	json_real(j, "barrier_s", terms->barrier_s);
	json_real(j, "citer_s", terms->citer_s);
	json_close(j, '}');
	json_string(j, "binding", terms->binding);
}
