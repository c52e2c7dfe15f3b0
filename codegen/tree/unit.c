/* What a whole file uses, and its fields. */
#include "codegen/tree/names.h"
#include "codegen/tree/tree.h"

#include <string.h>

/* Of this type. */
static bool is_in(const struct kx *x, enum builtin builtin, struct ctype type)
{
	if (x->kind == KX_BUILTIN && x->builtin == builtin &&
	    ctype_same(x->c_type, type))
		return true;
	for (int i = 0; i < x->n_args; i++)
		if (is_in(x->arg[i], builtin, type))
			return true;
	return false;
}

static bool is_in_statement(const struct ks *s, enum builtin builtin,
	struct ctype type)
{
	for (int i = 0; i < s->n_x; i++)
		if (is_in(s->x[i], builtin, type))
			return true;
	for (int i = 0; i < s->n_children; i++)
		if (is_in_statement(s->child[i], builtin, type))
			return true;
	return false;
}

static void note_uses(const struct kx *x, bool *uses)
{
	if (x->kind == KX_BUILTIN)
		uses[x->builtin] = true;
	for (int i = 0; i < x->n_args; i++)
		note_uses(x->arg[i], uses);
}

static void note_statement(const struct ks *s, bool *uses)
{
	for (int i = 0; i < s->n_x; i++)
		note_uses(s->x[i], uses);
	for (int i = 0; i < s->n_children; i++)
		note_statement(s->child[i], uses);
}

/* Printers ask some forty times, of trees that stay as they are. */
bool unit_uses_for(const struct kunit *unit, enum builtin builtin,
	struct ctype type)
{
	for (struct kfunc *f = unit->first; f; f = f->next) {
		if (!f->uses) {
			bool *uses = region_array(unit->mem, bool, N_BUILTINS);

			note_statement(f->body, uses);
			f->uses = uses;
		}
		if (f->uses[builtin] && (!type.scalar ||
		    is_in_statement(f->body, builtin, type)))
			return true;
	}
	return false;
}

bool unit_uses(const struct kunit *unit, enum builtin builtin)
{
	return unit_uses_for(unit, builtin, ctype(CT_NONE));
}

struct kfunc *unit_append(struct kunit *unit, struct kfunc *f)
{
	*unit->last = f;
	unit->last = &f->next;
	return f;
}

struct kfunc *unit_function(const struct kunit *unit, const char *name)
{
	struct kfunc *f = unit->first;

	while (f && strcmp(f->name, name))
		f = f->next;
	return f;
}

bool field_is_constant(const struct field *field)
{
	int64_t size;

	for (int d = 0; d < field->n_dims; d++)
		if (!expr_constant(field->size[d], &size))
			return false;
	return true;
}

bool field_may_stay(const struct kunit *unit, const struct field *field)
{
	return unit->runs_in_place && field->kind == FIELD_STATE &&
		!field->is_hidden && !field->n_lanes &&
		field->passed == 1 && field->depth == 1 &&
		unit->scop->field[field->index].buffers == 2 &&
		!field_is_constant(field);
}

const char *field_distance(const struct kunit *unit, const struct field *field)
{
	return fresh_name(unit->mem, unit->prog, "%s_apart", field->name);
}

bool field_is_result(const struct field *field)
{
	return (field->kind == FIELD_STATE && !field->is_hidden) ||
		field->kind == FIELD_OUTPUT ||
		(field->kind == FIELD_SERIES && !field->made_of &&
			!field->is_of_ranks);
}

int field_row_multiple(const struct kunit *unit, const struct field *field)
{
	enum { LINE_BYTES = 128 };

	/* Without a time loop a copy to padded rows costs more than rows that begin within lines. */
	if (!unit->prog->timed || !unit->plan->opt.align_loads ||
	    field->made_of || field->n_dims < unit->least_padded_dims)
		return 1;
	return LINE_BYTES / type_size(field->type);
}
