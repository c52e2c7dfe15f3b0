/* Targets for libFuzzer, one for each TARGET that this is compiled with:
 *
 *	TARGET_STN	text to program
 *	TARGET_MACHINE	a machine file
 *	TARGET_OPTIONS	a command line, arguments between newlines
 *	TARGET_COMPILE	the whole compiler, with --verify; a first line
 *			"// args: .." gives options
 *	TARGET_C	the same, of a C program
 *
 * What is wrong is a crash, a report of a sanitizer, a program that breaks the
 * invariants of ir.h, or an internal error, as a plan is that the verifier
 * refuses.
 */
#include <stdlib.h>
#include <string.h>

#include "driver/options.h"
#include "frontend/frontend.h"
#include "ir/ir.h"
#include "model/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Where messages go; a file FUZZ_MESSAGES. */
static FILE *nowhere;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *log = getenv("FUZZ_MESSAGES");

	(void) argc;
	(void) argv;
	nowhere = fopen(log ? log : "/dev/null", "w");
	return nowhere ? 0 : 1;
}

#ifdef TARGET_STN
static void try(struct region *mem, struct diags *d, char *text)
{
	const struct source *src = source_of_text(mem, "fuzz.stn", text);
	const struct program *prog = frontend_stn(mem, d, src, NULL, 0);

	if (prog && ir_verify(mem, prog))
		abort();
}
#endif

#ifdef TARGET_MACHINE
static void try(struct region *mem, struct diags *d, char *text)
{
	d->source = source_of_text(mem, "fuzz.arch", text);
	machine_parse(mem, d, d->source);
}
#endif

enum { MOST_ARGS = 40 };

#ifdef TARGET_OPTIONS
static void try(struct region *mem, struct diags *d, char *text)
{
	char *arg[MOST_ARGS] = { "stencilc" };
	struct options o;
	int n = 1;

	for (char *s = strtok(text, "\n"); s && n < MOST_ARGS;
	     s = strtok(NULL, "\n"))
		arg[n++] = s;
	options_parse(mem, d, n, arg, &o);
}
#endif

#if defined(TARGET_COMPILE) || defined(TARGET_C)
#ifdef TARGET_C
#define INPUT "fuzz-input.c"
#else
#define INPUT "fuzz-input.stn"
#endif

/* main() of main.c */
int stencilc_main(int argc, char **argv);

/* May the fuzzer choose this option?  It writes no files, runs nothing. */
static bool is_harmless(const char *arg)
{
	static const char *const harmless[] = { "-D", "--align-loads=",
		"--async=", "--compute-only", "--copy-out=", "--emit=",
		"--format=", "--harness", "--hex-dim=", "--mapping=",
		"--math=", "--model=", "--mpi", "--no-alias", "--problem=", "--reassociate",
		"--reuse=",
		"--separate=", "--shared=", "--steps=", "--strategy=",
		"--target=", "--threads=", "--tile=", "--unroll=",
		"--variant=" };

	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
		if (!strncmp(arg, harmless[i], strlen(harmless[i])))
			return true;
	return false;
}

/* The options of a first line "// args: .." */
static int options_of(char *text, char **arg, int n)
{
	static const char mark[] = "// args:";
	char *s;

	if (strncmp(text, mark, strlen(mark)))
		return n;
	text[strcspn(text, "\n")] = '\0';
	for (s = strtok(text + strlen(mark), " \t"); s && n < MOST_ARGS / 2;
	     s = strtok(NULL, " \t"))
		if (is_harmless(s))
			arg[n++] = s;
	return n;
}

static void try(struct region *mem, struct diags *d, char *text)
{
	char *arg[MOST_ARGS] = { "stencilc" };
	int n = options_of(region_strdup(mem, text), arg, 1);
	FILE *input = fopen(INPUT, "w"), *messages = stderr;
	int status;

	(void) d;
	if (!input)
		exit(1);
	fputs(text, input);
	fclose(input);
	arg[n++] = "-q";
	arg[n++] = "--verify";
	arg[n++] = "--max-ops=300000";
	arg[n++] = "-o";
	arg[n++] = "/dev/null";
	arg[n++] = INPUT;
	stderr = nowhere;
	status = stencilc_main(n, arg);
	stderr = messages;
	if (status > 2)
		abort();
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct region *mem = region_new();
	char *text = region_strndup(mem, (const char *) data, size);
	struct diags d;

	diags_init(&d, nowhere);
	try(mem, &d, text);
	region_free(mem);
	return 0;
}
