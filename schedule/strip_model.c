/* What the model of strips is asked, and the search for their sizes. */
#include <math.h>
#include <string.h>

#include "schedule/strip.h"

static int most(int a, int b)
{
	return a > b ? a : b;
}

/* The shape ------------------------------------------------------------- */

static bool is_state(const struct field *f)
{
	return f->kind == FIELD_STATE;
}

/* How reads use the values of "f": the greatest age of one, and how many ages
 * there are of reads beside a lane's own cells, and rows.
 */
struct usage {
	int oldest, beside, rows;
};

static struct usage usage_of(const struct scop *scop, const struct stream *s,
	const struct field *f)
{
	unsigned ages[2] = { 0, 0 };
	struct usage u = { 0 };

	for (int c = 0; c < scop->k; c++) {
		const struct stmt *stmt = scop->prog->stmt[c];
		const struct strip_parts *parts = &s->parts[c];
		bool by_parts = !stmt_is_mapped(stmt);
		int n_reads = by_parts ? parts->n_reads : stmt->n_reads;

		for (int i = 0; i < n_reads; i++) {
			const struct access *acc = by_parts ?
				parts->read[i].acc : stmt->read[i];
			int age = 0;

			if (acc->field != f)
				continue;
			if (s->stream_dim >= 0)
				age = stream_age(s, scop, stmt, acc,
					(int) acc->offset[s->stream_dim]) -
					(by_parts ? parts->read[i].early : 0);
			u.oldest = most(u.oldest, age);
			if (acc->offset[s->lane_dim] != 0)
				ages[0] |= 1u << (age & 31);
			if (s->row_dim >= 0 && acc->offset[s->row_dim] != 0)
				ages[1] |= 1u << (age & 31);
		}
	}
	for (int age = 0; age < 32; age++) {
		u.beside += ages[0] >> age & 1;
		u.rows += ages[1] >> age & 1;
	}
	return u;
}

static void add_state(struct strip_shape *shape, const struct scop *scop,
	const struct stream *s, const struct field *f)
{
	struct usage u = usage_of(scop, s, f);
	int i = f->index, words = type_size(f->type) / 4;
	int cells = s->cells + (u.beside > 1 ? s->left[i] + s->right[i] : 0);
	int rows = s->row_dim < 0 ? 1 : s->rows + (u.rows > 1 ?
		s->above[i] + s->below[i] : 0);
	double pieces = s->cells * type_size(f->type) > 16 ?
		s->cells * type_size(f->type) / 16 : 1;

	shape->states++;
	shape->kept_words += (double) s->steps * most(u.oldest, 1) * rows *
		cells * words;
	if (u.beside <= 1)
		shape->passing_words += rows * (s->left[i] + s->right[i]) *
			words;
	if (u.rows <= 1)
		shape->passing_words += (s->above[i] + s->below[i]) * s->cells *
			words;
	shape->load_bytes += f->depth * type_size(f->type);
	shape->store_bytes += f->depth * type_size(f->type);
	shape->loads += f->depth * (pieces + 1);
	shape->stores += f->depth * (pieces + 2);
	shape->shuffles += words * (s->left[i] + s->right[i]);
	shape->shared_moves += 2.0 * (s->above[i] + s->below[i]) * s->cells *
		words;
}

/* Does "acc" have the dimension of the lanes? */
static bool lies_along(const struct stream *s, const struct access *acc)
{
	for (int d = 0; d < acc->field->n_dims; d++)
		if (acc->dim[d] == s->lane_dim)
			return true;
	return false;
}

/* A row of an input is loaded at each step that reads it; one of fewer
 * dimensions cell by cell, which touches the sectors again for each of a
 * lane's cells, or one sector if all lanes read the same.
 */
static void add_input(struct strip_shape *shape, const struct scop *scop,
	const struct stream *s, const struct field *f)
{
	double part = f->n_dims == scop->n_dims ? 1 : 0;
	int size = type_size(f->type);

	shape->input_bytes += part * size;
	shape->inputs++;
	for (int c = 0; c < scop->k; c++) {
		const struct stmt *stmt = scop->prog->stmt[c];

		for (int i = 0; i < stmt->n_reads; i++) {
			if (stmt->read[i]->field != f)
				continue;
			shape->input_loads++;
			if (part == 0)
				shape->input_row_bytes += lies_along(s,
					stmt->read[i]) ? s->cells * size : 1;
			else if (stream_is_first_row(s, stmt, i))
				shape->input_row_bytes += size;
		}
	}
}

enum { SECTOR = 32, WIDEST = 16 };

