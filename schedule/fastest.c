/* The fastest of the sizes that a search tries. */
#include <string.h>

#include "schedule/strategies.h"

void fastest_start(struct fastest *f, struct region *mem, int most,
	size_t size, double (*seconds)(const void *candidate))
{
	*f = (struct fastest) { .most = larger(most, 1), .size = size,
		.seconds = seconds };
	f->all = region_alloc(mem, ((size_t) f->most + 1) * size);
}

double sized_seconds(const void *sized)
{
	return ((const struct sized *) sized)->predicted_s;
}

static char *place(const struct fastest *f, int i)
{
	return (char *) f->all + (size_t) i * f->size;
}

void fastest_try(struct fastest *f, const void *candidate)
{
	int at = f->n;

	while (at > 0 && f->seconds(candidate) < f->seconds(place(f, at - 1)))
		at--;
	if (at == f->most)
		return;
	if (f->n < f->most)
		f->n++;
	memmove(place(f, at + 1), place(f, at),
		(size_t) (f->n - 1 - at) * f->size);
	memcpy(place(f, at), candidate, f->size);
}

int fastest_within(const struct fastest *f, double within)
{
	int n = 0;

	while (n < f->n && f->seconds(place(f, n)) <=
	       within * f->seconds(f->all))
		n++;
	return n;
}
