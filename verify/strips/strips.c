/* Strips of register streaming: each stored value is computed from values that
 * the strip has.  What a strip needs does not depend on where it lies, so these
 * questions contain no sizes: they are about intervals.
 *
 * Of a state's version t0 + v, the needed interval of cells, relative to those
 * that the strip stores, is what a later step reads or keeps.  Iteration x +
 * lag has position x of the streamed dimension.
 *
 * Where warps, or the lanes of joined warps, lie side by side, a neighbour's
 * value is one that it left in shared memory.
 */
#include "verify/strips/strips.h"

/* By version - (1 - depth) and the statement that writes the state. */
struct needs {
	struct interval dim[IR_MAX_DIMS];
};

struct strip {
	struct checker *c;
	const struct plan *plan;
	const struct stream *s;
	int depth;		/* depth of the deepest state */
	struct needs *needs;
};

static struct needs *needs_of(const struct strip *p, int version, int writer)
{
	return &p->needs[(version + p->depth - 1) * p->c->prog->n_stmts +
		writer];
}

static int64_t lag_of(const struct strip *p, int step, int stmt)
{
	return (int64_t) step * p->s->lag.step + p->s->lag.of[stmt];
}

/* The least and greatest offset of the cells that "acc" finds in the strip;
 * periods continue beyond the grid.
 */
static bool reach(const struct strip *p, const struct stmt *stmt,
	const struct access *acc, int d, struct interval *i)
{
	*i = (struct interval) { acc->offset[d], acc->offset[d] };
	if (!is_mapped_along(stmt, acc, d) ||
	    field_goes_around(acc->field, d))
		return true;
	if (!reach_along(p->c, stmt, acc, d, &i->low, &i->high))
		return true;
	if (acc->offset[d] < i->low)
		i->low = acc->offset[d];
	if (acc->offset[d] > i->high)
		i->high = acc->offset[d];
	return true;
}

static void add_needs(struct needs *to, const struct needs *from, int d,
	struct interval by)
{
	if (from->dim[d].low + by.low < to->dim[d].low)
		to->dim[d].low = from->dim[d].low + by.low;
	if (from->dim[d].high + by.high > to->dim[d].high)
		to->dim[d].high = from->dim[d].high + by.high;
}

/* Do neighbours leave this version for each other? */
static bool is_left(const struct strip *p, const struct field *f, int version)
{
	int oldest = 1 - f->depth;

	return version >= oldest && version < oldest +
		p->s->exchange.versions[f->index];
}

/* The value reached its place before statement "stmt" of step "m" reads it, "early" iterations
 * before the others, and nothing has replaced it since.
 */
static bool is_there(const struct strip *p, int m, int stmt,
	const struct field *f, int version, struct interval offset, int early,
	bool exchanged)
{
	int from = writer_of(p->c->prog, f), step = m + version - 1;
	int64_t late = lag_of(p, m, stmt) - lag_of(p, step, from) - early;
	int64_t youngest = late - offset.high, oldest = late - offset.low;

	if (youngest < 0 || (youngest == 0 && (step > m ||
	    (step == m && from >= stmt))))
		return refute(p->c, "step %d of statement %d reads '%s' before "
			"it is computed", m, stmt, f->name);
	if (exchanged && youngest < p->s->exchange.behind +
	    p->s->exchange.late[f->index])
		return refute(p->c, "step %d of statement %d reads what a "
			"neighbour computes of '%s' at the same time", m, stmt,
			f->name);
	if (exchanged && !is_left(p, f, version + m))
		return refute(p->c, "step %d of statement %d reads a version "
			"of '%s' that no neighbour leaves", m, stmt, f->name);
	return oldest < p->s->period ||
		refute(p->c, "step %d of statement %d reads '%s' %lld "
			"iterations late, of which %d are kept", m, stmt,
			f->name, (long long) oldest, p->s->period);
}

/* Statement "stmt" of step "m", as written or as a strip computes it far from all edges. */
struct reader {
	const struct strip *p;
	int m, stmt;
	bool far;
};

