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
