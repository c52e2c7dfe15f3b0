/* Checks of the whole program: fields without a statement, or with two, and
 * names that nothing uses.
 */
#include "frontend/components.h"

static void check_written(struct lower *l, const struct symbol *s)
{
	if (s->item->field_kind == FIELD_INPUT || s->first_write || !s->used)
		return;
	diag(l->diags, E_NEVER_WRITTEN, s->at,
		"no statement computes '%s', which is %s", s->name,
		symbol_what(s));
	diag_advice(l->diags, s->read ?
		"if the caller gives its values, it is an 'input'" :
		"remove it, or compute it");
}

static void check_unused(struct lower *l, const struct symbol *s)
{
	if (s->used || s->is_lent || s->kind == SYMBOL_TIME || s->kind == SYMBOL_UNKNOWN)
		return;
	diag(l->diags, E_UNUSED, s->at, "'%s' is %s that nothing uses",
		s->name, symbol_what(s));
	diag_advice(l->diags, "remove it, or use it");
}

static void check_temp(struct lower *l, const struct symbol *s)
{
	if (s->item->field_kind != FIELD_TEMP || s->read || !s->used)
		return;
	diag(l->diags, E_UNUSED, s->at,
		"the temp '%s' is computed, but nothing reads it", s->name);
	diag_advice(l->diags,
		"remove it, or make it an 'output' to hand it to the caller");
}

static const struct update *first_write(const struct symbol *s)
{
	return s->components ? s->components->part[0]->first_write :
		s->first_write;
}

/* Does a reduction give "s", which the loop's end uses? */
static void check_result(struct lower *l, const struct symbol *s)
{
	if (first_write(s) || !s->read)
		return;
	diag(l->diags, E_NEVER_WRITTEN, s->at, "no reduction gives '%s', which "
		"is a result", s->name);
	diag_advice(l->diags, "compute it, as in '%s = max (i) u[t+1][i];'",
		s->name);
}

/* Suggest a component also for a row that a number should have picked. */
static void check_components(struct lower *l, const struct symbol *s)
{
	const struct components *of = s->components;

	for (int i = 0; i < of->n; i++) {
		if (first_write(of->part[i]))
			continue;
		diag(l->diags, E_NEVER_WRITTEN, s->at, "'%s' has components, "
			"numbers in front of its indices, and no statement "
			"computes '%s'", s->name, of->part[i]->name);
		diag_advice(l->diags, "compute all of them; a row or plane of "
			"one grid is picked by 'on (i == 0) ..'");
		return;
	}
}

static void check_complex(struct lower *l, const struct symbol *s)
{
	struct symbol whole = *s;

	if (s->kind != SYMBOL_FIELD)
		return;
	whole.first_write = s->components->part[0]->first_write;
	check_written(l, &whole);
	check_temp(l, &whole);
}

static void check_symbol(struct lower *l, const struct symbol *s)
{
	if (s->part_of && (s->part_of->components->is_complex || !s->first_write))
		return;
	if (s->components && s->components->is_complex)
		check_complex(l, s);
	else if (s->components)
		check_components(l, s);
	check_unused(l, s);
	if (s->kind == SYMBOL_RESULT)
		check_result(l, s);
	if (s->kind != SYMBOL_FIELD || s->components)
		return;
	check_written(l, s);
	check_temp(l, s);
}

void check_program(struct lower *l)
{
	const struct symbol *s;

	if (!l->updates) {
		diag(l->diags, E_EMPTY, l->ast->name.at,
			"the program '%s' computes nothing",
			l->ast->name.text);
		diag_advice(l->diags, "a statement is "
			"'A[t+1][i] = ...;', in 'iterate t = 0 .. T { }'");
		return;
	}
	for (s = l->first; s && !diag_full(l->diags); s = s->next)
		check_symbol(l, s);
	if (l->ast->is_text)
		check_doubles(l);
}