/* Cells beside a lane's have a place, and rows arrive in some iteration. */
static bool read_is_right(void *user, const struct access *acc, int early)
{
	const struct reader *by = user;
	const struct strip *p = by->p;
	int m = by->m, stmt = by->stmt;
	const struct stmt *s = p->c->prog->stmt[stmt];
	struct needs *to = needs_of(p, m + acc->version,
		writer_of(p->c->prog, acc->field));
	struct interval along = { 0, 0 };
	bool exchanged = false;

	if (!access_is_in_order(acc))
		return refute(p->c, "'%s' is read at a distance that is not "
			"the same at all points", acc->field->name);
	for (int d = 0; d < s->n_dims; d++) {
		struct interval i = { acc->offset[d], acc->offset[d] };

		if (!by->far)
			reach(p, s, acc, d, &i);
		add_needs(to, needs_of(p, m + 1, stmt), d, i);
		if (d == p->s->dim.stream)
			along = i;
		if (d == p->s->exchange.dim)
			exchanged = i.low < 0 || i.high > 0;
		if (d == p->s->dim.lane &&
		    (-i.low > p->s->beside.left[acc->field->index] ||
		     i.high > p->s->beside.right[acc->field->index]))
			return refute(p->c, "'%s' is read beyond the cells "
				"that a lane has", acc->field->name);
		if (d != p->s->dim.row)
			continue;
		if (-i.low > p->s->beside.above[acc->field->index] ||
		    i.high > p->s->beside.below[acc->field->index])
			return refute(p->c, "'%s' is read beyond the rows "
				"that a lane has", acc->field->name);
	}
	return is_there(p, m, stmt, acc->field, acc->version, along, early,
		exchanged);
}

/* By parts far from all edges, and by parts everywhere unless a boundary stands in for reads. */
static bool statement_is_right(const struct strip *p, int m, int stmt)
{
	const struct stmt *s = p->c->prog->stmt[stmt];
	bool parts = p->s->parts[stmt].n > 0;
	struct reader by = { p, m, stmt, false };

	for (int j = 0; j < s->n_reads && (!parts || p->s->parts[stmt].differs); j++)
		if (s->read[j]->field->kind == FIELD_STATE &&
		    !read_is_right(&by, s->read[j], 0))
			return false;
	by.far = true;
	return !parts || each_early_read(p->c, p->s, p->s->parts[stmt].of.stmt,
		read_is_right, &by);
}

/* A cell that is not computed keeps its value. */
static bool is_kept(const struct strip *p, int m, int stmt)
{
	const struct field *f = p->c->prog->stmt[stmt]->write->field;
	struct interval none = { 0, 0 };

	for (int d = 0; d < f->n_dims; d++)
		add_needs(needs_of(p, m, stmt), needs_of(p, m + 1, stmt), d,
			none);
	return is_there(p, m, stmt, f, 0, none, 0, false);
}

static bool reads_are_right(const struct strip *p)
{
	const struct program *prog = p->c->prog;

	for (int m = p->s->b - 1; m >= 0; m--)
		for (int i = prog->n_stmts - 1; i >= 0; i--)
			if (!is_kept(p, m, i) || !statement_is_right(p, m, i))
				return false;
	return true;
}

/* Everything needed of a version is in the lanes and in an iteration. */
static bool needs_are_met(const struct strip *p, int version, int writer)
{
	const struct needs *n = needs_of(p, version, writer);
	const struct stream *s = p->s;
	int64_t extent = s->length - 1;

	for (int d = 0; d < p->plan->n_dims; d++) {
		int64_t lag = lag_of(p, version - 1, writer);

		if (d == s->dim.stream ? n->dim[d].low + lag < s->walk.first ||
		    extent + n->dim[d].high + lag > s->walk.last :
		    n->dim[d].low < -s->before[d] ||
		    n->dim[d].high > s->after[d])
			return refute(p->c, "version t0 + %d of '%s' is needed "
				"where no strip has it", version,
				p->c->prog->stmt[writer]->write->field->name);
	}
	return true;
}

static bool check_needs(const struct strip *p)
{
	if (!reads_are_right(p))
		return false;
	for (int v = 1 - p->depth; v <= p->s->b; v++)
		for (int i = 0; i < p->c->prog->n_stmts; i++)
			if (!needs_are_met(p, v, i))
				return false;
	claim(p->c, "what a strip stores it computes from values that it "
		"loaded or computed, none of which gave way too early");
	return true;
}

/* Blocks, or clusters of blocks along the rows, have rows and store some of them. */
static bool rows_are_stored(const struct strip *p)
{
	const struct stream *s = p->s;
	int row = s->dim.row;

	for (int d = 0; d < p->plan->n_dims; d++)
		if (plan_cluster(p->plan, d) != (d == row ? s->exchange.blocks : 1))
			return false;
	return row < 0 ? s->exchange.blocks == 1 : (s->height > 0 &&
		s->exchange.blocks > 0 && p->plan->pitch[row] == s->height &&
		s->before[row] + s->height + s->after[row] ==
		s->exchange.blocks * s->warps * s->rows);
}

