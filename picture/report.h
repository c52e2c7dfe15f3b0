/* The parts of the report: each writes one section of the page. */
#ifndef STENCILC_PICTURE_REPORT_H
#define STENCILC_PICTURE_REPORT_H

#include "base/json.h"
#include "picture/picture.h"

/* report_parts.c: what they share ------------------------------------------*/

/* Up to markup_close(). */
void report_open_section(struct markup *m, const char *id, const char *title);
/* The heads of a table's columns, up to NULL; buttons if the table can be
 * sorted.
 */
void report_heads(struct markup *m, const char *const *head, bool sorts);
/* A table and its body, up to report_close_table(). */
void report_open_table(struct markup *m, const char *const *head, bool sorts);
void report_close_table(struct markup *m);
void report_lines(struct markup *m, const char *const *line, int n);
void report_slider(struct markup *m, const char *id, const char *label,
	int least, int most, int step, int value);
/* Members "fields" and "statements": the states, and who writes and reads them. */
void report_json_program(struct json *j, const struct report *r);

/* report_source.c --------------------------------------------------------*/

void report_program(struct markup *m, const struct report *r);
void report_emitted(struct markup *m, const struct report *r);

/* report_deps.c, report_explorer.c, report_model.c -----------------------*/

void report_deps(struct markup *m, const struct report *r);
/* Each with the JSON that the scripts read. */
void report_explorer(struct markup *m, const struct report *r);
void report_scripts(struct markup *m, const struct report *r);
void report_model(struct markup *m, const struct report *r);

#endif
