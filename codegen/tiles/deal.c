/* Copies of cells that are known at compile time: each thread does its share in
 * straight code; code for the same threads stands together.
 */
#include "codegen/tile.h"

/* A cell for each thread, its own and "at", in these lines of a copy. */
struct part {
	int copy, line, last_line;	/* lines along the hexagon, if one
					 * thread does them */
	int at[IR_MAX_DIMS];
	struct part *next;
};

/* What the threads in "threads" do, { [t0, t1, ..] }, with a coordinate for
 * each dimension of the cells.
 */
struct share {
	isl_set *threads;
	struct part *first, **last;
	struct share *next;
};

struct deal {
	const struct place *p;
	struct transfer *t;
	struct ks *(*copy)(void *user);	/* reads t->at and t->apart */
	int n_dims;
	int threads[IR_MAX_DIMS];	/* along each dimension */
	struct part part;		/* being dealt */
	isl_set *everyone;		/* as in struct share */
	struct share *first, **last;
};

static int hex_dim(const struct deal *d)
{
	return d->p->plan->tiles.hex_dim;
}

/* Does one thread do all lines across the hexagonal dimension? */
static bool has_lines(const struct deal *d)
{
	return d->threads[hex_dim(d)] == 1;
}

int set_extreme(__isl_keep isl_set *set, int dim, bool most)
{
	isl_val *v = most ? isl_set_dim_max_val(isl_set_copy(set), dim) :
		isl_set_dim_min_val(isl_set_copy(set), dim);
	int i = isl_val_is_int(v) == isl_bool_true ?
		(int) isl_val_get_num_si(v) : 0;

	isl_val_free(v);
	return i;
}

static const char *thread_name(const struct deal *d, int dim)
{
	if (d->t->words > 1)
		return vector_thread(d->p, dim);
	return d->threads[dim] > 1 ?
		d->p->names->lanes.thread[d->n_dims - 1 - dim] : NULL;
}

/* The share of "threads", which this takes. */
static struct share *share_of(struct deal *d, __isl_take isl_set *threads)
{
	struct share *s;

	for (s = d->first; s; s = s->next)
		if (isl_set_is_equal(s->threads, threads) == isl_bool_true) {
			isl_set_free(threads);
			return s;
		}
	s = region_new_of(d->p->mem, struct share);
	s->threads = threads;
	s->last = &s->first;
	*d->last = s;
	d->last = &s->next;
	return s;
}

static bool continues(const struct deal *d, const struct part *p)
{
	if (!has_lines(d) || p->copy != d->part.copy ||
	    p->last_line + 1 != d->part.line)
		return false;
	for (int i = 0; i < d->n_dims; i++)
		if (i != hex_dim(d) && p->at[i] != d->part.at[i])
			return false;
	return true;
}

/* Merge equal parts of adjacent lines. */
static void add_part(struct deal *d, struct share *s)
{
	struct part *p;

	for (p = s->first; p; p = p->next)
		if (continues(d, p)) {
			p->last_line = d->part.last_line;
			return;
		}
	p = region_new_of(d->p->mem, struct part);
	*p = d->part;
	*s->last = p;
	s->last = &p->next;
}

/* Copy one cell of "piece" for each thread that has one. */
static void deal_part(struct deal *d, __isl_keep isl_set *piece)
{
	isl_set *threads = isl_set_copy(piece);

	for (int i = 0; i < d->n_dims; i++)
		threads = shift_dim(threads, i, -d->part.at[i]);
	threads = set_coalesce(isl_set_intersect(threads,
		isl_set_copy(d->everyone)));
	if (isl_set_is_empty(threads) != isl_bool_false)
		isl_set_free(threads);
	else
		add_part(d, share_of(d, threads));
}

static void deal_parts(struct deal *d, __isl_keep isl_set *piece, int dim)
{
	int last;

	if (dim == d->n_dims) {
		deal_part(d, piece);
		return;
	}
	last = set_extreme(piece, dim, true);
	for (int at = set_extreme(piece, dim, false); at <= last;
	     at += d->threads[dim]) {
		d->part.at[dim] = at;
		deal_parts(d, piece, dim + 1);
	}
}

static isl_stat deal_piece(__isl_take isl_basic_set *piece, void *user)
{
	isl_set *set = isl_set_from_basic_set(piece);

	deal_parts(user, set, 0);
	isl_set_free(set);
	return isl_stat_ok;
}

/* { [c] } of one line of a copy, with its coordinate set to 0. */
static __isl_give isl_set *line_of(const struct deal *d,
	__isl_keep isl_set *cells, int line)
{
	isl_set *set = isl_set_copy(cells);

	set = isl_set_fix_si(set, isl_dim_set, hex_dim(d), line);
	return set_coalesce(shift_dim(set, hex_dim(d), -line));
}

