/* What a tile reads, writes and keeps: sets, boxes, the model's counts. */
#include "tests/unit/schedule.h"

static void add_value(struct points *ps, const struct access *acc,
	int version, int m, const int x[])
{
	int value[MOST_DIMS] = { 0 }, n = 0;

	if (acc->field->kind == FIELD_STATE)
		value[n++] = m + version;
	for (int d = 0; d < acc->field->n_dims; d++)
		value[n++] = (acc->dim[d] < 0 ? 0 : x[acc->dim[d]]) +
			(int) acc->offset[d];
	points_add(ps, value);
}

enum touch { COMPUTED_FROM, COPIED, WRITTEN };

/* The values of "field" that the instances of the shape touch. */
static struct points *values_touched(const struct tiling *t,
	const struct field *field, enum touch touch)
{
	const struct scop *scop = t->b->scop;
	struct points *ps = points_new(t->b->mem);

	for (int i = 0; i < t->shape->n * scop->n_stmts; i++) {
		const struct scop_stmt *s = &scop->stmt[i % scop->n_stmts];
		const int *p = t->shape->at[i / scop->n_stmts];
		const struct access *write = s->stmt->write;
		int m = p[0] / scop->k;

		if (p[0] % scop->k != s->number)
			continue;
		if (touch == WRITTEN && write->field == field)
			add_value(ps, write, 1, m, p + 1);
		if (touch == COPIED && s->is_copy && write->field == field)
			add_value(ps, write, 0, m, p + 1);
		for (int j = 0; touch == COMPUTED_FROM && !s->is_copy &&
		     j < s->stmt->n_reads; j++)
			if (s->stmt->read[j]->field == field)
				add_value(ps, s->stmt->read[j],
					s->stmt->read[j]->version, m, p + 1);
	}
	points_sort(ps);
	return ps;
}

static void check_box(const struct tiling *t, const struct field *field,
	const struct points *touched)
{
	const struct box *box = &t->plan->box[field->index];

	assert_int_equal(box->n_dims, field->n_dims);
	for (int d = 0; d < field->n_dims; d++) {
		int low = touched->at[0][1 + d], high = low;

		for (int i = 0; i < touched->n; i++) {
			low = least(low, touched->at[i][1 + d]);
			high = most(high, touched->at[i][1 + d]);
		}
		assert_int_equal(box->low[d], low);
		assert_int_equal(box->extent[d], high - low + 1);
	}
}

/* No tile of the same launch writes into the box: those of other blocks lie
 * a pitch away in the hexagonal dimension.
 */
static void check_neighbours(const struct tiling *t,
	const struct field *field, const struct points *written)
{
	const struct box *box = &t->plan->box[field->index];
	int hex = t->plan->tiles.hex_dim, pitch = t->plan->pitch[hex];

	for (int i = 0; i < written->n; i++)
		for (int away = -4; away <= 4; away++) {
			int x = written->at[i][1 + hex] + away * pitch -
				box->low[hex];

			assert_true(away == 0 || x < 0 ||
				x >= box->extent[hex]);
		}
}

/* Has a tile a place for "field"?  A state that nothing reads needs none. */
static bool is_kept(const struct scop *scop, const struct field *field)
{
	bool read = false;

	for (int i = 0; i < scop->n_stmts; i++) {
		const struct stmt *s = scop->stmt[i].stmt;

		read |= scop->stmt[i].is_copy && s->write->field == field;
		for (int j = 0; j < s->n_reads; j++)
			read |= s->read[j]->field == field;
	}
	return field->kind == FIELD_STATE && read;
}

static void check_footprint(const struct tiling *t, const struct field *field)
{
	struct region *mem = t->b->mem;
	struct points *reads = values_touched(t, field, COMPUTED_FROM);
	struct points *all = points_join(reads,
		values_touched(t, field, COPIED));
	struct points *writes = values_touched(t, field, WRITTEN);

	assert_true(points_equal(reads, points_of_set(mem,
		tile_reads(t->plan, field))));
	assert_true(points_equal(writes, points_of_set(mem,
		tile_writes(t->plan, field))));
	assert_true(points_equal(points_without(reads, writes), points_of_set(mem,
		tile_loads(t->plan, field))));
	assert_int_equal(plan_is_shared(t->plan, field),
		is_kept(t->b->scop, field));
	if (is_kept(t->b->scop, field)) {
		check_box(t, field, points_join(all, writes));
		check_neighbours(t, field, writes);
	}
}

static void test_footprints(void **state)
{
	for (int i = 0; tried[i].text; i++) {
		struct built b = build(state, tried[i].text, "");
		struct tiling t = tile(state, &b, tried[i].hex_dim, tried[i].h,
			tried[i].w);
		int64_t bytes = 0;

		for (int j = 0; j < b.prog->n_fields; j++) {
			const struct field *field = b.prog->field[j];
			int64_t cells = b.scop->field[j].buffers;

			check_footprint(&t, field);
			for (int d = 0; d < field->n_dims; d++)
				cells *= t.plan->box[j].extent[d];
			if (is_kept(b.scop, field))
				bytes += cells * type_size(field->type);
		}
		assert_int_equal(plan_shared_bytes(t.plan), bytes);
	}
}

/* Boxes may be wider than they need in the last dimension, so that their rows
 * are whole sectors of 32 bytes; they keep apart from the neighbours.  The
 * loads of a row start on a line of 128 bytes if the width allows it.
 */
