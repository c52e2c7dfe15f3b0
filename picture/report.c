/* The report: one page of HTML that needs no network.  What moves in it is
 * report.js, which finds what it needs in the page's JSON.
 */
#include "picture/picture.h"

#include <isl/point.h>
#include <stdlib.h>
#include <string.h>

#include "picture/report-css-text.h"
#include "picture/report-js-text.h"

/* JSON --------------------------------------------------------------------*/

/* A string; "<" is written so that it ends no element. */
static void json_string(struct text *t, const char *s)
{
	text_puts(t, "\"");
	for (; *s; s++)
		if (*s == '"' || *s == '\\')
			text_printf(t, "\\%c", *s);
		else if ((unsigned char) *s < ' ' || *s == '<')
			text_printf(t, "\\u%04x", (unsigned) *s);
		else
			text_append(t, s, 1);
	text_puts(t, "\"");
}

static void json_rationals(struct text *t, const char *name,
	const struct rational *r, int n)
{
	text_printf(t, "\"%s\":[", name);
	for (int i = 0; i < n; i++)
		text_printf(t, "%s[%lld,%lld]", i ? "," : "",
			(long long) r[i].num, (long long) r[i].den);
	text_puts(t, "],\n");
}

static void json_ints(struct text *t, const char *name, const int *x, int n)
{
	text_printf(t, "\"%s\":[", name);
	for (int i = 0; i < n; i++)
		text_printf(t, "%s%d", i ? "," : "", x[i]);
	text_puts(t, "],\n");
}

/* What the explorer starts with --------------------------------------------*/

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
	struct start s = { .hex = plan->hex_dim, .h = plan->hexagon.h,
		.is_choice = true };

	for (int d = 0; d < plan->n_dims; d++)
		s.w[place_of(d, s.hex)] = d == s.hex ? plan->hexagon.w0 :
			plan->width[d];
	for (int i = 0; i < 3; i++)
		s.threads[i] = i < plan->n_dims ? plan->threads[i] : 1;
	s.reuse = plan->steps.shared && plan->steps.reuse != REUSE_NONE;
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
			if (acc->field->n_dims != scop->n_dims)
				return false;
			for (int d = 0; d < scop->n_dims; d++)
				if (acc->dim[d] != d)
					return false;
		}
	}
	return true;
}

static struct start start_of(const struct report *r, const struct cone *cone)
{
	const char *why = strategy_hex.applies(r->scop, r->deps);
	struct start s = { .hex = -1 };

	if (!why && !has_plain_accesses(r->scop))
		why = "not all fields have all dimensions";
	if (why) {
		s.why = why;
		return s;
	}
	if (r->n_plans && r->plans->hex_dim >= 0)
		return start_of_plan(r->plans);
	return start_without_plan(r->scop, cone);
}

/* Values of the state numbered "state", by their offsets. */
static void json_access(struct text *t, const struct access *acc,
	const int *state)
{
	text_printf(t, "{\"field\":%d,\"version\":%d,\"offset\":[",
		state[acc->field->index], acc->version);
	for (int d = 0; d < acc->field->n_dims; d++)
		text_printf(t, "%s%lld", d ? "," : "",
			(long long) acc->offset[d]);
	text_puts(t, "]}");
}

static void json_statement(struct text *t, const struct scop_stmt *s,
	const int *state)
{
	bool first = true;

	text_puts(t, "{\"name\":");
	json_string(t, s->stmt->name);
	text_printf(t, ",\"slot\":%d,\"write\":", s->slot);
	json_access(t, s->stmt->write, state);
	text_puts(t, ",\"reads\":[");
	for (int i = 0; i < s->stmt->n_reads; i++) {
		if (s->stmt->read[i]->field->kind != FIELD_STATE)
			continue;
		text_puts(t, first ? "" : ",");
		json_access(t, s->stmt->read[i], state);
		first = false;
	}
	text_puts(t, "]}");
}

