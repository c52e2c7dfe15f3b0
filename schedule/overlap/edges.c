/* The points of the grid that stages of overlapping tiles compute.  There all
 * cells that a statement reads lie in their grids, and the temps that it reads
 * have been computed, or a boundary stands in for them.  At other points states
 * keep their values.  States and temps are read without strides.
 */
#include "schedule/overlap/overlap.h"

/* Must index "k" of read "j" stay within "side"? */
static bool is_bound(const struct stmt *s, int j, int k, enum side side)
{
	return j >= s->n_reads || !access_is_mapped_at(s, s->read[j], k, side);
}

/* The least point x >= 0 of statement "i" along "d". */
static int64_t first_point(const struct program *prog, int i, int d)
{
	const struct stmt *s = prog->stmt[i];
	int64_t first = 0;

	for (int j = 0; j < stmt_n_asked(s); j++) {
		const struct access *acc = stmt_asked(s, j);
		int64_t of = field_is_temp(acc->field) ? first_point(prog,
			program_writer(prog, acc->field), d) : 0;

		for (int k = 0; k < acc->field->n_dims; k++)
			if (acc->dim[k] == d && is_bound(s, j, k, SIDE_LOW) &&
			    access_first(acc, k, of) > first)
				first = access_first(acc, k, of);
	}
	return first;
}

/* How far before the end of the states' grid their points end. */
static int64_t points_left(const struct program *prog, int i, int d)
{
	const struct stmt *s = prog->stmt[i];
	int64_t most = 0;

	for (int j = 0; j < stmt_n_asked(s); j++) {
		const struct access *acc = stmt_asked(s, j);
		int64_t of = field_is_temp(acc->field) ? points_left(prog,
			program_writer(prog, acc->field), d) : 0;

		for (int k = 0; k < acc->field->n_dims; k++)
			if (acc->dim[k] == d && is_bound(s, j, k, SIDE_HIGH) &&
			    acc->field->kind == FIELD_STATE &&
			    acc->offset[k] + of > most)
				most = acc->offset[k] + of;
	}
	return most;
}

static void add_end(struct region *mem, struct edges *e,
	const struct expr *size, int64_t stride, int64_t less)
{
	struct edge *longer = region_array(mem, struct edge, e->n_ends + 1);

	for (int i = 0; i < e->n_ends; i++)
		longer[i] = e->end[i];
	longer[e->n_ends++] = (struct edge) { size, stride, less };
	e->end = longer;
}

/* The points that inputs leave which statement "i" reads, "by" points further
 * on.
 */
static void add_ends_of_inputs(struct region *mem, struct edges *e,
	const struct program *prog, int i, int d, int64_t by)
{
	const struct stmt *s = prog->stmt[i];

	for (int j = 0; j < stmt_n_asked(s); j++) {
		const struct access *acc = stmt_asked(s, j);

		for (int k = 0; k < acc->field->n_dims; k++) {
			if (acc->dim[k] != d || !is_bound(s, j, k, SIDE_HIGH))
				continue;
			if (acc->field->kind != FIELD_STATE)
				add_end(mem, e, access_end(mem, acc, k),
					acc->stride[k], acc->offset[k] +
					acc->stride[k] * by);
			if (field_is_temp(acc->field))
				add_ends_of_inputs(mem, e, prog, program_writer(
					prog, acc->field), d,
					by + acc->offset[k]);
		}
	}
}

struct edges edges_of(struct region *mem, const struct program *prog, int i,
	int d)
{
	struct edges e = { .first = first_point(prog, i, d) };

	add_end(mem, &e, prog->stmt[i]->write->field->size[d], 1,
		points_left(prog, i, d));
	add_ends_of_inputs(mem, &e, prog, i, d, 0);
	return e;
}