static void test_aligned_boxes(void **state)
{
	int aligned = 0;

	for (int i = 0; tried[i].text; i++) {
		struct built b = build(state, tried[i].text, "");
		struct tiling plain = tile(state, &b, tried[i].hex_dim,
			tried[i].h, tried[i].w);
		struct tiling t = tile_optimized(state, &b, &tried[i]);
		const struct plan *plan = t.plan;
		int last = plan->n_dims - 1;

		for (int j = 0; j < b.prog->n_fields; j++) {
			const struct field *field = b.prog->field[j];
			const struct box *box = &plan->box[j];
			const struct box *inner = &plain.plan->box[j];
			int size = type_size(field->type), first;

			if (!plan_is_shared(plan, field))
				continue;
			check_neighbours(&t, field, values_touched(&t, field,
				WRITTEN));
			for (int d = 0; d < plan->n_dims; d++) {
				assert_true(box->low[d] <= inner->low[d]);
				assert_true(box->low[d] + box->extent[d] >=
					inner->low[d] + inner->extent[d]);
				assert_true(d == last || box->extent[d] ==
					inner->extent[d]);
			}
			if (!plan->opt.align_loads)
				continue;
			aligned++;
			first = box->low[last] - plan->shift[last][0];
			if (plan->opt.reuse != REUSE_NONE)
				first += box->extent[last];
			assert_int_equal(box->extent[last] * size % 32, 0);
			assert_int_equal(first * size % 128, 0);
		}
	}
	assert_true(aligned > 4);
}

/* A dimension of the program as the model numbers it: hexagonal first. */
static int program_dim(const struct plan *plan, int model_dim)
{
	if (model_dim == 0)
		return plan->tiles.hex_dim;
	return model_dim <= plan->tiles.hex_dim ? model_dim - 1 : model_dim;
}

/* The model sees the same boxes; and the same loads, if all reads of an array
 * are a box.
 */
static void test_model_counts_the_same(void **state)
{
	for (int i = 0; tried[i].text; i++) {
		struct built b = build(state, tried[i].text, "");
		struct tiling t = tile(state, &b, tried[i].hex_dim, tried[i].h,
			tried[i].w);
		struct hex_tile sizes = { .h = tried[i].h };
		struct hex_shape shape;
		const struct hex_profile *profile;

		shape = hex_shape_of_scop(b.scop, tried[i].hex_dim, false);
		profile = hex_profile_new(b.mem, &shape, tried[i].h);
		for (int d = 0; d < b.scop->n_dims; d++)
			sizes.w[d] = tried[i].w[d];
		assert_true(hex_points(&shape, &sizes) == t.shape->n);
		for (int j = 0, n = 0; j < b.prog->n_fields; j++) {
			double extent[MODEL_MAX_DIMS];

			if (!plan_is_shared(t.plan, b.prog->field[j]))
				continue;
			hex_box(profile, &sizes, n++, extent);
			for (int d = 0; d < b.scop->n_dims; d++)
				if (extent[d] != t.plan->box[j].extent[
				    program_dim(t.plan, d)])
					fail_msg("%s of %s, dimension %d: "
						"%g is not %d",
						b.prog->field[j]->name,
						tried[i].text, d, extent[d],
						t.plan->box[j].extent[
						program_dim(t.plan, d)]);
		}
		assert_true(hex_shared_bytes(profile, &sizes) ==
			plan_shared_bytes(t.plan));
		if (tried[i].text == jacobi1d || tried[i].text == heat2d)
			assert_true(hex_load_words(profile, &sizes,
				HEX_LOADS_EXACT) == points_of_set(b.mem,
				tile_loads(t.plan, b.prog->field[0]))->n);
	}
}

/* Skewed rectangles of h + 1 steps: the model has the plan's points, memory and
 * drift.
 */
static void test_model_skews_the_same(void **state)
{
	for (int i = 0; tried[i].text; i++) {
		struct built b = build(state, tried[i].text, "");
		struct tile_request request = tile_request_default();
		struct hex_tile sizes = { .h = tried[i].h + 1 };
		const struct hex_profile *profile;
		const struct plan *plan;
		struct hex_shape shape;
		int n = 0;

		request.opt = plain_opt;
		request.hex_dim = tried[i].hex_dim;
		request.h = tried[i].h + 1;
		for (int d = 0; d < b.scop->n_dims; d++)
			sizes.w[d] = request.w[d] = tried[i].w[d] + !d;
		plan = plan_of(state, &b, &strategy_skew, &request, &n);
		assert_non_null(plan);
		shape = hex_shape_of_scop(b.scop, tried[i].hex_dim, true);
		profile = hex_profile_new(b.mem, &shape, sizes.h);
		assert_true(hex_points(&shape, &sizes) == points_of_set(b.mem,
			isl_set_copy(plan->shape))->n);
		assert_true(hex_shared_bytes(profile, &sizes) ==
			plan_shared_bytes(plan));
		assert_int_equal(hex_pitch(profile, &sizes),
			plan->pitch[plan->tiles.hex_dim]);
		assert_int_equal(profile->f1,
			plan->shift[plan->tiles.hex_dim][0]);
		assert_int_equal(hexagon_extent(&plan->tiles.hexagon),
			profile->f1 + sizes.w[0]);
	}
}

static const struct CMUnitTest tests[] = {
	ISL_TEST(test_footprints),
	ISL_TEST(test_model_skews_the_same),
	ISL_TEST(test_aligned_boxes),
	ISL_TEST(test_model_counts_the_same),
};

const struct subject footprint_tests = SUBJECT(tests);
