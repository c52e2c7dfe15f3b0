/* What a lane's registers hold, and what shared memory holds.
 *
 * Each thread has a part of an array in shared memory, which it and its neighbours access; what
 * holds for one thread's part holds for all.
 */
#include <string.h>

#include "verify/code/registers.h"

/* Arrays ------------------------------------------------------------------ */

const struct registers *array_called(const struct lanes *l, const char *name)
{
	const struct registers *a = l->arrays;

	while (a && a->name != name && strcmp(a->name, name))
		a = a->next;
	return a;
}

/* The state that the code keeps in the registers "name". */
static const struct field *state_in(const struct lanes *l, const char *name)
{
	const struct program *prog = l->w->c->prog;

	for (int i = 0; i < prog->n_fields; i++)
		if (prog->field[i]->kind == FIELD_STATE &&
		    !strcmp(name, fresh_name(l->w->c->mem, prog, l->s.row < 0 ?
			"%s_row" : "%s_plane", prog->field[i]->name)))
			return prog->field[i];
	return NULL;
}

void declare_array(struct lanes *l, const struct ks *s)
{
	struct registers *a = region_new_of(l->w->c->mem, struct registers);

	a->name = s->name;
	a->is_shared = s->is_shared;
	a->state = s->is_shared ? NULL : state_in(l, s->name);
	a->size = 1;
	for (int i = 0; i < s->n_x && i < 8; i++) {
		int64_t extent = s->x[i]->kind == KX_INT ? s->x[i]->ivalue : 0;

		a->extent[a->n++] = (int) extent;
		a->size *= (int) extent;
	}
	a->held = region_array(l->w->c->mem, struct held, a->size);
	for (int i = 0; i < a->size && s->is_zeroed; i++)
		a->held[i].kind = ZERO;
	if (s->at)
		lead_to_other_block(l, a, s->at);
	a->next = l->arrays;
	l->arrays = a;
}

/* Index "x" is a thread's: its lane's or its warp's, or a neighbour's. */
static bool is_whose(const struct lanes *l, const struct kx *x, int extent,
	struct place_in_array *p)
{
	const struct named *s = x->kind == KX_NAME ? scalar_called(l,
		x->name) : NULL;
	int by = 0;
	struct line line, none = { .number = 0 };
	int64_t apart, end;

	if (s && s->kind == OTHER && s->is)
		x = s->is;
	if (x->kind == KX_BUILTIN && (x->builtin == B_MIN ||
	    x->builtin == B_MAX)) {
		by = x->builtin == B_MIN ? 1 : -1;
		if (!number_in_code(l, x->arg[1], &end) ||
		    end != (by > 0 ? extent - 1 : 0))
			return false;
		x = x->arg[0];
	}
	if (!line_of(l, x, &line, NULL) || line.number != by ||
	    line.by[LANE] + line.by[WARP] != 1)
		return false;
	p->by_warp = line.by[WARP];
	none.by[p->by_warp ? WARP : LANE] = 1;
	p->whose = by;
	return lines_are_apart(&line, &none, &apart) &&
		extent == (p->by_warp ? l->s.warps : l->s.lanes);
}

/* .. or a lane's of one of the parts that follow each other there: part * lanes + its own index. */
static bool is_lane_of_part(const struct lanes *l, const struct kx *x,
	int extent, struct place_in_array *p, int64_t *first)
{
	int lanes = l->s.lanes, part;

	if (extent <= lanes || extent % lanes || x->kind != KX_BINARY ||
	    x->op != OP_ADD)
		return false;
	part = number_in_code(l, x->arg[0], first) ? 0 : 1;
	return number_in_code(l, x->arg[part], first) &&
		*first >= 0 && *first < extent && *first % lanes == 0 &&
		is_whose(l, x->arg[1 - part], lanes, p) && !p->by_warp;
}

/* .. or a cell's of the lane. */
static bool is_lanes_cell(const struct lanes *l, const struct kx *x,
	int extent, int *cell)
{
	struct line line, own = { .number = 0 };
	int64_t at;

	own.by[LANE] = l->s.cells;
	if (extent != l->s.lanes * l->s.cells ||
	    !line_of(l, x, &line, NULL) ||
	    !lines_are_apart(&line, &own, &at) || at < 0 || at >= l->s.cells)
		return false;
	*cell = (int) at;
	return true;
}

/* .. or the warp's of the lane. */
static bool is_lanes_warp(const struct lanes *l, const struct kx *x, int extent)
{
	struct line line, own = { .number = 0 };
	int64_t apart;

	own.by[LANE] = 1;
	return x->kind == KX_BINARY && x->op == OP_DIV &&
		kx_is_int(x->arg[1], l->s.warp) &&
		line_of(l, x->arg[0], &line, NULL) &&
		lines_are_apart(&line, &own, &apart) && apart == 0 &&
		extent * l->s.warp == l->s.lanes;
}

