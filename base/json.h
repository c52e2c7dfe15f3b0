/* JSON, written as it comes: what a member is called, its value, and where a
 * line begins; the writer has the commas and the escapes.  "key" is the name of
 * a member of an object, NULL for an element of an array.
 */
#ifndef STENCILC_BASE_JSON_H
#define STENCILC_BASE_JSON_H

#include "base/base.h"

struct json {
	struct text *text;
	bool has_members;	/* the object or array that is open */
	bool begins_line;	/* the next member */
	int indent;		/* spaces before what begins a line */
};

/* What stands before a value that the caller prints: a comma, the end of a line,
 * its key.
 */
void json_key(struct json *j, const char *key);

/* Open an object, '{', or an array, '['; close it by '}' or ']'. */
void json_open(struct json *j, const char *key, char bracket);
void json_close(struct json *j, char bracket);
/* The next member, or the bracket that closes, begins a line. */
void json_line(struct json *j);
void json_string(struct json *j, const char *key, const char *s);
void json_bool(struct json *j, const char *key, bool value);
void json_int(struct json *j, const char *key, int64_t value);
/* In the fewest of 15 and 17 digits that read back as "x"; null if "x" is not
 * finite.
 */
void json_real(struct json *j, const char *key, double x);

#endif
