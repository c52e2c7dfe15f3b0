/* Cells around a grid that each step copies at its end, for the next one: see ghost.c. */
#include "frontend/c/ghost_find.h"
#include "frontend/c/passes.h"

#include <limits.h>

/* The last copy of the "phase"; NULL: there is none. */
static const struct c_update *last_copy(const struct ghost_search *g, int phase)
{
	const struct c_update *last = NULL;

	for (const struct c_update *u = g->s->updates; u; u = u->next)
		if (u->place.phase == phase && is_copy_around(g->s, g->field, u) &&
		    (!last || u->place.order > last->place.order))
			last = u;
	return last;
}

/* Is "a", the array in the phase, read or written before all copies there, or read behind them? */
static bool stands_apart(const struct ghost_search *g, const struct c_access *a, bool is_read)
{
	bool before = true, behind = is_read;

	for (const struct c_update *u = g->s->updates; u && a->field == g->field; u = u->next) {
		if (u->place.phase != g->phase || !is_copy_around(g->s, g->field, u))
			continue;
		before &= a->place.order < u->place.order && !share_loops(u->place.loop, a->place.loop);
		behind &= a->place.order > u->place.order && !share_loops(u->place.loop, a->place.loop);
	}
	return before || behind;
}

static bool reads_apart(void *user, struct c_access *a)
{
	return stands_apart(user, a, true);
}

static bool copies_stand_apart(struct ghost_search *g)
{
	for (struct c_update *u = g->s->updates; u; u = u->next)
		if (u->place.phase == g->phase && !is_copy_around(g->s, g->field, u) &&
		    !(update_reads(u, reads_apart, g) && stands_apart(g, u->write, false)))
			return false;
	return true;
}

/* Does anything but copies write the array in the "phase"? */
static bool is_written_in(const struct ghost_search *g, int phase)
{
	for (const struct c_update *u = g->s->updates; u; u = u->next)
		if (u->place.phase == phase && u->write->field == g->field && !is_copy_around(g->s, g->field, u))
			return true;
	return false;
}

/* The last phase before this one that copies, perhaps in the round before; -1: none does.  The cells are stale if
 * something has written the array since then.
 */
static int copying_phase(struct ghost_search *g)
{
	const int n = g->s->n_phases;

	g->is_stale = false;
	for (int back = 1; back <= n; back++) {
		const int phase = (g->phase + n - back) % n;

		if (last_copy(g, phase))
			return phase;
		g->is_stale |= is_written_in(g, phase);
	}
	return -1;
}

/* Is each cell that the phase reads beside the grid, before or behind its own copies as "part" says, one that those of the
 * phase "from" have written, with what a cell of the grid has?
 */
static bool check_part(struct ghost_search *g, int from, int part)
{
	const int phase = g->phase;
	const struct c_update *own = last_copy(g, phase);
	bool fine;

	g->phase = from;
	g->last = -1;
	fine = follow_copies(g) && stand_for_grid(g, isl_set_copy(g->written));
	g->phase = phase;
	g->copied = own ? own->place.order : INT_MAX;
	g->looks_at = part;
	g->last = -1;
	g->reads_old = false;
	fine = fine && others_agree(g);
	g->ghosts->leaves_first |= part == BEFORE && from >= phase && g->reads_old;
	forget_copies(g);
	return fine;
}

static bool check_phase(struct ghost_search *g)
{
	const int from = copying_phase(g);
	bool fine = copies_stand_apart(g) && check_part(g, from, BEFORE);

	g->is_stale = false;
	return fine && (!last_copy(g, g->phase) || check_part(g, g->phase, BEHIND));
}

static bool runs_by_ones(const struct c_loop *loop)
{
	while (loop && loop->step == 1 && !loop->start)
		loop = loop->outer;
	return !loop;
}

/* Can copies be executed once more, by loops of their own? */
static bool can_repeat_copies(const struct ghost_search *g)
{
	for (const struct c_update *u = g->s->updates; u; u = u->next)
		if (is_copy_around(g->s, g->field, u) && !runs_by_ones(u->place.loop))
			return false;
	return true;
}

bool copies_come_last(struct ghost_search *g)
{
	const int n = g->s->n_phases;
	bool right = can_repeat_copies(g) && need_steps(g, n);

	g->ghosts->rounds = 0;
	for (g->phase = 0; right && g->phase < n; g->phase++)
		right = check_phase(g);
	return right && (!g->ghosts->leaves_first || (may_leave_first_round(g->s) && need_steps(g, n + 1)));
}
