/* The cost of segments and reductions beside the steps of a segment. */
#include "ir/reduction.h"
#include "schedule/strategies.h"

static bool is_read_before(const struct stmt *point, int i)
{
	for (int j = 0; j < i; j++)
		if (point->read[j]->field == point->read[i]->field &&
		    point->read[j]->version == point->read[i]->version)
			return true;
	return false;
}

/* Are its points and cells of states those that a tile has just computed? */
static bool suits_tiles(const struct scop *scop, const struct reduction *r)
{
	const struct stmt *point = r->point;
	bool suits = !r->is_check && point->n_dims == scop->n_dims;

	for (int i = 0; suits && i < point->n_reads; i++) {
		const struct field *f = point->read[i]->field;

		suits = f->kind == FIELD_INPUT || (f->kind == FIELD_STATE &&
			access_is_at_point(point->read[i],
				point->n_dims));
	}
	return suits;
}

/* A run that may end early must not be ahead of what ends it. */
bool segments_suit_tiles(const struct scop *scop)
{
	const struct program *p = scop->prog;
	bool suit = p->segments && p->segments->most > 0 && !p->until &&
		p->n_lists == 0 && !p->waves;

	for (int i = 0; suit && i < p->n_stmts; i++)
		suit = access_is_at_point(p->stmt[i]->write, scop->n_dims);
	for (int i = 0; suit && i < p->n_reductions; i++)
		suit = !reduction_is_seen(p, p->reduction[i]) ||
			suits_tiles(scop, p->reduction[i]);
	return suit;
}

/* Each field that it reads, of each step once: a pass goes through memory. */
static double bytes_of(const struct scop *scop, const struct stmt *point,
	const struct problem_size *sizes, int n)
{
	double bytes = 0;

	for (int i = 0; i < point->n_reads; i++) {
		const struct field *f = point->read[i]->field;
		double cells = type_size(f->type);

		if (is_read_before(point, i))
			continue;
		for (int d = 0; d < f->n_dims; d++)
			cells *= (double) problem_number(scop, f->size[d],
				sizes, n);
		bytes += cells;
	}
	return bytes;
}

struct segment_terms predict_segments(const struct scop *scop,
	const struct machine *machine, const struct problem_size *sizes, int n)
{
	const struct program *prog = scop->prog;
	const struct segments *s = prog->segments;
	int64_t all = problem_number(scop, s->whole_end, sizes, n) -
		problem_number(scop, s->whole_begin, sizes, n);
	struct segment_terms terms = { .most = s->most && s->most < all ?
		s->most : all };

	terms.segments = terms.most > 0 ? (all + terms.most - 1) / terms.most :
		0;
	for (int i = 0; i < prog->n_reductions; i++)
		*(reduction_is_seen(prog, prog->reduction[i]) ?
			&terms.pass_bytes : &terms.end_bytes) += bytes_of(scop,
				prog->reduction[i]->point, sizes, n);
	if (machine->bandwidth_bytes_per_s > 0) {
		terms.pass_s = terms.pass_bytes /
			machine->bandwidth_bytes_per_s;
		terms.end_s = terms.end_bytes / machine->bandwidth_bytes_per_s;
	}
	return terms;
}
