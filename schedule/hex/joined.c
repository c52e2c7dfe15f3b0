/* What statements of hexagonal tiles as C load that have one row together. */
#include "ir/rewrite.h"
#include "schedule/hex/hex.h"

/* Does one of the statements from "first" to before "end" read what "a" does? */
static bool is_read_before(const struct program *prog, int first, int end,
	const struct access *a)
{
	for (int i = first; i < end; i++)
		for (int n = 0; n < prog->stmt[i]->n_reads; n++)
			if (access_same_cell(prog->stmt[i]->read[n], a))
				return true;
	return false;
}

double hex_own_loads(const struct program *prog, int first, int i)
{
	const struct stmt *s = prog->stmt[i];
	double own = 0;

	for (int n = 0; n < s->n_reads; n++)
		if (!is_read_before(prog, first, i, s->read[n]))
			own += cpu_load_cost(s, n);
	return s->n_reads > 0 ? own / cpu_loads_cost(s) : 0;
}

bool hex_is_other_piece(const struct program *prog, int first, int i)
{
	while (first < i && prog->stmt[first]->write->field !=
	       prog->stmt[i]->write->field)
		first++;
	return first < i;
}
