/* The report's tile explorer, and the JSON that its script reads. */
#include "picture/report.h"

#include <stdlib.h>

#include "base/json.h"

struct start {
	const char *why;	/* there is no explorer */
	int hex;		/* the hexagonal dimension, -1: none */
	int h, w[IR_MAX_DIMS];	/* w[0] of the hexagon, as --tile has it */
	int threads[3];
	bool reuse;
	bool is_choice;		/* the sizes are those chosen */
};

/* The model's place of dimension "d". */
static int place_of(int d, int hex)
{
	return d == hex ? 0 : d < hex ? d + 1 : d;
}

static struct start start_of_plan(const struct plan *plan)
{
	struct start s = { .hex = plan->tiles.hex_dim, .h =
		plan->tiles.hexagon.h,
		.is_choice = true };

	for (int d = 0; d < plan->n_dims; d++)
		s.w[place_of(d, s.hex)] = d == s.hex ? plan->tiles.hexagon.w0 :
			plan->tiles.width[d];
	for (int i = 0; i < 3; i++)
		s.threads[i] = i < plan->n_dims ? plan->threads[i] : 1;
	s.reuse = plan->opt.shared && plan->opt.reuse != REUSE_NONE;
	return s;
}

static struct start start_without_plan(const struct scop *scop,
	const struct cone *cone)
{
	struct start s = { .hex = 0, .h = 3 * scop->k - 1, .reuse = true };

	s.w[0] = hexagon_least_width(cone->delta0[0], cone->delta1[0], s.h);
	s.w[0] = s.w[0] > 3 ? s.w[0] : 3;
	for (int d = 1; d < scop->n_dims; d++)
		s.w[d] = d == scop->n_dims - 1 ? 32 : 8;
	for (int i = 0; i < 3; i++)
		s.threads[i] = i == 0 && scop->n_dims > 1 ? 32 : 1;
	return s;
}

/* Do all accesses to states have their dimensions in order? */
static bool has_plain_accesses(const struct scop *scop)
{
	for (int i = 0; i < scop->prog->n_stmts; i++) {
		const struct stmt *s = scop->prog->stmt[i];

		if (s->n_dims != scop->n_dims)
			return false;
		for (int j = -1; j < s->n_reads; j++) {
			const struct access *acc = j < 0 ? s->write :
				s->read[j];

			if (acc->field->kind != FIELD_STATE)
				continue;
			if (acc->field->n_dims != scop->n_dims ||
			    !access_is_in_order(acc))
				return false;
		}
	}
	return true;
}

static struct start start_of(const struct report *r, const struct cone *cone)
{
	const char *why = strategy_hex.applies(r->scop);
	struct start s = { .hex = -1 };

	if (!why && !has_plain_accesses(r->scop))
		why = "not all fields have all dimensions";
	if (why) {
		s.why = why;
		return s;
	}
	if (r->n_plans && plan_has_hexagons(r->plans) &&
	    !plan_is_diagonal(r->plans))
		return start_of_plan(r->plans);
	return start_without_plan(r->scop, cone);
}

/* JSON --------------------------------------------------------------------*/

static void json_rationals(struct json *j, const char *name,
	const struct rational *r, int n)
{
	json_open(j, name, '[');
	for (int i = 0; i < n; i++) {
		json_open(j, NULL, '[');
		json_int(j, NULL, r[i].num);
		json_int(j, NULL, r[i].den);
		json_close(j, ']');
	}
	json_close(j, ']');
	json_line(j);
}

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

