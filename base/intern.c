/* Names that are equal as pointers when equal as text, see base.h. */
#include "base/base.h"

#include <string.h>

struct name {
	struct name *next;	/* in the bucket */
	const char *text;
	size_t length;
	uint64_t hash;
};

struct names {
	struct region *mem;
	struct name **bucket;
	size_t n_buckets, n_names;
};

struct names *names_new(struct region *r)
{
	struct names *n = region_new_of(r, struct names);

	n->mem = r;
	n->n_buckets = 64;
	n->bucket = region_array(r, struct name *, n->n_buckets);
	return n;
}

/* FNV-1a. */
static uint64_t hash_text(const char *s, size_t length)
{
	uint64_t hash = 14695981039346656037u;

	for (size_t i = 0; i < length; ++i)
		hash = (hash ^ (unsigned char) s[i]) * 1099511628211u;
	return hash;
}

static void insert(struct names *n, struct name *name)
{
	struct name **bucket = &n->bucket[name->hash & (n->n_buckets - 1)];

	name->next = *bucket;
	*bucket = name;
}

static void grow(struct names *n)
{
	struct name **old = n->bucket;
	size_t n_old = n->n_buckets;

	n->n_buckets *= 4;
	n->bucket = region_array(n->mem, struct name *, n->n_buckets);
	for (size_t i = 0; i < n_old; ++i) {
		while (old[i]) {
			struct name *name = old[i];

			old[i] = name->next;
			insert(n, name);
		}
	}
}

const char *names_intern(struct names *n, const char *s, size_t length)
{
	uint64_t hash = hash_text(s, length);
	struct name *name = n->bucket[hash & (n->n_buckets - 1)];

	for (; name; name = name->next)
		if (name->hash == hash && name->length == length &&
		    !memcmp(name->text, s, length))
			return name->text;
	if (++n->n_names > n->n_buckets)
		grow(n);
	name = region_new_of(n->mem, struct name);
	name->text = region_strndup(n->mem, s, length);
	name->length = length;
	name->hash = hash;
	insert(n, name);
	return name->text;
}

bool same_name(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}
