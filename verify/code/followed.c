/* The names from which code/copies.c computes the index of a copy. */
#include <string.h>

#include "verify/code/code.h"

bool is_followed(const struct code *w, const char *name)
{
	const struct followed *f = w->followed;

	while (f && strcmp(f->name, name))
		f = f->next;
	return f;
}

bool depends_on_followed(const struct code *w, const struct kx *x)
{
	for (const struct followed *f = w->followed; f; f = f->next)
		if (kx_uses(x, f->name))
			return true;
	return false;
}
