/* Variants as bracket expressions. */
#include <ctype.h>
#include <string.h>

#include "model/graph/graph.h"

/* Parsing --------------------------------------------------------------- */

struct reading {
	struct region *mem;
	const struct graph *graph;
	const char *at;
	const char *why;
	int n_levels;
	int depth;		/* brackets open */
	int common;		/* least depth since the last name */
	bool crossed;		/* a bracket stood since then */
	int swept;		/* depth of the bracket after "hs", or 0 */
	struct variant *v;
};

static void fail(struct reading *r, const char *why)
{
	if (!r->why)
		r->why = why;
}

static void skip_blanks(struct reading *r)
{
	while (isspace((unsigned char) *r->at))
		r->at++;
}

static int find_stencil(const struct graph *g, const char *name, size_t length)
{
	for (int i = 0; i < g->n_stencils; i++)
		if (strlen(g->stencil[i].name) == length &&
		    !strncmp(g->stencil[i].name, name, length))
			return i;
	return -1;
}

/* A name extends to the next comma or bracket; a state's, "A[t+1]", is written
 * "A".
 */
static int find_named(const struct graph *g, const char *name, size_t length)
{
	int i = find_stencil(g, name, length);

	for (int s = 0; i < 0 && s < g->n_stencils; s++) {
		const char *all = g->stencil[s].name;

		if (strcspn(all, "[") == length && !strncmp(all, name, length))
			i = s;
	}
	return i;
}

static void read_name(struct reading *r)
{
	size_t length = strcspn(r->at, ",[] \t");
	struct variant *v = r->v;
	int s = find_named(r->graph, r->at, length);

	if (length == 0)
		return fail(r, "a name or a bracket is missing");
	if (s < 0)
		return fail(r, region_printf(r->mem, "nothing computes '%.*s'",
			(int) length, r->at));
	for (int i = 0; i < v->n; i++)
		if (v->order[i] == s)
			return fail(r, region_printf(r->mem,
				"'%.*s' stands twice", (int) length, r->at));
	if (r->depth == 0)
		return fail(r, "a name stands outside the brackets");
	if (v->n > 0)
		v->together[v->n - 1] = r->crossed ? r->common : r->n_levels;
	v->swept[v->n] = r->swept > 0;
	v->order[v->n++] = s;
	r->common = r->depth;
	r->crossed = false;
	r->at += length;
}

static void open_bracket(struct reading *r)
{
	if (++r->depth > r->n_levels)
		fail(r, region_printf(r->mem, "it nests deeper than the %d "
			"levels of the machine", r->n_levels));
	r->crossed = true;
	r->at++;
}

/* "hs[": the bracket's content is swept. */
static bool read_halo(struct reading *r)
{
	const char *at = r->at + strlen("hs");

	if (strncmp(r->at, "hs", strlen("hs")) != 0)
		return false;
	while (isspace((unsigned char) *at))
		at++;
	if (*at != '[')
		return false;
	r->at = at;
	if (r->swept == 0)
		r->swept = r->depth + 1;
	return true;
}

static void close_bracket(struct reading *r)
{
	if (r->depth == r->swept)
		r->swept = 0;
	if (--r->depth < 0)
		fail(r, "a ']' has no '['");
	r->common = smaller(r->common, r->depth);
	r->crossed = true;
	r->at++;
}

/* item, item, .. ]; the bracket is already open. */
static void read_group(struct reading *r)
{
	for (;;) {
		skip_blanks(r);
		read_halo(r);
		if (*r->at == '[') {
			open_bracket(r);
			if (!r->why)
				read_group(r);
		} else {
			read_name(r);
		}
		skip_blanks(r);
		if (r->why || *r->at != ',')
			break;
		r->at++;
	}
	if (!r->why && *r->at != ']')
		fail(r, "a ',' or ']' is missing");
	if (!r->why)
		close_bracket(r);
}

/* Does each stencil come after those it reads? */
static void check_order(struct reading *r)
{
	const struct variant *v = r->v;

	for (int i = 0; i < v->n; i++)
		for (int j = i + 1; j < v->n; j++)
			if (graph_depends(r->graph, v->order[i], v->order[j]))
				fail(r, region_printf(r->mem, "'%s' stands "
					"before '%s', which it reads",
					r->graph->stencil[v->order[i]].name,
					r->graph->stencil[v->order[j]].name));
	for (int s = 0; s < r->graph->n_stencils && !r->why; s++) {
		bool found = false;

		for (int i = 0; i < v->n; i++)
			found |= v->order[i] == s;
		if (!found)
			fail(r, region_printf(r->mem, "'%s' is missing",
				r->graph->stencil[s].name));
	}
}

struct variant *variant_parse(struct region *mem, const struct graph *graph,
	int n_levels, const char *text, const char **why)
{
	struct reading r = { .mem = mem, .graph = graph, .at = text,
		.n_levels = n_levels };

	r.v = region_new_of(mem, struct variant);
	r.v->order = region_array(mem, int, graph->n_stencils);
	r.v->together = region_array(mem, int, graph->n_stencils);
	r.v->swept = region_array(mem, bool, graph->n_stencils);
	skip_blanks(&r);
	read_halo(&r);
	if (*r.at != '[') {
		fail(&r, "it does not start with '['");
	} else {
		open_bracket(&r);
		read_group(&r);
	}
	skip_blanks(&r);
	if (!r.why && *r.at)
		fail(&r, "something stands behind the last bracket");
	if (!r.why)
		check_order(&r);
	*why = r.why;
	return r.why ? NULL : r.v;
}

/* Printing -------------------------------------------------------------- */

/* Are all of first .. last together on all levels? */
static bool is_whole(const struct variant *v, int n_levels, int first,
	int last)
{
	for (int i = first; i < last; i++)
		if (v->together[i] < n_levels)
			return false;
	return true;
}

/* "outside": an "hs" stands before a bracket around this one. */
static void print_group(struct text *t, const struct graph *graph,
	int n_levels, const struct variant *v, int level, int first, int last,
	bool outside)
{
	bool whole = is_whole(v, n_levels, first, last);
	bool swept = true;

	for (int i = first; i <= last && v->swept; i++)
		swept &= v->swept[i];
	text_puts(t, v->swept && swept && !outside ? "hs[" : "[");
	for (int i = first; i <= last; i++) {
		int end = i;

		text_puts(t, i > first ? "," : "");
		if (whole) {
			const char *name = graph->stencil[v->order[i]].name;

			text_printf(t, "%.*s", (int) strcspn(name, "["), name);
			continue;
		}
		while (end < last && v->together[end] > level)
			end++;
		print_group(t, graph, n_levels, v, level + 1, i, end,
			outside || (v->swept && swept));
		i = end;
	}
	text_puts(t, "]");
}

void variant_print(struct text *t, const struct graph *graph, int n_levels,
	const struct variant *v)
{
	print_group(t, graph, n_levels, v, 1, 0, v->n - 1, false);
}
