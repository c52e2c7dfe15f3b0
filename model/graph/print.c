/* Graphs as text, dot and JSON, and the results of the search. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "model/graph/draw.h"

/* Graphs ---------------------------------------------------------------- */

enum { MOST_SHOWN = 16 };	/* list at most so many offsets of a pattern */

/* Too many offsets to list: their number, and the box around them. */
static void print_box(struct text *t, const struct shape *s)
{
	text_printf(t, "%lld points in", (long long) s->points);
	for (int d = 0; d < s->n_dims; d++)
		text_printf(t, " [%lld..%lld]", (long long) s->hull.low[d],
			(long long) s->hull.end[d] - 1);
}

void graph_print_shape(struct text *t, struct region *mem,
	const struct shape *s)
{
	struct pattern p;

	if (s->points > MOST_SHOWN) {
		print_box(t, s);
		return;
	}
	p = pattern_of_shape(mem, s);
	for (int i = 0; i < p.n; i++) {
		text_puts(t, i ? " (" : "(");
		for (int d = 0; d < s->n_dims; d++)
			text_printf(t, "%s%lld", d ? "," : "",
				(long long) p.at[i][d]);
		text_puts(t, ")");
	}
}

const struct shape *graph_shape_of_reads(struct region *mem,
	const struct graph *g, int s, int f)
{
	struct pattern p = pattern_of_reads(mem, g, s, f);
	struct cuboids offsets = cuboids_of_pattern(mem, g->n_dims, &p);
	struct pile *pile = pile_new(mem, g->n_dims);

	for (int i = 0; i < offsets.n; i++)
		pile_add(pile, &offsets.cuboid[i]);
	return pile_take(pile, mem);
}

bool graph_reads(const struct graph *g, int s, int field)
{
	for (int i = 0; i < g->stencil[s].n_in; i++)
		if (g->stencil[s].in[i].field == field)
			return true;
	return false;
}

static void print_text(struct text *t, struct region *mem,
	const struct graph *g)
{
	const struct shape **all = graph_patterns(mem, g);

	for (int s = 0; s < g->n_stencils; s++) {
		const struct graph_stencil *st = &g->stencil[s];

		text_printf(t, "%s: %d operations%s\n", st->name, st->ops,
			g->field[st->out].is_output ? ", output" : "");
		for (int f = 0; f < g->n_fields; f++) {
			if (!graph_reads(g, s, f))
				continue;
			text_printf(t, "  reads %s at ", g->field[f].name);
			graph_print_shape(t, mem, graph_shape_of_reads(mem, g, s, f));
			text_puts(t, "\n");
		}
	}
	text_puts(t, "\nof each field an output at 0 needs\n");
	for (int f = 0; f < g->n_fields; f++) {
		if (all[f]->points == 0)
			continue;
		text_printf(t, "  %s at ", g->field[f].name);
		graph_print_shape(t, mem, all[f]);
		text_puts(t, "\n");
	}
}

static void print_dot(struct text *t, struct region *mem,
	const struct graph *g)
{
	const struct shape **all = graph_patterns(mem, g);

	text_puts(t, "digraph stencils {\n\trankdir=TB;\n");
	for (int f = 0; f < g->n_fields; f++) {
		const struct graph_field *field = &g->field[f];

		text_printf(t, "\tn%d [label=\"%s\\n%lld of it\", %s];\n", f,
			field->name, (long long) all[f]->points, field->producer < 0 ?
			"style=filled, fillcolor=black, fontcolor=white" :
			field->is_output ? "shape=doublecircle" :
			"shape=circle");
	}
	for (int s = 0; s < g->n_stencils; s++)
		for (int f = 0; f < g->n_fields; f++) {
			if (!graph_reads(g, s, f))
				continue;
			text_printf(t, "\tn%d -> n%d [label=\"", f,
				g->stencil[s].out);
			graph_print_shape(t, mem, graph_shape_of_reads(mem, g, s, f));
			text_puts(t, "\"];\n");
		}
	text_puts(t, "}\n");
}

/* A member, an object or array with a line for each of its own members. */
static void open_lines(struct json *j, const char *key, char bracket)
{
	json_line(j);
	json_open(j, key, bracket);
	j->indent += 2;
}

static void close_lines(struct json *j, char bracket)
{
	j->indent -= 2;
	text_printf(j->text, "\n%*s", j->indent, "");
	json_close(j, bracket);
}

static void print_offsets_json(struct json *j, const char *key, int n_dims,
	const struct pattern *p)
{
	json_open(j, key, '[');
	for (int i = 0; i < p->n; i++) {
		json_open(j, NULL, '[');
		for (int d = 0; d < n_dims; d++)
			json_int(j, NULL, p->at[i][d]);
		json_close(j, ']');
	}
	json_close(j, ']');
}

