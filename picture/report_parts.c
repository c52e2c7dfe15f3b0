/* What the parts of the report share: elements of the page, and the JSON of the
 * program.
 */
#include "picture/report.h"

#include <stdlib.h>

void report_open_section(struct markup *m, const char *id, const char *title)
{
	markup_text(m, "\n");
	markup_open_with(m, "section", "id", id);
	markup_element(m, "h2", title);
}

void report_heads(struct markup *m, const char *const *head, bool sorts)
{
	markup_open(m, "thead");
	markup_open(m, "tr");
	for (; *head; head++) {
		markup_open_with(m, "th", "scope", "col");
		if (sorts)
			markup_open_with(m, "button", "type", "button");
		markup_text(m, "%s", *head);
		if (sorts)
			markup_close(m);
		markup_close(m);
	}
	markup_close(m);
	markup_close(m);
}

void report_lines(struct markup *m, const char *const *line, int n)
{
	for (int i = 0; i < n; i++) {
		markup_raw(m, line[i]);
		markup_raw(m, "\n");
	}
}

void report_slider(struct markup *m, const char *id, const char *label,
	int least, int most, int step, int chosen)
{
	int value = smaller(chosen, most);

	markup_text(m, "\n");
	markup_open(m, "label");
	markup_text(m, "%s ", label);
	markup_open_with(m, "input", "type", "range");
	markup_attribute(m, "id", "%s", id);
	markup_attribute(m, "min", "%d", least);
	markup_attribute(m, "max", "%d", most);
	markup_attribute(m, "step", "%d", step);
	markup_attribute(m, "value", "%d", value);
	markup_close(m);
	markup_open(m, "output");
	markup_attribute(m, "id", "%s-value", id);
	markup_attribute(m, "for", "%s", id);
	markup_text(m, "%d", value);
	markup_close(m);
	if (value < chosen)
		markup_text(m, " of %d chosen", chosen);
	markup_close(m);
}

void report_open_table(struct markup *m, const char *const *head, bool sorts)
{
	markup_open(m, "table");
	report_heads(m, head, sorts);
	markup_open(m, "tbody");
}

void report_close_table(struct markup *m)
{
	markup_close(m);
	markup_close(m);
}

/* JSON --------------------------------------------------------------------*/

/* Values of the state numbered "state", by their offsets. */
static void json_access(struct json *j, const char *name,
	const struct access *acc, const int *state)
{
	json_open(j, name, '{');
	json_int(j, "field", state[acc->field->index]);
	json_int(j, "version", acc->version);
	json_open(j, "offset", '[');
	for (int d = 0; d < acc->field->n_dims; d++)
		json_int(j, NULL, acc->offset[d]);
	json_close(j, ']');
	json_close(j, '}');
}

static void json_statement(struct json *j, const struct scop_stmt *s,
	const int *state)
{
	json_open(j, NULL, '{');
	json_string(j, "name", s->stmt->name);
	json_int(j, "number", s->number);
	json_access(j, "write", s->stmt->write, state);
	json_open(j, "reads", '[');
	for (int i = 0; i < s->stmt->n_reads; i++)
		if (s->stmt->read[i]->field->kind == FIELD_STATE)
			json_access(j, NULL, s->stmt->read[i], state);
	json_close(j, ']');
	json_close(j, '}');
}

void report_json_program(struct json *j, const struct report *r)
{
	const struct program *prog = r->scop->prog;
	int *state = calloc((size_t) prog->n_fields + 1, sizeof(*state));
	int n = 0;

	if (!state)
		out_of_memory();
	json_open(j, "fields", '[');
	for (int i = 0; i < prog->n_fields; i++) {
		bool is_state = prog->field[i]->kind == FIELD_STATE;

		state[i] = is_state ? n++ : -1;
		if (!is_state)
			continue;
		json_open(j, NULL, '{');
		json_string(j, "name", prog->field[i]->name);
		json_int(j, "depth", prog->field[i]->depth);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_open(j, "statements", '[');
	for (int i = 0; i < r->scop->n_stmts; i++) {
		const struct scop_stmt *s = &r->scop->stmt[i];

		json_line(j);
		if (!s->is_copy && state[s->stmt->write->field->index] >= 0)
			json_statement(j, s, state);
	}
	json_close(j, ']');
	json_line(j);
	free(state);
}
