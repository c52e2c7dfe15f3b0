/* The pipeline of overlapping tiles: lags, rings, the points computed around a tile, and its
 * memory.
 */
#include <string.h>

#include "schedule/overlap/overlap.h"

/* Is "e" undefined for some operands?  A real number may not fit an int, a divisor may be 0,
 * and fields that are no states have no cells there.
 */
static void find_partial(void *user, const struct expr *e)
{
	bool *found = user;
	int64_t divisor;

	if (e->kind == EXPR_ELEMENT || (e->kind == EXPR_READ &&
	    e->access->field->kind != FIELD_STATE))
		*found = true;
	if (!type_is_integer(e->type))
		return;
	if (e->kind == EXPR_CAST)
		*found = *found || !type_is_integer(e->arg[0]->type);
	else if (e->kind == EXPR_BINARY && (e->op == OP_DIV || e->op == OP_MOD))
		*found = *found || !expr_constant(e->arg[1], &divisor);
}

bool pipeline_needs_clipping(const struct program *prog)
{
	bool found = false;

	for (int i = 0; i < prog->n_fields; i++)
		if (prog->field[i]->kind == FIELD_STATE &&
		    type_is_integer(prog->field[i]->type))
			return true;
	for (int i = 0; i < prog->n_stmts; i++)
		stmt_each_expr(prog->stmt[i], find_partial, &found);
	return found;
}

typedef bool each_reading(void *user, int i, int writer, int back,
	const int64_t *offset);

/* The statements that may have written version m - back of "f" when statement
 * "i" of step m reads it: in its own step, those before it.
 */
static bool each_writer(const struct program *prog, int i,
	const struct field *f, int back, const int64_t *offset,
	each_reading *each, void *user)
{
	int end = back > 0 ? prog->n_stmts : i;
	bool changed = false;

	for (int writer = 0; writer < end; writer++)
		if (prog->stmt[writer]->write->field == f)
			changed |= each(user, i, writer, back, offset);
	return changed;
}

/* The program's reads: end[i][j] are the least and greatest offsets at which read j of
 * statement i may find its cell, boundaries included.
 */
struct reads {
	const struct program *prog;
	int64_t (**end)[2][IR_MAX_DIMS];
};

static void find_ends(const struct scop *scop, const struct stmt *s,
	int64_t (*end)[2][IR_MAX_DIMS])
{
	for (int j = 0; j < s->n_reads; j++)
		for (int d = 0; d < s->read[j]->field->n_dims; d++) {
			int low, high;

			if (s->read[j]->field->kind != FIELD_STATE)
				continue;
			access_offsets(scop, s, s->read[j], d, &low, &high);
			end[j][LOW][d] = low;
			end[j][HIGH][d] = high;
		}
}

static struct reads reads_of(struct region *mem, const struct scop *scop)
{
	const struct program *prog = scop->prog;
	struct reads r = { prog, region_alloc(mem, sizeof(*r.end) *
		(size_t) prog->n_stmts) };

	for (int i = 0; i < prog->n_stmts; i++) {
		r.end[i] = region_alloc(mem, sizeof(**r.end) * (size_t)
			(prog->stmt[i]->n_reads + 1));
		find_ends(scop, prog->stmt[i], r.end[i]);
	}
	return r;
}

/* Call "each" for what statement "i" reads: version m - back of what statement "writer" writes,
 * at "offset".  Cells that no statement writes carry over: the first statement of their field
 * keeps them, the others write into what it has left.
 */
static bool each_read(const struct reads *r, int i, each_reading *each,
	void *user)
{
	const struct program *prog = r->prog;
	const struct stmt *s = prog->stmt[i];
	const struct field *own = s->write->field;
	static const int64_t here[IR_MAX_DIMS];
	bool changed = each_writer(prog, i, own,
		program_writer(prog, own) == i ? 1 : 0, here, each, user);

	for (int j = 0; j < s->n_reads; j++)
		for (int side = LOW; side <= HIGH &&
		     s->read[j]->field->kind == FIELD_STATE; side++)
			changed |= each_writer(prog, i, s->read[j]->field,
				1 - s->read[j]->version, r->end[i][j][side],
				each, user);
	return changed;
}

/* lag_i + back*period - lag_writer >= offset, and each lag at least 0 */
static bool raise_lag(void *user, int i, int writer, int back,
	const int64_t *offset)
{
	struct pipeline *p = user;
	int64_t least = offset[0] + p->lag[writer] - back * p->period;

	if (p->lag[i] >= least)
		return false;
	p->lag[i] = (int) least;
	return true;
}