/* Where the length is an argument, the proof for the plan's own is one for all lengths: a strip
 * has as many more iterations as cells.  All lengths have whole periods of iterations.
 */
static bool lengths_are_alike(const struct strip *p)
{
	const struct stream *s = p->s;
	int d = plan_given_dim(p->plan), least, step;

	if (d < 0)
		return true;
	least = p->plan->tiles.given[d].least;
	step = p->plan->tiles.given[d].step;
	return d == s->dim.stream && least > 0 && step % s->period == 0 &&
		(s->length - least) % step == 0;
}

/* A longer first strip has as many more iterations as cells, whole periods of them. */
static bool first_is_alike(const struct strip *p)
{
	const struct stream *s = p->s;

	for (int d = 0; d < p->plan->n_dims; d++) {
		int longer = p->plan->tiles.longer[d];

		if (longer != (d == s->dim.stream ? s->first - s->length : 0) ||
		    longer < 0 || longer % s->period)
			return false;
	}
	return true;
}

static bool goes_around(const struct strip *p, int d)
{
	bool around = false;

	for (int i = 0; i < p->c->prog->n_fields; i++)
		around |= field_goes_around(p->c->prog->field[i], d);
	return around;
}

/* The first strip along a dimension, whose origin is rim.low, begins with the grid, and the last
 * one ends behind it.  All that their values depend on lies in the grid, so that it is theirs, too,
 * where rims are no wider than what strips compute around their own.
 */
static bool rims_are_right(const struct strip *p)
{
	const struct stream *s = p->s;

	for (int d = 0; d < p->plan->n_dims; d++) {
		const struct rim *rim = &p->plan->tiles.rim[d];
		bool across = s->dim.row >= 0 && (d == s->dim.row ||
			d == s->dim.lane);

		if (!plan_has_rim(p->plan, d))
			continue;
		if (!across || plan_is_open(p->plan, d) || goes_around(p, d) ||
		    rim->low < 0 || rim->low > s->before[d] ||
		    rim->high < 0 || rim->high > s->after[d] ||
		    rim->cells != (d == s->dim.lane ? s->cells : 1) ||
		    rim->low % rim->cells || rim->high % rim->cells)
			return refute(p->c, "strips at a side of dimension %d "
				"store what they do not compute", d);
	}
	return true;
}

/* Strips store each cell of the grid once: x = S*pitch + w*width + c, and at sides of the grid
 * what lies before the first one and behind the last.
 */
static bool check_stores(const struct strip *p)
{
	const struct stream *s = p->s;
	const struct plan *plan = p->plan;
	int lane = s->dim.lane;
	int strips = s->dim.row < 0 ? s->warps : 1;
	bool rows = rows_are_stored(p);
	bool whole = rows && lengths_are_alike(p) && s->period > 0 &&
		first_is_alike(p) && s->width > 0 && s->width % s->cells == 0 &&
		s->before[lane] % s->cells == 0 && s->length > 0 &&
		s->before[lane] + s->width + s->after[lane] ==
		s->lanes * s->cells &&
		plan->pitch[lane] == strips * s->width &&
		(s->dim.stream < 0 ||
			plan->pitch[s->dim.stream] == s->length) &&
		plan->threads[0] == s->lanes && plan->threads[1] == s->warps &&
		plan->time_pitch == s->b &&
		(s->walk.last - s->walk.first + 1) % s->period == 0;

	if (!whole)
		return refute(p->c, "strips do not store each cell once");
	if (!rims_are_right(p))
		return false;
	for (int i = 0; i < p->c->prog->n_fields; i++) {
		const struct field *f = p->c->prog->field[i];

		if (f->kind == FIELD_STATE && (s->b < f->depth ||
		    plan->scop->field[i].buffers != 2 * f->depth))
			return refute(p->c, "a launch reads copies of '%s' "
				"that it writes", f->name);
	}
	claim(p->c, "strips store each cell once, in copies that no strip of "
		"the launch reads");
	return true;
}

/* A neighbour takes what the adjacent one left: its last rows, or cells,
 * precede the next one's, its first ones follow the previous one's, and there
 * are no more than it has.
 */
