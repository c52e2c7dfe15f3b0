/* Two real fields, statements, parameters and constants of each complex one, see complex.h: psi_re
 * and psi_im, which only the caller's arrays join again.
 */
#include "frontend/complex.h"
#include "frontend/components.h"

#include <string.h>

static const char *const suffix[PARTS] = { "re", "im" };

/* "psi_re", or a similar free name. */
static const char *name_part(struct lower *l, const struct symbol *s, int i)
{
	const char *name = region_printf(l->mem, "%s_%s", s->name, suffix[i]);

	while (find_symbol(l, names_intern(l->ast->names, name, strlen(name))))
		name = region_printf(l->mem, "%s_", name);
	return names_intern(l->ast->names, name, strlen(name));
}

static struct ast_expr *part_of_text(struct lower *l, struct ast_expr *e, int i)
{
	struct ast_expr *part = region_new_of(l->mem, struct ast_expr);
	struct ast_expr *arg = region_new_of(l->mem, struct ast_expr);

	*arg = *e;
	arg->next = NULL;
	part->kind = AST_PART;
	part->ivalue = i;
	part->args = arg;
	part->n_args = 1;
	part->depth = e->depth + 1;
	part->at = e->at;
	return part;
}

static struct ast_entry *part_of_entry(struct lower *l,
	const struct ast_entry *e, int i)
{
	struct ast_entry *part = region_new_of(l->mem, struct ast_entry);
	struct ast_entry **end = &part->entries;

	*part = *e;
	if (e->value)
		part->value = part_of_text(l, e->value, i);
	for (const struct ast_entry *of = e->entries; of; of = of->next) {
		*end = part_of_entry(l, of, i);
		end = &(*end)->next;
	}
	*end = NULL;
	return part;
}

struct ast_item *part_of_item(struct lower *l, const struct ast_item *item,
	int i)
{
	struct ast_item *part = region_new_of(l->mem, struct ast_item);

	*part = *item;
	part->is_complex = false;
	if (item->value)
		part->value = part_of_text(l, item->value, i);
	if (item->entry)
		part->entry = part_of_entry(l, item->entry, i);
	return part;
}

static void divide(struct lower *l, struct symbol *s)
{
	struct components *of = region_new_of(l->mem, struct components);
	struct symbol *last = s;

	of->is_complex = true;
	of->n = PARTS;
	of->part = region_array(l->mem, struct symbol *, PARTS);
	s->components = of;
	for (int i = 0; i < PARTS; i++)
		last = of->part[i] = declare_part(l, last, name_part(l, s, i),
			part_of_item(l, s->item, i), s);
}

void divide_numbers(struct lower *l)
{
	for (struct symbol *s = l->first, *next; s; s = next) {
		next = s->next;
		if ((s->kind == SYMBOL_PARAM || s->kind == SYMBOL_CONST) &&
		    s->item->is_complex)
			divide(l, s);
	}
}

/* Statements ---------------------------------------------------------------*/

static const struct ast_item *statement_of_part(struct lower *l,
	const struct ast_item *item, const struct symbol *s, int i)
{
	struct ast_item *part = part_of_item(l, item, i);

	part->element = component_without(l, item->element, s,
		s->components->part[i], false);
	return part;
}

static void refuse_extreme(struct lower *l, const struct ast_item *item,
	const struct symbol *s)
{
	diag(l->diags, E_TYPE, item->at, "the result '%s' is complex: complex "
		"numbers have no '%s'", s->name, reduce_name(item->reduce));
	diag_advice(l->diags, "they have a 'sum'; a real result has the '%s' of "
		"'abs(z)' or 'norm(z)'", reduce_name(item->reduce));
}

static void divide_update(struct lower *l, struct update *u, struct symbol *s)
{
	struct update *second = region_new_of(l->mem, struct update);
	const struct ast_item *item = u->item;

	if (item->kind == AST_REDUCE && item->reduce != REDUCE_SUM)
		refuse_extreme(l, item, s);
	*second = *u;
	u->next = second;
	u->item = statement_of_part(l, item, s, 0);
	second->item = statement_of_part(l, item, s, 1);
	second->is_second = true;
	s->used = true;
	/* Room for what the second statement may add. */
	l->n_orders++;
}

/* Of what computes "kind", that which computes a complex one. */
static void divide_updates(struct lower *l, struct update *u,
	enum symbol_kind kind)
{
	for (; u; u = u->next) {
		struct symbol *s = find_symbol(l, u->item->element->name.text);

		if (s && s->kind == kind && s->components &&
		    s->components->is_complex)
			divide_update(l, u, s);
	}
}

void divide_fields(struct lower *l)
{
	for (struct symbol *s = l->first; s; s = s->next)
		if ((s->kind == SYMBOL_FIELD || s->kind == SYMBOL_RESULT) &&
		    s->item->is_complex && !s->components)
			divide(l, s);
	divide_updates(l, l->updates, SYMBOL_FIELD);
	divide_updates(l, l->reductions, SYMBOL_RESULT);
}

/* What nothing uses --------------------------------------------------------*/

/* What the statement's value uses. */
struct uses {
	const struct stmt *stmt;
	const struct local **local;
	int n_locals;
	bool *read, *element;
};

static void note_expr(struct uses *u, const struct expr *e);

static void note_local(struct uses *u, const struct local *local)
{
	for (int i = 0; i < u->n_locals; i++)
		if (u->local[i] == local)
			return;
	u->local[u->n_locals++] = local;
	note_expr(u, local->value);
}

static void note_expr(struct uses *u, const struct expr *e)
{
	for (int i = 0; i < u->stmt->n_reads; i++)
		u->read[i] |= e->kind == EXPR_READ && e->access == u->stmt->read[i];
	for (int i = 0; i < u->stmt->n_elements; i++)
		u->element[i] |= e->kind == EXPR_ELEMENT &&
			e->access == u->stmt->element[i];
	if (e->kind == EXPR_LOCAL)
		note_local(u, e->local);
	for (int i = 0; i < e->n_args; i++)
		note_expr(u, e->arg[i]);
}

static int keep(const struct access **list, int n, const bool *is_used)
{
	int n_kept = 0;

	for (int i = 0; i < n; i++)
		if (is_used[i])
			list[n_kept++] = list[i];
	return n_kept;
}

static bool is_noted(const struct uses *u, const struct local *local)
{
	for (int i = 0; i < u->n_locals; i++)
		if (u->local[i] == local)
			return true;
	return false;
}

static void keep_locals(struct stmt *s, const struct uses *u)
{
	struct local *last = NULL;
	const struct local *first = s->locals;

	s->locals = NULL;
	for (const struct local *next; first; first = next) {
		next = first->next;
		if (!is_noted(u, first))
			continue;
		if (last)
			last->next = first;
		else
			s->locals = first;
		last = (struct local *) first;
		last->next = NULL;
	}
}

void drop_unused(struct lower *l, struct stmt *s)
{
	struct uses u = { .stmt = s };
	int n = 0;

	if (!s->value)
		return;
	for (const struct local *local = s->locals; local; local = local->next)
		n++;
	u.local = region_array(l->mem, const struct local *, n);
	u.read = region_array(l->mem, bool, s->n_reads);
	u.element = region_array(l->mem, bool, s->n_elements);
	note_expr(&u, s->value);
	keep_locals(s, &u);
	s->n_reads = keep(s->read, s->n_reads, u.read);
	s->n_elements = keep(s->element, s->n_elements, u.element);
}
