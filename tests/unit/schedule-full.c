/* Full tiles are those that run all instances of their shape. */
#include "tests/unit/schedule.h"

/* Does the tile at "origin" (t0, o) run all instances of its shape? */
static bool tile_is_full(const struct machine_state *m,
	const struct tiling *t, const int origin[MOST_DIMS])
{
	const struct scop *scop = t->b->scop;

	for (int i = 0; i < t->shape->n * scop->n_stmts; i++) {
		int stmt = i % scop->n_stmts, x[3];
		const int *p = t->shape->at[i / scop->n_stmts];

		if (scop->stmt[stmt].is_copy ||
		    p[0] % scop->k != scop->stmt[stmt].number)
			continue;
		for (int d = 0; d < 3; d++)
			x[d] = origin[1 + d] + p[1 + d];
		if (!runs_at(m, stmt, origin[0] + p[0] / scop->k, x))
			return false;
	}
	return true;
}

static bool box_in_grid(const struct machine_state *m,
	const struct tiling *t, const struct field *field,
	const int origin[MOST_DIMS])
{
	const struct box *box = &t->plan->box[field->index];

	for (int d = 0; d < field->n_dims; d++) {
		int low = origin[1 + d] + box->low[d];

		if (low < 0 || low + box->extent[d] >
		    m->extent[field->index][d])
			return false;
	}
	return true;
}

static bool boxes_in_grid(const struct machine_state *m,
	const struct tiling *t, const int *p)
{
	const struct program *prog = m->b->prog;

	for (int j = 0; j < prog->n_fields; j++)
		if (plan_is_shared(t->plan, prog->field[j]) &&
		    !box_in_grid(m, t, prog->field[j], p))
			return false;
	return true;
}

/* The origins of a window that holds all full tiles. */
static struct points *full_origins(const struct machine_state *m,
	const struct tiling *t)
{
	struct points *ps = points_new(t->b->mem);
	int low[MOST_DIMS] = { 0 }, high[MOST_DIMS] = { 0 }, p[MOST_DIMS];

	high[0] = (int) m->steps;
	for (int d = 1; d <= t->plan->n_dims; d++) {
		low[d] = -t->high[d];
		high[d] = m->extent[0][d - 1] - t->low[d];
	}
	for (p[0] = low[0]; p[0] <= high[0]; p[0]++)
	for (p[1] = low[1]; p[1] <= high[1]; p[1]++)
	for (p[2] = low[2]; p[2] <= high[2]; p[2]++)
	for (p[3] = low[3]; p[3] <= high[3]; p[3]++)
		if (tile_is_full(m, t, p) && boxes_in_grid(m, t, p))
			points_add(ps, p);
	return ps;
}

/* "found" must be full, and all that are full unless the instances lie in a
 * plane, where none is promised.
 */
static void check_full(const struct machine_state *m,
	const struct points *full, const struct points *found)
{
	bool flat = m->steps == 1;

	for (int d = 0; d < m->b->scop->n_dims; d++)
		flat = flat || m->extent[0][d] <= 3;
	assert_int_equal(points_without(found, full)->n, 0);
	if (!flat && !points_equal(full, found))
		fail_msg("%d of %d full tiles", found->n, full->n);
}

static void test_full_tiles(void **state)
{
	for (int i = 0; tried[i].text; i++) {
		struct built b = build(state, tried[i].text, tried[i].sizes);
		struct tiling t = tile(state, &b, tried[i].hex_dim, tried[i].h,
			tried[i].w);
		struct machine_state m = machine_of(&b);
		struct points *full = full_origins(&m, &t);

		check_full(&m, full, points_of_set(b.mem,
			isl_set_copy(t.plan->full)));
	}
}

static const struct CMUnitTest tests[] = {
	ISL_TEST(test_full_tiles),
};

const struct subject full_tests = SUBJECT(tests);