static bool are_beside(const struct strip *p, const struct field *f)
{
	const struct stream *s = p->s;
	int has = s->exchange.dim == s->dim.lane ? s->cells : s->rows;
	const int *before = s->exchange.dim == s->dim.lane ? s->beside.left :
		s->beside.above;
	const int *after = s->exchange.dim == s->dim.lane ? s->beside.right :
		s->beside.below;
	int i = f->index;

	return before[i] <= has && after[i] <= has &&
		s->exchange.last[i] == has - before[i] &&
		s->exchange.first[i] == 0;
}

/* Iteration n leaves values in part n mod parts, and n + behind takes them:
 * there is a barrier between, and none leaves values there again before n +
 * behind has ended.  All threads that wait for each other take the same way.
 */
static bool check_exchange(const struct strip *p)
{
	const struct stream *s = p->s;
	const struct exchange *x = &s->exchange;
	bool joined = s->lanes > s->warp;

	if (s->warp <= 0 || s->lanes % s->warp || (joined &&
	    (s->dim.row >= 0 || s->warps != 1 || s->dim.stream < 0)) ||
	    x->dim != (joined ? s->dim.lane : s->dim.row))
		return refute(p->c, "warps of a block do not have what their "
			"neighbours compute");
	if (x->dim < 0)
		return true;
	if (!x->barrier || x->behind < 1)
		return refute(p->c, "no barrier lies between the iteration "
			"that leaves a value in shared memory and the one "
			"that takes it");
	if (x->parts <= x->behind)
		return refute(p->c, "an iteration leaves values in shared "
			"memory where those of %d before are being taken",
			x->parts);
	for (int i = 0; i < p->c->prog->n_fields; i++) {
		const struct field *f = p->c->prog->field[i];

		if (f->kind == FIELD_STATE && !are_beside(p, f))
			return refute(p->c, "neighbours take other cells of "
				"'%s' than those beside their own", f->name);
	}
	claim(p->c, "a value taken from shared memory was left there by the "
		"neighbour that computed it, a barrier before, and stays "
		"until the barrier after");
	return true;
}

/* What iteration n loads was copied to place n mod period of shared memory once
 * iteration n - period had loaded what was there.  Bulk copies move multiples
 * of 16 bytes, between addresses that are multiples: a warp's row begins with a
 * lane's cells, as rows of the grid and what strips store do.
 */
static bool check_copied_ahead(const struct strip *p)
{
	enum { UNIT = 16 };
	const struct stream *s = p->s;
	int lane = s->dim.lane;

	if (!s->ahead.used)
		return !s->ahead.bulk || refute(p->c, "rows are copied that "
			"nobody loads");
	if (s->dim.stream < 0)
		return refute(p->c, "rows are copied ahead of no iteration");
	for (int i = 0; s->ahead.bulk && i < p->c->prog->n_fields; i++) {
		const struct field *f = p->c->prog->field[i];
		int bytes = s->cells * type_size(f->type);

		if (f->kind == FIELD_STATE && (bytes % UNIT ||
		    s->before[lane] % s->cells || s->width % s->cells ||
		    !p->plan->opt.align_loads))
			return refute(p->c, "rows of '%s' that begin with the "
				"cells of a lane, %d bytes, are copied %d bytes "
				"at a time", f->name, bytes, UNIT);
	}
	claim(p->c, "what an iteration loads was copied to shared memory %d "
		"iterations before, in the place of what had been loaded %s",
		stream_copied_before(s), stream_copies_first(s) ?
		"by the iteration before that one" : "then");
	return true;
}

/* Iteration n - p loaded what iteration n takes, to place n mod p, which the
 * code calls u mod p: u begins with 0 at each multiple of the period.
 */
static bool check_loaded_ahead(const struct strip *p)
{
	const struct stream *s = p->s;

	if (s->ahead.used && (s->ahead.bulk ? s->ahead.rows != 0 :
			s->ahead.rows < 1 || s->ahead.rows < s->period - 1 ||
			s->ahead.rows > s->period))
		return refute(p->c, "rows are copied a period ahead, or an iteration "
			"less, and counted as %d", s->ahead.rows);
	if (s->ahead.rows == 0 || s->ahead.used)
		return true;
	if (s->dim.stream < 0 || s->ahead.rows < 0 ||
	    s->period % s->ahead.rows ||
	    (s->walk.last - s->walk.first + 1) % s->period)
		return refute(p->c, "rows are loaded %d iterations ahead to "
			"registers that others have", s->ahead.rows);
	claim(p->c, "what an iteration takes was loaded %d iteration%s "
		"before, to registers that nothing else fills until then",
		s->ahead.rows, s->ahead.rows > 1 ? "s" : "");
	return true;
}

