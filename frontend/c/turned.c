/* Which copy of an array integers that turn select. */
#include "frontend/c/passes.h"
#include "frontend/c/turn.h"

#include <inttypes.h>
#include <string.h>

const struct c_turn *first_turn(const struct stencil *s)
{
	return s->at.turns ? s->at.turns->all : NULL;
}

bool is_turn(const struct stencil *s, const struct c_decl *d)
{
	const struct c_turn *turn = first_turn(s);

	while (turn && turn->decl != d)
		turn = turn->next;
	return turn;
}

bool is_chosen(const struct c_turn *turn)
{
	return turn->modulus && !turn->is_fixed;
}

bool turns_exchange(const struct stencil *s)
{
	const struct c_turn *turn = first_turn(s);
	const struct c_turned *a = turn ? s->at.turns->arrays : NULL;

	while (turn && turn->modulus == 2)
		turn = turn->next;
	while (a && a->decl->n_dims > 1)
		a = a->next;
	return !turn && !a;
}

bool turns_begin_anew(const struct stencil *s)
{
	const struct c_turn *turn = first_turn(s);

	while (turn && !(turn->is_carried && turn->is_given))
		turn = turn->next;
	return turn;
}

/* Copies -------------------------------------------------------------------*/

void print_turned(struct text *t, const struct c_turn *base, int64_t by)
{
	int64_t n = base->modulus;
	const char *name = c_name(base->decl);

	by = (by % n + n) % n;
	if (!by)
		text_puts(t, name);
	else if (n == 2)
		text_printf(t, "1 - %s", name);
	else
		text_printf(t, "(%s + %" PRId64 ") %% %" PRId64, name, by, n);
}

/* What selects the copies of "d"; NULL: they are always the same ones. */
static const struct c_turn *turn_of(const struct stencil *s, const struct c_decl *d)
{
	const struct c_turned *a = s->at.turns ? s->at.turns->arrays : NULL;

	while (a && a->decl != d)
		a = a->next;
	return a && is_chosen(a->by) ? a->by : NULL;
}

int count_turned(const struct stencil *s, const struct c_field *f)
{
	const struct c_turn *turn = f->slot == NO_SLOT ? NULL :
		turn_of(s, f->decl);

	return turn ? (int) turn->modulus : 0;
}

void print_slot(struct text *t, const struct stencil *s, const struct c_decl *d,
	int slot)
{
	const struct c_turn *turn = turn_of(s, d);

	if (turn)
		print_turned(t, turn, slot - turn->value[0]);
	else
		text_printf(t, "%d", slot);
}

/* Arrays of pointers ---------------------------------------------------------*/

/* Has an element of "d", as double (*d[2])[m], rows of its own behind pointers? */
static bool has_more_rows(const struct c_decl *d)
{
	for (int i = 2; i < d->n_dims; i++)
		if (!d->size[i])
			return true;
	return false;
}

const struct c_decl *array_behind(struct stencil *s, const struct c_decl *d,
	int number)
{
	const char *name = region_printf(s->mem, "%d", number);
	struct text spelling = { 0 };
	struct c_decl *own;
	struct c_member *m;

	for (const struct c_field *f = s->fields; f; f = f->next)
		if (f->decl->member && f->decl->member->of == d &&
		    !strcmp(f->decl->member->field, name))
			return f->decl;
	own = region_new_of(s->mem, struct c_decl);
	m = region_new_of(s->mem, struct c_member);
	*own = *d;
	m->of = (struct c_decl *) d;
	m->field = name;
	text_printf(&spelling, "%s[", c_name(d));
	print_slot(&spelling, s, d, number);
	text_puts(&spelling, "]");
	m->spelling = region_strndup(s->mem, spelling.bytes, spelling.length);
	text_free(&spelling);
	own->member = m;
	own->members = own->next = NULL;
	own->name = region_printf(s->mem, "%s_%s", d->name, name);
	own->n_dims--;
	for (int i = 0; i < own->n_dims; i++)
		own->size[i] = i ? d->size[i + 1] : NULL;
	own->is_pointer = true;
	own->is_decayed = own->is_restrict = own->is_allocated = false;
	own->has_rows = has_more_rows(d);
	return own;
}
