#include "ir/memo.h"

enum { MEMO_BUCKETS = 1021 };

struct memo **memo_new(struct region *r)
{
	return region_array(r, struct memo *, MEMO_BUCKETS);
}

struct memo *memo_of(struct region *r, struct memo **memo,
	const struct expr *e)
{
	struct memo **bucket = &memo[(uintptr_t) e / 16 % MEMO_BUCKETS];
	struct memo *m = *bucket;

	while (m && m->from != e)
		m = m->next;
	if (m)
		return m;
	m = region_new_of(r, struct memo);
	*m = (struct memo) { .from = e, .next = *bucket };
	*bucket = m;
	return m;
}

int locals_count(const struct local *l)
{
	int n = 0;

	for (; l; l = l->next)
		n++;
	return n;
}

const struct local *locals_copied(struct region *r, const struct local *from,
	const struct local **copy, const struct expr *(*value)(void *user,
		const struct expr *e), void *user)
{
	const struct local *first = NULL, **end = &first;

	for (int i = 0; from; from = from->next, i++) {
		struct local *own = region_new_of(r, struct local);

		own->name = from->name;
		own->value = value(user, from->value);
		copy[i] = *end = own;
		end = &own->next;
	}
	return first;
}

const struct expr *local_copied(struct region *r, const struct local *from,
	const struct local *const *copy, const struct expr *e)
{
	struct expr *leaf = expr_leaf(r, EXPR_LOCAL, e->type, e->at);

	for (; from != e->local; from = from->next)
		copy++;
	leaf->local = *copy;
	leaf->spelling = e->spelling;
	return leaf;
}
