/* The search for sizes: those that are forced, what bounds them, what it
 * returns.
 */
#include "tests/unit/model.h"

#include <math.h>
#include <string.h>

static void forced_points(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended();
	struct hex_query q = query_of(r, "gtx980", &s, 2, 100, 1000, 3e-8);
	struct hex_result x;

	(void) state;
	q.forced.h = 3;
	q.forced.w[0] = 7;
	q.forced.w[1] = 64;
	q.forced.threads[0] = 64;
	q.forced.threads[1] = 4;
	x = hex_search(r, &q);
	assert_true(x.found);
	same(x.feasible, 1);
	assert_int_equal(x.candidate[0].threads[0], 64);
	assert_int_equal(x.candidate[0].threads[1], 4);
	assert_int_equal(x.candidate[0].threads[2], 1);
	q.forced.w[1] = INT64_C(1) << 29;
	x = hex_search(r, &q);
	assert_false(x.found);
	assert_non_null(strstr(x.why, "shared memory"));
	q.forced.w[1] = 64;
	q.forced.threads[1] = 400;
	assert_false(hex_search(r, &q).found);
	q.forced.threads[1] = INT64_MAX;
	assert_false(hex_search(r, &q).found);
	q.forced.threads[1] = 0;
	q.forced.h = INT64_MAX;
	assert_false(hex_search(r, &q).found);
	q.forced.h = -1;
	q.forced.w[0] = INT64_MAX;
	assert_false(hex_search(r, &q).found);
	region_free(r);
}

/* Code without shared memory has tiles, too; so has the host. */
static void without_shared_memory(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended();

	(void) state;
	for (int dims = 1; dims <= 3; ++dims) {
		struct hex_query q = query_of(r, "h200", &s, dims, 100, 200,
			3e-8);

		q.shared = false;
		assert_true(hex_search(r, &q).found);
		q.shared = true;
		q.machine = machine_host(r);
		assert_true(hex_search(r, &q).found);
	}
	region_free(r);
}

/* Resources bound k: registers and threads of an SM. */
static void k_limits(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended();
	struct hex_query q = query_of(r, "gtx980", &s, 2, 100, 100000, 3e-8);
	struct hex_result x;

	(void) state;
	q.forced.h = 0;
	q.forced.w[0] = 0;
	q.forced.w[1] = 32;
	q.forced.threads[0] = 32;
	q.forced.threads[1] = 8;
	x = hex_search(r, &q);
	assert_int_equal(x.candidate[0].k, 8);
	assert_string_equal(x.terms.k_limit, "max_threads_per_sm");
	q.registers_per_thread = 128;
	x = hex_search(r, &q);
	assert_int_equal(x.candidate[0].k, 2);
	assert_string_equal(x.terms.k_limit, "registers_per_sm");
	region_free(r);
}

/* What a search counts, by the linker's --wrap: tiles, and the words that some of
 * them move.
 */
static int tiles_counted, words_counted;

struct tile_counts __real_hex_counts_but_words(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t);
struct tile_counts __wrap_hex_counts_but_words(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t);
void __real_hex_set_words(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t,
	struct tile_counts *c);
void __wrap_hex_set_words(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t,
	struct tile_counts *c);

struct tile_counts __wrap_hex_counts_but_words(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t)
{
	tiles_counted++;
	return __real_hex_counts_but_words(q, p, t);
}

void __wrap_hex_set_words(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t,
	struct tile_counts *c)
{
	words_counted++;
	__real_hex_set_words(q, p, t, c);
}

/* A search looks at a tile once, a microsecond each, and counts the words, which
 * takes longer, of few; it ends in the same way each time.
 */
