/* Two statements that compute one field at different points as one whose points choose. */
#include <string.h>

#include "ir/join.h"
#include "ir/rewrite.h"

static const struct access *as_it_is(const struct rewrite *w,
	const struct access *a)
{
	(void) w;
	return a;
}

/* Reads of what the other statement reads, too, become its reads. */
static const struct access *read_of_other(const struct rewrite *w,
	const struct access *a)
{
	const struct stmt *other = w->user;

	for (int i = 0; i < other->n_reads; i++)
		if (access_same_cell(other->read[i], a))
			return other->read[i];
	return a;
}

/* A name for a let beside those of the other statement. */
static const char *name_beside(const struct rewrite *w, const char *name)
{
	const struct stmt *other = w->user;
	const char *own = name;

	for (int i = 2; stmt_has_name(other, own); i++)
		own = region_printf(w->mem, "%s_%d", name, i);
	return own;
}

/* A let of both statements stays one. */
static const struct local *let_of_other(const struct rewrite *w,
	const struct local *l, const struct expr *value)
{
	const struct stmt *other = w->user;
	const struct local *own = other->locals;

	while (own && (strcmp(own->name, l->name) ||
	    !expr_same_value(own->value, value)))
		own = own->next;
	return own;
}

static const struct expr *all_of(struct region *r, const struct stmt *s)
{
	const struct expr *all = s->condition[0];

	for (int i = 1; i < s->n_conditions; i++)
		all = expr_binary(r, OP_AND, all, s->condition[i], all->at);
	return all;
}

/* The accesses of both, those of "b" that are not among those of "a". */
static const struct access **accesses_of(struct region *r,
	const struct access **a, int n_a, const struct access **b, int n_b,
	int *n)
{
	const struct access **all = region_array(r, const struct access *,
		n_a + n_b + 1);

	*n = 0;
	for (int i = 0; i < n_a; i++)
		all[(*n)++] = a[i];
	for (int i = 0; i < n_b; i++) {
		int j = 0;

		while (j < n_a && a[j] != b[i])
			j++;
		if (j == n_a)
			all[(*n)++] = b[i];
	}
	return all;
}

static const struct expr *written_of(const struct stmt *s)
{
	return s->written ? s->written : s->value;
}

int program_count_writers(const struct program *p,
	const struct field *field)
{
	int n = 0;

	for (int i = 0; i < p->n_stmts; i++)
		n += p->stmt[i]->write->field == field;
	return n;
}

void program_append(struct region *r, struct program *p, const struct stmt *s)
{
	struct stmt *copy = region_new_of(r, struct stmt);

	*copy = *s;
	copy->index = p->n_stmts;
	copy->name = region_printf(r, "S%d", copy->index);
	p->stmt[p->n_stmts++] = copy;
}

struct stmt *stmt_join(struct region *r, const struct stmt *a,
	const struct stmt *b)
{
	struct local *last = NULL;
	const struct rewrite first = { .mem = r, .access = as_it_is,
		.last = &last };
	struct stmt *both = stmt_rewrite(&first, a);
	const struct rewrite second = { .mem = r, .access = read_of_other,
		.same = let_of_other, .name = name_beside, .user = both };
	const struct stmt *other = stmt_rewrite(&second, b);
	const struct expr *here = all_of(r, both);

	if (last)
		last->next = other->locals;
	else
		both->locals = other->locals;
	both->condition[0] = expr_binary(r, OP_OR, here, all_of(r, other),
		here->at);
	both->n_conditions = 1;
	both->written = !a->written && !b->written ? NULL : expr_select(r,
		here, written_of(both), written_of(other), a->at);
	both->value = expr_select(r, here, both->value, other->value, a->at);
	both->read = accesses_of(r, both->read, both->n_reads, other->read,
		other->n_reads, &both->n_reads);
	both->element = accesses_of(r, both->element, both->n_elements,
		other->element, other->n_elements, &both->n_elements);
	return both;
}
