/* The report's model: terms and candidates. */
#include "picture/report.h"

#include <string.h>

static const char the_best[] = "the best:";

/* A line "  name value<tab>meaning" of "n" bytes as a row. */
static void print_term(struct markup *m, const char *line, size_t n)
{
	const char *tab = memchr(line, '\t', n);
	int name = (int) strcspn(line + 2, " ");
	const char *value = line + 2 + name;

	value += strspn(value, " ");
	markup_open(m, "tr");
	markup_open(m, "td");
	markup_text(m, "%.*s", name, line + 2);
	markup_close(m);
	markup_open_with(m, "td", "class", "number");
	markup_text(m, "%.*s", (int) (tab - value), value);
	markup_close(m);
	markup_open(m, "td");
	markup_text(m, "%.*s", (int) (line + n - tab - 1), tab + 1);
	markup_close(m);
	markup_close(m);
}

static void open_terms(struct markup *m)
{
	static const char *const head[] = { "term", "value", "meaning", NULL };

	report_open_table(m, head, false);
}

/* Lines of terms of the model's text as a table, others as paragraphs; the last
 * lines are the candidates, which have a table of their own.
 */
static void print_terms(struct markup *m, const char *text)
{
	bool in_table = false;

	while (*text) {
		size_t n = strcspn(text, "\n");
		bool is_term = memchr(text, '\t', n);

		if (is_term && !in_table)
			open_terms(m);
		else if (!is_term && in_table)
			report_close_table(m);
		in_table = is_term;
		if (is_term) {
			print_term(m, text, n);
		} else if (n >= strlen(the_best) && !strncmp(text + n -
		    strlen(the_best), the_best, strlen(the_best))) {
			break;
		} else {
			markup_open(m, "p");
			markup_text(m, "%.*s", (int) n, text);
			markup_close(m);
		}
		text += n + (text[n] == '\n');
	}
	if (in_table)
		report_close_table(m);
}

static void print_cell(struct markup *m, double value, const char *fmt)
{
	markup_open_with(m, "td", "class", "number");
	markup_attribute(m, "data-value", "%.17g", value);
	if (!strcmp(fmt, "s")) {
		struct text t = { 0 };

		text_seconds(&t, value);
		markup_text(m, "%s", t.bytes);
		text_free(&t);
	} else {
		markup_text(m, "%.0f", value);
	}
	markup_close(m);
}

/* A column of the candidates' table: a size, or sizes of one name. */
struct column {
	const char *title;
	int (*value)(const struct tile_request *r, int index);
	int index;
	bool is_pair;		/* and the one after it */
};

static int height(const struct tile_request *r, int index)
{
	(void) index;
	return r->h;
}

static int width(const struct tile_request *r, int index)
{
	return r->w[index];
}

static int block(const struct tile_request *r, int index)
{
	const int size[] = { r->bx, r->by, r->bz, r->chunk_z };

	return size[index];
}

static int strip(const struct tile_request *r, int index)
{
	const int size[] = { r->b, r->v, r->y, r->l, r->f > 0 ? r->f : r->l };

	return size[index];
}

static int threads(const struct tile_request *r, int index)
{
	return r->threads[index];
}

enum { MOST_COLUMNS = IR_MAX_DIMS + 4 };

struct columns {
	struct column column[MOST_COLUMNS];
	int n;
	bool has_variant;
};

static void add_column(struct columns *c, const char *title,
	int (*value)(const struct tile_request *r, int index), int index)
{
	c->column[c->n++] = (struct column) { title, value, index, false };
}

static bool has_chunks(const struct prediction *p)
{
	bool has = false;

	for (int i = 0; i < p->n_candidates; i++)
		has |= p->candidate[i].request.chunk_z > 1;
	return has;
}

static void add_block(struct columns *c, const struct prediction *p, int dims)
{
	static const char *const title[] = { "bx", "by", "bz" };

	for (int d = 0; d < 3 && d < dims; d++)
		add_column(c, title[d], block, d);
	if (has_chunks(p))
		add_column(c, "chunk_z", block, 3);
	c->has_variant = p->candidate[0].request.variant;
}

/* Has any of those shown a longer first strip? */
static bool has_first(const struct prediction *p)
{
	for (int i = 0; i < p->n_candidates; i++)
		if (p->candidate[i].request.f > 0)
			return true;
	return false;
}

