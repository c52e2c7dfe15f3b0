/* Where stages of overlapping tiles compute: around the tile, and between the edges of their
 * statements.
 */
#include "codegen/overlap/overlap.h"

enum { LOW, HIGH };

/* How far around the tile in dimension "d": around + (count - step)*slope. */
static const struct kx *reach(const struct overlap *o, int d, int side,
	const struct kx *at)
{
	const struct kx *left = op(o->h, OP_SUB, name(o->h, o->count), at);

	return kx_add(o->h->mem, op(o->h, OP_MUL,
		integer(o->h, o->p->slope[d][side]), left),
		o->p->around[o->stmt->index][d][side]);
}

static const struct kx *rounded(const struct overlap *o, const struct kx *x)
{
	int line = o->p->line;

	return op(o->h, OP_MUL, op(o->h, OP_DIV, kx_add(o->h->mem, x,
		line - 1), integer(o->h, line)), integer(o->h, line));
}

const struct kx *overlap_low(const struct overlap *o, int d,
	const struct kx *at, bool round)
{
	const struct kx *r = reach(o, d, LOW, at);

	return op(o->h, OP_SUB, name(o->h, o->begin[d]), round ? rounded(o, r) :
		r);
}

const struct kx *overlap_high(const struct overlap *o, int d,
	const struct kx *at, bool round)
{
	const struct kx *r = reach(o, d, HIGH, at);

	return op(o->h, OP_ADD, name(o->h, o->end[d]), round ? rounded(o, r) :
		r);
}

static const struct edges *edges_of_stmt(const struct overlap *o,
	const struct stmt *s, int d)
{
	return &o->p->edges[s->index][d];
}

int64_t overlap_first_point(const struct overlap *o, const struct stmt *s,
	int d)
{
	return edges_of_stmt(o, s, d)->first;
}

bool overlap_ends_early(const struct overlap *o, const struct stmt *s, int d)
{
	const struct edges *e = edges_of_stmt(o, s, d);

	return e->n_ends > 1 || e->end[0].less > 0;
}

const struct kx *overlap_end_point(const struct overlap *o,
	const struct stmt *s, int d)
{
	const struct edges *e = edges_of_stmt(o, s, d);
	const struct kx *end = NULL;

	for (int i = 0; i < e->n_ends; i++) {
		const struct kx *at = kx_end(o->h->mem, host_param(o->h,
			e->end[i].size, ctype(CT_NONE)), e->end[i].less,
			e->end[i].stride);

		end = end ? kx_min(o->h->mem, end, at) : at;
	}
	return end;
}

const struct kx *overlap_is_own(const struct overlap *o, int dims, int steps,
	const struct kx *also)
{
	const struct host *h = o->h;
	const struct pipeline *p = o->p;
	const int (*around)[2] = p->around[o->stmt->index];
	const struct kx *own = also;

	for (int d = 0; d < dims; d++) {
		const struct kx *x = name(h, o->names->point[d]);

		if (around[d][LOW] + steps * p->slope[d][LOW] > 0)
			own = kx_and(h->mem, own, op(h, OP_GE, x, name(h,
				o->begin[d])));
		if (around[d][HIGH] + steps * p->slope[d][HIGH] > 0)
			own = kx_and(h->mem, own, op(h, OP_LT, x, name(h,
				o->end[d])));
	}
	return own;
}
