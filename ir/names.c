/* Names in a program, and the arguments of its function. */
#include <string.h>

#include "ir/components.h"
#include "ir/reduction.h"

bool stmt_has_name(const struct stmt *s, const char *name)
{
	for (const struct local *l = s->locals; l; l = l->next)
		if (!strcmp(l->name, name))
			return true;
	for (int d = 0; d < s->n_dims; d++)
		if (!strcmp(s->iterator[d], name))
			return true;
	return false;
}

static bool is_of_list(const struct program *prog, const char *name)
{
	for (int i = 0; i < prog->n_lists; i++)
		if (!strcmp(prog->list[i]->index, name))
			return true;
	return false;
}

bool program_has_name(const struct program *prog, const char *name)
{
	return program_declares(prog, name) || is_of_list(prog, name);
}

bool program_declares(const struct program *prog, const char *name)
{
	for (int i = 0; i < prog->n_params; i++)
		if (!strcmp(prog->param[i]->name, name))
			return true;
	for (int i = 0; i < prog->n_fields; i++)
		if (!strcmp(prog->field[i]->name, name))
			return true;
	for (int i = 0; i < prog->n_args; i++)
		if (prog->arg[i].field && !strcmp(prog->arg[i].field->name,
		    name))
			return true;
	for (int i = 0; i < prog->n_stmts; i++)
		if (stmt_has_name(prog->stmt[i], name))
			return true;
	for (int i = 0; i < prog->n_reductions; i++)
		if (stmt_has_name(prog->reduction[i]->point, name))
			return true;
	if (prog->time_name && !strcmp(prog->time_name, name))
		return true;
	return !strcmp(prog->name, name);
}

/* Components -------------------------------------------------------------- */

const struct field *field_begins(const struct field *f)
{
	return !f->whole ? f : f->part == 0 && f->lane == 0 ? f->whole : NULL;
}

int field_numbers(const struct field *f)
{
	return f->n_lanes && !f->whole ? f->n_lanes : 1;
}

bool program_has_lanes(const struct program *p)
{
	for (int i = 0; i < p->n_fields; i++)
		if (p->field[i]->n_lanes)
			return true;
	return false;
}

static bool is_whole(const struct program *p, const struct field *f)
{
	for (int i = 0; f && i < p->n_fields; i++)
		if (p->field[i]->whole == f)
			return true;
	return false;
}

/* Append the components of "whole" to the arguments of "p". */
static void add_parts(struct program *p, const struct field *whole)
{
	for (int i = 0; i < p->n_fields; i++)
		if (p->field[i]->whole == whole)
			p->arg[p->n_args++] = (struct argument) {
				NULL, p->field[i] };
}

const struct program *program_apart(struct region *r, const struct program *p)
{
	struct program *apart = region_new_of(r, struct program);

	*apart = *p;
	apart->arg = region_array(r, struct argument, p->n_args + p->n_fields);
	apart->n_args = 0;
	for (int i = 0; i < p->n_args; i++)
		if (is_whole(p, p->arg[i].field))
			add_parts(apart, p->arg[i].field);
		else
			apart->arg[apart->n_args++] = p->arg[i];
	for (int i = 0; i < p->n_fields; i++)
		p->field[i]->whole = NULL;
	for (int i = 0; i < p->n_fields; i++)
		p->field[i]->lane = p->field[i]->n_lanes = 0;
	return apart;
}
