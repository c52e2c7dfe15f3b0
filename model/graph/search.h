/* Parts of the search for the best variant.  Private to graph/. */
#ifndef STENCILC_GRAPH_SEARCH_H
#define STENCILC_GRAPH_SEARCH_H

#include "model/graph/tiles.h"

/* times.c: in addition to variant_time() and variant_terms() ----------------- */

/* For "child" of the group of "chain", some of its stencils or all. */
double launch_of(const struct graph_machine *m, const struct chain *chain,
	uint64_t child);
/* The terms of a child, given its own time; of the traffic, at least the kinds
 * "wanted".
 */
struct term term_of(struct counter *c, const struct chain *chain,
	uint64_t child, double compute_s, unsigned wanted);
struct term term_of_stencil(struct counter *c, const struct chain *chain,
	int s, unsigned wanted);
double time_of_term(const struct term *t);
/* Does what a tile of the group keeps fit its level? */
bool group_fits(struct counter *c, const struct chain *chain);
struct chain child_chain(const struct chain *chain, uint64_t child);
/* The stencils first .. last of an order. */
uint64_t set_of(const int *order, int first, int last);
/* The group of all "n" stencils on the first level. */
struct chain root_chain(const int *order, int n);

/* dynamic.c ------------------------------------------------------------------*/

/* Counting large groups takes long where tiles are small and stencils read far.  Once a search
 * has cut its share of cuboids, it leaves out groups of more than "longest" stencils whose
 * times are unknown; each further share reduces "longest" by a third, and shares are one in
 * twice "longest".
 */
struct effort {
	const struct counter *counter, *whole;
	int longest;
	int64_t cuboids;
	int64_t most;		/* cuboids until "longest" shrinks */
};

/* The best variants of an order whose groups fit, at most "most": of those with the same groups
 * on the first level that splits groups, swept or not, the best.  "whole" counts whole tiles,
 * which is less work and gives lower bounds.  Returns how many there are.
 */
int best_of_order(struct region *mem, struct counter *counter,
	struct counter *whole, struct effort *effort, const int *order,
	int most, struct variant *best);

#endif
