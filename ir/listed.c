/* What statements list, see listed.h. */
#include "ir/ir.h"

int list_corners(const struct list *l)
{
	return l->is_between ? 1 << l->grid->n_dims : 1;
}

bool stmt_records_all(const struct stmt *s)
{
	for (int i = 0; i < s->n_listed; ++i)
		if (!s->listed[i]->list)
			return true;
	return false;
}

bool stmt_records(const struct stmt *s)
{
	for (int i = 0; i < s->n_listed; ++i)
		if (s->listed[i]->series)
			return true;
	return false;
}

bool stmt_lists(const struct stmt *s, const struct listed *l)
{
	for (int i = 0; i < s->n_listed; ++i)
		if (s->listed[i] == l)
			return true;
	return false;
}

bool program_lists_later(const struct program *p, int stmt,
	const struct listed *l)
{
	for (int i = stmt + 1; i < p->n_stmts; ++i)
		if (stmt_lists(p->stmt[i], l))
			return true;
	return false;
}
