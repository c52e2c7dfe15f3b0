/* Integers that turn with the steps: cur = 1 - cur, and swap(&cur, &next).
 *
 * The statements of the time loop are executed on these integers alone, from the values that they begin with, for
 * some steps: which are back at their beginning, and after how many?  Values that the region does not give are
 * assumed.  Then the same from values beside these: if all copies selected are as many further, modulo their
 * number, what the loop computes does not depend on which copy comes first.
 */
#include "frontend/c/passes.h"
#include "frontend/c/turn_run.h"

static void add_scalar(struct turning *w, const struct c_decl *d)
{
	if (d->n_dims || !is_integer(d->type) || d->is_volatile ||
	    d == w->s->time || find_result(w->s, d) ||
	    (d->member && d->member->is_each) || turn_scalar(w, d) >= 0)
		return;
	if (w->n < MAX_SCALARS)
		w->scalar[w->n] = (struct turn_scalar) { .decl = d,
			.family = w->n };
	w->n++;
}

static void add_scalars(struct turning *w, const struct c_stmt *body)
{
	for (; body && w->n <= MAX_SCALARS; body = body->next) {
		if (body->kind == CS_DECLARE || body->kind == CS_FOR)
			add_scalar(w, body->decl);
		else if (body->kind == CS_ASSIGN && body->target->kind == CX_VAR)
			add_scalar(w, body->target->decl);
		add_scalars(w, body->body);
		add_scalars(w, body->otherwise);
	}
}

/* What the scalar begins with: a constant of the region, or else what its declaration says, or 0. */
static void find_beginning(struct turning *w, struct turn_scalar *own)
{
	const struct c_binding *b = w->s->at.bindings;
	struct poly p;

	while (b && b->decl != own->decl)
		b = b->next;
	own->is_given = b;
	own->begins = own->decl->value;
	own->is_begun = b ? b->value && poly_of(w->s, b->value, &p) &&
		poly_is_constant(&p, &own->begins) : !own->decl->is_inside &&
		!own->decl->is_known;
}

/* Begin with all values "by" further. */
static void begin(struct turning *w, int64_t by)
{
	for (int i = 0; i < w->n; i++) {
		struct turn_scalar *own = &w->scalar[i];
		int64_t most = w->scalar[turn_family(w, i)].most;

		w->now[i] = (struct turn_now) { .value = by && most >= 0 ?
			(own->begins + by) % (most + 1) : own->begins,
			.is_known = own->is_begun };
	}
	w->by = by;
}

/* Does one of the first "up_to" scalars, other than "i" but of its family, begin with "value"? */
static bool is_taken(struct turning *w, int i, int64_t value, int up_to)
{
	for (int k = 0; k < up_to; k++)
		if (k != i && w->scalar[k].is_carried &&
		    w->scalar[k].begins == value &&
		    turn_family(w, k) == turn_family(w, i))
			return true;
	return false;
}

/* Scalars of a family whose values nobody says begin with different ones. */
static void tell_apart(struct turning *w)
{
	for (int i = 0; i < w->n; i++) {
		struct turn_scalar *own = &w->scalar[i];
		int64_t value = 0;

		if (!own->is_carried || own->is_given || own->begins ||
		    !is_taken(w, i, 0, i))
			continue;
		while (is_taken(w, i, value, w->n))
			value++;
		own->begins = value;
	}
}

static void run_rounds(struct turning *w)
{
	for (int round = 0; round <= MAX_ROUNDS; round++) {
		for (int i = 0; i < w->n; i++) {
			w->at_round[round][i] = w->now[i].value;
			w->known_at[round][i] = w->now[i].is_known;
		}
		turn_step(w);
	}
}

/* After how many rounds the value repeats, that before the first included if it is carried; 0: never. */
static int period_of(const struct turning *w, int i)
{
	int from = !w->scalar[i].is_carried;

	for (int round = from; round <= MAX_ROUNDS; round++)
		if (!w->known_at[round][i])
			return 0;
	for (int n = 1; n <= MAX_PHASES; n++) {
		int round = from;

		while (round + n <= MAX_ROUNDS && w->at_round[round][i] ==
		       w->at_round[round + n][i])
			round++;
		if (round + n > MAX_ROUNDS)
			return n;
	}
	return 0;
}

/* The turns -----------------------------------------------------------------*/

/* Do all scalars of the family that are carried repeat their values, and is there one? */
static bool family_turns(struct turning *w, int family)
{
	bool any = false;

	for (int i = 0; i < w->n; i++) {
		if (turn_family(w, i) != family || !w->scalar[i].is_carried)
			continue;
		if (!period_of(w, i))
			return false;
		any = true;
	}
	return any;
}

static void add_turn(struct turning *w, struct c_turns *turns, int i)
{
	struct c_turn **link = &turns->all, *own;

	while (*link)
		link = &(*link)->next;
	*link = own = region_new_of(w->s->mem, struct c_turn);
	own->decl = w->scalar[i].decl;
	own->is_carried = w->scalar[i].is_carried;
	own->is_given = w->scalar[i].is_given;
	for (int k = 0; k <= MAX_PHASES; k++)
		own->value[k] = w->at_round[k][i];
	w->scalar[i].turn = own;
}

