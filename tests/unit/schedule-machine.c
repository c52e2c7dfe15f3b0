/* The program run on copies that rotate, a value being a number that says
 * where it comes from.
 */
#include "tests/unit/schedule.h"

static int64_t constant_of(const struct expr *e)
{
	int64_t value = 0;

	assert_true(expr_constant(e, &value));
	return value;
}

/* The number of the cell x of the field, -1 outside the grid. */
static int cell_of(const struct machine_state *m, const struct field *field,
	const int x[])
{
	int at = 0;

	for (int d = 0; d < field->n_dims; d++) {
		int extent = m->extent[field->index][d];

		if (x[d] < 0 || x[d] >= extent)
			return -1;
		at = at * extent + x[d];
	}
	return at;
}

static int *value_of(const struct machine_state *m, const struct field *field,
	int version, int cell)
{
	int i = field->index;

	return &m->value[i][(version + field->depth - 1) * m->n_cells[i] +
		cell];
}

static int *copy_of(const struct machine_state *m, const struct field *field,
	int version, int cell)
{
	int i = field->index, buffers = m->b->scop->field[i].buffers;
	int copy = ((version % buffers) + buffers) % buffers;

	return &m->copy[i][copy * m->n_cells[i] + cell];
}

bool runs_at(const struct machine_state *m, int stmt, int t,
	const int x[])
{
	const struct field *field =
		m->b->scop->stmt[stmt].stmt->write->field;
	int cell = cell_of(m, field, x);

	return t >= 0 && t < m->steps && cell >= 0 &&
		m->has[stmt][t * m->n_cells[field->index] + cell];
}

static void note_domain(struct machine_state *m, int stmt)
{
	const struct scop_stmt *s = &m->b->scop->stmt[stmt];
	const struct field *field = s->stmt->write->field;
	int n = m->n_cells[field->index];
	struct points *domain = points_of_set(m->b->mem,
		isl_set_copy(s->domain));

	m->has[stmt] = region_array(m->b->mem, bool, m->steps * n);
	for (int i = 0; i < domain->n; i++)
		m->has[stmt][domain->at[i][0] * n +
			cell_of(m, field, domain->at[i] + 1)] = true;
}

/* What each version of each cell is; where none of the program's statements
 * computes it, it is the version before.
 */
static void define_values(struct machine_state *m, const struct field *field)
{
	int n = m->n_cells[field->index], next = 1;

	for (int v = 1 - field->depth; v <= 0; v++)
		for (int cell = 0; cell < n; cell++)
			*value_of(m, field, v, cell) = next++;
	for (int v = 1; v <= m->steps; v++)
		for (int cell = 0; cell < n; cell++) {
			bool computed = false;

			for (int i = 0; i < m->b->scop->n_stmts; i++) {
				const struct scop_stmt *s =
					&m->b->scop->stmt[i];

				computed = computed || (!s->is_copy &&
					s->stmt->write->field == field &&
					m->has[i][(v - 1) * n + cell]);
			}
			*value_of(m, field, v, cell) = computed ? next++ :
				*value_of(m, field, v - 1, cell);
		}
}

/* The caller's copies; a copy of the code's own starts as the newest. */
static void fill_copies(struct machine_state *m, const struct field *field)
{
	int i = field->index;

	for (int cell = 0; cell < m->n_cells[i]; cell++) {
		if (m->b->scop->field[i].buffers > field->depth)
			*copy_of(m, field, 1, cell) =
				*value_of(m, field, 0, cell);
		for (int v = 1 - field->depth; v <= 0; v++)
			*copy_of(m, field, v, cell) =
				*value_of(m, field, v, cell);
	}
}

struct machine_state machine_of(const struct built *b)
{
	struct machine_state m = { .b = b };

