#include <string.h>

#include "schedule/schedule.h"

void keep_fastest(void *best, int *n, int most, const void *candidate,
	size_t size, double (*seconds)(const void *candidate))
{
	char *all = best;
	int at = *n;

	while (at > 0 && seconds(candidate) < seconds(all + (size_t) (at - 1) *
	       size))
		at--;
	if (at == most)
		return;
	if (*n < most)
		++*n;
	memmove(all + (size_t) (at + 1) * size, all + (size_t) at * size,
		(size_t) (*n - 1 - at) * size);
	memcpy(all + (size_t) at * size, candidate, size);
}
