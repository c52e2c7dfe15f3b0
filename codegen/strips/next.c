/* Strips of register streaming: rows are loaded some iterations before they are
 * needed, into registers of their own, so that no iteration waits for memory:
 *
 *	A_row[0][u] = A_next[u % p]
 *	A_next[u % p] <- row n + u + p
 *
 * The rows for the first p iterations are loaded before these.
 */
#include "codegen/strips/ahead.h"

static const char *next_name(const struct strip *p, const struct field *f)
{
	return strip_name(p, f, "next");
}

/* A_next[u % p][behind][r][c], without indices that have one value. */
static const struct kx *next_cell(const struct strip *p,
	const struct field *f, int behind, const struct kx *row,
	const struct kx *cell)
{
	const struct kx *arg[4];
	struct kx *x;
	int n = 0;

	if (p->s->ahead.rows > 1)
		arg[n++] = op(p, OP_MOD, p->u, integer(p, p->s->ahead.rows));
	if (f->depth > 1)
		arg[n++] = integer(p, behind);
	if (p->s->dim.row >= 0)
		arg[n++] = row;
	arg[n++] = cell;
	x = kx_of_kind(p->mem, KX_INDEX, next_name(p, f), n, arg);
	x->type = f->type;
	return x;
}

void strip_declare_next(const struct strip *p, struct ks *block,
	const struct field *f)
{
	int extent[4], n = 0;

	if (p->s->ahead.rows == 0 || p->s->ahead.used || !is_moved(f))
		return;
	if (p->s->ahead.rows > 1)
		extent[n++] = p->s->ahead.rows;
	if (f->depth > 1)
		extent[n++] = f->depth;
	if (p->s->dim.row >= 0)
		extent[n++] = p->s->rows;
	extent[n++] = p->s->cells;
	ks_add(p->mem, block, ks_array(p->mem, ctype_of(f->type),
		next_name(p, f), n, extent, false, -1))->is_zeroed = true;
}

const struct kx *strip_loaded_cell(const struct strip *p,
	const struct field *f, const struct kx *version, const struct kx *row,
	const struct kx *cell)
{
	return p->s->ahead.rows == 0 ? strip_cell(p, f, version, 0, row,
		cell) : next_cell(p, f, (int) -version->ivalue, row, cell);
}

struct ks *strip_take_next(const struct strip *p, const struct field *f,
	int behind)
{
	return strip_over_cells(p, ks_assign(p->mem, strip_cell(p, f,
		integer(p, -behind), 0, p->r, p->c), kx_promoted(p->mem,
			next_cell(p, f, behind, p->r, p->c))));
}

/* "body" for the iterations from turn "begin" to "end".  Copies are in a loop that stays one: of
 * those that are unrolled nvcc computes addresses before the loops over strips, and keeps them in
 * registers all the time, 10 in laplacian3d.
 */
static struct ks *over_turns(const struct strip *p, int begin, int end,
	struct ks *body)
{
	struct ks *loop = ks_for(p->mem, p->names->strips.turn, integer(p,
		begin), op(p, OP_LT, p->u, integer(p, end)), integer(p, 1),
		body);

	loop->unroll = !p->s->ahead.used;
	loop->unroll_by = p->s->ahead.used;
	return loop;
}

/* The iterations before the first one, which load alone. */
struct ks *strip_load_first_rows(const struct strip *p)
{
	const struct stream *s = p->s;
	struct strip q = *p;
	struct ks *block = ks_block(p->mem), *body = ks_block(p->mem);
	int begin = stream_copies_first(s) ? s->period - s->ahead.rows : 0;
	int end = begin + s->ahead.rows;

	q.full = q.steady = false;
	q.interior = false;
	q.n = integer(p, s->walk.first - end);
	if (end == 1)
		q.u = integer(p, 0);
	if (s->ahead.used)
		strip_clear_ahead(&q, body);
	if (begin > 0) {
		ks_add(p->mem, block, over_turns(p, 0, end, body));
		body = ks_block(p->mem);
	}
	strip_load_rows(&q, body);
	if (s->ahead.used)
		ks_add(p->mem, body, strip_end_group(p));
	ks_add(p->mem, block, end == 1 ? body : over_turns(p, begin, end,
		body));
	return block;
}

void strip_describe_next(struct text *t, const struct place *place)
{
	const struct stream *s = place->plan->strips;
	struct strip p = strip_of(place);

	for (int i = 0; i < program(&p)->n_fields; i++) {
		const struct field *f = program(&p)->field[i];

		if (!is_moved(f))
			continue;
		text_puts(t, next_name(&p, f));
		if (s->ahead.rows > 1)
			text_printf(t, "[u %% %d]", s->ahead.rows);
		text_printf(t, " is what iteration n + u loads of %s for that "
			"%d later.\n", f->name, s->ahead.rows);
	}
}