/* Sectors that a warp's row of "bytes" touches for each that it fills, on
 * average over strips that are "width" bytes apart, of which the first starts
 * "before" bytes before the grid's first column; rows of the grid start with
 * a sector.  Lanes move "lane" bytes, 16 at a time: of more each access
 * touches halves.
 */
static double sectors_of(int width, int before, int bytes, int lane)
{
	int touched = 0, strips = 0, start = (SECTOR - before % SECTOR) %
		SECTOR;
	int first = start;

	do {
		touched += (start + bytes + SECTOR - 1) / SECTOR;
		strips++;
		start = (start + width) % SECTOR;
	} while (start != first);
	return (double) touched * SECTOR / ((double) strips * bytes) *
		(lane > WIDEST ? 2 : 1);
}

static void find_sectors(struct strip_shape *shape, const struct stream *s)
{
	int size = shape->mix.word_bytes, lane = s->cells * size;
	int before = s->before[s->lane_dim] * size, width = s->width * size;

	shape->load_sectors = sectors_of(width, before, WARP * lane, lane);
	shape->store_sectors = sectors_of(width, 0, width, lane);
}

double strip_special_operations(enum type type)
{
	return type == TYPE_DOUBLE ? 22 : 8;
}

struct instruction_mix strip_mix_as_written(const struct stmt *s)
{
	struct instruction_mix mix = stmt_mix(s);

	mix.arithmetic += mix.special *
		strip_special_operations(s->write->field->type);
	return mix;
}

static void add_mix(struct strip_shape *shape, const struct stream *s,
	const struct stmt *stmt)
{
	const struct strip_parts *parts = &s->parts[stmt->index];
	struct instruction_mix mix = parts->operations ?
		strip_mix(s, parts->operations) : parts->written;

	shape->mix.arithmetic += mix.arithmetic;
	shape->mix.special += mix.special;
	shape->has_boundaries = shape->has_boundaries || stmt_is_mapped(stmt);
	shape->mix.word_bytes = most(shape->mix.word_bytes,
		type_size(stmt->write->field->type));
}

/* Parts are kept as rows are; while they are computed there are others. */
static void add_parts(struct strip_shape *shape, const struct stream *s,
	const struct stmt *stmt)
{
	const struct strip_parts *parts = &s->parts[stmt->index];
	int words = type_size(stmt->write->field->type) / 4;
	int cells = s->rows * s->cells;

	for (int i = 0; i < parts->n; i++)
		shape->kept_words += (double) s->steps *
			parts->part[i].oldest * cells * words;
	if (parts->n)
		shape->passing_words += cells * words;
}

static void set_length(struct strip_shape *shape, const struct stream *s)
{
	shape->iterations = s->last - s->first + 1;
	if (s->stream_dim < 0)
		return;
	shape->stored[0] = s->length;
	shape->halo[0] = shape->iterations - s->length;
}

static struct strip_shape shape_of(const struct scop *scop,
	const struct stream *s, const struct outlook *o)
{
	const int dim[3] = { s->stream_dim, s->row_dim, s->lane_dim };
	struct strip_shape shape = {
		.steps = o->steps, .b = s->steps, .v = s->cells,
		.y = s->row_dim < 0 ? 0 : s->rows, .warps = s->warps,
		.strips = s->row_dim < 0 ? s->warps : 1,
		.registers = (double) o->registers_per_thread,
		.shared_bytes = (double) stream_shared_bytes(s, scop, NULL),
	};

	for (int i = 0; i < 3; i++) {
		if (dim[i] < 0)
			continue;
		shape.n[i] = o->hull[dim[i]];
		shape.stored[i] = strip_stored(s, dim[i]);
		shape.halo[i] = s->before[dim[i]] + s->after[dim[i]];
	}
	for (int warp = 0; warp < s->warps; warp++)
		for (int m = 0; m < s->steps; m++)
			shape.live += stream_warp_is_live(s, warp, m) ?
				1.0 / (s->warps * s->steps) : 0;
	set_length(&shape, s);
	for (int i = 0; i < scop->prog->n_fields; i++)
		if (is_state(scop->prog->field[i]))
			add_state(&shape, scop, s, scop->prog->field[i]);
		else
			add_input(&shape, scop, s, scop->prog->field[i]);
	for (int i = 0; i < scop->k; i++)
		add_mix(&shape, s, scop->prog->stmt[i]);
	for (int i = 0; i < scop->k; i++)
		add_parts(&shape, s, scop->prog->stmt[i]);
	find_sectors(&shape, s);
	return shape;
}

/* The search ------------------------------------------------------------ */

enum { MOST_CANDIDATES = 64, MOST_ROWS = 8 };

