/* frontend: from .stn text to the program of ir.h.
 *
 * parse: text to tree, ast.h; lower: resolve names, types and subscripts,
 * expand definitions and sums.
 */
#ifndef STENCILC_FRONTEND_H
#define STENCILC_FRONTEND_H

#include "base/base.h"
#include "ir/reduction.h"

/* -D name=value: fixes a parameter. */
struct define {
	const char *name, *value;
};

struct ast;

/* Parse "src"; NULL after an error.  Places of "d" then point into "src". */
const struct ast *frontend_parse(struct region *mem, struct diags *d,
	const struct source *src);
/* The paths of the files that the program uses; "n" is their number. */
const char *const *frontend_used(struct region *mem, const struct ast *ast,
	int *n);
/* Lower "ast"; NULL after an error.  A define that names no parameter, or does
 * not fit its type, is E_DEFINE, reported without a place.
 */
const struct program *frontend_lower(struct region *mem, struct diags *d,
	const struct ast *ast, const struct define *defines, int n_defines);
/* Both. */
const struct program *frontend_stn(struct region *mem, struct diags *d,
	const struct source *src, const struct define *defines,
	int n_defines);
/* Is "name" a word of the language, or a name that no variable of "program" may
 * have?
 */
bool frontend_is_taken(const char *name, const char *program);
/* Print the tree as text that parses to the same tree. */
void frontend_print(struct text *t, const struct ast *ast);

#endif
