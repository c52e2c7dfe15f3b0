/* What the files of the search for hexagonal tiles share: counts.c (the cost of
 * a tile), threads.c (the shape of a block), search.c (the walk).
 */
#ifndef STENCILC_MODEL_SEARCH_H
#define STENCILC_MODEL_SEARCH_H

#include "model/model.h"

/* counts.c --------------------------------------------------------------- */

/* The shared memory that a block may use. */
double hex_limit_bytes(const struct hex_query *q);

/* M_tile. (19) is a row and a column larger than the box in shared memory: that
 * alone does not refuse a tile that the user wants.
 */
double hex_block_bytes(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t);

/* m_i and m_o: the words that "t" loads and stores, and their bytes; and the
 * time of the copies' instructions.
 */
void hex_set_words(const struct hex_query *q, const struct hex_profile *p,
	const struct hex_tile *t, struct tile_counts *c);

/* The computing time of the lanes, for which hex_counts_but_words has a lower bound. */
void hex_set_compute(const struct hex_query *q, const struct hex_profile *p,
	const struct hex_tile *t, struct tile_counts *c);

/* All counts except words moved; c->compute_s is a lower bound. */
struct tile_counts hex_counts_but_words(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t);

/* The blocks, of c->threads threads, that an SM holds at once; 0 if none fits.
 * "name" is the limit on them.
 */
double hex_blocks_per_sm(const struct hex_query *q,
	const struct tile_counts *c, const char **name);


/* HEX_COLUMNLESS if the threads of "t" have columns: each width is a multiple of its threads,
 * there is one thread along the hexagon, and its points are few enough; else the reason why
 * not.
 */
enum hex_columnless hex_why_columnless(const struct hex_query *q,
	const struct hex_tile *t);

/* threads.c -------------------------------------------------------------- */

/* The best shape of a block so far; none is "found" if k blocks of no shape fit
 * an SM.  "busy": the threads at work at a time, up to the number that hides
 * the latency of arithmetic.
 */
struct shape_choice {
	const struct hex_query *q;
	const struct hex_profile *p;
	const struct hex_tile *t;
	double k;
	bool found;
	int64_t threads[3];
	double busy, compute_s;
};

/* Threads for rows of "t" as loops, as in the code. */
void hex_loop_threads(const struct hex_query *q, const struct hex_profile *p,
	const struct hex_tile *t, int64_t threads[3]);

/* Threads for tile "t" when "k" blocks share an SM: innermost whole warps,
 * doubling until they cover the dimension.
 */
struct shape_choice hex_choose_threads(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t, double k);

#endif