static void deal_set(struct deal *d, __isl_take isl_set *cells)
{
	cells = isl_set_make_disjoint(cells);
	isl_set_foreach_basic_set(cells, deal_piece, d);
	isl_set_free(cells);
}

/* Runs of equal lines are loops. */
static void deal_lines(struct deal *d, __isl_keep isl_set *cells)
{
	int last = set_extreme(cells, hex_dim(d), true);

	for (int line = set_extreme(cells, hex_dim(d), false); line <= last;
	     line = d->part.last_line + 1) {
		isl_set *set = line_of(d, cells, line);
		bool equal = true;

		d->part.line = line;
		for (d->part.last_line = line; equal && d->part.last_line < last;) {
			isl_set *next = line_of(d, cells, d->part.last_line + 1);

			equal = isl_set_is_equal(set, next) == isl_bool_true;
			d->part.last_line += equal;
			isl_set_free(next);
		}
		deal_set(d, set);
	}
}

/* { [t] : 0 <= t_i < threads_i } */
static __isl_give isl_set *everyone(const struct deal *d)
{
	isl_set *set = isl_set_universe(isl_space_set_alloc(d->p->scop->ctx, 0,
		(unsigned) d->n_dims));

	for (int i = 0; i < d->n_dims; i++)
		set = set_between(set, i, 0, d->threads[i] - 1);
	return set;
}

/* Set t->at to each thread's cell, t->apart to its distance from the thread's
 * own coordinates.
 */
static void place_part(const struct deal *d, const struct part *part)
{
	const struct place *p = d->p;
	struct transfer *t = d->t;

	t->at[0] = kx_int(t->mem, part->copy);
	for (int i = 0; i < d->n_dims; i++) {
		const char *thread = thread_name(d, i);

		int at = part->at[i] * (i == d->n_dims - 1 ? t->words : 1);

		t->apart[i] = kx_int(t->mem, at);
		if (has_lines(d) && i == hex_dim(d))
			t->apart[i] = part->line == part->last_line ?
				kx_int(t->mem, part->line) :
				kx_name(p->mem, p->names->cell[i]);
		t->at[1 + i] = thread ? kx_add(t->mem, kx_name(p->mem, thread),
			at) : t->apart[i];
	}
}

static bool same_lines(const struct deal *d, const struct part *a,
	const struct part *b)
{
	return has_lines(d) && a->line == b->line &&
		a->last_line == b->last_line;
}

/* Cells of each copy of the box that a thread has at most, of a line along the hexagon where
 * that is not dealt to threads.
 */
static int cells_of_thread(const struct transfer *t)
{
	const struct plan *plan = t->p->plan;
	const struct box *box = &plan->box[t->field->index];
	int cells = 1;

	for (int d = 0; d < box->n_dims; d++) {
		int i = box->n_dims - 1 - d;
		int threads = i < 3 ? plan->threads[i] : 1;

		if (d != plan->tiles.hex_dim || threads > 1)
			cells *= (box->extent[d] + threads - 1) / threads;
	}
	return cells;
}

bool can_be_asked(const struct transfer *t)
{
	enum { MOST_CELLS = 16 };

	return t->p->plan->tiles.hex_dim >= 0 &&
		t->field->n_dims == t->p->plan->n_dims &&
		cells_of_thread(t) <= MOST_CELLS;
}

/* Lines of a loop that asks for each cell, unless it only starts copies: as many loads are under
 * way at a time, and take registers that full tiles need.
 */
enum { LINES_ASKED = 2 };

/* The code for "p" and the parts after it in the same lines; a loop, unless it
 * is one line.
 */
static struct ks *code_of_lines(const struct deal *d, const struct part *p)
{
	struct region *mem = d->p->mem;
	const char *line = d->p->names->cell[hex_dim(d)];
	struct ks *loop, *body = ks_block(mem);

	for (const struct part *q = p; q; q = q->next)
		if (q == p || same_lines(d, p, q)) {
			place_part(d, q);
			ks_add(mem, body, d->copy(d->t));
		}
	if (!has_lines(d) || p->line == p->last_line)
		return body;
	loop = ks_for(mem, line, kx_int(mem, p->line),
		kx_binary(mem, OP_LE, kx_name(mem, line),
			kx_int(mem, p->last_line)),
		kx_int(mem, 1), body);
	loop->unroll = d->t->full;
	loop->unroll_by = d->t->full ? 0 : d->p->plan->opt.starts ? 1 :
		LINES_ASKED;
	return loop;
}

