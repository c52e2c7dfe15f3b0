/* What holds of all predictions: bounds, monotony, extremes. */
#include "tests/unit/model.h"

#include <math.h>

/* A random shape, problem and tile.  Exact counts, so any shape. */
static struct hex_query random_query(struct region *r, unsigned *seed,
	const struct switches *s, struct hex_tile *t)
{
	static const char *const machines[] = { "gtx980", "h200", "k20c",
		"rtx4090" };
	int dims = 1 + (int) (next_random(seed) % 3);
	struct hex_query q = query_of(r, machines[next_random(seed) % 4], s,
		dims, 1 + next_random(seed) % 2000, 1, 2e-8);
	struct hex_shape *shape = region_new_of(r, struct hex_shape);

	*shape = *q.shape;
	q.shape = shape;
	shape->delta0.num = 1 + next_random(seed) % 2;
	shape->delta1[0].den = 1 + next_random(seed) % 2;
	shape->read[0].hi[0] = shape->delta0.num;
	t->h = next_random(seed) % 6;
	t->w[0] = hex_cgo1_min_w0(shape, t->h) + next_random(seed) % 8;
	for (int d = 0; d < dims; ++d) {
		q.size[d] = 1 + next_random(seed) % 4000;
		if (d)
			t->w[d] = 1 + next_random(seed) % 40;
	}
	return q;
}

static double predicted_s(struct region *r, const struct hex_query *q,
	const struct hex_tile *t, double k)
{
	const struct hex_profile *p = hex_profile_new(r, q->shape, t->h);
	struct tile_counts c = hex_counts(q, p, t);

	return time_predict(q->machine, q->switches, q->shape->dims, &c,
		k).predicted_s;
}

/* Nothing is faster than all lanes computing without a pause, or all words
 * of all tiles at the machine's bandwidth.
 */
static void never_below_bounds(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_of(r, "counts=exact");
	unsigned seed = 1;

	(void) state;
	for (int i = 0; i < 300; ++i) {
		struct hex_tile t = { 0 };
		struct hex_query q = random_query(r, &seed, &s, &t);
		double k = 1 + next_random(&seed) % 4;
		double points = (double) q.steps;
		double tiles, s_got = predicted_s(r, &q, &t, k), s_words;
		const struct hex_profile *p =
			hex_profile_new(r, q.shape, t.h);
		struct tile_counts c = hex_counts(&q, p, &t);

		for (int d = 0; d < q.shape->dims; ++d)
			points *= (double) q.size[d];
		tiles = pp3_wavefronts(c.steps, c.rows, s.wavefronts) *
			c.tiles_per_phase * c.tiles_per_prism;
		s_words = tiles * (c.load_bytes + c.store_bytes) /
			q.machine->bandwidth_bytes_per_s;
		assert_true(s_got >= points * 2e-8 / (double)
			(q.machine->lanes_per_sm * q.machine->sm_count));
		assert_true(s_got >= s_words * (1 - 1e-9));
		assert_true(tiles * hex_points(q.shape, &t) >= points);
	}
	region_free(r);
}

static void monotone(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_of(r, "counts=exact");
	unsigned seed = 2;

	(void) state;
	for (int i = 0; i < 300; ++i) {
		struct hex_tile t = { 0 };
		struct hex_query q = random_query(r, &seed, &s, &t), more = q;
		struct machine faster = *q.machine;
		double before = predicted_s(r, &q, &t, 2);

		more.steps += next_random(&seed) % 50;
		assert_true(predicted_s(r, &more, &t, 2) >= before);
		more = q;
		more.size[next_random(&seed) % (unsigned) q.shape->dims] +=
			next_random(&seed) % 500;
		assert_true(predicted_s(r, &more, &t, 2) >= before);
		more = q;
		faster.bandwidth_bytes_per_s *= 1.5;
		more.machine = &faster;
		assert_true(predicted_s(r, &more, &t, 2) <= before);
	}
	region_free(r);
}

/* The best of the space follows its points. */
static void best_is_monotone(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended();
	double last = 0;

	(void) state;
	for (int64_t steps = 1; steps <= 2048; steps *= 2) {
		struct hex_query q = query_of(r, "h200", &s, 2, steps, 3072,
			3e-8);
		double best = hex_search(r, &q).candidate[0].predicted_s;

		assert_true(best >= last);
		last = best;
	}
	last = 0;
	for (int64_t size = 64; size <= 8192; size *= 2) {
		struct hex_query q = query_of(r, "gtx980", &s, 2, 500, size,
			3e-8);
		double best = hex_search(r, &q).candidate[0].predicted_s;

		assert_true(best >= last);
		last = best;
	}
	region_free(r);
}

/* Extremes: T = 1, sizes of 2^31 and of 1, one SM; and all of int64. */
static void extremes(void **state)
{
	static const int64_t sizes[] = { 1, (int64_t) 1 << 31, INT64_MAX };
	struct region *r = region_new();
	struct switches s[] = { switches_printed(), switches_recommended(),
		switches_of(r, "threads=passes,counts=exact") };

	(void) state;
	for (int i = 0; i < 27; ++i) {
		struct hex_query q = query_of(r, "h100", &s[i % 3],
			1 + i / 9, sizes[i % 2], sizes[i / 3 % 3], 1e-8);
		struct machine one = *q.machine;
		struct traffic_kernel k = traffic_7pt1(sizes[i / 3 % 3]);
		struct hex_result x;

		one.sm_count = 1;
		q.machine = &one;
		q.shared_limit_bytes = 8192;
		q.max_candidates = 2;
		x = hex_search(r, &q);
		if (x.found)
			assert_true(x.candidate[0].predicted_s > 0 &&
				isfinite(x.candidate[0].predicted_s));
		assert_true(traffic_search(r, &one, &s[i % 3], &k, NULL,
			i % 2, 2).found);
	}
	region_free(r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(never_below_bounds),
	cmocka_unit_test(monotone),
	cmocka_unit_test(best_is_monotone),
	cmocka_unit_test(extremes),
};

const struct subject property_tests = SUBJECT(tests);
