/* The tiles of the C target: the search for them, and what --emit=model says. */
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

/* Searches -------------------------------------------------------------- */

void tile_search_start(struct tile_search *s, struct region *mem,
	const struct scop *scop, const struct tile_request *request,
	const struct outlook *outlook)
{
	s->scop = scop;
	s->request = request;
	s->outlook = outlook;
	s->at = (struct cpu_tile) { .sized.request = *request, .sized.k = 1 };
	fastest_start(&s->fastest, mem, smaller(outlook->max_candidates, 1000),
		sizeof(struct cpu_tile), sized_seconds);
}

void tile_search_try(struct tile_search *s, const struct cpu_terms *terms,
	double bytes)
{
	s->at.terms = *terms;
	s->at.sized.predicted_s = terms->predicted_s;
	s->at.sized.tile_bytes = bytes;
	fastest_try(&s->fastest, &s->at);
}

const struct tile_request *tile_search_choice(const struct tile_search *s)
{
	return &((const struct cpu_tile *) s->fastest.all)->sized.request;
}

void tile_search_predict(struct region *mem, const struct tile_search *s,
	struct prediction *p)
{
	struct tiles_detail *detail = region_new_of(mem, struct tiles_detail);
	const struct cpu_tile *found = s->fastest.all;
	int n_dims = s->scop->n_dims;

	p->n_candidates = fastest_within(&s->fastest, s->outlook->within);
	p->candidate = region_array(mem, struct sized, p->n_candidates);
	for (int i = 0; i < p->n_candidates; i++)
		p->candidate[i] = found[i].sized;
	*detail = (struct tiles_detail) { mem, n_dims, found->terms };
	p->report = report_tiles;
	p->detail = detail;
	p->sizes = tiles_sizes(mem, tile_search_choice(s), n_dims, false);
	detail->terms.sizes = p->sizes;
	detail->terms.json_sizes = tiles_sizes(mem, tile_search_choice(s),
		n_dims, true);
	p->binding = detail->terms.binding;
}
