/* Out of memory: reported once, then the program ends, whoever allocates: in
 * places isl continues without what it could not allocate, and GMP aborts.
 * With the GNU C library we therefore replace the allocator with one that never
 * fails; under a sanitizer its allocator ends the program itself.
 */
#include "base/base.h"

#include <stdlib.h>

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

#endif
