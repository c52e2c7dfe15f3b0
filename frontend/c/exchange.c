/* Which arrays change places at the end of a step, in time loops that end early. */
#include "frontend/c/exchange.h"
#include "frontend/c/passes.h"
#include "frontend/c/turn.h"

static const struct c_exchange *exchange_of(const struct stencil *s,
	const struct c_decl *d)
{
	const struct c_exchange *e = s->until.exchanges;

	while (e && e->from != d)
		e = e->next;
	return e;
}

void note_exchange(struct stencil *s, const struct c_decl *from,
	const struct c_decl *to)
{
	struct c_exchange *e;

	if (exchange_of(s, from))
		return;
	e = region_new_of(s->mem, struct c_exchange);
	e->from = from;
	e->to = to;
	e->next = s->until.exchanges;
	s->until.exchanges = e;
}

/* Of pointers in the array "d", those that the step uses. */
static void note_behind(struct stencil *s, const struct c_decl *d)
{
	for (const struct c_field *f = s->fields; f; f = f->next)
		for (const struct c_field *g = s->fields; g; g = g->next)
			if (f->decl != g->decl && f->decl->member &&
			    g->decl->member && f->decl->member->of == d &&
			    g->decl->member->of == d)
				note_exchange(s, f->decl, g->decl);
}

void note_turned(struct stencil *s)
{
	for (const struct c_turned *a = s->at.turns ? s->at.turns->arrays :
	     NULL; a; a = a->next) {
		note_exchange(s, a->decl, a->decl);
		note_behind(s, a->decl);
	}
}

bool refuse_exchange(struct stencil *s, const struct c_decl *d,
	const char *why)
{
	refuse(s, E_C_CONSTRUCT, s->time_loop->condition->at, "this ends the "
		"time loop, in whose steps '%s' changes places, but %s",
		c_name(d), why);
	diag_advice(s->diags, "compute into one array, and copy it back at "
		"the end of the step");
	return false;
}

struct c_field *exchanged_for(const struct stencil *s, const struct c_field *f)
{
	const struct c_exchange *e = exchange_of(s, f->decl);
	struct c_field *other = e ? s->fields : NULL;

	int slot = e && e->from == e->to && f->slot != NO_SLOT ? 1 - f->slot :
		f->slot;

	while (other && (other->decl != e->to || other->slot != slot ||
	       other->part.at != f->part.at || other->part.of != f->part.of))
		other = other->next;
	return other;
}

void share_written(struct stencil *s)
{
	for (struct c_field *f = s->fields; f; f = f->next) {
		const struct c_field *other = exchanged_for(s, f);

		f->is_written |= other && other->is_written;
	}
}

bool check_exchanges(struct stencil *s)
{
	for (const struct c_exchange *e = s->until.exchanges; e; e = e->next) {
		const struct c_exchange *back = exchange_of(s, e->to);

		if (!back || back->to != e->from)
			return refuse_exchange(s, e->from, "not with another "
				"array that has its place in turn");
	}
	for (struct c_field *f = s->fields; f; f = f->next) {
		struct c_field *other = exchanged_for(s, f);

		if (!exchange_of(s, f->decl))
			continue;
		if (!other || other == f || f->local || f->decl->has_rows)
			return refuse_exchange(s, f->decl, "a step does not "
				"use the same elements of both arrays");
		if (f->is_written && other->is_written)
			return refuse_exchange(s, f->decl, "a step writes both "
				"arrays");
	}
	share_written(s);
	return true;
}