static void print_stencil_json(struct json *j, struct region *mem,
	const struct graph *g, int s)
{
	const struct graph_stencil *st = &g->stencil[s];

	json_line(j);
	json_open(j, NULL, '{');
	json_string(j, "name", st->name);
	json_int(j, "ops", st->ops);
	json_bool(j, "output", g->field[st->out].is_output);
	json_open(j, "in", '{');
	for (int f = 0; f < g->n_fields; f++) {
		struct pattern p;

		if (!graph_reads(g, s, f))
			continue;
		p = pattern_of_reads(mem, g, s, f);
		print_offsets_json(j, g->field[f].name, g->n_dims, &p);
	}
	json_close(j, '}');
	json_close(j, '}');
}

static struct json begin_json(struct text *t)
{
	struct json j = { .text = t, .indent = 2 };

	json_open(&j, NULL, '{');
	json_line(&j);
	return j;
}

static void end_json(struct json *j)
{
	close_lines(j, '}');
	text_puts(j->text, "\n");
}

static void print_json(struct text *t, struct region *mem,
	const struct graph *g)
{
	const struct shape **all = graph_patterns(mem, g);
	struct json j = begin_json(t);

	json_int(&j, "dims", g->n_dims);
	open_lines(&j, "stencils", '[');
	for (int s = 0; s < g->n_stencils; s++)
		print_stencil_json(&j, mem, g, s);
	close_lines(&j, ']');
	open_lines(&j, "accumulated", '{');
	for (int f = 0; f < g->n_fields; f++) {
		struct pattern p = pattern_of_shape(mem, all[f]);

		json_line(&j);
		print_offsets_json(&j, g->field[f].name, g->n_dims, &p);
	}
	close_lines(&j, '}');
	end_json(&j);
}

bool graph_print(struct text *t, const struct graph *graph,
	const char *format)
{
	static const struct {
		const char *name;
		void (*print)(struct text *t, struct region *mem,
			const struct graph *g);
	} formats[] = {
		{ "text", print_text }, { "dot", print_dot },
		{ "svg", graph_draw }, { "json", print_json },
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct region *mem;

		if (strcmp(format, formats[i].name) != 0)
			continue;
		mem = region_new();
		formats[i].print(t, mem, graph);
		region_free(mem);
		return true;
	}
	return false;
}

/* What the search found --------------------------------------------------- */

static void print_rate(struct text *t, double words_per_s)
{
	if (isinf(words_per_s))
		text_puts(t, "       inf");
	else
		text_printf(t, " %9.4g", words_per_s);
}

static void print_level(struct text *t, const struct graph_level *level,
	int n_dims)
{
	text_printf(t, " %-10s %-4s", level->memory, halo_name(level->halo));
	print_rate(t, level->vertical);
	print_rate(t, level->lateral);
	print_rate(t, level->capacity);
	text_puts(t, "  (");
	for (int d = 0; d < n_dims; d++)
		if (level->tile[d])
			text_printf(t, "%s%lld", d ? "," : "",
				(long long) level->tile[d]);
		else
			text_puts(t, d ? ",all" : "all");
	text_puts(t, ")\n");
}

/* "hs" stands before the levels of groups that can be swept. */
static void print_machine(struct text *t, const struct graph_machine *m,
	int n_dims)
{
	text_printf(t, "machine %s: C = %.4g operations/s", m->name,
		m->flops);
	if (m->launch_s > 0) {
		text_puts(t, ", ");
		text_seconds(t, m->launch_s);
		text_puts(t, " a launch");
	}
	text_puts(t, "\n");
	text_puts(t, "level memory     halo         V         L         M  tile\n");
	for (int l = 0; l < m->n_levels; l++) {
		text_printf(t, "%5d", l + 1);
		print_level(t, &m->level[l], n_dims);
	}
	for (int l = 1; m->swept && l < m->swept->n_levels; l++) {
		text_printf(t, "hs%3d", l + 1);
		print_level(t, &m->swept->level[l], n_dims);
	}
}

/* In a column of their own. */
static void print_seconds(struct text *t, double s)
{
	struct text of = { 0 };

	text_seconds(&of, s);
	text_printf(t, " %10s", of.bytes);
	text_free(&of);
}

static int64_t lateral_of(const struct term *t)
{
	int64_t n = 0;

	for (int l = 0; l < t->chain.n; l++)
		n += t->traffic.lateral[l];
	return n;
}

/* The stencils of a child, as "lap,fli", in the order of "v". */
static void print_child(struct text *t, const struct graph *g,
	const struct variant *v, const struct term *term)
{
	const char *comma = "";

	for (int i = 0; i < v->n; i++) {
		if (!(term->child >> v->order[i] & 1))
			continue;
		text_printf(t, "%s%s", comma, g->stencil[v->order[i]].name);
		comma = ",";
	}
}

static void print_terms(struct text *t, struct region *mem,
	const struct graph *graph, const struct graph_machine *machine,
	const struct variant *v)
{
	struct term *term;
	int n = variant_terms(mem, counter_new(mem, graph, machine), v,
		&term);

	text_puts(t, "level    compute   vertical    lateral      loads     "
		"stores    lateral  child\n");
	for (int i = 0; i < n; i++) {
		text_printf(t, "%5d", term[i].chain.n);
		print_seconds(t, term[i].compute_s);
		print_seconds(t, term[i].vertical_s);
		print_seconds(t, term[i].lateral_s);
		text_printf(t, " %10lld %10lld %10lld  ",
			(long long) term[i].traffic.loads,
			(long long) term[i].traffic.stores,
			(long long) lateral_of(&term[i]));
		print_child(t, graph, v, &term[i]);
		text_puts(t, "\n");
	}
}