static void json_program(struct text *t, const struct report *r)
{
	const struct program *prog = r->scop->prog;
	int *state = calloc((size_t) prog->n_fields + 1, sizeof(*state));
	int n = 0;

	if (!state)
		out_of_memory();
	text_puts(t, "\"dims\":[");
	for (int d = 0; d < r->scop->n_dims; d++) {
		text_puts(t, d ? "," : "");
		json_string(t, picture_dim(r->scop, d));
	}
	text_puts(t, "],\n\"fields\":[");
	for (int i = 0; i < prog->n_fields; i++) {
		state[i] = -1;
		if (prog->field[i]->kind != FIELD_STATE)
			continue;
		state[i] = n;
		text_puts(t, n++ ? ",{\"name\":" : "{\"name\":");
		json_string(t, prog->field[i]->name);
		text_puts(t, "}");
	}
	text_puts(t, "],\n\"statements\":[");
	n = 0;
	for (int i = 0; i < r->scop->n_stmts; i++) {
		const struct scop_stmt *s = &r->scop->stmt[i];

		if (s->is_carry || state[s->stmt->write->field->index] < 0)
			continue;
		text_puts(t, n++ ? ",\n" : "");
		json_statement(t, s, state);
	}
	text_puts(t, "],\n");
	free(state);
}

static void print_data(struct markup *m, const struct report *r,
	const struct cone *cone, const struct start *start)
{
	struct text t = { 0 };

	text_puts(&t, "{");
	if (!start->why)
		json_program(&t, r);
	json_rationals(&t, "delta0", cone->delta0, cone->n_dims);
	json_rationals(&t, "delta1", cone->delta1, cone->n_dims);
	json_ints(&t, "threads", start->threads, 3);
	text_printf(&t, "\"reuse\":%s,\n\"k\":%d,\n\"hex\":%d}",
		start->reuse ? "true" : "false", r->scop->k, start->hex);
	markup_open(m, "script");
	markup_attribute(m, "type", "application/json");
	markup_attribute(m, "id", "data");
	markup_raw(m, t.bytes);
	markup_close(m);
	text_free(&t);
}

/* HTML ---------------------------------------------------------------------*/

static void open_with(struct markup *m, const char *element, const char *name,
	const char *value)
{
	markup_open(m, element);
	if (name)
		markup_attribute(m, name, "%s", value);
}

static void print_element(struct markup *m, const char *element,
	const char *text)
{
	markup_open(m, element);
	markup_text(m, "%s", text);
	markup_close(m);
}

static void open_section(struct markup *m, const char *id, const char *title)
{
	markup_text(m, "\n");
	open_with(m, "section", "id", id);
	print_element(m, "h2", title);
}

static void print_lines(struct markup *m, const char *const *line, int n)
{
	for (int i = 0; i < n; i++) {
		markup_raw(m, line[i]);
		markup_raw(m, "\n");
	}
}

/* The statement that "what" of a mark is the value of, or -1. */
static int statement_of(const struct scop *scop, const void *what)
{
	for (int i = 0; i < scop->prog->n_stmts; i++)
		if (scop->prog->stmt[i]->value == what)
			return i;
	return -1;
}

/* The statement that has "acc" among its reads, and its number there. */
static bool find_read(const struct program *prog, const struct access *acc,
	int *s, int *read)
{
	for (*s = 0; *s < prog->n_stmts; ++*s)
		for (*read = 0; *read < prog->stmt[*s]->n_reads; ++*read)
			if (prog->stmt[*s]->read[*read] == acc)
				return true;
	return false;
}

/* What is a button in the program: what a statement writes, or a read. */
struct place {
	struct span at;
	const struct stmt *written;	/* or NULL: a read */
};

/* Does "at" begin from "start" on, before "best" does, and end in "length"? */
static bool is_next(struct span at, unsigned start, unsigned length,
	const struct place *best)
{
	return at.start >= start && at.end > at.start && at.end <= length &&
		(best->at.end == 0 || at.start < best->at.start);
}

