/* The fastest of the sizes that a search tries. */
#include <string.h>

#include "schedule/strategies.h"

void fastest_start(struct fastest *f, struct region *mem,
	const struct outlook *o, int limit, size_t size,
	double (*seconds)(const void *candidate))
{
	int most = o->max_candidates < limit ? o->max_candidates : limit;

	*f = (struct fastest) { .most = most > 1 ? most : 1, .size = size,
		.seconds = seconds };
	f->all = region_alloc(mem, ((size_t) f->most + 1) * size);
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
