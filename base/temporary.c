/* The temporary file that becomes the output: removed however the program ends. */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700
#include "base/base.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

/* The name of the temporary file, valid if "temporary_exists".  These are the
 * compiler's only variables outside functions, because a signal handler gets no
 * argument.
 */
static char temporary[PATH_ROOM];
static volatile sig_atomic_t temporary_exists;

void temporary_remove(void)
{
	if (temporary_exists)
		unlink(temporary);
	temporary_exists = 0;
}

static void on_signal(int number)
{
	temporary_remove();
	signal(number, SIG_DFL);
	raise(number);
}

static const int fatal[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU };
enum { N_FATAL = sizeof(fatal) / sizeof(*fatal) };

static void fatal_signals(sigset_t *set)
{
	sigemptyset(set);
	for (int i = 0; i < N_FATAL; ++i)
		sigaddset(set, fatal[i]);
}

/* Handle signal "number", unless our caller ignores it. */
static void handle(int number)
{
	struct sigaction old, action = { .sa_handler = on_signal };

	sigemptyset(&action.sa_mask);
	if (!sigaction(number, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaction(number, &action, NULL);
}

/* Remove the file on fatal signals; with SIGXFSZ ignored, exceeding the limit
 * on file sizes makes write() fail, as a full disk does.
 */
static void handle_signals(void)
{
	for (int i = 0; i < N_FATAL; ++i)
		handle(fatal[i]);
	signal(SIGXFSZ, SIG_IGN);
}

/* Create the temporary file so that no signal can come between its creation
 * and its registration.
 */
static int create_temporary(void)
{
	sigset_t set, old;
	int fd;

	atexit(temporary_remove);
	handle_signals();
	fatal_signals(&set);
	sigprocmask(SIG_BLOCK, &set, &old);
	fd = mkstemp(temporary);
	temporary_exists = fd >= 0;
	sigprocmask(SIG_SETMASK, &old, NULL);
	return fd;
}

int temporary_create(const char *path)
{
	int room = snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path);

	if (room >= 0 && room < (int) sizeof(temporary))
		return create_temporary();
	errno = ENAMETOOLONG;
	return -1;
}

bool temporary_becomes(const char *path)
{
	if (rename(temporary, path))
		return false;
	temporary_exists = 0;
	return true;
}

bool temporary_is_also(const char *path)
{
	return !link(temporary, path);
}
