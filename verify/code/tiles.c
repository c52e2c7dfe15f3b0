/* What is reduced in tiles of C, at steps in the midst of them:
 *
 *	a tile: for (step) {
 *		the rows of the step
 *		if ((t + 1) % every == 0)
 *			add the box of the last row to slot (t + 1) / every % n
 *	}
 *	behind all tiles of a band: for (due: those of its steps that no later band has)
 *		e[due - 1] = the value of slot due % n
 *
 * Tiles cover each point of a row of a step once, so the boxes do.  A slot is free again
 * when its value is there: n is at least as many as are due in all steps between the
 * first that a band has and the last one.
 */
#include <string.h>

#include "verify/code/segments.h"

bool reduction_in_tiles(const struct code *w, int i)
{
	return w->c->plan && w->c->plan->tiles.reduces &&
		reduction_is_seen(w->c->prog, w->c->prog->reduction[i]);
}

/* What names of functions of the run begin with: NAME_run is another one's with plans. */
static const char *run_name(const struct code *w)
{
	return region_printf(w->c->mem, w->unit->handles ? "%s_steps" :
		"%s_run", w->c->prog->name);
}

const char *tile_reduction_name(const struct code *w, int i)
{
	return region_printf(w->c->mem, "%s_reduce%d", run_name(w), i);
}

/* The last call in a function of one with this name, or this name and a number. */
struct tile_call {
	const struct ks *at, *around, *block;	/* the "if" around it, or NULL; the
						 * block that has it or the "if" */
	const struct kx *x;
	int place;				/* there */
};

static void find_call(struct tile_call *c, const struct ks *s, const char *name,
	bool whole, struct tile_call here)
{
	const struct kx *x = s->kind == KS_DECLARE ? NULL : call_made(s);
	size_t length = strlen(name);

	if (x && !strncmp(x->name, name, length) &&
	    !x->name[length + (whole ? 0 : strspn(x->name + length,
	    "0123456789"))])
		*c = (struct tile_call) { s, here.around, here.block, x, here.place };
	for (int i = 0; i < s->n_children; i++) {
		struct tile_call at = here;

		at.around = s->kind == KS_IF ? s : NULL;
		if (s->kind == KS_BLOCK) {
			at.block = s;
			at.place = i;
		}
		find_call(c, s->child[i], name, whole, at);
	}
}

static struct tile_call call_of(const struct ks *s, const char *name, bool whole)
{
	struct tile_call c = { .at = NULL };

	find_call(&c, s, name, whole, (struct tile_call) { .at = NULL });
	return c;
}

/* What "call" gives for the parameter "param", or NULL. */
static const struct kx *argument(const struct code *w, const struct kx *call,
	const char *param)
{
	return argument_for(w, call->name, call->arg, param);
}

static const struct kx *number(const struct code *w, int64_t value)
{
	return kx_int(w->c->mem, value);
}

/* a op b */
static const struct kx *with(const struct code *w, const struct kx *a, enum op op,
	int64_t b)
{
	return kx_binary(w->c->mem, op, a, number(w, b));
}

/* t + 1 */
static const struct kx *steps_done(const struct code *w)
{
	return kx_add(w->c->mem, kx_name(w->c->mem, kernel_names_new(w->c->mem,
		w->c->prog)->time), 1);
}

/* As many as are due in the steps that bands have at a time, at the most. */
static int64_t slots_needed(const struct code *w, int64_t every)
{
	const struct plan *p = w->c->plan;

	return (p->time_pitch + p->time_shift[0] - p->time_shift[1] + every - 1)
		/ every;
}

/* x % n: n, or 0; at least "needed" */
static int64_t slots_of(const struct kx *x, int64_t needed)
{
	if (needed == 1 && kx_is_int(x, 0))
		return 1;
	return x->kind == KX_BINARY && x->op == OP_MOD && x->arg[1]->kind ==
		KX_INT && x->arg[1]->ivalue >= needed ? x->arg[1]->ivalue : 0;
}

/* Is each parameter that both calls have, but time and slot, the same? */
static bool is_same_box(const struct code *w, const struct kx *call,
	const struct kx *rows)
{
	const struct kfunc *f = unit_function(w->unit, call->name);
	const char *slot = fresh_name(w->c->mem, w->c->prog, "slot");
	const char *time = kernel_names_new(w->c->mem, w->c->prog)->time;

	for (int i = 0; i < f->n_params; i++) {
		const char *param = f->param[i].name;
		const struct kx *theirs = argument(w, rows, param);

		if (!strcmp(param, slot) || !strcmp(param, time))
			continue;
		if (theirs && !kx_same(call->arg[i], theirs))
			return false;
	}
	return true;
}

/* The condition that (t + 1) % every == 0, or none if that always holds. */
static bool is_due_at_step(const struct code *w, const struct ks *around,
	int64_t every)
{
	return every == 1 ? !around : around && kx_same(around->x[0], with(w,
		with(w, steps_done(w), OP_MOD, every), OP_EQ, 0));
}

