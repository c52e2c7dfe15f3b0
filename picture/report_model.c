/* The report's model: terms and candidates. */
#include "picture/report.h"

#include <string.h>

/* Lines "  name value<tab>meaning" of the model's text as a table, the lines
 * before them as paragraphs; those after are the candidates.
 */
static void print_terms(struct markup *m, const char *text)
{
	static const char *const head[] = { "term", "value", "meaning", NULL };
	bool in_table = false;

	while (*text) {
		size_t n = strcspn(text, "\n");
		const char *tab = memchr(text, '\t', n);

		if (tab && !in_table) {
			markup_open(m, "table");
			report_heads(m, head, false);
			markup_open(m, "tbody");
			in_table = true;
		}
		if (tab) {
			int name = (int) strcspn(text + 2, " ");
			const char *value = text + 2 + name;

			value += strspn(value, " ");
			markup_open(m, "tr");
			markup_open(m, "td");
			markup_text(m, "%.*s", name, text + 2);
			markup_close(m);
			markup_open_with(m, "td", "class", "number");
			markup_text(m, "%.*s", (int) (tab - value), value);
			markup_close(m);
			markup_open(m, "td");
			markup_text(m, "%.*s", (int) (text + n - tab - 1),
				tab + 1);
			markup_close(m);
			markup_close(m);
		} else if (in_table) {
			break;
		} else {
			markup_open(m, "p");
			markup_text(m, "%.*s", (int) n, text);
			markup_close(m);
		}
		text += n + (text[n] == '\n');
	}
	if (in_table) {
		markup_close(m);
		markup_close(m);
	}
}

static void print_cell(struct markup *m, double value, const char *fmt)
{
	markup_open_with(m, "td", "class", "number");
	markup_attribute(m, "data-value", "%.17g", value);
	if (!strcmp(fmt, "s"))
		markup_text(m, "%.4g s", value);
	else
		markup_text(m, "%.0f", value);
	markup_close(m);
}

static void print_candidate(struct markup *m, const struct scop *scop,
	const struct sized *c, bool is_hex, bool is_choice)
{
	const struct tile_request *r = &c->request;

	markup_text(m, "\n");
	markup_open(m, "tr");
	if (is_choice)
		markup_attribute(m, "class", "choice");
	if (is_hex) {
		print_cell(m, r->h, "n");
		for (int d = 0; d < scop->n_dims; d++)
			print_cell(m, r->w[d], "n");
	} else {
		print_cell(m, r->bx, "n");
		print_cell(m, r->by, "n");
		print_cell(m, r->bz, "n");
		print_cell(m, r->chunk_z, "n");
	}
	print_cell(m, (double) c->k, "n");
	print_cell(m, c->predicted_s, "s");
	markup_close(m);
}

static void print_candidates(struct markup *m, const struct report *r)
{
	static const char *const block[] = { "bx", "by", "bz", "chunk_z", "k",
		"predicted", NULL };
	static const char *const w[] = { "w0", "w1", "w2", "w3", "w4", "w5",
		"w6", "w7" };
	const char *hex[IR_MAX_DIMS + 4] = { "h" };
	const struct prediction *p = r->choice;
	bool is_hex = p->n_candidates && p->candidate[0].request.h >= 0;
	int n = 1;

	for (int d = 0; d < r->scop->n_dims; d++)
		hex[n++] = w[d];
	hex[n++] = "k";
	hex[n] = "predicted";
	markup_element(m, "h3", "Candidates");
	markup_open(m, "table");
	markup_attribute(m, "id", "candidates");
	report_heads(m, is_hex ? hex : block, true);
	markup_open(m, "tbody");
	for (int i = 0; i < p->n_candidates; i++)
		print_candidate(m, r->scop, &p->candidate[i], is_hex, i == 0);
	markup_close(m);
	markup_close(m);
}

void report_model(struct markup *m, const struct report *r)
{
	struct text t = { 0 };

	report_open_section(m, "model", "The model");
	r->choice->report(&t, r->choice, false);
	print_terms(m, t.bytes ? t.bytes : "");
	text_free(&t);
	if (r->choice->n_candidates)
		print_candidates(m, r);
	markup_close(m);
}