static void search_is_fast_and_deterministic(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended();
	struct hex_query q = query_of(r, "h200", &s, 3, 1000, 512, 3e-8);
	struct hex_result first = hex_search(r, &q), again;

	(void) state;
	tiles_counted = words_counted = 0;
	again = hex_search(r, &q);
	assert_int_equal(again.n_candidates, first.n_candidates);
	assert_memory_equal(again.candidate, first.candidate,
		sizeof(*first.candidate) * (size_t) first.n_candidates);
	print_message("%d tiles, the words of %d\n", tiles_counted,
		words_counted);
	assert_true(tiles_counted < 1 << 15);
	assert_true(words_counted < tiles_counted / 4);
	region_free(r);
}

/* All tiles are candidates, however many, also where threads rank them. */
static void search_all(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended();
	struct hex_query q = query_of(r, "h200", &s, 3, 100, 400, 3e-8);
	struct hex_result all;

	(void) state;
	s.threads = THREADS_PASSES;
	q.max_candidates = 1 << 20;
	q.within = INFINITY;
	all = hex_search(r, &q);
	assert_true(all.n_candidates > 2048);
	same(all.n_candidates, all.feasible);
	region_free(r);
}

/* All candidates, or those within a factor of the best. */
static void search_within(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended();
	struct hex_query q = query_of(r, "h200", &s, 2, 100, 2000, 3e-8);
	struct hex_result near_best, all;

	(void) state;
	q.max_candidates = 1 << 20;
	near_best = hex_search(r, &q);
	same(near_best.n_candidates, near_best.within_10_percent);
	q.within = INFINITY;
	all = hex_search(r, &q);
	same(all.n_candidates, all.feasible);
	same(all.within_10_percent, near_best.within_10_percent);
	same(all.candidate[0].predicted_s,
		near_best.candidate[0].predicted_s);
	region_free(r);
}

/* Every tile is walked, as columns or as loops; without loops those without
 * columns are left out, and counted.
 */
static void columns_and_loops(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended();
	struct hex_query q = query_of(r, "gtx980", &s, 2, 100, 4000, 3e-8);
	double all = hex_search(r, &q).feasible, columns;
	struct hex_result x;

	(void) state;
	q.column_points = 64;
	x = hex_search(r, &q);
	columns = x.feasible;
	assert_true(columns > 0 && columns < all);
	same(columns + x.columnless[HEX_MANY_POINTS], all);
	assert_false(x.candidate[0].loops);
	q.takes_loops = true;
	q.work.loop_citer_s[0] = 1;
	x = hex_search(r, &q);
	same(x.feasible, all);
	same(x.columnless[HEX_MANY_POINTS], all - columns);
	assert_false(x.candidate[0].loops);
	q.work.loop_citer_s[0] = 1e-12;
	assert_true(hex_search(r, &q).candidate[0].loops);
	q.forced.threads[1] = 2;
	x = hex_search(r, &q);
	same(x.columnless[HEX_OTHER_THREADS], x.feasible);
	region_free(r);
}

/* In one dimension threads have points of each row. */
static void columns_of_a_line(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended();
	struct hex_query q = query_of(r, "gtx980", &s, 1, 100, 100000, 3e-8);
	struct hex_result x;

	(void) state;
	q.column_points = 64;
	q.forced.h = 3;
	q.forced.w[0] = 299;
	x = hex_search(r, &q);
	assert_true(x.found);
	assert_int_equal(x.candidate[0].threads[0], 256);
	q.forced.w[0] = 19;
	assert_int_equal(hex_search(r, &q).candidate[0].threads[0], 20);
	q.forced.w[0] = 99;
	assert_int_equal(hex_search(r, &q).candidate[0].threads[0], 96);
	q.forced.threads[0] = 128;
	same(hex_search(r, &q).columnless[HEX_OTHER_THREADS], 1);
	region_free(r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(columns_and_loops),
	cmocka_unit_test(columns_of_a_line),
	cmocka_unit_test(forced_points),
	cmocka_unit_test(k_limits),
	cmocka_unit_test(without_shared_memory),
	cmocka_unit_test(search_is_fast_and_deterministic),
	cmocka_unit_test(search_within),
	cmocka_unit_test(search_all),
};

const struct subject search_tests = SUBJECT(tests);
