/* What the search for the best variant is made of.  Private to graph/. */
#ifndef STENCILC_GRAPH_SEARCH_H
#define STENCILC_GRAPH_SEARCH_H

#include "model/graph/tiles.h"

/* times.c: beside variant_time() and variant_terms() -------------------------*/

/* Of "child" of the group of "chain", some of its stencils or all. */
double launch_of(const struct graph_machine *m, const struct chain *chain,
	uint64_t child);
/* The terms of a child, the time of the child itself given; of the traffic at
 * least what is "wanted".
 */
struct term term_of(struct counter *c, const struct chain *chain,
	uint64_t child, double compute_s, unsigned wanted);
struct term term_of_stencil(struct counter *c, const struct chain *chain,
	int s, unsigned wanted);
double time_of_term(const struct term *t);
/* Does what a tile of the group keeps fit into its level? */
bool group_fits(struct counter *c, const struct chain *chain);
struct chain child_chain(const struct chain *chain, uint64_t child);
/* The stencils first .. last of an order. */
uint64_t set_of(const int *order, int first, int last);
/* The group of all "n" stencils on the first level. */
struct chain root_chain(const int *order, int n);

/* dynamic.c ------------------------------------------------------------------*/

/* Large groups take long to count where tiles are small and their stencils read
 * far.  Once a search has cut as many cuboids as it may, groups of more than
 * "longest" stencils are left out as far as their times are not known; "longest"
 * gets less by a third each time that another share of the work is done, one in
 * twice "longest".
 */
struct effort {
	const struct counter *counter, *whole;
	int longest;
	int64_t cuboids;
	int64_t most;		/* before "longest" gets less */
};

/* The best variants of an order whose groups fit, "most" of them at most: of those
 * with the same groups on the first level that splits groups, swept or not, the
 * best.  "whole" counts whole tiles, which is less work and never more time.
 * Returns how many there are.
 */
int best_of_order(struct region *mem, struct counter *counter,
	struct counter *whole, struct effort *effort, const int *order,
	int most, struct variant *best);

#endif
