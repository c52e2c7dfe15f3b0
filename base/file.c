/* Files that are written whole or not at all, see base.h. */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

/* The temporary file, if "temporary_exists": the only variables outside a
 * function in the compiler, because a signal handler has no argument.
 */
static char temporary[PATH_ROOM];
static volatile sig_atomic_t temporary_exists;

void file_abandon(void)
{
	if (temporary_exists)
		unlink(temporary);
	temporary_exists = 0;
}

static void on_signal(int number)
{
	file_abandon();
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

/* Handle signal "number" unless the caller of the program ignores it. */
static void handle(int number)
{
	struct sigaction old, action = { .sa_handler = on_signal };

	sigemptyset(&action.sa_mask);
	if (!sigaction(number, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaction(number, &action, NULL);
}

/* A limit on the size of files is then an error of write() like a full disk. */
static void handle_signals(void)
{
	for (int i = 0; i < N_FATAL; ++i)
		handle(fatal[i]);
	signal(SIGXFSZ, SIG_IGN);
}

static bool refuse(struct diags *d, const char *path, const char *reason)
{
	diag_plain(d, E_WRITE, "cannot write '%s': %s", path, reason);
	return false;
}

static bool write_all(int fd, const char *bytes, size_t length)
{
	while (length) {
		ssize_t n = write(fd, bytes, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		bytes += n;
		length -= (size_t) n;
	}
	return true;
}

static bool write_stdout(struct diags *d, const char *bytes, size_t length)
{
	bool done = !fflush(stdout) &&
		write_all(STDOUT_FILENO, bytes, length);

	return done || refuse(d, "<stdout>", strerror(errno));
}

/* Write to something that is not a regular file. */
static bool write_directly(struct diags *d, const char *path,
	const char *bytes, size_t length)
{
	int fd = open(path, O_WRONLY);
	bool done;
	int error;

	if (fd < 0)
		return refuse(d, path, strerror(errno));
	done = write_all(fd, bytes, length);
	error = errno;
	if (close(fd) && done) {
		done = false;
		error = errno;
	}
	return done || refuse(d, path, strerror(error));
}

/* The permissions that the file should have: those of the file that it
 * replaces, "old", or those of any new file.
 */
static mode_t wanted_mode(const struct stat *old)
{
	mode_t mask;

	if (old)
		return old->st_mode & 07777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

/* Create the temporary file so that no signal can come between its creation
 * and its registration.
 */
static int create_temporary(void)
{
	sigset_t set, old;
	int fd;

	atexit(file_abandon);
	handle_signals();
	fatal_signals(&set);
	sigprocmask(SIG_BLOCK, &set, &old);
	fd = mkstemp(temporary);
	temporary_exists = fd >= 0;
	sigprocmask(SIG_SETMASK, &old, NULL);
	return fd;
}

static bool fill_temporary(int fd, const char *bytes, size_t length,
	mode_t mode)
{
	bool done = write_all(fd, bytes, length) && !fchmod(fd, mode);
	int error = errno;

	if (close(fd)) {
		error = done ? errno : error;
		done = false;
	}
	errno = error;
	return done;
}

/* Replace "path", or create it if "old" is NULL. */
static bool replace(struct diags *d, const char *path, const char *bytes,
	size_t length, const struct stat *old)
{
	int room = snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path);
	int fd, error;

	if (room < 0 || room >= (int) sizeof(temporary))
		return refuse(d, path, strerror(ENAMETOOLONG));
	fd = create_temporary();
	if (fd < 0)
		return refuse(d, path, strerror(errno));
	if (!fill_temporary(fd, bytes, length, wanted_mode(old)) ||
	    rename(temporary, path)) {
		error = errno;
		file_abandon();
		return refuse(d, path, strerror(error));
	}
	temporary_exists = 0;
	return true;
}

/* Replace the regular file "path", through a symbolic link if it is one. */
static bool replace_existing(struct diags *d, const char *path,
	const char *bytes, size_t length, const struct stat *old)
{
	char *target;
	bool done;

	if (access(path, W_OK))
		return refuse(d, path, strerror(errno));
	target = realpath(path, NULL);
	if (!target)
		return refuse(d, path, strerror(errno));
	done = replace(d, target, bytes, length, old);
	free(target);
	return done;
}

bool file_is(const char *a, const char *b)
{
	struct stat at_a, at_b;

	if (!strcmp(a, "-") || !strcmp(b, "-"))
		return false;
	if (stat(a, &at_a) || stat(b, &at_b))
		return !strcmp(a, b);
	return S_ISREG(at_a.st_mode) && at_a.st_dev == at_b.st_dev &&
		at_a.st_ino == at_b.st_ino;
}

bool file_write(struct diags *d, const char *path, const char *bytes,
	size_t length)
{
	struct stat st;

	if (!strcmp(path, "-"))
		return write_stdout(d, bytes, length);
	if (!*path)
		return refuse(d, path, "the name is empty");
	if (stat(path, &st))
		return replace(d, path, bytes, length, NULL);
	if (S_ISDIR(st.st_mode))
		return refuse(d, path, "it is a folder");
	if (!S_ISREG(st.st_mode))
		return write_directly(d, path, bytes, length);
	return replace_existing(d, path, bytes, length, &st);
}
