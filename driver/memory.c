/* No memory is reported once, and ends the program, whoever asks for it: isl
 * carries on without what it could not allocate in places, and GMP aborts.
 * With the GNU C library allocation is therefore ours, and never fails; under a
 * sanitizer it is the sanitizer's, which ends the program itself.
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
