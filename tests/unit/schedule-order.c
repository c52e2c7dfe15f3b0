/* Each instance runs once, and after all that it depends on. */
#include "tests/unit/schedule.h"

struct order {
	int extent[MOST_DIMS];
	struct when *when;	/* of each point of the window; launch 0: never */
	int twice;
};

static struct when *when_of(const struct sweep *s, const int p[MOST_DIMS])
{
	const struct order *o = s->user;
	int at = 0;

	for (int d = 0; d < MOST_DIMS; d++) {
		if (p[d] < s->low[d] || p[d] > s->high[d])
			return NULL;
		at = at * o->extent[d] + p[d] - s->low[d];
	}
	return &o->when[at];
}

static void note_when(struct sweep *s, const struct when *when,
	const int p[MOST_DIMS])
{
	struct order *o = s->user;
	struct when *w = when_of(s, p);

	o->twice += w->launch != 0;
	*w = *when;
}

static bool runs_before(const struct when *a, const struct when *b)
{
	if (a->launch != b->launch)
		return a->launch < b->launch;
	if (a->block != b->block)
		return false;
	if (a->turn != b->turn)
		return a->turn < b->turn;
	return a->row < b->row;
}

/* Each point of a window two tiles high runs once, and after the points that
 * lie a distance before it.
 */
static void check_order(const struct tiling *t, const struct points *distance)
{
	struct order o = { .twice = 0 };
	struct sweep s = { .t = t, .visit = note_when, .user = &o };
	int n = 1, p[MOST_DIMS];

	for (int d = 0; d < MOST_DIMS; d++) {
		if (d == 0)
			s.low[d] = -3, s.high[d] = 2 * t->plan->rows;
		else if (d <= t->plan->n_dims)
			s.low[d] = -4, s.high[d] = t->plan->pitch[d - 1] + 3;
		o.extent[d] = s.high[d] - s.low[d] + 1;
		n *= o.extent[d];
	}
	o.when = region_array(t->b->mem, struct when, n);
	sweep(&s);
	assert_int_equal(o.twice, 0);
	for (int i = 0; i < n; i++) {
		int rest = i;

		assert_int_not_equal(o.when[i].launch, 0);
		for (int d = MOST_DIMS - 1; d >= 0; d--) {
			p[d] = s.low[d] + rest % o.extent[d];
			rest /= o.extent[d];
		}
		for (int j = 0; j < distance->n; j++) {
			int q[MOST_DIMS];
			struct when *later;

			for (int d = 0; d < MOST_DIMS; d++)
				q[d] = p[d] + distance->at[j][d];
			later = when_of(&s, q);
			if (later && !runs_before(&o.when[i], later))
				fail_msg("(%d, %d, %d, %d) after its sink", p[0],
					p[1], p[2], p[3]);
		}
	}
}

static void test_order(void **state)
{
	for (int i = 0; tried[i].text; i++) {
		struct built b = build(state, tried[i].text, "");
		struct tiling t = tile(state, &b, tried[i].hex_dim, tried[i].h,
			tried[i].w);

		check_order(&t, distances(&b));
		t = tile_optimized(state, &b, &tried[i]);
		check_order(&t, distances(&b));
	}
}

/* Three dimensions with fractional skews in the classical ones. */
static void test_order_with_fractional_skews(void **state)
{
	static const char in_3d[] =
		"stencil p { param int T, N; state float A[N][N][N];"
		" iterate t = 0 .. T { A[t+1][i][j][k] = A[t][i][j][k]; } }";
	static const struct {
		const char *distance;
		int skew[2][2];		/* of dimensions 1 and 2 */
		int h, w[3];
	} table[] = {
		{ "{ [2, 1, -1, 1]; [3, -1, 0, -2]; [1, 0, 0, 0] }",
		  { { 1, 2 }, { 2, 3 } }, 2, { 1, 3, 2 } },
		{ "{ [2, 3, -3, -1]; [3, -5, 2, -4]; [1, 0, 1, 1] }",
		  { { 3, 2 }, { 4, 3 } }, 1, { 3, 2, 3 } },
		{ "{ [3, 1, -1, 0]; [1, -1, 1, 5]; [5, 0, -2, -7] }",
		  { { 2, 5 }, { 7, 5 } }, 3, { 2, 1, 4 } },
	};

	for (size_t i = 0; i < COUNT(table); i++) {
		struct built b = build(state, in_3d, "");
		struct tiling t;

		forge_distances(&b, table[i].distance);
		t = tile(state, &b, 0, table[i].h, table[i].w);
		for (int d = 1; d < 3; d++)
			assert_true(rational_is(t.plan->tiles.skew[d],
				table[i].skew[d - 1][0],
				table[i].skew[d - 1][1]));
		assert_int_equal(t.shape->n, (table[i].h + 1) *
			t.plan->tiles.hexagon.pitch * table[i].w[1] *
			table[i].w[2]);
		check_order(&t, distances(&b));
	}
}

static const struct CMUnitTest tests[] = {
	ISL_TEST(test_order),
	ISL_TEST(test_order_with_fractional_skews),
};

const struct subject order_tests = SUBJECT(tests);