static struct place next_place(const struct program *prog, unsigned start,
	unsigned length)
{
	struct place best = { { 0, 0 }, NULL };

	for (int i = 0; i < prog->n_stmts; i++) {
		const struct stmt *s = prog->stmt[i];

		if (is_next(s->at, start, length, &best))
			best = (struct place) { s->at, s };
		for (int k = 0; k < s->n_reads; k++)
			if (is_next(s->read[k]->at, start, length, &best))
				best = (struct place) { s->read[k]->at, NULL };
	}
	return best;
}

/* "0.1 0.2": the reads that begin at "start", each by the number of its
 * statement and its own.
 */
static void print_names(struct text *t, const struct program *prog,
	unsigned start)
{
	for (int i = 0; i < prog->n_stmts; i++)
		for (int k = 0; k < prog->stmt[i]->n_reads; k++)
			if (prog->stmt[i]->read[k]->at.start == start)
				text_printf(t, "%s%d.%d", t->length ? " " : "",
					i, k);
}

/* The source; what is written and read are buttons that light up what belongs
 * to them.
 */
static void print_source(struct markup *m, const struct report *r)
{
	const struct program *prog = r->scop->prog;
	const char *text = r->source->text;
	unsigned at = 0, length = (unsigned) r->source->length;
	struct place next;

	open_section(m, "program", "The program");
	print_element(m, "p", "Point at what a statement writes, or at a "
		"read, or go there with the tabulator: its dependences and the "
		"code emitted for it light up, and a statement's rows in the "
		"explorer.");
	markup_open(m, "pre");
	while ((next = next_place(prog, at, length)).at.end) {
		struct text names = { 0 };

		markup_text(m, "%.*s", (int) (next.at.start - at), text + at);
		open_with(m, "button", "type", "button");
		if (next.written) {
			markup_attribute(m, "data-s", "%d",
				next.written->index);
			markup_attribute(m, "title", "%s", next.written->name);
		} else {
			print_names(&names, prog, next.at.start);
			markup_attribute(m, "data-r", "%s", names.bytes);
			text_free(&names);
		}
		markup_text(m, "%.*s", (int) (next.at.end - next.at.start),
			text + next.at.start);
		markup_close(m);
		at = next.at.end;
	}
	markup_text(m, "%.*s", (int) (length - at), text + at);
	markup_close(m);
	markup_close(m);
}

/* Dependences --------------------------------------------------------------*/

struct dependences {
	struct markup *m;
	const struct scop *scop;
	const char *kind;
};

static const struct scop_stmt *find_statement(const struct scop *scop,
	const char *name)
{
	for (int i = 0; i < scop->n_stmts; i++)
		if (name && !strcmp(scop->stmt[i].name, name))
			return &scop->stmt[i];
	return NULL;
}

/* The distances from "from" to "to", and whose reads they are: those of "to"
 * in a flow dependence, of "from" in an anti dependence.
 */
struct distances {
	struct markup *m;
	const struct scop *scop;
	const struct scop_stmt *from, *to;
	bool is_flow, is_anti;
};

/* Is the distance "x", of rows and points, that of read "acc" of "reader" from
 * or to the cell that "writer" writes?  Memory is written again at any later
 * time.
 */
static bool is_distance_of(const struct distances *d, const long *x, int n,
	const struct scop_stmt *reader, const struct scop_stmt *writer,
	const struct access *acc)
{
	const struct access *write = writer->stmt->write;
	int sign = d->is_flow ? -1 : 1;

	if (acc->field != write->field || acc->field->n_dims != n - 1)
		return false;
	for (int i = 0; i < n - 1; i++)
		if (acc->dim[i] != i || write->dim[i] != i ||
		    x[1 + i] != sign * (acc->offset[i] - write->offset[i]))
			return false;
	return d->is_anti || x[0] == d->scop->k * (write->version -
		acc->version) + reader->slot - writer->slot;
}

/* Begin an element for the reads whose distance "x" is; false: there is none. */
static bool open_reads(const struct distances *d, const long *x, int n)
{
	const struct scop_stmt *reader = d->is_flow ? d->to : d->from;
	const struct scop_stmt *writer = d->is_flow ? d->from : d->to;
	struct text names = { 0 };

	if ((d->is_flow || d->is_anti) && !reader->is_carry &&
	    !writer->is_carry)
		for (int i = 0; i < reader->stmt->n_reads; i++)
			if (is_distance_of(d, x, n, reader, writer,
			    reader->stmt->read[i]))
				text_printf(&names, "%s%d.%d", names.length ?
					" " : "", reader->stmt->index, i);
	if (!names.length)
		return false;
	open_with(d->m, "span", "data-r", names.bytes);
	text_free(&names);
	return true;
}

