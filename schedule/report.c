/* The tiles of the C target: the search for them, and what --emit=model says. */
#include "schedule/strategies.h"

const char *tiles_sizes(struct region *mem, const struct tile_request *r,
	int n_dims)
{
	const char *text;

	if (r->rows > 0)
		return region_printf(mem, "rows=%d", r->rows);
	text = region_printf(mem, "h=%d", r->h);
	for (int d = 0; d < n_dims; d++)
		text = region_printf(mem, "%s w%d=%d", text, d, r->w[d]);
	return text;
}

struct tiles_detail {
	struct region *mem;
	int n_dims;
	struct cpu_terms terms;
};

static void report_as_text(struct text *t, const struct prediction *p)
{
	const struct tiles_detail *detail = p->detail;

	cpu_report_text(t, p->strategy->name, &detail->terms);
	hex_dims_text(t, p->dim, p->n_dims);
	text_puts(t, "the best:\n");
	for (int i = 0; i < p->n_candidates; i++) {
		text_printf(t, "  %s  ", tiles_sizes(detail->mem,
			&p->candidate[i].request, detail->n_dims));
		text_seconds(t, p->candidate[i].predicted_s);
		text_puts(t, "\n");
	}
}

static void json_widths(struct json *j, const struct tile_request *r,
	int n_dims)
{
	json_int(j, "h", r->h);
	for (int d = 0; d < n_dims; d++) {
		char name[16];

		snprintf(name, sizeof(name), "w%d", d);
		json_int(j, name, r->w[d]);
	}
}

static void json_tile(struct json *j, const struct tile_request *r, int n_dims)
{
	json_open(j, "tile", '{');
	if (r->rows > 0)
		json_int(j, "rows", r->rows);
	else
		json_widths(j, r, n_dims);
	json_close(j, '}');
}

static void json_candidate(struct json *j, const struct sized *c, int n_dims)
{
	json_line(j);
	json_open(j, NULL, '{');
	json_tile(j, &c->request, n_dims);
	json_open(j, "threads", '[');
	json_int(j, NULL, 1);
	json_close(j, ']');
	json_int(j, "k", 1);
	json_real(j, "predicted_s", c->predicted_s);
	json_real(j, "m_tile_bytes", c->tile_bytes);
	json_close(j, '}');
}

static void report_as_json(struct json *j, const struct prediction *p)
{
	const struct tiles_detail *detail = p->detail;

	cpu_report_json(j, p->strategy->name, &detail->terms);
	json_tile(j, &p->candidate[0].request, detail->n_dims);
	json_line(j);
	json_open(j, "candidates", '[');
	for (int i = 0; i < p->n_candidates; i++)
		json_candidate(j, &p->candidate[i], detail->n_dims);
	json_close(j, ']');
	hex_dims_json(j, p->dim, p->n_dims);
}

static void report_tiles(const struct prediction *p, struct text *t,
	struct json *j)
{
	if (j)
		report_as_json(j, p);
	else
		report_as_text(t, p);
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
	p->sizes = tiles_sizes(mem, tile_search_choice(s), n_dims);
	detail->terms.sizes = p->sizes;
	p->binding = detail->terms.binding;
}
