/* The cost of roots and divisions on a machine. */
#include "model/model.h"

enum root_set { SET_NVIDIA, SET_AMD };

struct cost {
	double arithmetic, special, other;
};

struct form {
	enum root_set set;
	enum mix_root root;
	int bytes;
	struct cost cost[2];		/* IEEE, fast */
};

static const struct form form[] = {
#define COST(arithmetic, special, other) { arithmetic, special, other }
#define ROOT(set, root, bytes, ieee, fast) \
	{ set, root, bytes, { COST ieee, COST fast } },
#include "model/roots.def"
#undef ROOT
#undef COST
};

double mix_root_count(const struct instruction_mix *mix)
{
	double n = 0;

	for (int i = 0; i < MIX_ROOTS; i++)
		n += mix->roots[0][i] + mix->roots[1][i];
	return n;
}

void mix_add_roots(struct instruction_mix *to,
	const struct instruction_mix *from, double times)
{
	for (int i = 0; i < MIX_ROOTS; i++)
		for (int type = 0; type < 2; type++)
			to->roots[type][i] += times * from->roots[type][i];
	to->fast_roots = from->fast_roots;
}

struct instruction_mix mix_on_machine(const struct machine *m,
	const struct instruction_mix *mix)
{
	struct instruction_mix all = *mix;

	for (size_t i = 0; i < sizeof(form) / sizeof(form[0]); i++) {
		const struct form *f = &form[i];
		const struct cost *cost = &f->cost[mix->fast_roots];
		double *n = &all.roots[f->bytes == 8][f->root];

		if (f->set != (enum root_set) m->root_set)
			continue;
		all.arithmetic += *n * cost->arithmetic;
		all.special += *n * cost->special;
		all.other += *n * cost->other;
		*n = 0;
	}
	return all;
}
