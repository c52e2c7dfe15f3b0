/* The compiler with a mistake in it, to see that --verify and the emulator find it:
 *
 *	PLANT=NAME mistaken --verify [options] FILE.stn
 *
 * Functions that the linker puts before those of the compiler (--wrap) make the mistakes.
 * These are in formulas (mistaken-formulas.c), in the plans passed to verify_plans (mistaken-plans.c), in
 * the printed tree of the code (mistaken-code.c, mistaken-clusters.c, mistaken-grid.c, mistaken-lanes.c, mistaken-lengths.c,
 * mistaken-rims.c, mistaken-rows.c, mistaken-segments.c, mistaken-stages.c, mistaken-stores.c,
 * mistaken-widths.c), and in what ranks exchange (mistaken-ranks.c).  With VERIFY=no the changed plan is compiled nevertheless, the changed
 * code written.
 */
#ifndef TESTS_MISTAKEN_H
#define TESTS_MISTAKEN_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct kfunc;
struct kunit;
struct kx;
struct one_grid;
struct region;

/* The first part of "x" for which "is" holds, or NULL. */
struct kx *find_in(const struct kx *x, bool (*is)(const struct kx *x));
/* Is it a cell of a field, or one that a pointer to store by leads to (A_to)? */
bool is_cell_stored(const struct kx *x);
/* Mistakes of what lanes of strips compute, and of which cells. */
void change_lanes(struct region *mem, struct kfunc *f);
/* .. of what blocks of a cluster leave for each other, and of their barriers. */
void change_clusters(struct region *mem, struct kfunc *f);
/* .. of strips whose length is an argument. */
void change_lengths(const struct kunit *unit);
/* .. of strips at the sides of the grid. */
void change_rims(const struct kunit *unit);
/* .. of tiles whose width is one. */
void change_widths(const struct kunit *unit);
/* .. of segments and what is reduced behind them. */
void change_segments(struct kunit *unit);
/* .. of what other code stores. */
void change_stores(struct region *mem, struct kfunc *f);
/* The store with that number, from 0 on, among those to what "is" names; exits if there is none. */
struct ks *store_where(struct kfunc *f, int number,
	bool (*is)(const struct kx *to));
/* The statement with that number, from 0 on, among those in "s" for which "is" holds; likewise. */
struct ks *statement_where(struct ks *s, bool (*is)(const struct ks *s),
	int number);
/* .. of rows of tiles as C. */
void change_rows(const struct kunit *unit);
/* .. of tiles on one grid: of the numbers of the plan, of the code. */
void change_grid(struct one_grid *g);
void change_grids(const struct kunit *unit);
/* .. of fused stages, in a kernel or the run of C. */
void change_stages(struct region *mem, struct kfunc *f);

static inline bool is_planted(const char *name)
{
	const char *plant = getenv("PLANT");

	return plant && !strcmp(plant, name);
}

/* With VERIFY=no nothing is proved. */
static inline bool proves_nothing(void)
{
	const char *verify = getenv("VERIFY");

	return verify && !strcmp(verify, "no");
}

#endif
