/* Where the statements of a program run, and grids that are too small for a
 * boundary (doc/language.md, "Values by step and place").
 */
#include "base/base.h"
#include "tests/interpreter.h"

/* The writer of a temp. */
static const struct stmt *writer_of(const struct program *p,
	const struct field *f)
{
	int i = 0;

	while (p->stmt[i]->write->field != f)
		i++;
	return p->stmt[i];
}

static bool is_fixed(const struct access *acc, int d, enum side side)
{
	return acc->field->boundary[d][side].kind == BOUNDARY_FIXED;
}

struct interval range_of(const struct state *s, const struct stmt *stmt,
	int dim)
{
	struct interval r = { 0,
		s->memory[stmt->write->field->index].size[dim] - 1 };

	for (int i = 0; i < stmt_n_asked(stmt); i++) {
		const struct access *acc = stmt_asked(stmt, i);
		const struct memory *m = &s->memory[acc->field->index];

		for (int d = 0; d < acc->field->n_dims; d++) {
			struct interval of = { 0, m->size[d] - 1 };

			if (acc->dim[d] != dim)
				continue;
			if (m->has_value)
				of = range_of(s, writer_of(s->prog, acc->field),
					d);
			while (is_fixed(acc, d, SIDE_LOW) &&
			       cell_along(acc, d, r.low) < of.low)
				r.low++;
			while (is_fixed(acc, d, SIDE_HIGH) &&
			       cell_along(acc, d, r.high) > of.high)
				r.high--;
		}
	}
	return r;
}

static bool has_points(const struct state *s, const struct stmt *stmt)
{
	for (int dim = 0; dim < stmt->n_dims; dim++) {
		struct interval r = range_of(s, stmt, dim);

		if (r.low > r.high)
			return false;
	}
	return true;
}

static bool is_in(int64_t x, int64_t n)
{
	return x >= 0 && x < n;
}

static bool has_cells(const struct boundary *b)
{
	return b->kind != BOUNDARY_FIXED && b->kind != BOUNDARY_VALUE;
}

/* Does a boundary that goes around or back once not lead into the grid from the
 * first point of "r", below it, or from the last one, above it?
 */
static bool leaves(const struct state *s, const struct access *acc, int d,
	struct interval r)
{
	const struct boundary *b = acc->field->boundary[d];
	int64_t n = s->memory[acc->field->index].size[d];
	int64_t low = cell_along(acc, d, r.low);
	int64_t high = cell_along(acc, d, r.high);

	return (low < 0 && has_cells(&b[SIDE_LOW]) &&
		!is_in(mapped(b[SIDE_LOW].kind, low, n), n)) ||
		(high >= n && has_cells(&b[SIDE_HIGH]) &&
		!is_in(mapped(b[SIDE_HIGH].kind, high, n), n));
}

/* Is a grid too small for a boundary, at an end of the statement's ranges? */
static bool is_too_small(const struct state *s, const struct stmt *stmt)
{
	for (int i = 0; i < stmt->n_reads; i++) {
		const struct access *acc = stmt->read[i];

		for (int d = 0; d < acc->field->n_dims; d++)
			if (leaves(s, acc, d, range_of(s, stmt, acc->dim[d])))
				return true;
	}
	return false;
}

/* Choices by place ------------------------------------------------------- */

enum { MOST_PARTS = 64 };	/* of a statement */

/* A statement, by what conditions on the point choose in it. */
struct parts {
	const struct stmt *stmt[MOST_PARTS];
	int n;
};

/* The first condition on the point that chooses in "e", or NULL. */
static const struct expr *chooser_in(const struct expr *e)
{
	const struct expr *found = NULL;
	int64_t value;

	if (e->kind == EXPR_LOCAL)
		return chooser_in(e->local->value);
	if (expr_is_condition(e) && !expr_constant(e, &value))
		return e;
	for (int i = 0; i < e->n_args && !found; i++)
		found = chooser_in(e->arg[i]);
	return found;
}

static void divide(const struct state *s, const struct stmt *stmt, int most,
	struct parts *parts)
{
	const struct expr *by = stmt->write->field->kind == FIELD_TEMP ? NULL :
		chooser_in(stmt->value);

	if (!by || most < 2) {
		parts->stmt[parts->n++] = stmt;
		return;
	}
	divide(s, stmt_where(s->mem, stmt, by, true), most / 2, parts);
	divide(s, stmt_where(s->mem, stmt, by, false), most / 2, parts);
}

bool some_too_small(const struct state *s, bool divided)
{
	const struct program *p = s->prog;
	bool runs = p->n_reductions > 0, small = false;

	for (int i = 0; i < p->n_fields; i++)
		runs = runs || p->field[i]->depth > 1;
	for (int i = 0; i < p->n_stmts; i++) {
		struct parts parts = { .n = 0 };

		divide(s, p->stmt[i], divided ? MOST_PARTS : 1, &parts);
		for (int k = 0; k < parts.n; k++) {
			runs = runs || has_points(s, parts.stmt[k]);
			small = small || is_too_small(s, parts.stmt[k]);
		}
	}
	return runs && small;
}
