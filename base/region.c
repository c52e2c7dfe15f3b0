/* Memory that is freed as a whole, see base.h. */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 16 * 1024 };

struct block {
	struct block *next;
	size_t used, size;
	max_align_t bytes[];
};

struct owned {
	struct owned *next;
	void *object;
	void (*release)(void *object);
};

struct region {
	struct block *blocks;
	struct owned *owned;
};

/* Report that memory ran out and end the program; handlers registered with
 * atexit, such as the one that removes a temporary file, still run.
 */
/* A library interrupted in an allocation may hold locks that its handlers of
 * exit() would wait for.
 */
void out_of_memory(void)
{
	fputs("stencilc: error: out of memory\n", stderr);
	temporary_remove();
	_Exit(3);
}

static void *allocate(size_t size)
{
	void *bytes = size ? calloc(1, size) : NULL;

	if (!bytes)
		out_of_memory();
	return bytes;
}

struct region *region_new(void)
{
	return allocate(sizeof(struct region));
}

void region_free(struct region *r)
{
	if (!r)
		return;
	for (struct owned *o = r->owned; o; o = o->next)
		o->release(o->object);
	while (r->blocks) {
		struct block *next = r->blocks->next;

		free(r->blocks);
		r->blocks = next;
	}
	free(r);
}

/* Put a block of at least "size" bytes in front; a block for one large object
 * goes behind the one in use.
 */
static struct block *add_block(struct region *r, size_t size)
{
	bool large = size > BLOCK_SIZE / 4;
	size_t room = large ? size : BLOCK_SIZE;
	struct block *b = allocate(sizeof(struct block) + room);

	b->size = room;
	if (large && r->blocks) {
		b->next = r->blocks->next;
		r->blocks->next = b;
	} else {
		b->next = r->blocks;
		r->blocks = b;
	}
	return b;
}

void *region_alloc(struct region *r, size_t size)
{
	size_t unit = sizeof(max_align_t);
	struct block *b = r->blocks;
	void *result;

	if (size > SIZE_MAX / 2)
		out_of_memory();
	size = size ? (size + unit - 1) / unit * unit : unit;
	if (!b || b->size - b->used < size)
		b = add_block(r, size);
	result = (char *) b->bytes + b->used;
	b->used += size;
	return result;
}

char *region_strndup(struct region *r, const char *s, size_t length)
{
	char *copy = region_alloc(r, length + 1);

	if (length)
		memcpy(copy, s, length);
	return copy;
}

char *region_strdup(struct region *r, const char *s)
{
	return region_strndup(r, s, strlen(s));
}

char *region_printf(struct region *r, const char *fmt, ...)
{
	va_list args;
	int length;
	char *s;

	va_start(args, fmt);
	length = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (length < 0)
		out_of_memory();
	s = region_alloc(r, (size_t) length + 1);
	va_start(args, fmt);
	vsnprintf(s, (size_t) length + 1, fmt, args);
	va_end(args);
	return s;
}

void region_own(struct region *r, void *object, void (*release)(void *object))
{
	struct owned *o = region_new_of(r, struct owned);

	o->object = object;
	o->release = release;
	o->next = r->owned;
	r->owned = o;
}