/* "16 variants of all 2 orders, all", "10 variants of 2 of 6 orders, .." */
static void print_numbers(struct text *t, const struct found *f)
{
	text_printf(t, "\n%d variants of ", f->n_scored);
	if (f->all_orders)
		text_printf(t, "all %d", f->n_orders);
	else if (f->orders_there > 0)
		text_printf(t, "%d of %.15g", f->n_orders, f->orders_there);
	else
		text_printf(t, "%d of very many", f->n_orders);
	text_printf(t, " orders, %s\n", f->exhaustive ? "all" :
		"the best of each by dynamic programming");
}

void graph_report_text(struct text *t, const struct graph *graph,
	const struct graph_machine *machine, const struct found *found)
{
	struct region *mem = region_new();

	print_machine(t, machine, graph->n_dims);
	if (found->n_scored == 1)
		text_puts(t, "\none variant\n");
	else
		print_numbers(t, found);
	if (found->longest < graph->n_stencils)
		text_printf(t, "groups of more than %d stages left out, as "
			"they take long to count\n", found->longest);
	if (found->steps > 1)
		text_printf(t, "times of one of %lld steps\n",
			(long long) found->steps);
	for (int i = 0; i < found->n; i++) {
		text_printf(t, "%2d.", i + 1);
		print_seconds(t, found->best[i].seconds);
		text_puts(t, found->best[i].fits ? " fits    " : " too big ");
		variant_print(t, graph, machine->n_levels,
			found->best[i].variant);
		text_puts(t, "\n");
	}
	text_puts(t, "\nthe terms of the first, children after their own\n");
	if (found->n > 0)
		print_terms(t, mem, graph, machine, found->best[0].variant);
	region_free(mem);
}

/* All digits; null if it is not finite. */
static void print_seconds_json(struct json *j, const char *name, double value)
{
	json_key(j, name);
	text_printf(j->text, isinf(value) ? "null" : "%.17g", value);
}

static void print_terms_json(struct json *j, struct region *mem,
	const struct graph *graph, const struct graph_machine *machine,
	const struct variant *v)
{
	struct term *term;
	int n = variant_terms(mem, counter_new(mem, graph, machine), v,
		&term);

	for (int i = 0; i < n; i++) {
		json_line(j);
		json_open(j, NULL, '{');
		json_int(j, "level", term[i].chain.n);
		json_key(j, "child");
		text_puts(j->text, "\"");
		print_child(j->text, graph, v, &term[i]);
		text_puts(j->text, "\"");
		print_seconds_json(j, "compute_s", term[i].compute_s);
		print_seconds_json(j, "vertical_s", term[i].vertical_s);
		print_seconds_json(j, "lateral_s", term[i].lateral_s);
		print_seconds_json(j, "launch_s", term[i].launch_s);
		json_int(j, "loads", term[i].traffic.loads);
		json_int(j, "stores", term[i].traffic.stores);
		json_int(j, "lateral", lateral_of(&term[i]));
		json_close(j, '}');
	}
}

static void print_found_json(struct json *j, const struct found *found)
{
	json_line(j);
	json_int(j, "orders", found->n_orders);
	print_seconds_json(j, "orders_there", found->orders_there > 0 ?
		found->orders_there : INFINITY);
	json_bool(j, "all_orders", found->all_orders);
	json_int(j, "scored", found->n_scored);
	json_bool(j, "exhaustive", found->exhaustive);
	json_line(j);
	json_int(j, "longest_group", found->longest);
	json_line(j);
	json_int(j, "steps", found->steps);
}

void graph_report_json(struct json *j, const struct graph *graph,
	const struct graph_machine *machine, const struct found *found)
{
	struct region *mem = region_new();

	j->indent += 2;
	json_line(j);
	json_string(j, "strategy", "fuse");
	json_string(j, "arch", machine->name);
	print_found_json(j, found);
	open_lines(j, "variants", '[');
	for (int i = 0; i < found->n; i++) {
		json_line(j);
		json_open(j, NULL, '{');
		json_key(j, "variant");
		text_puts(j->text, "\"");
		variant_print(j->text, graph, machine->n_levels,
			found->best[i].variant);
		text_puts(j->text, "\"");
		print_seconds_json(j, "predicted_s", found->best[i].seconds);
		json_bool(j, "feasible", found->best[i].fits);
		json_close(j, '}');
	}
	close_lines(j, ']');
	open_lines(j, "terms", '[');
	if (found->n > 0)
		print_terms_json(j, mem, graph, machine,
			found->best[0].variant);
	close_lines(j, ']');
	j->indent -= 2;
	json_line(j);
	region_free(mem);
}
