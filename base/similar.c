/* Suggestions for a misspelt name. */
#include "base/base.h"

#include <string.h>

enum {
	MAX_NAME = 255,		/* compare at most so many bytes */
	MAX_SIMILAR = 2,	/* so many letters may differ */
};

static char small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c;
}

/* The number of letters to insert, remove or replace to get from "a" to "b",
 * ignoring case.
 */
static int distance(const char *a, const char *b)
{
	int row[MAX_NAME + 1], n = (int) strlen(b);

	for (int j = 0; j <= n; ++j)
		row[j] = j;
	for (int i = 0; a[i]; ++i) {
		int diagonal = row[0];

		row[0] = i + 1;
		for (int j = 0; j < n; ++j) {
			int replaced = diagonal +
				(small(a[i]) != small(b[j]));

			diagonal = row[j + 1];
			row[j + 1] = smaller(replaced,
				1 + smaller(row[j], row[j + 1]));
		}
	}
	return row[n];
}

static bool may_be_similar(const char *a, const char *b)
{
	int difference = (int) strlen(a) - (int) strlen(b);

	return strlen(b) <= MAX_NAME && difference >= -MAX_SIMILAR &&
		difference <= MAX_SIMILAR;
}

const char *more_similar(const char *wrong, const char *best,
	const char *name)
{
	int limit = smaller(MAX_SIMILAR, (int) strlen(wrong) / 2);

	if (best)
		limit = distance(wrong, best) - 1;
	return strcmp(wrong, name) && may_be_similar(wrong, name) &&
		distance(wrong, name) <= limit ? name : best;
}