struct search {
	const struct scop *scop;	/* with memory of the search's own */
	const struct tile_request *request;
	const struct outlook *outlook;
	struct sized best[MOST_CANDIDATES];
	int n, limit;
	struct strip_parts *parts;	/* the same for all sizes */
	struct refusal refusal;	/* of the sizes that came furthest; of several
				 * of those that need least */
};

static void refuse(struct search *q, const struct refusal *r)
{
	if (r->by > q->refusal.by ||
	    (r->by == q->refusal.by && r->need < q->refusal.need))
		q->refusal = *r;
}

static bool same_sizes(const struct tile_request *a,
	const struct tile_request *b)
{
	return a->b == b->b && a->v == b->v && a->y == b->y && a->l == b->l &&
		a->threads[1] == b->threads[1];
}

static void keep(struct search *q, const struct stream *s,
	const struct strip_terms *t)
{
	struct sized c = { .request = *q->request,
		.predicted_s = t->predicted_s, .k = (int64_t) t->k };
	int at = q->n;

	c.request.b = s->steps;
	c.request.v = s->cells;
	c.request.l = s->stream_dim < 0 ? 1 : s->length;
	c.request.y = s->row_dim < 0 ? 1 : s->rows;
	c.request.threads[0] = WARP;
	c.request.threads[1] = s->warps;
	c.request.threads[2] = 1;
	for (int i = 0; i < q->n; i++)
		if (same_sizes(&q->best[i].request, &c.request))
			return;
	while (at > 0 && c.predicted_s < q->best[at - 1].predicted_s)
		at--;
	if (at == q->limit)
		return;
	if (q->n < q->limit)
		q->n++;
	memmove(&q->best[at + 1], &q->best[at],
		sizeof(c) * (size_t) (q->n - 1 - at));
	q->best[at] = c;
}

static struct strip_terms try_length(struct search *q, struct stream *s,
	struct strip_shape *shape, int length)
{
	struct strip_terms t;

	s->length = length;
	strip_find_iterations(q->scop, s);
	set_length(shape, s);
	t = strip_predict(q->outlook->machine, shape);
	if (t.predicted_s > 0)
		keep(q, s, &t);
	else
		refuse(q, &(struct refusal) { t.k < 1 ? NO_BLOCK_FITS :
			TOO_MANY_REGISTERS, t.registers, *s,
			q->outlook->machine });
	return t;
}

/* Lengths with which the blocks of a launch are as many as the SMs hold, once,
 * twice, .., but of some rows where a grid is small.
 */
static void try_lengths(struct search *q, struct stream *s)
{
	enum { SHORTEST = 4, LONGEST = 1 << 13 };
	const struct machine *m = q->outlook->machine;
	int64_t n = s->stream_dim < 0 ? 1 : q->outlook->hull[s->stream_dim];
	int longest = n < LONGEST ? (int) n : LONGEST, tried;
	struct strip_shape shape = shape_of(q->scop, s, q->outlook);
	struct strip_terms t;
	double others;

	if (s->stream_dim < 0 || q->request->l > 0) {
		try_length(q, s, &shape, s->stream_dim < 0 ? 1 :
			q->request->l);
		return;
	}
	t = try_length(q, s, &shape, longest);
	tried = longest;
	if (t.predicted_s <= 0)
		return;
	others = t.blocks / (double) ((n + longest - 1) / longest);
	for (int waves = 1; waves <= 8; waves++) {
		int64_t chunks = (int64_t) (waves * t.k *
			(double) m->sm_count / others);
		int64_t length = chunks < 1 ? n : (n + chunks - 1) / chunks;

		length = length < SHORTEST ? SHORTEST : length;
		if (length < tried) {
			try_length(q, s, &shape, (int) length);
			tried = (int) length;
		}
	}
}

/* "s" has a schedule. */
static void try_sizes(struct search *q, struct stream s, int v, int y,
	int warps)
{
	struct refusal refusal;

	s.cells = v;
	s.rows = y;
	s.warps = warps;
	s.length = 1;
	strip_find_place(q->scop, &s);
	refusal = strip_refuse(q->scop, &s, q->outlook->machine);
	if (refusal.by)
		refuse(q, &refusal);
	else
		try_lengths(q, &s);
}

static bool fits(int wanted, int value)
{
	return wanted <= 0 || wanted == value;
}

