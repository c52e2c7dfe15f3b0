/* Citer of [PP]: the time of one iteration on every lane of an SM. */
#include "model/model.h"

#include <math.h>
#include <string.h>

/* Roots and divisions in IEEE form are computed one by one, with branches, so that points wait: of
 * hexagons with one a point an H200 made 1.67 and 1.85 times the time without (gradient2d,
 * gradient3d).
 */
static double in_a_row(const struct instruction_mix *counted)
{
	return mix_root_count(counted) > 0 && !counted->fast_roots ? 1.8 : 1;
}

/* A point on each of the lanes takes as long as the busiest unit needs: the
 * issue of one instruction a lane and clock, the arithmetic lanes of the type,
 * the special lanes, shared memory.  Latencies count as hidden.
 */
double citer_estimate_s(const struct machine *m,
	const struct instruction_mix *counted)
{
	const struct instruction_mix all = mix_on_machine(m, counted);
	const struct instruction_mix *mix = &all;
	double lanes = (double) m->lanes_per_sm;
	double fp_lanes = mix->word_bytes == 8 ? (double) m->lanes64_per_sm
					       : lanes;
	double moves = mix->loads + mix->stores;
	double issued = mix->arithmetic + mix->special + mix->integer +
		mix->other + moves;
	double arithmetic = mix->arithmetic * lanes / fp_lanes;
	double special = mix->special * lanes /
		(double) m->special_lanes_per_sm;
	double clocks = fmax(fmax(issued, arithmetic), special);
	double sm_bandwidth = m->smem_bandwidth_bytes_per_s /
		(double) m->sm_count;
	double shared_s = moves * mix->word_bytes * lanes / sm_bandwidth;

	clocks *= in_a_row(counted);
	return fmax(fmax(clocks, 1) / m->clock_hz, shared_s);
}

double citer_measured_s(const struct machine *m, const char *stencil)
{
	for (int i = 0; i < m->n_citers; ++i)
		if (!strcmp(m->citers[i].stencil, stencil))
			return m->citers[i].seconds;
	return 0;
}

/* citer_s.STENCIL.PRESET; 0: the machine has none. */
static double measured_for_preset(const struct machine *m,
	const char *stencil, const char *preset)
{
	size_t length = strlen(stencil);

	for (int i = 0; i < m->n_citers; ++i) {
		const char *name = m->citers[i].stencil;

		if (!strncmp(name, stencil, length) && name[length] == '.' &&
		    !strcmp(name + length + 1, preset))
			return m->citers[i].seconds;
	}
	return 0;
}

struct citer citer_of(const struct machine *m, const char *stencil,
	const char *preset, const struct instruction_mix *mix)
{
	double measured = measured_for_preset(m, stencil, preset);

	if (measured <= 0)
		measured = citer_measured_s(m, stencil);

	return measured > 0 ? (struct citer) { measured, false } :
		(struct citer) { citer_estimate_s(m, mix), true };
}