/* The turns of one family, the first one carried; the steps after which it repeats. */
static int64_t add_family(struct turning *w, struct c_turns *turns, int family)
{
	struct c_turn *first = NULL;
	int64_t period = 1;

	for (int carried = 1; carried >= 0; carried--)
		for (int i = 0; i < w->n; i++) {
			if (turn_family(w, i) != family ||
			    w->scalar[i].is_carried != carried ||
			    !period_of(w, i))
				continue;
			if (period <= MAX_PHASES)
				period = least_common_multiple(period,
					period_of(w, i));
			add_turn(w, turns, i);
			first = first ? first : w->scalar[i].turn;
			w->scalar[i].turn->first = first;
		}
	return period;
}

/* Which families select copies only, so that others may come first? */
static void compare_runs(struct turning *w, int64_t phases)
{
	int64_t most = 0;

	begin(w, 0);
	for (int i = 0; i < w->n; i++)
		w->scalar[i].most = 0;
	turn_note_steps(w, phases);
	for (int i = 0; i < w->n; i++)
		most = w->scalar[i].turn && w->scalar[i].most > most ?
			w->scalar[i].most : most;
	for (int64_t by = 1; by <= most && by <= MAX_PHASES; by++) {
		begin(w, by);
		turn_note_steps(w, phases);
		if (*w->end)
			turn_is_exact(w, (*w->end)->family);
	}
}

static void add_arrays(struct turning *w, struct c_turns *turns)
{
	for (const struct turn_array *a = w->arrays; a; a = a->next) {
		struct turn_scalar *family = a->family < 0 ? NULL :
			&w->scalar[turn_family(w, a->family)];
		struct c_turned *own;
		struct c_turn *by = turns->all;

		while (by && family && (by->first != by || &w->scalar[turn_family(
		       w, turn_scalar(w, by->decl))] != family))
			by = by->next;
		if (!family || !by)
			continue;
		family->is_exact |= a->is_mixed;
		own = region_new_of(w->s->mem, struct c_turned);
		own->decl = a->decl;
		own->by = by;
		own->next = turns->arrays;
		turns->arrays = own;
	}
}

/* Does the region say what a carried scalar of the family begins with? */
static bool is_any_given(struct turning *w, int family)
{
	for (int i = 0; i < w->n; i++)
		if (turn_family(w, i) == family && w->scalar[i].is_carried &&
		    w->scalar[i].is_given)
			return true;
	return false;
}

/* Give each family its number of copies. */
static void set_moduli(struct turning *w)
{
	for (int i = 0; i < w->n; i++) {
		int family = turn_family(w, i);
		const struct turn_scalar *all = &w->scalar[family];

		if (!w->scalar[i].turn)
			continue;
		w->scalar[i].turn->is_fixed = is_any_given(w, family);
		if (!all->is_exact && all->most > 0 && all->most < MAX_PHASES)
			w->scalar[i].turn->modulus = all->most + 1;
	}
}

/* The scalars of the time loop; NULL: there are none, or too many. */
static struct turning *new_turning(struct stencil *s)
{
	struct turning *w = region_new_of(s->mem, struct turning);

	w->s = s;
	add_scalars(w, s->time_loop->body);
	return w->n && w->n <= MAX_SCALARS ? w : NULL;
}

bool hands_on_copies(struct stencil *s)
{
	struct turning *w = new_turning(s);

	if (!w)
		return false;
	for (int i = 0; i < w->n; i++)
		w->scalar[i].is_begun = true;
	begin(w, 0);
	turn_step(w);
	for (const struct turn_array *a = w->arrays; a; a = a->next)
		for (int i = 0; i < w->n && a->family >= 0; i++)
			if (w->scalar[i].is_carried && turn_family(w, i) ==
			    turn_family(w, a->family))
				return true;
	return false;
}

int find_turns(struct stencil *s)
{
	struct turning *w = new_turning(s);
	struct c_turns *turns = region_new_of(s->mem, struct c_turns);
	int64_t period = 1;
	bool any = false;

	if (!w)
		return 1;
	for (int i = 0; i < w->n; i++)
		find_beginning(w, &w->scalar[i]);
	begin(w, 0);
	turn_step(w);
	for (int i = 0; i < w->n; i++)
		any |= w->scalar[i].is_carried && w->scalar[i].is_begun &&
			w->now[i].is_known;
	if (!any)
		return 1;
	tell_apart(w);
	begin(w, 0);
	run_rounds(w);
	for (int i = 0; i < w->n && period <= MAX_PHASES; i++)
		if (turn_family(w, i) == i && family_turns(w, i))
			period = least_common_multiple(period, add_family(w,
				turns, i));
	if (!turns->all || period > MAX_PHASES)
		return (int) (turns->all ? MAX_PHASES + 1 : 1);
	compare_runs(w, period);
	add_arrays(w, turns);
	set_moduli(w);
	s->at.turns = turns;
	return (int) period;
}
