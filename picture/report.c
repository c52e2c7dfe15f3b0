/* The report: one page of HTML that needs no network. report.js moves what
 * moves in it, and finds its data in the page's JSON.
 */
#include "picture/report.h"

#include <string.h>

#include "picture/report-css-text.h"

static void print_metrics(struct markup *m, const struct report *r)
{
	if (!r->metrics)
		return;
	report_open_section(m, "metrics", "Counted on the emulator");
	markup_element(m, "p", "Sums over all launches of a run; what belongs "
		"to a launch of the program's sizes is the model's.");
	picture_metrics(m, r->metrics);
	markup_close(m);
}

static void print_pictures(struct markup *m, const struct report *r,
	const struct cone *cone)
{
	report_open_section(m, "pictures", "Pictures");
	picture_cone(m->out, AS_SVG, r->scop, cone);
	picture_tiles(m->out, AS_SVG, r->scop, r->plans, r->n_plans);
	if (!picture_of_tiles_says_all(r->plans, r->n_plans))
		picture_schedule(m->out, AS_SVG, r->scop, r->plans, r->n_plans);
	if (r->choice->n_candidates)
		picture_landscape(m->out, r->scop, r->request,
			r->choice);
	markup_close(m);
}

static void print_menu(struct markup *m, const struct report *r)
{
	static const char *const entry[][2] = {
		{ "#program", "Program" }, { "#dependences", "Dependences" },
		{ "#explorer", "Explorer" }, { "#model", "Model" },
		{ "#metrics", "Metrics" }, { "#pictures", "Pictures" },
		{ "#emitted", "Emitted code" },
	};

	markup_open_with(m, "nav", "aria-label", "Parts");
	markup_open(m, "ul");
	for (size_t i = 0; i < sizeof(entry) / sizeof(*entry); i++) {
		if (!r->metrics && !strcmp(entry[i][1], "Metrics"))
			continue;
		markup_open(m, "li");
		markup_open_with(m, "a", "href", entry[i][0]);
		markup_text(m, "%s", entry[i][1]);
		markup_close(m);
		markup_close(m);
	}
	markup_close(m);
	markup_close(m);
}

static void print_head(struct markup *m, const struct report *r)
{
	markup_open(m, "head");
	markup_open_with(m, "meta", "charset", "utf-8");
	markup_close(m);
	markup_open_with(m, "meta", "name", "viewport");
	markup_attribute(m, "content", "width=device-width, initial-scale=1");
	markup_close(m);
	markup_open(m, "title");
	markup_text(m, "%s: report of stencilc", r->scop->prog->name);
	markup_close(m);
	markup_open(m, "style");
	report_lines(m, report_css_text, REPORT_CSS_LINES);
	markup_close(m);
	markup_close(m);
}

void picture_report(struct text *t, const struct report *r)
{
	const struct outlook *outlook = r->choice->outlook;
	struct markup m = { .out = t, .is_html = true };
	struct cone cone;

	cone_of_deps(r->scop->deps, r->scop->n_dims, &cone);
	markup_raw(&m, "<!DOCTYPE html>\n");
	markup_open_with(&m, "html", "lang", "en");
	print_head(&m, r);
	markup_open(&m, "body");
	markup_open(&m, "h1");
	markup_text(&m, "%s", r->scop->prog->name);
	markup_close(&m);
	markup_open(&m, "p");
	markup_text(&m, "Strategy %s on %s for %s.", r->choice->strategy->name,
		outlook->machine->name, *outlook->problem ?
		outlook->problem : "fixed sizes");
	markup_close(&m);
	print_menu(&m, r);
	markup_open(&m, "main");
	report_program(&m, r);
	report_deps(&m, r);
	report_explorer(&m, r);
	report_model(&m, r);
	print_metrics(&m, r);
	print_pictures(&m, r, &cone);
	report_emitted(&m, r);
	markup_close(&m);
	markup_open(&m, "script");
	report_scripts(&m, r);
	markup_close(&m);
	markup_close(&m);
	markup_close(&m);
	markup_raw(&m, "\n");
}
