/* What the stages share. */
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
	if (s->options.verbose)
		fprintf(stderr, "stencilc: %-10s %8.3f ms\n", stage,
			1e3 * seconds_since(&s->start));
	clock_gettime(CLOCK_MONOTONIC, &s->start);
}

/* GPUs have warps of 32 threads; where a CPU has warps they are its vectors; a file
 * that does not say is of either.  Those with levels of their own are what graphs
 * are scored on, for any target.
 */
static void warn_of_other_machine(struct compilation *s)
{
	const bool for_cpu = s->options.tile.for_cpu;
	const bool is_gpu = s->machine->warp_size == 32;

	if (s->options.print_arch || s->machine->n_levels > 0 ||
	    machine_is_estimate(s->machine, MACHINE_warp_size) ||
	    is_gpu != for_cpu)
		return;
	diag_plain(&s->diags, W_OTHER_MACHINE, "--arch=%s: warps of %d "
		"threads are those of a %s; sizes for %s are better chosen by "
		"%s", s->options.arch, (int) s->machine->warp_size,
		is_gpu ? "GPU" : "CPU", for_cpu ? "C" : "CUDA", for_cpu ?
		"--arch=host" : "a GPU of --list-archs");
}

bool find_machine(struct compilation *s)
{
	s->machine = machine_lookup(s->mem, &s->diags, s->options.arch);
	if (s->machine)
		warn_of_other_machine(s);
	return s->machine;
}
