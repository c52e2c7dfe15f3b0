/* What --emit=model says of the tiles of the C target. */
#include "schedule/strategies.h"

const char *tiles_sizes(struct region *mem, const struct tile_request *r,
	int n_dims, bool json)
{
	const char *text = region_printf(mem, json ? "\"h\": %d" : "h=%d",
		r->h);

	for (int d = 0; d < n_dims; d++)
		text = region_printf(mem, json ? "%s, \"w%d\": %d" :
			"%s w%d=%d", text, d, r->w[d]);
	return text;
}

struct tiles_detail {
	struct region *mem;
	int n_dims;
	struct cpu_terms terms;
};

static void report_candidate(struct text *t, const struct tiles_detail *detail,
	const struct sized *c, bool json)
{
	const char *sizes = tiles_sizes(detail->mem, &c->request,
		detail->n_dims, json);

	if (json)
		text_printf(t, "{\"tile\": {%s}, \"threads\": [1], \"k\": 1, "
			"\"predicted_s\": %.9g, \"m_tile_bytes\": %.9g}",
			sizes, c->predicted_s, c->tile_bytes);
	else
		text_printf(t, "  %s  %.4g s\n", sizes, c->predicted_s);
}

static void report_candidates(struct text *t, const struct prediction *p,
	bool json)
{
	text_puts(t, json ? ",\n\"candidates\": [\n" : "the best:\n");
	for (int i = 0; i < p->n_candidates; i++) {
		report_candidate(t, p->detail, &p->candidate[i], json);
		if (json)
			text_puts(t, i + 1 < p->n_candidates ? ",\n" : "\n");
	}
	text_puts(t, json ? "]" : "");
	if (json)
		hex_dims_json(t, p->dim, p->n_dims);
	text_puts(t, json ? "}\n" : "");
}

static void report_tiles(struct text *t, const struct prediction *p, bool json)
{
	const struct tiles_detail *detail = p->detail;

	(json ? cpu_report_json : cpu_report_text)(t, p->strategy->name,
		&detail->terms);
	if (!json)
		hex_dims_text(t, p->dim, p->n_dims);
	report_candidates(t, p, json);
}

void tiles_describe(struct region *mem, struct prediction *p, int n_dims,
	const struct cpu_terms *terms)
{
	struct tiles_detail *detail = region_new_of(mem, struct tiles_detail);
	const struct tile_request *choice = &p->candidate[0].request;

	*detail = (struct tiles_detail) { mem, n_dims, *terms };
	p->report = report_tiles;
	p->detail = detail;
	p->sizes = tiles_sizes(mem, choice, n_dims, false);
	detail->terms.sizes = p->sizes;
	detail->terms.json_sizes = tiles_sizes(mem, choice, n_dims, true);
	p->binding = detail->terms.binding;
}
