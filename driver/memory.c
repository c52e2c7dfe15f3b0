/* Out of memory: reported once, then the program ends, whoever allocates: in
 * places isl continues without what it could not allocate, and GMP aborts.
 * With the GNU C library we therefore replace the allocator with one that never
 * fails; under a sanitizer its allocator ends the program itself.
 */
#include "driver/driver.h"

#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
	__has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

static void *checked(void *bytes)
{
	if (!bytes)
		out_of_memory();
	return bytes;
}

void *malloc(size_t size)
{
	return checked(__libc_malloc(size));
}

void *calloc(size_t n, size_t size)
{
	return checked(__libc_calloc(n, size));
}

void *realloc(void *old, size_t size)
{
	return size ? checked(__libc_realloc(old, size)) :
		__libc_realloc(old, size);
}

/* Numbers ------------------------------------------------------------------ */

/* Most numbers of isl have one word; a compile makes millions, which took an eighth of its
 * time.  Freed ones wait in lists, a list a size.
 */
enum { UNIT = 16, LONGEST = 8, AT_ONCE = 4096 };	/* bytes, then units */

/* GMP's; its header need not be there, nor GMP. */
__attribute__((weak)) void __gmp_set_memory_functions(
	void *(*allocate)(size_t), void *(*reallocate)(void *, size_t, size_t),
	void (*release)(void *, size_t));

union unit {
	union unit *next;
	char bytes[UNIT];
};

static struct {
	union unit *freed[LONGEST + 1];	/* by units */
	union unit *fresh, *end;
	union unit *block;	/* the newest, which begins with the one before */
} numbers;

static void new_block(void)
{
	union unit *block = malloc(AT_ONCE * sizeof(union unit));

	block->next = numbers.block;
	numbers.block = block;
	numbers.fresh = block + 1;
	numbers.end = block + AT_ONCE;
}

static size_t units_of(size_t size)
{
	return (size + UNIT - 1) / UNIT;
}

static void *number_alloc(size_t size)
{
	size_t n = units_of(size);
	union unit *number;

	if (n > LONGEST)
		return malloc(size);
	number = numbers.freed[n];
	if (number) {
		numbers.freed[n] = number->next;
		return number;
	}
	if ((size_t) (numbers.end - numbers.fresh) < n)
		new_block();
	number = numbers.fresh;
	numbers.fresh += n;
	return number;
}

static void number_free(void *number, size_t size)
{
	size_t n = units_of(size);
	union unit *freed = number;

	if (n > LONGEST) {
		free(number);
		return;
	}
	freed->next = numbers.freed[n];
	numbers.freed[n] = freed;
}

static void *number_realloc(void *old, size_t old_size, size_t size)
{
	size_t before = units_of(old_size), n = units_of(size);
	void *number;

	if (before > LONGEST && n > LONGEST)
		return realloc(old, size);
	if (before == n)
		return old;
	number = number_alloc(size);
	memcpy(number, old, old_size < size ? old_size : size);
	number_free(old, old_size);
	return number;
}

void numbers_begin(void)
{
	if (__gmp_set_memory_functions)
		__gmp_set_memory_functions(number_alloc, number_realloc,
			number_free);
}

#else

void numbers_begin(void)
{
}

#endif