static isl_stat print_vector(__isl_take isl_point *p, void *user)
{
	const struct distances *d = user;
	isl_space *space = isl_point_get_space(p);
	int n = (int) isl_space_dim(space, isl_dim_set);
	long x[1 + IR_MAX_DIMS];
	bool has_reads;

	isl_space_free(space);
	for (int i = 0; i < n; i++) {
		isl_val *v = isl_point_get_coordinate_val(p, isl_dim_set, i);

		x[i] = isl_val_get_num_si(v);
		isl_val_free(v);
	}
	has_reads = open_reads(d, x, n);
	for (int i = 0; i < n; i++)
		markup_text(d->m, "%s%ld", i ? ", " : "(", x[i]);
	markup_text(d->m, ")");
	if (has_reads)
		markup_close(d->m);
	markup_text(d->m, " ");
	isl_point_free(p);
	return isl_stat_ok;
}

/* The distances in canonical time of the instances that "map" relates. */
static void print_distances(struct distances *d, __isl_take isl_map *map)
{
	enum { MOST = 64 };
	isl_set *distance;
	isl_val *n;

	map = isl_map_apply_domain(map, scop_canonical(d->scop, d->from));
	map = isl_map_apply_range(map, scop_canonical(d->scop, d->to));
	distance = isl_map_deltas(map);
	distance = isl_set_project_out(distance, isl_dim_param, 0,
		(unsigned) isl_set_dim(distance, isl_dim_param));
	n = isl_set_is_bounded(distance) == isl_bool_true ?
		isl_set_count_val(distance) : NULL;
	if (n && isl_val_get_num_si(n) <= MOST)
		isl_set_foreach_point(distance, print_vector, d);
	else
		markup_text(d->m, "many");
	isl_val_free(n);
	isl_set_free(distance);
}

static isl_stat print_dependence(__isl_take isl_map *map, void *user)
{
	struct dependences *d = user;
	const struct scop_stmt *from, *to;

	from = find_statement(d->scop, isl_map_get_tuple_name(map,
		isl_dim_in));
	to = find_statement(d->scop, isl_map_get_tuple_name(map,
		isl_dim_out));
	if (!from || !to) {
		isl_map_free(map);
		return isl_stat_ok;
	}
	markup_text(d->m, "\n");
	markup_open(d->m, "tr");
	markup_attribute(d->m, "data-s", "%d %d", from->stmt->index,
		to->stmt->index);
	print_element(d->m, "td", d->kind);
	print_element(d->m, "td", from->name);
	print_element(d->m, "td", to->name);
	markup_open(d->m, "td");
	print_distances(&(struct distances) { d->m, d->scop, from, to,
		!strcmp(d->kind, "flow"), !strcmp(d->kind, "anti") }, map);
	markup_close(d->m);
	markup_close(d->m);
	return isl_stat_ok;
}

static void print_heads(struct markup *m, const char *const *head, bool sorts)
{
	markup_open(m, "thead");
	markup_open(m, "tr");
	for (; *head; head++) {
		open_with(m, "th", "scope", "col");
		if (sorts)
			open_with(m, "button", "type", "button");
		markup_text(m, "%s", *head);
		if (sorts)
			markup_close(m);
		markup_close(m);
	}
	markup_close(m);
	markup_close(m);
}

static void print_deps(struct markup *m, const struct report *r)
{
	static const char *const head[] = { "kind", "from", "to",
		"distances (rows, points)", NULL };
	struct dependences d = { m, r->scop, "flow" };
	struct deps_relations all = deps_relations(r->scop);

	open_section(m, "dependences", "Dependences");
	markup_open(m, "table");
	print_heads(m, head, true);
	markup_open(m, "tbody");
	isl_union_map_foreach_map(all.flow, print_dependence, &d);
	d.kind = "anti";
	isl_union_map_foreach_map(all.anti, print_dependence, &d);
	d.kind = "output";
	isl_union_map_foreach_map(all.output, print_dependence, &d);
	markup_close(m);
	markup_close(m);
	markup_close(m);
}

