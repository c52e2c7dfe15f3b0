/* measure: run a command and report what it took.
 *
 *	measure FILE SECONDS COMMAND...
 *
 * FILE gets one line, "cpu-seconds max-rss-kB": what else runs on the machine
 * does not count.  The command is killed after SECONDS of a processor, or ten
 * times as many on the clock.  The exit status is the command's, 124 after a
 * kill, 125 if it cannot be run.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return (double) t.tv_sec + (double) t.tv_usec * 1e-6;
}

static int exit_status(int status)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	switch (WTERMSIG(status)) {
	case SIGALRM:
	case SIGXCPU:
		return 124;
	default:
		return 128 + WTERMSIG(status);
	}
}

static void run_within(unsigned limit, char **command)
{
	const struct rlimit processor = { limit, limit + 1 };

	setrlimit(RLIMIT_CPU, &processor);
	alarm(10 * limit);
	execvp(*command, command);
	perror(*command);
	_exit(125);
}

int main(int argc, char **argv)
{
	if (argc < 4) {
		fprintf(stderr, "usage: measure FILE SECONDS COMMAND...\n");
		return 2;
	}

	pid_t child = fork();
	if (child == 0)
		run_within((unsigned) atoi(argv[2]), argv + 3);

	int status;
	if (child < 0 || waitpid(child, &status, 0) < 0) {
		perror("measure");
		return 125;
	}

	struct rusage used;
	getrusage(RUSAGE_CHILDREN, &used);
	FILE *out = fopen(argv[1], "w");
	if (!out) {
		perror(argv[1]);
		return 125;
	}
	fprintf(out, "%.3f %ld\n", seconds(used.ru_utime) +
		seconds(used.ru_stime), used.ru_maxrss);
	fclose(out);
	return exit_status(status);
}
