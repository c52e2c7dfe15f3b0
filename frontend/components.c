/* Fields in components, which become separate fields, see components.h. */
#include "frontend/beside.h"
#include "frontend/components.h"
#include "frontend/reads.h"

#include <inttypes.h>
#include <string.h>

/* Which fields have components ---------------------------------------------*/

static bool is_known(const struct symbol *s)
{
	return s->kind == SYMBOL_CONST ||
		(s->kind == SYMBOL_PARAM && s->param->fixed);
}

/* Does the text say its value?  An option may, too, but leaves the program what it is. */
static bool is_known_by_text(const struct symbol *s)
{
	return is_known(s) && (s->kind == SYMBOL_CONST || s->item->value);
}

/* The first subscript of "e", an element of "s", that is not the time. */
static struct ast_expr *first_subscript(const struct symbol *s,
	const struct ast_expr *e)
{
	return is_state(s) && e->args ? e->args->next : e->args;
}

/* How many subscripts of "e" are constants in front of its indices? */
static int count_constants(const struct lower *l, const struct symbol *s,
	const struct ast_expr *e)
{
	const struct ast_expr *at = first_subscript(s, e);
	int n = 0;

	for (; at && is_made_of(l, at, is_known); at = at->next)
		n++;
	return at ? n : 0;
}

/* The left side that shows how "s" is written, or NULL. */
static const struct ast_expr *left_side(const struct lower *l,
	const struct symbol *s)
{
	const struct update *u = l->updates;

	while (u && (u->list || u->item->element->name.text != s->name ||
	       is_record(l, u)))
		u = u->next;
	return u ? u->item->element : NULL;
}

/* "u_0_1" for the component "i", or a similar free name. */
static const char *name_part(struct lower *l, const struct symbol *s, int i)
{
	const struct components *of = s->components;
	const char *name = "";
	int rest = i;

	for (int d = of->n_dims - 1; d >= 0; d--) {
		name = region_printf(l->mem, "_%d%s", rest % (int)
			of->size[d], name);
		rest /= (int) of->size[d];
	}
	name = region_printf(l->mem, "%s%s", s->name, name);
	while (find_symbol(l, names_intern(l->ast->names, name, strlen(name))))
		name = region_printf(l->mem, "%s_", name);
	return names_intern(l->ast->names, name, strlen(name));
}

static void declare_parts(struct lower *l, struct symbol *s)
{
	struct components *of = s->components;
	struct ast_item *item = region_new_of(l->mem, struct ast_item);
	struct symbol *last = s;

	*item = *s->item;
	for (int d = 0; d < of->n_dims; d++)
		item->dims.first = item->dims.first->next;
	item->dims.n -= of->n_dims;
	of->part = region_array(l->mem, struct symbol *, of->n);
	for (int i = 0; i < of->n; i++)
		last = of->part[i] = declare_part(l, last, name_part(l, s, i),
			item, s);
}

/* Are the first "n" sizes of "s", and subscripts from "at" on, those of components?
 * Otherwise a number names a row of the grid.
 */
static bool says_components(const struct lower *l, const struct symbol *s,
	const struct ast_expr *at, int n)
{
	const struct ast_expr *size = s->item->dims.first;

	for (int d = 0; d < n; d++, size = size->next, at = at->next)
		if (!is_made_of(l, size, is_known_by_text) ||
		    !is_made_of(l, at, is_known_by_text))
			return false;
	return true;
}

/* The numbers of components of "s" along its first "n" dimensions. */
static bool find_sizes(struct lower *l, struct symbol *s, int n)
{
	struct components *of = region_new_of(l->mem, struct components);
	struct ast_expr *size = s->item->dims.first;
	struct context c = { .l = l };

	s->components = of;
	of->n_dims = n;
	of->n = 1;
	of->wrong = true;
	for (int d = 0; d < n; d++, size = size->next) {
		if (!lower_int(&c, size, "the number of components",
		    &of->size[d]))
			return false;
		if (of->size[d] < 1 || of->size[d] > COMPONENTS_MOST ||
		    (of->n *= (int) of->size[d]) > COMPONENTS_MOST) {
			report(&c, size, E_TOO_LARGE, size->at, "a field has "
				"1 to %d components", COMPONENTS_MOST);
			return false;
		}
	}
	of->wrong = false;
	return true;
}

/* Statements ---------------------------------------------------------------*/

static struct symbol *in_components(const struct lower *l,
	const struct ast_expr *e)
{
	struct symbol *s = e->kind == AST_ELEMENT ?
		find_symbol(l, e->name.text) : NULL;

	return s && s->components ? s : NULL;
}

/* A copy of "e" in which fields replace components named by constants. */
static struct ast_expr *with_parts(struct lower *l, struct ast_expr *e)
{
	struct ast_expr *copy = region_new_of(l->mem, struct ast_expr);
	struct ast_expr **end = &copy->args;
	struct symbol *s = in_components(l, e), *part = NULL;
	struct context c = { .l = l };

