/* --explain: pages of doc/diagnostics.md, which the build turns into text. */
#include <string.h>

#include "base/base.h"
#include "base/explain-text.h"

/* The number of the line after the heading "## name", or -1. */
static int page_of(const char *name)
{
	for (int i = 0; i < EXPLAIN_LINES; i++)
		if (!strncmp(explain_text[i], "## ", 3) &&
		    !strcmp(explain_text[i] + 3, name))
			return i + 1;
	return -1;
}

bool diag_explain(struct text *t, const char *name)
{
	int line;

	if (!strncmp(name, "-W", 2))
		name += 2;
	line = page_of(name);

	if (line < 0)
		return false;
	text_printf(t, "%s\n", name);
	while (line < EXPLAIN_LINES && strncmp(explain_text[line], "## ", 3))
		text_printf(t, "%s\n", explain_text[line++]);
	return true;
}
