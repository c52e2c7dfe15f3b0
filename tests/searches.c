/* searches: what searches for the best variant of random graphs of thirty stages
 * take, as a table.
 *
 *	searches [SEEDS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/random-graph.h"

enum sweeps { SWEEPS_NONE, SWEEPS_ALL, SWEEPS_SOME };

struct hierarchy {
	const char *machine;
	enum sweeps sweeps;
	int64_t block[GRAPH_MAX_DIMS];
};

static const struct hierarchy hierarchies[] = {
	{ "h200", SWEEPS_NONE, { 128, 8, 1, 1 } },
	{ "h200", SWEEPS_ALL, { 128, 8, 1, 1 } },
	{ "h200", SWEEPS_SOME, { 128, 8, 1, 1 } },
	{ "modesto-cpu", SWEEPS_NONE, { 0 } },
	{ "modesto-gpu", SWEEPS_NONE, { 0 } },
};

static const char *const sweeps_name[] = { "", ", swept", ", swept or not" };

/* With blocks as they are, or that are swept. */
static struct graph_machine machine_with(struct region *mem,
	const struct hierarchy *h, int n_dims, bool swept)
{
	static const int64_t domain[][GRAPH_MAX_DIMS] = {
		[2] = { 8192, 8192, 1, 1 }, [3] = { 512, 512, 512, 1 },
	};
	int64_t block[GRAPH_MAX_DIMS];
	struct graph_machine m;

	for (int d = 0; d < GRAPH_MAX_DIMS; d++)
		block[d] = swept && d == n_dims - 1 ? 64 : h->block[d];
	m = graph_machine_of(machine_find(mem, h->machine), 4, false,
		domain[n_dims], block);
	return swept ? graph_machine_swept(&m, n_dims) : m;
}

static struct graph_machine machine_of(struct region *mem,
	const struct hierarchy *h, int n_dims)
{
	struct graph_machine m = machine_with(mem, h, n_dims,
		h->sweeps == SWEEPS_ALL), *swept;

	if (h->sweeps == SWEEPS_SOME) {
		swept = region_new_of(mem, struct graph_machine);
		*swept = machine_with(mem, h, n_dims, true);
		m.swept = swept;
	}
	return m;
}

/* The longest of "seeds" searches. */
static void print_row(const struct hierarchy *h, int n_dims, unsigned reach,
	unsigned points, int seeds)
{
	double most = 0;
	int64_t cuboids = 0;

	for (int i = 0; i < seeds; i++) {
		struct region *mem = region_new();
		unsigned seed = 1 + (unsigned) i;
		struct graph *g = random_graph(mem, &seed,
			(struct graph_kind) { 30, n_dims, reach, 3, points });
		struct graph_machine m = machine_of(mem, h, n_dims);
		clock_t start = clock();
		struct found found = graph_search(mem, g, &m,
			&(struct graph_query) { SEARCH_AUTO, 0, 10,
				GRAPH_EFFORT });
		double seconds = (double) (clock() - start) / CLOCKS_PER_SEC;

		most = seconds > most ? seconds : most;
		cuboids = found.n_cuboids > cuboids ? found.n_cuboids :
			cuboids;
		region_free(mem);
	}
	printf("| %s%s | %d | %u | %u | %.2f s | %.2f million |\n", h->machine,
		sweeps_name[h->sweeps], n_dims, reach, points, most,
		(double) cuboids * 1e-6);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int seeds = argc > 1 ? atoi(argv[1]) : 5;

	printf("| machine | dimensions | cells away | reads of a field | time | "
		"cuboids |\n| --- | --- | --- | --- | --- | --- |\n");
	for (size_t h = 0; h < sizeof(hierarchies) / sizeof(hierarchies[0]); h++)
		for (int n_dims = 2; n_dims <= 3; n_dims++)
			for (unsigned reach = 1; reach <= 3; reach++)
				for (unsigned points = 3; points <= 9;
				     points += 6)
					print_row(&hierarchies[h], n_dims,
						reach, points, seeds);
	return 0;
}