/* The explorer -------------------------------------------------------------*/

static void print_slider(struct markup *m, const char *id, const char *label,
	int least, int most, int step, int value)
{
	markup_text(m, "\n");
	markup_open(m, "label");
	markup_text(m, "%s ", label);
	open_with(m, "input", "type", "range");
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

static int at_most(int x, int most)
{
	return x < most ? x : most;
}

/* Sizes that a page can count in a moment. */
static void print_sizes(struct markup *m, const struct report *r,
	const struct start *s)
{
	static const int most_inner[] = { 512, 64, 16, 8 };
	int n = r->scop->n_dims, k = r->scop->k;
	int most_w = most_inner[n < 2 ? 0 : n > 5 ? 3 : n - 2];
	char name[16];

	open_with(m, "form", "id", "sizes");
	print_slider(m, "h", "h", k - 1, 8 * k + 7 - (8 * k + 8) % k, k,
		at_most(s->h, 8 * k + 7 - (8 * k + 8) % k));
	for (int d = 0; d < n; d++) {
		snprintf(name, sizeof(name), "w%d", d);
		print_slider(m, name, name, d ? 1 : 0, d ? most_w : 24, 1,
			at_most(s->w[d], d ? most_w : 24));
	}
	markup_close(m);
}

static void print_number_row(struct markup *m, const char *id,
	const char *class, const char *meaning)
{
	markup_text(m, "\n");
	markup_open(m, "tr");
	open_with(m, "th", "scope", "row");
	if (class) {
		markup_open(m, "span");
		markup_attribute(m, "class", "key %s", class);
		markup_close(m);
	}
	markup_text(m, "%s", meaning);
	markup_close(m);
	open_with(m, "td", "class", "number");
	markup_attribute(m, "id", "n-%s", id);
	markup_close(m);
	markup_close(m);
}

static void print_button(struct markup *m, const char *id, const char *text)
{
	open_with(m, "button", "type", "button");
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
	print_element(m, "caption", "A tile");
	markup_open(m, "tbody");
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++)
		print_number_row(m, row[i].id, row[i].class, row[i].meaning);
	markup_close(m);
	markup_close(m);
}

static void print_canvas(struct markup *m, const char *id, const char *label)
{
	open_with(m, "svg", "id", id);
	markup_attribute(m, "role", "img");
	markup_attribute(m, "aria-label", "%s", label);
	markup_attribute(m, "viewBox", "0 0 10 10");
	markup_close(m);
}

static void print_steps(struct markup *m)
{
	open_with(m, "div", "id", "steps");
	print_button(m, "back", "Row before");
	print_button(m, "next", "Next row");
	print_button(m, "launch", "Next launch");
	print_button(m, "play", "Play");
	print_slider(m, "moment", "moment", 0, 1, 1, 0);
	open_with(m, "meter", "id", "meter");
	markup_attribute(m, "aria-label", "part of the threads that run");
	markup_text(m, " ");
	markup_close(m);
	open_with(m, "p", "id", "status");
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
	double points = s->is_choice ? (plan->hexagon.h + 1.0) *
		plan->hexagon.pitch : MOST_POINTS + 1.0;
	struct transfers t;

	for (int d = 0; s->is_choice && d < plan->n_dims; d++)
		points *= d == plan->hex_dim ? 1 : plan->width[d];
	if (points > MOST_POINTS)
		return;
	t = picture_transfers(plan);
	markup_number(m, "data-height", plan->hexagon.height);
	markup_number(m, "data-pitch", plan->hexagon.pitch);
	markup_number(m, "data-points", t.points);
	markup_number(m, "data-loaded", t.loaded);
	markup_number(m, "data-reused", t.reused);
	markup_number(m, "data-stored", t.stored);
	markup_number(m, "data-kept", t.kept);
}