/* (n + number) mod 2; the iteration may be assumed even. */
static bool is_turn(const struct lanes *l, const struct kx *x, int *turn)
{
	struct line line;
	int n;

	if (x->kind != KX_BUILTIN || x->builtin != B_PARITY ||
	    !line_of(l, x->arg[0], &line, NULL))
		return false;
	n = line.by[ITERATION];
	line.by[ITERATION] = 0;
	if (n != l->loop.is_in || has_threads(&line) || line.by[FIRST_STEP] ||
	    line.by[PASS])
		return false;
	*turn = (int) (line.number & 1);
	return true;
}

static bool index_of(struct lanes *l, struct registers *a, const struct kx *x,
	int i, struct place_in_array *p)
{
	int64_t at = 0;
	int cell = 0;

	if (a->is_shared && i == 0 && a->extent[0] == 2 &&
	    is_turn(l, x, &cell)) {
		a->has_turns = true;
		at = cell;
	} else if (a->is_shared && is_lanes_cell(l, x, a->extent[i], &cell)) {
		at = cell;
		p->of_lane = true;
		p->threads |= 1u << i;
	} else if (a->is_shared && is_lane_of_part(l, x, a->extent[i], p,
	    &at)) {
		p->of_lane = true;
		p->threads |= 1u << i;
	} else if (a->is_shared && is_clustered(l) &&
	    a->extent[i] == warps_of_block(l) &&
	    is_place_of_warp(l, a, x, &p->whose)) {
		p->by_warp = p->of_warp = true;
		p->threads |= 1u << i;
	} else if (a->is_shared && !is_clustered(l) &&
	    is_whose(l, x, a->extent[i], p)) {
		p->of_lane = p->of_lane || !p->by_warp;
		p->of_warp = p->of_warp || p->by_warp;
		p->threads |= 1u << i;
	} else if (!(a->is_shared && is_lanes_warp(l, x, a->extent[i])) &&
	    !number_in_code(l, x, &at)) {
		return false;
	}
	p->first = p->first * a->extent[i] + (int) at;
	return at >= 0 && at < a->extent[i];
}

/* Each thread has its own part of shared memory, the same in all statements. */
static bool has_its_own(const struct lanes *l, struct registers *a,
	const struct place_in_array *p)
{
	if (!a->threads)
		a->threads = p->threads;
	return !a->is_shared || (a->threads == p->threads &&
		(p->of_lane || l->s.lanes == 1) &&
		(p->of_warp || l->s.warps == 1));
}

static const struct registers *array_named(const struct lanes *l,
	const struct kx *x)
{
	return x->kind == KX_INDEX && !x->field ? array_called(l, x->name) :
		NULL;
}

/* "x" is NAME[..].. of "a", within its bounds. */
static bool is_there(struct lanes *l, const struct kx *x,
	const struct registers *a, struct place_in_array *p)
{
	*p = (struct place_in_array) { .array = a };
	if (!a || a->n != x->n_args)
		return false;
	for (int i = 0; i < a->n; i++)
		if (!index_of(l, (struct registers *) a, x->arg[i], i, p))
			return false;
	if (a->of) {
		p->array = a->of;
		((struct registers *) a->of)->has_turns |= a->has_turns;
	}
	return true;
}

bool place_of(struct lanes *l, const struct kx *x, struct place_in_array *p)
{
	const struct registers *a = array_named(l, x);

	return is_there(l, x, a, p) &&
		has_its_own(l, (struct registers *) p->array, p);
}

bool has_places(struct lanes *l, const struct kx *x)
{
	const struct registers *a = array_named(l, x);
	struct place_in_array place;

	if (a && !is_there(l, x, a, &place))
		return refute(l->w->c, "it is not shown that '%s' has the "
			"element that the code names", x->name);
	for (int i = 0; i < x->n_args; i++)
		if (!has_places(l, x->arg[i]))
			return false;
	return true;
}

/* Cells ------------------------------------------------------------------- */

struct held cell_held(const struct field *f, int version, int along, int row,
	int column)
{
	return (struct held) {
		.kind = CELL, .field = f, .version = version,
		.at = { along, row, column },
	};
}

bool same_held(const struct held *a, const struct held *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == PART)
		return same_part(a, b);
	return (a->kind != CELL && a->kind != FETCHED) ||
		(a->field == b->field && a->version == b->version &&
		a->lanes == b->lanes &&
		!memcmp(a->at, b->at, sizeof(a->at)));
}

struct held as_seen_from(const struct lanes *l, struct held h, int by,
	bool by_warp)
{
	if (by != 0 && h.kind != CELL && h.kind != ZERO)
		h.kind = UNKNOWN;
	if (by_warp)
		h.at[ROW] += by * l->s.rows;
	else
		h.at[COLUMN] += by * l->s.cells;
	h.left = h.taken = false;
	return h;
}

static const struct interval *needed(const struct lanes *l, int version,
	int writer, int d)
{
	return &l->s.needed[((version + l->s.deepest - 1) * l->s.statements +
		writer) * l->s.dims + d];
}