/* All v, y and numbers of warps that the request leaves open. */
static void try_steps(struct search *q, int b)
{
	static const int some_warps[] = { 4, 6, 8, 12, 16 };
	const struct tile_request *r = q->request;
	bool planes = q->scop->n_dims > 2;
	int n_warps = planes && r->threads[1] <= 0 ? 5 : 1;
	struct stream s = strip_of_request(q->scop, r);

	s.steps = b;
	s.parts = q->parts;
	strip_find_schedule(q->scop, &s);
	q->parts = s.parts;
	for (int v = 1; v <= 8; v *= 2)
		for (int y = 1; y <= (planes ? MOST_ROWS : 1); y++)
			for (int i = 0; i < n_warps; i++)
				if (fits(r->v, v) && (fits(r->y, y)) &&
				    (r->y > 0 || (y & (y - 1)) == 0))
					try_sizes(q, s, v, y,
						r->threads[1] > 0 ?
						r->threads[1] : some_warps[i]);
}

/* Sizes that strips do not have; asked for, they are diagnosed. */
static bool is_impossible(const struct search *q)
{
	const struct tile_request *r = q->request;

	return r->b == 0 || r->v == 0 || r->y == 0 || r->l == 0 ||
		(q->scop->n_dims == 1 && r->l > 1) ||
		(r->threads[0] > 0 && r->threads[0] != WARP) ||
		r->threads[2] > 1;
}

static void try_all(struct search *q)
{
	int most_steps = q->scop->n_dims > 2 ? 8 : 16;
	int least = strip_of_request(q->scop, q->request).depth;

	if (is_impossible(q))
		return;
	if (q->request->b > 0)
		try_steps(q, q->request->b);
	else
		for (int b = least; b <= most_steps; b++)
			try_steps(q, b);
}

/* Predictions ----------------------------------------------------------- */

struct strip_detail {
	const struct outlook *outlook;
	struct strip_terms terms;
	struct strip_candidate *candidate;
};

static void report(struct text *t, const struct prediction *p, bool json)
{
	const struct strip_detail *d = p->detail;

	if (!p->n_candidates)
		text_printf(t, json ? "{\"strategy\": \"stream\", "
			"\"feasible\": 0, \"why\": \"%s\"}\n" :
			"strategy stream: %s\n", p->why);
	else
		(json ? strip_report_json : strip_report_text)(t,
			d->outlook->machine, &d->outlook->switches, &d->terms,
			d->candidate, p->n_candidates);
}

static const char *sizes_of(struct region *mem, const struct scop *scop,
	const struct tile_request *r)
{
	const char *sizes = region_printf(mem, "b=%d v=%d", r->b, r->v);

	if (scop->n_dims > 2)
		sizes = region_printf(mem, "%s y=%d", sizes, r->y);
	if (scop->n_dims > 1)
		sizes = region_printf(mem, "%s l=%d", sizes, r->l);
	return region_printf(mem, "%s threads=%d,%d", sizes, r->threads[0],
		r->threads[1]);
}

static struct strip_terms terms_of(const struct scop *scop,
	const struct outlook *o, const struct tile_request *request)
{
	struct stream s = strip_of_request(scop, request);
	struct strip_shape shape;

	strip_find_schedule(scop, &s);
	strip_find_place(scop, &s);
	shape = shape_of(scop, &s, o);
	return strip_predict(o->machine, &shape);
}

/* Candidates beyond "within" of the best are dropped. */
static int count_within(const struct search *q)
{
	int n = 0;

	while (n < q->n && q->best[n].predicted_s <=
	       q->outlook->within * q->best[0].predicted_s)
		n++;
	return n;
}

void strip_predict_sizes(struct region *mem, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	struct prediction *p)
{
	struct strip_detail *detail = region_new_of(mem, struct strip_detail);
	struct search *q = region_new_of(mem, struct search);
	struct scop own = *scop;

	(void) deps;
	own.mem = region_new();
	detail->outlook = q->outlook = request->outlook ? request->outlook :
		outlook_default(scop);
	q->scop = &own;
	q->request = request;
	q->limit = detail->outlook->max_candidates < MOST_CANDIDATES ?
		detail->outlook->max_candidates : MOST_CANDIDATES - 1;
	try_all(q);
	p->detail = detail;
	p->report = report;
	p->why = strip_refusal_text(mem, &own, &q->refusal);
	p->n_candidates = count_within(q);
	if (p->n_candidates) {
		p->candidate = region_array(mem, struct sized,
			p->n_candidates);
		detail->candidate = region_array(mem, struct strip_candidate,
			p->n_candidates);
		for (int i = 0; i < p->n_candidates; i++) {
			p->candidate[i] = q->best[i];
			detail->candidate[i] = (struct strip_candidate) {
				sizes_of(mem, scop, &q->best[i].request),
				q->best[i].predicted_s };
		}
		detail->terms = terms_of(&own, q->outlook,
			&q->best[0].request);
		p->sizes = detail->candidate[0].sizes;
		p->binding = detail->terms.binding;
	}
	region_free(own.mem);
}
