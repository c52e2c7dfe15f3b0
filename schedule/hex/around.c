/* Dimensions that go around: boundaries are periodic there, and a read beyond one end of the
 * grid finds its cell at the other.  If coordinates that differ by the size of the grid count
 * as one point, dependences are as short as other reads'; see plan.h for the tiles.
 */
#include "schedule/hex/hex.h"

static bool goes_around(const struct scop *scop, int d)
{
	for (int i = 0; i < scop->prog->n_stmts; i++) {
		const struct stmt *s = scop->prog->stmt[i];

		for (int j = 0; j < s->n_reads; j++)
			if (s->read[j]->field->kind == FIELD_STATE &&
			    access_goes_around(s, s->read[j], d))
				return true;
	}
	return false;
}

/* A state whose size along "d" differs from "size", or NULL. */
static const struct field *of_another_size(const struct scop *scop, int d,
	const struct expr *size)
{
	for (int i = 0; i < scop->prog->n_fields; i++) {
		const struct field *f = scop->prog->field[i];

		if (f->kind == FIELD_STATE &&
		    !expr_same_size(f->size[d], size))
			return f;
	}
	return NULL;
}

const char *hex_find_around(const struct scop *scop, const struct expr **size)
{
	const struct field *first = scop->prog->stmt[0]->write->field;

	for (int d = 0; d < scop->n_dims; d++) {
		const struct field *other;

		size[d] = NULL;
		if (!goes_around(scop, d))
			continue;
		size[d] = first->size[d];
		other = of_another_size(scop, d, size[d]);
		if (other)
			return region_printf(scop->mem, "a boundary is "
				"periodic in dimension %d, in which '%s' and "
				"'%s' have different sizes", d, first->name,
				other->name);
	}
	return NULL;
}

/* Cones ----------------------------------------------------------------- */

static void widen(struct rational *delta, int64_t dx, int64_t dtau)
{
	if (dx * delta->den > delta->num * dtau) {
		int64_t common = greatest_common_divisor(dx, dtau);

		*delta = (struct rational) { dx / common, dtau / common };
	}
}

/* Widen "cone" by distances of low .. high along "d", dtau rows later.  If dtau is not
 * positive, nothing happens: all dependences advance.
 */
static void widen_along(struct cone *cone, int d, int64_t dtau, int64_t low,
	int64_t high)
{
	if (dtau < 1)
		return;
	widen(&cone->delta0[d], high, dtau);
	widen(&cone->delta1[d], -low, dtau);
}

/* The least of "rows" + j*"rounds", j >= 0, that is at least 1. */
static int64_t first_later(int64_t rows, int64_t rounds)
{
	return rows < 1 ? rows + rounds * ceil_div(1 - rows, rounds) : rows;
}

/* .. by the dependences between "writer" and the read "acc" of "reader": it reads a value, with
 * a brief copy also some rounds of the copies later, and later writes replace that value.
 */
static void widen_by_read(const struct scop *scop, struct cone *cone,
	const struct expr *const *size, const struct scop_stmt *writer,
	const struct scop_stmt *reader, const struct access *acc)
{
	int64_t rounds = scop->k * scop->field[acc->field->index].buffers;
	int64_t later = scop->k * (1 - acc->version) + reader->number -
		writer->number;
	int64_t replaced = first_later(rounds - later, rounds);

	if (writer->is_brief)
		later = first_later(later, rounds);
	for (int d = 0; d < acc->field->n_dims; d++) {
		int low = (int) acc->offset[d], high = low;

		if (!size[d] || !access_goes_around(reader->stmt, acc, d))
			access_offsets(scop, reader->stmt, acc, d, &low, &high);
		widen_along(cone, d, later, -high, -low);
		widen_along(cone, d, replaced, low, high);
	}
}

static void widen_by_reads(const struct scop *scop, struct cone *cone,
	const struct expr *const *size, const struct scop_stmt *reader)
{
	for (int i = 0; i < reader->n_reads; i++) {
		const struct access *acc = reader->read[i];

		for (int j = 0; j < scop->n_stmts; j++)
			if (acc->field->kind == FIELD_STATE &&
			    scop->stmt[j].stmt->write->field == acc->field)
				widen_by_read(scop, cone, size, &scop->stmt[j],
					reader, acc);
	}
}

static bool any_goes_around(const struct scop *scop,
	const struct expr *const *size)
{
	for (int d = 0; d < scop->n_dims; d++)
		if (size[d])
			return true;
	return false;
}

bool hex_find_cone(const struct scop *scop, const struct expr *const *size,
	struct cone *cone)
{
	if (!any_goes_around(scop, size))
		return cone_of_deps(scop->deps, scop->n_dims, cone);
	if (!deps_advance(scop->deps))
		return false;
	*cone = (struct cone) { .n_dims = scop->n_dims };
	for (int d = 0; d < scop->n_dims; d++)
		cone->delta0[d] = cone->delta1[d] = (struct rational) { 0, 1 };
	for (int i = 0; i < scop->n_stmts; i++)
		widen_by_reads(scop, cone, size, &scop->stmt[i]);
	return true;
}
