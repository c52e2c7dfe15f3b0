/* The meaning of reads beyond a field's grid. */
#include "frontend/complex.h"
#include "frontend/components.h"
#include "frontend/reads.h"

#include <inttypes.h>
#include <string.h>

static const char *word_of(int kind)
{
	return boundary_info((enum boundary_kind) kind)->word;
}

/* "fixed, periodic, mirror, clamp or value(e)" */
static void advise_kinds(struct lower *l)
{
	struct text t = { 0 };

	for (int i = 0; i < BOUNDARY_KINDS; ++i)
		text_printf(&t, "%s%s%s", i == 0 ? "" :
			i < BOUNDARY_KINDS - 1 ? ", " : " or ", word_of(i),
			i == BOUNDARY_VALUE ? "(e)" : "");
	diag_advice(l->diags, "a boundary is %s", t.bytes);
	text_free(&t);
}

/* Other names for boundaries, and ours. */
static const char *known_elsewhere(const char *word)
{
	static const struct {
		const char *word, *advice;
	} known[] = {
		{ "dirichlet", "cells at the ends that keep their values are "
			"'fixed'; a value beyond the grid is 'value(e)'" },
		{ "neumann", "no flux is 'mirror' if the last cell lies on the "
			"wall, 'clamp' if the wall is behind it" },
		{ "robin", "a value beyond the grid is 'value(e)', where 'e' "
			"has inputs, the time and indices" },
		{ "reflect", "'mirror' has A[-1] = A[1], 'odd' the same with "
			"the other sign" },
		{ "reflecting", "'mirror' has A[-1] = A[1], 'odd' the same "
			"with the other sign" },
		{ "symmetric", "'mirror' has A[-1] = A[1], 'clamp' has "
			"A[-1] = A[0]" },
		{ "antisymmetric", "'odd' has A[-1] = -A[1]" },
		{ "wrap", "a grid without ends is 'periodic'" },
		{ "cyclic", "a grid without ends is 'periodic'" },
		{ "nearest", "'clamp' has A[-1] = A[0]" },
		{ "edge", "'clamp' has A[-1] = A[0]" },
		{ "zero", "a value beyond the grid is 'value(0)'" },
		{ "constant", "a value beyond the grid is 'value(e)'" },
		{ "open", "waves leave by a sponge or a layer: 'use absorb;'" },
		{ "absorbing", "waves leave by a sponge or a layer: "
			"'use absorb;'" },
		{ "absorb", "waves leave by a sponge or a layer: 'use absorb;'" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(word, known[i].word))
			return known[i].advice;
	return NULL;
}

static bool refuse_boundary(struct lower *l, const struct ast_item *item)
{
	const char *advice = known_elsewhere(item->boundary.text);
	const char *similar = NULL;

	for (int i = 0; i < BOUNDARY_KINDS; ++i)
		similar = more_similar(item->boundary.text, similar,
			word_of(i));
	diag(l->diags, E_BOUNDARY, item->boundary.at,
		"there is no boundary '%s'", item->boundary.text);
	if (advice)
		diag_advice(l->diags, "%s", advice);
	else if (similar)
		diag_fixit(l->diags, item->boundary.at, "%s", similar);
	else
		advise_kinds(l);
	return false;
}

static bool find_kind(struct lower *l, const struct ast_item *item,
	enum boundary_kind *kind)
{
	bool has_value = item->value;

	for (int i = 0; i < BOUNDARY_KINDS; ++i) {
		if (strcmp(item->boundary.text, word_of(i)))
			continue;
		*kind = (enum boundary_kind) i;
		if (has_value == (*kind == BOUNDARY_VALUE))
			return true;
		diag(l->diags, E_BOUNDARY, item->boundary.at, has_value ?
			"the boundary '%s' takes no value" :
			"the boundary '%s' needs its value, as in 'value(0)'",
			word_of(i));
		return false;
	}
	return refuse_boundary(l, item);
}

static struct symbol *find_field(struct context *c, struct ast_name name)
{
	struct symbol *s = find_symbol(c->l, name.text);

	if (!s || s->kind == SYMBOL_UNKNOWN) {
		report_undeclared(c, name, USED_AS_FIELD);
		return NULL;
	}
	if (s->kind == SYMBOL_FIELD)
		return s->field || s->components ? s : NULL;
	diag(c->l->diags, E_KIND, name.at,
		"'%s' is %s: only a field has a boundary", name.text,
		symbol_what(s));
	diag_note(c->l->diags, s->at, "it is declared here");
	return NULL;
}

/* The dimension that "e" names, ALL_DIMS for all. */
static bool find_dimension(struct context *c, struct ast_expr *e,
	const struct field *f, int *dim)
{
	int64_t d;

	*dim = ALL_DIMS;
	if (!e)
		return true;
	if (!lower_int(c, e, "a dimension", &d))
		return false;
	*dim = (int) d;
	if (d >= 0 && d < f->n_dims)
		return true;
	diag(c->l->diags, E_BOUNDARY, e->at,
		"'%s' has no dimension %" PRId64 "; its last is %d", f->name,
		d, f->n_dims - 1);
	return false;
}

/* The side that "e" names, SIDES for both. */
static bool find_side(struct lower *l, const struct ast_item *item, int *side)
{
	static const char *const words[SIDES] = { "low", "high" };
	const char *similar;

	*side = SIDES;
	if (!item->side.text)
		return true;
	for (*side = 0; *side < SIDES; ++*side)
		if (!strcmp(item->side.text, words[*side]))
			return true;
	diag(l->diags, E_BOUNDARY, item->side.at, "a dimension has no side "
		"'%s'", item->side.text);
	similar = more_similar(item->side.text, more_similar(item->side.text,
		NULL, words[SIDE_LOW]), words[SIDE_HIGH]);
	if (similar)
		diag_fixit(l->diags, item->side.at, "%s", similar);
	else
		diag_advice(l->diags, "its sides are 'low', before "
			"cell 0, and 'high', after the last cell");
	return false;
}

/* How specific a boundary of "dim", ALL_DIMS for all, and "side", SIDES for both, is: the more
 * specific one wins.
 */
static int precision(int dim, int side)
{
	return 2 * (dim != ALL_DIMS) + (side != SIDES);
}

/* The precision of what the program has said so far about "side" of "dim", or
 * -1.
 */
static int given(const struct symbol *s, int dim, int side)
{
	int most = -1;

	for (int i = 0; i < 4; ++i) {
		int d = i / 2 ? dim : ALL_DIMS, e = i % 2 ? side : SIDES;

		if (s->boundary_at[d][e].end)
			most = precision(d, e);
	}
	return most;
}

static void set_boundary(struct lower *l, struct symbol *s, int dim, int side,
	const struct boundary *b)
{
	struct span *seen = &s->boundary_at[dim][side];

	if (seen->end) {
		diag(l->diags, E_REDEFINED, b->at,
			"this boundary is given twice");
		diag_note(l->diags, *seen, "it is given here");
		return;
	}
	for (int d = 0; d < s->field->n_dims; ++d)
		for (int e = 0; e < SIDES; ++e)
			if ((dim == ALL_DIMS || d == dim) &&
			    (side == SIDES || e == side) &&
			    given(s, d, e) < precision(dim, side))
				s->field->boundary[d][e] = *b;
	*seen = b->at;
}

/* The left side whose indices the boundary values of "s" use: the first one that writes "s",
 * for an input the first one with as many indices; or NULL.
 */
static struct ast_expr *first_left_side(const struct lower *l,
	const struct symbol *s)
{
	bool is_input = s->item->field_kind == FIELD_INPUT;

	for (const struct update *u = l->updates; u; u = u->next) {
		const struct symbol *written = find_symbol(l,
			u->item->element->name.text);

		if (u->list || !written || written->kind != SYMBOL_FIELD ||
		    !written->field)
			continue;
		if (is_input ? written->field->n_dims == s->field->n_dims :
		    written == s)
			return u->item->element;
	}
	return NULL;
}

/* Errors in a left side are reported by its own statement. */
static void bind_indices(struct context *c, const struct symbol *s)
{
	struct ast_expr *left = first_left_side(c->l, s), *subscript;
	int first;

	if (!left)
		return;
	subscript = left->args;
	first = left->n_args - s->field->n_dims;
	for (int i = 0; subscript; ++i, subscript = subscript->next) {
		struct binding *b = region_new_of(c->l->mem, struct binding);

		if (i < first || subscript->kind != AST_NAME)
			continue;
		b->name = subscript->name.text;
		b->at = subscript->at;
		b->kind = BIND_INDEX;
		b->dim = i - first;
		b->outer = c->bindings;
		c->bindings = b;
	}
}

/* The boundary "item" of "s", a field or part of one, along the dimension that "e" names. */
static void lower_boundary_of(struct lower *l, const struct ast_item *item,
	struct symbol *s, struct ast_expr *e)
{
	struct beyond beyond;
	struct context c = { .l = l, .timed = l->time, .beyond = &beyond };
	struct boundary b = { .at = item->at };
	int side;

	if (!s->field || !find_kind(l, item, &b.kind) ||
	    !find_dimension(&c, e, s->field, &beyond.dim) ||
	    !find_side(l, item, &side))
		return;
	if (item->value) {
		beyond.field = s->field;
		bind_indices(&c, s);
		b.value = lower_expr(&c, item->value);
		if (!b.value)
			return;
		b.value = convert(&c, s->field->type, b.value);
	}
	set_boundary(l, s, beyond.dim, side, &b);
}

/* .. of all its parts. */
static void lower_boundary_of_parts(struct lower *l,
	const struct ast_item *item, struct symbol *s, struct ast_expr *e)
{
	const struct components *of = s->components;
	const unsigned errors = l->diags->errors;

	if (!of)
		lower_boundary_of(l, item, s, e);
	for (int i = 0; of && i < of->n && l->diags->errors == errors; i++)
		lower_boundary_of_parts(l, of->is_complex ? part_of_item(l,
			item, i) : item, of->part[i], e);
}

/* How many brackets may "item" have, for component and dimension? */
static bool check_brackets(struct lower *l, const struct ast_item *item,
	const struct symbol *s)
{
	int n = item->dims.n, parts = s->components ? s->components->n_dims : 0;

	if (n < 2 || (parts && n == parts + 1))
		return true;
	diag(l->diags, E_BOUNDARY, item->at, "'%s' has %d brackets: a boundary "
		"names a dimension%s", quote(l, item->at), n, parts ? ", and in "
		"front of it the component" : "");
	diag_advice(l->diags, "write 'boundary %s[0] = ..' for dimension 0",
		s->name);
	return false;
}

/* A boundary that names "one" component wins over one that names none. */
static void lower_boundary(struct lower *l, const struct ast_item *item,
	bool one)
{
	struct context c = { .l = l };
	struct ast_expr *last = item->dims.last;
	struct symbol *s;

	if (one != (item->dims.n > 1))
		return;
	s = find_field(&c, item->name);
	if (!s || (s->components && s->components->wrong) || !check_brackets(l, item, s))
		return;
	if (one && s->components)
		s = component_of(&c, item->dims.first, s);
	if (s)
		lower_boundary_of_parts(l, item, s, last);
}

/* Let a boundary for a component override the field's. */
static void forget_given(struct lower *l)
{
	for (struct symbol *s = l->first; s; s = s->next)
		for (int i = 0; s->components && !s->components->wrong &&
		     i < s->components->n; i++)
			memset(s->components->part[i]->boundary_at, 0,
				sizeof(s->boundary_at));
}

/* A periodic dimension has no ends. */
static void check_periods(struct lower *l, const struct symbol *s)
{
	const struct field *f = s->field;
	const char *name = complex_name(s);

	for (int d = 0; d < f->n_dims; ++d) {
		const struct boundary *low = &f->boundary[d][SIDE_LOW];
		const struct boundary *high = &f->boundary[d][SIDE_HIGH];

		if ((low->kind == BOUNDARY_PERIODIC) ==
		    (high->kind == BOUNDARY_PERIODIC))
			continue;
		diag(l->diags, E_BOUNDARY, low->kind == BOUNDARY_PERIODIC ?
			low->at : high->at, "dimension %d of '%s' is periodic "
			"at one side and not at the other", d, name);
		diag_advice(l->diags, "a period joins both: "
			"'boundary %s[%d] = periodic;'", name, d);
	}
}

void lower_boundaries(struct lower *l)
{
	const struct ast_item *item = l->ast->items;

	for (; item && !diag_full(l->diags); item = item->next)
		if (item->kind == AST_BOUNDARY)
			lower_boundary(l, item, false);
	forget_given(l);
	for (item = l->ast->items; item && !diag_full(l->diags);
	     item = item->next)
		if (item->kind == AST_BOUNDARY)
			lower_boundary(l, item, true);
	for (const struct symbol *s = l->first; s && !diag_full(l->diags);
	     s = s->next)
		if (s->kind == SYMBOL_FIELD && s->field && !is_imaginary_part(s))
			check_periods(l, s);
}
