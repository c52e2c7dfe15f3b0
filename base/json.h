/* JSON, written piece by piece: callers give the key and the value of each
 * member and say where lines begin; the writer adds commas and escapes.  "key"
 * names a member of an object, NULL an element of an array.
 */
#ifndef STENCILC_BASE_JSON_H
#define STENCILC_BASE_JSON_H

#include "base/base.h"

struct json {
	struct text *text;
	bool has_members;	/* this object or array is open */
	bool begins_line;	/* number of the next member */
	int indent;		/* spaces before what begins a line */
};

/* Write what precedes a value that the caller prints: a comma, the end of a line, its key. */
void json_key(struct json *j, const char *key);

/* Open an object, '{', or an array, '['; json_close() ends it with '}' or ']'. */
void json_open(struct json *j, const char *key, char bracket);
void json_close(struct json *j, char bracket);
/* Begin a line with the next member, or with the bracket that closes. */
void json_line(struct json *j);
void json_string(struct json *j, const char *key, const char *s);
void json_bool(struct json *j, const char *key, bool value);
void json_int(struct json *j, const char *key, int64_t value);
/* Print "x" with 15 digits if they read back as "x", else with 17; null if "x"
 * is not finite.
 */
void json_real(struct json *j, const char *key, double x);

#endif
