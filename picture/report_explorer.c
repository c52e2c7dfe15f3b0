/* The report's explorer: sliders, buttons and canvases, and the JSON for its
 * script.  The form of the plans decides what it shows.
 */
#include "picture/forms.h"
#include "picture/report.h"

#include "picture/report-js-text.h"

/* An object for each plan; an empty one where tiles are not swept. */
static void print_walks(struct json *j, const struct report *r)
{
	json_open(j, "walks", '[');
	for (int i = 0; i < r->n_plans; i++) {
		json_open(j, NULL, '{');
		picture_walk(j, &r->plans[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void print_data(struct markup *m, const struct report *r,
	const struct explorer *x)
{
	struct text t = { 0 };
	struct json j = { .text = &t };

	json_open(&j, NULL, '{');
	json_open(&j, "dims", '[');
	for (int d = 0; d < r->scop->n_dims; d++)
		json_string(&j, NULL, picture_dim(r->scop, d));
	json_close(&j, ']');
	json_int(&j, "k", r->scop->k);
	if (x)
		x->data(&j, r);
	print_walks(&j, r);
	json_close(&j, '}');
	markup_open(m, "script");
	markup_attribute(m, "type", "application/json");
	markup_attribute(m, "id", "data");
	markup_raw(m, t.bytes);
	markup_close(m);
	text_free(&t);
}

/* Controls ------------------------------------------------------------------*/

static void print_button(struct markup *m, const char *id, const char *text)
{
	markup_open_with(m, "button", "type", "button");
	markup_attribute(m, "id", "%s", id);
	markup_text(m, "%s", text);
	markup_close(m);
	markup_text(m, " ");
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

static void print_numbers(struct markup *m, const struct explorer *x)
{
	markup_open(m, "table");
	markup_element(m, "caption", x->caption);
	markup_open(m, "tbody");
	for (const struct explorer_number *n = x->numbers; n->id; n++)
		print_number_row(m, n->id, n->class, n->meaning);
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

static void print_steps(struct markup *m, const struct explorer *x)
{
	markup_open_with(m, "div", "id", "steps");
	print_button(m, "back", x->button[0]);
	print_button(m, "next", x->button[1]);
	print_button(m, "launch", x->button[2]);
	print_button(m, "play", "Play");
	report_slider(m, "moment", "moment", 0, 1, 1, 0);
	if (x->has_meter) {
		markup_open_with(m, "meter", "id", "meter");
		markup_attribute(m, "aria-label", "%s", x->has_meter);
		markup_text(m, " ");
		markup_close(m);
	}
	markup_open_with(m, "p", "id", "status");
	markup_attribute(m, "role", "status");
	markup_close(m);
	markup_close(m);
}

static void print_explorer(struct markup *m, const struct report *r,
	const struct explorer *x)
{
	markup_open(m, "p");
	markup_text(m, "%s Everything here is computed again as a slider "
		"moves; sliders end at sizes that can be drawn.", x->intro);
	markup_close(m);
	markup_open_with(m, "form", "id", "sizes");
	x->sliders(m, r);
	markup_close(m);
	markup_open_with(m, "p", "id", "too-large");
	markup_attribute(m, "hidden", "hidden");
	markup_text(m, "%s", x->too_large);
	markup_close(m);
	print_steps(m, x);
	markup_open_with(m, "div", "class", "columns");
	markup_open_with(m, "div", NULL, NULL);
	for (const struct explorer_view *v = x->views; v->id; v++) {
		markup_element(m, "h3", v->title);
		print_canvas(m, v->id, v->label);
	}
	markup_close(m);
	print_numbers(m, x);
	markup_close(m);
}

void report_explorer(struct markup *m, const struct report *r)
{
	const char *why = "there is nothing to compute";
	const struct explorer *x = r->n_plans == 0 ? NULL :
		picture_explorer(r, &why);

	markup_text(m, "\n");
	markup_open_with(m, "section", "id", "explorer");
	if (x)
		x->counts(m, r);
	markup_element(m, "h2", "Tile explorer");
	if (x) {
		print_explorer(m, r, x);
	} else {
		markup_open(m, "p");
		markup_text(m, "No explorer for this program: %s.", why);
		markup_close(m);
	}
	markup_close(m);
	print_data(m, r, x);
}

void report_scripts(struct markup *m, const struct report *r)
{
	const char *why;
	const struct explorer *x = r->n_plans == 0 ? NULL :
		picture_explorer(r, &why);

	report_lines(m, report_js_text, REPORT_JS_LINES);
	if (x)
		report_lines(m, x->script, x->script_lines);
}
