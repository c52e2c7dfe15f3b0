/* What --help prints. */
#include "driver/options.h"

#include <string.h>

/* "--tile=NAME=N,.." */
static void print_spelling(struct text *t, const struct option *option)
{
	text_puts(t, option->name);
	if (option->value)
		text_printf(t, "%s%s", !strncmp(option->name, "--", 2) ?
			"=" : !strcmp(option->name, "-W") ||
			!strcmp(option->name, "-D") ||
			!strcmp(option->name, "-std=") ? "" : " ",
			option->value);
}

/* The first line of an option's help; or "all". */
static void print_option(struct text *t, const struct option *option, bool all)
{
	enum { COLUMN = 28 };
	struct text left = { 0 };
	const char *help = option->help;

	text_puts(&left, "  ");
	print_spelling(&left, option);
	text_printf(t, "%-*s", COLUMN, left.bytes);
	text_free(&left);
	for (;;) {
		size_t n = strcspn(help, "\n");

		text_printf(t, " %.*s\n", (int) n, help);
		help += n;
		if (!*help++ || !all)
			return;
		text_printf(t, "%*s", COLUMN, "");
	}
}

/* Print the option's name and value, in lines of 80 columns; "column" is where
 * the line ends.
 */
static int print_name(struct text *t, const struct option *option, int column)
{
	struct text name = { 0 };

	print_spelling(&name, option);
	if (column == 0 || column + 1 + (int) name.length > 79) {
		text_puts(t, column ? "\n " : " ");
		column = 1;
	}
	text_printf(t, " %s", name.bytes);
	column += 1 + (int) name.length;
	text_free(&name);
	return column;
}

/* Sections of names follow each other without a blank line. */
static void print_options(struct text *t, bool all)
{
	bool names = false;
	int column = 0;

	for (const struct option *option = option_table; option->help;
	     option++) {
		if (!option->name) {
			bool follows = names && option->value;

			names = option->value && !all;
			text_printf(t, "%s%s%s:\n", column ? "\n" : "",
				follows ? "" : "\n", option->help);
			column = 0;
		} else if (names) {
			column = print_name(t, option, column);
		} else if (all || strcmp(option->name, "--help=all")) {
			print_option(t, option, all);
		}
	}
	text_puts(t, column ? "\n" : "");
}

void options_help(struct text *t, bool all)
{
	text_puts(t, "Usage: stencilc [options] FILE.stn | FILE.c\n"
		"Compile a stencil program, or marked regions of C, to CUDA "
		"or C with OpenMP.\n");
	print_options(t, all);
	text_puts(t, "\nExit status: 0 done, 1 wrong input, 2 wrong options, "
		"3 internal error, 4 files.\n");
}