static void print_explorer(struct markup *m, const struct report *r,
	const struct start *s)
{
	markup_text(m, "\n");
	open_with(m, "section", "id", "explorer");
	print_counts(m, r, s);
	print_element(m, "h2", "Tile explorer");
	if (s->why) {
		markup_open(m, "p");
		markup_text(m, "No hexagons for this program: %s.", s->why);
		markup_close(m);
		markup_close(m);
		return;
	}
	markup_open(m, "p");
	markup_text(m, "%s Everything here is computed again as a slider "
		"moves; sliders end at sizes that can be drawn.",
		s->is_choice ? "It starts with the sizes chosen." :
		"Another strategy was chosen; this is what hexagons would "
		"do.");
	markup_close(m);
	print_sizes(m, r, s);
	open_with(m, "p", "id", "too-large");
	markup_attribute(m, "hidden", "hidden");
	markup_text(m, "This is a large tile: the numbers take a moment.");
	markup_close(m);
	print_steps(m);
	open_with(m, "div", "class", "columns");
	open_with(m, "div", NULL, NULL);
	print_element(m, "h3", "Rows of the schedule, time upwards");
	print_canvas(m, "explorer-pattern", "The tiles of two phases; those "
		"that have run are filled");
	print_element(m, "h3", "Values of a tile, a slice through its middle");
	print_canvas(m, "explorer-values", "Which values are loaded, reused, "
		"kept and stored");
	markup_close(m);
	print_numbers(m);
	markup_close(m);
	markup_close(m);
}

/* The model ----------------------------------------------------------------*/

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
			print_heads(m, head, false);
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
			open_with(m, "td", "class", "number");
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
	open_with(m, "td", "class", "number");
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
	print_element(m, "h3", "Candidates");
	markup_open(m, "table");
	markup_attribute(m, "id", "candidates");
	print_heads(m, is_hex ? hex : block, true);
	markup_open(m, "tbody");
	for (int i = 0; i < p->n_candidates; i++)
		print_candidate(m, r->scop, &p->candidate[i], is_hex, i == 0);
	markup_close(m);
	markup_close(m);
}

static void print_model(struct markup *m, const struct report *r)
{
	struct text t = { 0 };

	open_section(m, "model", "The model");
	r->choice->report(&t, r->choice, false);
	print_terms(m, t.bytes ? t.bytes : "");
	text_free(&t);
	if (r->choice->n_candidates)
		print_candidates(m, r);
	markup_close(m);
}

/* Metrics ------------------------------------------------------------------*/

static void print_metrics(struct markup *m, const struct report *r)
{
	if (!r->metrics)
		return;
	open_section(m, "metrics", "Counted on the emulator");
	print_element(m, "p", "Sums over all launches of a run; what belongs "
		"to a launch of the program's sizes is the model's.");
	picture_metrics(m, r->metrics);
	markup_close(m);
}

/* Emitted code -------------------------------------------------------------*/

/* Bytes "from" to "to" of the code, what lies on one line; "*span" is the first
 * span that may begin there.
 */
static void print_code_line(struct markup *m, const struct report *r,
	size_t from, size_t to, int *span)
{
	const char *bytes = r->code->bytes;
	const struct text_marks *marks = r->code->marks;

	while (*span < marks->n_spans && marks->span[*span].from < to) {
		const struct text_span *at = &marks->span[(*span)++];
		const struct expr *e = at->what;
		int s, read;

		if (at->from < from || at->to > to ||
		    !find_read(r->scop->prog, e->access, &s, &read))
			continue;
		markup_text(m, "%.*s", (int) (at->from - from), bytes + from);
		markup_open(m, "span");
		markup_attribute(m, "data-r", "%d.%d", s, read);
		markup_text(m, "%.*s", (int) (at->to - at->from),
			bytes + at->from);
		markup_close(m);
		from = at->to;
	}
	markup_text(m, "%.*s", (int) (to - from), bytes + from);
}

