/* The command line, argument by argument. */
#include "driver/options.h"

#include <string.h>

/* Does "arg" start with "option"?  Then "value" is the rest. */
static bool matches(const struct option *option, const char *arg,
	const char **value)
{
	size_t length = strlen(option->name);
	bool is_long = !strncmp(option->name, "--", 2);

	if (strncmp(arg, option->name, length) != 0)
		return false;
	*value = arg + length;
	if (!option->value)
		return !**value;
	if (!is_long)
		return true;
	if (**value == '=')
		++*value;
	else if (**value)
		return false;
	return true;
}

/* Report that there is no option "arg", and suggest one. */
static bool refuse_option(struct parser *p, const char *arg)
{
	const char *similar = NULL, *name;

	name = region_strndup(p->mem, arg, strcspn(arg, "="));
	for (const struct option *option = option_table; option->help; option++)
		if (option->name && strlen(option->name) > 2)
			similar = more_similar(name, similar, option->name);
	diag_plain(p->diags, E_COMMAND_LINE, "unknown option '%s'; %s%s", arg,
		similar ? "did you mean " : "'stencilc --help' lists them",
		similar ? region_printf(p->mem, "'%s'?", similar) : "");
	return false;
}

static bool parse_option(struct parser *p, int argc, char **argv, int *i)
{
	for (const struct option *option = option_table; option->help;
	     option++) {
		const char *value;

		if (!option->name || !matches(option, argv[*i], &value))
			continue;
		p->spelling = option->name;
		if (option->value && !*value) {
			if (*i + 1 == argc || argv[*i][strlen(argv[*i]) - 1] ==
			    '=') {
				diag_plain(p->diags, E_COMMAND_LINE,
					"%s needs a value: %s", option->name,
					option->value);
				return false;
			}
			value = argv[++*i];
		}
		return option->set(p, value);
	}
	return refuse_option(p, argv[*i]);
}

bool options_parse(struct region *r, struct diags *d, int argc,
	char **argv, struct options *o)
{
	struct parser p = { r, d, o, NULL };

	*o = (struct options) { .max_ops = QUOTA_MAX_OPERATIONS,
		.tile = tile_request_default(), .outlook = outlook_default() };
	for (int i = 1; i < argc; i++) {
		if (argv[i][0] == '-' && argv[i][1]) {
			if (!parse_option(&p, argc, argv, &i))
				return false;
		} else if (o->input) {
			diag_plain(d, E_COMMAND_LINE, "two inputs: '%s' and "
				"'%s'", o->input, argv[i]);
			return false;
		} else {
			o->input = argv[i];
		}
	}
	return set_up_target(&p) && is_complete(&p);
}
