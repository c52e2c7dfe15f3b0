/* What the emitted file asks about integers that turn before it calls, and what they have behind the loop. */
#include "frontend/c/passes.h"
#include "frontend/c/turn.h"

#include <inttypes.h>

/* Questions ----------------------------------------------------------------*/

/* Are all fields that the array has become copies that its family selects? */
static bool has_copies(const struct stencil *s, const struct c_turned *a)
{
	bool any = false;

	for (const struct c_field *f = s->fields; f; f = f->next) {
		const struct c_member *m = f->decl->member;

		any |= m && m->of == a->decl;	/* see array_behind() */
		if (f->decl != a->decl)
			continue;
		if (f->slot < 0 || f->slot >= a->by->modulus)
			return false;
		any = true;
	}
	return any;
}

/* Where something else than copies is selected, only the values assumed will do. */
static void check_copies(struct stencil *s)
{
	for (const struct c_turned *a = s->at.turns->arrays; a; a = a->next)
		for (struct c_turn *turn = is_chosen(a->by) && !has_copies(s, a) ?
		     s->at.turns->all : NULL; turn; turn = turn->next)
			if (turn->first == a->by)
				turn->modulus = 0;
}

/* What must hold for the values with which "turn" begins. */
static void ask_for_turn(struct stencil *s, const struct c_turn *turn)
{
	const struct c_turn *base = turn->first;
	const char *name = c_name(turn->decl);
	struct text t = { 0 };

	if (!is_chosen(turn)) {
		text_printf(&t, "%s == %" PRId64, name, turn->value[0]);
	} else if (turn == base) {
		text_printf(&t, "%s%s < %" PRId64, is_unsigned(turn->decl->type) ?
			"" : region_printf(s->mem, "%s >= 0 && ", name), name,
			turn->modulus);
	} else {
		text_printf(&t, "%s == ", name);
		print_turned(&t, base, turn->value[0] - base->value[0]);
	}
	ask_for(s, region_strndup(s->mem, t.bytes, t.length));
	text_free(&t);
}

void ask_for_turns(struct stencil *s)
{
	if (!s->at.turns)
		return;
	check_copies(s);
	for (const struct c_turn *turn = s->at.turns->all; turn; turn = turn->next)
		if (turn->is_carried && !turn->is_given)
			ask_for_turn(s, turn);
}

/* Behind the loop ------------------------------------------------------------*/

/* turn = its value after "k" steps of a round; the first of a family comes last, as others are made of it. */
static void print_turn(struct text *t, const struct c_turn *turn, int k)
{
	const struct c_turn *base = turn->first;

	text_printf(t, "%s = ", c_name(turn->decl));
	if (is_chosen(turn))
		print_turned(t, base, turn->value[k] - base->value[0]);
	else
		text_printf(t, "%" PRId64, turn->value[k]);
	text_puts(t, ";\n");
}

/* Those whose values somebody may use behind the loop. */
struct ending {
	const struct stencil *s;
	bool (*is_live)(const struct stencil *s, const struct c_decl *d);
};

/* Has "turn" another value after "k" steps than before them? */
static bool changes(const struct ending *e, const struct c_turn *turn, int k)
{
	return e->is_live(e->s, turn->decl) && (!turn->is_carried ||
		turn->value[k] != turn->value[0]);
}

static void print_changes(struct text *t, const struct ending *e, int k)
{
	const struct c_turn *turn;

	t->indent++;
	for (int first = 0; first < 2; first++)
		for (turn = first_turn(e->s); turn; turn = turn->next)
			if ((turn->first == turn) == first &&
			    changes(e, turn, k))
				print_turn(t, turn, k);
	t->indent--;
}

static bool any_changes(const struct ending *e, int k)
{
	const struct c_turn *turn = first_turn(e->s);

	while (turn && !changes(e, turn, k))
		turn = turn->next;
	return turn;
}

/* The steps that the loop executes: negative or 0 if it has none. */
static void print_steps(struct text *t, const struct stencil *s)
{
	struct poly up = poly_constant(s->time_range.step - 1), steps;

	loop_extent(&s->time_range, &steps);
	poly_add(&steps, &up, 1);
	text_puts(t, steps.n > 1 ? "(" : "");
	poly_print(t, &steps);
	text_puts(t, steps.n > 1 ? ")" : "");
	if (s->time_range.step > 1)
		text_printf(t, " / %" PRId64, s->time_range.step);
}

/* Values that the region assigns before the loop, and that a round brings back. */
static void print_given(struct text *t, const struct ending *e)
{
	for (const struct c_turn *turn = first_turn(e->s); turn; turn = turn->next)
		if (turn->is_carried && turn->is_given &&
		    e->is_live(e->s, turn->decl))
			print_turn(t, turn, 0);
}

/* .. as "steps", "n" of which bring all back, leave them */
static void print_ending(struct text *t, const struct ending *e,
	const char *steps, int n)
{
	const char *otherwise = "";

	print_given(t, e);
	for (int k = 1; k <= n; k++) {
		if (!any_changes(e, k))
			continue;
		text_printf(t, "%sif (%s", otherwise, steps);
		if (k < n)
			text_printf(t, " %% %d == %d) {\n", n, k);
		else
			text_puts(t, " > 0) {\n");
		print_changes(t, e, k);
		otherwise = "} else ";
	}
	text_puts(t, *otherwise ? "}\n" : "");
}

void print_turns(struct text *t, const struct stencil *s,
	bool (*is_live)(const struct stencil *s, const struct c_decl *d))
{
	const struct ending e = { s, is_live };
	struct text steps = { 0 };

	print_steps(&steps, s);
	print_ending(t, &e, steps.bytes, s->n_phases);
	text_free(&steps);
}

void print_turns_by(struct text *t, const struct stencil *s, const char *steps,
	bool (*is_live)(const struct stencil *s, const struct c_decl *d))
{
	const struct ending e = { s, is_live };

	print_ending(t, &e, steps, 2);
}