	m.steps = constant_of(b->prog->end);
	for (int i = 0; i < b->prog->n_fields; i++) {
		const struct field *f = b->prog->field[i];
		int n = 1;

		for (int d = 0; d < f->n_dims; d++) {
			m.extent[i][d] = (int) constant_of(f->size[d]);
			n *= m.extent[i][d];
		}
		m.n_cells[i] = n;
		m.value[i] = region_array(b->mem, int,
			n * (m.steps + f->depth + 1));
		m.copy[i] = region_array(b->mem, int,
			n * b->scop->field[i].buffers);
	}
	for (int i = 0; i < b->scop->n_stmts; i++)
		note_domain(&m, i);
	for (int i = 0; i < b->prog->n_fields; i++)
		if (b->prog->field[i]->kind == FIELD_STATE) {
			define_values(&m, b->prog->field[i]);
			fill_copies(&m, b->prog->field[i]);
		}
	return m;
}

static void read_value(struct machine_state *m, const struct access *acc,
	int t, const int x[])
{
	int y[3] = { 0 }, cell;

	if (acc->field->kind != FIELD_STATE)
		return;
	for (int d = 0; d < acc->field->n_dims; d++)
		y[d] = x[acc->dim[d]] + (int) acc->offset[d];
	cell = cell_of(m, acc->field, y);
	assert_true(cell >= 0);
	m->wrong += *copy_of(m, acc->field, t + acc->version, cell) !=
		*value_of(m, acc->field, t + acc->version, cell);
}

/* All instances of a number at (t, x): the statement and its copy statement. */
static void execute(struct machine_state *m, int number, int t, const int x[])
{
	for (int i = 0; i < m->b->scop->n_stmts; i++) {
		const struct scop_stmt *s = &m->b->scop->stmt[i];
		const struct field *field = s->stmt->write->field;
		int cell;

		if (s->number != number || !runs_at(m, i, t, x))
			continue;
		m->ran++;
		if (s == m->dropped)
			continue;
		cell = cell_of(m, field, x);
		for (int j = 0; !s->is_copy && j < s->stmt->n_reads; j++)
			read_value(m, s->stmt->read[j], t, x);
		*copy_of(m, field, t + 1, cell) = s->is_copy ?
			*copy_of(m, field, t, cell) :
			*value_of(m, field, t + 1, cell);
	}
}

static void execute_visited(struct sweep *s, const struct when *when,
	const int p[MOST_DIMS])
{
	int k = s->t->b->scop->k;
	int t = (int) floor_div(p[0], k);

	(void) when;
	execute(s->user, p[0] - k * t, t, p + 1);
}

/* Each instance ran once, no read was wrong, the caller finds the newest. */
static bool is_right(const struct machine_state *m)
{
	const struct built *b = m->b;
	int instances = 0, wrong = m->wrong;

	for (int i = 0; i < b->scop->n_stmts; i++)
		instances += points_of_set(b->mem,
			isl_set_copy(b->scop->stmt[i].domain))->n;
	for (int i = 0; i < b->prog->n_fields; i++) {
		const struct field *field = b->prog->field[i];
		int last = (int) m->steps;

		for (int v = last - field->depth + 1; v <= last &&
		     field->kind == FIELD_STATE; v++)
			for (int cell = 0; cell < m->n_cells[i]; cell++)
				wrong += *copy_of(m, field, v, cell) !=
					*value_of(m, field, v, cell);
	}
	return m->ran == instances && wrong == 0;
}

bool execution_is_right(const struct built *b, const struct tiling *t,
	bool backwards, const struct scop_stmt *dropped)
{
	struct machine_state m = machine_of(b);
	struct sweep s = { .t = t, .backwards = backwards,
		.visit = execute_visited, .user = &m };
	int k = b->scop->k, *extent = m.extent[0];

	m.dropped = dropped;
	s.high[0] = k * (int) m.steps - 1;
	for (int d = 0; d < b->scop->n_dims; d++)
		s.high[1 + d] = extent[d] - 1;
	if (t) {
		sweep(&s);
		return is_right(&m);
	}
	for (int tau = 0; tau <= s.high[0]; tau++)
		for (int i = 0; i < m.n_cells[0]; i++) {
			int x[3] = { 0 }, rest = i;

			for (int d = b->scop->n_dims - 1; d >= 0; d--) {
				x[d] = rest % extent[d];
				rest /= extent[d];
			}
			execute(&m, tau % k, tau / k, x);
		}
	return is_right(&m);
}