/* The least period for which the lags settle. */
static bool find_lags(struct pipeline *p, const struct reads *r)
{
	const struct program *prog = r->prog;
	enum { MOST = 64 };

	for (p->period = 0; p->period < MOST; p->period++) {
		bool changed = true;

		memset(p->lag, 0, sizeof(p->lag));
		for (int round = 0; changed && round <= prog->n_stmts; round++)
		{
			changed = false;
			for (int i = 0; i < prog->n_stmts; i++)
				changed |= each_read(r, i, raise_lag, p);
		}
		if (!changed)
			return true;
	}
	return false;
}

static bool widen_ring(void *user, int i, int writer, int back,
	const int64_t *offset)
{
	struct pipeline *p = user;
	int rows = back * p->period + p->lag[i] - p->lag[writer] -
		(int) offset[0];

	p->ring = larger(p->ring, rows);
	return false;
}

/* Load as many versions as the caller has; keep one more while the next one is written. */
static void find_versions(struct pipeline *p, const struct program *prog)
{
	for (int i = 0; i < prog->n_stmts; i++) {
		const struct field *f = prog->stmt[i]->write->field;

		if (program_writer(prog, f) != i)
			continue;
		p->loaded[i] = f->depth;
		p->kept[i] = f->depth + 1;
	}
}

int pipeline_back(const struct pipeline *p, int n_stmts)
{
	int back = 0;

	for (int i = 0; i < n_stmts; i++)
		back = larger(back, p->loaded[i] - 1);
	return back;
}

/* How far around the tile stage (m, i) computes, for the last m and earlier
 * ones.
 */
struct extents {
	int (*of)[MOST_STATEMENTS][IR_MAX_DIMS][2];	/* [count - m][i] */
	int u, n_dims;
};

static bool widen_extents(void *user, int i, int writer, int back,
	const int64_t *offset)
{
	struct extents *x = user;

	for (int d = 0; d < x->n_dims; d++) {
		int *to = x->of[x->u + back][writer][d];
		const int *from = x->of[x->u][i][d];
		int low = from[LOW] - (int) offset[d];
		int high = from[HIGH] + (int) offset[d];

		to[LOW] = larger(to[LOW], low);
		to[HIGH] = larger(to[HIGH], high);
	}
	return false;
}

static void find_slopes(struct region *mem, struct pipeline *p,
	const struct reads *r, int n_dims)
{
	const struct program *prog = r->prog;
	const int back = pipeline_back(p, prog->n_stmts), steps = 16 + back;
	struct extents x = { .n_dims = n_dims, .of = region_alloc(mem,
		sizeof(*x.of) * (size_t) (steps + 1 + back)) };

	for (x.u = 0; x.u < steps; x.u++)
		for (int i = prog->n_stmts - 1; i >= 0; i--)
			each_read(r, i, widen_extents, &x);
	for (int i = 0; i < prog->n_stmts; i++)
		for (int d = 0; d < x.n_dims; d++)
			for (int side = LOW; side <= HIGH; side++) {
				int c = x.of[0][i][d][side];

				p->around[i][d][side] = c;
				for (int u = 1; u <= steps; u++) {
					int s = (x.of[u][i][d][side] - c +
						u - 1) / u;

					p->slope[d][side] =
						larger(p->slope[d][side], s);
				}
			}
}

int pipeline_around(const struct pipeline *p, int n_stmts, int d,
	int side, int steps)
{
	int most = 0;

	for (int i = 0; i < n_stmts; i++)
		most = larger(most, p->around[i][d][side]);
	return most + steps * p->slope[d][side];
}

/* How far the first loaded version extends around the tile. */
static int around_loads(const struct pipeline *p, int n_stmts, int d, int side)
{
	return pipeline_around(p, n_stmts, d, side, p->h + pipeline_back(p,
		n_stmts));
}

/* The extent of a tile's memory in dimension "d" >= 1: rows are whole vectors
 * with one more at each end.  The versions of a cell are not a multiple of 4096
 * bytes apart, which would make a store look like one to what is loaded next.
 */
static int memory_extent(const struct pipeline *p, int n_stmts, int d,
	int n_dims)
{
	int low = around_loads(p, n_stmts, d, LOW);
	int high = around_loads(p, n_stmts, d, HIGH);
	int n;

	if (d < n_dims - 1)
		return p->width[d] + low + high;
	n = p->width[d] + round_up(low, p->line) + round_up(high, p->line) +
		2 * p->margin;
	n = round_up(n, p->line);
	return n / p->line % 2 == 0 ? n + p->line : n;
}

static bool widen_ghosts(void *user, int i, int writer, int back,
	const int64_t *offset)
{
	struct pipeline *p = user;

	(void) i, (void) writer, (void) back;
	if (-offset[0] > p->ghosts[LOW])
		p->ghosts[LOW] = (int) -offset[0];
	if (offset[0] > p->ghosts[HIGH])
		p->ghosts[HIGH] = (int) offset[0];
	return false;
}

