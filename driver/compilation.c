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

enum status find_machine(struct compilation *s)
{
	s->machine = machine_lookup(s->mem, &s->diags, s->options.arch);
	if (s->machine)
		return STATUS_DONE;
	return s->diags.reported[E_COMMAND_LINE] ? STATUS_COMMAND_LINE :
		s->diags.reported[E_READ] ? STATUS_FILES : STATUS_INPUT;
}