/* The slot of the step, and the user's time of it. */
static bool has_slot_and_time(const struct code *w, const struct kx *call,
	int64_t every, int64_t *slots)
{
	const struct program *p = w->c->prog;
	const char *name = kernel_names_new(w->c->mem, p)->time;
	const struct kx *slot = argument(w, call, fresh_name(w->c->mem, p,
		"slot"));
	const struct kx *time = argument(w, call, name);

	*slots = slot ? slots_of(slot, slots_needed(w, every)) : 0;
	return *slots > 0 && (*slots == 1 || kx_same(slot, with(w, with(w,
		steps_done(w), OP_DIV, every), OP_MOD, *slots))) && (!time ||
			kx_same(time, kx_binary(w->c->mem, OP_ADD, kx_name(
				w->c->mem, p->segments->first->name), kx_name(
					w->c->mem, name))));
}

/* The boxes of a tile, behind all rows of the step. */
static bool boxes_are_right(struct code *w, int i, int64_t *slots)
{
	const struct reduction *r = w->c->prog->reduction[i];
	const char *run = run_name(w);
	const struct kfunc *tile = unit_function(w->unit, region_printf(
		w->c->mem, "%s_tile", run));
	struct tile_call c = { .at = NULL }, rows = { .at = NULL };

	if (tile) {
		c = call_of(tile->body, tile_reduction_name(w, i), true);
		rows = call_of(tile->body, region_printf(w->c->mem,
			"%s_rows", run), false);
	}
	if (!c.at || !rows.at || rows.block != c.block || rows.place > c.place)
		return refute(w->c, "'%s' is not computed behind the rows of a "
			"step", r->result->name);
	if (!is_due_at_step(w, c.around, r->every))
		return refute(w->c, "'%s' is not computed at the steps where it "
			"is due", r->result->name);
	return (is_same_box(w, c.x, rows.x) && has_slot_and_time(w, c.x,
		r->every, slots)) || refute(w->c, "'%s' is not computed of the "
			"rows of the step", r->result->name);
}

/* max(T*pitch - shift, 0), or min(T*pitch + pitch - shift, steps): what is done before a band,
 * and behind it.
 */
static const struct kx *done_at_band(const struct code *w, bool behind)
{
	const struct plan *plan = w->c->plan;
	const struct kernel_names *n = kernel_names_new(w->c->mem, w->c->prog);
	const struct kx *start = with(w, kx_name(w->c->mem, n->tt), OP_MUL,
		plan->time_pitch);
	int64_t shift = plan->time_shift[0];

	return behind ? kx_min(w->c->mem, kx_add(w->c->mem, start,
		plan->time_pitch - shift), kx_name(w->c->mem, n->steps)) :
		kx_max(w->c->mem, kx_add(w->c->mem, start, -shift), number(w,
			0));
}

/* Is "loop" that over the numbers of values which a band has done, in the run? */
static bool is_of_band(const struct code *w, const struct ks *loop,
	int64_t every)
{
	const struct kx *due = kx_name(w->c->mem, loop->name);

	return kx_same(loop->x[0], kx_add(w->c->mem, with(w, done_at_band(w,
		false), OP_DIV, every), 1)) && kx_same(loop->x[1], kx_binary(
			w->c->mem, OP_LE, due, with(w, done_at_band(w, true),
				OP_DIV, every))) && kx_is_int(loop->x[2], 1);
}

/* The loop whose body is "s". */
static const struct ks *loop_around(const struct ks *in, const struct ks *s)
{
	const struct ks *found = NULL;

	for (int i = 0; !found && i < in->n_children; i++)
		found = in->kind == KS_FOR && in->child[i] == s ? in :
			loop_around(in->child[i], s);
	return found;
}

/* e[due - 1] = the value of slot due % slots */
static bool value_is_right(const struct code *w, const struct ks *loop,
	const struct tile_call *c, int64_t slots)
{
	const struct kx *due = kx_name(w->c->mem, loop->name);
	const struct kx *slot = argument(w, c->x, fresh_name(w->c->mem,
		w->c->prog, "slot"));

	return c->at->kind == KS_ASSIGN && c->at->x[0]->kind == KX_INDEX &&
		kx_same(c->at->x[0]->arg[0], kx_add(w->c->mem, due, -1)) &&
		slot && (slots == 1 ? kx_is_int(slot, 0) : kx_same(slot, with(w,
			due, OP_MOD, slots)));
}

static bool values_are_right(struct code *w, int i, int64_t slots)
{
	const struct reduction *r = w->c->prog->reduction[i];
	const struct kfunc *run = unit_function(w->unit, run_name(w));
	const struct ks *loop = NULL;
	struct tile_call c = { .at = NULL };

	if (run) {
		c = call_of(run->body, region_printf(w->c->mem,
			"%s_reduced%d", run_name(w), i), true);
		loop = c.at ? loop_around(run->body, c.at) : NULL;
	}
	return (loop && is_of_band(w, loop, r->every) && value_is_right(w, loop,
		&c, slots)) || refute(w->c, "a value of '%s' is not there when "
			"its step is done, or goes where it does not belong",
			r->result->name);
}

bool reductions_of_tiles_are_right(struct code *w)
{
	for (int i = 0; i < w->c->prog->n_reductions; i++) {
		int64_t slots = 0;

		if (reduction_in_tiles(w, i) && (!boxes_are_right(w, i,
		    &slots) || !values_are_right(w, i, slots)))
			return false;
	}
	return true;
}