static void json_program(struct json *j, const struct report *r)
{
	const struct program *prog = r->scop->prog;
	int *state = calloc((size_t) prog->n_fields + 1, sizeof(*state));
	int n = 0;

	if (!state)
		out_of_memory();
	json_open(j, "dims", '[');
	for (int d = 0; d < r->scop->n_dims; d++)
		json_string(j, NULL, picture_dim(r->scop, d));
	json_close(j, ']');
	json_open(j, "fields", '[');
	for (int i = 0; i < prog->n_fields; i++) {
		bool is_state = prog->field[i]->kind == FIELD_STATE;

		state[i] = is_state ? n++ : -1;
		if (!is_state)
			continue;
		json_open(j, NULL, '{');
		json_string(j, "name", prog->field[i]->name);
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

static void print_data(struct markup *m, const struct report *r,
	const struct cone *cone, const struct start *start)
{
	struct text t = { 0 };
	struct json j = { .text = &t };

	json_open(&j, NULL, '{');
	if (!start->why)
		json_program(&j, r);
	json_rationals(&j, "delta0", cone->delta0, cone->n_dims);
	json_rationals(&j, "delta1", cone->delta1, cone->n_dims);
	json_open(&j, "threads", '[');
	for (int i = 0; i < 3; i++)
		json_int(&j, NULL, start->threads[i]);
	json_close(&j, ']');
	json_bool(&j, "reuse", start->reuse);
	json_int(&j, "k", r->scop->k);
	json_int(&j, "hex", start->hex);
	json_close(&j, '}');
	markup_open(m, "script");
	markup_attribute(m, "type", "application/json");
	markup_attribute(m, "id", "data");
	markup_raw(m, t.bytes);
	markup_close(m);
	text_free(&t);
}

/* The explorer -------------------------------------------------------------*/

static void print_slider(struct markup *m, const char *id, const char *label,
	int least, int most, int step, int value)
{
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
	markup_close(m);
}

/* Sizes that a page can count in a moment. */
static void print_sizes(struct markup *m, const struct report *r,
	const struct start *s)
{
	static const int most_inner[] = { 512, 64, 16, 8 };
	int n = r->scop->n_dims, k = r->scop->k;
	int most_w = most_inner[n < 2 ? 0 : n > 5 ? 3 : n - 2];
	char name[16];

	markup_open_with(m, "form", "id", "sizes");
	print_slider(m, "h", "h", k - 1, 8 * k + 7 - (8 * k + 8) % k, k,
		smaller(s->h, 8 * k + 7 - (8 * k + 8) % k));
	for (int d = 0; d < n; d++) {
		snprintf(name, sizeof(name), "w%d", d);
		print_slider(m, name, name, d ? 1 : 0, d ? most_w : 24, 1,
			smaller(s->w[d], d ? most_w : 24));
	}
	markup_close(m);
}

static void print_number_row(struct markup *m, const char *id,
	const char *class, const char *meaning)
{
	markup_text(m, "\n");
	markup_open(m, "tr");
	markup_open_with(m, "th", "scope", "row");
	if (class) {
		markup_open(m, "span");
		markup_attribute(m, "class", "key %s", class);
		markup_close(m);
	}
	markup_text(m, "%s", meaning);
	markup_close(m);
	markup_open_with(m, "td", "class", "number");
	markup_attribute(m, "id", "n-%s", id);
	markup_close(m);
	markup_close(m);
}

static void print_button(struct markup *m, const char *id, const char *text)
{
	markup_open_with(m, "button", "type", "button");
	markup_attribute(m, "id", "%s", id);
	markup_text(m, "%s", text);
	markup_close(m);
	markup_text(m, " ");
}

static void print_numbers(struct markup *m)
{
	static const struct {
		const char *id, *class, *meaning;
	} row[] = {
		{ "f0", NULL, "f0 = floor(\xce\xb4\xe2\x82\x80 h)" },
		{ "f1", NULL, "f1 = floor(\xce\xb4\xe2\x82\x81 h)" },
		{ "height", NULL, "H = 2h + 2, rows" },
		{ "pitch", NULL, "W = 2 w0 + 2 + f0 + f1" },
		{ "points", NULL, "points computed" },
		{ "loaded", "loaded", "values loaded" },
		{ "reused", "reused", "left by the tile before" },
		{ "stored", "stored", "computed, read by other blocks" },
		{ "kept", "kept", "computed, used in the block only" },
		{ "ratio", NULL, "loads for a point" },
		{ "row", NULL, "row a" },
		{ "row-points", NULL, "its points" },
		{ "threads", NULL, "threads that run" },
	};

	markup_open(m, "table");
	markup_element(m, "caption", "A tile");
	markup_open(m, "tbody");
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++)
		print_number_row(m, row[i].id, row[i].class, row[i].meaning);
	markup_close(m);
	markup_close(m);
}

static void print_canvas(struct markup *m, const char *id, const char *label)
{
	markup_open_with(m, "svg", "id", id);
	markup_attribute(m, "role", "img");
	markup_attribute(m, "aria-label", "%s", label);
	markup_attribute(m, "viewBox", "0 0 10 10");
	markup_close(m);
}

static void print_steps(struct markup *m)
{
	markup_open_with(m, "div", "id", "steps");
	print_button(m, "back", "Row before");
	print_button(m, "next", "Next row");
	print_button(m, "launch", "Next launch");
	print_button(m, "play", "Play");
	print_slider(m, "moment", "moment", 0, 1, 1, 0);
	markup_open_with(m, "meter", "id", "meter");
	markup_attribute(m, "aria-label", "part of the threads that run");
	markup_text(m, " ");
	markup_close(m);
	markup_open_with(m, "p", "id", "status");
	markup_attribute(m, "role", "status");
	markup_close(m);
	markup_close(m);
}

/* What the compiler counts for the sizes chosen, if it can in a moment. */
static void print_counts(struct markup *m, const struct report *r,
	const struct start *s)
{
	enum { MOST_POINTS = 20000 };
	const struct plan *plan = r->plans;
	double points = s->is_choice ? (plan->tiles.hexagon.h + 1.0) *
		plan->tiles.hexagon.pitch : MOST_POINTS + 1.0;
	struct transfers t;

	for (int d = 0; s->is_choice && d < plan->n_dims; d++)
		points *= d == plan->tiles.hex_dim ? 1 : plan->tiles.width[d];
	if (points > MOST_POINTS)
		return;
	t = picture_transfers(plan);
	markup_number(m, "data-height", plan->tiles.hexagon.height);
	markup_number(m, "data-pitch", plan->tiles.hexagon.pitch);
	markup_number(m, "data-points", t.points);
	markup_number(m, "data-loaded", t.loaded);
	markup_number(m, "data-reused", t.reused);
	markup_number(m, "data-stored", t.stored);
	markup_number(m, "data-kept", t.kept);
}

static void print_tile(struct markup *m, const struct report *r,
	const struct start *s)
{
	markup_open(m, "p");
	markup_text(m, "%s Everything here is computed again as a slider "
		"moves; sliders end at sizes that can be drawn.",
		s->is_choice ? "It starts with the sizes chosen." :
		"Another strategy was chosen; this is what hexagons would "
		"do.");
	markup_close(m);
	print_sizes(m, r, s);
	markup_open_with(m, "p", "id", "too-large");
	markup_attribute(m, "hidden", "hidden");
	markup_text(m, "This is a large tile: the numbers take a moment.");
	markup_close(m);
	print_steps(m);
	markup_open_with(m, "div", "class", "columns");
	markup_open_with(m, "div", NULL, NULL);
	markup_element(m, "h3", "Rows of the schedule, time upwards");
	print_canvas(m, "explorer-pattern", "The tiles of two phases; those "
		"that have run are filled");
	markup_element(m, "h3", "Values of a tile, a slice through its middle");
	print_canvas(m, "explorer-values", "Which values are loaded, reused, "
		"kept and stored");
	markup_close(m);
	print_numbers(m);
	markup_close(m);
}

void report_explorer(struct markup *m, const struct report *r,
	const struct cone *cone)
{
	struct start start = start_of(r, cone);

	markup_text(m, "\n");
	markup_open_with(m, "section", "id", "explorer");
	print_counts(m, r, &start);
	markup_element(m, "h2", "Tile explorer");
	if (start.why) {
		markup_open(m, "p");
		markup_text(m, "No hexagons for this program: %s.", start.why);
		markup_close(m);
	} else {
		print_tile(m, r, &start);
	}
	markup_close(m);
	print_data(m, r, cone, &start);
}