static void print_code(struct markup *m, const struct report *r)
{
	const char *line = r->code->bytes ? r->code->bytes : "";
	const struct text_marks *marks = r->code->marks;
	unsigned number = 0;
	size_t at = 0;
	int mark = 0, span = 0;

	open_section(m, "emitted", "What was emitted");
	open_with(m, "pre", "tabindex", "0");
	markup_attribute(m, "aria-label", "the generated file");
	while (line[at]) {
		size_t n = strcspn(line + at, "\n");
		int statement = -1;

		for (; marks && mark < marks->n &&
		     marks->mark[mark].line <= number; mark++)
			statement = statement_of(r->scop,
				marks->mark[mark].what);
		open_with(m, "span", "class", "line");
		if (statement >= 0)
			markup_attribute(m, "data-s", "%d", statement);
		print_code_line(m, r, at, at + n, &span);
		markup_close(m);
		at += n + (line[at + n] == '\n');
		number++;
	}
	markup_close(m);
	markup_close(m);
}

/* The page -----------------------------------------------------------------*/

static void print_pictures(struct markup *m, const struct report *r,
	const struct cone *cone)
{
	open_section(m, "pictures", "Pictures");
	picture_cone(m->out, r->scop, r->deps, cone);
	picture_tiles(m->out, r->scop, r->plans, r->n_plans);
	picture_schedule(m->out, r->scop, r->plans, r->n_plans);
	if (r->choice->n_candidates)
		picture_landscape(m->out, r->scop, r->deps, r->request,
			r->choice);
	markup_close(m);
}

static void print_menu(struct markup *m, const struct report *r)
{
	static const char *const entry[][2] = {
		{ "#program", "Program" }, { "#dependences", "Dependences" },
		{ "#explorer", "Explorer" }, { "#model", "Model" },
		{ "#metrics", "Metrics" }, { "#pictures", "Pictures" }, { "#emitted", "Emitted code" },
	};

	open_with(m, "nav", "aria-label", "Parts");
	markup_open(m, "ul");
	for (size_t i = 0; i < sizeof(entry) / sizeof(*entry); i++) {
		if (!r->metrics && !strcmp(entry[i][1], "Metrics"))
			continue;
		markup_open(m, "li");
		open_with(m, "a", "href", entry[i][0]);
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
	open_with(m, "meta", "charset", "utf-8");
	markup_close(m);
	open_with(m, "meta", "name", "viewport");
	markup_attribute(m, "content", "width=device-width, initial-scale=1");
	markup_close(m);
	markup_open(m, "title");
	markup_text(m, "%s: report of stencilc", r->scop->prog->name);
	markup_close(m);
	markup_open(m, "style");
	print_lines(m, report_css_text, REPORT_CSS_LINES);
	markup_close(m);
	markup_close(m);
}

void picture_report(struct text *t, const struct report *r)
{
	struct markup m = { .out = t, .is_html = true };
	struct start start;
	struct cone cone;

	cone_of_deps(r->deps, r->scop->n_dims, &cone);
	start = start_of(r, &cone);
	markup_raw(&m, "<!DOCTYPE html>\n");
	open_with(&m, "html", "lang", "en");
	print_head(&m, r);
	markup_open(&m, "body");
	markup_open(&m, "h1");
	markup_text(&m, "%s", r->scop->prog->name);
	markup_close(&m);
	markup_open(&m, "p");
	markup_text(&m, "Strategy %s on %s for %s.", r->choice->strategy->name,
		r->request->outlook->machine->name,
		*r->request->outlook->problem ? r->request->outlook->problem :
		"fixed sizes");
	markup_close(&m);
	print_menu(&m, r);
	markup_open(&m, "main");
	print_source(&m, r);
	print_deps(&m, r);
	print_explorer(&m, r, &start);
	print_model(&m, r);
	print_metrics(&m, r);
	print_pictures(&m, r, &cone);
	print_code(&m, r);
	markup_close(&m);
	print_data(&m, r, &cone, &start);
	markup_open(&m, "script");
	print_lines(&m, report_js_text, REPORT_JS_LINES);
	markup_close(&m);
	markup_close(&m);
	markup_close(&m);
	markup_raw(&m, "\n");
}