static bool is_early_cell(const struct lanes *l, const struct held *h, int moved)
{
	const struct program *prog = l->w->c->prog;

	return h->field->kind == FIELD_STATE && l->s.along >= 0 &&
		h->version > -l->s.deepest && h->version <= l->s.steps &&
		l->loop.now + h->at[ALONG] + moved < needed(l, h->version,
			writer_of(prog, h->field), l->s.along)->low;
}

/* A cell, or an expression with a cell, on which no stored cell depends: then nothing stored
 * depends on it.
 */
static bool is_early_moved(const struct lanes *l, const struct held *h,
	int moved)
{
	if (h->kind == CELL)
		return is_early_cell(l, h, moved);
	for (int i = 0; h->kind == PART && i < h->part->n; i++)
		if (is_early_moved(l, &h->part->leaf[i].held, moved +
		    h->at[ALONG]))
			return true;
	return false;
}

bool is_early(const struct lanes *l, const struct held *h)
{
	return is_early_moved(l, h, 0);
}

bool is_in_strip(const struct lanes *l, const struct held *h,
	const struct point *p)
{
	int d = l->s.column, writer = p->stmt->index;
	const struct interval *n = needed(l, p->step + 1, writer, d);
	int by = h->at[COLUMN] - p->cell.at[COLUMN];

	return h->field->kind == FIELD_STATE || (h->at[COLUMN] >= 0 &&
		h->at[COLUMN] < l->s.cells) ||
		(n->low + by >= -l->s.before[d] &&
		n->high + by <= l->s.after[d]);
}

static int lag_of(const struct lanes *l, int step, int stmt)
{
	return step * l->s.lag_of_step + l->s.lag[stmt];
}

/* Registers of a state are [version][turn][row][column], with neighbours' cells
 * around a lane's own.
 */
bool cell_meant(const struct lanes *l, const struct registers *a, int i,
	struct held *cell)
{
	const struct field *f = a->state;
	int n = a->n - 1, column, row = 0, turn, writer;
	int64_t now = -1;

	if (!f || a->n != (l->s.row >= 0 ? 4 : 3))
		return false;
	writer = writer_of(l->w->c->prog, f);
	column = i % a->extent[n] - l->s.left[f->index];
	i /= a->extent[n--];
	if (l->s.row >= 0) {
		row = i % a->extent[n] - l->s.above[f->index];
		i /= a->extent[n--];
	}
	turn = i % a->extent[n];
	*cell = cell_held(f, i / a->extent[n] - f->depth + 1, 0, row, column);
	if (l->s.along < 0)
		return true;
	if (!number_in_code(l, kx_name(l->w->c->mem, l->names->strips.turn),
	    &now))
		now = -1;
	cell->at[ALONG] = turn - (turn > now ? l->s.period : 0) -
		lag_of(l, cell->version - 1, writer);
	return true;
}

/* Changes ----------------------------------------------------------------- */

static void note_change(struct lanes *l, struct held *of)
{
	if (l->log.n == l->log.capacity) {
		struct change *log = region_array(l->w->c->mem, struct change,
			l->log.capacity = 2 * l->log.capacity + 1024);

		if (l->log.n)
			memcpy(log, l->log.change, sizeof(*log) * (size_t) l->log.n);
		l->log.change = log;
	}
	l->log.change[l->log.n++] = (struct change) { of, *of };
}

void hold(struct lanes *l, struct held *of, struct held is)
{
	if (l->log.branches > 0)
		note_change(l, of);
	*of = is;
	l->written++;
}

void undo_changes(struct lanes *l, int n)
{
	while (l->log.n > n) {
		l->log.n--;
		*l->log.change[l->log.n].of = l->log.change[l->log.n].was;
	}
	l->written++;
}

int count_held(const struct lanes *l)
{
	int n = 0;

	for (const struct registers *a = l->arrays; a; a = a->next)
		n += a->size;
	return n;
}

void pass_barrier(struct lanes *l)
{
	for (const struct registers *a = l->arrays; a; a = a->next)
		for (int i = 0; i < a->size && a->is_shared; i++)
			if (a->held[i].left || a->held[i].taken) {
				struct held h = a->held[i];

				h.left = h.taken = false;
				hold(l, &a->held[i], h);
			}
}

static void change_turns(struct lanes *l, const struct registers *a)
{
	for (int i = 0; i < a->size / 2; i++) {
		struct held h = a->held[i];

		hold(l, &a->held[i], a->held[i + a->size / 2]);
		hold(l, &a->held[i + a->size / 2], h);
	}
}

void move_iteration(struct lanes *l, int64_t by)
{
	for (const struct registers *a = l->arrays; a; a = a->next) {
		for (int i = 0; i < a->size; i++) {
			struct held h = a->held[i];

			if (h.kind != CELL && h.kind != PART)
				continue;
			h.at[ALONG] -= (int) by;
			hold(l, &a->held[i], h);
		}
		if (a->has_turns && (by & 1))
			change_turns(l, a);
	}
}
