/* Preloaded, it makes allocation FAIL_AT of stencilc (driver/memory.c) fail, or with
 * FAIL_FROM all from that one on.  With FAIL_COUNT set it prints how many there
 * were.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long count, at = -1, from = -1;

static long number(const char *name)
{
	const char *value = getenv(name);

	return value ? atol(value) : 0;
}

static int fails(void)
{
	if (at < 0) {
		at = number("FAIL_AT");
		from = number("FAIL_FROM");
	}
	count++;
	if (count != at && (from == 0 || count < from))
		return 0;
	errno = ENOMEM;
	return 1;
}

/* The one of the C library. */
static void *next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

void *__libc_malloc(size_t size)
{
	void *(*real)(size_t) = next("__libc_malloc");

	return fails() ? NULL : real(size);
}

void *__libc_calloc(size_t n, size_t size)
{
	void *(*real)(size_t, size_t) = next("__libc_calloc");

	return fails() ? NULL : real(n, size);
}

void *__libc_realloc(void *old, size_t size)
{
	void *(*real)(void *, size_t) = next("__libc_realloc");

	return fails() ? NULL : real(old, size);
}

__attribute__((destructor)) static void report(void)
{
	char line[32];
	int length = snprintf(line, sizeof(line), "%ld\n", count);

	if (getenv("FAIL_COUNT") && write(2, line, (size_t) length) < 0)
		_exit(1);
}