/* Does the code of an earlier part include "p"? */
static bool is_done(const struct deal *d, const struct share *s,
	const struct part *p)
{
	for (const struct part *q = s->first; q != p; q = q->next)
		if (same_lines(d, q, p))
			return true;
	return false;
}

static struct ks *code_of_share(const struct deal *d, const struct share *s)
{
	struct ks *block = ks_block(d->p->mem);

	for (const struct part *p = s->first; p; p = p->next)
		if (!is_done(d, s, p))
			ks_add(d->p->mem, block, code_of_lines(d, p));
	return block;
}

/* NULL: all threads */
static const struct kx *condition(const struct deal *d,
	__isl_keep isl_set *threads)
{
	const char *dims[IR_MAX_DIMS];

	for (int i = 0; i < d->n_dims; i++)
		dims[i] = thread_name(d, i) ? thread_name(d, i) :
			d->p->names->cell[i];
	return kx_of_set(d->p->mem, name_dims(isl_set_copy(threads), dims),
		name_dims(isl_set_copy(d->everyone), dims));
}

static struct ks *gather_shares(struct deal *d)
{
	struct region *mem = d->p->mem;
	struct ks *all = ks_block(mem), *some = ks_block(mem);

	for (struct share *s = d->first; s; s = s->next) {
		const struct kx *when = condition(d, s->threads);

		ks_add(mem, when ? some : all,
			guarded(d->p->mem, when, code_of_share(d, s)));
		isl_set_free(s->threads);
	}
	ks_add(mem, all, some);
	return all;
}

/* Not if there would be too much code, or cells that many threads share. */
bool can_be_dealt(const struct transfer *t)
{
	enum { MOST_PARTS = 1024 };
	const struct place *p = t->p;
	const struct box *box = &p->plan->box[t->field->index];
	double parts = buffers_of(p, t->field);

	if (!t->relative || t->field->n_dims != p->plan->n_dims)
		return false;
	for (int d = 0; d < box->n_dims; d++) {
		int i = box->n_dims - 1 - d;
		int threads = i < 3 ? p->plan->threads[i] : 1;

		parts *= (box->extent[d] + threads - 1) / threads + 1;
	}
	return parts <= MOST_PARTS || p->plan->opt.async;
}

/* "cells", which are whole lines, in units of t->words in the last dimension. */
static __isl_give isl_set *in_vectors(const struct transfer *t,
	__isl_take isl_set *cells)
{
	int last = t->field->n_dims;	/* after the copy */
	int first = set_extreme(cells, last, false);
	int end = set_extreme(cells, last, true) + 1;

	if (t->words <= 1 || isl_set_is_empty(cells) != isl_bool_false)
		return cells;
	cells = isl_set_project_out(cells, isl_dim_set, (unsigned) last, 1);
	cells = isl_set_insert_dims(cells, isl_dim_set, (unsigned) last, 1);
	return set_between(cells, last, first / t->words, end / t->words - 1);
}

struct ks *deal_cells(struct transfer *t, __isl_take isl_set *cells,
	struct ks *(*copy)(void *user))
{
	struct deal d = {
		.p = t->p, .t = t, .copy = copy, .n_dims = t->field->n_dims,
	};
	struct ks *code;

	d.last = &d.first;
	for (int i = 0; i < d.n_dims; i++) {
		int thread = d.n_dims - 1 - i;

		d.threads[i] = thread < 3 ? t->p->plan->threads[thread] : 1;
	}
	if (t->words > 1)
		vector_threads(t->p, d.threads);
	cells = in_vectors(t, cells);
	d.everyone = everyone(&d);
	for (int v = 0; v < buffers_of(t->p, t->field); v++) {
		isl_set *part = isl_set_fix_si(isl_set_copy(cells),
			isl_dim_set, 0, v);

		part = set_coalesce(isl_set_project_out(part,
			isl_dim_set, 0, 1));
		d.part.copy = v;
		if (isl_set_is_empty(part) == isl_bool_false && has_lines(&d))
			deal_lines(&d, part);
		else if (isl_set_is_empty(part) == isl_bool_false)
			deal_set(&d, isl_set_copy(part));
		isl_set_free(part);
	}
	code = gather_shares(&d);
	isl_set_free(d.everyone);
	isl_set_free(cells);
	return code;
}

void map_threads(const struct place *p, struct loop_nest *nest,
	const char **first, int *step, int n)
{
	int offset = nest->n_dims - n;

	for (int d = 0; d < nest->n_dims; d++) {
		int i = nest->n_dims - 1 - d;

		bool dealt = d >= offset && i < 3 && p->plan->threads[i] > 1;

		first[d] = dealt ? p->names->lanes.thread[i] : NULL;
		step[d] = dealt ? p->plan->threads[i] : 1;
	}
	nest->first = first;
	nest->step = step;
}
