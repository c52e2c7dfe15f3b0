/* searches: what searches for the best variant of random graphs of thirty stages
 * take, as a table.
 *
 *	searches [SEEDS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/random-graph.h"

struct hierarchy {
	const char *machine;
	bool swept;
	int64_t block[GRAPH_MAX_DIMS];
};

static const struct hierarchy hierarchies[] = {
	{ "h200", false, { 128, 8, 1, 1 } },
	{ "h200", true, { 128, 8, 64, 1 } },
	{ "modesto-cpu", false, { 0 } },
	{ "modesto-gpu", false, { 0 } },
};

static struct graph_machine machine_of(struct region *mem,
	const struct hierarchy *h, int n_dims)
{
	static const int64_t domain[][GRAPH_MAX_DIMS] = {
		[2] = { 8192, 8192, 1, 1 }, [3] = { 512, 512, 512, 1 },
	};
	int64_t block[GRAPH_MAX_DIMS];
	struct graph_machine m;

	for (int d = 0; d < GRAPH_MAX_DIMS; d++)
		block[d] = h->swept && d == n_dims - 1 ? 64 : h->block[d];
	m = graph_machine_of(machine_find(mem, h->machine), 4, false,
		domain[n_dims], block);
	return h->swept ? graph_machine_swept(&m, n_dims) : m;
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
		struct found found = graph_search(mem, g, &m, SEARCH_AUTO, 10,
			GRAPH_EFFORT);
		double seconds = (double) (clock() - start) / CLOCKS_PER_SEC;

		most = seconds > most ? seconds : most;
		cuboids = found.n_cuboids > cuboids ? found.n_cuboids :
			cuboids;
		region_free(mem);
	}
	printf("| %s%s | %d | %u | %u | %.2f s | %.2f million |\n", h->machine,
		h->swept ? ", swept" : "", n_dims, reach, points, most, (double) cuboids * 1e-6);
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
