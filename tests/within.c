/* within: become a command that is killed when it takes too long.
 *
 *	within SECONDS COMMAND...
 *
 * It may take SECONDS of a processor, or ten times as many on the clock: a machine
 * that is busy does not count, what hangs does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const unsigned limit = argc > 2 ? (unsigned) atoi(argv[1]) : 0;
	const struct rlimit processor = { limit, limit };

	if (limit == 0) {
		fprintf(stderr, "usage: within SECONDS COMMAND...\n");
		return 2;
	}
	setrlimit(RLIMIT_CPU, &processor);
	alarm(10 * limit);
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
