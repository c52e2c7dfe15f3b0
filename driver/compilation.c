/* State that the stages share. */
#include "driver/driver.h"

#include <stdio.h>

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double) (now.tv_sec - start->tv_sec) +
		1e-9 * (double) (now.tv_nsec - start->tv_nsec);
}

void report_stage(struct compilation *s, const char *stage)
{
	if (s->options.say.more)
		fprintf(stderr, "stencilc: %-10s %8.3f ms\n", stage,
			1e3 * seconds_since(&s->start));
	clock_gettime(CLOCK_MONOTONIC, &s->start);
}

/* GPUs have warps of 32 threads, some of 64; a CPU's "warps" are its vectors; a machine file
 * that does not say may be either.  Machines with levels of their own are for scoring graphs,
 * for any target.
 */
static void warn_of_other_machine(struct compilation *s)
{
	const struct target *target = s->options.target;
	const bool is_gpu = s->machine->warp_size >= 32;
	const bool is_wide = s->machine->warp_size > 32;

	if (s->options.show.print_arch || s->machine->n_levels > 0 ||
	    machine_is_estimate(s->machine, MACHINE_warp_size) ||
	    (is_gpu != target->for_cpu &&
	     (target->for_cpu || target->has_wide_warps || !is_wide)))
		return;
	diag_plain(&s->diags, W_OTHER_MACHINE, "--arch=%s: warps of %d "
		"threads are those of a %s; sizes for %s are better chosen by "
		"%s", s->options.arch, (int) s->machine->warp_size,
		is_wide ? "GPU of AMD" : is_gpu ? "GPU" : "CPU",
		target->language, target->for_cpu ? "--arch=host" :
		is_wide ? "a GPU with warps of 32" :
		"a GPU of --list-archs");
}

bool find_machine(struct compilation *s)
{
	s->machine = machine_lookup(s->mem, &s->diags, s->options.arch);
	if (!s->machine)
		return false;
	warn_of_other_machine(s);
	if (s->options.target->has_wide_warps && s->machine->warp_size == 64)
		s->options.tile.warp = 64;
	return true;
}
