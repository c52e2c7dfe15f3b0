/* runs: run a program many times and show what fails.
 *
 *	runs SECONDS [--clean] PROGRAM [ARGUMENT...] <LINES
 *
 * A line is one run: what of the environment changes, NAME=VALUE, then further
 * arguments.  A run is right if it exits with 0 or says that a grid is smaller
 * than what a boundary reaches; with --clean it also has to say "bit for bit",
 * and the emulator nothing, "[-NAME]".  It is killed after SECONDS of a processor,
 * or ten times as many on the clock.  Of others the line, the status and what
 * they said first are shown; the exit status is 1 if there are any, or no run at
 * all.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 100, MOST_TEXT = 1 << 16, SHOWN = 5 };

/* A run replaces this process. */
static void run_within(unsigned limit, char **words, FILE *output)
{
	const struct rlimit processor = { limit, limit + 1 };

	while (*words && strchr(*words, '=') && **words != '-')
		putenv(*words++);
	if (dup2(open("/dev/null", O_RDONLY), 0) < 0 ||
	    dup2(fileno(output), 1) < 0 || dup2(fileno(output), 2) < 0)
		_exit(125);
	setrlimit(RLIMIT_CPU, &processor);
	alarm(10 * limit);
	execv(*words, words);
	perror(*words);
	_exit(125);
}

/* As a shell tells it. */
static int status_of(pid_t child)
{
	int status;

	if (child < 0 || waitpid(child, &status, 0) < 0) {
		perror("runs");
		exit(125);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) :
		128 + WTERMSIG(status);
}

/* What was printed, as far as it fits. */
static const char *printed(FILE *output)
{
	static char text[MOST_TEXT];

	rewind(output);
	text[fread(text, 1, sizeof(text) - 1, output)] = 0;
	return text;
}

/* Does the emulator report anything: "[-race-block]", say? */
static bool is_reported(const char *text)
{
	while ((text = strstr(text, " [-"))) {
		text += 3;
		const size_t length = strspn(text,
			"abcdefghijklmnopqrstuvwxyz-");

		if (text[length] == ']')
			return true;
	}
	return false;
}

static bool is_right(int status, const char *text, bool clean)
{
	if (strstr(text, "a grid is smaller than what a boundary reaches"))
		return true;
	return status == 0 && (!clean ||
		(strstr(text, "bit for bit") && !is_reported(text)));
}

static void show(int status, const char *line, const char *text)
{
	printf("status %d: %s\n", status, line);
	for (int i = 0; i < SHOWN && *text; i++) {
		const size_t length = strcspn(text, "\n");

		printf("    %.*s\n", (int) length, text);
		text += length + (text[length] == '\n');
	}
}

/* The words of "line" that come first or, if "settings" is false, those that
 * follow: settings stand before the program, arguments behind.
 */
static int add_words(char **words, int n, char *line, bool settings)
{
	for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n"))
		if ((*word != '-' && strchr(word, '=')) == settings &&
		    n < MOST_WORDS)
			words[n++] = word;
	return n;
}

int main(int argc, char **argv)
{
	const unsigned limit = argc > 1 ? (unsigned) atoi(argv[1]) : 0;
	const bool clean = argc > 2 && strcmp(argv[2], "--clean") == 0;
	const int first = clean ? 3 : 2;
	char line[4096];
	bool failed = false, any = false;

	if (limit == 0 || argc <= first || argc > MOST_WORDS) {
		fprintf(stderr, "usage: runs SECONDS [--clean] PROGRAM "
			"[ARGUMENT...] <LINES\n");
		return 2;
	}
	while (fgets(line, sizeof(line), stdin)) {
		char settings[sizeof(line)], arguments[sizeof(line)];
		char *words[2 * MOST_WORDS + 1];
		FILE *output = tmpfile();

		if (!output) {
			perror("runs");
			return 125;
		}
		any = true;
		line[strcspn(line, "\n")] = 0;
		int n = add_words(words, 0, strcpy(settings, line), true);
		for (int i = first; i < argc; i++)
			words[n++] = argv[i];
		n = add_words(words, n, strcpy(arguments, line), false);
		words[n] = NULL;

		const pid_t child = fork();
		if (child == 0)
			run_within(limit, words, output);
		const int status = status_of(child);
		const char *text = printed(output);

		if (!is_right(status, text, clean)) {
			show(status, line, text);
			failed = true;
		}
		fclose(output);
	}
	return failed || !any;
}
