/* What the files that read the command line share. */
#ifndef STENCILC_DRIVER_OPTIONS_H
#define STENCILC_DRIVER_OPTIONS_H

#include "driver/driver.h"

struct parser {
	struct region *mem;
	struct diags *diags;
	struct options *o;
	const char *spelling;	/* of the option being parsed */
};

/* The table.  An option whose name starts with "--" takes its value after "=",
 * others joined or as the next argument.  The first line of "help" stands
 * alone.  A row without a name starts a section; if its value is "names",
 * --help prints only the names.  A row without help ends the table.
 */
struct option {
	const char *name;
	const char *value;	/* its name in --help; NULL: none */
	bool (*set)(struct parser *p, const char *value);
	const char *help;
};

extern const struct option option_table[];

/* values.c: each is false after a diagnostic ------------------------------*/

/* Report that "value" of the option is not "expected"; false. */
bool wrong(struct parser *p, const char *value, const char *expected);
/* A number from 0 on, of "length" characters; no diagnostic. */
bool parse_int(const char *s, size_t length, int *value);
/* Call "each" for the parts of "list" between commas. */
bool each_part(struct parser *p, const char *list,
	bool (*each)(struct parser *p, const char *part, size_t length));
/* Add "NAME=VALUE" to the "n" of "list". */
bool add_define(struct parser *p, struct define **list, int *n,
	const char *s, size_t length);

/* A word and its meaning; the last one has no name. */
struct choice {
	const char *name;
	int value;
};

bool choose(struct parser *p, const char *value, const struct choice *choices,
	int *chosen);
bool choose_bool(struct parser *p, const char *value, bool *chosen);

/* steps.c: options with these names change tiles; false after a diagnostic. ---- */

bool set_shared(struct parser *p, const char *value);
bool set_separate(struct parser *p, const char *value);
bool set_copy_out(struct parser *p, const char *value);
bool set_align_loads(struct parser *p, const char *value);
bool set_reuse(struct parser *p, const char *value);
bool set_unroll(struct parser *p, const char *value);
bool set_async(struct parser *p, const char *value);
bool set_launch(struct parser *p, const char *value);
bool set_hex_dim(struct parser *p, const char *value);
bool set_steps(struct parser *p, const char *value);
bool set_mapping(struct parser *p, const char *value);
bool set_compute_only(struct parser *p, const char *value);

/* combine.c: do the options combine?  False after a diagnostic.
 * ----------------
 */

/* Set what follows from the target: strategies and machine. */
bool set_up_target(struct parser *p);
bool is_complete(struct parser *p);
#endif