static void add_strip(struct columns *c, const struct prediction *p, int dims)
{
	add_column(c, "b", strip, 0);
	add_column(c, "v", strip, 1);
	if (dims > 2)
		add_column(c, "y", strip, 2);
	if (dims > 1)
		add_column(c, "l", strip, 3);
	if (has_first(p))
		add_column(c, "f", strip, 4);
	add_column(c, "threads", threads, 0);
	c->column[c->n - 1].is_pair = true;
}

static void add_hexagon(struct columns *c, int dims)
{
	static const char *const w[] = { "w0", "w1", "w2", "w3", "w4", "w5",
		"w6", "w7" };

	add_column(c, "h", height, 0);
	for (int d = 0; d < dims; d++)
		add_column(c, w[d], width, d);
}

/* The sizes of the strategy of "p"; a plain loop has none. */
static struct columns columns_of(const struct prediction *p, int dims)
{
	const struct tile_request *r = &p->candidate[0].request;
	struct columns c = { .n = 0 };

	if (r->h >= 0)
		add_hexagon(&c, dims);
	else if (r->b > 0)
		add_strip(&c, p, dims);
	else if (r->bx > 0)
		add_block(&c, p, dims);
	return c;
}

static void print_size(struct markup *m, const struct tile_request *r,
	const struct column *c)
{
	int value = c->value(r, c->index);
	int next = c->is_pair ? c->value(r, c->index + 1) : 1;

	markup_open_with(m, "td", "class", "number");
	markup_attribute(m, "data-value", "%lld", (long long) value * next);
	if (c->is_pair)
		markup_text(m, "%d,%d", value, next);
	else
		markup_text(m, "%d", value);
	markup_close(m);
}

/* The sizes by the names of the explorer's sliders: "b=8 v=4 warps=4". */
static void print_data_sizes(struct markup *m, const struct tile_request *r,
	const struct columns *c)
{
	struct text t = { 0 };

	for (int i = 0; i < c->n; i++) {
		if (c->column[i].is_pair)
			text_printf(&t, " warps=%d", r->threads[1]);
		else
			text_printf(&t, "%s%s=%d", i ? " " : "",
				c->column[i].title, c->column[i].value(r,
				c->column[i].index));
	}
	markup_attribute(m, "data-sizes", "%s", t.bytes ? t.bytes : "");
	text_free(&t);
}

static void print_candidate(struct markup *m, const struct sized *s,
	const struct columns *c, bool is_choice)
{
	markup_text(m, "\n");
	markup_open(m, "tr");
	if (is_choice)
		markup_attribute(m, "class", "choice");
	print_data_sizes(m, &s->request, c);
	markup_open(m, "td");
	markup_open_with(m, "button", "type", "button");
	markup_text(m, "Explore");
	markup_close(m);
	markup_close(m);
	if (c->has_variant)
		markup_element(m, "td", s->request.variant);
	for (int i = 0; i < c->n; i++)
		print_size(m, &s->request, &c->column[i]);
	print_cell(m, (double) s->k, "n");
	print_cell(m, s->predicted_s, "s");
	markup_close(m);
}

static void print_candidates(struct markup *m, const struct report *r)
{
	const struct prediction *p = r->choice;
	struct columns c = columns_of(p, r->scop->n_dims);
	const char *head[MOST_COLUMNS + 5];
	int n = 0;

	head[n++] = "In explorer";
	if (c.has_variant)
		head[n++] = "variant";
	for (int i = 0; i < c.n; i++)
		head[n++] = c.column[i].title;
	head[n++] = "k";
	head[n++] = "predicted";
	head[n] = NULL;
	markup_element(m, "h3", "Candidates");
	markup_open(m, "table");
	markup_attribute(m, "id", "candidates");
	report_heads(m, head, true);
	markup_open(m, "tbody");
	for (int i = 0; i < p->n_candidates; i++)
		print_candidate(m, &p->candidate[i], &c, i == 0);
	markup_close(m);
	markup_close(m);
}

void report_model(struct markup *m, const struct report *r)
{
	struct text t = { 0 };

	report_open_section(m, "model", "The model");
	r->choice->report(r->choice, &t, NULL);
	if (t.bytes && strchr(t.bytes, '\t'))
		print_terms(m, t.bytes);
	else
		markup_element(m, "pre", t.bytes ? t.bytes : "");
	text_free(&t);
	if (r->choice->n_candidates)
		print_candidates(m, r);
	markup_close(m);
}