	*copy = *e;
	for (struct ast_expr *arg = e->args; arg; arg = arg->next) {
		*end = with_parts(l, arg);
		end = &(*end)->next;
	}
	*end = NULL;
	if (s && !s->components->wrong && copy->n_args == s->item->dims.n + is_state(s) &&
	    count_constants(l, s, copy) >= s->components->n_dims) {
		part = component_of(&c, first_subscript(s, copy), s);
		copy->reported = !part;
	}
	if (part) {
		s->used = true;
		return component_without(l, copy, s, part, is_state(s));
	}
	return copy;
}

static const struct condition *conditions_with_parts(struct lower *l,
	const struct condition *on)
{
	struct condition *copy;

	if (!on)
		return NULL;
	copy = region_new_of(l->mem, struct condition);
	copy->expr = with_parts(l, on->expr);
	copy->outer = conditions_with_parts(l, on->outer);
	return copy;
}

static void change_updates(struct lower *l, struct update *u)
{
	for (; u; u = u->next) {
		struct ast_item *item = region_new_of(l->mem, struct ast_item);

		*item = *u->item;
		item->element = with_parts(l, item->element);
		item->value = with_parts(l, item->value);
		u->item = item;
		u->conditions = conditions_with_parts(l, u->conditions);
	}
}

void find_components(struct lower *l)
{
	bool any = false;

	for (struct symbol *s = l->first, *next; s; s = next) {
		const struct ast_expr *e;
		int n;

		next = s->next;
		if (s->kind != SYMBOL_FIELD ||
		    s->item->field_kind == FIELD_INPUT ||
		    !(e = left_side(l, s)) || e->kind != AST_ELEMENT ||
		    e->n_args != s->item->dims.n + is_state(s))
			continue;
		n = count_constants(l, s, e);
		if (!n || !says_components(l, s, first_subscript(s, e), n) ||
		    !find_sizes(l, s, n))
			continue;
		declare_parts(l, s);
		any = true;
	}
	if (!any)
		return;
	change_updates(l, l->updates);
	change_updates(l, l->reductions);
}

/* The argument -------------------------------------------------------------- */

/* The oldest step of "s" that the caller passes, over its components. */
static int most_passed(const struct symbol *s)
{
	const struct components *of = s->components;
	int most = of ? 0 : s->field->passed;

	for (int i = 0; of && i < of->n; i++) {
		int passed = most_passed(of->part[i]);

		most = passed > most ? passed : most;
	}
	return most;
}

/* The caller passes the same steps of both parts of a complex number. */
static void pass_both(const struct symbol *s)
{
	int passed = most_passed(s);

	for (int i = 0; i < s->components->n; i++) {
		struct field *f = s->components->part[i]->field;

		f->passed = passed;
		f->depth = f->depth < passed ? passed : f->depth;
	}
}

static bool can_join(struct lower *l, const struct symbol *s)
{
	if (s->item->dims.n > IR_MAX_DIMS) {
		diag(l->diags, E_DIMENSIONS, s->at, "the field '%s' has %d "
			"dimensions; at most %d are allowed", s->name,
			s->item->dims.n, IR_MAX_DIMS);
		return false;
	}
	if (s->components->is_complex)
		pass_both(s);
	if (s->components->is_complex || most_passed(s) <= 1)
		return true;
	diag(l->diags, E_NOT_YET, s->at, "the components of '%s' are read more "
		"than one step back, which is not implemented yet", s->name);
	diag_advice(l->diags, "keep what is read there in a state of its own, "
		"or declare a field for each component");
	return false;
}

/* Both parts of a complex field, component "part" of "whole". */
static void take_lanes(const struct symbol *s, struct field *whole, int part)
{
	const struct components *of = s->components;

	whole->n_lanes = of->n;
	for (int i = 0; i < of->n; i++) {
		struct field *f = of->part[i]->field;

		f->whole = whole;
		f->part = part;
		f->lane = i;
		f->n_lanes = of->n;
	}
}

static void take_part(const struct symbol *s, struct field *whole, int part)
{
	if (s->components) {
		take_lanes(s, whole, part);
		return;
	}
	s->field->whole = whole;
	s->field->part = part;
}

const struct field *join_components(struct lower *l, const struct symbol *s)
{
	const struct components *of = s->components;
	const struct symbol *grid = of->is_complex ? s : of->part[0];
	const struct field *first = grid->components ?
		grid->components->part[0]->field : grid->field;
	struct field *whole = region_new_of(l->mem, struct field);

	if (!can_join(l, s))
		return NULL;
	*whole = *first;
	whole->name = s->name;
	whole->n_dims = of->n_dims + first->n_dims;
	for (int d = 0; d < of->n_dims; d++)
		whole->size[d] = expr_int(l->mem, of->size[d], s->at);
	for (int d = 0; d < first->n_dims; d++)
		whole->size[of->n_dims + d] = first->size[d];
	if (of->is_complex)
		take_lanes(s, whole, 0);
	for (int i = 0; i < of->n && !of->is_complex; i++)
		take_part(of->part[i], whole, i);
	return whole;
}
