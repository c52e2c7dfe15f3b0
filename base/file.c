/* Files that are written whole or not at all, see base.h. */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Write to a path that is not a regular file. */
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

/* The permissions for the new file: those of the file it replaces, "old", or
 * the default ones.
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
	int fd = temporary_create(path), error;

	if (fd < 0)
		return refuse(d, path, strerror(errno));
	if (fill_temporary(fd, bytes, length, wanted_mode(old)) &&
	    temporary_becomes(path))
		return true;
	error = errno;
	temporary_remove();
	return refuse(d, path, strerror(error));
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