/* A tile of one dimension: its points and those around it in equal parts, none
 * shorter than what its neighbours read of it.
 */
static void set_parts(struct pipeline *p, int n_stmts)
{
	int after = around_loads(p, n_stmts, 0, HIGH), least;

	p->lanes = p->line;
	p->before = around_loads(p, n_stmts, 0, LOW);
	p->part = round_up(p->width[0] + p->before + after,
		LANE_ROWS * p->lanes) / p->lanes;
	least = p->ghosts[LOW] > p->ghosts[HIGH] ? p->ghosts[LOW] :
		p->ghosts[HIGH];
	if (p->part < least)
		p->part = round_up(least, LANE_ROWS);
	p->width[0] = p->part * p->lanes - p->before - after;
	p->extent[0] = p->ghosts[LOW] + p->part + p->ghosts[HIGH];
}

void pipeline_set_memory(struct pipeline *p, int n_stmts, int n_dims)
{
	if (n_dims == 1)
		set_parts(p, n_stmts);
	for (int d = 1; d < n_dims; d++) {
		p->extent[d] = memory_extent(p, n_stmts, d, n_dims);
		p->base[d] = around_loads(p, n_stmts, d, LOW);
		if (d == n_dims - 1)
			p->base[d] = round_up(p->base[d], p->line) +
				p->margin;
	}
}

/* The front goes from the first row of any stage to past the last one. */
static void find_front(struct pipeline *p, int n_stmts)
{
	int lag = 0, back = pipeline_back(p, n_stmts);

	for (int i = 0; i < n_stmts; i++)
		lag = larger(lag, p->lag[i]);
	p->front[LOW].count = pipeline_around(p, n_stmts, 0, LOW, back) +
		back * p->period;
	p->front[LOW].slope = p->slope[0][LOW];
	p->front[HIGH].slope = larger(p->slope[0][HIGH], p->period);
	p->front[HIGH].count = lag + pipeline_around(p, n_stmts, 0, HIGH, 0) +
		back * (p->front[HIGH].slope - p->period);
}

/* A point that a list changes is changed wherever it is computed; a series gets each element
 * once.
 */
static const bool *what_owners_do(struct region *mem, const struct stmt *s)
{
	bool *by_owner = region_array(mem, bool, s->n_listed + 1);

	for (int i = 0; i < s->n_listed; i++)
		by_owner[i] = s->listed[i]->series;
	return by_owner;
}

/* Fill in what does not depend on the sizes of the tile. */
static bool find_pipeline(struct region *mem, struct pipeline *p,
	const struct scop *scop)
{
	const struct program *prog = scop->prog;
	const struct reads r = reads_of(mem, scop);
	int last = scop->n_dims - 1, most = 1;

	if (!find_lags(p, &r))
		return false;
	find_versions(p, prog);
	for (int i = 0; i < prog->n_stmts; i++)
		each_read(&r, i, widen_ring, p);
	for (int i = 0; scop->n_dims == 1 && i < prog->n_stmts; i++)
		each_read(&r, i, widen_ghosts, p);
	find_slopes(mem, p, &r, scop->n_dims);
	find_front(p, prog->n_stmts);
	for (int i = 0; i < prog->n_stmts; i++)
		for (int d = 0; d < scop->n_dims; d++)
			p->edges[i][d] = edges_of(mem, prog, i, d);
	for (int i = 0; i < prog->n_stmts; i++)
		p->points[i] = points_of_stage(scop, i);
	for (int i = 0; i < prog->n_stmts; i++)
		p->by_owner[i] = what_owners_do(mem, prog->stmt[i]);
	p->is_clipped = pipeline_needs_clipping(prog);
	p->line = 64 / type_size(prog->stmt[0]->write->field->type);
	for (int i = 0; i < prog->n_stmts; i++)
		for (int side = LOW; side <= HIGH; side++)
			if (p->around[i][last][side] + p->slope[last][side] >
			    most)
				most = p->around[i][last][side] +
					p->slope[last][side];
	p->margin = round_up(most, p->line);
	return true;
}

static int at_least_power(int n)
{
	int power = 1;

	while (power < n)
		power *= 2;
	return power;
}

/* Rows of the ring: those that stages still need, and as many as they compute
 * at a time.
 */
static void set_ring(struct pipeline *p, int waiting, int n_dims)
{
	int rows = n_dims == 2 ? 4 : 2;

	p->ring = at_least_power(waiting + rows);
	p->rows = p->ring - waiting;
}

struct pipeline *pipeline_begin(struct region *mem, const struct scop *scop)
{
	struct pipeline *p = region_new_of(mem, struct pipeline);

	if (!find_pipeline(mem, p, scop))
		return NULL;
	set_ring(p, p->ring, scop->n_dims);
	return p;
}
