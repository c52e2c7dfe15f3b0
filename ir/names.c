/* The names that a program has. */
#include <string.h>

#include "ir/reduction.h"

static bool is_local_name(const struct stmt *s, const char *name)
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
	for (int i = 0; i < prog->n_stmts; i++)
		if (is_local_name(prog->stmt[i], name))
			return true;
	for (int i = 0; i < prog->n_reductions; i++)
		if (is_local_name(prog->reduction[i]->point, name))
			return true;
	if (prog->time_name && !strcmp(prog->time_name, name))
		return true;
	return !strcmp(prog->name, name);
}