static bool check_ahead(const struct strip *p)
{
	return check_copied_ahead(p) && check_loaded_ahead(p);
}

/* A pass T reads the copies depth*T - v, 0 <= v < depth, and writes depth*(T+1)
 * - v, modulo 2*depth: in T + 1 another block writes or reads each of them.
 */
static bool check_passes(const struct strip *p)
{
	const struct plan *plan = p->plan;

	if (p->c->n_plans != 1 || plan->n_phases != 1 ||
	    plan->time_shift[0] != 0)
		return refute(p->c, "a pass is not one launch");
	if (plan->resident && !plan->waits_for_grid)
		return refute(p->c, "blocks begin a pass while others may "
			"still store what it reads, or read what it replaces");
	claim(p->c, plan->resident ? "a pass begins when all blocks have "
		"ended the one before, by a barrier of the grid or as launches "
		"do" : "a pass begins when the one before has ended, as "
		"launches of a stream do");
	return true;
}

static struct strip strip_of(struct checker *c, const struct plan *plan)
{
	struct strip p = { .c = c, .plan = plan, .s = plan->strips,
		.depth = 1 };

	for (int i = 0; i < c->prog->n_fields; i++)
		if (c->prog->field[i]->kind == FIELD_STATE &&
		    c->prog->field[i]->depth > p.depth)
			p.depth = c->prog->field[i]->depth;
	p.needs = region_array(c->mem, struct needs,
		(p.s->b + p.depth) * c->prog->n_stmts);
	return p;
}

static bool check_strips(struct checker *c)
{
	struct strip p = strip_of(c, c->plan);

	if (!check_domains(c))
		return false;
	section(c, "Strips");
	return check_stores(&p) && check_launches(c, c->plan) &&
		check_passes(&p) && check_exchange(&p) && check_ahead(&p) &&
		check_needs(&p) && check_full(c, c->plan);
}

/* The row of forms.c ----------------------------------------------------- */

/* { [t, x] : x is a cell of the field that "s" writes } */
static __isl_give isl_set *cells_of(struct checker *c,
	const struct statement *s)
{
	const struct stmt plain = {
		.write = s->stmt->write, .n_dims = s->stmt->n_dims,
	};

	return points_inside(c, &plain, true);
}

/* Strips store all cells. */
static __isl_give isl_set *points_needed(struct checker *c,
	const struct statement *s)
{
	return s->stmt->write->field->is_hidden ? NULL : cells_of(c, s);
}

static bool is_read(const struct plan *plan)
{
	(void) plan;
	return true;
}

/* Nobody uses what strips leave of temps. */
static bool cells_stored(struct checker *c, const struct plan *plan,
	const struct field *f, isl_set **cells)
{
	if (f->is_hidden)
		return false;
	*cells = f->kind == FIELD_STATE ? cells_of_strips(c, plan, f) :
		isl_set_empty(space_of_dims(c, 2 + f->n_dims));
	return true;
}

static bool find_strip(struct checker *c, const struct plan *plan,
	struct strip_numbers *shape)
{
	struct strip p = strip_of(c, plan);
	const struct stream *s = p.s;
	int n = c->prog->n_stmts, dims = plan->n_dims;
	struct interval *needed = region_array(c->mem, struct interval,
		(s->b + p.depth) * n * dims);

	*shape = (struct strip_numbers) {
		s->b, s->period, s->walk.first, s->dim.stream, s->dim.row,
		s->dim.lane, s->cells, s->rows, s->lanes, s->warp,
		s->exchange.blocks * s->warps, s->length, s->height, s->width, s->before, s->after,
		s->beside.left, s->beside.above, s->lag.step, s->lag.of, p.depth, n, dims, needed
	};
	if (!reads_are_right(&p))
		return false;
	for (int i = 0; i < (s->b + p.depth) * n * dims; i++)
		needed[i] = p.needs[i / dims].dim[i % dims];
	return true;
}

const struct form_proof strips_proof = {
	.prove = check_strips, .describe = describe_pitches,
	.has_own_points = true, .all_in_grid = true,
	.points_needed = points_needed, .is_read = is_read,
	.cells_stored = cells_stored, .find_strip = find_strip,
};
